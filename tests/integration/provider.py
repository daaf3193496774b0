"""A payment provider outside of the server: it signs events and posts them to the webhook."""

import hashlib
import hmac
import itertools
import json
import time

from process import SECRET, eventually

_serial = itertools.count()


def sign(body, secret=SECRET, at=None):
    at = int(time.time()) if at is None else at
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def event(kind, payment, **more):
    return {"id": f"event-{next(_serial)}-{time.time_ns()}", "type": kind, "payment_id": payment["payment_id"],
            **more}


def succeeded(payment, amount_cents, currency="CNY", charge=None, **more):
    charge = charge or f"charge-{next(_serial)}-{time.time_ns()}"
    return event("payment.succeeded", payment, charge_id=charge, amount_cents=amount_cents,
                 currency=currency, **more)


def failed(payment, **more):
    return event("payment.failed", payment, **more)


def tell(client, told, *, signature=None, provider="sandbox"):
    body = json.dumps(told).encode()
    signature = sign(body) if signature is None else signature
    return client.post(f"/webhooks/payments/{provider}", data=body,
                       headers={"Sluice-Signature": signature, "Authorization": None})


def outcome(client, told, **options):
    answer = tell(client, told, **options)
    assert answer.status == 200, answer.body
    assert answer.body["event_id"] == told["id"]
    return answer.body["outcome"]


class Bought:
    """An order for which a payment was begun."""

    def __init__(self, shop, buyer, sale, quantity=None, pass_=None):
        self.shop, self.buyer, self.sale = shop, buyer, sale
        self.id = shop.bought(buyer, sale, quantity, pass_=pass_)["order_id"]
        self.total = self.show()["total_cents"]

    def show(self):
        return self.buyer.get(f"/orders/{self.id}").body

    @property
    def state(self):
        return self.show()["state"]

    def becomes(self, state, seconds=3):
        eventually(lambda: self.state == state, seconds, f"{state}, from {self.state}")
        return self.show()

    def pay(self, **options):
        answer = self.buyer.post(f"/orders/{self.id}/payments", **options)
        assert answer.status == 201, answer.body
        return answer.body

    def press(self, payment, button, **more):
        bill = payment["pay_url"].rsplit("/", 1)[1]
        return self.shop.client().post(f"/sandbox/bills/{bill}", {"button": button, **more}, api=False)

    def money(self):
        answer = self.shop.operator.get(f"/admin/orders/{self.id}")
        assert answer.status == 200, answer.body
        return answer.body

    def refunds(self):
        return [charge["refund"] for charge in self.money()["charges"] if charge["refund"]]

    def send_back(self):
        """The outside provider sends back what it owes, and reports that."""
        for charge in self.money()["charges"]:
            refund = charge["refund"]
            if charge["provider"] == "outside" and refund and refund["state"] == "owed":
                told = event("refund.succeeded", charge, refund_id=refund["refund_id"])
                assert outcome(self.shop.visitor, told) == "noted"

    def refunded(self, count):
        """Waits for so many refunds, each carried out, and no more."""
        self.send_back()
        eventually(lambda: [r["state"] for r in self.refunds()] == ["done"] * count, 5, f"{count} refunds")
        return self.refunds()
