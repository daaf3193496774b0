"""Alerts by mail: to a mail server of ours, in the clear on this machine only, and never a password without TLS."""

import time

import pytest

from certificates import Authority
from mail_server import MailServer
from process import eventually, run
from test_alerts import alerts_of, press

INSIDE = {"SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8"}
MAIL = {"SLUICE_ALERTS_MAIL_FROM": "sluice@shop.example", "SLUICE_ALERTS_MAIL_TO": "ops@shop.example,boss@shop.example"}
USER = {"SLUICE_ALERTS_MAIL_USER": "sluice", "SLUICE_ALERTS_MAIL_PASSWORD": "hush hush"}
PATIENCE = 40


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def servers():
    made = []

    def make(**options):
        made.append(MailServer(**options))
        return made[-1]

    yield make
    for each in made:
        each.stop()


def opened(start_shop, server, authority=None, scheme="smtp", host="127.0.0.1", **more):
    known = {"SLUICE_WEBHOOKS_CA_FILE": str(authority.certificate)} if authority else {}
    return start_shop(env={**INSIDE, **MAIL, **known, "SLUICE_ALERTS_MAIL_URL": server.url(scheme, host), **more})


def test_a_mail_in_the_clear_on_this_machine(start_shop, servers):
    server = servers()
    shop = opened(start_shop, server, SLUICE_ALERTS_LANGUAGE="zh")
    assert press(shop, "mail") == {"channel": "mail", "sent": True, "reason": ""}
    [mail] = server.mails
    assert mail["Subject"] == "[Sluice] 测试：提醒可以送达此渠道"
    assert (mail["From"], mail["To"]) == ("Sluice <sluice@shop.example>", "ops@shop.example, boss@shop.example")
    assert mail["Message-ID"].endswith(".sluice@shop.example>") and mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content().splitlines()[0] == "测试：提醒可以送达此渠道"
    verbs = [text.split(" ")[0] for text, _ in server.commands]
    assert verbs[:5] == ["EHLO", "MAIL", "RCPT", "RCPT", "DATA"]
    [channel] = alerts_of(shop)["channels"]
    assert (channel["name"], channel["to"]) == ("mail", "ops@shop.example, boss@shop.example")


@pytest.mark.parametrize("tls, scheme", [("start", "smtps"), ("starttls", "smtp")])
def test_a_password_is_said_within_tls(start_shop, servers, authority, tls, scheme):
    server = servers(tls=tls, **authority.sign("DNS:localhost"))
    shop = opened(start_shop, server, authority, scheme, "localhost", **USER)
    assert press(shop, "mail")["reason"] == ""
    assert server.logged_in == [("PLAIN", "sluice", "hush hush")] and len(server.mails) == 1
    assert all(secure for text, secure in server.commands if text.split(" ")[0] in ("AUTH", "MAIL", "DATA"))


def test_a_server_that_knows_login_only(start_shop, servers, authority):
    server = servers(tls="start", answers={"AUTH PLAIN": "504 unknown"}, **authority.sign("DNS:localhost"))
    shop = opened(start_shop, server, authority, "smtps", "localhost", **USER)
    assert press(shop, "mail")["sent"] is True
    assert server.logged_in == [("LOGIN", "sluice", "hush hush")]


def test_without_starttls_nothing_is_said(start_shop, servers):
    server = servers()
    shop = opened(start_shop, server, **USER)
    assert press(shop, "mail") == {"channel": "mail", "sent": False, "reason": "the mail server offers no STARTTLS"}
    assert [text.split(" ")[0] for text, _ in server.commands] == ["EHLO"]


def test_words_behind_starttls_do_not_count(start_shop, servers, authority):
    server = servers(tls="starttls", behind_starttls=b"250 forged\r\n", **authority.sign("DNS:localhost"))
    shop = opened(start_shop, server, authority, "smtp", "localhost", **USER)
    assert press(shop, "mail")["sent"] is False
    assert server.logged_in == [] and server.mails == []


def test_a_certificate_for_another_host(start_shop, servers, authority):
    server = servers(tls="start", **authority.sign("DNS:mail.example"))
    shop = opened(start_shop, server, authority, "smtps", "localhost", **USER)
    assert "certificate verify failed" in press(shop, "mail")["reason"]
    assert server.logged_in == []


@pytest.mark.parametrize("verb, said", [("MAIL", "550 who are you"), ("RCPT", "550 no such user"),
                                        ("DATA", "451 come back later")])
def test_a_refusal_is_told(start_shop, servers, verb, said):
    server = servers(answers={verb: said})
    shop = opened(start_shop, server)
    told = press(shop, "mail")
    code, _, text = said.partition(" ")
    assert told["sent"] is False and told["reason"] == f"the mail server answered {code} to {verb}: {text}"


def test_a_wrong_password_is_not_repeated_to_anybody(start_shop, servers, authority):
    server = servers(tls="start", answers={"AUTH": "535 wrong: hush hush"}, **authority.sign("DNS:localhost"))
    shop = opened(start_shop, server, authority, "smtps", "localhost", **USER)
    assert press(shop, "mail")["reason"] == "the mail server answered 535 to AUTH"
    assert "hush" not in shop.server.log()


def test_an_alert_is_tried_again(start_shop, servers):
    server = servers(answers={"RCPT": "451 greylisted"})
    shop = opened(start_shop, server)
    time.sleep(2.5)  # what is sold out before the first look is no news
    shop.bought(shop.buyer(), shop.sale(stock=1)["id"])
    eventually(lambda: alerts_of(shop)["channels"][0]["last_failure"], PATIENCE, "a failure")
    server.answers.clear()
    eventually(lambda: server.mails, PATIENCE, "the second try")
    assert "Sold out" in server.mails[0]["Subject"]


@pytest.mark.parametrize("lines, word", [
    ('mail_url = "smtp://user:hush@mail.example"', "mail_url"),
    ('mail_url = "mail.example"', "mail_url"),
    ('mail_url = "smtp://mail.example"', "mail_from"),
    ('mail_to = "ops@shop.example"', "mail_url"),
    ('mail_url = "smtp://mail.example"\nmail_from = "a b@shop.example"\nmail_to = "ops@shop.example"', "mail_from"),
    ('mail_url = "smtp://mail.example"\nmail_from = "a@shop.example"\nmail_to = ["a@b>\\r\\nRCPT"]', "mail_to"),
    ('mail_url = "smtp://mail.example"\nmail_from = "a@b"\nmail_to = "a@b"\nmail_user = "sluice"', "mail_password_file"),
    ('mail_url = "smtp://10.0.0.1"\nmail_from = "a@b"\nmail_to = "a@b"', "webhooks.allow_private"),
    ('mail_password = "hush"', "does not belong in this file"),
])
def test_a_configuration_that_cannot_be_meant(tmp_path, lines, word):
    config = tmp_path / "sluice.toml"
    config.write_text(f"[alerts]\n{lines}\n")
    done = run("check-config", "--data", tmp_path, "--config", config)
    said = done.stdout + done.stderr
    assert done.returncode != 0 and word in said
