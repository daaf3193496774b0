"""A cluster on a Redis with the configuration that shops copy (deploy/redis/sluice.conf): TLS with certificates on both
sides, and a user who may do just what Sluice does."""

import re
import socket
import ssl
import sys

import pytest

import challenges
from certificates import Authority
from client import Client
from cluster import Cluster, Node
from crowd import Buyer
from process import ROOT, eventually
from redis_server import RedisServer
from test_cluster_faults import sell_all
from test_cluster_sale import PATIENCE, get_passes, open_everywhere

sys.path.append(str(ROOT))
from tools.cluster import redis_site  # noqa: E402

PASSWORD, ADMIN = "of-the-nodes", "of-the-admin"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def redis(authority):
    server = RedisServer(admin=("admin", ADMIN))
    signed = authority.sign("DNS:localhost")
    server.config = server.folder / "redis.conf"
    server.config.write_text(redis_site.render(redis_site.Site(
        port=server.port, folder=server.folder, password=PASSWORD, admin_password=ADMIN,
        certificate=signed["certificate"], key=signed["key"], authority=authority.certificate)))
    yield server
    server.remove()


def settings(redis, authority, **more):
    node = authority.sign("DNS:node")
    return {"SLUICE_HOT_URL": f"rediss://localhost:{redis.port}", "SLUICE_HOT_USER": "sluice",
            "SLUICE_HOT_PASSWORD": PASSWORD, "SLUICE_HOT_TLS_CA": str(authority.certificate),
            "SLUICE_HOT_TLS_CERT": str(node["certificate"]), "SLUICE_HOT_TLS_KEY": str(node["key"]), **more}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, redis, authority):
    with Cluster(tmp_path_factory.mktemp("cluster"), nodes=2, redis=redis, env=settings(redis, authority)) as cluster:
        yield cluster


def refusals(redis):
    """What our user asked for without permission: (command or key, times)."""
    def fields(entry):
        return dict(zip(entry[::2], entry[1::2]))

    return [(each["object"], each["count"]) for each in map(fields, redis.ask("ACL", "LOG"))
            if each["username"] == "sluice"]


def test_everything_works_and_nothing_is_refused_to_our_user(cluster):
    sale = open_everywhere(cluster, stock=30)
    buyers = [Buyer(token, key="k" if i % 2 else None) for i, token in enumerate(cluster.shops[0].minted(50))]
    get_passes(cluster, sale, buyers)
    sell_all(cluster, sale, buyers, 30)

    first, second = cluster.shops
    gated = first.sale(stock=2, gate_factor=1, challenge="math")["id"]
    buyer = first.buyer()
    there = second.client(buyer.token)
    eventually(lambda: challenges.ask(there, gated).status == 201, PATIENCE, "a formula on the other node")
    given = challenges.challenge(there, gated)
    assert challenges.answer(buyer, gated, given, "1000").code == "challenge_failed"
    for shop in cluster.shops:
        assert shop.operator.post(f"/admin/sales/{sale}/pause").status == 200
        assert shop.operator.post(f"/admin/sales/{sale}/resume").status == 200
        assert shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": 5}).status == 200
    assert first.visitor.post("/phone-codes", {"phone": first.register()["phone"], "purpose": "password"}).status == 202
    order = next(buyer for buyer in buyers if buyer.bought)
    assert first.client(order.token).post(f"/orders/{order.bought['order_id']}/cancel").status == 200
    assert there.delete("/sessions/current").status == 204
    eventually(lambda: buyer.get("/sessions/current").status == 401, PATIENCE, "logged out on both nodes")

    # A new epoch, as after a loss.
    base = f"sluice:{{{sale}}}:"
    epoch = cluster.redis.ask("GET", base + "epoch")
    assert cluster.redis.ask("DEL", base + "log") == 1
    eventually(lambda: cluster.redis.ask("GET", base + "epoch") not in (None, epoch), PATIENCE, "a new epoch")
    eventually(lambda: first.operator.get("/admin/nodes").body["complete"], PATIENCE, "the nodes")
    cluster.audit()
    for shop in cluster.shops:
        [part] = [part for part in shop.visitor.get("/readyz", api=False).body["parts"] if part["name"] == "redis"]
        assert part["ready"] and "maxmemory-policy" not in part["detail"], part
    assert refusals(cluster.redis) == []


def test_our_user_can_do_no_harm(redis, cluster, authority):
    context = ssl.create_default_context(cafile=authority.certificate)
    node = authority.sign("DNS:node")
    context.load_cert_chain(node["certificate"], node["key"])
    with socket.create_connection(("127.0.0.1", redis.port), 30) as plain, \
            context.wrap_socket(plain, server_hostname="localhost") as connection:
        def ask(text):
            connection.sendall(text.encode() + b"\r\n")
            return connection.recv(4096).decode().split("\r\n")[0]

        assert ask("PING").startswith("-NOAUTH")
        assert ask(f"AUTH sluice {PASSWORD}") == "+OK"
        for words in ("FLUSHALL", "KEYS *", "CONFIG SET maxmemory 1", "GET other:key", "SUBSCRIBE x",
                      "EVAL return 0", "SHUTDOWN", "ACL WHOAMI"):
            assert ask(words).startswith("-NOPERM"), words
    redis.ask("ACL", "LOG", "RESET")


@pytest.mark.parametrize("wrong, word", [
    ({"SLUICE_HOT_PASSWORD": "another"}, "WRONGPASS"),
    ({"SLUICE_HOT_URL": "rediss://127.0.0.1:{port}"}, "verify"),
    ({"SLUICE_HOT_TLS_CERT": "", "SLUICE_HOT_TLS_KEY": ""}, "certificate required")])
def test_a_node_with_a_wrong_name_password_or_certificate_says_so(cluster, redis, tmp_path, wrong, word):
    wrong = {name: value.format(port=redis.port) for name, value in wrong.items()}
    node = Node("wrong", tmp_path / "wrong", {**cluster.env, **wrong})
    cluster._copy_keys(node)
    node.start()
    try:
        visitor = Client(node.port)

        def detail():
            [part] = [part for part in visitor.get("/readyz", api=False).body["parts"] if part["name"] == "redis"]
            return not part["ready"] and part["detail"]

        eventually(lambda: word in (detail() or ""), PATIENCE, f"{word} in /readyz")
        visitor.close()
    finally:
        node.kill()


def test_the_rights_are_those_that_the_scripts_and_verbs_need():
    [line] = [line for line in redis_site.SHIPPED.read_text().splitlines() if line.startswith("user sluice ")]
    allowed = set(re.findall(r" \+(\S+)", line))
    folder = ROOT / "src/adapters/redis"
    scripts = "".join(file.read_text() for file in sorted((folder / "lua").glob("*.lua")))
    called = set(re.findall(r"redis\.call\('([A-Z]+)'", scripts)) | set(re.findall(r"each_key\(.*, '([A-Z]+)'", scripts))
    sources = [file for file in [*folder.glob("*.cpp"), *(ROOT / "src/main").glob("redis_*.cpp")]
               if not file.name.endswith("_test.cpp")]
    for file in sources:
        called |= {"|".join(filter(None, words)) for words in re.findall(
            r'\{"([A-Z]{3,})", (?:"(SETNAME|GET|LOAD)")?', file.read_text())}
    called = {name.lower() for name in called} - {"auth", "noscript", "moved"}
    assert {name for name in called if name not in allowed} == set(), "not allowed"
    assert {name for name in allowed - {"info", "ping", "time"} if name not in called} == set(), "not needed"


def test_a_user_without_a_right_is_noticed(redis, cluster):
    """Shows that the test above can fail."""
    redis.ask("ACL", "SETUSER", "sluice", "-zcard")
    try:
        buyer = cluster.shops[0].buyer()
        sale = cluster.shops[0].sale(gate_factor=1)["id"]
        eventually(lambda: buyer.post(f"/sales/{sale}/passes").status == 503, PATIENCE, "a failure")
        assert refusals(redis)
    finally:
        redis.ask("ACL", "SETUSER", "sluice", "+zcard")
        redis.ask("ACL", "LOG", "RESET")
