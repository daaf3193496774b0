"""A private MariaDB server from Debian's package, in a folder and on a port of its own."""

import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from mariadb_client import Connection, SqlError

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "schema/mariadb"
STARTS_WITHIN = 60
STOPS_WITHIN = 60
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


def find_free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class MariaDbServer:
    """Only for this test run: root has no password, and only this machine reaches it.

    `options` are options of mariadbd without the dashes, such as innodb_lock_wait_timeout=2."""

    def __init__(self, folder=None, *, options=None, wrapper=()):
        self._own_folder = folder is None
        # Short, because the path of a socket file cannot be longer than 107 bytes.
        self.folder = Path(folder or tempfile.mkdtemp(prefix="sluice-mariadb-"))
        self.data = self.folder / "data"
        self.socket = self.folder / "s"
        self.log_file = self.folder / "log"
        self.port = find_free_port()
        self.options = {"innodb_buffer_pool_size": "64M", "innodb_log_file_size": "32M",
                        "performance_schema": "OFF", **(options or {})}
        self.wrapper = list(wrapper)
        self.process = None
        self._names = itertools.count(1)
        self._frozen = False

    def start(self, **options):
        """Also after stop() or kill(): on the same folder and port. `options` hold for this start."""
        assert not self.running, "the server runs already"
        if not self.data.exists():
            self._install()
        every = {**self.options, **options}
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, _find("mariadbd"), "--no-defaults", f"--datadir={self.data}",
                 f"--socket={self.socket}", f"--port={self.port}", "--bind-address=127.0.0.1",
                 f"--pid-file={self.folder / 'pid'}", f"--tmpdir={self.folder}", "--skip-name-resolve",
                 *_as_user(), *(f"--{name}={value}" for name, value in every.items())],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._frozen = False
        self._wait_until_it_answers()
        return self

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def stop(self):
        """A clean end."""
        if not self.running:
            return
        self.thaw()
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running {STOPS_WITHIN} s after SIGTERM\n{self.log()[-4000:]}")
        assert code == 0, f"exit {code}\n{self.log()[-4000:]}"

    def kill(self):
        """As a power cut would end the process."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def restart(self, **options):
        self.stop()
        return self.start(**options)

    def freeze(self):
        """The connections stay, and nothing answers."""
        self.process.send_signal(signal.SIGSTOP)
        self._frozen = True

    def thaw(self):
        if self._frozen:
            self.process.send_signal(signal.SIGCONT)
            self._frozen = False

    def set_read_only(self, read_only):
        """As after a failover. It does not bind root, so use add_user() for whoever is to be refused."""
        with self.connect() as connection:
            connection.run(f"SET GLOBAL read_only = {int(read_only)}")

    def remove(self):
        """Ends the server and takes its folder away."""
        self.kill()
        shutil.rmtree(self.folder if self._own_folder else self.data, ignore_errors=True)

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

    def add_user(self, name, password, database):
        """With all rights in one database and none beyond it, as the program's user has."""
        with self.connect() as connection:
            connection.run(f"CREATE USER '{name}'@'127.0.0.1' IDENTIFIED BY '{password}'")
            connection.run(f"GRANT ALL ON {database}.* TO '{name}'@'127.0.0.1'")

    def _install(self):
        # A server that starts removes the temporary tables of others from a folder that they share.
        done = subprocess.run(
            [_find("mariadb-install-db"), "--no-defaults", f"--datadir={self.data}", f"--tmpdir={self.folder}",
             "--skip-test-db", "--auth-root-authentication-method=normal", "--innodb-log-file-size=32M",
             *_as_user()],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr

    def _wait_until_it_answers(self):
        deadline = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                with Connection(socket=self.socket):
                    return
            except SqlError as error:
                ended = self.process.poll() is not None
                if ended or time.monotonic() > deadline:
                    self.kill()
                    raise AssertionError(f"MariaDB did not start: {error}\n{self.log()[-4000:]}") from None
            time.sleep(0.02)


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
    """A server that may be stopped, frozen and killed, and is gone afterwards."""
    # Nothing here outlives a power cut, and a killed process loses nothing that the kernel has: nothing waits for
    # the disk.
    server = MariaDbServer(options={"innodb_flush_method": "nosync", **options})
    try:
        yield server.start()
    finally:
        server.remove()


@pytest.fixture(scope="session")
def mariadb():
    """One server for all tests that do not stop or freeze it; each takes a database of its own."""
    with running_server() as server:
        yield server
        server.stop()


def _as_user():
    # mariadbd does not start as root unless it is told to.
    return ["--user=root"] if os.geteuid() == 0 else []


def _find(program):
    found = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    assert found, f"{program} is not there: `./dev setup test` installs it"
    return found
