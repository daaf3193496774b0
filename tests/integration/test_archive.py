"""Sales that ended long ago move into the archive; nothing that was promised or paid is lost."""

import json
import re
import shutil
import sqlite3
import subprocess
import time
import urllib.parse

import pytest

from ledger import open_ledger
from process import BINARY, Server, environment, eventually, mariadb_of_ledgers, run
from mariadb_client import SqlError
from provider import Bought, outcome, succeeded, tell

DAYS = 100
SHIFT = DAYS * 24 * 3600 * 1000


def archive(shop, *more, data=None):
    return run("archive", "--data", data or shop.server.data, *more)


def age(data, sale):
    """Moves the whole sale, with its orders and tickets, a hundred days into the past."""
    with open_ledger(data) as ledger:
        for table, columns in {"sales": ("starts_at", "ends_at", "ended_at", "created_at"),
                               "orders": ("created_at", "expires_at", "paid_at"),
                               "journal": ("claimed_at",)}.items():
            moved = ", ".join(f"{column} = {column} - {SHIFT}" for column in columns)
            key = "id" if table == "sales" else "sale_id"
            ledger.change(f"UPDATE {table} SET {moved} WHERE {key} = ?1", int(sale))


def rows(data, table, sale, *, archived=False):
    """How many rows of the sale are in the ledger, or in its archive."""
    if mariadb_of_ledgers():
        with open_ledger(data) as ledger:
            return ledger.value(f"SELECT count(*) FROM {'archived_' * archived}{table} WHERE sale_id = ?1", int(sale))
    with sqlite3.connect(data / ("archive.db" if archived else "sluice.db")) as database:
        count = database.execute(f"SELECT count(*) FROM {table} WHERE sale_id = ?", (sale,)).fetchone()[0]
    database.close()
    return count


class Past:
    """A sale with a paid, a cancelled and an expired order, which ended long ago."""

    def __init__(self, shop):
        self.shop = shop
        self.sale = shop.sale(stock=10, hold_seconds=1)["id"]
        self.buyers = shop.buyers(3)
        self.paid, self.cancelled, self.expired = (Bought(shop, buyer, self.sale) for buyer in self.buyers)
        self.payment = self.paid.pay()
        assert outcome(shop.visitor, succeeded(self.payment, self.paid.total)) == "captured"
        self.buyers[1].post(f"/orders/{self.cancelled.id}/cancel")
        self.expired.becomes("expired", 10)
        assert shop.operator.post(f"/admin/sales/{self.sale}/end").status == 200
        ended = self.window()
        age(shop.server.data, self.sale)
        eventually(lambda: self.window() != ended, what="the server's look at the change")
        self.seen = self.look()

    def window(self):
        return self.shop.visitor.get(f"/sales/{self.sale}").body["ends_at"]

    def look(self):
        """Everything that shoppers and operators see of the sale's orders."""
        get = self.shop.operator.get
        return {
            "orders": get(f"/admin/orders?sale_id={self.sale}").body["orders"],
            "paid": get(f"/admin/orders?sale_id={self.sale}&state=paid").body["orders"],
            "csv": get(f"/admin/orders.csv?sale_id={self.sale}").raw,
            "one": get(f"/admin/orders/{self.paid.id}").body,
            "mine": [buyer.get("/orders").body["orders"] for buyer in self.buyers],
            "ticket": [buyer.get(f"/sales/{self.sale}/ticket").body for buyer in self.buyers],
            "audit": get(f"/admin/sales/{self.sale}/audit").body["holds"],
            "sale": {**self.shop.visitor.get(f"/sales/{self.sale}").body, "now": None},
        }


@pytest.fixture
def past(start_shop):
    return Past(start_shop())


def test_everything_is_still_seen(past):
    shop, data = past.shop, past.shop.server.data
    done = archive(shop)
    assert done.returncode == 0 and "1 of 1 sales archived" in done.stdout, done.stdout + done.stderr
    assert [rows(data, table, past.sale) for table in ("orders", "journal", "holdings")] == [0, 0, 0]
    assert rows(data, "orders", past.sale, archived=True) == 3
    assert past.look() == past.seen
    shop.audit()
    shop.audit("--sale", past.sale)
    trail = shop.operator.get("/admin/audit-trail").body["entries"]
    assert any(deed["action"] == "sale.archive" and deed["subject"] == past.sale for deed in trail)
    shop.restart()
    past.buyers = [shop.client(buyer.token) for buyer in past.buyers]
    assert past.look() == past.seen
    assert "0 of 0 sales archived" in archive(shop).stdout


def test_lists_of_a_buyer_with_orders_in_both(past):
    buyer, shop = past.buyers[0], past.shop
    newer = shop.bought(buyer, shop.sale()["id"])["order_id"]
    archive(shop)
    first = buyer.get("/orders?limit=1").body
    second = buyer.get(f"/orders?limit=1&cursor={first['next_cursor']}").body
    assert [first["orders"][0]["id"], second["orders"][0]["id"]] == [newer, past.paid.id]


def test_orders_found_by_the_buyers_phone_and_name_are_in_both(past):
    shop = past.shop
    newer = shop.bought(past.buyers[0], shop.sale()["id"])["order_id"]
    assert "1 of 1 sales archived" in archive(shop).stdout
    buyer = shop.operator.get(f"/admin/orders/{newer}").body
    name = urllib.parse.quote(buyer["buyer_name"])
    for query in (f"phone={buyer['buyer_phone']}", f"phone={buyer['buyer_phone']}&buyer_name={name}",
                  f"buyer_name={name}&buyer={buyer['buyer_id']}"):
        found = shop.operator.get(f"/admin/orders?{query}").body["orders"]
        assert [order["id"] for order in found] == [newer, past.paid.id], query


def broken_promises(shop):
    report = run("audit", "--data", shop.server.data, "--json")
    return report.returncode, [check["name"] for check in json.loads(report.stdout)["checks"] if not check["holds"]]


@pytest.mark.sqlite_ledger
def test_what_the_audit_says_of_a_changed_archive(past):
    shop, file = past.shop, past.shop.server.data / "archive.db"
    archive(shop)
    shop.audit()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE orders SET price_cents = price_cents + 1 WHERE id = ?", (past.expired.id,))
    database.close()
    assert broken_promises(shop) == (1, ["archive"])
    shop.stop()
    moved = file.rename(file.with_name("elsewhere"))
    report = run("audit", "--data", shop.server.data)
    assert report.returncode == 1 and "archive.db is missing" in report.stdout
    moved.rename(file)
    shop.server.start()


def test_rows_of_an_archive_in_tables_stand_as_they_are(past):
    if not mariadb_of_ledgers():
        pytest.skip("SQLite has the archive in a file")
    shop = past.shop
    archive(shop)
    with open_ledger(shop.server.data) as ledger:
        for sql in ("UPDATE archived_orders SET quantity = quantity", "DELETE FROM archived_orders",
                    "UPDATE archived_charges SET at = at", "DELETE FROM archived_charges"):
            with pytest.raises(SqlError, match="stand as they are"):
                ledger.change(sql)
        ledger.change("SET @sluice_archives = 1")
        with pytest.raises(SqlError, match="stand as they are"):
            ledger.change("DELETE FROM archived_orders WHERE sale_id = ?1", int(past.sale))
        # A row that somebody puts in is no order, and the audit says so.
        ledger.change("INSERT INTO archived_holdings (sale_id, buyer_id, units) VALUES (?1, 1, 0)", int(past.sale))
    status, broken = broken_promises(shop)
    assert status == 1 and "archive" in broken
    refused = archive(shop, "--bring-back", past.sale)
    assert refused.returncode == 1 and "is not what was moved" in refused.stderr
    with open_ledger(shop.server.data) as ledger:
        ledger.change("DROP TRIGGER archived_holdings_are_not_removed")
        ledger.change("DELETE FROM archived_holdings WHERE sale_id = ?1 AND buyer_id = 1", int(past.sale))
    said = run("audit", "--data", shop.server.data)
    assert said.returncode == 2 and "archived_holdings_are_not_removed is missing" in said.stderr, said.stderr


def test_a_refund_brings_the_sale_back(past):
    shop = past.shop
    archive(shop)
    answer = shop.operator.post(f"/admin/orders/{past.paid.id}/refund")
    assert (answer.status, answer.body["state"]) == (200, "refunded")
    assert rows(shop.server.data, "orders", past.sale) == 3
    assert past.paid.state == "refunded"
    assert [order["id"] for order in shop.operator.get(
        f"/admin/orders?sale_id={past.sale}&state=paid").body["orders"]] == []
    shop.audit()


def test_a_webhook_that_was_made_meanwhile_is_told_of_what_happens_from_then_on(start_shop):
    past = Past(start_shop(env={"SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8"}))
    archive(past.shop)
    assert past.shop.operator.post("/admin/webhooks", {"url": "http://127.0.0.1:9/"}).status == 201
    assert past.shop.operator.post(f"/admin/orders/{past.paid.id}/refund").status == 200
    past.shop.audit()


def test_money_that_comes_after_all_that_time(past):
    shop = past.shop
    archive(shop)
    told = succeeded(past.payment, past.paid.total)
    assert outcome(shop.visitor, told) == "refund_owed", "it was paid before, so this is too much"
    assert outcome(shop.visitor, told) == "repeated"
    assert past.paid.state == "paid"
    shop.audit()


def test_old_orders_are_refused_as_before(past):
    shop, buyer = past.shop, past.buyers[2]
    archive(shop)
    assert buyer.post(f"/orders/{past.expired.id}/cancel").status == 409
    assert buyer.post(f"/orders/{past.expired.id}/payments").status == 409
    assert past.buyers[1].post(f"/orders/{past.cancelled.id}/cancel").status == 200
    assert past.buyers[0].post(f"/orders/{past.expired.id}/cancel").status == 404
    assert rows(shop.server.data, "orders", past.sale) == 0, "a shopper brings nothing back"


def test_brought_back_and_archived_again(past):
    shop = past.shop
    archive(shop)
    assert archive(shop, "--bring-back", past.sale).returncode == 0
    assert rows(shop.server.data, "orders", past.sale) == 3
    assert past.look() == past.seen
    shop.audit()
    assert archive(shop).returncode == 0
    assert past.look() == past.seen
    again = archive(shop, "--bring-back", "1")
    assert again.returncode == 1 and "not archived" in again.stderr


def test_what_has_to_stay(start_shop):
    shop = start_shop()
    sale = shop.sale()["id"]
    order = Bought(shop, shop.buyers(1)[0], sale)
    refused = archive(shop, "--sale", sale)
    assert refused.returncode == 1 and "not been over for long enough" in refused.stderr
    shop.operator.post(f"/admin/sales/{sale}/end")
    age(shop.server.data, sale)
    with open_ledger(shop.server.data) as ledger:
        ledger.change(f"UPDATE orders SET expires_at = expires_at + 2 * {SHIFT}")
    refused = archive(shop, "--sale", sale)
    assert refused.returncode == 1 and "pending orders" in refused.stderr
    assert "0 of 1 sales archived" in archive(shop).stdout
    assert rows(shop.server.data, "orders", sale) == 1 and order.state == "pending"
    for bad in (("--days", "0"), ("--sale", "x"), ("--bring-back", ""), ("--sale", sale, "--bring-back", sale)):
        assert archive(shop, *bad).returncode == 2, bad
    assert archive(shop, "--sale", "999").returncode == 1


def test_a_dry_run_changes_nothing(past):
    done = archive(past.shop, "--dry-run")
    assert "1 of 1 sales can be archived" in done.stdout
    assert not (past.shop.server.data / "archive.db").exists()
    if mariadb_of_ledgers():
        assert rows(past.shop.server.data, "orders", past.sale, archived=True) == 0
    assert rows(past.shop.server.data, "orders", past.sale) == 3


def test_an_archived_sale_cannot_be_opened_by_sql(past):
    archive(past.shop)
    with open_ledger(past.shop.server.data) as ledger:
        with pytest.raises((sqlite3.IntegrityError, SqlError), match="bring it back"):
            ledger.change("UPDATE sales SET ended_at = NULL WHERE id = ?1", int(past.sale))


def test_backup_and_restore_hold_the_archive(past, tmp_path):
    shop = past.shop
    archive(shop)
    copy = tmp_path / "backup.db"
    assert run("backup", "--data", shop.server.data, copy).returncode == 0
    alone = tmp_path / "alone" / "backup.db"
    alone.parent.mkdir()
    shutil.copy(copy, alone)
    refused = run("restore", "--data", tmp_path / "other", alone)
    assert refused.returncode == 1 and "needs its archive" in refused.stderr
    data = tmp_path / "new"
    done = run("restore", "--data", data, copy)
    assert done.returncode == 0, done.stderr
    assert run("audit", "--data", data).returncode == 0
    assert (rows(data, "orders", past.sale), rows(data, "orders", past.sale, archived=True)) == (0, 3)
    if mariadb_of_ledgers():
        return
    # In place, the archive that is there already has all of it.
    (tmp_path / "backup.db.archive").unlink()
    shop.stop()
    assert run("restore", "--data", shop.server.data, copy, "--replace").returncode == 0
    shop.server.start()


def unreadable(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return int(re.search(r"^sluice_archived_sales_unreadable (\d+)", page, re.M)[1])


def health(shop):
    answer = shop.visitor.get("/readyz", api=False)
    part = next(part for part in answer.body["parts"] if part["name"] == "archive")
    assert part["ready"] == (answer.status == 200)
    return answer.status, part["detail"]


def ask_for_archived(past):
    """Everything that needs a row of the archive: the statuses of its answers."""
    shop, buyer, paid = past.shop, past.buyers[0], past.paid
    answers = {
        "order": buyer.get(f"/orders/{paid.id}"), "mine": buyer.get("/orders"),
        "ticket": buyer.get(f"/sales/{past.sale}/ticket"), "cancel": buyer.post(f"/orders/{paid.id}/cancel"),
        "pay": buyer.post(f"/orders/{paid.id}/payments"), "any": shop.operator.get(f"/admin/orders/{paid.id}"),
        "list": shop.operator.get("/admin/orders"), "of sale": shop.operator.get(f"/admin/orders?sale_id={past.sale}"),
        "csv": shop.operator.get("/admin/orders.csv"), "refund": shop.operator.post(f"/admin/orders/{paid.id}/refund"),
        "event": tell(shop.visitor, succeeded(past.payment, paid.total)),
    }
    return {name: (answer.status, answer.code) for name, answer in answers.items()}


AWAY = (503, "unavailable")


@pytest.mark.sqlite_ledger
@pytest.mark.parametrize("how", ["missing", "damaged", "missing at the start", "damaged at the start"])
def test_an_archive_that_is_away_is_told_and_nobody_hears_that_an_order_does_not_exist(past, how):
    shop, file = past.shop, past.shop.server.data / "archive.db"
    older, newer = (Bought(shop, past.buyers[0], shop.sale()["id"]) for _ in range(2))
    archive(shop)
    assert health(shop) == (200, "") and unreadable(shop) == 0
    whole = file.with_name("elsewhere")
    if "start" in how:
        shop.stop()
    file.rename(whole)
    for log in file.parent.glob("archive.db-*"):
        log.unlink()
    if "damaged" in how:
        file.write_bytes(b"not a database" * 1000)
    if "start" in how:
        shop._start_again()
        past.buyers = [shop.client(buyer.token) for buyer in past.buyers]
        newer.buyer = past.buyers[0]
        assert health(shop)[0] == 503, "known before the first request"
    status, detail = eventually(lambda: health(shop)[0] == 503 and health(shop), 10, "/readyz red")
    assert "archive.db" in detail and unreadable(shop) == 1 and "archive.away" in shop.server.log()
    assert set(ask_for_archived(past).values()) == {AWAY}

    # What cannot be in it is answered as ever, and the shop sells.
    assert newer.state == "pending" and newer.buyer.get(f"/orders/{2**62}").status == 404
    assert shop.operator.get(f"/admin/orders?sale_id={newer.sale}").status == 200
    page = newer.buyer.get("/orders?limit=1").body
    assert [order["id"] for order in page["orders"]] == [newer.id], page
    assert newer.buyer.get(f"/orders?limit=1&cursor={page['next_cursor']}").code == "unavailable", older.id
    assert outcome(shop.visitor, succeeded(newer.pay(), newer.total)) == "captured"
    shop.bought(past.buyers[1], newer.sale)
    ledger = next(part for part in shop.visitor.get("/readyz", api=False).body["parts"] if part["name"] == "ledger")
    assert ledger["ready"], "the ledger is well"

    refused = archive(shop)
    assert refused.returncode == 1 and "archive.db" in refused.stderr
    assert not file.exists() or "damaged" in how, "none is made in its place"
    file.unlink(missing_ok=True)
    whole.rename(file)
    eventually(lambda: health(shop) == (200, ""), 10, "/readyz green")
    assert "archive.back" in shop.server.log() and unreadable(shop) == 0
    assert past.buyers[0].get(f"/orders/{past.paid.id}").status == 200
    answer = shop.operator.post(f"/admin/orders/{past.paid.id}/refund")
    assert (answer.status, answer.body["state"]) == (200, "refunded")
    shop.audit()


@pytest.mark.sqlite_ledger
def test_the_log_of_the_archive_is_written_back(past):
    """The server's connections only read, so nobody else does it."""
    shop, file = past.shop, past.shop.server.data / "archive.db-wal"
    for _ in range(3):
        assert archive(shop).returncode == 0
        assert past.look() == past.seen, "the server has the archive open"
        assert not file.exists() or file.stat().st_size == 0
        assert archive(shop, "--bring-back", past.sale).returncode == 0
        assert not file.exists() or file.stat().st_size == 0


class TwoPasts:
    """A backup with the sale archived as paid; in the shop it was refunded and archived again since."""

    def __init__(self, past, folder):
        self.past, self.shop, self.data = past, past.shop, past.shop.server.data
        self.copy = folder / "backup.db"
        assert archive(self.shop).returncode == 0
        assert run("backup", "--data", self.data, self.copy).returncode == 0
        assert self.shop.operator.post(f"/admin/orders/{past.paid.id}/refund").status == 200
        past.paid.refunded(1)
        done = archive(self.shop)
        assert "1 of 1 sales archived" in done.stdout, done.stderr
        self.shop.stop()

    def restore(self, *more, data=None, file=None):
        return run("restore", "--data", data or self.data, file or self.copy, "--replace", *more)

    def state(self, data=None):
        """Of the paid order, with every promise kept."""
        data = data or self.data
        report = run("audit", "--data", data)
        assert report.returncode == 0, report.stdout + report.stderr
        with sqlite3.connect(data / "archive.db") as database:
            state = database.execute("SELECT state FROM orders WHERE id = ?", (self.past.paid.id,)).fetchone()[0]
        database.close()
        return state

    def halfway(self, folder, between):
        """The files that a restore leaves that was decided and killed, before or between its renames."""
        done = shutil.copytree(self.data, folder / "done")
        assert self.restore(data=done).returncode == 0
        data = shutil.copytree(self.data, folder / "halfway", ignore=shutil.ignore_patterns("*-wal", "*-shm"))
        shutil.copy(done / "sluice.db", data / "sluice.db.restored")
        shutil.copy(done / "archive.db", data / ("archive.db" if between else "sluice.db.restoring.archive"))
        for name in ("sluice.db", "sluice.db.archive"):
            kept = next(done.glob(name.replace("sluice.db", "sluice.db.before-*Z")))
            shutil.copy(kept, data / kept.name)
        return data


@pytest.fixture
def two_pasts(past, tmp_path):
    made = TwoPasts(past, tmp_path)
    yield made
    if not past.shop.server.running:
        past.shop.server.start()


@pytest.mark.sqlite_ledger
def test_a_refused_restore_leaves_the_archive_as_it_was(two_pasts):
    refused = two_pasts.restore("--accept", "I7 window")
    assert refused.returncode == 1 and 'no promise is called "I7 window"' in refused.stderr
    assert two_pasts.state() == "refunded"
    refused = two_pasts.restore("--accept", "I7 windows")
    assert refused.returncode == 1 and "does not break" in refused.stderr
    assert two_pasts.state() == "refunded"
    assert sorted(path.name for path in two_pasts.data.glob("*.db*")) == ["archive.db", "sluice.db"]
    two_pasts.shop._start_again()
    assert [refund["state"] for refund in two_pasts.past.paid.refunds()] == ["done"]


@pytest.mark.sqlite_ledger
def test_the_way_back_from_a_restore(two_pasts):
    done = two_pasts.restore()
    assert done.returncode == 0 and "The archive before it" in done.stdout, done.stderr
    assert two_pasts.state() == "paid"
    kept = next(two_pasts.data.glob("sluice.db.before-*Z"))
    done = two_pasts.restore(file=kept)
    assert done.returncode == 0, done.stderr
    assert two_pasts.state() == "refunded"


@pytest.mark.sqlite_ledger
@pytest.mark.parametrize("between", [False, True], ids=["before the renames", "between them"])
def test_a_command_finishes_a_restore_that_was_killed(two_pasts, tmp_path, between):
    halfway = two_pasts.halfway(tmp_path, between)
    for command in (["audit"], ["migrate"], ["backup", tmp_path / "again.db"], ["archive", "--dry-run"],
                    ["keys", "rotate"], ["user", "log-out", "--phone", two_pasts.shop.operator_phone]):
        data = shutil.copytree(halfway, tmp_path / f"by-{command[0]}")
        done = run(*command, "--data", data)
        assert done.returncode == 0 and "finished a restore" in done.stderr, done.stderr
        assert two_pasts.state(data) == "paid"
        assert not list(data.glob("*.restor*"))


@pytest.mark.sqlite_ledger
@pytest.mark.parametrize("between", [False, True], ids=["before the renames", "between them"])
def test_a_start_finishes_a_restore_that_was_killed(two_pasts, tmp_path, between):
    data = two_pasts.halfway(tmp_path, between)
    (data / "ledger.mark").write_text(f"{2**62}\n")  # of the old ledger
    (tmp_path / "server").mkdir()
    server = Server(tmp_path / "server", data=data).start()
    assert "restore.finished" in server.log() and "ledger.loss" not in server.log()
    server.stop()
    assert two_pasts.state(data) == "paid"
    kept = next(data.glob("sluice.db.before-*Z"))
    assert two_pasts.restore(data=data, file=kept).returncode == 0
    assert two_pasts.state(data) == "refunded"


@pytest.mark.sqlite_ledger
def test_a_restore_killed_from_outside_at_any_moment(two_pasts, tmp_path):
    states = set()
    for step in range(1, 14):
        data = shutil.copytree(two_pasts.data, tmp_path / f"data-{step}")
        process = subprocess.Popen([BINARY, "restore", "--data", data, two_pasts.copy, "--replace"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        for _ in range(step):
            process.stderr.readline()
        process.kill()
        process.wait()
        process.stderr.close()
        states.add(two_pasts.state(data))
        done = two_pasts.restore(data=data)
        assert done.returncode == 0, done.stderr
        assert two_pasts.state(data) == "paid"
    assert states == {"paid", "refunded"}


@pytest.mark.sqlite_ledger
def test_killed_at_any_moment(start_shop, tmp_path, long):
    """Kills in the archive's moves: copied but not removed, and removed. A row is always in one of the two."""
    shop = start_shop()
    sale = shop.sale(stock=400, gate_factor=10_000)["id"]
    for buyer in shop.buyers(300):
        shop.bought(buyer, sale)
    shop.operator.post(f"/admin/sales/{sale}/end")
    shop.stop()
    settle_by_sql(shop.server.data, sale)
    age(shop.server.data, sale)
    assert run("audit", "--data", shop.server.data).returncode == 0
    began = time.monotonic()
    whole = shutil.copytree(shop.server.data, tmp_path / "whole")
    assert archive(shop, data=whole).returncode == 0
    length = time.monotonic() - began
    rounds = 60 if long else 12
    outcomes = set()
    for step in range(rounds):
        data = shutil.copytree(shop.server.data, tmp_path / f"data-{step}")
        process = subprocess.Popen([BINARY, "archive", "--data", data], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=environment())
        try:
            process.wait(length * (step + 1) / rounds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert run("audit", "--data", data).returncode == 0
        outcomes.add((rows(data, "orders", sale), (data / "archive.db").exists()))
        assert archive(shop, data=data).returncode == 0
        assert rows(data, "orders", sale, archived=True) == 300 and rows(data, "orders", sale) == 0
        assert run("audit", "--data", data).returncode == 0
        shutil.rmtree(data)
    shop.server.start()
    assert {count for count, _ in outcomes} <= {0, 100, 200, 300}, "buyers leave a hundred at a time"


def test_killed_at_any_moment_in_tables(start_shop, long):
    """Of a copy that does not count yet, between the two, and with rows that do not count any more."""
    if not mariadb_of_ledgers():
        pytest.skip("for an archive in a file there is another test")
    shop = start_shop()
    data, sale = shop.server.data, shop.sale(stock=400, gate_factor=10_000)["id"]
    for buyer in shop.buyers(300):
        shop.bought(buyer, sale)
    shop.operator.post(f"/admin/sales/{sale}/end")
    shop.stop()
    settle_by_sql(data, sale)
    age(data, sale)
    began = time.monotonic()
    assert "1 of 1 sales archived" in archive(shop).stdout
    length = time.monotonic() - began
    rounds = 40 if long else 10
    outcomes = set()
    for step in range(rounds):
        back = archive(shop, "--bring-back", sale)
        assert back.returncode == 0, back.stderr
        assert (rows(data, "orders", sale), rows(data, "orders", sale, archived=True)) == (300, 0)
        process = subprocess.Popen([BINARY, "archive", "--data", data], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=environment(data=data))
        try:
            process.wait(length * (step + 1) / rounds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert run("audit", "--data", data).returncode == 0
        outcomes.add((rows(data, "orders", sale), rows(data, "orders", sale, archived=True)))
        done = archive(shop)
        assert done.returncode == 0, done.stderr
        assert (rows(data, "orders", sale), rows(data, "orders", sale, archived=True)) == (0, 300)
        assert run("audit", "--data", data).returncode == 0
    assert all(300 in both for both in outcomes), "every order is in one of the two"
    shop.server.start()


def settle_by_sql(data, sale):
    """Expires all orders, as if their time had come."""
    with open_ledger(data) as ledger:
        ledger.change("UPDATE orders SET state = 'expired' WHERE sale_id = ?1", int(sale))
        ledger.change("UPDATE holdings SET units = 0 WHERE sale_id = ?1", int(sale))
        ledger.change("UPDATE sales SET stock_left = stock_total, stock_held = 0 WHERE id = ?1", int(sale))


def test_beside_a_server_that_sells(past):
    shop = past.shop
    sale = shop.sale(stock=200, gate_factor=10_000)["id"]
    buyers = shop.buyers(60)
    for number, buyer in enumerate(buyers):
        if number == 20:
            assert archive(shop).returncode == 0
        shop.bought(buyer, sale)
    assert shop.stock(sale)["left"] == 140
    eventually(lambda: past.look() == past.seen)
    shop.audit()
