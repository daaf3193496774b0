"""Memory: each idle connection and each idle stream, ten thousand of both.

A connection has had one answer, a stream watches a sale and has heard of it; both with a login, each
of another buyer. What the kernel keeps for a socket is not counted. Besides: how long until all
streams have heard of one purchase."""

import resource
import selectors
import tempfile
import time

import load
from shop import open_shop
from stream import frame, upgrade_request
from wire import Wire

AT_MOST_BYTES = 20 * 1024
COUNT = 10_000
OTHER_FILES = 100
CONFIG = """
threads = 2
[http]
keep_alive_seconds = 3600
[limits]
exempt = ["127.0.0.0/8"]
[log]
level = "warn"
"""


def measure(seconds, runs):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OTHER_FILES
    if room < COUNT:
        raise SystemExit(f"{COUNT} files must be open at once, and {room} may be: raise the limit (ulimit -n)")
    results = {"connections": measure_one(open_connection), "streams": measure_one(open_stream)}
    for name, each in results.items():
        bytes_each = each["bytes_each"]
        met = bytes_each <= AT_MOST_BYTES
        each |= {"at_most": AT_MOST_BYTES, "met": met}
        print(f"    {COUNT:,} idle {name:12}{bytes_each / 1024:6.1f} KiB each (target {AT_MOST_BYTES // 1024}): "
              f"{load.verdict(met)}")
    told = results["streams"]["seconds_to_tell_all"]
    print(f"    a purchase is known on all {COUNT:,} streams after {told:.3f} s, of which up to 0.25 s are gathering")
    return results


def measure_one(open_one):
    with tempfile.TemporaryDirectory(prefix="sluice-bench-") as folder:
        shop = open_shop(folder, config=CONFIG)
        try:
            sale = shop.sale(stock=10)["id"]
            tokens = shop.minted(COUNT)
            open_one(shop, tokens[0], sale).socket.close()  # what the first one needs, all share
            before = shop.server.resident_bytes()
            wires = [open_one(shop, token, sale) for token in tokens]
            result = {"bytes_each": (shop.server.resident_bytes() - before) / COUNT, "count": COUNT}
            if open_one is open_stream:
                result["seconds_to_tell_all"] = time_to_tell_all(shop, wires, sale)
            for wire in wires:
                wire.socket.close()
            return result
        finally:
            shop.stop()


def open_connection(shop, token, sale):
    wire = Wire(shop.server.port)
    wire.send(f"GET /api/v1/sessions/current HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    if wire.read().status != 200:
        raise SystemExit("not every connection was answered")
    return wire


def open_stream(shop, token, sale):
    wire = Wire(shop.server.port)
    wire.send(upgrade_request(token)[0])
    if wire.read_head().status != 101:
        raise SystemExit("not every stream was opened")
    wire.send(frame(f'{{"watch":["{sale}"]}}'))
    wire.socket.recv(4096)
    return wire


def time_to_tell_all(shop, wires, sale):
    selector = selectors.DefaultSelector()
    for wire in wires:
        selector.register(wire.socket, selectors.EVENT_READ)
    buyer = shop.client(shop.minted(1)[0])
    pass_ = shop.pass_for(buyer, sale)
    began = time.monotonic()
    shop.bought(buyer, sale, pass_=pass_)
    waiting = len(wires)
    while waiting:
        for key, _ in selector.select(10):
            if b'"left":9' not in key.fileobj.recv(4096):
                continue  # a ping
            selector.unregister(key.fileobj)
            waiting -= 1
    return time.monotonic() - began
