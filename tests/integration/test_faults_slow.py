"""Fault 22, where time and numbers matter: slow clients time out, crowds cost little."""

import json
import os
import re
import resource
import selectors
import shutil
import socket
import subprocess
import time

import pytest

from client import Client
from process import Server, eventually
from wire import Wire, get, post

HASTY = """
[http]
header_seconds = 1
body_seconds = 1
keep_alive_seconds = 1
write_seconds = 1
"""
SOON = 6  # a second of patience, a coarse timer, a busy machine
CROWD = 10_000
KIB = 1024


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("hasty"), config=HASTY).start()
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def others_go_on(request):
    yield
    if "hasty" in request.fixturenames:
        assert Client(request.getfixturevalue("hasty").port, timeout=3).get("/time").status == 200


def dribble(wire, data, port):
    """Sends byte after byte, slower and slower, until the server closes the connection; others are served
    meanwhile."""
    others = Client(port, timeout=3)
    deadline = time.monotonic() + SOON
    wire.socket.settimeout(0.05)
    for byte in data:
        assert time.monotonic() < deadline, "the server waits for ever"
        if not wire.try_send(bytes([byte])):
            return
        try:
            if wire.socket.recv(65536) == b"":
                return
        except TimeoutError:
            pass
        except ConnectionResetError:
            return
        assert others.get("/time").status == 200
    raise AssertionError("the server read it all")


@pytest.mark.parametrize("beginning", [b"", b"GET /livez HTTP/1.1\r\nHost: x\r\n",
                                       get() + b"GET /livez HTTP/1.1\r\n"])
def test_a_slow_head_times_out(hasty, beginning):
    with Wire(hasty.port) as wire:
        wire.send(beginning)
        dribble(wire, b"X-Slow: " + b"a" * 10_000, hasty.port)


@pytest.mark.parametrize("head", [post("/api/v1/users", "Content-Length: 60000"),
                                  post("/api/v1/users", "Transfer-Encoding: chunked", body=b"ea60\r\n")])
def test_a_slow_body_times_out(hasty, head):
    with Wire(hasty.port) as wire:
        wire.send(head)
        dribble(wire, b" " * 10_000, hasty.port)


@pytest.mark.parametrize("data", [b"", b"GET /livez HT", get()[:-2],
                                  post("/api/v1/users", "Content-Length: 10", body=b"{"),
                                  post("/api/v1/users", "Content-Length: 10000000", body=b"{")])
def test_a_silent_client_times_out(hasty, data):
    with Wire(hasty.port, timeout=SOON) as wire:
        wire.send(data)
        assert all(reply.status in (400, 408, 413) for reply in wire.read_all())


def test_an_idle_connection_is_closed_in_peace(hasty):
    with Wire(hasty.port, timeout=SOON) as wire:
        assert wire.send(get()).read().status == 200
        wire.assert_closed()


def connections_of(client):
    page = client.get("/metrics", api=False).raw.decode()
    return int(re.search(r"^sluice_http_connections (\d+)", page, re.M)[1])


def open_files(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def test_a_client_that_never_reads_is_dropped_in_bounded_memory(hasty):
    Client(hasty.port).get("/openapi.json", api=False)
    files, memory = open_files(hasty), hasty.resident_bytes()
    with Wire(hasty.port, receive_buffer=4096) as wire:
        wire.socket.setblocking(False)
        requests = get("/openapi.json") * 5_000
        sent = 0
        try:
            while sent < len(requests):
                sent += wire.socket.send(requests[sent:sent + 65536])
        except (BlockingIOError, ConnectionError):
            pass
        eventually(lambda: open_files(hasty) <= files, SOON, "dropping the client")
    assert hasty.resident_bytes() - memory < 4 * KIB * KIB


def connect_many(port, count, first_bytes=b""):
    """Connections from several addresses, so that the ports suffice."""
    sockets = []
    waiting = selectors.DefaultSelector()
    for index in range(count):
        each = socket.socket()
        each.setblocking(False)
        each.bind((f"127.0.0.{2 + index % 4}", 0))
        each.connect_ex(("127.0.0.1", port))
        sockets.append(each)
        waiting.register(each, selectors.EVENT_WRITE)
        if len(waiting.get_map()) >= 500 or index == count - 1:
            while waiting.get_map():
                for key, _ in waiting.select(5):
                    assert key.fileobj.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
                    waiting.unregister(key.fileobj)
                    if first_bytes:
                        key.fileobj.send(first_bytes)
    return sockets


def test_ten_thousand_idle_connections_cost_little(start_server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CROWD + 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(wanted, hard)), hard))
    count = min(CROWD, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 1000)
    server = start_server(config="[http]\nkeep_alive_seconds = 120\nheader_seconds = 120\n")
    client = Client(server.port)
    assert client.get("/time").status == 200
    files, memory = open_files(server), server.resident_bytes()
    crowd = []
    try:
        crowd += connect_many(server.port, count // 2)
        crowd += connect_many(server.port, count - count // 2, get())
        # A worker may have had a file open for a moment when they were counted first.
        eventually(lambda: open_files(server) >= files + count - 5, 60, "accepting all")
        for each in crowd[count // 2:]:
            each.settimeout(5)
            assert each.recv(4096).startswith(b"HTTP/1.1 200")
        assert (server.resident_bytes() - memory) / count <= 20 * KIB
        assert client.get("/time").status == 200
        assert Client(server.port).get("/time").status == 200, "a newcomer gets in too"
    finally:
        for each in crowd:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    eventually(lambda: open_files(server) <= files + 5, 20, "letting all go")


def test_over_the_bound_of_connections_the_idle_make_room_and_newcomers_come_back(start_server):
    server = start_server(config="[http]\nmax_connections = 25\nconnections_per_network = 25\n")
    kept = Client(server.port)
    assert kept.get("/time").status == 200
    # Five addresses have five each, which is their fair share: only the idle make room.
    crowd = connect_many(server.port, 20) + [Wire(server.port).socket for _ in range(4)]
    eventually(lambda: connections_of(kept) >= 25, 5, "accepting the crowd")
    with Wire(server.port) as first, Wire(server.port) as second:
        first.send(get())
        reply = second.read()
        assert (reply.status, reply.code) == (503, "busy"), "one of an address may wait for a place"
        assert json.loads(reply.body)["request_id"] == reply.headers["x-request-id"]
        assert int(reply.headers["retry-after"]) >= 1
        second.assert_closed()
        assert first.read().status == 200, "somebody idle has made room"
    assert kept.get("/time").status == 200
    for each in crowd:
        each.close()


def test_requests_on_one_connection_are_counted(start_server):
    server = start_server(config="[http]\nkeep_alive_requests = 3\n")
    with Wire(server.port) as wire:
        wire.send(get() * 3)
        replies = wire.read_all()
    assert [reply.status for reply in replies] == [200] * 3
    assert replies[-1].headers["connection"] == "close"


SLOWHTTPTEST = {
    "slow headers": ["-H", "-i", "1"],
    "slow bodies": ["-B", "-i", "1", "-s", "8192", "-t", "POST"],
    "slow reading": ["-X", "-n", "1", "-w", "1", "-y", "2", "-z", "1", "-k", "3"],
}


@pytest.mark.skipif(not shutil.which("slowhttptest"), reason="slowhttptest is not installed")
def test_slowhttptest_keeps_nobody_out(hasty, tmp_path):
    """All its modes at once, so that it takes only as long as one."""
    attacks = {}
    for name, mode in SLOWHTTPTEST.items():
        with open(tmp_path / name, "wb") as output:
            attacks[name] = subprocess.Popen(
                ["slowhttptest", *mode, "-c", "300", "-r", "300", "-l", "3", "-p", "2",
                 "-u", f"{hasty.url}/openapi.json"], stdout=output, stderr=output, cwd=tmp_path)
    slowest = 0
    client = Client(hasty.port, timeout=3)
    while any(attack.poll() is None for attack in attacks.values()):
        begin = time.monotonic()
        assert client.get("/time").status == 200
        with Wire(hasty.port, timeout=3) as wire:
            assert wire.send(get()).read().status == 200
        slowest = max(slowest, time.monotonic() - begin)
    assert slowest < 2, "on a machine that has other work too"
    for name in attacks:
        # It probes as well; what it says is coloured.
        said = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", (tmp_path / name).read_text(errors="replace"))
        assert set(re.findall(r"service available:\s+(\w+)", said)) == {"YES"}, said
