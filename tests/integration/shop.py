"""A server with an operator, and what tests and measurements make in it."""

import itertools
import json
import random
import re

from client import Client
from process import Server, add_user, mariadb_of_ledgers, run

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

    def pass_for(self, buyer, sale_id):
        answer = buyer.post(f"/sales/{sale_id}/passes")
        assert answer.status == 201, answer.body
        return answer.body["pass"]

    def buy(self, buyer, sale_id, quantity=None, key=None, pass_=None):
        """The answer to a purchase, with a new pass unless one is given."""
        pass_ = pass_ or self.pass_for(buyer, sale_id)
        body = None if quantity is None else {"quantity": quantity}
        return buyer.post(f"/sales/{sale_id}/orders/{pass_}", body,
                          headers={"Idempotency-Key": key} if key else None)

    def bought(self, buyer, sale_id, quantity=None, key=None, pass_=None):
        answer = self.buy(buyer, sale_id, quantity, key, pass_)
        assert (answer.status, answer.body.get("state")) == (201, "ordered"), answer.body
        return answer.body

    def stock(self, sale_id):
        """The sale as it is shown; checks that its stock adds up."""
        answer = self.visitor.get(f"/sales/{sale_id}")
        assert answer.status == 200, answer.body
        stock = answer.body["stock"]
        assert min(stock.values()) >= 0, stock
        assert stock["total"] == stock["left"] + stock["held"] + stock["sold"], stock
        return stock

    def minted(self, count):
        """Tokens of so many new buyers."""
        # 100,000 in 10 s are promised on SQLite; a slow or busy machine takes longer for a million.
        done = run("mint", "--data", self.server.data, "--buyers", count,
                   timeout=60 + count // (100 if mariadb_of_ledgers() else 4_000))
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    def buyers(self, count):
        return [self.client(token) for token in self.minted(count)]

    def audit(self, *arguments):
        """Runs the audit command, which must find that everything holds."""
        done = run("audit", "--data", self.server.data, "--json", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(done.stdout)
        assert report["holds"] and all(check["holds"] for check in report["checks"]), report
        return report

    def stop(self):
        # A draining server gives open connections a moment; nobody here needs it.
        self._hang_up()
        self.server.stop()

    def restart(self):
        self.stop()
        self._start_again()

    def kill(self):
        self._hang_up()
        self.server.kill()

    def restart_after_kill(self):
        self.kill()
        self._start_again()

    def _start_again(self):
        self.server.start()
        self.operator = self.client(self.operator.token)
        self.visitor = self.client()

    def _hang_up(self):
        while self.clients:
            self.clients.pop().close()


def metric(shop, name):
    """A number of the node's metrics page."""
    page = shop.visitor.get("/metrics", api=False).raw.decode()
    return float(re.search(rf"^{name} (\S+)$", page, re.M)[1])


def open_shop(folder, *, make_server=Server, make_shop=Shop, **options):
    server = make_server(folder, **options)
    phone = new_phone()
    add_user(server.data, phone, "admin", PASSWORD)  # who may do all that operators may
    server.start()
    try:
        return make_shop(server, phone)
    except BaseException:
        server.kill()
        raise
