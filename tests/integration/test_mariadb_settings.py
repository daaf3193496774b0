"""What the program asks of the settings of a MariaDB server, and a server that keeps a binary log."""

import random

import pytest

from crowd import Buyer, rush
from mariadb_server import running_server
from process import database_of, eventually, ledgers_on, run
from shop import open_shop
from test_faults_sale import WIDE, check_tickets, gets_pass
from test_mariadb_faults import buy_all, check_books, rush_into, wait_until_away, wait_until_ready

BINARY_LOG = {"log_bin": "binlog", "server_id": 1, "sync_binlog": 1, "binlog_format": "ROW",
              "log_bin_trust_function_creators": 1}


@pytest.fixture(scope="module")
def logging_server():
    with running_server(**BINARY_LOG) as server:
        yield server


@pytest.fixture
def database(logging_server):
    with ledgers_on(logging_server):
        yield logging_server


@pytest.fixture
def shop(database, tmp_path):
    shop = open_shop(tmp_path)
    yield shop
    if not database.running:
        database.start()
    shop.stop()


class Setting:
    """A global variable of the server, set back at the end."""

    def __init__(self, server, name, value):
        self.server, self.name, self.value = server, name, value

    def __enter__(self):
        with self.server.connect() as connection:
            self.before = connection.value(f"SELECT @@GLOBAL.{self.name}")
            connection.run(f"SET GLOBAL {self.name} = {self.value}")

    def __exit__(self, *_):
        with self.server.connect() as connection:
            before = self.before if isinstance(self.before, int) else f"'{self.before}'"
            connection.run(f"SET GLOBAL {self.name} = {before}")


@pytest.mark.parametrize("name, value, line", [
    ("innodb_flush_log_at_trx_commit", 2, "set innodb_flush_log_at_trx_commit = 1"),
    ("innodb_flush_log_at_trx_commit", 0, "set innodb_flush_log_at_trx_commit = 1"),
    ("sync_binlog", 0, "set sync_binlog = 1"),
    ("sync_binlog", 100, "set sync_binlog = 1"),
    ("binlog_format", "'STATEMENT'", "set binlog_format = ROW"),
    ("max_allowed_packet", 1 << 20, "set max_allowed_packet = 16M"),
    ("init_connect", "'SET SESSION sql_mode = \"\"'", None),
])
def test_a_setting_that_a_promise_needs_is_refused_with_the_line(database, tmp_path, name, value, line):
    assert run("migrate", "--data", tmp_path).returncode == 0
    start = ("serve", "--listen", "127.0.0.1:0", "--data", tmp_path)
    with Setting(database, name, value):
        if line is None:  # the program sets its own after it
            server = open_shop(tmp_path / "shop")
            server.stop()
            return
        done = run(*start)
        assert done.returncode == 1 and line in done.stderr, done.stderr
        assert "the MariaDB server is not set as sluice needs it" in done.stderr


def test_a_server_that_is_set_worse_while_the_shop_runs_sells_nothing(shop, database):
    """Such as after a failover: a new connection is not used before the settings were read."""
    sale = shop.sale()["id"]
    with Setting(database, "sync_binlog", 0):
        with database.connect() as connection:
            for [each] in connection.rows("SELECT id FROM information_schema.processlist "
                                          "WHERE db IS NOT NULL AND id <> connection_id()"):
                connection.run(f"KILL {each}")
        wait_until_away(shop)

        def detail():
            parts = shop.visitor.get("/readyz", api=False).body["parts"]
            return next(part["detail"] for part in parts if part["name"] == "ledger") or ""
        eventually(lambda: "set sync_binlog = 1" in detail(), 20, "the line to change")
        assert shop.visitor.get(f"/sales/{sale}").status == 200
    wait_until_ready(shop)
    shop.bought(shop.buyer(), sale)
    shop.audit()


def test_a_setting_that_is_a_risk_is_warned_of(shop, database):
    assert "ledger.settings" not in shop.server.log()
    shop.stop()
    with Setting(database, "max_connections", 10):
        shop.server.start()
        told = [line for line in shop.server.log().splitlines() if "ledger.settings" in line]
        assert len(told) == 1 and "set max_connections higher" in told[0], told
        shop.server.stop()
    database.restart(innodb_doublewrite=0)
    shop.server.start()
    told = [line for line in shop.server.log().splitlines() if "ledger.settings" in line]
    assert len(told) == 2 and "set innodb_doublewrite = 1" in told[1], told
    shop.server.stop()
    database.restart()
    shop.server.start()


def test_a_start_on_a_server_that_takes_no_writes_is_refused(shop, database):
    shop.stop()
    database.set_read_only(True)
    try:
        done = run("serve", "--listen", "127.0.0.1:0", "--data", shop.server.data)
        assert done.returncode == 1 and "--read-only" in done.stderr, done.stderr
        assert database_of(shop.server.data) in done.stderr
    finally:
        database.set_read_only(False)
    shop.server.start()


def test_a_migration_that_the_binary_log_forbids_names_the_line(database, tmp_path):
    with Setting(database, "log_bin_trust_function_creators", 0):
        done = run("migrate", "--data", tmp_path)
        assert done.returncode == 1 and "log_bin_trust_function_creators = 1" in done.stderr, done.stderr
    done = run("migrate", "--data", tmp_path)
    assert done.returncode == 0, "it goes on where it was cut short: " + done.stderr


def test_kills_of_a_server_with_a_binary_log_lose_nothing(shop, database, long):
    kills, burst = (20, 300) if long else (2, 150)
    sale = shop.sale(stock=10**6, limit_per_buyer=5, gate_factor=WIDE)["id"]
    tokens = shop.minted(kills * burst)
    everybody = []
    for kill in range(kills):
        buyers = [Buyer(token, key="k", quantity=1 + i % 2)
                  for i, token in enumerate(tokens[kill * burst:(kill + 1) * burst])]
        rush(shop.server.port, gets_pass(sale), buyers)
        rush_into(shop, sale, buyers, database.kill)
        wait_until_away(shop)
        everybody += buyers
        database.start()
        wait_until_ready(shop)
        check_tickets(shop, sale, everybody)
        buy_all(shop, sale, buyers)
    check_books(shop, sale, everybody)


@pytest.fixture
def replica(database):
    with running_server(server_id=2) as server:
        with database.connect() as connection:
            connection.run("CREATE USER IF NOT EXISTS copies@'127.0.0.1' IDENTIFIED BY 'copies'")
            connection.run("GRANT REPLICATION SLAVE ON *.* TO copies@'127.0.0.1'")
            begins = connection.value("SELECT @@gtid_binlog_pos")
        with server.connect() as connection:
            connection.run("CREATE USER shop@localhost")  # the triggers are its own
            connection.run("GRANT ALL ON `shop\\_%`.* TO shop@localhost")
            connection.run(f"SET GLOBAL gtid_slave_pos = '{begins}'")
            connection.run(f"CHANGE MASTER TO master_host = '127.0.0.1', master_port = {database.port}, "
                           "master_user = 'copies', master_password = 'copies', master_use_gtid = slave_pos, "
                           "master_connect_retry = 1")
        yield server


def checksums(server, database):
    """Of each table whose rows are the shop's."""
    with server.connect(database) as connection:
        tables = [name for [name] in connection.rows("SHOW TABLES")]
        return {name: connection.value(f"SELECT count(*) FROM {name}") for name in tables}, \
            connection.rows(f"CHECKSUM TABLE {', '.join(tables)} EXTENDED")


@pytest.mark.parametrize("form", ["ROW", "MIXED"])
def test_a_replica_has_the_same_rows(database, replica, tmp_path, form):
    with Setting(database, "binlog_format", f"'{form}'"):
        shop = open_shop(tmp_path)
        sale = shop.sale(stock=10**4, limit_per_buyer=5, gate_factor=WIDE)["id"]
        buyers = [Buyer(token, key="k", quantity=1 + random.randrange(2)) for token in shop.minted(200)]
        buy_all(shop, sale, buyers)
        rush(shop.server.port, lambda line, buyer: buyer.cancel(line), buyers[::3])
        assert shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": 5}).status == 200
        shop.audit()
        shop.stop()
    with database.connect() as connection:
        reached = connection.value("SELECT @@gtid_binlog_pos")
    with replica.connect() as connection:
        connection.run("START SLAVE")
        waited = connection.value(f"SELECT master_gtid_wait('{reached}', 50)")
        assert waited == 0, "\n".join(map(str, connection.rows("SHOW SLAVE STATUS")[0]))
    name = database_of(shop.server.data)
    assert checksums(replica, name) == checksums(database, name)
