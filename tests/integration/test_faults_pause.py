"""A pause in the middle of a rush: buyers who were caught by it are told to come again, and may."""

import re
import threading

import pytest

from crowd import Buyer, rush
from ledger import open_ledger
from process import eventually

CROWD = 120


class Meanwhile(threading.Thread):
    """A call whose answer comes later."""

    def __init__(self, call):
        super().__init__()
        self._call, self.answer = call, None
        self.start()

    def run(self):
        self.answer = self._call()

    def end(self):
        self.join()
        return self.answer


def backlog(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return int(float(re.search(r"^sluice_purchase_backlog (\S+)$", page, re.M)[1]))


def operate(shop, sale, verb):
    answer = shop.client(shop.operator.token).post(f"/admin/sales/{sale}/{verb}")
    assert answer.status == 200, answer.body


def gets_pass(sale):
    async def act(line, buyer):
        reply = await buyer.get_pass(line, sale)
        assert reply.status == 201, reply.body
    return act


def buys(sale):
    async def act(line, buyer):
        return await buyer.buy(line, sale)
    return act


def catch_by_a_pause(shop, sale, buyers):
    """All of them claim, and the pause is in the ledger before their tickets are written."""
    with open_ledger(shop.server.data) as ledger, ledger.held():
        crowd = Meanwhile(lambda: rush(shop.server.port, buys(sale), buyers, lines=len(buyers)))
        eventually(lambda: backlog(shop) == len(buyers), what="a backlog of everybody")
        ledger.change("UPDATE sales SET paused = 1, version = version + 1 WHERE id = ?1", int(sale))
    answers = crowd.end()
    eventually(lambda: shop.visitor.get(f"/sales/{sale}").body["state"] == "paused")
    return answers


@pytest.mark.parametrize("keys", [False, True], ids=["by pass", "by key"])
def test_whoever_was_caught_by_a_pause_buys_after_it(shop, keys):
    sale = shop.sale(stock=CROWD - 20, gate_factor=10_000)["id"]
    buyers = [Buyer(token, key=f"k{i}" if keys else None)
              for i, token in enumerate(shop.minted(CROWD))]
    rush(shop.server.port, gets_pass(sale), buyers)
    able = buyers[:CROWD - 20]
    caught = catch_by_a_pause(shop, sale, able)
    assert {(reply.status, reply.code) for reply in caught} == {(503, "paused")}
    assert shop.stock(sale) == {"total": 100, "left": 100, "held": 0, "sold": 0}

    # The pause lasts: the same request hears so, and takes nothing.
    [still] = rush(shop.server.port, buys(sale), able[:1])
    assert (still.status, still.code) == (503, "paused")
    operate(shop, sale, "resume")
    if keys:  # a key buys by whatever pass
        rush(shop.server.port, gets_pass(sale), able[:50])
    answers = rush(shop.server.port, buys(sale), able)
    assert {reply.status for reply in answers} == {201}, answers
    assert len({reply.body["ticket"] for reply in answers}) == len(able)
    late = rush(shop.server.port, buys(sale), buyers[len(able):])
    assert {reply.code for reply in late} == {"sold_out"}
    again = rush(shop.server.port, buys(sale), able)
    assert [reply.body for reply in again] == [reply.body for reply in answers]
    assert shop.stock(sale) == {"total": 100, "left": 0, "held": 100, "sold": 0}
    shop.audit()


def test_whoever_was_caught_is_judged_anew_and_hears_what_is_so_now(shop):
    sale = shop.sale(stock=1, gate_factor=10_000)["id"]
    early, late = (Buyer(token) for token in shop.minted(2))
    rush(shop.server.port, gets_pass(sale), [early, late])
    [caught] = catch_by_a_pause(shop, sale, [early])
    ticket = caught.body["ticket"]
    shown = shop.client(early.token).get(f"/tickets/{ticket}")
    assert (shown.status, shown.body["state"], shown.body["reason"]) == (200, "refused", "paused")
    operate(shop, sale, "resume")
    rush(shop.server.port, buys(sale), [late])
    assert late.bought
    [answer] = rush(shop.server.port, buys(sale), [early])
    assert (answer.status, answer.code) == (409, "sold_out")
    shop.restart()
    [answer] = rush(shop.server.port, buys(sale), [early])
    assert (answer.status, answer.code) == (409, "sold_out")
    shop.audit()


def test_a_real_pause_in_a_rush_loses_nobody(shop):
    sale = shop.sale(stock=2_000, gate_factor=10_000)["id"]
    buyers = [Buyer(token) for token in shop.minted(600)]
    rush(shop.server.port, gets_pass(sale), buyers)
    crowd = Meanwhile(lambda: rush(shop.server.port, buys(sale), buyers))
    eventually(lambda: shop.stock(sale)["held"] > 0)
    operate(shop, sale, "pause")
    crowd.end()
    assert {each for buyer in buyers for each in buyer.log[1:]} <= {(201, None), (503, "paused")}
    operate(shop, sale, "resume")
    rush(shop.server.port, buys(sale), [buyer for buyer in buyers if not buyer.bought])
    assert all(buyer.bought for buyer in buyers)
    assert shop.stock(sale)["held"] == len(buyers)
    shop.audit()
