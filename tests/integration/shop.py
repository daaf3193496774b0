"""A server with an operator, and what tests and measurements make in it."""

import itertools
import random

from client import Client
from process import Server, add_user

PASSWORD = "correct horse battery"
_serial = itertools.count(random.randrange(10**6) * 10**4)


def new_phone():
    return f"+86{next(_serial):011d}"


class Shop:
    """A server with an operator, and the things tests make in it."""

    def __init__(self, server, operator_phone):
        self.server = server
        self.clients = []
        self.operator_phone = operator_phone
        self.operator = self.client(self.log_in(operator_phone, PASSWORD))
        self.visitor = self.client()

    def client(self, token=None, **options):
        self.clients.append(Client(self.server.port, token, **options))
        return self.clients[-1]

    def log_in(self, phone, password=PASSWORD):
        answer = self.client().post("/sessions", {"phone": phone, "password": password})
        assert answer.status == 201, answer.body
        return answer.body["token"]

    def register(self, phone=None, **more):
        registration = {"phone": phone or new_phone(), "password": PASSWORD, **more}
        answer = self.visitor.post("/users", registration)
        assert answer.status == 201, answer.body
        return answer.body

    def buyer(self):
        return self.client(self.log_in(self.register()["phone"]))

    def item(self, **more):
        draft = {"title": "Tea set", "description": "Six cups and a pot.", "image_url": "",
                 "list_price_cents": 29900, "currency": "CNY", **more}
        answer = self.operator.post("/admin/items", draft)
        assert answer.status == 201, answer.body
        return answer.body

    def sale(self, item_id=None, **more):
        draft = {"item_id": item_id or self.item()["id"], "price_cents": 9900, "stock": 10, **more}
        answer = self.operator.post("/admin/sales", draft)
        assert answer.status == 201, answer.body
        return answer.body

    def stop(self):
        # A draining server gives open connections a moment; nobody here needs it.
        while self.clients:
            self.clients.pop().close()
        self.server.stop()

    def restart(self):
        self.stop()
        self.server.start()
        self.operator = self.client(self.operator.token)
        self.visitor = self.client()


def open_shop(folder, **options):
    server = Server(folder, **options)
    phone = new_phone()
    add_user(server.data, phone, "operator", PASSWORD)
    server.start()
    try:
        return Shop(server, phone)
    except BaseException:
        server.kill()
        raise
