"""Sessions in browsers: rotation, cookies, pages of other sites."""

import pytest

from process import eventually, run
from shop import PASSWORD

PARTNER = "https://partner.example"
EVIL = "https://evil.example"


def credentials(shop):
    return {"phone": shop.register()["phone"], "password": PASSWORD}


def cookie_of(answer):
    return answer.headers["Set-Cookie"].split(";")[0]


def is_alive(shop, token):
    return shop.client(token).get("/sessions/current").status == 200


@pytest.mark.parametrize("way", ["bearer", "cookie"])
def test_a_log_in_ends_the_session_it_came_with(shared, way):
    who = credentials(shared)
    first = shared.visitor.post("/sessions", who)
    aside = shared.log_in(who["phone"])
    headers = {"Authorization": f"Bearer {first.body['token']}"} if way == "bearer" \
        else {"Cookie": cookie_of(first), "Origin": shared.server.url}
    second = shared.visitor.post("/sessions", who, headers=headers)
    assert second.status == 201 and second.body["token"] != first.body["token"]
    assert not is_alive(shared, first.body["token"])
    assert is_alive(shared, second.body["token"])
    assert is_alive(shared, aside), "sessions on other devices go on"


def test_a_log_in_with_somebody_elses_session_ends_nothing(shared):
    token = shared.log_in(shared.register()["phone"])
    headers = {"Authorization": f"Bearer {token}"}
    assert shared.visitor.post("/sessions", credentials(shared), headers=headers).status == 201
    assert is_alive(shared, token)


def test_a_log_in_that_fails_ends_nothing(shared):
    token = shared.log_in(shared.register()["phone"])
    wrong = {**credentials(shared), "password": "wrong password"}
    assert shared.client(token).post("/sessions", wrong).status == 401
    assert is_alive(shared, token)


def test_log_out_everywhere_ends_all_sessions_of_the_user_and_no_other(shared):
    phone = shared.register()["phone"]
    tokens = [shared.log_in(phone) for _ in range(3)]
    other = shared.buyer()
    gone = shared.client(tokens[0]).delete("/sessions")
    assert gone.status == 204
    assert cookie_of(gone) == "sluice_session=" and "Max-Age=0" in gone.headers["Set-Cookie"]
    assert not any(is_alive(shared, token) for token in tokens)
    assert other.get("/sessions/current").status == 200
    assert is_alive(shared, shared.log_in(phone)), "the password still counts"


def test_log_out_everywhere_survives_a_crash(shop):
    token = shop.log_in(shop.register()["phone"])
    assert shop.client(token).delete("/sessions").status == 204
    shop.restart_after_kill()
    assert not is_alive(shop, token)


def test_log_out_everywhere_from_the_command_line(shared):
    phone = shared.register()["phone"]
    tokens = [shared.log_in(phone) for _ in range(2)]
    done = run("user", "log-out", "--data", shared.server.data, "--phone", phone)
    assert (done.returncode, done.stdout) == (0, "2 sessions ended\n")
    eventually(lambda: not any(is_alive(shared, token) for token in tokens))
    unknown = run("user", "log-out", "--data", shared.server.data, "--phone", "00000")
    assert unknown.returncode == 1 and "00000" in unknown.stderr


def is_secure(shop, headers):
    answer = shop.visitor.post("/sessions", credentials(shop), headers=headers)
    assert answer.status == 201
    attributes = {part.strip().lower() for part in answer.headers["Set-Cookie"].split(";")[1:]}
    assert {"httponly", "samesite=lax", "path=/"} <= attributes
    secure = "secure" in attributes
    assert cookie_of(answer).startswith("__Host-sluice_session=" if secure else "sluice_session=")
    _, device = answer.headers.get_all("Set-Cookie")
    assert device.startswith("__Host-sluice_device=" if secure else "sluice_device=")
    assert ("; Secure" in device) == secure
    return secure


def test_cookies_are_secure_behind_tls_only(start_shop):
    over_tls = {"X-Forwarded-Proto": "https"}
    plain = start_shop()
    assert not is_secure(plain, {})
    assert not is_secure(plain, over_tls), "anybody can say so"
    proxied = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.1"]\n')
    assert is_secure(proxied, over_tls)
    assert not is_secure(proxied, {"X-Forwarded-Proto": "http"})
    assert not is_secure(proxied, {})
    public = start_shop(config='public_url = "https://shop.example"\n', env={"SLUICE_PAYMENTS_PROVIDER": "none"})
    assert is_secure(public, {})


BEHIND_HTTPS = {"config": 'public_url = "https://shop.example"\n[http]\ntrusted_proxies = ["127.0.0.0/8"]\n',
                "env": {"SLUICE_PAYMENTS_PROVIDER": "none"}}


def test_over_https_only_the_hosts_own_cookie_is_believed(start_shop):
    """Another host of the domain, or an attacker on plain http, can set a cookie without the prefix."""
    shop = start_shop(**BEHIND_HTTPS)
    login = shop.visitor.post("/sessions", credentials(shop))
    token, cookie = login.body["token"], cookie_of(login)
    asked = lambda *cookies: shop.visitor.get("/sessions/current", headers={"Cookie": "; ".join(cookies)}).status
    assert asked(cookie) == 200
    assert asked(f"sluice_session={token}") == 401
    assert asked("sluice_session=planted", cookie) == 200
    assert asked(cookie, cookie) == 401, "of two neither counts"
    gone = shop.visitor.delete("/sessions/current", headers={"Cookie": cookie, "Origin": "https://shop.example"})
    assert gone.status == 204 and cookie_of(gone) == "__Host-sluice_session="


def test_of_two_cookies_neither_is_believed(shared):
    login = shared.visitor.post("/sessions", credentials(shared))
    cookie = cookie_of(login)
    planted = f"sluice_session={'x' * 64}"
    for cookies in ([cookie, planted], [planted, cookie], [cookie, cookie]):
        assert shared.visitor.get("/sessions/current", headers={"Cookie": "; ".join(cookies)}).status == 401
    assert shared.visitor.get("/sessions/current", headers={"Cookie": cookie}).status == 200


def test_https_is_told_to_browsers_for_good(start_shop):
    shop = start_shop(**BEHIND_HTTPS)
    for path in ("/time", "/nowhere"):
        told = shop.visitor.get(path).headers["Strict-Transport-Security"]
        assert int(told.removeprefix("max-age=")) >= 180 * 24 * 3600, told


def test_the_word_of_a_trusted_proxy_is_enough_for_it(start_shop):
    """As it is for the cookie with the prefix."""
    shop = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.0/8"]\n')
    by = lambda scheme: {"X-Forwarded-Proto": scheme} if scheme else {}
    for scheme in ("https", "http", None):
        login = shop.visitor.post("/sessions", credentials(shop), headers=by(scheme))
        assert cookie_of(login).startswith("__Host-") == (scheme == "https")
        for path in ("/time", "/nowhere"):
            told = shop.visitor.get(path, headers=by(scheme)).headers["Strict-Transport-Security"]
            assert (told is not None) == (scheme == "https"), (path, scheme)


def test_plain_http_promises_nothing_about_https(shared):
    for headers in ({}, {"X-Forwarded-Proto": "https"}):
        told = shared.visitor.get("/time", headers=headers).headers["Strict-Transport-Security"]
        assert told is None, "whoever is no trusted proxy has no word"


@pytest.mark.parametrize("origin, proto, ours", [
    ("https://shop.example", "https", True),
    ("http://shop.example", "https", False),  # whoever stands between can write such a page
    ("http://shop.example", None, False),
    ("https://shop.example", None, True),
    ("https://shop.example:8443", "https", False),
])
def test_an_origin_has_a_scheme(start_shop, origin, proto, ours):
    shop = start_shop(**BEHIND_HTTPS)
    cookie = cookie_of(shop.visitor.post("/sessions", credentials(shop)))
    said = {"Cookie": cookie, "Origin": origin, "Host": "shop.example", "X-Forwarded-Proto": proto}
    answer = shop.visitor.delete("/sessions", headers=said)
    assert (answer.status, answer.code) == ((204, None) if ours else (403, "csrf"))


OWN, HOST = "http://127.0.0.1:{port}", "127.0.0.1:{port}"
CSRF = [  # what the browser says, may a change with the cookie, may a log-in
    ({}, False, True),
    ({"Origin": OWN}, True, True),
    ({"Origin": "https://" + HOST}, False, False),  # the page of our host that came over plain http is ours
    ({"Origin": EVIL}, False, False),
    ({"Origin": "null"}, False, False),
    ({"Origin": "http://127.0.0.1:1"}, False, False),
    ({"Origin": "http://127.0.0.1:{port}.evil.example"}, False, False),
    ({"Sec-Fetch-Site": "same-origin"}, True, True),
    ({"Sec-Fetch-Site": "same-site"}, False, False),
    ({"Sec-Fetch-Site": "cross-site"}, False, False),
    ({"Sec-Fetch-Site": "none"}, False, True),
    ({"Origin": EVIL, "Sec-Fetch-Site": "same-origin"}, False, False),
    ({"Referer": OWN + "/"}, False, True),
]


@pytest.mark.parametrize("said, change, log_in", CSRF)
def test_what_another_sites_page_can_make_a_browser_do(shared, said, change, log_in):
    said = {name: value.format(port=shared.server.port) for name, value in said.items()}
    who = credentials(shared)
    cookie = cookie_of(shared.visitor.post("/sessions", who))
    sale = shared.sale()["id"]

    answer = shared.visitor.post(f"/sales/{sale}/passes", headers={"Cookie": cookie, **said})
    assert (answer.status, answer.code) == ((201, None) if change else (403, "csrf"))
    answer = shared.visitor.delete("/sessions", headers={"Cookie": cookie, **said})
    assert (answer.status, answer.code) == ((204, None) if change else (403, "csrf"))
    answer = shared.visitor.post("/sessions", who, headers=said)
    assert (answer.status, answer.code) == ((201, None) if log_in else (403, "csrf"))
    if not log_in:
        assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_a_form_cannot_log_in(shared, kind):
    answer = shared.visitor.post("/sessions", credentials(shared), headers={"Content-Type": kind})
    assert answer.status == 415


def cors(answer):
    return {name.lower(): value for name, value in answer.headers.items()
            if name.lower().startswith("access-control-")}


PREFLIGHT = {"Origin": PARTNER, "Access-Control-Request-Method": "POST",
             "Access-Control-Request-Headers": "authorization,content-type"}


def test_cors_is_off_unless_configured(shared):
    for path in ("/time", "/sales", "/sessions/current"):
        answer = shared.visitor.get(path, headers={"Origin": PARTNER})
        assert not cors(answer) and "Origin" not in answer.headers.get("Vary", "")
    answer = shared.visitor.request("OPTIONS", "/sessions", headers=PREFLIGHT)
    assert answer.status == 405 and not cors(answer)


@pytest.fixture(scope="module")
def partnered(tmp_path_factory):
    from shop import open_shop
    shop = open_shop(tmp_path_factory.mktemp("partnered"), config=f'[http]\ncors_origins = ["{PARTNER}"]\n')
    yield shop
    shop.stop()


def test_a_listed_page_may_read_answers_and_problems(partnered):
    for path, status in (("/time", 200), ("/sales/1", 404), ("/sessions/current", 401)):
        answer = partnered.visitor.get(path, headers={"Origin": PARTNER})
        assert answer.status == status
        assert answer.headers["Access-Control-Allow-Origin"] == PARTNER
        assert answer.headers["Vary"] == "Origin"
        assert "access-control-allow-credentials" not in cors(answer)


@pytest.mark.parametrize("origin", [None, EVIL, "null", PARTNER + ".evil.example", PARTNER + "/", PARTNER.upper()])
def test_no_other_page_may(partnered, origin):
    answer = partnered.visitor.get("/time", headers={"Origin": origin})
    assert answer.status == 200
    assert not cors(answer)
    assert answer.headers["Vary"] == "Origin", "a cache must not give one page the other's answer"
    preflight = partnered.visitor.request("OPTIONS", "/sessions", headers={**PREFLIGHT, "Origin": origin})
    assert preflight.status == 405 and not cors(preflight)


def test_the_question_before_is_answered(partnered):
    answer = partnered.visitor.request("OPTIONS", "/sessions", headers=PREFLIGHT)
    assert answer.status == 204
    said = cors(answer)
    assert said["access-control-allow-origin"] == PARTNER
    assert "POST" in said["access-control-allow-methods"]
    assert {"authorization", "content-type", "idempotency-key"} <= {
        each.strip().lower() for each in said["access-control-allow-headers"].split(",")}
    assert int(said["access-control-max-age"]) > 0
    assert "access-control-allow-credentials" not in said
    plain = partnered.visitor.request("OPTIONS", "/sessions", headers={"Origin": PARTNER})
    assert plain.status == 405, "no question without a method"
    nowhere = partnered.visitor.request("OPTIONS", "/nowhere", headers=PREFLIGHT)
    assert nowhere.status == 404


def test_a_listed_page_may_log_in_and_use_its_token_but_not_the_cookie(partnered):
    login = partnered.visitor.post("/sessions", credentials(partnered), headers={"Origin": PARTNER})
    assert login.status == 201 and cors(login)["access-control-allow-origin"] == PARTNER
    sale = partnered.sale()["id"]
    by_token = partnered.client(login.body["token"]).post(f"/sales/{sale}/passes", headers={"Origin": PARTNER})
    assert by_token.status == 201 and cors(by_token)
    by_cookie = partnered.visitor.post(f"/sales/{sale}/passes",
                                       headers={"Origin": PARTNER, "Cookie": cookie_of(login)})
    assert (by_cookie.status, by_cookie.code) == (403, "csrf")


def test_the_office_is_not_for_other_sites(partnered):
    answer = partnered.operator.get("/admin/users", headers={"Origin": PARTNER})
    assert answer.status == 200 and not cors(answer)
    preflight = partnered.visitor.request("OPTIONS", "/admin/users", headers=PREFLIGHT)
    assert preflight.status == 405 and not cors(preflight)
