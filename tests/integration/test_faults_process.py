"""Faults 13 and 26: a full disk heals, and a server that cannot start says why and changes nothing."""

import hashlib
import os
import socket

import pytest

from client import Client
from disk import fill
from ledger import open_ledger
from process import eventually, mariadb_of_ledgers, run
from shop import PASSWORD, new_phone


@pytest.mark.sqlite_ledger
def test_a_full_disk_refuses_writes_serves_reads_and_heals(tiny_disk, start_shop):
    shop = start_shop(data=tiny_disk / "data")
    sale = shop.sale()
    fill(tiny_disk / "filler")
    big = {"title": "Big", "description": "x" * 10_000, "list_price_cents": 1, "currency": "CNY"}

    def write():
        return shop.operator.post("/admin/items", big)

    # What the files already own may still be used up.
    answers = []
    for _ in range(1000):
        answers.append(write())
        if answers[-1].status != 201:
            break
    assert (answers[-1].status, answers[-1].code) == (503, "unavailable")
    kept = {answer.body["id"] for answer in answers[:-1]}

    ready = eventually(lambda: _not_ready(shop.visitor), 5, "/readyz red")
    assert not ready["ready"] and any(not part["ready"] and part["detail"] for part in ready["parts"])
    assert shop.visitor.get("/livez", api=False).status == 200
    assert shop.visitor.get(f"/sales/{sale['id']}").body["state"] == "open"
    assert shop.operator.get("/sessions/current").status == 200
    assert write().status == 503
    registration = shop.visitor.post("/users", {"phone": new_phone(), "password": PASSWORD})
    assert (registration.status, registration.code) == (503, "unavailable")

    (tiny_disk / "filler").unlink()
    healed = eventually(lambda: (answer := write()).status == 201 and answer, 10, "a write after the disk has room")
    eventually(lambda: shop.visitor.get("/readyz", api=False).status == 200, 10, "/readyz green")
    kept.add(healed.body["id"])
    shop.restart()
    assert kept <= all_items(shop.visitor), "what was answered with 201 is there"
    assert len(all_items(shop.visitor)) == len(kept) + 1, "what was answered with 503 is not"


def _not_ready(client):
    answer = client.get("/readyz", api=False)
    return answer.body if answer.status == 503 else None


def all_items(client):
    found, cursor = set(), ""
    while cursor is not None:
        page = client.get("/items?limit=100" + (f"&cursor={cursor}" if cursor else "")).body
        found |= {item["id"] for item in page["items"]}
        cursor = page["next_cursor"]
    return found


def picture(data):
    """Everything that is stored: files, and rows if they are elsewhere."""
    if not data.is_dir():
        return data.read_bytes()
    if mariadb_of_ledgers() is None:
        return files(data)
    with open_ledger(data) as ledger:
        return files(data), ledger.contents()


def files(folder):
    """Every file's name, mode and contents. What SQLite leaves beside a database that it has only
    read, an empty log and an index of it, says nothing."""
    return {str(path.relative_to(folder)): (oct(path.stat().st_mode),
                                            hashlib.sha256(path.read_bytes()).hexdigest())
            for path in sorted(folder.rglob("*")) if path.is_file()
            and not path.name.endswith("-shm")
            and not (path.name.endswith("-wal") and path.stat().st_size == 0)}


@pytest.fixture
def data(start_shop):
    shop = start_shop()
    shop.sale()
    shop.stop()
    return shop.server.data


def alter(data, *statements):
    with open_ledger(data) as ledger:
        for statement in statements:
            ledger.change(statement)


def refuses_to_start(data, *words, arguments=("--listen", "127.0.0.1:0"), commands=("serve",)):
    before = picture(data)
    for command in commands:
        more = arguments if command == "serve" else ()
        done = run(command, "--data", data, *more, timeout=15)
        said = done.stderr + done.stdout
        assert done.returncode not in (0, -6, -11), said
        for word in words:
            assert word.lower() in said.lower(), said
        assert "http://" not in done.stdout
        assert picture(data) == before
    return said


def test_a_database_newer_than_the_binary(data):
    alter(data, "INSERT INTO migrations (version, name, applied_at) "
                "SELECT max(version) + 1, 'future', 0 FROM migrations")
    refuses_to_start(data, "newer", commands=("serve", "migrate"))


@pytest.mark.parametrize("halves", [
    # On MariaDB a migration that was cut short is run again (docs/adr/0092).
    pytest.param(["DELETE FROM migrations"], marks=pytest.mark.sqlite_ledger),
    ["DROP TABLE migrations"],
    ["DROP TABLE sales"],
    ["ALTER TABLE items DROP COLUMN description"],
])
def test_a_half_applied_migration(data, halves):
    alter(data, *halves)
    refuses_to_start(data, "migrat", commands=("serve", "migrate"))


@pytest.mark.sqlite_ledger
def test_a_database_that_is_none(data):
    (data / "sluice.db").write_bytes(b"this is not a database" * 1000)
    refuses_to_start(data, "database", commands=("serve", "migrate"))


def test_a_data_directory_that_is_a_file(tmp_path):
    file = tmp_path / "data"
    file.write_text("not a folder")
    refuses_to_start(file, str(file), commands=("serve", "migrate"))


def test_a_data_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    done = run("serve", "--data", tmp_path / "file" / "data", "--listen", "127.0.0.1:0", timeout=15)
    assert done.returncode > 0 and str(tmp_path / "file") in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_data_directory_that_cannot_be_read(data):
    data.chmod(0)
    try:
        done = run("serve", "--data", data, "--listen", "127.0.0.1:0", timeout=15)
        assert done.returncode > 0 and str(data) in done.stderr
    finally:
        data.chmod(0o700)


@pytest.mark.parametrize("keys", ["", "short", "x" * 10_000])
def test_keys_that_are_none(data, keys):
    keys_file = next(path for path in data.iterdir() if "key" in path.name)
    keys_file.chmod(0o600)
    keys_file.write_text(keys)
    refuses_to_start(data, keys_file.name)


def test_a_port_that_is_taken(data):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refuses_to_start(data, str(port), arguments=("--listen", f"127.0.0.1:{port}"))


def test_a_second_server_on_the_same_data(start_server):
    first = start_server()
    done = run("serve", "--data", first.data, "--listen", "127.0.0.1:0", timeout=15)
    assert done.returncode > 0 and str(first.data) in done.stderr + done.stdout
    assert Client(first.port).get("/readyz", api=False).status == 200


def test_after_a_kill_the_lock_is_gone_and_the_data_there(shop):
    sale = shop.sale()
    shop.server.kill()
    shop.server.start()
    assert shop.client().get(f"/sales/{sale['id']}").status == 200
    assert shop.client(shop.operator.token).get("/sessions/current").status == 200


BAD_CONFIGS = [
    ("colour = 1", 1, "colour"),
    ("\n\n[limits]\nenabeld = true", 4, "enabeld"),
    ("[shop]\nname = 'x'", 1, "shop"),
    ("threads = 'two'", 1, "threads"),
    ("threads = -1", 1, "threads"),
    ("listen = '127.0.0.1'", 1, "listen"),
    ("listen = '127.0.0.1:99999'", 1, "listen"),
    ("# fine\nthreads = 1\n[log]\nlevel = 'loud'", 4, "level"),
    ("[log]\nformat = 'xml'", 2, "format"),
    ("[limits]\nexempt = ['10.0.0.0/33']", 2, "exempt"),
    ("[limits]\nenabled = 'yes'", 2, "enabled"),
    ("[http]\nbody_bytes = 0", 2, "body_bytes"),
    ("[ledger]\nbacklog = 1024\nbatch = 2048", 3, "batch"),
    ("listen = '127.0.0.1:0'\nlisten = '127.0.0.1:0'", 2, "listen"),
    ("threads = 1\n[log\n", 2, ""),
    ("threads = 1\nlisten = \"\xff", 2, ""),
]


@pytest.mark.parametrize("text, line, key", BAD_CONFIGS)
def test_a_bad_config_names_file_line_and_key(tmp_path, text, line, key):
    config = tmp_path / "shop.toml"
    config.write_text(text, encoding="latin-1")
    for command in (["serve", "--listen", "127.0.0.1:0"], ["check-config"], ["migrate"]):
        done = run(*command, "--config", config, "--data", tmp_path / "data", timeout=15)
        assert done.returncode > 0
        assert f"shop.toml:{line}" in done.stderr and key in done.stderr, done.stderr
    assert not (tmp_path / "data").exists(), "nothing was made"


@pytest.mark.parametrize("name, value", [("SLUICE_LISTEN", "nowhere"), ("SLUICE_THREADS", "many"),
                                         ("SLUICE_LIMITS_ENABLED", "perhaps")])
def test_a_bad_variable_is_named(tmp_path, name, value):
    done = run("serve", "--data", tmp_path / "data", env={name: value}, timeout=15)
    assert done.returncode > 0 and name in done.stderr and value in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_config_that_is_not_there(tmp_path):
    done = run("serve", "--config", tmp_path / "none.toml", "--data", tmp_path / "data", timeout=15)
    assert done.returncode > 0 and "none.toml" in done.stderr
    assert not (tmp_path / "data").exists()
