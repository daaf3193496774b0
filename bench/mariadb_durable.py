"""Durable yes on MariaDB: through one node, against raw MariaDB with the same rows and against one transaction per order."""

import re
import statistics
import subprocess
import tempfile
from dataclasses import asdict
from pathlib import Path

import load
import p2_durable
import purchases
import raw_ledger
from mariadb_server import MariaDbServer
from process import BINARY, ROOT, put_ledgers_on

RAW_AT_LEAST = 0.5
ALONE_AT_LEAST = 5
FIRST_GUESS = 15_000  # requests in the first second, at most


def measure(seconds, runs):
    (ROOT / "build").mkdir(exist_ok=True)
    # On the disk of the tree, where a sync costs what it costs.
    with tempfile.TemporaryDirectory(prefix="bench-mariadb-", dir=ROOT / "build") as folder:
        server = MariaDbServer(Path(folder), options={"innodb_buffer_pool_size": "512M",
                                                      "innodb_log_file_size": "512M"}).start()
        try:
            put_ledgers_on(server)
            return compare(server, seconds, runs)
        finally:
            put_ledgers_on(None)
            server.remove()


def compare(server, seconds, runs):
    rate, batches, done = FIRST_GUESS / p2_durable.SPARE, [], []
    with purchases.shop_on_disk(pinned=False) as shop:
        sale = purchases.open_sale(shop)
        for _ in range(runs):
            before = raw_ledger.commits(shop)
            run = p2_durable.buy(shop, sale, seconds, int(rate * seconds * p2_durable.SPARE) + 1000)
            batches.append(run.requests / (raw_ledger.commits(shop) - before))
            rate = run.requests_per_second
            done.append(run)
        purchases.audit(shop)
    orders = statistics.median(each.requests_per_second for each in done)
    batch = max(1, round(statistics.median(batches)))
    raw, alone = bare(server, batch)
    met = orders / raw >= RAW_AT_LEAST and orders / alone >= ALONE_AT_LEAST
    print(f"    sluice {orders:10,.0f} orders/s, {batch} orders a commit")
    print(f"    raw    {raw:10,.0f} orders/s in such commits: {orders / raw:.2f} (target {RAW_AT_LEAST})")
    print(f"    alone  {alone:10,.0f} orders/s, a transaction each: {orders / alone:.1f} (target {ALONE_AT_LEAST})")
    print(f"    {load.verdict(met)}")
    return {"runs_of_sluice": [asdict(each) for each in done], "orders_per_second": orders, "batch": batch,
            "raw_orders_per_second": raw, "raw_ratio": orders / raw, "raw_at_least": RAW_AT_LEAST,
            "alone_orders_per_second": alone, "alone_ratio": orders / alone,
            "alone_at_least": ALONE_AT_LEAST, "met": met}


def bare(server, batch):
    program = next(BINARY.parent.rglob("mariadb_bench"))
    done = subprocess.run([program, server.socket, str(batch)], capture_output=True, text=True, check=True)
    return tuple(float(re.search(rf"^{name} (\d+)", done.stdout, re.M)[1]) for name in ("raw", "alone"))
