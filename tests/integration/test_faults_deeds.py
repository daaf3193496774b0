"""Fault 29: an operator's deed counts from its commit. However late that comes, the audit stays green."""

import time

import pytest

from client import in_parallel
from instants import from_now
from ledger_lock import Later, backlog, held_ledger
from process import eventually
from test_limits import metric


def writes_waiting(shop):
    return metric(shop, "sluice_ledger_waiting_writes")


DEEDS = {  # what is sent, and what comes of it when the ledger gets to it seconds later
    "pause": (lambda operator, path: operator.post(f"{path}/pause"), 200),
    "end": (lambda operator, path: operator.post(f"{path}/end"), 200),
    "an end that is near": (lambda operator, path: operator.put(path, {"ends_at": from_now(seconds=1)}), 422),
    "restock": (lambda operator, path: operator.post(f"{path}/restock", {"delta": 5}), 200),
}


@pytest.mark.sqlite_ledger  # on MariaDB a deed that waits so long is told 503
@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_whose_commit_comes_late(shop, name):
    send, status = DEEDS[name]
    sale = shop.sale(stock=20)["id"]
    early, *late = shop.buyers(6)
    passes = {buyer: shop.pass_for(buyer, sale) for buyer in (early, *late)}
    buy = lambda buyer: Later(lambda: shop.buy(buyer, sale, pass_=passes[buyer]))
    operator = shop.client(shop.operator.token)

    with held_ledger(shop):
        bought = [buy(early)]  # its transaction is what the writer waits to begin
        eventually(lambda: backlog(shop) == 1, what="the first claim")
        deed = Later(lambda: send(operator, f"/admin/sales/{sale}"))
        eventually(lambda: writes_waiting(shop) >= 1, what="the deed waits")
        asked = time.monotonic()
        # More than the two seconds that the audit once gave a deed to take effect.
        eventually(lambda: time.monotonic() > asked + 2.1)
        bought += [buy(buyer) for buyer in late]
        eventually(lambda: backlog(shop) == 6, what="claims after the request")

    assert [each.answer().status for each in bought] == [201] * 6, "they were written before the deed"
    assert deed.answer().status == status, deed.answer().body
    shop.audit()


def test_a_pause_and_resume_under_load_leave_the_audit_green(shop):
    sale = shop.sale(stock=400, gate_factor=100)["id"]
    buyers = shop.buyers(120)

    def steer():
        for _ in range(6):
            for what in ("pause", "resume"):
                assert shop.operator.post(f"/admin/sales/{sale}/{what}").status == 200

    def buy(buyer):
        answer = buyer.post(f"/sales/{sale}/passes")
        if answer.status == 201:
            answer = shop.buy(buyer, sale, pass_=answer.body["pass"])
        return answer.status, answer.code

    answers = in_parallel([steer, *(lambda buyer=buyer: buy(buyer) for buyer in buyers)])[1:]
    assert set(answers) <= {(201, None), (503, "paused"), (503, "busy")}, set(answers)
    shop.audit()
