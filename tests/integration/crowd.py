"""Many buyers at once, over a few keep-alive connections in one event loop."""

import asyncio
import json
from dataclasses import dataclass, field


class Lost(Exception):
    """The connection ended before the answer: the outcome is unknown."""


@dataclass
class Reply:
    status: int
    body: dict

    @property
    def code(self):
        return self.body.get("code")


class Line:
    """One keep-alive connection, opened at its first use."""

    def __init__(self, port):
        self.port = port
        self._reader = self._writer = None

    async def ask(self, method, path, token, body=None, key=None):
        [reply] = await self.ask_all([(method, path, token, body, key)])
        return reply

    async def ask_all(self, requests):
        """Pipelined: all are sent, then all answers are read."""
        try:
            if self._writer is None:
                self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
            self._writer.write(b"".join(encode(*each) for each in requests))
            return [await self._read() for _ in requests]
        except (OSError, asyncio.IncompleteReadError) as failure:
            self.close()
            raise Lost(path_of(requests)) from failure

    async def send_and_leave(self, *request, **more):
        """Closes the connection without waiting for the answer."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(encode(*request, **more))
            await writer.drain()
            writer.close()
            await writer.wait_closed()
        except OSError as failure:
            raise Lost(request[1]) from failure

    async def _read(self):
        head = await self._reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + len("content-length:")
        body = await self._reader.readexactly(int(head[at:head.index(b"\r", at)]))
        return Reply(int(head[9:12]), json.loads(body))

    def close(self):
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def encode(method, path, token, body=None, key=None):
    lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: x", f"Authorization: Bearer {token}"]
    data = b"" if body is None else json.dumps(body).encode()
    if key is not None:
        lines.append(f"Idempotency-Key: {key}")
    if method != "GET":
        lines.append(f"Content-Length: {len(data)}")
    if data:
        lines.append("Content-Type: application/json")
    return "\r\n".join([*lines, "", ""]).encode() + data


def path_of(requests):
    return requests[0][1]


def rush(port, act, everybody, lines=48):
    """`await act(line, each)` for everybody, as many at a time as there are connections; the results in order.
    `act` handles Lost itself where it may happen."""
    return asyncio.run(_rush(port, act, list(everybody), lines))


async def _rush(port, act, everybody, count):
    results = [None] * len(everybody)
    waiting = iter(enumerate(everybody))

    async def work(line):
        for index, each in waiting:
            results[index] = await act(line, each)

    lines = [Line(port) for _ in range(min(count, len(everybody)))]
    try:
        await asyncio.gather(*(work(line) for line in lines))
    finally:
        for line in lines:
            line.close()
    return results


@dataclass(eq=False)
class Buyer:
    """What one buyer asked for and was told. It is kept when the server dies."""
    token: str
    key: str | None = None
    quantity: int | None = None
    pass_: str | None = None
    asked: bool = False           # for an order, at least once
    refusal: str | None = None    # the code of the last one
    bought: dict | None = None    # as it was answered with 201
    cancelled: bool = False       # heard so
    log: list = field(default_factory=list)

    async def get_pass(self, line, sale):
        reply = await line.ask("POST", f"/sales/{sale}/passes", self.token)
        self.log.append((reply.status, reply.code))
        if reply.status == 201:
            self.pass_ = reply.body["pass"]
        else:
            self.refusal = reply.code
        return reply

    async def buy(self, line, sale):
        self.asked = True
        body = None if self.quantity is None else {"quantity": self.quantity}
        reply = await line.ask("POST", f"/sales/{sale}/orders/{self.pass_}", self.token, body, self.key)
        self.log.append((reply.status, reply.code))
        if reply.status == 201:
            assert self.bought in (None, reply.body), f"two answers: {self.bought}, {reply.body}"
            self.bought = reply.body
        else:
            self.refusal = reply.code
        return reply

    async def pass_and_buy(self, line, sale):
        if self.pass_ is None:
            await self.get_pass(line, sale)
        if self.pass_ is not None:
            await self.buy(line, sale)

    async def cancel(self, line):
        reply = await line.ask("POST", f"/orders/{self.bought['order_id']}/cancel", self.token)
        assert reply.status == 200, reply.body
        self.cancelled = True
