"""What a server does without a configuration, and what it tells callers from outside."""

import os
import re

import pytest

from client import Client
from process import add_user, run
from provider import Bought
from shop import PASSWORD, new_phone

HTTPS = 'public_url = "https://shop.example"\n'
PROXIED = '[http]\ntrusted_proxies = ["127.0.0.0/8"]\n'
UNCONFIGURED = {"SLUICE_PAYMENTS_PROVIDER": None, "SLUICE_PAYMENTS_WEBHOOK_SECRETS": None}
STRANGER = {"X-Forwarded-For": "203.0.113.66"}
TOKEN = "a-token-of-the-machine-room"


def test_with_https_and_nothing_else_nobody_pays_without_money(start_shop):
    """The row of the issue."""
    shop = start_shop(config=HTTPS, env=UNCONFIGURED)
    [buyer] = shop.buyers(1)
    order = Bought(shop, buyer, shop.sale()["id"])
    answer = buyer.post(f"/orders/{order.id}/payments")
    assert (answer.status, answer.code) == (409, "conflict")
    for path in ("/sandbox/pay/x", "/sandbox/bills/x", "/sandbox/pay.js"):
        assert shop.visitor.get(path, api=False).status == 404
    assert order.state == "pending"


def test_the_sandbox_is_there_for_a_demonstration(start_server):
    server = start_server(arguments=["--demo"], env=UNCONFIGURED)
    assert Client(server.port).get("/sandbox/pay.js", api=False).status == 200
    assert "payments.sandbox" in server.log()


def test_without_a_demonstration_it_is_not(start_server):
    server = start_server(env=UNCONFIGURED)
    assert Client(server.port).get("/sandbox/pay.js", api=False).status == 404
    assert "payments.sandbox" not in server.log()


@pytest.mark.parametrize("where", ["public_url=https://shop.example", "listen=0.0.0.0:0", "listen=[::]:0",
                                   "admin_listen=0.0.0.0:0"])
@pytest.mark.parametrize("why", [["--demo"], ["--set", "payments.provider=sandbox"]], ids=" ".join)
def test_in_public_the_sandbox_needs_a_word(tmp_path, where, why):
    done = run("serve", "--data", tmp_path / "data", "--set", where, *why, timeout=20)
    assert done.returncode == 1
    assert "payments.sandbox_in_public" in done.stderr and "without money" in done.stderr
    assert not (tmp_path / "data").exists()
    said = run("check-config", "--set", where, "--set", "payments.provider=sandbox",
               "--set", "payments.sandbox_in_public=true", cwd=tmp_path)
    assert said.returncode == 0, said.stderr


@pytest.mark.parametrize("where", ["public_url=https://shop.example", "listen=0.0.0.0:0"])
def test_in_public_messages_that_everybody_reads_need_a_word(tmp_path, where):
    given = ["--set", where, "--set", "sms.provider=sandbox"]
    done = run("serve", "--data", tmp_path / "data", *given, timeout=20)
    assert done.returncode == 1
    assert "sms.sandbox_in_public" in done.stderr and "codes to phones" in done.stderr
    assert not (tmp_path / "data").exists()
    said = run("check-config", *given, "--set", "sms.sandbox_in_public=true", cwd=tmp_path)
    assert said.returncode == 0, said.stderr


# Who sees how the machine is doing.

def seen_by(shop, token=None, port=None, **headers):
    """(status of /metrics, whether /readyz tells of parts)"""
    client = Client(port or shop.server.port, token)
    metrics = client.get("/metrics", api=False, headers=headers)
    ready = client.get("/readyz", api=False, headers=headers)
    alive = client.get("/livez", api=False, headers=headers)
    client.close()
    assert (ready.status, ready.body["ready"], alive.status) == (200, True, 200)
    if metrics.status != 200:
        assert b"sluice_" not in metrics.raw and ready.body == {"ready": True}
    return metrics.status, "parts" in ready.body


SEES, SEES_NOT = (200, True), (404, False)


def test_this_machine_sees_everything(shop):
    assert seen_by(shop) == SEES


def test_strangers_hear_whether_it_is_ready_and_nothing_more(start_shop):
    shop = start_shop(config=PROXIED)
    assert seen_by(shop, **STRANGER) == SEES_NOT
    assert seen_by(shop, **{"X-Forwarded-For": "2001:db8::1"}) == SEES_NOT
    assert seen_by(shop) == SEES, "the proxy's own machine"
    assert seen_by(shop, **{"X-Forwarded-For": "127.0.0.1"}) == SEES


def test_networks_tokens_and_operators_see_it(start_shop):
    shop = start_shop(config=f'{PROXIED}[machine_room]\nnetworks = ["10.9.0.0/16"]\n',
                      env={"SLUICE_MACHINE_ROOM_TOKEN": TOKEN})
    assert seen_by(shop, **{"X-Forwarded-For": "10.9.3.4"}) == SEES
    assert seen_by(shop, **{"X-Forwarded-For": "10.10.3.4"}) == SEES_NOT
    assert seen_by(shop, TOKEN, **STRANGER) == SEES
    for wrong in (TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "", "x" * 300):
        assert seen_by(shop, wrong, **STRANGER) == SEES_NOT
    assert seen_by(shop, shop.operator.token, **STRANGER) == SEES
    assert seen_by(shop, shop.buyer().token, **STRANGER) == SEES_NOT
    phone = new_phone()
    add_user(shop.server.data, phone, "support", PASSWORD)
    support = shop.client(shop.log_in(phone))
    assert support.get("/admin/orders").status == 200
    assert seen_by(shop, support.token, **STRANGER) == SEES_NOT
    assert TOKEN not in shop.server.log()


def test_a_proxy_that_is_not_named_makes_nobody_local(start_shop):
    shop = start_shop()
    for mark in ({"X-Forwarded-For": "127.0.0.1"}, {"X-Real-IP": "127.0.0.1"}, {"Forwarded": "for=127.0.0.1"},
                 {"Via": "1.1 proxy"}):
        assert seen_by(shop, **mark) == SEES_NOT, mark


def test_behind_https_without_a_named_proxy_nobody_is_local(start_shop):
    shop = start_shop(config=HTTPS, env=UNCONFIGURED)
    assert seen_by(shop) == SEES_NOT
    assert seen_by(shop, shop.operator.token) == SEES
    named = start_shop(config=HTTPS + PROXIED, env=UNCONFIGURED)
    assert seen_by(named) == SEES
    assert seen_by(named, **STRANGER) == SEES_NOT


def test_with_a_listener_of_their_own_they_are_only_there(start_shop):
    shop = start_shop(config='admin_listen = "127.0.0.1:0"\n')
    for path in ("/metrics", "/readyz", "/livez", "/api/v1/admin/limits"):
        assert shop.operator.get(path, api=False).status == 404
    port = int(re.search(r"office=\"?http://127\.0\.0\.1:(\d+)", shop.server.log())[1])
    assert seen_by(shop, port=port) == SEES
    operator = Client(port, shop.operator.token)
    assert operator.get("/admin/limits").status == 200
    operator.close()


CONSOLE = ("/console", "/console/", "/console/index.html", "/console/orders", "/%63onsole/", "/console%2Findex.html")


def test_the_consoles_pages_are_where_its_api_is(start_shop):
    page = {"Accept": "text/html"}
    alone = start_shop()
    for path in CONSOLE:
        assert alone.visitor.get(path, api=False, headers=page).status == 200, path
    shop = start_shop(config='admin_listen = "127.0.0.1:0"\n')
    for path in CONSOLE:
        for method in ("GET", "HEAD", "POST"):
            assert shop.visitor.request(method, path, api=False, headers=page).status == 404, (method, path)
    assert shop.visitor.get("/", api=False).status == 200
    port = int(re.search(r"office=\"?http://127\.0\.0\.1:(\d+)", shop.server.log())[1])
    office = Client(port)
    for path in (*CONSOLE, "/", "/login"):
        assert office.get(path, api=False, headers=page).status == 200, path
    office.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs as root")
def test_running_as_root_says_so(start_server, tmp_path):
    assert "server.runs_as_root" in start_server().log()


# check-config --production

GOOD = """
public_url = "https://shop.example"
admin_listen = "127.0.0.1:8081"
[http]
trusted_proxies = ["127.0.0.1"]
[backup]
every = "6h"
[accounts]
country = "CN"
second_factor = "required"
verify_phone = true
[alerts]
mail_url = "smtps://mail.example"
mail_from = "sluice@shop.example"
mail_to = ["ops@shop.example"]
[sms]
provider = "http"
url = "https://gateway.example/send"
secret = "sixteen-characters"
"""


def production(tmp_path, config, *arguments, env=None):
    file = tmp_path / "sluice.toml"
    file.write_text(config)
    file.chmod(0o600)
    done = run("check-config", "--production", "--config", file, *arguments, env=env, cwd=tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["sluice.toml"]
    return done


def test_a_careful_configuration_is_fit_for_customers(tmp_path):
    done = production(tmp_path, GOOD)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_without_a_configuration_what_is_missing_is_listed(tmp_path):
    done = run("check-config", "--production", cwd=tmp_path)
    assert done.returncode == 1
    for key, line in (("public_url", 'public_url = "https://'), ("admin_listen", 'admin_listen = "127.0.0.1:'),
                      ("backup.every", '[backup] every = "6h"'), ("accounts.country", '[accounts] country = "'),
                      ("accounts.second_factor", '[accounts] second_factor = "required"'),
                      ("accounts.verify_phone", "[accounts] verify_phone = true"), ("alerts", "[alerts] mail_url")):
        [told] = [each for each in done.stdout.splitlines() if each.startswith(f"{key}:")]
        assert line in told


@pytest.mark.parametrize("line, key", [
    ('[limits]\nenabled = false', "limits.enabled"),
    ('[log]\nlevel = "debug"', "log.level"),
    ('[machine_room]\nnetworks = ["0.0.0.0/0"]', "machine_room.networks"),
    ('[payments]\nprovider = "sandbox"\nsandbox_in_public = true', "payments.provider"),
    ('[sms]\nprovider = "sandbox"\nsandbox_in_public = true', "sms.provider"),
    ('[limits]\npeople_per_address = 1000', "limits.people_per_address"),
    ('[limits.guessing]\nper_minute = 60000', "limits.guessing.per_minute"),
])
def test_each_finding_names_its_place(tmp_path, line, key):
    before = GOOD.split("[sms]")[0] if line.startswith("[sms]") else GOOD
    done = production(tmp_path, f"{before}{line}\n")
    assert done.returncode == 1
    at = before.count("\n") + 2
    assert f"sluice.toml:{at}:1: {key}: " in done.stdout, done.stdout


@pytest.mark.parametrize("setting, line", [
    ("accounts.new_per_network=100000", "[accounts] new_per_network = 60"),
    ("sms.per_day=100000000", "[sms] per_day = 10000"),
    ("http.max_connections=64", "[http] max_connections = 16384"),
    ("http.connections_per_network=8000", "[http] connections_per_network = 0"),
])
def test_bounds_that_are_none_are_named(tmp_path, setting, line):
    done = production(tmp_path, GOOD, "--set", setting)
    assert done.returncode == 1 and line in done.stdout, done.stdout


def test_what_may_be_meant_is_told_and_stops_nobody(tmp_path):
    done = production(tmp_path, GOOD)
    notes = [line for line in done.stdout.splitlines() if line.startswith("note: ")]
    assert any("payments.provider: nobody can pay" in note for note in notes)
    assert any("root" in note for note in notes) == (os.geteuid() == 0)
    assert done.returncode == 0 and "nothing stands against customers" in done.stdout


def test_codes_to_all_the_world_are_named(tmp_path):
    """Messages abroad are dear, and strangers can share what they cost."""
    done = production(tmp_path, GOOD, "--set", "sms.countries=all")
    assert done.returncode == 1
    assert '[sms] countries = ["CN"]' in done.stdout
    assert production(tmp_path, GOOD, "--set", "sms.countries=CN,HK").returncode == 0


def test_findings_of_the_environment_are_named_too(tmp_path):
    done = production(tmp_path, GOOD, env={"SLUICE_LIMITS_ENABLED": "false"})
    assert done.returncode == 1 and "environment SLUICE_LIMITS_ENABLED: limits.enabled: " in done.stdout


def test_a_file_with_secrets_is_for_the_server_alone(tmp_path):
    config = f'{GOOD}[machine_room]\ntoken = "{TOKEN}"\n'
    assert production(tmp_path, config).returncode == 0
    (tmp_path / "sluice.toml").chmod(0o644)
    done = run("check-config", "--production", "--config", tmp_path / "sluice.toml")
    assert done.returncode == 1 and "chmod" in done.stdout and TOKEN not in done.stdout


def test_a_broken_configuration_is_not_fit_either(tmp_path):
    done = production(tmp_path, "treads = 1\n")
    assert done.returncode == 1 and "treads is not a known key" in done.stderr
