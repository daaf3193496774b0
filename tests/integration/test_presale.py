"""Sales for listed buyers only, or for them first: the list, who is let in, and what everybody is told."""

import time

import pytest

import instants
from client import in_parallel
from cluster import Cluster
from process import add_user, eventually
from shop import PASSWORD, new_phone

CSV = {"Content-Type": "text/csv; charset=utf-8"}
SOON = 30  # for what takes a second on a machine that is not busy


def put_list(shop, sale, text, method="PUT", who=None, **headers):
    data = text if isinstance(text, bytes) else text.encode()
    return (who or shop.operator).request(method, f"/admin/sales/{sale}/list", data=data, headers={**CSV, **headers})


def listed(shop, sale, *entries):
    answer = put_list(shop, sale, "".join(f"{entry}\n" for entry in ("phone_or_id", *entries)))
    assert answer.status == 200, answer.body
    return answer.body


def counts(shop, sale):
    answer = shop.operator.get(f"/admin/sales/{sale}/list")
    assert answer.status == 200, answer.body
    return answer.body["listed"], answer.body["phones"], answer.body["ids"]


class Person:
    def __init__(self, shop, phone=None):
        self.user = shop.register(phone)
        self.phone, self.id = self.user["phone"], self.user["id"]
        self.client = shop.client(shop.log_in(self.phone))

    def listing(self, sale):
        answer = self.client.get(f"/sales/{sale}/listing")
        assert answer.status == 200, answer.body
        return answer.body["listed"]

    def enter(self, sale):
        return self.client.post(f"/sales/{sale}/passes")


def actions(shop, sale):
    entries = shop.operator.get(f"/admin/audit-trail?limit=100&subject={sale}").body["entries"]
    return [(entry["action"], entry["before"], entry["after"]) for entry in entries]


def test_only_listed_buyers_get_a_pass_and_buy(shop):
    sale = shop.sale(audience="listed")["id"]
    by_phone, by_id, stranger = Person(shop), Person(shop), Person(shop)
    assert [person.listing(sale) for person in (by_phone, by_id, stranger)] == [False] * 3
    body = listed(shop, sale, by_phone.phone, by_id.id)
    assert (body["listed"], body["phones"], body["ids"], body["given"], body["before"]) == (2, 1, 1, 2, 0)
    assert [person.listing(sale) for person in (by_phone, by_id, stranger)] == [True, True, False]
    for person in (by_phone, by_id):
        assert shop.buy(person.client, sale).status == 201
    answer = stranger.enter(sale)
    assert (answer.status, answer.code) == (403, "not_listed") and "listed_until" not in answer.body
    assert stranger.client.post(f"/sales/{sale}/passes", headers={"Accept-Language": "zh"}).body["title"] == "不在名单内"
    assert shop.stock(sale)["held"] == 2
    shop.audit()


def test_a_stranger_gets_no_challenge_and_takes_no_place(shop):
    sale = shop.sale(audience="listed", challenge="pow", stock=1, gate_factor=1)["id"]
    stranger = Person(shop)
    for _ in range(5):
        answer = stranger.client.post(f"/sales/{sale}/challenges")
        assert (answer.status, answer.code) == (403, "not_listed")
    listed(shop, sale, stranger.id)
    assert stranger.client.post(f"/sales/{sale}/challenges").status == 201, "the list counts at once"


def test_listed_buyers_first_and_then_everybody(shop):
    until = instants.from_now(seconds=5)
    sale = shop.sale(audience="listed_first", listed_until=until)
    assert (sale["audience"], sale["listed_until"]) == ("listed_first", until)
    sale = sale["id"]
    person, stranger = Person(shop), Person(shop)
    listed(shop, sale, person.phone)
    assert person.enter(sale).status == 201
    answer = stranger.enter(sale)
    if instants.now() < instants.parse(until):  # a slow machine may be late already
        assert (answer.status, answer.code, answer.body["listed_until"]) == (403, "not_listed", until)
    assert eventually(lambda: stranger.enter(sale).status == 201, SOON, "the sale to open to everybody")
    assert instants.now() >= instants.parse(until)
    operator_view = shop.visitor.get(f"/sales/{sale}").body
    assert operator_view["audience"] == "listed_first", "who could buy first stays on record"


def test_somebody_who_registers_later_with_a_listed_phone_counts(shop):
    sale = shop.sale(audience="listed")["id"]
    phone = new_phone()
    listed(shop, sale, phone)
    assert Person(shop).listing(sale) is False
    assert Person(shop, phone).enter(sale).status == 201


def test_phones_count_in_every_spelling(start_shop):
    shop = start_shop(config='[accounts]\ncountry = "CN"\n')
    sale = shop.sale(audience="listed")["id"]
    national = f"138{int(new_phone()[-8:]):08d}"
    body = listed(shop, sale, f"0086{national}", f"+86 {national[:3]}-{national[3:]}", national)
    assert (body["listed"], body["given"]) == (1, 1)
    assert Person(shop, national).enter(sale).status == 201
    assert shop.operator.get(f"/admin/sales/{sale}/list.csv", headers={"Accept": "text/csv"}).raw == (
        f"phone_or_id\r\n+86{national}\r\n".encode())


def test_a_list_is_replaced_extended_downloaded_and_cleared(shop):
    sale = shop.sale(audience="listed")["id"]
    one, two, three = (Person(shop) for _ in range(3))
    assert counts(shop, sale) == (0, 0, 0)
    listed(shop, sale, one.phone, two.id)
    extended = put_list(shop, sale, f"id\n{two.id}\n{three.id}\n", "POST")
    assert extended.status == 200 and (extended.body["before"], extended.body["listed"]) == (2, 3)
    assert counts(shop, sale) == (3, 1, 2)
    table = shop.operator.get(f"/admin/sales/{sale}/list.csv").raw.decode()
    assert set(table.split()) == {"phone_or_id", one.phone, two.id, three.id}
    assert put_list(shop, sale, table).body["listed"] == 3, "a download can be sent again"
    listed(shop, sale, three.id)
    assert [person.listing(sale) for person in (one, two, three)] == [False, False, True]
    cleared = shop.operator.delete(f"/admin/sales/{sale}/list")
    assert cleared.status == 200 and cleared.body["listed"] == 0
    assert three.enter(sale).code == "not_listed"
    told = [(action, after) for action, before, after in actions(shop, sale) if action.startswith("sale.list")]
    assert told == [("sale.list_clear", {"listed": 0, "phones": 0}), ("sale.list_replace", {"listed": 1, "phones": 0}),
                    ("sale.list_replace", {"listed": 3, "phones": 1}), ("sale.list_export", {"listed": 3, "phones": 1}),
                    ("sale.list_extend", {"listed": 3, "phones": 1}), ("sale.list_replace", {"listed": 2, "phones": 1})]
    log = shop.server.log() if callable(shop.server.log) else shop.server.log
    assert one.phone not in str(log), "phones are not logged"
    shop.audit()


BAD = {
    "neither a phone nor an id": ("phone\n13800138000\n1.38E+10\n", {"line 3"}),
    "an id that is none": ("id\n0\n13\n", {"line 2"}),
    "two columns": ("phone\n13800138000,Li\n", {"line 2"}),
    "quotes": ('phone\n"1380013\n', {"line 2"}),
    "nobody": ("phone\n", {""}),
    "nothing": ("", {""}),
    "bytes": (b"phone\n\xff\xfe\n", {"line 2"}),
    "an emoji": ("phone\n🎁\n", {"line 2"}),
    "many mistakes": ("no\n" * 500, {f"line {n}" for n in range(2, 22)}),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_lines_are_named_and_nothing_is_changed(shared, name):
    text, fields = BAD[name]
    sale = shared.sale(audience="listed")["id"]
    listed(shared, sale, "13800138000")
    for method in ("PUT", "POST"):
        answer = put_list(shared, sale, text, method)
        assert (answer.status, answer.code, answer.fields) == (422, "invalid", fields), answer.body
    assert counts(shared, sale) == (1, 1, 0)


def test_what_is_no_csv_or_too_long_is_refused_with_the_bound(shared):
    sale = shared.sale(audience="listed")["id"]
    for headers in ({"Content-Type": "application/json"}, {"Content-Encoding": "gzip"},
                    {"Content-Type": "text/csv; charset=gbk"}, {"Content-Type": None}):
        answer = put_list(shared, sale, "13800138000\n", **headers)
        assert (answer.status, answer.code) == (415, "unsupported_media_type"), headers
    million = "".join(f"{phone}\n" for phone in range(13_000_000_000, 13_001_000_000))
    answer = shared.client(shared.operator.token).request("PUT", f"/admin/sales/{sale}/list", data=million.encode(),
                                                          headers=CSV)
    assert (answer.status, answer.code) == (413, "too_large") and "65536 bytes" in answer.body["detail"]
    assert counts(shared, sale) == (0, 0, 0)


def test_a_long_list_is_sent_in_pieces(shop):
    sale = shop.sale(audience="listed")["id"]
    for piece in range(10):
        phones = range(13_000_000_000 + piece * 4_000, 13_000_000_000 + (piece + 1) * 4_000)
        text = "phone\n" + "".join(f"{phone}\n" for phone in phones)
        answer = put_list(shop, sale, text, "POST" if piece else "PUT")
        assert answer.status == 200 and answer.body["listed"] == (piece + 1) * 4_000
        assert put_list(shop, sale, text, "POST").body["listed"] == (piece + 1) * 4_000, "a lost answer costs nothing"
    table = shop.operator.get(f"/admin/sales/{sale}/list.csv").raw.split()
    assert len(table) == 40_001 and table[1] == b"13000000000" and table[-1] == b"13000039999"
    last = Person(shop, "13000039999")
    assert last.enter(sale).status == 201


def test_who_may_see_and_change_a_list(shop):
    sale = shop.sale(audience="listed")["id"]
    listed(shop, sale, "13800138000")
    support = new_phone()
    add_user(shop.server.data, support, "support", PASSWORD)
    for client, status in ((shop.client(), 401), (Person(shop).client, 403), (shop.client(shop.log_in(support)), 403)):
        assert client.get(f"/admin/sales/{sale}/list").status == status
        assert client.get(f"/admin/sales/{sale}/list.csv").status == status
        assert client.delete(f"/admin/sales/{sale}/list").status == status
        for method in ("PUT", "POST"):
            assert put_list(shop, sale, "13800138001\n", method, client).status == status
    assert counts(shop, sale) == (1, 1, 0)
    assert shop.visitor.get(f"/sales/{sale}/listing").status == 401
    for path in ("/admin/sales/99/list", "/admin/sales/99/list.csv"):
        assert shop.operator.get(path).status == 404
    assert put_list(shop, 99, "13800138000\n").status == 404
    assert Person(shop).client.get("/sales/99/listing").status == 404


def test_the_audience_before_and_after_the_start(shop):
    later = dict(starts_at=instants.from_now(hours=1), ends_at=instants.from_now(hours=2))
    sale = shop.sale(**later)["id"]
    edit = lambda **change: shop.operator.put(f"/admin/sales/{sale}", change)
    assert shop.visitor.get(f"/sales/{sale}").body["audience"] == "everyone"
    assert edit(audience="listed_first").fields == {"listed_until"}
    assert edit(listed_until=instants.from_now(minutes=90)).fields == {"listed_until"}
    assert edit(audience="listed_first", listed_until=instants.from_now(hours=3)).fields == {"listed_until"}
    assert edit(audience="friends").fields == {"audience"}
    assert edit(audience="listed_first", listed_until=instants.from_now(minutes=90)).status == 200
    assert edit(name="Evening").body["audience"] == "listed_first", "what is left out stays"
    answer = edit(audience="listed")
    assert (answer.body["audience"], answer.body["listed_until"]) == ("listed", None)
    assert edit(audience="everyone").status == 200
    running = shop.sale(audience="listed")["id"]
    edit = lambda **change: shop.operator.put(f"/admin/sales/{running}", change)
    stranger = Person(shop)
    assert stranger.enter(running).code == "not_listed"
    assert edit(audience="everyone").status == 200
    assert stranger.enter(running).status == 201
    assert edit(audience="listed").fields == {"audience"}, "nobody is shut out after the start"
    assert actions(shop, running)[0][1]["audience"] == "listed"


def test_a_list_survives_a_restart_and_a_kill(shop):
    sale = shop.sale(audience="listed")["id"]
    person = Person(shop)
    listed(shop, sale, person.phone)
    token = person.client.token
    shop.restart_after_kill()
    assert shop.client(token).post(f"/sales/{sale}/passes").status == 201
    assert counts(shop, sale) == (1, 1, 0)


def test_refused_strangers_cost_no_read_each(shop):
    sale = shop.sale(audience="listed")["id"]
    stranger = Person(shop)
    assert stranger.enter(sale).code == "not_listed"
    began = time.monotonic()
    before = reads(shop)
    for _ in range(50):
        assert stranger.enter(sale).code in ("not_listed", "rate_limited")
    if time.monotonic() - began < 20:  # answers are remembered for 30 s
        assert reads(shop) - before < 25


def reads(shop):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return sum(float(line.split()[1]) for line in page.splitlines() if line.startswith("sluice_ledger_reads_total"))


def test_strangers_and_listed_buyers_in_a_rush(shop):
    sale = shop.sale(audience="listed", stock=5)["id"]
    people = shop.buyers(40)
    ids = [person.get("/sessions/current").body["user"]["id"] for person in people]
    listed(shop, sale, *ids[:10])
    codes = in_parallel([lambda person=person: person.post(f"/sales/{sale}/passes").status for person in people])
    assert codes[:10] == [201] * 10 and codes[10:] == [403] * 30


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2) as cluster:
        yield cluster


def test_a_change_of_the_list_takes_effect_on_every_node(cluster):
    first, second = cluster.shops
    sale = first.sale(audience="listed")["id"]
    person = Person(second)
    eventually(lambda: person.enter(sale).code == "not_listed", SOON, "the sale and its copy on the other node")
    listed(first, sale, person.phone)
    began = time.monotonic()
    eventually(lambda: person.enter(sale).status == 201, SOON, "the list on the other node")
    took = time.monotonic() - began
    assert took < 25, "by the sale's news, before the remembered answer lapses"
    assert second.operator.delete(f"/admin/sales/{sale}/list").status == 200
    assert person.listing(sale) is False
    there = first.client(person.client.token)
    eventually(lambda: there.get(f"/sales/{sale}/listing").body["listed"] is False, SOON, "the end of the list")
