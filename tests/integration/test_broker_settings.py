"""Settings of the broker that only a real one proves: TLS and the length of the queue."""

import pytest

from broker_cluster import QUEUE, BrokerCluster, check_history, open_sale, rush_into, wishers
from certificates import Authority
from own_process import find_free_port
from process import eventually
from rabbitmq_server import RabbitMqCluster
from test_broker_purchase import figure, frozen_writer, taken
from test_cluster_sale import PATIENCE, get_passes

LONGEST = 16  # messages


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, authority):
    """One edge and one writer, which reach the broker only by TLS."""
    port, files = find_free_port(), authority.sign("DNS:localhost")
    broker = RabbitMqCluster(1, lines=[
        f"listeners.ssl.1 = 127.0.0.1:{port}", f"ssl_options.cacertfile = {authority.certificate}",
        f"ssl_options.certfile = {files['certificate']}", f"ssl_options.keyfile = {files['key']}"])
    env = {"SLUICE_BROKER_TLS_CA": str(authority.certificate), "SLUICE_BROKER_LONGEST_QUEUE": str(LONGEST),
           "SLUICE_BROKER_PREFETCH": "1"}
    with BrokerCluster(tmp_path_factory.mktemp("tls"), edges=1, writers=1, broker=broker,
                       urls=[f"amqps://localhost:{port}"], env=env) as cluster:
        cluster.tls_port = port
        eventually(lambda: figure(cluster.shops[0], "sluice_broker_connected") == 1, PATIENCE, "a connection")
        yield cluster


def test_purchases_go_by_tls_and_nothing_goes_without(cluster):
    sale, buyers = open_sale(cluster, stock=50), wishers(cluster, 20)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers)
    check_history(cluster, sale, buyers, 50)
    by_tls = cluster.broker.nodes[0].ctl("list_connections", "ssl", "protocol").split("\n")
    assert {line.split("\t")[0] for line in by_tls if "0,9,1" in line} == {"true"}, by_tls


@pytest.mark.parametrize("wrong", ["another authority", "another name"])
def test_a_broker_that_cannot_be_trusted_gets_no_ticket(cluster, tmp_path, authority, wrong):
    """The edge goes on by the journal, and says why."""
    url = f"amqps://127.0.0.1:{cluster.tls_port}" if wrong == "another name" else \
        f"amqps://localhost:{cluster.tls_port}"
    trusted = authority if wrong == "another name" else Authority(tmp_path)
    node = cluster.add_node({"SLUICE_BROKER_URLS": url, "SLUICE_BROKER_TLS_CA": str(trusted.certificate)})
    try:
        shop = cluster.shops[-1]
        eventually(lambda: "broker.away" in node.log(), PATIENCE, "the reason in the log")
        assert figure(shop, "sluice_broker_connected") == 0
        sale = open_sale(cluster, stock=5)
        buyer = shop.buyer()
        ticket = taken(shop.buy(buyer, sale))
        eventually(lambda: buyer.get(f"/tickets/{ticket}").body["state"] == "ordered", PATIENCE, "an order")
    finally:
        node.stop()
        cluster.nodes.remove(node)
        cluster.shops.pop()


def test_a_queue_that_is_full_turns_nobody_away_in_vain(cluster):
    """Its length is bounded, and the broker refuses what is more. Such tickets go by the journal."""
    [shop] = cluster.shops
    sale, buyers = open_sale(cluster, stock=100), wishers(cluster, 60)
    get_passes(cluster, sale, buyers)
    with frozen_writer(cluster):
        for buyer in buyers:  # one after the other, or else one message would carry many
            rush_into(cluster, sale, [buyer])
        assert all(len(buyer.told) == 1 for buyer in buyers), [buyer.log for buyer in buyers]
        eventually(lambda: figure(shop, "sluice_broker_full") == 1, PATIENCE, "the full queue is noticed")
        assert cluster.broker.count(QUEUE)[0] <= LONGEST + 2, "and what was on its way"
    check_history(cluster, sale, buyers, 100)
    eventually(lambda: figure(shop, "sluice_broker_full") == 0, PATIENCE, "room again")
