"""The shop behind nginx, with the file that shops copy (deploy/nginx/sluice.conf): addresses, streams, nodes
that are away, repeated purchases, limits, and who reaches the operators' part."""

import json
import re
import ssl
import urllib.request

import pytest

from certificates import Authority
from client import Client, in_parallel
from nginx_proxy import LossyWays, Nginx
from own_process import find_free_port
from shop import PASSWORD, new_phone
from stream import Stream
from wire import Wire, get, post

BEHIND_NGINX = {"SLUICE_HTTP_TRUSTED_PROXIES": "127.0.0.1"}
BODY_BYTES = 64 * 1024
OPERATORS, CUSTOMERS = "127.0.0.1", "127.0.0.2"  # source addresses


@pytest.fixture
def start_nginx(tmp_path):
    started = []

    def start(nodes, **options):
        started.append(Nginx(tmp_path / f"nginx-{len(started)}", nodes, **options).start())
        return started[-1]

    yield start
    for each in started:
        each.stop()


@pytest.fixture
def fronted(start_shop, start_nginx):
    """A shop, and the nginx before it."""
    shop = start_shop(env=BEHIND_NGINX)
    return shop, start_nginx([shop.server.port])


def through(nginx, client):
    """The same person, who comes through nginx."""
    return Client(nginx.port, client.token)


def ask(port, request, source):
    with Wire(port, timeout=30, source=source) as wire:
        return wire.send(request).read()


def code_of(reply):
    return (reply.status, json.loads(reply.body).get("code"))


def test_a_purchase_goes_through(fronted):
    shop, nginx = fronted
    sale = shop.sale(stock=1)
    buyer = through(nginx, shop.buyer())
    bought = shop.bought(buyer, sale["id"])
    assert buyer.get(f"/tickets/{bought['ticket']}").body["order_id"] == bought["order_id"]
    assert shop.stock(sale["id"])["left"] == 0


def test_the_node_hears_the_address_that_nginx_sees_and_no_other(fronted):
    shop, nginx = fronted
    blocked, free = "127.0.0.2", "127.0.0.3"
    assert shop.operator.put(f"/admin/blocks/{blocked}", {}).status == 200
    for claim in ([], ["X-Forwarded-For: " + free], [f"X-Forwarded-For: {free}, 127.0.0.1"], ["Forwarded: for=" + free]):
        reply = ask(nginx.port, get("/api/v1/sales", *claim), blocked)
        assert code_of(reply) == (403, "forbidden"), claim
    for claim in ([], ["X-Forwarded-For: " + blocked], ["X-Real-IP: " + blocked]):
        assert ask(nginx.port, get("/api/v1/sales", *claim), free).status == 200, claim


def test_a_stream_through_nginx_tells_of_stock_and_orders(fronted):
    shop, nginx = fronted
    sale = shop.sale(stock=3)
    [buyer] = shop.buyers(1)
    page = {"Cookie": f"sluice_session={buyer.token}", "Origin": f"http://127.0.0.1:{nginx.port}"}
    with Stream(nginx.port, headers=page, timeout=30) as stream:
        assert stream.reply.status == 101
        stream.watch(sale["id"])
        bought = shop.bought(through(nginx, buyer), sale["id"])
        stream.read_until(lambda said: bought["ticket"] in json.dumps(said))
        stream.read_until(lambda said: said.get("stock", {}).get("left") == 2)


def test_a_stream_from_a_foreign_page_is_refused_behind_nginx_too(fronted):
    shop, nginx = fronted
    [buyer] = shop.buyers(1)
    page = {"Cookie": f"sluice_session={buyer.token}", "Origin": "http://evil.example"}
    with Stream(nginx.port, headers=page, timeout=30) as stream:
        assert stream.reply.status == 403


def test_a_node_that_is_away_is_passed_over(start_shop, start_nginx):
    shop = start_shop(env=BEHIND_NGINX)
    nginx = start_nginx([find_free_port(), shop.server.port, find_free_port()])
    sale = shop.sale(stock=30, gate_factor=100)
    for buyer in shop.buyers(30):
        shop.bought(through(nginx, buyer), sale["id"])
    assert shop.stock(sale["id"]) == {"total": 30, "left": 0, "held": 30, "sold": 0}
    assert any(", " in line.split("node=")[1] for line in nginx.accesses()), "no request met a node that is away"


def test_pages_are_there_without_any_node_and_the_rest_is_unavailable(start_nginx):
    nginx = start_nginx([find_free_port(), find_free_port()])
    client = Client(nginx.port, timeout=30)
    assert client.get("/", api=False).status == 200
    answer = client.get("/sales")
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (503, "unavailable", "1")
    assert client.post("/sessions", {"phone": new_phone(), "password": PASSWORD}).code == "unavailable"


@pytest.fixture
def lossy(start_shop, start_nginx):
    """A shop, an nginx, and two ways between them that can lose answers."""
    shop = start_shop(env=BEHIND_NGINX)
    ways = LossyWays(shop.server.port)
    yield shop, start_nginx(ways.ports), ways
    ways.close()


@pytest.mark.parametrize("key", [None, "my-key"])
def test_a_purchase_whose_answer_is_lost_is_repeated_and_made_once(lossy, key):
    shop, nginx, ways = lossy
    sale = shop.sale(stock=5, limit_per_buyer=5)
    [buyer] = shop.buyers(1)
    pass_ = shop.pass_for(buyer, sale["id"])
    ways.lose(1)
    bought = shop.bought(through(nginx, buyer), sale["id"], key=key, pass_=pass_)
    assert ways.heard == [("POST", f"/api/v1/sales/{sale['id']}/orders/{pass_}")] * 2
    assert shop.stock(sale["id"])["held"] == 1
    [order] = buyer.get("/orders").body["orders"]
    assert order["id"] == bought["order_id"]


def test_a_purchase_is_sent_to_each_node_once(lossy):
    shop, nginx, ways = lossy
    sale = shop.sale(stock=5, limit_per_buyer=5)
    [buyer] = shop.buyers(1)
    pass_ = shop.pass_for(buyer, sale["id"])
    ways.lose(2)
    answer = shop.buy(through(nginx, buyer), sale["id"], pass_=pass_)
    assert (answer.status, answer.code) == (503, "unavailable") and len(ways.heard) == 2
    bought = shop.bought(through(nginx, buyer), sale["id"], pass_=pass_)
    assert [order["id"] for order in buyer.get("/orders").body["orders"]] == [bought["order_id"]]


@pytest.mark.parametrize("target", ["/sessions", "/users", "/sales/{sale}/passes"])
def test_other_posts_are_not_repeated_once_sent(lossy, target):
    shop, nginx, ways = lossy
    target = target.format(sale=shop.sale()["id"])
    [buyer] = shop.buyers(1)
    ways.lose(1)
    answer = through(nginx, buyer).post(target, {"phone": new_phone(), "password": PASSWORD})
    assert (answer.status, answer.code) == (503, "unavailable")
    assert ways.heard == [("POST", "/api/v1" + target)]


def test_a_read_whose_answer_is_lost_is_repeated(lossy):
    _, nginx, ways = lossy
    ways.lose(1)
    assert Client(nginx.port).get("/sales").status == 200
    assert ways.heard == [("GET", "/api/v1/sales")] * 2


@pytest.mark.parametrize("size", [BODY_BYTES + 1, 10 * BODY_BYTES])
def test_a_body_that_is_too_large_stays_outside(lossy, size):
    _, nginx, ways = lossy
    client = Client(nginx.port, timeout=30)
    answer = client.post("/users", data=b" " * size)
    assert (answer.status, answer.code) == (413, "too_large") and ways.heard == []
    answer = client.post("/users", data=b" " * BODY_BYTES)
    assert answer.code == "malformed" and len(ways.heard) == 1, "the largest that is allowed has reached the node"


@pytest.mark.parametrize("request_, expected", [
    (b"GET /api/v1/sales/%00 HTTP/1.1\r\nHost: x\r\n\r\n", (400, "malformed")),
    (b"GET /api/v1/sales HTTP/1.1\r\n\r\n", (400, "malformed")),
    (b"GET /api/v1/sales HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", (400, "malformed")),
    (b"GE T / HTTP/1.1\r\n\r\n", (400, "malformed")),
    (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", (431, "too_large")),
    (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 20_000 + b"\r\n\r\n", (431, "too_large"))])
def test_what_nginx_cannot_read_is_a_problem_as_everywhere(start_nginx, request_, expected):
    nginx = start_nginx([find_free_port()])
    with Wire(nginx.port, timeout=30) as wire:
        reply = wire.send(request_).read()
    assert code_of(reply) == expected
    assert reply.headers["content-type"] == "application/problem+json"
    assert json.loads(reply.body)["request_id"] == reply.headers["x-request-id"]
    assert reply.headers["content-security-policy"] and reply.headers["cache-control"] == "no-store"


def test_one_address_has_a_bound_of_connections(start_shop, start_nginx):
    shop = start_shop(env=BEHIND_NGINX)
    nginx = start_nginx([shop.server.port], connections_per_address=2)
    first, second = shop.buyers(2)
    with Stream(nginx.port, first.token, timeout=30) as one, Stream(nginx.port, second.token, timeout=30) as two:
        assert (one.reply.status, two.reply.status) == (101, 101)
        answer = Client(nginx.port).get("/sales")
        assert (answer.status, answer.code) == (429, "rate_limited") and answer.headers["Retry-After"] == "1"
        assert ask(nginx.port, get("/api/v1/sales"), CUSTOMERS).status == 200, "another address is not concerned"


def test_the_request_id_of_a_client_is_everywhere_the_same(fronted):
    _, nginx = fronted
    client = Client(nginx.port)
    for path, api in [("/sales", True), ("/", False), ("/metrics.br", False)]:
        assert client.get(path, api=api, headers={"X-Request-Id": "abc-1.2"}).headers["X-Request-Id"] == "abc-1.2"
        assert re.fullmatch(r"[0-9a-f]{32}", client.get(path, api=api).headers["X-Request-Id"])
    assert sum("id=abc-1.2" in line for line in nginx.accesses()) == 3


OFFICE = ["/api/v1/admin/items", "/api/v1/admin/sales/1/audit", "/console", "/console/", "/console/sale", "/metrics",
          "/readyz", "/livez", "//api/v1/admin/limits", "/api/v1/%61dmin/limits", "/api/v1/x/../admin/limits",
          "/api/./v1/admin/limits"]


@pytest.mark.parametrize("target", OFFICE)
def test_customers_do_not_reach_what_is_for_operators(start_shop, start_nginx, target):
    shop = start_shop(env=BEHIND_NGINX)
    nginx = start_nginx([shop.server.port], office_network=OPERATORS)
    bearer = f"Authorization: Bearer {shop.operator.token}"
    assert code_of(ask(nginx.port, get(target, bearer), CUSTOMERS)) == (404, "not_found")
    heard = [line for line in nginx.accesses() if "node=-" not in line]
    assert heard == [], "no node was asked"


def test_operators_reach_it_at_a_listener_of_its_own(start_shop, start_nginx):
    office = find_free_port()
    shop = start_shop(config=f'admin_listen = "127.0.0.1:{office}"\n', env=BEHIND_NGINX)
    nginx = start_nginx([shop.server.port], offices=[office], office_network=OPERATORS)
    operator = shop.operator = through(nginx, shop.operator)
    sale = shop.sale()
    assert operator.get(f"/admin/sales/{sale['id']}/stats").status == 200
    assert operator.get("/readyz", api=False).body["ready"]
    assert operator.get("/console", api=False).status == 200
    assert operator.get("/sales").status == 200
    bearer = f"Authorization: Bearer {operator.token}"
    reply = ask(nginx.port, post("/api/v1/admin/items", bearer, "Content-Length: 2", body=b"{}"), CUSTOMERS)
    assert code_of(reply) == (404, "not_found")


def test_over_tls(start_shop, start_nginx, tmp_path):
    certificate = Authority(tmp_path).sign("IP:127.0.0.1")
    port = find_free_port()
    url = f"https://127.0.0.1:{port}"
    shop = start_shop(env={**BEHIND_NGINX, "SLUICE_PUBLIC_URL": url})
    nginx = Nginx(tmp_path / "nginx", [shop.server.port], certificate=certificate["certificate"], key=certificate["key"])
    nginx.port = port
    nginx.start()
    try:
        trust = ssl.create_default_context(cafile=tmp_path / "authority.pem")
        for path in ("/", "/api/v1/sales"):
            with urllib.request.urlopen(url + path, context=trust, timeout=30) as answer:
                assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"], path
        login = urllib.request.Request(url + "/api/v1/sessions", method="POST", headers={
            "Content-Type": "application/json", "Origin": url, "Sec-Fetch-Site": "same-origin"}, data=json.dumps(
                {"phone": shop.operator_phone, "password": PASSWORD}).encode())
        with urllib.request.urlopen(login, context=trust, timeout=30) as answer:
            assert any(cookie.startswith("__Host-sluice_session=") for cookie in answer.headers.get_all("Set-Cookie"))
    finally:
        nginx.stop()


def test_a_crowd_at_once(fronted):
    shop, nginx = fronted
    sale = shop.sale(stock=20, gate_factor=100)
    buyers = [through(nginx, buyer) for buyer in shop.buyers(40)]
    passes = [shop.pass_for(buyer, sale["id"]) for buyer in buyers]
    answers = in_parallel([lambda buyer=buyer, pass_=pass_: shop.buy(buyer, sale["id"], pass_=pass_)
                           for buyer, pass_ in zip(buyers, passes)])
    assert sorted(answer.status for answer in answers) == [201] * 20 + [409] * 20
    shop.audit()
