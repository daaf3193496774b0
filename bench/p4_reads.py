"""Reads: one sale, the list, and a static file, against nginx serving the same bytes.

One server thread on each side. One sale stands in nginx's configuration (`return 200`); what is
too long for that it serves from a file, with its open-file cache."""

import tempfile
from dataclasses import asdict

import load
import machine
from nginx import Nginx, fetch
from shop import open_shop

AT_LEAST = 0.9
CONFIG = """
threads = 1
[http]
keep_alive_requests = 1000000000
[log]
level = "warn"
"""
SALES = 20
STATIC = "/assets/storefront.css"


def measure(seconds, runs):
    with tempfile.TemporaryDirectory(prefix="sluice-bench-") as folder:
        shop = open_shop(folder, config=CONFIG)
        try:
            return compare(shop, seconds, runs)
        finally:
            shop.stop()


def compare(shop, seconds, runs):
    machine.pin(shop.server.process.pid, machine.cores_for()[0])
    sales = [shop.sale(stock=1000 + i)["id"] for i in range(SALES)]
    paths = {"one sale": f"/api/v1/sales/{sales[0]}", "the list": "/api/v1/sales", "static file": STATIC}
    answers = {path: fetch(shop.server.port, path) for path in paths.values()}
    # A folder of its own, since nginx's worker may be another user.
    with tempfile.TemporaryDirectory(prefix="sluice-nginx-") as folder:
        nginx = Nginx(folder, {path: as_body(answer) for path, answer in answers.items()}).start()
        try:
            return {"cases": [compare_one(shop, nginx, name, path, len(answers[path]), seconds, runs)
                              for name, path in paths.items()]}
        finally:
            nginx.stop()


def as_body(answer):
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"nothing to measure: {head[:200]}")
    kind = next(line.split(b":", 1)[1].strip() for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-type:"))
    return kind.decode(), body, len(answer)


def compare_one(shop, nginx, name, path, size, seconds, runs):
    sides = {"sluice": (shop.server.url + path, shop.server.process.pid),
             "nginx": (f"http://127.0.0.1:{nginx.port}{path}", nginx.worker)}
    results = load.interleaved(sides, seconds, runs)
    sluice, other = results["sluice"], results["nginx"]
    ratio = sluice.requests_per_second / other.requests_per_second
    cpu_ratio = sluice.cpu_us_per_request / other.cpu_us_per_request
    nginx_size = len(fetch(nginx.port, path))
    print(f"  {name}, {size} bytes (nginx {nginx_size})")
    for side, result in results.items():
        print(f"    {side:7}{result.requests_per_second:10,.0f} req/s"
              f"{result.cpu_us_per_request:8.2f} us CPU each   p99 {result.p99_ms:.2f} ms")
    met = ratio >= AT_LEAST
    print(f"    ratio  {ratio:10.2f} (target {AT_LEAST}: {'met' if met else 'MISSED'}), CPU {cpu_ratio:.2f}")
    return {"name": name, "path": path, "bytes": size, "nginx_bytes": nginx_size,
            "sluice": asdict(sluice), "nginx": asdict(other), "ratio": ratio,
            "cpu_ratio": cpu_ratio, "at_least": AT_LEAST, "met": met}
