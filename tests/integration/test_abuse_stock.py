"""Users who take passes or units and never pay, and honest users who obey Retry-After beside them."""

import random

import pytest

from instants import now, parse
from process import eventually


@pytest.fixture
def shop(start_shop, clock):
    return start_shop(env=clock.env)


def refused(answer, status, code):
    assert (answer.status, answer.code) == (status, code), answer.body


class Person:
    """Asks for a pass when they are told to. The time is in seconds since the test began."""

    def __init__(self, client, first):
        self.client, self.next = client, first

    def ask(self, sale, at):
        answer = self.client.post(f"/sales/{sale}/passes")
        if answer.status == 201:
            self.next = at + 60
            return answer.body["pass"]
        assert answer.code in ("gate_closed", "sold_out"), answer.body
        self.next = at + int(answer.headers.get("Retry-After", 10**6))
        return None


def test_both_units_are_sold_although_thirty_accounts_take_passes_and_never_buy(shop, clock):
    sale = shop.sale(stock=2, gate_factor=5)["id"]
    squatters = [Person(client, 0) for client in shop.buyers(30)]
    honest = [Person(client, 1) for client in shop.buyers(30)]
    sold, at = 0, 0
    while sold < 2 and at < 200:
        due = [person for person in squatters + honest if person.next <= at]
        random.shuffle(due)
        for person in due:
            pass_ = person.ask(sale, at)
            if pass_ and person in honest:
                shop.bought(person.client, sale, pass_=pass_)
                person.next = 10**6
                sold += 1
        at += 1
        clock.pass_time(1)
    assert sold == 2, "the honest got nothing in 200 s"
    assert shop.stock(sale)["left"] == 0
    shop.audit()


def test_a_pass_that_expires_unused_costs_a_wait_that_is_told(shop, clock):
    sale, other = shop.sale(stock=1, gate_factor=1)["id"], shop.sale()["id"]
    [squatter, person] = shop.buyers(2)
    shop.pass_for(squatter, sale)
    refused(person.post(f"/sales/{sale}/passes"), 429, "gate_closed")
    clock.pass_time(61)
    told = squatter.post(f"/sales/{sale}/passes")
    refused(told, 429, "gate_closed")
    assert told.body["reason"] == "pass_lapsed"
    assert 50 <= int(told.headers["Retry-After"]) <= 60
    shop.bought(person, sale)
    shop.pass_for(squatter, other)


def test_who_was_drawn_and_came_too_late_has_let_no_pass_lapse(shop, clock):
    """Before: a telephone that was locked cost a minute, and the text spoke of a pass that nobody had been given."""
    [holder, waiter, other] = shop.buyers(3)
    for _ in range(30):
        sale = shop.sale(stock=1, gate_factor=1)["id"]
        shop.pass_for(holder, sale)
        clock.pass_time(58)
        refused(waiter.post(f"/sales/{sale}/passes"), 429, "gate_closed")
        clock.pass_time(3)
        if other.post(f"/sales/{sale}/passes").status == 201:
            continue  # the lot has fallen on the other
        clock.pass_time(14)
        shop.bought(waiter, sale)
        return
    pytest.fail("the lot never fell on whoever waited")


def unpaid(shop, clock, buyer, sale):
    """Buys, and lets the hold expire."""
    order = shop.bought(buyer, sale)["order_id"]
    held = buyer.get(f"/orders/{order}").body
    clock.pass_time((parse(held["expires_at"]) - now()).total_seconds() - clock.passed + 1)
    eventually(lambda: buyer.get(f"/orders/{order}").body["state"] == "expired", what="the expiry")


def test_who_never_pays_waits_longer_each_time(shop, clock):
    sale = shop.sale(stock=5, hold_seconds=90, unpaid_limit=2)["id"]
    [buyer, other] = shop.buyers(2)
    unpaid(shop, clock, buyer, sale)
    unpaid(shop, clock, buyer, sale)
    for wait in (90, 180):
        # An order has expired a moment before its units are back in the hot copy.
        told = eventually(lambda: next((answer for answer in [buyer.post(f"/sales/{sale}/passes")]
                                        if answer.code != "limit_reached"), None), 5, "the units of the order")
        refused(told, 429, "gate_closed")
        assert told.body["reason"] == "left_unpaid"
        assert wait - 10 <= int(told.headers["Retry-After"]) <= wait
        refused(buyer.post(f"/sales/{sale}/challenges"), 429, "gate_closed")
        shop.bought(other, shop.sale()["id"])
        clock.pass_time(wait)
        unpaid(shop, clock, buyer, sale)
    shop.bought(other, sale)
    shop.audit()


def test_cancelling_counts_too_and_paying_does_not(shop):
    sale = shop.sale(stock=5, unpaid_limit=1)["id"]
    [fickle, honest] = shop.buyers(2)
    order = shop.bought(fickle, sale)["order_id"]
    assert fickle.post(f"/orders/{order}/cancel").status == 200
    refused(fickle.post(f"/sales/{sale}/passes"), 429, "gate_closed")
    assert fickle.post(f"/sales/{shop.sale()['id']}/passes").status == 201, "only in that sale"
    shop.bought(honest, sale)
    refused(honest.post(f"/sales/{sale}/passes"), 409, "limit_reached")
