"""One request must leave nothing behind for the next one on the same connection: behind a proxy they belong to
different people."""

import json
import time

import pytest

from client import Client
from process import eventually
from shop import PASSWORD
from wire import Wire, get, post

BAD_HEADS = {"a control character": b"GET / HTTP/1.1\r\nHost: x\x01\r\n\r\n",
             "too many bytes": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X-Filler: " + b"x" * 40_000 + b"\r\n\r\n",
             "no version": b"GET /\r\n\r\n"}


def login(phone, *headers):
    body = json.dumps({"phone": phone, "password": PASSWORD}).encode()
    return post("/api/v1/sessions", f"Content-Length: {len(body)}", *headers, body=body)


@pytest.mark.parametrize("bad", BAD_HEADS, ids=str)
def test_a_refusal_shows_nothing_of_the_answer_before_it(shared, bad):
    phone = shared.register()["phone"]
    # A head of more than one buffer, so that what it held is gone when the next one comes.
    filler = "X-Filler: " + "y" * 9_000
    with Wire(shared.server.port) as wire:
        first = wire.send(login(phone, "X-Request-Id: first", "Accept-Language: zh", filler)).read()
        assert first.status == 201 and "set-cookie" in first.headers
        wire.try_send(BAD_HEADS[bad])
        second = wire.read()
    assert second.status in (400, 431)
    assert "set-cookie" not in second.headers
    assert second.headers["x-request-id"] not in ("first", first.headers["x-request-id"])
    assert json.loads(second.body)["title"].isascii(), "the language was the other one's"


def test_an_idle_connection_gives_back_what_a_large_answer_took(start_shop):
    shop = start_shop()
    for _ in range(100):
        shop.item(description="茶" * 5_000)
    before = shop.server.resident_bytes()
    wires = []
    for _ in range(100):
        wires.append(Wire(shop.server.port))
        assert wires[-1].send(get("/api/v1/items?limit=100")).read().status == 200
    # An answer has 1.5 MB; whoever is idle keeps next to nothing of it.
    eventually(lambda: shop.server.resident_bytes() - before < 100 * 200_000, 5, "memory is given back")
    for wire in wires:
        wire.socket.close()


def test_a_stalled_upload_is_not_counted_as_our_time(start_server):
    server = start_server()
    body = b'{"phone": "123456", "password": "correct horse"}'
    with Wire(server.port) as wire:
        wire.send(post("/api/v1/users", f"Content-Length: {len(body)}", body=body[:5]))
        deadline = time.monotonic() + 0.6
        while time.monotonic() < deadline:  # the client's own pause is what is measured here
            assert Client(server.port).get("/time").status == 200
        assert wire.send(body[5:]).read().status == 201
    metrics = Client(server.port).get("/metrics", api=False).raw.decode()
    took = next(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines()
                if line.startswith("sluice_http_request_seconds_sum") and 'route="create_user"' in line)
    assert took < 0.5
