"""A cluster in a folder: its parts, what runs of them, and the notes about both.

`cluster.json` is for scripts. `state.json` is for this program: ports, logins, and which process is whose.
"""

import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
import time
import zlib
from contextlib import contextmanager
from pathlib import Path

from . import processes
from .parts import USER, Epmd, MariaDb, Nginx, Node, RabbitMq, Redis, write_secret
from .trouble import Trouble

ANSWERS_WITHIN = 180
MOST_NODES = 16
BROKER_NODES = 3  # with one of them lost the broker goes on
WRITERS = 2
# Below the ports that the kernel gives to connections, so that a part that is started again finds its own.
PORTS = range(21000, 31000)
OPERATOR, SHOPPER = "10000001", "10000002"

NODE_SETTINGS = """\
# All nodes of the cluster start with this file. `./dev cluster up` writes it.
public_url = "{url}"

[http]
trusted_proxies = ["127.0.0.1"]
drain_seconds = 5

[limits]
# All buyers come from this machine.
exempt = ["127.0.0.0/8"]

[payments]
provider = "sandbox"

[sms]
provider = "sandbox"

[ledger]
kind = "mariadb"
url = "{mariadb.url}"
user = "{user}"
password_file = "{mariadb.password_file}"

[hot]
kind = "redis"
url = ["{redis.url}"]
user = "{user}"
password_file = "{redis.password_file}"
"""

BROKER_SETTINGS = """
[broker]
kind = "rabbitmq"
urls = [{urls}]
user = "{user}"
password_file = "{password_file}"
"""


@contextmanager
def only_one_at_a_time(folder):
    """Two commands at once would not know each other's processes."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(folder.with_name(folder.name + ".lock"), "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble("Another `./dev cluster` is at work. Wait until it is done.") from None
        yield


class Cluster:
    def __init__(self, folder, state):
        self.folder = folder
        self.state = state
        ports = state["ports"]
        self.mariadb = MariaDb(folder, "mariadb", ports["mariadb"])
        self.redis = Redis(folder, "redis", ports["redis"])
        self.brokers = self._make_brokers(ports)
        self.epmd = Epmd(folder, "epmd", ports["epmd"]) if self.brokers else None
        # With a broker, some nodes take purchases and others write the orders.
        edge, writer = (["edge"], ["writer", "keeper"]) if self.brokers else (None, None)
        self.edges = [Node(folder, name, port, edge) for name, port in ports.items() if name.startswith("node-")]
        self.writers = [Node(folder, name, port, writer) for name, port in ports.items() if name.startswith("writer-")]
        self.nginx = Nginx(folder, "nginx", ports["nginx"], self.edges)

    def _make_brokers(self, ports):
        made = []
        for name in [name for name in ports if name.startswith("rabbitmq-")]:
            erlang = [ports["epmd"], ports["erlang-of-" + name]]
            made.append(RabbitMq(self.folder, name, ports[name], erlang, made[0] if made else None))
        return made

    @property
    def nodes(self):
        return self.edges + self.writers

    @classmethod
    def found_in(cls, folder):
        """None if there is none."""
        try:
            return cls(folder, json.loads((folder / "state.json").read_text()))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError) as error:
            raise Trouble(f"{folder / 'state.json'} is damaged ({error}). End its processes by hand and remove "
                          f"{folder}.") from None

    @classmethod
    def made_in(cls, folder, nodes, has_broker=False):
        """A new one, of which nothing runs yet."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        names = ["nginx", *(f"node-{number}" for number in range(1, nodes + 1)), "redis", "mariadb"]
        if has_broker:
            brokers = [f"rabbitmq-{number}" for number in range(1, BROKER_NODES + 1)]
            names += [*(f"writer-{number}" for number in range(1, WRITERS + 1)), *brokers, "epmd",
                      *("erlang-of-" + name for name in brokers)]
        logins = {role: {"phone": phone, "password": secrets.token_urlsafe(12)}
                  for role, phone in (("operator", OPERATOR), ("shopper", SHOPPER))}
        cluster = cls(folder, {"ports": dict(zip(names, free_ports(folder, len(names)))), "processes": {}, **logins})
        cluster.save()
        settings = NODE_SETTINGS.format(url=cluster.nginx.url, user=USER, mariadb=cluster.mariadb, redis=cluster.redis)
        if has_broker:
            settings += BROKER_SETTINGS.format(urls=", ".join(f'"{broker.url}"' for broker in cluster.brokers), user=USER,
                                               password_file=cluster.brokers[0].password_file)
        cluster.settings_file.write_text(settings)
        return cluster

    @property
    def settings_file(self):
        return self.folder / "sluice.toml"

    @property
    def parts(self):
        """In the order in which they start."""
        broker = [self.epmd, *self.brokers] if self.brokers else []
        return [self.mariadb, self.redis, *broker, *self.nodes, self.nginx]

    def part(self, name):
        for part in self.parts:
            if part.name == name:
                return part
        raise Trouble(f"There is no {name}. The parts are {', '.join(part.name for part in self.parts)}.")

    def is_running(self, part):
        return processes.is_running(self.state["processes"].get(part.name))

    @property
    def running(self):
        return [part for part in self.parts if self.is_running(part)]

    def start(self, part):
        """Returns when it answers."""
        self.begin(part)
        self._wait_until_it_answers(part)

    def begin(self, part):
        """Does not wait until it answers."""
        if self.is_running(part):
            return
        if part in self.brokers:
            self.start(self.epmd)
        if is_taken(part.port):
            raise Trouble(f"Port {part.port} of {part.name} is in use by another program. End that, or "
                          "`./dev cluster down` and `up` to have other ports.")
        part.prepare()
        self.state["processes"][part.name] = processes.start(part.command(), part.log, part.env)
        self.save()

    def _wait_until_it_answers(self, part):
        deadline = time.monotonic() + ANSWERS_WITHIN
        while True:
            if not self.is_running(part):
                raise Trouble(f"{part.name} ended by itself.\n{processes.tail(part.log)}")
            if part.answers():
                return
            if time.monotonic() > deadline:
                raise Trouble(f"{part.name} gives no answer after {ANSWERS_WITHIN} s.\n{processes.tail(part.log)}")
            time.sleep(0.05)

    def wait_until_all_work(self):
        deadline = time.monotonic() + ANSWERS_WITHIN
        for part in self.parts:
            while not part.health()[0]:
                if time.monotonic() > deadline:
                    raise Trouble(f"{part.name} does not work: {part.health()[1]}\n{processes.tail(part.log)}")
                time.sleep(0.05)

    def end(self, part, with_signal=signal.SIGTERM):
        processes.end(self.state["processes"].get(part.name), part.name, with_signal)
        self.state["processes"].pop(part.name, None)
        self.save()

    def share_key(self):
        """The other nodes get the first one's master key, so that sessions and receipts of one are good at all. The
        keys of passes are in the ledger, sealed with it."""
        first, *others = self.nodes
        for node in others:
            node.prepare()
            write_secret(node.data / "master.key", (first.data / "master.key").read_text().rstrip("\n"))

    def save(self):
        _write(self.folder / "state.json", self.state)
        _write(self.folder / "cluster.json", self.as_json())

    def as_json(self):
        """What scripts rely on. A part that does not run has no process id."""
        def row(part):
            return {"name": part.name, "kind": part.kind, "port": part.port, "pid": self.pid_of(part),
                    "folder": str(part.folder), "log": str(part.log),
                    **({"url": part.url} if part.kind in ("node", "nginx", "rabbitmq") else {}),
                    **({"roles": part.roles} if part.kind == "node" else {})}

        return {"url": self.nginx.url, "operator": self.state["operator"], "shopper": self.state["shopper"],
                "parts": [row(part) for part in self.parts if part is not self.epmd]}

    def status_as_json(self):
        """The same by kinds of parts, with what a script needs to run a command of sluice."""
        def row(part, **more):
            return {"name": part.name, "port": part.port, "pid": self.pid_of(part), **more}

        def node(part):
            return row(part, url=part.url, roles=part.roles, config=str(self.settings_file), data=str(part.data))

        # Any node of the broker will do for a client: the first one that runs.
        broker = next(filter(self.is_running, self.brokers), next(iter(self.brokers), None))
        return {"url": self.nginx.url, "operator": self.state["operator"], "shopper": self.state["shopper"],
                "nodes": [node(part) for part in self.nodes], "redis": row(self.redis),
                "rabbitmq": broker and row(broker, nodes=[row(each) for each in self.brokers]),
                "mariadb": row(self.mariadb, socket=str(self.mariadb.socket)), "nginx": row(self.nginx)}

    def pid_of(self, part):
        identity = self.state["processes"].get(part.name)
        return identity["pid"] if processes.is_running(identity) else None


def _write(path, value):
    """Whole or not at all, and for nobody else to read: there are passwords in it."""
    draft = path.with_suffix(".draft")
    write_secret(draft, json.dumps(value, indent=2))
    os.replace(draft, path)


def free_ports(folder, count):
    """Two clusters in two folders that start at the same moment should not look at the same ports, so each folder
    has a place of its own to begin."""
    begin = PORTS.start + zlib.crc32(str(folder).encode()) % 90 * 100
    found = [port for port in range(begin, PORTS.stop) if not is_taken(port)][:count]
    if len(found) < count:
        raise Trouble(f"There are no {count} free ports from {begin} to {PORTS.stop - 1}.")
    return found


def is_taken(port):
    with socket.socket() as probe:
        # As servers do: a port whose last connections are only fading away is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            return False
        except OSError:
            return True
