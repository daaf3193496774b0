"""A shop's own system, as a process of its own: it hears events over HTTP or HTTPS and writes each one down before it
answers. What it answers is read anew each time from a file, so that a test can change its mind.

    receiver.py FOLDER [CERTIFICATE KEY]
"""

import hashlib
import hmac
import http.server
import json
import os
import ssl
import subprocess
import sys
import time
from pathlib import Path

from process import eventually


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        rules = json.loads((self.server.folder / "rules").read_text())
        event = json.loads(body)
        status = rules.get(event["type"], rules["status"])
        if rules.get("every"):
            self.server.count += 1
            status = rules["status"] if self.server.count % rules["every"] == 0 else 503
        line = {"headers": dict(self.headers), "body": body.decode(), "path": self.path, "status": status}
        with open(self.server.folder / "heard", "a") as heard:
            heard.write(json.dumps(line) + "\n")
            heard.flush()
        if status == "hang":
            time.sleep(30)
            return
        if status == "flood":
            self.send_response(200)
            self.end_headers()
            for _ in range(64):
                self.wfile.write(b"x" * 65536)
            return
        self.send_response(status)
        if status // 100 == 3:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


class Listener(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, *_):
        """Connections may come and go."""


def listen(folder, certificate=None, key=None):
    folder = Path(folder)
    port = int((folder / "port").read_text()) if (folder / "port").exists() else 0
    server = Listener(("127.0.0.1", port), Handler)
    server.folder, server.count = folder, 0
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    partial = folder / "port.partial"
    partial.write_text(str(server.server_address[1]))
    partial.rename(folder / "port")
    (folder / "ready").touch()
    server.serve_forever()


class Heard:
    """One request that the receiver got."""

    def __init__(self, line):
        entry = json.loads(line)
        self.headers, self.raw, self.status = entry["headers"], entry["body"].encode(), entry["status"]
        self.path = entry["path"]
        self.event = json.loads(self.raw)

    @property
    def type(self):
        return self.event["type"]

    @property
    def taken(self):
        return self.status == "flood" or isinstance(self.status, int) and self.status // 100 == 2

    def is_signed_with(self, secret, tolerance=300):
        parts = dict(part.split("=", 1) for part in self.headers["Sluice-Signature"].split(","))
        expected = hmac.new(secret.encode(), parts["t"].encode() + b"." + self.raw, hashlib.sha256).hexdigest()
        return hmac.compare_digest(expected, parts["v1"]) and abs(time.time() - int(parts["t"])) <= tolerance


class Receiver:
    def __init__(self, folder, certificate=None, key=None):
        self.folder = Path(folder)
        self.folder.mkdir(exist_ok=True)
        self.tls = [str(certificate), str(key)] if certificate else []
        self.process = None
        self.answer(200)
        self.start()

    def start(self):
        (self.folder / "ready").unlink(missing_ok=True)
        here = Path(__file__).resolve()
        self.process = subprocess.Popen([sys.executable, here, self.folder, *self.tls],
                                        stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(here.parent)})
        eventually((self.folder / "ready").exists, 15, "a receiver")

    @property
    def port(self):
        return int((self.folder / "port").read_text())

    def url(self, host="127.0.0.1", path="/hook"):
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def answer(self, status, **by_type):
        """By type, such as order_paid=500; every=2 affects only each second request."""
        rules = {"status": status, **{name.replace("_", ".", 1): given for name, given in by_type.items()}}
        partial = self.folder / "rules.partial"
        partial.write_text(json.dumps(rules))
        partial.rename(self.folder / "rules")

    def heard(self):
        file = self.folder / "heard"
        text = file.read_text() if file.exists() else ""
        return [Heard(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]

    def taken(self):
        """Each event that it accepted, once, in the order of the first acceptance."""
        first = {}
        for each in self.heard():
            if each.taken:
                first.setdefault(each.event["id"], each)
        return list(first.values())

    def types(self):
        return [each.type for each in self.taken()]

    def hears(self, count, seconds=10):
        eventually(lambda: len(self.taken()) >= count, seconds, f"{count} events, of {self.types()}")
        assert len(self.taken()) == count, self.types()
        return self.taken()

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None


if __name__ == "__main__":
    listen(*sys.argv[1:])
