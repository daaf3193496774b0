import os
import sqlite3
import stat
import subprocess
import time

import pytest

from client import Client
from ledger import open_ledger
from process import BINARY, Server, add_user, eventually, mariadb_of_ledgers, run
from shop import PASSWORD, new_phone

COMMANDS = [["serve"], ["migrate"], ["check-config"], ["user"], ["user", "add"], ["user", "set-role"],
            ["user", "set-password"], ["mint"], ["backup"], ["audit"], ["keys"],
            ["keys", "rotate"], ["keys", "list"]]


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_every_command_explains_itself(command, tmp_path):
    done = run(*command, "--help", cwd=tmp_path)
    assert done.returncode == 0 and done.stderr == ""
    assert "Usage" in done.stdout
    if command and command not in (["user"], ["keys"]):
        assert "--config" in done.stdout and "--data" in done.stdout
    assert os.listdir(tmp_path) == []


def test_the_first_screen_names_every_command():
    said = run("--help").stdout
    assert all(command[0] in said for command in COMMANDS)


@pytest.mark.parametrize("wrong", [[], ["sell"], ["serve", "--colour"], ["mint", "--buyers", "-1"],
                                   ["mint", "--buyers", "many"], ["mint"], ["backup"], ["user"],
                                   ["user", "add"], ["user", "add", "--phone", "12345678", "--role", "king",
                                                     "--password-stdin"]])
def test_a_wrong_command_line_is_refused_and_makes_nothing(wrong, tmp_path):
    done = run(*wrong, cwd=tmp_path)
    assert done.returncode > 0 and done.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command, flag", [(["serve"], "--data"), (["serve"], "--listen"),
                                           (["serve"], "--role"), (["serve"], "--config"), (["migrate"], "--data"),
                                           (["check-config"], "--config"),
                                           (["mint", "--buyers", "1"], "--out")])
@pytest.mark.parametrize("form", [["{}", ""], ["{}="]], ids=["apart", "joined"])
def test_an_option_given_empty_is_not_an_option_left_out(command, flag, form, tmp_path):
    done = run(*command, *(part.format(flag) for part in form), cwd=tmp_path)
    assert done.returncode > 0 and flag in done.stderr, done.stderr
    assert os.listdir(tmp_path) == []


def test_check_config_says_yes(tmp_path):
    config = tmp_path / "sluice.toml"
    config.write_text('listen = "127.0.0.1:0"\nthreads = 2\n[limits]\nexempt = ["127.0.0.0/8"]\n'
                      '[log]\nlevel = "warn"\nformat = "json"\n')
    assert run("check-config", "--config", config, cwd=tmp_path).returncode == 0
    assert run("check-config", cwd=tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path)) == ["sluice.toml"]


def test_flag_over_environment_over_file(tmp_path, start_server):
    config = f'data = "{tmp_path / "of-the-file"}"\n[log]\nformat = "json"\n'
    server = start_server(config=config, env={"SLUICE_DATA": str(tmp_path / "of-the-environment"),
                                              "SLUICE_LOG_FORMAT": "text"})
    assert server.data.is_dir()
    assert not (tmp_path / "of-the-file").exists() and not (tmp_path / "of-the-environment").exists()
    server.stop()
    assert not server.log().startswith("{")


def test_migrate_twice(tmp_path):
    data = tmp_path / "data"
    assert run("migrate", "--data", data).returncode == 0
    assert data.is_dir()
    assert run("migrate", "--data", data).returncode == 0


def test_the_data_directory_keeps_its_secrets(server):
    keys = [path for path in server.data.iterdir() if "key" in path.name]
    assert keys
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in keys)
    others = stat.S_IMODE(server.data.stat().st_mode) & 0o077
    assert others == 0, "password hashes live here"


def test_the_keys_stay(server):
    def contents():
        return {path.name: path.read_bytes() for path in server.data.iterdir() if "key" in path.name}

    before = contents()
    server.stop()
    server.start()
    assert contents() == before


@pytest.mark.parametrize("role", ["buyer", "support", "operator", "admin"])
def test_user_add_while_the_server_runs(shared, role):
    phone = new_phone()
    add_user(shared.server.data, phone, role, PASSWORD)
    session = shared.client(shared.log_in(phone)).get("/sessions/current").body
    assert session["user"]["role"] == role


def test_only_the_first_line_is_the_password(shared):
    phone = new_phone()
    done = run("user", "add", "--data", shared.server.data, "--phone", phone, "--role", "buyer",
               "--password-stdin", stdin=f"{PASSWORD}\nsecond line\n")
    assert done.returncode == 0
    assert PASSWORD not in done.stdout + done.stderr
    assert shared.log_in(phone)


@pytest.mark.parametrize("phone, password, word", [("taken", PASSWORD, "taken"), ("12", PASSWORD, "phone"),
                                                   ("fresh", "short", "password"), ("fresh", "", "password")])
def test_user_add_refuses_what_the_api_refuses(shared, phone, password, word):
    phone = {"taken": shared.operator_phone, "fresh": new_phone()}.get(phone, phone)
    done = run("user", "add", "--data", shared.server.data, "--phone", phone, "--role", "operator",
               "--password-stdin", stdin=password + "\n")
    assert done.returncode > 0 and word in done.stderr.lower(), done.stderr


def test_set_role_reaches_a_session_that_is_in_use(shared):
    user = shared.register()
    client = shared.client(shared.log_in(user["phone"]))
    assert client.get("/admin/audit-trail").status == 403
    for role, status in (("operator", 200), ("buyer", 403)):
        done = run("user", "set-role", "--data", shared.server.data, "--phone", user["phone"], "--role", role)
        assert done.returncode == 0, done.stderr
        eventually(lambda: client.get("/admin/audit-trail").status == status, 10, f"the role {role}")


def test_set_password_ends_every_session(shared):
    user = shared.register()
    client = shared.client(shared.log_in(user["phone"]))
    assert client.get("/sessions/current").status == 200
    done = run("user", "set-password", "--data", shared.server.data, "--phone", user["phone"],
               "--password-stdin", stdin="a new password\n")
    assert done.returncode == 0, done.stderr
    old = shared.visitor.post("/sessions", {"phone": user["phone"], "password": PASSWORD})
    assert old.status == 401
    assert shared.log_in(user["phone"], "a new password")
    eventually(lambda: client.get("/sessions/current").status == 401, 10, "the end of the old session")


@pytest.mark.parametrize("command", [["set-role", "--role", "admin"], ["set-password", "--password-stdin"]])
def test_an_unknown_user_is_named(shared, command):
    done = run("user", *command, "--data", shared.server.data, "--phone", "99999", stdin=PASSWORD + "\n")
    assert done.returncode > 0 and "99999" in done.stderr


def test_users_without_a_server(tmp_path, start_server):
    data = tmp_path / "data"
    phone = new_phone()
    add_user(data, phone, "buyer", PASSWORD)
    assert run("user", "set-role", "--data", data, "--phone", phone, "--role", "admin").returncode == 0
    assert run("user", "set-password", "--data", data, "--phone", phone, "--password-stdin",
               stdin="a new password\n").returncode == 0
    server = start_server(data=data)
    login = Client(server.port).post("/sessions", {"phone": phone, "password": "a new password"})
    assert login.body["user"]["role"] == "admin"


def test_mint_a_hundred_thousand_in_ten_seconds(shop, tmp_path):
    out = tmp_path / "tokens"
    begin = time.monotonic()
    done = run("mint", "--data", shop.server.data, "--buyers", 100_000, "--out", out, timeout=90)
    assert done.returncode == 0, done.stderr
    # MariaDB is sent a packet for each row.
    assert time.monotonic() - begin < (60 if mariadb_of_ledgers() else 10)
    tokens = out.read_text().split("\n")
    assert tokens.pop() == "" and len(tokens) == len(set(tokens)) == 100_000
    ids = set()
    for token in (tokens[0], tokens[49_999], tokens[-1]):
        session = shop.client(token).get("/sessions/current")
        assert session.status == 200 and session.body["user"]["role"] == "buyer"
        ids.add(session.body["user"]["id"])
    assert len(ids) == 3
    assert stat.S_IMODE(out.stat().st_mode) & 0o077 == 0, "tokens are as good as passwords"


def test_mint_prints_tokens_and_nothing_else(tmp_path, start_server):
    data = tmp_path / "data"
    assert run("migrate", "--data", data).returncode == 0
    first, second = (run("mint", "--data", data, "--buyers", 3) for _ in range(2))
    tokens = (first.stdout + second.stdout).split("\n")
    assert tokens.pop() == "" and len(set(tokens)) == 6
    server = start_server(data=data)
    assert all(Client(server.port, token).get("/sessions/current").status == 200 for token in tokens)


def test_a_backup_of_a_running_server_is_a_whole_database(shop, tmp_path, start_server):
    sale = shop.sale()
    copy = tmp_path / "backup.db"
    done = run("backup", "--data", shop.server.data, copy)
    assert done.returncode == 0, done.stderr
    after = shop.sale()
    assert stat.S_IMODE(copy.stat().st_mode) & 0o077 == 0
    with sqlite3.connect(f"file:{copy}?mode=ro", uri=True) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]

    shop.stop()
    data = tmp_path / "restored"
    done = run("restore", "--data", data, copy)
    assert done.returncode == 0, done.stderr
    restored = Client(start_server(data=data).port)
    assert restored.get(f"/sales/{sale['id']}").status == 200
    assert restored.get(f"/sales/{after['id']}").status == 404


def test_a_backup_of_nothing_is_an_error(tmp_path):
    done = run("backup", "--data", tmp_path / "none", tmp_path / "copy")
    assert done.returncode > 0
    assert not (tmp_path / "none").exists() and not (tmp_path / "copy").exists()


@pytest.mark.parametrize("words, said", [
    (["foo"], "foo is not a subcommand of sluice\nRun sluice --help"), (["serv"], "(did you mean serve?)"),
    (["user", "foo"], "foo is not a subcommand of sluice user\nRun sluice user --help"),
    (["user", "set-rol"], "set-rol is not a subcommand of sluice user (did you mean set-role?)"),
    (["keys", "foo"], "foo is not a subcommand of sluice keys\nRun sluice keys --help"),
])
def test_an_unknown_subcommand_is_named(words, said):
    done = run(*words)
    assert done.returncode == 2 and said in done.stderr and "--help" in done.stderr


def test_an_empty_sale_is_not_taken_for_all(shared):
    done = run("audit", "--data", shared.server.data, "--sale", "")
    assert done.returncode == 2 and "--sale: must not be empty" in done.stderr and not done.stdout


def test_a_misspelt_variable_is_an_error(tmp_path):
    done = run("check-config", env={"SLUICE_LIMITS_ENABELD": "false"}, cwd=tmp_path)
    assert done.returncode == 1
    assert "SLUICE_LIMITS_ENABELD is not a known key (did you mean SLUICE_LIMITS_ENABLED?)" in done.stderr
    # What Kubernetes gives to containers beside a service of that name is not ours.
    others = {"SLUICE_SERVICE_HOST": "10.0.0.1", "SLUICE_PORT": "tcp://10.0.0.1:80", "SLUICE_PORT_80_TCP_PROTO": "tcp"}
    assert run("check-config", env=others, cwd=tmp_path).returncode == 0


MAKES_A_SHOP = {"serve", "migrate", "restore", "user add", "user import"}
NEEDS_NO_SHOP = {"check-config", "man", "completion"}
WORKS_ON_A_SHOP = [
    ["user", "set-role", "--phone", "12345678", "--role", "admin"], ["user", "log-out", "--phone", "12345678"],
    ["user", "set-password", "--phone", "12345678", "--password-stdin"],
    ["user", "remove-second-factor", "--phone", "12345678"],
    ["user", "canonical-phones", "--set", "accounts.country=CN"],
    ["mint", "--buyers", "1"], ["keys", "rotate"], ["keys", "list"], ["audit"], ["backup", "copy"],
    ["move", "--to", "mariadb://localhost/shop?socket=/nowhere/socket"],
    ["archive"], ["archive", "--dry-run"], ["archive", "--sale", "1"], ["archive", "--bring-back", "1"],
]


def subcommands(*of):
    listed = run(*of, "--help").stdout.partition("Subcommands:\n")[2].partition("\n\n")[0]
    return [[*of, line.split()[0]] for line in listed.splitlines()]


def test_every_command_is_known_to_make_a_shop_or_not():
    every = {" ".join(words) for command in subcommands() for words in subcommands(*command) or [command]}
    works = {" ".join(word for word in command[:2] if f"{command[0]} {word}" in every or word == command[0])
             for command in WORKS_ON_A_SHOP}
    assert every == MAKES_A_SHOP | NEEDS_NO_SHOP | works


@pytest.mark.parametrize("folder", ["absent", "empty"])
@pytest.mark.parametrize("command", WORKS_ON_A_SHOP, ids=" ".join)
def test_only_what_begins_a_shop_makes_a_database(command, folder, tmp_path):
    if command[0] == "move" and mariadb_of_ledgers():
        pytest.skip("works on a SQLite ledger")
    data, here = tmp_path / "typo", tmp_path / "here"
    here.mkdir()
    if folder == "empty":
        data.mkdir()
    done = run(*command, "--data", data, stdin="correct horse\n", cwd=here)
    assert done.returncode > 0 and "there is no " in done.stderr, done.stdout + done.stderr
    assert os.listdir(here) == []
    assert not data.exists() if folder == "absent" else os.listdir(data) == []


def test_a_password_is_utf8(shared):
    done = subprocess.run([BINARY, "user", "add", "--data", shared.server.data, "--phone", new_phone(), "--role", "buyer",
                           "--password-stdin"], input=b"correct \xff\xfe horse\n", capture_output=True)
    assert done.returncode == 1 and b"UTF-8" in done.stderr


@pytest.mark.parametrize("command, code", [(["audit", "--json"], 2), (["audit"], 2), (["keys", "list"], 1), (["man"], 1),
                                           (["migrate"], 1), (["check-config"], 1)], ids=str)
def test_output_that_is_lost_is_a_failure(shared, command, code):
    data = [] if command == ["man"] else ["--data", str(shared.server.data)]
    with open("/dev/full", "w") as full:
        done = subprocess.run([BINARY, *command, *data], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == code and "No space left" in done.stderr, done.stderr


def test_a_backup_that_breaks_a_promise_is_made_and_told(shop, tmp_path):
    shop.sale()
    shop.stop()
    with open_ledger(shop.server.data) as ledger:  # a unit is held for nobody
        assert ledger.change("UPDATE sales SET stock_left = stock_left - 1, stock_held = stock_held + 1") == 1
    copy = tmp_path / "backup.db"
    done = run("backup", "--data", shop.server.data, copy)
    assert done.returncode == 3 and done.stdout == f"{copy}\n", done.stderr
    assert 'breaks a promise, I1 stock' in done.stderr and '--accept "I1 stock"' in done.stderr
    refused = run("restore", "--data", tmp_path / "restored", copy)
    assert refused.returncode == 1 and "I1 stock" in refused.stderr
    assert run("backup", "--data", shop.server.data, copy).returncode == 1, "an existing file stays"
    shop.server.start()


@pytest.mark.sqlite_ledger
def test_a_backup_of_an_older_ledger_is_made_and_said_to_be_unproven(shop, tmp_path):
    shop.stop()
    with open_ledger(shop.server.data) as ledger:
        ledger.change("DELETE FROM migrations WHERE version = (SELECT max(version) FROM migrations)")
    done = run("backup", "--data", shop.server.data, tmp_path / "backup.db")
    assert done.returncode == 0 and "not proven" in done.stderr, done.stderr


@pytest.mark.sqlite_ledger
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run it as somebody who may not write")
def test_a_database_that_cannot_be_written_is_said_at_the_start_and_leaves_nothing_behind(short_path):
    short_path.chmod(0o755)
    data = short_path / "data"
    as_nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    os.chown(short_path, 65534, 65534)
    subprocess.run([*as_nobody, BINARY, "migrate", "--data", data], check=True, capture_output=True)
    (data / "sluice.db").chmod(0o444)
    done = subprocess.run([*as_nobody, BINARY, "serve", "--data", data, "--listen", "127.0.0.1:0"],
                          capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and "sluice.db: Permission denied" in done.stderr
    assert not list(data.glob("sluice.db-*")), "what SQLite makes beside it would be read-only too"
    (data / "sluice.db").chmod(0o644)
    server = Server(short_path, data=data, wrapper=as_nobody).start()
    client = Client(server.port)
    assert client.post("/users", {"phone": new_phone(), "password": PASSWORD}).status == 201
    client.close()
    server.kill()
    for log in ("sluice.db-wal", "sluice.db-shm"):
        (data / log).chmod(0o444)
        done = subprocess.run([*as_nobody, BINARY, "serve", "--data", data, "--listen", "127.0.0.1:0"],
                              capture_output=True, text=True, timeout=20)
        assert done.returncode == 1 and f"{log}: Permission denied" in done.stderr
        (data / log).chmod(0o644)
