"""The same ledger twice, once in SQLite and once in MariaDB, with the same rows made by the same SQL."""

import hashlib
import sqlite3
from pathlib import Path

from mariadb_client import SqlError
from sql_texts import with_values

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_700_000_000_000  # what both take for the present, in milliseconds


def deed_hash(previous, deed_id, at, actor, *texts):
    """As hash_of() in src/adapters/sql/trail_chain.cpp; the last text, os_user, may be missing."""
    number = lambda value: (value or 0).to_bytes(8, "little", signed=True)
    message = previous + number(deed_id) + number(at) + number(actor)
    for text in texts:
        if text is not None:
            message += number(len(text.encode())) + text.encode()
    return hashlib.blake2b(message, digest_size=32).digest()


class SqliteLedger:
    errors = (sqlite3.Error,)

    def __init__(self):
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.let_deeds_in()
        self.connection.create_function("julianday", 1, lambda _: 2440587.5 + NOW / 86_400_000)
        self.connection.create_function("ticket_text", 2, _ticket_text)
        for file in sorted((ROOT / "schema/sqlite").glob("*.sql")):
            self.connection.executescript(file.read_text())

    def let_deeds_in(self):
        for fields in (10, 11):
            self.connection.create_function("deed_hash", fields, deed_hash, deterministic=True)

    def keep_deeds_out(self):
        """As anybody except the program sees it."""
        for fields in (10, 11):
            self.connection.create_function("deed_hash", fields, None)

    def run(self, sql, *values):
        return self.connection.execute(sql, values).rowcount

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()

    def columns_of(self, sql, *values):
        description = self.connection.execute(sql, values).description
        return len(description) if description else 0

    def tables(self):
        return {name: [column for (column,) in self.rows(f"SELECT name FROM pragma_table_info('{name}') ORDER BY cid")]
                for (name,) in self.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")}

    def close(self):
        self.connection.close()


class MariaDbLedger:
    errors = (SqlError,)

    def __init__(self, server):
        self.server = server
        self.name = server.add_database()
        self.connection = server.connect(self.name)
        self.connection.run(f"SET @sluice_now_ms = {NOW}")
        self.let_deeds_in()

    def let_deeds_in(self):
        self.connection.run("SET @sluice_program = 1")

    def keep_deeds_out(self):
        self.connection.run("SET @sluice_program = NULL")

    def run(self, sql, *values):
        try:
            return self.connection.run(with_values(sql, values))
        except SqlError as error:
            # What the program makes of a statement that adds a row only where there is none.
            if error.code == 1062 and sql.startswith("/* absent */"):
                return 0
            raise

    def rows(self, sql, *values):
        return self.connection.rows(with_values(sql, values))

    def tables(self):
        """Without the columns that SELECT * does not show."""
        found = {}
        for table, column in self.rows(
                "SELECT table_name, column_name FROM information_schema.columns "
                "WHERE table_schema = database() AND extra NOT LIKE '%INVISIBLE%' "
                "AND table_name IN (SELECT table_name FROM information_schema.tables "
                "                   WHERE table_schema = database() AND table_type = 'BASE TABLE') "
                "ORDER BY table_name, ordinal_position"):
            found.setdefault(table, []).append(column)
        return found

    def close(self):
        self.connection.close()
        self.server.remove_database(self.name)


def fill(ledger):
    """A small shop in which every table has rows and every statement something to find."""
    for sql in _rows():
        ledger.run(sql)


def mark(number):
    return bytes([number]) * 16


def digest(number):
    return bytes([number]) * 32


def _hex(data):
    return f"x'{data.hex()}'"


def _ticket_text(sale, ticket_mark):
    import base64
    return base64.urlsafe_b64encode(sale.to_bytes(8, "big") + ticket_mark).decode()


def _rows():
    for part in (_people, _settings, _sales, _pictures, _tickets, _orders, _payments, _figures, _outbox, _trail, _webhooks,
                 _changes):
        yield from part()


def _people():
    t = NOW
    yield from (f"INSERT INTO users VALUES ({row})" for row in (
        f"1, '+8613800000001', 'Ada', 'admin', 'hash-1', {t - 900}",
        f"2, '+8613800000002', 'Bo', 'buyer', 'hash-2', {t - 800}",
        f"3, '+8613800000003', 'Chloé 李', 'buyer', NULL, {t - 700}",
        f"4, '+8613800000004', 'Dee', 'operator', 'hash-4', {t - 600}"))
    yield from (f'INSERT INTO sessions VALUES ({row})' for row in (
        f"{_hex(bytes([1]) * 32)}, 1, {t + 100}, {t + 9000}, 1, '10.0.0.1'",
        f"{_hex(bytes([2]) * 32)}, 2, {t + 200}, {t + 8000}, 0, '10.0.0.2'",
        f"{_hex(bytes([3]) * 32)}, 2, {t + 300}, {t + 9500}, 0, '10.0.0.3'",
        f"{_hex(bytes([4]) * 32)}, 2, {t + 400}, {t + 9999}, 0, ''",
        f"{_hex(bytes([5]) * 32)}, 3, {t - 10}, {t + 7000}, 0, '10.0.0.5'"))
    yield from (f"INSERT INTO second_factors VALUES ({row})" for row in (
        f"1, {_hex(bytes([7]) * 60)}, 1, 5", f"4, {_hex(bytes([8]) * 60)}, 0, 0"))
    yield f"INSERT INTO recovery_codes VALUES (1, {_hex(bytes([9]) * 32)})"
    yield from (f"INSERT INTO blocks VALUES ({row})" for row in (
        f"11, '10.0.0.0/8', 'noise', NULL, {t}, 1", f"12, 'user:3', 'scalper', {t - 1}, {t - 5}, 4"))


def _settings():
    t = NOW
    yield f"INSERT INTO settings VALUES ('limits.a', 5, {t})"
    yield f"INSERT INTO settings VALUES ('Limits.b', 6, {t})"
    yield from (f"INSERT INTO receipts VALUES ({row})" for row in (
        f"'items:1', 'k', {_hex(bytes([1]) * 32)}, 'answer', {t}",
        f"'items:1', 'K', {_hex(bytes([2]) * 32)}, 'other', {t - 10}",
        f"'items:1', 'k ', {_hex(bytes([3]) * 32)}, 'third', {t - 20}"))
    yield f"INSERT INTO ticket_key VALUES (1, {_hex(bytes([6]) * 32)})"


def _sales():
    t = NOW
    yield f"INSERT INTO items VALUES (1, 'Tea', 'Green', 'http://x/y', 500, 'CNY', 1, {t}, '', '', 0)"
    yield f"INSERT INTO items VALUES (2, 'Cup', '', '', 0, 'CNY', 3, {t}, '茶', '/a.png', 1)"
    sale = ("INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused, "
            "stock_total, stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds, challenge, "
            "gate_factor, version, created_at) VALUES ")
    yield sale + f"(1, 1, 'flash', 300, 'CNY', {t - 500}, {t + 5000}, NULL, 0, 10, 5, 3, 2, 3, 60, 'none', 2, 1, {t})"
    yield sale + f"(2, 1, 'standing', 400, 'CNY', {t - 500}, NULL, NULL, 0, 4, 4, 0, 0, 9, 60, 'math', 2, 1, {t})"
    yield sale + f"(3, 2, 'flash', 1, 'CNY', {t - 900}, {t - 800}, {t - 850}, 0, 1, 1, 0, 0, 1, 60, 'pow', 2, 1, {t})"
    yield sale + f"(4, 2, 'flash', 1, 'CNY', {t - 900}, {t - 700}, NULL, 1, 1, 0, 0, 1, 1, 60, 'pow', 2, 1, {t})"


def _pictures():
    yield from (f"INSERT INTO pictures VALUES ({row})" for row in (
        f"{_hex(digest(1))}, 900, {NOW - 800}, {NOW - 100}", f"{_hex(digest(2))}, 500, {NOW - 700}, {NOW - 700}",
        f"{_hex(digest(3))}, 1, {NOW - 600}, {NOW - 100}"))
    yield from (f"INSERT INTO picture_sizes VALUES ({row})" for row in (
        f"{_hex(digest(1))}, 320, 200, x'ffd8ff00'", f"{_hex(digest(1))}, 640, 400, x'ffd8ff'",
        f"{_hex(digest(2))}, 100, 9, x'00'"))
    yield f"UPDATE items SET pictures = '/a.png\n/pictures/{digest(1).hex()}/640.jpg' WHERE id = 1"


def _tickets():
    t = NOW
    yield from (f"INSERT INTO holdings VALUES ({row})" for row in (
        f"1, 2, 3, {_hex(mark(2))}", f"1, 3, 2, {_hex(mark(6))}", f"2, 3, 0, {_hex(mark(8))}",
        f"4, 3, 1, {_hex(mark(9))}"))
    journal = ("INSERT INTO journal (buyer_id, sale_id, mark, quantity, epoch, state, reason, order_id, pass, "
               "\"key\", claimed_at, superseded, same_as) VALUES ")
    yield from (journal + f"({row})" for row in (
        f"2, 1, {_hex(mark(1))}, 1, 1, 2, NULL, 101, {_hex(mark(101))}, {_hex(mark(51))}, {t - 400}, 1, NULL",
        f"2, 1, {_hex(mark(2))}, 2, 1, 2, NULL, 102, {_hex(mark(102))}, NULL, {t - 390}, 0, NULL",
        f"3, 1, {_hex(mark(3))}, 2, 1, 2, NULL, 103, {_hex(mark(103))}, NULL, {t - 380}, 1, NULL",
        f"3, 1, {_hex(mark(4))}, 1, 1, 2, NULL, 104, {_hex(mark(104))}, NULL, {t - 600}, 1, NULL",
        f"3, 1, {_hex(mark(5))}, 1, 1, 2, NULL, 105, {_hex(mark(105))}, NULL, {t - 360}, 1, NULL",
        f"3, 1, {_hex(mark(6))}, 1, 1, 2, NULL, 106, {_hex(mark(106))}, NULL, {t - 350}, 0, NULL",
        f"3, 1, {_hex(mark(7))}, 1, 1, 3, 'busy', NULL, {_hex(mark(103))}, NULL, {t - 370}, 1, {_hex(mark(3))}",
        f"3, 2, {_hex(mark(8))}, 1, 1, 1, NULL, NULL, {_hex(mark(108))}, NULL, {t - 340}, 0, NULL",
        f"3, 4, {_hex(mark(9))}, 1, 1, 2, NULL, 107, {_hex(mark(109))}, NULL, {t - 750}, 0, NULL"))
    yield from (f"INSERT INTO parked_tickets VALUES ({row})" for row in (
        f"1, {_hex(mark(41))}, 2, 1, 1, {_hex(mark(141))}, NULL, {t - 70}, 'Bad', {t - 60}, {t - 60}, 1, 0",
        f"1, {_hex(mark(43))}, 2, 1, 1, {_hex(mark(143))}, {_hex(mark(53))}, {t - 70}, 'bad ', {t - 60}, {t - 50}, 2, 0",
        f"1, {_hex(mark(42))}, 2, 1, 1, {_hex(mark(142))}, NULL, {t - 70}, '', {t - 65}, {t - 65}, 1, 1",
        f"1, {_hex(mark(7))}, 3, 1, 1, {_hex(mark(103))}, NULL, {t - 370}, 'decided', {t - 360}, {t - 360}, 1, 0"))


def _orders():
    t = NOW
    yield from (f"INSERT INTO orders VALUES ({row})" for row in (
        f"101, 1, 1, 2, {_hex(mark(1))}, 1, 300, 'CNY', 'pending', {t - 400}, {t - 100}, NULL",
        f"102, 1, 1, 2, {_hex(mark(2))}, 2, 300, 'CNY', 'paid', {t - 390}, {t + 600}, {t - 300}",
        f"103, 1, 1, 3, {_hex(mark(3))}, 2, 300, 'CNY', 'pending', {t - 380}, {t + 700}, NULL",
        f"104, 1, 1, 3, {_hex(mark(4))}, 1, 300, 'CNY', 'expired', {t - 370}, {t - 200}, NULL",
        f"105, 1, 1, 3, {_hex(mark(5))}, 1, 300, 'CNY', 'refunded', {t - 360}, {t + 800}, {t - 310}",
        f"106, 1, 1, 3, {_hex(mark(6))}, 1, 300, 'CNY', 'cancelled', {t - 350}, {t + 900}, NULL",
        f"107, 4, 2, 3, {_hex(mark(9))}, 1, 1, 'CNY', 'paid', {t - 740}, {t + 900}, {t - 700}"))
    yield from (f"INSERT INTO buyer_lists VALUES ({row})" for row in (
        f"1, 2, 3, 2, {t}", f"3, 1, 1, 0, {t - 900}", f"4, 1, 0, 0, {t - 900}"))
    yield from (f"INSERT INTO listed_buyers VALUES ({row})" for row in (
        "1, 1, '+8613800138000', 0", "1, 1, '', 2", "1, 2, '+8613800138001', 0", "1, 2, '10003', 0", "1, 2, '', 2",
        "3, 1, '', 3"))
    yield from (f"INSERT INTO hold_networks VALUES ({row})" for row in (
        f"1, {_hex(mark(3))}, '10.0.0.3', {t - 379}", f"1, {_hex(mark(4))}, '2001:db8::/64', {t - 369}",
        f"3, {_hex(mark(5))}, '10.0.0.5', {t - 850}", f"3, {_hex(mark(6))}, '10.0.0.6', {t - 850}",
        f"4, {_hex(mark(9))}, '10.0.0.9', {t - 740}"))
    yield from (f"INSERT INTO order_deliveries VALUES ({row})" for row in (
        f"102, 1, 'shipped', '顺丰', 'SF1', {t - 250}", f"105, 1, 'preparing', '', '', {t - 305}",
        f"107, 4, 'shipped', 'DHL', '', {t - 600}"))
    yield f"INSERT INTO contacts VALUES (3, '李雷', '+86 1', 'a', '', {t})"
    yield from (f"INSERT INTO order_contacts VALUES ({row})" for row in (
        f"102, 2, 'Han', '1', 'b', '', {t}", f"105, 3, '李雷 🎁', '+86 1', 'a', 'n', {t}",
        f"107, 3, '李雷', '', '', '', {t}"))
    yield "INSERT INTO order_tallies VALUES (1, 6, 2, 1)"


def _payments():
    t = NOW
    yield from (f"INSERT INTO payments VALUES ({row})" for row in (
        f"201, 102, 'sandbox', 600, 'CNY', 'captured', 'r1', 'http://pay/1', {t - 320}",
        f"202, 103, 'sandbox', 600, 'CNY', 'pending', NULL, NULL, {t - 315}",
        f"203, 104, 'sandbox', 300, 'CNY', 'failed', 'r3', 'http://pay/3', {t - 313}",
        f"204, 105, 'sandbox', 300, 'CNY', 'refunded', 'r4', 'http://pay/4', {t - 312}",
        f"205, 107, 'bank', 1, 'CNY', 'captured', 'r5', 'http://pay/5', {t - 702}"))
    yield from (f"INSERT INTO charges VALUES ({row})" for row in (
        f"301, 201, 102, 'sandbox', 'c1', 600, 'CNY', 1, {t - 300}",
        f"302, 204, 105, 'sandbox', 'c2', 300, 'CNY', 1, {t - 310}",
        f"303, 203, 104, 'sandbox', 'c3', 300, 'CNY', 0, {t - 150}",
        f"304, 205, 107, 'bank', 'c1', 1, 'CNY', 1, {t - 700}"))
    yield from ("INSERT INTO refunds (charge_id, reason, owed_at, attempts, next_attempt_at, done_at, provider, "
                f"order_id, by_hand) VALUES ({row})" for row in (
        f"302, 'operator', {t - 250}, 1, NULL, {t - 240}, 'sandbox', 105, 0",
        f"303, 'late', {t - 150}, 2, {t - 5}, NULL, 'sandbox', 104, 0"))
    yield from (f"INSERT INTO payment_events VALUES ({row})" for row in (
        f"'sandbox', 'z', 204, 'payment.succeeded', 'captured', {t - 310}",
        f"'sandbox', 'e2', 204, 'refund.succeeded', 'refunded', {t - 240}",
        f"'sandbox', 'e1', 204, 'noise', 'noted', {t - 240}",
        f"'bank', 'z', 205, 'payment.succeeded', 'captured', {t - 700}"))
    yield from (f"INSERT INTO sandbox_bills VALUES ({row})" for row in (
        f"'b1', 201, 600, 'CNY', 1, 1, {t - 320}", f"'b2', 202, 600, 'CNY', 0, 0, {t - 310}"))
    yield from (f"INSERT INTO sandbox_letters VALUES ({row})" for row in (
        f"401, '{{}}', 1, NULL, {t - 300}", f"402, '{{\"a\":1}}', 0, {t - 3}, NULL",
        f"403, '{{}}', 0, {t + 50}, NULL"))
    yield f"INSERT INTO sandbox_refunds VALUES ('refund-302', 'c2', 300, {t - 245})"


def _figures():
    t = NOW
    yield "INSERT INTO funnel_totals VALUES (1, 0, 9, 8, 7, 6, 5, '{\"sold_out\":1}', 4, 3, 2, 0, 0, 0, 0, 0, 0)"
    yield f"INSERT INTO funnel_totals VALUES (1, 7, 1, 1, 1, 1, 1, '{{}}', 1, 1, 1, {t}, 3, 1, 2, 3, 4)"
    yield from (f"INSERT INTO stats_points VALUES ({row})" for row in (
        f"1, 1, {t - 3000}, 0, 1, 1, 1, 1, 1, '{{}}', 1, 1, 1, 10, 5, 3, 2, 0, 1, 2, 3, 4",
        f"1, 1, {t - 3000}, 7, 4, 1, 1, 1, 1, '{{}}', 1, 1, 1, 10, 5, 3, 2, 0, 1, 2, 3, 4",
        f"1, 1, {t - 2000}, 0, 2, 1, 1, 1, 1, '{{}}', 1, 1, 1, 10, 5, 3, 2, 0, 1, 2, 3, 4",
        f"60, 1, {t - 3000}, 0, 3, 1, 1, 1, 1, '{{}}', 1, 1, 1, 10, 5, 3, 2, 0, 1, 2, 3, 4"))


def _outbox():
    t = NOW
    yield from ("INSERT INTO hot_outbox (sale_id, seq, delta_left, buyer_id, delta_units, at) "
                f"VALUES ({row})" for row in (
        f"1, 1, 1, 3, -1, {t - 200}", f"1, 2, 1, NULL, 0, {t - 190}", f"1, 3, -2, 3, 1, {t - 10}"))
    yield "UPDATE sales SET hot_seq = 3 WHERE id = 1"


def _trail():
    t = NOW
    yield f"INSERT INTO archived_sales VALUES (3, {t - 1}, 0, 0, {_hex(bytes([3]) * 32)})"
    accepted = '{"accepted":[{"promise":"stock","findings":["sale 9 is odd","buyer ''x'' too"]},' \
               '{"promise":"other","findings":["no"]}]}'.replace("'", "''")
    yield from ("INSERT INTO audit_trail (id, at, actor_id, os_user, address, request_id, action, subject, "
                f"state_before, state_after) VALUES ({row})" for row in (
        f"501, {t - 500}, 1, NULL, '10.0.0.1', 'q1', 'sale.pause', '1', '', 'é'",
        f"502, {t - 490}, 1, NULL, '10.0.0.1', 'q2', 'sale.resume', '1', '', '{{}}'",
        f"503, {t - 850}, NULL, 'root', '', '', 'sale.end', '3', '', 'none'",
        f"504, {t - 480}, NULL, 'root', '', '', 'ledger.restore', '', '', '{accepted}'"))


def _webhooks():
    t = NOW
    yield f"INSERT INTO webhooks (id, url, created_at, after_order) VALUES (601, 'http://h/1', {t - 450}, 0)"
    yield f"INSERT INTO webhooks VALUES (602, 'http://h/2', {t - 450}, 100, 5, {t - 20})"
    yield f"INSERT INTO webhooks VALUES (603, 'http://h/3', {t - 450}, 100, 5, {t - 20})"
    for kind in ("order.created", "order.paid", "order.expired", "order.cancelled", "order.refunded",
                 "sale.sold_out", "sale.reopened"):
        yield f"INSERT INTO webhook_wants VALUES ('{kind}', 601)"
    yield "INSERT INTO webhook_wants VALUES ('order.paid', 602)"


def _changes():
    """What triggers write: events, deliveries, tallies, numbers of news."""
    t = NOW
    order = (f"INSERT INTO orders VALUES (108, 2, 1, 2, {_hex(mark(10))}, 1, 400, 'CNY', 'pending', {t - 1}, "
             f"{t + 5}, NULL)")
    yield order
    yield f"UPDATE orders SET state = 'paid', paid_at = {t} WHERE id = 108"
    yield "UPDATE orders SET state = 'refunded' WHERE id = 108"
    yield "UPDATE sales SET stock_left = 0, stock_total = 0 WHERE id = 2"
    yield "UPDATE sales SET stock_left = 4, stock_total = 4 WHERE id = 2"
    yield "UPDATE orders SET state = 'paid', paid_at = 5 WHERE id = 104"
    yield f"UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, delivered_at = {t} WHERE lane = -2"
    yield ("UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, delivered_at = 5 "
           f"WHERE event_id = {t << 20}")
    yield "UPDATE webhook_deliveries SET state = 'dead', due_at = NULL WHERE lane = 104 AND webhook_id = 602"
    yield "UPDATE orders SET state = 'expired', paid_at = NULL WHERE id = 104"
