"""Who may give whom which role, and who is listed."""

import pytest

from client import in_parallel
from process import add_user, run
from shop import PASSWORD, new_phone


class Person:
    def __init__(self, shop, role):
        self.phone = new_phone()
        add_user(shop.server.data, self.phone, role, PASSWORD)
        self.client = shop.client(shop.log_in(self.phone))
        self.id = self.client.get("/sessions/current").body["user"]["id"]


def role_of(person):
    return person.client.get("/sessions/current").body["user"]["role"]


def change(actor, person, role):
    return actor.client.put(f"/admin/users/{person.id}/role", {"role": role})


MATRIX = [  # actor, from, to, may
    ("operator", "buyer", "operator", False), ("operator", "operator", "buyer", False),
    ("operator", "buyer", "admin", False), ("operator", "operator", "admin", False),
    ("operator", "admin", "buyer", False), ("operator", "admin", "operator", False),
    ("admin", "buyer", "operator", True), ("admin", "operator", "buyer", True),
    ("admin", "buyer", "admin", True), ("admin", "admin", "buyer", True), ("admin", "admin", "operator", True),
    ("buyer", "buyer", "operator", False), ("buyer", "operator", "buyer", False),
    ("admin", "buyer", "support", True), ("admin", "support", "operator", True), ("admin", "support", "buyer", True),
    ("operator", "buyer", "support", False), ("operator", "support", "buyer", False),
    ("support", "buyer", "support", False), ("support", "operator", "buyer", False), ("support", "buyer", "admin", False),
]


@pytest.mark.parametrize("actor, before, after, may", MATRIX)
def test_who_may_give_whom_which_role(shared, actor, before, after, may):
    acting, person = Person(shared, actor), Person(shared, before)
    answer = change(acting, person, after)
    if may:
        assert (answer.status, answer.body["role"], answer.body["id"]) == (200, after, person.id)
    else:
        assert (answer.status, answer.code) == (403, "forbidden")
    assert role_of(person) == (after if may else before), "the running session has it at once"


def test_a_new_role_opens_and_closes_doors_at_once(shop):
    admin, person = Person(shop, "admin"), Person(shop, "buyer")
    for _ in range(3):
        assert person.client.get("/admin/users").status == 403
        assert change(admin, person, "operator").status == 200
        assert person.client.get("/admin/users").status == 200
        assert change(admin, person, "buyer").status == 200
    assert person.client.get("/admin/users").status == 403


@pytest.mark.parametrize("role", ["support", "operator", "admin"])
def test_nobody_changes_their_own_role(shared, role):
    person = Person(shared, role)
    for after in ("buyer", "support", "operator", "admin"):
        answer = change(person, person, after)
        assert (answer.status, answer.code) == (403, "forbidden")
    assert role_of(person) == role


def test_two_admins_cannot_unmake_each_other_at_once(shop):
    one = Person(shop, "admin")
    # Else a third one would be left, and both could go.
    assert run("user", "set-role", "--data", shop.server.data, "--phone", shop.operator_phone,
               "--role", "operator").returncode == 0
    for _ in range(3):
        other = Person(shop, "admin")
        pair = [(one, other), (other, one)]
        answers = in_parallel([lambda a=a, b=b: change(a, b, "buyer") for a, b in pair])
        assert sum(answer.status == 200 for answer in answers) == 1, [answer.body for answer in answers]
        left = [person for person in (one, other) if role_of(person) == "admin"]
        assert len(left) == 1
        one = left[0]


def test_a_change_is_on_the_trail_and_a_refusal_is_not(shop):
    operator, admin, person = Person(shop, "operator"), Person(shop, "admin"), Person(shop, "buyer")
    answer = change(admin, person, "operator")
    change(admin, person, "operator")
    change(operator, person, "admin")
    deeds = [deed for deed in shop.operator.get("/admin/audit-trail").body["entries"] if deed["action"] == "user.role"]
    assert len(deeds) == 1
    assert (deeds[0]["subject"], deeds[0]["before"], deeds[0]["after"]) == (
        person.id, {"role": "buyer"}, {"role": "operator"})
    assert deeds[0]["actor"]["id"] == admin.id
    assert deeds[0]["request_id"] == answer.headers["X-Request-Id"]


@pytest.mark.parametrize("body", [{}, {"role": "king"}, {"role": None}, {"role": 1}, {"role": "buyer", "x": 1}])
def test_a_role_is_one_of_four(shared, body):
    answer = shared.operator.put(f"/admin/users/{shared.register()['id']}/role", body)
    assert (answer.status, answer.code) == (422, "invalid")


@pytest.mark.parametrize("user", ["1", "0", "x", "-1", "99999999999999999999"])
def test_an_unknown_user_is_not_found(shared, user):
    assert shared.operator.put(f"/admin/users/{user}/role", {"role": "buyer"}).status == 404


def test_users_are_listed_newest_first_in_pages(shop):
    made = [shop.register()["id"] for _ in range(5)]
    seen, cursor = [], ""
    while cursor is not None:
        page = shop.operator.get(f"/admin/users?limit=2&role=buyer{'&cursor=' + cursor if cursor else ''}").body
        seen += [user["id"] for user in page["users"]]
        cursor = page["next_cursor"]
    assert seen == made[::-1]
    admins = shop.operator.get("/admin/users?role=admin").body["users"]
    assert [user["phone"] for user in admins] == [shop.operator_phone]


def test_a_user_is_found_by_phone(shared):
    user = shared.register(name="Lin")
    for phone in (user["phone"], user["phone"].replace("+", "%2B")):
        found = shared.operator.get(f"/admin/users?phone={phone}").body["users"]
        assert [(each["id"], each["name"], each["role"]) for each in found] == [(user["id"], "Lin", "buyer")]
        assert all("password" not in key for key in found[0])
    assert shared.operator.get(f"/admin/users?phone={new_phone()}").body["users"] == []
    assert shared.operator.get("/admin/users?role=king").status == 422
    assert shared.operator.get("/admin/users?cursor=x").status == 422
