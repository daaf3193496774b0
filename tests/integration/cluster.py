"""Several servers that sell the same sales: nodes over one MariaDB and one Redis, all real processes."""

import asyncio
import json
import random
import shutil
from pathlib import Path

from crowd import Line, Lost
from mariadb_server import MariaDbServer
from process import Server, run
from redis_server import RedisServer
from shop import PASSWORD, Shop, new_phone

KEYS = ("master.key",)  # the ledger has the others


class Node(Server):
    """One server. It can be killed and started again on the same data folder."""

    def __init__(self, name, folder, env, roles=None):
        Path(folder).mkdir(parents=True)
        super().__init__(folder, env=env, arguments=["--role", ",".join(roles)] if roles else [])
        self.name = name


class ClusterShop(Shop):
    """What tests make in the cluster, by the node on which it was made."""

    def __init__(self, cluster, node):
        self.cluster = cluster
        super().__init__(node, cluster.operator_phone)

    def minted(self, count):
        return self.cluster.run("mint", "--buyers", count, timeout=60 + count // 1_000).split()

    def audit(self, *arguments):
        return self.cluster.audit(*arguments)


class Cluster:
    """`with Cluster(folder, nodes=3) as cluster:` starts all parts and ends them.

    cluster.mariadb, cluster.redis   the servers behind: start(), stop(), kill(), freeze(), thaw()
    cluster.nodes                    the servers in front: .port, .url, .log(), kill(), start()
    cluster.shops[i]                 a Shop (see shop.py) on node i, logged in as the operator
    cluster.add_node()               one more node, started; env= has settings of its own
    cluster.restart_node(i)          after a kill; cluster.shops[i] is new then
    cluster.rush(act, everybody)     as crowd.rush, each time on a node by chance
    cluster.units_in_redis(sale)     what is left to claim there; None when there is no copy
    cluster.run("audit", …)          a command of the program on this ledger; what it printed
    cluster.audit()                  which must find that everything holds"""

    roles = None  # of a node: all

    def __init__(self, folder, *, nodes=2, env=None, mariadb=None, redis=None):
        self.folder = Path(folder)
        self.count = nodes
        self.more_env = env or {}
        # A killed process loses nothing that the kernel has, so nothing needs to wait for the disk.
        self.mariadb = mariadb or MariaDbServer(options={"max_connections": 500, "innodb_flush_method": "nosync"})
        self.redis = redis or RedisServer()
        self.database = None
        self.operator_phone = new_phone()
        self._made = 0
        self.nodes = []
        self.shops = []

    @property
    def env(self):
        """The settings with which a node, or a command, finds the ledger and Redis."""
        return {"SLUICE_LEDGER_KIND": "mariadb", "SLUICE_LEDGER_USER": "root",
                "SLUICE_LEDGER_URL": f"mariadb://localhost/{self.database}?socket={self.mariadb.socket}",
                "SLUICE_HOT_KIND": "redis", "SLUICE_HOT_URL": self.redis.url, **self.more_env}

    def start(self):
        try:
            self.mariadb.start()
            self.database = self.mariadb.add_database(migrated=False)
            self.redis.start()
            while len(self.nodes) < self.count:
                self.add_node()
        except BaseException:
            self.remove()
            raise
        return self

    def add_node(self, env=None):
        self._made += 1
        name = f"node-{self._made}"
        node = Node(name, self.folder / name, {**self.env, **(env or {})}, self.roles)
        if self.nodes:
            self._copy_keys(node)
        else:
            self.run("user", "add", "--phone", self.operator_phone, "--role", "admin", "--password-stdin",
                     stdin=PASSWORD + "\n", data=node.data)
        self.nodes.append(node)
        node.start()
        self.shops.append(ClusterShop(self, node))
        return node

    def restart_node(self, index):
        self.nodes[index].start()
        self.shops[index] = ClusterShop(self, self.nodes[index])
        return self.shops[index]

    def rush(self, act, everybody, lines=48, ports=None):
        """`await act(line, each)` for everybody, on connections to the nodes that run, or to these ports. Lost is
        ignored: each has noted what it was told."""
        ports = ports or [node.port for node in self.nodes if node.running]

        async def work():
            waiting = iter(list(everybody))

            async def serve(line):
                for each in waiting:
                    try:
                        await act(line, each)
                    except Lost:
                        pass

            all_lines = [Line(random.choice(ports)) for _ in range(lines)]
            try:
                await asyncio.gather(*(serve(line) for line in all_lines))
            finally:
                for line in all_lines:
                    line.close()

        asyncio.run(work())

    def units_in_redis(self, sale):
        base = f"sluice:{{{sale}}}:"
        epoch = self.redis.ask("GET", base + "epoch")
        left = epoch and self.redis.ask("GET", f"{base}{epoch}:left")
        return None if left is None else int(left)

    def run(self, *arguments, stdin="", data=None, timeout=120):
        done = run(arguments[0], *arguments[1:], "--data", data or self.nodes[0].data, stdin=stdin, env=self.env,
                   timeout=timeout)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def audit(self, *arguments):
        report = json.loads(self.run("audit", "--json", *arguments))
        assert report["holds"] and all(check["holds"] for check in report["checks"]), report
        return report

    def stop(self):
        """All nodes stop cleanly, and then the servers behind them."""
        self.redis.thaw()
        self.mariadb.thaw()
        for shop in self.shops:
            shop._hang_up()
        for node in self.nodes:
            if node.running:
                node.stop()

    def remove(self):
        for node in self.nodes:
            node.kill()
        self.redis.remove()
        self.mariadb.remove()

    def __enter__(self):
        return self.start()

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.stop()
        finally:
            self.remove()

    def _copy_keys(self, node):
        """As an operator does for a new node."""
        node.data.mkdir(mode=0o700)
        for name in KEYS:
            shutil.copy(self.nodes[0].data / name, node.data / name)
