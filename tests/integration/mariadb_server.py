"""A private MariaDB server from Debian's package, in a folder and on a port of its own."""

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from mariadb_client import Connection, SqlError
from own_process import OwnProcess, find_free_port, find_program

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "schema/mariadb"
COLLATION = "utf8mb4_nopad_bin"


def migrations():
    """The files of the schema, in their order."""
    return sorted(SCHEMA.glob("*.sql"))


def statements_of(script):
    """As the program takes a migration apart: a statement ends with a semicolon at the end of a line,
    and an empty line or the end of the file follows."""
    found = []
    for part in re.split(r"(?<=;)\n(?:\s*\n|\s*\Z)", script):
        lines = part.split("\n")
        while lines and (not lines[0].strip() or lines[0].startswith("--")):
            lines.pop(0)
        text = "\n".join(lines).strip()
        if text:
            found.append(text.removesuffix(";"))
    return found


class MariaDbServer(OwnProcess):
    """Only for this test run: root has no password, and only this machine reaches it.

    `options` are options of mariadbd without the dashes, such as innodb_lock_wait_timeout=2. Those of start() hold
    for that start."""

    NAME = "MariaDB"
    NOT_YET = (SqlError,)

    def __init__(self, folder=None, *, options=None, wrapper=()):
        super().__init__(folder)
        self.data = self.folder / "data"
        self.socket = self.folder / "s"
        self.port = find_free_port()
        self.options = {"innodb_buffer_pool_size": "64M", "innodb_log_file_size": "32M",
                        "performance_schema": "OFF", **(options or {})}
        self.wrapper = list(wrapper)
        self._names = itertools.count(1)

    def _command(self, **options):
        if not self.data.exists():
            self._install()
        return [*self.wrapper, find_program("mariadbd"), "--no-defaults", f"--datadir={self.data}",
                f"--socket={self.socket}", f"--port={self.port}", "--bind-address=127.0.0.1",
                f"--pid-file={self.folder / 'pid'}", f"--tmpdir={self.folder}", "--skip-name-resolve",
                *_as_user(), *(f"--{name}={value}" for name, value in {**self.options, **options}.items())]

    def _ask(self):
        Connection(socket=self.socket).close()

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def set_read_only(self, read_only):
        """As after a failover. It does not affect root, so use add_user() for a user who must be refused."""
        with self.connect() as connection:
            connection.run(f"SET GLOBAL read_only = {int(read_only)}")

    def remove(self):
        """Stops the server and removes its folder, or its data from a folder that was given."""
        super().remove()
        shutil.rmtree(self.data, ignore_errors=True)

    def connect(self, database=None, **options):
        return Connection(socket=self.socket, database=database, **options)

    def add_database(self, *, migrated=True):
        """The name of a new database, with the schema unless it is to be empty."""
        name = f"ledger_{next(self._names)}"
        with self.connect() as connection:
            connection.run(f"CREATE DATABASE {name} CHARACTER SET utf8mb4 COLLATE {COLLATION}")
        if migrated:
            with self.connect(name) as connection:
                migrate(connection)
        return name

    def remove_database(self, name):
        with self.connect() as connection:
            connection.run(f"DROP DATABASE IF EXISTS {name}")

    def remove_databases(self, pattern, but=()):
        """Those whose names are LIKE this."""
        with self.connect() as connection:
            for [name] in connection.rows(f"SHOW DATABASES LIKE '{pattern}'"):
                if name not in but:
                    connection.run(f"DROP DATABASE {name}")

    def add_user(self, name, password, database):
        """A user with all rights in one database and none elsewhere, like the program's user."""
        with self.connect() as connection:
            connection.run(f"CREATE USER '{name}'@'127.0.0.1' IDENTIFIED BY '{password}'")
            connection.run(f"GRANT ALL ON {database}.* TO '{name}'@'127.0.0.1'")

    def _install(self):
        # A server that starts removes the temporary tables of others from a folder that they share.
        done = subprocess.run(
            [find_program("mariadb-install-db"), "--no-defaults", f"--datadir={self.data}", f"--tmpdir={self.folder}",
             "--skip-test-db", "--auth-root-authentication-method=normal", "--innodb-log-file-size=32M",
             *_as_user()],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def migrate(connection):
    """The schema as it is, each migration noted; what `sluice migrate` does, for tests without it. May be
    run again."""
    for version, file in enumerate(migrations(), 1):
        for statement in statements_of(file.read_text()):
            connection.run(statement)
        connection.run(f"REPLACE INTO migrations (version, name, applied_at) VALUES ({version}, '{file.name}', "
                       f"{int(time.time() * 1000)})")


@contextmanager
def running_server(**options):
    """A server that may be stopped, frozen and killed, and is removed afterwards."""
    # Nothing here outlives a power cut, and a killed process loses nothing that the kernel has: nothing waits for
    # the disk. A new database is some 150 files, each of which MariaDB syncs, so they are in memory where there is room.
    server = MariaDbServer(_folder_in_memory(), options={"innodb_flush_method": "nosync", **options})
    try:
        yield server.start()
    finally:
        server.remove()
        shutil.rmtree(server.folder, ignore_errors=True)


def _folder_in_memory():
    """None where memory is short, as in many containers: then the folder is on the disk."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < 4 << 30:
        return None
    return tempfile.mkdtemp(prefix="sluice-", dir=memory)


@pytest.fixture(scope="session")
def mariadb():
    """One server for all tests that do not stop or freeze it; each uses a database of its own."""
    with running_server() as server:
        yield server
        server.stop()


def _as_user():
    # mariadbd does not start as root unless it is told to.
    return ["--user=root"] if os.geteuid() == 0 else []
