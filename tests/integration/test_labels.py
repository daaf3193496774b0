"""Names and labels of sales, and archived items."""

import csv
import html
import io

import pytest

import instants


def ids(page):
    return {sale["id"] for sale in page.body["sales"]}


def test_sales_are_found_by_campaign_and_tag(shop):
    item = shop.item()["id"]
    morning = shop.sale(item, campaign="11.11", tags=["tea", "礼物"])["id"]
    evening = shop.sale(item, campaign="11.11", starts_at=instants.from_now(hours=1))["id"]
    other = shop.sale(item, campaign="12.12", tags=["tea"])["id"]
    shop.sale(item)
    assert ids(shop.visitor.get("/sales?campaign=11.11")) == {morning, evening}
    assert ids(shop.visitor.get("/sales?campaign=11.11&state=open")) == {morning}
    assert ids(shop.visitor.get("/sales?tag=tea")) == {morning, other}
    assert ids(shop.visitor.get("/sales?tag=%E7%A4%BC%E7%89%A9")) == {morning}
    assert ids(shop.visitor.get("/sales?tag=te")) == set()
    first = shop.visitor.get("/sales?tag=tea&limit=1")
    second = shop.visitor.get(f"/sales?tag=tea&limit=1&cursor={first.body['next_cursor']}")
    assert ids(first) | ids(second) == {morning, other} and second.body["next_cursor"] is None


@pytest.mark.parametrize("query, field", [
    (f"campaign={'x' * 41}", "campaign"),
    (f"tag={'x' * 31}", "tag"),
    ("tag=%20", "tag"),
    ("tag=", "tag"),
    ("campaign=%zz", "campaign"),
])
def test_a_label_that_no_sale_can_have_is_refused(shared, query, field):
    answer = shared.visitor.get(f"/sales?{query}")
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {field})


def test_labels_are_edited_and_cleared_while_the_sale_runs(shop):
    sale = shop.sale(name="Evening", campaign="11.11", tags=["tea"])["id"]
    for change in ({"name": "双十一"}, {"tags": ["gift", "tea"]}, {"name": "", "campaign": "", "tags": []}):
        answer = shop.operator.put(f"/admin/sales/{sale}", change)
        assert answer.status == 200
        assert {field: answer.body[field] for field in change} == change
        shown = shop.visitor.get(f"/sales/{sale}").body
        assert {field: shown[field] for field in change} == change
    before = shop.visitor.get(f"/sales/{sale}").body
    shop.restart()
    after = shop.visitor.get(f"/sales/{sale}").body
    assert [after[field] for field in ("name", "campaign", "tags")] == ["", "", []]
    assert before["item"] == after["item"]
    edits = [entry for entry in shop.operator.get("/admin/audit-trail?limit=100").body["entries"]
             if entry["action"] == "sale.edit"]
    assert (edits[-1]["before"]["name"], edits[-1]["after"]["name"]) == ("Evening", "双十一")


def test_labels_survive_a_restart(shop):
    sale = shop.sale(name="双十一 🎁", campaign="11.11", tags=["tea", "礼物"])["id"]
    shop.restart()
    shown = shop.visitor.get(f"/sales/{sale}").body
    assert (shown["name"], shown["campaign"], shown["tags"]) == ("双十一 🎁", "11.11", ["tea", "礼物"])


def test_the_name_stands_where_people_see_the_sale(shop):
    sale = shop.sale(name="双十一 <b>")["id"]
    buyer = shop.buyer()
    order = shop.bought(buyer, sale)["order_id"]
    assert buyer.get(f"/orders/{order}").body["sale_name"] == "双十一 <b>"
    assert buyer.get("/orders").body["orders"][0]["sale_name"] == "双十一 <b>"
    assert shop.operator.get("/admin/orders").body["orders"][0]["sale_name"] == "双十一 <b>"
    rows = list(csv.DictReader(io.StringIO(shop.operator.get("/admin/orders.csv").raw.decode(), newline="")))
    assert [row["sale_name"] for row in rows] == ["双十一 <b>"]
    page = shop.visitor.request("GET", f"/s/{sale}", api=False).raw.decode()
    assert f"<title>{html.escape('Tea set · 双十一 <b>')}</title>" in page


def shelves(shop, which=None):
    query = "" if which is None else f"?archived={which}"
    return {item["id"] for item in shop.visitor.get(f"/items{query}").body["items"]}


def test_an_item_is_archived_and_brought_back(shop):
    kept, away = shop.item()["id"], shop.item()["id"]
    for _ in range(2):  # the second time changes nothing
        answer = shop.operator.post(f"/admin/items/{away}/archive")
        assert (answer.status, answer.body["archived"]) == (200, True)
    assert shelves(shop) == shelves(shop, "none") == {kept}
    assert shelves(shop, "only") == {away} and shelves(shop, "all") == {kept, away}
    refused = shop.operator.post("/admin/sales", {"item_id": away, "price_cents": 1, "stock": 1})
    assert (refused.status, refused.code) == (409, "conflict") and "archived" in refused.body["detail"]
    shop.restart()
    assert shelves(shop, "only") == {away}
    assert shop.visitor.get(f"/items/{away}").body["archived"] is True
    for _ in range(2):
        answer = shop.operator.post(f"/admin/items/{away}/restore")
        assert (answer.status, answer.body["archived"]) == (200, False)
    assert shelves(shop) == {kept, away}
    assert shop.sale(away)["state"] == "open"
    deeds = [entry["action"] for entry in shop.operator.get("/admin/audit-trail").body["entries"]
             if entry["subject"] == away]
    assert deeds == ["item.restore", "item.archive", "item.create"]


@pytest.mark.parametrize("more", [{}, {"starts_at": "2200-01-01T00:00:00Z"}, {"kind": "standing"}, {"stock": 0}])
def test_an_item_with_a_sale_that_goes_on_stays(shared, more):
    item = shared.item()["id"]
    sale = shared.sale(item, **more)["id"]
    refused = shared.operator.post(f"/admin/items/{item}/archive")
    assert (refused.status, refused.code) == (409, "conflict") and "not ended" in refused.body["detail"]
    assert shared.visitor.get(f"/items/{item}").body["archived"] is False
    assert shared.operator.post(f"/admin/sales/{sale}/end").status == 200
    assert shared.operator.post(f"/admin/items/{item}/archive").status == 200
    assert shared.visitor.get(f"/sales/{sale}").body["item"]["archived"] is True


def test_which_items_is_one_of_three_words(shared):
    answer = shared.visitor.get("/items?archived=yes")
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {"archived"})


def test_a_category_and_further_pictures(shop):
    item = shop.item(category=" 茶具 ", pictures=["/a.png", "https://shop.example/b.png"])
    assert (item["category"], item["pictures"]) == ("茶具", ["/a.png", "https://shop.example/b.png"])
    sale = shop.sale(item["id"])
    assert sale["item"]["pictures"] == item["pictures"] and sale["item"]["category"] == "茶具"
    shop.restart()
    assert shop.visitor.get(f"/items/{item['id']}").body["pictures"] == item["pictures"]
    cleared = shop.operator.put(f"/admin/items/{item['id']}", {"category": "", "pictures": []})
    assert (cleared.status, cleared.body["category"], cleared.body["pictures"]) == (200, "", [])
    assert shop.visitor.get(f"/sales/{sale['id']}").body["item"]["pictures"] == []
