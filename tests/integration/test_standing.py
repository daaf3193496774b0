"""Standing sales: bought like any other, except while a flash sale of the item runs."""

import instants
from process import eventually


def refusals(shop, buyer, sale_id, pass_):
    """The codes of a challenge, a pass and a purchase."""
    answers = (buyer.post(f"/sales/{sale_id}/challenges"), buyer.post(f"/sales/{sale_id}/passes"),
               shop.buy(buyer, sale_id, pass_=pass_))
    assert {answer.status for answer in answers} == {409}, [answer.body for answer in answers]
    assert all("flash sale" in answer.body["detail"] for answer in answers)
    return [answer.code for answer in answers]


def test_it_gives_way_to_a_flash_sale_from_start_to_end(shop):
    item = shop.item(list_price_cents=5000)["id"]
    standing = shop.operator.post("/admin/sales", {"item_id": item, "kind": "standing", "stock": 3}).body["id"]
    one, two = shop.buyers(2)
    used, unused = shop.pass_for(one, standing), shop.pass_for(two, standing)
    first = shop.bought(one, standing, pass_=used)
    assert one.get(f"/orders/{first['order_id']}").body["price_cents"] == 5000

    flash = shop.sale(item, price_cents=100, stock=1)["id"]
    assert shop.visitor.get(f"/items/{item}").body["sale"]["id"] == flash
    assert refusals(shop, two, standing, unused) == ["conflict"] * 3
    assert shop.bought(one, standing, pass_=used) == first, "replay comes first"
    shop.bought(two, flash)
    assert shop.stock(flash)["left"] == 0
    assert refusals(shop, two, standing, unused) == ["conflict"] * 3
    assert shop.operator.post(f"/admin/sales/{flash}/pause").status == 200
    assert refusals(shop, two, standing, unused) == ["conflict"] * 3

    assert shop.operator.post(f"/admin/sales/{flash}/end").status == 200
    assert shop.visitor.get(f"/items/{item}").body["sale"]["id"] == standing
    shop.bought(two, standing, pass_=unused)
    assert shop.stock(standing) == {"total": 3, "left": 1, "held": 2, "sold": 0}
    assert shop.stock(flash)["held"] == 1, "each sells from its own stock"
    shop.audit()


def test_it_sells_until_the_flash_sale_begins(shop):
    item = shop.item()["id"]
    standing = shop.sale(item, kind="standing")["id"]
    flash = shop.sale(item, starts_at=instants.from_now(seconds=1), ends_at=instants.from_now(hours=1))["id"]
    one, two = shop.buyers(2)
    shop.bought(one, standing)
    eventually(lambda: shop.visitor.get(f"/sales/{flash}").body["state"] == "open", 3, "the start")
    assert two.post(f"/sales/{standing}/passes").code == "conflict"
    assert shop.visitor.get(f"/items/{item}").body["sale"]["id"] == flash
