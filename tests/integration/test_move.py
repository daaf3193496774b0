"""A shop moves between SQLite and MariaDB, is backed up there, and comes back: with every order, and through every kill."""

import json
import sqlite3
import subprocess

import pytest

from process import BINARY, Server, environment, run
from provider import Bought, outcome, succeeded
from shop import PASSWORD, Shop
from test_archive import age, archive

WHILE_IT_IS_MOVED = ["copying the ledger", "proving the promises", "reading the ledger", "preparing the database",
                     "emptying the tables", "copying the rows", "copied ", "comparing the rows",
                     "comparing the tables and triggers"]


@pytest.fixture
def database(mariadb):
    name = mariadb.add_database(migrated=False)
    yield f"mariadb://localhost/{name}?socket={mariadb.socket}"
    mariadb.remove_database(name)


def on_mariadb(url):
    return {"SLUICE_LEDGER_KIND": "mariadb", "SLUICE_LEDGER_URL": url, "SLUICE_LEDGER_USER": "root"}


def move(data, to, env=None):
    return run("move", "--data", data, "--to", to, env={"SLUICE_LEDGER_USER": "root", **(env or {})}, timeout=300)


def expect(done, code=0):
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def orders_in(data):
    """The state of each, in the ledger's file, and how many more are in the archive's; none is in both."""
    found = []
    for file in ("sluice.db", "archive.db"):
        with sqlite3.connect(data / file) as database:
            found.append({str(order): state for order, state in database.execute("SELECT id, state FROM orders")})
        database.close()
    assert not set(found[0]) & set(found[1])
    return {**found[0], **found[1]}, len(found[1])


def archived_in(mariadb, url):
    with mariadb.connect(url.partition("?")[0].rpartition("/")[2]) as connection:
        return [connection.value(f"SELECT count(*) FROM {table}") for table in ("archived_sales", "archived_orders")]


def audit_holds(data, env=None):
    report = json.loads(run("audit", "--data", data, "--json", env=env).stdout)
    assert report["holds"] and all(check["holds"] for check in report["checks"]), report


class Past:
    """A stopped shop with an order in each state, one of them archived."""

    def __init__(self, shop):
        self.shop = shop
        self.person = shop.register(name="小红 🎁")
        self.sale = shop.sale(stock=20, limit_per_buyer=3)["id"]
        brief = shop.sale(stock=5, hold_seconds=1)["id"]
        buyers = shop.buyers(5)
        self.orders = [Bought(shop, buyer, self.sale) for buyer in buyers[:4]]
        pending, paid, cancelled, refunded = self.orders
        for order in (paid, refunded):
            assert outcome(shop.visitor, succeeded(order.pay(), order.total)) == "captured"
        cancelled.buyer.post(f"/orders/{cancelled.id}/cancel")
        assert shop.operator.post(f"/admin/orders/{refunded.id}/refund").status == 200
        refunded.refunded(1)
        expired = Bought(shop, buyers[4], brief)
        expired.becomes("expired", 10)
        self.orders.append(expired)
        self.states = {order.id: order.show()["state"] for order in self.orders}
        assert set(self.states.values()) == {"pending", "paid", "cancelled", "refunded", "expired"}
        self.tokens = {order.id: order.buyer.token for order in self.orders}
        assert shop.operator.post(f"/admin/sales/{brief}/end").status == 200
        shop.stop()
        age(shop.server.data, brief)
        assert "1 of 1 sales archived" in expect(archive(shop))

    def is_in(self, shop):
        """Found by those who made it, who are logged in still; and the sale goes on."""
        for order, state in self.states.items():
            answer = shop.client(self.tokens[order]).get(f"/orders/{order}")
            assert (answer.status, answer.body["state"]) == (200, state), answer.body
        shop.log_in(self.person["phone"], PASSWORD)
        before = shop.stock(self.sale)
        shop.bought(shop.buyer(), self.sale)
        after = shop.stock(self.sale)
        assert (after["left"], after["held"]) == (before["left"] - 1, before["held"] + 1)


def test_to_mariadb_to_a_backup_and_back(shop, tmp_path, mariadb, database):
    past = Past(shop)
    data, env = shop.server.data, on_mariadb(database)
    said = expect(move(data, database))
    assert f'url = "{database}"' in said and 'kind = "mariadb"' in said and "master.key" in said
    audit_holds(data, env)
    assert archived_in(mariadb, database) == [1, 1], "what is archived stays archived"

    folder = tmp_path / "moved"
    folder.mkdir()
    moved = Server(folder, data=data, env=env).start()
    try:
        there = Shop(moved, shop.operator_phone)
        past.is_in(there)
        there._hang_up()
        expect(run("backup", "--data", data, tmp_path / "copy.db", env=env))
    finally:
        moved.stop()
    audit_holds(data, env)

    expect(run("restore", "--data", tmp_path / "restored", tmp_path / "copy.db"))
    audit_holds(tmp_path / "restored")
    with sqlite3.connect(tmp_path / "restored/sluice.db") as restored:
        deeds = [action for action, in restored.execute("SELECT action FROM audit_trail ORDER BY id")]
    restored.close()
    found, archived = orders_in(tmp_path / "restored")
    assert found.items() >= past.states.items() and archived == 1
    assert deeds[-2:] == ["ledger.move", "ledger.restore"]

    expect(move(data, f"sqlite:{tmp_path / 'home'}", env))
    for key in ("master.key", "pass.keys"):
        (tmp_path / "home" / key).write_bytes((data / key).read_bytes())
        (tmp_path / "home" / key).chmod(0o600)
    audit_holds(tmp_path / "home")
    assert orders_in(tmp_path / "home")[1] == 1
    home = Server(folder, data=tmp_path / "home").start()
    try:
        there = Shop(home, shop.operator_phone)
        past.is_in(there)
        there._hang_up()
    finally:
        home.stop()


def kill_at(data, to, step, env):
    """Starts a move and ends it as soon as it has said so. False if it came to its end before."""
    process = subprocess.Popen([BINARY, "move", "--data", data, "--to", to], stderr=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, env=environment(env))
    said = b""
    while step.encode() not in said:
        chunk = process.stderr.read1(4096)
        if not chunk:
            break
        said += chunk
    process.kill()
    process.wait()
    process.stderr.close()
    assert step.encode() in said, said
    return process.returncode != 0


def test_killed_at_every_step_it_goes_on(shop, tmp_path, database):
    shop.minted(20_000)
    past = Past(shop)
    data, env = shop.server.data, on_mariadb(database)
    killed = 0
    for step in WHILE_IT_IS_MOVED:
        killed += kill_at(data, database, step, {"SLUICE_LEDGER_USER": "root"})
        done = run("audit", "--data", data, env=env)
        assert done.returncode == 2 and ("has not finished" in done.stderr or killed < 5), done.stdout + done.stderr
    assert killed == len(WHILE_IT_IS_MOVED), "a move came to its end before it was killed"
    refused = run("serve", "--data", data, "--listen", "127.0.0.1:0", env=env)
    assert refused.returncode == 1 and "has not finished" in refused.stderr, refused.stderr
    assert "went on" in expect(move(data, database))
    audit_holds(data, env)
    server = Server(tmp_path, data=data, env=env).start()
    try:
        there = Shop(server, shop.operator_phone)
        past.is_in(there)
        there._hang_up()
    finally:
        server.stop()


def test_what_was_sold_between_two_tries_is_moved_too(shop, database):
    shop.minted(5_000)
    past = Past(shop)
    data = shop.server.data
    assert kill_at(data, database, "copied ", {"SLUICE_LEDGER_USER": "root"})
    shop.server.start()
    again = Shop(shop.server, shop.operator_phone)
    order = again.bought(again.buyer(), past.sale)["order_id"]
    again._hang_up()
    shop.server.stop()
    assert "went on" not in expect(move(data, database))
    env = on_mariadb(database)
    audit_holds(data, env)
    copy = data / "copy.db"
    expect(run("backup", "--data", data, copy, env=env))
    with sqlite3.connect(copy) as ledger:
        assert ledger.execute("SELECT state FROM orders WHERE id = ?", (order,)).fetchall() == [("pending",)]
    ledger.close()


def test_not_while_a_server_runs(shop, database):
    assert "another server is running" in expect(move(shop.server.data, database), 1)


def test_not_while_a_server_uses_the_database(shop, tmp_path, database):
    shop.stop()
    data, env = shop.server.data, on_mariadb(database)
    expect(move(data, database))
    folder = tmp_path / "node"
    folder.mkdir()
    server = Server(folder, env=env).start()  # on another machine, with a data folder of its own
    try:
        expect(run("backup", "--data", data, tmp_path / "copy.db", env=env))
        said = expect(run("restore", "--data", data, "--replace", tmp_path / "copy.db", env=env), 1)
        assert "others have the database open" in said
        said = expect(move(data, f"sqlite:{tmp_path / 'home'}", env), 1)
        assert "others have the database open" in said
        assert not (tmp_path / "home/sluice.db").exists()
    finally:
        server.stop()
    audit_holds(data, env)


def test_restore_into_mariadb(shop, tmp_path, database, start_shop):
    """Of a SQLite backup, with its archive, in place of another shop."""
    past = Past(shop)
    copy = tmp_path / "copy.db"
    expect(run("backup", "--data", shop.server.data, copy))
    assert (tmp_path / "copy.db.archive").exists()
    data, env = tmp_path / "data", on_mariadb(database)
    expect(run("restore", "--data", data, copy, env=env))
    audit_holds(data, env)
    said = expect(run("restore", "--data", data, copy, env=env), 1)
    assert "--replace" in said
    said = expect(run("restore", "--data", data, "--replace", copy, env=env))
    [kept] = data.glob("ledger.before-*.db")
    assert str(kept) in said
    audit_holds(data, env)
    expect(run("restore", "--data", tmp_path / "before", kept))
    audit_holds(tmp_path / "before")
    found, archived = orders_in(tmp_path / "before")
    assert found.items() >= past.states.items() and archived == 1


@pytest.mark.parametrize("to", ["", "mariadb:", "mariadb://", "mariadb://localhost", "mysql://localhost/x", "sqlite:",
                                "mariadb://user:secret@localhost/x", "mariadb://localhost/x-y", "/tmp/x"])
def test_a_wrong_url(shop, to):
    shop.stop()
    said = expect(move(shop.server.data, to), 1)
    assert "mariadb://host[:port]/database" in said


def test_nobody_there(shop):
    shop.stop()
    said = expect(move(shop.server.data, "mariadb://localhost/x?socket=/nowhere/s"), 1)
    assert "cannot connect" in said


def test_a_wrong_password_and_no_rights(shop, mariadb):
    shop.stop()
    allowed = mariadb.add_database(migrated=False)
    mariadb.add_user("mover", "right", allowed)
    data, url = shop.server.data, f"mariadb://127.0.0.1:{mariadb.port}"
    env = {"SLUICE_LEDGER_USER": "mover", "SLUICE_LEDGER_PASSWORD": "wrong"}
    assert "Access denied" in expect(move(data, f"{url}/{allowed}", env), 1)
    env["SLUICE_LEDGER_PASSWORD"] = "right"
    said = expect(move(data, f"{url}/not_granted", env), 1)
    assert "denied" in said or "may not make it" in said
    expect(move(data, f"{url}/{allowed}", env))
    mariadb.remove_database(allowed)


def test_a_target_that_is_not_empty(shop, mariadb, database):
    shop.stop()
    expect(move(shop.server.data, database))
    assert "holds something already" in expect(move(shop.server.data, database), 1)
    audit_holds(shop.server.data, on_mariadb(database))
    name = mariadb.add_database(migrated=False)
    with mariadb.connect(name) as connection:
        connection.run("CREATE TABLE mine (id INT)")
    url = f"mariadb://localhost/{name}?socket={mariadb.socket}"
    assert "not made by sluice" in expect(move(shop.server.data, url), 1)
    mariadb.remove_database(name)
    said = expect(move(shop.server.data, f"sqlite:{shop.server.data}", on_mariadb(database)), 1)
    assert "there is a database in" in said


def test_the_same_kind(shop, tmp_path, database):
    shop.stop()
    assert "of that kind already" in expect(move(shop.server.data, f"sqlite:{tmp_path / 'x'}"), 1)
    assert "of that kind already" in expect(move(shop.server.data, database, on_mariadb(database)), 1)


def test_a_disk_that_is_full(shop, tiny_disk, database):
    shop.minted(30_000)  # more than four megabytes
    shop.stop()
    expect(move(shop.server.data, database))
    said = expect(run("backup", "--data", shop.server.data, tiny_disk / "copy.db", env=on_mariadb(database)), 1)
    assert "full" in said
    assert list(tiny_disk.iterdir()) == []


def test_a_sale_that_was_archived_in_a_file_comes_back_in_tables(shop, tmp_path, mariadb, database):
    """Its digest was made by SQLite, and is checked by what MariaDB has; and the other way round."""
    past = Past(shop)
    data, env = shop.server.data, on_mariadb(database)
    expect(move(data, database))
    sale = str(past.orders[-1].sale)
    assert f"sale {sale} is in the ledger again" in expect(run("archive", "--data", data, "--bring-back", sale, env=env))
    assert archived_in(mariadb, database) == [0, 0]
    audit_holds(data, env)
    assert "1 of 1 sales archived" in expect(run("archive", "--data", data, env=env))
    assert archived_in(mariadb, database) == [1, 1]
    audit_holds(data, env)
    home = tmp_path / "home"
    expect(move(data, f"sqlite:{home}", env))
    assert f"sale {sale} is in the ledger again" in expect(run("archive", "--data", home, "--bring-back", sale))
    audit_holds(home)
