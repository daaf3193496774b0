"""Secrets that let somebody in are never written down: neither in the log nor in the metrics."""

import pytest

from challenges import answer, challenge, solve
from shop import PASSWORD


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_secret_is_logged(start_shop, form):
    shop = start_shop(env={"SLUICE_LOG_LEVEL": "debug", "SLUICE_LOG_FORMAT": form})
    phone = shop.register()["phone"]
    buyer = shop.client(shop.log_in(phone))
    sale = shop.sale(challenge="pow", challenge_bits=8)["id"]
    given = challenge(buyer, sale)
    solved = solve(given)
    pass_ = answer(buyer, sale, given, solved).body["pass"]
    shop.bought(buyer, sale, key="key-that-names-a-wish", pass_=pass_)

    # And what goes wrong, which is when people log most.
    wrong = "a wrong password, nearly right"
    assert shop.visitor.post("/sessions", {"phone": phone, "password": wrong}).status == 401
    assert shop.visitor.post("/sessions", data=f'{{"phone": "{phone}", "password": "{wrong}"'.encode()).status == 400
    assert shop.client(buyer.token + "x").get("/orders").status == 401
    assert shop.buy(shop.operator, sale, pass_=pass_).status == 403
    assert buyer.post("/sales/1/passes", headers={"Cookie": f"sluice_session={buyer.token}"}).status == 404
    assert shop.visitor.get(f"/nowhere/{buyer.token}?token={buyer.token}").status == 404
    figures = shop.visitor.get("/metrics", api=False).raw.decode()
    shop.stop()

    log = shop.server.log()
    assert "server.started" in log
    for secret in (PASSWORD, wrong, buyer.token, shop.operator.token, pass_, given["challenge_id"],
                   "key-that-names-a-wish", phone):
        assert secret not in log and secret not in figures, secret
