"""The stream: what a buyer gets, when, and that nobody else gets it. Covers faults 17 and 24."""

import pytest

import instants
import provider
from process import eventually
from stream import PING, PONG, Stream, frame, upgrade_request
from test_openapi import check_against
from wire import Wire


@pytest.fixture
def open_stream(shared):
    streams = []

    def open_one(client=None, shop=shared, **options):
        streams.append(Stream(shop.server.port, client.token if client else None, **options))
        return streams[-1]

    yield open_one
    for stream in streams:
        stream.close()


def kinds(messages):
    return [(message["type"], message["state"]) for message in messages]


def read(stream, count):
    messages = [stream.read() for _ in range(count)]
    for message in messages:
        check_against({"$ref": "#/components/schemas/StreamMessage"}, message)
    return messages


def is_state(state):
    return lambda message: message.get("state") == state


def without_type(message):
    return {name: value for name, value in message.items() if name != "type"}


def test_a_purchase_is_told_as_get_shows_it(shared, open_stream):
    [buyer] = shared.buyers(1)
    sale = shared.sale()["id"]
    stream = open_stream(buyer)
    bought = shared.bought(buyer, sale)
    ticket, order = read(stream, 2)
    assert kinds([ticket, order]) == [("ticket", "ordered"), ("order", "pending")]
    assert without_type(ticket) == buyer.get(f"/tickets/{bought['ticket']}").body
    assert without_type(order) == buyer.get(f"/orders/{bought['order_id']}").body


def test_cancelling_is_told(shared, open_stream):
    [buyer] = shared.buyers(1)
    bought = shared.bought(buyer, shared.sale()["id"])
    stream = open_stream(buyer)
    assert buyer.post(f"/orders/{bought['order_id']}/cancel").status == 200
    [order] = read(stream, 1)
    assert kinds([order]) == [("order", "cancelled")]
    assert without_type(order) == buyer.get(f"/orders/{bought['order_id']}").body


def test_expiry_is_told(shared, open_stream):
    [buyer] = shared.buyers(1)
    sale = shared.sale(hold_seconds=1)["id"]
    stream = open_stream(buyer)
    bought = shared.bought(buyer, sale)
    messages = read(stream, 3)
    assert kinds(messages) == [("ticket", "ordered"), ("order", "pending"), ("order", "expired")]
    assert without_type(messages[-1]) == buyer.get(f"/orders/{bought['order_id']}").body


def test_paying_and_refunding_are_told(shared, open_stream):
    [buyer] = shared.buyers(1)
    order = provider.Bought(shared, buyer, shared.sale()["id"])
    payment = order.pay()
    stream = open_stream(buyer)
    provider.outcome(shared.visitor, provider.succeeded(payment, 9900))
    [paid] = read(stream, 1)
    assert kinds([paid]) == [("order", "paid")]
    assert without_type(paid) == buyer.get(f"/orders/{order.id}").body
    assert shared.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    [refunded] = read(stream, 1)
    assert kinds([refunded]) == [("order", "refunded")]
    assert without_type(refunded) == buyer.get(f"/orders/{order.id}").body


def test_all_streams_of_a_buyer_hear_it_on_whatever_loop(shared, open_stream):
    [buyer] = shared.buyers(1)
    streams = [open_stream(buyer) for _ in range(6)]
    shared.bought(buyer, shared.sale()["id"])
    for stream in streams:
        assert kinds(read(stream, 2)) == [("ticket", "ordered"), ("order", "pending")]


def test_nobody_else_hears_it(shared, open_stream):
    """Fault 24."""
    buyer, another = shared.buyers(2)
    mine, theirs, operators = open_stream(buyer), open_stream(another), open_stream(shared.operator)
    bought = shared.bought(buyer, shared.sale()["id"])
    read(mine, 2)
    buyer.post(f"/orders/{bought['order_id']}/cancel")
    read(mine, 1)
    assert theirs.is_silent() and operators.is_silent()


def test_a_watched_sale_is_told_at_once_and_on_change(shared, open_stream):
    buyer, another = shared.buyers(2)
    sale = shared.sale(stock=2)
    stream = open_stream(buyer).watch(sale["id"])
    [first] = read(stream, 1)
    shown = shared.visitor.get(f"/sales/{sale['id']}").body
    assert {name: first[name] for name in ("id", "state", "stock", "price_cents", "starts_at", "ends_at")} \
        == {name: shown[name] for name in ("id", "state", "stock", "price_cents", "starts_at", "ends_at")}
    shared.bought(another, sale["id"])
    [changed] = read(stream, 1)
    assert (changed["state"], changed["stock"]["left"], changed["stock"]["held"]) == ("open", 1, 1)


def test_sold_out_and_open_again(shared, open_stream):
    """Fault 17: a unit that comes back, by cancelling and by expiry, is told to those who watch."""
    watcher, buyer = shared.buyers(2)
    for hold_seconds, gives_back in ((900, True), (1, False)):
        sale = shared.sale(stock=1, hold_seconds=hold_seconds)["id"]
        stream = open_stream(watcher).watch(sale)
        assert kinds(read(stream, 1)) == [("sale", "open")]
        bought = shared.bought(buyer, sale)
        stream.read_until(is_state("sold_out"))
        if gives_back:
            assert buyer.post(f"/orders/{bought['order_id']}/cancel").status == 200
        assert stream.read_until(is_state("open"))[-1]["stock"]["left"] == 1


def test_a_rush_is_a_few_messages(shared, open_stream):
    [watcher] = shared.buyers(1)
    buyers = shared.buyers(100)
    sale = shared.sale(stock=100)["id"]
    stream = open_stream(watcher).watch(sale)
    read(stream, 1)
    for buyer in buyers:
        shared.bought(buyer, sale)
    updates = stream.read_until(is_state("sold_out"))
    assert updates[-1]["stock"] == {"total": 100, "left": 0, "held": 100, "sold": 0}
    lefts = [update["stock"]["left"] for update in updates]
    assert lefts == sorted(lefts, reverse=True) and len(set(lefts)) == len(lefts)
    assert len(updates) < 50, "a hundred purchases in a second or so, and at most four looks a second"


def test_what_time_and_operators_change_is_told(shared, open_stream):
    [buyer] = shared.buyers(1)
    item = shared.item()["id"]
    sale = shared.sale(item, starts_at=instants.from_now(seconds=1), ends_at=instants.from_now(seconds=2))["id"]
    other = shared.sale()["id"]
    stream = open_stream(buyer).watch(sale)
    assert kinds(stream.read_until(is_state("ended"))) == [
        ("sale", "scheduled"), ("sale", "open"), ("sale", "ended")]
    stream.watch(other)
    assert kinds(read(stream, 1)) == [("sale", "open")]
    for deed, state in (("pause", "paused"), ("resume", "open"), ("end", "ended")):
        assert shared.operator.post(f"/admin/sales/{other}/{deed}").status == 200
        assert kinds(read(stream, 1)) == [("sale", state)]


def test_unwatching(shared, open_stream):
    watcher, buyer = shared.buyers(2)
    kept, dropped = shared.sale()["id"], shared.sale()["id"]
    stream = open_stream(watcher).watch(kept, dropped)
    read(stream, 2)
    stream.say({"unwatch": [dropped, "77", "x"]})
    shared.bought(buyer, dropped)
    shared.bought(buyer, kept)
    assert read(stream, 1)[0]["id"] == kept
    stream.say({"unwatch": [kept], "watch": [dropped]})
    assert read(stream, 1)[0]["id"] == dropped


def test_watching_again_is_told_again(shared, open_stream):
    sale = shared.sale()["id"]
    stream = open_stream(shared.buyers(1)[0]).watch(sale)
    first = read(stream, 1)
    assert read(stream.watch(sale), 1) == first


@pytest.mark.parametrize("message, code", [
    ("", "malformed"), ("nonsense", "malformed"), ("[]", "malformed"), ('"watch"', "malformed"), ("{", "malformed"),
    ('{"watch":[],"watch":[]}', "malformed"), ("[" * 2000, "malformed"),
    ("{}", "invalid"), ('{"watch":"1"}', "invalid"), ('{"watch":[1]}', "invalid"), ('{"watch":null}', "invalid"),
    ('{"listen":[]}', "invalid"), ('{"watch":[],"more":1}', "invalid"),
    ('{"watch":["77"]}', "not_found"), ('{"watch":["x","0","-1","1.5",""]}', "not_found"),
])
def test_what_is_not_understood(shared, open_stream, message, code):
    stream = open_stream(shared.buyers(1)[0]).say(message)
    [answer] = read(stream, 1)
    assert (answer["type"], answer["code"]) == ("error", code)
    assert stream.is_silent(), "and it stays open"


def test_complaints_are_in_the_callers_language(shared, open_stream):
    stream = open_stream(shared.buyers(1)[0], headers={"Accept-Language": "zh-CN"}).say("{}")
    assert "活动" in read(stream, 1)[0]["detail"]


def test_pings_are_answered(shared, open_stream):
    stream = open_stream(shared.buyers(1)[0])
    stream.wire.send(frame(b"payload", PING))
    assert stream.read_frame() == (PONG, b"payload")


def test_the_cookie_opens_it_from_our_own_pages_only(shared, open_stream):
    [buyer] = shared.buyers(1)
    cookie = {"Cookie": f"sluice_session={buyer.token}"}
    ours = {"Origin": shared.server.url}
    assert open_stream(headers={**cookie, **ours}).reply.status == 101
    assert open_stream(headers={**cookie, "Sec-Fetch-Site": "same-origin"}).reply.status == 101
    for said in ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        reply = open_stream(headers={**cookie, **said}).reply
        assert (reply.status, reply.code) == (403, "csrf"), said


def test_another_sites_page_gets_no_stream_with_a_token_either(shared, open_stream):
    [buyer] = shared.buyers(1)
    reply = open_stream(buyer, headers={"Origin": "https://evil.example"}).reply
    assert (reply.status, reply.code) == (403, "csrf")
    assert open_stream(buyer, headers={"Origin": shared.server.url}).reply.status == 101


@pytest.mark.parametrize("missing", [
    {"Upgrade": None}, {"Upgrade": "h2c"}, {"Connection": None}, {"Connection": "close"},
    {"Sec-WebSocket-Version": "8"}, {"Sec-WebSocket-Version": None}, {"Sec-WebSocket-Key": "short"},
])
def test_what_is_no_upgrade(shared, open_stream, missing):
    [buyer] = shared.buyers(1)
    reply = open_stream(buyer, headers=missing).reply
    assert (reply.status, reply.code) == (426, "upgrade_required")
    assert (reply.headers["upgrade"], reply.headers["sec-websocket-version"]) == ("websocket", "13")


def test_several_words_of_connection(shared, open_stream):
    reply = open_stream(shared.buyers(1)[0], headers={"Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket"}).reply
    assert reply.status == 101
    assert "sec-websocket-extensions" not in reply.headers


def test_it_is_counted(shared, open_stream):
    def figure(line):
        page = shared.visitor.get("/metrics", api=False).raw.decode()
        return next(float(row.split()[-1]) for row in page.splitlines() if row.startswith(line))

    eventually(lambda: figure("sluice_streams_open") == 0, what="the end of the streams of earlier tests")
    stream = open_stream(shared.buyers(1)[0]).watch(shared.sale()["id"])
    read(stream, 1)
    assert figure("sluice_streams_open") == 1
    assert figure('sluice_stream_messages_total{from="server"}') >= 1
    assert figure('sluice_stream_messages_total{from="client"}') >= 1
    stream.close()
    eventually(lambda: figure("sluice_streams_open") == 0, what="the stream's end")


def test_requests_before_it_on_the_same_connection(shared):
    [buyer] = shared.buyers(1)
    upgrade, _ = upgrade_request(buyer.token)
    with Wire(shared.server.port) as wire:
        wire.send(b"GET /api/v1/time HTTP/1.1\r\nHost: x\r\n\r\n" + upgrade)
        assert wire.read().status == 200
        assert wire.read_head().status == 101
