"""The instant: 50,000 distinct buyers with passes in the first second, on one node with a broker.

The requests are sent in slices of a fiftieth of a second, so that one generator can keep the time.
Who is told `busy` asks again when the answer said so. A yes is counted when its order is in the ledger."""

import re
import resource
import selectors
import socket
import threading
import time

import broker_shop
import load
import open_loop
import purchases

BUYERS = 50_000
ANSWERED_AT_MOST = 2
DECIDED_AT_MOST = 5
CONNECTIONS = 4_000  # as many as one network may have; each asks for about a dozen buyers, one after the other
SLICES = 50  # in the second
GIVES_UP_AFTER = 120
STATUS, STATUS_BYTES = re.compile(rb"HTTP/1\.1 (\d{3})"), 12


def measure(_seconds, runs):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    results = []
    with broker_shop.open_broker_shop() as shop:
        for _ in range(runs):
            results.append(one_spike(shop))
        purchases.audit(shop)
    results.sort(key=lambda result: result["decided_after"])
    result = results[len(results) // 2]
    met = result["answered_after"] <= ANSWERED_AT_MOST and result["decided_after"] <= DECIDED_AT_MOST and not result["busy"]
    print(f"    sent in {result['sent_after']:.2f} s; all answered after {result['answered_after']:.2f} s (target "
          f"{ANSWERED_AT_MOST}), p99 of an answer {result['p99_ms']:.0f} ms")
    print(f"    all decided after {result['decided_after']:.2f} s (target {DECIDED_AT_MOST}): "
          f"{BUYERS / result['decided_after']:,.0f} orders/s; {result['busy']:,} times `busy`, "
          f"all accepted after {result['accepted_after']:.2f} s")
    print(f"    most messages in the queue {result['deepest']:,}, most tickets under way {result['most_under_way']:,}")
    print(f"    {load.verdict(met)}")
    return result | {"all": results, "met": met}


def one_spike(shop):
    sale = broker_shop.open_sale(shop, stock=BUYERS + 1_000)
    tokens = shop.minted(BUYERS)
    paths = broker_shop.addresses(shop, sale, tokens)
    requests = [f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: 0\r\n\r\n".encode()
                for token, path in zip(tokens, paths)]
    spike = Spike(shop.server.port, requests)
    with Depth(shop) as depth:
        began = time.perf_counter()
        accepted, busy = spike.run()
        accepted_after = time.perf_counter() - began
        sold = broker_shop.wait_until_decided(shop, sale, accepted)
        decided_after = time.perf_counter() - began
    if accepted != BUYERS or sold != BUYERS:
        raise SystemExit(f"of {BUYERS} buyers {accepted} heard a yes, and {sold} have an order")
    return {"sent_after": spike.sent_after, "answered_after": spike.first_answers_after, "accepted_after": accepted_after,
            "decided_after": decided_after, "busy": busy, "deepest": depth.deepest, "most_under_way": depth.under_way,
            "p99_ms": open_loop.percentile(sorted(spike.latencies), 0.99) * 1e3}


class Spike:
    """All requests in a second, and again those that were told to wait."""

    def __init__(self, port, requests):
        self.lines = [Line(port) for _ in range(CONNECTIONS)]
        self.requests = requests
        self.latencies = []  # of the first answers
        self.sent_after = self.first_answers_after = None
        self._waiting = selectors.EpollSelector()
        for line in self.lines:
            self._waiting.register(line.socket, selectors.EVENT_READ, line)

    def run(self):
        """(how many were told yes, how often somebody was told `busy`)"""
        self.began = time.perf_counter()
        again = self._send(self.requests, slices=SLICES)
        self.first_answers_after = time.perf_counter() - self.began
        accepted, busy = len(self.requests) - len(again), len(again)
        while again and time.perf_counter() - self.began < GIVES_UP_AFTER:
            time.sleep(1)  # the least that Retry-After says
            rest = self._send(again, slices=1)
            accepted, busy, again = accepted + len(again) - len(rest), busy + len(rest), rest
        for line in self.lines:
            line.socket.close()
        return accepted, busy

    def _send(self, requests, slices):
        """Those that were answered with 503."""
        refused, latencies = [], []
        share = -(-len(requests) // slices)
        began = time.perf_counter()
        for number in range(slices):
            meant = began + number / SLICES
            while (wait := meant - time.perf_counter()) > 0:
                self._hear(latencies, refused, wait)
            for at in range(number * share, min((number + 1) * share, len(requests))):
                self.lines[at % CONNECTIONS].send(requests[at], meant)
        if self.sent_after is None:
            self.sent_after = time.perf_counter() - began
        while len(latencies) < len(requests):
            if time.perf_counter() - self.began > GIVES_UP_AFTER:
                raise SystemExit(f"{len(requests) - len(latencies)} answers did not come")
            self._hear(latencies, refused, 0.1)
        self.latencies = self.latencies or latencies
        return refused

    def _hear(self, latencies, refused, patience):
        for ready, _ in self._waiting.select(patience):
            ready.data.receive(latencies, refused)


class Line:
    """Answers come in the order of the requests."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sent = []  # (request, when it was meant), of which the first `_heard` are answered
        self._heard = 0
        self._tail = b""

    def send(self, request, meant):
        self._sent.append((request, meant))
        self.socket.sendall(request)

    def receive(self, latencies, refused):
        more = self.socket.recv(1 << 18)
        if not more:
            raise SystemExit("the node hung up")
        now, data, end = time.perf_counter(), self._tail + more, 0
        for status in STATUS.finditer(data):
            self._take(status[1], now, latencies, refused)
            end = status.end()
        self._tail = data[end:][1 - STATUS_BYTES:]  # too short to be counted again

    def _take(self, status, now, latencies, refused):
        request, meant = self._sent[self._heard]
        self._heard += 1
        latencies.append(now - meant)
        if status == b"503":
            refused.append(request)
        elif status == b"403":
            raise SystemExit("a pass has expired before its turn: this machine is too busy to measure a second")
        elif status not in (b"201", b"202"):
            raise SystemExit(f"a purchase was answered with {status.decode()}")


class Depth:
    """Looks at the queue as an operator does, ten times a second."""

    def __init__(self, shop):
        self._shop = shop
        self.deepest = self.under_way = 0
        self._over = threading.Event()
        self._client = shop.client(shop.operator.token, timeout=30)
        self._thread = threading.Thread(target=self._look)

    def __enter__(self):
        self._thread.start()
        return self

    def _look(self):
        while not self._over.wait(0.1):
            queue = self._client.get("/admin/queue").body
            self.deepest = max(self.deepest, queue["messages"])
            self.under_way = max(self.under_way, queue["under_way"])

    def __exit__(self, *_):
        self._over.set()
        self._thread.join()
