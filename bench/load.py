"""Load by wrk, and what it cost the server."""

import os
import re
import statistics
import subprocess
from dataclasses import dataclass
from pathlib import Path

import machine

CONNECTIONS = 64
PREPARED = Path(__file__).with_name("prepared.lua")


@dataclass
class Run:
    requests_per_second: float
    cpu_us_per_request: float
    p99_ms: float
    requests: int
    refused: int = 0


def run(url, server_pid, seconds, *script, refused=False):
    """`script`: what wrk is to send instead of GETs, and its arguments. `refused`: every answer
    must be one of 4xx or 5xx; None: any may be; else none may be."""
    cores = machine.cores_for()[1]
    lua = ["-s", script[0]] if script else []
    before = machine.cpu_seconds(server_pid)
    done = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", *lua, url,
                           *(["--", *script[1:]] if script else [])],
                          capture_output=True, text=True, check=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, cores))
    cpu = machine.cpu_seconds(server_pid) - before
    requests = int(re.search(r"(\d+) requests in", done.stdout)[1])
    no = int(machine.first(r"Non-2xx or 3xx responses: (\d+)", done.stdout) or 0)
    expected = {True: requests, False: 0, None: no}[refused]
    if "Socket errors" in done.stdout or no != expected:
        raise SystemExit(f"not every answer was as it should be:\n{done.stdout}{done.stderr}")
    return Run(requests_per_second=float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]),
               cpu_us_per_request=cpu / requests * 1e6,
               p99_ms=milliseconds(re.search(r"^ +99%\s+(\S+)", done.stdout, re.M)[1]),
               requests=requests, refused=no)


def milliseconds(text):
    match = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text)
    if not match:
        raise SystemExit(f"wrk says {text}")
    number, unit = match.groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}[unit]


def interleaved(sides, seconds, runs):
    """{side: median of its runs}, the sides taking turns so that both see the same weather.

    `sides` is {name: a function of the seconds to run, that returns a Run}."""
    for side in sides.values():
        side(1)
    results = {name: [] for name in sides}
    for _ in range(runs):
        for name, side in sides.items():
            results[name].append(side(seconds))
    return {name: median(each) for name, each in results.items()}


def median(results):
    return Run(*(statistics.median(getattr(each, name) for each in results)
                 for name in Run.__dataclass_fields__))


def show(results):
    for side, result in results.items():
        print(f"    {side:7}{result.requests_per_second:10,.0f} req/s"
              f"{result.cpu_us_per_request:8.2f} us CPU each   p99 {result.p99_ms:.2f} ms")


def verdict(met):
    return "met" if met else "MISSED"
