"""Challenges, and the passes that they lead to (fault 23)."""

import base64
import struct
import zlib
from datetime import timedelta

import pytest

import instants
from challenges import answer, ask, challenge, fail, solve, zero_bits
from client import in_parallel
from process import eventually

EASY = {"challenge": "pow", "challenge_bits": 8}
MATH_ANSWERS = 60


def refused(given, status, code):
    assert (given.status, given.code) == (status, code), given.body


def picture(given):
    """The PNG in a data URL, with its checksums verified."""
    head = "data:image/png;base64,"
    assert given["image"].startswith(head)
    png = base64.b64decode(given["image"].removeprefix(head), validate=True)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at, kinds = 8, []
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 4:at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0] == zlib.crc32(body)
        kinds.append(kind)
        at += 12 + length
    assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND"
    return png


def later_challenge(buyer, sale, than):
    """A challenge of another millisecond: those of the same one are spent together."""
    return eventually(lambda: next((given for given in [challenge(buyer, sale)]
                                    if given["expires_at"] > than["expires_at"]), None))


def life_of(given):
    return instants.parse(given["expires_at"]) - instants.now()


def test_a_proof_of_work_leads_to_a_purchase(shared):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    assert set(given) == {"challenge_id", "kind", "expires_at", "prefix", "bits"}
    assert (given["kind"], given["bits"]) == ("pow", 8)
    assert timedelta(seconds=290) < life_of(given) <= timedelta(seconds=300)
    text = solve(given)
    assert zero_bits(given["prefix"], text) >= 8
    admitted = answer(buyer, sale, given, text)
    assert admitted.status == 201, admitted.body
    shared.bought(buyer, sale, pass_=admitted.body["pass"])


def test_the_bits_of_the_configuration_and_of_the_sale(start_shop):
    shop = start_shop(arguments=["--set", "challenge.pow_bits=9"])
    sale = shop.sale(challenge="pow", starts_at=instants.from_now(hours=-1))
    assert sale["challenge_bits"] is None
    [buyer] = shop.buyers(1)
    assert challenge(buyer, sale["id"])["bits"] == 9
    for bits, shown in ((11, 11), (None, 9)):
        changed = shop.operator.put(f"/admin/sales/{sale['id']}", {"challenge_bits": bits})
        assert changed.status == 200 and changed.body["challenge_bits"] == bits
        assert challenge(buyer, sale["id"])["bits"] == shown
    shop.restart()
    assert shop.visitor.get(f"/sales/{sale['id']}").body["challenge_bits"] is None


@pytest.mark.parametrize("bits", [-1, 0, 1.5, "18", 2**40])
def test_bits_that_nobody_could_want(shared, bits):
    draft = {"item_id": shared.item()["id"], "price_cents": 1, "stock": 1, "challenge_bits": bits}
    made = shared.operator.post("/admin/sales", draft)
    refused(made, 422, "invalid")
    assert made.fields == {"challenge_bits"}


def test_a_formula_is_a_picture_that_is_never_the_same(shared):
    sale = shared.sale(challenge="math")["id"]
    [buyer] = shared.buyers(1)
    given = [challenge(buyer, sale) for _ in range(5)]
    assert all(set(each) == {"challenge_id", "kind", "expires_at", "image"} for each in given)
    assert all(each["kind"] == "math" for each in given)
    assert timedelta(seconds=55) < life_of(given[-1]) <= timedelta(seconds=60)
    assert len({picture(each) for each in given}) == len({each["challenge_id"] for each in given}) == 5
    csp = buyer.get("/time").headers["Content-Security-Policy"]
    assert "data:" in next(part for part in csp.split(";") if part.strip().startswith("img-src"))


def test_a_formula_is_guessed_once_in_sixty(start_shop):
    """A script that cannot read the picture: each try costs it a challenge, and a person would be
    through at once. The bound is wide enough to fail once in a million runs."""
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sale = shop.sale(challenge="math")["id"]
    [bot] = shop.buyers(1)
    for _ in range(14 * MATH_ANSWERS):
        given = challenge(bot, sale)
        tried = answer(bot, sale, given, " 17 ")
        if tried.status == 201:
            break
        refused(tried, 403, "challenge_failed")
        refused(answer(bot, sale, given, "18"), 403, "challenge_failed")
    shop.bought(bot, sale, pass_=tried.body["pass"])


def test_a_bot_without_an_answer_gets_nowhere(start_shop):
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sales = [shop.sale(challenge="math")["id"], shop.sale(challenge="pow", challenge_bits=28)["id"]]
    [bot] = shop.buyers(1)
    for sale in sales:
        for guess in range(30):
            given = challenge(bot, sale)
            # No formula comes to that, and no first try proves 28 bits.
            for text in ("60", "-1", "", "0x1", "1" * 64):
                refused(answer(bot, sale, given, text), 403, "challenge_failed")
        for body in (None, {}):
            missing = bot.post(f"/sales/{sale}/passes", body)
            refused(missing, 422, "invalid")
            assert missing.fields == {"challenge_id", "answer"}
        refused(bot.post(f"/sales/{sale}/orders/{'A' * 43}"), 403, "pass_invalid")
        assert shop.stock(sale)["left"] == 10


def test_a_wrong_answer_spends(shared):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    refused(answer(buyer, sale, given, fail(given)), 403, "challenge_failed")
    refused(answer(buyer, sale, given, solve(given)), 403, "challenge_failed")
    fresh = later_challenge(buyer, sale, given)
    assert answer(buyer, sale, fresh, solve(fresh)).status == 201


def test_an_earlier_challenge_is_spent_with_a_later_one(shared):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    first = challenge(buyer, sale)
    second = later_challenge(buyer, sale, first)
    assert answer(buyer, sale, second, solve(second)).status == 201
    refused(answer(buyer, sale, first, solve(first)), 403, "challenge_failed")


def test_a_challenge_of_another_buyer_or_sale(shared):
    sale, other_sale = (shared.sale(**EASY)["id"] for _ in range(2))
    buyer, thief = shared.buyers(2)
    given = challenge(buyer, sale)
    text = solve(given)
    refused(answer(thief, sale, given, text), 403, "challenge_failed")
    refused(answer(buyer, other_sale, given, text), 403, "challenge_failed")
    assert answer(buyer, sale, given, text).status == 201, "nobody else has spent it"
    refused(answer(thief, sale, given, text), 403, "challenge_failed")


def test_an_altered_challenge(shared):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    text = solve(given)
    genuine = given["challenge_id"]
    raw = base64.urlsafe_b64decode(genuine)
    for bit in range(len(raw) * 8):
        forged = bytearray(raw)
        forged[bit // 8] ^= 1 << bit % 8
        altered = {"challenge_id": base64.urlsafe_b64encode(forged).decode().rstrip("=")}
        refused(answer(buyer, sale, altered, text), 403, "challenge_failed")
    assert answer(buyer, sale, given, text).status == 201


@pytest.mark.parametrize("body, fields", [
    ({"challenge_id": "x"}, {"answer"}),
    ({"answer": "7"}, {"challenge_id"}),
    ({"challenge_id": "x" * 65, "answer": "7"}, {"challenge_id"}),
    ({"challenge_id": "x", "answer": "7" * 65}, {"answer"}),
    ({"challenge_id": 1, "answer": 7}, {"challenge_id", "answer"}),
])
def test_half_an_answer(shared, body, fields):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    wrong = buyer.post(f"/sales/{sale}/passes", body)
    refused(wrong, 422, "invalid")
    assert wrong.fields == fields


def test_a_lost_reply_is_asked_for_again(shared):
    sale = shared.sale(**EASY, stock=1, limit_per_buyer=2)["id"]
    buyer, other = shared.buyers(2)
    given = challenge(buyer, sale)
    text = solve(given)
    first = answer(buyer, sale, given, text).body
    again = answer(buyer, sale, given, text)
    without = buyer.post(f"/sales/{sale}/passes")
    for each in (again, without):
        assert (each.status, each.body) == (201, first), "the same pass, and it does not last longer"
    refused(other.post(f"/sales/{sale}/passes"), 422, "invalid")
    shared.bought(buyer, sale, pass_=first["pass"])


def test_after_buying_the_challenge_is_worth_nothing(shared):
    sale = shared.sale(**EASY, limit_per_buyer=2)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    text = solve(given)
    shared.bought(buyer, sale, pass_=answer(buyer, sale, given, text).body["pass"])
    refused(answer(buyer, sale, given, text), 403, "challenge_failed")
    refused(buyer.post(f"/sales/{sale}/passes"), 422, "invalid")


def test_a_closed_gate_does_not_spend(shared):
    sale = shared.sale(**EASY, stock=1, gate_factor=1)["id"]
    inside, outside = shared.buyers(2)
    taken = challenge(inside, sale)
    assert answer(inside, sale, taken, solve(taken)).status == 201
    given = challenge(outside, sale)
    text = solve(given)
    for _ in range(2):
        closed = answer(outside, sale, given, text)
        refused(closed, 429, "gate_closed")
        assert 1 <= int(closed.headers["Retry-After"]) <= 60
    restocked = shared.operator.post(f"/admin/sales/{sale}/restock", {"delta": 1})
    assert restocked.status == 200
    assert answer(outside, sale, given, text).status == 201


def test_one_answer_in_many_hands_takes_one_place(shared):
    sale = shared.sale(**EASY, stock=1, gate_factor=2)["id"]
    buyer, other = shared.buyers(2)
    given = challenge(buyer, sale)
    text = solve(given)
    hands = [shared.client(buyer.token) for _ in range(8)]
    answers = in_parallel([lambda hand=hand: answer(hand, sale, given, text) for hand in hands])
    assert [each.status for each in answers] == [201] * 8
    mine = challenge(other, sale)
    assert answer(other, sale, mine, solve(mine)).status == 201, "one of two places was free"


def test_one_solved_challenge_is_one_pass(shared):
    """However often its buyer asks before they buy. A second pass takes a second challenge."""
    sale = shared.sale(**EASY, stock=50, limit_per_buyer=50)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    text = solve(given)
    answers = [answer(buyer, sale, given, text) for _ in range(3)]
    answers += [buyer.post(f"/sales/{sale}/passes") for _ in range(3)]
    assert [each.status for each in answers] == [201] * 6
    for each in answers:
        shared.bought(buyer, sale, pass_=each.body["pass"])
    assert shared.stock(sale)["held"] == 1
    later = later_challenge(buyer, sale, given)
    shared.bought(buyer, sale, pass_=answer(buyer, sale, later, solve(later)).body["pass"])
    assert shared.stock(sale)["held"] == 2


BOTH = {"challenge": "math", "challenge_alternative": "pow", "challenge_bits": 8}


def test_whoever_cannot_see_proves_work_instead(shared):
    sale = shared.sale(**BOTH)
    assert (sale["challenge"], sale["challenge_alternative"]) == ("math", "pow")
    [buyer] = shared.buyers(1)
    assert challenge(buyer, sale["id"])["kind"] == "math", "as clients know it that name no kind"
    assert challenge(buyer, sale["id"], "math")["kind"] == "math"
    given = challenge(buyer, sale["id"], "pow")
    assert set(given) == {"challenge_id", "kind", "expires_at", "prefix", "bits"}
    refused(answer(buyer, sale["id"], challenge(buyer, sale["id"]), "60"), 403, "challenge_failed")
    admitted = answer(buyer, sale["id"], given, solve(given))
    assert admitted.status == 201, "the wrong sum has not spent the proof"
    shared.bought(buyer, sale["id"], pass_=admitted.body["pass"])


@pytest.mark.parametrize("sale, kind", [
    ({"challenge": "math"}, "pow"),
    ({"challenge": "pow"}, "math"),
    ({"challenge": "pow", "challenge_alternative": "pow"}, "math"),
    (BOTH, "none"),
    (BOTH, "captcha"),
    (BOTH, ""),
    (BOTH, 1),
    (BOTH, ["pow"]),
])
def test_a_kind_that_the_sale_does_not_offer(shared, sale, kind):
    sale = shared.sale(**sale)["id"]
    [buyer] = shared.buyers(1)
    wrong = buyer.post(f"/sales/{sale}/challenges", {"kind": kind})
    refused(wrong, 422, "invalid")
    assert wrong.fields == {"kind"}


def test_the_alternative_ends_when_the_operator_says_so(shared):
    sale = shared.sale(**BOTH)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale, "pow")
    text = solve(given)
    changed = shared.operator.put(f"/admin/sales/{sale}", {"challenge_alternative": "none"})
    assert changed.status == 200 and changed.body["challenge_alternative"] == "none"
    refused(answer(buyer, sale, given, text), 403, "challenge_failed")
    refused(ask(buyer, sale, "pow"), 422, "invalid")
    assert challenge(buyer, sale)["kind"] == "math"


def test_the_alternative_outlives_a_restart(start_shop):
    shop = start_shop()
    sale = shop.sale(**BOTH)["id"]
    shop.restart()
    assert shop.visitor.get(f"/sales/{sale}").body["challenge_alternative"] == "pow"


def test_no_challenge_where_none_is_needed(shared):
    sale = shared.sale()["id"]
    [buyer] = shared.buyers(1)
    for language, word in (("en", "challenge"), ("zh", "验证")):
        answered = buyer.post(f"/sales/{sale}/challenges", headers={"Accept-Language": language})
        refused(answered, 409, "conflict")
        assert word in answered.body["detail"]
    refused(ask(buyer, "1"), 404, "not_found")
    refused(buyer.post(f"/sales/{sale}/challenges", {"surprise": 1}), 422, "invalid")


@pytest.mark.parametrize("kind", ["none", "math", "pow"])
def test_a_challenge_is_refused_as_a_pass_is(shared, kind):
    [buyer] = shared.buyers(1)

    def both_refused(sale, status, code):
        for path in ("challenges", "passes"):
            refused(buyer.post(f"/sales/{sale['id']}/{path}"), status, code)

    both_refused(shared.sale(challenge=kind, starts_at=instants.from_now(hours=1)), 409, "not_started")
    both_refused(shared.sale(challenge=kind, stock=0), 409, "sold_out")
    for verb, status, code in (("pause", 503, "paused"), ("end", 409, "ended")):
        sale = shared.sale(challenge=kind)
        assert shared.operator.post(f"/admin/sales/{sale['id']}/{verb}").status == 200
        both_refused(sale, status, code)
    sale = shared.sale()
    shared.bought(buyer, sale["id"])
    assert shared.operator.put(f"/admin/sales/{sale['id']}", {"challenge": kind}).status == 200
    both_refused(sale, 409, "limit_reached")


def test_state_is_told_before_the_answer_is_looked_at(shared):
    sale = shared.sale(**EASY)["id"]
    [buyer] = shared.buyers(1)
    given = challenge(buyer, sale)
    text = solve(given)
    shared.operator.post(f"/admin/sales/{sale}/pause")
    refused(answer(buyer, sale, given, text), 503, "paused")
    shared.operator.post(f"/admin/sales/{sale}/resume")
    assert answer(buyer, sale, given, text).status == 201, "a pause has not spent it"


def test_a_challenge_does_not_outlive_the_process(start_shop):
    shop = start_shop()
    sale = shop.sale(**EASY)["id"]
    token = shop.minted(1)[0]
    given = challenge(shop.client(token), sale)
    shop.restart()
    refused(answer(shop.client(token), sale, given, solve(given)), 403, "challenge_failed")


def test_a_flood_of_formulas_does_not_hold_up_the_others(start_shop):
    shop = start_shop(arguments=["--set", "limits.enabled=false", "--set", "challenge.draw_backlog=2"])
    sale = shop.sale(challenge="math")["id"]
    crowd = shop.buyers(24)

    def storm(buyer):
        answers = [ask(buyer, sale) for _ in range(12)]
        assert all(each.status == 201 or (each.status, each.code) == (503, "busy") for each in answers)
        return [each.status for each in answers]

    statuses = sum(in_parallel([lambda buyer=buyer: storm(buyer) for buyer in crowd]), [])
    assert statuses.count(201) >= 1 and statuses.count(503) >= 1
    assert shop.visitor.get("/time").status == 200


def test_a_bot_that_reuses_passes_buys_once(start_shop):
    """With one solved challenge: repeatedly, in parallel, from another account and session."""
    shop = start_shop(arguments=["--set", "limits.enabled=false"])
    sale, other_sale = (shop.sale(**EASY, stock=50, limit_per_buyer=50)["id"] for _ in range(2))
    phone = shop.register()["phone"]
    bot, second_session = (shop.client(shop.log_in(phone)) for _ in range(2))
    [accomplice] = shop.buyers(1)
    given = challenge(bot, sale)
    pass_ = answer(bot, sale, given, solve(given)).body["pass"]
    for thief, where in ((accomplice, sale), (bot, other_sale)):
        refused(shop.buy(thief, where, pass_=pass_), 403, "pass_invalid")
    hands = [shop.client(each.token) for each in (bot, second_session) * 4]
    bought = in_parallel([lambda hand=hand: [shop.buy(hand, sale, pass_=pass_) for _ in range(5)]
                          for hand in hands])
    tickets = {each.body["ticket"] for answers in bought for each in answers}
    assert len(tickets) == 1 and shop.stock(sale) == {"total": 50, "left": 49, "held": 1, "sold": 0}
    refused(bot.post(f"/sales/{sale}/passes"), 422, "invalid")
    shop.audit()


def test_every_bit_of_a_pass_counts(shared):
    sale = shared.sale()["id"]
    [buyer] = shared.buyers(1)
    genuine = shared.pass_for(buyer, sale)
    raw = base64.urlsafe_b64decode(genuine + "=")
    client = shared.client(buyer.token)
    for bit in range(0, len(raw) * 8, 17):
        forged = bytearray(raw)
        forged[bit // 8] ^= 1 << bit % 8
        text = base64.urlsafe_b64encode(forged).decode().rstrip("=")
        refused(shared.buy(client, sale, pass_=text), 403, "pass_invalid")
    shared.bought(buyer, sale, pass_=genuine)
