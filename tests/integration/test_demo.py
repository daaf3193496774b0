import re

import pytest

from client import Client
from ledger import open_ledger
from process import add_user, run
from shop import PASSWORD

OPERATOR, SHOPPER = "10000001", "10000002"


def logins(server):
    return dict(re.findall(r"phone (\S+)\s+password (\S+)", server.printed + rest(server)))


def rest(server):
    """The logins follow the address that a start waits for."""
    return (server.data / "demo-logins.txt").read_text()


def role_of(server, phone):
    answer = Client(server.port).post("/sessions", {"phone": phone, "password": logins(server)[phone]})
    assert answer.status == 201, answer.body
    return answer.body["user"]["role"]


def titles(server):
    return [sale["item"]["title"] for sale in Client(server.port).get("/sales?limit=100").body["sales"]]


def restart(server):
    server.stop()
    return server.start()


def cut(server, statement):
    server.stop()
    with open_ledger(server.data) as ledger:
        for each in statement.split(";"):
            ledger.change(each)


def test_the_logins_stay_the_same(start_server):
    server = start_server(arguments=["--demo"])
    before = logins(server)
    assert set(before) == {OPERATOR, SHOPPER}
    assert logins(restart(server)) == before
    assert (role_of(server, OPERATOR), role_of(server, SHOPPER)) == ("operator", "buyer")


def test_each_challenge_can_be_tried(start_server):
    server = start_server(arguments=["--demo"])
    sales = Client(server.port).get("/sales?limit=100").body["sales"]
    assert {sale["challenge"] for sale in sales} == {"none", "math", "pow"}
    assert {sale["challenge"] for sale in sales if sale["state"] == "open"} == {"none", "pow"}


@pytest.mark.parametrize("role", ["buyer", "admin"])
def test_a_login_that_exists_is_taken_over(tmp_path, start_server, role):
    data = tmp_path / "data"
    add_user(data, OPERATOR, role, PASSWORD)
    server = start_server(data=data, arguments=["--demo"])
    assert (role_of(server, OPERATOR), role_of(server, SHOPPER)) == ("operator", "buyer")
    old = Client(server.port).post("/sessions", {"phone": OPERATOR, "password": PASSWORD})
    assert old.status == 401
    assert len(titles(server)) == 4


@pytest.mark.parametrize("lost", [
    "DELETE FROM sales; DELETE FROM items",
    "DELETE FROM sales; DELETE FROM items WHERE id > (SELECT min(id) FROM items)",
    "DELETE FROM sales WHERE item_id = (SELECT max(id) FROM items)",
], ids=["after the logins", "after the first item", "before the last sale"])
def test_a_fill_that_was_cut_short_is_finished(start_server, lost):
    server = start_server(arguments=["--demo"])
    whole = sorted(titles(server))
    cut(server, lost)
    server.start()
    assert sorted(titles(server)) == whole and len(set(whole)) == 4
    assert len(Client(server.port).get("/items?limit=100").body["items"]) == 4
    assert role_of(server, OPERATOR) == "operator"


def test_a_store_with_other_items_is_left_alone(start_server):
    server = start_server(arguments=["--demo"])
    before = logins(server)
    cut(server, "DELETE FROM sales; UPDATE items SET title = 'Mine' WHERE id = (SELECT min(id) FROM items)")
    server.start()
    assert titles(server) == [] and logins(server) == before


def test_a_user_added_later_does_not_matter(start_server):
    server = start_server(arguments=["--demo"])
    before = logins(server)
    server.stop()
    assert run("user", "set-role", "--data", server.data, "--phone", SHOPPER, "--role", "admin").returncode == 0
    assert logins(server.start()) == before and role_of(server, SHOPPER) == "admin"


@pytest.mark.sqlite_ledger
def test_nothing_is_added_while_a_loss_is_on_record(start_server, tmp_path):
    data = tmp_path / "lost"
    data.mkdir()
    (data / "ledger.loss").write_text("order 2 was on record, and the newest is now none")
    server = start_server(data=data, arguments=["--demo"])
    assert titles(server) == [] and not (data / "demo-logins.txt").exists()
    (data / "ledger.loss").unlink()
    assert titles(restart(server)) != []
