"""Where orders go: asked for after the purchase, attached to the order, exported and erased."""

import csv
import io
import json

import pytest

from ledger import look
from process import add_user
from provider import Bought
from shop import PASSWORD, new_phone
from test_archive import Past, archive
from test_delivery import deliver, paid

EVERYTHING = {"name": "required", "phone": "required", "address": "required", "note": "optional"}
NOTHING = dict.fromkeys(EVERYTHING, "off")
LI_LEI = {"name": "李雷 🎁", "phone": "+86 139-0000-0001", "address": "北京市 1 Main St\n二单元", "note": ""}
OTHER = {**LI_LEI, "name": "Han Meimei", "note": "leave it at the door"}


def ask_for(shop, **fields):
    answer = shop.operator.put("/admin/contact-fields", fields)
    assert answer.status == 200, answer.body
    return {name: field["asked"] for name, field in answer.body["fields"].items()}


@pytest.fixture
def asking(shared):
    """The shop asks for everything; and for nothing again afterwards."""
    ask_for(shared, **EVERYTHING)
    yield shared
    ask_for(shared, **NOTHING)


@pytest.fixture
def sale(asking):
    return asking.sale(stock=20, limit_per_buyer=9)["id"]


@pytest.fixture
def order(asking, sale):
    [buyer] = asking.buyers(1)
    return paid(asking, buyer, sale)


def attach(order, contact):
    return order.buyer.put(f"/orders/{order.id}/contact", contact)


def attached(order):
    answer = order.buyer.get(f"/orders/{order.id}/contact")
    assert answer.status == 200, answer.body
    return answer.body["contact"]


def deeds(shop, action):
    return shop.operator.get(f"/admin/audit-trail?action={action}&limit=100").body["entries"]


def rows(shop, table, order):
    return look(shop, f"SELECT count(*) FROM {table} WHERE order_id = ?1", int(order.id))[0][0]


def test_nothing_is_asked_for_until_the_operator_says_so(shared):
    [buyer] = shared.buyers(1)
    body = buyer.get("/contact").body
    assert body["contact"] is None
    assert {name: field["asked"] for name, field in body["fields"].items()} == NOTHING
    answer = buyer.put("/contact", LI_LEI)
    assert answer.status == 422 and {error["field"] for error in answer.body["errors"]} == {"name", "phone", "address"}
    assert buyer.get("/contact").body["contact"] is None


def test_fields_are_the_operators_choice(shared):
    before = len(deeds(shared, "contact.fields"))
    assert ask_for(shared, address="required") == {**NOTHING, "address": "required"}
    assert ask_for(shared, note="optional") == {**NOTHING, "address": "required", "note": "optional"}
    assert ask_for(shared) == ask_for(shared, note="optional"), "the same again changes nothing"
    found = deeds(shared, "contact.fields")
    assert len(found) == before + 2
    assert (found[0]["before"]["note"], found[0]["after"]["note"]) == ("off", "optional")
    for wrong in ({"name": "maybe"}, {"name": 1}, {"email": "required"}):
        answer = shared.operator.put("/admin/contact-fields", wrong)
        assert answer.status == 422 and answer.body["errors"][0]["field"] in wrong
    assert ask_for(shared, **NOTHING) == NOTHING


def test_asked_once_and_attached_to_the_order(order):
    buyer = order.buyer
    stored = buyer.put("/contact", {**LI_LEI, "name": " 李雷 🎁　"})
    assert stored.status == 200 and stored.body["contact"] == LI_LEI
    body = buyer.get(f"/orders/{order.id}/contact").body
    assert (body["contact"], body["stored"], body["open"]) == (None, LI_LEI, True)
    assert attach(order, LI_LEI).body["contact"] == LI_LEI
    assert attach(order, OTHER).body["contact"] == OTHER
    assert buyer.get("/contact").body["contact"] == LI_LEI, "a copy of the order's own"
    assert order.shop.operator.get(f"/admin/orders/{order.id}").body["contact"] == OTHER


def test_the_purchase_never_waits_for_it(asking, sale):
    [buyer] = asking.buyers(1)
    order = paid(asking, buyer, sale)
    assert order.state == "paid" and attached(order) is None
    assert deliver(asking, order, state="shipped").status == 200


@pytest.mark.parametrize("change, field", [
    ({"name": ""}, "name"), ({"name": " 　"}, "name"), ({"address": ""}, "address"), ({"name": "a" * 61}, "name"),
    ({"name": "a\nb"}, "name"), ({"name": "a\0b"}, "name"), ({"phone": "call me"}, "phone"), ({"phone": "1234"}, "phone"),
    ({"phone": "1" * 33}, "phone"), ({"address": "a" * 301}, "address"), ({"address": "a\x1b[31m"}, "address"),
    ({"note": "🎁" * 301}, "note"), ({"note": 3}, "note"), ({"email": "a@b.example"}, "email"),
    ({"note": ["x"]}, "note")])
def test_what_is_wrong_is_named_and_nothing_changes(order, change, field):
    answer = attach(order, {**LI_LEI, **change})
    assert (answer.status, answer.code) == (422, "invalid")
    assert [error["field"] for error in answer.body["errors"]] == [field]
    assert attached(order) is None


def test_the_longest_that_fit(order):
    longest = {"name": "🎁" * 60, "phone": "+12345678901234567890", "address": "市" * 300, "note": "🎁" * 300}
    assert attach(order, longest).body["contact"] == longest
    assert attach(order, {**longest, "note": "x" * 2_000_000}).status == 413
    assert attached(order) == longest


def test_until_it_is_on_its_way(asking, sale):
    [buyer] = asking.buyers(1)
    waiting = Bought(asking, buyer, sale)
    order = paid(asking, buyer, sale)
    assert attach(waiting, LI_LEI).status == 409, "not before it is paid"
    assert attach(order, LI_LEI).status == 200
    deliver(asking, order, state="preparing")
    assert attach(order, OTHER).status == 200
    deliver(asking, order, state="shipped")
    answer = attach(order, LI_LEI)
    assert (answer.status, answer.code) == (409, "conflict")
    body = buyer.get(f"/orders/{order.id}/contact").body
    assert (body["contact"], body["open"]) == (OTHER, False)
    assert attached(waiting) is None


def test_nobody_else_sees_it(asking, order):
    attach(order, LI_LEI)
    [other] = asking.buyers(1)
    assert other.get(f"/orders/{order.id}/contact").status == 404
    assert other.put(f"/orders/{order.id}/contact", OTHER).status == 404
    assert asking.visitor.get(f"/orders/{order.id}/contact").status == 401
    assert other.get("/contact").body["contact"] is None
    user = asking.operator.get(f"/admin/orders/{order.id}").body["buyer_id"]
    assert other.delete(f"/admin/users/{user}/contact").status == 403
    assert attached(order) == LI_LEI


def test_support_sees_it_at_the_order_and_steers_nothing(asking, order):
    attach(order, LI_LEI)
    phone = new_phone()
    add_user(asking.server.data, phone, "support", PASSWORD)
    support = asking.client(asking.log_in(phone))
    assert support.get(f"/admin/orders/{order.id}").body["contact"] == LI_LEI
    assert all("contact" not in row for row in support.get("/admin/orders").body["orders"])
    user = support.get(f"/admin/orders/{order.id}").body["buyer_id"]
    assert support.put("/admin/contact-fields", {"name": "off"}).status == 403
    assert support.delete(f"/admin/users/{user}/contact").status == 403


def test_the_table_has_it_at_its_end(asking, order):
    attach(order, {**OTHER, "note": "=1+1, please"})
    raw = asking.operator.get(f"/admin/orders.csv?sale_id={order.sale}").raw.decode()
    table = list(csv.reader(io.StringIO(raw, newline="")))
    assert table[0][-4:] == ["contact_name", "contact_phone", "contact_address", "contact_note"]
    assert table[1][-4:-3] == ["Han Meimei"] and table[1][-1] == "'=1+1, please"
    assert table[1][-2] == OTHER["address"]


def test_all_that_is_kept_is_handed_over(asking, sale):
    user = asking.register(name="Li Lei")
    buyer = asking.client(asking.log_in(user["phone"]))
    buyer.put("/contact", LI_LEI)
    first, second = (paid(asking, buyer, sale) for _ in range(2))
    attach(first, OTHER)
    deliver(asking, first, state="shipped", number="SF1")
    answer = buyer.get("/my-data")
    assert answer.status == 200 and "my-data.json" in answer.headers["Content-Disposition"]
    data = json.loads(answer.raw)
    assert (data["account"]["phone"], data["account"]["name"]) == (user["phone"], "Li Lei")
    assert data["contact"] == LI_LEI
    assert [order["id"] for order in data["orders"]] == [second.id, first.id]
    assert [order["contact"] for order in data["orders"]] == [None, OTHER]
    assert data["orders"][1]["delivery"]["number"] == "SF1"
    [nobody] = asking.buyers(1)
    assert json.loads(nobody.get("/my-data").raw)["orders"] == []
    assert asking.visitor.get("/my-data").status == 401


def test_all_of_many_orders_is_handed_over(asking):
    sale = asking.sale(stock=300, limit_per_buyer=300)["id"]
    [buyer] = asking.buyers(1)
    orders = [asking.bought(buyer, sale)["order_id"] for _ in range(101)]
    assert [order["id"] for order in json.loads(buyer.get("/my-data").raw)["orders"]] == orders[::-1]


def test_a_buyer_erases_what_nobody_needs_any_more(asking, sale):
    [buyer] = asking.buyers(1)
    arrived, waiting, refunded = (paid(asking, buyer, sale) for _ in range(3))
    for order in (arrived, waiting, refunded):
        attach(order, LI_LEI)
    buyer.put("/contact", LI_LEI)
    deliver(asking, arrived, state="delivered")
    assert asking.operator.post(f"/admin/orders/{refunded.id}/refund").status == 200
    assert buyer.delete("/contact").body == {"stored": True, "orders": 0, "orders_kept": 0}
    assert buyer.get("/contact").body["contact"] is None and attached(arrived) == LI_LEI
    assert buyer.delete("/contact?orders=all").status == 422
    assert buyer.delete("/contact?orders=finished").body == {"stored": False, "orders": 2, "orders_kept": 1}
    assert attached(arrived) is None and attached(refunded) is None and attached(waiting) == LI_LEI
    assert [rows(asking, "order_contacts", order) for order in (arrived, refunded, waiting)] == [0, 0, 1]
    assert buyer.delete("/contact?orders=finished").body == {"stored": False, "orders": 0, "orders_kept": 1}


def test_an_operator_erases_all_and_the_trail_has_none_of_it(asking, order):
    attach(order, LI_LEI)
    order.buyer.put("/contact", LI_LEI)
    user = asking.operator.get(f"/admin/orders/{order.id}").body["buyer_id"]
    answer = asking.operator.delete(f"/admin/users/{user}/contact")
    assert answer.body == {"stored": True, "orders": 1, "orders_kept": 0}
    assert attached(order) is None and order.buyer.get("/contact").body["contact"] is None
    assert asking.operator.delete(f"/admin/users/{user}/contact").body["orders"] == 0
    [entry] = [entry for entry in deeds(asking, "contact.erase") if entry["subject"] == user]
    assert (entry["before"], entry["after"]) == (None, {"stored": True, "orders": 1})
    assert asking.operator.delete("/admin/users/1/contact").status == 404
    assert asking.operator.delete("/admin/users/x/contact").status == 404


def test_a_field_that_is_switched_off_is_not_taken_any_more(asking, order):
    attach(order, LI_LEI)
    ask_for(asking, phone="off")
    assert attached(order) == LI_LEI, "what was told stays until it is erased"
    answer = attach(order, LI_LEI)
    assert answer.status == 422 and [error["field"] for error in answer.body["errors"]] == ["phone"]
    assert attach(order, {**LI_LEI, "phone": ""}).body["contact"]["phone"] == ""


def test_it_is_in_no_log_trail_or_webhook(shop):
    ask_for(shop, **EVERYTHING)
    [buyer] = shop.buyers(1)
    order = paid(shop, buyer, shop.sale()["id"])
    secret = {"name": "Zyxwv Person", "phone": "5550100199", "address": "77 Hidden Lane", "note": "Qwxyz note"}
    assert attach(order, secret).status == 200
    buyer.put("/contact", secret)
    attach(order, {**secret, "phone": "Zyxwv 5550100199"})
    shop.operator.get(f"/admin/orders.csv?sale_id={order.sale}")
    buyer.delete("/contact?orders=finished")
    user = shop.operator.get(f"/admin/orders/{order.id}").body["buyer_id"]
    shop.operator.delete(f"/admin/users/{user}/contact")
    logged = shop.server.log()
    trail = json.dumps(shop.operator.get("/admin/audit-trail?limit=100").body)
    for word in ("Zyxwv", "5550100199", "Hidden Lane", "Qwxyz"):
        assert word not in logged and word not in trail
    ask_for(shop, **NOTHING)


def test_an_archived_order_keeps_it_and_loses_it(shop):
    ask_for(shop, **EVERYTHING)
    past = Past(shop)
    assert attach(past.paid, LI_LEI).status == 200
    assert archive(shop).returncode == 0
    assert attached(past.paid) == LI_LEI
    assert attach(past.paid, OTHER).body["contact"] == OTHER
    deliver(shop, past.paid, state="delivered")
    assert past.paid.buyer.delete("/contact?orders=finished").body["orders"] == 1
    assert attached(past.paid) is None
    ask_for(shop, **NOTHING)
    shop.audit()
