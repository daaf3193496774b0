"""Fault 6 with webhooks: kills at any moment while orders are made, paid, cancelled and expire."""

import http.client
import random
import threading
import time

from client import in_parallel
from ledger import look
from process import eventually
from provider import Bought, outcome, succeeded
from test_webhooks import INSIDE, receivers, register  # noqa: F401

KILLS = 5
BUYERS = 4
PAST = {
    "pending": ["order.created"],
    "paid": ["order.created", "order.paid"],
    "expired": ["order.created", "order.expired"],
    "cancelled": ["order.created", "order.cancelled"],
    "refunded": ["order.created", "order.paid", "order.refunded"],
}


def live(shop, buyer, sales, dying):
    """Buys, and pays, cancels, refunds or forgets what was bought, until the server is dead."""
    try:
        while not dying.is_set():
            order = Bought(shop, buyer, random.choice(sales))
            what = random.randrange(4)
            if what == 0:
                buyer.post(f"/orders/{order.id}/cancel")
            elif what < 3:
                outcome(buyer, succeeded(order.pay(), order.total))
                if what == 2:
                    shop.client(shop.operator.token).post(f"/admin/orders/{order.id}/refund")
    except (OSError, http.client.HTTPException):
        pass


def live_until_killed(shop, tokens, sales):
    dying = threading.Event()

    def kill():
        dying.wait(random.uniform(0.2, 1.0))
        dying.set()
        shop.server.process.kill()

    in_parallel([kill, *(lambda token=token: live(shop, shop.client(token), sales, dying) for token in tokens)])


def stored_orders(shop):
    return {str(order): state for order, state in look(shop, "SELECT id, state FROM orders")}


def told(receiver):
    """For each order, the types of its events in the order in which they were first taken."""
    by_order = {}
    for each in receiver.taken():
        if each.type.startswith("order."):
            by_order.setdefault(each.event["data"]["id"], []).append(each.type)
    return by_order


def at_rest(shop):
    [[waiting]] = look(
        shop, "SELECT (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending')"
        " + (SELECT count(*) FROM orders WHERE state = 'pending' AND expires_at < ?1)", int(time.time()) * 1000)
    return waiting == 0


def test_kills_while_a_shop_is_told(start_shop, receivers):  # noqa: F811
    shop = start_shop(env=INSIDE)
    good, moody = receivers(), receivers()
    hooks = [register(shop, each.url()) for each in (good, moody)]
    moody.answer(200, every=2)
    lasting = shop.sale(stock=10**5, limit_per_buyer=1000, unpaid_limit=1000, gate_factor=10**4)["id"]
    brief = shop.sale(stock=10**5, limit_per_buyer=1000, unpaid_limit=1000, hold_seconds=1, gate_factor=10**4)["id"]
    single = shop.sale(stock=1, hold_seconds=1)["id"]
    tokens = shop.minted(BUYERS)
    for _ in range(KILLS):
        live_until_killed(shop, tokens, [lasting, brief])
        shop.restart_after_kill()
        shop.audit()
    Bought(shop, shop.client(tokens[0]), single).becomes("expired", 5)
    moody.answer(200)
    eventually(lambda: at_rest(shop), 30, "an empty outbox")
    orders = stored_orders(shop)
    assert len(orders) > KILLS * 3
    for receiver, hook in zip((good, moody), hooks):
        heard = told(receiver)
        assert heard == {order: PAST[state] for order, state in orders.items()}
        assert all(each.is_signed_with(hook["secret"]) for each in receiver.heard())
        of_sales = [each.type for each in receiver.taken() if each.type.startswith("sale.")]
        assert of_sales == ["sale.sold_out", "sale.reopened"]
        bodies = {}
        for each in receiver.heard():
            assert bodies.setdefault(each.event["id"], each.raw) == each.raw, "an event says the same each time"
    shop.audit()
