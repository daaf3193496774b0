#!/usr/bin/env python3
"""Lets a simulation look for its planted bugs, and compares what it prints with the table in docs/simulation.md.

check_plants.py PROGRAM [DOCUMENT]. Exits 1 if the program does, or if the table says anything else than the program.
"""
import re
import subprocess
import sys
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parent.parent / "docs/simulation.md"
# A plant of the simulation of one node has no number of a sentence.
PRINTED = re.compile(r" *(\d+ )?(\w+) +within +(\d+) +(?:by seed (\d+)|not found|NOT FOUND)")
ROW = re.compile(r"\| (?:(\d+) \| )?`(\w+)` \| ([\d,]+) \| (?:([\d,]+)|not found) \|$")


def number(text):
    return int(text.replace(",", "")) if text else None


def plants(pattern, lines):
    """Name -> (sentence, within, seed); None where there is none."""
    found = (pattern.match(line) for line in lines)
    return {match[2]: (number(match[1]), number(match[3]), number(match[4])) for match in found if match}


def differences(printed, written):
    """The tables of all simulations are in one document, so only rows of the same kind count."""
    has_sentences = any(sentence for sentence, _, _ in printed.values())
    written = {name: row for name, row in written.items() if bool(row[0]) == has_sentences}
    for name in sorted(printed.keys() | written.keys()):
        ours, theirs = printed.get(name), written.get(name)
        if ours != theirs:
            yield f"{name}: the simulation says {words(ours)}, the table {words(theirs)}"


def words(row):
    if row is None:
        return "nothing"
    sentence, within, seed = row
    of = f"sentence {sentence}, " if sentence else ""
    return f"{of}within {within}, {f'by seed {seed}' if seed else 'not found'}"


def main(program, document=DOCUMENT):
    lines = []
    with subprocess.Popen([program, "--plants"], stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    printed = plants(PRINTED, lines)
    wrong = list(differences(printed, plants(ROW, Path(document).read_text(encoding="utf-8").splitlines())))
    if not printed:
        wrong = ["the simulation has named no plant"]
    for each in wrong:
        print(f"{Path(document).name}: {each}")
    return 1 if run.returncode or wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
