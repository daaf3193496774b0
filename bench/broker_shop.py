"""A shop of one node with Redis, a RabbitMQ of three nodes and MariaDB, all on this machine."""

import re
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import purchases
from broker_cluster import BrokerCluster
from mariadb_server import MariaDbServer
from process import ROOT, eventually
from redis_server import RedisServer

DRAINS_WITHIN = 300
LINES = 32


class OneNode(BrokerCluster):
    roles = None  # it takes purchases, writes and keeps

    def __init__(self, folder):
        super().__init__(folder, edges=1, writers=0, env={"SLUICE_LOG_LEVEL": "warn", "SLUICE_HTTP_KEEP_ALIVE_REQUESTS": "1000000000"})
        # A commit waits for the disk, as it must before customers.
        self.mariadb = MariaDbServer(self.folder / "mariadb", options={
            "innodb_flush_log_at_trx_commit": "1", "innodb_buffer_pool_size": "512M", "innodb_log_file_size": "512M"})
        self.redis = RedisServer(self.folder / "redis", options={"appendfsync": "everysec"})


@contextmanager
def open_broker_shop():
    """The shop of the node; shop.cluster is all of it. On the disk of the tree, where a sync costs what it costs."""
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-broker-", dir=ROOT / "build") as folder:
        with OneNode(Path(folder)) as cluster:
            [shop] = cluster.shops
            shop.folder = Path(folder)
            yield shop


def open_sale(shop, stock):
    sale = shop.sale(stock=stock, gate_factor=10_000)["id"]
    buyer = shop.buyer()
    eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 201, 60, "a pass")
    return sale


def addresses(shop, sale, tokens):
    """Where each buys. A pass takes the node a round trip to Redis, so many lines ask at once; passes expire."""
    share = -(-len(tokens) // LINES)
    groups = [[(token, sale) for token in tokens[at:at + share]] for at in range(0, len(tokens), share)]
    with ThreadPoolExecutor(LINES) as pool:
        return [path for paths in pool.map(lambda group: purchases.addresses(shop, group), groups) for path in paths]


def wait_until_decided(shop, sale, orders):
    """Until the ledger has so many orders of the sale."""
    def decided():
        with shop.cluster.mariadb.connect(shop.cluster.database) as connection:
            [[count]] = connection.rows(f"SELECT count(*) FROM orders WHERE sale_id = {sale}")
        time.sleep(0.02)  # the question costs the ledger something too
        return int(count) >= orders and int(count)

    return eventually(decided, DRAINS_WITHIN, f"{orders} orders")


def metric(shop, name):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return float(re.search(rf"^{name} (\S+)$", page, re.M)[1])
