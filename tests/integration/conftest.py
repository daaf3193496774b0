import functools
import os
import shutil
import tempfile
from pathlib import Path

import pytest

import disk
from mariadb_server import mariadb  # noqa: F401 a fixture
from mariadb_server import running_server
from cluster_shop import ClusterShop, Nodes
from process import BINARY, Server, database_of, ledgers_on, put_hot_copies_on
from redis_server import RedisServer
from shop import open_shop
from stepped import SteppedClock, compile_library


def pytest_sessionstart(session):
    if not os.access(BINARY, os.X_OK) and not session.config.option.collectonly:
        pytest.exit(f"{BINARY} is not there; build it, or name one in SLUICE_BINARY", 2)


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="crowds of the size the faults name")
    parser.addoption("--ledger", choices=["sqlite", "mariadb"], default="sqlite",
                     help="where the shops of the tests keep their record")
    parser.addoption("--cluster", action="store_true",
                     help="each shop is three nodes on MariaDB and Redis behind nginx, every request at a node by chance")


# These work on the file of the ledger, fill its disk or back it up; or they choose their ledgers by themselves.
ON_SQLITE_ONLY = {
    "test_backups", "test_checkpoints", "test_faults_disk", "test_restore", "test_mariadb_commit",
    "test_mariadb_connection", "test_mariadb_faults", "test_mariadb_schema", "test_mariadb_settings",
    "test_move",
}


# What runs with --cluster. Others look into one process, come with an X-Forwarded-For of their own or choose their
# servers by themselves. Whoever wants to add a module runs it often: the node of each request is chosen by chance.
ON_A_CLUSTER = {"test_purchase", "test_purchase_replay"}


def pytest_configure(config):
    config.addinivalue_line("markers", "sqlite_ledger: about the file of a SQLite ledger, or what only that does")
    config.addinivalue_line("markers", "one_process: looks into one process, so it is skipped with --cluster")
    if config.option.cluster:
        config.option.ledger = "mariadb"


def pytest_collection_modifyitems(config, items):
    if config.option.cluster:
        skip_what_needs_one_process(items)
    if config.option.ledger == "sqlite":
        return
    skip = pytest.mark.skip(reason="works on the file of a SQLite ledger")
    for item in items:
        if item.module.__name__ in ON_SQLITE_ONLY or item.get_closest_marker("sqlite_ledger"):
            item.add_marker(skip)


def skip_what_needs_one_process(items):
    skip = pytest.mark.skip(reason="does not run on a cluster")
    for item in items:
        alone = {"server", "start_server"} & set(item.fixturenames)
        if alone or item.module.__name__ not in ON_A_CLUSTER or item.get_closest_marker("one_process"):
            item.add_marker(skip)


def pytest_terminal_summary(terminalreporter):
    """Records how long things took, so that nobody has to guess: record_property("took", ...)."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            if name == "took":
                terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {value}")


@pytest.fixture(scope="session", autouse=True)
def hot_copies(request):
    """The server of all hot copies, when the shops are clusters."""
    if not request.config.option.cluster:
        yield None
        return
    server = RedisServer().start()
    put_hot_copies_on(server)
    yield server
    put_hot_copies_on(None)
    server.stop()
    server.remove()


@pytest.fixture(scope="session")
def make_shop(request):
    """Opens a shop in a folder: one process, or a cluster."""
    if request.config.option.cluster:
        return functools.partial(open_shop, make_server=Nodes, make_shop=ClusterShop)
    return open_shop


@pytest.fixture(scope="session", autouse=True)
def ledgers(request):
    """The server of all ledgers, when they are on MariaDB."""
    if request.config.option.ledger == "sqlite":
        yield None
        return
    with running_server(max_connections=1000) as server:
        with ledgers_on(server):
            yield server
        server.stop()


# Databases that are used after the module that made them.
_shared_ledgers = set()


@pytest.fixture(scope="module", autouse=True)
def no_ledgers_of_former_modules(ledgers):
    """All other shops end with their module. Some thousand databases left would fill the server's folder."""
    yield
    if ledgers is not None:
        ledgers.remove_databases(r"shop\_%", but=_shared_ledgers)


@pytest.fixture
def long(request):
    return request.config.getoption("--long") or "SLUICE_LONG_TESTS" in os.environ


def pytest_make_parametrize_id(config, val):
    """Long parameters would fill the report. The ids must be the same in each test process."""
    if callable(val):
        return val.__name__
    text = repr(sorted(val, key=repr)) if isinstance(val, (set, frozenset)) else repr(val)
    return text if len(text) <= 40 else text[:37] + "..."


@pytest.fixture(scope="session")
def shared(make_shop):
    """A shop for tests that do not depend on what others make in it."""
    with tempfile.TemporaryDirectory(prefix="sluice-") as folder:
        # A channel for alerts, which leads nowhere.
        shop = make_shop(folder, env={"SLUICE_ALERTS_SLACK_URL": "https://localhost:1/alerts"})
        _shared_ledgers.add(database_of(shop.server.data))
        yield shop
        shop.stop()


@pytest.fixture(scope="session")
def shared_buyer(shared):
    return shared.buyer()


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Preloaded into servers whose clock a test sets."""
    return compile_library(tmp_path_factory.mktemp("stepped"))


@pytest.fixture
def clock(library, tmp_path):
    return SteppedClock(library, tmp_path)


@pytest.fixture
def start_server(tmp_path):
    """Makes servers, each with a folder of its own, which must stop cleanly."""
    servers = []

    def start(**options):
        folder = tmp_path / f"server-{len(servers)}"
        folder.mkdir()
        server = Server(folder, **options).start()
        servers.append(server)
        return server

    yield start
    _stop_all(servers)


@pytest.fixture
def start_shop(tmp_path, make_shop):
    shops = []

    def start(**options):
        folder = tmp_path / f"shop-{len(shops)}"
        folder.mkdir()
        shops.append(make_shop(folder, **options))
        return shops[-1]

    yield start
    _stop_all(shops)


@pytest.fixture
def server(start_server):
    return start_server()


@pytest.fixture
def shop(start_shop):
    return start_shop()


def _stop_all(started):
    """Stops servers or shops: all of them, even when one has failed."""
    failures = []
    for each in started:
        try:
            each.stop()
        except AssertionError as failure:
            failures.append(failure)
    if failures:
        raise failures[0]


@pytest.fixture
def short_path():
    """A folder whose name is short enough for a socket or a mount."""
    folder = Path(tempfile.mkdtemp(prefix="sluice-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def tiny_disk(short_path):
    folder = short_path / "disk"
    trouble = disk.mount(folder, megabytes=4)
    if trouble:
        pytest.skip(f"a tiny filesystem cannot be mounted here: {trouble}")
    yield folder
    disk.unmount(folder)
