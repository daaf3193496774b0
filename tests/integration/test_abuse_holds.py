"""Holds that are never paid: the operator sees whose they are, blocks them, and the units are for sale again. Every
client comes through a trusted proxy, from an address of its own."""

from urllib.parse import quote

import pytest

from ledger import change, look
from process import eventually
from shop import PASSWORD, new_phone, open_shop

BEHIND_A_PROXY = '[http]\ntrusted_proxies = ["127.0.0.0/8"]\n'
ATTACKERS, OFFICE = "198.51.100.7", "203.0.113.5"


def from_(address):
    return {"X-Forwarded-For": address}


class Person:
    """Somebody who is logged in and asks from one address."""

    def __init__(self, shop, address, phone=None):
        self.address, self.client, self.phone = address, shop.client(), phone or new_phone()
        if not phone:
            made = self.post("/users", {"phone": self.phone, "password": PASSWORD, "name": "Li"})
            assert made.status == 201, made.body
        session = self.post("/sessions", {"phone": self.phone, "password": PASSWORD})
        assert session.status == 201, session.body
        self.id, self.client.token = session.body["user"]["id"], session.body["token"]

    def post(self, path, body=None, headers=None):
        return self.client.post(path, body, headers={**from_(self.address), **(headers or {})})

    def get(self, path):
        return self.client.get(path, headers=from_(self.address))

    def log_out(self):
        assert self.client.delete("/sessions/current", headers=from_(self.address)).status == 204

    def lapse(self, shop, sale):
        """Orders, and cancels the order."""
        order = shop.bought(self, sale)["order_id"]
        assert self.post(f"/orders/{order}/cancel").status == 200


@pytest.fixture
def shop(start_shop):
    return start_shop(config=BEHIND_A_PROXY)


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    """For tests that do not depend on what others make in it."""
    shop = open_shop(tmp_path_factory.mktemp("proxied"), config=BEHIND_A_PROXY)
    yield shop
    shop.stop()


def holds(shop, sale):
    answer = shop.operator.get(f"/admin/sales/{sale}/holds")
    assert answer.status == 200, answer.body
    return answer.body


def give_back(shop, sale, subject, **more):
    return shop.operator.post(f"/admin/sales/{sale}/holds/give-back", {"subject": subject, **more})


def given(shop, sale, subject, **more):
    answer = give_back(shop, sale, subject, **more)
    assert answer.status == 200, answer.body
    return answer.body


def deeds(shop, sale):
    trail = shop.operator.get("/admin/audit-trail?limit=50").body["entries"]
    return [deed["after"] for deed in trail if deed["action"] == "holds.give_back" and deed["subject"] == sale]


def network_row(network, buyers, lapses=0, blocked=False):
    """Each buyer holds one unit."""
    return {"network": network, "buyers": buyers, "lapses": lapses, "pending_orders": buyers,
            "pending_units": buyers, "blocked": blocked}


def test_the_first_wave_is_seen_and_ended_before_anything_lapses(shop):
    """Before: until the first hold expired, nobody was shown, and there was nothing to press."""
    sale = shop.sale(stock=4)["id"]
    neighbour = Person(shop, OFFICE)
    shop.bought(neighbour, sale)
    attackers = [Person(shop, ATTACKERS) for _ in range(3)]
    for person in attackers:
        shop.bought(person, sale)
    seen = holds(shop, sale)
    assert seen["networks"] == [network_row(ATTACKERS, 3), network_row(OFFICE, 1)]
    assert {row["buyer_id"] for row in seen["buyers"]} == {person.id for person in [*attackers, neighbour]}
    assert given(shop, sale, ATTACKERS, block=True)["units"] == 3
    assert shop.stock(sale) == {"total": 4, "left": 3, "held": 1, "sold": 0}
    shop.audit()


def test_one_click_ends_a_network_that_holds_everything_again_and_again(start_shop, clock):
    """Before: 100 of 100 units were held, and after each expiry all 100 again, for ever, never paid."""
    shop = start_shop(config=BEHIND_A_PROXY, env=clock.env)
    sale = shop.sale(stock=21, hold_seconds=90)["id"]
    neighbour = Person(shop, OFFICE)
    attackers = [Person(shop, ATTACKERS) for _ in range(20)]
    for person in attackers:
        shop.bought(person, sale)
    clock.pass_time(91)
    eventually(lambda: shop.stock(sale)["left"] == 21, what="the holds lapse")
    kept = shop.bought(neighbour, sale)["order_id"]
    for person in attackers:
        shop.bought(person, sale)
    honest = Person(shop, "192.0.2.1")
    assert honest.post(f"/sales/{sale}/passes").code == "sold_out"

    seen = holds(shop, sale)
    assert seen["networks"] == [network_row(ATTACKERS, 20, lapses=20), network_row(OFFICE, 1)]
    assert {row["buyer_id"] for row in seen["buyers"][:20]} == {person.id for person in attackers}
    assert [row["buyer_id"] for row in seen["buyers"][20:]] == [neighbour.id], "whoever has no lapse comes last"
    assert seen["buyers"][0] == {
        "buyer_id": seen["buyers"][0]["buyer_id"], "buyer_phone": seen["buyers"][0]["buyer_phone"],
        "buyer_name": "Li", "lapses": 1, "pending_orders": 1, "pending_units": 1, "paid_orders": 0,
        "network": ATTACKERS, "blocked": False}
    assert sum(age["units"] for age in seen["ages"]) == 21

    assert given(shop, sale, ATTACKERS, block=True, reason="never pays") == {
        "blocked": True, "orders": 20, "units": 20, "more": False}
    shop.bought(honest, sale)  # at once
    assert shop.stock(sale) == {"total": 21, "left": 19, "held": 2, "sold": 0}
    assert neighbour.get(f"/orders/{kept}").body["state"] == "pending"
    assert attackers[0].post(f"/sales/{sale}/passes").status == 403
    seen = holds(shop, sale)
    assert [(row["network"], row["lapses"], row["pending_orders"], row["blocked"]) for row in seen["networks"]] == \
        [(ATTACKERS, 40, 0, True), ("192.0.2.1", 0, 1, False), (OFFICE, 0, 1, False)]

    assert given(shop, sale, ATTACKERS, block=True, reason="never pays") == {
        "blocked": True, "orders": 0, "units": 0, "more": False}, "a second press changes nothing"
    assert deeds(shop, sale) == [{"subject": ATTACKERS, "orders": 20, "units": 20}]
    assert shop.stock(sale)["left"] == 19
    shop.audit()
    shop.restart_after_kill()
    assert shop.stock(sale)["left"] == 19
    assert shop.operator.get(f"/admin/blocks/{ATTACKERS}").body["reason"] == "never pays"
    shop.audit()


def test_holds_of_one_buyer_without_a_block(shop):
    sale = shop.sale(stock=5, limit_per_buyer=2)["id"]
    [one, other] = [Person(shop, OFFICE) for _ in range(2)]
    one.lapse(shop, sale)
    for person in (one, one, other):
        shop.bought(person, sale)
    rows = holds(shop, sale)["buyers"]
    assert [(row["buyer_id"], row["lapses"], row["pending_orders"]) for row in rows] == \
        [(one.id, 1, 2), (other.id, 0, 1)]
    assert given(shop, sale, one.id) == {"blocked": False, "orders": 2, "units": 2, "more": False}
    assert shop.stock(sale) == {"total": 5, "left": 4, "held": 1, "sold": 0}
    assert shop.operator.get(f"/admin/blocks/{one.id}").status == 404
    assert one.post(f"/sales/{sale}/passes").body["reason"] == "left_unpaid", "three lapses are three lapses"
    shop.audit()


def test_only_of_that_sale_and_only_what_is_pending(shop):
    sale, other = shop.sale(stock=5, limit_per_buyer=2)["id"], shop.sale()["id"]
    person = Person(shop, OFFICE)
    paid = shop.bought(person, sale)["order_id"]
    bill = person.post(f"/orders/{paid}/payments").body["pay_url"].rsplit("/", 1)[1]
    assert shop.visitor.post(f"/sandbox/bills/{bill}", {"button": "succeed"}, api=False).status < 300
    eventually(lambda: person.get(f"/orders/{paid}").body["state"] == "paid")
    shop.bought(person, sale)
    elsewhere = shop.bought(person, other)["order_id"]
    assert given(shop, sale, OFFICE)["orders"] == 1
    assert person.get(f"/orders/{paid}").body["state"] == "paid"
    assert person.get(f"/orders/{elsewhere}").body["state"] == "pending"
    shop.audit()


def test_a_payment_under_way_does_not_keep_a_hold_and_its_money_goes_back(shop):
    sale = shop.sale(stock=1)["id"]
    person = Person(shop, OFFICE)
    order = shop.bought(person, sale)["order_id"]
    bill = person.post(f"/orders/{order}/payments").body["pay_url"].rsplit("/", 1)[1]
    assert given(shop, sale, person.id)["orders"] == 1
    assert shop.visitor.post(f"/sandbox/bills/{bill}", {"button": "succeed"}, api=False).status < 300

    def refund():
        charges = shop.operator.get(f"/admin/orders/{order}").body["charges"]
        return charges and charges[0]["refund"] and charges[0]["refund"]["reason"] == "late"

    eventually(refund, what="the money goes back")
    assert shop.stock(sale)["left"] == 1
    shop.audit()


def test_a_wide_network_and_ipv6(shop):
    sale = shop.sale(stock=9)["id"]
    inside = [Person(shop, address) for address in ("198.51.100.1", "198.51.100.250", "2001:db8::7")]
    outside = Person(shop, "198.51.101.1")
    for person in [*inside, outside]:
        person.lapse(shop, sale)
        shop.bought(person, sale)
    assert {row["network"] for row in holds(shop, sale)["networks"]} == \
        {"198.51.100.1", "198.51.100.250", "2001:db8::/64", "198.51.101.1"}
    assert given(shop, sale, "198.51.100.0/24", block=True)["orders"] == 2
    rows = {row["network"]: row["blocked"] for row in holds(shop, sale)["networks"]}
    assert rows == {"198.51.100.1": True, "198.51.100.250": True, "2001:db8::/64": False, "198.51.101.1": False}
    assert given(shop, sale, "2001:db8::99")["orders"] == 1, "one address of IPv6 stands for its /64"
    assert shop.stock(sale)["held"] == 1


def noted(shop, sale, count):
    """They are written a moment after the purchase."""
    def are_written():
        return look(shop, "SELECT count(*) FROM hold_networks WHERE sale_id = ?1", int(sale)) == [(count,)]

    eventually(are_written, what="the networks of the purchases are written")


def test_logging_out_hides_no_network(shop):
    """Before: the network went with the session, and one click gave back nothing."""
    sale = shop.sale(stock=4)["id"]
    people = [Person(shop, ATTACKERS) for _ in range(4)]
    for person in people:
        person.lapse(shop, sale)
        shop.bought(person, sale)
    noted(shop, sale, 8)
    for person in people:
        person.log_out()
    seen = holds(shop, sale)
    assert seen["networks"] == [network_row(ATTACKERS, 4, lapses=4)]
    assert {row["network"] for row in seen["buyers"]} == {ATTACKERS}
    assert given(shop, sale, ATTACKERS, block=True) == {"blocked": True, "orders": 4, "units": 4, "more": False}
    assert shop.stock(sale) == {"total": 4, "left": 4, "held": 0, "sold": 0}
    shop.audit()


def test_a_lapse_counts_for_the_network_where_it_was_made(shop):
    """Before: one log-in through an office put all lapses on the office."""
    sale = shop.sale(stock=5)["id"]
    person = Person(shop, ATTACKERS)
    person.lapse(shop, sale)
    person.lapse(shop, sale)
    person = Person(shop, OFFICE, person.phone)
    shop.bought(person, sale)
    noted(shop, sale, 3)
    seen = holds(shop, sale)
    assert seen["networks"] == [
        {**network_row(ATTACKERS, 1, lapses=2), "pending_orders": 0, "pending_units": 0}, network_row(OFFICE, 1)]
    assert seen["buyers"][0]["network"] == OFFICE, "of the latest order"
    assert given(shop, sale, ATTACKERS)["orders"] == 0
    assert given(shop, sale, OFFICE)["orders"] == 1


def test_what_was_noted_survives_the_end_of_the_server(shop):
    sale = shop.sale(stock=5)["id"]
    person = Person(shop, OFFICE)
    shop.bought(person, sale)
    shop.restart()
    assert look(shop, "SELECT network FROM hold_networks WHERE sale_id = ?1", int(sale)) == [(OFFICE,)]


def test_without_a_note_the_session_tells(shop):
    """Of orders from before the upgrade, and of those that a crash left without a note."""
    sale = shop.sale()["id"]
    person = Person(shop, OFFICE)
    person.lapse(shop, sale)
    noted(shop, sale, 1)
    change(shop, "DELETE FROM hold_networks WHERE sale_id = ?1", int(sale))
    assert holds(shop, sale)["buyers"][0]["network"] == OFFICE
    later = Person(shop, "192.0.2.77", person.phone)
    assert holds(shop, sale)["buyers"][0]["network"] == "192.0.2.77", "the latest log-in counts"
    later.log_out()
    assert holds(shop, sale)["buyers"][0]["network"] == OFFICE
    person.log_out()
    seen = holds(shop, sale)
    assert seen["buyers"][0]["network"] is None
    assert seen["networks"] == []


def test_many_holds_return_in_several_parts(shop, long):
    count = 2_050 if long else 250
    sale = shop.sale(stock=count)["id"]
    for buyer in shop.buyers(count):
        shop.bought(buyer, sale)
        buyer.close()
    noted(shop, sale, count)
    change(shop, "UPDATE hold_networks SET network = ?1", ATTACKERS)
    first = given(shop, sale, ATTACKERS)
    assert (first["orders"], first["more"]) == (min(count, 2_000), count > 2_000)
    while first["more"]:
        first = given(shop, sale, ATTACKERS)
    assert shop.stock(sale) == {"total": count, "left": count, "held": 0, "sold": 0}
    assert sum(deed["orders"] for deed in deeds(shop, sale)) == count
    shop.bought(Person(shop, OFFICE), sale)
    shop.audit()


def test_nobody_locks_themselves_out_and_then_nothing_is_given_back(proxied):
    shop = proxied
    sale = shop.sale()["id"]
    shop.bought(Person(shop, OFFICE), sale)
    me = shop.operator.get("/sessions/current").body["user"]["id"]
    for subject in (me, "203.0.113.0/24", OFFICE):
        answer = shop.operator.post(f"/admin/sales/{sale}/holds/give-back", {"subject": subject, "block": True},
                                    headers=from_(OFFICE))
        assert (answer.status, answer.code) == (409, "conflict"), subject
    assert shop.stock(sale)["held"] == 1
    assert deeds(shop, sale) == []


@pytest.mark.parametrize("wish, field", [
    ({}, "subject"), ({"subject": "Li"}, "subject"), ({"subject": ""}, "subject"), ({"subject": 7}, "subject"),
    ({"subject": None}, "subject"), ({"subject": "10.0.0.0/7"}, "subject"), ({"subject": "::/0"}, "subject"),
    ({"subject": "2001:db8::/65"}, "subject"), ({"subject": f"{OFFICE}/33"}, "subject"),
    ({"subject": f"{OFFICE} "}, "subject"), ({"subject": OFFICE, "block": "yes"}, "block"),
    ({"subject": OFFICE, "block": 1}, "block"), ({"subject": OFFICE, "block": None}, "block"),
    ({"subject": OFFICE, "block": True, "reason": "x" * 201}, "reason"),
    ({"subject": OFFICE, "block": True, "reason": "a\nb"}, "reason"),
    ({"subject": OFFICE, "reason": 1}, "reason"), ({"subject": OFFICE, "until": None}, "until"),
    ({"subject": OFFICE, "limit": 1}, "limit"),
])
def test_what_makes_no_sense_changes_nothing(proxied, wish, field):
    shop = proxied
    sale = shop.sale()["id"]
    shop.bought(Person(shop, OFFICE), sale)
    answer = shop.operator.post(f"/admin/sales/{sale}/holds/give-back", wish)
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {field}), answer.body
    assert shop.stock(sale)["held"] == 1
    assert deeds(shop, sale) == []
    assert shop.operator.get(f"/admin/blocks/{quote(OFFICE, safe='')}").status == 404


def test_unknown_sales_and_buyers(proxied):
    shop = proxied
    sale = shop.sale()["id"]
    for path in ("/admin/sales/1/holds", "/admin/sales/x/holds"):
        assert shop.operator.get(path).status == 404
    assert shop.operator.get(f"/admin/sales/{sale}/holds?limit=5").fields == {"limit"}
    assert give_back(shop, "1", OFFICE).status == 404
    assert give_back(shop, sale, "12345", block=True).status == 404, "no such buyer to block"
    assert given(shop, sale, "12345") == {"blocked": False, "orders": 0, "units": 0, "more": False}
    buyer = Person(shop, OFFICE)
    assert buyer.get(f"/admin/sales/{sale}/holds").status == 403
    assert buyer.post(f"/admin/sales/{sale}/holds/give-back", {"subject": buyer.id}).status == 403
