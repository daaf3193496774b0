"""A cluster behind nginx loses a node under load, by a kill, a hang or an update: shoppers go on at another node.
And whatever node does it, webhooks are told once."""

import signal
import time

import pytest

from client import Client
from cluster import Cluster
from crowd import Buyer, Lost
from nginx_proxy import Nginx
from process import eventually
from receiver import Receiver
from test_cluster_faults import rests_equal
from test_cluster_sale import PATIENCE, ask_for, get_passes, open_everywhere
from test_faults_sale import check_tickets

ENV = {"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.1", "SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8",
       "SLUICE_WEBHOOKS_FIRST_PAUSE_MS": "100"}
# nginx gives a node 15 seconds for a purchase; then another one gets the request.
HANGS_FOR_AT_MOST = 30


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=3, env=ENV) as cluster:
        yield cluster


@pytest.fixture
def cluster(parts):
    """Whole again after each test."""
    yield parts
    for index, node in enumerate(parts.nodes):
        if not node.running:
            parts.restart_node(index)


@pytest.fixture
def nginx(cluster, tmp_path):
    """Each request goes to a random node."""
    nginx = Nginx(tmp_path / "nginx", [node.port for node in cluster.nodes], choice="random").start()
    yield nginx
    nginx.stop()


class Visit:
    """One shopper's way through the shop, with all that was heard."""

    def __init__(self, token, key):
        self.buyer = Buyer(token, key=key)
        self.heard = []
        self.longest = 0

    async def go(self, line, sale):
        await self._ask(line.ask("GET", f"/sales/{sale}", self.buyer.token))
        await self._ask(self.buyer.pass_and_buy(line, sale))
        self.heard += self.buyer.log
        await self._ask(line.ask("GET", "/orders", self.buyer.token))

    async def _ask(self, asked):
        began = time.monotonic()
        try:
            reply = await asked
            if reply is not None:
                self.heard.append((reply.status, reply.code))
        except Lost:
            self.heard.append(("lost", None))
        self.longest = max(self.longest, time.monotonic() - began)


def visits(cluster, count):
    return [Visit(token, "k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(count))]


def go_through(cluster, nginx, sale, everybody, blow, lines=24):
    """All visit the shop; `blow` happens when a third of them have begun."""
    until = len(everybody) // 3

    async def act(line, visit):
        nonlocal until
        until -= 1
        if until == 0:
            blow()
        await visit.go(line, sale)

    cluster.rush(act, everybody, lines=lines, ports=[nginx.port])


def expect_all_sold(cluster, sale, everybody, index):
    """One order for each visitor; read at a node that was not hit."""
    buyers = [visit.buyer for visit in everybody]
    assert all(buyer.bought for buyer in buyers), [buyer.log for buyer in buyers if not buyer.bought][:5]
    assert len({buyer.bought["order_id"] for buyer in buyers}) == len(buyers)
    check_tickets(cluster.shops[index], sale, buyers)
    rests_equal(cluster, sale)
    cluster.audit()


def test_a_node_that_is_updated_is_not_noticed(cluster, nginx):
    sale = open_everywhere(cluster, stock=1_000)
    everybody = visits(cluster, 600)
    go_through(cluster, nginx, sale, everybody, cluster.nodes[1].terminate)
    assert cluster.nodes[1].wait() == 0
    said = {each for visit in everybody for each in visit.heard}
    assert said <= {(200, None), (201, None)}, (said, [line for line in nginx.accesses() if '" 50' in line][:5])
    expect_all_sold(cluster, sale, everybody, 0)


def test_a_node_that_is_killed_costs_no_purchase(cluster, nginx):
    sale = open_everywhere(cluster, stock=1_000)
    everybody = visits(cluster, 400)
    buyers = [visit.buyer for visit in everybody]
    get_passes(cluster, sale, buyers)
    for buyer in buyers:
        buyer.log.clear()
    # Log in at the node that goes away: the others know the session.
    shop = cluster.shops[1]
    stays = Client(nginx.port, shop.log_in(shop.register()["phone"]), timeout=60)
    go_through(cluster, nginx, sale, everybody, cluster.nodes[1].process.kill)
    cluster.nodes[1].wait()
    said = {each for visit in everybody for each in visit.heard}
    assert said <= {(200, None), (201, None)}, said
    for _ in range(10):
        assert stays.get("/sessions/current").status == 200
    shop.bought(stays, sale)
    expect_all_sold(cluster, sale, everybody, 0)


def test_a_node_that_hangs_delays_its_buyers_and_loses_nothing(cluster, nginx, record_property):
    sale = open_everywhere(cluster, stock=1_000)
    everybody = visits(cluster, 200)
    get_passes(cluster, sale, [visit.buyer for visit in everybody])
    process = cluster.nodes[1].process

    async def buy(line, visit):
        await visit._ask(visit.buyer.buy(line, sale))

    process.send_signal(signal.SIGSTOP)
    try:
        cluster.rush(buy, everybody, lines=24, ports=[nginx.port])
    finally:
        process.send_signal(signal.SIGCONT)
    longest = max(visit.longest for visit in everybody)
    record_property("took", f"the longest purchase beside a node that hangs: {longest:.1f} s")
    assert longest < HANGS_FOR_AT_MOST
    expect_all_sold(cluster, sale, everybody, 0)
    eventually(lambda: cluster.shops[1].stock(sale)["held"] == 200, PATIENCE, "the node has caught up")
    cluster.shops[1].bought(cluster.shops[1].buyer(), sale)


@pytest.fixture
def receiver(tmp_path):
    receiver = Receiver(tmp_path / "receiver")
    yield receiver
    receiver.stop()


def on_duty(cluster):
    """The index of the node that tells webhooks."""
    shop = next(shop for shop, node in zip(cluster.shops, cluster.nodes) if node.running)
    listed = shop.operator.get("/admin/nodes").body["nodes"]
    urls = [node["url"] for node in listed if node["on_duty"] and node["state"] == "running"]
    found = [i for i, node in enumerate(cluster.nodes) if node.running and [node.url] == urls]
    return found[0] if found else None


def test_webhooks_are_told_once_whichever_node_it_was(cluster, nginx, receiver):
    sale = open_everywhere(cluster, stock=1_000)
    shop = cluster.shops[0]
    hook = shop.operator.post("/admin/webhooks", {"url": receiver.url(), "events": ["order.created"]})
    assert hook.status == 201, hook.body
    try:
        told = [visit.buyer for visit in visits(cluster, 60)]
        cluster.rush(ask_for(sale), told, ports=[nginx.port])
        receiver.hears(60, PATIENCE)
        assert len(receiver.heard()) == 60, "each event is posted once"

        away = eventually(lambda: (lambda found: found is not None and [found])(on_duty(cluster)), PATIENCE, "a duty")[0]
        later = [visit.buyer for visit in visits(cluster, 60)]
        cluster.nodes[away].process.kill()
        cluster.nodes[away].wait()
        cluster.rush(ask_for(sale), later, ports=[nginx.port])
        assert all(buyer.bought for buyer in told + later)
        eventually(lambda: len(receiver.taken()) == 120, PATIENCE, "the other node on duty")
        assert len(receiver.heard()) == 120, "nothing was under way when the node was killed, so nothing comes twice"
        orders = {each.event["data"]["id"] for each in receiver.taken()}
        assert orders == {buyer.bought["order_id"] for buyer in told + later}
    finally:
        standing = next(shop for shop, node in zip(cluster.shops, cluster.nodes) if node.running)
        assert standing.operator.delete(f"/admin/webhooks/{hook.body['id']}").status == 204
