"""Load by wrk, and what it cost the server."""

import os
import re
import statistics
import subprocess
from dataclasses import dataclass

import machine

CONNECTIONS = 64


@dataclass
class Run:
    requests_per_second: float
    cpu_us_per_request: float
    p99_ms: float


def run(url, server_pid, seconds):
    cores = machine.cores_for()[1]
    before = machine.cpu_seconds(server_pid)
    done = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", url],
                          capture_output=True, text=True, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    cpu = machine.cpu_seconds(server_pid) - before
    if re.search(r"Non-2xx|Socket errors", done.stdout):
        raise SystemExit(f"not every answer was a 200:\n{done.stdout}")
    requests = int(re.search(r"(\d+) requests in", done.stdout)[1])
    return Run(requests_per_second=float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]),
               cpu_us_per_request=cpu / requests * 1e6,
               p99_ms=milliseconds(re.search(r"99%\s+(\S+)", done.stdout)[1]))


def milliseconds(text):
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}[unit]


def interleaved(sides, seconds, runs):
    """{side: median of its runs}, the sides taking turns so that both see the same weather.

    `sides` is {name: (url, process id)}."""
    for url, pid in sides.values():
        run(url, pid, 1)
    results = {name: [] for name in sides}
    for _ in range(runs):
        for name, (url, pid) in sides.items():
            results[name].append(run(url, pid, seconds))
    return {name: median(each) for name, each in results.items()}


def median(results):
    return Run(*(statistics.median(getattr(each, name) for each in results)
                 for name in Run.__dataclass_fields__))
