"""Codes to phones: they prove a phone at registration and for a forgotten password, and reveal nothing to
strangers."""

import json
import re
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import provider
from process import eventually, run
from shop import PASSWORD, new_phone
from test_accounts_browser import is_alive
from test_accounts_login import BEHIND_A_PROXY

NEW = "a quite different horse"
VERIFIED = "[accounts]\nverify_phone = true\n"


def ask(client, phone, purpose="registration", **more):
    return client.post("/phone-codes", {"phone": phone, "purpose": purpose}, **more)


def codes_to(shop, phone):
    """As the demonstration shows them, the newest first."""
    answer = shop.visitor.get("/sandbox/messages", api=False)
    assert answer.status == 200
    return [re.search(r"\b\d{6}\b", each["text"])[0] for each in answer.body["messages"] if each["phone"] == phone]


def code_for(shop, phone, purpose="registration"):
    before = len(codes_to(shop, phone))
    answer = ask(shop.visitor, phone, purpose)
    assert answer.status == 202, answer.body
    eventually(lambda: len(codes_to(shop, phone)) > before, what="a message")
    return codes_to(shop, phone)[0]


def register(shop, phone, code=None, **more):
    body = {"phone": phone, "password": PASSWORD, **({"code": code} if code is not None else {})}
    return shop.visitor.post("/users", body, **more)


def reset(shop, phone, code, password=NEW):
    return shop.visitor.post("/password-resets", {"phone": phone, "password": password, "code": code})


def another(code):
    return f"{(int(code) + 1) % 1_000_000:06d}"


@pytest.fixture(scope="module")
def verified(tmp_path_factory):
    from shop import open_shop
    shop = open_shop(tmp_path_factory.mktemp("verified"), config=VERIFIED)
    yield shop
    shop.stop()


def test_a_registration_needs_a_code_that_went_to_the_phone(verified):
    phone = new_phone()
    missing = register(verified, phone)
    assert (missing.status, missing.fields) == (422, {"code"})
    code = code_for(verified, phone)
    for wrong in (another(code), "", "x" * 10_000, code + "0"):
        answer = register(verified, phone, wrong)
        assert (answer.status, answer.fields) == (422, {"code"}), wrong[:20]
    assert register(verified, new_phone(), code).status == 422, "a code is for one phone"
    made = register(verified, phone, code)
    assert made.status == 201
    assert verified.log_in(phone)


def test_a_code_counts_once(verified):
    phone = new_phone()
    code = code_for(verified, phone)
    assert register(verified, phone, code).status == 201
    again = register(verified, phone, code)
    assert (again.status, again.fields) == (422, {"code"})


def test_a_repeated_registration_needs_no_second_code(verified):
    phone = new_phone()
    code = code_for(verified, phone)
    first = register(verified, phone, code, headers={"Idempotency-Key": "k"})
    again = register(verified, phone, code, headers={"Idempotency-Key": "k"})
    assert (first.status, again.status, again.body) == (201, 201, first.body)


def test_five_wrong_tries_void_a_code(verified):
    phone = new_phone()
    code = code_for(verified, phone)
    for _ in range(5):
        assert register(verified, phone, another(code)).status == 422
    assert register(verified, phone, code).status == 422


def test_a_code_for_one_purpose_is_none_for_another(verified):
    phone = new_phone()
    assert register(verified, phone, code_for(verified, phone)).status == 201
    code = code_for(verified, phone, "password")
    assert register(verified, phone, code).status == 422
    code = code_for(verified, phone)
    assert reset(verified, phone, code).status == 422


def test_only_who_holds_the_phone_hears_that_it_is_taken(verified):
    phone = new_phone()
    assert register(verified, phone, code_for(verified, phone)).status == 201
    stranger = register(verified, phone, "000000")
    unknown = register(verified, new_phone(), "000000")
    assert (stranger.status, stranger.body["errors"]) == (unknown.status, unknown.body["errors"])
    assert register(verified, phone, code_for(verified, phone)).status == 409


def test_asking_does_not_tell_who_has_an_account(shared):
    known, unknown = shared.register()["phone"], new_phone()
    answers = [ask(shared.visitor, phone, "password") for phone in (known, unknown)]
    assert [each.status for each in answers] == [202, 202]
    assert answers[0].body == answers[1].body
    eventually(lambda: codes_to(shared, known))
    assert codes_to(shared, unknown) == [], "only the owner of a phone hears of it"
    wrong = [reset(shared, phone, "000000") for phone in (known, unknown)]
    assert [each.status for each in wrong] == [422, 422] and wrong[0].body["errors"] == wrong[1].body["errors"]


def test_a_forgotten_password_is_set_and_ends_all_sessions(shared):
    phone = shared.register()["phone"]
    tokens = [shared.log_in(phone) for _ in range(2)]
    code = code_for(shared, phone, "password")
    assert reset(shared, phone, another(code)).status == 422
    weak = reset(shared, phone, code, "password1")
    assert (weak.status, weak.fields) == (422, {"password"})
    assert reset(shared, phone, code).status == 204
    assert not any(is_alive(shared, token) for token in tokens)
    assert shared.log_in(phone, NEW)
    assert shared.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}).status == 401
    assert reset(shared, phone, code, PASSWORD).status == 422, "a code counts once"


@pytest.mark.parametrize("body", [{}, {"phone": "x", "purpose": "password"}, {"phone": "12345"},
                                  {"phone": "12345", "purpose": "login"}, {"phone": 5, "purpose": "password"},
                                  {"phone": "12345", "purpose": "password", "x": 1}])
def test_a_request_that_makes_no_sense_sends_nothing(shared, body):
    answer = shared.visitor.post("/phone-codes", body)
    assert (answer.status, answer.code) == (422, "invalid")


def from_network(last, address="198.51.100"):
    return {"X-Forwarded-For": f"{address}.{last}"}


def test_codes_are_limited_by_phone_and_by_network(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY, env={"SLUICE_LIMITS_ENABLED": "true"})
    phone = new_phone()
    first, second = (ask(shop.visitor, phone, headers=from_network(1)) for _ in range(2))
    assert (first.status, second.status) == (202, 429)
    assert second.code == "rate_limited" and '"codes"' in second.headers["RateLimit-Policy"]
    statuses = [ask(shop.visitor, new_phone(), headers=from_network(1)).status for _ in range(110)]
    assert statuses == [202] * 99 + [429] * 11
    assert ask(shop.visitor, new_phone(), headers=from_network(7, "203.0.113")).status == 202


def test_strangers_cannot_use_up_the_code_of_somebody_elses_phone(start_shop):
    """They ask for it from many networks before its owner does, and guess at it from as many."""
    shop = start_shop(config=BEHIND_A_PROXY + VERIFIED, env={"SLUICE_LIMITS_ENABLED": "true"})
    phone, owner = new_phone(), from_network(9, "203.0.113")
    for i in range(2):
        assert ask(shop.visitor, phone, headers=from_network(i + 1)).status == 202
    asked = ask(shop.visitor, phone, headers=owner)
    assert asked.status == 202, "a message has just gone to the phone, and its owner may use it"
    eventually(lambda: codes_to(shop, phone), what="a message")
    assert len(codes_to(shop, phone)) == 1, "one message a minute"
    code = codes_to(shop, phone)[0]
    for i in range(40):
        assert register(shop, phone, another(code), headers=from_network(i + 1)).status == 422
    assert register(shop, phone, code, headers=from_network(40)).status == 422, "strangers have few tries together"
    assert register(shop, phone, code, headers=owner).status == 201


def test_a_known_device_gets_a_code_whatever_strangers_do(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY, env={"SLUICE_LIMITS_ENABLED": "true"})
    phone, here = shop.register()["phone"], from_network(9, "203.0.113")
    logged_in = shop.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}, headers=here)
    [cookie] = [each.split(";")[0] for each in logged_in.headers.get_all("Set-Cookie") if "device" in each]
    assert ask(shop.visitor, phone, "password", headers=here).status == 202
    assert ask(shop.visitor, phone, "password", headers=here).status == 429
    known = {**here, "Cookie": cookie}
    assert ask(shop.visitor, phone, "password", headers=known).status == 202
    eventually(lambda: len(codes_to(shop, phone)) == 2, what="a message for the device")
    first, second = codes_to(shop, phone)
    assert first == second, "the code that is out is sent again"
    assert ask(shop.visitor, phone, "password", headers=known).status == 429
    for i in range(30):
        assert reset_from(shop, phone, another(first), from_network(i + 1)).status == 422
    for _ in range(6):
        assert reset_from(shop, phone, another(first), here).status == 422, "somebody else in the same house"
    assert reset_from(shop, phone, first, here).status == 422
    assert reset_from(shop, phone, first, known).status == 204


def reset_from(shop, phone, code, headers):
    return shop.visitor.post("/password-resets", {"phone": phone, "password": NEW, "code": code}, headers=headers)


def test_only_messages_that_are_sent_count_against_the_days_messages(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY + "[sms]\nper_day = 10\n", env={"SLUICE_LIMITS_ENABLED": "true"})
    phones = [shop.register()["phone"] for _ in range(11)]
    nobody = [ask(shop.visitor, new_phone(), "password", headers=from_network(i)).status for i in range(30)]
    assert nobody == [202] * 30
    known = [ask(shop.visitor, phone, "password", headers=from_network(i)) for i, phone in enumerate(phones)]
    assert [each.status for each in known] == [202] * 10 + [429]
    unknown = ask(shop.visitor, new_phone(), "password", headers=from_network(11))
    assert unknown.status == 429, "the answer does not tell who has an account"
    assert unknown.body["detail"] == known[-1].body["detail"]


def test_one_neighbour_does_not_use_up_the_codes_of_an_address_for_a_day(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY, env={"SLUICE_LIMITS_ENABLED": "true"})
    office = from_network(7, "203.0.113")
    made_up = [ask(shop.visitor, new_phone(), "password", headers=office) for _ in range(110)]
    assert [each.status for each in made_up] == [202] * 100 + [429] * 10
    assert 800 < int(made_up[-1].headers["Retry-After"]) <= 864, "one in a quarter of an hour, not none for a day"
    assert ask(shop.visitor, new_phone(), headers=office).status == 202, "a colleague registers"


def test_an_office_registers_in_one_morning_where_codes_prove_its_phones(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY + VERIFIED, env={"SLUICE_LIMITS_ENABLED": "true"})
    office = from_network(7, "203.0.113")
    for _ in range(40):
        phone = new_phone()
        assert ask(shop.visitor, phone, headers=office).status == 202
        eventually(lambda: codes_to(shop, phone), what="a message")
        assert register(shop, phone, codes_to(shop, phone)[0], headers=office).status == 201


def test_codes_go_to_the_countries_of_the_shop_only(start_shop):
    """Else strangers have messages sent to dear numbers abroad, and share what they cost."""
    shop = start_shop(config="[accounts]\ncountry = \"CN\"\n", env={"SLUICE_LIMITS_ENABLED": "true"})
    abroad = "+882333333333"
    assert shop.visitor.post("/users", {"phone": abroad, "password": PASSWORD}).status == 201
    refused = [ask(shop.visitor, phone, purpose) for phone in (abroad, "+2250700000000", "+37250000000", "0044700000000")
               for purpose in ("registration", "password")]
    assert {(each.status, tuple(each.fields)) for each in refused} == {(422, ("phone",))}
    assert len({each.body["errors"][0]["message"] for each in refused}) == 1, "known or not, the answer is the same"
    for phone in ("13712345678", "+8613812345678"):
        assert ask(shop.visitor, phone).status == 202
    chinese = shop.visitor.post("/phone-codes", {"phone": abroad, "purpose": "password"}, headers={"Accept-Language": "zh"})
    assert "验证码" in chinese.body["errors"][0]["message"]


@pytest.mark.parametrize("countries, taken", [('"all"', True), ('["CN", "CI"]', None), ('["CN", "HK"]', False)])
def test_other_countries_are_named(start_shop, tmp_path, countries, taken):
    config = f"[accounts]\ncountry = \"CN\"\n[sms]\ncountries = {countries}\n"
    if taken is None:
        file = tmp_path / "sluice.toml"
        file.write_text(config)
        done = run("check-config", "--config", file)
        assert done.returncode == 1 and "sms.countries" in done.stderr, "phones of that country are not known"
        return
    shop = start_shop(config=config)
    assert ask(shop.visitor, "+85261234567").status == 202
    assert ask(shop.visitor, "+2250700000000").status == (202 if taken else 422)


def test_the_days_messages_are_bounded_where_limits_are_switched_off_too(start_shop):
    """They cost money, and are no rate."""
    shop = start_shop(config=BEHIND_A_PROXY + "[sms]\nper_day = 2\n")
    phones = [shop.register()["phone"] for _ in range(3)]
    answers = [ask(shop.visitor, phone, "password", headers=from_network(i)) for i, phone in enumerate(phones)]
    assert [each.status for each in answers] == [202, 202, 429]
    assert '"codes"' in answers[-1].headers["RateLimit-Policy"]


def test_codes_are_in_no_log(start_shop):
    shop = start_shop(config="[log]\nlevel = \"debug\"\n" + VERIFIED)
    phone = new_phone()
    code = code_for(shop, phone)
    assert register(shop, phone, code).status == 201
    metrics = shop.operator.get("/metrics", api=False).raw.decode()
    shop.stop()
    assert code not in shop.server.log() and phone not in shop.server.log()
    assert code not in metrics


def test_without_a_sender_there_are_no_codes(start_shop):
    shop = start_shop(env={"SLUICE_SMS_PROVIDER": "none"})
    rules = shop.visitor.get("/account-rules").body
    assert rules == {"phone_code_needed": False, "password_reset": False, "country": None, "messages_shown": False}
    assert (ask(shop.visitor, new_phone()).status, reset(shop, new_phone(), "000000").status) == (409, 409)
    assert shop.visitor.get("/sandbox/messages", api=False).status == 404


def test_the_rules_say_what_is_needed(verified):
    assert verified.visitor.get("/account-rules").body == {
        "phone_code_needed": True, "password_reset": True, "country": None, "messages_shown": True}


class Gateway:
    """A gateway of somebody else, which takes messages over HTTP."""

    def __init__(self):
        gateway = self
        self.heard, self.statuses = [], []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                gateway.heard.append({"path": self.path, "headers": dict(self.headers), "body": body})
                self.send_response(gateway.statuses.pop(0) if gateway.statuses else 200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}/send?app=1"


@pytest.fixture
def gateway():
    made = Gateway()
    yield made
    made.server.shutdown()
    made.server.server_close()


def with_gateway(url, body='{"to":"{phone}","code":"{code}","min":{minutes},"text":"{text}"}'):
    return {"config": f"[sms]\nprovider = \"http\"\nurl = \"{url}\"\nbody = '{body}'\n",
            "env": {"SLUICE_SMS_PROVIDER": "http", "SLUICE_SMS_SECRET": provider.SECRET}}


def test_a_gateway_gets_a_signed_message(start_shop, gateway):
    shop = start_shop(**with_gateway(gateway.url))
    phone = new_phone()
    assert ask(shop.visitor, phone, headers={"Accept-Language": "zh"}).status == 202
    [heard] = eventually(lambda: gateway.heard, what="a message")
    message = json.loads(heard["body"])
    assert heard["path"] == "/send?app=1"
    assert (message["to"], message["min"]) == (phone, 10)
    assert re.fullmatch(r"\d{6}", message["code"]) and message["code"] in message["text"] and "验证码" in message["text"]
    stamp = re.match(r"t=(\d+),v1=", heard["headers"]["Sluice-Signature"])[1]
    assert heard["headers"]["Sluice-Signature"] == provider.sign(heard["body"], at=int(stamp))
    assert heard["headers"]["Idempotency-Key"]


def test_a_gateway_that_fails_is_asked_again_with_the_same_message(start_shop, gateway):
    shop = start_shop(**with_gateway(gateway.url))
    gateway.statuses = [503, 200]
    assert ask(shop.visitor, new_phone()).status == 202
    eventually(lambda: len(gateway.heard) == 2, seconds=10, what="a second try")
    first, second = gateway.heard
    assert first["body"] == second["body"]
    assert first["headers"]["Idempotency-Key"] == second["headers"]["Idempotency-Key"]


def test_what_a_gateway_refuses_is_named_without_phone_and_code(start_shop, gateway):
    shop = start_shop(**with_gateway(gateway.url))
    gateway.statuses = [400]
    phone = new_phone()
    assert ask(shop.visitor, phone).status == 202
    eventually(lambda: "message.given_up" in shop.server.log(), what="a line in the log")
    code = json.loads(gateway.heard[0]["body"])["code"]
    assert phone not in shop.server.log() and code not in shop.server.log() and provider.SECRET not in shop.server.log()
    assert 'sluice_messages_total{outcome="given_up"} 1' in shop.operator.get("/metrics", api=False).raw.decode()


def test_a_gateway_that_says_nothing_does_not_hold_up_the_end(start_shop):
    """Each try lasts ten seconds. After a restart nobody could use the codes anyway."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        shop = start_shop(**with_gateway(f"http://127.0.0.1:{silent.getsockname()[1]}/"))
        for _ in range(8):
            assert ask(shop.visitor, new_phone()).status == 202
        connection, _ = silent.accept()
        began = time.monotonic()
        shop.stop()
        assert time.monotonic() - began < 8
        connection.close()


@pytest.mark.parametrize("settings, named", [
    (["accounts.verify_phone=true"], "accounts.verify_phone"),
    (["sms.provider=http"], "sms.url"),
    (["sms.provider=http", "sms.url=https://sms.example.com/"], "sms.secret"),
    (["sms.url=http://sms.example.com/"], "sms.url"),
    (["sms.url=ftp://sms.example.com/"], "sms.url"),
    (["sms.url=https://user:pass@sms.example.com/"], "sms.url"),
    (["sms.secret=short"], "sms.secret"),
    (["sms.body={\"to\":\"{phone}\"}"], "sms.body"),
    (["sms.body={code}"], "sms.body"),
    (["sms.per_day=0"], "sms.per_day"),
    (["sms.provider=pigeon"], "sms.provider"),
])
def test_a_sender_that_cannot_be_is_refused(tmp_path, settings, named):
    done = run("check-config", "--data", tmp_path, *(part for setting in settings for part in ("--set", setting)))
    assert done.returncode == 1 and named in done.stderr, done.stderr
