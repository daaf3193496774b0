"""The hot copy of a sale's stock: it is there when the sale can sell, and agrees with the ledger."""

import instants
from ledger import change
from process import eventually
from shop import metric

WITHIN = 20  # seconds; it takes two or three on a machine with nothing else to do


def tamper(shop, statement, *values):
    """As another program would do it, behind the server's back."""
    assert change(shop, statement, *values) == 1, statement


def hot_copy(shop, sale_id):
    answer = shop.operator.get(f"/admin/sales/{sale_id}/stats")
    assert answer.status == 200, answer.body
    return answer.body["hot_copy"]


def audited(shop, sale_id):
    """What the audit over HTTP says of the hot copy."""
    answer = shop.operator.get(f"/admin/sales/{sale_id}/audit")
    assert answer.status == 200, answer.body
    [check] = [check for check in answer.body["checks"] if check["name"] == "hot copy"]
    return check


def drifted(shop, sale_id, times):
    return eventually(lambda: hot_copy(shop, sale_id)["drifts"] >= times and hot_copy(shop, sale_id),
                      WITHIN, "the drift to be seen")


def test_a_sale_that_was_over_at_the_start_sells_when_its_end_is_moved(shop):
    ends_at = instants.from_now(seconds=1)
    sale = shop.sale(stock=3, ends_at=ends_at)["id"]
    [early, late] = shop.buyers(2)
    first = shop.bought(early, sale, key="k") if instants.now() < instants.parse(ends_at) else None
    eventually(lambda: shop.visitor.get(f"/sales/{sale}").body["state"] == "ended")
    shop.restart()
    assert hot_copy(shop, sale)["state"] == "none"

    end = int((instants.now() + instants.timedelta(hours=1)).timestamp() * 1000)
    tamper(shop, "UPDATE sales SET ends_at = ?1 WHERE id = ?2", end, int(sale))
    [early, late] = [shop.client(buyer.token) for buyer in (early, late)]
    answer = eventually(lambda: (given := late.post(f"/sales/{sale}/passes")).status == 201 and given,
                        WITHIN, "a pass")
    bought = shop.bought(late, sale, pass_=answer.body["pass"])
    assert bought["state"] == "ordered"
    if first:
        again = shop.buy(early, sale, key="k", pass_=answer.body["pass"])
        assert again.status == 403, "another buyer's pass is no way in"
    eventually(lambda: hot_copy(shop, sale)["state"] == "warm", WITHIN)
    assert hot_copy(shop, sale)["epoch"] > 1
    ready = shop.visitor.get("/readyz", api=False)
    assert ready.status == 200
    assert {"name": "hot_copies", "ready": True, "detail": "", "notices": []} in ready.body["parts"]
    assert metric(shop, "sluice_cold_sales") == 0
    shop.audit()


def test_stock_that_was_changed_behind_the_servers_back_is_noticed_and_followed(shop):
    sale = shop.sale(stock=10, limit_per_buyer=2)["id"]
    buyers = shop.buyers(5)
    first = shop.bought(buyers[0], sale, key="k")
    tamper(shop, "UPDATE sales SET stock_left = stock_left - 7, stock_total = stock_total - 7"
                 " WHERE id = ?1", int(sale))
    seen = drifted(shop, sale, 1)
    assert seen["last_drift"]["difference"] == "left is 9, in the ledger 2"
    eventually(lambda: hot_copy(shop, sale)["state"] == "warm", WITHIN)
    assert metric(shop, "sluice_hot_copy_drift_total") == 1
    assert metric(shop, "sluice_hot_copies_drifting") == 0
    check = audited(shop, sale)
    assert check["holds"] and "left is 9, in the ledger 2" in check["detail"]
    assert shop.stock(sale) == {"total": 3, "left": 2, "held": 1, "sold": 0}

    # A replay is found across epochs, and what is left can be sold, no more and no less.
    again = shop.buy(buyers[0], sale, key="k")
    assert (again.status, again.body["ticket"]) == (201, first["ticket"])
    shop.bought(buyers[1], sale)
    shop.bought(buyers[2], sale)
    refused = buyers[3].post(f"/sales/{sale}/passes")
    assert (refused.status, refused.code) == (409, "sold_out")
    assert shop.stock(sale) == {"total": 3, "left": 0, "held": 3, "sold": 0}
    shop.audit()


def test_a_buyers_units_that_were_changed_are_noticed_and_followed(shop):
    sale = shop.sale(stock=10)["id"]
    [buyer] = shop.buyers(1)
    shop.bought(buyer, sale)
    assert buyer.post(f"/sales/{sale}/passes").code == "limit_reached"
    tamper(shop, "UPDATE holdings SET units = 0 WHERE sale_id = ?1", int(sale))
    seen = drifted(shop, sale, 1)
    assert "is 1, in the ledger 0" in seen["last_drift"]["difference"]
    eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 201, WITHIN, "room again")
    # The books do not add up, and the audit of the stored data says so. The hot copy follows them.
    assert audited(shop, sale)["holds"]
    tamper(shop, "UPDATE holdings SET units = 1 WHERE sale_id = ?1", int(sale))
    drifted(shop, sale, 2)
    assert eventually(lambda: buyer.post(f"/sales/{sale}/passes").code == "limit_reached", WITHIN)
    shop.audit()


def test_an_epoch_that_was_changed_closes_the_sale_for_a_moment_only(shop):
    sale = shop.sale(stock=2)["id"]
    [one, two] = shop.buyers(2)
    shop.bought(one, sale)
    tamper(shop, "UPDATE sales SET epoch = epoch + 5 WHERE id = ?1", int(sale))
    eventually(lambda: hot_copy(shop, sale)["epoch"] > 6, WITHIN, "a new epoch")
    assert shop.bought(two, sale)["state"] == "ordered"
    assert shop.stock(sale)["left"] == 0
    shop.audit()


def test_what_is_at_rest_agrees(shop):
    sale = shop.sale(stock=4)["id"]
    [one, two] = shop.buyers(2)
    order = shop.bought(one, sale)["order_id"]
    shop.bought(two, sale)
    assert one.post(f"/orders/{order}/cancel").status == 200
    assert shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": 3}).status == 200
    since = instants.write(instants.now())
    eventually(lambda: (hot_copy(shop, sale)["compared_at"] or "") > since, WITHIN, "a comparison")
    found = hot_copy(shop, sale)
    assert (found["state"], found["drifts"], found["last_drift"]) == ("warm", 0, None)
    assert audited(shop, sale)["holds"] and "agreed with the ledger" in audited(shop, sale)["detail"]
    assert metric(shop, "sluice_hot_copies") >= 1
