"""The second factor of staff: support, operators and admins."""

import base64
import hmac
import re
import struct
import time
import urllib.parse

import pytest

from client import in_parallel
from ledger import open_ledger
from process import add_user, eventually, run
from shop import PASSWORD, new_phone
from test_limits import expect_too_fast

REQUIRED = "[accounts]\nsecond_factor = \"required\"\n"


def totp(secret, step):
    """RFC 6238, a second time."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), "sha1").digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


class Operator:
    def __init__(self, shop, role="operator"):
        self.shop, self.phone = shop, new_phone()
        add_user(shop.server.data, self.phone, role, PASSWORD)
        self.client = shop.client(shop.log_in(self.phone))
        self.secret, self.used = None, 0

    def code(self):
        """One that was not used before: a step is thirty seconds, and the next one counts already."""
        step = int(time.time()) // 30
        step = max(step - 1, self.used + 1)
        self.used = step
        return totp(self.secret, step)

    def begin(self, password=PASSWORD):
        return self.client.post("/second-factor", {"password": password})

    def confirm(self, code):
        return self.client.put("/second-factor", {"code": code})

    def set_up(self):
        begun = self.begin()
        assert begun.status == 201, begun.body
        self.secret, self.used = begun.body["secret"], 0
        done = self.confirm(self.code())
        assert done.status == 200, done.body
        self.recovery = done.body["recovery_codes"]
        return self

    def log_in(self, code=None, password=PASSWORD):
        body = {"phone": self.phone, "password": password, **({"second_factor": code} if code is not None else {})}
        return self.shop.visitor.post("/sessions", body)


def test_setting_it_up(shared):
    operator = Operator(shared)
    assert operator.client.get("/second-factor").body == {"on": False, "recovery_codes_left": 0, "required": False}
    begun = operator.begin()
    assert begun.status == 201
    uri = urllib.parse.urlsplit(begun.body["uri"])
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert urllib.parse.unquote(uri.path) == f"/Sluice:{operator.phone}"
    assert urllib.parse.parse_qs(uri.query) == {"secret": [begun.body["secret"]], "issuer": ["Sluice"]}
    assert operator.log_in().status == 201, "it counts for nothing until it is confirmed"
    operator.secret = begun.body["secret"]
    assert operator.confirm("000000").status == 422
    done = operator.confirm(operator.code())
    assert done.status == 200
    codes = done.body["recovery_codes"]
    assert len(set(codes)) == 10 and all(re.fullmatch(r"(?:[a-z2-7]{4}-){2}[a-z2-7]{4}", code) for code in codes)
    assert operator.client.get("/second-factor").body == {"on": True, "recovery_codes_left": 10, "required": False}
    assert operator.begin().status == 409 and operator.confirm(operator.code()).status == 409


def test_switching_it_on_ends_sessions_that_were_opened_without_it(shared):
    operator, other = Operator(shared), Operator(shared)
    older = shared.client(shared.log_in(operator.phone))
    assert older.get("/sessions/current").status == 200
    begun = operator.begin()
    operator.secret = begun.body["secret"]
    assert operator.confirm("000000").status == 422
    assert older.get("/sessions/current").status == 200, "nothing has been switched on"
    assert operator.confirm(operator.code()).status == 200
    assert older.get("/sessions/current").status == 401
    assert operator.client.get("/sessions/current").status == 200, "the session that did it goes on"
    assert other.client.get("/sessions/current").status == 200


def test_what_a_stranger_types_as_a_phone_does_not_count_for_somebody_else(start_shop):
    shop = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.0/8"]\n', env={"SLUICE_LIMITS_ENABLED": "true"})
    operator = Operator(shop)
    user = operator.client.get("/sessions/current").body["user"]["id"]
    for name in (f"factor {user}", f"user {user}"):
        for i in range(52):
            shop.visitor.post("/sessions", {"phone": name, "password": "wrong password"},
                              headers={"X-Forwarded-For": f"198.51.100.{i + 1}"})
    own = {"X-Forwarded-For": "203.0.113.9"}
    assert operator.client.post("/second-factor", {"password": PASSWORD}, headers=own).status == 201
    change = {"current_password": PASSWORD, "new_password": "a quite different horse"}
    assert operator.client.put("/password", change, headers=own).status == 204


def test_a_log_in_needs_it(shared):
    operator = Operator(shared).set_up()
    without = operator.log_in()
    assert (without.status, without.code) == (401, "second_factor")
    assert "Set-Cookie" not in without.headers
    assert operator.log_in(operator.code()).status == 201
    for wrong in ("000000", "", "x", "0" * 64, "½"):
        answer = operator.log_in(wrong)
        assert (answer.status, answer.code) == (401, "second_factor"), wrong
    assert operator.log_in("0" * 65).status == 422
    guess = operator.log_in(operator.code(), password="wrong password")
    assert (guess.status, guess.code) == (401, "unauthenticated"), "who does not know the password hears nothing of it"
    assert operator.log_in(password="wrong password").code == "unauthenticated"


def test_a_code_counts_once_also_when_it_comes_twice_at_once(shared):
    operator = Operator(shared).set_up()
    code = operator.code()
    body = {"phone": operator.phone, "password": PASSWORD, "second_factor": code}
    clients = [shared.client() for _ in range(5)]
    answers = in_parallel([lambda c=c: c.post("/sessions", body) for c in clients])
    assert sorted(each.status for each in answers) == [201] + [401] * 4
    assert operator.log_in(code).code == "second_factor"


def test_a_recovery_code_stands_in_once(shared):
    operator = Operator(shared).set_up()
    first, second = operator.recovery[:2]
    assert operator.log_in(first).status == 201
    assert operator.log_in(first).code == "second_factor"
    assert operator.log_in(second.upper().replace("-", " ")).status == 201
    assert operator.client.get("/second-factor").body["recovery_codes_left"] == 8
    other = Operator(shared).set_up()
    assert other.log_in(operator.recovery[2]).status == 401, "somebody else's"


def test_switching_it_off_needs_a_code(shared):
    operator = Operator(shared).set_up()
    remove = lambda code: operator.client.post("/second-factor/removal", {"code": code})
    assert remove("000000").status == 422
    assert remove(operator.code()).status == 204
    assert operator.log_in().status == 201
    assert remove("000000").status == 409
    operator.set_up()
    assert operator.log_in().code == "second_factor"


def test_beginning_needs_the_password(shared):
    operator = Operator(shared)
    answer = operator.begin("wrong password")
    assert (answer.status, answer.fields) == (422, {"password"})
    assert operator.confirm("000000").status == 409


def test_buyers_have_no_use_for_one(shared, shared_buyer):
    assert shared_buyer.post("/second-factor", {"password": PASSWORD}).status == 403
    assert shared_buyer.put("/second-factor", {"code": "000000"}).status == 403
    assert shared.visitor.get("/second-factor").status == 401


def test_codes_are_guessed_no_faster_than_passwords(start_shop):
    shop = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.0/8"]\n', env={"SLUICE_LIMITS_ENABLED": "true"})
    operator = Operator(shop).set_up()
    answers = [shop.visitor.post("/sessions", {"phone": operator.phone, "password": PASSWORD, "second_factor": "000000"},
                                 headers={"X-Forwarded-For": "198.51.100.1"}) for _ in range(11)]
    assert [each.status for each in answers] == [401] * 10 + [429]
    expect_too_fast(answers[-1], "password")


def guess(shop, operator, address, device=None):
    headers = {"X-Forwarded-For": address, **({"Cookie": device} if device else {})}
    body = {"phone": operator.phone, "password": PASSWORD, "second_factor": "000000"}
    return shop.visitor.post("/sessions", body, headers=headers)


def device_of(answer):
    [cookie] = [each for each in answer.headers.get_all("Set-Cookie") if each.startswith("sluice_device=")]
    return cookie.partition(";")[0]


def test_whoever_has_the_password_guesses_neither_for_ever_nor_silently(start_shop):
    shop = start_shop(config='[http]\ntrusted_proxies = ["127.0.0.0/8"]\n', env={"SLUICE_LIMITS_ENABLED": "true"})
    operator = Operator(shop).set_up()
    known = device_of(operator.log_in(operator.code()))
    answers = [guess(shop, operator, f"198.51.100.{i // 10 + 1}") for i in range(40)]
    assert [each.status for each in answers] == [401] * 10 + [429] * 30, "from four addresses ten, not forty"
    expect_too_fast(answers[10], "second_factor")
    assert 1100 < int(answers[10].headers["Retry-After"]) <= 1200
    assert shop.server.log().count("second_factor.guessed") == 2, "each five"
    told = [each for each in operator.client.get("/admin/audit-trail").body["entries"]
            if each["action"] == "user.second_factor_guessed"]
    assert [each["after"] for each in told] == [{"wrong_codes": 10}, {"wrong_codes": 5}]
    assert told[0]["address"] == "198.51.100.1"
    alerts = lambda: [each for each in operator.client.get("/admin/alerts").body["alerts"]
                      if each["kind"] == "second_factor_guessed"]
    [alert] = eventually(alerts, 15, "the alert")
    assert alert["subject"] == told[0]["subject"]

    body = {"phone": operator.phone, "password": PASSWORD, "second_factor": operator.recovery[0]}
    stranger = shop.visitor.post("/sessions", body, headers={"X-Forwarded-For": "203.0.113.9"})
    expect_too_fast(stranger, "second_factor")
    owner = shop.visitor.post("/sessions", body, headers={"X-Forwarded-For": "203.0.113.9", "Cookie": known})
    assert owner.status == 201, "a device that is known is counted apart"


def test_a_stolen_session_does_not_guess_the_second_factor_away(start_shop):
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "true"})
    shop.operator.put("/admin/limits", {"guessing": {"per_minute": 600, "burst": 100}})
    operator = Operator(shop).set_up()
    answers = [operator.client.post("/second-factor/removal", {"code": "000000"}) for _ in range(12)]
    assert [each.status for each in answers] == [422] * 10 + [429] * 2
    expect_too_fast(answers[-1], "second_factor")
    assert operator.client.get("/second-factor").body["on"]
    assert "second_factor.guessed" in shop.server.log()


def test_where_it_is_required_operators_work_only_with_it(start_shop):
    shop = start_shop(config=REQUIRED)
    operator = Operator(shop)
    session = operator.client.get("/sessions/current").body
    assert session["second_factor_missing"] and session["user"]["role"] == "operator"
    for answer in (operator.client.get("/admin/users"), operator.client.post("/admin/items", {})):
        assert (answer.status, answer.code) == (403, "forbidden")
    assert operator.client.get("/sales").status == 200, "as a buyer they may go on"
    operator.set_up()
    assert operator.client.get("/admin/users").status == 200, "the session in which it was set up has shown it"
    assert "second_factor_missing" not in operator.client.get("/sessions/current").body
    assert operator.client.get("/second-factor").body["required"]
    assert operator.client.post("/second-factor/removal", {"code": operator.code()}).status == 409
    fresh = operator.log_in(operator.code())
    assert shop.client(fresh.body["token"]).get("/admin/users").status == 200
    buyer = shop.buyer()
    assert "second_factor_missing" not in buyer.get("/sessions/current").body
    shop.restart()
    assert shop.client(fresh.body["token"]).get("/admin/users").status == 200, "the ledger remembers it"


def test_where_it_is_required_support_works_only_with_it(start_shop):
    shop = start_shop(config=REQUIRED)
    support = Operator(shop, "support")
    assert support.client.get("/sessions/current").body["second_factor_missing"]
    assert support.client.get("/admin/orders").status == 403
    support.set_up()
    assert support.client.get("/admin/orders").status == 200
    assert support.client.get("/admin/users").status == 403


def test_a_rule_that_comes_later_reaches_sessions_from_before(start_shop):
    shop = start_shop()
    operator, strong = Operator(shop), Operator(shop).set_up()
    assert operator.client.get("/admin/users").status == 200
    tokens = operator.client.token, strong.client.token
    shop.stop()
    shop.server.env["SLUICE_ACCOUNTS_SECOND_FACTOR"] = "required"
    shop.server.start()
    operator.client, strong.client = (shop.client(token) for token in tokens)
    assert (operator.client.get("/admin/users").status, strong.client.get("/admin/users").status) == (403, 200)
    assert operator.set_up().client.get("/admin/users").status == 200


def test_a_code_may_be_typed_as_it_is_shown(shared):
    operator = Operator(shared).set_up()
    code = operator.code()
    assert operator.log_in(f"{code[:3]} {code[3:]}").status == 201


def test_a_lost_authenticator_is_removed_at_the_command_line(start_shop):
    shop = start_shop(config=REQUIRED)
    operator = Operator(shop).set_up()
    remove = lambda: run("user", "remove-second-factor", "--data", shop.server.data, "--phone", operator.phone)
    done = remove()
    assert done.returncode == 0 and "removed" in done.stdout
    assert "there was no" in remove().stdout
    answer = operator.log_in()
    assert answer.status == 201 and answer.body["second_factor_missing"]
    strong = Operator(shop).set_up()
    deeds = [deed["action"] for deed in strong.client.get("/admin/audit-trail").body["entries"]]
    assert deeds.count("user.second_factor_off") == 1 and deeds.count("user.second_factor_on") == 2


def test_secrets_are_in_no_log_and_not_readable_in_the_database(shop):
    operator = Operator(shop).set_up()
    assert operator.log_in(operator.recovery[0]).status == 201
    shop.stop()
    log = shop.server.log()
    with open_ledger(shop.server.data) as ledger:
        database = ledger.raw_bytes()
    assert operator.secret not in log and operator.recovery[0] not in log
    assert base64.b32decode(operator.secret) not in database and operator.secret.encode() not in database
    for code in operator.recovery:
        assert code.replace("-", "").encode() not in database


@pytest.mark.parametrize("value", ["never", "", "true"])
def test_a_rule_that_is_none_is_refused(tmp_path, value):
    done = run("check-config", "--data", tmp_path, "--set", f"accounts.second_factor={value}")
    assert done.returncode == 1 and "accounts.second_factor" in done.stderr
