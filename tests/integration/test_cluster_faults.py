"""A cluster that loses a node, its Redis or its MariaDB under load: what was acknowledged is there, nothing is
sold twice, no limit is broken, and everything sells again by itself."""

import random

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
    """Whole again after each test, whatever has become of it."""
    yield parts
    for server in (parts.mariadb, parts.redis):
        server.thaw()
        if not server.running:
            server.start()
    for index, node in enumerate(parts.nodes):
        if not node.running:
            parts.restart_node(index)


def buyers_for(cluster, count):
    return [Buyer(token, key="k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(count))]


def rush_into(cluster, sale, buyers, blow):
    """All buy at once; `blow` falls when a part of them, by chance, has begun."""
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
    """Everybody asks again, word for word, until all units are sold: none is lost, and none is sold twice."""
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
    """What Redis has to sell is what the ledger has."""
    eventually(lambda: cluster.units_in_redis(sale) == cluster.shops[0].stock(sale)["left"], HEALS_WITHIN,
               "Redis and the ledger agree")


def expect_limit(cluster, sale, buyers):
    """Whoever has bought has as much as they may."""
    for shop, buyer in zip(cluster.shops, [b for b in buyers if b.bought]):
        client = shop.client(buyer.token)
        answer = eventually(lambda: (lambda a: a if a.status != 503 else None)(client.post(f"/sales/{sale}/passes")),
                            PATIENCE, "an answer")
        assert answer.code in ("limit_reached", "sold_out"), answer.body


def test_a_node_is_killed_under_load(cluster):
    sale = open_everywhere(cluster, stock=300)
    buyers = buyers_for(cluster, 500)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:400], cluster.nodes[0].process.kill)
    assert not cluster.nodes[0].running
    cluster.nodes[0].wait()
    check_tickets(cluster.shops[1], sale, buyers)
    cluster.restart_node(0)
    sell_all(cluster, sale, buyers, 300)
    rests_equal(cluster, sale)


def test_redis_is_killed_under_load(cluster):
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
    sell_all(cluster, sale, buyers, 200)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


def test_redis_is_emptied_under_load(cluster):
    sale = open_everywhere(cluster, stock=200)
    buyers = buyers_for(cluster, 300)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:200], lambda: cluster.redis.ask("FLUSHALL"))
    eventually(lambda: cluster.units_in_redis(sale) is not None, HEALS_WITHIN, "a new copy")
    expect_limit(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 200)
    rests_equal(cluster, sale)


def test_redis_starts_again_with_nothing(cluster):
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    cluster.rush(ask_for(sale), buyers[:50])
    assert all(buyer.bought for buyer in buyers[:50])
    cluster.redis.kill()
    cluster.redis.forget_its_files()
    cluster.redis.start()
    eventually(lambda: cluster.units_in_redis(sale) == 50, HEALS_WITHIN, "a new copy")
    expect_limit(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)


def test_mariadb_is_killed_under_load(cluster):
    sold_out = open_everywhere(cluster, stock=1)
    sale = open_everywhere(cluster, stock=200)
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
    cluster.mariadb.start()
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, HEALS_WITHIN, "/readyz green")
    sell_all(cluster, sale, buyers, 200)
    rests_equal(cluster, sale)


def test_redis_is_frozen_under_load(cluster):
    sale = open_everywhere(cluster, stock=100)
    buyers = buyers_for(cluster, 150)
    get_passes(cluster, sale, buyers)
    rush_into(cluster, sale, buyers[:100], cluster.redis.freeze)
    for shop in cluster.shops:
        eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, PATIENCE, "/readyz red")
    cluster.redis.thaw()
    sell_all(cluster, sale, buyers, 100)
    rests_equal(cluster, sale)
    expect_limit(cluster, sale, buyers)


def test_a_node_that_joins_sells_the_same_sales(cluster):
    sale = open_everywhere(cluster, stock=60)
    buyers = buyers_for(cluster, 90)
    get_passes(cluster, sale, buyers)
    cluster.rush(ask_for(sale), buyers[:30])
    cluster.add_node()
    sell_all(cluster, sale, buyers, 60)
    rests_equal(cluster, sale)
