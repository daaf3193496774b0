"""Every row of the route table against the running server: who is let through, and who is not.

Covers fault 24. The table is read from its source, and what is expected of each row stands here a
second time, so that a row that is new or opened by mistake fails until somebody has thought about it.
"""

import re
from dataclasses import dataclass

import pytest

from challenges import challenge, solve
from ledger import look, open_ledger
from process import ROOT, add_user, eventually
from provider import outcome, succeeded
from shop import PASSWORD, new_phone
from test_limits import ON, change, expect_too_fast
from test_openapi import EXAMPLES, UPGRADE, call, check_answer


@dataclass(frozen=True)
class Row:
    name: str
    method: str
    path: str
    access: str
    rate: str

    @property
    def writes(self):
        return self.method != "GET"


def read_table():
    source = (ROOT / "src/api/routes.hpp").read_text()
    found = re.findall(r'Route\{"(\w+)",\s*Method::(\w+),\s*"([^"]+)",\s*Access::(\w+),\s*k(\w+)', source)
    assert len(found) == source.count('Route{"'), "a row is written in a way that is not read here"
    return {name: Row(name, method.rstrip("_").upper(), path, access, rate.lower())
            for name, method, path, access, rate in found}


TABLE = read_table()

MAY_CALL = {
    "anyone": {"create_user", "log_in", "show_account_rules", "send_phone_code", "reset_password", "list_sandbox_messages", "show_time", "list_items", "show_item", "list_sales", "show_sale",
               "note_visit", "show_share_page", "show_picture",
               "livez", "readyz", "metrics", "openapi", "receive_payment_event", "show_sandbox_page",
               "show_sandbox_file", "show_sandbox_bill", "press_sandbox_button"},
    "user": {"change_password", "show_second_factor", "begin_second_factor", "confirm_second_factor",
             "remove_second_factor", "log_out_everywhere", "show_session", "log_out", "show_ticket", "show_my_ticket",
             "list_orders", "show_order", "cancel_order", "begin_payment", "show_listing",
             "show_contact", "put_contact", "erase_contact", "download_my_data", "show_order_contact", "put_order_contact"},
    "buyers": {"create_challenge", "create_pass", "buy", "open_stream"},
    "staff": {"list_any_orders", "show_any_order", "refund_order", "change_delivery"},
    "operators": {"create_item", "edit_item", "archive_item", "restore_item", "upload_picture",
                  "remove_picture", "create_sale", "edit_sale", "pause_sale", "resume_sale",
                  "end_sale", "restock_sale", "audit_sale", "show_holds", "give_back_holds", "list_users", "show_user", "change_role",
                  "list_blocks", "show_block", "put_block", "lift_block", "list_audit_trail", "list_nodes", "show_limits", "show_queue",
                  "list_parked_tickets", "retry_ticket", "refuse_ticket",
                  "change_limits", "export_orders",
                  "note_sent_back", "show_stats", "list_stats_history", "list_webhooks", "create_webhook", "delete_webhook",
                  "list_deliveries", "resend_delivery", "list_alerts", "test_alert_channel",
                  "show_buyer_list", "replace_buyer_list", "extend_buyer_list", "clear_buyer_list", "export_buyer_list",
                  "show_contact_fields", "change_contact_fields", "erase_contact_of_user"},
}
NEEDS_LOGIN = sorted(set(TABLE) - MAY_CALL["anyone"])
GUARDED_WRITES = [name for name in NEEDS_LOGIN if TABLE[name].writes]
EVIL = "https://evil.example"


def test_every_row_is_expected_to_be_for_whom_it_is():
    read = {access: {row.name for row in TABLE.values() if row.access == access} for access in MAY_CALL}
    assert read == MAY_CALL
    assert {row.access for row in TABLE.values()} == set(MAY_CALL)


# About what only the caller knows: there is nothing that another could send in their place.
OWN_SECRETS = {"change_password", "begin_second_factor", "confirm_second_factor", "remove_second_factor"}


def refused(given, status, code):
    assert (given.status, given.code) == (status, code), given.body


def valid(shop, name):
    """What the row answers with 2xx when the caller may, so that nothing else can be the reason."""
    example = EXAMPLES[name](shop)
    example.pop("token", None)
    return example


def stored(shop):
    """All that requests may change. Sessions without their end, which moves by using them, deliveries
    without what is noted at each attempt, and no figures, which a worker writes each minute."""
    with open_ledger(shop.server.data) as ledger:
        # A keeper begins an epoch for each new sale, a moment later.
        of_sales = ", ".join(column for column in ledger.columns("sales") if column != "epoch")
        some = {"sessions": '"key", user_id', "webhook_deliveries": "webhook_id, event_id", "sales": of_sales}
        # Workers write figures, networks of earlier purchases, and note their commits and leases; the others are what
        # no request asks for.
        passed_over = ("write_probe", "funnel_totals", "stats_points", "ledger_writers", "ledger_nodes", "hold_networks")
        return {name: sorted(map(repr, ledger.rows(f"SELECT {some.get(name, '*')} FROM {name}")))
                for name in ledger.tables() if name not in passed_over}


class Watch:
    """Checks that nothing that is stored changes inside the block."""

    def __init__(self, shop):
        self.shop = shop

    def __enter__(self):
        eventually(self._money_is_at_rest)
        self.before = stored(self.shop)

    def _money_is_at_rest(self):
        """What earlier tests paid may still be on its way between shop and provider."""
        [[moving]] = look(
            self.shop, "SELECT (SELECT count(*) FROM sandbox_letters WHERE due_at IS NOT NULL)"
            " + (SELECT count(*) FROM refunds WHERE done_at IS NULL AND provider = 'sandbox')")
        return moving == 0

    def __exit__(self, failure, *_):
        if failure is None:
            assert stored(self.shop) == self.before


@pytest.fixture(scope="module")
def no_tokens(shared):
    """No token, an old one, an invented one, and rubbish."""
    [ended] = shared.buyers(1)
    assert ended.delete("/sessions/current").status == 204
    made_up = ended.token[:-4] + ("AAAA" if ended.token[-4:] != "AAAA" else "BBBB")
    return None, ended.token, made_up, "", "x" * 4_000


@pytest.mark.parametrize("name", TABLE)
def test_without_a_login(shared, no_tokens, name):
    example = valid(shared, name)
    if name in MAY_CALL["anyone"]:
        assert call(shared.visitor, name, **example).status < 300
        return
    with Watch(shared):
        for token in no_tokens:
            answer = call(shared.client(token), name, **example)
            refused(answer, 401, "unauthenticated")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            check_answer(name, answer)


@pytest.mark.parametrize("name", sorted(MAY_CALL["operators"] | MAY_CALL["staff"]))
def test_in_the_wrong_role(shared, shared_buyer, name):
    example = valid(shared, name)
    with Watch(shared):
        answer = call(shared_buyer, name, **example)
    refused(answer, 403, "forbidden")
    check_answer(name, answer)


@pytest.fixture(scope="module")
def support(shared):
    phone = new_phone()
    add_user(shared.server.data, phone, "support", PASSWORD)
    return shared.client(shared.log_in(phone))


@pytest.mark.parametrize("name", sorted(MAY_CALL["operators"]))
def test_support_may_not_do_what_operators_may(shared, support, name):
    example = valid(shared, name)
    with Watch(shared):
        answer = call(support, name, **example)
    refused(answer, 403, "forbidden")
    check_answer(name, answer)


@pytest.mark.parametrize("name", sorted(MAY_CALL["staff"]))
def test_support_may_look_after_orders(shared, support, name):
    answer = call(support, name, **valid(shared, name))
    assert answer.status == 200, answer.body
    check_answer(name, answer)


@pytest.mark.parametrize("name", GUARDED_WRITES)
def test_a_cookie_does_not_write_without_proof(shared, name):
    example = EXAMPLES[name](shared)
    own_token = example.pop("token", None)
    ends_its_session = name in ("log_out", "log_out_everywhere")
    token = shared.minted(1)[0] if ends_its_session else shared.operator.token
    if name in OWN_SECRETS:
        token = own_token
    headers = {**example.pop("headers", {}), "Cookie": f"sluice_session={token}"}
    with Watch(shared):
        for said in ({}, {"Origin": EVIL}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = call(shared.visitor, name, headers={**headers, **said}, **example)
            refused(answer, 403, "csrf")
            check_answer(name, answer)
    ours = call(shared.visitor, name, headers={**headers, "Origin": shared.server.url}, **example)
    assert ours.status < 300, ours.body


@pytest.mark.parametrize("name", sorted(MAY_CALL["buyers"] | MAY_CALL["user"]))
def test_a_blocked_buyer(shared, name):
    """May not buy, but keeps their orders and sessions."""
    owner = Owner(shared)
    assert shared.operator.put(f"/admin/blocks/{owner.id}", {}).status == 200
    if name == "put_order_contact":
        owner.pay()
    answer = call(owner.client, name, **owner.parts(name))
    if name in OWN_SECRETS:
        return lacks_what_it_needs(owner, answer)
    if name in MAY_CALL["user"]:
        assert answer.status < 300, answer.body
        return
    refused(answer, 403, "forbidden")
    assert "blocked" in answer.body["detail"]
    check_answer(name, answer)


def id_of(client):
    return client.get("/sessions/current").body["user"]["id"]


class Owner:
    """A buyer with one of everything that can be a buyer's own."""

    def __init__(self, shop):
        self.shop = shop
        [self.client] = shop.buyers(1)
        self.id = id_of(self.client)
        self.sale = shop.sale(limit_per_buyer=2)["id"]
        self.bought = shop.bought(self.client, self.sale)
        self.pass_ = shop.pass_for(self.client, self.sale)
        self.guarded_sale = shop.sale(challenge="pow", challenge_bits=8)["id"]
        self.challenge = challenge(self.client, self.guarded_sale)

    def parts(self, name):
        order, solved = {"id": self.bought["order_id"]}, {
            "challenge_id": self.challenge["challenge_id"], "answer": solve(self.challenge)}
        return {
            "create_challenge": {"id": self.guarded_sale},
            "create_pass": {"id": self.guarded_sale, "body": solved},
            "buy": {"id": self.sale, "pass": self.pass_},
            "show_ticket": {"ticket": self.bought["ticket"]},
            "show_my_ticket": {"id": self.sale},
            "show_listing": {"id": self.sale},
            "show_order": order,
            "cancel_order": order,
            "begin_payment": order,
            "show_order_contact": order,
            "put_order_contact": {**order, "body": {}},
            "put_contact": {"body": {}},
            "open_stream": {"headers": UPGRADE},
        }.get(name, {"body": {}} if name in OWN_SECRETS else {})

    def pay(self):
        total = self.client.get(f"/orders/{self.bought['order_id']}").body["total_cents"]
        payment = self.client.post(f"/orders/{self.bought['order_id']}/payments").body
        assert outcome(self.shop.visitor, succeeded(payment, total)) == "captured"


def is_not_there(owner, answer):
    refused(answer, 404, "not_found")


def is_their_own(owner, answer):
    assert answer.status in (101, 200, 201, 204), answer.body
    for secret in (owner.id, owner.bought["ticket"], owner.bought["order_id"], owner.pass_,
                   owner.challenge["challenge_id"]):
        assert secret.encode() not in answer.raw


def is_no_answer_of_theirs(owner, answer):
    refused(answer, 403, "challenge_failed")


def is_no_pass_of_theirs(owner, answer):
    refused(answer, 403, "pass_invalid")


def lacks_what_it_needs(owner, answer):
    refused(answer, 422, "invalid")


TO_ANOTHER = {
    **{name: lacks_what_it_needs for name in OWN_SECRETS},
    "show_second_factor": is_their_own,
    "show_ticket": is_not_there,
    "show_my_ticket": is_not_there,
    "show_order": is_not_there,
    "cancel_order": is_not_there,
    "begin_payment": is_not_there,
    "show_order_contact": is_not_there,
    "put_order_contact": is_not_there,
    "show_contact": is_their_own,
    "put_contact": is_their_own,
    "erase_contact": is_their_own,
    "download_my_data": is_their_own,
    "create_pass": is_no_answer_of_theirs,
    "buy": is_no_pass_of_theirs,
    "create_challenge": is_their_own,
    "list_orders": is_their_own,
    "show_session": is_their_own,
    "log_out": is_their_own,
    "log_out_everywhere": is_their_own,
    "show_listing": is_their_own,
    "open_stream": is_their_own,
}


def test_every_row_of_users_and_buyers_says_what_another_one_gets():
    assert set(TO_ANOTHER) == MAY_CALL["user"] | MAY_CALL["buyers"]


@pytest.mark.parametrize("name", sorted(TO_ANOTHER))
@pytest.mark.parametrize("role", ["buyer", "support", "operator"])
def test_with_anothers_login(shared, name, role):
    """Fault 24: another's order or ticket does not exist, and another's values do not work. For this an operator is
    a stranger too: what they may see of others has routes of its own."""
    owner = Owner(shared)
    [another] = shared.buyers(1)
    assert shared.operator.put(f"/admin/users/{id_of(another)}/role", {"role": role}).status == 200
    answer = call(another, name, **owner.parts(name))
    TO_ANOTHER[name](owner, answer)
    check_answer(name, answer)

    assert owner.client.get("/sessions/current").status == 200
    assert owner.client.get(f"/orders/{owner.bought['order_id']}").body["state"] == "pending"
    admitted = call(owner.client, "create_pass", **owner.parts("create_pass"))
    assert admitted.status == 201, "another has spent the owner's challenge"
    assert shared.bought(owner.client, owner.sale, pass_=owner.pass_)["ticket"] != owner.bought["ticket"]


CLASSES = ("reading", "probing", "working", "buying", "typing", "guessing")


def allow(each, people_per_address):
    return {**{name: {"per_minute": each, "burst": each} for name in CLASSES}, "people_per_address": people_per_address}


def test_every_row_over_the_limit_by_user(start_shop):
    shop = start_shop(env=ON)
    change(shop, allow(10_000, people_per_address=1))  # the operator buys for many of the examples
    examples = {name: valid(shop, name) for name in NEEDS_LOGIN} | {"change_limits": {"body": {}}}
    examples |= {name: {"body": {}} for name in OWN_SECRETS}
    # Nobody who has been counted before.
    buyer_phone, operator_phone = shop.register()["phone"], new_phone()
    add_user(shop.server.data, operator_phone, "admin", PASSWORD)  # who may change roles too
    change(shop, allow(1, people_per_address=1_000))
    for name in NEEDS_LOGIN:
        phone = operator_phone if name in MAY_CALL["operators"] | MAY_CALL["staff"] else buyer_phone
        # Another session is the same user; and logging out ends the first one.
        first, second = (call(shop.client(shop.log_in(phone)), name, **examples[name]) for _ in range(2))
        assert first.status not in (401, 429) and first.code != "forbidden", (name, first.body)
        expect_too_fast(second, "buyer")
        check_answer(name, second)


def test_every_row_over_the_limit_by_address(start_shop):
    """Counted first, so whether there is a login makes no difference."""
    shop = start_shop(env={**ON, "SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"})
    change(shop, allow(1, people_per_address=1))
    strangers = [shop.visitor, shop.client("made up")]
    for name in TABLE:
        for number, stranger in enumerate(strangers):
            elsewhere = {"X-Forwarded-For": f"192.0.2.{number}"}
            first, second = (call(stranger, name, headers=elsewhere) for _ in range(2))
            assert first.status != 429, name
            expect_too_fast(second, "address")
            check_answer(name, second)
