"""Fault 19: SIGTERM lets what is under way finish, shows no 5xx through nginx, and exits 0."""

import http.client
import json
import shutil
import socket
import subprocess
import threading
import time

import pytest

from client import Client
from process import eventually
from shop import PASSWORD, new_phone
from wire import Wire, get, post

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def test_what_is_under_way_finishes(start_server):
    server = start_server()
    body = json.dumps({"phone": new_phone(), "password": PASSWORD}).encode()
    half = len(body) // 2
    with Wire(server.port) as wire, Wire(server.port) as idle:
        assert idle.send(get()).read().status == 200
        wire.send(post("/api/v1/users", f"Content-Length: {len(body)}", body=body[:half]))
        assert Client(server.port).get("/time").status == 200
        server.terminate()
        eventually(lambda: not accepts(server.port), 5, "refusing newcomers")
        assert server.running, "somebody is still being served"
        reply = wire.send(body[half:]).read()
        assert reply.status == 201
        assert reply.headers["connection"] == "close"
        wire.assert_closed()
    assert server.wait() == 0


def accepts(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def test_an_idle_server_stops_at_once(start_server):
    server = start_server()
    with Wire(server.port) as idle:
        assert idle.send(get()).read().status == 200
        begin = time.monotonic()
        server.terminate()
        assert server.wait() == 0
        assert time.monotonic() - begin < 5


@pytest.mark.parametrize("delay_ms", [0, 240, 248, 252, 260])
def test_many_threads_stop_whenever_the_signal_comes(start_server, delay_ms):
    """A loop's tick that is on its way when the last connection ends must not keep the loop alive."""
    server = start_server(config="threads = 32\n")
    deadline = time.monotonic() + delay_ms / 1000
    while time.monotonic() < deadline:
        pass
    server.terminate()
    assert server.wait() == 0


def test_a_client_that_never_finishes_does_not_hold_the_server(start_server):
    server = start_server(config="[http]\ndrain_seconds = 1\nheader_seconds = 60\nbody_seconds = 60\n")
    with Wire(server.port) as head, Wire(server.port) as body:
        head.send(b"GET / HTTP/1.1\r\n")
        body.send(post("/api/v1/users", "Content-Length: 100", body=b"{"))
        assert Client(server.port).get("/time").status == 200
        begin = time.monotonic()
        server.terminate()
        assert server.wait() == 0
        assert time.monotonic() - begin < 8


def test_a_second_signal_does_no_harm(start_server):
    server = start_server()
    server.terminate()
    try:
        server.terminate()
    except ProcessLookupError:
        pass
    assert server.wait() == 0


NGINX_CONFIG = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream sluice {{
        server 127.0.0.1:{first};
        server 127.0.0.1:{second};
        keepalive 16;
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://sluice;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
        }}
    }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def start_nginx(short_path):
    started = []

    def start(first, second):
        port = free_port()
        config = short_path / "nginx.conf"
        config.write_text(NGINX_CONFIG.format(folder=short_path, first=first, second=second, port=port))
        started.append(subprocess.Popen([NGINX, "-p", short_path, "-c", config], stderr=subprocess.PIPE))
        eventually(lambda: accepts(port), 10, "nginx")
        return port

    yield start
    for process in started:
        process.terminate()
        process.wait(10)
        process.stderr.close()


class Load(threading.Thread):
    """Requests without a pause, reads and writes, each on a kept connection."""

    def __init__(self, port, stop, counts):
        super().__init__()
        self.port, self.stop, self.counts = port, stop, counts
        self.failures = []

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        calls = [("GET", "/api/v1/sales", 200), ("POST", "/api/v1/admin/sales/1/pause", 401),
                 ("GET", "/api/v1/time", 200)]
        while not self.stop.is_set():
            for method, path, expected in calls:
                try:
                    connection.request(method, path, headers={"Content-Length": "0"} if method == "POST" else {})
                    response = connection.getresponse()
                    response.read()
                    if response.status != expected:
                        self.failures.append((method, path, response.status))
                except (OSError, http.client.HTTPException) as failure:
                    self.failures.append((method, path, repr(failure)))
                    connection.close()
                self.counts.append(1)
        connection.close()


@pytest.mark.skipif(not NGINX, reason="nginx is not installed")
def test_no_5xx_through_nginx_while_one_of_two_servers_stops(start_server, start_nginx):
    first, second = start_server(), start_server()
    port = start_nginx(first.port, second.port)
    stop, counts = threading.Event(), []
    loads = [Load(port, stop, counts) for _ in range(4)]
    for load in loads:
        load.start()
    try:
        eventually(lambda: len(counts) > 500, 20, "a steady load")
        first.terminate()
        assert first.wait() == 0
        after = len(counts)
        eventually(lambda: len(counts) > after + 500, 20, "the load on the server that is left")
    finally:
        stop.set()
        for load in loads:
            load.join()
    assert [failure for load in loads for failure in load.failures] == []
