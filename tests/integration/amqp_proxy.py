"""Stands between the program and a RabbitMQ node, reads along, and cuts the connection at a chosen frame."""

from amqp import ACK, BODY, DELIVER, HEADER, PUBLISH, encode_frame, method_of, read_frame
from reading_proxy import ReadingProxy, hang_up

# What the program sends: a message in three frames, and an acknowledgement of messages that it has taken. What the
# broker sends: that it keeps a message, and a message in three frames.
FRAMES = ("publish", "publish header", "publish body", "ack", "confirm", "deliver", "deliver header", "deliver body")
MOMENTS = ("before", "in", "after")


class AmqpProxy(ReadingProxy):
    """Without TLS, since it reads the traffic. `seen` counts the frames of each kind."""

    def __init__(self, port):
        self.seen = dict.fromkeys(FRAMES, 0)
        super().__init__(port)

    @property
    def url(self):
        return f"amqp://127.0.0.1:{self.port}"

    def cut_next(self, frame, moment, blow=lambda: None):
        """Cuts at the next frame of that kind: "before" it, "in" it, or "after" it was sent to the other side.
        `blow` is called at that moment, before anybody notices the cut."""
        assert frame in FRAMES and moment in MOMENTS
        with self._lock:
            self._plan = (frame, moment, blow)
            self._cut.clear()

    def cut_nothing(self):
        """Cancels a planned cut."""
        with self._lock:
            self._plan = None

    def wait_for_cut(self, seconds=60):
        assert self._cut.wait(seconds), f"no frame to cut came by: {self._plan[:2]}"

    def cut_all(self):
        """Cuts every open connection, whatever its present frame."""
        with self._lock:
            for pair in self._open:
                hang_up(*pair)

    def _join(self, client, server):
        self._start(self._pass_on, client, server, _FromProgram())
        self._start(self._pass_on, server, client, _FromBroker())

    def _pass_on(self, source, target, names):
        try:
            with source.makefile("rb") as stream:
                if names.greets:
                    target.sendall(stream.read(8))
                while frame := read_frame(stream):
                    if self._cuts(names.name(frame), encode_frame(*frame), source, target):
                        return
        except OSError:
            pass
        hang_up(source, target)

    def _cuts(self, name, data, source, target):
        """Forwards a frame. Returns whether the connection was cut at it."""
        moment = blow = None
        with self._lock:
            if name is not None:
                self.seen[name] += 1
            if self._plan is not None and self._plan[0] == name:
                [_, moment, blow], self._plan = self._plan, None
        target.sendall({"before": b"", "in": data[:len(data) // 2]}.get(moment, data))
        if moment is None:
            return False
        blow()
        hang_up(source, target)
        self._cut.set()
        return True


class _FromProgram:
    greets = True

    def name(self, frame):
        if frame[0] == HEADER:
            return "publish header"
        if frame[0] == BODY:
            return "publish body"
        return {PUBLISH: "publish", ACK: "ack"}.get(method_of(frame))


class _FromBroker:
    greets = False

    def name(self, frame):
        if frame[0] == HEADER:
            return "deliver header"
        if frame[0] == BODY:
            return "deliver body"
        return {DELIVER: "deliver", ACK: "confirm"}.get(method_of(frame))
