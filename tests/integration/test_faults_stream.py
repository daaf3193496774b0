"""Streams whose client misbehaves, whose session ends, and whose server goes away."""

import random
import struct

import pytest

from process import eventually, run
from stream import BINARY, CLOSE, PING, PONG, TEXT, Stream, frame, upgrade_request
from wire import Closed, Wire


def connect(shop, token, **options):
    stream = Stream(shop.server.port, token, **options)
    assert stream.reply.status == 101, stream.reply
    return stream


def refused(shop, token, **options):
    with Stream(shop.server.port, token, **options) as stream:
        return stream.reply.status, stream.reply.code


def figure(shop, line):
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return next(float(row.split()[-1]) for row in page.splitlines() if row.startswith(line))


def ended(shop, reason):
    return figure(shop, f'sluice_streams_ended_total{{reason="{reason}"}}')


def is_well(shop):
    """Others are served as usual."""
    [buyer] = shop.buyers(1)
    with connect(shop, buyer.token) as stream:
        stream.watch(shop.sale()["id"])
        return stream.read()["type"] == "sale"


def test_logging_out_ends_that_sessions_streams(shared):
    phone = shared.register()["phone"]
    first, second = (shared.client(shared.log_in(phone)) for _ in range(2))
    with connect(shared, first.token) as one, connect(shared, first.token) as two, \
            connect(shared, second.token) as other:
        assert first.delete("/sessions/current").status == 204
        assert one.parted() == two.parted() == (1008, "session_ended")
        assert other.is_silent()
        assert second.delete("/sessions").status == 204
        assert other.parted() == (1008, "session_ended")
    assert refused(shared, first.token) == (401, "unauthenticated")


def test_another_process_ends_the_session(shared):
    phone = shared.register()["phone"]
    with connect(shared, shared.log_in(phone)) as stream, connect(shared, shared.minted(1)[0]) as other:
        done = run("user", "log-out", "--data", shared.server.data, "--phone", phone)
        assert done.returncode == 0, done.stderr
        assert stream.parted() == (1008, "session_ended")
        assert other.is_silent(), "whose session was forgotten too, and found again"


def test_a_block_ends_the_buyers_streams(shared):
    buyer, other = shared.buyers(2)
    id_ = buyer.get("/sessions/current").body["user"]["id"]
    with connect(shared, buyer.token) as stream, connect(shared, other.token) as another:
        assert shared.operator.put(f"/admin/blocks/{id_}", {}).status == 200
        assert stream.parted() == (1008, "blocked")
        assert another.is_silent()
    assert refused(shared, buyer.token) == (403, "forbidden")
    assert buyer.get("/orders").status == 200, "what they have, they can still see"


def test_a_block_of_the_address_ends_its_streams(start_shop):
    shop = start_shop(env={"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.0/8"})
    [token] = shop.minted(1)
    with connect(shop, token, headers={"X-Forwarded-For": "192.0.2.7"}) as stream, \
            connect(shop, token, headers={"X-Forwarded-For": "192.0.2.8"}) as other:
        assert shop.operator.put("/admin/blocks/192.0.2.7", {}).status == 200
        assert stream.parted() == (1008, "blocked")
        assert other.is_silent()


def test_streams_of_one_user_and_of_one_address(start_shop):
    shop = start_shop(env={"SLUICE_STREAMS_PER_USER": "2", "SLUICE_STREAMS_PER_ADDRESS": "3"})
    one, two = shop.minted(2)
    first, second = connect(shop, one), connect(shop, one)
    assert refused(shop, one) == (429, "rate_limited")
    third = connect(shop, two)
    assert refused(shop, two) == (429, "rate_limited"), "the address has three"
    first.close()
    eventually(lambda: figure(shop, "sluice_streams_open") == 2)
    connect(shop, one).close()
    for stream in (second, third):
        assert stream.is_silent()
        stream.close()


def test_all_streams_leave_room_for_requests(start_shop):
    shop = start_shop(env={"SLUICE_HTTP_MAX_CONNECTIONS": "20", "SLUICE_HTTP_CONNECTIONS_PER_NETWORK": "20"})
    streams = [connect(shop, token) for token in shop.minted(15)]
    [token] = shop.minted(1)
    assert refused(shop, token) == (503, "busy")
    assert shop.visitor.get("/time").status == 200
    for stream in streams:
        stream.close()


def test_an_exempt_network_has_no_limit_by_address(start_shop):
    shop = start_shop(env={"SLUICE_STREAMS_PER_ADDRESS": "1", "SLUICE_LIMITS_EXEMPT": "127.0.0.0/8"})
    streams = [connect(shop, token) for token in shop.minted(3)]
    for stream in streams:
        stream.close()


def test_too_many_sales(start_shop):
    shop = start_shop(env={"SLUICE_STREAMS_WATCHED": "2"})
    item = shop.item()["id"]
    one, two, three = (shop.sale(item)["id"] for _ in range(3))
    with connect(shop, shop.minted(1)[0]) as stream:
        stream.watch(one, two, three)
        told = [stream.read() for _ in range(3)]
        assert [message["type"] for message in told] == ["sale", "sale", "error"]
        assert (told[2]["code"], told[2]["ids"]) == ("invalid", [three])
        stream.say({"unwatch": [one], "watch": [three]})
        assert stream.read()["id"] == three


def test_a_message_that_is_too_long(shared):
    with connect(shared, shared.minted(1)[0]) as stream:
        stream.say("x" * 4096)
        assert stream.read()["code"] == "malformed"
        stream.say("x" * 4097)
        assert stream.parted()[0] == 1009
    with connect(shared, shared.minted(1)[0]) as stream:
        for _ in range(100):
            stream.wire.try_send(frame("x" * 100, TEXT if _ == 0 else 0, final=False))
        assert stream.parted()[0] == 1009, "nor may it be in many pieces"


@pytest.mark.parametrize("opcode", [TEXT, PING, PONG])
def test_too_many_messages(shared, opcode):
    before = ended(shared, "rate_limited")
    with connect(shared, shared.minted(1)[0]) as stream:
        stream.wire.send(b"".join(frame("{}", opcode) for _ in range(40)))
        assert stream.parted() == (1008, "rate_limited")
    eventually(lambda: ended(shared, "rate_limited") == before + 1)


QUICK = {"SLUICE_STREAMS_MESSAGES_PER_SECOND": "1000", "SLUICE_STREAMS_MESSAGE_BYTES": "65536",
         "SLUICE_STREAMS_QUEUE": "16", "SLUICE_STREAMS_WATCHED": "16"}


PROVOCATION = frame('{"watch":["' + "7" * 60_000 + '"]}')


def provoke(stream, times):
    """Each answer is about as long as the question. Made once: a client that is slow at asking is told,
    and cut off, before it has asked all."""
    for _ in range(times):
        if not stream.wire.try_send(PROVOCATION):
            return


def test_a_slow_reader_is_dropped_and_told(start_shop):
    shop = start_shop(env=QUICK)
    with connect(shop, shop.minted(1)[0], receive_buffer=4096) as stream:
        provoke(stream, 200)
        assert stream.parted() == (1013, "slow_reader")
    eventually(lambda: ended(shop, "slow_reader") == 1)
    assert is_well(shop)


def test_one_who_never_reads_is_cut_off(start_shop):
    shop = start_shop(env=QUICK)
    with connect(shop, shop.minted(1)[0], receive_buffer=4096) as stream:
        provoke(stream, 200)
        eventually(lambda: figure(shop, "sluice_streams_open") == 0, seconds=15)
        assert ended(shop, "slow_reader") == 1


def test_silence_is_asked_about_and_the_dead_are_dropped(start_shop):
    shop = start_shop(env={"SLUICE_STREAMS_HEARTBEAT_SECONDS": "1"})
    alive, dead = (connect(shop, token) for token in shop.minted(2))
    assert dead.read_frame()[0] == PING
    assert alive.read_frame()[0] == PING
    alive.wire.send(frame(b"", 10))
    eventually(lambda: ended(shop, "dead") == 1)
    assert alive.read_frame()[0] == PING, "answered once, it is asked again"
    alive.close()
    dead.close()


def test_a_ping_that_cannot_get_out_is_not_followed_by_another(start_shop):
    """Pongs make the server ask again while a write is stuck; a ping lost there would keep the stream, and
    a server that is told to stop, for ever."""
    shop = start_shop(env={**QUICK, "SLUICE_STREAMS_QUEUE": "4096", "SLUICE_STREAMS_HEARTBEAT_SECONDS": "1",
                           "SLUICE_HTTP_WRITE_SECONDS": "4"})
    with connect(shop, shop.minted(1)[0], receive_buffer=4096) as stream:
        provoke(stream, 100)

        def parted():
            stream.wire.try_send(frame(b"", PONG))
            return figure(shop, "sluice_streams_open") == 0

        eventually(parted, seconds=15)
    assert ended(shop, "slow_reader") == 1
    shop.stop()


def test_text_in_pieces_and_controls_between(shared):
    with connect(shared, shared.minted(1)[0]) as stream:
        sale = shared.sale()["id"]
        stream.wire.send(frame('{"watch":["', final=False) + frame(b"now", PING)
                         + frame(sale, 0, final=False) + frame("", 0, final=False) + frame('"]}', 0))
        assert stream.read_frame()[1] == b"now"
        assert stream.read()["id"] == sale


def test_text_only(shared):
    with connect(shared, shared.minted(1)[0]) as stream:
        stream.wire.send(frame(b"{}", BINARY))
        assert stream.parted() == (1003, "text_only")


@pytest.mark.parametrize("rubbish, code", [
    (frame("{}", masked=False), 1002),
    (frame("{}", reserved=0x40), 1002),
    (frame("{}", 3), 1002),
    (frame("{}", 11), 1002),
    (frame("{}", 0), 1002),
    (frame("{", final=False) + frame("}"), 1002),
    (frame(b"x", PING, final=False), 1002),
    (frame(b"x" * 126, PING), 1002),
    (frame(b"\x03", CLOSE), 1002),
    (frame(struct.pack("!H", 1005), CLOSE), 1002),
    (frame(struct.pack("!H", 1000) + b"\xff", CLOSE), 1002),
    (frame(b"\xff\xfe"), 1007),
    (b"\x81\xff" + struct.pack("!Q", 2**63) + b"mask", None),
    (b"\x81\xfe" + struct.pack("!H", 5) + b"mask", 1002),
    (b"\x81\xff" + struct.pack("!Q", 2**40) + b"mask", 1009),
])
def test_broken_frames(shared, rubbish, code):
    with connect(shared, shared.minted(1)[0]) as stream:
        stream.wire.send(rubbish)
        if code is None:
            assert stream.hung_up()
        else:
            assert stream.parted()[0] == code
    assert is_well(shared)


def test_random_bytes(shared):
    chance = random.Random(5)
    tokens = shared.minted(40)
    for token in tokens:
        with connect(shared, token) as stream:
            valid = frame(chance.randbytes(chance.randrange(20)), chance.choice([TEXT, PING, CLOSE]))
            noise = bytearray(valid * chance.randrange(1, 4) + chance.randbytes(chance.randrange(64)))
            for _ in range(chance.randrange(4)):
                noise[chance.randrange(len(noise))] = chance.randrange(256)
            stream.wire.try_send(bytes(noise))
            stream.wire.finish_sending()
            assert stream.hung_up()
    assert is_well(shared)


def test_leaving_without_a_word(shared):
    open_before = figure(shared, "sluice_streams_open")
    for token in shared.minted(20):
        stream = connect(shared, token)
        stream.wire.socket.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: a reset
        stream.close()
    eventually(lambda: figure(shared, "sluice_streams_open") <= open_before)
    assert is_well(shared)


def test_whoever_speaks_too_early(shared):
    [token] = shared.minted(1)
    request, _ = upgrade_request(token)
    with Wire(shared.server.port) as wire:
        wire.send(request + frame("{}"))
        reply = wire.read()
        assert (reply.status, reply.code) == (400, "malformed")
        wire.assert_closed()


def test_the_server_says_goodbye_when_it_drains(start_shop):
    shop = start_shop()
    polite, deaf = (connect(shop, token) for token in shop.minted(2))
    shop.server.terminate()
    assert polite.parted() == (1001, "draining")
    polite.close()
    assert deaf.read_frame()[0] == CLOSE
    # Which the deaf one does not answer; it does not keep the server from ending.
    assert shop.server.wait() == 0
    with pytest.raises(Closed):
        deaf.read_frame()
