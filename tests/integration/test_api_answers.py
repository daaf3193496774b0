import json
import re

import pytest

import instants
from client import TIMESTAMP, Client
from document import operations

TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
CHINESE = re.compile("[\u4e00-\u9fff]")


def test_the_time(shared):
    now = shared.visitor.get("/time").body["now"]
    assert TIMESTAMP.fullmatch(now)
    assert abs((instants.parse(now) - instants.now()).total_seconds()) < 2


@pytest.mark.parametrize("language, chinese", [
    (None, False), ("en", False), ("fr", False), ("zh", True), ("zh-CN", True), ("ZH-hans-cn", True),
    ("zh-CN,zh;q=0.9,en;q=0.8", True), ("en,zh;q=0.5", False), ("en;q=0.5,zh", True),
    ("fr,zh;q=0.1", True), ("zh;q=0", False), ("*", False), (";;q=,,", False),
])
def test_problems_speak_the_readers_language(shared, language, chinese):
    problem = shared.visitor.get("/items/1", headers={"Accept-Language": language}).body
    assert bool(CHINESE.search(problem["title"])) == chinese
    assert bool(CHINESE.search(problem["detail"])) == chinese
    assert problem["code"] == "not_found"


@pytest.mark.parametrize("method, path, body", [
    ("POST", "/users", {"phone": "abc", "password": "short", "name": "x" * 65, "more": 1}),
    ("POST", "/users", {"phone": 1}),
    ("POST", "/users", []),
    ("POST", "/sessions", {}),
    ("GET", "/sales?limit=many&cursor=x&state=blue", None),
    ("POST", "/admin/items", {"title": "", "description": "\u0001", "image_url": "x",
                              "list_price_cents": -1, "currency": "yuan"}),
    ("POST", "/admin/items", {"title": 1, "list_price_cents": 1.5}),
    ("POST", "/admin/sales", {"item_id": "x", "price_cents": "1", "stock": -1, "starts_at": "soon",
                              "limit_per_buyer": 0, "challenge": "none of them"}),
    ("POST", "/admin/sales", {}),
    ("PUT", "/admin/blocks/somebody", {"reason": "x" * 201, "until": "2020-01-01T00:00:00Z"}),
    ("PUT", "/admin/limits", {"buying": {"per_minute": -1}}),
    ("GET", "/sales?colour=red", None),
    ("GET", "/sales?state=open&state=open", None),
    ("GET", "/sales?state=", None),
    ("GET", "/admin/orders?sale_id=x&state=blue&created_from=soon", None),
    ("POST", "/admin/webhooks", {"url": "ftp://x", "events": ["rain"]}),
    ("POST", "/admin/webhooks", {"url": "https://10.0.0.1/", "events": 1}),
])
def test_complaints_speak_the_readers_language(shared, method, path, body):
    caller = shared.operator if "/admin/" in path else shared.visitor
    for language, chinese in (("zh", True), ("en", False)):
        answer = caller.request(method, path, body, headers={"Accept-Language": language})
        assert answer.status == 422
        assert answer.body["errors"]
        for error in answer.body["errors"]:
            assert bool(CHINESE.search(error["message"])) == chinese, error


@pytest.mark.parametrize("method, path", [(method, path) for _, method, path, _ in operations()
                                          if method == "GET" and "{" not in path
                                          and path != "/api/v1/stream"])
def test_head_is_get_without_the_body(shared, method, path):
    get = shared.operator.get(path, api=False)
    head = shared.operator.head(path, api=False)
    assert head.status == get.status == 200
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    if path not in ("/metrics", "/api/v1/admin/orders.csv", "/api/v1/my-data"):  # which change, or have no length yet
        assert int(head.headers["Content-Length"]) == len(get.raw)


def test_head_of_one(shared):
    sale = shared.sale()
    for path in (f"/sales/{sale['id']}", f"/items/{sale['item']['id']}"):
        assert shared.visitor.head(path).status == 200
    assert shared.visitor.head("/sales/1").status == 404


@pytest.mark.parametrize("method, path, allow", [
    ("DELETE", "/api/v1/items", {"GET", "HEAD"}),
    ("POST", "/api/v1/sales/1", {"GET", "HEAD"}),
    ("GET", "/api/v1/users", {"POST"}),
    ("PUT", "/api/v1/sessions/current", {"GET", "HEAD", "DELETE"}),
    ("PATCH", "/api/v1/time", {"GET", "HEAD"}),
    ("POST", "/livez", {"GET", "HEAD"}),
    ("DELETE", "/openapi.json", {"GET", "HEAD"}),
    ("BREW", "/readyz", {"GET", "HEAD"}),
])
def test_another_method_is_not_allowed(shared, method, path, allow):
    answer = shared.visitor.request(method, path, api=False)
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert set(re.split(r",\s*", answer.headers["Allow"])) == allow


@pytest.mark.parametrize("path", ["/api", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/time",
                                  "/api/v1/items/", "/api/v1/items/1/2", "/api/v1//items", "/API/V1/time",
                                  "/nothing", "/nothing.html", "/sale/1/", "/assets/", "/assets/nothing.js",
                                  "/.git/config", "/livez/", "/%2e%2e/", "/assets/../index.html"])
def test_unknown_paths_are_unknown_and_never_the_page(shared, path):
    answer = shared.visitor.get(path, api=False)
    assert (answer.status, answer.code) == (404, "not_found")


@pytest.mark.parametrize("path", [
    "/../../etc/passwd", "/assets/../../../etc/passwd", "/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/%00", "/assets/storefront.css%00.js",
    "//etc/passwd", "/assets//etc/passwd", "/assets/..\\..\\x", "/%", "/%zz", "/%c0%ae%c0%ae/",
])
def test_there_is_no_way_out_of_the_pages_folder(shared, path):
    answer = shared.visitor.get(path, api=False)
    assert answer.status in (400, 404)
    assert b"root:" not in answer.raw


def test_pages_are_served_with_an_etag(shared):
    page = shared.visitor.get("/", api=False)
    assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
    assert page.headers["ETag"] and page.headers["Cache-Control"]
    again = shared.visitor.get("/", api=False, headers={"If-None-Match": page.headers["ETag"]})
    assert again.status == 304 and again.raw == b""
    for link in re.findall(rb'(?:src|href)="(/[^"#]*)"', page.raw):
        assert shared.visitor.get(link.decode(), api=False).status == 200, link
    assert not re.search(rb"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.raw)


@pytest.mark.parametrize("kind, status", [
    ("application/json", 422), ("application/json; charset=utf-8", 422), ("Application/JSON", 422),
    ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonx", 415),
    ("multipart/form-data; boundary=x", 415), (None, 415),
])
def test_bodies_are_json(shared, kind, status):
    answer = shared.visitor.post("/users", data=b"{}", headers={"Content-Type": kind})
    assert answer.status == status, answer.body


@pytest.mark.parametrize("path", ["/items", "/sales", "/admin/audit-trail"])
@pytest.mark.parametrize("query, field", [
    ("limit=0", "limit"), ("limit=101", "limit"), ("limit=-1", "limit"), ("limit=x", "limit"),
    ("limit=1.5", "limit"), ("limit=99999999999999999999", "limit"), ("cursor=%20", "cursor"),
    ("limit=", "limit"), ("limit=1%00", "limit"), ("cursor=%00", "cursor"), ("cursor=1%zz", "cursor"),
    ("cursor=zzz!", "cursor"), ("cursor=%ff%fe", "cursor"), ("cursor=" + "A" * 4000, "cursor"),
])
def test_a_list_says_what_is_wrong_with_its_query(shared, path, query, field):
    answer = shared.operator.get(f"{path}?{query}")
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {field})


@pytest.mark.parametrize("state", ["running", "%00", "open%00", "%", "%zz", "open%2"])
def test_an_unknown_state_is_invalid(shared, state):
    answer = shared.visitor.get(f"/sales?state={state}")
    assert (answer.status, answer.fields) == (422, {"state"})


@pytest.mark.parametrize("path", [
    "/sales?state=", "/sales?cursor=", "/items?limit=", "/sales?state", "/time?what=",
    "/orders?cursor=", "/admin/orders.csv?sale_id=", "/admin/orders?state=", "/admin/orders?buyer=",
    "/admin/orders?created_from=", "/admin/orders?state=paid&created_to=", "/admin/users?phone=", "/admin/users?role=",
    "/admin/audit-trail?cursor=",
])
def test_an_empty_parameter_is_not_taken_for_none(shared, path):
    answer = shared.operator.get(path)
    empty = path.split("?")[1].split("&")[-1].rstrip("=")
    assert (answer.status, answer.code, answer.fields) == (422, "invalid", {empty})


def test_parameters_are_judged_after_the_caller(shared):
    for query in ("sale_id=", "sale=1", "sale_id=1&sale_id=1"):
        assert shared.visitor.get(f"/admin/orders.csv?{query}").status == 401


@pytest.mark.parametrize("query, named", [
    ("=1", "query"), ("%00=1", "%00"), ("%zz=1", "%zz"),
    ("s" * 65 + "=1", "query"), ("s" * 64 + "=1", "s" * 64), ("LIMIT=1", "LIMIT"), ("limit=1&=", None),
])
def test_an_odd_parameter_is_named_if_it_can_be(shared, query, named):
    answer = shared.visitor.get(f"/sales?{query}")
    assert (answer.status, answer.fields if named else None) == ((422, {named}) if named else (200, None))


def test_pages_and_files_take_any_query(shared):
    script = re.search(rb'src="(/assets/[^"]*)"', shared.visitor.get("/", api=False).raw)[1].decode()
    for path in ("/", "/sale", script):
        answer = shared.visitor.get(f"{path}?utm_source=news&utm_source=mail&empty=", api=False)
        assert answer.status == 200


def test_a_query_without_parameters_is_none(shared):
    assert shared.visitor.get("/sales?").status == 200
    assert shared.visitor.get("/sales?&limit=1&").status == 200


def test_request_ids_differ(shared):
    ids = {shared.visitor.get("/time").headers["X-Request-Id"] for _ in range(20)}
    assert len(ids) == 20


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_request_finds_its_line_in_the_log(start_server, form):
    server = start_server(config=f'[log]\nformat = "{form}"\nlevel = "debug"\n')
    answer = Client(server.port).get("/items/1", headers={"traceparent": TRACEPARENT})
    server.stop()
    line = next(line for line in server.log().splitlines() if answer.body["request_id"] in line)
    assert TRACEPARENT.split("-")[1] in line, "the trace goes on in the log"
    if form == "json":
        assert answer.body["request_id"] in json.loads(line).values()
        assert all(json.loads(line) for line in server.log().splitlines())


def test_the_machine_room(shared):
    assert shared.visitor.get("/livez", api=False).status == 200
    ready = shared.visitor.get("/readyz", api=False)
    assert ready.status == 200 and ready.body["ready"] is True
    assert all(part["ready"] for part in ready.body["parts"]) and ready.body["parts"]
    metrics = shared.visitor.get("/metrics", api=False)
    assert metrics.headers["Content-Type"].startswith("text/plain")
    names = {line.split("{")[0].split(" ")[0] for line in metrics.raw.decode().splitlines()
             if line and not line.startswith("#")}
    assert any(name.startswith("sluice_") for name in names)
    assert all(re.fullmatch(r"[a-z_:][a-z0-9_:]*", name) for name in names)


def test_logins_are_limited(start_server):
    server = start_server(env={"SLUICE_LIMITS_ENABLED": "true"})
    client = Client(server.port)
    attempt = {"phone": "123456789", "password": "wrong password"}
    answers = []
    for _ in range(100):
        answers.append(client.post("/sessions", attempt))
        if answers[-1].status == 429:
            break
    assert answers[-1].code == "rate_limited"
    assert {answer.status for answer in answers[:-1]} == {401}
    assert client.get("/time").status == 200, "other routes go on"


def test_the_demo_has_something_to_show(start_server):
    server = start_server(arguments=["--demo"])
    sales = Client(server.port).get("/sales?limit=100").body["sales"]
    assert {"open", "scheduled"} <= {sale["state"] for sale in sales}
    for sale in sales:
        if sale["item"]["image_url"].startswith("/"):
            assert Client(server.port).get(sale["item"]["image_url"], api=False).status == 200
    words = server.printed.split()
    assert any(re.fullmatch(r"\+?\d{5,20}", word.strip(",:;()")) for word in words), server.printed
