"""What SQLite takes when nothing else is in the way: `ledger_bench`, built beside the server."""

import math
import re
import subprocess

from process import BINARY


def commits(shop):
    text = shop.visitor.get("/metrics", api=False).raw.decode()
    return int(float(re.search(r"^sluice_ledger_commits_total (\S+)$", text, re.M)[1]))


def orders_per_second(folder, batch):
    """In transactions of so many orders; between the sizes that it measures, as the curve goes.
    None when it was not built."""
    program = next(BINARY.parent.rglob("ledger_bench"), None)
    if program is None:
        print("    ledger_bench is not built: no raw figure")
        return None
    done = subprocess.run([program, folder], capture_output=True, text=True, check=True)
    measured = [(int(size), float(rate)) for size, rate in re.findall(r"^ *(\d+) +(\d+) ", done.stdout, re.M)]
    for (small, slow), (large, fast) in zip(measured, measured[1:]):
        if batch <= large:
            share = math.log(max(batch, small) / small) / math.log(large / small)
            return slow * (fast / slow) ** share
    return measured[-1][1]
