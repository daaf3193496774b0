"""Faults 7, 7b, 36: the broker loses a node, its majority or all of itself, or takes nothing more; the ledger is away
while the queue fills. Whatever a buyer was told is kept, and everything sells again by itself."""

import threading
import time

import pytest

from broker_cluster import (QUEUE, BrokerCluster, check_history, look_up, open_sale, rush_into, wait_for_decisions,
                            wishers)
from process import eventually
from test_cluster_sale import PATIENCE, get_passes

AWAY = {"unavailable", "busy"}
REAPER_SECONDS = 10  # as old is a claim that the reaper gives back, when it was not handed off


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with BrokerCluster(tmp_path_factory.mktemp("broker")) as cluster:
        yield cluster


@pytest.fixture
def cluster(parts):
    """Whole again before and after each test, whatever has happened."""
    parts.heal()
    yield parts
    parts.heal()


@pytest.fixture
def tell(record_property):
    """Records how long it took, for the end of the report."""
    return lambda text: record_property("took", text)


def crowd_of(cluster, count):
    """A sale with more than enough for all, and buyers who have their passes."""
    sale = open_sale(cluster, stock=count + 100)
    buyers = wishers(cluster, count)
    get_passes(cluster, sale, buyers)
    return sale, buyers, count + 100


def refusals(buyers):
    return {code for buyer in buyers for status, code in buyer.log if status >= 400}


def tickets_told(buyers):
    return sum(len(buyer.told) for buyer in buyers)


def test_purchases_are_queued_and_become_orders(cluster, tell):
    sale, buyers, units = crowd_of(cluster, 400)
    rush_into(cluster, sale, buyers)
    assert {entry for buyer in buyers for entry in buyer.log[1:]} <= {(202, None), (201, None)}
    assert any((202, None) in buyer.log for buyer in buyers), "some are queued first"
    tell(f"400 purchases decided {check_history(cluster, sale, buyers, units):.1f} s after the last answer")


def test_a_node_of_the_broker_is_killed_under_load(cluster, tell):
    sale, buyers, units = crowd_of(cluster, 500)
    leader = cluster.broker.leader_of(QUEUE)
    rush_into(cluster, sale, buyers, leader.process.kill)
    assert not leader.running
    assert refusals(buyers) <= AWAY
    # The other two go on: everything that was told is decided before the third is back.
    took = wait_for_decisions(cluster, buyers)
    assert not leader.running
    cluster.heal()
    check_history(cluster, sale, buyers, units)
    tell(f"leader of the queue killed under 500 purchases: {tickets_told(buyers)} tickets, decided {took:.1f} s after "
         f"the last answer, slowest answer {max(b.slowest for b in buyers):.1f} s")


def test_the_majority_is_lost_and_comes_back(cluster, tell):
    sale, buyers, units = crowd_of(cluster, 500)
    first, second, _ = cluster.broker.nodes
    rush_into(cluster, sale, buyers[:300], first.process.kill, second.process.kill)
    rush_into(cluster, sale, buyers[300:])
    assert refusals(buyers) <= AWAY
    assert tickets_told(buyers[300:]) > 0, "without its majority the broker keeps nothing, and the journal does"
    look_up(cluster, buyers)
    began = time.monotonic()
    cluster.heal()
    healed = time.monotonic() - began
    took = check_history(cluster, sale, buyers, units)
    tell(f"two of three broker nodes lost: all decided {took:.1f} s after they were back (which took {healed:.1f} s)")


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_the_whole_broker_is_away(cluster, tell, long, end):
    """Fault 7, for a minute in the long run."""
    if end == "killed" and not long:
        pytest.skip("in the long run")
    sale, buyers, units = crowd_of(cluster, 2_000 if long else 600)
    third = len(buyers) // 3
    blow = cluster.broker.stop_all if end == "stopped" else cluster.broker.kill_all
    rush_into(cluster, sale, buyers[:third], blow)
    ended = time.monotonic()
    rush_into(cluster, sale, buyers[third:2 * third])
    asked_while_away = buyers[third:2 * third]
    assert refusals(buyers) <= AWAY
    assert tickets_told(asked_while_away) == len(asked_while_away), "hand-offs go into the journal"
    # Prepared rows need no broker.
    wait_for_decisions(cluster, asked_while_away)
    if long:
        eventually(lambda: time.monotonic() - ended > 60, 120, "a minute")
    back = threading.Thread(target=cluster.broker.heal)
    back.start()
    rush_into(cluster, sale, buyers[2 * third:])  # both ways at once
    back.join()
    eventually(lambda: all("broker.connected" in node.log() for node in cluster.nodes), PATIENCE, "the broker is back")
    took = check_history(cluster, sale, buyers, units)
    tell(f"whole broker {end}: {len(buyers)} purchases, all decided {took:.1f} s after it was back")


def test_a_memory_alarm_stops_no_sale(cluster, tell):
    sale, buyers, units = crowd_of(cluster, 400)
    alarmed = cluster.broker.nodes[0]
    try:
        rush_into(cluster, sale, buyers[:200], lambda: alarmed.alarm_memory(True))
        rush_into(cluster, sale, buyers[200:])
        assert refusals(buyers) <= AWAY
        assert max(buyer.slowest for buyer in buyers) < 10, "nobody waits in vain"
        wait_for_decisions(cluster, buyers)
    finally:
        alarmed.alarm_memory(False)
    took = check_history(cluster, sale, buyers, units)
    tell(f"memory alarm: slowest answer {max(b.slowest for b in buyers):.1f} s, decided {took:.1f} s after its end")


def test_the_ledger_is_away_longer_than_the_reaper_waits(cluster, tell, long):
    """Fault 7b: the queue fills, and nothing that was told is rolled back for its age."""
    sale, buyers, units = crowd_of(cluster, 600)
    away_for = REAPER_SECONDS * 3 + 5 if long else REAPER_SECONDS + 5
    rush_into(cluster, sale, buyers[:400], cluster.mariadb.kill)
    ended = time.monotonic()
    rush_into(cluster, sale, buyers[400:])
    assert refusals(buyers) <= AWAY
    told = tickets_told(buyers)
    assert any((202, None) in buyer.log for buyer in buyers[400:]), "without the ledger the broker takes purchases"
    depth = eventually(cluster.queued, PATIENCE, "messages that wait")
    eventually(lambda: time.monotonic() - ended > away_for, away_for + 10, "the time of the reaper")
    # Writers do not turn messages over while they cannot write.
    assert cluster.queued() > 0
    cluster.mariadb.start()
    took = check_history(cluster, sale, buyers, units)
    tell(f"ledger away for {away_for} s: {told} tickets told, {depth} messages in the queue, all decided {took:.1f} s "
         "after it was back")


@pytest.mark.parametrize("loss", ["started again", "emptied"])
def test_what_waits_is_never_unknown_after_redis_was_lost(cluster, tell, loss):
    """Redis forgets the claims of tickets that were told with 202, while nobody writes."""
    sale, buyers, units = crowd_of(cluster, 60)
    for writer in cluster.writers:
        writer.kill()
    rush_into(cluster, sale, buyers)
    assert tickets_told(buyers) == len(buyers)
    if loss == "emptied":
        cluster.redis.ask("FLUSHALL")
    else:
        cluster.redis.kill()
        cluster.redis.start()
    look_up(cluster, buyers)
    cluster.heal()
    took = check_history(cluster, sale, buyers, units)
    tell(f"Redis was {loss} under {len(buyers)} queued tickets: all decided {took:.1f} s after writers were back")


def test_a_frozen_broker_holds_up_nobody(cluster, tell, long):
    """Connections stay open and nothing is answered: confirms are not waited for endlessly."""
    if not long:
        pytest.skip("in the long run")
    sale, buyers, units = crowd_of(cluster, 300)

    def freeze():
        for node in cluster.broker.nodes:
            node.freeze()

    rush_into(cluster, sale, buyers[:150], freeze)
    rush_into(cluster, sale, buyers[150:])
    assert refusals(buyers) <= AWAY
    assert tickets_told(buyers[150:]) > 0
    for node in cluster.broker.nodes:
        node.thaw()
    took = check_history(cluster, sale, buyers, units)
    tell(f"frozen broker: slowest answer {max(b.slowest for b in buyers):.1f} s, all decided {took:.1f} s after it "
         "went on")
