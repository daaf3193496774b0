"""A private Redis from Debian's package, in a folder and on a port of its own."""

import shutil
import socket

from own_process import OwnProcess, find_free_port, find_program


class RedisError(Exception):
    pass


class RedisServer(OwnProcess):
    """Only this machine reaches it. It appends every write to a file, as a shop wants it, so a restart
    finds what was there. `options` are options of redis-server without the dashes, `config` is a file of
    them, and `admin` names the user and the password of ask()."""

    NAME = "Redis"
    NOT_YET = (OSError, RedisError, EOFError)

    def __init__(self, folder=None, *, options=None, config=None, admin=None):
        super().__init__(folder)
        self.socket = self.folder / "s"
        self.port = find_free_port()
        self.options = {"appendonly": "yes", "appendfsync": "no", "save": "", **(options or {})}
        self.config, self.admin = config, admin

    def _command(self):
        words = [word for name, value in self.options.items() for word in (f"--{name}", value)]
        listens = [self.config] if self.config else ["--port", self.port]
        return [find_program("redis-server"), *listens, "--dir", self.folder, "--bind", "127.0.0.1",
                "--unixsocket", self.socket, "--daemonize", "no", *words]

    def _ask(self):
        self.ask("PING")

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

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

    def forget_its_files(self):
        """While it is not running: the next start begins with no data."""
        assert not self.running
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)

    def remember_its_files(self):
        """As they are now, for put_back_files()."""
        remembered = self.folder / "remembered"
        shutil.rmtree(remembered, ignore_errors=True)
        shutil.copytree(self.folder / "appendonlydir", remembered)

    def put_back_files(self):
        """While it is not running: the next start has the data of the time when the files were remembered."""
        self.forget_its_files()
        shutil.copytree(self.folder / "remembered", self.folder / "appendonlydir")


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
