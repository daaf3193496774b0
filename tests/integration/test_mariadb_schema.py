"""What the database refuses by itself, whoever writes: the same in SQLite and in MariaDB."""

import hashlib
import re

import pytest

from ledger_pair import NOW, MariaDbLedger, SqliteLedger, deed_hash, fill
from mariadb_client import SqlError
from mariadb_server import migrate, migrations, statements_of
from sql_texts import read_statements, OVERRIDES

BLOB = "x'" + "ab" * 16 + "'"
LONG_BLOB = "x'" + "ab" * 32 + "'"
SALE = ("INSERT INTO sales (id, item_id, kind, price_cents, currency, starts_at, ends_at, ended_at, paused, stock_total, "
        "stock_left, stock_held, stock_sold, limit_per_buyer, hold_seconds, challenge, gate_factor, version, created_at) "
        "VALUES ({id}, {item}, '{kind}', {price}, 'CNY', 5, {ends}, NULL, {paused}, {stock}, {limit}, {hold}, "
        "'{challenge}', {gate}, {version}, 1)")
GOOD_SALE = dict(id=9, item=1, kind="flash", price=1, ends="NULL", paused=0, stock="3, 1, 1, 1", limit=1, hold=1,
                 challenge="none", gate=1, version=1)


def sale(**changes):
    return SALE.format(**{**GOOD_SALE, **changes})


def journal(**changes):
    row = {"buyer_id": 9, "sale_id": 1, "mark": BLOB, "quantity": 1, "epoch": 1, "state": 1, "reason": "NULL",
           "order_id": "NULL", "pass": BLOB, '"key"': "NULL", "claimed_at": 1, "superseded": 0, "same_as": "NULL"}
    row.update(('"key"' if name == "key" else name, value) for name, value in changes.items())
    return f"INSERT INTO journal ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


def parked(**changes):
    row = {"sale_id": 1, "mark": BLOB, "buyer_id": 9, "quantity": 1, "epoch": 1, "pass": BLOB, '"key"': "NULL",
           "claimed_at": 1, "reason": "'r'", "parked_at": 1, "tried_at": 1, "tries": 1, "decided": 0}
    row.update(('"key"' if name == "key" else name, value) for name, value in changes.items())
    return f"INSERT INTO parked_tickets ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


def order(**changes):
    row = {"id": 999, "sale_id": 1, "item_id": 1, "buyer_id": 2, "mark": BLOB, "quantity": 1, "price_cents": 1,
           "currency": "'CNY'", "state": "'pending'", "created_at": 1, "expires_at": 2, "paid_at": "NULL", **changes}
    return f"INSERT INTO orders ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


def deed(**changes):
    row = {"id": 900, "at": 1, "actor_id": 1, "os_user": "NULL", "address": "''", "request_id": "''", "action": "'x'",
           "subject": "''", "state_before": "''", "state_after": "''", **changes}
    return f"INSERT INTO audit_trail ({', '.join(row)}) VALUES ({', '.join(map(str, row.values()))})"


# Each would be taken if it kept the one rule that it breaks.
TAKEN = [sale(), journal(), order(), deed(), journal(state=2, order_id=5), journal(state=3, reason="'busy'"),
         journal(state=3, reason="'conflict'"), parked(), "INSERT INTO users VALUES (9, 'p', 'n', 'support', NULL, 1)"]

REFUSED = {
    "a user without an id": "INSERT INTO users VALUES (0, 'p', 'n', 'buyer', NULL, 1)",
    "a user of no role": "INSERT INTO users VALUES (9, 'p', 'n', 'king', NULL, 1)",
    "a role in other letters": "INSERT INTO users VALUES (9, 'p', 'n', 'Buyer', NULL, 1)",
    "a role with a blank": "INSERT INTO users VALUES (9, 'p', 'n', 'buyer ', NULL, 1)",
    "a phone twice": "INSERT INTO users VALUES (9, '+8613800000001', 'n', 'buyer', NULL, 1)",
    "a user without a name": "INSERT INTO users VALUES (9, 'p', NULL, 'buyer', NULL, 1)",
    "a text for a number": "INSERT INTO users VALUES (9, 'p', 'n', 'buyer', NULL, 'soon')",
    "a session with a short key": f"INSERT INTO sessions VALUES ({BLOB}, 1, 1, 1, 0, '')",
    "a session with a long key": f"INSERT INTO sessions VALUES (x'{'ab' * 33}', 1, 1, 1, 0, '')",
    "a session of nobody": f"INSERT INTO sessions VALUES ({LONG_BLOB}, 99, 1, 1, 0, '')",
    "a session that ends too early": f"INSERT INTO sessions VALUES ({LONG_BLOB}, 1, 2, 1, 0, '')",
    "a session twice as strong": f"INSERT INTO sessions VALUES ({LONG_BLOB}, 1, 1, 1, 2, '')",
    "a short secret": f"INSERT INTO second_factors VALUES (2, {BLOB}, 0, 0)",
    "a factor half confirmed": f"INSERT INTO second_factors VALUES (2, x'{'ab' * 60}', 2, 0)",
    "a factor before time": f"INSERT INTO second_factors VALUES (2, x'{'ab' * 60}', 0, -1)",
    "a factor of nobody": f"INSERT INTO second_factors VALUES (99, x'{'ab' * 60}', 0, 0)",
    "a code of nobody": f"INSERT INTO recovery_codes VALUES (2, {LONG_BLOB})",
    "a short code": f"INSERT INTO recovery_codes VALUES (1, {BLOB})",
    "a factor removed under its codes": "DELETE FROM second_factors WHERE user_id = 1",
    "a block twice": "INSERT INTO blocks VALUES (19, '10.0.0.0/8', '', NULL, 1, 1)",
    "a block by nobody": "INSERT INTO blocks VALUES (19, '10.0.0.1', '', NULL, 1, 99)",
    "a receipt twice": f"INSERT INTO receipts VALUES ('items:1', 'k', {LONG_BLOB}, '', 1)",
    "a short digest": f"INSERT INTO receipts VALUES ('items:1', 'new', {BLOB}, '', 1)",
    "a second ticket key": f"INSERT INTO ticket_key VALUES (2, {LONG_BLOB})",
    "a short ticket key": f"UPDATE ticket_key SET \"key\" = {BLOB}",
    "a second name": f"INSERT INTO ledger_name VALUES (2, {BLOB})",
    "a long name": f"UPDATE ledger_name SET name = {LONG_BLOB}",
    "a second probe": "INSERT INTO write_probe VALUES (2, x'')",
    "a short name": "UPDATE ledger_name SET name = x'ab'",
    "a block without an id": "INSERT INTO blocks VALUES (0, '10.0.0.1', '', NULL, 1, 1)",
    "an item without an id": "INSERT INTO items VALUES (0, '', '', '', 1, 'CNY', 1, 1, '', '', 0)",
    "a sale without an id": sale(id=0),
    "a payment without an id": "INSERT INTO payments VALUES (0, 101, 's', 1, 'CNY', 'pending', NULL, NULL, 1)",
    "a charge without an id": "INSERT INTO charges VALUES (0, 201, 102, 's', 'new', 1, 'CNY', 0, 1)",
    "a webhook without an id": "INSERT INTO webhooks (id, url, created_at, after_order) VALUES (0, '', 1, 1)",
    "an event without an id": "INSERT INTO webhook_events (id, at, type, lane) VALUES (0, 1, 'x', 1)",
    "a link without a place": f"INSERT INTO trail_chain VALUES (0, 999, {LONG_BLOB})",
    "orders below zero": "UPDATE order_tallies SET orders = -1",
    "expired below zero": "UPDATE order_tallies SET expired = -1",
    "an archive below zero": f"INSERT INTO archived_sales VALUES (2, 1, -1, 1, {LONG_BLOB})",
    "a price below zero": "UPDATE items SET list_price_cents = -1",
    "an item of version 0": "UPDATE items SET version = 0",
    "an item removed under its sales": "DELETE FROM items WHERE id = 1",
    "a user removed under their deeds": "DELETE FROM users WHERE id = 1",
    "a sale of nothing": sale(item=99),
    "a sale of no kind": sale(kind="rare"),
    "a sale below zero": sale(price=-1),
    "a sale that ends before it starts": sale(ends=5),
    "a sale half paused": sale(paused=2),
    "stock that does not add up": sale(stock="4, 1, 1, 1"),
    "stock left below zero": sale(stock="1, -1, 1, 1"),
    "stock held below zero": sale(stock="1, 1, -1, 1"),
    "stock sold below zero": sale(stock="1, 1, 1, -1"),
    "stock total below zero": sale(stock="-1, -1, 0, 0"),
    "no limit": sale(limit=0),
    "no hold": sale(hold=0),
    "no such challenge": sale(challenge="riddle"),
    "no gate": sale(gate=0),
    "no version": sale(version=0),
    "an epoch of 0": "UPDATE sales SET epoch = 0 WHERE id = 1",
    "bits below 8": "UPDATE sales SET challenge_bits = 7 WHERE id = 1",
    "bits above 28": "UPDATE sales SET challenge_bits = 29 WHERE id = 1",
    "an unpaid limit of 0": "UPDATE sales SET unpaid_limit = 0 WHERE id = 1",
    "an unpaid limit above 1000": "UPDATE sales SET unpaid_limit = 1001 WHERE id = 1",
    "an alternative that is none": "UPDATE sales SET challenge_alternative = 'math' WHERE id = 1",
    "a name that is too long": f"UPDATE sales SET name = '{'茶' * 81}' WHERE id = 1",
    "no name at all": "UPDATE sales SET name = NULL WHERE id = 1",
    "a campaign that is too long": f"UPDATE sales SET campaign = '{'茶' * 41}' WHERE id = 1",
    "tags that are too long": f"UPDATE sales SET tags = '{'茶' * 310}' WHERE id = 1",
    "a category that is too long": f"UPDATE items SET category = '{'茶' * 41}' WHERE id = 1",
    "pictures that are too long": f"UPDATE items SET pictures = '{'/' * 16008}' WHERE id = 1",
    "an item half archived": "UPDATE items SET archived = 2 WHERE id = 1",
    "more taken than is left": "UPDATE sales SET stock_left = stock_left - 6, stock_held = stock_held + 6 WHERE id = 1",
    "stock from nowhere": "UPDATE sales SET stock_left = stock_left + 1 WHERE id = 1",
    "a limit cut below what is held": "UPDATE sales SET limit_per_buyer = 2 WHERE id = 1",
    "an archived sale that opens": "UPDATE sales SET ends_at = 99999999999999 WHERE id = 3",
    "an archived sale restocked": "UPDATE sales SET stock_total = 2, stock_left = 2 WHERE id = 3",
    "a sale removed under its orders": "DELETE FROM sales WHERE id = 1",
    "a ticket twice": journal(buyer_id=2, mark="x'" + "01" * 16 + "'"),
    "a short mark": journal(mark="x'ab'"),
    "a short pass": journal(**{"pass": "x'ab'"}),
    "a short key of a ticket": journal(key="x'ab'"),
    "a short same_as": journal(same_as="x'ab'"),
    "a ticket for nothing": journal(quantity=0),
    "a ticket in no state": journal(state=4),
    "a committed ticket without an order": journal(state=2),
    "a prepared ticket with an order": journal(order_id=5),
    "a rolled back ticket without a reason": journal(state=3),
    "a prepared ticket with a reason": journal(reason="'busy'"),
    "a reason that is none": journal(state=3, reason="'rain'"),
    "a ticket twice superseded": journal(superseded=2),
    "a short mark of a parked ticket": parked(mark="x'ab'"),
    "a short pass of a parked ticket": parked(**{"pass": "x'ab'"}),
    "a short key of a parked ticket": parked(key="x'ab'"),
    "a parked ticket that was never tried": parked(tries=0),
    "a parked ticket without a reason": parked(reason="NULL"),
    "a parked ticket that is half decided": parked(decided=2),
    "an audience of another name": "UPDATE sales SET audience = 'friends' WHERE id = 1",
    "listed first without a time": "UPDATE sales SET audience = 'listed_first' WHERE id = 1",
    "a time without listed first": "UPDATE sales SET listed_until = 5 WHERE id = 1",
    "a list of sale 0": "INSERT INTO buyer_lists VALUES (0, 1, 0, 0, 1)",
    "a list before its first edition": "INSERT INTO buyer_lists VALUES (9, -1, 0, 0, 1)",
    "a list of less than nobody": "INSERT INTO buyer_lists VALUES (9, 1, -1, -1, 1)",
    "a buyer of no edition": "INSERT INTO listed_buyers VALUES (1, 0, '', 2)",
    "a buyer of a negative id": "INSERT INTO listed_buyers VALUES (1, 2, '', -2)",
    "a list of more phones than buyers": "INSERT INTO buyer_lists VALUES (9, 1, 1, 2, 1)",
    "a second list of a sale": "INSERT INTO buyer_lists VALUES (1, 9, 0, 0, 1)",
    "a phone listed twice": "INSERT INTO listed_buyers VALUES (1, 2, '10003', 0)",
    "nobody listed": "INSERT INTO listed_buyers VALUES (1, 2, '', 0)",
    "somebody listed by two names": "INSERT INTO listed_buyers VALUES (1, 2, '10004', 4)",
    "a network of a short mark": "INSERT INTO hold_networks VALUES (1, x'ab', '10.0.0.1', 1)",
    "no network": f"INSERT INTO hold_networks VALUES (1, x'{'ab' * 16}', NULL, 1)",
    "a second network of a ticket": f"INSERT INTO hold_networks VALUES (1, x'{'03' * 16}', '10.0.0.1', 1)",
    "a delivery of no order": "INSERT INTO order_deliveries VALUES (0, 1, 'shipped', '', '', 1)",
    "an order on its way in no state": "INSERT INTO order_deliveries VALUES (101, 1, 'lost', '', '', 1)",
    "a delivery by nobody": "INSERT INTO order_deliveries VALUES (101, 1, 'shipped', NULL, '', 1)",
    "a carrier of sixty-one characters":
        f"INSERT INTO order_deliveries VALUES (101, 1, 'shipped', '{'顺' * 61}', '', 1)",
    "a second delivery of an order": "INSERT INTO order_deliveries VALUES (102, 1, 'none', '', '', 1)",
    "a contact of nobody": "INSERT INTO contacts VALUES (99, '', '', '', '', 1)",
    "a contact of sixty-one characters": f"INSERT INTO contacts VALUES (2, '{'李' * 61}', '', '', '', 1)",
    "a contact that is not told": "INSERT INTO contacts VALUES (2, NULL, '', '', '', 1)",
    "a second contact of a user": "INSERT INTO contacts VALUES (3, '', '', '', '', 1)",
    "a copy for no order": "INSERT INTO order_contacts VALUES (0, 2, '', '', '', '', 1)",
    "a copy of nobody": "INSERT INTO order_contacts VALUES (101, 99, '', '', '', '', 1)",
    "a copy with a long address": f"INSERT INTO order_contacts VALUES (101, 2, '', '', '{'街' * 301}', '', 1)",
    "an order without an id": order(id=0),
    "an order of no sale": order(sale_id=99),
    "an order of nothing": order(quantity=0),
    "an order below zero": order(price_cents=-1),
    "an order in no state": order(state="'lost'"),
    "an order with a short mark": order(mark="x'ab'"),
    "an order removed under its payment": "DELETE FROM orders WHERE id = 102",
    "holdings beyond the limit": f"INSERT INTO holdings VALUES (1, 9, 4, {BLOB})",
    "holdings that grow beyond the limit": "UPDATE holdings SET units = 4 WHERE sale_id = 1 AND buyer_id = 3",
    "holdings in no sale": f"INSERT INTO holdings VALUES (99, 9, 1, {BLOB})",
    "holdings below zero": f"INSERT INTO holdings VALUES (1, 9, -1, {BLOB})",
    "holdings with a short mark": "INSERT INTO holdings VALUES (1, 9, 1, x'ab')",
    "a tally below zero": "UPDATE order_tallies SET paid = -1",
    "a tally of no sale": "INSERT INTO order_tallies VALUES (99, 1, 1, 1)",
    "an archived sale that is none": f"INSERT INTO archived_sales VALUES (99, 1, 1, 1, {LONG_BLOB})",
    "an archive with a short digest": f"INSERT INTO archived_sales VALUES (2, 1, 1, 1, {BLOB})",
    "a hot change numbered twice": "INSERT INTO hot_outbox (sale_id, seq, delta_left, at) VALUES (1, 3, 1, 1)",
    "a hot change without a number": "INSERT INTO hot_outbox (sale_id, seq, delta_left, at) VALUES (1, 0, 1, 1)",
    "a hot change of no sale": "INSERT INTO hot_outbox (sale_id, seq, delta_left, at) VALUES (99, 1, 1, 1)",
    "a second open payment": "INSERT INTO payments VALUES (299, 103, 's', 1, 'CNY', 'pending', NULL, NULL, 1)",
    "a payment opened again": "UPDATE payments SET state = 'pending', order_id = 103 WHERE id = 203",
    "a payment of no order": "INSERT INTO payments VALUES (299, 99, 's', 1, 'CNY', 'pending', NULL, NULL, 1)",
    "a payment in no state": "INSERT INTO payments VALUES (299, 101, 's', 1, 'CNY', 'lost', NULL, NULL, 1)",
    "a payment below zero": "INSERT INTO payments VALUES (299, 101, 's', -1, 'CNY', 'pending', NULL, NULL, 1)",
    "half a bill": "INSERT INTO payments VALUES (299, 101, 's', 1, 'CNY', 'pending', 'ref', NULL, 1)",
    "a second capture": "INSERT INTO charges VALUES (399, 201, 102, 's', 'new', 1, 'CNY', 1, 1)",
    "a charge twice": "INSERT INTO charges VALUES (399, 201, 102, 'sandbox', 'c1', 1, 'CNY', 0, 1)",
    "a charge of no payment": "INSERT INTO charges VALUES (399, 299, 102, 's', 'new', 1, 'CNY', 0, 1)",
    "a charge below zero": "INSERT INTO charges VALUES (399, 201, 102, 's', 'new', -1, 'CNY', 0, 1)",
    "half a capture": "INSERT INTO charges VALUES (399, 201, 102, 's', 'new', 1, 'CNY', 2, 1)",
    "an edited charge": "UPDATE charges SET at = 5 WHERE id = 301",
    "a removed charge": "DELETE FROM charges WHERE id = 304",
    "a refund twice": "INSERT INTO refunds (charge_id, reason, owed_at, next_attempt_at) VALUES (303, 'late', 1, 1)",
    "a refund of no charge": "INSERT INTO refunds (charge_id, reason, owed_at, next_attempt_at) VALUES (399, 'late', 1, 1)",
    "a refund without a reason": "UPDATE refunds SET reason = 'mood' WHERE charge_id = 303",
    "a refund neither owed nor done": "UPDATE refunds SET next_attempt_at = NULL WHERE charge_id = 303",
    "a refund tried less than never": "UPDATE refunds SET attempts = -1 WHERE charge_id = 303",
    "a refund by half a hand": "UPDATE refunds SET by_hand = 2 WHERE charge_id = 303",
    "a removed refund": "DELETE FROM refunds WHERE charge_id = 303",
    "a payment event twice": "INSERT INTO payment_events VALUES ('sandbox', 'z', 201, 'x', 'noted', 1)",
    "a payment event of no payment": "INSERT INTO payment_events VALUES ('sandbox', 'new', 299, 'x', 'noted', 1)",
    "a payment event without an outcome": "INSERT INTO payment_events VALUES ('sandbox', 'new', 201, 'x', 'lost', 1)",
    "an edited payment event": "UPDATE payment_events SET at = 1",
    "a removed payment event": "DELETE FROM payment_events",
    "a sandbox bill twice": "INSERT INTO sandbox_bills VALUES ('b9', 201, 1, 'CNY', 0, 0, 1)",
    "a sandbox bill half paid": "UPDATE sandbox_bills SET paid = 2",
    "a sandbox refund twice": "INSERT INTO sandbox_refunds VALUES ('refund-302', 'c', 1, 1)",
    "a letter without an id": "INSERT INTO sandbox_letters VALUES (0, '', 0, NULL, NULL)",
    "a funnel of no sale": "INSERT INTO funnel_totals VALUES (99, 0, 1, 1, 1, 1, 1, '', 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    "a point of no sale": "INSERT INTO stats_points VALUES (1, 99, 1, 0, 1, 1, 1, 1, 1, '', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    "a point of seven seconds": "INSERT INTO stats_points VALUES (7, 1, 1, 0, 1, 1, 1, 1, 1, '', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    "a picture with a short hash": f"INSERT INTO pictures VALUES ({BLOB}, 1, 1, 1)",
    "a picture of no bytes": f"INSERT INTO pictures VALUES ({LONG_BLOB}, 0, 1, 1)",
    "a picture twice": f"INSERT INTO pictures VALUES (x'{'01' * 32}', 1, 1, 1)",
    "a size of no picture": f"INSERT INTO picture_sizes VALUES ({LONG_BLOB}, 1, 1, x'00')",
    "a size without a width": f"INSERT INTO picture_sizes VALUES (x'{'01' * 32}', 0, 1, x'00')",
    "a size without a height": f"INSERT INTO picture_sizes VALUES (x'{'01' * 32}', 1, 0, x'00')",
    "a size without a picture in it": f"INSERT INTO picture_sizes VALUES (x'{'01' * 32}', 1, 1, NULL)",
    "a size twice": f"INSERT INTO picture_sizes VALUES (x'{'01' * 32}', 320, 1, x'00')",
    "a picture removed under its sizes": f"DELETE FROM pictures WHERE hash = x'{'01' * 32}'",
    "a want of nobody": "INSERT INTO webhook_wants VALUES ('order.paid', 699)",
    "a want of nothing": "INSERT INTO webhook_wants VALUES ('order.lost', 601)",
    "a webhook removed under its wants": "DELETE FROM webhooks WHERE id = 601",
    "an event without a lane": "INSERT INTO webhook_events (id, at, type, lane) VALUES (5, 1, 'x', 0)",
    "an event of a sale without stock": "INSERT INTO webhook_events (id, at, type, lane) VALUES (5, 1, 'x', -1)",
    "an event of an order with stock": "INSERT INTO webhook_events VALUES (5, 1, 'x', 1, 1, 1, 0, 0)",
    "an edited event": "UPDATE webhook_events SET at = 1",
    "a delivery in no state": "UPDATE webhook_deliveries SET state = 'lost', due_at = NULL",
    "a dead delivery that is due": "UPDATE webhook_deliveries SET due_at = 1 WHERE state = 'dead'",
    "a delivered one without a time": "UPDATE webhook_deliveries SET state = 'delivered', due_at = NULL, delivered_at = NULL",
    "a delivery tried less than never": "UPDATE webhook_deliveries SET attempts = -1",
    "a delivery sent less than never": "UPDATE webhook_deliveries SET resends = -1",
    "a deed of nobody": deed(actor_id="NULL"),
    "a deed of two": deed(os_user="'root'"),
    "a deed of no user": deed(actor_id=99),
    "a deed without an id": deed(id=0),
    "a deed twice": deed(id=501),
    "an edited deed": "UPDATE audit_trail SET subject = 'x' WHERE id = 501",
    "a removed deed": "DELETE FROM audit_trail WHERE id = 504",
    "an edited link": "UPDATE trail_chain SET deed_id = 999 WHERE place = 1",
    "a removed link": "DELETE FROM trail_chain WHERE place = 4",
    "a link of a deed that has one": f"INSERT INTO trail_chain VALUES (9, 501, {LONG_BLOB})",
    "a short link": f"INSERT INTO trail_chain VALUES (9, 999, {BLOB})",
}


@pytest.fixture(scope="module")
def pair(mariadb):
    ledgers = SqliteLedger(), MariaDbLedger(mariadb)
    for ledger in ledgers:
        fill(ledger)
    yield ledgers
    for ledger in ledgers:
        ledger.close()


@pytest.fixture(scope="module")
def maria(pair):
    return pair[1]


# The rules by what each database says when one is broken. A text that is too long for its column is
# refused by a CHECK in SQLite. What triggers say is the same in both.
RULES = (("check", r"^4025:|^1406:|CHECK constraint failed"), ("unique", r"^1062:|UNIQUE constraint failed"),
         ("reference", r"^145[12]:|FOREIGN KEY constraint failed"), ("null", r"^1048:|NOT NULL constraint failed"),
         ("type", r"^1366:|cannot store"))

# Parents before their children, and sales before the holdings that they limit.
COPY_ORDER = ("users", "sessions", "second_factors", "recovery_codes", "blocks", "settings", "receipts", "ticket_key",
              "write_probe", "items", "pictures", "picture_sizes", "sales", "audit_trail", "trail_chain", "journal", "parked_tickets", "orders",
              "buyer_lists", "listed_buyers", "hold_networks", "order_deliveries", "contacts", "order_contacts", "holdings", "order_tallies", "archived_sales", "hot_outbox", "payments", "charges",
              "refunds", "payment_events",
              "sandbox_bills", "sandbox_letters", "sandbox_refunds", "funnel_totals", "stats_points", "webhooks",
              "webhook_wants", "webhook_events", "webhook_deliveries")


def rule_of(message):
    for rule, pattern in RULES:
        if re.search(pattern, message):
            return rule
    return re.sub(r"^1644: ", "", message)


def attempt(ledger, sql):
    """The message of the refusal, or None. No change stays in either case."""
    ledger.run("BEGIN")
    try:
        ledger.run(sql)
    except ledger.errors as error:
        return str(error)
    finally:
        ledger.run("ROLLBACK")
    return None


# What only MariaDB needs: nothing of the shop is in them that is not elsewhere.
OF_THE_ENGINE = {"former_migrations", "earlier_tickets", "trail_head", "ledger_turn", "ledger_writers", "schema_objects",
                 "ledger_nodes", "ledger_keys"}

# Those of the archive have the columns of the ledger's own.
ARCHIVED = ("orders", "journal", "earlier_tickets", "holdings", "payments", "charges", "refunds", "payment_events")


def test_columns_are_the_same_in_the_same_order(pair):
    in_sqlite, in_mariadb = (ledger.tables() for ledger in pair)
    assert {name: in_mariadb.pop(f"archived_{name}") for name in ARCHIVED} == \
        {name: in_mariadb[name] for name in ARCHIVED}
    assert {name: columns for name, columns in in_mariadb.items() if name not in OF_THE_ENGINE} == in_sqlite


@pytest.mark.parametrize("sql", TAKEN)
def test_what_keeps_the_rules_is_taken(pair, sql):
    assert [attempt(ledger, sql) for ledger in pair] == [None, None]


@pytest.mark.parametrize("what", REFUSED)
def test_refused_by_both(pair, what):
    said = [attempt(ledger, REFUSED[what]) for ledger in pair]
    assert all(said), f"SQLite said {said[0]}, MariaDB said {said[1]}"
    assert rule_of(said[0]) == rule_of(said[1])


def test_every_rule_of_the_schema_is_broken_once(pair, maria):
    said = "\n".join(attempt(maria, sql) for sql in REFUSED.values())
    checks = {f"`{table}.{name}`" if level == "Column" else f"`{name}`" for table, name, level in maria.rows(
        "SELECT table_name, constraint_name, level FROM information_schema.check_constraints "
        "WHERE constraint_schema = database()")}
    references = {f'CONSTRAINT "{name}"' for (name,) in maria.rows(
        "SELECT constraint_name FROM information_schema.referential_constraints WHERE constraint_schema = database()")}
    unique = {f"for key '{name}'" for (name,) in maria.rows(
        "SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = database() "
        "AND non_unique = 0 AND index_name <> 'PRIMARY'")}
    signals = set(re.findall(r"MESSAGE_TEXT = '([^']*)'", "".join(file.read_text() for file in migrations())))
    # Of tables and columns that SQLite has no use for; and the last has a test of its own.
    only_here = {"`trail_head.one`", "`ledger_turn.one`", "`earlier_tickets.way`", "for key 'payment_events_by_arrival'",
                 "for key 'archived_payment_events_by_arrival'", "archived rows stand as they are",
                 "only the program adds deeds to the audit trail"}
    assert {rule for rule in checks | references | unique | signals if rule not in said} == only_here


def test_a_limit_may_be_raised_and_cut_to_what_is_held(pair):
    for ledger in pair:
        assert attempt(ledger, "UPDATE sales SET limit_per_buyer = 9 WHERE id = 1") is None
        assert attempt(ledger, "UPDATE sales SET limit_per_buyer = 8 WHERE id = 2") is None


def test_holdings_beyond_a_limit_may_shrink(pair):
    for ledger in pair:
        assert attempt(ledger, "UPDATE holdings SET units = 1 WHERE sale_id = 1 AND buyer_id = 2") is None


# What the archive's own move may do with @sluice_archives, and in which order. Sale 4 has one paid order, 107.
COPIES = ("INSERT INTO archived_orders SELECT * FROM orders WHERE sale_id = 4",
          "INSERT INTO archived_journal SELECT * FROM journal WHERE sale_id = 4",
          "INSERT INTO archived_holdings SELECT * FROM holdings WHERE sale_id = 4",
          "INSERT INTO archived_payments SELECT * FROM payments WHERE order_id = 107",
          "INSERT INTO archived_charges SELECT * FROM charges WHERE order_id = 107",
          "INSERT INTO archived_payment_events SELECT * FROM payment_events WHERE payment_id = 205")
CALLED_ARCHIVED = f"INSERT INTO archived_sales VALUES (4, 1, 1, 107, {LONG_BLOB})"
REMOVALS = ("DELETE payment_events FROM payment_events WHERE payment_id = 205", "DELETE FROM charges WHERE id = 304",
            "DELETE FROM payments WHERE id = 205", "DELETE FROM orders WHERE id = 107",
            "DELETE FROM journal WHERE sale_id = 4", "DELETE FROM holdings WHERE sale_id = 4")


def after(maria, steps, then):
    """What was said to `then`, after these steps by whoever moves rows. Nothing stays."""
    maria.run("BEGIN")
    maria.run("SET @sluice_archives = 1, @sluice_copies = 1")
    try:
        for sql in steps:
            maria.run(sql)
        maria.run(then)
    except SqlError as error:
        return str(error)
    finally:
        maria.run("SET @sluice_archives = NULL, @sluice_copies = NULL")
        maria.run("ROLLBACK")
    return None


@pytest.mark.parametrize("removal", [0, 1])
def test_money_leaves_the_ledger_only_for_the_archive(maria, removal):
    wanted, before = REMOVALS[removal], REMOVALS[:removal]
    assert after(maria, (*COPIES, CALLED_ARCHIVED, *before), wanted) is None
    assert "append-only" in after(maria, COPIES, wanted), "the sale is not archived"
    for missing in COPIES[4:]:
        copies = [copy for copy in COPIES if copy != missing]
        said = after(maria, (*copies, CALLED_ARCHIVED), REMOVALS[COPIES[4:][::-1].index(missing)])
        assert "append-only" in said, "it is not in the archive"
    assert "append-only" in attempt(maria, wanted), "and nobody else removes any"


def test_a_whole_sale_may_leave_and_come_back(maria):
    assert after(maria, (*COPIES, CALLED_ARCHIVED, *REMOVALS), "DO 0") is None
    back = [re.sub(r"INSERT INTO archived_(\w+) SELECT \* FROM \w+", r"INSERT INTO \1 SELECT * FROM archived_\1", copy)
            for copy in COPIES]
    assert after(maria, (*COPIES, CALLED_ARCHIVED, *REMOVALS, *back), "DO 0") is None


@pytest.mark.parametrize("table", [name for name in ARCHIVED if name != "earlier_tickets"])
def test_rows_of_the_archive_stand_as_they_are(maria, table):
    steps = (*COPIES, "INSERT INTO archived_refunds (charge_id, reason, owed_at) VALUES (304, 'operator', 1)")
    column = maria.tables()[f"archived_{table}"][0]
    edit, removal = f"UPDATE archived_{table} SET {column} = {column}", f"DELETE FROM archived_{table}"
    assert "stand as they are" in after(maria, steps, edit)
    assert after(maria, steps, removal) is None, "a copy that does not count"
    assert "stand as they are" in after(maria, (*steps, CALLED_ARCHIVED), removal)
    assert "stand as they are" in after(maria, (*steps, "SET @sluice_archives = NULL"), removal)


def test_earlier_tickets_of_the_archive_follow_its_journal(maria):
    copy = "INSERT INTO archived_journal SELECT * FROM journal WHERE buyer_id = 2 AND sale_id = 1"
    maria.run("BEGIN")
    try:
        maria.run(copy)
        assert maria.rows("SELECT * FROM archived_earlier_tickets ORDER BY way") == \
            maria.rows("SELECT * FROM earlier_tickets WHERE buyer_id = 2 AND sale_id = 1 ORDER BY way") != []
    finally:
        maria.run("ROLLBACK")
    maria.run("BEGIN")
    maria.run("SET @sluice_archives = 1")
    try:
        maria.run(copy)
        maria.run("DELETE FROM archived_journal")
        assert maria.rows("SELECT * FROM archived_earlier_tickets") == []
    finally:
        maria.run("SET @sluice_archives = NULL")
        maria.run("ROLLBACK")


def test_an_archived_sale_may_begin_an_epoch(pair):
    for ledger in pair:
        assert attempt(ledger, "UPDATE sales SET epoch = 7 WHERE id = 3") is None


def test_every_row_that_triggers_wrote_is_the_same(pair):
    for table in ("sales", "order_tallies", "webhook_events", "webhook_deliveries", "trail_chain"):
        rows = [sorted(ledger.rows(f"SELECT * FROM {table}")) for ledger in pair]
        assert rows[0] == rows[1], table
        assert rows[0], table


def test_only_the_program_adds_deeds(pair):
    for ledger in pair:
        ledger.keep_deeds_out()
        try:
            assert attempt(ledger, deed())
        finally:
            ledger.let_deeds_in()


def test_the_chain_is_that_of_the_program(maria):
    previous = bytes(32)
    chain = maria.rows("SELECT deed_id, hash FROM trail_chain ORDER BY place")
    assert len(chain) == 4
    for deed_id, link in chain:
        fields = maria.rows("SELECT id, at, actor_id, address, request_id, action, subject, state_before, "
                            f"state_after, os_user FROM audit_trail WHERE id = {deed_id}")[0]
        previous = deed_hash(previous, *fields)
        assert link == previous


@pytest.mark.parametrize("size", [0, 1, 127, 128, 129, 256, 1000])
def test_blake2b(maria, size):
    message = bytes(i * 7 % 251 for i in range(size))
    assert maria.rows(f"SELECT blake2b(x'{message.hex()}')") == [(hashlib.blake2b(message, digest_size=32).digest(),)]


@pytest.fixture
def two(mariadb, maria):
    """Two writers, each in a transaction, who do not wait for locks. In the level that locks least, to
    show that the rules do not depend on it."""
    connections = [mariadb.connect(maria.name) for _ in range(2)]
    for connection in connections:
        connection.run("SET @sluice_program = 1, SESSION innodb_lock_wait_timeout = 0")
        connection.run("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED")
        connection.run("START TRANSACTION")
    yield connections
    for connection in connections:
        connection.run("ROLLBACK")
        connection.close()


# What one writer has done and not committed, and what another has to wait with.
CONFLICTS = {
    "two deeds": (deed(id=901), deed(id=902)),
    "a limit cut while units are added": ("UPDATE holdings SET units = 9 WHERE sale_id = 2 AND buyer_id = 3",
                                          "UPDATE sales SET limit_per_buyer = 8 WHERE id = 2"),
    "units added while a limit is cut": ("UPDATE sales SET limit_per_buyer = 8 WHERE id = 2",
                                         "UPDATE holdings SET units = 9 WHERE sale_id = 2 AND buyer_id = 3"),
    "an event behind a delivery that is being made": (
        "UPDATE webhook_deliveries SET state = 'dead', due_at = NULL WHERE lane = 104 AND webhook_id = 601",
        "UPDATE orders SET state = 'cancelled' WHERE id = 104"),
    "a sale changed while it is archived": (f"INSERT INTO archived_sales VALUES (2, 1, 0, 0, {LONG_BLOB})",
                                            "UPDATE sales SET paused = 1 WHERE id = 2"),
}


@pytest.mark.parametrize("what", CONFLICTS)
def test_waits_for_the_other_writer(two, what):
    first, second = CONFLICTS[what]
    two[0].run(first)
    with pytest.raises(SqlError, match="^1205"):
        two[1].run(second)
    two[0].run("ROLLBACK")
    two[1].run(second)


def test_earlier_tickets_follow_the_journal(maria):
    same = ("SELECT buyer_id, sale_id, 1, pass, mark FROM journal WHERE superseded = 1 UNION ALL "
            'SELECT buyer_id, sale_id, 2, "key", mark FROM journal WHERE superseded = 1 AND "key" IS NOT NULL')
    maria.run("BEGIN")
    try:
        for change in (journal(superseded=1), "UPDATE journal SET \"key\" = " + BLOB + " WHERE buyer_id = 9",
                       "UPDATE journal SET pass = x'" + "cd" * 16 + "' WHERE buyer_id = 9",
                       "UPDATE journal SET superseded = 0 WHERE buyer_id = 9",
                       "UPDATE journal SET superseded = 1 WHERE buyer_id = 9",
                       "UPDATE journal SET \"key\" = NULL WHERE buyer_id = 9",
                       "UPDATE journal SET sale_id = 2 WHERE buyer_id = 9",
                       "DELETE FROM journal WHERE buyer_id = 9"):
            maria.run(change)
            assert sorted(maria.rows("SELECT * FROM earlier_tickets")) == sorted(maria.rows(same)), change
    finally:
        maria.run("ROLLBACK")


def test_copied_rows_bring_what_triggers_wrote_there(mariadb, maria):
    """Nothing is made twice, and limits hold all the same."""
    copy = MariaDbLedger(mariadb)
    try:
        copy.run("SET @sluice_copies = 1")
        of_the_archive = {f"archived_{table}" for table in ARCHIVED}
        known = set(COPY_ORDER) | {"migrations", "ledger_name"} | OF_THE_ENGINE | of_the_archive
        assert known == set(maria.tables())
        for table in COPY_ORDER:
            copy.run(f"INSERT INTO {table} SELECT * FROM {maria.name}.{table}")
        for table in (*COPY_ORDER, "earlier_tickets"):
            assert sorted(map(repr, copy.rows(f"SELECT * FROM {table}"))) == \
                sorted(map(repr, maria.rows(f"SELECT * FROM {table}"))), table
        assert attempt(copy, REFUSED["holdings beyond the limit"])
        assert attempt(copy, REFUSED["a removed deed"])
    finally:
        copy.close()


def test_events_of_a_lane_grow_when_the_clock_goes_back(maria):
    maria.run("BEGIN")
    try:
        maria.run(f"SET @sluice_now_ms = {NOW - 60_000}")
        last = maria.rows("SELECT max(event_id) FROM webhook_deliveries WHERE lane = 104")[0][0]
        maria.run("UPDATE orders SET state = 'paid' WHERE id = 104")
        assert maria.rows("SELECT max(event_id) FROM webhook_deliveries WHERE lane = 104")[0][0] > last
    finally:
        maria.run("ROLLBACK")
        maria.run(f"SET @sluice_now_ms = {NOW}")


def test_without_a_clock_of_its_own_the_servers_is_taken(mariadb, maria):
    with mariadb.connect(maria.name) as connection:
        connection.run("SET time_zone = '+08:00'")
        connection.run("START TRANSACTION")
        connection.run("UPDATE orders SET state = 'paid' WHERE id = 104")
        written = connection.value("SELECT max(at) FROM webhook_events")
        servers = connection.value("SELECT CAST(unix_timestamp(now(3)) * 1000 AS SIGNED)")
        connection.run("ROLLBACK")
    assert abs(written - servers) < 60_000


def test_a_migration_that_was_cut_short_is_run_again(mariadb):
    name = mariadb.add_database(migrated=False)
    objects = read_statements([OVERRIDES / "schema.sql"])["list_objects"]
    try:
        with mariadb.connect(name) as connection:
            every = [text for file in migrations() for text in statements_of(file.read_text())]
            for statement in every[:len(every) // 2]:
                connection.run(statement)
            migrate(connection)
            again = connection.rows(objects)
            for statement in every:
                connection.run(statement)
            assert connection.rows(objects) == again
            assert connection.value("SELECT count(*) FROM ledger_name") == 1
    finally:
        mariadb.remove_database(name)


def test_statements_are_taken_apart_at_empty_lines():
    for file in migrations():
        for statement in statements_of(file.read_text()):
            assert re.match(r"CREATE (TABLE|TRIGGER|FUNCTION|PROCEDURE|SEQUENCE) IF NOT EXISTS|INSERT INTO"
                            r"|CREATE OR REPLACE TRIGGER"
                            r"|ALTER TABLE \w+\s+(ADD (COLUMN|CONSTRAINT) IF NOT EXISTS|MODIFY COLUMN)", statement), statement


def test_the_list_of_objects_tells_of_each_change(mariadb, maria):
    objects = read_statements([OVERRIDES / "schema.sql"])["list_objects"]
    name = mariadb.add_database()
    try:
        with mariadb.connect(name) as connection:
            before = dict(((kind, what), text) for kind, what, text in connection.rows(objects))
            for change, where in (
                    ("ALTER TABLE users DROP CONSTRAINT role", None),
                    ("ALTER TABLE orders DROP INDEX orders_by_due", ("index", "orders.orders_by_due")),
                    ("ALTER TABLE refunds DROP FOREIGN KEY refunds_have_charges",
                     ("reference", "refunds.refunds_have_charges")),
                    ("DROP TRIGGER charges_are_not_edited", ("trigger", "charges_are_not_edited")),
                    ("DROP FUNCTION ticket_text", ("routine", "ticket_text")),
                    ("DROP SEQUENCE webhook_event_numbers", ("table", "webhook_event_numbers")),
                    ("ALTER TABLE items MODIFY title VARCHAR(20) NOT NULL", ("column", "items.title")),
                    ("ALTER TABLE sales DROP CONSTRAINT sales_add_up", ("check", "sales.sales_add_up"))):
                try:
                    connection.run(change)
                except SqlError as error:
                    assert where is None, f"{change}: {error}"  # the check of a column has no name of its own
                    continue
                after = dict(((kind, what), text) for kind, what, text in connection.rows(objects))
                assert after.get(where) != before[where], change
    finally:
        mariadb.remove_database(name)
