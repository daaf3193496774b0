from datetime import timedelta

import pytest

import instants
from process import eventually

HOUR = timedelta(hours=1)


def test_a_sale_as_it_was_made(shared):
    item = shared.item()
    starts, ends = instants.from_now(hours=1), instants.from_now(hours=2)
    sale = shared.sale(item["id"], starts_at=starts, ends_at=ends, stock=100, limit_per_buyer=2,
                       hold_seconds=60, challenge="math", challenge_alternative="pow", challenge_bits=20,
                       gate_factor=7, unpaid_limit=4, name=" 双十一 evening\u3000", campaign=" 11.11", tags=["茶", " gift "])
    got = shared.visitor.get(f"/sales/{sale['id']}").body
    instants.parse(got.pop("now"))
    del item["sale"], item["sold"]
    expected = {"id": sale["id"], "item": item, "kind": "flash", "price_cents": 9900,
                "currency": "CNY", "starts_at": starts, "ends_at": ends, "state": "scheduled",
                "stock": {"total": 100, "left": 100, "held": 0, "sold": 0}, "limit_per_buyer": 2,
                "hold_seconds": 60, "challenge": "math", "challenge_alternative": "pow",
                "challenge_bits": 20, "gate_factor": 7, "unpaid_limit": 4,
                "name": "双十一 evening", "campaign": "11.11", "tags": ["茶", "gift"],
                "audience": "everyone", "listed_until": None}
    assert got == expected


def test_the_defaults(shared):
    before = instants.now()
    sale = shared.sale()
    assert sale["kind"] == "flash" and sale["state"] == "open"
    assert (sale["limit_per_buyer"], sale["hold_seconds"], sale["challenge"]) == (1, 900, "none")
    assert sale["challenge_alternative"] == "none"
    starts = instants.parse(sale["starts_at"])
    assert abs(starts - before) < timedelta(seconds=5)
    assert instants.parse(sale["ends_at"]) - starts == timedelta(hours=24)


def test_a_flash_sale_that_began_long_ago_still_has_its_day(shared):
    sale = shared.sale(starts_at=instants.from_now(days=-3))
    assert sale["state"] == "open"
    assert instants.parse(sale["ends_at"]) > instants.now() + 23 * HOUR


def test_a_standing_sale_takes_the_list_price_and_has_no_end(shared):
    item = shared.item(list_price_cents=777)
    answer = shared.operator.post("/admin/sales", {"item_id": item["id"], "kind": "standing", "stock": 5})
    assert answer.status == 201
    assert (answer.body["price_cents"], answer.body["ends_at"]) == (777, None)
    again = shared.operator.post("/admin/sales", {"item_id": item["id"], "kind": "standing", "stock": 5})
    assert (again.status, again.code) == (409, "conflict")


def test_any_offset_is_understood(shared):
    sale = shared.sale(starts_at="2099-11-11T20:00:00.5+08:00", ends_at="2099-11-12T00:00:00Z")
    assert sale["starts_at"] == "2099-11-11T12:00:00.500Z"
    assert sale["ends_at"] == "2099-11-12T00:00:00.000Z"


@pytest.mark.parametrize("change, state", [
    ({"starts_at": timedelta(hours=1)}, "scheduled"),
    ({"starts_at": timedelta(seconds=30)}, "scheduled"),
    ({"starts_at": timedelta()}, "open"),
    ({"starts_at": timedelta(hours=-1)}, "open"),
    ({"starts_at": timedelta(hours=-1), "ends_at": timedelta(seconds=30)}, "open"),
    ({"stock": 0}, "sold_out"),
    ({"stock": 0, "starts_at": timedelta(hours=1)}, "scheduled"),
])
def test_the_state_follows_window_and_stock(shared, change, state):
    change = {name: instants.from_now(seconds=value.total_seconds()) if isinstance(value, timedelta)
              else value for name, value in change.items()}
    sale = shared.sale(**change)
    assert sale["state"] == state
    assert shared.visitor.get(f"/sales/{sale['id']}").body["state"] == state
    found = shared.visitor.get(f"/items/{sale['item']['id']}").body["sale"]
    assert (found["id"], found["state"]) == (sale["id"], state)


def test_every_answer_is_true_at_its_own_instant(shared):
    starts, ends = (instants.now() + timedelta(milliseconds=ms) for ms in (400, 800))
    sale = shared.sale(starts_at=instants.write(starts), ends_at=instants.write(ends))
    starts, ends = instants.parse(sale["starts_at"]), instants.parse(sale["ends_at"])
    seen = set()

    def truth(now):
        return "scheduled" if now < starts else "open" if now < ends else "ended"

    def look():
        one = shared.visitor.get(f"/sales/{sale['id']}").body
        assert one["state"] == truth(instants.parse(one["now"])), one
        many = shared.visitor.get("/sales?limit=100").body
        for listed in many["sales"]:
            if listed["id"] == sale["id"]:
                assert listed["state"] == truth(instants.parse(many["now"]))
        assert abs(instants.parse(one["now"]) - instants.now()) < timedelta(seconds=1)
        seen.add(one["state"])
        return one["state"] == "ended"

    eventually(look, 5, "the end of the sale")
    assert seen == {"scheduled", "open", "ended"}


def test_pause_resume_and_end(shared):
    sale = shared.sale()

    def step(verb):
        answer = shared.operator.post(f"/admin/sales/{sale['id']}/{verb}")
        assert answer.status == 200, answer.body
        assert shared.visitor.get(f"/sales/{sale['id']}").body["state"] == answer.body["state"]
        return answer.body["state"]

    states = [step(verb) for verb in ("pause", "pause", "resume", "resume", "pause", "end", "end")]
    assert states == ["paused", "paused", "open", "open", "paused", "ended", "ended"]
    for verb in ("pause", "resume"):
        answer = shared.operator.post(f"/admin/sales/{sale['id']}/{verb}")
        assert (answer.status, answer.code) == (409, "ended")
    answer = shared.operator.put(f"/admin/sales/{sale['id']}", {"ends_at": instants.from_now(hours=1)})
    assert (answer.status, answer.code) == (409, "ended")


def test_before_the_start_everything_but_the_kind_may_change(shared):
    sale = shared.sale(starts_at=instants.from_now(hours=1))
    change = {"price_cents": 1, "starts_at": instants.from_now(hours=3),
              "ends_at": instants.from_now(hours=4), "limit_per_buyer": 3, "hold_seconds": 30,
              "challenge": "math", "challenge_bits": 8, "gate_factor": 9}
    answer = shared.operator.put(f"/admin/sales/{sale['id']}", {**change, "stock": 3})
    assert answer.status == 200
    assert {name: answer.body[name] for name in change} == change
    assert answer.body["stock"] == {"total": 3, "left": 3, "held": 0, "sold": 0}
    for wrong in ({"kind": "standing"}, {"item_id": shared.item()["id"]}):
        refused = shared.operator.put(f"/admin/sales/{sale['id']}", wrong)
        assert (refused.status, refused.fields) == (422, set(wrong))


@pytest.mark.parametrize("change, status", [
    ({"ends_at": 7200}, 200),
    ({"ends_at": None}, 200),
    ({"limit_per_buyer": 3}, 200),
    ({"limit_per_buyer": 1}, 422),
    ({"hold_seconds": 1000}, 200),
    ({"hold_seconds": 800}, 422),
    ({"challenge": "pow"}, 200),
    ({"challenge_alternative": "pow"}, 200),
    ({"challenge_bits": 20}, 200),
    ({"challenge_bits": None}, 200),
    ({"gate_factor": 2}, 200),
    ({"name": "Now with a name"}, 200),
    ({"campaign": "11.11"}, 200),
    ({"tags": ["tea"]}, 200),
    ({"price_cents": 9900}, 200),
    ({"price_cents": 9800}, 422),
    ({"starts_at": 60}, 422),
    ({"stock": 11}, 422),
    ({"ends_at": -1}, 422),
    ({}, 200),
])
def test_after_the_start_only_what_hurts_no_buyer(shared, change, status):
    sale = shared.sale(limit_per_buyer=2)
    sent = {name: instants.from_now(seconds=value) if name.endswith("_at") and value else value
            for name, value in change.items()}
    answer = shared.operator.put(f"/admin/sales/{sale['id']}", sent)
    assert answer.status == status, answer.body
    if status == 422:
        assert answer.fields == set(change)


@pytest.mark.parametrize("change, field", [
    ({"item_id": "1"}, "item_id"),
    ({"item_id": "x"}, "item_id"),
    ({"item_id": None}, "item_id"),
    ({"kind": "auction"}, "kind"),
    ({"price_cents": None}, "price_cents"),
    ({"price_cents": -1}, "price_cents"),
    ({"stock": -1}, "stock"),
    ({"stock": 10**9 + 1}, "stock"),
    ({"limit_per_buyer": 0}, "limit_per_buyer"),
    ({"limit_per_buyer": 1001}, "limit_per_buyer"),
    ({"hold_seconds": 0}, "hold_seconds"),
    ({"hold_seconds": 86401}, "hold_seconds"),
    ({"gate_factor": 0}, "gate_factor"),
    ({"gate_factor": 10001}, "gate_factor"),
    ({"challenge": "captcha"}, "challenge"),
    ({"challenge_alternative": "math"}, "challenge_alternative"),
    ({"challenge_alternative": "captcha"}, "challenge_alternative"),
    ({"challenge_alternative": True}, "challenge_alternative"),
    ({"challenge_alternative": None}, "challenge_alternative"),
    ({"challenge_bits": 7}, "challenge_bits"),
    ({"challenge_bits": 29}, "challenge_bits"),
    ({"starts_at": "tomorrow"}, "starts_at"),
    ({"starts_at": "2099-02-30T00:00:00Z"}, "starts_at"),
    ({"starts_at": "2099-01-01T00:00:00"}, "starts_at"),
    ({"starts_at": 4070908800}, "starts_at"),
    ({"ends_at": "2001-01-01T00:00:00Z"}, "ends_at"),
    ({"starts_at": "2099-01-01T00:00:00Z", "ends_at": "2099-01-01T00:00:00Z"}, "ends_at"),
    ({"name": "x" * 81}, "name"),
    ({"name": "a\nb"}, "name"),
    ({"name": None}, "name"),
    ({"campaign": "x" * 41}, "campaign"),
    ({"campaign": "bell \u0007"}, "campaign"),
    ({"tags": "tea"}, "tags"),
    ({"tags": [""]}, "tags"),
    ({"tags": ["tea", " tea "]}, "tags"),
    ({"tags": ["x" * 31]}, "tags"),
    ({"tags": ["a\nb"]}, "tags"),
    ({"tags": [str(i) for i in range(11)]}, "tags"),
    ({"tags": [1]}, "tags"),
    ({"state": "open"}, "state"),
    ({"currency": "CNY"}, "currency"),
])
def test_a_wrong_field_is_refused_and_named(shared, change, field):
    draft = {"item_id": shared.item()["id"], "price_cents": 1, "stock": 1, **change}
    answer = shared.operator.post("/admin/sales", draft)
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {field})


@pytest.mark.parametrize("change", [
    {"stock": 10**9, "limit_per_buyer": 1000, "hold_seconds": 86400, "gate_factor": 10000},
    {"stock": 0, "limit_per_buyer": 1, "hold_seconds": 1, "gate_factor": 1, "price_cents": 0},
    {"price_cents": 10**12},
    {"name": "茶" * 80, "campaign": "茶" * 40, "tags": [f"{i}" + "茶" * 29 for i in range(10)]},
    {"name": "", "campaign": "", "tags": []},
    {"ends_at": None},
])
def test_the_edges_are_taken(shared, change):
    sale = shared.sale(**change)
    assert all(sale.get(name, value) == value for name, value in change.items() if name != "stock")


def test_the_list_by_state(shop):
    wanted = {
        "scheduled": shop.sale(starts_at=instants.from_now(hours=1))["id"],
        "open": shop.sale()["id"],
        "sold_out": shop.sale(stock=0)["id"],
        "paused": shop.sale()["id"],
        "ended": shop.sale()["id"],
    }
    shop.operator.post(f"/admin/sales/{wanted['paused']}/pause")
    shop.operator.post(f"/admin/sales/{wanted['ended']}/end")
    for state, sale_id in wanted.items():
        page = shop.visitor.get(f"/sales?state={state}").body
        assert [(sale["id"], sale["state"]) for sale in page["sales"]] == [(sale_id, state)]
        assert page["next_cursor"] is None
        instants.parse(page["now"])
    everything = shop.visitor.get("/sales").body["sales"]
    assert {sale["id"] for sale in everything} == set(wanted.values())


def test_pages_of_a_filtered_list_hold_each_once(shop):
    item = shop.item()["id"]
    sales = [shop.sale(item)["id"] for _ in range(9)]
    for sale_id in sales[::2]:
        shop.operator.post(f"/admin/sales/{sale_id}/end")
    seen, cursor = [], ""
    while cursor is not None:
        more = f"&cursor={cursor}" if cursor else ""
        page = shop.visitor.get(f"/sales?state=open&limit=2{more}").body
        seen += [sale["id"] for sale in page["sales"]]
        cursor = page["next_cursor"]
    assert sorted(seen) == sorted(sales[1::2])


def test_sales_survive_a_restart(shop):
    sale = shop.sale(starts_at=instants.from_now(hours=1))
    shop.operator.post(f"/admin/sales/{sale['id']}/pause")
    before = shop.visitor.get(f"/sales/{sale['id']}").body
    shop.restart()
    after = shop.visitor.get(f"/sales/{sale['id']}").body
    before.pop("now"), after.pop("now")
    assert before == after and after["state"] == "paused"


def test_a_proxy_may_show_a_sale_for_a_second_and_a_browser_asks_each_time(shared):
    sale = shared.sale()["id"]
    for path in ("/sales", f"/sales/{sale}", "/items"):
        assert shared.visitor.get(path).headers["Cache-Control"] == "public, max-age=0, s-maxage=1"
