"""Challenges as a client uses them: asked for, solved, answered."""

import hashlib
import itertools


def ask(buyer, sale_id, kind=None):
    return buyer.post(f"/sales/{sale_id}/challenges", kind and {"kind": kind})


def challenge(buyer, sale_id, kind=None):
    answer = ask(buyer, sale_id, kind)
    assert answer.status == 201, answer.body
    return answer.body


def zero_bits(prefix, answer):
    digest = hashlib.sha256((prefix + answer).encode()).digest()
    return 256 - int.from_bytes(digest, "big").bit_length()


def solve(given):
    """The answer to a proof of work."""
    start = hashlib.sha256(given["prefix"].encode())
    limit = 1 << (256 - given["bits"])
    for number in itertools.count():
        attempt = start.copy()
        attempt.update(str(number).encode())
        if int.from_bytes(attempt.digest(), "big") < limit:
            return str(number)


def fail(given):
    """An answer that solves nothing."""
    return next(str(n) for n in itertools.count() if zero_bits(given["prefix"], str(n)) < given["bits"])


def answer(buyer, sale_id, given, text):
    return buyer.post(f"/sales/{sale_id}/passes",
                      {"challenge_id": given["challenge_id"], "answer": text})
