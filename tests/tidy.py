#!/usr/bin/env python3
"""Runs clang-tidy over src/, many files at a time.

Most of the time goes into the headers that every file includes. So the files of a folder are read in batches, each as one
translation unit that includes them, and the headers once. Where names of two files of a batch clash, each of its files is
read alone.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATABASE = ROOT / "build/release"
FOLDER = ROOT / "build/tidy"
BATCH = 10
TIDY = ["clang-tidy-19", "--quiet", "--warnings-as-errors=*", "--checks=-bugprone-suspicious-include",
        "--extra-arg=-Wthread-safety", "--extra-arg=-Wthread-safety-beta"]
# A finding of the compiler in a batch, which may only be about two files that are in one unit.
CLASH = re.compile(r"\[clang-diagnostic-error\]|error: .*(redefinition|ambiguous)")


def compile_commands():
    entries = json.loads((DATABASE / "compile_commands.json").read_text())
    return {Path(entry["file"]): entry for entry in entries}


def batches(commands):
    listed = subprocess.run(["git", "ls-files", "src/*.cpp"], cwd=ROOT, check=True, capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.split() if not name.endswith("_test.cpp")]
    files = sorted((file for file in files if file in commands), key=lambda file: (file.parent, file))
    for folder, inside in groupby(files, key=lambda file: file.parent):
        inside = list(inside)
        for at in range(0, len(inside), BATCH):
            yield folder, at // BATCH, inside[at:at + BATCH]


def unit_of(folder, number, files, commands):
    """Writes the file that includes a batch, and gives its entry of the compilation database."""
    name = "_".join(folder.relative_to(ROOT).parts) + f"_{number}.cpp"
    unit = FOLDER / name
    unit.write_text("".join(f'#include "{file}"\n' for file in files))
    entry = commands[files[0]]
    arguments = shlex.split(entry["command"])
    arguments = [str(unit) if argument == str(files[0]) else argument for argument in arguments]
    return {"directory": entry["directory"], "file": str(unit), "arguments": arguments}


def tidy(database, files):
    return subprocess.run([*TIDY, "-p", str(database), *map(str, files)], cwd=ROOT, capture_output=True, text=True)


def judge(unit, files):
    """The findings in a batch, as text; empty if there are none."""
    together = tidy(FOLDER, [unit])
    if together.returncode == 0:
        return ""
    if not CLASH.search(together.stdout + together.stderr):
        return together.stdout
    print(f"read alone, because names clash: {', '.join(file.name for file in files)}", flush=True)
    alone = [tidy(DATABASE, [file]) for file in files]
    return "".join(each.stdout + each.stderr for each in alone if each.returncode != 0)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    commands = compile_commands()
    todo = [(unit_of(*batch, commands), batch[2]) for batch in batches(commands)]
    (FOLDER / "compile_commands.json").write_text(json.dumps([unit for unit, _ in todo]))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = list(pool.map(lambda each: judge(each[0]["file"], each[1]), todo))
    found = [text for text in findings if text]
    print("\n".join(found))
    print(f"clang-tidy: {sum(len(files) for _, files in todo)} files in {len(todo)} batches, {len(found)} with findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
