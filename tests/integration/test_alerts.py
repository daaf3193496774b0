"""Operators are alerted by robots in their chats and by a webhook, and test each channel with a button."""

import base64
import hashlib
import hmac
import time
import urllib.parse

import pytest

from cluster import Cluster
from listener import Listener
from process import eventually, run
from test_audit import VIOLATIONS, tamper

SECRET = "a secret for alerts"
INSIDE = {"SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8", "SLUICE_WEBHOOKS_FIRST_PAUSE_MS": "20"}
PATIENCE = 40  # for what takes ten seconds on a machine that is not busy


@pytest.fixture
def listener():
    listener = Listener()
    yield listener
    listener.stop()


def settings(listener, *kinds):
    robots = {"SLUICE_ALERTS_WEBHOOK_URL": listener.url("/webhook"), "SLUICE_ALERTS_WEBHOOK_SECRET": SECRET,
              "SLUICE_ALERTS_WECOM_URL": listener.url("/wecom?key=hush"),
              "SLUICE_ALERTS_DINGTALK_URL": listener.url("/dingtalk?access_token=hush"),
              "SLUICE_ALERTS_DINGTALK_SECRET": "SECdingtalk",
              "SLUICE_ALERTS_SLACK_URL": listener.url("/services/T/B/hush")}
    return {**INSIDE, **{name: value for name, value in robots.items() if any(kind in name for kind in kinds)}}


ALL = ("WEBHOOK_", "WECOM", "DINGTALK", "SLACK")


def alerts_of(shop):
    answer = shop.operator.get("/admin/alerts")
    assert answer.status == 200, answer.body
    return answer.body


def press(shop, channel):
    answer = shop.operator.post(f"/admin/alerts/{channel}/test")
    assert answer.status == 200, answer.body
    return answer.body


def texts(listener):
    """The text that people read, from every robot."""
    return [(each["body"].get("text") or {}).get("content", "") if isinstance(each["body"].get("text"), dict)
            else each["body"].get("text", each["body"].get("data", {}).get("headline", "")) for each in listener.heard]


def sell_out(shop):
    sale = shop.sale(stock=1)["id"]
    shop.bought(shop.buyer(), sale)
    return sale


def test_without_channels_the_list_says_so(shop):
    listed = alerts_of(shop)
    assert listed["channels"] == [] and listed["on_duty"] is True and listed["quiet_minutes"] == 30
    assert shop.operator.post("/admin/alerts/wecom/test").status == 404
    assert shop.visitor.get("/admin/alerts").status == 401
    assert shop.buyer().post("/admin/alerts/wecom/test").status == 403


def test_each_channel_has_a_button(start_shop, listener):
    shop = start_shop(env=settings(listener, *ALL))
    assert [each["name"] for each in alerts_of(shop)["channels"]] == ["webhook", "wecom", "dingtalk", "slack"]
    for channel in ("webhook", "wecom", "dingtalk", "slack"):
        assert press(shop, channel) == {"channel": channel, "sent": True, "reason": ""}
    assert listener.paths() == ["/webhook", "/wecom", "/dingtalk", "/services/T/B/hush"]
    assert all("A test: alerts reach this channel" in text for text in texts(listener))

    signed = listener.heard[0]
    parts = dict(part.split("=", 1) for part in signed["headers"]["Sluice-Signature"].split(","))
    expected = hmac.new(SECRET.encode(), parts["t"].encode() + b"." + signed["raw"], hashlib.sha256).hexdigest()
    assert parts["v1"] == expected and signed["body"]["type"] == "alert" and signed["body"]["data"]["kind"] == "test"

    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(listener.heard[2]["path"]).query))
    text = f"{query['timestamp']}\nSECdingtalk".encode()
    expected = base64.b64encode(hmac.new(b"SECdingtalk", text, hashlib.sha256).digest()).decode()
    assert query["sign"] == expected and query["access_token"] == "hush"
    assert abs(time.time() * 1000 - int(query["timestamp"])) < 300_000

    listed = alerts_of(shop)
    assert [(each["sent"], each["failed"]) for each in listed["channels"]] == [(1, 0)] * 4
    assert listed["alerts"] == [], "a test is no alert"


def test_a_key_is_shown_nowhere(start_shop, listener):
    shop = start_shop(env=settings(listener, "WECOM"))
    listener.answers(200, b'{"errcode":93000,"errmsg":"invalid webhook url"}')
    told = press(shop, "wecom")
    assert told["sent"] is False and told["reason"] == "the robot answered errcode 93000"
    [channel] = alerts_of(shop)["channels"]
    assert channel["to"] == listener.url("/…") and channel["failed"] == 1
    assert channel["last_failure"]["reason"] == told["reason"]
    listener.stop()
    assert press(shop, "wecom")["sent"] is False
    assert "hush" not in shop.server.log()


def test_a_sale_that_is_sold_out_is_told_once(start_shop, listener):
    shop = start_shop(env={**settings(listener, "WECOM"), "SLUICE_ALERTS_LANGUAGE": "zh"})
    time.sleep(2.5)  # what was sold out before the first look is no news
    sale = sell_out(shop)
    eventually(lambda: listener.heard, PATIENCE, "the alert")
    [text] = texts(listener)
    assert text.startswith(f"[Sluice] 已售罄：活动 {sale}\nTea set\n")
    [alert] = alerts_of(shop)["alerts"]
    assert (alert["kind"], alert["phase"], alert["subject"]) == ("sold_out", "event", sale)
    assert alert["headline"] == f"Sold out: sale {sale}"
    shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": 1})
    shop.bought(shop.buyer(), sale)
    time.sleep(5)
    assert len(listener.heard) == 1, "the same within the quiet"


def test_a_channel_that_fails_is_tried_again(start_shop, listener):
    shop = start_shop(env=settings(listener, "SLACK"))
    time.sleep(2.5)
    listener.answers(503)
    sell_out(shop)
    eventually(lambda: alerts_of(shop)["channels"][0]["last_failure"], PATIENCE, "a failure")
    assert alerts_of(shop)["channels"][0]["waiting"] == 1
    listener.answers(200)
    eventually(lambda: alerts_of(shop)["channels"][0]["sent"] == 1, PATIENCE, "the second try")
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    assert 'sluice_alerts_total{channel="slack",outcome="sent"} 1' in page
    assert 'sluice_alerts_waiting{channel="slack"} 0' in page


def test_a_webhook_that_was_given_up_is_told(start_shop, listener):
    shop = start_shop(env={**settings(listener, "WECOM"), "SLUICE_WEBHOOKS_GIVE_UP_SECONDS": "1"})
    dead = {"url": listener.url("/nobody"), "events": ["order.created"]}
    assert shop.operator.post("/admin/webhooks", dead).status == 201
    listener.answers(500)
    shop.bought(shop.buyer(), shop.sale(stock=5)["id"])
    eventually(lambda: [each["kind"] for each in alerts_of(shop)["alerts"]] == ["webhook_given_up"], PATIENCE,
               "the delivery to be dead")


def test_a_check_that_fails_is_told(start_shop, listener):
    shop = start_shop(env=settings(listener, "WECOM"))
    shop.traded = shop.sale(stock=5, limit_per_buyer=2)["id"]
    shop.order = shop.bought(shop.buyer(), shop.traded, 2)["order_id"]
    tamper(shop, VIOLATIONS["a unit held for nobody"])
    for _ in range(3):
        assert not shop.operator.get(f"/admin/sales/{shop.traded}/audit").body["holds"]
    told = [each for each in alerts_of(shop)["alerts"] if each["kind"] == "audit_failed"]
    subjects = [each["subject"] for each in told]
    assert subjects and len(subjects) == len(set(subjects)), "each check once"
    eventually(lambda: any("An audit found a broken promise" in text for text in texts(listener)), PATIENCE, "the alert")


@pytest.mark.sqlite_ledger
def test_an_old_backup_is_told(start_shop, listener, tmp_path):
    (tmp_path / "file").write_text("no folder")
    shop = start_shop(env={**settings(listener, "WECOM"), "SLUICE_BACKUP_EVERY": "1s",
                           "SLUICE_BACKUP_FOLDER": str(tmp_path / "file")})
    eventually(lambda: len(alerts_of(shop)["alerts"]) == 2, PATIENCE, "both alerts")
    failed, alert = sorted(alerts_of(shop)["alerts"], key=lambda each: each["kind"], reverse=True)
    assert (failed["kind"], failed["subject"]) == ("impaired", "backup") and alert["kind"] == "backup_old"
    assert (alert["phase"], alert["detail"]) == ("begun", "there is none yet")


def test_addresses_inside_are_refused_as_for_webhooks(tmp_path, listener):
    config = tmp_path / "sluice.toml"
    config.write_text(f'[alerts]\nwecom_url = "{listener.url("/wecom?key=hush")}"\n')
    config.chmod(0o600)
    done = run("check-config", "--data", tmp_path, "--config", config)
    assert done.returncode != 0 and "webhooks.allow_private" in done.stdout + done.stderr
    assert "hush" not in done.stdout + done.stderr
    config.write_text('[alerts]\nwecom_url = "http://robot.example/send?key=hush"\n')
    done = run("check-config", "--data", tmp_path, "--config", config)
    assert done.returncode != 0 and "hush" not in done.stdout + done.stderr
    config.write_text('[alerts]\nwecom_url = "https://robot.example/send?key=hush"\n')
    assert run("check-config", "--data", tmp_path, "--config", config).returncode == 0


def test_a_name_that_leads_inside_is_not_followed(start_shop, listener):
    port = listener.url("").rsplit(":", 1)[1]
    shop = start_shop(env={"SLUICE_ALERTS_SLACK_URL": f"https://localhost:{port}/services/hush"})
    told = press(shop, "slack")
    assert (told["sent"], told["reason"]) == (False, "the host's address is not public, and not allowed")
    assert listener.heard == []


def test_on_a_cluster_one_node_tells_of_the_shop_and_each_of_itself(tmp_path, listener):
    with Cluster(tmp_path, nodes=2, env=settings(listener, "WECOM")) as cluster:
        eventually(lambda: [alerts_of(shop)["on_duty"] for shop in cluster.shops].count(True) == 1, PATIENCE, "a duty")
        time.sleep(5)  # what was sold out before the first look is no news
        sale = sell_out(cluster.shops[0])
        eventually(lambda: texts(listener), PATIENCE, "the alert")
        time.sleep(5)
        assert len(listener.heard) == 1 and f"Sold out: sale {sale}" in texts(listener)[0]
        cluster.redis.stop()
        try:
            def told():
                return [text for text in texts(listener) if "Not ready: redis" in text]

            eventually(lambda: len(told()) == 2, 60, "both nodes")
            for node in cluster.nodes:
                assert [node.url in text for text in told()].count(True) == 1, "each once"
        finally:
            cluster.redis.start()
        eventually(lambda: len([text for text in texts(listener) if "Ready again: redis" in text]) == 2, 60, "the end")
