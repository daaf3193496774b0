"""Requests at the times they were meant for, whether or not the answers have come.

Latency counts from the intended time: a server that stalls cannot hide behind a client that waits.
One thread; what the generator itself was late by is reported and is part of every latency."""

import selectors
import socket
import time
from collections import deque

CONNECTIONS = 128
YES = b"HTTP/1.1 201"
NO = (b"HTTP/1.1 4", b"HTTP/1.1 5")
GIVES_UP_AFTER = 10


class Line:
    """Answers come in the order of the requests, so a queue of times is enough."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.meant = deque()
        self.tail = b""

    def receive(self, now, latencies):
        more = self.socket.recv(1 << 18)
        data = self.tail + more
        if not more or any(no in data for no in NO):
            raise SystemExit(f"not every answer was a 201: {data[-1000:].decode()}")
        for _ in range(data.count(YES)):
            latencies.append(now - self.meant.popleft())
        self.tail = data[1 - len(YES):]  # too short to be counted again


def run(port, requests, rate):
    """(latencies, how late each request was sent), both in seconds, sorted."""
    lines = [Line(port) for _ in range(CONNECTIONS)]
    waiting = selectors.EpollSelector()
    for line in lines:
        waiting.register(line.socket, selectors.EVENT_READ, line)
    latencies, lateness = [], []
    start = time.perf_counter() + 0.1
    sent = 0
    deadline = start + len(requests) / rate + GIVES_UP_AFTER
    while len(latencies) < len(requests):
        now = time.perf_counter()
        if now > deadline:
            raise SystemExit(f"{len(requests) - len(latencies)} answers did not come")
        while sent < len(requests) and (meant := start + sent / rate) <= now:
            line = lines[sent % CONNECTIONS]
            line.meant.append(meant)
            line.socket.sendall(requests[sent])
            lateness.append(time.perf_counter() - meant)
            sent += 1
        for ready, _ in waiting.select(0.0002 if sent < len(requests) else 0.1):
            ready.data.receive(time.perf_counter(), latencies)
    for line in lines:
        line.socket.close()
    return sorted(latencies), sorted(lateness)


def percentile(ordered, share):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
