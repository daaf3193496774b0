"""Users who share an address with somebody who attacks, and users who share one without that. Every client comes
through a trusted proxy, from an address of its own."""

import pytest

from challenges import answer, ask, challenge, solve
from process import eventually
from provider import Bought
from test_abuse_holds import BEHIND_A_PROXY, OFFICE, from_
from test_limits import change, rate

LIMITED = {"config": BEHIND_A_PROXY, "env": {"SLUICE_LIMITS_ENABLED": "true"}}
ELSEWHERE = "198.51.100.7"


class Neighbour:
    """Somebody who is logged in and asks from one address."""

    def __init__(self, client, address=OFFICE):
        self.client, self.address = client, address

    def post(self, path, body=None, headers=None):
        return self.client.post(path, body, headers={**from_(self.address), **(headers or {})})

    def get(self, path):
        return self.client.get(path, headers=from_(self.address))


@pytest.fixture
def shop(start_shop):
    return start_shop(**LIMITED)


def guess(person, sale):
    """A wrong answer, since no formula has the result 60."""
    asked = ask(person, sale)
    return answer(person, sale, asked.body, "60") if asked.status == 201 else asked


def test_guessers_do_not_keep_their_neighbours_out_of_a_sale_with_pictures(shop):
    sale = shop.sale(challenge="math")["id"]
    people = [Neighbour(client) for client in shop.buyers(30)]
    guessers, honest = people[:28], people[28:]
    answers = [guess(person, sale) for person in guessers for _ in range(3)]
    assert [each.status for each in answers[:60]] == [403] * 60
    stopped = [each for each in answers[60:] if each.status == 429]
    assert len(stopped) >= 4, "a third time they wait with their address"
    assert any('"answer_address"' in each for each in stopped[-1].headers.get_all("RateLimit-Policy"))
    for person in honest:
        given = challenge(person, sale)
        assert answer(person, sale, given, "60").code == "challenge_failed", "people may be wrong"
        assert ask(person, sale).status == 201, "and try again"


@pytest.mark.parametrize("token", [None, "made up", "x" * 64])
def test_a_stranger_does_not_use_up_what_is_there_for_the_logged_in(start_shop, token):
    """The attack: without any account, as fast as one person may, from the address of an office."""
    shop = start_shop(config=BEHIND_A_PROXY, env={**LIMITED["env"], "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "1"})
    sale = shop.sale(stock=20)["id"]
    office = [Neighbour(client) for client in shop.buyers(8)]
    stranger = Neighbour(shop.client(token))
    for person in office:
        refused = [stranger.post(f"/sales/{sale}/passes").status for _ in range(30)]
        assert set(refused) <= {401, 429} and 429 in refused, "the stranger is held to a rate"
        assert shop.bought(person, sale)


def test_whoever_has_logged_out_uses_up_no_more_than_one_of_the_office(start_shop):
    """A token stays genuine when its session has ended, and nobody knows that without looking it up."""
    shop = start_shop(config=BEHIND_A_PROXY, env={**LIMITED["env"], "SLUICE_LIMITS_PEOPLE_PER_ADDRESS": "2"})
    sale = shop.sale(stock=20)["id"]
    office = [Neighbour(client) for client in shop.buyers(8)]
    gone = Neighbour(shop.buyer())
    assert gone.client.delete("/sessions/current").status == 204
    answers = [gone.post(f"/sales/{sale}/passes") for _ in range(60)]
    assert answers[0].status == 401 and answers[-1].status == 429
    assert rate(answers[-1])[0] == "buyer"
    for person in office:
        assert shop.bought(person, sale)


def test_a_network_holds_no_more_than_its_bound(shop):
    """The attack: one address with many accounts takes all units and pays for none."""
    change(shop, {"holders_per_network": 5})
    sale = shop.sale(stock=30, gate_factor=5)["id"]
    crowd = [Neighbour(client) for client in shop.buyers(30)]
    answers = [person.post(f"/sales/{sale}/passes") for person in crowd]
    assert [each.status for each in answers] == [201] * 5 + [429] * 25
    told = answers[-1]
    assert (told.code, told.body["reason"]) == ("gate_closed", "network_full")
    assert 10 <= int(told.headers["Retry-After"]) < 20
    for person, given in zip(crowd[:5], answers):
        shop.bought(person, sale, pass_=given.body["pass"])
    assert shop.stock(sale)["held"] == 5
    for person in crowd[5:]:
        assert person.post(f"/sales/{sale}/passes").status == 429
    assert shop.bought(Neighbour(shop.buyers(1)[0], ELSEWHERE), sale)
    other = shop.sale()["id"]
    assert crowd[5].post(f"/sales/{other}/passes").status == 201, "another sale"


def test_people_of_one_office_take_turns_as_they_pay(shop):
    change(shop, {"holders_per_network": 2})
    sale = shop.sale(stock=30)["id"]
    office = [Neighbour(client) for client in shop.buyers(6)]
    for person in office:
        # Whether others have paid is looked up once a second.
        given = eventually(lambda: person.post(f"/sales/{sale}/passes").body.get("pass"), 10, "a pass")
        order = Bought(shop, person, sale, 1, pass_=given)
        order.press(order.pay(), "succeed")
        order.becomes("paid")
    assert shop.stock(sale)["sold"] == 6


def test_a_challenge_is_not_asked_of_whoever_could_not_buy(shop):
    change(shop, {"holders_per_network": 1})
    sale = shop.sale(challenge="pow", challenge_bits=8)["id"]
    first, second = (Neighbour(client) for client in shop.buyers(2))
    given = challenge(first, sale)
    assert answer(first, sale, given, solve(given)).status == 201
    refused = ask(second, sale)
    assert (refused.status, refused.body["reason"]) == (429, "network_full")
    change(shop, {"holders_per_network": None})
    assert ask(second, sale).status == 201, "no bound unless somebody sets one"


def test_a_bound_that_is_none_is_refused(shop):
    for value in (-1, 100_001, "5", 1.5):
        answer_ = shop.operator.put("/admin/limits", {"holders_per_network": value})
        assert (answer_.status, answer_.fields) == (422, {"holders_per_network"}), value
    assert shop.operator.get("/admin/limits").body["limits"]["holders_per_network"] == {"value": 0, "source": "default"}


def test_exempt_networks_have_no_bound(start_shop):
    shop = start_shop(config=BEHIND_A_PROXY + f'[limits]\nholders_per_network = 1\nexempt = ["{OFFICE}"]\n',
                      env=LIMITED["env"])
    sale = shop.sale()["id"]
    for client in shop.buyers(3):
        shop.bought(Neighbour(client), sale)
    first, second = (Neighbour(client, ELSEWHERE) for client in shop.buyers(2))
    shop.bought(first, sale)
    assert second.post(f"/sales/{sale}/passes").body["reason"] == "network_full"
