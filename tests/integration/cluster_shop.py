"""A shop of several nodes behind nginx. Each request goes to a random node; there are no sticky sessions."""

import re
import shutil
import time
from pathlib import Path

from client import Client
from nginx_proxy import Nginx
from process import Server, environment, eventually
from shop import Shop

NODES = 3
# What one node has written, others know a moment later; on a busy machine the moment is longer.
HEARD_WITHIN = 30


class Nodes:
    """Looks like a Server: the port is nginx's, the data folder is that of the first node."""

    def __init__(self, folder, *, data=None, env=None, **options):
        self.folder = Path(folder)
        folders = [self.folder / f"node-{number}" for number in range(1, NODES + 1)]
        for each in folders:
            each.mkdir(exist_ok=True)
        first = Server(folders[0], data=data, env=env, **options)
        self.data = first.data
        # One environment for all: the ledger and the hot copies of the first, and a proxy that is trusted.
        common = {name: value for name, value in environment(data=self.data).items() if name.startswith("SLUICE_")}
        self.env = {"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.1", **common, **first.env}
        self.nodes = [first, *(Server(each, env=env, **options) for each in folders[1:])]
        for node in self.nodes:
            node.env = self.env
        self.nginx = None
        self.port = None

    def start(self):
        for node in self.nodes:
            self._give_key(node)
            node.start()
        self.nginx = Nginx(self.folder / "nginx", [node.port for node in self.nodes], choice="random")
        self.nginx.port = self.port
        self.port = self.nginx.start().port
        return self

    def _give_key(self, node):
        """As an operator does for a new node. The ledger has all other keys."""
        if not (node.data / "master.key").exists():
            node.data.mkdir(mode=0o700, exist_ok=True)
            shutil.copy(self.data / "master.key", node.data / "master.key")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def running(self):
        return any(node.running for node in self.nodes)

    @property
    def printed(self):
        return self.nodes[0].printed

    def log(self):
        return "".join(node.log() for node in self.nodes)

    def stop(self):
        if self.nginx:
            self.nginx.stop()
        failures = []
        for node in self.nodes:
            if node.running:
                node.terminate()
        for node in self.nodes:
            try:
                if node.process is not None:
                    node.stop()
            except AssertionError as failure:
                failures.append(failure)
        if failures:
            raise failures[0]

    def kill(self):
        if self.nginx:
            self.nginx.stop()
        for node in self.nodes:
            node.kill()


class ClusterShop(Shop):
    """When the test goes on, all nodes know what an operator has changed."""

    _item = None

    def client(self, token=None, **options):
        self.clients.append(PatientClient(self.server, token, **options))
        return self.clients[-1]

    def sale(self, item_id=None, **more):
        """All sales are of the same item, unless one is given: all nodes know that item already."""
        if item_id is None and self._item is None:
            self._item = self.item()
        return super().sale(item_id or self._item["id"], **more)

    def stock(self, sale_id):
        wait_until_nodes_agree(self.server, f"/sales/{sale_id}")
        return super().stock(sale_id)


class PatientClient(Client):
    """Does what the pages do: repeats the same request when the answer is `unavailable`. A node answers so until it
    knows the hot copy of a sale that another node has just made (ADR 102)."""

    def __init__(self, nodes, token=None, timeout=30, **options):
        super().__init__(nodes.port, token, timeout=timeout, **options)
        self._nodes = nodes

    def request(self, method, path, json_body=None, **options):
        deadline = time.monotonic() + HEARD_WITHIN
        while True:
            answer = super().request(method, path, json_body, **options)
            if answer.code != "unavailable" or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        if method in ("POST", "PUT") and answer.status in (200, 201):
            changed = re.match(r"/admin/(sales|items)(?:/(\d+))?", path)
            if changed:
                wait_until_nodes_agree(self._nodes, f"/{changed[1]}/{changed[2] or answer.body['id']}")
        return answer


def wait_until_nodes_agree(nodes, path):
    """The node that has made a change shows it before it answers. So when all nodes show the same, all show the
    change."""
    def look(node):
        client = Client(node.port)
        answer = client.get(path)
        client.close()
        body = answer.body
        return answer.status, {name: body[name] for name in sorted(body) if name not in ("now", "request_id")}

    def agree():
        seen = [look(node) for node in nodes.nodes if node.running]
        return all(each == seen[0] for each in seen)

    eventually(agree, HEARD_WITHIN, f"the nodes agree about {path}")
