"""The export of orders: whole or known to be broken off, in bounded memory, without blocking others."""

import csv
import io
import re
import time

import pytest

from ledger import change, open_ledger
from process import eventually
from wire import Wire

MANY = 100_000  # a table that no socket buffers whole
LAST_CHUNK = b"\r\n0\r\n\r\n"
COLUMNS = ["order_id", "state", "sale_id", "item_id", "item", "buyer_id", "phone", "name", "quantity",
           "price_cents", "total_cents", "currency", "created_at", "expires_at", "paid_at", "ticket", "sale_name", "delivery",
           "carrier", "tracking_number", "contact_name", "contact_phone", "contact_address", "contact_note"]


def export(shop, query=""):
    answer = shop.operator.get(f"/admin/orders.csv{query}")
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    rows = list(csv.reader(io.StringIO(answer.raw.decode(), newline="")))
    assert rows[0] == COLUMNS
    return answer, [dict(zip(COLUMNS, row, strict=True)) for row in rows[1:]]


def add_orders(shop, sale, count):
    """As if they had been bought: expired ones, older than any other order."""
    change(shop, "INSERT INTO orders"
           " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)"
           " SELECT i, ?1, item_id, i, ?3, 1, 9900, 'CNY', 'expired', 1000, 2000, NULL"
           " FROM n JOIN sales ON sales.id = ?1", int(sale), count, bytes(16))


def request(shop, version="1.1", query="", more=""):
    return (f"GET /api/v1/admin/orders.csv{query} HTTP/{version}\r\nHost: x\r\n"
            f"Authorization: Bearer {shop.operator.token}\r\n{more}\r\n").encode()


def test_the_table(shop):
    item = shop.item(title='=HYPERLINK("http://evil.example","茶, 6 cups")')
    sale = shop.sale(item["id"], limit_per_buyer=3, name="=双十一, evening")["id"]
    user = shop.register(name="@SUM(1,2)")
    buyer = shop.client(shop.log_in(user["phone"]))
    first = shop.bought(buyer, sale)
    second = shop.bought(buyer, sale, quantity=2)
    other = shop.bought(buyer, shop.sale()["id"])

    answer, rows = export(shop, f"?sale_id={sale}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="orders-{sale}.csv"'
    assert answer.headers["Transfer-Encoding"] == "chunked" and "Content-Length" not in answer.headers
    assert [row["order_id"] for row in rows] == [second["order_id"], first["order_id"]]
    row, shown = rows[0], shop.operator.get(f"/admin/orders/{second['order_id']}").body
    assert row["item"] == "'" + item["title"] and row["name"] == "'@SUM(1,2)"
    assert row["phone"] == user["phone"], "digits behind a plus sign are no formula"
    for name in ("state", "sale_id", "buyer_id", "quantity", "price_cents", "total_cents", "currency",
                 "created_at", "expires_at", "ticket"):
        assert row[name] == str(shown[name]), name
    assert row["sale_name"] == "'" + shown["sale_name"] == "'=双十一, evening"
    assert row["paid_at"] == "" and row["item_id"] == item["id"]

    _, rows = export(shop)
    assert [row["order_id"] for row in rows] == [other["order_id"], second["order_id"], first["order_id"]]
    assert export(shop, "?state=paid")[1] == []
    assert shop.operator.get("/orders").status == 200, "the connection is good for more"


def test_pages_join_without_a_gap(shop):
    sale = shop.sale()["id"]
    for count in (500, 1_000, 1_203):  # a page, two, and a part of one
        change(shop, "DELETE FROM orders")
        add_orders(shop, sale, count)
        _, rows = export(shop)
        assert [int(row["order_id"]) for row in rows] == list(range(count, 0, -1))


def test_who_took_which_orders_is_in_the_audit_trail(shop):
    sale = shop.sale()["id"]
    export(shop, f"?sale_id={sale}&state=pending")
    export(shop)
    head = shop.operator.head("/admin/orders.csv")
    assert (head.status, head.headers["Transfer-Encoding"]) == (200, "chunked")
    assert shop.operator.get("/admin/orders.csv?state=lost").status == 422
    everything, of_sale, before = shop.operator.get("/admin/audit-trail?limit=3").body["entries"]
    assert (everything["action"], everything["subject"], everything["after"]) == ("orders.export", "all", {})
    assert of_sale["action"] == "orders.export" and of_sale["subject"] == sale
    assert of_sale["after"] == {"sale_id": sale, "state": "pending"}
    assert before["action"] == "sale.create"
    shop.audit()


def test_a_client_of_http_1_0_reads_to_the_end(shop):
    add_orders(shop, shop.sale()["id"], 1_203)
    with Wire(shop.server.port) as wire:
        wire.send(request(shop, "1.0", more="Connection: keep-alive\r\n"))
        head, _, body = wire.read_to_end().partition(b"\r\n\r\n")
    assert b"Transfer-Encoding" not in head and b"Connection: close" in head
    rows = list(csv.reader(io.StringIO(body.decode(), newline="")))
    assert len(rows) == 1_204 and rows[-1][0] == "1"


def test_pipelined_answers_keep_their_order(shop):
    add_orders(shop, shop.sale()["id"], 501)
    with Wire(shop.server.port) as wire:
        wire.send(request(shop) + request(shop, query="?state=paid", more="Connection: close\r\n"))
        whole = wire.read_to_end()
    assert whole.count(b"HTTP/1.1 200 OK") == 2 and whole.count(LAST_CHUNK) == 2
    assert whole.endswith(b"contact_note\r\n" + LAST_CHUNK)


def slow_reader(shop):
    """Has begun to read, and stops."""
    wire = Wire(shop.server.port, receive_buffer=4_096)
    wire.send(request(shop))
    assert wire.socket.recv(1_024).startswith(b"HTTP/1.1 200")
    return wire


def drain(wire):
    received, end = 0, b""
    while data := wire.socket.recv(1 << 20):
        received, end = received + len(data), (end + data)[-len(LAST_CHUNK):]
        if end == LAST_CHUNK:
            return received
    raise AssertionError("ended without its last chunk")


def test_a_slow_reader_costs_one_page_and_holds_nobody_up(shop, long):
    sale = shop.sale()["id"]
    count = 1_000_000 if long else MANY
    add_orders(shop, sale, count)
    export(shop, "?state=paid")
    before = shop.server.resident_bytes()
    with slow_reader(shop) as wire:
        buyers = shop.buyers(50)
        for buyer in buyers:
            shop.bought(buyer, shop.sale()["id"])
        with open_ledger(shop.server.data) as ledger:
            ledger.expect_no_open_read()
        assert shop.server.resident_bytes() - before < 24 << 20
        assert drain(wire) > 150 * count
    assert shop.server.resident_bytes() - before < 24 << 20


def test_whoever_goes_away_ends_it(shop):
    add_orders(shop, shop.sale()["id"], MANY)
    for _ in range(3):  # fewer are allowed at once than are left behind here
        wires = [slow_reader(shop) for _ in range(4)]
        refused = shop.operator.get("/admin/orders.csv")
        assert (refused.status, refused.code) == (503, "busy"), refused.status
        assert "exports" in refused.body["detail"]
        assert shop.operator.head("/admin/orders.csv").status == 200
        for wire in wires:
            wire.socket.close()
        eventually(lambda: shop.operator.get("/admin/orders.csv?state=paid").status == 200)


def connections(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return int(re.search(r"^sluice_http_connections (\d+)", page, re.M)[1])


def test_whoever_does_not_read_is_cut_off(start_shop):
    shop = start_shop(env={"SLUICE_HTTP_WRITE_SECONDS": "1"})
    add_orders(shop, shop.sale()["id"], MANY)
    before = connections(shop)
    with slow_reader(shop) as wire:
        assert connections(shop) == before + 1
        eventually(lambda: connections(shop) == before, what="being cut off")
        with pytest.raises((AssertionError, ConnectionResetError)):
            drain(wire)


@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_what_fails_half_way_does_not_look_whole(shop, version):
    add_orders(shop, shop.sale()["id"], MANY)
    with Wire(shop.server.port, receive_buffer=4_096) as wire:
        wire.send(request(shop, version))
        assert wire.socket.recv(1_024)
        change(shop, "ALTER TABLE users RENAME TO gone")
        with pytest.raises(ConnectionResetError):
            drain(wire)
    assert "http.answer_broken_off" in shop.server.log()
    change(shop, "ALTER TABLE gone RENAME TO users")


def test_a_draining_server_cuts_it_off_in_time(start_shop):
    shop = start_shop(env={"SLUICE_HTTP_DRAIN_SECONDS": "1"})
    add_orders(shop, shop.sale()["id"], MANY)
    with slow_reader(shop):
        began = time.monotonic()
        shop.stop()
        assert time.monotonic() - began < 10
    shop.server.start()
