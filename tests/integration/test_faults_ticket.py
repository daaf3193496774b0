"""Fault 30: a ticket whose rows do not fit together fails alone. And the limit for a buyer's tickets."""

import threading
import time

import pytest

from crowd import Buyer, Line, rush
from ledger import change, look, open_ledger
from ledger_lock import held_ledger
from process import eventually, run
from shop import metric, open_shop

REAPED_WITHIN = 30


@pytest.fixture
def tampered(tmp_path):
    """A shop that is killed in the end: its log has an internal error, as it should."""
    shop = open_shop(tmp_path)
    yield shop
    shop.kill()


def buys(sale):
    async def act(line, buyer):
        return await buyer.pass_and_buy(line, sale)
    return act


def together(shop, sale, buyers):
    """All of them in one batch: they wait while somebody else has the database's lock."""
    with held_ledger(shop):
        crowd = threading.Thread(
            target=lambda: rush(shop.server.port, buys(sale), buyers, lines=len(buyers)))
        crowd.start()
        eventually(lambda: metric(shop, "sluice_purchase_backlog") == len(buyers), what="one batch")
    crowd.join()


def test_a_ticket_without_its_holdings_fails_alone(tampered):
    shop = tampered
    sale = shop.sale(stock=100, gate_factor=10_000)["id"]
    buyers = [Buyer(token) for token in shop.minted(40)]
    bad, others, later = buyers[0], buyers[1:30], buyers[30:]
    rush(shop.server.port, buys(sale), [bad])
    ticket = bad.bought["ticket"]
    rush(shop.server.port, lambda line, buyer: buyer.cancel(line), [bad])
    # Its history is lost, so after a start nobody knows that the pass was used.
    change(shop, "DELETE FROM holdings")
    shop.restart_after_kill()

    together(shop, sale, [bad, *others])
    assert bad.log[-1] == (500, "internal")
    assert all(buyer.bought for buyer in others), [buyer.log for buyer in others]
    assert shop.stock(sale)["held"] == len(others)
    assert metric(shop, "sluice_tickets_failed_total") == 1
    assert f"ticket.failed ticket={ticket}" in shop.server.log().replace('"', "")
    rush(shop.server.port, buys(sale), later)
    assert all(buyer.bought for buyer in later)
    assert shop.stock(sale)["held"] == len(others) + len(later)
    assert look(shop, "SELECT count(*) FROM orders WHERE state = 'pending'") == [(len(others) + len(later),)]

    audit = run("audit", "--data", shop.server.data)
    assert audit.returncode == 1 and ticket in audit.stdout, audit.stdout

    # The reaper asks the journal what became of the claim; then the same request is a replay.
    def replayed():
        [reply] = rush(shop.server.port, lambda line, buyer: buyer.buy(line, sale), [bad])
        return reply.status == 201 and reply.body["ticket"] == ticket
    eventually(replayed, seconds=REAPED_WITHIN, what="the answer by the journal")


def test_a_claim_that_cannot_be_fenced_keeps_no_other_from_it(tampered):
    shop = tampered
    sale = shop.sale(stock=4, gate_factor=10_000)["id"]
    bad, good = (Buyer(token) for token in shop.minted(2))
    rush(shop.server.port, lambda line, buyer: buyer.get_pass(line, sale), [bad, good])
    with open_ledger(shop.server.data) as ledger:
        name = ledger.value("SELECT max(id) FROM users")
        ledger.refuse("planted", "journal", f"NEW.buyer_id = {name}")
    together(shop, sale, [bad, good])
    assert {bad.log[-1], good.log[-1]} == {(500, "internal"), (201, None)}
    eventually(lambda: "ticket.stuck" in shop.server.log(), seconds=REAPED_WITHIN)
    change(shop, "DROP TRIGGER planted")
    # The next round fences it, and its unit is for sale again.
    rest = [Buyer(token) for token in shop.minted(2)]
    rush(shop.server.port, buys(sale), rest)
    unlucky = bad if not bad.bought else good

    def sells():
        [reply] = rush(shop.server.port, lambda line, buyer: buyer.buy(line, sale), [unlucky])
        return reply.status == 201
    eventually(sells, seconds=REAPED_WITHIN, what="the unit of the claim that was stuck")
    assert shop.stock(sale) == {"total": 4, "left": 0, "held": 4, "sold": 0}
    shop.audit()


@pytest.mark.sqlite_ledger  # MariaDB keeps rows that others refer to
def test_an_order_whose_sale_is_gone_stays_and_keeps_no_other_from_expiring(tampered):
    shop = tampered
    [token] = shop.minted(1)
    buyer = shop.client(token)
    gone, kept = (shop.sale(hold_seconds=1)["id"] for _ in range(2))
    lost, order = (shop.bought(buyer, sale)["order_id"] for sale in (gone, kept))
    shop.server.kill()
    change(shop, "DELETE FROM sales WHERE id = ?1", int(gone))
    shop.restart_after_kill()
    buyer = shop.client(token)
    eventually(lambda: buyer.get(f"/orders/{order}").body["state"] == "expired", REAPED_WITHIN, "the expiry")
    eventually(lambda: metric(shop, "sluice_orders_stuck") == 1, REAPED_WITHIN, "the order that is stuck")
    report = run("audit", "--data", shop.server.data)
    assert report.returncode == 1 and f"order {lost} is of sale {gone}, which is not there" in report.stdout


def test_a_prepared_ticket_becomes_an_order_while_the_shop_runs(shop):
    sale = shop.sale(stock=4)["id"]
    buyer = Buyer(*shop.minted(1))
    mark = b"prepared by hand"
    with open_ledger(shop.server.data) as ledger, ledger.held():
        name = ledger.value("SELECT max(id) FROM users")
        ledger.change("INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (?1, ?2, 0, ?3)",
                      int(sale), name, mark)
        ledger.change("INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, pass, claimed_at) "
                      "VALUES (?1, ?2, ?3, 1, 1, 1, ?3, ?4)", name, int(sale), mark, round(time.time() * 1000))

    def ordered():
        return shop.client(buyer.token).get("/orders").body["orders"]
    [order] = eventually(ordered, seconds=REAPED_WITHIN, what="the order of the prepared ticket")
    assert (order["sale_id"], order["state"]) == (sale, "pending")
    assert shop.stock(sale) == {"total": 4, "left": 3, "held": 1, "sold": 0}
    shop.audit()


def test_a_buyer_gets_a_thousand_passes_more_in_a_sale_and_one_from_time_to_time(shop):
    sale = shop.sale(stock=5, gate_factor=10_000)["id"]
    other = shop.sale(stock=5)["id"]
    [buyer] = [Buyer(token) for token in shop.minted(1)]
    rush(shop.server.port, buys(sale), [buyer])
    rush(shop.server.port, lambda line, each: each.cancel(line), [buyer])

    async def ask(line: Line, _):
        return await line.ask_all([("POST", f"/sales/{sale}/passes", buyer.token)] * 101)
    codes = [reply.code for replies in rush(shop.server.port, ask, range(10), lines=1)
             for reply in replies]
    assert codes.count(None) in (1_000, 1_001) and set(codes) == {None, "rate_limited"}
    answer = shop.client(buyer.token).post(f"/sales/{sale}/passes")
    assert (answer.status, answer.code) == (429, "rate_limited")
    assert 1 <= int(answer.headers["Retry-After"]) <= 87
    assert shop.client(buyer.token).post(f"/sales/{other}/passes").status == 201
    [again] = rush(shop.server.port, lambda line, each: each.buy(line, sale), [buyer])
    assert again.body == buyer.bought, "a replay is never too much"
