"""Stands between the program and a server, and reads the traffic."""

import socket
import threading


class ReadingProxy:
    """A subclass sets its own fields first, then calls this __init__, and passes on in _join() what comes from either
    side."""

    def __init__(self, port):
        self._server = ("127.0.0.1", port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._lock = threading.Lock()
        self._plan = None
        self._cut = threading.Event()
        self._open = []
        self._threads = []
        self._start(self._accept)

    def close(self):
        with self._lock:
            pairs, self._open = self._open, None
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for pair in pairs:
            hang_up(*pair)
        for thread in self._threads:
            thread.join()

    def _join(self, client, server):
        """Both are connected: starts the threads that forward between them, with _start()."""
        raise NotImplementedError

    def _start(self, target, *arguments):
        thread = threading.Thread(target=target, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(self._server)
            except OSError:
                client.close()
                continue
            with self._lock:
                if self._open is None:
                    hang_up(client, server)
                    return
                self._open.append((client, server))
            self._join(client, server)


def hang_up(*sockets):
    for each in sockets:
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
