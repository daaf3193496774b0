"""Fault 14 on a cluster: the clock of one node is wrong by an hour. Windows and holds are what they were on all nodes."""

import time

import pytest

from cluster import Cluster, Node
from instants import from_now, now, parse
from process import eventually, run
from stepped import SteppedClock
from test_cluster_sale import PATIENCE, open_everywhere

HOUR = 3600
both_ways = pytest.mark.parametrize("step", [HOUR, -HOUR])


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=1) as cluster:
        yield cluster


@pytest.fixture
def cluster(parts, clock):
    """The last node has the clock that steps; it is stopped when the test is over."""
    parts.add_node(env=clock.env)
    yield parts
    parts.shops.pop()._hang_up()
    parts.nodes.pop().stop()


def state_of(client, order):
    return client.get(f"/orders/{order}").body["state"]


@both_ways
def test_windows_and_holds_do_not_change_when_the_clock_of_one_node_steps(cluster, clock, step):
    right, wrong = cluster.shops[0], cluster.shops[-1]
    sale = open_everywhere(cluster, stock=20, limit_per_buyer=5, hold_seconds=900, ends_at=from_now(minutes=30))
    later = right.sale(starts_at=from_now(minutes=30))["id"]
    brief = open_everywhere(cluster, stock=1, hold_seconds=8)
    holder = right.buyer()
    held = right.bought(holder, sale)["order_id"]
    short = right.bought(right.buyer(), brief)
    there = wrong.client(holder.token)
    eventually(lambda: wrong.visitor.get(f"/sales/{later}").status == 200, PATIENCE, "the sale on both nodes")

    clock.step(step)
    eventually(lambda: "clock.step_suspected" in wrong.server.log(), PATIENCE, "the step to be noticed")
    for shop in cluster.shops:
        assert abs((parse(shop.visitor.get("/time").body["now"]) - now()).total_seconds()) < 5
        assert shop.visitor.get(f"/sales/{later}").body["state"] == "scheduled"
        assert shop.visitor.get(f"/sales/{sale}").body["state"] == "open"
        assert shop.buyer().post(f"/sales/{later}/passes").code == "not_started"
    # A pass of either node is good at the other.
    right.bought(holder, sale, pass_=wrong.pass_for(there, sale))
    wrong.bought(there, sale, pass_=right.pass_for(holder, sale))
    # A hold that is due ends, by whichever node; one that is not stays.
    waiting = wrong.buyer()
    eventually(lambda: waiting.post(f"/sales/{brief}/passes").status == 201, PATIENCE, "the short hold to end")
    assert [state_of(client, held) for client in (holder, there)] == ["pending"] * 2
    assert short["order_id"]
    clock.step(0)
    eventually(lambda: "clock.agrees" in wrong.server.log(), PATIENCE, "agreement")
    cluster.audit()


@both_ways
def test_a_node_whose_time_is_another_does_not_join(parts, library, tmp_path, step):
    clock = SteppedClock(library, tmp_path)
    clock.step(step)
    stranger = Node("stranger", tmp_path / "stranger", {**parts.env, **clock.env})
    parts._copy_keys(stranger)
    done = run("serve", "--data", stranger.data, "--listen", "127.0.0.1:0", env=stranger.env)
    word = "ahead of" if step > 0 else "behind"
    assert done.returncode == 1 and f" s {word} the clock of the database server" in done.stderr, done.stderr


def test_a_node_that_goes_by_another_time_ends_no_hold(tmp_path, library):
    """A node that differs from the database server by more than half a minute leaves it to others. Here it is the
    server that differs from all nodes."""
    (tmp_path / "clock").mkdir()
    clock = SteppedClock(library, tmp_path / "clock")
    cluster = Cluster(tmp_path / "cluster", nodes=1)
    cluster.mariadb.wrapper = ["env", *(f"{name}={value}" for name, value in clock.env.items())]
    with cluster:
        shop = cluster.shops[0]
        sale = open_everywhere(cluster, stock=5, hold_seconds=4)
        clock.step(-HOUR)
        eventually(lambda: "ledger.clock_differs" in shop.server.log(), PATIENCE, "the difference to be noticed")
        holder = shop.buyer()
        order = shop.bought(holder, sale)["order_id"]
        until = time.monotonic() + 8
        while time.monotonic() < until:
            assert state_of(holder, order) == "pending"
        clock.step(0)
        eventually(lambda: state_of(holder, order) == "expired", PATIENCE, "the hold to end")
        assert "ledger.clock_agrees" in shop.server.log()
        cluster.audit()
