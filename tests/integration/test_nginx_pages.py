"""Pages that nginx serves from disk are those that the server sends: the same bytes and the same headers."""

import http.client

import pytest

from nginx_proxy import PAGES, Nginx

# Of nginx alone, or different for each answer. Both have an ETag: what it is made of is each one's own.
OWN = {"Date", "Server", "X-Request-Id", "Connection", "ETag"}
CODINGS = [None, "", "gzip", "br", "gzip, deflate, br", "identity"]


@pytest.fixture(scope="module")
def nginx(shared, tmp_path_factory):
    nginx = Nginx(tmp_path_factory.mktemp("nginx"), [shared.server.port]).start()
    yield nginx
    nginx.stop()


def fetch(port, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {name.replace("_", "-"): value for name, value in headers.items() if value is not None}
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def told(answer):
    """Every header but those of nginx alone; a header that came twice is there twice."""
    return sorted((name, value) for name, value in answer.getheaders() if name not in OWN)


def addresses():
    files = sorted(path for path in PAGES.rglob("*") if path.is_file() and path.suffix not in (".br", ".gz"))
    found = ["/" + str(path.relative_to(PAGES)) for path in files]
    short = [each.removesuffix(".html").removesuffix("index") for each in found if each.endswith(".html")]
    return [each for each in [*found, *short, "/console"] if "404" not in each]


@pytest.mark.parametrize("coding", CODINGS)
def test_every_file_is_the_same(shared, nginx, coding):
    assert len(addresses()) > 20
    for path in addresses():
        [theirs, their_body], [ours, our_body] = (fetch(port, path, Accept_Encoding=coding)
                                                  for port in (nginx.port, shared.server.port))
        assert theirs.status == ours.status == 200, path
        assert told(theirs) == told(ours), path
        assert their_body == our_body, path
        assert theirs.getheader("ETag") and ours.getheader("ETag"), path


def test_no_node_is_asked_for_a_file(shared, nginx):
    before = len(nginx.accesses())
    for path in addresses():
        fetch(nginx.port, path)
    assert all("node=- " in line for line in nginx.accesses()[before:])


def test_a_file_that_is_known_is_not_sent_again(nginx, shared):
    for path in addresses():
        for coding in ("br", "gzip", None):
            known = [fetch(port, path, Accept_Encoding=coding)[0].getheader("ETag")
                     for port in (nginx.port, shared.server.port)]
            [theirs, body], [ours, _] = (fetch(port, path, Accept_Encoding=coding, If_None_Match=etag)
                                         for port, etag in zip((nginx.port, shared.server.port), known))
            assert theirs.status == ours.status == 304 and body == b"", path
            assert told(theirs) == told(ours), path


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE"])
@pytest.mark.parametrize("path", ["/", "/sale", "/assets/logo.svg"])
def test_other_methods_are_answered_as_the_server_does(nginx, shared, method, path):
    [theirs, their_body], [ours, our_body] = (fetch(port, path, method, Content_Length="0", X_Request_Id="same")
                                              for port in (nginx.port, shared.server.port))
    assert theirs.status == ours.status and told(theirs) == told(ours)
    assert their_body == our_body


@pytest.mark.parametrize("accept", ["text/html", "application/json", None])
@pytest.mark.parametrize("path", ["/nothing", "/sale/", "/Sale", "/404", "/404.html", "/index.html.br", "/index.html.gz",
                                  "/assets", "/assets/", "/console/nothing", "/api/v1/nothing", "/sandbox/nothing"])
def test_what_is_not_there_is_told_as_the_server_does(nginx, shared, path, accept):
    [theirs, their_body], [ours, our_body] = (fetch(port, path, Accept=accept, X_Request_Id="same")
                                              for port in (nginx.port, shared.server.port))
    assert theirs.status == ours.status == 404
    assert told(theirs) == told(ours) and their_body == our_body
