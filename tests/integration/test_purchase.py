"""The purchase: passes, the order of refusals, quantities."""

import string
from datetime import timedelta

import pytest

import instants

ALPHABET = string.ascii_uppercase + string.ascii_lowercase + string.digits + "-_"


def refused(answer, status, code):
    assert (answer.status, answer.code) == (status, code), answer.body


def ask(buyer, sale_id):
    return buyer.post(f"/sales/{sale_id}/passes")


def operate(shop, sale_id, verb, body=None):
    answer = shop.operator.post(f"/admin/sales/{sale_id}/{verb}", body)
    assert answer.status == 200, answer.body
    return answer.body


def test_from_the_sale_to_the_order(shared):
    sale = shared.sale(stock=3, price_cents=1990, hold_seconds=600)
    [buyer] = shared.buyers(1)
    assert buyer.get(f"/sales/{sale['id']}/ticket").status == 404
    given = ask(buyer, sale["id"])
    assert given.status == 201
    valid_for = instants.parse(given.body["expires_at"]) - instants.now()
    assert timedelta(seconds=50) < valid_for <= timedelta(seconds=61)

    bought = buyer.post(f"/sales/{sale['id']}/orders/{given.body['pass']}")
    assert bought.status == 201
    assert set(bought.body) >= {"ticket", "state", "order_id"} and bought.body["state"] == "ordered"

    ticket = {"ticket": bought.body["ticket"], "sale_id": sale["id"], "state": "ordered",
              "order_id": bought.body["order_id"]}
    assert buyer.get(f"/tickets/{ticket['ticket']}").body == ticket
    assert buyer.get(f"/sales/{sale['id']}/ticket").body == ticket

    order = buyer.get(f"/orders/{ticket['order_id']}").body
    expected = {"id": ticket["order_id"], "sale_id": sale["id"], "quantity": 1, "price_cents": 1990,
                "total_cents": 1990, "currency": "CNY", "state": "pending"}
    assert {name: order[name] for name in expected} == expected
    assert order["item"]["id"] == sale["item"]["id"] and order["item"]["title"] == sale["item"]["title"]
    assert "paid_at" not in order
    created, expires = instants.parse(order["created_at"]), instants.parse(order["expires_at"])
    assert expires - created == timedelta(seconds=600)
    assert abs(created - instants.now()) < timedelta(seconds=10)
    assert buyer.get("/orders").body == {"orders": [order], "next_cursor": None}
    assert shared.stock(sale["id"]) == {"total": 3, "left": 2, "held": 1, "sold": 0}


@pytest.mark.parametrize("prefer", ["wait=0", "wait=5", "wait=10", "wait=99", "respond-async", "wait=x", ""])
def test_one_who_prefers_to_wait_gets_the_same_answer(shared, prefer):
    sale = shared.sale()
    [buyer] = shared.buyers(1)
    pass_ = shared.pass_for(buyer, sale["id"])
    answer = buyer.post(f"/sales/{sale['id']}/orders/{pass_}", headers={"Prefer": prefer})
    assert (answer.status, answer.body["state"]) == (201, "ordered")


def test_an_operator_may_buy_too(shared):
    assert shared.bought(shared.operator, shared.sale()["id"])["order_id"]


@pytest.mark.parametrize("body", [None, {}, {"challenge_id": "x"}, {"challenge_id": "x", "answer": "7"}])
def test_without_a_challenge_an_answer_is_not_asked_for(shared, body):
    sale = shared.sale()
    [buyer] = shared.buyers(1)
    assert buyer.post(f"/sales/{sale['id']}/passes", body).status == 201


@pytest.mark.parametrize("body", [{"answer": 7}, {"challenge_id": 1}, {"surprise": "x"}, {"answer": None}])
def test_a_wrong_request_for_a_pass(shared, body):
    answer = shared.operator.post(f"/sales/{shared.sale()['id']}/passes", body)
    refused(answer, 422, "invalid")
    assert answer.fields == set(body)


@pytest.mark.parametrize("challenge", ["math", "pow"])
def test_a_challenge_cannot_be_left_out(shared, challenge):
    refused(ask(shared.operator, shared.sale(challenge=challenge)["id"]), 422, "invalid")


FUTURE = {"starts_at": timedelta(hours=1)}
STATES = [
    ({}, ["end"], 409, "ended"),
    ({}, ["pause"], 503, "paused"),
    (FUTURE, [], 409, "not_started"),
    ({"stock": 0}, [], 409, "sold_out"),
    ({}, ["pause", "end"], 409, "ended"),
    ({"stock": 0}, ["end"], 409, "ended"),
    (FUTURE, ["end"], 409, "ended"),
    ({**FUTURE, "stock": 0}, ["pause", "end"], 409, "ended"),
    (FUTURE, ["pause"], 503, "paused"),
    ({"stock": 0}, ["pause"], 503, "paused"),
    ({**FUTURE, "stock": 0}, ["pause"], 503, "paused"),
    ({**FUTURE, "stock": 0}, [], 409, "not_started"),
    ({}, ["pause", "resume"], 201, None),
]


@pytest.mark.parametrize("change, verbs, status, code", STATES)
def test_a_pass_in_every_state_of_the_sale(shared, change, verbs, status, code):
    draft = {name: instants.from_now(seconds=value.total_seconds()) if name == "starts_at" else value
             for name, value in change.items()}
    sale = shared.sale(**draft)
    for verb in verbs:
        operate(shared, sale["id"], verb)
    refused(ask(shared.operator, sale["id"]), status, code)


def test_a_purchase_in_every_state_of_the_sale(shared):
    sale = shared.sale(stock=1)
    late, first = shared.buyers(2)
    late_pass, first_pass = (shared.pass_for(buyer, sale["id"]) for buyer in (late, first))

    def too_late():
        return shared.buy(late, sale["id"], pass_=late_pass)

    operate(shared, sale["id"], "pause")
    refused(too_late(), 503, "paused")
    operate(shared, sale["id"], "resume")
    shared.bought(first, sale["id"], pass_=first_pass)
    refused(too_late(), 409, "sold_out")
    operate(shared, sale["id"], "pause")
    refused(too_late(), 503, "paused")
    operate(shared, sale["id"], "end")
    refused(too_late(), 409, "ended")
    assert shared.stock(sale["id"]) == {"total": 1, "left": 0, "held": 1, "sold": 0}
    assert late.get("/orders").body["orders"] == []
    assert late.get(f"/sales/{sale['id']}/ticket").status == 404


@pytest.mark.one_process  # the window is shorter than other nodes take to hear of the sale
def test_a_window_that_closes_refuses_a_pass_still_valid(shared):
    buyer, late = shared.buyers(2)
    sale = shared.sale(ends_at=instants.from_now(milliseconds=500))
    pass_, late_pass = (shared.pass_for(each, sale["id"]) for each in (buyer, late))
    answers = []
    ends = instants.parse(sale["ends_at"])
    while instants.now() < ends + timedelta(milliseconds=20):
        answers.append(shared.buy(buyer, sale["id"], quantity=1, pass_=pass_).status)
    assert set(answers) == {201}, "bought, and replayed after the end"
    refused(shared.buy(late, sale["id"], pass_=late_pass), 409, "ended")
    refused(ask(late, sale["id"]), 409, "ended")


def test_a_refusal_spends_nothing(shared):
    sale = shared.sale(stock=1, limit_per_buyer=5)
    [buyer] = shared.buyers(1)
    pass_ = shared.pass_for(buyer, sale["id"])
    for _ in range(3):
        refused(shared.buy(buyer, sale["id"], quantity=2, key="k", pass_=pass_), 409, "sold_out")
        refused(shared.buy(buyer, sale["id"], quantity=6, key="k", pass_=pass_), 422, "invalid")
    assert shared.stock(sale["id"])["left"] == 1
    assert shared.bought(buyer, sale["id"], quantity=1, key="k", pass_=pass_)


QUANTITIES = ["0", "-1", "1.5", '"1"', '"1e9"', "null", "true", "[1]", "{}", "4", "1001", "2147483648",
              "4294967297", "9223372036854775807", "9223372036854775808", "18446744073709551617", "1e400"]


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_a_quantity_that_makes_no_sense_here(shared, quantity):
    sale = shared.sale(stock=3, limit_per_buyer=3)
    [buyer] = shared.buyers(1)
    pass_ = shared.pass_for(buyer, sale["id"])
    answer = buyer.post(f"/sales/{sale['id']}/orders/{pass_}", data=b'{"quantity":%s}' % quantity.encode())
    assert answer.status in ((400, 422) if quantity == "1e400" else (422,)), answer.body
    if answer.status == 422:
        assert (answer.code, answer.fields) == ("invalid", {"quantity"})
    assert shared.stock(sale["id"])["left"] == 3
    assert shared.bought(buyer, sale["id"], quantity=3, pass_=pass_)
    assert shared.stock(sale["id"]) == {"total": 3, "left": 0, "held": 3, "sold": 0}


def test_more_than_is_left_and_more_than_the_buyer_may(shared):
    sale = shared.sale(stock=5, limit_per_buyer=4)
    one, two = shared.buyers(2)
    first = shared.bought(one, sale["id"], quantity=3)
    refused(shared.buy(two, sale["id"], quantity=3), 409, "sold_out")
    over = shared.buy(one, sale["id"], quantity=2)
    refused(over, 409, "limit_reached")
    assert over.body["ticket"] == first["ticket"]
    rest = shared.bought(one, sale["id"], quantity=1)
    assert rest["ticket"] != first["ticket"]
    order = one.get(f"/orders/{first['order_id']}").body
    assert (order["quantity"], order["total_cents"]) == (3, 3 * order["price_cents"])
    shared.bought(two, sale["id"], quantity=1)
    assert shared.stock(sale["id"]) == {"total": 5, "left": 0, "held": 5, "sold": 0}


def test_a_buyer_without_room_is_led_to_the_ticket(shared):
    sale = shared.sale(stock=2)
    one, two = shared.buyers(2)
    used, spare = shared.pass_for(one, sale["id"]), shared.pass_for(one, sale["id"])
    ticket = shared.bought(one, sale["id"], pass_=used)["ticket"]

    def led_to_the_ticket(answer):
        refused(answer, 409, "limit_reached")
        assert answer.body["ticket"] == ticket

    led_to_the_ticket(ask(one, sale["id"]))
    led_to_the_ticket(shared.buy(one, sale["id"], pass_=spare))
    led_to_the_ticket(shared.buy(one, sale["id"], key="another", pass_=spare))
    shared.bought(two, sale["id"])
    # Sold out by now, but where the own ticket is says more.
    led_to_the_ticket(ask(one, sale["id"]))
    led_to_the_ticket(shared.buy(one, sale["id"], pass_=spare))


def test_the_gate_lets_as_many_in_as_could_buy(shared):
    sale = shared.sale(stock=1, gate_factor=1)
    one, two = shared.buyers(2)
    passes = [shared.pass_for(one, sale["id"]) for _ in range(3)]
    refused(ask(two, sale["id"]), 429, "gate_closed")
    shared.bought(one, sale["id"], pass_=passes[0])
    refused(ask(two, sale["id"]), 409, "sold_out")


@pytest.mark.one_process  # each node counts the places at its gate by itself
def test_the_gate_opens_again_when_a_unit_returns(shared):
    sale = shared.sale(stock=2, gate_factor=1)
    one, two, three = shared.buyers(3)
    orders = [shared.bought(buyer, sale["id"])["order_id"] for buyer in (one, two)]
    refused(ask(three, sale["id"]), 409, "sold_out")
    assert one.post(f"/orders/{orders[0]}/cancel").status == 200
    shared.pass_for(three, sale["id"])
    refused(ask(one, sale["id"]), 429, "gate_closed")
    shared.bought(three, sale["id"])


@pytest.mark.one_process  # each node counts the places at its gate by itself
def test_a_wide_gate_counts_places_not_requests(shared):
    sale = shared.sale(stock=1, gate_factor=5)
    inside, [outside] = shared.buyers(5), shared.buyers(1)
    for buyer in inside * 2:
        shared.pass_for(buyer, sale["id"])
    refused(ask(outside, sale["id"]), 429, "gate_closed")


def test_a_pass_is_for_one_buyer_and_one_sale(shared):
    [mine, other] = shared.buyers(2)
    sale, other_sale = shared.sale(), shared.sale()
    pass_ = shared.pass_for(mine, sale["id"])
    for buyer, sale_id in ((other, sale["id"]), (mine, other_sale["id"])):
        shared.pass_for(buyer, sale_id)
        refused(shared.buy(buyer, sale_id, pass_=pass_), 403, "pass_invalid")
    assert shared.stock(sale["id"])["left"] == sale["stock"]["left"]
    shared.bought(mine, sale["id"], pass_=pass_)


def test_a_lost_reply_is_found_again_after_another_log_in(shared):
    """Log-in rotates the session; the purchase before it is still this buyer's."""
    phone = shared.register()["phone"]
    before = shared.client(shared.log_in(phone))
    sale = shared.sale()["id"]
    pass_ = shared.pass_for(before, sale)
    bought = shared.bought(before, sale, pass_=pass_, key="lost")
    after = shared.client(shared.log_in(phone))
    again = shared.buy(after, sale, pass_=pass_, key="lost")
    assert (again.status, again.body["ticket"]) == (201, bought["ticket"])
    unused = shared.pass_for(after, shared.sale()["id"])
    assert unused


@pytest.mark.parametrize("at", [0, 7, 10, 15, 21, 30, 42])
def test_an_altered_pass(shared, at):
    sale = shared.sale()
    [buyer] = shared.buyers(1)
    pass_ = shared.pass_for(buyer, sale["id"])
    other = ALPHABET[(ALPHABET.index(pass_[at]) + 32) % 64]
    refused(shared.buy(buyer, sale["id"], pass_=pass_[:at] + other + pass_[at + 1:]), 403, "pass_invalid")
    shared.bought(buyer, sale["id"], pass_=pass_)


@pytest.mark.parametrize("forged", ["x", "A" * 43, "A" * 42, "A" * 44, "A" * 2000, "%41", "%00", "%2f", "null"])
def test_a_forged_pass(shared, forged):
    sale = shared.sale()
    answer = shared.operator.post(f"/sales/{sale['id']}/orders/{forged}")
    assert answer.code in ("pass_invalid", "malformed", "not_found"), answer.body
    assert shared.stock(sale["id"])["held"] == 0


def test_nobody_buys_without_a_login(shared):
    sale = shared.sale()
    pass_ = shared.pass_for(shared.operator, sale["id"])
    refused(ask(shared.visitor, sale["id"]), 401, "unauthenticated")
    refused(shared.visitor.post(f"/sales/{sale['id']}/orders/{pass_}"), 401, "unauthenticated")
