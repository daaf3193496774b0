"""Users of an older shop: taken over with the passwords they have."""

import hashlib
import os
import subprocess

import pytest

from client import in_parallel
from ledger import has_ledger, open_ledger
from process import BINARY, environment, eventually, run
from shop import new_phone

FIXED = "1a2b3c4d"
ENV = {"SLUICE_ACCOUNTS_LEGACY_FIXED_SALT": FIXED}
HEADER = "phone,name,salt,hash,role\n"
DEFAULT = "md5(md5(fixed+password)+salt)"


def digest(algorithm, text):
    return hashlib.new(algorithm, text.encode()).hexdigest()


SCHEMES = {
    DEFAULT: lambda password, salt: digest("md5", digest("md5", FIXED + password) + salt),
    "md5(md5(password)+salt)": lambda password, salt: digest("md5", digest("md5", password) + salt),
    "md5(password+salt)": lambda password, salt: digest("md5", password + salt),
    "md5(salt+password)": lambda password, salt: digest("md5", salt + password),
    "sha1(password+salt)": lambda password, salt: digest("sha1", password + salt),
    "sha1(salt+password)": lambda password, salt: digest("sha1", salt + password),
    "sha256(password+salt)": lambda password, salt: digest("sha256", password + salt),
    "sha256(salt+password)": lambda password, salt: digest("sha256", salt + password),
}


def row(phone, password="secret", name="Lin", salt="9x", role="buyer", scheme=DEFAULT):
    return f"{phone},{name},{salt},{SCHEMES[scheme](password, salt)},{role}\n"


def import_file(data, file, *arguments, env=ENV):
    return run("user", "import", file, "--data", data, *arguments, env=env)


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def written(tmp_path):
    def write(content):
        file = tmp_path / "users.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file
    return write


@pytest.fixture
def legacy_shop(start_shop):
    return start_shop(env=ENV)


def stored(data, phone):
    with open_ledger(data) as ledger:
        found = ledger.rows("SELECT name, role, password_hash FROM users WHERE phone = ?1", phone)
    return found[0] if found else None


def count(data):
    if not has_ledger(data):
        return 0
    with open_ledger(data) as ledger:
        return ledger.value("SELECT count(*) FROM users")


def test_the_first_log_in_replaces_the_wrapped_hash(legacy_shop, written):
    phone = new_phone()
    data = legacy_shop.server.data
    done = import_file(data, written(HEADER + row(phone, "old", name='"Lin, the first"', role="operator")))
    assert (done.returncode, done.stdout) == (0, "1 users imported, 0 existed already\n"), done.stderr
    name, role, wrapped = stored(data, phone)
    assert (name, role) == ("Lin, the first", "operator")
    assert wrapped.startswith(f"$legacy${DEFAULT}$") and "$argon2id$" in wrapped
    assert SCHEMES[DEFAULT]("old", "9x") not in wrapped, "what was stolen before is not in here"
    assert FIXED not in wrapped

    wrong = legacy_shop.visitor.post("/sessions", {"phone": phone, "password": "older"})
    assert (wrong.status, wrong.code) == (401, "unauthenticated")
    assert stored(data, phone)[2] == wrapped
    stolen = {"phone": phone, "password": SCHEMES[DEFAULT]("old", "9x")}
    assert legacy_shop.visitor.post("/sessions", stolen).status == 401

    first = legacy_shop.client(legacy_shop.log_in(phone, "old"))
    fresh = stored(data, phone)[2]
    assert fresh.startswith("$argon2id$")
    assert first.get("/sessions/current").body["user"]["role"] == "operator", "its session goes on"
    legacy_shop.log_in(phone, "old")
    assert stored(data, phone)[2] == fresh, "once is enough"
    assert FIXED not in legacy_shop.server.log()


def test_first_log_ins_at_once_all_succeed(legacy_shop, written):
    phone = new_phone()
    assert import_file(legacy_shop.server.data, written(row(phone, "old"))).returncode == 0
    clients = [legacy_shop.client() for _ in range(6)]
    login = {"phone": phone, "password": "old"}
    answers = in_parallel([lambda c=c: c.post("/sessions", login) for c in clients])
    assert [each.status for each in answers] == [201] * 6
    for answer in answers:
        assert legacy_shop.client(answer.body["token"]).get("/sessions/current").status == 200


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_logs_in(legacy_shop, written, scheme):
    phone = new_phone()
    done = import_file(legacy_shop.server.data, written(row(phone, "pässwörd", scheme=scheme)), "--scheme", scheme)
    assert done.returncode == 0, done.stderr
    legacy_shop.log_in(phone, "pässwörd")


BAD_LINES = {
    "four fields": ("13800000001,n,s," + "a" * 32 + "\n", "four"),
    "phone": ("12x45,n,s," + "a" * 32 + ",buyer\n", "phone"),
    "short hash": ("13800000001,n,s," + "a" * 31 + ",buyer\n", "hash"),
    "not hex": ("13800000001,n,s," + "z" * 32 + ",buyer\n", "hash"),
    "role": ("13800000001,n,s," + "a" * 32 + ",king\n", "role"),
    "no salt": ("13800000001,n,," + "a" * 32 + ",buyer\n", "salt"),
    "open quote": ('13800000001,"n,s,' + "a" * 32 + ",buyer\n", "quoted"),
    "stray quote": ('13800000001,n"n,s,' + "a" * 32 + ",buyer\n", "quote"),
    "not utf-8": (b"13800000001,\xb2\xe8,s," + b"a" * 32 + b",buyer\n", "UTF-8"),
    "twice": ("13900000009,n,s," + "a" * 32 + ",buyer\n", "line 2"),
}


@pytest.mark.parametrize("line, word", BAD_LINES.values(), ids=BAD_LINES)
def test_one_bad_line_and_nothing_is_imported(data, written, line, word):
    good = (HEADER + row("13900000009")).encode()
    file = written(good + (line if isinstance(line, bytes) else line.encode()) + row("13900000010").encode())
    done = import_file(data, file)
    assert done.returncode == 1
    assert f"{file}:3: " in done.stderr and (word in done.stderr or word == "four")
    assert count(data) == 0


def test_every_bad_line_is_named_up_to_a_bound(data, written):
    done = import_file(data, written("rubbish\n" * 100))
    assert done.returncode == 1
    assert len([line for line in done.stderr.splitlines() if "users.csv:" in line]) == 20
    assert "more" in done.stderr


@pytest.mark.parametrize("content", ["", HEADER, "\n\n"])
def test_an_empty_file_imports_nobody(data, written, content):
    done = import_file(data, written(content))
    assert (done.returncode, done.stdout) == (0, "0 users imported, 0 existed already\n")


def test_a_dry_run_changes_nothing(data, written):
    file = written(row("13900000009") + row("13900000010"))
    done = import_file(data, file, "--dry-run")
    assert (done.returncode, done.stdout) == (0, "2 users would be imported, 0 exist already\n")
    assert not data.exists(), "also in a folder that is a slip"
    assert import_file(data, written(row("13900000009"))).returncode == 0
    done = import_file(data, written(row("13900000009") + row("13900000010")), "--dry-run", "--skip-existing")
    assert (done.returncode, done.stdout) == (0, "1 users would be imported, 1 exist already\n")
    assert count(data) == 1


def test_existing_phones_are_a_conflict_or_are_left_as_they_are(data, written):
    assert import_file(data, written(row("13900000009", name="First"))).returncode == 0
    before = stored(data, "13900000009")
    file = written(HEADER + row("13900000010") + row("13900000009", name="Second"))
    done = import_file(data, file)
    assert done.returncode == 1
    assert f"{file}:3: the phone 13900000009 is taken" in done.stderr
    assert count(data) == 1
    done = import_file(data, file, "--skip-existing")
    assert (done.returncode, done.stdout) == (0, "1 users imported, 1 existed already\n")
    assert stored(data, "13900000009") == before
    again = import_file(data, file, "--skip-existing")
    assert (again.returncode, again.stdout) == (0, "0 users imported, 2 existed already\n")


def test_an_import_that_is_cut_short_goes_on_where_it_was(data, written):
    file = written("".join(row(f"1390000{i:04d}") for i in range(140)))
    begun = subprocess.Popen([BINARY, "user", "import", file, "--data", data], stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, env=environment(ENV, data))
    shown = b""
    while b"imported 64 of 140 users" not in shown:
        shown += os.read(begun.stderr.fileno(), 4096)
    begun.kill()
    begun.wait()
    begun.stderr.close()
    there = count(data)
    assert there in (64, 128)
    done = import_file(data, file, "--skip-existing")
    assert (done.returncode, done.stdout) == (0, f"{140 - there} users imported, {there} existed already\n")
    assert f"imported {140 - there} of {140 - there} users" in done.stderr


def test_the_fixed_salt_is_needed_and_is_not_taken_from_the_command_line(data, written):
    file = written(row("13900000009"))
    missing = import_file(data, file, env={})
    assert missing.returncode == 1 and "accounts.legacy_fixed_salt" in missing.stderr
    flagged = import_file(data, file, "--set", f"accounts.legacy_fixed_salt={FIXED}", env={})
    assert flagged.returncode == 1 and "secret" in flagged.stderr and FIXED not in flagged.stderr
    assert count(data) == 0
    unneeded = written(row("13900000009", scheme="md5(password+salt)"))
    assert import_file(data, unneeded, "--scheme", "md5(password+salt)", env={}).returncode == 0


@pytest.mark.parametrize("arguments", [["--scheme", "rot13"], ["--scheme", ""]])
def test_an_unknown_scheme_is_named(data, written, arguments):
    done = import_file(data, written(row("13900000009")), *arguments)
    assert done.returncode == 2 and "scheme" in done.stderr


def test_a_file_that_is_not_there(data, tmp_path):
    assert import_file(data, tmp_path / "nobody.csv").returncode == 2
    assert import_file(data, tmp_path).returncode == 2


def test_a_new_password_ends_the_legacy(legacy_shop, written):
    phone = new_phone()
    data = legacy_shop.server.data
    assert import_file(data, written(row(phone, "old"))).returncode == 0
    done = run("user", "set-password", "--data", data, "--phone", phone, "--password-stdin",
               stdin="a new password\n")
    assert done.returncode == 0
    assert legacy_shop.visitor.post("/sessions", {"phone": phone, "password": "old"}).status == 401
    eventually(lambda: legacy_shop.log_in(phone, "a new password"))
