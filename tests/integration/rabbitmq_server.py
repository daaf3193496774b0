"""A private RabbitMQ from Debian's package: one node, or a cluster of some."""

import json
import random
import socket
import subprocess

import pytest

from amqp import AmqpClient, AmqpError
from own_process import OwnProcess, find_free_port
from process import ROOT, eventually

SCRIPT = ROOT / "tests/support/rabbitmq_server.sh"
USER = PASSWORD = "sluice"
HEALS_WITHIN = 120
MEMORY = "1GB"  # as in the script


class Epmd(OwnProcess):
    """By which the nodes of a cluster find each other. It outlives each of them."""

    NAME = "epmd"

    def __init__(self):
        super().__init__()
        self.port = find_free_port()

    def _command(self):
        return [SCRIPT, "--epmd", self.port]

    def _ask(self):
        socket.create_connection(("127.0.0.1", self.port), 5).close()


class RabbitMqServer(OwnProcess):
    """One node. `lines` are more lines of rabbitmq.conf."""

    NAME = "RabbitMQ"
    NOT_YET = (OSError, AmqpError)
    STARTS_WITHIN = 240  # it takes five seconds of a processor, on a busy machine much longer

    def __init__(self, *, epmd=None, join=None, lines=()):
        super().__init__()
        self.log_file = self.folder / "start.log"  # what the node itself writes is in the folder `log`
        self.port = find_free_port()
        self.lines = list(lines)
        self._ports = [epmd.port if epmd else find_free_port(), find_free_port()]
        self._join = ["--join", join.folder] if join else []

    def _command(self):
        return [SCRIPT, self.folder, self.port, *self._ports, *self._join, *self.lines]

    def _ask(self):
        self.client().close()

    def stop(self):
        """It does not always report that its end was clean."""
        if self.running:
            self.thaw()
            self.process.terminate()
            self.process.wait(HEALS_WITHIN)

    def log(self):
        return super().log() + "".join(file.read_text(errors="replace") for file in self.folder.glob("log/*.log"))

    def client(self, timeout=30):
        return AmqpClient(self.port, USER, PASSWORD, timeout)

    def count(self, queue):
        """(messages that wait, consumers)"""
        with self.client() as client:
            return client.count(queue)

    def ctl(self, *arguments, timeout=120):
        """Runs rabbitmqctl; returns what it printed."""
        done = subprocess.run([str(word) for word in (SCRIPT, "--ctl", self.folder, *arguments)],
                              capture_output=True, text=True, timeout=timeout)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def alarm_memory(self, on):
        """As when it has used more memory than allowed: it reads nothing more from publishers."""
        self.ctl("set_vm_memory_high_watermark", "absolute", "1MB" if on else MEMORY)

    def leader_of(self, queue):
        """The name of the node that leads a quorum queue, such as n12345@localhost."""
        rows = [line.split("\t") for line in self.ctl("list_queues", "name", "leader").splitlines()]
        return next((row[1] for row in rows if row[0] == queue), None)

    @property
    def name(self):
        return f"n{self.port}@localhost"


class RabbitMqCluster:
    """Several nodes of one broker. `with RabbitMqCluster() as broker:` or start() and remove().

    broker.nodes          RabbitMqServers: kill(), start(), freeze(), …
    broker.urls           as the program takes them
    broker.count(queue)   (messages that wait, consumers), as a node that runs tells them
    broker.heal()         starts and thaws whatever does not run, and waits until all are members again"""

    def __init__(self, nodes=3, *, lines=()):
        self.epmd = Epmd()
        first = RabbitMqServer(epmd=self.epmd, lines=lines)
        self.nodes = [first, *(RabbitMqServer(epmd=self.epmd, join=first, lines=lines) for _ in range(nodes - 1))]

    def start(self):
        try:
            self.epmd.start()
            first, *others = self.nodes
            first.start()
            for node in others:
                node.begin()
            for node in others:
                node.wait_until_it_answers()
            self._wait_until_whole()
        except BaseException:
            self.remove()
            raise
        return self

    @property
    def urls(self):
        return [f"amqp://127.0.0.1:{node.port}" for node in self.nodes]

    @property
    def env(self):
        """The settings with which a server of the shop finds it."""
        return {"SLUICE_BROKER_KIND": "rabbitmq", "SLUICE_BROKER_URLS": ",".join(self.urls),
                "SLUICE_BROKER_USER": USER, "SLUICE_BROKER_PASSWORD": PASSWORD}

    @property
    def up(self):
        return [node for node in self.nodes if node.running and not node._frozen]

    def count(self, queue):
        return self.up[0].count(queue)

    def client(self):
        return self.up[0].client()

    def heal(self):
        for node in self.nodes:
            node.thaw()
        # A node that knows that it was the last one would wait for nobody; the others wait for it. So all begin at once.
        ended = [node for node in self.nodes if not node.running]
        for node in ended:
            node.begin()
        for node in ended:
            node.wait_until_it_answers()
        if ended:
            self._wait_until_whole()

    def stop_all(self):
        """The whole broker, cleanly."""
        for node in self.nodes:
            if node.running:
                node.thaw()
                node.process.terminate()
        for node in self.nodes:
            node.stop()

    def kill_all(self):
        for node in random.sample(self.nodes, len(self.nodes)):
            node.kill()

    def leader_of(self, queue):
        name = self.up[0].leader_of(queue)
        return next(node for node in self.nodes if node.name == name)

    def remove(self):
        for node in self.nodes:
            node.remove()
        self.epmd.remove()

    def _wait_until_whole(self):
        def whole():
            running = json.loads(self.nodes[0].ctl("cluster_status", "--formatter", "json"))["running_nodes"]
            return len(running) == len(self.nodes)

        eventually(whole, HEALS_WITHIN, "all nodes are members of the broker")

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.remove()


@pytest.fixture(scope="session")
def rabbitmq():
    """One node for all tests that do not stop or freeze it; each uses a queue of its own."""
    server = RabbitMqServer().start()
    yield server
    server.remove()
