import pytest

from client import in_parallel
from shop import PASSWORD, new_phone


def test_a_registered_buyer_can_log_in(shared):
    phone = new_phone()
    answer = shared.visitor.post("/users", {"phone": phone, "password": PASSWORD, "name": "林"})
    assert answer.status == 201
    assert answer.body["phone"] == phone and answer.body["name"] == "林"
    session = shared.client(shared.log_in(phone)).get("/sessions/current").body
    assert session["user"] == {"id": answer.body["id"], "name": "林", "role": "buyer"}


def test_without_a_name_the_whole_phone_is_not_shown(shared):
    user = shared.register()
    assert user["name"] and user["phone"] not in user["name"]


def test_a_phone_registers_once(shared):
    phone = shared.register()["phone"]
    again = shared.visitor.post("/users", {"phone": phone, "password": "another password"})
    assert (again.status, again.code) == (409, "conflict")
    assert shared.log_in(phone)


def test_a_phone_registers_once_even_at_the_same_instant(shared):
    registration = {"phone": new_phone(), "password": PASSWORD}
    answers = in_parallel([lambda: shared.client().post("/users", registration)] * 6)
    assert sorted(answer.status for answer in answers) == [201] + [409] * 5


@pytest.mark.parametrize("phone", ["12345", "+12345", "1" * 20, "+" + "1" * 20])
def test_phones_at_the_edge_are_taken(shared, phone):
    answer = shared.visitor.post("/users", {"phone": phone, "password": PASSWORD})
    assert answer.status == 201, answer.body


@pytest.mark.parametrize("phone", ["", "1234", "1" * 21, "++12345", "+1234", "12 345", "12345x",
                                   "１２３４５", "12345\n", 12345, None, ["12345"]])
def test_other_phones_are_not(shared, phone):
    answer = shared.visitor.post("/users", {"phone": phone, "password": PASSWORD})
    assert (answer.status, answer.code) == (422, "invalid")
    assert answer.fields == {"phone"}


@pytest.mark.parametrize("password", ["k7#mQ2!x", "x" * 128, "密码密码密码密码", "密" * 128])
def test_passwords_at_the_edge_are_taken(shared, password):
    phone = new_phone()
    answer = shared.visitor.post("/users", {"phone": phone, "password": password})
    assert answer.status == 201, answer.body
    assert shared.log_in(phone, password)


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129, "密码", "tab\tin a password", None, 12345678])
def test_other_passwords_are_not(shared, password):
    answer = shared.visitor.post("/users", {"phone": new_phone(), "password": password})
    assert (answer.status, answer.code) == (422, "invalid")
    assert answer.fields == {"password"}
    if password:
        assert str(password) not in answer.raw.decode()


@pytest.mark.parametrize("body, fields", [
    ({}, {"phone", "password"}),
    ({"phone": "12345678"}, {"password"}),
    ({"password": PASSWORD}, {"phone"}),
    ({"phone": "12345678", "password": PASSWORD, "name": "x" * 65}, {"name"}),
    ({"phone": "12345678", "password": PASSWORD, "name": "a\nb"}, {"name"}),
    ({"phone": "12345678", "password": PASSWORD, "name": 7}, {"name"}),
    ({"phone": "12345678", "password": PASSWORD, "role": "admin"}, {"role"}),
])
def test_every_wrong_field_is_named(shared, body, fields):
    answer = shared.visitor.post("/users", body)
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", fields)


def test_a_key_belongs_to_the_phone_it_came_with(shared):
    key = {"Idempotency-Key": f"register-{new_phone()}"}
    first, second = ({"phone": new_phone(), "password": PASSWORD} for _ in range(2))
    assert shared.visitor.post("/users", first, headers=key).status == 201
    assert shared.visitor.post("/users", second, headers=key).status == 201, "another person's key"
    assert shared.visitor.post("/users", first, headers=key).status == 201, "the first one again"
