"""Another process has the write lock, and requests that wait for it."""

import threading
from contextlib import contextmanager

from ledger import open_ledger
from test_limits import metric


@contextmanager
def held_ledger(shop):
    """Another process has the write lock, for less time than the server waits for it."""
    with open_ledger(shop.server.data) as ledger, ledger.held():
        yield


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


def backlog(shop):
    """Waits until so many purchases have claimed and wait for the ledger."""
    return metric(shop, "sluice_purchase_backlog")
