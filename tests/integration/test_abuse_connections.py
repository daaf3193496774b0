"""Clients that take connections and do nothing with them do not keep others out."""

import re
import socket
import threading
import time

import pytest

from client import Client, in_parallel
from process import eventually
from shop import PASSWORD, new_phone
from stream import Stream
from wire import Closed, Wire, get, post

PROXY = 'trusted_proxies = ["127.0.0.0/8"]\n'
ATTACKER, OFFICE = "203.0.113.66", "198.51.100.7"
SOON = 5  # seconds in which everybody is answered, on a busy machine


def from_address(address):
    return {"X-Forwarded-For": address}


def office_port(server):
    """Of the operators' listener, as the log tells."""
    return int(re.search(r"office=\"?http://127\.0\.0\.1:(\d+)", server.log())[1])


def slow_post(port, path, address=None, bytes_=1000, source=None):
    """A request whose body never comes."""
    wire = Wire(port, timeout=SOON, source=source)
    forwarded = [f"X-Forwarded-For: {address}"] if address else []
    wire.try_send(post(path, f"Content-Length: {bytes_}", *forwarded, body=b"{"))
    return wire


def last_words(wire):
    """The answer to a client that gets no place; a reset may come before it."""
    try:
        reply = wire.read()
        return reply.status, reply.code
    except Closed:
        return None


def close_all(wires):
    for wire in wires:
        wire.socket.close()


def is_waited_for(wire):
    """Neither answered nor closed."""
    wire.socket.setblocking(False)
    try:
        wire.socket.recv(1, socket.MSG_PEEK)
        return False
    except BlockingIOError:
        return True
    except ConnectionResetError:
        return False


def metrics_of(port):
    client = Client(port, timeout=SOON)
    text = client.get("/metrics", api=False).raw.decode()
    client.close()
    return text


def time_of(port, address=None, source=None, timeout=SOON):
    """How long a newcomer waits for an answer, which must be a good one."""
    begin = time.monotonic()
    forwarded = [f"X-Forwarded-For: {address}"] if address else []
    with Wire(port, timeout=timeout, source=source) as wire:
        assert wire.send(get("/api/v1/time", *forwarded, "Connection: close")).read().status == 200
        return time.monotonic() - begin


def test_200_slow_bodies_to_nowhere_keep_nobody_out(start_shop):
    """The row of the issue. Each is told at once that there is nothing, and its place is the first to be given away."""
    shop = start_shop(config=f'admin_listen = "127.0.0.1:0"\n[http]\nmax_connections = 200\n{PROXY}')
    wires = [slow_post(shop.server.port, "/nowhere", ATTACKER) for _ in range(200)]
    assert wires[0].read().status == 404, "though its body never came"
    slowest = max(in_parallel([lambda i=i: time_of(shop.server.port, f"198.51.100.{i}") for i in range(20)]))
    assert slowest < SOON
    operator = Client(office_port(shop.server), shop.operator.token, timeout=SOON)
    assert operator.get("/admin/limits").status == 200
    operator.close()
    close_all(wires)


def test_200_slow_bodies_from_an_address_of_its_own(start_server):
    server = start_server(config="[http]\nmax_connections = 200\nconnections_per_network = 50\n")
    wires = [slow_post(server.port, "/api/v1/users", source="127.0.0.66") for _ in range(200)]
    assert time_of(server.port, source="127.0.0.7") < SOON, "three quarters are for others"
    assert {answer for wire in wires[150:] if (answer := last_words(wire))} == {(429, "rate_limited")}
    close_all(wires)


def test_this_machine_has_no_bound_of_its_own_unless_one_is_given(start_server):
    """A proxy on this machine that is not configured makes all clients come from one address."""
    server = start_server(config="[http]\nmax_connections = 40\n")
    wires = [Wire(server.port) for _ in range(36)]
    for _ in range(2):
        for wire in wires:
            assert wire.send(get("/api/v1/time")).read().status == 200
    assert re.search(r"^sluice_http_connections_let_go_total 0$", metrics_of(server.port), re.M)
    close_all(wires)


def test_the_operators_listener_has_places_of_its_own(start_shop):
    shop = start_shop(config='admin_listen = "127.0.0.1:0"\n[http]\nmax_connections = 20\nadmin_connections = 4\n')
    port = office_port(shop.server)
    # Streams are never asked to leave: here they take all that they may, and slow bodies the rest.
    streams = [Stream(shop.server.port, token, source=f"127.0.3.{i + 1}") for i, token in enumerate(shop.minted(15))]
    assert {stream.reply.status for stream in streams} == {101}
    wires = [slow_post(shop.server.port, "/api/v1/users", source=f"127.0.1.{i + 1}") for i in range(20)]
    assert time_of(port) < SOON
    office = Client(port, shop.operator.token, timeout=SOON)
    assert office.get("/admin/limits").status == 200
    let_go = re.search(r"^sluice_http_connections_let_go_total (\d+)", office.get("/metrics", api=False).raw.decode(), re.M)
    assert int(let_go[1]) <= 20, "those of the shop among themselves"
    office.close()
    close_all([*wires, *(stream.wire for stream in streams)])


@pytest.mark.parametrize("what", ["heads", "bodies", "silence"])
def test_slow_ones_from_many_addresses_make_room_before_anybody_is_refused(start_server, what):
    server = start_server(config="[http]\nmax_connections = 60\nheader_seconds = 300\nbody_seconds = 300\n")
    said = {"heads": b"POST /api/v1/users HTTP/1.1\r\nHost: x\r\n", "silence": b"",
            "bodies": post("/api/v1/users", "Content-Length: 1000", body=b"{")}[what]
    crowd = []
    for i in range(60):
        each = socket.socket()
        each.bind((f"127.0.2.{1 + i % 30}", 0))
        each.connect(("127.0.0.1", server.port))
        each.sendall(said)
        crowd.append(each)
    waits = [time_of(server.port, source="127.0.0.9") for _ in range(5)]
    assert max(waits) < SOON
    for each in crowd:
        each.close()


def test_slow_readers_make_room_too(start_server):
    server = start_server(config="[http]\nmax_connections = 30\nconnections_per_network = 30\nwrite_seconds = 300\n")
    crowd = []
    for i in range(30):
        wire = Wire(server.port, receive_buffer=4096)
        wire.send(get("/openapi.json") * 100)
        crowd.append(wire)
    assert time_of(server.port, source="127.0.0.9") < SOON
    close_all(crowd)


def test_behind_a_proxy_one_client_waits_with_few_bodies(start_server):
    server = start_server(config=f"[http]\nconnections_per_network = 10\nmax_connections = 1000\n{PROXY}")
    wires = [slow_post(server.port, "/api/v1/users", ATTACKER) for _ in range(10)]
    wires += [slow_post(server.port, "/api/v1/users", ATTACKER) for _ in range(20)]
    other = slow_post(server.port, "/api/v1/users", OFFICE)
    # The later ones hear that they are too many, or a slow one of the first had to make room.
    eventually(lambda: sum(is_waited_for(wire) for wire in wires) <= 10, SOON)
    assert is_waited_for(other), "another client"
    close_all([*wires, other])


def test_an_office_behind_one_address_is_not_kept_out(start_shop):
    """Forty people with six connections each, and one of their neighbours sends slow bodies all the while."""
    shop = start_shop(config=f"[http]\nconnections_per_network = 300\n{PROXY}", env={"SLUICE_LIMITS_ENABLED": "true"})
    wires = [slow_post(shop.server.port, "/api/v1/users", OFFICE) for _ in range(60)]
    people = [Client(shop.server.port, timeout=20) for _ in range(240)]
    answers = in_parallel([lambda each=each: each.get("/time", headers=from_address(OFFICE)).status for each in people])
    assert answers == [200] * 240
    one = Client(shop.server.port)
    assert one.post("/users", {"phone": new_phone(), "password": PASSWORD},
                    headers=from_address(OFFICE)).status == 201
    for each in [one, *people]:
        each.close()
    close_all(wires)


def test_an_office_with_connections_of_its_own_is_not_kept_out(start_server):
    """Without a proxy: the neighbour's slow connections make room for others of the address."""
    server = start_server(config="[http]\nmax_connections = 200\nconnections_per_network = 20\n")
    wires = [slow_post(server.port, "/api/v1/users", source="127.0.0.66") for _ in range(20)]
    assert time_of(server.port, source="127.0.0.66") < SOON
    close_all(wires)


class Asking:
    """One connection of somebody who never stops asking, and who comes back when it is closed."""

    def __init__(self, port, source=None, address=None):
        self.answered = self.parted = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(port, source, address), daemon=True)
        self._thread.start()

    def _run(self, port, source, address):
        forwarded = [f"X-Forwarded-For: {address}"] if address else []
        while not self._over.is_set():
            try:
                with Wire(port, timeout=SOON, source=source) as wire:
                    keep = True
                    while keep and not self._over.wait(0.2):
                        reply = wire.send(get("/api/v1/time", *forwarded)).read()
                        self.answered += reply.status == 200
                        keep = reply.headers.get("connection") != "close"
            except (Closed, OSError):
                pass
            self.parted += 1

    def stop(self):
        self._over.set()
        self._thread.join()


@pytest.mark.parametrize("proxied", [False, True])
def test_four_networks_that_keep_asking_keep_nobody_out(start_server, proxied):
    """Each has a quarter of the places, and none of its connections is ever idle for long or slow."""
    server = start_server(config="[http]\nmax_connections = 24\nconnections_per_network = 6\n" + PROXY * proxied)

    def at(host):
        return {"address": f"198.51.100.{host}"} if proxied else {"source": f"127.0.4.{host}"}

    crowd = [Asking(server.port, **at(host)) for host in (1, 2, 3, 4) for _ in range(6)]
    people = []
    try:
        eventually(lambda: all(each.answered > 1 for each in crowd), 20, "a full house")
        for host in range(11, 17):
            assert time_of(server.port, **at(host)) < SOON
            people.append(Asking(server.port, **at(host)))
            eventually(lambda: people[-1].answered > 1, SOON, "an answer to somebody who stays")
        assert sum(each.parted for each in crowd) >= 6, "those of the crowd made room"
        before = [each.answered for each in crowd]
        eventually(lambda: sum(each.answered for each in crowd) > sum(before), SOON, "the crowd has its share")
    finally:
        for each in [*crowd, *people]:
            each.stop()


# Who is blocked has no connections.

BLOCKED = "127.0.0.66"


def asked(port, request, source=BLOCKED):
    """The answer on a connection of its own, which ends after it when its network is blocked."""
    with Wire(port, timeout=SOON, source=source) as wire:
        reply = wire.send(request).read()
        wire.assert_closed()
        return reply


def block(shop, subject=BLOCKED):
    assert shop.operator.put(f"/admin/blocks/{subject}", {}).status == 200


def test_a_block_ends_the_connections_of_its_network(start_shop):
    shop = start_shop(config="[http]\nmax_connections = 24\nconnections_per_network = 12\n")
    port = shop.server.port
    wires = [Wire(port, source=BLOCKED) for _ in range(11)]
    for wire in wires:
        assert wire.send(get("/api/v1/time")).read().status == 200
    wires.append(slow_post(port, "/api/v1/users", source=BLOCKED))
    other = Wire(port, source="127.0.0.7")
    assert other.send(get("/api/v1/time")).read().status == 200
    block(shop)
    for wire in wires:
        wire.assert_closed()
    assert other.send(get("/api/v1/time")).read().status == 200, "the block is not theirs"

    again = [Wire(port, source=BLOCKED) for _ in range(24)]
    for wire in again:
        wire.try_send(get("/api/v1/time"))
    assert {answer for wire in again if (answer := last_words(wire))} == {(403, "forbidden")}
    close_all([*wires, *again, other])


def test_with_one_listener_an_operator_comes_in_among_those_who_are_blocked(start_shop):
    shop = start_shop(config="[http]\nmax_connections = 24\nconnections_per_network = 12\n")
    port = shop.server.port
    block(shop)
    silent = [Wire(port, source=BLOCKED) for _ in range(2)]  # all that there are for who is blocked
    known = f"Authorization: Bearer {shop.operator.token}"
    assert asked(port, get("/api/v1/sales", known)).status == 403
    assert asked(port, get("/api/v1/sessions/current", known)).status == 200
    lift = f"DELETE /api/v1/admin/blocks/{BLOCKED} HTTP/1.1\r\nHost: x\r\n{known}\r\n\r\n"
    assert asked(port, lift.encode()).status == 204
    with Wire(port, source=BLOCKED) as wire:
        for _ in range(2):
            assert wire.send(get("/api/v1/time")).read().status == 200, "the connection goes on again"
    close_all(silent)


def test_with_a_listener_for_operators_who_is_blocked_is_refused_at_the_door(start_shop):
    shop = start_shop(config='admin_listen = "127.0.0.1:0"\n')
    office = Client(office_port(shop.server), shop.operator.token, timeout=SOON)
    assert office.put(f"/admin/blocks/{BLOCKED}", {}).status == 200
    with Wire(shop.server.port, source=BLOCKED) as wire:
        reply = wire.read()
        assert (reply.status, reply.code) == (403, "forbidden"), "though nothing was asked"
        assert "retry-after" not in reply.headers
    with Wire(office.port, source=BLOCKED) as wire:
        known = f"Authorization: Bearer {shop.operator.token}"
        for path in ("/api/v1/sessions/current", f"/api/v1/admin/blocks/{BLOCKED}"):
            assert wire.send(get(path, known)).read().status == 200
    office.close()


def test_a_proxy_in_a_blocked_network_goes_on_for_others(start_shop):
    shop = start_shop(config=f"[http]\n{PROXY}")
    block(shop)
    with Wire(shop.server.port, source=BLOCKED) as wire:
        for _ in range(2):
            assert wire.send(get("/api/v1/time", f"X-Forwarded-For: {OFFICE}")).read().status == 200
        reply = wire.send(get("/api/v1/time")).read()
        assert reply.status == 403 and reply.headers.get("connection") != "close"


# What is judged by the head is not kept waiting for the body.

def early(port, request):
    """The answer to a request whose body does not come."""
    with Wire(port, timeout=SOON) as wire:
        begin = time.monotonic()
        reply = wire.send(request).read()
        assert time.monotonic() - begin < 2
        return reply.status, reply.code


def early_for(client, port, request):
    """As early(), for a user whose session is in memory. The server forgets sessions after another process has
    written, such as the one that made these buyers. Then it waits for a body before it asks the ledger."""
    def ask():
        assert client.get("/sessions/current").status == 200
        try:
            return early(port, request)
        except TimeoutError:
            return None
    return eventually(ask, 30, "an early answer")


def test_a_path_that_is_not_there_waits_for_no_body(shared):
    assert early(shared.server.port, post("/nowhere", "Content-Length: 9")) == (404, "not_found")
    assert early(shared.server.port, post("/nowhere", "Transfer-Encoding: chunked")) == (404, "not_found")
    assert early(shared.server.port, post("/api/v1/time", "Content-Length: 9")) == (405, "method_not_allowed")


def test_a_blocked_address_is_not_waited_for(start_shop):
    shop = start_shop(config=f"[http]\n{PROXY}")
    assert shop.operator.put("/admin/blocks/203.0.113.66", {}).status == 200
    request = post("/api/v1/users", "Content-Length: 9", f"X-Forwarded-For: {ATTACKER}")
    assert early(shop.server.port, request) == (403, "forbidden")


def test_a_blocked_buyer_and_whoever_may_not_do_it_are_not_waited_for(start_shop):
    shop = start_shop()
    sale = shop.sale()["id"]
    blocked, buyer = shop.buyers(2)
    body = "Content-Length: 9"
    name = blocked.get("/sessions/current").body["user"]["id"]
    assert shop.operator.put(f"/admin/blocks/{name}", {}).status == 200
    request = post(f"/api/v1/sales/{sale}/passes", body, f"Authorization: Bearer {blocked.token}")
    assert early_for(blocked, shop.server.port, request) == (403, "forbidden")
    request = post("/api/v1/admin/items", body, f"Authorization: Bearer {buyer.token}")
    assert early_for(buyer, shop.server.port, request) == (403, "forbidden")
    request = post(f"/api/v1/sales/{sale}/passes", body, f"Cookie: sluice_session={buyer.token}",
                   "Origin: https://elsewhere.example")
    assert early_for(buyer, shop.server.port, request) == (403, "csrf")


def test_somebody_too_fast_is_not_waited_for(start_shop):
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "true", "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "1",
                           "SLUICE_LIMITS_TYPING_PER_MINUTE": "1", "SLUICE_LIMITS_TYPING_BURST": "3"})
    for _ in range(3):
        assert shop.visitor.post("/users", {}).status == 422
    assert early(shop.server.port, post("/api/v1/users", "Content-Length: 9")) == (429, "rate_limited")


def test_a_request_in_two_pieces_is_counted_once(start_shop):
    shop = start_shop(env={"SLUICE_LIMITS_ENABLED": "true", "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "1",
                           "SLUICE_LIMITS_TYPING_PER_MINUTE": "1", "SLUICE_LIMITS_TYPING_BURST": "3"})
    with Wire(shop.server.port) as wire:
        for _ in range(3):
            wire.send(post("/api/v1/users", "Content-Length: 2"))
            time.sleep(0.05)  # so that the head comes alone
            assert wire.send(b"{}").read().status == 422
        wire.send(post("/api/v1/users", "Content-Length: 2"))
        assert wire.read().status == 429


def test_a_stranger_is_not_waited_for(shared):
    for token in ("", "x" * 64):
        request = post("/api/v1/admin/items", "Content-Length: 9", f"Authorization: Bearer {token}")
        assert early(shared.server.port, request) == (401, "unauthenticated")
    with Wire(shared.server.port) as wire:
        wire.send(post("/api/v1/admin/items", "Content-Length: 2", f"Authorization: Bearer {shared.operator.token}"))
        time.sleep(0.1)
        assert wire.send(b"{}").read().status == 422, "who is known is waited for"


def test_the_connection_goes_on_when_the_body_comes_after_the_answer(shared):
    with Wire(shared.server.port) as wire:
        for body in (b"123456789", b"GET / HTTP/1.1\r\n\r\n"):
            wire.send(post("/nowhere", f"Content-Length: {len(body)}"))
            reply = wire.read()
            assert reply.status == 404 and reply.headers.get("connection") != "close"
            wire.send(body)
        wire.send(post("/nowhere", "Transfer-Encoding: chunked"))
        assert wire.read().status == 404
        wire.send(b"3\r\nabc\r\n0\r\n\r\n")
        assert wire.send(get("/api/v1/time")).read().status == 200


def test_whoever_asks_before_sending_is_told_no_and_parted_from(shared):
    with Wire(shared.server.port) as wire:
        wire.send(post("/nowhere", "Content-Length: 9", "Expect: 100-continue"))
        reply = wire.read()
        assert (reply.status, reply.interim) == (404, [])
        assert reply.headers["connection"] == "close"
        wire.assert_closed()


def test_a_body_that_breaks_the_rules_behind_an_early_answer_ends_the_connection(shared):
    with Wire(shared.server.port) as wire:
        wire.send(post("/nowhere", "Transfer-Encoding: chunked"))
        assert wire.read().status == 404
        wire.send(b"rubbish\r\n")
        with pytest.raises(Closed):
            wire.send(get("/api/v1/time")).read()


def test_connections_that_made_room_are_counted(start_server):
    server = start_server(config="[http]\nmax_connections = 8\nconnections_per_network = 8\n")
    crowd = [Wire(server.port) for _ in range(8)]
    assert time_of(server.port) < SOON
    client = Client(server.port)
    counted = lambda: re.search(r"^sluice_http_connections_let_go_total (\d+)",
                                client.get("/metrics", api=False).raw.decode(), re.M)
    eventually(lambda: int(counted()[1]) >= 1, what="a connection that made room")
    client.close()
    close_all(crowd)
