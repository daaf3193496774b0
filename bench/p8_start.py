"""Start: from exec to the first 200, with a million orders stored."""

import sqlite3
import statistics
import subprocess
import time

import load
import nginx
import purchases
from process import BINARY, environment

AT_MOST_SECONDS = 1.0
ORDERS = 1_000_000
FILL = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :orders)
INSERT INTO {table} SELECT {values} FROM n, sales WHERE sales.id = :sale
"""
ROWS = {
    "users": "i, '+1' || printf('%014d', i), 'Buyer', 'buyer', NULL, created_at",
    "orders": "i, id, item_id, i, unhex16(i), 1, price_cents, currency, 'pending', starts_at, "
              "starts_at + 86400000, NULL",
    "journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, key, claimed_at, superseded)":
        "i, id, unhex16(i), 1, epoch, 2, NULL, i, unhex16(i), NULL, starts_at, 0",
    "holdings": "id, i, 1, unhex16(i)",
}


def measure(seconds, runs):
    with purchases.shop_on_disk() as shop:
        sale = purchases.open_sale(shop, stock=ORDERS + 1000)
        shop.stop()
        fill(shop, sale)
        times = [time_to_answer(shop, f"/api/v1/sales/{sale}") for _ in range(runs)]
        began = time.monotonic()
        purchases.audit(shop)
        audit_seconds = time.monotonic() - began
        shop.server.start()
    seconds_to_answer = statistics.median(times)
    met = seconds_to_answer <= AT_MOST_SECONDS
    print(f"    first 200 after {seconds_to_answer:.3f} s (target {AT_MOST_SECONDS}): {load.verdict(met)}; "
          f"the audit takes {audit_seconds:.2f} s")
    return {"seconds_to_answer": seconds_to_answer, "all": times, "orders": ORDERS,
            "audit_seconds": audit_seconds, "at_most": AT_MOST_SECONDS, "met": met}


def fill(shop, sale):
    connection = sqlite3.connect(shop.server.data / "sluice.db")
    connection.create_function("unhex16", 1, lambda i: i.to_bytes(16, "big"), deterministic=True)
    names = {"orders": ORDERS, "sale": sale}
    for table, values in ROWS.items():
        connection.execute(FILL.format(table=table, values=values), names)
    connection.execute("UPDATE sales SET stock_held = :orders, stock_left = stock_total - :orders WHERE id = :sale",
                       names)
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def time_to_answer(shop, path):
    """With a purchase path behind it: the sale is shown with what is left of it."""
    port = nginx.free_port()
    began = time.monotonic()
    server = subprocess.Popen([BINARY, "serve", "--data", shop.server.data, "--listen", f"127.0.0.1:{port}"],
                              env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        nginx.wait_for(port)
        answer = nginx.fetch(port, path)
        took = time.monotonic() - began
        if not answer.startswith(b"HTTP/1.1 200") or b'"left":1000' not in answer:
            raise SystemExit(answer.decode())
        return took
    finally:
        server.terminate()
        server.wait(20)
