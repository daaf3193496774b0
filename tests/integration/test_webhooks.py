"""Webhooks out: a second process really receives events of orders and sales."""

import json
import re

import pytest

from client import in_parallel
from ledger import change, look, open_ledger
from process import eventually, run
from provider import Bought, outcome, succeeded
from receiver import Receiver

ALL = ["order.created", "order.paid", "order.expired", "order.cancelled", "order.refunded", "sale.sold_out",
       "sale.reopened"]
INSIDE = {"SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8", "SLUICE_WEBHOOKS_FIRST_PAUSE_MS": "20"}


@pytest.fixture
def receivers(tmp_path):
    made = []

    def make(**options):
        made.append(Receiver(tmp_path / f"receiver-{len(made)}", **options))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.fixture
def receiver(receivers):
    return receivers()


@pytest.fixture
def shop(start_shop):
    return start_shop(env=INSIDE)


def register(shop, url, **more):
    answer = shop.operator.post("/admin/webhooks", {"url": url, **more})
    assert answer.status == 201, answer.body
    return answer.body


def deliveries(shop, webhook, query=""):
    answer = shop.operator.get(f"/admin/webhooks/{webhook['id']}/deliveries{query}")
    assert answer.status == 200, answer.body
    return answer.body["deliveries"]


def becomes(shop, webhook, state, count=1):
    """So many deliveries in that state, and none in another."""
    eventually(lambda: [each["state"] for each in deliveries(shop, webhook)] == [state] * count, 10,
               f"{count} {state} of {webhook['url']}")
    return deliveries(shop, webhook)


def paid(shop, buyer, sale):
    order = Bought(shop, buyer, sale)
    outcome(shop.visitor, succeeded(order.pay(), order.total))
    return order


def of_order(heard, order):
    return [each for each in heard if each.type.startswith("order.") and each.event["data"]["id"] == order.id]


def test_all_seven_events(shop, receiver):
    hook = register(shop, receiver.url())
    assert hook["events"] == ALL
    buyer = shop.buyer()
    sale = shop.sale(stock=3, limit_per_buyer=5)["id"]
    brief = shop.sale(stock=2, hold_seconds=1)["id"]
    refunded = paid(shop, buyer, sale)
    cancelled = Bought(shop, buyer, sale)
    expired = Bought(shop, buyer, brief)
    last = Bought(shop, buyer, sale)
    assert buyer.post(f"/orders/{cancelled.id}/cancel").status == 200
    assert shop.operator.post(f"/admin/orders/{refunded.id}/refund").status == 200
    expired.becomes("expired")

    heard = receiver.hears(10)
    assert set(receiver.types()) == set(ALL)
    assert [each.type for each in of_order(heard, refunded)] == ["order.created", "order.paid", "order.refunded"]
    assert [each.type for each in of_order(heard, cancelled)] == ["order.created", "order.cancelled"]
    assert [each.type for each in of_order(heard, expired)] == ["order.created", "order.expired"]
    assert [each.type for each in of_order(heard, last)] == ["order.created"]
    for each in heard:
        assert each.is_signed_with(hook["secret"])
        assert not each.is_signed_with("whsec_" + "x" * 43)
        assert set(each.event) == {"id", "type", "created_at", "data"}
        assert each.headers["Sluice-Event"] == each.type
        assert each.headers["Sluice-Event-Id"] == each.event["id"]
        assert each.headers["Sluice-Delivery-Id"] == f"{hook['id']}-{each.event['id']}"
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", each.event["created_at"])
    states = {each.type: each.event["data"]["state"] for each in of_order(heard, refunded)}
    assert states == {"order.created": "pending", "order.paid": "paid", "order.refunded": "refunded"}
    data = of_order(heard, last)[0].event["data"]
    assert data == {**last.show(), "buyer_id": data["buyer_id"]}
    [sold_out] = [each for each in heard if each.type == "sale.sold_out"]
    [reopened] = [each for each in heard if each.type == "sale.reopened"]
    assert sold_out.event["data"]["id"] == sale and sold_out.event["data"]["state"] == "sold_out"
    assert sold_out.event["data"]["stock"] == {"total": 3, "left": 0, "held": 2, "sold": 1}
    assert reopened.event["data"]["stock"]["left"] == 1
    assert set(sold_out.event["data"]) == set(shop.visitor.get(f"/sales/{sale}").body)
    assert len(receiver.heard()) == 10, "once each, when all goes well"
    shop.audit()


def test_only_what_was_asked_for(shop, receivers):
    some, other = receivers(), receivers()
    register(shop, some.url(), events=["order.cancelled", "sale.sold_out", "order.cancelled"])
    register(shop, other.url(path="/x?y=z"), events=["order.created"])
    buyer = shop.buyer()
    order = Bought(shop, buyer, shop.sale(stock=1)["id"])
    buyer.post(f"/orders/{order.id}/cancel")
    some.hears(2)
    assert sorted(some.types()) == ["order.cancelled", "sale.sold_out"]
    [heard] = other.hears(1)
    assert heard.path == "/x?y=z"
    ids = {each.event["id"] for each in some.taken()} & {heard.event["id"]}
    assert not ids, "different events"


def test_two_webhooks_hear_the_same_event_by_the_same_id(shop, receivers):
    first, second = receivers(), receivers()
    hooks = [register(shop, each.url(), events=["order.created"]) for each in (first, second)]
    Bought(shop, shop.buyer(), shop.sale()["id"])
    [one], [two] = first.hears(1), second.hears(1)
    assert one.raw == two.raw
    assert one.is_signed_with(hooks[0]["secret"]) and two.is_signed_with(hooks[1]["secret"])
    assert not one.is_signed_with(hooks[1]["secret"])


def test_in_order_for_each_order_whatever_the_receiver_says(shop, receiver):
    hook = register(shop, receiver.url())
    receiver.answer(200, order_created=500)
    buyer = shop.buyer()
    sale = shop.sale(stock=50, limit_per_buyer=50)["id"]
    orders = [paid(shop, buyer, sale) for _ in range(5)]
    eventually(lambda: len(receiver.heard()) > 7, 10, "attempts")
    assert {each.type for each in receiver.heard()} == {"order.created"}, "the rest waits"
    waiting = deliveries(shop, hook, "?limit=100")
    assert {each["event"]: each["next_attempt_at"] is None for each in waiting} \
        == {"order.created": False, "order.paid": True}
    receiver.answer(200, every=2)
    heard = receiver.hears(10, 15)
    for order in orders:
        assert [each.type for each in of_order(heard, order)] == ["order.created", "order.paid"]
    becomes(shop, hook, "delivered", 10)
    shop.audit()


@pytest.mark.parametrize("trouble, status, error", [
    (500, 500, None), (404, 404, None), (301, 301, None), ("hang", None, "timeout"), ("gone", None, "refused"),
])
def test_trouble_is_told_and_tried_again(start_shop, receiver, trouble, status, error):
    shop = start_shop(env={**INSIDE, "SLUICE_WEBHOOKS_TIMEOUT_SECONDS": "1"})
    hook = register(shop, receiver.url(), events=["order.created"])
    if trouble == "gone":
        receiver.stop()
    else:
        receiver.answer(trouble)
    Bought(shop, shop.buyer(), shop.sale()["id"])
    tried = eventually(lambda: [d for d in deliveries(shop, hook) if d["attempts"] > 0], 5, "an attempt")[0]
    assert (tried["state"], tried["last_status"]) == ("pending", status)
    assert tried["next_attempt_at"] and tried["last_attempt_at"] and tried["delivered_at"] is None
    if error:
        assert error in tried["last_error"], tried
    if trouble == "gone":
        receiver.start()
    receiver.answer(200)
    receiver.hears(1)
    [done] = becomes(shop, hook, "delivered")
    assert done["attempts"] >= 2 and done["delivered_at"] and done["next_attempt_at"] is None
    assert all(each.path == "/hook" for each in receiver.heard()), "no redirect was followed"


def test_a_flood_of_an_answer_is_an_answer(shop, receiver):
    receiver.answer("flood")
    hook = register(shop, receiver.url(), events=["order.created"])
    Bought(shop, shop.buyer(), shop.sale()["id"])
    becomes(shop, hook, "delivered")


def test_a_dead_receiver_keeps_nobody_waiting(shop, receivers):
    dead, alive = receivers(), receivers()
    dead.answer("hang")
    register(shop, dead.url())
    register(shop, alive.url(), events=["order.created"])
    buyer = shop.buyer()
    sale = shop.sale(stock=50, limit_per_buyer=50)["id"]
    for _ in range(20):
        Bought(shop, buyer, sale)
    alive.hears(20, 5)
    assert len(dead.heard()) <= 8, "its own places are all it has"


def test_it_is_given_up_and_sent_again_by_hand(start_shop, receiver):
    shop = start_shop(env={**INSIDE, "SLUICE_WEBHOOKS_GIVE_UP_SECONDS": "1"})
    hook = register(shop, receiver.url())
    receiver.answer(500)
    order = paid(shop, shop.buyer(), shop.sale()["id"])
    dead = becomes(shop, hook, "dead", 2)
    assert [each["event"] for each in dead] == ["order.paid", "order.created"]
    assert {each["order_id"] for each in dead} == {order.id}
    assert deliveries(shop, hook, "?state=pending") == []
    assert len(deliveries(shop, hook, "?state=dead")) == 2
    shop.audit()

    receiver.answer(200)
    for each in reversed(dead):
        answer = shop.operator.post(f"/admin/webhooks/deliveries/{each['id']}/resend")
        assert answer.status == 200
        assert (answer.body["id"], answer.body["state"]) == (each["id"], "pending")
    assert [each.type for each in receiver.hears(2)] == ["order.created", "order.paid"]
    done = becomes(shop, hook, "delivered", 2)
    # What was delivered can be sent again too, with the same id, so that a receiver drops it.
    count = len(receiver.heard())
    assert shop.operator.post(f"/admin/webhooks/deliveries/{done[0]['id']}/resend").status == 200
    eventually(lambda: len(receiver.heard()) == count + 1)
    assert receiver.heard()[-1].event["id"] == done[0]["event_id"]
    becomes(shop, hook, "delivered", 2)
    shop.audit()


def test_pages_of_deliveries(shop, receiver):
    hook = register(shop, receiver.url(), events=["order.created"])
    buyer = shop.buyer()
    sale = shop.sale(limit_per_buyer=10)["id"]
    for _ in range(5):
        Bought(shop, buyer, sale)
    becomes(shop, hook, "delivered", 5)
    seen, cursor = [], ""
    while cursor is not None:
        page = shop.operator.get(f"/admin/webhooks/{hook['id']}/deliveries?limit=2{cursor and '&cursor=' + cursor}").body
        assert len(page["deliveries"]) <= 2
        seen += [each["event_id"] for each in page["deliveries"]]
        cursor = page["next_cursor"]
    assert seen == sorted(set(seen), key=int, reverse=True) and len(seen) == 5
    for wrong in ("?state=lost", "?limit=0", "?cursor=x"):
        assert shop.operator.get(f"/admin/webhooks/{hook['id']}/deliveries{wrong}").status == 422


def test_a_webhook_is_made_once_for_a_key_and_its_secret_is_not_kept(shop, receiver):
    body, key = {"url": receiver.url()}, {"Idempotency-Key": "k"}
    first = shop.operator.post("/admin/webhooks", body, headers=key)
    again = shop.operator.post("/admin/webhooks", body, headers=key)
    assert (first.status, again.status) == (201, 201)
    assert first.body == again.body and first.body["secret"].startswith("whsec_")
    other = shop.operator.post("/admin/webhooks", {"url": receiver.url(path="/")}, headers=key)
    assert (other.status, other.code) == (422, "idempotency_mismatch")
    listed = shop.operator.get("/admin/webhooks").body
    assert listed == {"webhooks": [{k: v for k, v in first.body.items() if k != "secret"}], "next_cursor": None}
    with open_ledger(shop.server.data) as ledger:
        dump = repr(ledger.contents())
    assert first.body["url"] in dump and first.body["secret"] not in dump


def test_no_more_than_sixteen(shop, receiver):
    hooks = [register(shop, receiver.url()) for _ in range(16)]
    answer = shop.operator.post("/admin/webhooks", {"url": receiver.url()})
    assert (answer.status, answer.code) == (409, "conflict")
    page = shop.operator.get("/admin/webhooks?limit=10").body
    rest = shop.operator.get(f"/admin/webhooks?limit=10&cursor={page['next_cursor']}").body
    assert [each["id"] for each in page["webhooks"] + rest["webhooks"]] == [each["id"] for each in reversed(hooks)]
    assert shop.operator.delete(f"/admin/webhooks/{hooks[0]['id']}").status == 204
    register(shop, receiver.url())


def test_a_deleted_one_hears_nothing_more(shop, receiver):
    hook = register(shop, receiver.url())
    receiver.answer(500)
    buyer = shop.buyer()
    sale = shop.sale(limit_per_buyer=10)["id"]
    Bought(shop, buyer, sale)
    # An attempt that is under way when it is deleted may still arrive, of this event and no other.
    [under_way] = {each.event["id"] for each in eventually(lambda: receiver.heard(), 5, "an attempt")}
    assert shop.operator.delete(f"/admin/webhooks/{hook['id']}").status == 204
    assert shop.operator.delete(f"/admin/webhooks/{hook['id']}").status == 404
    assert shop.operator.get(f"/admin/webhooks/{hook['id']}/deliveries").status == 404
    receiver.answer(200)
    other = register(shop, receiver.url(path="/other"), events=["order.cancelled"])
    order = Bought(shop, buyer, sale)
    buyer.post(f"/orders/{order.id}/cancel")
    becomes(shop, other, "delivered")
    assert {each.path for each in receiver.heard() if each.event["id"] != under_way} == {"/other"}
    shop.audit()


def test_what_operators_do_is_in_the_trail(shop, receiver):
    hook = register(shop, receiver.url())
    Bought(shop, shop.buyer(), shop.sale()["id"])
    [done] = becomes(shop, hook, "delivered")
    shop.operator.post(f"/admin/webhooks/deliveries/{done['id']}/resend")
    shop.operator.delete(f"/admin/webhooks/{hook['id']}")
    entries = [each for each in shop.operator.get("/admin/audit-trail").body["entries"]
               if each["action"].startswith("webhook.")]
    assert [(each["action"], each["subject"]) for each in entries] == [
        ("webhook.delete", hook["id"]), ("webhook.resend", done["id"]), ("webhook.create", hook["id"])]
    assert entries[2]["after"]["url"] == hook["url"] and "secret" not in entries[2]["after"]
    assert entries[1]["before"]["state"] == "delivered" and entries[1]["after"]["state"] == "pending"


@pytest.mark.parametrize("body, field", [
    ({}, "url"), ({"url": ""}, "url"), ({"url": 1}, "url"), ({"url": "ftp://a/"}, "url"),
    ({"url": "https://u:p@a.example/"}, "url"), ({"url": "https://a.example/" + "x" * 2048}, "url"),
    ({"url": "https://a.example/", "events": []}, "events"),
    ({"url": "https://a.example/", "events": ["order.lost"]}, "events"),
    ({"url": "https://a.example/", "events": "order.paid"}, "events"),
    ({"url": "https://a.example/", "secret": "mine"}, "secret"),
    ({"url": "https://169.254.169.254/latest"}, "url"), ({"url": "https://10.0.0.1/"}, "url"),
    ({"url": "https://[::ffff:192.168.0.1]/"}, "url"), ({"url": "https://[fe80::1]/"}, "url"),
])
def test_wrong_wishes_change_nothing(shop, body, field):
    answer = shop.operator.post("/admin/webhooks", body)
    assert answer.status == 422, answer.body
    assert field in [error["field"] for error in answer.body["errors"]]
    assert shop.operator.get("/admin/webhooks").body["webhooks"] == []


@pytest.mark.parametrize("url", ["https://127.0.0.1/", "https://[::1]/", "http://shop.example/",
                                 "https://0.0.0.0/", "https://100.64.0.1/"])
def test_inside_is_refused_unless_allowed(start_shop, url):
    shop = start_shop()
    assert shop.operator.post("/admin/webhooks", {"url": url}).status == 422


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.1"])
def test_a_name_that_leads_inside_is_refused_when_it_is_looked_up(start_shop, receiver, host):
    shop = start_shop()
    hook = register(shop, receiver.url(host).replace("http:", "https:"))
    Bought(shop, shop.buyer(), shop.sale()["id"])
    tried = eventually(lambda: [d for d in deliveries(shop, hook) if d["attempts"] > 0], 5, "an attempt")[0]
    assert "not public" in tried["last_error"], tried
    assert receiver.heard() == []


def test_many_orders_at_once(shop, receiver):
    hook = register(shop, receiver.url(), events=["order.created"])
    sale = shop.sale(stock=200, gate_factor=100)["id"]
    buyers = shop.buyers(100)

    def buy_some(some):
        for buyer in some:
            shop.bought(buyer, sale)

    in_parallel([lambda some=buyers[i::8]: buy_some(some) for i in range(8)])
    heard = receiver.hears(100, 15)
    assert len({each.event["data"]["id"] for each in heard}) == 100

    def figures():
        return shop.visitor.get("/metrics", api=False).raw.decode()

    # It counts what is noted, a moment after the receiver has heard it.
    eventually(lambda: 'sluice_webhook_attempts_total{outcome="delivered"} 100' in figures())
    assert "sluice_webhook_backlog " in figures() and "sluice_webhook_oldest_seconds " in figures()
    eventually(lambda: deliveries(shop, hook, "?state=pending") == [])
    shop.audit()


def test_no_secret_is_logged(start_shop, receiver):
    shop = start_shop(env={**INSIDE, "SLUICE_LOG_LEVEL": "debug"})
    url = receiver.url(path="/a-path-that-is-a-secret?token=another-one")
    hook = register(shop, url)
    receiver.answer(500)
    Bought(shop, shop.buyer(), shop.sale()["id"])
    eventually(lambda: receiver.heard(), 5, "an attempt")
    receiver.answer(200)
    receiver.hears(1)
    figures = shop.visitor.get("/metrics", api=False).raw.decode()
    lists = shop.operator.get("/admin/webhooks").raw + shop.operator.get("/admin/audit-trail").raw
    shop.stop()
    log = shop.server.log()
    assert "webhook.failing" in log and "webhook.recovered" in log
    for secret in (hook["secret"], "a-path-that-is-a-secret", "another-one",
                   receiver.heard()[0].headers["Sluice-Signature"]):
        assert secret not in log and secret not in figures, secret
    assert hook["secret"].encode() not in lists


OF_THE_PAYMENT = "event_id = ?1"
WRONG = {
    "a delivery that is gone": ("DELETE FROM webhook_deliveries WHERE " + OF_THE_PAYMENT, "never to be told order.paid"),
    "an event that is gone": ("DELETE FROM webhook_events WHERE type = 'order.paid'", "which is not there"),
    "one that came too early":
        ("UPDATE webhook_deliveries SET state = 'pending', due_at = 1 WHERE NOT " + OF_THE_PAYMENT, "too early"),
    "one that nobody will ever try":
        ("UPDATE webhook_deliveries SET state = 'pending' WHERE " + OF_THE_PAYMENT, "never gets to"),
    "one that does not wait": ("UPDATE webhook_deliveries SET state = 'pending', due_at = 1", "does not wait"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_the_audit_finds_what_is_wrong_with_the_outbox(shop, receiver, wrong):
    hook = register(shop, receiver.url())
    paid(shop, shop.buyer(), shop.sale()["id"])
    becomes(shop, hook, "delivered", 2)
    shop.audit()
    shop.stop()
    statement, complaint = WRONG[wrong]
    [[payment]] = look(shop, "SELECT id FROM webhook_events WHERE type = 'order.paid'")
    assert change(shop, statement, payment) > 0
    done = run("audit", "--data", shop.server.data, "--json")
    assert done.returncode == 1, done.stdout
    broken = [check for check in json.loads(done.stdout)["checks"] if not check["holds"]]
    assert [check["name"] for check in broken] == ["outbox"]
    assert complaint in broken[0]["detail"]
    shop.server.start()
