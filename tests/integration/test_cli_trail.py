"""What is done at the command line stands in the audit trail."""

import getpass

import pytest

from ledger import look
from process import add_user, run
from shop import PASSWORD, new_phone

ME = {"kind": "command_line", "id": None, "name": getpass.getuser()}
NEW_PASSWORD = "another horse battery"


def deeds(shop):
    """Of the command line, the oldest first."""
    entries = shop.operator.get("/admin/audit-trail?limit=100").body["entries"]
    return [entry for entry in reversed(entries) if entry["actor"]["kind"] == "command_line"]


def done(shop, *command, stdin=""):
    result = run(*command[:2], "--data", shop.server.data, *command[2:], stdin=stdin)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_first_operator_was_added_at_the_command_line(shop):
    [deed] = deeds(shop)
    assert deed["action"] == "user.add" and deed["actor"] == ME
    assert deed["address"] == "" and deed["request_id"] == ""
    assert deed["before"] is None and deed["after"]["role"] in ("operator", "admin")


def test_every_change_of_a_user(shop):
    phone = new_phone()
    user = done(shop, "user", "add", "--phone", phone, "--role", "buyer", "--password-stdin",
                stdin=PASSWORD + "\n").strip()
    for _ in range(2):  # the second time it changes nothing
        done(shop, "user", "set-role", "--phone", phone, "--role", "operator")
    done(shop, "user", "set-password", "--phone", phone, "--password-stdin", stdin=NEW_PASSWORD + "\n")
    done(shop, "user", "log-out", "--phone", phone)
    told = deeds(shop)[1:]
    assert [(deed["action"], deed["subject"]) for deed in told] == \
        [("user.add", user), ("user.role", user), ("user.password", user), ("user.log_out", user)]
    assert [deed["before"] for deed in told] == [None, {"role": "buyer"}, None, None]
    assert [deed["after"] for deed in told] == [{"role": "buyer"}, {"role": "operator"}, None, None]
    assert all(deed["actor"] == ME for deed in told)
    shop.audit()


def test_keys_and_minted_buyers(shop):
    done(shop, "keys", "rotate")
    done(shop, "keys", "rotate", "--drop-old")
    shop.minted(3)
    told = [(deed["action"], deed["subject"], deed["after"]) for deed in deeds(shop)[1:]]
    assert told == [("keys.rotate", "pass.keys", {"drop_old": False}),
                    ("keys.rotate", "pass.keys", {"drop_old": True}),
                    ("user.mint", "", {"buyers": 3})]


def test_an_import_has_a_deed_before_and_one_after(shop, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("phone,name,salt,hash,role\n"
                    f"{new_phone()},One,1a2b3c,b7797cce01b4b131b433b6acf4add449,buyer\n"
                    f"{new_phone()},Two,1a2b3c,b7797cce01b4b131b433b6acf4add449,buyer\n")
    env = {"SLUICE_ACCOUNTS_LEGACY_FIXED_SALT": "1a2b3c4d"}
    for flags, told in ((["--dry-run"], 0), ([], 2)):
        result = run("user", "import", "--data", shop.server.data, *flags, file, env=env)
        assert result.returncode == 0, result.stderr
        assert len(deeds(shop)) == 1 + told
    begun, ended = deeds(shop)[1:]
    assert (begun["action"], begun["after"]["users"]) == ("user.import", 2)
    assert (ended["action"], ended["after"]) == ("user.imported", {"users": 2})


def test_a_restore_is_the_last_deed_of_the_restored_trail(shop, tmp_path):
    copy = tmp_path / "monday.db"
    assert run("backup", "--data", shop.server.data, copy).returncode == 0
    done(shop, "user", "add", "--phone", new_phone(), "--role", "buyer", "--password-stdin",
         stdin=PASSWORD + "\n")
    shop.stop()
    result = run("restore", "--data", shop.server.data, "--replace", copy)
    assert result.returncode == 0, result.stderr
    shop.server.start()
    shop.operator = shop.client(shop.log_in(shop.operator_phone))
    told = deeds(shop)
    assert [deed["action"] for deed in told] == ["user.add", "ledger.restore"]
    assert told[-1]["subject"] == "monday.db" and told[-1]["actor"] == ME
    shop.audit()


@pytest.mark.parametrize("command", [["set-role", "--role", "admin"], ["set-password", "--password-stdin"],
                                     ["log-out"]])
def test_what_changed_nothing_is_no_deed(shop, command):
    result = run("user", *command, "--data", shop.server.data, "--phone", "99999", stdin=PASSWORD + "\n")
    assert result.returncode > 0
    taken = run("user", "add", "--data", shop.server.data, "--phone", shop.operator_phone, "--role",
                "buyer", "--password-stdin", stdin=PASSWORD + "\n")
    assert taken.returncode > 0
    assert len(deeds(shop)) == 1


def test_no_secret_gets_into_a_deed(shop):
    phone = new_phone()
    add_user(shop.server.data, phone, "buyer", PASSWORD)
    done(shop, "user", "set-password", "--phone", phone, "--password-stdin", stdin=NEW_PASSWORD + "\n")
    done(shop, "keys", "rotate")
    secrets = [PASSWORD, NEW_PASSWORD, "argon2",
               *(shop.server.data / "pass.keys").read_text().split()[1::3]]
    told = str(look(shop, "SELECT * FROM audit_trail"))
    assert not [secret for secret in secrets if secret in told]
