"""Expired data is removed, accounting data is kept, and the database's log does not grow for ever."""

import re
import subprocess
import sys
import time

import pytest

from ledger import change, look, open_ledger
from process import eventually
from provider import Bought

DAY = 86_400_000


def count(shop, table, where="1 = 1", *values):
    return look(shop, f"SELECT count(*) FROM {table} WHERE {where}", *values)[0][0]


def id_of(millis):
    """The first id of an instant."""
    return (millis - 1_735_689_600_000) << 22


def test_what_is_over_is_forgotten_and_the_books_are_kept(start_shop):
    shop = start_shop(config="[payments]\nsandbox_days = 3\n")
    sale = shop.sale()["id"]
    order = Bought(shop, shop.buyers(1)[0], sale)
    payment = order.pay()
    order.press(payment, "succeed")
    order.becomes("paid")
    assert shop.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    order.refunded(1)
    eventually(lambda: count(shop, "sandbox_letters", "due_at IS NULL") == 2)
    shop.stop()

    now = int(time.time() * 1000)
    user = look(shop, "SELECT min(id) FROM users")[0][0]
    for age, mark in ((4 * DAY, 1), (2 * DAY, 2)):
        at = id_of(now - age)
        change(shop, "INSERT INTO sandbox_bills VALUES (?1, ?2, 1, 'CNY', 0, 0, 0)", f"bill {mark}", at)
        change(shop, "INSERT INTO sandbox_letters VALUES (?1, '{}', 0, NULL, 0)", at)
    change(shop, "INSERT INTO sessions VALUES (?1, ?2, ?3, ?3, 0, '')", bytes(32), user, now - DAY // 24)
    change(shop, "INSERT INTO receipts VALUES ('s', 'old', ?2, '', ?1)", now - DAY - 1, bytes(32))
    change(shop, "INSERT INTO receipts VALUES ('s', 'new', ?2, '', ?1)", now - DAY // 2, bytes(32))
    with open_ledger(shop.server.data) as ledger:
        columns = ledger.columns("stats_points")
    for seconds, age in ((1, DAY // 24 + 60_000), (1, 60_000), (60, 31 * DAY), (60, 29 * DAY)):
        zeros = ["'{}'" if name == "refusals" else "0" for name in columns[3:]]
        change(shop, f"INSERT INTO stats_points VALUES ({seconds}, {sale}, {now - age}, {', '.join(zeros)})")
    books = {table: look(shop, f"SELECT * FROM {table} ORDER BY 1, 2") for table in
             ("payments", "charges", "refunds", "payment_events", "orders", "journal", "audit_trail",
              "sandbox_refunds")}
    assert all(books.values()), books

    shop.server.start()
    eventually(lambda: count(shop, "sandbox_bills", "ref = 'bill 1'") == 0, what="the pruning")
    assert count(shop, "sandbox_bills") == 2 and count(shop, "sandbox_letters") == 3
    assert count(shop, "sessions", '"key" = ?1', bytes(32)) == 0
    assert look(shop, """SELECT "key" FROM receipts WHERE scope = 's'""") == [("new",)]
    assert look(shop, "SELECT seconds FROM stats_points WHERE at IN (?1, ?2, ?3, ?4) ORDER BY 1",
                 now - DAY // 24 - 60_000, now - 60_000, now - 31 * DAY, now - 29 * DAY) == [(1,), (60,)]
    for table, rows in books.items():
        assert look(shop, f"SELECT * FROM {table} ORDER BY 1, 2") == rows, table
    shop.audit()


READER = """
import sqlite3, sys
database = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, isolation_level=None)
database.execute("BEGIN").execute("SELECT count(*) FROM users").fetchall()
print("reading", flush=True)
sys.stdin.read()
"""


def wal_bytes(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return float(re.search(r"^sluice_ledger_wal_bytes (\S+)", page, re.M)[1])


@pytest.mark.sqlite_ledger
def test_a_long_reader_makes_the_log_grow_visibly_and_it_shrinks_by_itself(shop):
    """Another process reads from one snapshot while buyers and somebody with much to write go on."""
    sale = shop.sale(stock=1_000)["id"]
    log = shop.server.data / "sluice.db-wal"
    reader = subprocess.Popen([sys.executable, "-c", READER, shop.server.data / "sluice.db"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with reader:
        assert reader.stdout.readline() == b"reading\n"
        change(shop, "CREATE TABLE ballast (bytes BLOB)")
        for _ in range(20):
            change(shop, "INSERT INTO ballast VALUES (zeroblob(8000000))")
            change(shop, "DELETE FROM ballast")
            shop.bought(shop.buyers(1)[0], sale)
        assert log.stat().st_size > 140 << 20
        eventually(lambda: wal_bytes(shop) == log.stat().st_size, what="the metric")
        eventually(lambda: "ledger.log_is_long" in shop.server.log(), what="the warning")
        assert shop.visitor.get("/readyz", api=False).status == 200
        reader.stdin.close()
    eventually(lambda: log.stat().st_size < 1 << 20, 10, "the log being cut, with nobody writing")
    eventually(lambda: "ledger.log_is_short_again" in shop.server.log(), what="the all-clear")
    assert wal_bytes(shop) < 1 << 20
    shop.bought(shop.buyers(1)[0], sale)
    change(shop, "DROP TABLE ballast")
    shop.audit()
