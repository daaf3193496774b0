"""A cluster whose edges hand purchases to a broker and whose writers make orders of them, and buyers who remember
every ticket that they were told."""

import asyncio
import itertools
import random
import threading
import time
from dataclasses import dataclass, field

from client import Client
from cluster import Cluster, Node
from crowd import Buyer, Line, Lost
from process import eventually
from rabbitmq_server import HEALS_WITHIN, PASSWORD, USER, RabbitMqCluster
from test_cluster_sale import PATIENCE, open_everywhere

QUEUE = "sluice.tickets"
ANSWERED_WITHIN = 30  # seconds, whatever has happened; on a busy machine
DECIDED_WITHIN = 180  # seconds after everything runs again


class BrokerCluster(Cluster):
    """As Cluster, and:

    cluster.broker             a RabbitMqCluster
    cluster.nodes              the edges
    cluster.writers            the nodes that write and keep
    cluster.add_writer()       one more, started; `env` has settings of its own
    cluster.heal()             everything runs again
    cluster.queued()           messages that wait for a writer"""

    roles = ["edge"]

    def __init__(self, folder, *, edges=2, writers=2, broker=None, urls=None, env=None):
        self.broker = broker or RabbitMqCluster()
        found = {"SLUICE_BROKER_KIND": "rabbitmq", "SLUICE_BROKER_URLS": ",".join(urls or self.broker.urls),
                 "SLUICE_BROKER_USER": USER, "SLUICE_BROKER_PASSWORD": PASSWORD, **(env or {})}
        super().__init__(folder, nodes=edges, env=found)
        self.writers = []
        self.writer_count = writers
        self._writer_numbers = itertools.count(1)

    def start(self):
        try:
            self.broker.start()
            # The first node to start makes the tables. A sale that it makes is known to others when a keeper has
            # filled its hot copy, so the writers come before anybody sells.
            super().start()
            while len(self.writers) < self.writer_count:
                self.add_writer()
        except BaseException:
            self.remove()
            raise
        return self

    def add_writer(self, env=None):
        name = f"writer-{next(self._writer_numbers)}"
        writer = Node(name, self.folder / name, {**self.env, **(env or {})}, ["writer", "keeper"])
        self._copy_keys(writer)
        self.writers.append(writer)
        writer.start()
        return writer

    def queued(self):
        return self.broker.count(QUEUE)[0]

    def heal(self):
        for server in (self.mariadb, self.redis):
            server.thaw()
            if not server.running:
                server.start()
        self.broker.heal()
        for index, node in enumerate(self.nodes):
            if not node.running:
                self.restart_node(index)
        for writer in self.writers:
            if not writer.running:
                writer.start()
        for node in self.nodes + self.writers:
            eventually(lambda: is_ready(node), HEALS_WITHIN, f"{node.name} is ready")

    def stop(self):
        super().stop()
        for writer in self.writers:
            if writer.running:
                writer.stop()

    def remove(self):
        for writer in self.writers:
            writer.kill()
        super().remove()
        self.broker.remove()


def is_ready(node):
    client = Client(node.port, timeout=30)
    try:
        return client.get("/readyz", api=False).status == 200
    finally:
        client.close()


@dataclass(eq=False)
class Wisher(Buyer):
    """A buyer who wants one order, and remembers every ticket that an answer has named."""
    told: list = field(default_factory=list)      # tickets with 201 or 202
    ordered: dict = field(default_factory=dict)   # ticket -> order
    refused: dict = field(default_factory=dict)   # ticket -> why
    slowest: float = 0.0                          # seconds until an answer

    @property
    def waits(self):
        """For the decision on a ticket."""
        return [ticket for ticket in self.told if ticket not in self.ordered and ticket not in self.refused]

    async def pass_and_buy(self, line, sale):
        """A pass that has expired unused is replaced by another: on a busy machine a fault takes its time."""
        await super().pass_and_buy(line, sale)
        if self.log[-1] == (403, "pass_invalid") and not self.told:
            self.log.pop()
            self.pass_ = None
            await super().pass_and_buy(line, sale)

    async def buy(self, line, sale):
        self.asked = True
        began = time.monotonic()
        try:
            reply = await asyncio.wait_for(
                line.ask("POST", f"/sales/{sale}/orders/{self.pass_}", self.token, None, self.key), ANSWERED_WITHIN)
        except asyncio.TimeoutError:
            raise AssertionError(f"no answer in {ANSWERED_WITHIN} s after {self.log}") from None
        finally:
            self.slowest = max(self.slowest, time.monotonic() - began)
        self.log.append((reply.status, reply.code))
        if reply.status in (201, 202):
            ticket = reply.body["ticket"]
            if ticket not in self.told:
                self.told.append(ticket)
            if reply.status == 201:
                self.note({**reply.body, "state": "ordered"})
        else:
            self.refusal = reply.code
        return reply

    def note(self, body):
        """Notes what was said of a ticket. A decision must never change."""
        ticket = body["ticket"]
        if body["state"] == "ordered":
            assert self.ordered.setdefault(ticket, body["order_id"]) == body["order_id"], "two orders for one ticket"
            assert ticket not in self.refused, f"{ticket} was refused and then ordered"
        elif body["state"] == "refused":
            assert self.refused.setdefault(ticket, body["reason"]) == body["reason"], "two reasons for one ticket"
            assert ticket not in self.ordered, f"{ticket} was ordered and then refused"


def open_sale(cluster, **draft):
    return open_everywhere(cluster, **draft)


def wishers(cluster, count):
    return [Wisher(token, key="k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(count))]


def rush_into(cluster, sale, buyers, *blows):
    """All buy at once. Each blow happens when a random part of them has begun, while others are under way."""
    moments = sorted(random.sample(range(1, len(buyers) * 3 // 4), len(blows)))
    begun = 0
    threads = []

    async def act(line, buyer):
        nonlocal begun
        begun += 1
        while moments and begun >= moments[0]:
            moments.pop(0)
            threads.append(threading.Thread(target=blows[len(threads)]))
            threads[-1].start()
        await buyer.pass_and_buy(line, sale)

    cluster.rush(act, buyers)
    for thread in threads:
        thread.join()


def all_ask(cluster, sale, buyers):
    """Every buyer without an order and without a queued ticket repeats the same request."""
    async def act(line, buyer):
        await buyer.pass_and_buy(line, sale)

    cluster.rush(act, [buyer for buyer in buyers if not buyer.ordered and not buyer.waits])


def look_up(cluster, buyers):
    """Asks for every undecided ticket, at a random edge. Each of them must be found."""
    pairs = [(buyer, ticket) for buyer in buyers for ticket in buyer.waits]

    async def act(line, group):
        for buyer, ticket in group:
            reply = await asyncio.wait_for(line.ask("GET", f"/tickets/{ticket}", buyer.token), ANSWERED_WITHIN)
            assert reply.status in (200, 503), f"{ticket} was told and is not found: {reply.status} {reply.body}"
            if reply.status == 200:
                buyer.note(reply.body)

    cluster.rush(act, [pairs[i:i + 20] for i in range(0, len(pairs), 20)], lines=8)


def wait_for_decisions(cluster, buyers, within=DECIDED_WITHIN):
    """Waits until every ticket that was told is ordered or refused. Returns how long that took."""
    began = time.monotonic()

    def all_decided():
        look_up(cluster, buyers)
        return not any(buyer.waits for buyer in buyers)

    eventually(all_decided, within, "a decision on every ticket that was told")
    return time.monotonic() - began


def check_history(cluster, sale, buyers, units):
    """When everything runs again: every ticket that was told ends, none in a refusal, since there is enough for all and
    Redis was not lost; everybody who asks again has one order and no more; and all books agree. Returns how long the
    decisions took."""
    took = wait_for_decisions(cluster, buyers)
    refused = {ticket: reason for buyer in buyers for ticket, reason in buyer.refused.items()}
    assert not refused, f"tickets that were told came to nothing: {refused}"

    def all_have():
        all_ask(cluster, sale, buyers)
        look_up(cluster, buyers)
        return all(buyer.ordered for buyer in buyers)

    eventually(all_have, DECIDED_WITHIN, "an order for everybody")
    orders = [order for buyer in buyers for order in buyer.ordered.values()]
    assert len(orders) == len(set(orders)) == len(buyers), "one order for each buyer"
    with cluster.mariadb.connect(cluster.database) as connection:
        stored = [order for [order] in connection.rows(f"SELECT id FROM orders WHERE sale_id = {sale}")]
    strangers = set(map(str, stored)) - set(orders)
    # Those of open_sale(), one on each edge, have a pass and buy nothing.
    assert not strangers and len(stored) == len(buyers), f"orders that nobody knows of: {sorted(strangers)[:5]}"
    left = units - len(buyers)
    for shop in cluster.shops:
        eventually(lambda: shop.stock(sale) == {"total": units, "left": left, "held": len(buyers), "sold": 0}, PATIENCE,
                   "the stock")
    eventually(lambda: cluster.queued() == 0, PATIENCE, "an empty queue")
    eventually(lambda: cluster.units_in_redis(sale) == left, PATIENCE, "Redis and the ledger agree")
    cluster.audit()
    return took
