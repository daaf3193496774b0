import itertools
import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest

from client import Client
from process import BINARY, Server, add_user

PASSWORD = "correct horse battery"
_serial = itertools.count(random.randrange(10**6) * 10**4)


def pytest_sessionstart(session):
    if not os.access(BINARY, os.X_OK) and not session.config.option.collectonly:
        pytest.exit(f"{BINARY} is not there; build it, or name one in SLUICE_BINARY", 2)


def new_phone():
    return f"+86{next(_serial):011d}"


class Shop:
    """A server with an operator, and the things tests make in it."""

    def __init__(self, server, operator_phone):
        self.server = server
        self.operator_phone = operator_phone
        self.operator = self.client(self.log_in(operator_phone, PASSWORD))
        self.visitor = self.client()

    def client(self, token=None, **options):
        return Client(self.server.port, token, **options)

    def log_in(self, phone, password=PASSWORD):
        answer = self.client().post("/sessions", {"phone": phone, "password": password})
        assert answer.status == 201, answer.body
        return answer.body["token"]

    def register(self, phone=None, **more):
        registration = {"phone": phone or new_phone(), "password": PASSWORD, **more}
        answer = self.visitor.post("/users", registration)
        assert answer.status == 201, answer.body
        return answer.body

    def buyer(self):
        return self.client(self.log_in(self.register()["phone"]))

    def item(self, **more):
        draft = {"title": "Tea set", "description": "Six cups and a pot.", "image_url": "",
                 "list_price_cents": 29900, "currency": "CNY", **more}
        answer = self.operator.post("/admin/items", draft)
        assert answer.status == 201, answer.body
        return answer.body

    def sale(self, item_id=None, **more):
        draft = {"item_id": item_id or self.item()["id"], "price_cents": 9900, "stock": 10, **more}
        answer = self.operator.post("/admin/sales", draft)
        assert answer.status == 201, answer.body
        return answer.body

    def restart(self):
        self.server.stop()
        self.server.start()
        self.operator = self.client(self.operator.token)
        self.visitor = self.client()


def open_shop(folder, **options):
    server = Server(folder, **options)
    phone = new_phone()
    add_user(server.data, phone, "operator", PASSWORD)
    server.start()
    try:
        return Shop(server, phone)
    except BaseException:
        server.kill()
        raise


@pytest.fixture(scope="session")
def shared():
    """A shop for tests that do not mind what others make in it."""
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        shop = open_shop(folder)
        yield shop
        shop.server.stop()


@pytest.fixture(scope="session")
def shared_buyer(shared):
    return shared.buyer()


@pytest.fixture
def start_server(tmp_path):
    """Makes servers, each with a folder of its own, that must end cleanly."""
    servers = []

    def start(**options):
        folder = tmp_path / f"server-{len(servers)}"
        folder.mkdir()
        servers.append(Server(folder, **options))
        return servers[-1].start()

    yield start
    _stop_all(servers)


@pytest.fixture
def start_shop(tmp_path):
    servers = []

    def start(**options):
        folder = tmp_path / f"shop-{len(servers)}"
        folder.mkdir()
        shop = open_shop(folder, **options)
        servers.append(shop.server)
        return shop

    yield start
    _stop_all(servers)


@pytest.fixture
def server(start_server):
    return start_server()


@pytest.fixture
def shop(start_shop):
    return start_shop()


def _stop_all(servers):
    failures = []
    for server in servers:
        if server.process is None:
            continue
        try:
            server.stop()
        except AssertionError as failure:
            failures.append(failure)
            server.kill()
    if failures:
        raise failures[0]


@pytest.fixture
def short_path():
    """A folder whose name is short enough for a socket or a mount."""
    folder = Path(tempfile.mkdtemp(prefix="sluice-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)
