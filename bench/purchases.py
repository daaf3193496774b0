"""Buyers and their passes, made beforehand and quickly."""

import socket
import tempfile
from contextlib import contextmanager
from pathlib import Path

import machine
from nginx import Nginx, as_body
from process import ROOT, run
from shop import open_shop

CONFIG = """
threads = {threads}
[http]
keep_alive_requests = 1000000000
[log]
level = "warn"
"""
# Counted like everybody, at numbers that one address full of buyers does not reach.
GENEROUS_LIMITS = """
[limits]
people_per_address = 1000
[limits.buying]
per_minute = 60000
burst = 60000
"""
BATCH = 200  # pipelined


@contextmanager
def shop_on_disk(threads=1, pinned=True, limited=False):
    """One server thread unless told otherwise, on a core of its own. Its data on the disk of the
    tree: a temporary folder may be in memory, where a sync costs nothing. Rate limits are off
    unless they are part of what is measured."""
    config = CONFIG.format(threads=threads) + (GENEROUS_LIMITS if limited else "")
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="bench-data-", dir=ROOT / "build") as folder:
        shop = open_shop(folder, config=config,
                         env={"SLUICE_LIMITS_ENABLED": "true" if limited else "false"})
        shop.folder = Path(folder)
        if pinned:
            machine.pin(shop.server.process.pid, machine.cores_for()[0])
        try:
            yield shop
        finally:
            shop.stop()


@contextmanager
def nginx_saying(answer):
    """To every purchase, the same bytes as this answer."""
    with tempfile.TemporaryDirectory(prefix="sluice-nginx-") as folder:
        nginx = Nginx(folder, {"/api/v1/sales/": as_body(answer)}).start()
        try:
            yield nginx
        finally:
            nginx.stop()


def mint(shop, count):
    done = run("mint", "--data", shop.server.data, "--buyers", count, timeout=600)
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout.split()


def open_sale(shop, item=None, *, stock=10**8, limit_per_buyer=1):
    """With a gate that lets everybody in."""
    return shop.sale(item, stock=stock, gate_factor=10_000, limit_per_buyer=limit_per_buyer)["id"]


def sell_out(shop, sale):
    left = shop.stock(sale)["left"]
    answer = shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": -left})
    if answer.status != 200:
        raise SystemExit(f"could not be emptied: {answer.body}")


def addresses(shop, wanted):
    """`wanted` is [(token, sale)]; gives the address to buy at for each, in the same order."""
    found = []
    with socket.create_connection(("127.0.0.1", shop.server.port), 30) as connection:
        for at in range(0, len(wanted), BATCH):
            batch = wanted[at:at + BATCH]
            connection.sendall(b"".join(
                f"POST /api/v1/sales/{sale}/passes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
                "Content-Length: 0\r\n\r\n".encode() for token, sale in batch))
            passes = read_passes(connection, len(batch))
            found += [f"/api/v1/sales/{sale}/orders/{pass_}" for (_, sale), pass_ in zip(batch, passes)]
    return found


def read_passes(connection, count):
    data = b""
    while data.count(b'"pass":"') < count or not data.endswith(b"}"):
        more = connection.recv(1 << 20)
        data += more
        if not more or b"HTTP/1.1 4" in data or b"HTTP/1.1 5" in data:
            raise SystemExit(f"no pass: {data[-2000:].decode()}")
    return [piece[:piece.index(b'"')].decode() for piece in data.split(b'"pass":"')[1:]]


def write_requests(shop, tokens, paths):
    """A file for prepared.lua."""
    file = shop.folder / "requests"
    file.write_text("".join(f"{token} {path}\n" for token, path in zip(tokens, paths)))
    return file


def post(port, token, path):
    """The whole answer as wrk would get it."""
    with socket.create_connection(("127.0.0.1", port), 5) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
                           "Content-Length: 0\r\n\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data or not data.endswith(b"}"):
            data += connection.recv(65536)
    return data


def audit(shop):
    """A fast wrong answer counts as zero."""
    shop.audit()
    print("    audit holds")
