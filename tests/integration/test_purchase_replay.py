"""Replay comes before refusal: whatever has happened to the sale, the same request finds its ticket."""

import pytest

from client import in_parallel
from process import eventually


def keyed(key):
    return {"Idempotency-Key": key}


class Bought:
    """A buyer with a ticket, a sale, and the pass and key that led there."""

    def __init__(self, shop, key=None, quantity=None, **sale):
        self.shop, self.key, self.quantity = shop, key, quantity
        self.sale = shop.sale(**sale)["id"]
        [self.buyer] = shop.buyers(1)
        self.pass_ = shop.pass_for(self.buyer, self.sale)
        self.first = shop.bought(self.buyer, self.sale, quantity, key, self.pass_)

    def again(self, **change):
        return self.shop.buy(self.buyer, self.sale, **{
            "quantity": self.quantity, "key": self.key, "pass_": self.pass_, **change})

    def assert_replayed(self, **change):
        answer = self.again(**change)
        assert (answer.status, answer.body) == (201, self.first), answer.body


def sell_out(made):
    left = made.shop.stock(made.sale)["left"]
    for buyer in made.shop.buyers(left):
        made.shop.bought(buyer, made.sale)


def operate(verb, body=None):
    def act(made):
        answer = made.shop.operator.post(f"/admin/sales/{made.sale}/{verb}", body)
        assert answer.status == 200, answer.body
    return act


def cancel(made):
    assert made.buyer.post(f"/orders/{made.first['order_id']}/cancel").status == 200


HAPPENINGS = {
    "nothing": [],
    "sold out": [sell_out],
    "paused": [operate("pause")],
    "ended": [operate("end")],
    "emptied": [operate("restock", {"delta": -2})],
    "sold out, paused and ended": [sell_out, operate("pause"), operate("end")],
    "cancelled": [cancel],
    "cancelled and ended": [cancel, operate("end")],
}


@pytest.mark.parametrize("key", [None, "order-1"])
@pytest.mark.parametrize("happened", HAPPENINGS)
def test_the_same_request_gets_its_ticket_whatever_happened(shared, happened, key):
    made = Bought(shared, key, stock=3)
    for act in HAPPENINGS[happened]:
        act(made)
    before = shared.stock(made.sale)
    made.assert_replayed()
    made.assert_replayed(quantity=1)
    if key:
        made.assert_replayed(key=None)
        made.assert_replayed(key="another")
    assert shared.stock(made.sale) == before
    assert len(made.buyer.get("/orders").body["orders"]) == 1


def test_a_key_finds_its_ticket_by_any_pass(shared):
    made = Bought(shared, "k", stock=5, limit_per_buyer=2)
    other = shared.pass_for(made.buyer, made.sale)
    made.assert_replayed(pass_=other)
    # That pass was not used, so it still buys.
    second = shared.bought(made.buyer, made.sale, pass_=other)
    assert second["ticket"] != made.first["ticket"]
    assert shared.buy(made.buyer, made.sale, pass_=other).body == second
    assert shared.stock(made.sale) == {"total": 5, "left": 3, "held": 2, "sold": 0}


@pytest.mark.one_process  # a node that does not know of the first purchase yet binds the key to it
def test_a_key_after_the_pass_that_was_used_without_it(shared):
    made = Bought(shared, stock=5, limit_per_buyer=2)
    made.assert_replayed(key="new")
    second = shared.bought(made.buyer, made.sale, key="new")
    assert second["ticket"] != made.first["ticket"], "the replay used no key up"


def test_a_key_with_another_quantity(shared):
    made = Bought(shared, "k", 2, stock=9, limit_per_buyer=9)
    for quantity in (None, 1, 3, 9):
        answer = made.again(quantity=quantity)
        assert (answer.status, answer.code) == (422, "idempotency_mismatch")
    other = made.again(quantity=3, pass_=shared.pass_for(made.buyer, made.sale))
    assert (other.status, other.code) == (422, "idempotency_mismatch")
    made.assert_replayed()
    assert shared.stock(made.sale)["held"] == 2


def test_a_used_pass_with_another_quantity_shows_the_first_ticket(shared):
    made = Bought(shared, quantity=2, stock=9, limit_per_buyer=9)
    made.assert_replayed(quantity=3)
    assert shared.stock(made.sale)["held"] == 2


def test_a_key_belongs_to_buyer_and_sale(shared):
    made = Bought(shared, "k", stock=5)
    other_buyer, other_sale = shared.buyers(1)[0], shared.sale()["id"]
    theirs = shared.bought(other_buyer, made.sale, key="k")
    elsewhere = shared.bought(made.buyer, other_sale, key="k")
    tickets = {made.first["ticket"], theirs["ticket"], elsewhere["ticket"]}
    assert len(tickets) == 3
    made.assert_replayed()


def test_a_refusal_is_not_remembered(shared):
    sale = shared.sale(stock=1)["id"]
    one, two = shared.buyers(2)
    pass_ = shared.pass_for(two, sale)
    first = shared.bought(one, sale)
    assert shared.buy(two, sale, key="k", pass_=pass_).code == "sold_out"
    assert one.post(f"/orders/{first['order_id']}/cancel").status == 200
    # Another node may hear of the unit a moment later.
    eventually(lambda: shared.buy(two, sale, key="k", pass_=pass_).status == 201, 5, "a yes for the unit that came back")


def test_a_replay_needs_the_right_buyer_and_session(shared):
    made = Bought(shared, "k", stock=5)
    [stranger] = shared.buyers(1)
    answer = shared.buy(stranger, made.sale, key="k", pass_=made.pass_)
    assert (answer.status, answer.code) == (403, "pass_invalid")


@pytest.mark.parametrize("key, status", [("x", 201), ("x" * 128, 201), ("!~", 201),
                                         ("x" * 129, 422), ("a b", 422), ("schlüssel", 422)])
def test_keys_are_short_printable_ascii(shared, key, status):
    sale = shared.sale()["id"]
    [buyer] = shared.buyers(1)
    answer = shared.buy(buyer, sale, key=key.encode("latin-1"))
    assert answer.status == status, answer.body
    if status == 422:
        assert answer.fields == {"Idempotency-Key"}
    assert shared.stock(sale)["held"] == (status == 201)


@pytest.mark.parametrize("keys", [[None] * 12, ["k"] * 12, [f"k{i}" for i in range(12)]],
                         ids=["no key", "one key", "twelve keys"])
def test_one_pass_many_times_at_once_is_one_order(shared, keys):
    sale = shared.sale(stock=50, limit_per_buyer=50)["id"]
    [token] = shared.minted(1)
    pass_ = shared.pass_for(shared.client(token), sale)
    answers = in_parallel([lambda key=key: shared.buy(shared.client(token), sale, 1, key, pass_)
                           for key in keys])
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body["ticket"] for answer in answers}) == 1
    assert shared.stock(sale)["held"] == 1


def test_one_key_with_many_passes_at_once_is_one_order(shared):
    sale = shared.sale(stock=50, limit_per_buyer=50)["id"]
    [token] = shared.minted(1)
    passes = [shared.pass_for(shared.client(token), sale) for _ in range(12)]
    answers = in_parallel([lambda pass_=pass_: shared.buy(shared.client(token), sale, 1, "k", pass_)
                           for pass_ in passes])
    assert {answer.status for answer in answers} == {201}
    assert len({answer.body["ticket"] for answer in answers}) == 1
    assert shared.stock(sale)["held"] == 1


@pytest.mark.one_process  # compares the stock shown, which other nodes show a moment later
@pytest.mark.parametrize("end", ["restart", "restart_after_kill"])
def test_after_a_restart_everything_is_as_before(shop, end):
    plain, with_key = Bought(shop, stock=2), Bought(shop, "k", 3, stock=5, limit_per_buyer=4)
    cancelled = Bought(shop, stock=1)
    cancel(cancelled)
    sell_out(plain)
    unused = shop.pass_for(with_key.buyer, with_key.sale)
    everything = [plain, with_key, cancelled]

    def pictures():
        for made in everything:
            made.buyer = shop.client(made.buyer.token)
            sale = shop.visitor.get(f"/sales/{made.sale}").body
            del sale["now"]
            yield (sale, made.buyer.get("/orders").body, made.buyer.get(f"/sales/{made.sale}/ticket").body,
                   made.buyer.get(f"/tickets/{made.first['ticket']}").body)

    before = list(pictures())
    shop.audit()
    getattr(shop, end)()
    assert list(pictures()) == before
    for made in everything:
        made.assert_replayed()
    with_key.assert_replayed(pass_=unused)
    assert with_key.again(quantity=1).code == "idempotency_mismatch"
    # The hot copy is rebuilt with what each buyer holds.
    over = shop.buy(with_key.buyer, with_key.sale, 2, pass_=unused)
    assert (over.code, over.body["ticket"]) == ("limit_reached", with_key.first["ticket"])
    shop.bought(with_key.buyer, with_key.sale, 1, pass_=unused)
    shop.bought(cancelled.buyer, cancelled.sale)
    shop.audit()
