"""The drill of docs/restore.md: a backup under load, a lost server, and the shop open again."""

import json
import re
import shutil
import signal
import subprocess
import threading

import pytest

from client import Client
from process import BINARY, Server, environment, eventually, run
from shop import PASSWORD, Shop


def restore(data, file, *more):
    return run("restore", "--data", data, file, *more)


def audit_holds(data):
    done = run("audit", "--data", data, "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["holds"]


class Load:
    """Buyers who go on buying, and cancel now and then; what was acknowledged to them, and when."""

    def __init__(self, shop, sale, threads=4):
        self.shop, self.sale, self.acknowledged = shop, sale, []
        self.tokens = iter(shop.minted(20_000))
        self.lock, self.over = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self._buy) for _ in range(threads)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def count(self):
        with self.lock:
            return len(self.acknowledged)

    def _buy(self):
        while not self.over.is_set():
            with self.lock:
                client = Client(self.shop.server.port, next(self.tokens))
            try:
                bought = self.shop.bought(client, self.sale)
                with self.lock:
                    self.acknowledged.append(bought["order_id"])
                    cancels = len(self.acknowledged) % 7 == 0
                if cancels:
                    client.post(f"/orders/{bought['order_id']}/cancel")
            except (OSError, AssertionError):
                if not self.over.is_set():
                    raise
            finally:
                client.close()


def wait_for(load, orders):
    eventually(lambda: load.count() >= orders, 30, "so many orders")


@pytest.fixture
def drill(shop, tmp_path):
    """A server that was killed under load, a backup from before, and what it must hold."""
    people = [shop.register() for _ in range(3)]
    sale = shop.sale(stock=50_000, gate_factor=10_000)["id"]
    copy = tmp_path / "backup.db"
    with Load(shop, sale) as load:
        wait_for(load, 100)
        before = list(load.acknowledged)
        done = run("backup", "--data", shop.server.data, copy)
        assert done.returncode == 0, done.stderr
        in_backup = load.count()
        wait_for(load, in_backup + 50)
        load.over.set()
        shop.server.process.send_signal(signal.SIGKILL)
    shop.server.wait()
    yield shop, sale, copy, before, people
    if not shop.server.running:
        shop.server.start()


def open_restored(shop, folder, data, sale, before, people):
    """Serves it, and finds everything that a backup promises."""
    audit_holds(data)
    folder.mkdir(exist_ok=True)
    server = Server(folder, data=data).start()
    try:
        restored = Shop(server, shop.operator_phone)
        for person in people:
            restored.log_in(person["phone"], PASSWORD)
        assert Client(server.port, shop.operator.token).get("/sessions/current").status == 401
        for order in before[:: max(1, len(before) // 50)]:
            assert restored.operator.get(f"/admin/orders/{order}").status == 200
        listed = stored_orders(restored, sale)
        assert set(before) <= listed, "an order that was acknowledged before the backup began is lost"
        restored.bought(restored.buyers(1)[0], sale)
        restored.audit()
        restored._hang_up()
        server.stop()
        return listed
    except BaseException:
        server.kill()
        raise


def stored_orders(shop, sale):
    answer = shop.operator.get(f"/admin/orders.csv?sale_id={sale}")
    return {line.split(",")[0] for line in answer.raw.decode().splitlines()[1:]}


def test_on_a_new_machine(drill, tmp_path):
    shop, sale, copy, before, people = drill
    data = tmp_path / "new" / "data"
    done = restore(data, copy)
    assert done.returncode == 0, done.stderr
    assert "no master.key" in done.stdout and "no pass.keys" in done.stdout
    assert "log" in done.stdout and "before it" not in done.stdout
    open_restored(shop, tmp_path / "server", data, sale, before, people)


def test_with_the_keys_of_the_old_one(drill, tmp_path):
    shop, sale, copy, before, people = drill
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    for name in ("master.key", "pass.keys"):
        shutil.copy2(shop.server.data / name, data / name)
    done = restore(data, copy)
    assert done.returncode == 0 and "no master.key" not in done.stdout, done.stderr
    open_restored(shop, tmp_path / "server", data, sale, before, people)


def test_in_place(drill, tmp_path):
    shop, sale, copy, before, people = drill
    data = shop.server.data
    refused = restore(data, copy)
    assert refused.returncode == 1 and "--replace" in refused.stderr
    done = restore(data, copy, "--replace")
    assert done.returncode == 0, done.stderr
    kept = re.search(r"The database before it: (.+)", done.stdout)[1]
    first = open_restored(shop, tmp_path / "server", data, sale, before, people)

    # And back, since the newer orders are in the database that was kept.
    done = restore(data, kept, "--replace")
    assert done.returncode == 0, done.stderr
    again = open_restored(shop, tmp_path / "server", data, sale, before, people)
    assert len(again) >= len(first)


def test_not_while_a_server_runs(shop, tmp_path):
    copy = tmp_path / "backup.db"
    assert run("backup", "--data", shop.server.data, copy).returncode == 0
    sale = shop.sale()["id"]
    refused = restore(shop.server.data, copy, "--replace")
    assert refused.returncode == 1 and "another server is running" in refused.stderr
    assert shop.visitor.get(f"/sales/{sale}").status == 200
    shop.restart()
    assert shop.visitor.get(f"/sales/{sale}").status == 200


def test_killed_from_outside_at_any_moment(shop, tmp_path):
    shop.sale()
    copy = tmp_path / "backup.db"
    assert run("backup", "--data", shop.server.data, copy).returncode == 0
    after = shop.sale()["id"]
    shop.stop()
    audit_holds(shop.server.data)
    for step in range(1, 9):
        data = shutil.copytree(shop.server.data, tmp_path / f"data-{step}")
        process = subprocess.Popen([BINARY, "restore", "--data", data, copy, "--replace"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
        for _ in range(step):
            process.stderr.readline()
        process.kill()
        process.wait()
        process.stderr.close()
        audit_holds(data)
        assert run("user", "log-out", "--data", data, "--phone", shop.operator_phone).returncode == 0
        done = restore(data, copy, "--replace")
        assert done.returncode == 0, done.stderr
        audit_holds(data)
    shop.server.start()
    assert Client(shop.server.port).get(f"/sales/{after}").status == 200


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"\0" * 8000])
def test_what_is_no_backup_changes_nothing(tmp_path, content):
    (tmp_path / "junk").write_bytes(content)
    refused = restore(tmp_path / "data", tmp_path / "junk")
    assert refused.returncode == 1 and "junk" in refused.stderr
    assert not (tmp_path / "data" / "sluice.db").exists()
    refused = restore(tmp_path / "data", tmp_path / "absent")
    assert refused.returncode == 1 and "absent" in refused.stderr


def test_a_backup_that_lost_its_end_says_so(shop, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert run("backup", "--data", shop.server.data, whole).returncode == 0
    size = whole.stat().st_size
    cut.write_bytes(whole.read_bytes()[:size - 5000])
    done = restore(tmp_path / "elsewhere", cut)
    assert done.returncode == 1
    assert f"cut is cut off: {size - 5000} of {size} bytes are there; copy it again" in done.stderr
