"""Fault 22: what is not HTTP we accept is refused in bounded time and memory; others go on."""

import json
import random
import socket
import ssl

import pytest

from client import Client
from process import Server, eventually
from shop import PASSWORD, new_phone
from wire import Wire, get, post

USERS = "/api/v1/users"


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("http")).start()
    yield server
    server.stop()


@pytest.fixture
def port(plain):
    yield plain.port
    if not plain.running:
        code = plain.wait()
        plain.start()  # so that one crash is one failure
        pytest.fail(f"the server died: exit {code}")
    assert Client(plain.port, timeout=3).get("/time").status == 200, "others go on"


def refused(port, data, *statuses):
    """Exactly one answer, a problem, then the end; nothing after it counts as a request."""
    with Wire(port) as wire:
        wire.try_send(data)
        replies = wire.read_all()
    assert len(replies) == 1, [reply.status for reply in replies]
    reply = replies[0]
    assert reply.status in statuses, (reply.status, reply.body)
    assert reply.headers["connection"].lower() == "close"
    assert reply.headers["content-type"].startswith("application/problem+json")
    assert reply.headers["x-request-id"] and reply.headers["x-content-type-options"] == "nosniff"
    return reply


HIDDEN = get("/livez")  # must never be answered where it stands in a body

NOT_HTTP = {
    "length and chunked": post(USERS, "Content-Length: 5", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + HIDDEN),
    "chunked and length": post(USERS, "Transfer-Encoding: chunked", "Content-Length: 5", body=b"0\r\n\r\n" + HIDDEN),
    "two lengths": post(USERS, "Content-Length: 2", "Content-Length: 3", body=b"{}" + HIDDEN),
    "two equal lengths": post(USERS, "Content-Length: 2", "Content-Length: 2", body=b"{}" + HIDDEN),
    "a list of lengths": post(USERS, "Content-Length: 2, 2", body=b"{}" + HIDDEN),
    "negative length": post(USERS, "Content-Length: -1", body=b"{}" + HIDDEN),
    "length with a plus": post(USERS, "Content-Length: +2", body=b"{}" + HIDDEN),
    "length in hex": post(USERS, "Content-Length: 0x2", body=b"{}" + HIDDEN),
    "length with a fraction": post(USERS, "Content-Length: 2.0", body=b"{}" + HIDDEN),
    "empty length": post(USERS, "Content-Length:", body=b"{}" + HIDDEN),
    "length of a space inside": post(USERS, "Content-Length: 2 2", body=b"{}" + HIDDEN),
    "length over 64 bits": post(USERS, "Content-Length: 99999999999999999999", body=b"{}" + HIDDEN),
    "length and a space before the colon": post(USERS, "Content-Length : 2", body=b"{}" + HIDDEN),
    "unknown transfer coding": post(USERS, "Transfer-Encoding: xchunked", body=b"0\r\n\r\n" + HIDDEN),
    "gzip, chunked": post(USERS, "Transfer-Encoding: gzip, chunked", body=b"0\r\n\r\n" + HIDDEN),
    "chunked, gzip": post(USERS, "Transfer-Encoding: chunked, gzip", body=b"0\r\n\r\n" + HIDDEN),
    "chunked twice": post(USERS, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + HIDDEN),
    "chunked and identity": post(USERS, "Transfer-Encoding: chunked", "Transfer-Encoding: identity", body=b"0\r\n\r\n" + HIDDEN),
    "chunked with a vertical tab": post(USERS, "Transfer-Encoding: \x0bchunked", body=b"0\r\n\r\n" + HIDDEN),
    "obs-fold": get("/livez", "X-A: b", " c"),
    "obs-fold with a tab": get("/livez", "X-A: b", "\tc"),
    "folded first field": b"GET /livez HTTP/1.1\r\n Host: x\r\n\r\n",
    "folded transfer encoding": post(USERS, "Transfer-Encoding:", " chunked", body=b"0\r\n\r\n" + HIDDEN),
    "space before the colon": get("/livez", "X-A : b"),
    "tab before the colon": get("/livez", "X-A\t: b"),
    "no colon": get("/livez", "X-A"),
    "empty name": get("/livez", ": b"),
    "odd name": get("/livez", "X(A): b"),
    "bare LF": b"GET /livez HTTP/1.1\nHost: x\n\n",
    "one bare LF": b"GET /livez HTTP/1.1\r\nHost: x\nX-A: b\r\n\r\n",
    "bare LF at the end": b"GET /livez HTTP/1.1\r\nHost: x\r\n\n" + HIDDEN,
    "bare CR": b"GET /livez HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n",
    "NUL in a value": get("/livez", "X-A: a\x00b"),
    "NUL in a name": get("/livez", "X\x00A: b"),
    "NUL in the target": get("/livez\x00"),
    "NUL first": b"\x00" + get(),
    "DEL in a value": get("/livez", "X-A: a\x7fb"),
    "control character in a value": get("/livez", "X-A: a\x01b"),
    "no Host": get(host=None),
    "two Hosts": get("/livez", "Host: y"),
    "two equal Hosts": get("/livez", "Host: x"),
    "Host with a space": get(host="Host: x y"),
    "Host with a path": get(host="Host: x/y"),
    "Host with a user": get(host="Host: a@x"),
    "no version": b"GET /livez\r\nHost: x\r\n\r\n",
    "space in the target": get("/live z"),
    "two spaces": b"GET  /livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "tab in the request line": b"GET\t/livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "space before the method": b" GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "no slash": get("livez"),
    "a fragment": get("/livez#x"),
    "odd method": b"GE(T /livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "no method": b"/livez HTTP/1.1\r\nHost: x\r\n\r\n",
    "only empty lines": b"\r\n" * 200,
    "two Authorizations": get("/livez", "Authorization: Bearer a", "Authorization: Bearer a"),
    "two Content-Types": post(USERS, "Content-Type: text/plain", "Content-Length: 2", body=b"{}" + HIDDEN),
    "two Idempotency-Keys": post(USERS, "Idempotency-Key: a", "idempotency-key: a", "Content-Length: 2", body=b"{}" + HIDDEN),
    "two Sec-WebSocket-Keys": get("/api/v1/stream", *["Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] * 2),
    "two Sec-WebSocket-Versions": get("/api/v1/stream", *["Sec-WebSocket-Version: 13"] * 2),
    "two Sluice-Signatures": post("/api/v1/webhooks/payments/sandbox", *["Sluice-Signature: t=1,v1=00"] * 2,
                                  "Content-Length: 2", body=b"{}" + HIDDEN),
    "two Sec-Fetch-Sites": get("/livez", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"),
    "two Origins": get("/livez", "Origin: http://x", "Origin: http://y"),
}


@pytest.mark.parametrize("what", NOT_HTTP)
def test_what_a_proxy_might_read_differently_is_refused(port, what):
    assert refused(port, NOT_HTTP[what], 400).code == "malformed"


@pytest.mark.parametrize("version", ["HTTP/1.2", "HTTP/2.0", "HTTP/3", "HTTP/0.9", "HTTP/1.10", "HTTP/11",
                                     "HTTP/1.1x", "http/1.1", "HTTP/ 1.1", "HTTP 1.1", "XTTP/1.1", "HTTP/-1.1"])
def test_unknown_versions_are_refused(port, version):
    refused(port, get(version=version), 400, 505)


def test_an_http2_preface_is_refused(port):
    refused(port, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), 400, 505)


def test_http_0_9_gets_no_page(port):
    refused(port, b"GET /\r\n\r\n", 400)


def test_http_1_0_is_served_and_closed(port):
    with Wire(port) as wire:
        reply = wire.send(get(host=None, version="HTTP/1.0")).read()
        assert reply.status == 200
        wire.assert_closed()


def test_http_1_0_cannot_be_chunked(port):
    data = post(USERS, "Transfer-Encoding: chunked", body=b"0\r\n\r\n" + HIDDEN)
    refused(port, data.replace(b"HTTP/1.1", b"HTTP/1.0"), 400)


@pytest.mark.parametrize("what, data", [
    ("one huge field", get("/livez", "X-A: " + "a" * 20_000)),
    ("one huge name", get("/livez", "X" * 20_000 + ": a")),
    ("many fields", get("/livez", *[f"X-{i}: a" for i in range(101)])),
    ("many small fields", get("/livez", *["A:"] * 5_000)),
    ("a huge cookie", get("/livez", "Cookie: " + "a=b; " * 5_000)),
    ("a head without end", b"GET /livez HTTP/1.1\r\nHost: x\r\n" + b"X-A: b\r\n" * 200_000),
])
def test_huge_heads_are_refused(port, what, data):
    assert refused(port, data, 431).code == "too_large"


@pytest.mark.parametrize("target", ["/" + "a" * 20_000, "/?" + "a" * 20_000, "/" + "a/" * 10_000,
                                    "/livez?" + "x" * 2_000_000])
def test_huge_targets_are_refused(port, target):
    refused(port, get(target), 414, 431)


def test_heads_within_the_limit_are_read(port):
    with Wire(port) as wire:
        assert wire.send(get("/livez", "X-A: " + "a" * 15_000)).read().status == 200
        assert wire.send(get("/livez", *[f"X-{i}: a" for i in range(99)])).read().status == 200


def test_tls_on_the_plain_port_is_refused_at_once(port):
    outgoing = ssl.MemoryBIO()
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(ssl.MemoryBIO(), outgoing,
                                                              server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    refused(port, outgoing.read(), 400)


@pytest.mark.parametrize("seed", range(8))
def test_random_bytes_get_a_refusal_or_the_door(port, seed):
    noise = random.Random(seed).randbytes(5_000)
    with Wire(port) as wire:
        wire.try_send(noise)
        assert [reply.status for reply in wire.read_all()] in ([400], [])


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PATCH", "get", "M-SEARCH"])
def test_other_methods_are_not_allowed(port, method):
    with Wire(port) as wire:
        assert wire.send(get().replace(b"GET", method.encode(), 1)).read().status in (400, 405, 501)


@pytest.mark.parametrize("target", ["*", "x:80", "http://x/livez", "http://evil.example/livez", "//livez", "/./livez"])
def test_other_forms_of_target_are_not_paths(port, target):
    with Wire(port) as wire:
        reply = wire.send(get(target)).read()
        assert reply.status in (200, 400, 404) if target.startswith("http") else reply.status in (400, 404)


def test_a_hundred_pipelined_requests_are_answered_in_order(port):
    table = {"/livez": 200, "/nothing": 404, "/api/v1/users": 405, "/api/v1/items?limit=0": 422,
             "/api/v1/sessions/current": 401}
    order = random.Random(7).choices(list(table), k=100)
    with Wire(port) as wire:
        wire.send(b"".join(get(target) for target in order))
        assert [wire.read().status for _ in order] == [table[target] for target in order]
        assert wire.send(get()).read().status == 200


def test_pipelined_requests_cut_anywhere(port):
    data = post(USERS, "Content-Length: 2", body=b"{}") + get("/livez") + get("/nothing")
    with Wire(port) as wire:
        wire.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            wire.send(bytes([byte]))
        assert [wire.read().status for _ in range(3)] == [422, 200, 404]


def test_a_bad_one_among_pipelined_requests_ends_the_connection_there(port):
    data = get() * 10 + get(host=None) + get() * 10
    with Wire(port) as wire:
        wire.send(data)
        assert [reply.status for reply in wire.read_all()] == [200] * 10 + [400]


def test_pipelined_behind_a_too_large_body_nothing_is_answered(port):
    data = get() + post(USERS, "Content-Length: 100000", body=b" " * 100_000) + get()
    with Wire(port) as wire:
        wire.try_send(data)
        assert [reply.status for reply in wire.read_all()] == [200, 413]


def test_connection_close_is_heeded(port):
    with Wire(port) as wire:
        wire.send(get("/livez", "Connection: close") + get())
        assert [reply.status for reply in wire.read_all()] == [200]


def registration():
    return json.dumps({"phone": new_phone(), "password": PASSWORD}).encode()


def chunked(*chunks, end=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + end


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_chunked_body_is_read(port, size):
    body = registration()
    pieces = [body[at:at + size] for at in range(0, len(body), size)]
    with Wire(port) as wire:
        wire.send(post(USERS, "Transfer-Encoding: chunked", body=chunked(*pieces)) + get())
        assert [wire.read().status, wire.read().status] == [201, 200]


def test_proper_chunk_extensions_are_passed_over(port):
    body = registration()
    chunks = b'%x ;a="x;\\"y" ; b=1\r\n%s\r\n0;c\r\n\r\n' % (len(body), body)
    with Wire(port) as wire:
        wire.send(post(USERS, "Transfer-Encoding: chunked", body=chunks) + get())
        assert [wire.read().status, wire.read().status] == [201, 200]


@pytest.mark.parametrize("what, body, statuses", [
    ("not a size", b"x\r\n{}\r\n0\r\n\r\n", [400]),
    ("negative size", b"-2\r\n{}\r\n0\r\n\r\n", [400]),
    ("size with a plus", b"+2\r\n{}\r\n0\r\n\r\n", [400]),
    ("size in C's hex", b"0x2\r\n{}\r\n0\r\n\r\n", [400]),
    ("empty size", b"\r\n{}\r\n0\r\n\r\n", [400]),
    ("size over 64 bits", b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n", [400, 413]),
    ("size that wraps round", b"10000000000000002\r\n{}\r\n0\r\n\r\n", [400, 413]),
    ("size short by one", b"1\r\n{}\r\n0\r\n\r\n", [400]),
    ("bare LF behind the size", b"2\n{}\r\n0\r\n\r\n", [400]),
    ("bare LF behind the chunk", b"2\r\n{}\n0\r\n\r\n", [400]),
    ("text behind the size", b"2 x\r\n{}\r\n0\r\n\r\n" + HIDDEN, [400]),
    ("two sizes", b"2 3\r\n{}\r\n0\r\n\r\n" + HIDDEN, [400]),
    ("a huge extension", b"2;" + b"a" * 100_000 + b"\r\n{}\r\n0\r\n\r\n", [400, 413, 431]),
    ("an LF in a quoted extension", b'2;a="x\ny"\r\n{}\r\n0\r\n\r\n' + HIDDEN, [400]),
    ("a NUL in a quoted extension", b'2;a="x\0y"\r\n{}\r\n0\r\n\r\n' + HIDDEN, [400]),
    ("a CRLF in a quoted extension", b'2;a="x\r\ny"\r\n{}\r\n0\r\n\r\n' + HIDDEN, [400]),
    ("a quote that is never closed", b'2;a="x\r\n', [400]),
    ("a quote that goes on and on", b'2;a="' + b"x" * 1000, [400]),
    ("a quote at the end", b'2\r\n{}\r\n0;a="\r\n\r\n' + HIDDEN, [400]),
    ("a chunk over the limit", b"186a0\r\n" + b" " * 100_000 + b"\r\n0\r\n\r\n", [413]),
    ("a size over the limit", b"7fffffff\r\n", [413]),
    ("many chunks over the limit", chunked(*[b" " * 1000] * 100), [413]),
    ("a trailer", b"2\r\n{}\r\n0\r\nA: b\r\n\r\n", [400]),
    ("a folded trailer", b"2\r\n{}\r\n0\r\nA: b\r\n c\r\n\r\n", [400]),
    ("a huge trailer", b"2\r\n{}\r\n0\r\n" + b"X-A: b\r\n" * 20_000 + b"\r\n", [400, 413, 431]),
])
def test_bad_chunks_are_refused(port, what, body, statuses):
    refused(port, post(USERS, "Transfer-Encoding: chunked", body=body), *statuses)


def test_100_continue(port):
    body = registration()
    with Wire(port) as wire:
        wire.send(post(USERS, f"Content-Length: {len(body)}", "Expect: 100-continue"))
        assert wire.read_head().status == 100
        assert wire.send(body).read().status == 201
        assert wire.send(get()).read().status == 200


def test_no_100_continue_for_what_is_too_large_anyway(port):
    with Wire(port) as wire:
        reply = wire.send(post(USERS, "Content-Length: 10000000", "Expect: 100-continue")).read()
        assert reply.status == 413 and reply.interim == []


def test_ten_megabytes_get_a_readable_refusal(port):
    size = 10 * 1024 * 1024
    with Wire(port) as wire:
        wire.send(post(USERS, f"Content-Length: {size}", body=b" " * size))
        reply = wire.read()
        assert reply.status == 413 and reply.code == "too_large"
        wire.assert_closed()


def test_a_client_that_has_said_all_is_still_answered(port):
    with Wire(port) as wire:
        wire.send(get() + get("/nothing")).finish_sending()
        assert [reply.status for reply in wire.read_all()] == [200, 404]


@pytest.mark.parametrize("data", [b"", b"GET", get()[:-2], post(USERS, "Content-Length: 10", body=b"{"),
                                  post(USERS, "Transfer-Encoding: chunked", body=b"5\r\n{")])
def test_a_client_that_leaves_half_way_gets_the_door(port, data):
    with Wire(port) as wire:
        wire.send(data).finish_sending()
        assert [reply.status for reply in wire.read_all()] in ([], [400])


def test_clients_that_slam_the_door_do_no_harm(port):
    for data in (b"", b"GET /", get(), get("/api/v1/sales") * 50) * 25:
        with Wire(port) as wire:
            wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            wire.try_send(data)
    assert eventually(lambda: Client(port).get("/readyz", api=False).status == 200)
