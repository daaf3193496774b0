"""The operator's list of everybody's orders."""

import csv
import io
import urllib.parse

import pytest

import provider
from process import add_user
from shop import PASSWORD, new_phone


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


@pytest.fixture(scope="module")
def named(shared):
    """Three orders of three buyers with names of their own: the users, the orders by name."""
    sale = shared.sale()["id"]
    users, orders = {}, {}
    for name in ("Quill 奎", "Quilla", "quill"):
        users[name] = shared.register(name=name)
        client = shared.client(shared.log_in(users[name]["phone"]))
        orders[name] = shared.bought(client, sale)["order_id"]
    return sale, users, orders


def query(**values):
    return "?" + urllib.parse.urlencode(values, quote_via=urllib.parse.quote)


def test_a_buyer_is_found_by_the_beginning_of_their_name(shared, named):
    sale, _, orders = named
    both = [orders["Quilla"], orders["Quill 奎"]]
    assert ids(listed(shared, query(buyer_name="Quill"))) == both
    assert ids(listed(shared, query(buyer_name="Quill 奎"))) == both[1:]
    assert ids(listed(shared, query(buyer_name="quill"))) == [orders["quill"]], "letter by letter"
    assert ids(listed(shared, query(buyer_name="uill"))) == []
    assert ids(listed(shared, query(buyer_name="%"))) == []
    assert ids(listed(shared, query(buyer_name="Quill", sale_id=sale, state="pending"))) == both
    assert ids(listed(shared, query(buyer_name="Quill", state="paid"))) == []
    assert ids(listed(shared, query(buyer_name="Quill", money="owed"))) == []
    page = listed(shared, query(buyer_name="Quill", limit=1))
    assert ids(page) == both[:1]
    rest = listed(shared, query(buyer_name="Quill", limit=1, cursor=page["next_cursor"]))
    assert ids(rest) == both[1:] and rest["next_cursor"] is None


def test_a_buyer_is_found_by_their_phone(shared, named):
    _, users, orders = named
    phone = users["Quilla"]["phone"]
    assert ids(listed(shared, query(phone=phone))) == [orders["Quilla"]]
    assert ids(listed(shared, f"?phone={phone}")) == [orders["Quilla"]], "the plus is one"
    assert ids(listed(shared, query(phone=phone.replace("+", "00")))) == [orders["Quilla"]]
    assert ids(listed(shared, query(phone=phone, buyer_name="Quill"))) == [orders["Quilla"]]
    assert ids(listed(shared, query(phone=phone, buyer_name="quill"))) == []
    assert ids(listed(shared, query(phone=phone, buyer=users["quill"]["id"]))) == []
    assert ids(listed(shared, query(phone=new_phone()))) == []


def test_a_name_that_many_have_is_refused_with_what_to_do(shop):
    for number in range(51):
        shop.register(name=f"Zed {number:02}")
    answer = shop.operator.get("/admin/orders?buyer_name=Zed")
    assert (answer.status, answer.fields) == (422, {"buyer_name"})
    assert "50" in answer.body["errors"][0]["message"]
    zh = shop.operator.get("/admin/orders?buyer_name=Zed", headers={"Accept-Language": "zh"})
    assert "姓名" in zh.body["errors"][0]["message"]
    assert ids(listed(shop, "?buyer_name=Zed%201")) == []
    export = shop.operator.get("/admin/orders.csv?buyer_name=Zed")
    assert (export.status, export.fields) == (422, {"buyer_name"})


def test_an_export_has_what_the_list_has_and_the_trail_says_whose(shared, named):
    _, users, orders = named
    table = shared.operator.get("/admin/orders.csv?buyer_name=Quilla")
    assert table.status == 200
    [row] = list(csv.DictReader(io.StringIO(table.raw.decode())))
    assert (row["order_id"], row["name"]) == (orders["Quilla"], "Quilla")
    deed = shared.operator.get("/admin/audit-trail?action=orders.export&limit=1").body["entries"][0]
    assert deed["after"] == {"buyers": [users["Quilla"]["id"]]}


def test_support_searches_too_and_an_order_names_its_buyer(shared, named):
    _, users, orders = named
    phone = new_phone()
    add_user(shared.server.data, phone, "support", PASSWORD)
    support = shared.client(shared.log_in(phone))
    found = support.get("/admin/orders?buyer_name=Quilla")
    assert (found.status, ids(found.body)) == (200, [orders["Quilla"]])
    order = support.get(f"/admin/orders/{orders['Quilla']}").body
    assert (order["buyer_name"], order["buyer_phone"]) == ("Quilla", users["Quilla"]["phone"])


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
    ("cursor=x", "cursor"), ("phone=1234", "phone"), ("phone=nobody", "phone"), ("phone=%zz", "phone"),
    ("buyer_name=" + "x" * 65, "buyer_name"), ("buyer_name=a%0Ab", "buyer_name"), ("buyer_name=%ff", "buyer_name"),
    ("buyer_name=%zz", "buyer_name"),
    ("buyer_name=", "buyer_name"), ("phone=", "phone")])
@pytest.mark.parametrize("path", ["/admin/orders", "/admin/orders.csv"])
def test_nonsense_is_named(shared, path, query, field):
    answer = shared.operator.get(f"{path}?{query}")
    assert (answer.status, answer.fields) == (422, {field}), answer.body
