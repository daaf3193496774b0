"""The ledger of a shop, as somebody else sees and changes it: in its SQLite file, or in its database of a
MariaDB server. The same SQL for both; parameters are ?1, ?2 and so on."""

import sqlite3
from contextlib import contextmanager

import process
from sql_texts import parameters_of, with_values

# What this process is called where writers on MariaDB count their commits, for others to notice them.
_PROCESS = 1


def open_ledger(data):
    """Of this data folder; for a `with`. Foreign keys are not checked, as in a plain SQLite connection."""
    server = process.mariadb_of_ledgers()
    return _SqliteLedger(data) if server is None else _MariaDbLedger(server, process.database_of(data))


def has_ledger(data):
    server = process.mariadb_of_ledgers()
    if server is None:
        return (data / "sluice.db").exists()
    with server.connect() as connection:
        return connection.rows(f"SHOW DATABASES LIKE '{process.database_of(data)}'") != []


def look(shop, sql, *values):
    """The rows that one query finds."""
    with open_ledger(shop.server.data) as ledger:
        return ledger.rows(sql, *values)


def change(shop, sql, *values):
    """Runs one statement directly on the database; returns how many rows it touched."""
    with open_ledger(shop.server.data) as ledger:
        return ledger.change(sql, *values)


class _Ledger:
    def value(self, sql, *values):
        [[found]] = self.rows(sql, *values)
        return found

    def contents(self):
        """All rows, by table, without what servers note of themselves: their leases, and that they commit."""
        return {table: self.rows(f"SELECT * FROM {table}") for table in self.tables()
                if table not in ("ledger_nodes", "ledger_writers")}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._connection.close()


class _SqliteLedger(_Ledger):
    kind = "sqlite"

    def __init__(self, data):
        self._file = data / "sluice.db"
        self._connection = sqlite3.connect(self._file, isolation_level=None, timeout=30)

    def rows(self, sql, *values):
        return self._execute(sql, values).fetchall()

    def change(self, sql, *values):
        return self._execute(sql, values).rowcount

    def _execute(self, sql, values):
        # SQLite wants as many values as the highest number.
        return self._connection.execute(sql, values[:max(parameters_of(sql), default=0)])

    def tables(self):
        return [name for [name] in self.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")]

    def columns(self, table):
        return [name for [name] in self.rows("SELECT name FROM pragma_table_info(?1) ORDER BY cid", table)]

    def ignore_checks(self):
        """From now on rows may break the rules of the tables."""
        self._connection.execute("PRAGMA ignore_check_constraints = ON")

    def triggers_of(self, *tables):
        """The statement that makes each, by its name."""
        return {name: sql for name, table, sql in self.rows(
            "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'") if table in tables}

    def refuse(self, name, table, condition):
        """Makes a trigger that refuses such new rows."""
        self.change(f"CREATE TRIGGER {name} BEFORE INSERT ON {table} WHEN {condition} "
                    f"BEGIN SELECT RAISE(ABORT, '{name}'); END")

    @contextmanager
    def held(self):
        """Nobody else writes inside. What is changed inside is committed at the end."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def expect_no_open_read(self):
        # The log can be emptied down to its last page.
        [[busy, *_]] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        assert busy == 0

    def raw_bytes(self):
        """Everything that is stored, also in places that no row uses any more."""
        return b"".join(path.read_bytes() for path in self._file.parent.glob("sluice.db*"))


class _MariaDbLedger(_Ledger):
    kind = "mariadb"

    def __init__(self, server, database):
        self._connection = server.connect(database)
        self._connection.run("SET SESSION foreign_key_checks = 0, innodb_lock_wait_timeout = 30, "
                             "max_recursive_iterations = 10000000")
        self._folder = server.data / database

    def rows(self, sql, *values):
        return self._connection.rows(with_values(sql, values))

    def change(self, sql, *values):
        touched = self._connection.run(with_values(sql, values))
        self._tell()
        return touched

    def _tell(self):
        """As each writer does, since the server does not report the commits of others."""
        self._connection.run(
            f"INSERT INTO ledger_writers (process, seat, commits, seen_at) VALUES ({_PROCESS}, 0, 1, unix_timestamp()) "
            "ON DUPLICATE KEY UPDATE commits = commits + 1, seen_at = unix_timestamp()")

    def tables(self):
        return [name for [name] in self.rows(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = database() "
            "AND table_type = 'BASE TABLE' ORDER BY table_name")]

    def columns(self, table):
        """Without the columns that SELECT * does not show."""
        return [name for [name] in self.rows(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = database() "
            "AND table_name = ?1 AND extra NOT LIKE '%INVISIBLE%' ORDER BY ordinal_position", table)]

    def ignore_checks(self):
        self._connection.run("SET SESSION check_constraint_checks = 0")

    def triggers_of(self, *tables):
        names = [row[0] for row in self.rows("SHOW TRIGGERS") if row[2] in tables]
        return {name: self.rows(f"SHOW CREATE TRIGGER {name}")[0][2] for name in names}

    def refuse(self, name, table, condition):
        self.change(f"CREATE TRIGGER {name} BEFORE INSERT ON {table} FOR EACH ROW "
                    f"IF {condition} THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = '{name}'; END IF")

    @contextmanager
    def held(self):
        with self._connection.transaction():
            # Ordinary work waits for its turn, and a purchase for the row of its sale.
            self._connection.run("SELECT one FROM ledger_turn WHERE one = 1 FOR UPDATE")
            self._connection.run("SELECT id FROM sales FOR UPDATE")
            yield self

    def expect_no_open_read(self):
        [[long]] = self.rows(
            "SELECT count(*) FROM information_schema.innodb_trx JOIN information_schema.processlist "
            "ON trx_mysql_thread_id = id WHERE db = database() AND trx_started < now() - INTERVAL 1 SECOND")
        assert long == 0

    def raw_bytes(self):
        tables = ", ".join(self.tables())
        self._connection.run(f"FLUSH TABLES {tables} FOR EXPORT")  # the files have all changes from now on
        try:
            return b"".join(path.read_bytes() for path in self._folder.glob("*.ibd"))
        finally:
            self._connection.run("UNLOCK TABLES")
