"""Answers are not sent again to clients that have them, and are compressed for clients that accept that."""

import gzip
import json

import pytest

from wire import Wire


def fetch(shop, path, **headers):
    """Without the harness's parsing, which knows no gzip."""
    client = shop.client()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = client._send("GET", path, None, {"Authorization": f"Bearer {shop.operator.token}", **named})
    return response.status, response.headers, response.read()


@pytest.fixture(scope="module")
def long_list(shared):
    for _ in range(12):
        shared.sale()
    return "/api/v1/sales"


@pytest.mark.parametrize("accepted, coded", [
    ("gzip", True), ("GZip", True), ("br, gzip;q=0.2", True), ("*", True), (None, False), ("gzip;q=0", False),
    ("identity, *;q=0", False), ("br", False), ("identity, gzip;q=0.5", False), ("identity;q=0.5, gzip", True),
])
def test_a_list_is_compressed_as_the_client_wants(shared, long_list, accepted, coded):
    headers = {} if accepted is None else {"Accept_Encoding": accepted}
    status, said, body = fetch(shared, long_list, **headers)
    assert (status, said["Content-Encoding"]) == (200, "gzip" if coded else None)
    assert "Accept-Encoding" in said["Vary"] and int(said["Content-Length"]) == len(body)
    plain = gzip.decompress(body) if coded else body
    assert len(json.loads(plain)["sales"]) >= 12
    assert not coded or len(body) < len(plain) / 4


def test_what_says_now_has_no_etag(shared, long_list):
    assert fetch(shared, long_list)[1]["ETag"] is None


def test_small_answers_and_refusals_stay_as_they_are(shared):
    for path in ("/api/v1/time", "/api/v1/sales?limit=0", "/api/v1/nothing"):
        assert fetch(shared, path, Accept_Encoding="gzip")[1]["Content-Encoding"] is None, path


def test_a_list_that_repeats_is_sent_once(shared):
    for _ in range(12):
        shared.sale()
    path = "/api/v1/admin/audit-trail"
    _, said, body = fetch(shared, path)
    for known in (said["ETag"], said["ETag"].removeprefix("W/"), f'"other", {said["ETag"]}', "*"):
        status, again, nothing = fetch(shared, path, If_None_Match=known)
        assert (status, again["ETag"], nothing) == (304, said["ETag"], b""), known
        assert again.get_all("Vary") == said.get_all("Vary") and "Accept-Encoding" in again["Vary"]
    shared.item()
    assert fetch(shared, path, If_None_Match=said["ETag"])[0] == 200, "another deed, another ETag"


def test_the_document_and_the_metrics_are_compressed(shared):
    _, said, plain = fetch(shared, "/openapi.json")
    _, _, coded = fetch(shared, "/openapi.json", Accept_Encoding="gzip")
    assert gzip.decompress(coded) == plain and len(coded) < len(plain) / 5
    assert fetch(shared, "/openapi.json", If_None_Match=said["ETag"].removeprefix("W/"))[0] == 304
    _, said, coded = fetch(shared, "/metrics", Accept_Encoding="gzip")
    assert said["ETag"] is None, "figures never repeat"
    assert b"sluice_build_info{" in gzip.decompress(coded)


def test_pages_heed_weights_case_and_strong_etags(shared):
    _, said, plain = fetch(shared, "/")
    assert fetch(shared, "/", Accept_Encoding="BR;q=0, GZIP")[1]["Content-Encoding"] == "gzip"
    assert fetch(shared, "/", Accept_Encoding="br;q=0.0, gzip;q=0")[2] == plain
    assert fetch(shared, "/", Accept_Encoding="gzip;q=0.5, br;q=0.1")[1]["Content-Encoding"] == "gzip"
    assert fetch(shared, "/", Accept_Encoding="gzip;q=0.1, br;q=0.5")[1]["Content-Encoding"] == "br"
    assert fetch(shared, "/", Accept_Encoding="gzip;q=0.1, identity;q=0.5")[1]["Content-Encoding"] is None
    for known in (said["ETag"].removeprefix("W/"), f'"x" , {said["ETag"]}'):
        assert fetch(shared, "/", If_None_Match=known)[0] == 304, known


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_a_page_can_only_be_read(shared, method):
    answer = shared.visitor.request(method, "/", api=False)
    assert (answer.status, answer.code, answer.headers["Allow"]) == (405, "method_not_allowed", "GET, HEAD")
    assert shared.visitor.request(method, "/no-such-page", api=False).status == 404


@pytest.mark.parametrize("target, host, status", [
    ("http://shop.example", "elsewhere.example", 204), ("http://elsewhere.example", "shop.example", 403),
    ("", "shop.example", 204),
])
def test_an_absolute_target_is_judged_by_its_own_host(shared, target, host, status):
    """By a cookie of the user's own page, which only counts where the page comes from the host that is asked."""
    token = shared.buyer().token
    with Wire(shared.server.port) as wire:
        wire.send((f"DELETE {target}/api/v1/sessions/current HTTP/1.1\r\nHost: {host}\r\n"
                   f"Cookie: sluice_session={token}\r\nOrigin: http://shop.example\r\n\r\n").encode())
        assert wire.read().status == status
