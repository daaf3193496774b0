"""Durable yes: distinct buyers who each buy once, synced before the answer, against nginx and raw SQLite.

One thread serves HTTP and another writes; they share the machine with the load as they like, while
nginx's one worker has a core to itself."""

import statistics
from dataclasses import asdict

import load
import purchases
import raw_ledger

AT_LEAST = 0.4
RAW_AT_LEAST = 0.5
FIRST_GUESS = 60_000  # requests in the first second, at most
SPARE = 1.5  # times the requests that the last run would have made


def measure(seconds, runs):
    with purchases.shop_on_disk(pinned=False) as shop:
        sale = purchases.open_sale(shop)
        [token] = purchases.mint(shop, 1)
        answer = purchases.post(shop.server.port, token, purchases.addresses(shop, [(token, sale)])[0])
        with purchases.nginx_saying(answer) as nginx:
            result = compare(shop, nginx, sale, seconds, runs)
        purchases.audit(shop)
    return result


def compare(shop, nginx, sale, seconds, runs):
    rate = FIRST_GUESS / SPARE
    batches = []

    def sluice(length):
        nonlocal rate
        before = raw_ledger.commits(shop)
        done = buy(shop, sale, length, int(rate * length * SPARE))
        batches.append(done.requests / (raw_ledger.commits(shop) - before))
        rate = done.requests_per_second
        return done

    def other(length):
        return load.run(nginx.url, nginx.worker, length, load.PREPARED, shop.folder / "requests")

    results = load.interleaved({"sluice": sluice, "nginx": other}, seconds, runs)
    load.show(results)
    orders = results["sluice"].requests_per_second
    ratio = orders / results["nginx"].requests_per_second
    batch = statistics.median(batches)
    raw = raw_ledger.orders_per_second(shop.folder, batch)
    met = ratio >= AT_LEAST and (raw is None or orders / raw >= RAW_AT_LEAST)
    print(f"    ratio  {ratio:10.2f} (target {AT_LEAST}), {batch:.0f} orders a commit")
    if raw:
        print(f"    raw    {raw:10,.0f} orders/s in such commits: {orders / raw:.2f} (target {RAW_AT_LEAST})")
    print(f"    {load.verdict(met)}")
    return {name: asdict(result) for name, result in results.items()} | {
        "ratio": ratio, "at_least": AT_LEAST, "batch": batch, "raw_orders_per_second": raw,
        "raw_ratio": raw and orders / raw, "raw_at_least": RAW_AT_LEAST, "met": met}


def buy(shop, sale, seconds, count):
    """A run in which every request is another buyer's purchase."""
    tokens = purchases.mint(shop, count)
    paths = purchases.addresses(shop, [(token, sale) for token in tokens])
    file = purchases.write_requests(shop, tokens, paths)
    held = shop.stock(sale)["held"]
    done = load.run(shop.server.url, shop.server.process.pid, seconds, load.PREPARED, file)
    if done.requests > count:
        raise SystemExit(f"{count} buyers were too few for {done.requests} requests; run it again for longer")
    sold = shop.stock(sale)["held"] - held
    # What was under way when wrk hung up was bought without being counted.
    if not done.requests <= sold <= done.requests + load.CONNECTIONS:
        raise SystemExit(f"{done.requests} were told yes, {sold} were sold")
    return done
