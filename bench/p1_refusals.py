"""Refusals: a purchase in a sold-out sale, with session and valid pass, against nginx saying the same.

One server thread on each side; both get the same requests, each from another buyer in turn. All of the
gate is on, rate limits included."""

from dataclasses import asdict

import load
import purchases

AT_LEAST = 1.0
CPU_AT_MOST = 1.15
BUYERS = 10_000


def measure(seconds, runs):
    with purchases.shop_on_disk(limited=True) as shop:
        tokens = purchases.mint(shop, BUYERS)
        item = shop.item()["id"]
        answer = purchases.post(shop.server.port, tokens[0], refused_addresses(shop, item, tokens)[0])
        with purchases.nginx_saying(answer) as nginx:
            result = compare(shop, nginx, item, tokens, seconds, runs)
        purchases.audit(shop)
        return result


def refused_addresses(shop, item, tokens):
    """Passes do not last, so each run has a sale of its own, which is sold out once they are out."""
    sale = purchases.open_sale(shop, item)
    paths = purchases.addresses(shop, [(token, sale) for token in tokens])
    purchases.sell_out(shop, sale)
    return paths


def compare(shop, nginx, item, tokens, seconds, runs):
    def sluice(length):
        paths = refused_addresses(shop, item, tokens)
        file = purchases.write_requests(shop, tokens, paths)
        result = load.run(shop.server.url, shop.server.process.pid, length, load.PREPARED, file, refused=True)
        for path, token in ((paths[0], tokens[0]), (paths[-1], tokens[-1])):
            answer = purchases.post(shop.server.port, token, path)
            if b'"code":"sold_out"' not in answer:
                raise SystemExit(f"not the refusal that was to be measured: {answer.decode()}")
        return result

    def other(length):
        return load.run(nginx.url, nginx.worker, length, load.PREPARED, shop.folder / "requests", refused=True)

    results = load.interleaved({"sluice": sluice, "nginx": other}, seconds, runs)
    load.show(results)
    ratio = results["sluice"].requests_per_second / results["nginx"].requests_per_second
    cpu_ratio = results["sluice"].cpu_us_per_request / results["nginx"].cpu_us_per_request
    met = ratio >= AT_LEAST and cpu_ratio <= CPU_AT_MOST
    print(f"    ratio  {ratio:10.2f} (target {AT_LEAST}), CPU {cpu_ratio:.2f} (target {CPU_AT_MOST}): "
          f"{load.verdict(met)}")
    return {name: asdict(result) for name, result in results.items()} | {
        "ratio": ratio, "cpu_ratio": cpu_ratio, "at_least": AT_LEAST, "cpu_at_most": CPU_AT_MOST, "met": met}
