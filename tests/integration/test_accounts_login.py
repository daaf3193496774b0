"""Guessing passwords: how far it gets, and who is affected."""

import pytest

from client import in_parallel
from process import eventually
from shop import PASSWORD, new_phone
from test_limits import expect_too_fast

WRONG = "wrong password"
BEHIND_A_PROXY = '[http]\ntrusted_proxies = ["127.0.0.0/8"]\n'
LIMITED = {"config": BEHIND_A_PROXY, "env": {"SLUICE_LIMITS_ENABLED": "true"}}


def log_in(shop, phone, password, address):
    return shop.visitor.post("/sessions", {"phone": phone, "password": password},
                             headers={"X-Forwarded-For": address})


def guess_until_stopped(shop, phone, address):
    """The answers to wrong passwords, up to the first that is not 401."""
    answers = []
    while not answers or answers[-1].status == 401:
        answers.append(log_in(shop, phone, WRONG, address))
        assert len(answers) < 50
    return answers


def without_id(answer):
    return {name: value for name, value in answer.body.items() if name != "request_id"}


@pytest.fixture
def limited(start_shop):
    return start_shop(**LIMITED)


def test_a_rival_elsewhere_cannot_lock_anybody_out(limited):
    phone = limited.register()["phone"]
    guesses = guess_until_stopped(limited, phone, "198.51.100.1")
    assert len(guesses) == 11, "ten mistakes at once"
    stopped = guesses[-1]
    expect_too_fast(stopped, "password")
    assert 1 <= int(stopped.headers["Retry-After"]) <= 30
    assert log_in(limited, phone, PASSWORD, "203.0.113.7").status == 201
    assert log_in(limited, phone, PASSWORD, "198.51.100.1").status == 429, "not even with the right one"
    assert log_in(limited, new_phone(), WRONG, "198.51.100.1").status == 401, "only for that account"


def test_the_limit_does_not_tell_who_exists(limited):
    known = guess_until_stopped(limited, limited.register()["phone"], "198.51.100.1")
    unknown = guess_until_stopped(limited, new_phone(), "198.51.100.2")
    assert [each.status for each in known] == [each.status for each in unknown]
    assert [without_id(each) for each in known] == [without_id(each) for each in unknown]


def test_guesses_made_at_once_are_no_way_around(limited):
    phone = limited.register()["phone"]
    guess = {"phone": phone, "password": WRONG}
    clients = [limited.client() for _ in range(30)]
    answers = in_parallel([lambda c=c: c.post("/sessions", guess) for c in clients])
    looked_at = [each for each in answers if each.status != 429]
    assert len(looked_at) == 10


def test_a_whole_household_is_one_guesser(limited):
    phone = limited.register()["phone"]
    guess_until_stopped(limited, phone, "2001:db8::1")
    assert log_in(limited, phone, WRONG, "2001:db8::2").status == 429
    assert log_in(limited, phone, WRONG, "2001:db8:0:1::1").status == 401


def test_logging_in_forgives_mistakes_before(limited):
    phone = limited.register()["phone"]
    for _ in range(2):
        for _ in range(9):
            assert log_in(limited, phone, WRONG, "203.0.113.7").status == 401
        assert log_in(limited, phone, PASSWORD, "203.0.113.7").status == 201


def test_without_limits_guesses_are_not_counted(shared):
    phone = shared.register()["phone"]
    for _ in range(12):
        assert shared.visitor.post("/sessions", {"phone": phone, "password": WRONG}).status == 401


def test_a_flood_of_log_ins_is_told_to_come_back_and_holds_up_nobody(start_shop):
    shop = start_shop(config="[accounts]\nhash_threads = 1\nhash_backlog = 2\n")
    phone = shop.register()["phone"]
    clients = [shop.client() for _ in range(40)]
    guess = {"phone": phone, "password": WRONG}
    reader = shop.client()
    calls = [lambda c=c: c.post("/sessions", guess) for c in clients]
    calls += [lambda: [reader.get("/time") for _ in range(20)]]
    *answers, read = in_parallel(calls)
    assert {(each.status, each.code) for each in answers} == {(401, "unauthenticated"), (503, "busy")}
    assert all(each.status == 200 for each in read)
    eventually(lambda: shop.client().post("/sessions", {"phone": phone, "password": PASSWORD}).status == 201)
