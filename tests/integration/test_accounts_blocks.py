"""Blocks by operators: of buyers, addresses and networks."""

from urllib.parse import quote

import pytest

import instants
from ledger import change
from process import add_user, eventually
from shop import PASSWORD, new_phone

BEHIND_A_PROXY = '[http]\ntrusted_proxies = ["127.0.0.0/8"]\n'


def block(shop, subject, **wish):
    answer = shop.operator.put(f"/admin/blocks/{quote(subject, safe='')}", wish)
    assert answer.status == 200, answer.body
    return answer.body


def lift(shop, subject):
    return shop.operator.delete(f"/admin/blocks/{quote(subject, safe='')}")


def id_of(buyer):
    return buyer.get("/sessions/current").body["user"]["id"]


def assert_blocked(answer):
    assert (answer.status, answer.code) == (403, "forbidden")
    assert "blocked" in answer.body["detail"]


def test_a_blocked_buyer_cannot_buy_but_keeps_what_they_have(shop):
    buyer, other = shop.buyer(), shop.buyer()
    bought, sale = shop.sale()["id"], shop.sale()["id"]
    order = shop.bought(buyer, bought)
    used_pass, pass_ = shop.pass_for(buyer, sale), shop.pass_for(buyer, sale)
    ticket = shop.bought(buyer, sale, pass_=used_pass)["ticket"]
    block(shop, id_of(buyer), reason="script")

    assert_blocked(buyer.post(f"/sales/{bought}/passes"))
    assert_blocked(buyer.post(f"/sales/{sale}/orders/{pass_}"))
    assert_blocked(buyer.post(f"/sales/{sale}/orders/{used_pass}"))
    assert buyer.get(f"/sales/{sale}/ticket").body["ticket"] == ticket, "a lost reply is still to be had"
    assert buyer.get(f"/tickets/{ticket}").status == 200
    assert buyer.get("/sessions/current").status == 200
    assert buyer.get("/orders").body["orders"][-1]["id"] == order["order_id"]
    assert buyer.get(f"/orders/{order['order_id']}").status == 200
    assert buyer.post(f"/orders/{order['order_id']}/cancel").status == 200
    assert shop.buy(other, bought).status == 201

    chinese = buyer.post(f"/sales/{sale}/passes", headers={"Accept-Language": "zh"})
    assert "封禁" in chinese.body["detail"]
    assert lift(shop, id_of(buyer)).status == 204
    assert shop.buy(buyer, bought).status == 201


def test_a_block_by_anyone_holds_for_all_sessions_of_the_buyer(shop):
    phone = shop.register()["phone"]
    first = shop.client(shop.log_in(phone))
    block(shop, id_of(first))
    second = shop.client(shop.log_in(phone))
    sale = shop.sale()["id"]
    for client in (first, second):
        assert_blocked(client.post(f"/sales/{sale}/passes"))


@pytest.fixture
def proxied(start_shop):
    return start_shop(config=BEHIND_A_PROXY)


def from_(address):
    return {"X-Forwarded-For": address}


@pytest.mark.parametrize("subject, inside, outside", [
    ("203.0.113.7", ["203.0.113.7"], ["203.0.113.8"]),
    ("203.0.113.0/24", ["203.0.113.0", "203.0.113.255"], ["203.0.112.255", "203.0.114.0"]),
    ("2001:db8::7", ["2001:db8::7", "2001:db8::8"], ["2001:db8:0:1::7"]),
    ("2001:db8::/32", ["2001:db8:ffff::1"], ["2001:db9::1"]),
    ("::1", ["::1"], ["127.0.0.2"]),
])
def test_a_blocked_address_gets_nothing_but_the_office(proxied, subject, inside, outside):
    shop = proxied
    buyer = shop.buyer()
    shown = block(shop, subject, reason="flood")
    assert shown["kind"] == "address"
    for address in inside:
        for path in ("/time", "/sales", "/orders"):
            assert_blocked(buyer.get(path, headers=from_(address)))
        assert_blocked(shop.visitor.post("/users", {"phone": "1", "password": "2"}, headers=from_(address)))
        assert_blocked(shop.client("forged").get("/orders", headers=from_(address)))
        assert shop.operator.get("/admin/blocks", headers=from_(address)).status == 200
        assert shop.visitor.get("/livez", headers=from_(address), api=False).status == 200
    for address in outside:
        assert shop.visitor.get("/time", headers=from_(address)).status == 200
        assert buyer.get("/orders", headers=from_(address)).status == 200
    assert lift(shop, subject).status == 204
    assert shop.visitor.get("/time", headers=from_(inside[0])).status == 200


def test_an_operator_can_log_in_behind_a_block_and_lift_it(proxied):
    shop = proxied
    here = from_("203.0.113.7")
    phone = new_phone()
    add_user(shop.server.data, phone, "operator", PASSWORD)
    block(shop, "203.0.113.7")
    login = shop.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}, headers=here)
    assert login.status == 201
    operator = shop.client(login.body["token"])
    assert operator.get("/sessions/current", headers=here).status == 200
    assert_blocked(operator.get("/sales", headers=here))
    assert operator.delete("/admin/blocks/203.0.113.7", headers=here).status == 204
    assert operator.get("/sales", headers=here).status == 200
    assert operator.delete("/sessions/current", headers=here).status == 204


def test_nobody_locks_themselves_out(proxied):
    operator = proxied.operator
    here = from_("203.0.113.7")
    for subject in ("203.0.113.7", "203.0.113.0/24", "203.0.0.0/16"):
        answer = operator.put(f"/admin/blocks/{quote(subject, safe='')}", {}, headers=here)
        assert (answer.status, answer.code) == (409, "conflict"), subject
    me = id_of(operator)
    assert operator.put(f"/admin/blocks/{me}", {}).status == 409
    assert operator.put("/admin/blocks/203.0.114.0", {}, headers=here).status == 200
    # A colleague may block that address; whoever sits there can lift it.
    assert operator.put("/admin/blocks/203.0.113.7", {}, headers=from_("198.51.100.1")).status == 200
    assert operator.delete("/admin/blocks/203.0.113.7", headers=here).status == 204


def test_blocks_survive_a_crash_and_end_at_their_time(proxied):
    shop = proxied
    buyer = shop.buyer()
    sale = shop.sale()["id"]
    who = id_of(buyer)
    block(shop, who)
    block(shop, "203.0.113.7")
    shop.restart_after_kill()
    buyer = shop.client(buyer.token)
    assert_blocked(buyer.post(f"/sales/{sale}/passes"))
    assert_blocked(shop.visitor.get("/time", headers=from_("203.0.113.7")))
    shown = block(shop, who, until=instants.from_now(seconds=1))
    assert shown["until"] is not None
    assert_blocked(buyer.post(f"/sales/{sale}/passes"))
    eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 201)
    assert shop.operator.get(f"/admin/blocks/{who}").status == 404
    assert [each["subject"] for each in shop.operator.get("/admin/blocks").body["blocks"]] == ["203.0.113.7"]
    assert lift(shop, who).status == 404
    block(shop, who, reason="again")


def test_what_somebody_else_wrote_is_in_force_within_a_second(shop):
    buyer, sale = shop.buyer(), shop.sale()["id"]
    change(shop, "INSERT INTO blocks SELECT 1, ?1, '', NULL, 0, id FROM users WHERE role = 'admin'", id_of(buyer))
    eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 403, 1.5)


def test_each_change_leaves_its_deed(shop):
    who = shop.register()["id"]
    block(shop, who, reason="first")
    block(shop, who, reason="second")
    block(shop, who, reason="second")
    lift(shop, who)
    lift(shop, who)
    deeds = [deed for deed in shop.operator.get("/admin/audit-trail").body["entries"] if deed["subject"] == who]
    assert [deed["action"] for deed in deeds] == ["block.lift", "block.put", "block.put"]
    reasons = [(deed["before"] and deed["before"]["reason"], deed["after"] and deed["after"]["reason"])
               for deed in deeds]
    assert reasons == [("second", None), ("first", "second"), (None, "first")]


def test_blocks_are_listed_newest_first_in_pages(shop):
    made = [f"203.0.113.{i}" for i in range(5)]
    for subject in made:
        block(shop, subject)
    seen, cursor = [], ""
    while cursor is not None:
        page = shop.operator.get(f"/admin/blocks?limit=2{'&cursor=' + cursor if cursor else ''}").body
        seen += [each["subject"] for each in page["blocks"]]
        cursor = page["next_cursor"]
    assert seen == made[::-1]


@pytest.mark.parametrize("subject", ["Li", "0", "0.0.0.0/0", "10.0.0.0/7", "::/0", "2001:db8::/65", "203.0.113.7/33",
                                     "%", "%00", "203.0.113.7 "])
def test_what_cannot_be_blocked(shared, subject):
    path = "/admin/blocks/" + (subject if subject.startswith("%") else quote(subject, safe=""))
    answer = shared.operator.put(path, {})
    assert (answer.status, answer.code) == (422, "invalid")
    assert answer.fields == {"subject"}
    assert shared.operator.get(path).status == 404
    assert shared.operator.delete(path).status == 404


@pytest.mark.parametrize("wish, field", [
    ({"reason": "x" * 201}, "reason"), ({"reason": "a\nb"}, "reason"), ({"reason": 1}, "reason"),
    ({"until": "tomorrow"}, "until"), ({"until": "2020-01-01T00:00:00Z"}, "until"), ({"forever": True}, "forever"),
])
def test_a_wish_that_makes_no_sense(shared, wish, field):
    answer = shared.operator.put("/admin/blocks/203.0.113.99", wish)
    assert (answer.status, answer.fields) == (422, {field})
    assert shared.operator.get("/admin/blocks/203.0.113.99").status == 404


def test_an_unknown_buyer_cannot_be_blocked(shared):
    assert shared.operator.put("/admin/blocks/12345", {}).status == 404
