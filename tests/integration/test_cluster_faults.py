"""A cluster that loses a node, its Redis or its MariaDB under load: what was acknowledged is there, nothing is
sold twice, no limit is broken, and everything sells again by itself."""

import random
import time

import pytest

from cluster import Cluster
from crowd import Buyer
from process import eventually
from test_cluster_sale import PATIENCE, ask_for, get_passes, open_everywhere
from test_faults_sale import check_tickets

AWAY = {"unavailable", "busy"}
# A claim of a node that has died is given back after ten seconds.
HEALS_WITHIN = 90


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


@pytest.fixture
def cluster(parts):
    """Whole again after each test, whatever has happened."""
    yield parts
    for server in (parts.mariadb, parts.redis):
        server.thaw()
        if not server.running:
            server.start()
    for index, node in enumerate(parts.nodes):
        if not node.running:
            parts.restart_node(index)


@pytest.fixture
def healing(record_property):
    """Measures, once all parts are there again, how long it takes until every node sells."""
    def measure(cluster, sale, buyers):
        began = time.monotonic()
        waiting = [buyer for buyer in buyers if not buyer.bought]
        for node, buyer in zip(cluster.nodes, waiting):
            def answered():
                cluster.rush(ask_for(sale), [buyer], lines=1, ports=[node.port])
                return buyer.bought or buyer.refusal == "sold_out"
            eventually(answered, HEALS_WITHIN, f"{node.name} sells")
        record_property("took", f"every node sells again {time.monotonic() - began:.1f} s after all parts were back")
    return measure


def buyers_for(cluster, count):
    return [Buyer(token, key="k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(count))]


def rush_into(cluster, sale, buyers, blow):
    """All buy at once; `blow` happens when a random part of them has begun."""
    until = random.randrange(1, len(buyers) * 3 // 4)

    async def act(line, buyer):
        nonlocal until
        until -= 1
        if until == 0:
            blow()
        await buyer.pass_and_buy(line, sale)

    cluster.rush(act, buyers)
    refusals = {buyer.refusal for buyer in buyers if not buyer.bought} - {None}
    assert refusals <= AWAY | {"sold_out"}, refusals


def sell_all(cluster, sale, buyers, units):
    """Everybody repeats the same request until all units are sold: none is lost, and none is sold twice."""
    def all_sold():
        cluster.rush(ask_for(sale), [buyer for buyer in buyers if not buyer.bought])
        return sum(1 for buyer in buyers if buyer.bought) >= units

    eventually(all_sold, HEALS_WITHIN, "all units sold")
    assert sum(1 for buyer in buyers if buyer.bought) == units
    assert len({buyer.bought["ticket"] for buyer in buyers if buyer.bought}) == units
    for shop in cluster.shops:
        eventually(lambda: shop.stock(sale) == {"total": units, "left": 0, "held": units, "sold": 0}, PATIENCE, "stock")
        check_tickets(shop, sale, buyers)
    cluster.audit()


def rests_equal(cluster, sale):
    """The stock in Redis is that of the ledger."""
    eventually(lambda: cluster.units_in_redis(sale) == cluster.shops[0].stock(sale)["left"], HEALS_WITHIN,
               "Redis and the ledger agree")


def expect_limit(cluster, sale, buyers):
    """Whoever has bought has as much as they may."""
    for shop, buyer in zip(cluster.shops, [b for b in buyers if b.bought]):
        client = shop.client(buyer.token)
        answer = eventually(lambda: (lambda a: a if a.status != 503 else None)(client.post(f"/sales/{sale}/passes")),
                            PATIENCE, "an answer")
        assert answer.code in ("limit_reached", "sold_out"), answer.body


def test_a_node_is_killed_under_load(cluster, healing):
    sale = open_everywhere(cluster, stock=300)
    buyers = buyers_for(cluster, 500)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:400], cluster.nodes[0].process.kill)
    assert not cluster.nodes[0].running
    cluster.nodes[0].wait()
    check_tickets(cluster.shops[1], sale, buyers)
    cluster.restart_node(0)
    healing(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 300)
    rests_equal(cluster, sale)


def test_redis_is_killed_under_load(cluster, healing):
    sale = open_everywhere(cluster, stock=200)
    buyers = buyers_for(cluster, 300)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:200], cluster.redis.kill)
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, PATIENCE, "/readyz red")
        assert shop.visitor.get(f"/sales/{sale}").status == 200, "what is in memory is shown"
        waiting = shop.client(buyers[-1].token)
        assert waiting.get("/orders").status == 200, "the ledger answers"
        answer = eventually(lambda: (lambda a: a if a.code in AWAY else None)(
            waiting.post(f"/sales/{sale}/orders/{buyers[-1].pass_}")), PATIENCE, "a refusal")
        assert answer.status == 503 and int(answer.headers["Retry-After"]) > 0
    check_tickets(cluster.shops[0], sale, buyers)
    cluster.redis.start()
    healing(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 200)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


def test_redis_is_emptied_under_load(cluster, healing):
    sale = open_everywhere(cluster, stock=200)
    buyers = buyers_for(cluster, 300)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:200], lambda: cluster.redis.ask("FLUSHALL"))
    healing(cluster, sale, buyers)
    expect_limit(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 200)
    rests_equal(cluster, sale)


def test_redis_starts_again_with_nothing(cluster, healing):
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    cluster.rush(ask_for(sale), buyers[:50])
    assert all(buyer.bought for buyer in buyers[:50])
    cluster.redis.kill()
    cluster.redis.forget_its_files()
    cluster.redis.start()
    eventually(lambda: cluster.units_in_redis(sale) == 50, HEALS_WITHIN, "a new copy")
    healing(cluster, sale, buyers)
    expect_limit(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)


def test_mariadb_is_killed_under_load(cluster, healing):
    sold_out = open_everywhere(cluster, stock=1)
    sale = open_everywhere(cluster, stock=250)  # more than the rush wants, so that some are left to ask for
    buyers = buyers_for(cluster, 300)
    get_passes(cluster, sale, buyers)
    late = [shop.buyer() for shop in cluster.shops]
    assert cluster.shops[0].buy(cluster.shops[0].buyer(), sold_out).status == 201
    for buyer in late:
        eventually(lambda: buyer.post(f"/sales/{sold_out}/passes").code == "sold_out", PATIENCE, "sold out")
    rush_into(cluster, sale, buyers[:200], cluster.mariadb.kill)
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, PATIENCE, "/readyz red")
        assert shop.visitor.get(f"/sales/{sale}").status == 200, "what is in memory is shown"
        for buyer in late:
            visit = shop.client(buyer.token)
            assert visit.get("/sessions/current").status == 200, "a session of any node"
            assert visit.post(f"/sales/{sold_out}/passes").code == "sold_out", "a no needs no database"
        waiting = shop.client(buyers[-1].token)
        answer = waiting.post(f"/sales/{sale}/orders/{buyers[-1].pass_}")
        assert answer.status == 503 and answer.code in AWAY and int(answer.headers["Retry-After"]) > 0
    cluster.mariadb.start()
    healing(cluster, sale, buyers)
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, HEALS_WITHIN, "/readyz green")
    sell_all(cluster, sale, buyers, 250)
    rests_equal(cluster, sale)


def test_redis_is_frozen_under_load(cluster, healing):
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:100], cluster.redis.freeze)
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, PATIENCE, "/readyz red")
    cluster.redis.thaw()
    healing(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


def test_mariadb_is_frozen_under_load(cluster, healing):
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:100], cluster.mariadb.freeze)
    for shop in cluster.shops:
        assert shop.visitor.get(f"/sales/{sale}").status == 200, "what is in memory is shown"
    cluster.mariadb.thaw()
    healing(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


@pytest.mark.parametrize("key", ["epoch", "log", "former", "left", "applied", "run", "ledger", "buyers", "open", "done"])
def test_a_key_of_redis_goes_away_under_load(cluster, healing, key):
    """As a Redis that evicts keys would do. A copy without any one of its keys sells nothing."""
    sale = open_everywhere(cluster, stock=60)
    buyers = buyers_for(cluster, 90)
    get_passes(cluster, sale, buyers)
    base = f"sluice:{{{sale}}}:"
    epoch = cluster.redis.ask("GET", base + "epoch")
    name = base + key if key in ("epoch", "log", "former") else f"{base}{epoch}:{key}"
    gone = []
    rush_into(cluster, sale, buyers[:60], lambda: gone.append(cluster.redis.ask("DEL", name)))
    assert gone == [1], name
    eventually(lambda: cluster.redis.ask("GET", base + "epoch") not in (None, epoch), HEALS_WITHIN, "a new epoch")
    healing(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 60)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


def test_redis_starts_again_as_it_was_before(cluster, healing):
    """A restart from an old dump, or a failover to a replica without the last purchases."""
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    cluster.rush(ask_for(sale), buyers[:20])
    cluster.redis.remember_its_files()
    cluster.rush(ask_for(sale), buyers[20:50])
    assert all(buyer.bought for buyer in buyers[:50])
    assert cluster.units_in_redis(sale) == 50
    rush_into(cluster, sale, buyers[50:70], cluster.redis.kill)
    cluster.redis.put_back_files()
    cluster.redis.start()
    healing(cluster, sale, buyers)
    expect_limit(cluster, sale, buyers[20:])
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)


@pytest.mark.parametrize("key", [None, "k"])
def test_one_buyer_who_buys_everywhere_at_once_has_one_order(cluster, key):
    sale = open_everywhere(cluster, stock=20, limit_per_buyer=5)
    [token] = cluster.shops[0].minted(1)
    first = Buyer(token, key=key)
    get_passes(cluster, sale, [first])
    attempts = [Buyer(token, key=key, pass_=first.pass_) for _ in range(500)]

    def all_have_heard():
        cluster.rush(ask_for(sale), [each for each in attempts if not each.bought], lines=100)
        return all(each.bought for each in attempts)

    eventually(all_have_heard, PATIENCE, "the ticket for every attempt")
    assert len({(each.bought["ticket"], each.bought["order_id"]) for each in attempts}) == 1
    for shop in cluster.shops:
        eventually(lambda: shop.stock(sale) == {"total": 20, "left": 19, "held": 1, "sold": 0}, PATIENCE, "the stock")
        assert len(shop.client(token).get("/orders").body["orders"]) == 1
    rests_equal(cluster, sale)
    cluster.audit()


def test_an_expired_unit_is_for_sale_on_all_nodes(cluster):
    sale = open_everywhere(cluster, stock=2, hold_seconds=5)
    first, second = cluster.shops
    holders = [first.buyer(), second.buyer()]
    for shop, holder in zip(cluster.shops, holders):
        shop.bought(holder, sale)
    waiting = [shop.buyer() for shop in cluster.shops]
    for shop, buyer in zip(cluster.shops, waiting):
        eventually(lambda: buyer.post(f"/sales/{sale}/passes").code == "sold_out", PATIENCE, "sold out")
    for shop, buyer in zip(cluster.shops, waiting):
        eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 201, PATIENCE, "a unit again")
        eventually(lambda: shop.buy(buyer, sale).status == 201, PATIENCE, "a yes")
    for holder in holders:
        assert [order["state"] for order in holder.get("/orders").body["orders"]] == ["expired"]
    cluster.audit()


def test_a_node_that_joins_sells_the_same_sales(cluster):
    sale = open_everywhere(cluster, stock=60)
    buyers = buyers_for(cluster, 90)
    get_passes(cluster, sale, buyers)
    cluster.rush(ask_for(sale), buyers[:30])
    cluster.add_node()
    sell_all(cluster, sale, buyers, 60)
    rests_equal(cluster, sale)
