"""nginx, one worker, with the same bytes to say."""

import socket
import subprocess
import time
from pathlib import Path

import machine

CONFIG = """
worker_processes 1;
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=100 inactive=1h;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} backlog=4096;
{locations}
    }}
}}
"""
# Longer parameters are refused by nginx itself, so longer bodies are served from a file.
LONGEST_RETURN = 3_500


class Nginx:
    """`bodies` is {path: (status, content type, body, bytes of the whole answer that is to be
    matched)}. A path that ends in a slash stands for all that begin with it."""

    def __init__(self, folder, bodies):
        self.folder = Path(folder)
        self.bodies = bodies
        self.padding = {path: 0 for path in bodies}
        self.process = None

    def start(self):
        self._launch()
        # What nginx says of its own accord is measured, then filled up to the other's size.
        for path, (*_, size) in self.bodies.items():
            missing = size - len(fetch(self.port, path))
            self.padding[path] = max(0, missing - len("X-Pad: \r\n"))
        self.stop()
        self._launch()
        return self

    def _launch(self):
        self.port = free_port()
        locations = "\n".join(self._location(path) for path in self.bodies)
        config = self.folder / "nginx.conf"
        config.write_text(CONFIG.format(folder=self.folder, port=self.port, locations=locations))
        self.process = subprocess.Popen([machine.NGINX, "-p", self.folder, "-c", config])
        wait_for(self.port)
        self.worker = self._find_worker()
        machine.pin(self.worker, machine.cores_for()[0])

    def _location(self, path):
        status, kind, body, _ = self.bodies[path]
        pad = f'add_header X-Pad "{"x" * self.padding[path]}" always;' if self.padding[path] else ""
        text = body.decode("utf-8", "replace")
        if len(body) <= LONGEST_RETURN and not set(text) & set("$\\'"):
            answer = f"return {status} '{text}';"
        elif status != 200:
            raise SystemExit(f"nginx cannot say this with a {status}: {text}")
        else:
            file = self.folder / ("body" + path.replace("/", "_"))
            file.write_bytes(body)
            self.folder.chmod(0o755)
            answer = f"alias {file};"
        which = path if path.endswith("/") else f"= {path}"
        return f'        location {which} {{ types {{ }} default_type "{kind}"; {pad} {answer} }}'

    def _find_worker(self):
        """The master listens before its worker is there."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        deadline = time.monotonic() + 10
        while not (found := children.read_text().split()):
            if time.monotonic() > deadline:
                raise SystemExit("nginx has no worker")
            time.sleep(0.01)
        return int(found[0])

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def stop(self):
        self.process.terminate()
        self.process.wait(10)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    deadline = time.monotonic() + 10
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def fetch(port, path):
    """The whole answer as wrk would get it, head and body."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += receive(connection)
        head, _, body = data.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.split(b"\r\n")
                      if line.lower().startswith(b"content-length:"))
        while len(body) < length:
            body += receive(connection)
        return head + b"\r\n\r\n" + body


def as_body(answer):
    """What Nginx needs to know to say the same."""
    head, _, body = answer.partition(b"\r\n\r\n")
    kind = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-type:"))
    return int(head[9:12]), kind.decode(), body, len(answer)


def receive(connection):
    data = connection.recv(65536)
    if not data:
        raise SystemExit("the server hung up in the middle of an answer")
    return data
