"""A shop on MariaDB whose server is killed, frozen, restarted, read-only, full of others, locked by them or out of
disk: what was acknowledged is there afterwards, and the books are in order."""

import itertools
import random
import threading
from contextlib import suppress

import pytest

import disk
from crowd import Buyer, Lost, rush
from mariadb_client import SqlError
from mariadb_server import MariaDbServer, running_server
from process import database_of, eventually, ledgers_on
from shop import open_shop
from test_faults_sale import WIDE, check_orders, check_tickets, gets_pass
from test_limits import metric

UNAVAILABLE = {(503, "unavailable"), (503, "busy")}


@pytest.fixture
def database():
    with running_server() as server, ledgers_on(server):
        yield server


@pytest.fixture
def shop(database, tmp_path):
    shop = open_shop(tmp_path)
    yield shop
    database.thaw()
    if not database.running:
        database.start()
    shop.stop()


def wait_until_ready(shop):
    eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, 60, "/readyz green")


def wait_until_away(shop):
    eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, 60, "/readyz red")


def buy_all(shop, sale, buyers, seconds=120):
    """Everybody repeats the same request until they were told yes."""
    async def act(line, buyer):
        await buyer.pass_and_buy(line, sale)

    def all_bought():
        rush(shop.server.port, act, [buyer for buyer in buyers if not buyer.bought])
        return all(buyer.bought for buyer in buyers)

    eventually(all_bought, seconds, "a yes for everybody")


def rush_into(shop, sale, buyers, blow):
    """All buy at once; `blow` happens when a random part of them has begun."""
    until = random.randrange(1, len(buyers) * 3 // 4)
    blows = threading.Thread(target=blow)

    async def act(line, buyer):
        nonlocal until
        until -= 1
        if until == 0:
            blows.start()
        try:
            await buyer.pass_and_buy(line, sale)
        except Lost:
            pass

    rush(shop.server.port, act, buyers)
    blows.join()
    said = {each for buyer in buyers for each in buyer.log}
    assert said <= {(201, None)} | UNAVAILABLE, said


def check_books(shop, sale, buyers):
    check_tickets(shop, sale, buyers)
    check_orders(shop, sale, buyers)
    shop.audit()


def test_the_server_is_killed_at_any_moment_under_load(shop, database, long):
    kills, burst = (60, 150) if long else (4, 300)
    sale = shop.sale(stock=10**6, limit_per_buyer=5, gate_factor=WIDE)["id"]
    tokens = shop.minted(kills * burst)
    everybody, interrupted = [], 0
    for kill in range(kills):
        buyers = [Buyer(token, key="k" if i % 2 else None, quantity=1 + i % 2)
                  for i, token in enumerate(tokens[kill * burst:(kill + 1) * burst])]
        rush(shop.server.port, gets_pass(sale), buyers)
        rush_into(shop, sale, buyers, database.kill)
        wait_until_away(shop)
        interrupted += any(not buyer.bought for buyer in buyers)
        everybody += buyers
        database.start()
        wait_until_ready(shop)
        check_tickets(shop, sale, everybody if kill % 10 == 0 else buyers)
        shop.audit()
        buy_all(shop, sale, buyers)
    assert interrupted > kills // 2, "the kills came too late to prove anything"
    check_books(shop, sale, everybody)


def test_a_frozen_server_is_told_of_within_seconds(shop, database):
    sale = shop.sale(stock=1000, limit_per_buyer=5, gate_factor=WIDE)["id"]
    buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(60)]
    rush(shop.server.port, gets_pass(sale), buyers)
    rush_into(shop, sale, buyers, database.freeze)
    wait_until_away(shop)
    assert shop.visitor.get(f"/sales/{sale}").status == 200, "what is in memory is shown"
    database.thaw()
    wait_until_ready(shop)
    buy_all(shop, sale, buyers)
    check_books(shop, sale, buyers)


def test_a_restart_of_the_server_is_survived(shop, database):
    sale = shop.sale(stock=1000, limit_per_buyer=5, gate_factor=WIDE)["id"]
    buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(300)]
    rush(shop.server.port, gets_pass(sale), buyers)
    rush_into(shop, sale, buyers[:200], database.restart)
    wait_until_ready(shop)
    buy_all(shop, sale, buyers)
    check_books(shop, sale, buyers)


def test_a_read_only_server_sells_nothing_and_shows_everything(shop, database):
    sale = shop.sale(stock=1000, limit_per_buyer=5, gate_factor=WIDE)["id"]
    buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(100)]
    buy_all(shop, sale, buyers[:50])
    database.set_read_only(True)
    rush_into(shop, sale, buyers[50:], lambda: None)
    assert not any(buyer.bought for buyer in buyers[50:])
    wait_until_away(shop)
    check_tickets(shop, sale, buyers)
    assert shop.client(buyers[0].token).get("/orders").status == 200
    database.set_read_only(False)
    wait_until_ready(shop)
    buy_all(shop, sale, buyers)
    check_books(shop, sale, buyers)


def test_a_server_full_of_others_is_an_outage_and_ends_as_one(shop, database):
    sale = shop.sale(stock=1000, limit_per_buyer=5, gate_factor=WIDE)["id"]
    buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(50)]
    rush(shop.server.port, gets_pass(sale), buyers)
    database.restart(max_connections=10)
    others = []

    def crowd():
        try:
            others.append(database.connect())
            return False
        except Exception:
            return True

    # Whoever comes first has the places; while the shop has some, they are taken away from it.
    with database.connect() as admin:
        def has_no_place():
            for [process] in admin.rows("SELECT id FROM information_schema.processlist WHERE user = 'shop'"):
                with suppress(SqlError):  # it has ended by itself
                    admin.run(f"KILL {process}")
            return crowd() and not admin.rows("SELECT id FROM information_schema.processlist WHERE user = 'shop'")

        eventually(has_no_place, 30, "no place left")
        wait_until_away(shop)
        rush_into(shop, sale, buyers, lambda: None)
        for other in others:
            other.close()
    wait_until_ready(shop)
    buy_all(shop, sale, buyers)
    check_books(shop, sale, buyers)


def retries(shop):
    return metric(shop, "sluice_ledger_retries_total")


class Rival:
    """Locks the sales in the other order than purchases do, again and again. It has written more than they
    have, so that the server undoes the purchases when both wait for each other."""

    def __init__(self, shop, database, sales):
        self.name = database_of(shop.server.data)
        self.database = database
        self.sales = sorted((int(sale) for sale in sales), reverse=True)
        self.ended = threading.Event()
        self.failure = None
        with database.connect(self.name) as connection:
            connection.run("CREATE TABLE IF NOT EXISTS ballast (n INT) ENGINE = InnoDB")
        self.thread = threading.Thread(target=self._run)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()
        with self.database.connect(self.name) as connection:
            connection.run("DROP TABLE ballast")
        assert self.failure is None, self.failure

    def _run(self):
        try:
            with self.database.connect(self.name) as connection:
                while not self.ended.is_set():
                    self._lock_all(connection)
        except SqlError as error:
            self.failure = error

    def _lock_all(self, connection):
        connection.run("BEGIN")
        try:
            connection.run("INSERT INTO ballast VALUES " + ", ".join(["(1)"] * 2_000))
            for sale in self.sales:
                connection.run(f"SELECT id FROM sales WHERE id = {sale} FOR UPDATE")
        except SqlError as error:
            assert error.code == 1213, error  # it was the rival this time
        connection.run("ROLLBACK")


def deadlocks(database):
    with database.connect() as connection:
        return int(connection.rows("SHOW GLOBAL STATUS LIKE 'Innodb_deadlocks'")[0][1])


def test_deadlocks_with_others_cost_nobody_a_purchase(shop, database):
    """Purchases of several sales are one transaction, which locks them by their ids. A rival does it backwards."""
    sales = [shop.sale(stock=10**5, limit_per_buyer=5, gate_factor=WIDE)["id"] for _ in range(3)]
    everybody = {sale: [] for sale in sales}

    def seen():
        """By the server, and by the shop as the one that was undone."""
        return deadlocks(database) > 0 and retries(shop) > 0

    def buy_all_at_once():
        buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(90)]
        wishes = [(buyer, sales[i % 3]) for i, buyer in enumerate(buyers)]
        for buyer, sale in wishes:
            everybody[sale].append(buyer)

        async def act(line, wish):
            await wish[0].pass_and_buy(line, wish[1])

        def all_bought():
            rush(shop.server.port, act, [wish for wish in wishes if not wish[0].bought])
            return all(buyer.bought for buyer in buyers)
        eventually(all_bought, 60, "a yes for everybody")
        said = {each for buyer in buyers for each in buyer.log}
        assert said <= {(201, None)} | UNAVAILABLE, said
        return seen()

    with Rival(shop, database, sales):
        eventually(buy_all_at_once, 120, "a deadlock")
    for sale, buyers in everybody.items():
        check_tickets(shop, sale, buyers)
        check_orders(shop, sale, buyers)
    shop.audit()


@pytest.fixture
def small_disk(short_path):
    """Room for a server and a few thousand purchases."""
    folder = short_path / "disk"
    trouble = disk.mount(folder, megabytes=160)
    if trouble:
        pytest.skip(f"a tiny filesystem cannot be mounted here: {trouble}")
    yield folder
    disk.unmount(folder)


@pytest.fixture
def cramped_database(short_path, small_disk):
    server = MariaDbServer(short_path, options={"innodb_flush_method": "nosync"})
    server.data = small_disk / "data"
    server.start()
    with ledgers_on(server):
        yield server
    server.kill()


@pytest.fixture
def cramped_shop(cramped_database, tmp_path):
    shop = open_shop(tmp_path)
    yield shop
    shop.kill()


def ledger_detail(shop):
    parts = shop.visitor.get("/readyz", api=False).body["parts"]
    return next(part["detail"] for part in parts if part["name"] == "ledger")


def test_a_server_without_room_on_its_disk_sells_nothing_and_heals(cramped_shop, small_disk):
    shop = cramped_shop
    sale = shop.sale(stock=10**5, limit_per_buyer=5, gate_factor=WIDE)["id"]
    tokens = iter(shop.minted(4_000))
    everybody = []
    filler = small_disk / "filler"

    def buy_some():
        """Whether all of them were told yes."""
        buyers = [Buyer(token, key="k", quantity=1) for token in itertools.islice(tokens, 100)]
        everybody.extend(buyers)
        disk.fill(filler)
        rush_into(shop, sale, buyers, lambda: None)
        return all(buyer.bought for buyer in buyers)

    # What the files already own is used up first.
    while buy_some():
        pass
    wait_until_away(shop)
    eventually(lambda: "is full" in ledger_detail(shop), 60, "the reason")
    assert shop.visitor.get(f"/sales/{sale}").body["state"] == "open", "what is in memory is shown"
    assert shop.client(everybody[0].token).get("/orders").status == 200
    check_tickets(shop, sale, everybody)

    filler.unlink()
    wait_until_ready(shop)
    buy_all(shop, sale, everybody)
    check_books(shop, sale, everybody)
