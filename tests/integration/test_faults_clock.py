"""Fault 14: the system's clock steps, by an hour ahead or back, for a moment or for good."""

import json
import re
import time

import pytest

from instants import from_now, now, parse
from ledger import change, look, open_ledger
from process import eventually, run
from provider import Bought, sign, succeeded, tell
from receiver import Receiver
from shop import PASSWORD, metric, new_phone
from stepped import BY_BOUND, BY_FLAG, logged, part

HOUR = 3600
INSIDE = {"SLUICE_WEBHOOKS_ALLOW_PRIVATE": "127.0.0.0/8", "SLUICE_WEBHOOKS_FIRST_PAUSE_MS": "1200000"}
both_ways = pytest.mark.parametrize("step", [HOUR, -HOUR])


@pytest.fixture
def start(start_shop, clock):
    """A shop on that clock."""
    return lambda env=None, **options: start_shop(env={**clock.env, **(env or {})}, **options)


@pytest.fixture
def receiver(tmp_path):
    receiver = Receiver(tmp_path / "receiver")
    yield receiver
    receiver.stop()


def shown(shop):
    return parse(shop.visitor.get("/time").body["now"])


def error(shop):
    """By how many seconds the shop's time is ahead of the true time."""
    return (shown(shop) - now()).total_seconds()


def state(shop, sale):
    return shop.visitor.get(f"/sales/{sale}").body["state"]


def hold(shop, seconds=900):
    [buyer] = shop.buyers(1)
    return Bought(shop, buyer, shop.sale(hold_seconds=seconds)["id"])


def put_off_refund(shop):
    """Owed, and due in twenty minutes."""
    order = hold(shop)
    order.press(order.pay(), "succeed")
    order.becomes("paid")
    assert shop.operator.post(f"/admin/orders/{order.id}/refund").status == 200
    order.refunded(1)
    with open_ledger(shop.server.data) as ledger:
        # The sandbox tells of the refund too, which would settle it again.
        letters = "SELECT count(*) FROM sandbox_letters WHERE due_at IS NOT NULL"
        eventually(lambda: ledger.value(letters) == 0, 10, "all letters delivered")
        ledger.change("UPDATE refunds SET done_at = NULL, next_attempt_at = ?1", round((time.time() + 1200) * 1000))
    return order


class Waiting:
    """Everything in a shop that waits for its time."""

    def __init__(self, shop, receiver):
        self.shop, self.receiver = shop, receiver
        self.refund = put_off_refund(shop)
        receiver.answer(500)
        assert shop.operator.post("/admin/webhooks", {"url": receiver.url(), "events": ["order.created"]}).status == 201
        self.order = hold(shop)
        self.due = shop.sale(starts_at=from_now(minutes=30))["id"]
        self.full = shop.sale(stock=1, gate_factor=1)["id"]
        self.inside, self.outside = shop.buyers(2)
        shop.pass_for(self.inside, self.full)
        eventually(lambda: len(receiver.heard()) == 1, 10, "the first attempt")

    def is_as_it_was(self):
        assert abs(error(self.shop)) < 1
        assert self.order.state == "pending"
        assert state(self.shop, self.due) == "scheduled"
        assert self.outside.post(f"/sales/{self.full}/passes").status == 429, "the place is taken"
        assert [each["state"] for each in self.refund.refunds()] == ["owed"]
        assert len(self.receiver.heard()) == 1


def holds_for(seconds, check):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        check()


@both_ways
def test_a_step_that_is_taken_back_changes_nothing(start, clock, receiver, step):
    shop = start(INSIDE)
    waiting = Waiting(shop, receiver)
    waiting.is_as_it_was()
    clock.step(step)
    holds_for(2, waiting.is_as_it_was)
    logged(shop, "clock.step_suspected")
    clock.step(0)
    logged(shop, "clock.agrees")
    holds_for(2, waiting.is_as_it_was)
    assert "clock.moved" not in shop.server.log()
    assert "clock.following" not in shop.server.log()
    shop.audit()


@both_ways
def test_a_step_is_noticed_and_shown_while_it_lasts(start, clock, step):
    shop = start()
    assert part(shop) == ""
    assert abs(metric(shop, "sluice_clock_offset_seconds")) < 1
    hold(shop)  # somebody relies on the time
    clock.step(step)
    detail = eventually(lambda: part(shop), 3, "a word about the clock")
    assert f"{HOUR}.0 s {'ahead of' if step > 0 else 'behind'} the shop's" in detail
    assert abs(metric(shop, "sluice_clock_offset_seconds") - step) < 1
    assert metric(shop, "sluice_clock_steps_total") == 1
    clock.step(0)
    eventually(lambda: part(shop) == "", 3, "agreement")
    assert metric(shop, "sluice_clock_steps_total") == 1


@both_ways
def test_what_lasts_is_followed_by_a_tenth(start, clock, step):
    shop = start({"SLUICE_CLOCK_PATIENCE_SECONDS": "1"})
    order = hold(shop, seconds=4)
    clock.step(step)
    logged(shop, "clock.following")
    assert "followed gradually" in part(shop)
    began, first = time.monotonic(), shown(shop)
    eventually(lambda: time.monotonic() - began > 2, 5)
    pace = (shown(shop) - first).total_seconds() / (time.monotonic() - began)
    low, high = (1.05, 1.12) if step > 0 else (0.88, 0.95)
    assert low < pace < high, pace
    # No hold lasts less than ten elevenths of its length.
    brief = hold(shop, seconds=3)
    made = time.monotonic()
    brief.becomes("expired", seconds=8)
    assert time.monotonic() - made > 3 / 1.1 - 0.2
    order.becomes("expired", seconds=5)
    clock.step(0)
    eventually(lambda: part(shop) == "", 15, "agreement")
    shop.audit()


def test_the_time_never_goes_back(start, clock):
    shop = start({"SLUICE_CLOCK_PATIENCE_SECONDS": "1"})
    hold(shop)
    seen = [shown(shop)]
    clock.step(-HOUR)
    holds_for(4, lambda: seen.append(shown(shop)))
    assert "clock.following" in shop.server.log()
    assert seen == sorted(seen)


def test_a_place_is_free_after_a_minute_whatever_the_clock_does(start, clock, long):
    if not long:
        pytest.skip("takes a minute")
    shop = start()
    sale = shop.sale(stock=1, gate_factor=1)["id"]
    one, two = shop.buyers(2)
    shop.pass_for(one, sale)
    clock.step(-HOUR)
    eventually(lambda: two.post(f"/sales/{sale}/passes").status == 201, 75, "a free place")


@both_ways
def test_who_has_the_right_time_is_heard_meanwhile(start, clock, step):
    """A provider goes by its own clock; we cannot tell which of ours is right."""
    shop = start()
    orders = [hold(shop) for _ in range(3)]
    told = [succeeded(order.pay(), order.total) for order in orders]
    clock.step(step)
    logged(shop, "clock.step_suspected")

    def tell_at(event, shift):
        body = json.dumps(event).encode()
        return tell(shop.visitor, event, signature=sign(body, at=int(time.time()) + shift)).status

    assert tell_at(told[0], 0) == 200
    assert tell_at(told[1], step) == 200
    assert tell_at(told[2], -step) == 403
    assert [order.state for order in orders] == ["paid", "paid", "pending"]


def test_events_are_dated_by_the_shop(start, clock, receiver):
    """A trigger dates them. By the system's clock they would be due in an hour."""
    shop = start(INSIDE)
    shop.operator.post("/admin/webhooks", {"url": receiver.url(), "events": ["order.created"]})
    sale = shop.sale()["id"]
    [buyer] = shop.buyers(1)
    hold(shop)
    clock.step(HOUR)
    logged(shop, "clock.step_suspected")
    shop.bought(buyer, sale)
    [_, heard] = receiver.hears(2)
    assert abs((parse(heard.event["created_at"]) - now()).total_seconds()) < 10


def test_other_processes_go_by_the_time_of_the_server(start, clock):
    shop = start()
    hold(shop)
    eventually((shop.server.data / "shop.clock").exists, 5, "a note of the time")
    clock.step(HOUR)
    phone = new_phone()
    done = run("user", "add", "--data", shop.server.data, "--phone", phone, "--role", "buyer", "--password-stdin",
               stdin=PASSWORD + "\n", env=clock.env)
    assert done.returncode == 0, done.stderr
    [[created]] = look(shop, "SELECT created_at FROM users WHERE phone = ?1", phone)
    assert abs(created / 1000 - time.time()) < 10


def forget_note(shop):
    (shop.server.data / "shop.clock").unlink()


def reboot(shop, clock):
    """The machine starts; the server does not run yet."""
    shop.stop()
    note = shop.server.data / "shop.clock"
    note.write_text(re.sub(r"^\S+", "another-boot", note.read_text()))
    clock.pretend_uptime(20)


def heals(shop, clock):
    eventually(lambda: abs(error(shop) - clock.passed) < 1, 10, "the right time")
    assert part(shop) == ""
    assert "clock.moved" in shop.server.log()
    assert "clock.following" not in shop.server.log()


@both_ways
def test_a_restart_goes_on_from_the_time_before(start, clock, step):
    shop = start()
    order = hold(shop)
    due = shop.sale(starts_at=from_now(minutes=30))["id"]
    eventually((shop.server.data / "shop.clock").exists, 5, "a note of the time")
    shop.kill()
    clock.step(step)
    shop._start_again()
    order.buyer = shop.client(order.buyer.token)

    def right():
        assert abs(error(shop)) < 1
        assert order.state == "pending"
        assert state(shop, due) == "scheduled"

    holds_for(2, right)
    logged(shop, "clock.step_suspected")
    clock.step(0)
    logged(shop, "clock.agrees")
    right()


def test_the_first_start_with_a_clock_ahead_heals(start, clock):
    clock.step(HOUR)
    shop = start()
    sale = shop.sale(starts_at=from_now(minutes=30))["id"]
    assert state(shop, sale) == "open"
    clock.step(0)
    eventually(lambda: state(shop, sale) == "scheduled", 10, "the right time")
    assert abs(error(shop)) < 1
    assert "clock.moved" in shop.server.log()


def test_a_machine_that_starts_with_a_clock_ahead_keeps_its_holds(start, clock):
    clock.pretend_uptime(30)
    shop = start()
    order = hold(shop)
    shop.stop()
    forget_note(shop)
    clock.step(HOUR)
    shop._start_again()
    order.buyer = shop.client(order.buyer.token)
    assert error(shop) > HOUR - 60
    holds_for(2, lambda: order.state == "pending" or pytest.fail("the hold has expired"))
    clock.pass_time(75)
    holds_for(2, lambda: order.state == "pending" or pytest.fail("the hold has expired"))
    clock.step(0)
    heals(shop, clock)
    assert order.state == "pending"


def test_a_start_with_a_clock_that_was_never_set_heals(start, clock):
    clock.step(-int(time.time()) + HOUR)
    shop = start()
    assert error(shop) < -HOUR
    clock.step(0)
    eventually(lambda: abs(error(shop)) < 1, 10, "the right time")


def test_a_clock_behind_the_record_is_named_and_heals(start, clock):
    shop = start()
    reboot(shop, clock)
    clock.step(-HOUR)
    shop._start_again()
    assert "before the last one on record" in part(shop)
    assert "clock.behind_the_record" in shop.server.log()
    clock.pass_time(75)
    shop.restart()  # which must not make the wrong time the record
    assert "before the last one on record" in part(shop)
    shop.sale()  # which opens at once
    clock.step(0)
    heals(shop, clock)


def test_the_first_start_with_a_clock_behind_heals(start, clock):
    clock.step(-HOUR)
    shop = start()
    clock.pass_time(20)
    clock.step(0)
    heals(shop, clock)


def test_a_hardware_clock_in_local_time_heals(start, clock):
    clock.pretend_uptime(20)
    clock.step(8 * HOUR)
    shop = start()
    sale = shop.sale(starts_at=from_now(hours=1))["id"]
    clock.pass_time(75)
    assert state(shop, sale) == "open"
    clock.step(0)
    heals(shop, clock)
    assert state(shop, sale) == "scheduled"


def test_a_restart_before_the_clock_is_right_heals(start, clock):
    clock.pretend_uptime(20)
    clock.step(8 * HOUR)
    shop = start()
    eventually((shop.server.data / "shop.clock").exists, 5, "a note of the time")
    shop.restart()
    clock.pass_time(75)
    clock.step(0)
    heals(shop, clock)


@both_ways
def test_a_step_changes_no_window_while_the_shop_waits_for_buyers(start, clock, step):
    """Nobody has a pass or an order. So the time is set at once, but not before the step has lasted."""
    shop = start()
    running = shop.sale(starts_at=from_now(minutes=-30))["id"]
    due = shop.sale(starts_at=from_now(minutes=30))["id"]
    clock.pass_time(61)

    def is_as_it_was():
        assert state(shop, running) == "open"
        assert state(shop, due) == "scheduled"

    def step_for(seconds):
        clock.step(step)
        eventually(lambda: "not followed" in part(shop), 3, "a word about the clock")
        clock.pass_time(seconds)
        holds_for(1, is_as_it_was)

    step_for(50)
    clock.step(0)
    eventually(lambda: part(shop) == "", 3, "agreement")
    holds_for(1, is_as_it_was)
    assert "clock.moved" not in shop.server.log()
    step_for(50)
    clock.pass_time(10)
    logged(shop, "clock.moved")
    assert abs(error(shop) - clock.passed - step) < 1
    assert state(shop, due if step > 0 else running) == ("open" if step > 0 else "scheduled")


def owe_refund(shop, _):
    order = put_off_refund(shop)

    def settle():
        change(shop, "UPDATE refunds SET next_attempt_at = 0")

    return order, settle


def put_off_delivery(shop, receiver):
    receiver.answer(500)
    answer = shop.operator.post("/admin/webhooks", {"url": receiver.url(), "events": ["order.created"]})
    order = hold(shop)
    eventually(lambda: len(receiver.heard()) == 1, 10, "the first attempt")
    assert order.buyer.post(f"/orders/{order.id}/cancel").status == 200

    def settle():
        receiver.answer(200)
        [delivery] = shop.operator.get(f"/admin/webhooks/{answer.body['id']}/deliveries").body["deliveries"]
        assert shop.operator.post(f"/admin/webhooks/deliveries/{delivery['id']}/resend").status == 200

    return order, settle


@pytest.mark.parametrize("put_off", [owe_refund, put_off_delivery])
def test_the_time_is_not_set_while_something_waits_for_it(start, clock, receiver, put_off):
    """No sale is open and nobody has a hold, so nothing else is in the way."""
    shop = start(INSIDE)
    order, settle = put_off(shop, receiver)
    assert shop.operator.post(f"/admin/sales/{order.sale}/end").status == 200
    clock.step(HOUR)
    eventually(lambda: "not followed" in part(shop), 3, "a word about the clock")
    clock.pass_time(30)
    holds_for(2, lambda: "not followed" in part(shop) or pytest.fail("the time was set"))
    settle()
    logged(shop, "clock.moved", 15)
    assert abs(error(shop) - clock.passed - HOUR) < 1


@pytest.mark.parametrize("word", [BY_FLAG, BY_BOUND])
def test_the_kernel_can_vouch_for_a_clock(start, clock, word):
    clock.step(-HOUR)
    shop = start()
    shop.sale()
    clock.pass_time(2 * HOUR)
    clock.step(0, synchronised=word)
    heals(shop, clock)
    # From now on it is a step like any other.
    clock.step(HOUR)
    eventually(lambda: "not followed" in part(shop), 3, "a word about the clock")
    clock.pass_time(61)
    logged(shop, "clock.following")


def test_a_hold_by_a_clock_behind_is_not_cut_short(start, clock):
    shop = start()
    reboot(shop, clock)
    clock.step(-HOUR)
    shop._start_again()
    order = hold(shop)
    clock.pass_time(75)
    clock.step(0)
    eventually(lambda: "not followed" in part(shop), 3, "a word about the clock")
    clock.pass_time(61)
    logged(shop, "clock.following")
    assert order.state == "pending"
    assert error(shop) < clock.passed - HOUR + 30
    assert order.buyer.post(f"/orders/{order.id}/cancel").status == 200
    eventually(lambda: abs(error(shop) - clock.passed) < 1, 10, "the right time")
    shop.audit()


def test_an_operator_can_say_that_the_clock_is_right(start, clock):
    shop = start()
    eventually((shop.server.data / "shop.clock").exists, 5, "a note of the time")
    shop.stop()
    clock.step(HOUR)
    shop.server.arguments.append("--trust-clock")
    shop._start_again()
    assert abs(error(shop) - HOUR) < 1
    assert part(shop) == ""
