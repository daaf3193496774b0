#!/usr/bin/env python3
"""Runs clang-tidy over src/, a folder's files by the ten, as the release build compiles them.

Most of the time goes into the headers that every file includes, and so they are read once for ten files.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "build/release"
TIDY = ["clang-tidy-19", "--quiet", "--warnings-as-errors=*", "--checks=-bugprone-suspicious-include",
        "--extra-arg=-Wthread-safety", "--extra-arg=-Wthread-safety-beta", "-p", str(DATABASE)]


def units():
    """What is compiled for the libraries and the program, not for tests and benchmarks."""
    files = [Path(entry["file"]) for entry in json.loads((DATABASE / "compile_commands.json").read_text())]
    return sorted(file for file in files if file.is_relative_to(DATABASE / "src") or file.is_relative_to(ROOT / "src"))


def judge(unit):
    """The findings in a unit, as text; empty if there are none."""
    ran = subprocess.run([*TIDY, str(unit)], cwd=ROOT, capture_output=True, text=True)
    return "" if ran.returncode == 0 else ran.stdout + ran.stderr


def main():
    todo = [unit for unit in units() if not unit.name.endswith("_test.cpp")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(judge, todo) if text]
    print("\n".join(found))
    print(f"clang-tidy: {len(todo)} units, {len(found)} with findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
