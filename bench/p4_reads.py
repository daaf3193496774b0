"""Reads: one sale, the list, and a static file, against nginx serving the same bytes.

One server thread on each side. One sale stands in nginx's configuration (`return 200`); what is
too long for that it serves from a file, with its open-file cache."""

import tempfile
from dataclasses import asdict

import load
import machine
from nginx import Nginx, as_body, fetch
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
STATIC = "/assets/demo/tea-set.svg"


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


def compare_one(shop, nginx, name, path, size, seconds, runs):
    sides = {"sluice": lambda s: load.run(shop.server.url + path, shop.server.process.pid, s),
             "nginx": lambda s: load.run(nginx.url + path, nginx.worker, s)}
    results = load.interleaved(sides, seconds, runs)
    sluice, other = results["sluice"], results["nginx"]
    ratio = sluice.requests_per_second / other.requests_per_second
    cpu_ratio = sluice.cpu_us_per_request / other.cpu_us_per_request
    nginx_size = len(fetch(nginx.port, path))
    print(f"  {name}, {size} bytes (nginx {nginx_size})")
    load.show(results)
    met = ratio >= AT_LEAST
    print(f"    ratio  {ratio:10.2f} (target {AT_LEAST}: {load.verdict(met)}), CPU {cpu_ratio:.2f}")
    return {"name": name, "path": path, "bytes": size, "nginx_bytes": nginx_size,
            "sluice": asdict(sluice), "nginx": asdict(other), "ratio": ratio,
            "cpu_ratio": cpu_ratio, "at_least": AT_LEAST, "met": met}
