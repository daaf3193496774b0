"""Which passwords may be chosen, changing one's own, and when a session ends for good."""

import time

import pytest

from client import in_parallel
from ledger import look, open_ledger
from process import run
from shop import PASSWORD, new_phone
from test_accounts_browser import cookie_of, is_alive
from test_limits import expect_too_fast

NEW = "a quite different horse"
COMMON = ["password", "Password1!", "p@ssw0rd", "12345678", "88888888", "qwertyui", "abcabcabc", "woaini520", "admin123",
          "Dr@g0n99", "drowssap12", "zhang19900101", "1qaz@WSX", "monkeydragon"]


def change(client, present=PASSWORD, wanted=NEW, **more):
    return client.put("/password", {"current_password": present, "new_password": wanted}, **more)


@pytest.mark.parametrize("password", COMMON)
def test_what_is_guessed_first_is_refused_wherever_it_is_chosen(shared, shared_buyer, password):
    answer = shared.visitor.post("/users", {"phone": new_phone(), "password": password})
    assert (answer.status, answer.fields) == (422, {"password"})
    answer = change(shared_buyer, wanted=password)
    assert (answer.status, answer.fields) == (422, {"new_password"})
    phone = shared.register()["phone"]
    done = run("user", "set-password", "--data", shared.server.data, "--phone", phone, "--password-stdin",
               stdin=password + "\n")
    assert done.returncode == 1 and "password" in done.stderr
    assert shared.log_in(phone), "nothing has changed"


def test_the_phone_is_no_password(shared):
    phone = new_phone()
    for password in (phone, phone[1:], phone[3:]):
        answer = shared.visitor.post("/users", {"phone": phone, "password": password})
        assert (answer.status, answer.fields) == (422, {"password"}), password
    user = shared.register(phone)
    answer = change(shared.client(shared.log_in(user["phone"])), wanted=phone[3:])
    assert (answer.status, answer.fields) == (422, {"new_password"})


def test_the_name_is_no_password(shared):
    phone, name = new_phone(), "Zsofia Nagy"
    answer = shared.visitor.post("/users", {"phone": phone, "password": "zsofia!!22", "name": name})
    assert (answer.status, answer.fields) == (422, {"password"})
    assert shared.visitor.post("/users", {"phone": phone, "password": PASSWORD, "name": name}).status == 201
    client = shared.client(shared.log_in(phone))
    answer = change(client, wanted="Zsofia.2024")
    assert (answer.status, answer.fields) == (422, {"new_password"})
    assert shared.visitor.post("/users", {"phone": new_phone(), "password": "zsofia!!22"}).status == 201, "somebody else's"


def test_whoever_changes_their_password_stays_and_everybody_else_is_out(shared):
    phone = shared.register()["phone"]
    tokens = [shared.log_in(phone) for _ in range(3)]
    bystander = shared.buyer()
    assert change(shared.client(tokens[0])).status == 204
    assert [is_alive(shared, token) for token in tokens] == [True, False, False]
    assert bystander.get("/sessions/current").status == 200
    assert shared.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}).status == 401
    assert shared.visitor.post("/sessions", {"phone": phone, "password": NEW}).status == 201


def test_a_wrong_password_changes_nothing(shared):
    phone = shared.register()["phone"]
    tokens = [shared.log_in(phone) for _ in range(2)]
    answer = change(shared.client(tokens[0]), present="wrong password")
    assert (answer.status, answer.fields) == (422, {"current_password"})
    assert all(is_alive(shared, token) for token in tokens)
    assert shared.log_in(phone)


@pytest.mark.parametrize("body", [{}, {"current_password": PASSWORD}, {"new_password": NEW},
                                  {"current_password": 1, "new_password": NEW},
                                  {"current_password": "x" * 1025, "new_password": NEW},
                                  {"current_password": PASSWORD, "new_password": "short"},
                                  {"current_password": PASSWORD, "new_password": NEW, "x": 1}])
def test_a_change_that_makes_no_sense(shared, shared_buyer, body):
    answer = shared_buyer.put("/password", body)
    assert (answer.status, answer.code) == (422, "invalid")


def test_strangers_and_other_sites_change_nothing(shared):
    assert change(shared.visitor).status == 401
    first = shared.visitor.post("/sessions", {"phone": shared.register()["phone"], "password": PASSWORD})
    cookie = {"Cookie": cookie_of(first), "Origin": "https://evil.example"}
    assert change(shared.visitor, headers=cookie).code == "csrf"


def test_an_open_session_is_no_way_to_guess_faster(start_shop):
    shop = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.0/8"]\n[limits.guessing]\nper_minute = 600\nburst = 600\n',
                      env={"SLUICE_LIMITS_ENABLED": "true"})
    buyer = shop.buyer()
    answers = [change(buyer, present="wrong password", headers={"X-Forwarded-For": "198.51.100.1"}) for _ in range(11)]
    assert [each.status for each in answers] == [422] * 10 + [429]
    expect_too_fast(answers[-1], "password")


def test_two_changes_at_once_leave_one_password(shared):
    phone = shared.register()["phone"]
    clients = [shared.client(shared.log_in(phone)) for _ in range(2)]
    wanted = [NEW, NEW + " too"]
    answers = in_parallel([lambda c=c, w=w: change(c, wanted=w) for c, w in zip(clients, wanted)])
    assert sorted(each.status for each in answers)[0] == 204
    valid = [password for password in (PASSWORD, *wanted)
             if shared.visitor.post("/sessions", {"phone": phone, "password": password}).status == 201]
    assert len(valid) == 1 and valid[0] != PASSWORD


def test_an_operators_change_is_on_the_trail_and_a_buyers_is_not(shop):
    buyer = shop.buyer()
    assert change(buyer).status == 204
    assert change(shop.operator).status == 204
    deeds = [deed for deed in shop.operator.get("/admin/audit-trail").body["entries"] if deed["action"] == "user.password"]
    assert len(deeds) == 1
    assert deeds[0]["subject"] == shop.operator.get("/sessions/current").body["user"]["id"]
    assert PASSWORD not in str(deeds) and NEW not in str(deeds)


def test_a_session_has_an_end_on_record(start_shop):
    shop = start_shop(config="[accounts]\nsession_minutes = 60\nsession_days = 2\n")
    token = shop.log_in(shop.register()["phone"])
    assert is_alive(shop, token)
    rows = look(shop, "SELECT expires_at, ends_at FROM sessions")
    now = time.time() * 1000
    for expires_at, ends_at in rows:
        assert abs(expires_at - now - 3_600_000) < 120_000
        assert abs(ends_at - now - 2 * 86_400_000) < 120_000


def test_a_session_is_gone_at_its_end(shop):
    """The end is moved into the past, as if its days were over, while the server is away."""
    token = shop.log_in(shop.register()["phone"])
    assert is_alive(shop, token)
    shop.stop()
    moved = int(time.time() * 1000) + 2_500
    with open_ledger(shop.server.data) as ledger:
        assert ledger.change("UPDATE sessions SET expires_at = ?1, ends_at = ?1", moved) > 0
    shop.server.start()
    deadline = time.monotonic() + 10
    alive = is_alive(shop, token)
    while is_alive(shop, token):  # each use would make it last longer
        assert time.monotonic() < deadline
    assert alive or time.time() * 1000 >= moved


@pytest.mark.parametrize("days", [0, 366, "x"])
def test_a_session_length_that_is_none_is_refused(tmp_path, days):
    done = run("check-config", "--data", tmp_path, "--set", f"accounts.session_days={days}")
    assert done.returncode == 1 and "accounts.session_days" in done.stderr
