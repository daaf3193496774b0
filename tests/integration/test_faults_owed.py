"""Fault 33: money that another provider took stays owed until that provider has sent it back."""

import csv
import io
import re

import pytest

from process import eventually
from provider import Bought, event, outcome, succeeded


def bought(shop, **sale):
    [buyer] = shop.buyers(1)
    return Bought(shop, buyer, shop.sale(**sale)["id"])


def late(shop):
    """An order that is over, with money that the provider outside took for it."""
    order = bought(shop)
    payment = order.pay()
    assert order.buyer.post(f"/orders/{order.id}/cancel").status == 200
    assert outcome(shop.visitor, succeeded(payment, order.total)) == "refund_owed"
    return order


def owed(shop, provider):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return int(re.search(rf'^sluice_refunds_owed{{provider="{provider}"}} (\d+)', page, re.M)[1])


def rounds(shop):
    """The refunder has had its turn: it has sent back by now whatever it can."""
    own = bought(shop)
    own.press(own.pay(), "twice")
    own.refunded(1)
    return own


def note(order):
    [refund] = order.refunds()
    return order.shop.operator.post(f"/admin/refunds/{refund['refund_id']}/sent-back")


def words(order):
    """What the API says of the order's payments, and of the events about them."""
    money = order.money()
    return [payment["state"] for payment in money["payments"]], [event["outcome"] for event in money["events"]]


def listed(shop, query):
    answer = shop.operator.get(f"/admin/orders?limit=100&{query}")
    assert answer.status == 200, answer.body
    ids = [order["id"] for order in answer.body["orders"]]
    table = shop.operator.get(f"/admin/orders.csv?{query}").raw.decode()
    assert [row["order_id"] for row in csv.DictReader(io.StringIO(table))] == ids
    return ids


def test_money_of_another_provider_stays_owed(shop):
    order = late(shop)
    rounds(shop)
    [charge] = order.money()["charges"]
    assert charge["provider"] == "outside"
    assert charge["refund"]["state"] == "owed" and charge["refund"]["attempts"] == 0
    assert words(order) == (["refund_owed"], ["refund_owed"]), "nothing says that the money is back"
    eventually(lambda: owed(shop, "outside") == 1, what="the metric")
    eventually(lambda: owed(shop, "sandbox") == 0, what="the sandbox's own")
    eventually(lambda: "refunds.nobody_sends" in shop.server.log(), what="the warning")
    [told] = [check for check in shop.audit()["checks"] if check["name"] == "I5 owed"]
    assert f"1 not carried out yet by outside: {order.total} CNY" in told["detail"]

    shop.restart()
    assert [refund["state"] for refund in order.refunds()] == ["owed"], "also after a restart"
    order.send_back()
    assert [refund["state"] for refund in order.refunds()] == ["done"]
    assert words(order) == (["refunded"], ["refund_owed", "noted"])
    eventually(lambda: owed(shop, "outside") == 0, what="the metric")


def test_money_that_paid_is_refunded_by_whom_it_paid(shop):
    order = bought(shop)
    payment = order.pay()
    assert outcome(shop.visitor, succeeded(payment, order.total)) == "captured"
    assert shop.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    rounds(shop)
    assert [refund["state"] for refund in order.refunds()] == ["owed"]


def test_only_the_provider_that_took_it_tells_that_it_went_back(shop):
    """The sandbox cannot: its letters are signed with its own secret, so only we could forge them."""
    own = bought(shop)
    payment = own.pay()
    shop.server.env["SLUICE_PAYMENTS_PROVIDER"] = "none"  # the sandbox sends nothing back now
    own.press(payment, "succeed")
    own.becomes("paid")
    shop.restart()
    own.buyer = shop.client(own.buyer.token)
    assert shop.operator.post(f"/admin/orders/{own.id}/refund").status == 200
    [refund] = own.refunds()
    told = event("refund.succeeded", payment, refund_id=refund["refund_id"])
    assert outcome(shop.visitor, told) == "noted"
    assert [each["state"] for each in own.refunds()] == ["owed"]


def test_the_address_of_its_own(shop):
    order = bought(shop)
    paid = succeeded(order.pay(), order.total)
    assert outcome(shop.visitor, paid, provider="outside") == "captured"
    assert outcome(shop.visitor, paid) == "repeated", "by whatever address"
    assert outcome(shop.visitor, {**paid, "id": "another-event"}) == "noted", "the same money"
    assert order.refunds() == []


def test_an_operator_notes_what_was_sent_back_outside(shop):
    order = late(shop)
    answer = note(order)
    assert answer.status == 200 and answer.body["id"] == order.id
    [refund] = order.refunds()
    assert refund["state"] == "done" and refund["by_hand"] and refund["done_at"]
    assert note(order).status == 200, "twice is once"
    trail = shop.operator.get("/admin/audit-trail").body["entries"]
    [deed] = [entry for entry in trail if entry["action"] == "order.sent_back"]
    assert deed["subject"] == order.id and deed["actor"]["kind"] == "user"
    assert deed["after"]["provider"] == "outside" and deed["after"]["amount_cents"] == order.total
    assert order.money()["charges"][0]["refund"]["by_hand"]
    shop.audit()


@pytest.mark.parametrize("id_", ["77", "x", "0"])
def test_noting_what_is_not_owed(shared, id_):
    assert shared.operator.post(f"/admin/refunds/{id_}/sent-back").status == 404


def test_without_a_provider_an_event_for_an_older_payment_is_heard(shop):
    in_time, over = bought(shop), bought(shop)
    events = [succeeded(order.pay(), order.total) for order in (in_time, over)]
    assert over.buyer.post(f"/orders/{over.id}/cancel").status == 200
    shop.server.env["SLUICE_PAYMENTS_PROVIDER"] = "none"
    shop.restart()
    assert [outcome(shop.visitor, told) for told in events] == ["captured", "refund_owed"]
    assert in_time.money()["state"] == "paid"
    assert [refund["state"] for refund in over.refunds()] == ["owed"]
    assert note(over).status == 200
    shop.audit()


def test_orders_are_listed_by_their_money(shop):
    ordinary = rounds(shop)  # paid twice at the sandbox: a surplus that is done
    over = late(shop)
    wrong = bought(shop)
    assert outcome(shop.visitor, succeeded(wrong.pay(), wrong.total + 1)) == "refund_owed"
    bought(shop)
    assert listed(shop, "money=late") == [over.id]
    assert listed(shop, "money=surplus") == [ordinary.id]
    assert listed(shop, "money=mismatch") == [wrong.id]
    assert listed(shop, "money=owed") == [wrong.id, over.id]
    assert listed(shop, f"money=owed&sale_id={over.sale}") == [over.id]
    assert listed(shop, "money=owed&state=pending") == [wrong.id]
    assert listed(shop, "money=late&state=paid") == []
    first = shop.operator.get("/admin/orders?money=owed&limit=1").body
    assert [order["id"] for order in first["orders"]] == [wrong.id]
    second = shop.operator.get(f"/admin/orders?money=owed&limit=1&cursor={first['next_cursor']}").body
    assert [order["id"] for order in second["orders"]] == [over.id] and second["next_cursor"] is None
    over.send_back()
    assert listed(shop, "money=owed") == [wrong.id] and listed(shop, "money=late") == [over.id]
    answer = shop.operator.get("/admin/orders?money=double")
    assert (answer.status, answer.body["errors"][0]["field"]) == (422, "money")
