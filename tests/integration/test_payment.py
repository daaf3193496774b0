"""Paying at the built-in provider, which reports the outcome to the server over HTTP."""

import re
import urllib.request

import pytest

from client import in_parallel
from process import eventually
from provider import Bought


@pytest.fixture
def order(shared):
    sale = shared.sale(stock=5, price_cents=9900, limit_per_buyer=3)["id"]
    [buyer] = shared.buyers(1)
    return Bought(shared, buyer, sale, 2)


def test_pay_and_the_units_are_sold(shared, order):
    assert shared.stock(order.sale) == {"total": 5, "left": 3, "held": 2, "sold": 0}
    payment = order.pay()
    assert payment["state"] == "pending"
    assert payment["pay_url"].startswith(shared.server.url + "/sandbox/pay/")
    assert order.state == "pending"
    assert order.press(payment, "succeed").body == {"amount_cents": 19800, "currency": "CNY", "paid": True}
    paid = order.becomes("paid")
    assert paid["paid_at"] >= paid["created_at"]
    assert shared.stock(order.sale) == {"total": 5, "left": 3, "held": 0, "sold": 2}
    money = order.money()
    assert [p["state"] for p in money["payments"]] == ["captured"]
    assert [(c["captures"], c["amount_cents"], c["refund"]) for c in money["charges"]] == [(True, 19800, None)]
    assert [e["outcome"] for e in money["events"]] == ["captured"]
    answer = order.buyer.post(f"/orders/{order.id}/payments")
    assert (answer.status, answer.code) == (409, "conflict")
    answer = order.buyer.post(f"/orders/{order.id}/cancel")
    assert (answer.status, answer.code) == (409, "conflict")
    shared.audit("--sale", order.sale)


def test_the_pay_page(order):
    url = order.pay()["pay_url"]
    page = urllib.request.urlopen(url)
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "unsafe" not in policy
    text = page.read().decode()
    assert not re.search(r"<script>|<style|style=|\son\w+=", text), "nothing inline"
    for file in re.findall(r'(?:src|href)="(/sandbox/[^"]+)"', text):
        assert order.shop.visitor.get(file, api=False).status == 200
    chinese = urllib.request.Request(url, headers={"Accept-Language": "zh-CN"})
    assert "付款" in urllib.request.urlopen(chinese).read().decode()
    assert order.shop.visitor.get("/sandbox/pay/unknown", api=False).status == 404


def test_a_payment_under_way_is_shown_again(order):
    first = order.pay()
    assert order.pay() == first
    answers = in_parallel([lambda: order.shop.client(order.buyer.token).post(f"/orders/{order.id}/payments")] * 8)
    assert [answer.body for answer in answers] == [first] * 8
    assert len(order.money()["payments"]) == 1


def test_two_tabs_begin_one_payment(order):
    answers = in_parallel([lambda: order.shop.client(order.buyer.token).post(f"/orders/{order.id}/payments")] * 12)
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body["payment_id"] for answer in answers}) == 1
    assert len({answer.body["pay_url"] for answer in answers}) == 1


def test_after_a_failure_another_payment(order):
    first = order.pay()
    order.press(first, "fail")
    eventually(lambda: order.money()["payments"][0]["state"] == "failed", 3, "failed")
    assert order.state == "pending"
    second = order.pay()
    assert second["payment_id"] != first["payment_id"]
    order.press(second, "succeed")
    order.becomes("paid")
    assert [p["state"] for p in order.money()["payments"]] == ["failed", "captured"]


def test_both_payments_of_an_order_are_paid(order):
    """The first failed and is paid all the same, on its own page."""
    first = order.pay()
    order.press(first, "fail")
    eventually(lambda: order.money()["payments"][0]["state"] == "failed", 3, "failed")
    second = order.pay()
    order.press(second, "succeed")
    order.becomes("paid")
    order.press(first, "succeed")
    [refund] = order.refunded(1)
    assert refund["reason"] == "surplus"
    assert [p["state"] for p in order.money()["payments"]] == ["refunded", "captured"]
    assert order.state == "paid"
    order.shop.audit("--sale", order.sale)


def test_pay_twice_and_one_goes_back(shared, order):
    order.press(order.pay(), "twice")
    order.becomes("paid")
    [refund] = order.refunded(1)
    assert refund["reason"] == "surplus"
    assert sorted(charge["captures"] for charge in order.money()["charges"]) == [False, True]
    assert order.state == "paid"
    assert shared.stock(order.sale) == {"total": 5, "left": 3, "held": 0, "sold": 2}
    shared.audit("--sale", order.sale)


def test_two_tabs_press_at_once(order):
    payment = order.pay()
    answers = in_parallel([lambda: order.press(payment, "succeed")] * 2)
    assert sorted(answer.status for answer in answers) == [200, 409]
    order.becomes("paid")
    assert len(order.money()["charges"]) == 1


def test_money_that_comes_after_the_hold(shared):
    sale = shared.sale(stock=1, hold_seconds=1)["id"]
    [buyer] = shared.buyers(1)
    order = Bought(shared, buyer, sale)
    payment = order.pay()
    order.becomes("expired")
    answer = buyer.post(f"/orders/{order.id}/payments")
    assert (answer.status, answer.code) == (409, "conflict")
    order.press(payment, "succeed")
    [refund] = order.refunded(1)
    assert refund["reason"] == "late"
    assert order.state == "expired"
    assert [p["state"] for p in order.money()["payments"]] == ["refunded"]
    assert shared.stock(sale) == {"total": 1, "left": 1, "held": 0, "sold": 0}
    assert "paid_at" not in order.show()
    shared.audit("--sale", sale)


def test_the_provider_tells_late(shared):
    sale = shared.sale(hold_seconds=1)["id"]
    [buyer] = shared.buyers(1)
    order = Bought(shared, buyer, sale)
    order.press(order.pay(), "delay", delay_seconds=2)
    order.becomes("expired")
    assert order.refunded(1)[0]["reason"] == "late"


def test_cancel_while_a_payment_is_under_way(shared, order):
    payment = order.pay()
    assert order.buyer.post(f"/orders/{order.id}/cancel").body["state"] == "cancelled"
    order.press(payment, "succeed")
    assert order.refunded(1)[0]["reason"] == "late"
    assert order.state == "cancelled"
    assert shared.stock(order.sale) == {"total": 5, "left": 5, "held": 0, "sold": 0}
    shared.audit("--sale", order.sale)


@pytest.mark.parametrize("verb", ["pause", "end"])
def test_a_hold_stays_payable_in_a_sale_that_stopped(shared, order, verb):
    shared.operator.post(f"/admin/sales/{order.sale}/{verb}")
    order.press(order.pay(), "succeed")
    order.becomes("paid")


def test_an_idempotency_key(order):
    headers = {"Idempotency-Key": "k1"}
    first = order.pay(headers=headers)
    order.press(first, "fail")
    eventually(lambda: order.money()["payments"][0]["state"] == "failed", 3, "failed")
    again = order.buyer.post(f"/orders/{order.id}/payments", headers=headers)
    assert (again.status, again.body) == (201, first), "the first answer, whatever has become of it"
    assert again.headers["Idempotency-Replayed"] == "true"
    other = order.pay(headers={"Idempotency-Key": "k2"})
    assert other["payment_id"] != first["payment_id"]
    answer = order.buyer.post(f"/orders/{order.id}/payments", {}, headers=headers)
    assert (answer.status, answer.code) == (422, "idempotency_mismatch")
    order.press(other, "succeed")
    order.becomes("paid")
    assert order.pay(headers=headers) == first, "a replay comes before a refusal"


def test_somebody_elses_order(shared, order):
    [stranger] = shared.buyers(1)
    for client in (stranger, shared.operator):
        assert client.post(f"/orders/{order.id}/payments").status == 404
    assert stranger.get(f"/admin/orders/{order.id}").status == 403
    assert stranger.post(f"/admin/orders/{order.id}/refund").status == 403


def test_too_many_attempts_to_pay(order):
    for _ in range(20):
        payment = order.pay()
        order.press(payment, "fail")
        eventually(lambda: order.money()["payments"][-1]["state"] == "failed", 3, "failed")
    answer = order.buyer.post(f"/orders/{order.id}/payments")
    assert (answer.status, answer.code) == (409, "conflict")


@pytest.mark.parametrize("body", [{}, {"button": "x"}, {"button": 1}, {"button": "succeed", "more": 1},
                                  {"button": "delay", "delay_seconds": -1},
                                  {"button": "delay", "delay_seconds": 3601}])
def test_a_wrong_button(order, body):
    bill = order.pay()["pay_url"].rsplit("/", 1)[1]
    answer = order.shop.visitor.post(f"/sandbox/bills/{bill}", body, api=False)
    assert (answer.status, answer.code) == (422, "invalid")
    assert not order.shop.visitor.get(f"/sandbox/bills/{bill}", api=False).body["paid"]


def test_something_for_nothing(shared):
    sale = shared.sale(price_cents=0)["id"]
    [buyer] = shared.buyers(1)
    order = Bought(shared, buyer, sale)
    order.press(order.pay(), "succeed")
    assert order.becomes("paid")["total_cents"] == 0
    shared.audit("--sale", sale)


def owed_refunds(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return sum(map(int, re.findall(r"^sluice_refunds_owed{.*} (\d+)", page, re.M)))


def test_what_is_owed_waits_for_a_provider_and_is_seen_meanwhile(start_shop):
    shop = start_shop()
    order = Bought(shop, shop.buyers(1)[0], shop.sale()["id"])
    order.press(order.pay(), "succeed")
    order.becomes("paid")
    shop.stop()

    shop.server.env["SLUICE_PAYMENTS_PROVIDER"] = "none"
    shop._start_again()
    order.buyer = shop.client(order.buyer.token)
    assert shop.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    assert order.state == "refunded"
    eventually(lambda: owed_refunds(shop) == 1, what="the metric")
    assert [refund["state"] for refund in order.refunds()] == ["owed"]
    eventually(lambda: "refunds.nobody_sends" in shop.server.log(), what="the warning")
    [told] = [check for check in shop.audit()["checks"] if check["name"] == "I5 owed"]
    assert "1 not carried out yet by sandbox: 9900 CNY" in told["detail"]
    shop.stop()
    assert shop.server.log().count("refunds.nobody_sends") == 1

    shop.server.env["SLUICE_PAYMENTS_PROVIDER"] = "sandbox"
    shop._start_again()
    order.refunded(1)
    eventually(lambda: owed_refunds(shop) == 0, what="the metric")
    [told] = [check for check in shop.audit()["checks"] if check["name"] == "I5 owed"]
    assert told["detail"] == "every refund has been carried out"


def test_without_a_provider_nothing_is_paid(start_shop):
    shop = start_shop(env={"SLUICE_PAYMENTS_PROVIDER": "none"})
    sale = shop.sale()["id"]
    [buyer] = shop.buyers(1)
    order = Bought(shop, buyer, sale)
    answer = buyer.post(f"/orders/{order.id}/payments")
    assert (answer.status, answer.code) == (409, "conflict")
    for path in ("/sandbox/pay/x", "/sandbox/bills/x", "/sandbox/pay.js"):
        assert shop.visitor.get(path, api=False).status == 404


# An operator's refund.

def refund(order):
    return order.shop.operator.post(f"/admin/orders/{order.id}/refund")


def deeds(order):
    entries = order.shop.operator.get("/admin/audit-trail?limit=100").body["entries"]
    return [e for e in entries if e["subject"] == order.id]


def test_a_refund_returns_the_units_the_allowance_and_the_money_once(shared, order):
    order.press(order.pay(), "succeed")
    paid = order.becomes("paid")
    assert shared.buy(order.buyer, order.sale, 2).code == "limit_reached"
    for _ in range(3):
        answer = refund(order)
        assert (answer.status, answer.body["state"]) == (200, "refunded")
        assert answer.body["paid_at"] == paid["paid_at"]
        assert shared.stock(order.sale) == {"total": 5, "left": 5, "held": 0, "sold": 0}
    [done] = order.refunded(1)
    assert done["reason"] == "operator"
    [deed] = deeds(order)
    assert (deed["action"], deed["before"], deed["after"]) == ("order.refund", {"state": "paid"},
                                                              {"state": "refunded"})
    shared.bought(order.buyer, order.sale, 3)
    shared.audit("--sale", order.sale)


def test_many_refunds_at_once_are_one(shared, order):
    order.press(order.pay(), "succeed")
    order.becomes("paid")
    path = f"/admin/orders/{order.id}/refund"
    answers = in_parallel([lambda: shared.client(shared.operator.token).post(path)] * 8)
    assert {answer.status for answer in answers} == {200}
    assert shared.stock(order.sale)["left"] == 5
    assert len(order.refunded(1)) == len(deeds(order)) == 1


def test_only_what_is_paid_is_refunded(shared, order):
    assert (refund(order).status, refund(order).code) == (409, "conflict")
    order.buyer.post(f"/orders/{order.id}/cancel")
    assert (refund(order).status, refund(order).code) == (409, "conflict")
    assert deeds(order) == []
    assert shared.operator.post("/admin/orders/1/refund").status == 404


def test_a_refund_after_sold_out_clears_the_flag(shared):
    sale = shared.sale(stock=1)["id"]
    one, two = shared.buyers(2)
    order = Bought(shared, one, sale)
    order.press(order.pay(), "succeed")
    order.becomes("paid")
    assert shared.visitor.get(f"/sales/{sale}").body["state"] == "sold_out"
    assert two.post(f"/sales/{sale}/passes").code == "sold_out"
    refund(order)
    shared.bought(two, sale)


def test_what_the_provider_has_to_tell_outlives_a_crash(start_shop):
    shop = start_shop()
    sale = shop.sale(stock=50, limit_per_buyer=50)["id"]
    [token] = shop.minted(1)
    orders = [Bought(shop, shop.client(token), sale) for _ in range(20)]
    payments = [order.pay() for order in orders]
    for order, payment in zip(orders, payments):
        assert order.press(payment, "succeed").status == 200
    shop.restart_after_kill()
    for order in orders:
        order.buyer = shop.client(token)
        order.becomes("paid", 10)
    assert shop.stock(sale)["sold"] == 20
    shop.audit()
