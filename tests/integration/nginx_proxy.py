"""A private nginx in front of nodes, with the configuration that shops copy."""

import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

from own_process import find_free_port
from process import BINARY, ROOT, eventually

sys.path.append(str(ROOT))
from tools.cluster import nginx_site  # noqa: E402

PAGES = BINARY.parent / "web"
STARTS_WITHIN = 60


class Nginx:
    """Before nodes at these ports; further arguments are those of nginx_site.Site."""

    def __init__(self, folder, nodes, **options):
        self.folder = Path(folder)
        self.nodes, self.options = list(nodes), options
        self.log_file = self.folder / "nginx.log"
        self.process = self.port = None

    def start(self):
        """On its port, or on a free one: another program may take that before nginx does, then on the next."""
        self.folder.mkdir(parents=True, exist_ok=True)
        port_is_ours = self.port is None
        while True:
            self.port = find_free_port() if port_is_ours else self.port
            if self._starts():
                return self
            assert port_is_ours and "Address already in use" in self.log(), f"nginx did not start: {self.log()}"
            self.log_file.unlink()

    def _starts(self):
        site = nginx_site.Site(port=self.port, nodes=self.nodes, **{"web": PAGES, **self.options})
        main = nginx_site.write(self.folder, site)
        program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/sbin:/bin")
        assert program, "nginx is not there: `./dev setup test` installs it"
        (self.folder / "nginx.pid").unlink(missing_ok=True)
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen([program, "-p", self.folder, "-c", main], stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)
        return eventually(self._listens_or_ended, STARTS_WITHIN, "nginx listens") == "listens"

    def _listens_or_ended(self):
        # It writes the file when it listens. A connection to the port may be to another program's.
        if (self.folder / "nginx.pid").exists():
            return "listens"
        return self.process.poll() is not None and "ended"

    def log(self):
        return self.log_file.read_text(errors="replace")

    def accesses(self):
        """The lines of the access log."""
        return (self.folder / "access.log").read_text().splitlines()

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)


class LossyWays:
    """Two proxies to one node that forward each request, and can lose the answer: the node has carried the request
    out, and the client finds the connection closed."""

    def __init__(self, node_port):
        self.node_port = node_port
        self.heard = []  # (method, target) of each request
        self._to_lose = threading.Semaphore(0)
        self._listeners = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.ports = [listener.getsockname()[1] for listener in self._listeners]
        for listener in self._listeners:
            threading.Thread(target=self._accept, args=[listener], daemon=True).start()

    def lose(self, answers):
        """The next ones, on whichever proxy."""
        self._to_lose.release(answers)

    def close(self):
        for listener in self._listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=[connection], daemon=True).start()

    def _pass_on(self, asker):
        with asker, socket.create_connection(("127.0.0.1", self.node_port)) as node:
            request = _read_message(asker)
            if not request:
                return
            self.heard.append(tuple(request.decode("latin-1").split(" ", 2)[:2]))
            node.sendall(request)
            answer = _read_message(node)
            if not self._to_lose.acquire(blocking=False):
                # One request for each connection, and nginx is told so.
                asker.sendall(answer.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1))


def _read_message(connection):
    """A request or an answer, with Content-Length or without a body."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while len(body) < (lengths or [0])[0]:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
