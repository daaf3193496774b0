"""Operators see the servers that work together: one alone, and those of a cluster."""

import json

import pytest

import instants
from cluster import Cluster
from process import eventually

PATIENCE = 60  # for what takes a few seconds on a machine that is not busy


def nodes_of(shop):
    answer = shop.operator.get("/admin/nodes")
    assert answer.status == 200, answer.body
    return answer.body


def test_one_server_lists_itself(shop):
    listed = eventually(lambda: (seen := nodes_of(shop))["nodes"] and seen, PATIENCE, "the first sign")
    [node] = listed["nodes"]
    assert listed["complete"] is True
    assert node["url"] == shop.server.url and node["version"] and node["roles"] == ["edge", "writer", "keeper"]
    assert (node["state"], node["this_node"], node["on_duty"]) == ("running", True, True)
    assert node["clock_difference_ms"] is None, "there is no other clock"
    assert instants.parse(node["started_at"]) <= instants.parse(node["last_seen_at"])
    shop.sale()
    eventually(lambda: nodes_of(shop)["nodes"][0]["hot_copies"]["copies"] >= 1, PATIENCE, "its hot copy")
    eventually(lambda: nodes_of(shop)["nodes"][0]["requests_per_second"] > 0, PATIENCE, "a load")


def test_only_operators_see_them(shop):
    assert shop.visitor.get("/admin/nodes").status == 401
    assert shop.buyer().get("/admin/nodes").status == 403


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


def test_each_node_lists_all_and_knows_who_is_on_duty(cluster):
    for shop in cluster.shops:
        seen = eventually(lambda: len((all_ := nodes_of(shop))["nodes"]) == 2 and all_, PATIENCE, "both nodes")
        assert seen["complete"] is True
        assert {node["url"] for node in seen["nodes"]} == {node.url for node in cluster.nodes}
        assert [node["url"] for node in seen["nodes"] if node["this_node"]] == [shop.server.url]
        for node in seen["nodes"]:
            assert abs(node["clock_difference_ms"]) < 30_000, "the same machine has one clock"
        eventually(lambda: [n["on_duty"] for n in nodes_of(shop)["nodes"]].count(True) == 1, PATIENCE, "one on duty")
    with cluster.mariadb.connect(cluster.database) as connection:
        parts = {part for [part] in connection.rows("SELECT part FROM ledger_nodes")}
    assert {node["id"] for node in seen["nodes"]} <= {str(part) for part in parts}


def test_a_node_that_was_killed_is_gone_and_is_listed_as_such(cluster):
    first, second = cluster.shops
    url = second.server.url
    eventually(lambda: len(nodes_of(first)["nodes"]) == 2, PATIENCE, "both nodes")
    cluster.nodes[1].kill()
    gone = eventually(lambda: [node for node in nodes_of(first)["nodes"] if node["state"] == "gone"], PATIENCE,
                      "the node to be missed")
    assert [node["url"] for node in gone] == [url] and not gone[0]["on_duty"]
    eventually(lambda: [node["url"] for node in nodes_of(first)["nodes"] if node["on_duty"]] == [first.server.url],
               PATIENCE, "the other node on duty")
    cluster.restart_node(1)
    states = eventually(lambda: len(all_ := [node["state"] for node in nodes_of(first)["nodes"]]) == 3 and all_,
                        PATIENCE, "the new node beside the one that is gone")
    assert sorted(states) == ["gone", "running", "running"]


def test_a_node_that_is_gone_for_an_hour_is_forgotten(cluster):
    shop = cluster.shops[0]
    eventually(lambda: nodes_of(shop)["nodes"], PATIENCE, "the first sign")
    known, text = cluster.redis.ask("HGETALL", "sluice:nodes")[:2]
    sign = json.loads(text)
    for minutes, part in ((59, "510"), (61, "511")):
        seen_at = int((instants.now() - instants.timedelta(minutes=minutes)).timestamp() * 1000)
        cluster.redis.ask("HSET", "sluice:nodes", part, json.dumps({**sign, "seen_at": seen_at}))
    listed = {node["id"]: node["state"] for node in nodes_of(shop)["nodes"]}
    assert listed["510"] == "gone" and "511" not in listed and known in listed
    assert cluster.redis.ask("HEXISTS", "sluice:nodes", "511") == 0
    cluster.redis.ask("HDEL", "sluice:nodes", "510")


def test_without_redis_a_node_knows_itself_only(cluster):
    shop = cluster.shops[0]
    cluster.redis.stop()
    try:
        listed = eventually(lambda: not (seen := nodes_of(shop))["complete"] and seen, PATIENCE, "Redis to be missed")
        assert [node["url"] for node in listed["nodes"]] == [shop.server.url]
    finally:
        cluster.redis.start()
    eventually(lambda: nodes_of(shop)["complete"], PATIENCE, "Redis to be back")
