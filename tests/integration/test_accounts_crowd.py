"""Crowds of registrations and log-ins: who is delayed by them, and who is not. Every client comes through a trusted
proxy, from an address of its own."""

import threading
import time

import pytest

from client import Client, in_parallel
from process import add_user, eventually, run
from shop import PASSWORD, new_phone
from test_accounts_codes import NEW, code_for
from test_accounts_login import BEHIND_A_PROXY, WRONG

LIMITED = {"config": BEHIND_A_PROXY, "env": {"SLUICE_LIMITS_ENABLED": "true"}}
SLOW_HASHING = {"config": BEHIND_A_PROXY + "[accounts]\nhash_threads = 1\nhash_backlog = 16\n",
                "env": {"SLUICE_LIMITS_ENABLED": "true"}}


def from_address(address):
    return {"X-Forwarded-For": address}


def register(client, address, phone=None, **more):
    return client.post("/users", {"phone": phone or new_phone(), "password": PASSWORD, **more},
                       headers=from_address(address))


def log_in(client, phone, address, password=PASSWORD, cookie=None):
    headers = {**from_address(address), **({"Cookie": cookie} if cookie else {})}
    return client.post("/sessions", {"phone": phone, "password": password}, headers=headers)


def added(shop, count, role="buyer"):
    """Phones of so many accounts, made at the command line and so not counted anywhere."""
    phones = [new_phone() for _ in range(count)]
    for phone in phones:
        add_user(shop.server.data, phone, role, PASSWORD)
    return phones


class Flood:
    """Registrations without end from several addresses, none of which is over its limit for long."""

    def __init__(self, shop, addresses):
        self.shop, self.addresses = shop, addresses
        self.stopping = threading.Event()
        self.answers = []
        self.threads = [threading.Thread(target=self.run, args=(address,)) for address in addresses]

    def run(self, address):
        client = Client(self.shop.server.port, timeout=60)
        while not self.stopping.is_set():
            self.answers.append(register(client, address).status)
        client.close()

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        while len(self.answers) < len(self.addresses):
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()


def test_a_flood_of_registrations_keeps_nobody_from_logging_in(start_shop):
    """Before: 24 of 30 log-ins of others failed, operators' included."""
    shop = start_shop(**SLOW_HASHING)
    shoppers, operators = added(shop, 24), added(shop, 6, "operator")
    with Flood(shop, [f"198.51.100.{i}" for i in range(20)]) as flood:
        clients = [shop.client(timeout=60) for _ in range(30)]
        people = enumerate(zip(clients, shoppers + operators))
        answers = in_parallel([lambda c=c, p=p, i=i: log_in(c, p, f"203.0.113.{i}") for i, (c, p) in people])
        assert 503 in flood.answers, "the flood was one"
    # Sixteen may wait in a lane; whoever comes on top of that from an address of their own is told to come back.
    failed = [answer.status for answer in answers if answer.status != 201]
    assert failed.count(503) == len(failed) <= 24 - 16, failed
    assert all(answer.status == 201 for answer in answers[24:]), "operators have a lane of their own"


def test_with_default_settings_all_thirty_log_in_beside_the_flood(start_shop):
    shop = start_shop(**LIMITED)
    people = added(shop, 24) + added(shop, 6, "operator")
    with Flood(shop, [f"198.51.100.{i}" for i in range(20)]):
        clients = [shop.client(timeout=60) for _ in people]
        answers = in_parallel([lambda c=c, p=p, i=i: log_in(c, p, f"203.0.113.{i}")
                               for i, (c, p) in enumerate(zip(clients, people))])
    assert [answer.status for answer in answers] == [201] * 30


def test_a_flood_of_log_ins_from_one_address_holds_up_only_itself(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY + "[accounts]\nhash_threads = 1\nhash_backlog = 8\n"
                             "[limits.guessing]\nper_minute = 6000\nburst = 600\n",
                      env={"SLUICE_LIMITS_ENABLED": "true"})
    [honest] = added(shop, 1)
    stopping = threading.Event()

    def guess():
        client = Client(shop.server.port, timeout=60)
        while not stopping.is_set():
            log_in(client, new_phone(), "198.51.100.1", WRONG)
        client.close()

    threads = [threading.Thread(target=guess) for _ in range(20)]
    for thread in threads:
        thread.start()
    try:
        client = shop.client(timeout=60)
        assert [log_in(client, honest, "203.0.113.7").status for _ in range(5)] == [201] * 5
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


class LogIns(Flood):
    """Log-ins with wrong passwords from as many networks as addresses, one after the other from each."""

    def run(self, address):
        client = Client(self.shop.server.port, timeout=60)
        while not self.stopping.is_set():
            self.answers.append(log_in(client, new_phone(), address, WRONG).status)
        client.close()


def test_log_ins_from_many_networks_do_not_keep_known_devices_out(start_shop):
    """Before: nobody in the lane had more than one job, so an owner took nobody's place and heard 503."""
    shop = start_shop(config=BEHIND_A_PROXY + "[accounts]\nhash_threads = 1\nhash_backlog = 2\n"
                             "[limits.guessing]\nper_minute = 6000\nburst = 600\n",
                      env={"SLUICE_LIMITS_ENABLED": "true"})
    owner, other = added(shop, 2)
    home, there = (device_cookie(log_in(shop.visitor, phone, "203.0.113.7")) for phone in (owner, other))
    session = shop.client(log_in(shop.visitor, owner, "203.0.113.7").body["token"])
    with LogIns(shop, [f"198.51.100.{i}" for i in range(12)]) as flood:
        eventually(lambda: 503 in flood.answers, 30, "the lane to be full")
        client = shop.client(timeout=60)
        answers = [log_in(client, phone, "203.0.113.7", cookie=cookie).status
                   for _ in range(4) for phone, cookie in ((owner, home), (other, there))]
        change = session.put("/password", {"current_password": PASSWORD, "new_password": NEW},
                             headers=from_address("203.0.113.7"))
    assert answers == [201] * 8
    assert change.status == 204


def test_one_account_with_many_known_devices_holds_up_only_itself(start_shop):
    """Each log-in makes another known device. An owner with thirty of them still has only one turn."""
    shop = start_shop(**SLOW_HASHING)
    attacker, *honest = added(shop, 6)
    devices = []
    for i in range(30):
        answer = log_in(shop.visitor, attacker, f"198.51.100.{i + 1}")
        devices += [each.split(";")[0] for each in answer.headers.get_all("Set-Cookie") if "device" in each]
    stopping, heard = threading.Event(), []

    def run(address, cookie):
        client = Client(shop.server.port, timeout=60)
        while not stopping.is_set():
            heard.append(log_in(client, attacker, address, cookie=cookie).status)
        client.close()

    threads = [threading.Thread(target=run, args=(f"198.51.100.{i + 1}", cookie)) for i, cookie in enumerate(devices)]
    for thread in threads:
        thread.start()
    try:
        while 503 not in heard:  # until the lane is full
            time.sleep(0.01)
        clients = [Client(shop.server.port, timeout=60) for _ in honest]
        answers = in_parallel([lambda c=c, p=p, i=i: log_in(c, p, f"203.0.113.{i + 1}")
                               for i, (c, p) in enumerate(zip(clients, honest))])
        assert [each.status for each in answers] == [201] * len(honest)
    finally:
        stopping.set()
        for thread in threads:
            thread.join()


def test_a_duplicate_phone_is_seen_before_it_is_hashed(start_shop):
    """Otherwise somebody who knows one taken phone could keep the hashers busy with it."""
    shop = start_shop(config="[accounts]\nhash_threads = 1\nhash_backlog = 1\n")
    phone = shop.register()["phone"]
    clients = [shop.client() for _ in range(30)]
    answers = in_parallel([lambda c=c: c.post("/users", {"phone": phone, "password": PASSWORD}) for c in clients])
    assert [answer.status for answer in answers] == [409] * 30, "a hash for each would have been too many"


def test_one_address_makes_so_many_accounts_a_day_and_no_more(start_shop):
    """Before: 100 accounts registered from one address in 2 s."""
    shop = start_shop(**LIMITED)
    clients = [shop.client(timeout=60) for _ in range(10)]
    answers = [answer for part in in_parallel([lambda c=c: [register(c, "198.51.100.1") for _ in range(10)]
                                               for c in clients]) for answer in part]
    made = [answer for answer in answers if answer.status == 201]
    assert len(made) == 30
    refused = next(answer for answer in answers if answer.status == 429)
    assert refused.code == "rate_limited" and '"accounts"' in refused.headers["RateLimit-Policy"]
    assert int(refused.headers["Retry-After"]) > 60
    assert register(shop.visitor, "198.51.100.2").status == 201, "others do not suffer from it"


def test_an_ipv6_customer_has_one_bound_however_many_networks_they_use(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY + "[accounts]\nnew_per_network = 50\n",
                      env={"SLUICE_LIMITS_ENABLED": "true"})
    statuses = [register(shop.visitor, f"2001:db8:1:{net:x}::{host:x}").status
                for net in range(5) for host in range(26)]
    assert statuses.count(201) == 100, "twenty-five for each of four households at once, and then the customer's bound"
    assert set(statuses) == {201, 429}
    assert register(shop.visitor, "2001:db8:2::1").status == 201


def test_who_was_refused_has_used_up_nothing(start_shop):
    """Registrations that do not become an account are not counted: a taken phone, a wrong body."""
    shop = start_shop(**LIMITED)
    taken = register(shop.visitor, "203.0.113.9").body["phone"]
    for _ in range(40):
        assert register(shop.visitor, "198.51.100.1", phone=taken).status == 409
        assert register(shop.visitor, "198.51.100.1", phone="x").status == 422
    assert [register(shop.visitor, "198.51.100.1").status for _ in range(31)] == [201] * 30 + [429]


def test_an_office_behind_one_address_is_not_kept_out(start_shop):
    """Twenty-five colleagues register, log in, mistype, and look around at the same time."""
    shop = start_shop(**LIMITED)

    def person(client):
        phone = register(client, "203.0.113.7").body["phone"]
        wrong = log_in(client, phone, "203.0.113.7", WRONG)
        right = log_in(client, phone, "203.0.113.7")
        client.token = right.body["token"]
        again = client.get("/sessions/current", headers=from_address("203.0.113.7"))
        return wrong.status, right.status, again.status

    clients = [shop.client(timeout=60) for _ in range(25)]
    assert in_parallel([lambda c=c: person(c) for c in clients]) == [(401, 201, 200)] * 25


def test_scripts_of_the_house_are_no_strangers(start_shop):
    """From this machine itself: demonstrations, load tests, or a proxy that is not configured."""
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "true"})
    assert [shop.visitor.post("/users", {"phone": new_phone(), "password": PASSWORD}).status
            for _ in range(70)] == [201] * 70


def device_cookie(answer):
    cookies = answer.headers.get_all("Set-Cookie")
    [found] = [cookie for cookie in cookies if cookie.startswith("sluice_device=")]
    assert "HttpOnly" in found and "SameSite=Lax" in found and "Max-Age=15552000" in found
    return found.split(";")[0]


def guess_from_everywhere(shop, phone):
    """Until strangers are refused. Returns how many tries that took."""
    for tries in range(200):
        answer = log_in(shop.visitor, phone, f"198.51.{tries // 5}.1", WRONG)
        if answer.status == 429:
            return tries
        assert answer.status == 401
    raise AssertionError("nobody is ever stopped")


def test_a_thousand_addresses_gain_little_and_the_owner_still_gets_in(start_shop):
    shop = start_shop(**LIMITED)
    phone, other = added(shop, 2)
    home = device_cookie(log_in(shop.visitor, phone, "203.0.113.7"))
    assert 50 <= guess_from_everywhere(shop, phone) <= 55, "fifty at once, and two a minute on a slow machine"
    assert log_in(shop.visitor, phone, "203.0.113.8").status == 429, "a stranger, who might be right"
    assert log_in(shop.visitor, phone, "203.0.113.8", cookie=home).status == 201, "a device that was here before"
    assert log_in(shop.visitor, other, "198.51.7.1").status == 201, "other accounts do not suffer"
    wrong = [log_in(shop.visitor, phone, "203.0.113.8", WRONG, cookie=home).status for _ in range(11)]
    assert wrong == [401] * 10 + [429], "but it may not guess without end either"


def test_an_owner_with_a_new_device_gets_in_by_a_code_to_their_phone(start_shop):
    shop = start_shop(**LIMITED)
    [phone] = added(shop, 1)
    guess_from_everywhere(shop, phone)
    assert log_in(shop.visitor, phone, "203.0.113.8").status == 429
    code = code_for(shop, phone, "password")
    fresh = shop.visitor.post("/password-resets", {"phone": phone, "password": NEW, "code": code},
                              headers=from_address("203.0.113.8"))
    assert fresh.status == 204
    assert log_in(shop.visitor, phone, "203.0.113.8", NEW, cookie=device_cookie(fresh)).status == 201


def test_a_device_is_known_for_its_own_phone_only(start_shop):
    shop = start_shop(**LIMITED)
    phone, other = added(shop, 2)
    foreign = device_cookie(log_in(shop.visitor, other, "203.0.113.7"))
    guess_from_everywhere(shop, phone)
    for cookie in (foreign, "sluice_device=", "sluice_device=" + "A" * 44, "sluice_device=" + "x" * 5000):
        assert log_in(shop.visitor, phone, "203.0.113.7", cookie=cookie).status == 429, cookie[:60]


def test_the_bound_does_not_tell_who_exists(start_shop):
    shop = start_shop(**LIMITED)
    [known] = added(shop, 1)
    took = [guess_from_everywhere(shop, phone) for phone in (known, new_phone())]
    assert all(50 <= tries <= 55 for tries in took), took


@pytest.mark.parametrize("setting", ["accounts.new_per_network=49", "accounts.new_per_network=x",
                                     "accounts.hash_backlog=0"])
def test_bounds_that_are_none_are_refused(tmp_path, setting):
    done = run("check-config", "--data", tmp_path, "--set", setting)
    assert done.returncode == 1 and setting.split("=")[0] in done.stderr
