import pytest

import instants


def test_an_item_as_it_was_made(shared):
    item = shared.item(title="Teekanne 茶壶", description="two\nlines", image_url="/assets/demo/tea-set.svg",
                       list_price_cents=0, currency="EUR")
    assert item == {"id": item["id"], "title": "Teekanne 茶壶", "description": "two\nlines",
                    "image_url": "/assets/demo/tea-set.svg", "list_price_cents": 0,
                    "currency": "EUR", "category": "", "pictures": [], "archived": False, "sold": 0, "sale": None}
    assert isinstance(item["id"], str)
    assert shared.visitor.get(f"/items/{item['id']}").body == item


def test_what_may_be_left_out(shared):
    draft = {"title": "Bare", "list_price_cents": 1, "currency": "CNY"}
    item = shared.operator.post("/admin/items", draft)
    assert item.status == 201
    assert item.body["description"] == "" and item.body["image_url"] == ""


def test_ids_sort_by_creation_and_are_safe_as_strings(shared):
    ids = [int(shared.item()["id"]) for _ in range(3)]
    assert ids == sorted(ids) and len(set(ids)) == 3


def test_an_edit_changes_what_it_names(shared):
    item = shared.item()
    answer = shared.operator.put(f"/admin/items/{item['id']}", {"title": "Blue tea set"})
    assert answer.status == 200
    assert answer.body == {**item, "title": "Blue tea set"}
    assert shared.visitor.get(f"/items/{item['id']}").body == answer.body


@pytest.mark.parametrize("change, field", [
    ({"title": ""}, "title"),
    ({"title": "x" * 201}, "title"),
    ({"title": "a\nb"}, "title"),
    ({"title": None}, "title"),
    ({"description": "x" * 10_001}, "description"),
    ({"description": "bell \u0007"}, "description"),
    ({"image_url": "javascript:alert(1)"}, "image_url"),
    ({"image_url": "//evil.example/x.png"}, "image_url"),
    ({"image_url": "https://a/\"onerror=x"}, "image_url"),
    ({"list_price_cents": -1}, "list_price_cents"),
    ({"list_price_cents": 10**12 + 1}, "list_price_cents"),
    ({"currency": "cny"}, "currency"),
    ({"currency": "CNYX"}, "currency"),
    ({"currency": ""}, "currency"),
    ({"category": "x" * 41}, "category"),
    ({"category": "a\nb"}, "category"),
    ({"category": None}, "category"),
    ({"pictures": "/a.png"}, "pictures"),
    ({"pictures": [""]}, "pictures"),
    ({"pictures": ["javascript:alert(1)"]}, "pictures"),
    ({"pictures": ["/a.png", "/a.png"]}, "pictures"),
    ({"pictures": [f"/{i}.png" for i in range(9)]}, "pictures"),
    ({"archived": True}, "archived"),
    ({"id": "1"}, "id"),
    ({"sold": 5}, "sold"),
])
def test_a_wrong_field_is_refused_and_named(shared, change, field):
    draft = {"title": "Tea set", "list_price_cents": 29900, "currency": "CNY"}
    created = shared.operator.post("/admin/items", {**draft, **change})
    assert (created.status, created.code, created.fields) == (422, "invalid", {field})
    item = shared.item()
    edited = shared.operator.put(f"/admin/items/{item['id']}", change)
    assert (edited.status, edited.code, edited.fields) == (422, "invalid", {field})
    assert shared.visitor.get(f"/items/{item['id']}").body == item


def test_the_currency_stays_once_there_was_a_sale(shared):
    item = shared.item()
    assert shared.operator.put(f"/admin/items/{item['id']}", {"currency": "USD"}).status == 200
    shared.sale(item["id"])
    answer = shared.operator.put(f"/admin/items/{item['id']}", {"currency": "CNY"})
    assert (answer.status, answer.fields) == (422, {"currency"})


def test_an_item_shows_the_sale_that_counts_now(shared):
    item_id = shared.item()["id"]

    def shown():
        sale = shared.visitor.get(f"/items/{item_id}").body["sale"]
        return sale and sale["id"]

    assert shown() is None
    standing = shared.sale(item_id, kind="standing")
    assert shown() == standing["id"]
    coming = shared.sale(item_id, starts_at=instants.from_now(hours=1))
    assert shown() in (standing["id"], coming["id"])
    flash = shared.sale(item_id)
    assert shown() == flash["id"], "the running flash sale comes before the standing one"
    shared.operator.post(f"/admin/sales/{flash['id']}/end")
    assert shown() != flash["id"], "an ended sale counts no longer"
    sale = shared.visitor.get(f"/items/{item_id}").body["sale"]
    assert "item" not in sale


def test_pages_of_items_hold_each_once(shop):
    made = [shop.item(title=f"Item {i}")["id"] for i in range(7)]
    seen, cursor, pages = [], None, 0
    while pages == 0 or cursor:
        query = f"?limit=3&cursor={cursor}" if cursor else "?limit=3"
        answer = shop.visitor.get("/items" + query)
        assert answer.status == 200
        assert len(answer.body["items"]) <= 3
        seen += [item["id"] for item in answer.body["items"]]
        cursor, pages = answer.body["next_cursor"], pages + 1
    assert sorted(seen) == sorted(made)
    assert pages == 3


def test_a_page_stays_whole_while_others_add(shop):
    made = {shop.item()["id"] for _ in range(4)}
    first = shop.visitor.get("/items?limit=2").body
    made.add(shop.item()["id"])
    seen = [item["id"] for item in first["items"]]
    rest = shop.visitor.get(f"/items?limit=100&cursor={first['next_cursor']}").body["items"]
    seen += [item["id"] for item in rest]
    assert len(seen) == len(set(seen)) and set(seen) <= made and len(seen) >= 4
