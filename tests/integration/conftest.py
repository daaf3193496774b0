import os
import shutil
import tempfile
from pathlib import Path

import pytest

from process import BINARY, Server
from shop import open_shop


def pytest_sessionstart(session):
    if not os.access(BINARY, os.X_OK) and not session.config.option.collectonly:
        pytest.exit(f"{BINARY} is not there; build it, or name one in SLUICE_BINARY", 2)


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
