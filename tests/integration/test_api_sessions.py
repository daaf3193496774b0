import statistics
import time
from datetime import timedelta

import pytest

import instants
from shop import PASSWORD, new_phone


def cookie_of(answer):
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("sluice_session=")
    return cookie


@pytest.fixture
def login(shared):
    phone = shared.register()["phone"]
    return shared.visitor.post("/sessions", {"phone": phone, "password": PASSWORD})


def test_a_login_gives_token_expiry_and_user(login):
    assert set(login.body) == {"token", "expires_at", "user"}
    assert len(login.body["token"]) >= 43, "256 bits and a MAC"
    lasts = instants.parse(login.body["expires_at"]) - instants.now()
    assert timedelta(minutes=29) < lasts <= timedelta(minutes=30, seconds=5)
    assert login.headers["Cache-Control"] == "no-store"


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(login):
    cookie = cookie_of(login).lower()
    attributes = {part.strip() for part in cookie.split(";")[1:]}
    assert "httponly" in attributes
    assert attributes & {"samesite=lax", "samesite=strict"}
    assert "path=/" in attributes
    assert not any(attribute.startswith("domain") for attribute in attributes)


def test_the_token_works_as_bearer_and_as_cookie(shared, login):
    by_token = shared.client(login.body["token"]).get("/sessions/current")
    by_cookie = shared.visitor.get("/sessions/current",
                                   headers={"Cookie": cookie_of(login).split(";")[0]})
    for answer in (by_token, by_cookie):
        assert answer.status == 200
        assert answer.body["user"] == login.body["user"]
        assert "token" not in answer.body
        assert answer.headers["Cache-Control"] == "no-store"


def test_among_other_cookies_too(shared, login):
    cookies = f"theme=dark; {cookie_of(login).split(';')[0]}; xsluice_session=no"
    assert shared.visitor.get("/sessions/current", headers={"Cookie": cookies}).status == 200


def test_logout_ends_this_session_and_no_other(shared):
    phone = shared.register()["phone"]
    first, second = shared.client(shared.log_in(phone)), shared.client(shared.log_in(phone))
    assert first.token != second.token
    gone = first.delete("/sessions/current")
    assert gone.status == 204
    assert first.get("/sessions/current").status == 401
    assert first.delete("/sessions/current").status == 401
    assert second.get("/sessions/current").status == 200


def test_logout_by_cookie_takes_the_cookie_back(shared, login):
    headers = {"Cookie": cookie_of(login).split(";")[0], "Origin": shared.server.url}
    gone = shared.visitor.delete("/sessions/current", headers=headers)
    assert gone.status == 204
    assert cookie_of(gone).startswith("sluice_session=;")
    assert "max-age=0" in cookie_of(gone).lower()
    assert shared.client(login.body["token"]).get("/sessions/current").status == 401


OWN = "http://127.0.0.1:{port}"


@pytest.mark.parametrize("proof, status", [
    ({}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Origin": OWN + ".evil.example"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403),
    ({"Sec-Fetch-Site": "same-site"}, 403),
    ({"Sec-Fetch-Site": "none"}, 403),
    ({"Sec-Fetch-Site": "cross-site", "Origin": "http://evil.example"}, 403),
    ({"Origin": OWN}, 204),
    ({"Sec-Fetch-Site": "same-origin"}, 204),
    ({"Sec-Fetch-Site": "same-origin", "Origin": OWN}, 204),
])
def test_a_write_by_cookie_must_come_from_our_own_pages(shared, login, proof, status):
    headers = {name: value.format(port=shared.server.port) for name, value in proof.items()}
    headers["Cookie"] = cookie_of(login).split(";")[0]
    answer = shared.visitor.delete("/sessions/current", headers=headers)
    assert answer.status == status
    after = shared.client(login.body["token"]).get("/sessions/current").status
    if status == 403:
        assert answer.code == "csrf"
    assert after == (200 if status == 403 else 401)


def test_a_bearer_token_needs_no_such_proof(shared, login):
    client = shared.client(login.body["token"])
    assert client.delete("/sessions/current", headers={"Origin": "http://evil.example"}).status == 204


def test_unknown_phone_and_wrong_password_get_the_same_answer_in_the_same_time(shared):
    known, unknown = shared.register()["phone"], new_phone()
    bodies, seconds = [], {known: [], unknown: []}
    for phone in (known, unknown) * 3:
        begin = time.monotonic()
        answer = shared.visitor.post("/sessions", {"phone": phone, "password": "wrong password"})
        seconds[phone].append(time.monotonic() - begin)
        assert (answer.status, answer.code) == (401, "unauthenticated")
        del answer.body["request_id"]
        bodies.append(answer.body)
    assert all(body == bodies[0] for body in bodies)
    times = [statistics.median(seconds[phone]) for phone in (known, unknown)]
    assert min(times) > 0.5 * max(times)


@pytest.mark.parametrize("credentials", [{}, {"phone": "12345678"}, {"phone": 1, "password": 2},
                                         {"phone": "12345678", "password": PASSWORD, "x": 1}])
def test_half_a_login_is_invalid(shared, credentials):
    answer = shared.visitor.post("/sessions", credentials)
    assert (answer.status, answer.code) == (422, "invalid")


def altered(token):
    middle = len(token) // 2
    return token[:middle] + ("A" if token[middle] != "A" else "B") + token[middle + 1:]


@pytest.mark.parametrize("header", [
    None, "", "Bearer", "Bearer ", "Bearer x", "Basic dXNlcjpwYXNz", "Bearer " + "A" * 43,
    "Bearer " + "A" * 8000, "Bearer ../../etc/passwd", "Bearer ' OR 1=1 --", "{token}",
    "Bearer {altered}", "Bearer {cut}", "Bearer {token}x", "Bearer {token} {token}",
])
def test_anything_else_is_not_a_login(shared, login, header):
    token = login.body["token"]
    if header:
        header = header.format(token=token, altered=altered(token), cut=token[:-1])
    answer = shared.visitor.get("/sessions/current", headers={"Authorization": header})
    assert (answer.status, answer.code) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_session_survives_a_restart_and_a_logout_does_too(shop):
    stays, goes = shop.buyer(), shop.buyer()
    before = stays.get("/sessions/current").body["user"]
    assert goes.delete("/sessions/current").status == 204
    shop.restart()
    assert shop.client(stays.token).get("/sessions/current").body["user"] == before
    assert shop.client(goes.token).get("/sessions/current").status == 401


def test_a_token_of_another_installation_is_worth_nothing(shared, shop):
    assert shared.client(shop.operator.token).get("/sessions/current").status == 401


def test_neither_token_nor_password_is_logged(shop):
    buyer = shop.buyer()
    assert buyer.get("/sessions/current").status == 200
    shop.visitor.get(f"/time?token={buyer.token}")
    shop.stop()
    assert buyer.token not in shop.server.log()
    assert PASSWORD not in shop.server.log()
