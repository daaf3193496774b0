"""A small HTTP client that checks every answer against the promises for all answers."""

import http.client
import json
import re
import threading
from dataclasses import dataclass
from typing import Any

SECURITY_HEADERS = ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy")
TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    raw: bytes
    body: Any

    @property
    def code(self):
        return self.body.get("code") if isinstance(self.body, dict) else None

    @property
    def fields(self):
        """The fields a validation problem complains about."""
        return {error["field"] for error in self.body.get("errors", [])}


class Client:
    """One keep-alive connection, opened again when the server has closed it."""

    def __init__(self, port, token=None, host="127.0.0.1", timeout=10):
        self.port, self.token, self.host, self.timeout = port, token, host, timeout
        self._connection = None

    def request(self, method, path, json_body=None, *, data=None, headers=None, api=True):
        target = "/api/v1" + path if api else path
        fields = {"Accept": "application/json"}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if json_body is not None:
            data = json.dumps(json_body).encode()
        if data is not None:
            fields["Content-Type"] = "application/json"
        fields.update(headers or {})
        fields = {name: value for name, value in fields.items() if value is not None}
        response = self._send(method, target, data, fields)
        raw = response.read()
        if response.status == 101:
            self.close()  # it speaks something else from here on
        answer = Answer(response.status, response.headers, raw, _parse(response.headers, raw))
        check_promises(answer, f"{method} {target}", bodiless=method == "HEAD")
        return answer

    def _send(self, method, target, data, fields):
        for attempt in (1, 2):
            fresh = self._connection is None
            if fresh:
                self._connection = http.client.HTTPConnection(
                    self.host, self.port, timeout=self.timeout)
            try:
                self._connection.request(method, target, data, fields)
                return self._connection.getresponse()
            except (ConnectionError, http.client.BadStatusLine):
                # A kept connection may have been closed meanwhile; a fresh one must work.
                self.close()
                if fresh or attempt == 2:
                    raise

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def head(self, path, **options):
        return self.request("HEAD", path, **options)

    def post(self, path, json_body=None, **options):
        return self.request("POST", path, json_body, **options)

    def put(self, path, json_body=None, **options):
        return self.request("PUT", path, json_body, **options)

    def delete(self, path, **options):
        return self.request("DELETE", path, **options)

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None


def _parse(headers, raw):
    kind = headers.get("Content-Type", "")
    if raw and ("json" in kind):
        return json.loads(raw)
    return raw


def check_promises(answer, what="", bodiless=False):
    for name in SECURITY_HEADERS:
        assert answer.headers.get(name), f"{what}: no {name}"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "'unsafe-inline'" not in answer.headers["Content-Security-Policy"]
    request_id = answer.headers.get("X-Request-Id")
    assert request_id, f"{what}: no X-Request-Id"
    if answer.status == 204 or bodiless:
        assert answer.raw == b"", what
    elif answer.status >= 400 and not _is_readiness(answer) and not _is_page(answer, what):
        check_problem(answer, request_id, what)


def _is_readiness(answer):
    return answer.status == 503 and isinstance(answer.body, dict) and "ready" in answer.body


def _is_page(answer, what):
    """A client that asks for HTML outside the API gets the page for missing addresses."""
    return answer.status == 404 and answer.headers["Content-Type"].startswith("text/html") and "/api/" not in what


def check_problem(answer, request_id, what):
    kind = answer.headers["Content-Type"].split(";")[0]
    assert kind == "application/problem+json", f"{what}: {kind} {answer.raw[:200]}"
    problem = answer.body
    for name in ("type", "title", "detail", "code", "request_id"):
        assert isinstance(problem[name], str), f"{what}: {name} in {problem}"
    assert problem["title"] and problem["code"]
    assert problem["status"] == answer.status, what
    assert problem["request_id"] == request_id, what
    if problem["code"] == "invalid":
        assert problem["errors"], f"{what}: which field? {problem}"
        for error in problem["errors"]:
            assert isinstance(error["field"], str) and error["message"], what
    if answer.status in (429, 503):
        assert int(answer.headers["Retry-After"]) >= 1, what
    if answer.status == 405:
        assert answer.headers["Allow"], what


def in_parallel(calls):
    """Runs the calls at once and returns their results in order; raises the first failure."""
    results, failures = [None] * len(calls), []

    def run(index, call):
        try:
            results[index] = call()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=row) for row in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return results
