"""What strangers can send endlessly costs little: empty frames, forged events, invented bills, many networks."""

import json
import re
import time

import pytest

from client import Client
from process import eventually
from provider import sign
from shop import new_phone
from stream import PING, PONG, Stream, frame

ON = {"SLUICE_LIMITS_ENABLED": "true"}
BEHIND_A_PROXY = {**ON, "SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"}


def cpu_seconds(server):
    fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def test_empty_continuations_end_the_stream(shared):
    """Beast skips them silently: no message, no ping, no end."""
    [token] = shared.minted(1)
    before = cpu_seconds(shared.server)
    with Stream(shared.server.port, token) as stream:
        stream.wire.send(frame("", final=False))
        empty = frame("", opcode=0, final=False) * 10_000
        deadline = time.monotonic() + 10
        sent = 0
        while stream.wire.try_send(empty):
            sent += len(empty)
            assert time.monotonic() < deadline and sent < 50_000_000, "it listens without end"
    assert cpu_seconds(shared.server) - before < 2
    eventually(lambda: re.search(r'sluice_streams_ended_total{reason="rate_limited"} [1-9]',
                                 shared.visitor.get("/metrics", api=False).raw.decode()), what="the reason")


def test_a_talkative_but_honest_stream_goes_on(shared):
    sale = shared.sale()["id"]
    [token] = shared.minted(1)
    with Stream(shared.server.port, token) as stream:
        whole = json.dumps({"watch": [sale]})
        for _ in range(20):
            for piece in (frame(whole[:5], final=False), frame("", opcode=0, final=False), frame(whole[5:], opcode=0)):
                stream.wire.send(piece)
            time.sleep(0.12)  # ten messages a second are allowed
        stream.wire.send(frame(b"here?", PING))
        while stream.read_frame() != (PONG, b"here?"):
            pass


def forge(shop, address, signature="t=1,v1=" + "00" * 32):
    return shop.visitor.post("/webhooks/payments/sandbox", {"id": "x"},
                             headers={"Sluice-Signature": signature, "X-Forwarded-For": address}).status


def test_forged_events_are_metered_by_network(start_shop):
    shop = start_shop(env=BEHIND_A_PROXY)
    answers = [forge(shop, "203.0.113.66") for _ in range(300)]
    assert answers[:30] == [403] * 30 and answers.count(403) < 40 and set(answers) == {403, 429}
    body = json.dumps({"id": "x", "type": "something.else"}).encode()
    told = shop.visitor.post("/webhooks/payments/sandbox", data=body,
                             headers={"Sluice-Signature": sign(body), "X-Forwarded-For": "198.51.100.7"})
    assert (told.status, told.body["outcome"]) == (200, "ignored"), "the provider is not kept out"
    lines = shop.server.log().count("webhook.refused")
    assert 1 <= lines <= 40, "a flood writes few lines"


def test_forged_events_from_all_of_a_48_are_metered_together(start_shop):
    shop = start_shop(env=BEHIND_A_PROXY)
    answers = [forge(shop, f"2001:db8:0:{i:x}::1") for i in range(300)]
    assert answers[:200] == [403] * 200 and 429 in answers
    assert forge(shop, "2001:db8:1::1") == 403, "another /48"


def test_an_ipv6_site_is_one_crowd_and_its_neighbours_are_not(start_shop):
    shop = start_shop(env={**BEHIND_A_PROXY, "SLUICE_LIMITS_READING_PER_MINUTE": "1", "SLUICE_LIMITS_READING_BURST": "2",
                           "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "1"})
    ask = lambda address: shop.visitor.get("/time", headers={"X-Forwarded-For": address})
    answers = [ask(f"2001:db8:0:{i:x}::1") for i in range(40)]
    assert [answer.status for answer in answers[:16]] == [200] * 16, "eight households' worth"
    refused = [answer for answer in answers if answer.status == 429]
    assert len(refused) >= 20 and '"site"' in refused[0].headers["RateLimit-Policy"]
    assert ask("2001:db8:1::1").status == 200


def test_made_up_bills_cost_no_ledger_read(start_shop):
    shop = start_shop()
    client = Client(shop.server.port)
    reads = lambda: int(re.search(r"^sluice_ledger_reads_total (\d+)",
                                  client.get("/metrics", api=False).raw.decode(), re.M)[1])
    before = reads()
    for i in range(200):
        name = f"{i:040d}"
        assert client.get(f"/sandbox/bills/{name}", api=False).status == 404
        assert client.get(f"/sandbox/pay/{name}", api=False).status == 404
        assert client.post(f"/sandbox/bills/{name}", {"button": "succeed"}, api=False).status == 404
    assert reads() - before < 100, "workers read now and then"
    client.close()


@pytest.mark.parametrize("name", ["", "x", "A" * 40, "=" * 40, "A" * 5000, "%00", "..%2f"])
def test_a_bill_that_is_none(shared, name):
    assert shared.visitor.get(f"/sandbox/bills/{name}", api=False).status == 404


def test_a_password_is_not_in_the_receipt(shared):
    """The digest of a registration is the same with another password, so no password can be tried on the digest."""
    key = {"Idempotency-Key": f"register-{new_phone()}"}
    person = {"phone": new_phone(), "password": "correct horse battery", "name": "Li"}
    first = shared.visitor.post("/users", person, headers=key)
    assert first.status == 201
    again = shared.visitor.post("/users", {**person, "password": "another password"}, headers=key)
    assert (again.status, again.headers["Idempotency-Replayed"], again.body) == (201, "true", first.body)
    login = lambda password: shared.visitor.post("/sessions", {"phone": person["phone"], "password": password}).status
    assert login("correct horse battery") == 201 and login("another password") == 401
    other = shared.visitor.post("/users", {**person, "name": "Wang"}, headers=key)
    assert (other.status, other.code) == (422, "idempotency_mismatch")
