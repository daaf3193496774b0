"""Several nodes: refusals, reads and durable yes through nginx on 1, 2 and 3 nodes, beside one process and bare MariaDB.

A node has one thread. All of them, nginx, Redis, MariaDB and the load share this machine, so requests a second say
little about more machines. What says it is the processor time of the nodes for each request: if it does not grow
with their number, and a refusal asks Redis and MariaDB for nothing, then each node adds what the first one has."""

import statistics
import tempfile
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import load
import machine
import mariadb_durable
import p1_refusals
import p2_durable
import purchases
from cluster import Cluster
from mariadb_server import MariaDbServer
from nginx_proxy import Nginx
from process import ROOT, eventually
from redis_server import RedisServer

NODES = 3
EACH_ADDS_AT_LEAST = 0.9
EDGE_AT_LEAST = 0.9  # of what one process refuses, in the same run
ASKED_AT_MOST = 0.01  # commands of Redis and statements of MariaDB for each refusal or read
BUYERS = 2_000
FIRST_GUESS = 2_000  # purchases in the first second, at most: their passes have to last until they are used
ENV = {"SLUICE_THREADS": "1", "SLUICE_HTTP_KEEP_ALIVE_REQUESTS": "1000000000", "SLUICE_LOG_LEVEL": "warn",
       "SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.1", "SLUICE_LIMITS_ENABLED": "true",
       "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "1000", "SLUICE_LIMITS_BUYING_PER_MINUTE": "60000",
       "SLUICE_LIMITS_BUYING_BURST": "60000"}


def measure(seconds, runs):
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-nodes-", dir=ROOT / "build") as folder:
        folder = Path(folder)
        mariadb = MariaDbServer(folder / "mariadb", options={
            "max_connections": 500, "innodb_buffer_pool_size": "512M", "innodb_log_file_size": "512M"})
        redis = RedisServer(folder / "redis", options={"appendfsync": "everysec"})
        with Cluster(folder / "nodes", nodes=1, env=ENV, mariadb=mariadb, redis=redis) as cluster:
            bench = Bench(cluster, folder, seconds, runs)
            edge = bench.compare_edge_with_one_process()
            steps = [bench.step(count) for count in range(1, NODES + 1)]
            cluster.audit()
            print("    audit holds")
            return bench.conclude(edge, steps)


class Bench:
    def __init__(self, cluster, folder, seconds, runs):
        self.cluster, self.folder, self.seconds, self.runs = cluster, folder, seconds, runs
        self.shop.folder = folder
        self.tokens = self.shop.minted(BUYERS)
        self.item = self.shop.item()["id"]
        self.rate = FIRST_GUESS / p2_durable.SPARE

    @property
    def shop(self):
        return self.cluster.shops[0]

    def compare_edge_with_one_process(self):
        """P1 on an edge, without nginx, beside P1 of one process. Each has a core of its own."""
        machine.pin(self.cluster.nodes[0].process.pid, machine.cores_for()[0])
        with purchases.shop_on_disk(limited=True) as alone:
            tokens = purchases.mint(alone, BUYERS)
            item = alone.item()["id"]
            sides = {"one process": lambda length: refuse(alone, item, tokens, alone.server, length),
                     "an edge": lambda length: refuse(self.shop, self.item, self.tokens, self.shop.server, length)}
            results = load.interleaved(sides, self.seconds, self.runs)
        ratio = results["an edge"].requests_per_second / results["one process"].requests_per_second
        print("  refusals, without nginx")
        for side, result in results.items():
            print(f"    {side:12}{result.requests_per_second:10,.0f} req/s{result.cpu_us_per_request:8.2f} us CPU each")
        print(f"    ratio  {ratio:10.2f} (target {EDGE_AT_LEAST}): {load.verdict(ratio >= EDGE_AT_LEAST)}")
        return {"runs": {side: asdict(result) for side, result in results.items()}, "ratio": ratio,
                "at_least": EDGE_AT_LEAST, "met": ratio >= EDGE_AT_LEAST}

    def step(self, count):
        """Everything on so many nodes."""
        while len(self.cluster.nodes) < count:
            self.cluster.add_node()
        for node in self.cluster.nodes:
            machine.pin(node.process.pid, machine.cores_for()[0])
        with self.in_front() as nginx:
            found = {"refusals": self.refusals(nginx), "reads": self.reads(nginx), "purchases": self.purchases(nginx)}
        print(f"  {count} node{'s' if count > 1 else ''}, through nginx")
        for name, each in found.items():
            parts = ", ".join(f"{part} {micros:.0f}" for part, micros in each["cpu_us"].items())
            print(f"    {name:10}{each['per_second']:9,.0f}/s   us CPU each: {parts}   asked: Redis "
                  f"{each['redis_commands']:.3f}, MariaDB {each['mariadb_statements']:.3f}")
        return found

    @contextmanager
    def in_front(self):
        with tempfile.TemporaryDirectory(prefix="nginx-", dir=self.folder) as folder:
            nginx = Nginx(Path(folder), [node.port for node in self.cluster.nodes]).start()
            try:
                yield nginx
            finally:
                nginx.stop()

    def refusals(self, nginx):
        def one_run(length):
            paths = p1_refusals.refused_addresses(self.shop, self.item, self.tokens)
            self.wait_for_all(paths[0])
            file = purchases.write_requests(self.shop, self.tokens, paths)
            return self.watched(nginx, length, load.PREPARED, file, refused=True)
        return self.median(one_run)

    def reads(self, nginx):
        sale = purchases.open_sale(self.shop, self.item)
        path = f"/api/v1/sales/{sale}"
        self.wait_for_all(f"{path}/orders/x")
        return self.median(lambda length: self.watched(nginx, length, path=path))

    def purchases(self, nginx):
        sale = purchases.open_sale(self.shop, self.item)
        self.wait_for_all(f"/api/v1/sales/{sale}/orders/x")

        def one_run(length):
            count = int(self.rate * length * p2_durable.SPARE) + 1000
            tokens = self.shop.minted(count)
            paths = purchases.addresses(self.shop, [(token, sale) for token in tokens])
            file = purchases.write_requests(self.shop, tokens, paths)
            seen = self.watched(nginx, length, load.PREPARED, file)
            if seen["requests"] > count:
                raise SystemExit(f"{count} buyers were too few; run it again for longer")
            self.rate = seen["per_second"]
            return seen
        return self.median(one_run)

    def wait_for_all(self, path):
        """All nodes know the sale, and that it is sold out if it is."""
        sale = path.split("/")[4]
        states = lambda: {shop.visitor.get(f"/sales/{sale}").body.get("state") for shop in self.cluster.shops}
        eventually(lambda: len(states()) == 1 and None not in states(), 60, "all nodes know the sale")

    def watched(self, nginx, length, *script, path="", refused=False):
        """One run of the load, with what it cost each part and what Redis and MariaDB were asked."""
        parts = {"nodes": [node.process.pid for node in self.cluster.nodes], "nginx": [nginx.process.pid],
                 "Redis": [self.cluster.redis.process.pid], "MariaDB": [self.cluster.mariadb.process.pid]}
        cpu = {name: spent(pids) for name, pids in parts.items()}
        asked = self.asked()
        url = f"http://127.0.0.1:{nginx.port}{path}"
        done = load.run(url, self.cluster.nodes[0].process.pid, length, *script, refused=refused)
        after = self.asked()
        return {"per_second": done.requests_per_second, "requests": done.requests, "p99_ms": done.p99_ms,
                "cpu_us": {name: (spent(pids) - cpu[name]) / done.requests * 1e6 for name, pids in parts.items()},
                "redis_commands": (after[0] - asked[0]) / done.requests,
                "mariadb_statements": (after[1] - asked[1]) / done.requests}

    def asked(self):
        """(commands of Redis, statements of MariaDB) so far."""
        stats = self.cluster.redis.ask("INFO", "stats")
        with self.cluster.mariadb.connect() as connection:
            [[_, questions]] = connection.rows("SHOW GLOBAL STATUS LIKE 'Questions'")
        return int(machine.first(r"total_commands_processed:(\d+)", stats)), int(questions)

    def median(self, one_run):
        """Of the runs, by their speed; the first one warms up."""
        one_run(max(2, self.seconds // 2))
        found = sorted((one_run(self.seconds) for _ in range(self.runs)), key=lambda each: each["per_second"])
        return found[len(found) // 2]

    def conclude(self, edge, steps):
        adds = {name: steps[0][name]["cpu_us"]["nodes"] / steps[-1][name]["cpu_us"]["nodes"]
                for name in ("refusals", "reads")}
        asked = max(step[name][what] for step in steps for name in adds
                    for what in ("redis_commands", "mariadb_statements"))
        raw, alone = mariadb_durable.bare(self.cluster.mariadb, 64)
        orders = [step["purchases"]["per_second"] for step in steps]
        met = edge["met"] and min(adds.values()) >= EACH_ADDS_AT_LEAST and asked <= ASKED_AT_MOST
        print(f"    each node adds {adds['refusals']:.2f} in refusals, {adds['reads']:.2f} in reads (target "
              f"{EACH_ADDS_AT_LEAST}), by processor time; Redis and MariaDB are asked {asked:.4f} times for each "
              f"(target {ASKED_AT_MOST})")
        print(f"    bare MariaDB beside the purchases: {raw:,.0f} orders/s 64 in a transaction, {alone:,.0f} one by one; "
              f"{statistics.median(orders) / alone:.1f} times one by one\n    {load.verdict(met)}")
        return {"edge": edge, "steps": steps, "each_node_adds": adds, "at_least": EACH_ADDS_AT_LEAST,
                "asked_for_each": asked, "asked_at_most": ASKED_AT_MOST, "raw_orders_per_second": raw,
                "alone_orders_per_second": alone, "met": met}


def spent(pids):
    return sum(machine.cpu_seconds(pid) for pid in pids)


def refuse(shop, item, tokens, server, length):
    file = purchases.write_requests(shop, tokens, p1_refusals.refused_addresses(shop, item, tokens))
    return load.run(server.url, server.process.pid, length, load.PREPARED, file, refused=True)
