"""How far an order is on its way: staff say it, its buyer sees it."""

import csv
import io

import pytest

from ledger import look
from process import add_user
from provider import Bought, outcome, succeeded
from shop import PASSWORD, new_phone
from test_archive import Past, archive

SHIPPED = {"state": "shipped", "carrier": "顺丰 🚚", "number": "SF-0012"}


def deliver(shop, order, by=None, **wish):
    return (by or shop.operator).put(f"/admin/orders/{order.id}/delivery", wish)


def shown(order):
    """As the buyer sees it."""
    return order.show().get("delivery")


def paid(shop, buyer, sale):
    order = Bought(shop, buyer, sale)
    assert outcome(shop.visitor, succeeded(order.pay(), order.total)) == "captured"
    return order


def deeds(shop, order):
    answer = shop.operator.get(f"/admin/audit-trail?subject={order.id}&action=order.delivery")
    assert answer.status == 200, answer.body
    return [(entry["before"], entry["after"]) for entry in answer.body["entries"]]


@pytest.fixture
def order(shared):
    [buyer] = shared.buyers(1)
    return paid(shared, buyer, shared.sale(stock=9, limit_per_buyer=3)["id"])


def test_from_the_shelf_to_the_door(shared, order):
    assert shown(order) is None
    assert deliver(shared, order, state="preparing").body["delivery"]["state"] == "preparing"
    answer = deliver(shared, order, **SHIPPED)
    assert answer.status == 200 and answer.body["id"] == order.id, answer.body
    delivery = answer.body["delivery"]
    assert {name: delivery[name] for name in SHIPPED} == SHIPPED
    assert shown(order) == delivery
    assert order.buyer.get("/orders").body["orders"][0]["delivery"] == delivery
    assert shared.operator.get(f"/admin/orders/{order.id}").body["delivery"] == delivery
    assert deliver(shared, order, state="delivered").body["delivery"]["number"] == "SF-0012", "what is left out stays"
    none = {"state": "none", "carrier": "", "number": ""}
    preparing, shipped = {**none, "state": "preparing"}, dict(SHIPPED)
    assert deeds(shared, order) == [(shipped, {**shipped, "state": "delivered"}), (preparing, shipped),
                                    (none, preparing)]


def test_the_same_again_changes_nothing(shared, order):
    first = deliver(shared, order, **SHIPPED).body["delivery"]
    for wish in (SHIPPED, {"state": "shipped"}, {"carrier": " 顺丰 🚚　", "number": "SF-0012 "}, {}):
        assert deliver(shared, order, **wish).body["delivery"] == first
    assert len(deeds(shared, order)) == 1


def test_a_wrong_button_can_be_taken_back(shared, order):
    deliver(shared, order, **SHIPPED)
    assert "delivery" not in deliver(shared, order, state="none").body
    assert shown(order) is None
    assert look(shared, "SELECT state, carrier, number FROM order_deliveries WHERE order_id = ?1",
                int(order.id)) == [("none", "", "")]
    assert len(deeds(shared, order)) == 2


@pytest.mark.parametrize("wish, fields", [
    ({"state": "lost"}, {"state"}), ({"state": 3}, {"state"}), ({"state": None}, {"state"}),
    ({"carrier": "DHL"}, {"carrier"}), ({"number": "1"}, {"number"}),
    ({"state": "none", **{name: SHIPPED[name] for name in ("carrier", "number")}}, {"carrier", "number"}),
    ({"state": "shipped", "carrier": "c" * 61}, {"carrier"}), ({"state": "shipped", "carrier": "a\nb"}, {"carrier"}),
    ({"state": "shipped", "carrier": "a\0b"}, {"carrier"}), ({"state": "shipped", "number": "9" * 65}, {"number"}),
    ({"state": "shipped", "number": "单号"}, {"number"}), ({"state": "shipped", "number": "=1+1"}, {"number"}),
    ({"state": "shipped", "number": "<script>"}, {"number"}), ({"state": "shipped", "number": 17}, {"number"}),
    ({"state": "shipped", "weight": 3}, {"weight"})])
def test_what_is_wrong_is_named_and_nothing_changes(shared, order, wish, fields):
    answer = deliver(shared, order, **wish)
    assert (answer.status, answer.code) == (422, "invalid")
    assert {error["field"] for error in answer.body["errors"]} == fields
    assert shown(order) is None and deeds(shared, order) == []


def test_a_body_too_large_or_none(shared, order):
    path = f"/admin/orders/{order.id}/delivery"
    assert shared.operator.put(path, {"state": "shipped", "carrier": "c" * 2_000_000}).status == 413
    assert shared.operator.put(path, data=b"[]", headers={"Content-Type": "application/json"}).status in (400, 422)
    assert shared.operator.put(path, data=b"").status in (400, 415, 422)


def test_only_a_paid_order_is_delivered(shared):
    sale = shared.sale(stock=9)["id"]
    buyers = shared.buyers(3)
    pending, cancelled = (Bought(shared, buyer, sale) for buyer in buyers[:2])
    buyers[1].post(f"/orders/{cancelled.id}/cancel")
    sent = paid(shared, buyers[2], sale)
    deliver(shared, sent, **SHIPPED)
    assert shared.operator.post(f"/admin/orders/{sent.id}/refund").status == 200
    for order in (pending, cancelled, sent):
        answer = deliver(shared, order, state="preparing")
        assert (answer.status, answer.code) == (409, "conflict")
        assert "paid" in answer.body["detail"]
    assert shown(pending) is None and shown(cancelled) is None
    assert shown(sent)["state"] == "shipped", "what was sent is still known"


def test_who_may(shared, order):
    phone = new_phone()
    add_user(shared.server.data, phone, "support", PASSWORD)
    support = shared.client(shared.log_in(phone))
    assert deliver(shared, order, by=support, **SHIPPED).status == 200
    assert deliver(shared, order, by=order.buyer, state="none").status == 403
    assert deliver(shared, order, by=shared.visitor, state="none").status == 401
    unknown = shared.operator.put("/admin/orders/1/delivery", {"state": "none"})
    assert (unknown.status, unknown.code) == (404, "not_found")
    assert shown(order)["state"] == "shipped"


def test_orders_are_found_by_their_delivery(shared):
    sales = [shared.sale(stock=9, limit_per_buyer=9)["id"] for _ in range(2)]
    one, other = shared.buyers(2)
    waiting, sent, packed = (paid(shared, one, sales[0]) for _ in range(3))
    elsewhere = paid(shared, other, sales[1])
    unpaid = Bought(shared, other, sales[0])
    deliver(shared, sent, **SHIPPED)
    deliver(shared, elsewhere, **SHIPPED)
    deliver(shared, packed, state="preparing")

    def ids(query):
        answer = shared.operator.get(f"/admin/orders?{query}")
        assert answer.status == 200, answer.body
        return [order["id"] for order in answer.body["orders"]]

    of = f"sale_id={sales[0]}"
    assert ids(f"{of}&delivery=none") == [waiting.id], "not the one that is not paid"
    assert ids(f"{of}&delivery=shipped") == [sent.id]
    assert ids(f"{of}&delivery=preparing") == [packed.id]
    assert ids(f"{of}&delivery=delivered") == []
    both = [elsewhere.id, sent.id]
    assert [id for id in ids("delivery=shipped&limit=100") if id in both] == both
    buyer = order_of(shared, sent)["buyer_id"]
    assert ids(f"buyer={buyer}&delivery=shipped") == [sent.id]
    assert ids(f"buyer={buyer}&delivery=none") == [waiting.id]
    assert ids(f"{of}&delivery=shipped&state=paid") == [sent.id]
    assert ids(f"{of}&delivery=none&state=pending") == [] and unpaid.state == "pending"
    assert shared.operator.post(f"/admin/orders/{sent.id}/refund").status == 200
    assert ids(f"{of}&delivery=shipped&state=paid") == []
    assert ids(f"{of}&delivery=shipped&state=refunded") == [sent.id]
    answer = shared.operator.get("/admin/orders?delivery=lost")
    assert answer.status == 422 and answer.body["errors"][0]["field"] == "delivery"


def order_of(shop, order):
    return shop.operator.get(f"/admin/orders/{order.id}").body


def test_pages_of_a_delivery_join_without_a_gap(shared):
    sale = shared.sale(stock=20, limit_per_buyer=20)["id"]
    [buyer] = shared.buyers(1)
    orders = [paid(shared, buyer, sale) for _ in range(5)]
    for order in orders[::2]:
        deliver(shared, order, state="preparing")
    for state, wanted in (("preparing", orders[::2]), ("none", orders[1::2])):
        found, cursor = [], ""
        while cursor is not None:
            after = cursor and f"&cursor={cursor}"
            page = shared.operator.get(f"/admin/orders?sale_id={sale}&delivery={state}&limit=1{after}").body
            found += [order["id"] for order in page["orders"]]
            cursor = page["next_cursor"]
        assert found == [order.id for order in reversed(wanted)]


def test_the_table_has_it_at_its_end(shared, order):
    deliver(shared, order, **SHIPPED)
    sale = order.sale
    table = list(csv.reader(io.StringIO(shared.operator.get(f"/admin/orders.csv?sale_id={sale}").raw.decode(),
                                        newline="")))
    assert table[0][17:20] == ["delivery", "carrier", "tracking_number"]
    assert table[1][17:20] == ["shipped", "顺丰 🚚", "SF-0012"]
    narrowed = shared.operator.get(f"/admin/orders.csv?sale_id={sale}&delivery=none").raw.decode()
    assert len(narrowed.splitlines()) == 1


def test_an_archived_order_goes_on_to_its_buyer(shop):
    past = Past(shop)
    assert deliver(shop, past.paid, state="preparing").status == 200
    result = archive(shop)
    assert result.returncode == 0, result.stderr
    assert shown(past.paid)["state"] == "preparing"
    assert deliver(shop, past.paid, **SHIPPED).status == 200
    assert shown(past.paid)["number"] == "SF-0012"
    for query in ("delivery=shipped", f"delivery=shipped&sale_id={past.sale}"):
        rows = shop.operator.get(f"/admin/orders?{query}").body["orders"]
        assert [(row["id"], row["delivery"]["state"]) for row in rows] == [(past.paid.id, "shipped")]
    assert shop.operator.get("/admin/orders?delivery=none").body["orders"] == []
    assert deliver(shop, past.cancelled, state="preparing").status == 409
    assert archive(shop, "--bring-back", past.sale).returncode == 0
    assert shown(past.paid)["number"] == "SF-0012"
    shop.audit()
