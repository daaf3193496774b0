"""The operator's list of everybody's orders."""

import pytest

import provider


def listed(shop, query=""):
    answer = shop.operator.get(f"/admin/orders{query}")
    assert answer.status == 200, answer.body
    return answer.body


def ids(page):
    return [order["id"] for order in page["orders"]]


@pytest.fixture(scope="module")
def sold(shared):
    """Five orders of two buyers in two sales: the sales, the buyers' users, the orders."""
    sales = [shared.sale(limit_per_buyer=5)["id"] for _ in range(2)]
    users = [shared.register(name=f"buyer {number}") for number in range(2)]
    clients = [shared.client(shared.log_in(user["phone"])) for user in users]
    orders = [shared.bought(clients[buyer], sales[sale])["order_id"]
              for buyer, sale in ((0, 0), (1, 0), (0, 1), (0, 0), (1, 0))]
    assert clients[1].post(f"/orders/{orders[1]}/cancel").status == 200
    return sales, users, orders


def test_the_newest_first_by_pages(shared, sold):
    [sale, _], _, orders = sold
    page = listed(shared, f"?sale_id={sale}&limit=3")
    assert ids(page) == [orders[4], orders[3], orders[1]]
    rest = listed(shared, f"?sale_id={sale}&limit=3&cursor={page['next_cursor']}")
    assert ids(rest) == [orders[0]]
    assert rest["next_cursor"] is None
    assert ids(listed(shared, "?limit=2")) == [orders[4], orders[3]]


def test_a_row_is_the_order_with_its_buyer(shared, sold):
    [sale, _], users, orders = sold
    newest = listed(shared, f"?sale_id={sale}&limit=1")["orders"][0]
    assert newest["id"] == orders[4]
    assert (newest["buyer_id"], newest["buyer_phone"], newest["buyer_name"]) == \
        (users[1]["id"], users[1]["phone"], "buyer 1")
    assert (newest["state"], newest["total_cents"], newest["sale_id"]) == ("pending", 9900, sale)
    whole = shared.operator.get(f"/admin/orders/{orders[4]}").body
    assert {name: newest[name] for name in set(newest) & set(whole)} == \
        {name: whole[name] for name in set(newest) & set(whole)}


def test_filters(shared, sold):
    sales, users, orders = sold
    assert ids(listed(shared, f"?sale_id={sales[0]}&state=cancelled")) == [orders[1]]
    assert ids(listed(shared, f"?sale_id={sales[0]}&state=paid")) == []
    assert ids(listed(shared, f"?buyer={users[0]['id']}")) == [orders[3], orders[2], orders[0]]
    assert ids(listed(shared, f"?buyer={users[0]['id']}&sale_id={sales[1]}")) == [orders[2]]
    assert ids(listed(shared, f"?buyer={users[1]['id']}&state=pending")) == [orders[4]]
    assert orders[1] in ids(listed(shared, "?state=cancelled&limit=100"))
    assert orders[1] not in ids(listed(shared, "?state=pending&limit=100"))
    assert ids(listed(shared, "?sale_id=1&buyer=1")) == []
    made = shared.operator.get(f"/admin/orders/{orders[3]}").body["created_at"]
    assert ids(listed(shared, f"?sale_id={sales[0]}&created_from={made}")) == [orders[4], orders[3]]
    assert ids(listed(shared, f"?sale_id={sales[0]}&created_to={made}")) == [orders[1], orders[0]]


def test_an_order_moves_to_its_new_state(shared):
    order = provider.Bought(shared, shared.buyers(1)[0], shared.sale()["id"])
    payment = order.pay()
    provider.outcome(shared.visitor, provider.succeeded(payment, 9900))
    sale = shared.operator.get(f"/admin/orders/{order.id}").body["sale_id"]
    assert ids(listed(shared, f"?sale_id={sale}&state=pending")) == []
    assert listed(shared, f"?sale_id={sale}&state=paid")["orders"][0]["paid_at"]
    assert shared.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    assert ids(listed(shared, f"?sale_id={sale}&state=refunded")) == [order.id]
    assert ids(listed(shared, f"?sale_id={sale}")) == [order.id]


@pytest.mark.parametrize("query,field", [
    ("sale_id=x", "sale_id"), ("sale_id=-1", "sale_id"), ("sale_id=%00", "sale_id"),
    ("state=lost", "state"), ("buyer=0", "buyer"), ("created_from=yesterday", "created_from"),
    ("created_to=2026-11-11", "created_to"), ("limit=0", "limit"), ("limit=101", "limit"),
    ("cursor=x", "cursor")])
@pytest.mark.parametrize("path", ["/admin/orders", "/admin/orders.csv"])
def test_nonsense_is_named(shared, path, query, field):
    answer = shared.operator.get(f"{path}?{query}")
    assert (answer.status, answer.fields) == (422, {field}), answer.body
