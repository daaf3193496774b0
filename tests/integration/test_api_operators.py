import pytest

import instants
from client import in_parallel
from document import operator_calls
from process import add_user, eventually
from shop import PASSWORD, new_phone


@pytest.mark.parametrize("method, path", operator_calls())
def test_operator_routes_are_for_operators(shared, shared_buyer, method, path):
    nobody = shared.visitor.request(method, path, api=False)
    assert (nobody.status, nobody.code) == (401, "unauthenticated")
    forged = shared.client("A" * 86).request(method, path, api=False)
    assert (forged.status, forged.code) == (401, "unauthenticated")
    buyer = shared_buyer.request(method, path, api=False)
    assert (buyer.status, buyer.code) == (403, "forbidden")
    operator = shared.operator.request(method, path, api=False)
    assert operator.status not in (401, 403)


def test_no_operator_route_is_outside_the_table():
    assert len(operator_calls()) >= 8


def test_an_admin_may_what_an_operator_may(shared):
    phone = new_phone()
    add_user(shared.server.data, phone, "admin", PASSWORD)
    admin = shared.client(shared.log_in(phone))
    assert admin.get("/sessions/current").body["user"]["role"] == "admin"
    assert admin.get("/admin/audit-trail").status == 200


def entries_of(shop, subject):
    page = shop.operator.get("/admin/audit-trail?limit=100").body["entries"]
    return [entry for entry in page if entry["subject"] == subject]


def test_the_trail_tells_who_did_what_when_from_where(shop):
    me = shop.operator.get("/sessions/current").body["user"]
    item = shop.item(title="Before")
    edit = shop.operator.put(f"/admin/items/{item['id']}", {"title": "After"})
    sale = shop.sale(item["id"])
    for verb in ("pause", "resume", "end"):
        shop.operator.post(f"/admin/sales/{sale['id']}/{verb}")

    edited, created = entries_of(shop, item["id"])
    assert (created["action"], edited["action"]) == ("item.create", "item.edit")
    assert created["before"] is None and created["after"]["title"] == "Before"
    assert edited["before"]["title"] == "Before" and edited["after"]["title"] == "After"
    assert edited["request_id"] == edit.headers["X-Request-Id"]
    for entry in (edited, created):
        assert entry["actor"] == {"kind": "user", "id": me["id"], "name": me["name"]}
        assert entry["address"] == "127.0.0.1"
        assert abs((instants.parse(entry["at"]) - instants.now()).total_seconds()) < 30
    assert [entry["action"] for entry in entries_of(shop, sale["id"])] == [
        "sale.end", "sale.resume", "sale.pause", "sale.create"]


def test_what_was_refused_or_changed_nothing_leaves_no_trail(shop):
    sale = shop.sale()
    shop.operator.post(f"/admin/sales/{sale['id']}/pause")
    length = len(shop.operator.get("/admin/audit-trail?limit=100").body["entries"])
    shop.operator.post(f"/admin/sales/{sale['id']}/pause")
    shop.operator.post("/admin/items", {"title": ""})
    shop.operator.put(f"/admin/sales/{sale['id']}", {"price_cents": 1})
    shop.operator.post("/admin/sales/1/end")
    assert shop.operator.put(f"/admin/sales/{sale['id']}", {}).status == 200
    item = shop.visitor.get(f"/items/{sale['item']['id']}").body
    for unchanged in ({}, {"title": item["title"], "currency": item["currency"]}):
        answer = shop.operator.put(f"/admin/items/{item['id']}", unchanged)
        assert answer.status == 200 and answer.body["title"] == item["title"]
    assert len(shop.operator.get("/admin/audit-trail?limit=100").body["entries"]) == length


def test_the_trail_comes_in_pages_newest_first(shop):
    made = [shop.item()["id"] for _ in range(5)]
    seen, cursor = [], ""
    while cursor is not None:
        more = f"&cursor={cursor}" if cursor else ""
        page = shop.operator.get(f"/admin/audit-trail?limit=2{more}").body
        seen += [entry["subject"] for entry in page["entries"] if entry["action"] == "item.create"]
        cursor = page["next_cursor"]
    assert seen == made[::-1]


def test_the_trail_is_searched(shop):
    sale, other = (shop.sale()["id"] for _ in range(2))
    for path in ("pause", "resume"):
        assert shop.operator.post(f"/admin/sales/{sale}/{path}").status == 200
    assert shop.operator.post(f"/admin/sales/{other}/pause").status == 200

    def found(query):
        answer = shop.operator.get(f"/admin/audit-trail?limit=100&{query}")
        assert answer.status == 200, answer.body
        return [(entry["action"], entry["subject"]) for entry in answer.body["entries"]]

    assert found("action=sale.pause") == [("sale.pause", other), ("sale.pause", sale)]
    assert found(f"subject={sale}") == [("sale.resume", sale), ("sale.pause", sale), ("sale.create", sale)]
    assert {action.split(".")[0] for action, _ in found("action=sale")} == {"sale"}
    assert found("action=sal") == []
    me = shop.operator.get("/sessions/current").body["user"]["id"]
    assert len(found(f"actor={me}")) == 7  # two items, two sales, three deeds on them
    assert {action for action, _ in found("actor=command_line")} == {"user.add"}
    assert found(f"actor={me}&action=user") == []
    resumed = shop.operator.get("/admin/audit-trail?action=sale.resume").body["entries"][0]["at"]
    assert ("sale.create", sale) not in found(f"from={resumed}")
    assert ("sale.create", sale) in found(f"to={resumed}")


@pytest.mark.parametrize("query, field", [("actor=me", "actor"), ("from=yesterday", "from"), ("to=1", "to"),
                                          (f"action={'x' * 201}", "action"), (f"subject={'x' * 201}", "subject"),
                                          ("who=7", "who")])
def test_a_search_of_the_trail_that_makes_no_sense(shared, query, field):
    answer = shared.operator.get(f"/admin/audit-trail?{query}")
    assert answer.status == 422 and answer.fields == {field}


ITEM = {"title": "Once", "list_price_cents": 1, "currency": "CNY"}


def keyed(key):
    return {"Idempotency-Key": key}


def test_the_same_key_and_body_get_the_first_answer_again(shop):
    first, second = (shop.operator.post("/admin/items", ITEM, headers=keyed("k-1")) for _ in range(2))
    assert (first.status, second.status) == (201, 201)
    assert first.body == second.body
    assert len(shop.visitor.get("/items").body["items"]) == 1
    shop.restart()
    assert shop.operator.post("/admin/items", ITEM, headers=keyed("k-1")).body == first.body
    assert len(shop.visitor.get("/items").body["items"]) == 1


def test_every_creation_honours_a_key(shared):
    item = shared.item()
    sale = {"item_id": item["id"], "price_cents": 1, "stock": 1}
    user = {"phone": new_phone(), "password": PASSWORD}
    for client, path, body in ((shared.operator, "/admin/sales", sale), (shared.visitor, "/users", user)):
        key = f"every-creation-{new_phone()}"
        answers = [client.post(path, body, headers=keyed(key)) for _ in range(2)]
        assert [answer.status for answer in answers] == [201, 201]
        assert answers[0].body["id"] == answers[1].body["id"]


def test_the_same_key_with_another_body_is_refused(shared):
    key = f"mismatch-{new_phone()}"
    assert shared.operator.post("/admin/items", ITEM, headers=keyed(key)).status == 201
    other = shared.operator.post("/admin/items", {**ITEM, "title": "Twice"}, headers=keyed(key))
    assert (other.status, other.code) == (422, "idempotency_mismatch")


def test_a_refusal_is_not_remembered(shared):
    key = f"refused-{new_phone()}"
    assert shared.operator.post("/admin/items", {"title": ""}, headers=keyed(key)).status == 422
    assert shared.operator.post("/admin/items", ITEM, headers=keyed(key)).status == 201


def test_a_key_belongs_to_its_caller_and_its_route(shared):
    key = f"scope-{new_phone()}"
    phone = new_phone()
    add_user(shared.server.data, phone, "operator", PASSWORD)
    other = shared.client(shared.log_in(phone))
    item = shared.operator.post("/admin/items", ITEM, headers=keyed(key))
    theirs = other.post("/admin/items", ITEM, headers=keyed(key))
    sale = shared.operator.post("/admin/sales", {"item_id": item.body["id"], "price_cents": 1, "stock": 1},
                                headers=keyed(key))
    assert (item.status, theirs.status, sale.status) == (201, 201, 201)
    assert item.body["id"] != theirs.body["id"]


def test_a_key_used_many_times_at_once_creates_once(shop):
    def create():
        return shop.client(shop.operator.token).post("/admin/items", ITEM, headers=keyed("race"))

    answers = in_parallel([create] * 8)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body["id"] for answer in answers}) == 1
    assert len(shop.visitor.get("/items").body["items"]) == 1


@pytest.mark.parametrize("key, status", [("x", 201), ("x" * 128, 201), ("!~", 201),
                                         ("x" * 129, 422), ("a b", 422), ("schlüssel", 422)])
def test_keys_are_short_printable_ascii(shop, key, status):
    answer = shop.operator.post("/admin/items", ITEM, headers=keyed(key.encode("latin-1")))
    assert answer.status == status, answer.body


def test_two_operators_who_edit_at_once_do_not_overwrite_each_other_unseen(shop):
    sale = shop.sale()

    def raise_limit(value):
        client = shop.client(shop.operator.token)
        return lambda: client.put(f"/admin/sales/{sale['id']}", {"gate_factor": value})

    answers = in_parallel([raise_limit(value) for value in range(6, 14)])
    assert {answer.status for answer in answers} <= {200, 409}
    done = sum(answer.status == 200 for answer in answers)
    edits = [e for e in entries_of(shop, sale["id"]) if e["action"] == "sale.edit"]
    assert len(edits) == done >= 1


def test_a_replay_is_answered_whatever_time_has_passed(shared):
    ends_at = instants.from_now(seconds=1)
    draft = {"item_id": shared.item()["id"], "price_cents": 1, "stock": 1, "ends_at": ends_at}
    key = {"Idempotency-Key": "soon-over"}
    first = shared.operator.post("/admin/sales", draft, headers=key)
    assert first.status == 201
    eventually(lambda: shared.visitor.get(f"/sales/{first.body['id']}").body["state"] == "ended", 5, "ended")
    again = shared.operator.post("/admin/sales", draft, headers=key)
    assert (again.status, again.body) == (201, first.body)


def test_the_office_listener_keeps_its_paths_to_itself(start_shop):
    shop = start_shop(config='admin_listen = "127.0.0.1:0"\n')
    for path in ("/admin/items", "/admin/sales", "/admin/audit-trail"):
        for method in ("GET", "POST", "DELETE"):
            answer = shop.visitor.request(method, path)
            assert (answer.status, answer.headers["Allow"]) == (404, None), (method, path)


def test_an_empty_key_is_not_taken_for_none(shop):
    answer = shop.operator.post("/admin/items", ITEM, headers=keyed(""))
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {"Idempotency-Key"})
    assert shop.visitor.get("/items").body["items"] == []
    sale, [buyer] = shop.sale()["id"], shop.buyers(1)
    pass_ = shop.pass_for(buyer, sale)
    answer = buyer.post(f"/sales/{sale}/orders/{pass_}", headers=keyed(""))
    assert (answer.status, answer.fields) == (422, {"Idempotency-Key"})
    assert shop.stock(sale)["held"] == 0
