"""A stream on one node hears what happens on another: purchases, payments, cancels, expiries, stock."""

import pytest

import provider
from cluster import Cluster
from process import eventually
from stream import Stream
from test_cluster_sale import PATIENCE, open_everywhere
from test_openapi import check_against


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


@pytest.fixture
def open_stream():
    streams = []

    def open_one(shop, client):
        streams.append(Stream(shop.server.port, client.token, timeout=PATIENCE))
        return streams[-1]

    yield open_one
    for stream in streams:
        stream.close()


def on_both(cluster):
    """(shop, client) of the same buyer on each node."""
    first, second = cluster.shops
    buyer = first.buyer()
    return (first, buyer), (second, second.client(buyer.token))


def read_orders(stream, state):
    """The messages up to that in which an order has this state."""
    messages = stream.read_until(lambda m: (m["type"], m.get("state")) == ("order", state))
    for message in messages:
        check_against({"$ref": "#/components/schemas/StreamMessage"}, message)
    return messages


def without_type(message):
    return {name: value for name, value in message.items() if name != "type"}


def told_by(shop, way):
    """How often this node's streams were told of what other nodes did."""
    lines = shop.visitor.get("/metrics", api=False).raw.decode().splitlines()
    name = f'sluice_stream_news_of_others_total{{by="{way}"}} '
    [line] = [line for line in lines if line.startswith(name)]
    return float(line.removeprefix(name))


def test_a_purchase_and_a_cancel_on_the_other_node_are_told(cluster, open_stream):
    sale = open_everywhere(cluster, stock=10)
    (first, here), (second, there) = on_both(cluster)
    stream = open_stream(first, here)
    bought = second.bought(there, sale)
    ticket, order = read_orders(stream, "pending")
    assert (ticket["type"], ticket["state"]) == ("ticket", "ordered")
    assert without_type(ticket) == here.get(f"/tickets/{bought['ticket']}").body
    assert without_type(order) == here.get(f"/orders/{bought['order_id']}").body
    assert there.post(f"/orders/{bought['order_id']}/cancel").status == 200
    [order] = read_orders(stream, "cancelled")
    assert order["id"] == bought["order_id"]


def test_a_payment_on_the_other_node_is_told(cluster, open_stream):
    sale = open_everywhere(cluster, stock=10)
    (first, here), (second, there) = on_both(cluster)
    stream = open_stream(first, here)
    order = provider.Bought(second, there, sale)
    read_orders(stream, "pending")  # of two changes at once only the last is told
    payment = order.pay()
    provider.outcome(second.visitor, provider.succeeded(payment, order.total))
    messages = read_orders(stream, "paid")
    assert without_type(messages[-1]) == here.get(f"/orders/{order.id}").body


def test_an_expiry_is_told_on_every_node(cluster, open_stream):
    """One of them expires the order."""
    sale = open_everywhere(cluster, stock=10, hold_seconds=1)
    both = on_both(cluster)
    streams = [open_stream(shop, client) for shop, client in both]
    second, there = both[1]
    bought = second.bought(there, sale)
    for stream in streams:
        messages = read_orders(stream, "expired")
        assert {message["id"] for message in messages if message["type"] == "order"} == {bought["order_id"]}


def test_stock_of_a_watched_sale_comes_from_the_other_node(cluster, open_stream):
    sale = open_everywhere(cluster, stock=10)
    (first, here), _ = on_both(cluster)
    stream = open_stream(first, here).watch(sale)
    second = cluster.shops[1]
    for left in (9, 8):
        second.bought(second.buyer(), sale)
        stream.read_until(lambda m, left=left: m["type"] == "sale" and m["stock"]["left"] == left)


def test_what_redis_lost_is_found_in_the_ledger(cluster, open_stream):
    sale = open_everywhere(cluster, stock=10)
    (first, here), (second, there) = on_both(cluster)
    stream = open_stream(first, here)
    bought = second.bought(there, sale)
    read_orders(stream, "pending")
    cluster.redis.kill()
    try:
        before = told_by(first, "look")
        assert there.post(f"/orders/{bought['order_id']}/cancel").status == 200
        read_orders(stream, "cancelled")
        eventually(lambda: told_by(first, "look") > before, PATIENCE, "a look")
    finally:
        cluster.redis.start()
    eventually(lambda: there.post(f"/sales/{sale}/passes").status == 201, PATIENCE, "a pass")
    eventually(lambda: second.buy(there, sale).status == 201, PATIENCE, "a yes")
    read_orders(stream, "pending")


def test_nobody_is_told_of_what_others_do(cluster, open_stream):
    sale = open_everywhere(cluster, stock=10)
    (first, here), (second, there) = on_both(cluster)
    stranger = open_stream(first, first.buyer())
    stream = open_stream(first, here)
    second.bought(there, sale)
    read_orders(stream, "pending")
    assert stranger.is_silent()
