"""A clock for the real binary that tests can set, by a small library that is loaded before libc."""

import os
import struct
import subprocess
import time
from pathlib import Path

from process import eventually

SOURCE = Path(__file__).with_name("stepped_clock.c")
SECOND = 10**9
BY_FLAG, BY_BOUND = 1, 2


def compile_library(folder):
    library = Path(folder) / "stepped_clock.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


class SteppedClock:
    def __init__(self, library, folder):
        self.file = Path(folder) / "clock-shift"
        self.file.write_bytes(bytes(24))
        self.passed = 0  # by how many seconds the truth is ahead of this process's own clock
        self._wrong_by = 0
        self._uptime_shift = 24 * 3600  # a machine that has run for a while, wherever the tests run
        self._synchronised = False
        self._write()
        self.env = {"LD_PRELOAD": str(library), "STEPPED_CLOCK": str(self.file),
                    "ASAN_OPTIONS": "verify_asan_link_order=0"}

    def step(self, seconds, synchronised=False):
        """The wall clock is wrong by this much from now on; 0: it is right. The kernel confirms it or not: BY_FLAG,
        or BY_BOUND like chrony without rtcsync."""
        self._wrong_by, self._synchronised = seconds, synchronised
        self._write()

    def pretend_uptime(self, seconds):
        """The machine has just started. To be called before the server starts."""
        self._uptime_shift = seconds - self.passed - time.clock_gettime(time.CLOCK_BOOTTIME)
        self._write()

    def pass_time(self, seconds):
        """As if the machine had been suspended for that long."""
        self.passed += seconds
        self._write()

    def _write(self):
        numbers = [int((self._wrong_by + self.passed) * SECOND), int((self._uptime_shift + self.passed) * SECOND),
                   self._synchronised]
        with open(self.file, "r+b") as file:
            os.pwrite(file.fileno(), struct.pack("=qqq", *numbers), 0)


def part(shop):
    """The clock part of /readyz, which never turns it red."""
    answer = shop.visitor.get("/readyz", api=False)
    assert answer.status == 200, answer.body
    [clock] = [each for each in answer.body["parts"] if each["name"] == "clock"]
    assert clock["ready"]
    return clock["detail"]


def logged(shop, event, seconds=5):
    eventually(lambda: event in shop.server.log(), seconds, event)
