"""Growth: the cost of a refusal and of a purchase with a million buyers and with a thousand sales.

Those who are there before a run have each bought in an earlier sale; the run is made by others."""

import load
import purchases

AT_MOST = 1.2
FEW, MANY = 1_000, 1_000_000
SALES = 1_000
CHUNK = 100_000  # buyers whose passes are asked for and used before they expire


def measure(seconds, runs):
    cases = {"1 k buyers, 1 sale": (FEW, 1), "1 M buyers, 1 sale": (MANY, 1), "1 k buyers, 1,000 sales": (FEW, SALES)}
    results = {name: costs(*case, seconds, runs) for name, case in cases.items()}
    base = results[next(iter(cases))]
    for name, cost in results.items():
        cost["refusal_ratio"] = cost["refusal_us"] / base["refusal_us"]
        cost["purchase_ratio"] = cost["purchase_us"] / base["purchase_us"]
        cost["met"] = max(cost["refusal_ratio"], cost["purchase_ratio"]) <= AT_MOST
        print(f"    {name:24} refusal {cost['refusal_us']:6.2f} us CPU ({cost['refusal_ratio']:.2f}), "
              f"purchase {cost['purchase_us']:6.2f} us CPU ({cost['purchase_ratio']:.2f}), "
              f"target {AT_MOST}: {load.verdict(cost['met'])}")
    return {"cases": results, "at_most": AT_MOST, "met": all(cost["met"] for cost in results.values())}


def costs(buyers, sales, seconds, runs):
    with purchases.shop_on_disk(pinned=False) as shop:
        populate(shop, purchases.open_sale(shop), buyers)
        to_buy_in = open_sales(shop, sales)
        purchase = [run(shop, to_buy_in, 1) for _ in range(runs)]
        refusal = [run(shop, open_sales(shop, sales), seconds, refused=True) for _ in range(runs)]
        purchases.audit(shop)
    return {"purchase_us": load.median(purchase).cpu_us_per_request,
            "refusal_us": load.median(refusal).cpu_us_per_request}


def open_sales(shop, count):
    item = shop.item()["id"]
    return [purchases.open_sale(shop, item) for _ in range(count)]


def populate(shop, sale, buyers):
    """But for the few whose purchase was under way when a run ended."""
    for begin in range(0, buyers, CHUNK):
        tokens, paths = prepare(shop, [sale], min(CHUNK, buyers - begin))
        before, sold = shop.stock(sale)["held"], 0
        while sold < len(tokens) - load.CONNECTIONS:
            file = purchases.write_requests(shop, tokens[sold:], paths[sold:])
            load.run(shop.server.url, shop.server.process.pid, 2, load.PREPARED, file)
            sold = shop.stock(sale)["held"] - before


def run(shop, sales, seconds, refused=False):
    file = purchases.write_requests(shop, *prepare(shop, sales, CHUNK))
    if refused:
        for sale in sales:
            purchases.sell_out(shop, sale)
    done = load.run(shop.server.url, shop.server.process.pid, seconds, load.PREPARED, file, refused=refused)
    if not refused and done.requests > CHUNK:
        raise SystemExit(f"{CHUNK} buyers were too few for {done.requests} requests")
    return done


def prepare(shop, sales, count):
    """(tokens, where each buys), the sales in turn."""
    tokens = purchases.mint(shop, count)
    return tokens, purchases.addresses(shop, [(token, sales[i % len(sales)]) for i, token in enumerate(tokens)])
