"""A ticket is found from the first moment that an answer has named it."""

from ledger_lock import Later, backlog, held_ledger
from process import eventually


def test_a_ticket_that_was_named_before_its_commit(shop):
    sale = shop.sale()["id"]
    token = shop.minted(1)[0]
    one, two = shop.client(token), shop.client(token)
    first, second = shop.pass_for(one, sale), shop.pass_for(two, sale)
    stranger = shop.buyers(1)[0]
    assert two.get(f"/sales/{sale}/ticket").status == 404

    with held_ledger(shop):
        bought = Later(lambda: shop.buy(one, sale, pass_=first))
        eventually(lambda: backlog(shop) == 1, what="the claim of the first tab")
        told = shop.buy(two, sale, pass_=second)
        assert (told.status, told.code) == (409, "limit_reached")
        ticket = told.body["ticket"]
        found = {"ticket": ticket, "sale_id": sale}
        queued = {**found, "state": "queued", "wait_seconds": 1}
        for path in (f"/tickets/{ticket}", f"/sales/{sale}/ticket"):
            assert (two.get(path).status, two.get(path).body) == (200, queued), path
            assert stranger.get(path).status == 404
        assert two.post(f"/sales/{sale}/passes").body["ticket"] == ticket

    assert bought.answer().status == 201 and bought.answer().body["ticket"] == ticket
    for path in (f"/tickets/{ticket}", f"/sales/{sale}/ticket"):
        assert two.get(path).body == {**found, "state": "ordered", "order_id": bought.answer().body["order_id"]}


def test_the_latest_ticket_is_the_one_that_is_on_its_way(shop):
    sale = shop.sale(limit_per_buyer=2)["id"]
    buyer = shop.buyers(1)[0]
    shop.bought(buyer, sale, key="first")
    pass_ = shop.pass_for(buyer, sale)
    with held_ledger(shop):
        bought = Later(lambda: shop.buy(shop.client(buyer.token), sale, pass_=pass_, key="second"))
        eventually(lambda: backlog(shop) == 1, what="the second claim")
        latest = buyer.get(f"/sales/{sale}/ticket").body
        assert latest["state"] == "queued"
    assert bought.answer().body["ticket"] == latest["ticket"]
    assert buyer.get(f"/tickets/{latest['ticket']}").body["state"] == "ordered"
