"""Crowds that take everything and never buy, as a shop with default settings meets them: every request is counted, and
each client comes through a trusted proxy, from an address of its own or from one office."""

import random

import pytest

from instants import now
from ledger import look
from process import eventually
from provider import Bought
from shop import PASSWORD, new_phone
from test_abuse_holds import ATTACKERS, BEHIND_A_PROXY, OFFICE, from_
from test_abuse_neighbours import Neighbour


@pytest.fixture
def shop(start_shop, clock):
    return start_shop(config=BEHIND_A_PROXY, env={**clock.env, "SLUICE_LIMITS_ENABLED": "true"})


class Person:
    """Asks for a pass whenever they are told to, by the seconds of the test."""

    def __init__(self, client, address, first=0):
        self.at, self.next = Neighbour(client, address), first

    def ask(self, sale, seconds):
        """A pass, or None with the time to ask again."""
        answer = self.at.post(f"/sales/{sale}/passes")
        if answer.status == 201:
            return answer.body["pass"]
        assert answer.code in ("gate_closed", "sold_out", "rate_limited", "limit_reached"), answer.body
        self.next = seconds + int(answer.headers.get("Retry-After", 30))
        return None


def at_home(count, network):
    return [f"{network}.{last}" for last in range(1, count + 1)]


# Requests are counted by real time, which the test does not pass: an office of thirty would use up its minutes in seconds.
@pytest.mark.parametrize("homes", [at_home(30, "192.0.2"), [OFFICE] * 12], ids=["at home", "in one office"])
def test_both_units_go_to_the_honest_although_thirty_networks_take_passes_and_never_buy(shop, clock, homes):
    sale = shop.sale(stock=2, gate_factor=5)["id"]
    squatters = [Person(client, address) for client, address in zip(shop.buyers(30), at_home(30, "198.51.100"))]
    honest = [Person(client, address, 1) for client, address in zip(shop.buyers(len(homes)), homes)]
    sold, seconds = 0, 0
    while sold < 2 and seconds < 200:
        due = [person for person in squatters + honest if person.next <= seconds]
        random.shuffle(due)
        for person in due:
            pass_ = person.ask(sale, seconds)
            if pass_ and person in honest:
                shop.bought(person.at, sale, pass_=pass_)
                person.next = 10**6
                sold += 1
            elif pass_:
                person.next = seconds + 60
        seconds += 1
        clock.pass_time(1)
    assert sold == 2, "the honest got nothing in 200 s"
    shop.audit()


def registered(shop, address, count):
    """So many try; those who got an account."""
    phones = [new_phone() for _ in range(count)]
    answers = [shop.visitor.post("/users", {"phone": phone, "password": PASSWORD, "name": "Li"},
                                 headers=from_(address)) for phone in phones]
    assert {answer.status for answer in answers} <= {201, 429}
    return [phone for phone, answer in zip(phones, answers) if answer.status == 201]


def log_in(shop, clock, phone, address):
    while True:
        answer = shop.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}, headers=from_(address))
        if answer.status == 201:
            return shop.client(answer.body["token"])
        assert answer.code == "rate_limited", answer.body
        clock.pass_time(int(answer.headers["Retry-After"]))


def wait_for_expiries(shop, clock):
    due = int(now().timestamp() * 1000) + clock.passed * 1000 - 1000
    eventually(lambda: look(shop, "SELECT id FROM orders WHERE state = 'pending' AND expires_at < ?1", due) == [],
               what="the expiry of what is due")


def test_an_address_that_makes_accounts_and_never_pays_delays_the_sale_and_does_not_stop_it(shop, clock,
                                                                                                record_property):
    """Before: 100 of 100 accounts held all units, and after each expiry all of them again, for ever."""
    phones = registered(shop, ATTACKERS, 100)
    assert len(phones) == 30, "the others would come over the day"
    attackers = [Person(log_in(shop, clock, phone, ATTACKERS), ATTACKERS) for phone in phones]
    honest = [Person(client, address) for client, address in zip(shop.buyers(30), at_home(30, "192.0.2"))]
    made = shop.sale(stock=30)
    sale, hold = made["id"], made["hold_seconds"]
    held, paid, minutes = 0, 0, 0
    while paid < 30 and minutes < 90:
        for person in [person for person in attackers + honest if person.next <= minutes * 60]:
            pass_ = person.ask(sale, minutes * 60)
            if not pass_:
                continue
            person.next = 10**6 if person in honest else minutes * 60 + hold
            if person in attackers:
                held += shop.buy(person.at, sale, pass_=pass_).status == 201
                continue
            order = Bought(shop, person.at, sale, pass_=pass_)
            order.press(order.pay(), "succeed")
            order.becomes("paid")
            paid += 1
        minutes += 1
        clock.pass_time(60)
        wait_for_expiries(shop, clock)
    assert paid == 30, f"after {minutes} minutes {paid} units are sold; the attackers held units {held} times"
    record_property("took", f"all units paid by the honest after {minutes} minutes; the attackers held units {held} times")
    assert held <= 30 * 3, "from the third unpaid hold on each account waits"
    shop.audit()
