"""Fault 9, I8: a message that nobody can read, and a ticket that nobody can write. Each is kept and shown, alone, and
blocks nobody."""

import json
import re

import pytest

from broker_cluster import (QUEUE, BrokerCluster, check_history, look_up, open_sale, rush_into, wait_for_decisions,
                            wishers)
from process import eventually, run
from rabbitmq_server import RabbitMqCluster
from test_cluster_sale import PATIENCE, get_passes


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with BrokerCluster(tmp_path_factory.mktemp("poison"), edges=1, writers=1, broker=RabbitMqCluster(1)) as cluster:
        yield cluster


def queue_of(cluster):
    answer = cluster.shops[0].operator.get("/admin/queue")
    assert answer.status == 200, answer.body
    return answer.body


@pytest.mark.parametrize("body", [b"", b"{}", b"\x01", b"\xff" * 100_000])
def test_a_message_that_nobody_can_read_is_kept_aside(cluster, body):
    sale = open_sale(cluster, stock=200)
    buyers = wishers(cluster, 60)
    get_passes(cluster, sale, buyers)
    before = cluster.broker.count(QUEUE + ".unreadable")[0]
    with cluster.broker.client() as client:
        assert client.publish(QUEUE, body, "text/plain")
    rush_into(cluster, sale, buyers)
    check_history(cluster, sale, buyers, 200)
    eventually(lambda: cluster.broker.count(QUEUE + ".unreadable")[0] == before + 1, PATIENCE, "it is kept")
    eventually(lambda: queue_of(cluster)["unreadable"] == before + 1, PATIENCE, "it is shown")
    assert "broker.unreadable" in cluster.writers[0].log()


def test_a_ticket_that_cannot_be_written_is_parked_alone(cluster):
    sale = open_sale(cluster, stock=200)
    buyers = wishers(cluster, 60)
    get_passes(cluster, sale, buyers)
    bad, others = buyers[-1], buyers[:-1]
    name = cluster.shops[0].client(bad.token).get("/sessions/current").body["user"]["id"]
    with cluster.mariadb.connect(cluster.database) as connection:
        connection.run(f"CREATE TRIGGER planted BEFORE INSERT ON journal FOR EACH ROW BEGIN IF NEW.buyer_id = {name} THEN "
                       "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'planted'; END IF; END")
    rush_into(cluster, sale, buyers)
    assert bad.told, "it was queued before anybody could know"
    wait_for_decisions(cluster, others)
    [parked] = eventually(lambda: parked_tickets(cluster), PATIENCE, "it is parked")
    assert parked["ticket"] == bad.told[0] and parked["sale_id"] == sale and parked["reason"], parked
    assert cluster.queued() == 0, "its message is done with"
    look_up(cluster, [bad])
    assert bad.waits, "it is neither ordered nor refused"
    report = run("audit", "--json", "--data", cluster.nodes[0].data, env=cluster.env)
    assert "parked" in report.stdout and json.loads(report.stdout)["holds"], report.stdout
    eventually(lambda: re.search(r"^sluice_tickets_parked 1$", metrics(cluster), re.M), PATIENCE, "it is counted")

    retry = f"/admin/parked-tickets/{parked['ticket']}/retry"
    refused = cluster.shops[0].operator.post(retry)
    assert (refused.status, refused.code) == (409, "conflict"), refused.body
    with cluster.mariadb.connect(cluster.database) as connection:
        connection.run("DROP TRIGGER planted")
    answer = cluster.shops[0].operator.post(retry)
    assert (answer.status, answer.body["state"]) == (200, "ordered"), answer.body
    assert not parked_tickets(cluster)
    check_history(cluster, sale, buyers, 200)


def parked_tickets(cluster):
    return cluster.shops[0].operator.get("/admin/parked-tickets").body["parked_tickets"]


def metrics(cluster):
    return cluster.shops[0].visitor.get("/metrics", api=False).raw.decode()
