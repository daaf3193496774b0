"""Another process has the write lock, and requests that wait for it."""

import sqlite3
import threading
from contextlib import contextmanager


@contextmanager
def held_ledger(shop):
    """Another process has the write lock, for less than the server waits for it."""
    connection = sqlite3.connect(shop.server.data / "sluice.db", isolation_level=None, timeout=10)
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


class Later:
    """A call whose answer is not waited for yet."""

    def __init__(self, call):
        self.thread = threading.Thread(target=self._run, args=(call,))
        self.thread.start()

    def _run(self, call):
        self.result = call()

    def answer(self):
        self.thread.join()
        return self.result


def claims(shop, sale):
    return shop.operator.get(f"/admin/sales/{sale}/stats").body["funnel"]["claims"]
