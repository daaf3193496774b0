"""The figures of a sale while it runs, and its history."""

import time

import instants
from process import eventually
from provider import Bought


def stats(shop, sale_id):
    answer = shop.operator.get(f"/admin/sales/{sale_id}/stats")
    assert answer.status == 200, answer.body
    assert answer.body["sale_id"] == sale_id
    return answer.body


def history(shop, sale_id, **query):
    text = "&".join(f"{name}={value}" for name, value in query.items())
    answer = shop.operator.get(f"/admin/sales/{sale_id}/stats/history?{text}")
    assert answer.status == 200, answer.body
    return answer.body


def settled(shop, sale_id, **expected):
    """The figures, once they are as expected; that is within a second."""
    began = time.monotonic()
    eventually(lambda: expected.items() <= stats(shop, sale_id)["funnel"].items(), 2,
               f"{expected} in {stats(shop, sale_id)['funnel']}")
    assert time.monotonic() - began < 1.5  # a second, and what a busy machine takes
    return stats(shop, sale_id)


def visit(shop, sale_id):
    assert shop.visitor.post(f"/sales/{sale_id}/visits").status == 204


def go_through_once(shop):
    """A sale of two units and what three buyers make of it."""
    sale = shop.sale(stock=2, challenge="pow")["id"]
    one, two, three = shop.buyers(3)
    for _ in range(2):
        visit(shop, sale)
    for _ in range(3):
        shop.visitor.get(f"/sales/{sale}")  # looking is no visit: open pages ask again and again
    assert one.post(f"/sales/{sale}/challenges").status == 201
    assert shop.operator.put(f"/admin/sales/{sale}", {"challenge": "none"}).status == 200
    kept = shop.pass_for(one, sale)
    first = shop.bought(one, sale, pass_=kept)
    assert shop.bought(one, sale, pass_=kept) == first  # a replay
    late = shop.pass_for(three, sale)
    shop.bought(two, sale)
    assert shop.buy(three, sale, pass_=late).code == "sold_out"
    assert three.post(f"/sales/{sale}/passes").code == "sold_out"
    assert shop.visitor.post(f"/sales/{sale}/passes").code == "unauthenticated"
    return sale


COUNTED = {"visits": 2, "challenges": 1, "passes": 3, "attempts": 4, "claims": 2, "orders": 2,
           "paid": 0, "expired": 0, "refusals": {"sold_out": 2, "unauthenticated": 1}}


def test_each_step_is_counted_once(shop):
    sale = go_through_once(shop)
    seen = settled(shop, sale, **COUNTED)
    assert seen["stock"] == {"total": 2, "left": 0, "held": 2, "sold": 0}
    assert seen["backlog"] == 0
    latency = seen["latency"]
    assert 0 < latency["p50_ms"] <= latency["p90_ms"] <= latency["p99_ms"] <= latency["p999_ms"]
    age = instants.parse(shop.visitor.get("/time").body["now"]) - instants.parse(seen["at"])
    assert age.total_seconds() < 1.5


def test_what_became_of_the_orders_is_counted(shop):
    sale = shop.sale(stock=5, hold_seconds=2)["id"]
    paid, expired, cancelled, refunded = (Bought(shop, buyer, sale) for buyer in shop.buyers(4))
    for order in (paid, refunded):
        order.press(order.pay(), "succeed")
        order.becomes("paid")
    assert cancelled.buyer.post(f"/orders/{cancelled.id}/cancel").status == 200
    assert shop.operator.post(f"/admin/orders/{refunded.id}/refund").status == 200
    settled(shop, sale, orders=4, paid=2, expired=0)
    expired.becomes("expired")
    seen = settled(shop, sale, orders=4, paid=2, expired=1)
    assert seen["stock"] == {"total": 5, "left": 4, "held": 0, "sold": 1}
    shop.restart()
    assert stats(shop, sale)["funnel"] == seen["funnel"]
    points = history(shop, sale, resolution="second")["points"]
    for step in ("orders", "paid", "expired"):
        assert sum(point["funnel"][step] for point in points) == seen["funnel"][step], step
    late = Bought(shop, shop.buyers(1)[0], sale)
    late.press(late.pay(), "succeed")
    late.becomes("paid")
    settled(shop, sale, orders=5, paid=3, expired=1)
    shop.audit()


def test_a_sale_that_nobody_has_seen_has_nothing(shop):
    sale = shop.sale()["id"]
    assert not any(count for count in stats(shop, sale)["funnel"].values())
    assert history(shop, sale)["points"] == []
    assert stats(shop, sale)["latency"]["p999_ms"] == 0


def test_made_up_sales_are_not_counted(shop):
    for path in ("/sales/12345", "/sales/12345/passes", "/sales/x"):
        shop.visitor.get(path)
    for sale in ("12345", "x"):
        assert shop.visitor.post(f"/sales/{sale}/visits").status == 404
    assert shop.operator.get("/admin/sales/12345/stats").status == 404
    assert shop.operator.get("/admin/sales/12345/stats/history").status == 404


def test_history_adds_up_and_is_kept(shop):
    sale = go_through_once(shop)
    settled(shop, sale, **COUNTED)
    shop.restart()
    assert stats(shop, sale)["funnel"] == COUNTED
    for resolution in ("second", "minute"):
        points = history(shop, sale, resolution=resolution)["points"]
        assert [p["at"] for p in points] == sorted({p["at"] for p in points})
        for step in ("visits", "attempts", "claims", "orders"):
            assert sum(p["funnel"][step] for p in points) == COUNTED[step]
        assert sum(p["funnel"]["refusals"].get("sold_out", 0) for p in points) == 2
        assert points[-1]["stock"] == {"total": 2, "left": 0, "held": 2, "sold": 0}

    visit(shop, sale)
    settled(shop, sale, **{**COUNTED, "visits": 3})
    eventually(lambda: sum(p["funnel"]["visits"] for p in history(shop, sale)["points"]) == 3, 3,
               "a second that is over is shown before it is written")


def test_a_crash_costs_counts_but_no_orders(shop):
    sale = go_through_once(shop)
    settled(shop, sale, **COUNTED)
    shop.restart_after_kill()
    seen = stats(shop, sale)["funnel"]
    assert seen["orders"] == 2 and seen["visits"] <= 2
    visit(shop, sale)
    settled(shop, sale, orders=2, visits=seen["visits"] + 1)


def test_a_stretch_of_history_is_asked_for(shop):
    sale = go_through_once(shop)
    settled(shop, sale, **COUNTED)
    eventually(lambda: history(shop, sale)["points"], 3, "a point")
    visit(shop, sale)
    eventually(lambda: len(history(shop, sale)["points"]) >= 2, 3, "another point")
    first, *rest = history(shop, sale)["points"]
    assert history(shop, sale, to=first["at"])["points"] == []
    assert history(shop, sale, **{"from": first["at"], "to": rest[0]["at"]})["points"] == [first]
    page = history(shop, sale, limit=1)
    assert page["points"] == [first] and page["next_from"] == rest[0]["at"]
    assert history(shop, sale, **{"from": page["next_from"]})["points"] == rest

    path = f"/admin/sales/{sale}/stats/history"
    for query, field in (("resolution=hour", "resolution"), ("from=yesterday", "from"),
                         ("to=1", "to"), ("limit=3601", "limit"),
                         ("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z", "to")):
        answer = shop.operator.get(f"{path}?{query}")
        assert answer.status == 422 and answer.fields == {field}
