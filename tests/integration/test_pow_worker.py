"""The page's worker finds answers that the server accepts."""

import json
import shutil
import subprocess

import pytest

from challenges import answer, challenge, zero_bits
from process import ROOT

WORKER = ROOT / "web/storefront/assets/pow-worker.js"
SCRIPT = """
import { prepare, search, answer_of } from "./worker.mjs";
const { prefixes, bits } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(prefixes.map((prefix) => {
  const job = prepare(prefix);
  return answer_of(job, search(job, bits, 0, 2 ** 24));
})));
"""


@pytest.fixture
def solve(tmp_path):
    if not shutil.which("node"):
        pytest.skip("node is not installed")
    shutil.copy(WORKER, tmp_path / "worker.mjs")
    (tmp_path / "solve.mjs").write_text(SCRIPT)

    def run(prefixes, bits):
        task = json.dumps({"prefixes": prefixes, "bits": bits})
        done = subprocess.run(["node", tmp_path / "solve.mjs", task], capture_output=True, text=True,
                              timeout=60)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def test_its_hash_is_sha_256_for_a_prefix_of_any_length(solve):
    prefixes = [("é" if length % 7 == 3 else "") + "x" * length for length in range(140)]
    for prefix, found in zip(prefixes, solve(prefixes, 9)):
        assert zero_bits(prefix, found) >= 9, prefix
        earlier = [found[:-8] + f"{n:08x}" for n in range(int(found[-8:], 16))]
        assert not any(zero_bits(prefix, text) >= 9 for text in earlier), "it passed one over"


def test_the_server_accepts_what_it_finds(shared, solve):
    sale = shared.sale(challenge="pow", challenge_bits=16)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    [found] = solve([given["prefix"]], given["bits"])
    assert len(given["prefix"] + found) <= 55, "one block of SHA-256"
    assert answer(buyer, sale, given, found).status == 201
