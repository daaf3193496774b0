"""A private Redis from Debian's package, in a folder and on a port of its own."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from mariadb_server import find_free_port

STARTS_WITHIN = 60
STOPS_WITHIN = 60


class RedisError(Exception):
    pass


class RedisServer:
    """Only this machine reaches it. It appends every write to a file, as a shop wants it, so a restart
    finds what was there. `options` are options of redis-server without the dashes, `config` is a file of
    them, and `admin` names the user and the password of ask()."""

    def __init__(self, folder=None, *, options=None, config=None, admin=None):
        self._own_folder = folder is None
        # Short, because the path of a socket file cannot be longer than 107 bytes.
        self.folder = Path(folder or tempfile.mkdtemp(prefix="sluice-redis-"))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.socket = self.folder / "s"
        self.log_file = self.folder / "log"
        self.port = find_free_port()
        self.options = {"appendonly": "yes", "appendfsync": "no", "save": "", **(options or {})}
        self.config, self.admin = config, admin
        self.process = None
        self._frozen = False

    def start(self):
        """Also after stop() or kill(): on the same folder and port."""
        assert not self.running, "Redis runs already"
        words = [word for name, value in self.options.items() for word in (f"--{name}", value)]
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [_find("redis-server"), *([str(self.config)] if self.config else ["--port", str(self.port)]),
                 "--dir", str(self.folder), "--bind", "127.0.0.1", "--unixsocket", str(self.socket),
                 "--daemonize", "no", *words],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self._frozen = False
        self._wait_until_it_answers()
        return self

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def ask(self, *words):
        """The answer to one command: text, a number, a list or None. Throws RedisError."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(str(self.socket))
            with connection.makefile("rb") as stream:
                if self.admin:
                    connection.sendall(_encode("AUTH", *self.admin))
                    _read_answer(stream)
                connection.sendall(_encode(*words))
                return _read_answer(stream)

    def stop(self):
        """A clean end."""
        if not self.running:
            return
        self.thaw()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOPS_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running {STOPS_WITHIN} s after SIGTERM\n{self.log()[-4000:]}")

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def forget_its_files(self):
        """While it is not running: the next start begins with nothing."""
        assert not self.running
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)

    def remember_its_files(self):
        """As they are now, for put_back_files()."""
        remembered = self.folder / "remembered"
        shutil.rmtree(remembered, ignore_errors=True)
        shutil.copytree(self.folder / "appendonlydir", remembered)

    def put_back_files(self):
        """While it is not running: the next start has what was there when the files were remembered."""
        self.forget_its_files()
        shutil.copytree(self.folder / "remembered", self.folder / "appendonlydir")

    def freeze(self):
        """The connections stay, and nothing answers."""
        self.process.send_signal(signal.SIGSTOP)
        self._frozen = True

    def thaw(self):
        if self._frozen:
            self.process.send_signal(signal.SIGCONT)
            self._frozen = False

    def remove(self):
        """Ends it and takes its folder away."""
        self.kill()
        if self._own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _wait_until_it_answers(self):
        deadline = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                if self.ask("PING") == "PONG":
                    return
            except (OSError, RedisError, EOFError) as error:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    self.kill()
                    raise AssertionError(f"Redis did not start: {error}\n{self.log()[-4000:]}") from None
            time.sleep(0.02)


def _encode(*words):
    encoded = [str(word).encode() for word in words]
    return b"*%d\r\n" % len(encoded) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in encoded)


def _read_answer(stream):
    line = stream.readline()
    if not line.endswith(b"\r\n"):
        raise EOFError("Redis hung up")
    kind, text = line[:1], line[1:-2].decode(errors="replace")
    if kind == b"-":
        raise RedisError(text)
    if kind == b"+":
        return text
    if kind == b":":
        return int(text)
    if int(text) < 0:
        return None
    if kind == b"$":
        return stream.read(int(text) + 2)[:-2].decode(errors="replace")
    return [_read_answer(stream) for _ in range(int(text))]


def _find(program):
    found = shutil.which(program)
    assert found, f"{program} is not there: `./dev setup test` installs it"
    return found
