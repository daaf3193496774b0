"""What SQLite takes when nothing else is in the way: `ledger_bench`, built beside the server."""

import re
import subprocess

from process import BINARY

DEFAULT_BATCH = 64


def batch_of(shop):
    """How many orders went into one transaction on average, as the server counted them."""
    text = shop.visitor.get("/metrics", api=False).raw.decode()
    total = {name: sum(float(value) for value in re.findall(rf"^\w*batch\w*_{name}(?:{{.*}})? (\S+)$", text, re.M))
             for name in ("sum", "count")}
    return max(1, round(total["sum"] / total["count"])) if total["count"] else DEFAULT_BATCH


def orders_per_second(batch):
    """None when it was not built."""
    program = next(BINARY.parent.rglob("ledger_bench"), None)
    if program is None:
        print("    ledger_bench is not built: no raw figure")
        return None
    done = subprocess.run([program, "--batch", str(batch)], capture_output=True, text=True, check=True)
    return float(re.search(r"([\d.]+) orders/s", done.stdout.replace(",", ""))[1])
