"""A WebSocket byte by byte: a client for streams, and the frames that a correct client never sends."""

import base64
import hashlib
import json
import os
import random
import struct
import time

from wire import Closed, Wire

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10

MASKS = random.Random(1)  # the same in each process, since frames are parameters of tests


def frame(payload, opcode=TEXT, final=True, masked=True, reserved=0):
    data = payload.encode() if isinstance(payload, str) else payload
    head = bytes([(0x80 if final else 0) | reserved | opcode])
    mask_bit = 0x80 if masked else 0
    if len(data) < 126:
        head += bytes([mask_bit | len(data)])
    elif len(data) < 65536:
        head += bytes([mask_bit | 126]) + struct.pack("!H", len(data))
    else:
        head += bytes([mask_bit | 127]) + struct.pack("!Q", len(data))
    if not masked:
        return head + data
    mask = MASKS.randbytes(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))


class Parted(Exception):
    """The server has sent a close frame."""

    def __init__(self, code, reason):
        super().__init__(code, reason)
        self.code, self.reason = code, reason


def upgrade_request(token=None, headers=None, target="/api/v1/stream", host="127.0.0.1"):
    """(the bytes, the key they contain); a header given as None is left out."""
    key = base64.b64encode(os.urandom(16)).decode()
    fields = {"Host": host, "Connection": "Upgrade", "Upgrade": "websocket",
              "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key}
    if token:
        fields["Authorization"] = f"Bearer {token}"
    fields.update(headers or {})
    lines = [f"{name}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join([f"GET {target} HTTP/1.1", *lines, "", ""]).encode(), key


class Stream:
    def __init__(self, port, token=None, headers=None, timeout=5, receive_buffer=None, source=None):
        self.wire = Wire(port, timeout, receive_buffer, source)
        request, key = upgrade_request(token, headers, host=f"127.0.0.1:{port}")
        self.wire.send(request)
        self.reply = self.wire.read_head()
        if self.reply.status != 101:
            length = int(self.reply.headers["content-length"])
            self.reply.body = self._take(length)
            return
        expected = base64.b64encode(hashlib.sha1(key.encode() + GUID).digest()).decode()
        assert self.reply.headers["sec-websocket-accept"] == expected

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.wire.socket.close()

    def _take(self, length):
        while len(self.wire._pending) < length:
            self.wire._more()
        data, self.wire._pending = self.wire._pending[:length], self.wire._pending[length:]
        return data

    def read_frame(self):
        """(opcode, payload) of the next frame, whatever it is."""
        first, second = self._take(2)
        assert first & 0x80 and not first & 0x70, "whole, and without extensions"
        assert not second & 0x80, "a server does not mask"
        length = second & 0x7f
        if length == 126:
            [length] = struct.unpack("!H", self._take(2))
        elif length == 127:
            [length] = struct.unpack("!Q", self._take(8))
        return first & 0x0f, self._take(length)

    def read(self, seconds=60):
        """The next message; pings are answered, and a close frame is answered and raised."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            opcode, payload = self.read_frame()
            if opcode == PING:
                self.wire.send(frame(payload, PONG))
            elif opcode == CLOSE:
                self.wire.try_send(frame(payload, CLOSE))
                code = struct.unpack("!H", payload[:2])[0] if payload else None
                raise Parted(code, payload[2:].decode())
            elif opcode == TEXT:
                return json.loads(payload)
        raise AssertionError(f"only pings for {seconds} s")

    def read_until(self, found):
        """All messages up to the first that is looked for."""
        messages = []
        while not messages or not found(messages[-1]):
            messages.append(self.read())
        return messages

    def say(self, message):
        self.wire.send(frame(message if isinstance(message, (str, bytes)) else json.dumps(message)))
        return self

    def watch(self, *sales):
        return self.say({"watch": list(sales)})

    def parted(self):
        """The server's close frame; messages before it are skipped."""
        try:
            while True:
                self.read()
        except Parted as parted:
            return parted.code, parted.reason

    def hung_up(self):
        """Whether the server has closed the connection, after everything that it still had to send."""
        try:
            while True:
                self.read_frame()
        except Closed:
            return True

    def is_silent(self):
        """No message came before the answer to our ping: everything on its way had time to arrive."""
        self.wire.send(frame(b"here?", PING))
        opcode, payload = self.read_frame()
        assert (opcode, payload) == (PONG, b"here?"), (opcode, payload)
        return True
