"""Durable yes and finished orders with a broker: one node, against each bare part and against one transaction per order.

What counts is the finished order: from the first request until the last order is in the ledger. A bare RabbitMQ carries
messages with as many tickets as the shop's had."""

import re
import statistics
import subprocess
import time
from dataclasses import asdict

import broker_shop
import load
import mariadb_durable
import purchases
import raw_ledger
from process import BINARY

RAW_AT_LEAST = 0.5
ALONE_AT_LEAST = 5
FIRST_GUESS = 25_000  # requests in the first second, at most
SPARE = 1.5
TICKET_BYTES = 120  # in a message


def measure(seconds, runs):
    with broker_shop.open_broker_shop() as shop:
        done = buy_often(shop, seconds, runs)
        purchases.audit(shop)
        finished, yes, batch, tickets = (statistics.median(each[name] for each in done)
                                         for name in ("finished", "yes", "batch", "tickets"))
        raw = bare_parts(shop, max(1, round(batch)), max(1, round(tickets)))
    alone = raw.pop("alone")
    slowest = min(raw, key=raw.get)
    met = finished / raw[slowest] >= RAW_AT_LEAST and finished / alone >= ALONE_AT_LEAST
    print(f"    sluice {finished:10,.0f} orders/s finished, {yes:,.0f} yes/s; {tickets:.0f} tickets a message, "
          f"{batch:.0f} orders a commit")
    for name, rate in raw.items():
        print(f"    {name:21} {rate:10,.0f} /s: {finished / rate:.2f}" +
              (f" (target {RAW_AT_LEAST}: it is the slowest)" if name == slowest else ""))
    print(f"    {'one transaction each':21} {alone:10,.0f} /s: {finished / alone:.1f} (target {ALONE_AT_LEAST})")
    print(f"    {load.verdict(met)}")
    return {"runs_of_sluice": done, "finished_per_second": finished, "yes_per_second": yes, "batch": batch,
            "tickets_in_a_message": tickets, "raw_per_second": raw, "slowest": slowest,
            "raw_ratio": finished / raw[slowest], "raw_at_least": RAW_AT_LEAST, "alone_per_second": alone,
            "alone_ratio": finished / alone, "alone_at_least": ALONE_AT_LEAST, "met": met}


def buy_often(shop, seconds, runs):
    buy(shop, 1, FIRST_GUESS)
    rate, done = FIRST_GUESS, []
    for _ in range(runs):
        done.append(buy(shop, seconds, int(rate * seconds * SPARE)))
        rate = done[-1]["requests_per_second"]
    return done


def buy(shop, seconds, count):
    """A run in which every request is another buyer's purchase, until all of them are orders. A node that says `busy`
    has taken nothing; whoever is told so does not ask again here."""
    sale = broker_shop.open_sale(shop, stock=10**8)
    tokens = shop.minted(count)
    paths = broker_shop.addresses(shop, sale, tokens)
    file = purchases.write_requests(shop, tokens, paths)
    commits, messages = raw_ledger.commits(shop), broker_shop.metric(shop, "sluice_broker_confirmed_total")
    began = time.monotonic()
    run = load.run(shop.server.url, shop.server.process.pid, seconds, load.PREPARED, file, refused=None)
    if run.requests > count:
        raise SystemExit(f"{count} buyers were too few for {run.requests} requests; run it again for longer")
    yes = run.requests - run.refused
    sold = broker_shop.wait_until_decided(shop, sale, yes)
    took = time.monotonic() - began
    if sold > yes + load.CONNECTIONS:
        raise SystemExit(f"{yes} were told yes, {sold} were sold")
    messages = broker_shop.metric(shop, "sluice_broker_confirmed_total") - messages
    return asdict(run) | {"yes": yes / seconds, "finished": sold / took,
                          "batch": sold / max(1, raw_ledger.commits(shop) - commits),
                          "tickets": sold / max(1, messages)}


def bare_parts(shop, batch, tickets):
    """In a second, each with nothing of ours in the way, while the shop has nothing to do."""
    bulk, alone = mariadb_durable.bare(shop.cluster.mariadb, batch)
    claims = said("redis_bench", 50_000, 64, 3)
    broker = said("rabbitmq_bench", shop.cluster.broker.nodes[0].port, max(500, 100_000 // tickets), tickets * TICKET_BYTES)
    return {"bare script in Redis": float(re.search(r"bare script.*: (\d+) claims", claims)[1]),
            "RabbitMQ, confirmed": float(re.search(r"publish (\d+)", broker)[1]) * tickets,
            "RabbitMQ, taken": float(re.search(r"consume (\d+)", broker)[1]) * tickets,
            "MariaDB in bulk": bulk, "alone": alone}


def said(program, *arguments):
    found = next(BINARY.parent.rglob(program))
    return subprocess.run([found, *map(str, arguments)], capture_output=True, text=True, check=True).stdout
