"""HTTP byte by byte, for what a correct client cannot send."""

import json
import re
import socket
from dataclasses import dataclass, field


@dataclass
class Reply:
    status: int
    headers: dict
    body: bytes = b""
    interim: list = field(default_factory=list)

    @property
    def code(self):
        return json.loads(self.body)["code"]


class Closed(Exception):
    """The server ended the connection instead of answering."""


class Wire:
    def __init__(self, port, timeout=5, receive_buffer=None, source=None):
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(("127.0.0.1", port))
        self._pending = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)
        return self

    def try_send(self, data):
        """False when the server has closed the connection."""
        try:
            self.socket.sendall(data)
            return True
        except (BrokenPipeError, ConnectionResetError):
            return False

    def finish_sending(self):
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def _more(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            raise Closed(self._pending)
        self._pending += data

    def read_head(self):
        while b"\r\n\r\n" not in self._pending:
            self._more()
        head, self._pending = self._pending.split(b"\r\n\r\n", 1)
        line, *fields = head.decode("latin-1").split("\r\n")
        match = re.fullmatch(r"HTTP/1\.1 (\d{3}) .*", line)
        assert match, line
        headers = {}
        for each in fields:
            name, value = each.split(":", 1)
            headers[name.lower()] = value.strip()
        return Reply(int(match[1]), headers)

    def read(self, head_only=False):
        """The next final reply, with the interim ones before it."""
        interim = []
        while (reply := self.read_head()).status < 200:
            interim.append(reply)
        reply.interim = interim
        length = 0 if head_only or reply.status in (204, 304) else int(reply.headers["content-length"])
        while len(self._pending) < length:
            self._more()
        reply.body, self._pending = self._pending[:length], self._pending[length:]
        return reply

    def read_all(self):
        """Every reply until the server closes the connection."""
        replies = []
        try:
            while True:
                replies.append(self.read())
        except Closed as closed:
            assert closed.args[0] == b"", f"rubbish behind the replies: {closed.args[0][:200]}"
        return replies

    def read_to_end(self):
        """All bytes until the server closes the connection."""
        try:
            while True:
                self._more()
        except Closed as closed:
            return closed.args[0]

    def assert_closed(self):
        assert self.read_all() == []


def get(target="/livez", *fields, version="HTTP/1.1", host="Host: x"):
    lines = [f"GET {target} {version}", *([host] if host else []), *fields]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def post(target, *fields, body=b""):
    lines = [f"POST {target} HTTP/1.1", "Host: x", "Content-Type: application/json", *fields]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
