"""What bots achieve at the gate, and what a person at the same sale notices of it: faults 23 and 27.

Single refusals are in test_challenges.py, test_limits.py and test_faults_flood.py; here is what a whole
attack comes to.
"""

import json
import secrets
import threading
import time

import pytest

from challenges import answer, ask, challenge, solve
from client import in_parallel
from test_faults_flood import bearer, reads, some_id, some_token
from test_limits import ON, expect_too_fast
from wire import Wire, get, post

BEHIND_A_PROXY = {"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"}
BOTS_ADDRESS, PERSONS_ADDRESS = "192.0.2.66", "198.51.100.7"
PEOPLE, BURST, PER_SECOND = 10, 20, 2  # behind one address; what each of them has for a buying route


def worth_of(people, seconds):
    """Attempts that so many people have in that time."""
    return people * (BURST + PER_SECOND * seconds)


def refused(given, status, code):
    assert (given.status, given.code) == (status, code), given.body


class At:
    """A buyer who asks from that address."""

    def __init__(self, client, address):
        self.client, self.headers = client, {"X-Forwarded-For": address}

    def post(self, path, body=None):
        return self.client.post(path, body, headers=self.headers)


class Person:
    """At an address of their own, buying once in a while."""

    def __init__(self, shop):
        [self.client] = shop.buyers(1)
        self.slowest = 0.0

    def ask(self, method, path):
        began = time.monotonic()
        given = self.client.request(method, path, headers={"X-Forwarded-For": PERSONS_ADDRESS})
        self.slowest = max(self.slowest, time.monotonic() - began)
        return given

    def buy(self, sale):
        given = self.ask("POST", f"/sales/{sale}/passes")
        assert given.status == 201, given.body
        bought = self.ask("POST", f"/sales/{sale}/orders/{given.body['pass']}")
        assert (bought.status, bought.body["state"]) == (201, "ordered"), bought.body
        assert self.ask("GET", f"/tickets/{bought.body['ticket']}").status == 200
        return bought.body


def send_all(port, requests, at_once=250):
    """The replies to all of them, over as few connections as there can be."""
    replies = []
    with Wire(port, timeout=20) as wire:
        for start in range(0, len(requests), at_once):
            part = requests[start:start + at_once]
            wire.send(b"".join(part))
            replies += [wire.read() for _ in part]
    return replies


# A bot that knows the API but not the answer.


def test_fault_23_a_bot_that_guesses_formulas_soon_waits_between_guesses(start_shop):
    """One guess in 60 is right, and wrong ones are counted: three at once, then two a minute."""
    shop = start_shop(env=ON)
    sale = shop.sale(challenge="math", stock=1_000)["id"]
    [bot] = shop.buyers(1)
    began = time.monotonic()
    guesses = passes = told_to_wait = 0
    while told_to_wait < 50:
        given = ask(bot, sale)
        tried = answer(bot, sale, given.body, "17") if given.status == 201 else given
        if tried.status == 429:
            told_to_wait += 1
            continue
        guesses += 1
        if tried.status == 201:
            passes += 1
        else:
            refused(tried, 403, "challenge_failed")
    assert guesses - passes <= 3 + 2 * (time.monotonic() - began) / 60 + 1
    assert passes <= 3, "of a few guesses"
    assert shop.stock(sale)["left"] == 1_000


def test_fault_23_a_bot_that_looks_for_an_easy_picture_soon_waits_for_the_next(start_shop):
    """It answers only when it is sure, and so is never wrong: four pictures at once, then one in ten seconds."""
    shop = start_shop(env=ON)
    sale = shop.sale(challenge="math", challenge_alternative="pow", challenge_bits=8)["id"]
    bot, person = shop.buyers(2)
    began = time.monotonic()
    answers = [ask(bot, sale) for _ in range(12)]
    shown = [each.status for each in answers].count(201)
    assert 4 <= shown <= 4 + (time.monotonic() - began) / 10 + 1
    assert {each.status for each in answers} == {201, 429}
    expect_too_fast(answers[-1], "picture")
    assert int(answers[-1].headers["Retry-After"]) <= 10
    assert ask(person, sale).status == 201
    given = challenge(bot, sale, "pow")
    assert answer(bot, sale, given, solve(given)).status == 201, "work is no picture"


def test_fault_23_many_accounts_of_one_address_share_its_wrong_answers(start_shop):
    """Sixty in a sale, then twelve a minute and two of each account. Neighbours who guess at nothing are not kept out."""
    shop = start_shop(env={**ON, **BEHIND_A_PROXY})
    guarded = {"challenge": "math", "challenge_alternative": "pow", "challenge_bits": 8, "stock": 1_000}
    sale, other_sale = (shop.sale(**guarded)["id"] for _ in range(2))
    *bots, person = shop.buyers(29)
    began = time.monotonic()
    wrong = told_to_wait = 0
    for bot in (At(each, BOTS_ADDRESS) for each in bots):
        for _ in range(5):
            given = ask(bot, sale)
            tried = answer(bot, sale, given.body, "60") if given.status == 201 else given
            if tried.status == 429:
                told_to_wait += 1
                break
            refused(tried, 403, "challenge_failed")
            wrong += 1
    assert 60 <= wrong <= 60 + 2 * len(bots) + 12 * (time.monotonic() - began) / 60 + 1
    assert told_to_wait >= len(bots) - 7
    neighbour = At(person, BOTS_ADDRESS)
    assert ask(neighbour, sale).status == 201
    assert ask(neighbour, other_sale).status == 201
    assert ask(At(person, PERSONS_ADDRESS), sale).status == 201
    given = challenge(neighbour, sale, "pow")
    assert answer(neighbour, sale, given, solve(given)).status == 201, "work cannot be guessed"


def test_fault_23_without_an_answer_no_place_is_taken(start_shop):
    """Not even for a moment: whoever solves finds every place free."""
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "false"})
    sale = shop.sale(challenge="pow", challenge_bits=16, stock=1, gate_factor=1)["id"]
    *bots, person = shop.buyers(9)

    def try_everything(bot):
        for _ in range(10):
            given = challenge(bot, sale)
            # An answer to an easier question, to another's, to none.
            easier = solve({**given, "bits": 4})
            refused(answer(bot, sale, given, easier), 403, "challenge_failed")
            refused(answer(bot, sale, given, solve(given)), 403, "challenge_failed")
            refused(answer(bot, sale, {"challenge_id": secrets.token_urlsafe(36)}, "1"), 403, "challenge_failed")
            refused(shop.buy(bot, sale, pass_=given["challenge_id"][:43]), 403, "pass_invalid")

    in_parallel([lambda bot=bot: try_everything(bot) for bot in bots])
    given = challenge(person, sale)
    admitted = answer(person, sale, given, solve(given))
    assert admitted.status == 201, admitted.body
    shop.bought(person, sale, pass_=admitted.body["pass"])


# One that reuses passes.


def test_a_place_is_not_kept_by_asking_again(shop):
    """Otherwise a few who never buy could keep everybody out (denial of inventory)."""
    sale = shop.sale(stock=1, gate_factor=1)["id"]
    squatter, person = shop.buyer(), shop.buyer()
    first = squatter.post(f"/sales/{sale}/passes").body
    again = squatter.post(f"/sales/{sale}/passes").body
    assert again["pass"] != first["pass"] and again["expires_at"] == first["expires_at"]
    refused(person.post(f"/sales/{sale}/passes"), 429, "gate_closed")


def test_fault_23_an_expired_pass(shop, long):
    """Its life is a minute; the edges of it are in turnstile_test.cpp."""
    if not long:
        pytest.skip("takes a minute")
    sale = shop.sale(limit_per_buyer=2)["id"]
    buyer = shop.buyer()
    used, unused = shop.pass_for(buyer, sale), shop.pass_for(buyer, sale)
    bought = shop.bought(buyer, sale, pass_=used)
    time.sleep(61)  # the promise itself
    refused(shop.buy(buyer, sale, pass_=unused), 403, "pass_invalid")
    assert shop.bought(buyer, sale, pass_=used) == bought, "used in time, it finds its ticket"


def test_fault_23_one_pass_in_twenty_hands_is_one_order(start_shop):
    """Half of them are the buyer's own connections, half are other accounts; each tries it at both
    sales, used and unused."""
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "false"})
    sale, other_sale = (shop.sale(stock=100, limit_per_buyer=100)["id"] for _ in range(2))
    [bot] = shop.buyers(1)
    accomplices = shop.buyers(10)
    pass_ = shop.pass_for(bot, sale)
    hands = [shop.client(bot.token) for _ in range(10)]

    def spend(hand):
        return [shop.buy(hand, where, pass_=pass_) for _ in range(5) for where in (sale, other_sale)]

    tried = in_parallel([lambda hand=hand: spend(hand) for hand in hands + accomplices])
    own, others = (sum(part, []) for part in (tried[:10], tried[10:]))
    for given in others + own[1::2]:
        refused(given, 403, "pass_invalid")
    assert {given.status for given in own[::2]} == {201}
    assert len({given.body["order_id"] for given in own[::2]}) == 1
    assert shop.stock(sale) == {"total": 100, "left": 99, "held": 1, "sold": 0}
    assert shop.stock(other_sale)["left"] == 100
    shop.audit()


# One with a thousand accounts behind one address.


def test_a_thousand_accounts_at_one_address_are_ten_people(start_shop):
    """Scalping: they do not buy the sale empty, and somebody at another address buys meanwhile."""
    shop = start_shop(env={**ON, **BEHIND_A_PROXY})
    sale = shop.sale(stock=600)["id"]
    tokens = shop.minted(1_000)
    person = Person(shop)
    bots = f"X-Forwarded-For: {BOTS_ADDRESS}"
    began = time.monotonic()
    asked, ordered = 0, set()
    passes = {}
    for _ in range(3):
        replies = send_all(shop.server.port, [
            post(f"/api/v1/sales/{sale}/passes", bearer(token), bots, "Content-Length: 0") for token in tokens])
        assert {reply.status for reply in replies} <= {201, 409, 429}
        asked += sum(reply.status != 429 for reply in replies)
        passes |= {token: json.loads(reply.body)["pass"]
                   for token, reply in zip(tokens, replies) if reply.status == 201}
        replies = send_all(shop.server.port, [
            post(f"/api/v1/sales/{sale}/orders/{pass_}", bearer(token), bots, "Content-Length: 0")
            for token, pass_ in passes.items()])
        assert {reply.status for reply in replies} <= {201, 429}
        ordered |= {json.loads(reply.body)["order_id"] for reply in replies if reply.status == 201}
    share = worth_of(PEOPLE, time.monotonic() - began) + 1
    # An address has a share for sessions that are known, and one for those that have to be looked up.
    assert PEOPLE * BURST <= asked <= 2 * share and len(ordered) <= share
    person.buy(sale)
    assert shop.stock(sale)["left"] >= 600 - share - 1
    shop.audit()


# One that floods.


def flood(bot_token, sale, count):
    """Values that were never given out: tokens, passes, sales, items, tickets."""
    here, known, empty = f"X-Forwarded-For: {BOTS_ADDRESS}", bearer(bot_token), "Content-Length: 0"
    kinds = [
        lambda: get("/api/v1/orders", bearer(some_token(bot_token)), here),
        lambda: post(f"/api/v1/sales/{sale}/orders/{secrets.token_urlsafe(32)}", known, here, empty),
        lambda: post(f"/api/v1/sales/{some_id()}/orders/{secrets.token_urlsafe(32)}", known, here, empty),
        lambda: post(f"/api/v1/sales/{some_id()}/passes", known, here, empty),
        lambda: get(f"/api/v1/sales/{some_id()}/ticket", known, here),
        lambda: get(f"/api/v1/items/{some_id()}", here),
        lambda: get(f"/api/v1/tickets/{secrets.token_urlsafe(16)}", known, here),
    ]
    return [kinds[i % len(kinds)]() for i in range(count)]


@pytest.mark.parametrize("enabled", ["true", "false"])
def test_fault_27_a_flood_of_made_up_things_next_to_a_person(start_shop, enabled):
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": enabled, **BEHIND_A_PROXY})
    rehearsal, *sales = [shop.sale()["id"] for _ in range(6)]
    [bot] = shop.buyers(1)
    person = Person(shop)
    assert send_all(shop.server.port, flood(bot.token, rehearsal, 700))
    person.buy(rehearsal)
    requests = flood(bot.token, rehearsal, 7_000)
    memory, asked = shop.server.resident_bytes(), reads(shop)

    over = threading.Event()
    seen = [set() for _ in range(3)]

    def attack(codes):
        while not over.is_set():
            codes |= {(reply.status, reply.code) for reply in send_all(shop.server.port, requests)}

    def live():
        try:
            for sale in sales:
                person.ask("GET", f"/sales/{rehearsal}/ticket")
                person.buy(sale)
        finally:
            over.set()

    in_parallel([live, *(lambda codes=codes: attack(codes) for codes in seen)])
    codes = set.union(*seen)
    expected = {(401, "unauthenticated"), (403, "pass_invalid"), (404, "not_found")}
    if enabled == "true":
        assert (429, "rate_limited") in codes and codes <= expected | {(429, "rate_limited")}
    else:
        assert codes == expected
    # The person's, and what the server looks at by itself every second.
    assert reads(shop) - asked < len(requests) / 100, "the flood reached the database"
    assert shop.server.resident_bytes() - memory < 16 << 20
    assert person.slowest < 2, "seconds, on whatever machine this is"


def test_fault_27_very_many_buyers_who_are_real(start_shop, long):
    """Each costs a session in memory, of which there is a bounded number, and one look at the ledger."""
    crowd = 1_000_000 if long else 20_000
    shop = start_shop(env=ON | {"SLUICE_LIMITS_EXEMPT": "127.0.0.0/8"})
    sale = shop.sale(stock=0)["id"]
    tokens = shop.minted(crowd)
    line = lambda token: post(f"/api/v1/sales/{sale}/passes", bearer(token), "Content-Length: 0")
    send_all(shop.server.port, [line(token) for token in tokens[:1_000]])
    memory, asked, began = shop.server.resident_bytes(), reads(shop), time.monotonic()
    for start in range(0, crowd, 10_000):
        part = [line(token) for token in tokens[start:start + 10_000]]
        assert {(reply.status, reply.code) for reply in send_all(shop.server.port, part)} == {(409, "sold_out")}
    assert shop.server.resident_bytes() - memory < (16 << 20) + crowd * 512
    by_workers = 20 * (time.monotonic() - began)
    assert reads(shop) - asked <= crowd + by_workers
    asked, began = reads(shop), time.monotonic()
    assert {reply.status for reply in send_all(shop.server.port, [line(t) for t in tokens[-5_000:]])} == {409}
    by_workers = 20 * (time.monotonic() - began)
    assert reads(shop) - asked < 100 + by_workers, "who is known is not looked up again"
