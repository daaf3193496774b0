"""Fault 6 with money: kills while orders are paid, expire, are cancelled and refunded."""

import http.client
import random
import threading

from client import in_parallel
from ledger import look
from provider import Bought, outcome, succeeded

KILLS = 6
ORDERS = 30
TELLERS = 6
WIDE = 10_000


class Told:
    """Sends an event until it is accepted; its outcome must not change afterwards."""

    def __init__(self, order, event):
        self.order, self.event, self.outcome = order, event, None

    def tell(self, client):
        came_to = outcome(client, self.event)
        if self.outcome is None:
            self.outcome = came_to
        else:
            assert came_to == "repeated"


def tell_into_a_kill(shop, events):
    """Tellers at work, one of whom finds the server dead."""
    until_kill = random.randrange(len(events))
    lock = threading.Lock()
    waiting = iter(random.sample(events, len(events)))

    def work():
        nonlocal until_kill
        client = shop.client()
        while True:
            with lock:
                told = next(waiting, None)
                until_kill -= 1
                if until_kill == 0:
                    shop.server.process.kill()
            if told is None:
                return
            try:
                told.tell(client)
            except (OSError, http.client.HTTPException):
                pass

    in_parallel([work] * TELLERS)
    shop.server.process.kill()


def begin(shop, token, sale):
    order = Bought(shop, shop.client(token), sale)
    return order, order.pay()


def restart(shop, token, everything):
    shop.restart_after_kill()
    buyer = shop.client(token)
    for told in everything:
        told.order.buyer = buyer


def at_rest(shop, orders):
    return all(refund["state"] == "done" for order in orders for refund in order.refunds())


def test_kills_while_money_moves(shop):
    lasting = shop.sale(stock=10**5, limit_per_buyer=1000, unpaid_limit=1000, gate_factor=WIDE)["id"]
    brief = shop.sale(stock=10**5, limit_per_buyer=1000, unpaid_limit=1000, hold_seconds=1, gate_factor=WIDE)["id"]
    [token] = shop.minted(1)
    everything = []
    for _ in range(KILLS):
        burst = []
        for number in range(ORDERS):
            order, payment = begin(shop, token, lasting if number % 2 else brief)
            burst += [Told(order, succeeded(payment, order.total)) for _ in range(1 + (number % 3 == 0))]
            if number % 5 == 0:
                order.buyer.post(f"/orders/{order.id}/cancel")
        tell_into_a_kill(shop, burst)
        everything += burst
        restart(shop, token, everything)
        shop.audit()
        for told in burst:
            told.tell(shop.visitor)
    for told in everything[::7]:
        told.tell(shop.visitor)  # a provider forgets what it has told
    orders = {told.order.id: told.order for told in everything}
    refunded = [order for order in list(orders.values())[::4] if order.state == "paid"]
    for order in refunded:
        assert shop.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    restart(shop, token, everything)
    for order in orders.values():
        order.send_back()
    assert at_rest(shop, orders.values())
    check_money(shop, orders.values(), everything)
    shop.audit()


def check_money(shop, orders, everything):
    sent_back = 0
    sold = 0
    for order in orders:
        money = order.money()
        captures = [charge for charge in money["charges"] if charge["captures"]]
        assert len(captures) == (1 if money["state"] in ("paid", "refunded") else 0), money
        assert money["state"] != "pending", "its event was heard"
        kept = [charge for charge in money["charges"] if not charge["refund"]]
        assert len(kept) == (1 if money["state"] == "paid" else 0), money
        sent_back += len(order.refunds())
        sold += money["state"] == "paid"
        told = [each for each in everything if each.order is order]
        heard = [event for event in money["events"] if event["type"] == "payment.succeeded"]
        assert len(money["charges"]) == len(told) == len(heard)
    stocks = [shop.stock(sale) for sale in {order.sale for order in orders}]
    assert sum(stock["sold"] for stock in stocks) == sold
    assert sum(stock["held"] for stock in stocks) == 0
    assert sent_back > 0
    # The books of the sandbox: it took none of this money, and sent none of it back.
    assert look(shop, "SELECT count(*) FROM sandbox_refunds") == [(0,)]
