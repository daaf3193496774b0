"""Orders, and the ways back: cancel and restock."""

import pytest

from client import in_parallel


def cancel(buyer, order_id):
    return buyer.post(f"/orders/{order_id}/cancel")


def restock(shop, sale_id, delta):
    return shop.operator.post(f"/admin/sales/{sale_id}/restock", {"delta": delta})


def state(shop, sale_id):
    return shop.visitor.get(f"/sales/{sale_id}").body["state"]


def test_cancel_returns_the_unit_clears_sold_out_and_lets_buy_again(shared):
    sale = shared.sale(stock=1)["id"]
    one, two = shared.buyers(2)
    for buyer, other in ((one, two), (two, one)) * 2:
        order = shared.bought(buyer, sale)["order_id"]
        assert state(shared, sale) == "sold_out"
        assert shared.stock(sale) == {"total": 1, "left": 0, "held": 1, "sold": 0}
        assert other.post(f"/sales/{sale}/passes").code == "sold_out"
        pending = buyer.get(f"/orders/{order}").body
        answer = cancel(buyer, order)
        assert (answer.status, answer.body) == (200, {**pending, "state": "cancelled"})
        assert buyer.get(f"/orders/{order}").body == answer.body
        assert state(shared, sale) == "open"
        assert shared.stock(sale) == {"total": 1, "left": 1, "held": 0, "sold": 0}
    assert len(one.get("/orders").body["orders"]) == len(two.get("/orders").body["orders"]) == 2
    assert shared.audit("--sale", sale)


def test_cancel_returns_what_was_bought_and_no_more(shared):
    sale = shared.sale(stock=5, limit_per_buyer=3)["id"]
    [buyer] = shared.buyers(1)
    orders = [shared.bought(buyer, sale, quantity)["order_id"] for quantity in (2, 1)]
    for _ in range(3):
        assert cancel(buyer, orders[0]).body["state"] == "cancelled"
        assert shared.stock(sale) == {"total": 5, "left": 4, "held": 1, "sold": 0}
    assert shared.buy(buyer, sale, 3).code == "limit_reached"
    shared.bought(buyer, sale, 2)


def test_many_cancels_at_once_return_the_unit_once(shared):
    sale = shared.sale(stock=3)["id"]
    [buyer] = shared.buyers(1)
    order = shared.bought(buyer, sale)["order_id"]
    answers = in_parallel([lambda: cancel(shared.client(buyer.token), order)] * 12)
    assert {answer.status for answer in answers} <= {200, 409}
    assert 200 in {answer.status for answer in answers}
    assert shared.stock(sale) == {"total": 3, "left": 3, "held": 0, "sold": 0}


@pytest.mark.parametrize("verb", ["pause", "end"])
def test_cancel_in_a_sale_that_stopped(shared, verb):
    sale = shared.sale(stock=1)["id"]
    [buyer] = shared.buyers(1)
    order = shared.bought(buyer, sale)["order_id"]
    shared.operator.post(f"/admin/sales/{sale}/{verb}")
    assert cancel(buyer, order).status == 200
    assert shared.stock(sale) == {"total": 1, "left": 1, "held": 0, "sold": 0}


def test_a_restock_whose_reply_was_lost_is_done_once(shared):
    sale, other = (shared.sale(stock=5)["id"] for _ in range(2))

    def more(sale_id, delta, key):
        return shared.operator.post(f"/admin/sales/{sale_id}/restock", {"delta": delta}, headers={"Idempotency-Key": key})

    for _ in range(3):
        answer = more(sale, 10, "restock-1")
        assert (answer.status, answer.body["stock"]["total"]) == (200, 15)
    assert more(sale, 11, "restock-1").code == "idempotency_mismatch"
    assert more(other, 10, "restock-1").body["stock"]["total"] == 15, "another sale is another deed"
    assert more(sale, 10, "restock-2").body["stock"]["total"] == 25
    assert shared.stock(sale)["left"] == 25


def test_restock_up_and_down(shared):
    sale = shared.sale(stock=2)["id"]
    one, two, three = shared.buyers(3)
    shared.bought(one, sale)
    steps = [(3, 5, 4), (-4, 1, 0), (1, 2, 1), (-1, 1, 0), (10**6, 10**6 + 1, 10**6), (-10**6, 1, 0)]
    for delta, total, left in steps:
        answer = restock(shared, sale, delta)
        assert answer.status == 200, answer.body
        expected = {"total": total, "left": left, "held": 1, "sold": 0}
        assert answer.body["stock"] == shared.stock(sale) == expected
        assert answer.body["state"] == state(shared, sale) == ("open" if left else "sold_out")
    assert two.post(f"/sales/{sale}/passes").code == "sold_out"
    restock(shared, sale, 1)
    shared.bought(two, sale)
    assert three.post(f"/sales/{sale}/passes").code == "sold_out"
    shared.audit("--sale", sale)


def trail(shop, subject):
    page = shop.operator.get("/admin/audit-trail?limit=100").body["entries"]
    return [entry for entry in page if entry["subject"] == subject]


def test_restock_leaves_a_trail(shared):
    sale = shared.sale(stock=1)["id"]
    restock(shared, sale, 4)
    newest = trail(shared, sale)[0]
    assert newest["action"] == "sale.restock"
    assert newest["before"]["stock"]["left"] == 1 and newest["after"]["stock"]["left"] == 5


@pytest.mark.parametrize("held, delta", [(0, -6), (2, -4), (2, -5), (5, -1), (0, -10**9)])
def test_restock_below_what_is_left_changes_nothing(shared, held, delta):
    sale = shared.sale(stock=5, limit_per_buyer=5)["id"]
    [buyer] = shared.buyers(1)
    if held:
        shared.bought(buyer, sale, held)
    before, deeds = shared.stock(sale), len(trail(shared, sale))
    answer = restock(shared, sale, delta)
    assert (answer.status, answer.code) == (409, "conflict")
    assert shared.stock(sale) == before == {"total": 5, "left": 5 - held, "held": held, "sold": 0}
    assert len(trail(shared, sale)) == deeds


@pytest.mark.parametrize("body", [{}, {"delta": None}, {"delta": 1.5}, {"delta": "1"}, {"delta": 2**63},
                                  {"delta": 10**9 + 1}, {"delta": -10**9 - 1}, {"delta": [1]},
                                  {"delta": 1, "force": True}])
def test_a_wrong_restock(shared, body):
    sale = shared.sale(stock=5)["id"]
    answer = shared.operator.post(f"/admin/sales/{sale}/restock", body)
    assert (answer.status, answer.code) == (422, "invalid"), answer.body
    assert shared.stock(sale)["total"] == 5


def test_more_stock_than_there_can_be(shared):
    sale = shared.sale(stock=10**9)["id"]
    assert restock(shared, sale, 1).status in (409, 422)
    assert shared.stock(sale)["total"] == 10**9


def test_an_ended_sale_is_not_restocked(shared):
    sale = shared.sale(stock=5)["id"]
    shared.operator.post(f"/admin/sales/{sale}/end")
    answer = restock(shared, sale, 1)
    assert (answer.status, answer.code) == (409, "ended")


def test_passes_outnumber_what_a_restock_left(shared):
    sale = shared.sale(stock=2)["id"]
    one, two = shared.buyers(2)
    passes = [shared.pass_for(buyer, sale) for buyer in (one, two)]
    restock(shared, sale, -1)
    shared.bought(one, sale, pass_=passes[0])
    answer = shared.buy(two, sale, pass_=passes[1])
    assert (answer.status, answer.code) == (409, "sold_out")


def test_the_list_of_orders_comes_in_pages_newest_first(shared):
    [buyer], [other] = shared.buyers(1), shared.buyers(1)
    item = shared.item()["id"]
    sale = shared.sale(item, stock=50, limit_per_buyer=50)["id"]
    made = []
    for _ in range(7):
        made.append(shared.bought(buyer, sale)["order_id"])
        shared.bought(other, sale)
    for limit in (1, 3, 7, 100):
        seen, cursor = [], ""
        while cursor is not None:
            more = f"&cursor={cursor}" if cursor else ""
            page = buyer.get(f"/orders?limit={limit}{more}").body
            assert len(page["orders"]) <= limit
            seen += [order["id"] for order in page["orders"]]
            cursor = page["next_cursor"]
        assert seen == made[::-1]
    assert [order["id"] for order in buyer.get("/orders").body["orders"]] == made[::-1]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "cursor=x"])
def test_a_wrong_page_of_orders(shared, query):
    answer = shared.operator.get(f"/orders?{query}")
    assert (answer.status, answer.code) == (422, "invalid")


def test_a_buyer_without_orders(shared):
    [buyer] = shared.buyers(1)
    assert buyer.get("/orders").body == {"orders": [], "next_cursor": None}


def test_a_price_that_changes_later_does_not_change_the_order(shared):
    item = shared.item(title="Old name")
    sale = shared.sale(item["id"], price_cents=500)["id"]
    [buyer] = shared.buyers(1)
    order = shared.bought(buyer, sale)["order_id"]
    shared.operator.put(f"/admin/items/{item['id']}", {"list_price_cents": 1})
    assert buyer.get(f"/orders/{order}").body["total_cents"] == 500


def test_a_longer_hold_is_for_orders_to_come(shared):
    sale = shared.sale(hold_seconds=60, limit_per_buyer=2)["id"]
    [buyer] = shared.buyers(1)
    order = shared.bought(buyer, sale)["order_id"]
    before = buyer.get(f"/orders/{order}").body
    shared.operator.put(f"/admin/sales/{sale}", {"hold_seconds": 120})
    assert buyer.get(f"/orders/{order}").body == before


def test_a_higher_limit_makes_room_at_once(shared):
    sale = shared.sale(limit_per_buyer=1)["id"]
    [buyer] = shared.buyers(1)
    shared.bought(buyer, sale)
    assert buyer.post(f"/sales/{sale}/passes").code == "limit_reached"
    shared.operator.put(f"/admin/sales/{sale}", {"limit_per_buyer": 3})
    assert shared.buy(buyer, sale, 3).code == "limit_reached"
    shared.bought(buyer, sale, 2)


def test_only_the_owner_sees_and_cancels(shared):
    sale = shared.sale()["id"]
    owner, stranger = shared.buyers(2)
    bought = shared.bought(owner, sale)
    for other in (stranger, shared.operator):
        for answer in (other.get(f"/tickets/{bought['ticket']}"), other.get(f"/orders/{bought['order_id']}"),
                       cancel(other, bought["order_id"]), other.get(f"/sales/{sale}/ticket")):
            assert (answer.status, answer.code) == (404, "not_found")
    assert owner.get(f"/orders/{bought['order_id']}").body["state"] == "pending"
