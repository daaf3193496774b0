"""As much of AMQP 0-9-1 as the tests need to look into a broker and to put things there."""

import socket
import struct

METHOD, HEADER, BODY, HEARTBEAT = 1, 2, 3, 8
END = b"\xce"
# (class, method) of the frames that the tests speak of.
PUBLISH, RETURN, DELIVER, ACK, NACK = (60, 40), (60, 50), (60, 60), (60, 80), (60, 120)


class AmqpError(Exception):
    pass


def read_frame(stream):
    """(type, channel, payload), or None at the end. `stream` is a file for reading."""
    head = stream.read(7)
    if len(head) < 7:
        return None
    kind, channel, size = struct.unpack(">BHI", head)
    rest = stream.read(size + 1)
    if len(rest) < size + 1:
        return None
    if rest[-1:] != END:
        raise AmqpError("a frame without its end")
    return kind, channel, rest[:-1]


def encode_frame(kind, channel, payload):
    return struct.pack(">BHI", kind, channel, len(payload)) + payload + END


def method_of(frame):
    """(class, method) of a method frame; None for other frames."""
    return struct.unpack(">HH", frame[2][:4]) if frame[0] == METHOD else None


class AmqpClient:
    """One connection with one channel, in confirm mode. `with AmqpClient(port) as client:`"""

    def __init__(self, port, user="sluice", password="sluice", timeout=30):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout)
        self._stream = self._socket.makefile("rb")
        try:
            self._open(user, password)
        except BaseException:
            self.close()
            raise

    def _open(self, user, password):
        self._socket.sendall(b"AMQP\x00\x00\x09\x01")
        self._expect((10, 10), channel=0)
        login = b"\0" + user.encode() + b"\0" + password.encode()
        # The frames are as long as the broker likes, and there are no heartbeats: no connection here lasts.
        self._send((10, 11), _table({}) + _short("PLAIN") + _long(login) + _short("en_US"), channel=0)
        tune = self._expect((10, 30), channel=0)
        self._longest = struct.unpack(">I", tune[2:6])[0] or 131_072
        self._send((10, 31), tune[:6] + b"\0\0", channel=0)
        self._call((10, 40), _short("/") + b"\0\0", (10, 41), channel=0)
        self._call((20, 10), b"\0", (20, 11))
        self._call((85, 10), b"\0", (85, 11))

    def count(self, queue):
        """(messages that wait, consumers) of an existing queue."""
        said = self._call((50, 10), b"\0\0" + _short(queue) + b"\1" + _table({}), (50, 11))
        return struct.unpack(">II", said[1 + said[0]:])

    def declare(self, queue, **arguments):
        """A durable queue, with arguments such as x_queue_type="quorum"."""
        named = {name.replace("_", "-"): value for name, value in arguments.items()}
        self._call((50, 10), b"\0\0" + _short(queue) + b"\2" + _table(named), (50, 11))

    def delete(self, queue):
        self._call((50, 40), b"\0\0" + _short(queue) + b"\0", (50, 41))

    def publish(self, queue, body, content_type=None):
        """Persistent. Returns whether the broker has confirmed it."""
        self._send(PUBLISH, b"\0\0" + _short("") + _short(queue) + b"\0")
        flags, properties = 0x1000, b"\2"
        if content_type is not None:
            flags, properties = flags | 0x8000, _short(content_type) + properties
        frames = [encode_frame(HEADER, 1, struct.pack(">HHQH", 60, 0, len(body), flags) + properties)]
        room = self._longest - 8
        frames += [encode_frame(BODY, 1, body[at:at + room]) for at in range(0, len(body), room)]
        self._socket.sendall(b"".join(frames))
        frame = self._read()
        if method_of(frame) not in (ACK, NACK):
            raise AmqpError(f"not a confirm: {_told(frame)}")
        return method_of(frame) == ACK

    def get(self, queue):
        """Takes the oldest message and returns its body; None when there is none."""
        self._send((60, 70), b"\0\0" + _short(queue) + b"\1")
        frame = self._read()
        if method_of(frame) == (60, 72):
            return None
        if method_of(frame) != (60, 71):
            raise AmqpError(_told(frame))
        size = struct.unpack(">Q", self._read()[2][4:12])[0]
        body = b""
        while len(body) < size:
            body += self._read()[2]
        return body

    def _call(self, method, arguments, answer, channel=1):
        self._send(method, arguments, channel)
        return self._expect(answer, channel)

    def _send(self, method, arguments, channel=1):
        self._socket.sendall(encode_frame(METHOD, channel, struct.pack(">HH", *method) + arguments))

    def _expect(self, method, channel=1):
        frame = self._read()
        if method_of(frame) != method or frame[1] != channel:
            raise AmqpError(_told(frame))
        return frame[2][4:]

    def _read(self):
        while True:
            frame = read_frame(self._stream)
            if frame is None:
                raise AmqpError("the broker hung up")
            if frame[0] != HEARTBEAT:
                return frame

    def close(self):
        self._stream.close()
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _told(frame):
    """The text of a channel.close or connection.close."""
    if method_of(frame) in ((20, 40), (10, 50)):
        return frame[2][7:7 + frame[2][6]].decode(errors="replace")
    return f"unexpected {method_of(frame)}"


def _short(text):
    data = text.encode()
    return bytes([len(data)]) + data


def _long(data):
    return struct.pack(">I", len(data)) + data


def _table(values):
    """Of texts and numbers."""
    fields = b""
    for name, value in values.items():
        fields += _short(name)
        fields += b"S" + _long(value.encode()) if isinstance(value, str) else b"l" + struct.pack(">q", value)
    return _long(fields)
