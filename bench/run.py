#!/usr/bin/python3
"""Measures Sluice against its targets, side by side with what sets the limit on this machine."""

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The measurements start and fill a server just as the integration tests do.
sys.path.insert(0, str(ROOT / "tests/integration"))

import machine  # noqa: E402
import mariadb_durable  # noqa: E402
import p1_refusals  # noqa: E402
import p10_spike  # noqa: E402
import p2_durable  # noqa: E402
import p3_broker  # noqa: E402
import p4_reads  # noqa: E402
import p5_latency  # noqa: E402
import p6_memory  # noqa: E402
import p7_growth  # noqa: E402
import p8_start  # noqa: E402
import p9_nodes  # noqa: E402

TARGETS = {"p1": p1_refusals, "p2": p2_durable, "p3": p3_broker, "p4": p4_reads, "p5": p5_latency, "p6": p6_memory, "p7": p7_growth,
           "p8": p8_start, "p9": p9_nodes, "p10": p10_spike, "mariadb": mariadb_durable}


def main():
    options = parse_arguments()
    here = machine.describe(ROOT)
    print(f"{here['cpu']}, {here['cores']} cores, {here['memory_gib']} GiB, Linux {here['kernel']}")
    print(f"{here['nginx']}, {here['wrk']}, sluice at {here['revision']}\n")
    output = ROOT / "build/bench"
    output.mkdir(parents=True, exist_ok=True)
    for name in options.only or TARGETS:
        target = TARGETS[name]
        print(f"{name.upper()}: {target.__doc__.splitlines()[0]}")
        result = target.measure(options.seconds, options.runs)
        result |= {"target": name, "machine": here, "seconds": options.seconds, "runs": options.runs,
                   "command": " ".join(["bench/run.py", *sys.argv[1:]])}
        file = output / f"{name}.json"
        file.write_text(json.dumps(result, indent=2) + "\n")
        print(f"-> {file.relative_to(ROOT)}\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", action="append", choices=TARGETS, help="measure only this target")
    parser.add_argument("--seconds", type=int, default=5, help="length of one run (default: 5)")
    parser.add_argument("--runs", type=int, default=3, help="runs on each side, of which the median "
                        "counts (default: 3)")
    options = parser.parse_args()
    if options.seconds < 1 or options.runs < 1:
        parser.error("a measurement needs at least one run of one second")
    return options


if __name__ == "__main__":
    main()
