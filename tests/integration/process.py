"""The real binary: the server as a child process, and the other commands."""

import hashlib
import os
import re
import select
import signal
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("SLUICE_BINARY", ROOT / "build/release/sluice")).resolve()
SECRET = "a secret that the tests share with the server"
STARTS_WITHIN = 60  # a first start on MariaDB makes the schema
STOPS_WITHIN = 20


_mariadb = None  # a private server, when the ledgers are on one
_way_there = None


def put_ledgers_on(server, way=None):
    """From now on the ledger of each data folder is a database of this MariaDB server. The program's
    user there has all rights on these and none beyond them. None: in files again. `way` makes the
    settings of the program from the name of a database, for another way there than the server's socket."""
    global _mariadb, _way_there
    _mariadb, _way_there = server, way
    if server is not None:
        with server.connect() as connection:
            connection.run("CREATE USER IF NOT EXISTS shop@localhost")
            connection.run("GRANT ALL ON `shop\\_%`.* TO shop@localhost")


@contextmanager
def ledgers_on(server, way=None):
    """As put_ledgers_on(), and in files again afterwards."""
    put_ledgers_on(server, way)
    try:
        yield server
    finally:
        put_ledgers_on(None)


def mariadb_of_ledgers():
    """The server of put_ledgers_on(), or None."""
    return _mariadb


def database_of(data):
    return "shop_" + hashlib.sha256(str(Path(data).resolve()).encode()).hexdigest()[:24]


def ledger_settings(data):
    if _mariadb is None or data is None:
        return {}
    database = database_of(data)
    more = _way_there(database) if _way_there else {
        "SLUICE_LEDGER_URL": f"mariadb://localhost/{database}?socket={_mariadb.socket}"}
    return {"SLUICE_LEDGER_KIND": "mariadb", "SLUICE_LEDGER_USER": "shop", **more}


_redis = None  # a private server, when the shops are clusters


def put_hot_copies_on(server):
    """From now on the hot copies of each data folder are in this Redis, under a prefix of their own. None: in
    memory again."""
    global _redis
    _redis = server


def hot_settings(data):
    if _redis is None or data is None:
        return {}
    return {"SLUICE_HOT_KIND": "redis", "SLUICE_HOT_URL": _redis.url, "SLUICE_HOT_PREFIX": database_of(data) + ":"}


def environment(extra=None, data=None):
    """Without the caller's SLUICE_… settings, so that only the test decides."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SLUICE_")}
    return {**clean, **ledger_settings(data), **hot_settings(data), **(extra or {})}


def run(*arguments, stdin="", env=None, timeout=120, cwd=None):
    arguments = [str(each) for each in arguments]
    data = arguments[arguments.index("--data") + 1] if "--data" in arguments[:-1] else None
    return subprocess.run([BINARY, *arguments], input=stdin, text=True, capture_output=True,
                          env=environment(env, data), timeout=timeout, cwd=cwd)


def add_user(data, phone, role, password):
    done = run("user", "add", "--data", data, "--phone", phone, "--role", role,
               "--password-stdin", stdin=password + "\n")
    assert done.returncode == 0, done.stderr
    return done


def eventually(condition, seconds=5, what="the condition"):
    """The first true value of `condition()`; fails when there is none in time."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not come true in {seconds} s"
        time.sleep(0.01)


class Server:
    def __init__(self, folder, *, config=None, arguments=(), env=None, data=None, wrapper=()):
        self.folder = Path(folder)
        self.data = Path(data) if data else self.folder / "data"
        self.log_file = self.folder / "log"
        self.arguments = list(map(str, arguments))
        self.wrapper = list(wrapper)  # a command that starts the server, such as as another user
        self.env = {"SLUICE_LIMITS_ENABLED": "false", "SLUICE_PAYMENTS_PROVIDER": "sandbox",
                    "SLUICE_PAYMENTS_WEBHOOK_SECRETS": SECRET, "SLUICE_SMS_PROVIDER": "sandbox",
                    "SLUICE_SMS_SANDBOX_IN_PUBLIC": "true", **(env or {})}
        self.env = {name: value for name, value in self.env.items() if value is not None}
        self.process = None
        self.port = None
        if config is not None:
            (self.folder / "sluice.toml").write_text(config)
            self.arguments += ["--config", str(self.folder / "sluice.toml")]

    def start(self):
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, BINARY, "serve", "--data", self.data, "--listen", "127.0.0.1:0", *self.arguments],
                stdout=subprocess.PIPE, stderr=log, env=environment(self.env, self.data))
        self.printed = self._read_until_listening()
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)", self.printed)[1])
        return self

    def _read_until_listening(self):
        deadline = time.monotonic() + STARTS_WITHIN
        poller = select.poll()  # not select(), which knows no more than a thousand files
        poller.register(self.process.stdout, select.POLLIN)
        printed = b""
        while not re.search(rb"http://127\.0\.0\.1:\d+.*\n", printed):
            ready = poller.poll(max(0, deadline - time.monotonic()) * 1000)
            chunk = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not chunk:
                self.process.kill()
                self.process.wait()
                raise AssertionError(f"the server did not start: {printed!r}\n{self.log()}")
            printed += chunk
        return printed.decode()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def resident_bytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)

    def wait(self):
        try:
            return self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"still running {STOPS_WITHIN} s after SIGTERM\n{self.log()[-4000:]}")
        finally:
            self.process.stdout.close()

    def stop(self):
        """Stops cleanly, and checks that the log has no errors."""
        if self.running:
            self.terminate()
        code = self.wait()
        assert code == 0, f"exit {code}\n{self.log()[-4000:]}"
        bugs = [line for line in self.log().splitlines() if re.search(r"\binternal\b", line)]
        assert not bugs, bugs[:5]

    def kill(self):
        if self.running:
            self.process.kill()
            self.wait()
