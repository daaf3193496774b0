"""A shop on MariaDB whose server is killed, frozen, restarted, read-only, full of others or locked by them: what
was acknowledged is there afterwards, and the books are in order."""

import random
import threading

import pytest

from crowd import Buyer, Lost, rush
from mariadb_server import MariaDbServer
from process import database_of, eventually, put_ledgers_on
from shop import open_shop
from test_faults_sale import WIDE, check_orders, check_tickets, gets_pass

UNAVAILABLE = {(503, "unavailable"), (503, "busy")}


@pytest.fixture
def database():
    # A killed process loses nothing that the kernel has, so nothing needs to wait for the disk.
    server = MariaDbServer(options={"innodb_flush_method": "nosync"}).start()
    put_ledgers_on(server)
    yield server
    put_ledgers_on(None)
    server.remove()


@pytest.fixture
def shop(database, tmp_path):
    shop = open_shop(tmp_path)
    yield shop
    database.thaw()
    if not database.running:
        database.start()
    shop.stop()


def wait_until_ready(shop):
    eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, 20, "/readyz green")


def wait_until_away(shop):
    eventually(lambda: shop.visitor.get("/readyz", api=False).status == 503, 20, "/readyz red")


def buy_all(shop, sale, buyers, seconds=30):
    """Everybody asks again, word for word, until they have heard yes."""
    async def act(line, buyer):
        await buyer.pass_and_buy(line, sale)

    def all_bought():
        rush(shop.server.port, act, [buyer for buyer in buyers if not buyer.bought])
        return all(buyer.bought for buyer in buyers)

    eventually(all_bought, seconds, "a yes for everybody")


def rush_into(shop, sale, buyers, blow):
    """All buy at once; `blow` falls when a part of them, by chance, has begun."""
    until = random.randrange(1, len(buyers) * 3 // 4)

    async def act(line, buyer):
        nonlocal until
        until -= 1
        if until == 0:
            threading.Thread(target=blow).start()
        try:
            await buyer.pass_and_buy(line, sale)
        except Lost:
            pass

    rush(shop.server.port, act, buyers)
    said = {each for buyer in buyers for each in buyer.log}
    assert said <= {(201, None)} | UNAVAILABLE, said


def check_books(shop, sale, buyers):
    check_tickets(shop, sale, buyers)
    check_orders(shop, sale, buyers)
    shop.audit()


def test_the_server_is_killed_at_any_moment_under_load(shop, database, long):
    kills, burst = (60, 400) if long else (4, 300)
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
        check_tickets(shop, sale, everybody)
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

    # Whoever comes first has the places; when the shop has some, they are taken away from it.
    with database.connect() as admin:
        eventually(crowd, 10, "no place left")
        for [process] in admin.rows("SELECT id FROM information_schema.processlist WHERE user = 'shop'"):
            admin.run(f"KILL {process}")
            crowd()
        wait_until_away(shop)
        rush_into(shop, sale, buyers, lambda: None)
        for other in others:
            other.close()
    wait_until_ready(shop)
    buy_all(shop, sale, buyers)
    check_books(shop, sale, buyers)


def test_locks_of_others_cost_nobody_a_purchase(shop, database):
    first, second = (shop.sale(stock=1000, limit_per_buyer=5, gate_factor=WIDE)["id"] for _ in range(2))
    buyers = [Buyer(token, key="k", quantity=1) for token in shop.minted(200)]
    ended = threading.Event()

    def lock_backwards():
        """Locks the sales in the other order than purchases do, again and again."""
        with database.connect(database_of(shop.server.data)) as connection:
            while not ended.is_set():
                try:
                    connection.run("BEGIN")
                    for sale in sorted((first, second), key=int, reverse=True):
                        connection.run(f"SELECT id FROM sales WHERE id = {int(sale)} FOR UPDATE")
                    connection.run("COMMIT")
                except Exception:
                    connection.run("ROLLBACK")

    disturber = threading.Thread(target=lock_backwards)
    disturber.start()
    try:
        for sale, group in ((first, buyers[::2]), (second, buyers[1::2])):
            buy_all(shop, sale, group)
    finally:
        ended.set()
        disturber.join()
    shop.audit()
