"""HTTPS to webhooks: only a certificate of a known authority for exactly this host is accepted."""

import pytest

from certificates import Authority
from process import Server, eventually
from provider import Bought
from test_webhooks import INSIDE, becomes, deliveries, receivers, register  # noqa: F401


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def trusting(start_shop, authority):
    return start_shop(env={**INSIDE, "SLUICE_WEBHOOKS_CA_FILE": str(authority.certificate)})


def order(shop):
    return Bought(shop, shop.buyer(), shop.sale()["id"])


def trouble(shop, hook):
    return eventually(lambda: [d["last_error"] for d in deliveries(shop, hook) if d["attempts"] > 0], 5, "an attempt")[0]


@pytest.mark.parametrize("name, host", [("DNS:localhost", "localhost"), ("IP:127.0.0.1", "127.0.0.1")])
def test_a_certificate_of_the_authority_for_the_host(trusting, receivers, authority, name, host):  # noqa: F811
    receiver = receivers(**authority.sign(name))
    hook = register(trusting, receiver.url(host), events=["order.created"])
    order(trusting)
    [heard] = receiver.hears(1)
    assert heard.is_signed_with(hook["secret"])
    assert heard.headers["Host"] == f"{host}:{receiver.port}"
    becomes(trusting, hook, "delivered")


def test_a_certificate_for_another_host(trusting, receivers, authority):  # noqa: F811
    receiver = receivers(**authority.sign("DNS:shop.example"))
    hook = register(trusting, receiver.url("localhost"), events=["order.created"])
    order(trusting)
    assert "certificate verify failed" in trouble(trusting, hook)
    assert receiver.heard() == []


def test_a_certificate_that_nobody_signed(trusting, receivers, authority):  # noqa: F811
    receiver = receivers(**authority.self_signed("DNS:localhost"))
    hook = register(trusting, receiver.url("localhost"), events=["order.created"])
    order(trusting)
    assert "certificate verify failed" in trouble(trusting, hook)
    assert receiver.heard() == []


def test_an_authority_that_is_not_known(start_shop, receivers, authority):  # noqa: F811
    shop = start_shop(env=INSIDE)
    receiver = receivers(**authority.sign("DNS:localhost"))
    hook = register(shop, receiver.url("localhost"), events=["order.created"])
    order(shop)
    assert "certificate verify failed" in trouble(shop, hook)
    assert receiver.heard() == []


def test_an_authority_that_cannot_be_read_stops_the_start(tmp_path):
    server = Server(tmp_path, env={"SLUICE_WEBHOOKS_CA_FILE": str(tmp_path / "nothing.pem")})
    with pytest.raises(AssertionError):
        server.start()
    assert "cannot read the authorities" in server.log()
    server.process.stdout.close()
