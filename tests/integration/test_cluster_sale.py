"""Two nodes on one MariaDB and one Redis sell the same sales: any request to any node."""

import collections
import re
import shutil

import pytest

from cluster import Cluster, Node
from crowd import Buyer
from process import eventually, run
from test_faults_sale import WIDE, check_tickets
from test_pass_keys import key_id

PATIENCE = 60  # for what takes a second or two on a machine that is not busy


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


def open_everywhere(cluster, **draft):
    """A new sale, made on the first node and sold on all."""
    sale = cluster.shops[0].sale(gate_factor=WIDE, **draft)["id"]
    for shop in cluster.shops:
        buyer = shop.buyer()
        eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 201, PATIENCE, "a pass on each node")
    return sale


def ask_for(sale):
    async def act(line, buyer):
        await buyer.pass_and_buy(line, sale)
    return act


def get_passes(cluster, sale, buyers):
    async def act(line, buyer):
        await buyer.get_pass(line, sale)

    def all_have():
        cluster.rush(act, [buyer for buyer in buyers if not buyer.pass_])
        return all(buyer.pass_ for buyer in buyers)

    eventually(all_have, PATIENCE, "a pass for everybody")


def test_no_more_is_sold_than_there_is_and_both_nodes_know_it(cluster):
    sale = open_everywhere(cluster, stock=100)
    buyers = [Buyer(token, key="k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(400))]
    get_passes(cluster, sale, buyers)

    def all_have_heard():
        cluster.rush(ask_for(sale), [b for b in buyers if not b.bought and b.refusal != "sold_out"])
        return all(b.bought or b.refusal == "sold_out" for b in buyers)

    eventually(all_have_heard, PATIENCE, "an answer for everybody")
    winners = [buyer for buyer in buyers if buyer.bought]
    assert len(winners) == 100
    assert len({buyer.bought["order_id"] for buyer in winners}) == 100
    for shop in cluster.shops:
        eventually(lambda: shop.stock(sale) == {"total": 100, "left": 0, "held": 100, "sold": 0}, PATIENCE, "the stock")
        late = shop.buyer()
        eventually(lambda: late.post(f"/sales/{sale}/passes").code == "sold_out", PATIENCE, "sold out")
        check_tickets(shop, sale, buyers)
    cluster.audit()


def test_a_replay_on_another_node_is_the_same_order(cluster):
    sale = open_everywhere(cluster, stock=10, limit_per_buyer=3)
    first, second = cluster.shops
    here = first.buyer()
    there = second.client(here.token)
    pass_ = first.pass_for(here, sale)
    bought = first.bought(here, sale, key="k", pass_=pass_)
    assert second.bought(there, sale, key="k", pass_=pass_) == bought
    assert first.bought(here, sale, key="k", pass_=pass_) == bought
    assert cluster.units_in_redis(sale) == 9


def test_a_ticket_that_an_answer_names_is_found_at_once_on_every_node(cluster):
    sale = open_everywhere(cluster, stock=100)
    tokens = cluster.shops[0].minted(40)
    for i, token in enumerate(tokens):
        here, there = (cluster.shops[(i + k) % 2] for k in range(2))
        buyer, away = here.client(token), there.client(token)
        bought = here.bought(buyer, sale)
        assert away.get(f"/tickets/{bought['ticket']}").body == {**bought, "sale_id": sale}
        assert away.get(f"/orders/{bought['order_id']}").status == 200
        assert [order["id"] for order in away.get("/orders").body["orders"]] == [bought["order_id"]]
        # Whoever is at their limit is told their ticket, by a node that did not sell it.
        refused = eventually(lambda: (lambda a: a if a.code == "limit_reached" else None)(
            away.post(f"/sales/{sale}/passes")), PATIENCE, "the limit")
        assert refused.body["ticket"] == bought["ticket"]
        assert buyer.get(f"/tickets/{refused.body['ticket']}").status == 200
        buyer.close(), away.close()


def test_a_limit_counts_on_all_nodes_together(cluster):
    sale = open_everywhere(cluster, stock=10, limit_per_buyer=2)
    [token] = cluster.shops[0].minted(1)
    attempts = [Buyer(token, key=f"k{i}") for i in range(40)]
    get_passes(cluster, sale, attempts)
    cluster.rush(ask_for(sale), attempts, lines=40)
    assert len({b.bought["ticket"] for b in attempts if b.bought}) == 2
    assert {b.refusal for b in attempts if not b.bought} == {"limit_reached"}
    assert cluster.units_in_redis(sale) == 8


def test_a_pause_on_one_node_is_in_force_on_the_other_at_once(cluster):
    sale = open_everywhere(cluster, stock=50, limit_per_buyer=5)
    first, second = cluster.shops
    buyer = second.buyer()
    for _ in range(3):
        pass_ = second.pass_for(buyer, sale)
        assert first.operator.post(f"/admin/sales/{sale}/pause").status == 200
        answer = second.buy(buyer, sale, pass_=pass_)
        assert (answer.status, answer.code) == (503, "paused"), answer.body
        assert first.operator.post(f"/admin/sales/{sale}/resume").status == 200
        eventually(lambda: second.buy(buyer, sale, pass_=pass_).status == 201, PATIENCE, "a yes after the pause")
    cluster.audit()


def test_what_one_node_has_changed_another_can_change_at_once(cluster):
    first, second = cluster.shops
    for round_ in range(5):
        item = first.item()["id"]
        assert second.operator.put(f"/admin/items/{item}", {"title": f"Better {round_}"}).status == 200
        sale = second.sale(item)["id"]
        for shop, verb in ((first, "pause"), (second, "resume")):
            answer = shop.operator.post(f"/admin/sales/{sale}/{verb}")
            assert (answer.status, answer.body["state"]) == (200, "paused" if verb == "pause" else "open"), answer.body
        assert first.operator.put(f"/admin/sales/{sale}", {"limit_per_buyer": 2}).status == 200
        assert second.operator.post(f"/admin/sales/{sale}/restock", {"delta": 1}).body["stock"]["total"] == 11


def test_blocks_of_one_node_are_seen_by_a_change_on_another(cluster):
    first, second = cluster.shops
    buyer = first.register()["id"]
    for round_ in range(3):
        assert first.operator.put(f"/admin/blocks/{buyer}", {"reason": "a robot"}).status == 200, round_
        assert second.operator.delete(f"/admin/blocks/{buyer}").status == 204, round_


def test_a_cancelled_unit_is_for_sale_on_all_nodes(cluster):
    sale = open_everywhere(cluster, stock=1)
    first, second = cluster.shops
    holder = first.buyer()
    order = first.bought(holder, sale)["order_id"]
    waiting = second.buyer()
    eventually(lambda: waiting.post(f"/sales/{sale}/passes").code == "sold_out", PATIENCE, "sold out")
    assert holder.post(f"/orders/{order}/cancel").status == 200
    eventually(lambda: waiting.post(f"/sales/{sale}/passes").status == 201, PATIENCE, "a unit again")
    eventually(lambda: second.buy(waiting, sale).status == 201, PATIENCE, "a yes")
    assert cluster.units_in_redis(sale) == 0


def test_readiness_and_metrics_speak_of_redis(cluster):
    for shop in cluster.shops:
        ready = shop.visitor.get("/readyz", api=False)
        assert ready.status == 200, ready.body
        assert [part for part in ready.body["parts"] if part["name"] == "redis"], ready.body
        assert "\nsluice_redis_up 1" in shop.visitor.get("/metrics", api=False).raw.decode()
        assert shop.server.log().count("redis.connected") == 1


def test_one_node_is_on_duty(cluster):
    def holders():
        """How many nodes have each duty."""
        found = collections.Counter()
        for node in cluster.nodes:
            found.update(re.findall(r'duty\.taken duty="(\w+)"', node.log()))
            found.subtract(re.findall(r'duty\.lost duty="(\w+)"', node.log()))
        return found

    # A node that was late to renew it hears a moment later that another one has it.
    eventually(lambda: holders()["duty"] == 1 and set(holders().values()) == {1}, PATIENCE, "one node on each duty")


def test_rotated_pass_keys_reach_every_node(cluster):
    sale = open_everywhere(cluster, stock=10, limit_per_buyer=5)
    first, second = cluster.shops
    here = first.buyer()
    there = second.client(here.token)
    old = key_id(first.pass_for(here, sale))
    printed = cluster.run("keys", "rotate", data=cluster.nodes[1].data)
    assert printed == f"key {old + 1} signs passes on all servers in some seconds\n"
    for shop, buyer in ((first, here), (second, there)):
        eventually(lambda: key_id(shop.pass_for(buyer, sale)) == old + 1, PATIENCE, "the new key")
    second.bought(there, sale, pass_=first.pass_for(here, sale))
    assert (cluster.nodes[0].data / "pass.keys").read_text() == (cluster.nodes[1].data / "pass.keys").read_text()


def test_a_node_with_another_master_key_does_not_start(cluster, tmp_path):
    stranger = Node("stranger", tmp_path / "stranger", cluster.env)
    done = run("serve", "--data", stranger.data, "--listen", "127.0.0.1:0", env=stranger.env)
    assert done.returncode == 1 and "another master.key" in done.stderr, done.stderr
    shutil.copy(cluster.nodes[0].data / "master.key", stranger.data / "master.key")
    stranger.start()
    stranger.stop()


def test_each_server_has_its_own_part_of_ids(cluster):
    with cluster.mariadb.connect(cluster.database) as connection:
        parts = [int(part) for [part] in connection.rows("SELECT part FROM ledger_nodes")]
    assert len(parts) >= len(cluster.nodes) and len(set(parts)) == len(parts)
    makers = {int(shop.item()["id"]) >> 12 & 1023 for shop in cluster.shops}
    assert len(makers) == len(cluster.nodes) and makers <= set(parts)
