"""The queued way with real processes: two edges, one writer that keeps too, Redis, MariaDB and one node of RabbitMQ."""

import signal
from contextlib import contextmanager

import pytest

from broker_cluster import QUEUE, BrokerCluster, open_sale
from client import Client
from process import eventually
from rabbitmq_server import RabbitMqCluster
from stream import Stream
from test_cluster_sale import PATIENCE
from test_nodes import nodes_of
from test_openapi import check_against

METRICS = ["sluice_broker_connected", "sluice_broker_full", "sluice_broker_queue_messages", "sluice_broker_unconfirmed",
           "sluice_broker_confirmed_total", "sluice_broker_returned_total", "sluice_broker_refused_total",
           "sluice_broker_unanswered_total", "sluice_broker_redelivered_total", "sluice_tickets_under_way",
           "sluice_tickets_oldest_seconds", "sluice_tickets_pace", "sluice_tickets_parked", "sluice_tickets_prepared"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with BrokerCluster(tmp_path_factory.mktemp("queued"), edges=2, writers=1, broker=RabbitMqCluster(1)) as cluster:
        for shop in cluster.shops:
            eventually(lambda: figure(shop, "sluice_broker_connected") == 1, PATIENCE, "a connection to the broker")
        yield cluster


@contextmanager
def frozen_writer(cluster):
    """Nothing is decided until the end of the block."""
    [writer] = cluster.writers
    writer.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        writer.process.send_signal(signal.SIGCONT)


def page_of(client):
    return client.get("/metrics", api=False).raw.decode()


def figure(shop, name):
    [line] = [line for line in page_of(shop.visitor).splitlines() if line.startswith(name + " ")]
    return float(line.split()[1])


def queued(answer):
    assert answer.status == 202, (answer.status, answer.body)
    assert set(answer.body) == {"ticket", "state", "wait_seconds"} and answer.body["state"] == "queued", answer.body
    assert 1 <= answer.body["wait_seconds"] <= 3600
    check_against({"$ref": "#/components/schemas/QueuedPurchase"}, answer.body)
    return answer.body["ticket"]


def taken(answer):
    """The ticket of a purchase, queued, or decided already: a writer may be quicker than the answer."""
    return answer.body["ticket"] if answer.status == 201 else queued(answer)


def ticket_of(client, ticket):
    answer = client.get(f"/tickets/{ticket}")
    assert answer.status == 200, (answer.status, answer.body)
    check_against({"$ref": "#/components/schemas/Ticket"}, answer.body)
    return answer.body


def decided(client, ticket):
    return eventually(lambda: (seen := ticket_of(client, ticket))["state"] != "queued" and seen, PATIENCE, "a decision")


def everywhere(cluster, buyer):
    return [shop.client(buyer.token) for shop in cluster.shops]


def test_a_purchase_is_queued_found_at_once_everywhere_and_then_ordered(cluster):
    sale = open_sale(cluster, stock=10)
    shop, other = cluster.shops
    buyer = shop.buyer()
    pass_ = shop.pass_for(buyer, sale)
    with frozen_writer(cluster):
        ticket = queued(shop.buy(buyer, sale, pass_=pass_))
        for client in everywhere(cluster, buyer):
            seen = ticket_of(client, ticket)
            assert seen["state"] == "queued" and seen["wait_seconds"] >= 1, "from the first moment, on every node"
            assert client.get(f"/sales/{sale}/ticket").body["ticket"] == ticket
        assert queued(shop.buy(buyer, sale, pass_=pass_)) == ticket, "sent again, it is the same ticket"
        assert queued(other.buy(other.client(buyer.token), sale, pass_=pass_)) == ticket
    order = decided(buyer, ticket)
    assert order["state"] == "ordered" and "wait_seconds" not in order
    assert buyer.get(f"/orders/{order['order_id']}").body["state"] == "pending"
    again = shop.buy(buyer, sale, pass_=pass_)
    assert (again.status, again.body["ticket"], again.body["order_id"]) == (201, ticket, order["order_id"])
    eventually(lambda: cluster.units_in_redis(sale) == 9, PATIENCE, "the claim is settled")


def test_whoever_prefers_to_wait_hears_201(cluster):
    sale = open_sale(cluster, stock=10)
    shop = cluster.shops[0]
    buyer = shop.buyer()
    pass_ = shop.pass_for(buyer, sale)
    answer = buyer.post(f"/sales/{sale}/orders/{pass_}", headers={"Prefer": "wait=10"})
    assert (answer.status, answer.body["state"]) == (201, "ordered"), answer.body


def test_a_ticket_that_the_ledger_refuses_says_why(cluster):
    sale = open_sale(cluster, stock=3)
    shop = cluster.shops[0]
    buyer = shop.buyer()
    with frozen_writer(cluster):
        ticket = queued(shop.buy(buyer, sale))
        assert shop.operator.post(f"/admin/sales/{sale}/end").status == 200
    seen = decided(buyer, ticket)
    assert (seen["state"], seen["reason"]) == ("refused", "ended"), seen
    eventually(lambda: cluster.units_in_redis(sale) in (3, None), PATIENCE, "its units are back")
    assert shop.stock(sale)["left"] == 3


def test_a_stream_on_any_edge_hears_what_a_writer_has_decided(cluster):
    """The writer has no streams, and no buyer of its own."""
    sale = open_sale(cluster, stock=10)
    first, second = cluster.shops
    buyer = first.buyer()
    with Stream(second.server.port, buyer.token, timeout=PATIENCE) as stream:
        ticket = taken(first.buy(buyer, sale))
        told = stream.read_until(lambda m: (m["type"], m.get("state")) == ("order", "pending"))
    assert [(m["type"], m["state"]) for m in told if m.get("ticket") == ticket][0] == ("ticket", "ordered")


def test_a_hold_expires_at_the_keeper(cluster):
    sale = open_sale(cluster, stock=1, hold_seconds=1)
    shop = cluster.shops[0]
    buyer = shop.buyer()
    order = decided(buyer, taken(shop.buy(buyer, sale)))["order_id"]
    eventually(lambda: buyer.get(f"/orders/{order}").body["state"] == "expired", PATIENCE, "the end of the hold")
    eventually(lambda: cluster.units_in_redis(sale) == 1, PATIENCE, "the unit is for sale again")


def test_a_node_that_is_no_edge_answers_the_machine_room_only(cluster):
    [writer] = cluster.writers
    client = Client(writer.port)
    try:
        for path in ("/livez", "/readyz", "/metrics", "/openapi.json"):
            assert client.get(path, api=False).status == 200, path
        for path in ("/sales", "/admin/nodes", "/tickets/x", "/nowhere"):
            answer = client.get(path)
            assert (answer.status, answer.code) == (503, "unavailable"), path
            assert int(answer.headers["retry-after"]) >= 1
        assert client.get("/", api=False).status == 503, "it has no pages either"
        assert client.post("/sessions", {"phone": "1", "password": "x"}).status == 503
    finally:
        client.close()


def test_operators_see_the_roles(cluster):
    shop = cluster.shops[0]

    def roles():
        return sorted(",".join(node["roles"]) for node in nodes_of(shop)["nodes"] if node["state"] == "running")

    eventually(lambda: roles() == ["edge", "edge", "writer,keeper"], PATIENCE, "all nodes and their roles")
    eventually(lambda: [node["roles"] for node in nodes_of(shop)["nodes"] if node["on_duty"]] == [["writer", "keeper"]],
               PATIENCE, "a keeper on duty")


def test_the_metrics_are_there(cluster):
    page = page_of(cluster.shops[0].visitor)
    missing = [name for name in METRICS if f"\n{name} " not in page]
    assert not missing
    assert figure(cluster.shops[0], "sluice_broker_full") == 0


def test_without_the_broker_tickets_go_by_the_ledger(cluster):
    sale = open_sale(cluster, stock=10)
    shop = cluster.shops[0]
    buyer, later = shop.buyer(), shop.buyer()
    cluster.broker.stop_all()
    try:
        eventually(lambda: figure(shop, "sluice_broker_connected") == 0, PATIENCE, "the broker is missed")
        ready = shop.visitor.get("/readyz", api=False)
        assert ready.status == 200, "an edge without a broker is ready"
        [part] = [part for part in ready.body["parts"] if part["name"] == "broker"]
        assert part["detail"].startswith("away: ")
        assert decided(buyer, taken(shop.buy(buyer, sale)))["state"] == "ordered"
    finally:
        cluster.heal()
    eventually(lambda: figure(shop, "sluice_broker_connected") == 1, PATIENCE, "the broker is back")
    before = figure(shop, "sluice_broker_confirmed_total")
    assert decided(later, taken(shop.buy(later, sale)))["state"] == "ordered"
    assert figure(shop, "sluice_broker_confirmed_total") > before, "through the broker again"
    eventually(lambda: cluster.broker.count(QUEUE)[0] == 0, PATIENCE, "an empty queue")
    cluster.audit()
