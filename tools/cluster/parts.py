"""The parts of a cluster: how each is prepared and started, and how it tells that it works."""

import http.client
import json
import os
import re
import secrets
import shutil
import socket
import subprocess
from pathlib import Path

from . import nginx_site, redis_site
from .trouble import Trouble

ROOT = Path(__file__).resolve().parents[2]
USER = "sluice"  # our name at MariaDB, at Redis and at RabbitMQ
ALL_ROLES = ["edge", "writer", "keeper"]
RABBITMQ = ROOT / "tests/support/rabbitmq_server.sh"


def find_program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise Trouble(f"{name} is not there: `./dev setup cluster` installs it.")
    return found


def find_binary():
    binary = Path(os.environ.get("SLUICE_BINARY", ROOT / "build/release/sluice")).resolve()
    if not os.access(binary, os.X_OK):
        raise Trouble(f"{binary} is not there: `./dev build` makes it.")
    return binary


def write_secret(path, text):
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text + "\n")


class Part:
    """`folder` is the cluster's; the part has one of its own inside."""

    kind = None

    def __init__(self, cluster_folder, name, port):
        self.cluster = Path(cluster_folder)
        self.name, self.port = name, port
        self.folder = self.cluster / name
        self.log = self.folder / "log"

    @property
    def env(self):
        """Without the caller's SLUICE_… settings."""
        return {name: value for name, value in os.environ.items() if not name.startswith("SLUICE_")}

    def prepare(self):
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self):
        raise NotImplementedError

    def finish(self):
        """Done once, when the part answers for the first time."""

    def answers(self):
        """Whether it has started. Whether it works may depend on others."""
        return self.health()[0]

    def health(self):
        """(whether it works, a few words). Asks the part itself."""
        raise NotImplementedError


class MariaDb(Part):
    kind = "mariadb"

    @property
    def password_file(self):
        return self.folder / "password"

    @property
    def socket(self):
        return self.folder / "mariadb.sock"

    @property
    def url(self):
        return f"mariadb://127.0.0.1:{self.port}/sluice"

    def prepare(self):
        super().prepare()
        find_program("mariadbd")
        # It writes its own log beside the data.
        self.log.unlink(missing_ok=True)
        self.log.symlink_to("mariadb.log")
        if not self.password_file.exists():
            write_secret(self.password_file, secrets.token_urlsafe(24))

    def command(self):
        return [ROOT / "tests/support/mariadb_server.sh", self.folder, self.port, "--max-connections=400"]

    def finish(self):
        """A database of ours, a user who owns it and nothing else, and a password for root: other users of this
        machine reach the port too."""
        password = self.password_file.read_text().strip()
        root = secrets.token_urlsafe(24)
        self._run(f"""
            CREATE DATABASE sluice CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin;
            CREATE USER {USER}@'127.0.0.1' IDENTIFIED BY '{password}';
            GRANT ALL ON sluice.* TO {USER}@'127.0.0.1';
            DELETE FROM mysql.global_priv WHERE user = '' OR (user = 'root' AND host != 'localhost');
            FLUSH PRIVILEGES;
            ALTER USER root@localhost IDENTIFIED BY '{root}';""")
        write_secret(self.folder / "root-password", root)

    def _run(self, statements):
        # The length of a socket's name is limited: it is named as seen from its folder.
        done = subprocess.run([find_program("mariadb"), "--no-defaults", "--socket=mariadb.sock", "--user=root"],
                              input=statements, text=True, capture_output=True, cwd=self.folder)
        if done.returncode != 0:
            raise Trouble(f"MariaDB did not take its first statements: {done.stderr.strip()}")

    def health(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 3) as connection:
                connection.settimeout(3)
                greeting = connection.recv(64)
        except OSError as error:
            return False, _reason(error)
        version = greeting[5:].split(b"\0")[0].decode("ascii", "replace").removeprefix("5.5.5-")
        return bool(version), f"MariaDB {version}" if version else "connects, but says nothing"


class Redis(Part):
    kind = "redis"

    @property
    def password_file(self):
        return self.folder / "password"

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}/0"

    def prepare(self):
        super().prepare()
        find_program("redis-server")
        admin_password_file = self.folder / "admin-password"
        for file in (self.password_file, admin_password_file):
            if not file.exists():
                write_secret(file, secrets.token_urlsafe(24))
        password, admin_password = (file.read_text().strip() for file in (self.password_file, admin_password_file))
        write_secret(self.folder / "redis.conf", redis_site.render(redis_site.Site(
            port=self.port, folder=self.folder, password=password, admin_password=admin_password)))

    def command(self):
        return [find_program("redis-server"), self.folder / "redis.conf"]

    def health(self):
        password = self.password_file.read_text().strip()
        try:
            with socket.create_connection(("127.0.0.1", self.port), 3) as connection:
                connection.settimeout(3)
                # A question that our user may ask.
                connection.sendall(f"AUTH {USER} {password}\r\nSELECT 0\r\n".encode())
                said = b""
                while said.count(b"\r\n") < 2:
                    more = connection.recv(4096)
                    if not more:
                        return False, "hangs up"
                    said += more
        except OSError as error:
            return False, _reason(error)
        lines = said.decode("ascii", "replace").split("\r\n")
        works = lines[:2] == ["+OK", "+OK"]
        return works, "answers" if works else " ".join(lines).strip()


class Epmd(Part):
    """By it the nodes of RabbitMQ find each other."""

    kind = "epmd"

    def command(self):
        return [RABBITMQ, "--epmd", self.port]

    def health(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), 3).close()
        except OSError as error:
            return False, _reason(error)
        return True, "answers"


class RabbitMq(Part):
    """One node of the broker."""

    kind = "rabbitmq"

    def __init__(self, cluster_folder, name, port, ports, first=None):
        super().__init__(cluster_folder, name, port)
        self.ports = ports  # of epmd, and for the other nodes
        self.first = first  # whose cluster it joins
        self.log = self.folder / "log/rabbit.log"

    @property
    def password_file(self):
        return (self.first or self).folder / "password"

    @property
    def url(self):
        return f"amqp://127.0.0.1:{self.port}"

    def prepare(self):
        self.log.parent.mkdir(parents=True, exist_ok=True)
        find_program("rabbitmq-server")
        if not self.password_file.exists():
            write_secret(self.password_file, secrets.token_urlsafe(24))

    def command(self):
        return [RABBITMQ, self.folder, self.port, *self.ports, "--password-file", self.password_file,
                *(["--join", self.first.folder] if self.first else [])]

    def health(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 3) as connection:
                connection.settimeout(3)
                connection.sendall(b"AMQP\x00\x00\x09\x01")
                greeting = connection.recv(4096)
        except OSError as error:
            return False, _reason(error)
        version = re.search(rb"\x07versionS....([\d.]+)", greeting, re.S)
        return bool(version), f"RabbitMQ {version[1].decode()}" if version else "connects, but says nothing"


class Node(Part):
    kind = "node"

    def __init__(self, cluster_folder, name, port, roles=None):
        """`roles`: all of them, unless they are given."""
        super().__init__(cluster_folder, name, port)
        self.roles = roles or ALL_ROLES
        self._chosen = ["--role", ",".join(roles)] if roles else []

    @property
    def data(self):
        return self.folder / "data"

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def prepare(self):
        super().prepare()
        self.data.mkdir(exist_ok=True, mode=0o700)

    def settings(self):
        return ["--config", self.cluster / "sluice.toml", "--data", self.data]

    def command(self):
        return [find_binary(), "serve", *self.settings(), "--listen", f"127.0.0.1:{self.port}", *self._chosen]

    def run(self, *arguments, stdin="", timeout=600):
        """A command of sluice with the settings of this node."""
        done = subprocess.run([str(word) for word in [find_binary(), *arguments, *self.settings()]], input=stdin,
                              text=True, capture_output=True, env=self.env, timeout=timeout)
        if done.returncode != 0:
            raise Trouble(f"`sluice {arguments[0]}` failed: {(done.stderr or done.stdout).strip()}")
        return done.stdout

    def answers(self):
        return _speaks_http(self.port)

    def health(self):
        try:
            status, body = get(self.port, "/readyz")
        except OSError as error:
            return False, _reason(error)
        if status == 200:
            return True, "ready"
        return False, "not ready: " + ("; ".join(_failing_parts(body)) or f"answers {status}")


class Nginx(Part):
    kind = "nginx"

    def __init__(self, cluster_folder, name, port, nodes):
        super().__init__(cluster_folder, name, port)
        self.nodes = nodes

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def access_log(self):
        return self.folder / "access.log"

    def prepare(self):
        super().prepare()
        find_program("nginx")
        site = nginx_site.Site(port=self.port, nodes=[node.port for node in self.nodes],
                               web=find_binary().parent / "web")
        try:
            nginx_site.write(self.folder, site)
        except FileNotFoundError as error:
            raise Trouble(f"{error}: `./dev setup cluster` does it.") from None

    def command(self):
        return [find_program("nginx"), "-p", self.folder, "-c", self.folder / "nginx.conf"]

    def answers(self):
        return _speaks_http(self.port)

    def health(self):
        try:
            status, _ = get(self.port, "/api/v1/time")
        except OSError as error:
            return False, _reason(error)
        return status == 200, "passes requests on" if status == 200 else f"answers {status}: no node does"


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Accept": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except http.client.HTTPException as error:
        raise ConnectionError(f"does not speak HTTP: {error!r}") from None
    finally:
        connection.close()


def _speaks_http(port):
    try:
        get(port, "/livez")
        return True
    except OSError:
        return False


def _failing_parts(readyz):
    try:
        parts = json.loads(readyz)["parts"]
        return [f"{part['name']}: {part['detail']}" for part in parts if not part["ready"]]
    except (ValueError, KeyError, TypeError):
        return []


def _reason(error):
    return "does not answer in time" if isinstance(error, TimeoutError) else (error.strerror or str(error))
