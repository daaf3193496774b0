"""Every statement of the ledgers on a migrated MariaDB: it is understood, it has the parameters and
columns that it has in SQLite, and on the same rows it finds and writes the same."""

import json
import re

import pytest

from ledger_pair import MariaDbLedger, SqliteLedger, fill
from sql_texts import default_statements, mariadb_statements, parameters_of, with_question_marks
from statement_cases import CASES

DEFAULTS = default_statements()
OWN = mariadb_statements()
LOCKING = {name: name.removesuffix("_for_update") for name in OWN if name.endswith("_for_update")}

# It makes views over a second file, which only SQLite has.
ONLY_SQLITE = {"hide_stale_copies"}
# These ask about the database itself, or take bytes by chance: nothing to compare.
NOT_COMPARED = {"count_tables", "has_migrations_table", "list_migrations", "list_objects", "knows_archive",
                "find_ledger_name", "rename_ledger", "make_accepted", "note_accepted", "tell_accepted", *ONLY_SQLITE}

# They break no rule of the database, but the promises that the audit checks.
SPOILT = (
    "UPDATE journal SET claimed_at = claimed_at - 500 WHERE buyer_id = 3 AND sale_id = 1 AND order_id = 105",
    "UPDATE journal SET superseded = 0 WHERE buyer_id = 3 AND sale_id = 1 AND order_id = 103",
    "UPDATE journal SET order_id = 998 WHERE buyer_id = 2 AND order_id = 101",
    "UPDATE journal SET quantity = 3 WHERE buyer_id = 2 AND order_id = 102",
    "UPDATE orders SET paid_at = 7 WHERE id = 101",
    "UPDATE orders SET price_cents = 299 WHERE id = 102",
    "UPDATE orders SET state = 'paid' WHERE id = 106",
    "UPDATE refunds SET reason = 'late' WHERE charge_id = 302",
    "UPDATE payments SET state = 'captured' WHERE id = 202",
    "UPDATE holdings SET units = 1 WHERE sale_id = 1 AND buyer_id = 3",
    "INSERT INTO audit_trail (id, at, actor_id, address, request_id, action, subject, state_before, state_after) "
    "VALUES (90, 1, 1, '', '', 'sale.pause', '4', '', '')",
    "INSERT INTO audit_trail (id, at, actor_id, address, request_id, action, subject, state_before, state_after) "
    "VALUES (91, 1, 1, '', '', 'sale.end', '4', '', '')",
    "UPDATE sales SET ended_at = 5 WHERE id = 4",
    "UPDATE webhook_deliveries SET due_at = 5 WHERE state = 'pending' AND due_at IS NULL",
    "INSERT INTO webhook_deliveries (webhook_id, event_id, lane, since) VALUES (601, 77, 101, 5)",
)


@pytest.fixture(scope="module")
def pair(mariadb):
    ledgers = SqliteLedger(), MariaDbLedger(mariadb)
    for ledger in ledgers:
        fill(ledger)
    yield ledgers
    for ledger in ledgers:
        ledger.close()


def is_query(text):
    code = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    return code.lstrip("( \n").startswith(("SELECT", "WITH"))


def in_mariadb(name):
    return OWN.get(name, DEFAULTS.get(name))


def contents(ledger, tables):
    """Every row of the tables that both have, apart from what names the database itself. Events are
    counted from the first on: a rollback takes the last id back in SQLite, and a sequence has no way back."""
    found = {table: ledger.rows(f"SELECT * FROM {table}") for table in tables
             if table not in ("migrations", "ledger_name")}
    places = {row[0]: place for place, row in enumerate(sorted(found["webhook_events"]))}
    found["webhook_events"] = [(places[row[0]], *row[1:]) for row in found["webhook_events"]]
    found["webhook_deliveries"] = [(row[0], places[row[1]], *row[2:]) for row in found["webhook_deliveries"]]
    return {table: sorted(map(repr, rows)) for table, rows in found.items()}


def test_no_statement_is_forgotten():
    assert set(OWN) - set(LOCKING) <= set(DEFAULTS), "it has no default of this name"
    assert set(LOCKING.values()) <= set(DEFAULTS), "it locks what no default reads"
    assert set(CASES) | NOT_COMPARED == set(DEFAULTS), "each statement is compared, or it is said why not"
    assert not set(CASES) & NOT_COMPARED


@pytest.mark.parametrize("name", sorted((set(DEFAULTS) | set(OWN)) - ONLY_SQLITE))
def test_understood_with_the_same_parameters_and_columns(pair, name):
    sqlite, maria = pair
    default = DEFAULTS[LOCKING.get(name, name)]
    text = in_mariadb(name)
    count = max(parameters_of(default), default=0)
    assert set(parameters_of(text)) == set(parameters_of(default)) == set(range(1, count + 1))
    if name in ("note_accepted", "tell_accepted"):
        for ledger, make in zip(pair, (DEFAULTS["make_accepted"], OWN["make_accepted"])):
            ledger.run(make.replace("TABLE", "TABLE IF NOT EXISTS"))
    parameters, columns = maria.connection.prepare(with_question_marks(text))
    assert parameters == len(parameters_of(text))
    if not is_query(default):
        assert columns == 0
        return
    assert columns == sqlite.columns_of(default, *[0] * count)


@pytest.mark.parametrize("name", sorted(name for name in CASES if is_query(DEFAULTS[name])))
def test_finds_the_same(pair, name):
    sqlite, maria = pair
    found = []
    for values in CASES[name]:
        expected = sqlite.rows(DEFAULTS[name], *values)
        for variant in (name, name + "_for_update"):
            if variant == name or variant in LOCKING:
                rows = maria.rows(in_mariadb(variant), *values)
                assert as_compared(name, rows) == as_compared(name, expected), f"{variant} {values}"
        found += expected
    assert found or name in ("unchained_deeds", "find_orphan", "list_leftovers") or name.startswith("audit_"), \
        "no case finds anything"


@pytest.mark.parametrize("name", sorted(name for name in CASES if not is_query(DEFAULTS[name])))
def test_writes_the_same(pair, name):
    sqlite, maria = pair
    tables = sqlite.tables()
    touched = 0
    for values in CASES[name]:
        for ledger in pair:
            ledger.run("BEGIN")
        try:
            counts = sqlite.run(DEFAULTS[name], *values), maria.run(in_mariadb(name), *values)
            touched += counts[0]
            if "ON DUPLICATE" in in_mariadb(name) or "REPLACE" in in_mariadb(name):
                counts = tuple(count > 0 for count in counts)  # MariaDB counts a row that it replaces twice
            assert counts[0] == counts[1], values
            assert contents(maria, tables) == contents(sqlite, tables), values
        finally:
            for ledger in pair:
                ledger.run("ROLLBACK")
    assert touched or name in ("empty_probe", "add_ticket_key"), "no case touches anything"


def test_the_audit_finds_the_same_in_a_spoilt_ledger(pair):
    sqlite, maria = pair
    telling = set()
    for ledger in pair:
        ledger.run("BEGIN")
        for change in SPOILT:
            ledger.run(change)
    try:
        for name in sorted(name for name in CASES if name.startswith("audit_")):
            for values in CASES[name]:
                expected = sqlite.rows(DEFAULTS[name], *values)
                assert as_compared(name, maria.rows(in_mariadb(name), *values)) == as_compared(name, expected), name
                if expected:
                    telling.add(name)
    finally:
        for ledger in pair:
            ledger.run("ROLLBACK")
    # The database itself does not let the stock be wrong, nor an order be without its sale.
    silent = {name for name in CASES if name.startswith("audit_")} - telling
    assert silent == {"audit_stock_adds_up", "audit_sales_are_there"}


def test_deeds_from_before_their_commit_have_two_seconds(pair):
    """Also in a ledger that was moved: the former one's migrations tell when that was."""
    found = []
    for ledger, texts, table in zip(pair, (DEFAULTS, OWN), ("migrations", "former_migrations")):
        for applied_at in (5000, 1):
            ledger.run("BEGIN")
            for change in SPOILT:
                ledger.run(change)
            ledger.run(f"UPDATE journal SET claimed_at = 1000 WHERE sale_id = 4")
            ledger.run("UPDATE sales SET starts_at = 0 WHERE id = 4")
            ledger.run(f"INSERT INTO {table} VALUES (12, '0012_deeds_from_their_commit.sql', {applied_at})")
            found.append([[without_spaces(row) for row in ledger.rows(texts[name], 4)]
                          for name in ("audit_windows", "audit_pauses")])
            ledger.run("ROLLBACK")
    assert found[0] == found[2] == [[], []]
    assert found[1] == found[3]
    assert all(found[1])


def test_what_was_accepted_is_told_the_same(pair):
    told = []
    for ledger, texts in zip(pair, (DEFAULTS, {**DEFAULTS, **OWN})):
        ledger.run("DROP TABLE IF EXISTS accepted")
        ledger.run(texts["make_accepted"])
        for values in (("stock", "sale 1 is 'odd'"), ("stock", 'a "quoted" one'), ("limits", "é")):
            ledger.run(texts["note_accepted"], *values)
        told.append(json.loads(ledger.rows(texts["tell_accepted"])[0][0]))
    for each in told:
        each["accepted"].sort(key=lambda one: one["promise"])
        for promise in each["accepted"]:
            promise["findings"].sort()
    assert told[0] == told[1]
    assert len(told[0]["accepted"]) == 2


def test_orphans_are_found(pair):
    _, maria = pair
    maria.run("SET foreign_key_checks = 0")
    maria.run("BEGIN")
    try:
        maria.run("INSERT INTO blocks VALUES (19, 's', '', NULL, 1, 99)")
        assert maria.rows(OWN["find_orphan"]) == [("blocks",)]
    finally:
        maria.run("ROLLBACK")
        maria.run("SET foreign_key_checks = 1")


def without_spaces(row):
    """Arrays of JSON are written with spaces or without them."""
    return tuple(json.dumps(json.loads(value)) if isinstance(value, str) and value.startswith("[") else value
                 for value in row)


def as_compared(name, rows):
    """With their types, since nothing is converted when a row is read; in order where there is one."""
    written = [tuple((type(value).__name__, value) for value in without_spaces(row)) for row in rows]
    ordered = re.search(r"ORDER BY[^()]*;?$", DEFAULTS[name])
    return written if ordered else sorted(written, key=repr)
