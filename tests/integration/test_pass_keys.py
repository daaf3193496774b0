"""The keys that sign passes: exchanged while the server runs, without a lost pass."""

import base64
import os
import re
import stat

import pytest

from client import in_parallel
from process import eventually, run


def key_id(pass_):
    """The first two bytes of a pass."""
    return int.from_bytes(base64.urlsafe_b64decode(pass_ + "=")[:2], "big")


def rotate(data, *arguments):
    done = run("keys", "rotate", "--data", data, *arguments)
    assert done.returncode == 0, done.stderr
    return int(re.fullmatch(r"key (\d+) signs passes from now on\n", done.stdout)[1])


def listed(data):
    done = run("keys", "list", "--data", data)
    assert done.returncode == 0, done.stderr
    return done.stdout


def taken_over(shop, buyer, sale, key):
    eventually(lambda: key_id(shop.pass_for(buyer, sale)) == key, seconds=2, what="the new key")


def test_a_pass_outlives_the_rotation_of_its_key(start_shop):
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sale = shop.sale(limit_per_buyer=5)["id"]
    buyer, asker = shop.buyers(2)
    used, unused = (shop.pass_for(buyer, sale) for _ in range(2))
    ticket = shop.bought(buyer, sale, pass_=used)["ticket"]
    assert key_id(used) == 1 and rotate(shop.server.data) == 2
    taken_over(shop, asker, sale, 2)
    assert shop.bought(buyer, sale, pass_=used)["ticket"] == ticket, "the replay still works"
    assert shop.bought(buyer, sale, pass_=unused)["ticket"] != ticket
    shop.bought(buyer, sale)
    shop.restart()
    [buyer] = [shop.client(buyer.token)]
    assert shop.bought(buyer, sale, pass_=used)["ticket"] == ticket
    assert key_id(shop.pass_for(buyer, sale)) == 2


def test_nobody_loses_a_pass_while_keys_are_rotated(start_shop):
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sale = shop.sale(stock=40, unpaid_limit=1000)["id"]
    buyers = shop.buyers(4)

    def shopping(buyer):
        keys = set()
        while len(keys) < 3:
            pass_ = shop.pass_for(buyer, sale)
            keys.add(key_id(pass_))
            order = shop.bought(buyer, sale, pass_=pass_)["order_id"]
            assert buyer.post(f"/orders/{order}/cancel").status == 200

    def rotating():
        for _ in range(2):
            key = rotate(shop.server.data)
            taken_over(shop, shop.client(buyers[0].token), sale, key)

    in_parallel([rotating, *(lambda buyer=buyer: shopping(buyer) for buyer in buyers[1:])])


def test_old_keys_can_be_dropped(start_shop):
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sale = shop.sale()["id"]
    buyer, asker = shop.buyers(2)
    old = shop.pass_for(buyer, sale)
    assert rotate(shop.server.data, "--drop-old") == 2
    taken_over(shop, asker, sale, 2)
    assert shop.buy(buyer, sale, pass_=old).code == "pass_invalid"
    shop.bought(buyer, sale)
    assert len(listed(shop.server.data).splitlines()) == 2


def test_a_damaged_file_changes_nothing_while_the_server_runs(start_shop):
    shop = start_shop()
    file = shop.server.data / "pass.keys"
    sale = shop.sale()["id"]
    [buyer] = shop.buyers(1)
    whole = file.read_text()
    file.write_text("1 nonsense\n")
    eventually(lambda: "is damaged" in shop.server.log(), what="a word in the log")
    assert key_id(shop.pass_for(buyer, sale)) == 1
    file.write_text(whole)
    assert rotate(shop.server.data) == 2
    taken_over(shop, buyer, sale, 2)


@pytest.fixture
def data(tmp_path):
    """A data folder with a database: rotating a key leaves a line in the audit trail."""
    assert run("migrate", "--data", tmp_path).returncode == 0
    return tmp_path


@pytest.mark.parametrize("text", ["", "1 nonsense\n", "0 {} 2026-11-11T12:00:00.000Z\n", "1 {} yesterday\n",
                                  "70000 {} 2026-11-11T12:00:00.000Z\n",
                                  "1 {0} 2026-11-11T12:00:00.000Z\n1 {0} 2026-11-11T12:00:00.000Z\n"])
def test_a_damaged_file_is_not_taken_for_keys(data, text):
    rotate(data)
    (data / "pass.keys").write_text(text.format("ab" * 32))
    for command in ("list", "rotate"):
        done = run("keys", command, "--data", data)
        assert done.returncode == 1 and "is damaged" in done.stderr
    assert (data / "pass.keys").read_text() == text.format("ab" * 32)
    done = run("serve", "--data", data, "--listen", "127.0.0.1:0")
    assert done.returncode == 1 and "is damaged" in done.stderr


def test_the_file_is_its_owners_alone(data):
    rotate(data)
    file = data / "pass.keys"
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    file.chmod(0o640)
    done = run("keys", "list", "--data", data)
    assert done.returncode == 1 and "chmod 600" in done.stderr


def test_a_list_shows_no_secret(data):
    for expected in (1, 2, 3):
        assert rotate(data) == expected
    lines = (data / "pass.keys").read_text().splitlines()
    assert len(lines) == 3 and len({line.split()[1] for line in lines}) == 3
    text = listed(data)
    assert all(line.split()[1] not in text for line in lines)
    rows = text.splitlines()[1:]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert ["signs" in row for row in rows] == [False, False, True]
    assert set(os.listdir(data)) - {"sluice.db"} == {"master.key", "pass.keys"}


def test_a_key_that_was_replaced_a_day_ago_goes(data):
    rotate(data)
    (data / "pass.keys").write_text("".join(
        f"{number} {'ab' * 32} 2026-01-0{number}T00:00:00.000Z\n" for number in (1, 2)))
    assert rotate(data) == 3
    assert [line.split()[0] for line in (data / "pass.keys").read_text().splitlines()] == ["2", "3"]


def test_there_is_an_end_to_rotating(data):
    for _ in range(16):
        rotate(data)
    done = run("keys", "rotate", "--data", data)
    assert done.returncode == 1 and "16 keys are in force" in done.stderr
    assert rotate(data, "--drop-old") == 17


def test_two_who_rotate_at_once_lose_no_key(data):
    made = in_parallel([lambda: rotate(data) for _ in range(8)])
    assert sorted(made) == list(range(1, 9))
    assert len((data / "pass.keys").read_text().splitlines()) == 8


def test_a_list_before_the_first_key(data):
    done = run("keys", "list", "--data", data)
    assert done.returncode == 1 and "the server makes it" in done.stderr
    assert "pass.keys" not in os.listdir(data)
