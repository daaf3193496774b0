"""A connection to MariaDB that breaks while a COMMIT is under way: the outcome is unknown, so it is looked up and
never simply done again."""

import random

import pytest

from crowd import Buyer, rush
from ledger import look
from mariadb_proxy import Proxy
from mariadb_server import running_server
from process import eventually, ledgers_on
from shop import open_shop
from test_faults_sale import WIDE, gets_pass
from test_mariadb_faults import UNAVAILABLE, buy_all, check_books

PASSWORD = "of the shop"
LOOKED_UP_WITHIN = 40  # the reaper asks the journal for claims that stay open


@pytest.fixture(scope="module")
def database():
    with running_server() as server:
        with server.connect() as connection:
            connection.run(f"CREATE USER shop@'127.0.0.1' IDENTIFIED BY '{PASSWORD}'")
            connection.run("GRANT ALL ON `shop\\_%`.* TO shop@'127.0.0.1'")
        yield server


@pytest.fixture
def proxy(database):
    proxy = Proxy(database.port)
    with ledgers_on(database, lambda name: {"SLUICE_LEDGER_URL": f"mariadb://127.0.0.1:{proxy.port}/{name}",
                                            "SLUICE_LEDGER_PASSWORD": PASSWORD}):
        yield proxy
    proxy.close()


@pytest.fixture
def shop(proxy, tmp_path):
    shop = open_shop(tmp_path)
    yield shop
    shop.stop()


def orders(shop, sale):
    """Of one sale, as they are stored."""
    return [str(order) for [order] in look(shop, "SELECT id FROM orders WHERE sale_id = ?1", int(sale))]


def shows(shop, sale, stock):
    """Also what a commit changed of which nobody was told."""
    eventually(lambda: shop.stock(sale) == stock, 20, "the stock as it is in the ledger")


def buy_into_a_cut(shop, proxy, buyer, sale, when):
    """The pass of a purchase whose outcome the buyer was not told."""
    pass_ = shop.pass_for(buyer, sale)
    proxy.cut_next("purchase", when)
    answer = shop.buy(buyer, sale, key="k", pass_=pass_)
    proxy.wait_for_cut()
    assert (answer.status, answer.code) == (503, "unavailable"), answer.body
    assert answer.body["detail"].startswith("We do not know yet whether it was done."), answer.body
    assert "Retry-After" in answer.headers
    return pass_


@pytest.mark.parametrize("when", ["before", "after"])
def test_whoever_asks_again_gets_the_outcome_and_one_unit(shop, proxy, when):
    sale = shop.sale(stock=10, limit_per_buyer=5)["id"]
    buyer = shop.buyer()
    pass_ = buy_into_a_cut(shop, proxy, buyer, sale, when)
    stored = orders(shop, sale)
    assert len(stored) == (when == "after")

    def told():
        answer = shop.buy(buyer, sale, key="k", pass_=pass_)
        assert answer.status in (201, 503), answer.body
        return answer.status == 201 and answer.body
    bought = eventually(told, LOOKED_UP_WITHIN, "the outcome")
    assert orders(shop, sale) == [bought["order_id"]]
    assert stored in ([], [bought["order_id"]]), "what was committed is what the buyer hears of"
    shows(shop, sale, {"total": 10, "left": 9, "held": 1, "sold": 0})
    shop.audit()


def test_a_commit_that_was_done_is_found_and_not_done_again(shop, proxy):
    sale = shop.sale(stock=1)["id"]
    buyer, other = shop.buyer(), shop.buyer()
    waiting = shop.pass_for(other, sale)
    buy_into_a_cut(shop, proxy, buyer, sale, "after")
    written = proxy.purchases
    [ticket] = eventually(lambda: [found.body for found in [buyer.get(f"/sales/{sale}/ticket")]
                                   if found.status == 200 and found.body["state"] == "ordered"],
                          LOOKED_UP_WITHIN, "the ticket")
    assert orders(shop, sale) == [ticket["order_id"]]
    refused = shop.buy(other, sale, pass_=waiting)
    assert (refused.status, refused.code) == (409, "sold_out")
    assert proxy.purchases == written, "nobody wrote a ticket again"
    shows(shop, sale, {"total": 1, "left": 0, "held": 1, "sold": 0})
    shop.audit()


def test_a_commit_that_was_not_done_gives_the_unit_to_the_next(shop, proxy):
    """The buyer never asks again."""
    sale = shop.sale(stock=1, gate_factor=10_000)["id"]
    buyer, other = shop.buyer(), shop.buyer()
    buy_into_a_cut(shop, proxy, buyer, sale, "before")

    def sold():
        given = other.post(f"/sales/{sale}/passes")
        return given.status == 201 and shop.buy(other, sale, pass_=given.body["pass"]).status == 201
    eventually(sold, LOOKED_UP_WITHIN, "the unit of the claim that nobody wrote")
    assert len(orders(shop, sale)) == 1
    shows(shop, sale, {"total": 1, "left": 0, "held": 1, "sold": 0})
    shop.audit()


def test_commits_of_a_crowd_are_cut_again_and_again(shop, proxy, long):
    """In each round one COMMIT, with the tickets of several buyers in it. Each buyer asks again, while their
    pass is good."""
    cuts, crowd = (1_000, 8) if long else (12, 8)
    sale = shop.sale(stock=10**6, limit_per_buyer=5, gate_factor=WIDE)["id"]
    tokens = shop.minted(cuts * crowd)
    everybody = []

    async def buy(line, buyer):
        await buyer.pass_and_buy(line, sale)

    for cut in range(cuts):
        buyers = [Buyer(token, key="k" if i % 2 else None, quantity=1 + i % 2)
                  for i, token in enumerate(tokens[cut * crowd:(cut + 1) * crowd])]
        rush(shop.server.port, gets_pass(sale), buyers)
        proxy.cut_next("purchase", random.choice(("before", "after")))
        rush(shop.server.port, buy, buyers)
        proxy.wait_for_cut()
        assert {each for buyer in buyers for each in buyer.log} <= {(201, None)} | UNAVAILABLE
        assert not all(buyer.bought for buyer in buyers), "the cut had somebody's ticket in it"
        everybody += buyers
        buy_all(shop, sale, buyers)
    check_books(shop, sale, everybody)


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_operators_request_with_a_key_makes_one_thing(shop, proxy, when):
    draft = {"title": "Kettle", "description": "", "image_url": "", "list_price_cents": 1, "currency": "CNY"}
    key = {"Idempotency-Key": "kettle"}
    proxy.cut_next("other", when)
    first = shop.operator.post("/admin/items", draft, headers=key)
    proxy.wait_for_cut()
    assert first.status in (201, 503), first.body  # a worker's commit may have been the next one

    def made():
        answer = shop.operator.post("/admin/items", draft, headers=key)
        return answer.status == 201 and answer.body
    item = eventually(made, 20, "an answer")
    assert look(shop, "SELECT id FROM items WHERE title = 'Kettle'") == [(int(item["id"]),)]
    shop.audit()
