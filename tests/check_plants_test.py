#!/usr/bin/env python3
"""Gives check_plants.py programs that print what a simulation may print."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("check_plants.py")

DOCUMENT = """
| bug | within seeds | found by seed |
| --- | --- | --- |
| `gate_by_total` | 100 | 7 |
| `key_per_process` | 2,000 | 1,929 |

| line | planted as | test of the real binary |
| --- | --- | --- |
| 9 a new key buys again | `key_per_process` | `tests/a.py` |

| sentence | left out | within seeds | found by seed |
| --- | --- | --- | --- |
| 9 | `fill_on_any_run` | 1,000 | not found |
| 12 | `epoch_by_count` | 1,000 | 582 |
"""
ONE_NODE = """\
gate_by_total            within 100   by seed 7: more was sold
key_per_process          within 2000  by seed 1929: `x` | 3 |
"""
CLUSTER = """\
 9 fill_on_any_run        within 1000   not found, an early alarm
12 epoch_by_count         within 1000   by seed 582: units are lost
"""


class CheckPlants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.document = self.root / "simulation.md"
        self.document.write_text(DOCUMENT)

    def run_on(self, printed, code=0):
        program = self.root / "program"
        program.write_text(f"#!{sys.executable}\nimport sys\nassert sys.argv[1:] == ['--plants']\n"
                           f"print({printed!r}, end='')\nsys.exit({code})\n")
        program.chmod(0o755)
        run = subprocess.run([sys.executable, SCRIPT, program, self.document], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertTrue(run.stdout.startswith(printed), "what the program prints is passed on")
        return run.returncode, run.stdout[len(printed):].splitlines()

    def test_a_table_that_is_right(self):
        self.assertEqual(self.run_on(ONE_NODE), (0, []))
        self.assertEqual(self.run_on(CLUSTER), (0, []))

    def test_a_program_that_fails(self):
        self.assertEqual(self.run_on(CLUSTER, 1), (1, []))
        self.assertEqual(self.run_on("what?\n"), (1, ["simulation.md: the simulation has named no plant"]))

    def test_another_seed(self):
        code, said = self.run_on(CLUSTER.replace("582", "583"))
        self.assertEqual((code, said), (1, [
            "simulation.md: epoch_by_count: the simulation says sentence 12, within 1000, by seed 583, "
            "the table sentence 12, within 1000, by seed 582"]))

    def test_another_number_of_seeds_or_sentence(self):
        self.assertEqual(self.run_on(ONE_NODE.replace("within 100 ", "within 200 "))[0], 1)
        self.assertEqual(self.run_on(CLUSTER.replace("12 epoch", "13 epoch"))[0], 1)

    def test_found_or_not(self):
        self.assertEqual(self.run_on(CLUSTER.replace("not found, an early alarm", "by seed 4: late"))[0], 1)
        self.assertEqual(self.run_on(CLUSTER.replace("by seed 582: units are lost", "NOT FOUND"), 1)[0], 1)

    def test_rows_that_only_one_has(self):
        code, said = self.run_on(ONE_NODE.splitlines(True)[0])
        self.assertEqual((code, said), (1, [
            "simulation.md: key_per_process: the simulation says nothing, the table within 2000, by seed 1929"]))
        self.assertEqual(self.run_on(ONE_NODE + "limiter_forgets          within 100   by seed 3: x\n")[1], [
            "simulation.md: limiter_forgets: the simulation says within 100, by seed 3, the table nothing"])


if __name__ == "__main__":
    unittest.main()
