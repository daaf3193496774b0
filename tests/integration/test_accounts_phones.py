"""With a configured country, one phone in many spellings is one person; and nobody who was there before is lost."""


import pytest

from ledger import open_ledger
from process import Server, add_user, run
from shop import PASSWORD, Shop, new_phone

CHINA = "[accounts]\ncountry = \"CN\"\n"
OTHER = "another correct horse"


def new_number():
    """A national number that nobody else has."""
    return "137" + new_phone()[-8:]


def spellings(number):
    return [number, "+86" + number, "0086" + number, "86" + number]


def log_in(shop, phone, password=PASSWORD):
    return shop.visitor.post("/sessions", {"phone": phone, "password": password})


def register(shop, phone, password=PASSWORD):
    return shop.visitor.post("/users", {"phone": phone, "password": password})


@pytest.fixture
def china(start_shop):
    return start_shop(config=CHINA)


@pytest.mark.parametrize("written", range(4))
def test_four_spellings_are_one_account(china, written):
    number = new_number()
    made = register(china, spellings(number)[written])
    assert (made.status, made.body["phone"]) == (201, "+86" + number)
    for phone in spellings(number):
        again = register(china, phone)
        assert (again.status, again.code) == (409, "conflict"), phone
        assert log_in(china, phone).body["user"]["id"] == made.body["id"], phone
        assert log_in(china, phone, OTHER).status == 401
        found = china.operator.get("/admin/users?phone=" + phone.replace("+", "%2B")).body["users"]
        assert [user["id"] for user in found] == [made.body["id"]], phone


def test_without_a_country_only_the_forms_from_abroad_are_one_person(shared):
    number = new_number()
    made = {phone: register(shared, phone) for phone in spellings(number)}
    assert [answer.status for answer in made.values()] == [201, 201, 409, 201]
    assert made["+86" + number].body["phone"] == "+86" + number and made[number].body["phone"] == number
    assert log_in(shared, "0086" + number).body["user"]["id"] == made["+86" + number].body["id"]
    assert register(shared, "0086" + new_number()).body["phone"].startswith("+86137")


def test_mistakes_are_counted_for_the_person_and_not_for_the_spelling(start_shop):
    shop = start_shop(config=CHINA + '[http]\ntrusted_proxies = ["127.0.0.0/8"]\n',
                      env={"SLUICE_LIMITS_ENABLED": "true"})
    number = new_number()
    answers = [shop.visitor.post("/sessions", {"phone": phone, "password": OTHER},
                                 headers={"X-Forwarded-For": "198.51.100.1"}).status
               for phone in spellings(number) * 3]
    assert answers == [401] * 10 + [429] * 2


def test_a_key_is_the_persons_too(china):
    number = new_number()
    body = {"phone": number, "password": PASSWORD}
    first = china.visitor.post("/users", body, headers={"Idempotency-Key": "k"})
    again = china.visitor.post("/users", body, headers={"Idempotency-Key": "k"})
    assert (again.status, again.body) == (201, first.body)
    spelt = china.visitor.post("/users", {**body, "phone": "+86" + number}, headers={"Idempotency-Key": "k"})
    assert (spelt.status, spelt.body) == (201, first.body), "another spelling is the same person"
    other = china.visitor.post("/users", {**body, "name": "Li"}, headers={"Idempotency-Key": "k"})
    assert other.code == "idempotency_mismatch"


class Grown:
    """A shop that ran without a country and has people in two and in one spelling."""

    def __init__(self, folder):
        self.server = Server(folder)
        self.lone, self.twice = new_number(), new_number()
        self.admin = new_phone()
        add_user(self.server.data, self.admin, "admin", PASSWORD)
        add_user(self.server.data, self.lone, "buyer", PASSWORD)
        add_user(self.server.data, self.twice, "buyer", PASSWORD)
        add_user(self.server.data, "+86" + self.twice, "buyer", OTHER)

    def start(self):
        self.server.env["SLUICE_ACCOUNTS_COUNTRY"] = "CN"
        return Shop(self.server.start(), self.admin)

    def command(self, *arguments):
        done = run("user", "canonical-phones", "--data", self.server.data, "--set", "accounts.country=CN", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def phones(self):
        with open_ledger(self.server.data) as ledger:
            return {phone for [phone] in ledger.rows("SELECT phone FROM users")}


@pytest.fixture
def grown(tmp_path):
    made = Grown(tmp_path)
    yield made
    if made.server.running:
        made.server.stop()


def test_whoever_was_there_before_is_found_in_every_spelling(grown):
    shop = grown.start()
    ids = {log_in(shop, phone).body["user"]["id"] for phone in spellings(grown.lone)}
    assert len(ids) == 1
    assert all(register(shop, phone).status == 409 for phone in spellings(grown.lone))


def test_of_two_accounts_with_one_phone_nobody_is_lost(grown):
    shop = grown.start()
    first = log_in(shop, grown.twice)
    second = log_in(shop, "+86" + grown.twice, OTHER)
    assert (first.status, second.status) == (201, 201)
    assert first.body["user"]["id"] != second.body["user"]["id"]
    assert log_in(shop, "0086" + grown.twice, OTHER).body["user"]["id"] == second.body["user"]["id"], \
        "any other spelling finds the canonical one"
    assert all(register(shop, phone).status == 409 for phone in spellings(grown.twice))
    found = shop.operator.get("/admin/users?phone=" + grown.twice).body["users"]
    assert {user["id"] for user in found} == {first.body["user"]["id"], second.body["user"]["id"]}


def test_phones_are_rewritten_where_that_takes_nothing_from_anybody(grown):
    before = grown.phones()
    told = grown.command("--dry-run")
    assert "2 phones would be rewritten, 1 stay" in told and grown.phones() == before
    told = grown.command()
    assert "2 phones rewritten, 1 stay" in told
    assert f"+86{grown.twice} has 2 accounts" in told and f"  {grown.twice}  " in told
    written = {"+86" + grown.lone, grown.admin.replace("+860", "+86", 1)}
    assert grown.phones() == before - {grown.lone, grown.admin} | written
    assert "0 phones rewritten, 1 stay" in grown.command(), "doing it again changes nothing"
    shop = grown.start()
    assert all(log_in(shop, phone).status == 201 for phone in spellings(grown.lone))
    assert log_in(shop, grown.twice).status == 201 and log_in(shop, "+86" + grown.twice, OTHER).status == 201
    actions = [deed["action"] for deed in shop.operator.get("/admin/audit-trail").body["entries"]]
    assert actions.count("user.canonical_phones") == 2


def test_rewriting_needs_a_country(grown):
    done = run("user", "canonical-phones", "--data", grown.server.data)
    assert done.returncode == 1 and "accounts.country" in done.stderr


def test_commands_find_people_in_every_spelling(tmp_path):
    data, number = tmp_path / "data", new_number()
    country = ("--set", "accounts.country=CN")

    def user(command, phone, *more, stdin=""):
        return run("user", command, "--data", data, *country, "--phone", phone, *more, stdin=stdin)

    added = user("add", number, "--role", "buyer", "--password-stdin", stdin=PASSWORD + "\n")
    assert added.returncode == 0, added.stderr
    for phone in spellings(number):
        again = user("add", phone, "--role", "buyer", "--password-stdin", stdin=PASSWORD + "\n")
        assert again.returncode == 1 and "is taken" in again.stderr
        assert user("set-role", phone, "--role", "operator").returncode == 0
        assert user("set-password", phone, "--password-stdin", stdin=OTHER + "\n").returncode == 0
        assert user("log-out", phone).returncode == 0
    assert user("set-role", new_number(), "--role", "operator").returncode == 1


def test_an_import_knows_spellings(tmp_path):
    data, number = tmp_path / "data", new_number()

    def import_file(file, *more):
        return run("user", "import", file, "--data", data, "--set", "accounts.country=CN", *more,
                   env={"SLUICE_ACCOUNTS_LEGACY_FIXED_SALT": "salt"})

    add_user(data, number, "buyer", PASSWORD)
    table = tmp_path / "users.csv"
    table.write_text("".join(f"{phone},,s,{'a' * 32},\n" for phone in ("+86" + number, new_number())))
    done = import_file(table)
    assert done.returncode == 1 and f"users.csv:1: the phone +86{number} is taken" in done.stderr
    done = import_file(table, "--skip-existing")
    assert done.returncode == 0 and "1 users imported, 1 existed already" in done.stdout, done.stderr
    twice = tmp_path / "twice.csv"
    twice.write_text("".join(f"{phone},,s,{'a' * 32},\n" for phone in spellings(new_number())[:2]))
    done = import_file(twice)
    assert done.returncode == 1 and "twice.csv:2: the phone is the one of line 1" in done.stderr


@pytest.mark.parametrize("country", ["cn", "CHINA", "XX", "86"])
def test_a_country_that_is_none_is_refused(tmp_path, country):
    done = run("check-config", "--data", tmp_path, "--set", f"accounts.country={country}")
    assert done.returncode == 1 and "accounts.country" in done.stderr
