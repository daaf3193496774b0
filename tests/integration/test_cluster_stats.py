"""The figures of a sale are those of all nodes, on every node."""

import pytest

from cluster import Cluster
from process import eventually
from provider import Bought, outcome, succeeded
from test_cluster_sale import PATIENCE, open_everywhere
from test_stats import history, stats


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


def settled(shop, sale, **expected):
    """The figures, once they are as expected."""
    eventually(lambda: expected.items() <= stats(shop, sale)["funnel"].items(), PATIENCE,
               f"{expected} in {stats(shop, sale)['funnel']}")
    return stats(shop, sale)


def sum_of(points, name):
    return sum(point["funnel"][name] for point in points)


def go_through(cluster):
    """A sale of which two nodes have each seen a part; what all of it comes to."""
    sale = open_everywhere(cluster, stock=10)
    first, second = cluster.shops
    before = settled(first, sale, passes=2)["funnel"]  # one on each node, to see that it is open
    for shop, visits in ((first, 3), (second, 4)):
        for _ in range(visits):
            assert shop.visitor.post(f"/sales/{sale}/visits").status == 204
    order = Bought(first, first.buyer(), sale)
    for _ in range(2):
        second.bought(second.buyer(), sale)
    outcome(second.visitor, succeeded(order.pay(), order.total))
    return sale, {"visits": before["visits"] + 7, "attempts": 3, "claims": 3, "orders": 3, "paid": 1, "expired": 0}


def test_every_node_shows_the_sum(cluster):
    sale, expected = go_through(cluster)
    for shop in cluster.shops:
        seen = settled(shop, sale, **expected)
        assert seen["stock"] == {"total": 10, "left": 7, "held": 2, "sold": 1}
        assert seen["latency"]["p50_ms"] > 0


def test_the_history_is_that_of_all_nodes(cluster):
    sale, expected = go_through(cluster)
    for shop in cluster.shops:
        def is_complete():
            past = history(shop, sale)
            return (past["total"].items() >= expected.items()
                    and {name: sum_of(past["points"], name) for name in expected} == expected)
        eventually(is_complete, PATIENCE, f"{expected} in {history(shop, sale)}")
        points = history(shop, sale)["points"]
        assert len({point["at"] for point in points}) == len(points), "a point for each second"


def test_a_node_that_is_gone_is_still_counted(cluster):
    sale, expected = go_through(cluster)
    settled(cluster.shops[0], sale, **expected)
    settled(cluster.shops[1], sale, **expected)
    cluster.nodes[1].kill()
    assert stats(cluster.shops[0], sale)["funnel"].items() >= expected.items()
    settled(cluster.restart_node(1), sale, **expected)
