"""Stands between the program and a MariaDB server, reads what the program sends, and cuts the connection while a
COMMIT of the chosen kind is under way."""

from reading_proxy import ReadingProxy, hang_up

_QUERY = 3  # the command of a packet that is SQL text


class Proxy(ReadingProxy):
    """Without TLS, since it reads the traffic. `purchases` counts the transactions that wrote tickets, by how they
    begin."""

    def __init__(self, port):
        self.purchases = 0
        self._blow = None
        super().__init__(port)

    def cut_next(self, kind, when, blow=lambda: None):
        """Cuts at the next COMMIT of a "purchase" or of "other" work: "before" the server receives it, or "after"
        it was done and before the program is told. `blow` is called at that moment."""
        assert kind in ("purchase", "other") and when in ("before", "after")
        with self._lock:
            self._plan = (kind, when)
            self._blow = blow
            self._cut.clear()

    def wait_for_cut(self, seconds=20):
        assert self._cut.wait(seconds), "no such COMMIT came by"

    def _join(self, client, server):
        link = _Link(client, server)
        self._start(self._send_on, link)
        self._start(self._answer, link)

    def _send_on(self, link):
        """From the program to the server, packet by packet."""
        when = None
        try:
            while packet := _read_packet(link.client):
                when = self._look_at(link, packet[5:] if packet[4] == _QUERY else b"")
                if when == "before":
                    break
                link.swallows = when == "after"
                link.server.sendall(packet)
                if link.swallows:
                    return  # the answer ends the connection
        except OSError:
            pass
        if when == "before":
            self._blow()
        hang_up(link.client, link.server)
        if when == "before":
            self._cut.set()

    def _look_at(self, link, text):
        if text.startswith(b"SET TRANSACTION ISOLATION LEVEL "):
            link.kind = "purchase" if b"READ COMMITTED" in text else "other"
            if link.kind == "purchase":
                with self._lock:
                    self.purchases += 1
        if text != b"COMMIT":
            return None
        with self._lock:
            if self._plan is None or self._plan[0] != link.kind:
                return None
            [_, when], self._plan = self._plan, None
        return when

    def _answer(self, link):
        """From the server to the program, as it comes."""
        try:
            while data := link.server.recv(65536):
                if link.swallows:
                    break
                link.client.sendall(data)
        except OSError:
            pass
        if link.swallows:
            self._blow()
        hang_up(link.client, link.server)
        if link.swallows:
            self._cut.set()


class _Link:
    def __init__(self, client, server):
        self.client, self.server = client, server
        self.kind = None  # of the transaction that is under way
        self.swallows = False  # the next answer


def _read_packet(source):
    """With its head of four bytes; nothing at the end of the connection."""
    head = _read(source, 4)
    if head is None:
        return b""
    body = _read(source, int.from_bytes(head[:3], "little"))
    return b"" if body is None else head + body


def _read(source, count):
    parts = b""
    while len(parts) < count:
        data = source.recv(count - len(parts))
        if not data:
            return None
        parts += data
    return parts
