"""Faults 21 and 24: bad input gets a 4xx problem and changes nothing; what belongs to others does not exist."""

import json

import pytest

import instants
from shop import PASSWORD, new_phone, open_shop

TEN_MB = 10 * 1024 * 1024


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    shop = open_shop(tmp_path_factory.mktemp("input"))
    shop.scheduled = shop.sale(starts_at=instants.from_now(hours=1))
    shop.open = shop.sale(limit_per_buyer=3)
    shop.shopper = shop.buyer()
    shop.order = shop.bought(shop.shopper, shop.open["id"])["order_id"]
    yield shop
    shop.stop()


def state_of(house):
    sales = house.visitor.get("/sales?limit=100").body["sales"]
    items = house.visitor.get("/items?limit=100").body["items"]
    return (sales, items, house.operator.get("/admin/audit-trail?limit=100").body,
            house.shopper.get("/orders?limit=100").body)


@pytest.fixture(autouse=True)
def nothing_changes(house):
    before = state_of(house)
    yield
    assert state_of(house) == before


def refused(answer, *statuses):
    assert answer.status in (statuses or (400, 404, 413, 415, 422)), (answer.status, answer.body)
    assert answer.code != "internal"


NUMBERS = ["0", "-1", "1.5", '"1e9"', '"1"', "2147483648", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "-9223372036854775809", "1e400", "1e-400",
           "-0.5", "null", "true", "[1]", '{"a":1}', '""', "01", "+1", "0x10", "1_000", "NaN",
           "Infinity", "1.", ".5", "１"]
FINE = {  # what is allowed there, though it looks odd
    "stock": {"0"},
    "price_cents": {"0", "2147483648"},
    "list_price_cents": {"0", "2147483648"},
    "limit_per_buyer": set(),
    "hold_seconds": set(),
    "gate_factor": set(),
}


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("field", FINE)
def test_odd_numbers(house, field, number):
    if number in FINE[field]:
        return
    raw = '{"%s":%s}' % (field, number)
    if field == "list_price_cents":
        whole = '{"title":"x","currency":"CNY","%s":%s}' % (field, number)
        refused(house.operator.post("/admin/items", data=whole.encode()), 400, 422)
        path = f"/admin/items/{house.scheduled['item']['id']}"
    else:
        rest = {"item_id": house.scheduled["item"]["id"], "price_cents": 1, "stock": 1}
        rest.pop(field, None)
        whole = json.dumps(rest)[:-1] + "," + raw[1:]
        refused(house.operator.post("/admin/sales", data=whole.encode()), 400, 422)
        path = f"/admin/sales/{house.scheduled['id']}"
    refused(house.operator.put(path, data=raw.encode()), 400, 422)


UNKNOWN_IDS = ["0", "1", "-1", "01", "+1", "1.0", "1e3", "0x1", "abc", "999999999999999999",
               "9223372036854775807", "9223372036854775808", "99999999999999999999999", "%00",
               "1%00", "%20", "1%20", "%31", "1%2f2", "..", "..%2f..", "%c3%28", "%e7%a7%92",
               "null", "undefined", "{id}".replace("{", "%7b").replace("}", "%7d"), "1'--", "x" * 1000]


@pytest.mark.parametrize("unknown", UNKNOWN_IDS)
def test_unknown_ids_in_a_path(house, unknown):
    refused(house.visitor.get(f"/items/{unknown}"), 404, 400)
    refused(house.visitor.get(f"/sales/{unknown}"), 404, 400)
    refused(house.operator.put(f"/admin/items/{unknown}", {"title": "x"}), 404, 400)
    refused(house.operator.put(f"/admin/sales/{unknown}", {"stock": 1}), 404, 400)
    for verb in ("pause", "resume", "end"):
        refused(house.operator.post(f"/admin/sales/{unknown}/{verb}"), 404, 400)
    refused(house.operator.post(f"/admin/sales/{unknown}/restock", {"delta": 1}), 404, 400)
    refused(house.operator.get(f"/admin/sales/{unknown}/audit"), 404, 400)
    refused(house.shopper.post(f"/sales/{unknown}/passes"), 404, 400)
    refused(house.shopper.get(f"/sales/{unknown}/ticket"), 404, 400)
    refused(house.shopper.get(f"/tickets/{unknown}"), 404, 400)
    refused(house.shopper.get(f"/orders/{unknown}"), 404, 400)
    refused(house.shopper.post(f"/orders/{unknown}/cancel"), 404, 400)
    pass_ = house.pass_for(house.shopper, house.open["id"])
    refused(house.shopper.post(f"/sales/{unknown}/orders/{pass_}"), 404, 400)


@pytest.mark.parametrize("unknown", ["1", "0", "-1", "", "abc", "9223372036854775808", 1, 1.5, None,
                                     True, [], {}, "x" * 1000, "\u0000", "1 ", " 1"])
def test_unknown_ids_in_a_body(house, unknown):
    answer = house.operator.post("/admin/sales", {"item_id": unknown, "price_cents": 1, "stock": 1})
    refused(answer, 422)
    assert answer.fields == {"item_id"}


def test_the_id_of_another_kind_of_thing_is_unknown(house):
    refused(house.visitor.get(f"/items/{house.scheduled['id']}"), 404)
    refused(house.visitor.get(f"/sales/{house.scheduled['item']['id']}"), 404)


GOOD_ITEM = b'{"title":"x","list_price_cents":1,"currency":"CNY"}'

BODIES = {
    "nothing": b"",
    "a space": b" ",
    "null": b"null",
    "a number": b"1",
    "a text": b'"x"',
    "a list": b"[]",
    "a list of one": b"[" + GOOD_ITEM + b"]",
    "two values": GOOD_ITEM + GOOD_ITEM,
    "rubbish behind": GOOD_ITEM + b"x",
    "cut off": GOOD_ITEM[:-1],
    "a comma too many": GOOD_ITEM[:-1] + b",}",
    "a comment": b"/* x */" + GOOD_ITEM,
    "single quotes": GOOD_ITEM.replace(b'"', b"'"),
    "bare keys": b"{title:1}",
    "byte order mark": b"\xef\xbb\xbf" + GOOD_ITEM,
    "UTF-16": GOOD_ITEM.decode().encode("utf-16"),
    "invalid UTF-8": GOOD_ITEM.replace(b"x", b"\xff"),
    "overlong UTF-8": GOOD_ITEM.replace(b"x", b"\xc0\xaf"),
    "UTF-8 cut off": GOOD_ITEM.replace(b"x", b"\xe7\xa7"),
    "UTF-8 surrogate": GOOD_ITEM.replace(b"x", b"\xed\xa0\x80"),
    "half an escaped surrogate": GOOD_ITEM.replace(b"x", b"\\ud800"),
    "wrong escape": GOOD_ITEM.replace(b"x", b"\\x41"),
    "NUL": GOOD_ITEM.replace(b"x", b"\x00"),
    "escaped NUL": GOOD_ITEM.replace(b"x", b"\\u0000"),
    "NUL behind": GOOD_ITEM + b"\x00",
    "a line break in a text": GOOD_ITEM.replace(b"x", b"\n"),
    "duplicate key": GOOD_ITEM[:-1] + b',"title":"y"}',
    "duplicate key, the same": GOOD_ITEM[:-1] + b',"title":"x"}',
    "duplicate key, escaped": GOOD_ITEM[:-1] + b',"\\u0074itle":"y"}',
    "unknown key": GOOD_ITEM[:-1] + b',"admin":true}',
    "empty key": GOOD_ITEM[:-1] + b',"":true}',
    "__proto__": GOOD_ITEM[:-1] + b',"__proto__":{}}',
    "deep lists": b"[" * 30_000,
    "deep lists, closed": b"[" * 30_000 + b"]" * 30_000,
    "deep objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "deep inside a field": GOOD_ITEM.replace(b'"x"', b"[" * 20_000 + b"]" * 20_000),
    "a huge number": GOOD_ITEM.replace(b":1", b":" + b"9" * 60_000),
    "a long fraction": GOOD_ITEM.replace(b":1", b":0." + b"0" * 60_000),
    "a long text": GOOD_ITEM.replace(b"x", b"x" * 60_000),
    "over the limit": b" " * 65_536 + GOOD_ITEM,
}


@pytest.mark.parametrize("what", BODIES)
def test_odd_bodies(house, what):
    body = BODIES[what]
    answer = house.operator.post("/admin/items", data=body)
    refused(answer, 413) if len(body) > 65_536 else refused(answer, 400, 422)
    refused(house.operator.put(f"/admin/items/{house.scheduled['item']['id']}", data=body), 400, 413, 422)
    refused(house.operator.post("/admin/sales", data=body), 400, 413, 422)
    refused(house.operator.put(f"/admin/sales/{house.scheduled['id']}", data=body), 400, 413, 422)
    refused(house.visitor.post("/users", data=body), 400, 413, 422)
    refused(house.visitor.post("/sessions", data=body), 400, 413, 422)


GOOD_PURCHASE = b'{"quantity":1}'

PURCHASES = {
    "a space": b" ",
    "null": b"null",
    "a number": b"1",
    "a list": b"[" + GOOD_PURCHASE + b"]",
    "two values": GOOD_PURCHASE * 2,
    "cut off": GOOD_PURCHASE[:-1],
    "duplicate key": b'{"quantity":1,"quantity":2}',
    "duplicate key, escaped": b'{"quantity":1,"\\u0071uantity":1}',
    "unknown key": b'{"quantity":1,"price_cents":0}',
    "another case": b'{"Quantity":1}',
    "invalid UTF-8": b'{"quantity":1,"\xff":1}',
    "NUL": b'{"quantity":1\x00}',
    "NUL in a name": b'{"quantity\\u0000":1}',
    "deep lists": b'{"quantity":' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "a huge number": b'{"quantity":' + b"9" * 60_000 + b"}",
    "a long fraction": b'{"quantity":0.' + b"0" * 60_000 + b"1}",
    "almost one": b'{"quantity":0.99999999999999999999}',
    "over the limit": b" " * 65_536 + GOOD_PURCHASE,
}


@pytest.mark.parametrize("what", PURCHASES)
def test_odd_purchases(house, what):
    body = PURCHASES[what]
    pass_ = house.pass_for(house.shopper, house.open["id"])
    refused(house.shopper.post(f"/sales/{house.open['id']}/orders/{pass_}", data=body), 400, 413, 422)
    refused(house.shopper.post(f"/sales/{house.open['id']}/passes", data=body), 400, 413, 422)
    restock = body.replace(b"quantity", b"delta").replace(b"\\u0071uantity", b"\\u0064elta")
    refused(house.operator.post(f"/admin/sales/{house.open['id']}/restock", data=restock), 400, 413, 422)


@pytest.mark.parametrize("number", NUMBERS)
def test_odd_quantities_and_deltas(house, number):
    path = f"/admin/sales/{house.open['id']}/restock"
    if number != "-1":
        delta = number if number != "0" else '"0"'
        refused(house.operator.post(path, data=b'{"delta":%s}' % delta.encode()), 400, 422)
    pass_ = house.pass_for(house.shopper, house.open["id"])
    path = f"/sales/{house.open['id']}/orders/{pass_}"
    refused(house.shopper.post(path, data=b'{"quantity":%s}' % number.encode()), 400, 422)


@pytest.mark.parametrize("path", ["/users", "/sessions", "/admin/items", "/admin/sales", "/nothing",
                                  "/sales/{open}/passes", "/sales/{open}/orders/{pass}",
                                  "/admin/sales/{open}/restock"])
def test_ten_megabytes_get_a_readable_answer(house, path):
    path = path.replace("{open}", house.open["id"])
    path = path.replace("{pass}", house.pass_for(house.operator, house.open["id"]))
    answer = house.client(house.operator.token).post(path, data=b" " * TEN_MB)
    assert answer.status in ((413,) if path != "/nothing" else (404, 413))


def test_a_body_of_exactly_the_limit_is_read(house):
    answer = house.visitor.post("/users", data=b"{}" + b" " * 65_534)
    assert (answer.status, answer.fields) == (422, {"phone", "password"})


@pytest.mark.parametrize("phone", ["12345\u0000", "\ud83d\ude00" * 5, "1" * 60_000, "%00", "' OR '1'='1"])
def test_odd_credentials(house, phone):
    refused(house.visitor.post("/users", {"phone": phone, "password": PASSWORD}), 422)
    refused(house.visitor.post("/sessions", {"phone": phone, "password": PASSWORD}), 401, 422)
    refused(house.visitor.post("/sessions", {"phone": new_phone(), "password": phone}), 401, 422)


@pytest.mark.parametrize("query", ["%", "%zz", "limit=%", "limit=1&limit=0", "limit[]=1", "=", "&&&",
                                   "cursor", "cursor=", "cursor=%00", "limit=1%00", "a" * 8000,
                                   "&".join(["x=1"] * 2000), "state=open%00", "state=OPEN"])
def test_odd_queries(house, query):
    for path in ("/items", "/sales", "/admin/audit-trail", "/orders"):
        answer = house.operator.get(f"{path}?{query}")
        assert answer.status in (200, 400, 422), answer.body


def test_verbs_take_no_body_seriously(house):
    answer = house.operator.post("/admin/sales/1/pause", data=b"{", headers={"Content-Type": "text/plain"})
    assert answer.status in (400, 404, 415, 422)


@pytest.mark.parametrize("path", ["/orders/{order}", "/sales/{open}/ticket", "/users/1", "/sessions", "/sessions/1"])
def test_nobody_elses_things(house, path):
    path = path.replace("{order}", house.order).replace("{open}", house.open["id"])
    for client in (house.visitor, house.operator):
        assert client.get(path).status in (401, 404, 405)


def test_a_session_shows_and_ends_only_itself(house):
    mine, other = house.buyer(), house.buyer()
    me = mine.get("/sessions/current").body["user"]["id"]
    assert me != other.get("/sessions/current").body["user"]["id"]
    assert other.delete("/sessions/current").status == 204
    assert mine.get("/sessions/current").body["user"]["id"] == me
