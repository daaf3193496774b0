"""Faults 5, 8, 36, 37: connections to the broker are cut at every frame of a publish, a confirm, a delivery and an
acknowledgement; writers are killed before the commit, after it, and before the acknowledgement; or frozen."""

import signal
import time

import pytest

from amqp_proxy import FRAMES, MOMENTS, AmqpProxy
from broker_cluster import BrokerCluster, check_history, open_sale, rush_into, wishers
from client import Client
from mariadb_proxy import Proxy
from process import eventually
from rabbitmq_server import RabbitMqCluster
from shop import metric
from test_cluster_sale import PATIENCE, get_passes

LEDGER_PASSWORD = "of the writer"
# The moments after which one side knows what the other does not. All others are for the long run, besides one in
# the middle of each frame.
DECISIVE = {("publish body", "after"), ("confirm", "before"), ("ack", "before")}


class CutCluster(BrokerCluster):
    """One node of RabbitMQ behind a proxy, and one writer, whose ledger is behind a proxy too."""

    def __init__(self, folder):
        broker = RabbitMqCluster(1)
        self.proxy = AmqpProxy(broker.nodes[0].port)
        self.ledger_proxy = None
        super().__init__(folder, edges=1, writers=1, broker=broker, urls=[self.proxy.url])

    def add_writer(self, env=None):
        with self.mariadb.connect() as connection:
            # All rights, because others' routines are shown to no lesser user.
            connection.run(f"GRANT ALL ON *.* TO writer@'127.0.0.1' IDENTIFIED BY '{LEDGER_PASSWORD}'")
        self.ledger_proxy = Proxy(self.mariadb.port)
        return super().add_writer({
            "SLUICE_LEDGER_URL": f"mariadb://127.0.0.1:{self.ledger_proxy.port}/{self.database}",
            "SLUICE_LEDGER_USER": "writer", "SLUICE_LEDGER_PASSWORD": LEDGER_PASSWORD, **(env or {})})

    def remove(self):
        super().remove()
        self.proxy.close()
        if self.ledger_proxy:
            self.ledger_proxy.close()


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with CutCluster(tmp_path_factory.mktemp("cuts")) as cluster:
        yield cluster


@pytest.fixture
def cluster(parts):
    parts.heal()
    parts.proxy.cut_nothing()
    edge = parts.shops[0]
    # Without a connection the tickets go by the ledger, and no frame comes by.
    eventually(lambda: metric(edge, "sluice_broker_connected") == 1, PATIENCE, "a connection to the broker")
    yield parts
    parts.heal()


def crowd_of(cluster, count):
    sale = open_sale(cluster, stock=count + 100)
    buyers = wishers(cluster, count)
    get_passes(cluster, sale, buyers)
    return sale, buyers, count + 100


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("frame", FRAMES)
def test_a_connection_is_cut_at_any_frame(cluster, long, frame, moment):
    if not long and moment != "in" and (frame, moment) not in DECISIVE:
        pytest.skip("in the long run")
    sale, buyers, units = crowd_of(cluster, 60)
    rush_into(cluster, sale, buyers[:20])
    eventually(lambda: metric(cluster.shops[0], "sluice_broker_connected") == 1, PATIENCE, "a connection to the broker")
    cluster.proxy.cut_next(frame, moment)
    rush_into(cluster, sale, buyers[20:])
    cluster.proxy.wait_for_cut()
    assert {code for buyer in buyers for status, code in buyer.log if status >= 400} <= {"unavailable", "busy"}
    check_history(cluster, sale, buyers, units)


def test_connections_are_cut_again_and_again_under_load(cluster):
    sale, buyers, units = crowd_of(cluster, 500)
    rush_into(cluster, sale, buyers, *[cluster.proxy.cut_all] * 12)
    check_history(cluster, sale, buyers, units)


def kill_at(cluster, moment, blow):
    """The frame that has to pass before the writer is killed."""
    if moment == "before the acknowledgement":
        cluster.proxy.cut_next("ack", "before", blow)
        return cluster.proxy
    cluster.ledger_proxy.cut_next("purchase", "before" if moment == "before the commit" else "after", blow)
    return cluster.ledger_proxy


@pytest.mark.parametrize("moment", ["before the commit", "after the commit", "before the acknowledgement"])
def test_a_writer_is_killed(cluster, moment):
    """Fault 5: delivered again, applied once."""
    sale, buyers, units = crowd_of(cluster, 120)
    [writer] = cluster.writers
    waiting = kill_at(cluster, moment, writer.process.kill)
    rush_into(cluster, sale, buyers)
    waiting.wait_for_cut()
    writer.wait()
    assert not writer.running
    told = sum(len(buyer.told) for buyer in buyers)
    assert told == len(buyers), "the edges take purchases without a writer"
    writer.start()
    check_history(cluster, sale, buyers, units)
    page = writer_metrics(writer)
    assert "\nsluice_broker_redelivered_total 0" not in page, "the messages came again"


def writer_metrics(writer):
    client = Client(writer.port)
    try:
        return client.get("/metrics", api=False).raw.decode()
    finally:
        client.close()


def test_a_frozen_writer_goes_on_when_another_has_done_its_work(cluster, long):
    """Fault 37: two of each, one frozen and then going on; a minute in the long run."""
    second = BrokerCluster.add_writer(cluster)
    try:
        sale, buyers, units = crowd_of(cluster, 300)
        frozen = cluster.writers[0]
        rush_into(cluster, sale, buyers[:200], lambda: frozen.process.send_signal(signal.SIGSTOP))
        began = time.monotonic()
        rush_into(cluster, sale, buyers[200:])
        eventually(lambda: time.monotonic() - began > (60 if long else 12), 90, "the frozen one is given up")
        frozen.process.send_signal(signal.SIGCONT)
        check_history(cluster, sale, buyers, units)
    finally:
        cluster.writers.remove(second)
        second.stop()


def test_a_writer_and_keeper_is_killed_at_any_moment(cluster, long):
    """Fault 37, again and again, with two of them."""
    second = BrokerCluster.add_writer(cluster)
    try:
        sale, buyers, units = crowd_of(cluster, 3_000 if long else 600)
        step = 150
        for at in range(0, len(buyers), step):
            victim = cluster.writers[at // step % 2]
            rush_into(cluster, sale, buyers[at:at + step], victim.process.kill)
            victim.wait()
            victim.start()
        check_history(cluster, sale, buyers, units)
    finally:
        cluster.writers.remove(second)
        second.stop()


def test_the_edge_that_published_is_killed(cluster):
    """Fault 8: buyers who got no answer ask again at the edge when it is back, and have one order."""
    sale, buyers, units = crowd_of(cluster, 300)
    edge = cluster.nodes[0]
    cluster.proxy.cut_next("confirm", "before", edge.process.kill)
    rush_into(cluster, sale, buyers)
    cluster.proxy.wait_for_cut()
    edge.wait()
    cluster.restart_node(0)
    eventually(lambda: cluster.shops[0].visitor.get("/readyz", api=False).status == 200, PATIENCE, "/readyz green")
    check_history(cluster, sale, buyers, units)
