"""Tickets that cannot be written are parked: shown to operators, who send them again or refuse them."""

import base64
import re
import struct
import time

import pytest

from crowd import Buyer
from ledger import change, look, open_ledger
from process import eventually, run
from shop import metric, open_shop

PARKED_WITHIN = 60


@pytest.fixture
def planted(tmp_path):
    """A shop that is killed in the end: its log has an internal error, and should."""
    shop = open_shop(tmp_path)
    yield shop
    shop.kill()


def parked(shop):
    answer = shop.operator.get("/admin/parked-tickets")
    assert answer.status == 200, answer.body
    return answer.body["parked_tickets"]


def prepare(shop, sale, mark=b"prepared by hand"):
    """A ticket whose buyer was told that it is queued, and whose order nobody can write."""
    buyer = Buyer(*shop.minted(1))
    with open_ledger(shop.server.data) as ledger:
        name = ledger.value("SELECT max(id) FROM users")
        ledger.refuse("planted", "orders", f"NEW.buyer_id = {name}")
        with ledger.held():
            ledger.change("INSERT INTO holdings (sale_id, buyer_id, units, latest) VALUES (?1, ?2, 0, ?3)",
                          int(sale), name, mark)
            ledger.change("INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, pass, claimed_at) "
                          "VALUES (?1, ?2, ?3, 1, 1, 1, ?3, ?4)", name, int(sale), mark, round(time.time() * 1000))
    ticket = base64.urlsafe_b64encode(struct.pack(">q", int(sale)) + mark).decode()
    eventually(lambda: parked(shop), seconds=PARKED_WITHIN, what="it is parked")
    return shop.client(buyer.token), str(name), ticket


def deeds(shop):
    return [(deed["action"], deed["subject"]) for deed in shop.operator.get("/admin/audit-trail").body["entries"]
            if deed["action"].startswith("parked_ticket")]


def audit(shop, code=0):
    done = run("audit", "--data", shop.server.data)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


def test_a_ticket_is_sent_again_when_it_can_be_written(planted):
    shop = planted
    sale = shop.sale(stock=4)["id"]
    buyer, name, ticket = prepare(shop, sale)
    [shown] = parked(shop)
    assert (shown["ticket"], shown["sale_id"], shown["buyer_id"], shown["quantity"], shown["tries"]) == (
        ticket, sale, name, 1, 1)
    assert "planted" in shown["reason"], shown
    queue = shop.operator.get("/admin/queue").body
    assert (queue["kind"], queue["connected"], queue["prepared"], queue["parked"], queue["messages"]) == (
        "none", False, 1, 1, 0)
    eventually(lambda: metric(shop, "sluice_tickets_parked") == 1 == metric(shop, "sluice_tickets_prepared"))
    assert "1 prepared tickets, 1 parked" in audit(shop), "it is accounted for"

    retry = f"/admin/parked-tickets/{ticket}/retry"
    answer = shop.operator.post(retry)
    assert (answer.status, answer.code) == (409, "conflict"), answer.body
    assert parked(shop)[0]["tries"] == 2 and deeds(shop) == []
    assert metric(shop, "sluice_tickets_failed_total") == 1, "no writer takes it again"

    change(shop, "DROP TRIGGER planted")
    answer = shop.operator.post(retry)
    assert (answer.status, answer.body["state"]) == (200, "ordered"), answer.body
    [order] = buyer.get("/orders").body["orders"]
    assert order["id"] == answer.body["order_id"]
    assert parked(shop) == [] and deeds(shop) == [("parked_ticket.retry", ticket)]
    assert shop.operator.post(retry).body == answer.body, "once more, and the same"
    refused = shop.operator.post(f"/admin/parked-tickets/{ticket}/refuse")
    assert (refused.status, refused.code) == (409, "conflict"), "it is an order by now"
    assert len(deeds(shop)) == 1
    assert shop.stock(sale) == {"total": 4, "left": 3, "held": 1, "sold": 0}
    assert "0 prepared tickets, 0 parked" in audit(shop)


def test_a_ticket_is_refused_and_its_buyer_is_told(planted):
    shop = planted
    sale = shop.sale(stock=4)["id"]
    buyer, _, ticket = prepare(shop, sale)
    refuse = f"/admin/parked-tickets/{ticket}/refuse"
    answer = shop.operator.post(refuse)
    assert answer.status == 200, answer.body
    assert (answer.body["state"], answer.body["reason"]) == ("refused", "conflict")
    assert parked(shop) == [] and deeds(shop) == [("parked_ticket.refuse", ticket)]
    change(shop, "DROP TRIGGER planted")
    for again in (refuse, f"/admin/parked-tickets/{ticket}/retry"):
        assert shop.operator.post(again).body == answer.body, "what is decided stands"
    assert len(deeds(shop)) == 1
    assert shop.stock(sale) == {"total": 4, "left": 4, "held": 0, "sold": 0}
    audit(shop)
    # The hot copy knows of a row that was written behind its back after a start.
    shop.restart_after_kill()
    told = shop.client(buyer.token).get(f"/tickets/{ticket}").body
    assert (told["state"], told["reason"]) == ("refused", "conflict")


def test_a_ticket_that_is_decided_on_another_way_is_taken_off(planted):
    shop = planted
    sale = shop.sale(stock=4)["id"]
    _, _, ticket = prepare(shop, sale)
    with open_ledger(shop.server.data) as ledger:
        ledger.change("DROP TRIGGER planted")
        ledger.change("UPDATE journal SET state = 3, reason = 'busy'")
    eventually(lambda: parked(shop) == [], seconds=PARKED_WITHIN, what="it is taken off")
    assert shop.operator.post(f"/admin/parked-tickets/{ticket}/retry").body["reason"] == "busy"
    assert deeds(shop) == [], "nobody has done it"


def test_the_audit_finds_a_parked_ticket_that_is_decided(planted):
    shop = planted
    sale = shop.sale(stock=4)["id"]
    buyer = Buyer(*shop.minted(1))
    shop.bought(shop.client(buyer.token), sale)
    shop.kill()
    assert "I3" in audit(shop)
    with open_ledger(shop.server.data) as ledger:
        ledger.change("INSERT INTO parked_tickets (sale_id, mark, buyer_id, quantity, epoch, pass, claimed_at, reason, "
                      "parked_at, tried_at, tries) SELECT sale_id, mark, buyer_id, 1, 1, mark, 1, 'planted', 1, 1, 1 FROM journal")
        [[mark]] = ledger.rows("SELECT mark FROM journal")
        ledger.change("UPDATE orders SET created_at = created_at - 600000")
    ticket = base64.urlsafe_b64encode(struct.pack(">q", int(sale)) + mark).decode()
    found = audit(shop, code=1)
    assert re.search(rf"^VIOLATED +I3 answers +ticket {ticket} .* is parked, and decided", found, re.M), found


def test_requests_that_make_no_sense(shared):
    for ticket in ("A" * 32, "x", "A" * 31 + "!", "A" * 400):
        for deed in ("retry", "refuse"):
            answer = shared.operator.post(f"/admin/parked-tickets/{ticket}/{deed}")
            assert (answer.status, answer.code) == (404, "not_found"), answer.body
    for query in ("?cursor=7", "?limit=0", "?limit=101"):
        answer = shared.operator.get("/admin/parked-tickets" + query)
        assert (answer.status, answer.code) == (422, "invalid"), answer.body


def test_the_list_has_pages(planted):
    shop = planted
    sale = int(shop.sale(stock=4)["id"])
    with open_ledger(shop.server.data) as ledger:
        buyer = ledger.value("SELECT max(id) FROM users")
        for number in range(5):
            ledger.change("INSERT INTO parked_tickets (sale_id, mark, buyer_id, quantity, epoch, pass, claimed_at, reason, "
                          "parked_at, tried_at, tries) VALUES (?1, ?2, ?3, 1, 1, ?2, 1, 'planted', ?4, ?4, 1)",
                          sale, bytes([number]) * 16, buyer, 1_000 - number // 2)
    seen, cursor = [], ""
    for _ in range(3):
        page = shop.operator.get(f"/admin/parked-tickets?limit=2{cursor}").body
        seen += [each["ticket"] for each in page["parked_tickets"]]
        cursor = f"&cursor={page['next_cursor']}"
    assert page["next_cursor"] is None
    assert seen == [each["ticket"] for each in parked(shop)] and len(set(seen)) == 5
    assert look(shop, "SELECT count(*) FROM parked_tickets WHERE decided = 0") == [(5,)]
