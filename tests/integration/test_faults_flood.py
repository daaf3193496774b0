"""Fault 27: a flood of strangers, and of questions about what does not exist."""

import random
import secrets

import pytest

from test_limits import metric
from wire import Wire, get, post

FLOOD, AT_ONCE = 20_000, 500


def statuses(shop, requests):
    """Of all of them, sent over one connection without waiting for each."""
    seen = set()
    for start in range(0, len(requests), AT_ONCE):
        part = requests[start:start + AT_ONCE]
        with Wire(shop.server.port) as wire:
            wire.send(b"".join(part))
            seen |= {wire.read().status for _ in part}
    return seen


# The server reads a little by itself all the time, such as to compare its hot copies.
A_FEW = 40


def reads(shop):
    return metric(shop, "sluice_ledger_reads_total")


def bearer(token):
    return f"Authorization: Bearer {token}"


def some_id():
    return str(random.randrange(1, 2**63))


def some_token(like):
    return secrets.token_urlsafe(len(like))[:len(like)]


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_made_up_tokens_cost_no_memory_and_no_look_up(start_shop, enabled):
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": enabled,
                           "SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"})
    flood = [get("/api/v1/orders", bearer(some_token(shop.operator.token)),
                 f"X-Forwarded-For: 10.{random.randrange(256)}.{random.randrange(256)}.{i % 256}")
             for i in range(FLOOD)]
    assert statuses(shop, flood[:AT_ONCE]) == {401}
    before, asked = shop.server.resident_bytes(), reads(shop)
    assert statuses(shop, flood) == {401}
    assert shop.server.resident_bytes() - before < 16 << 20
    assert reads(shop) - asked < FLOOD / 100


def test_what_is_not_there_is_looked_up_once(shop):
    sale, other = shop.sale(limit_per_buyer=5)["id"], shop.sale()["id"]
    buyer, stranger = shop.buyer(), shop.buyer()
    bought = shop.bought(buyer, sale)

    def is_cheap(client, path):
        """Asked many times, it is looked up once or never."""
        before = reads(shop)
        for _ in range(10 * A_FEW):
            assert client.get(path).status == 404
        return reads(shop) - before < A_FEW

    made_up = bought["ticket"][:12] + some_token(bought["ticket"][12:])
    for client, path in ((buyer, f"/tickets/{made_up}"), (stranger, f"/tickets/{bought['ticket']}"),
                         (stranger, f"/sales/{sale}/ticket"), (buyer, f"/sales/{other}/ticket"),
                         (buyer, f"/orders/{some_id()}"), (stranger, f"/orders/{bought['order_id']}"),
                         (buyer, f"/tickets/{secrets.token_urlsafe(24)}"),
                         (buyer, f"/sales/{some_id()}/ticket"), (buyer, f"/sales/{some_id()}"),
                         (buyer, f"/items/{some_id()}")):
        assert is_cheap(client, path), path

    assert buyer.get(f"/tickets/{bought['ticket']}").body["state"] == "ordered"
    assert buyer.get(f"/orders/{bought['order_id']}").body["state"] == "pending"
    assert shop.bought(buyer, sale)["order_id"] != bought["order_id"]


def test_an_order_that_is_not_there_reaches_the_writer_once(shop):
    buyer = shop.buyer()
    commits = metric(shop, "sluice_ledger_commits_total")
    path = f"/orders/{some_id()}/cancel"
    assert {buyer.post(path).status for _ in range(20)} == {404}
    assert metric(shop, "sluice_ledger_commits_total") <= commits + 1


def test_a_flood_of_unknown_ids_takes_no_memory(shop):
    sale = shop.sale()["id"]
    buyer = shop.buyer()
    ticket = shop.bought(buyer, sale)["ticket"]
    flood = [get(f"/api/v1/orders/{some_id()}", bearer(buyer.token)) if i % 2 else
             get(f"/api/v1/tickets/{ticket[:12]}{some_token(ticket[12:])}", bearer(buyer.token))
             for i in range(FLOOD)]
    assert statuses(shop, flood[:AT_ONCE]) == {404}
    before = shop.server.resident_bytes()
    assert statuses(shop, flood) == {404}
    assert shop.server.resident_bytes() - before < 16 << 20
    asked = reads(shop)
    assert statuses(shop, flood) == {404}
    assert reads(shop) - asked < FLOOD / 100, "asked again for the same absence"


def test_a_flood_at_a_sale_that_is_not_there(shop):
    buyer = shop.buyer()
    asked = reads(shop)
    flood = [post(f"/api/v1/sales/{some_id()}/orders/{secrets.token_urlsafe(48)}",
                  bearer(buyer.token), "Content-Length: 0") for _ in range(2_000)]
    assert statuses(shop, flood) == {404}
    assert reads(shop) - asked < A_FEW
