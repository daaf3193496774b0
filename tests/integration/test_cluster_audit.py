"""`sluice audit` compares the hot copies in Redis with the ledger, says what heals by itself, and repairs the rest."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from cluster import Cluster
from crowd import Buyer
from process import eventually, run
from test_faults_sale import WIDE

PATIENCE = 60  # for what takes a second or two on a machine that is not busy


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=1) as cluster:
        yield cluster


@pytest.fixture
def sold(cluster):
    """A sale of ten units, of which one is sold and one was given back. No server runs that could heal anything,
    so what the audit finds stays so; the next test has its server again."""
    shop = cluster.shops[0]
    sale = shop.sale(stock=10, gate_factor=WIDE)["id"]
    keeper, giver = shop.buyer(), shop.buyer()
    shop.bought(keeper, sale)
    order = shop.bought(giver, sale)["order_id"]
    assert giver.post(f"/orders/{order}/cancel").status == 200
    eventually(lambda: cluster.units_in_redis(sale) == 9, PATIENCE, "the unit that came back")
    eventually(lambda: audit(cluster, sale)["hot_copies"] == [], PATIENCE, "a sale at rest")
    cluster.nodes[0].kill()
    yield sale
    if not cluster.redis.running:
        cluster.redis.start()
    if not cluster.nodes[0].running:
        cluster.restart_node(0)


def audit_as(cluster, *arguments):
    return run("audit", "--data", cluster.nodes[0].data, *arguments, env=cluster.env, timeout=120)


def audit(cluster, sale, code=0):
    done = audit_as(cluster, "--json", "--sale", sale)
    assert done.returncode == code, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["holds"] == (code == 0)
    return report


def found(cluster, sale, code=0):
    [copy] = audit(cluster, sale, code)["hot_copies"]
    assert copy["sale"] == sale
    return copy


def key(cluster, sale, name):
    base = f"sluice:{{{sale}}}:"
    return f"{base}{cluster.redis.ask('GET', base + 'epoch')}:{name}"


def test_it_finds_nothing_wrong_while_people_buy(cluster):
    shop = cluster.shops[0]
    sale = shop.sale(stock=400, gate_factor=WIDE)["id"]
    buyers = [Buyer(token) for token in shop.minted(500)]
    seen = []

    async def act(line, buyer):
        await buyer.pass_and_buy(line, sale)

    with ThreadPoolExecutor(1) as threads:
        rush = threads.submit(cluster.rush, act, buyers, lines=4)
        while not rush.done():
            seen += [copy["state"] for copy in audit(cluster, sale)["hot_copies"]]
        rush.result()
    assert set(seen) <= {"under_way"}, seen
    assert sum(1 for buyer in buyers if buyer.bought) > 0
    eventually(lambda: audit(cluster, sale)["hot_copies"] == [], PATIENCE, "a sale at rest")


def test_what_agrees_is_not_listed(cluster, sold):
    report = audit(cluster, sold)
    assert report["hot_copies"] == []
    [check] = [check for check in report["checks"] if check["name"] == "hot copy"]
    assert check == {"name": "hot copy", "holds": True, "detail": "1 sale compared with Redis"}


def test_a_copy_that_is_gone_heals_when_a_server_runs(cluster, sold):
    cluster.redis.ask("FLUSHALL")
    copy = found(cluster, sold)
    assert (copy["state"], copy["heals_by_itself"]) == ("missing", True)
    said = audit_as(cluster, "--sale", sold, "--repair", "--yes")
    assert said.returncode == 0 and "  heals" in said.stdout and "There is nothing to repair." in said.stdout
    assert cluster.units_in_redis(sold) is None, "what heals by itself is left alone"
    cluster.restart_node(0)
    eventually(lambda: audit(cluster, sold)["hot_copies"] == [], PATIENCE, "the copy to be filled")
    assert cluster.units_in_redis(sold) == 9


def test_a_row_that_is_not_applied_heals_when_a_server_runs(cluster, sold):
    [buyer] = [name for name, units in pairs(cluster.redis.ask("HGETALL", key(cluster, sold, "buyers")))
               if name and units == "0"]
    assert cluster.redis.ask("GET", key(cluster, sold, "applied")) == "1"
    cluster.redis.ask("SET", key(cluster, sold, "applied"), "0")
    cluster.redis.ask("SET", key(cluster, sold, "left"), "8")
    cluster.redis.ask("HSET", key(cluster, sold, "buyers"), buyer, "1")
    copy = found(cluster, sold)
    assert (copy["state"], copy["heals_by_itself"]) == ("under_way", True)
    assert copy["detail"].startswith("1 row of the hot outbox not applied yet")
    cluster.restart_node(0)
    eventually(lambda: audit(cluster, sold)["hot_copies"] == [], PATIENCE, "the row to be applied")
    assert cluster.units_in_redis(sold) == 9


def test_units_that_nobody_can_explain_are_repaired_when_somebody_says_yes(cluster, sold):
    cluster.redis.ask("SET", key(cluster, sold, "left"), "7")
    copy = found(cluster, sold, code=1)
    assert (copy["state"], copy["heals_by_itself"]) == ("differs", False)
    assert copy["detail"] == "left is 7, in the ledger 9"
    said = audit_as(cluster, "--sale", sold)
    assert said.returncode == 1 and "VIOLATED  hot copy" in said.stdout and "A promise is broken." in said.stdout
    assert f"DRIFT   sale {sold}: left is 7, in the ledger 9" in said.stdout

    said = audit_as(cluster, "--sale", sold, "--repair")
    assert said.returncode == 1 and f"would fill the hot copy of sale {sold} anew" in said.stdout
    assert cluster.units_in_redis(sold) == 7, "nothing was changed"

    said = audit_as(cluster, "--sale", sold, "--repair", "--yes")
    assert said.returncode == 0 and f"filled the hot copy of sale {sold} anew" in said.stdout, said.stdout
    assert cluster.units_in_redis(sold) == 9
    assert audit(cluster, sold)["hot_copies"] == []
    shop = cluster.restart_node(0)
    [deed] = [entry for entry in shop.operator.get("/admin/audit-trail").body["entries"]
              if entry["action"] == "hot_copy.fill"]
    assert deed["subject"] == sold and deed["before"] == {"difference": "left is 7, in the ledger 9"}
    shop.bought(shop.buyer(), sold)


def test_without_redis_nobody_can_tell(cluster, sold):
    cluster.redis.stop()
    report = audit(cluster, sold, code=2)
    assert report["hot_copies_failure"] and all(check["holds"] for check in report["checks"])
    said = audit_as(cluster, "--sale", sold)
    assert said.returncode == 2 and "could not be compared" in said.stdout, said.stdout
    assert "Every promise of the ledger holds." in said.stdout


def test_flags_that_make_no_sense_are_refused(cluster, tmp_path):
    assert audit_as(cluster, "--yes").returncode == 2
    assert audit_as(cluster, "--repair", "--json").returncode == 2
    done = run("audit", "--data", tmp_path, "--repair")
    assert done.returncode == 2 and "memory of the server" in done.stderr


def pairs(answer):
    return list(zip(answer[::2], answer[1::2]))
