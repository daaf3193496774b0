"""The pages as the server hands them out: addresses, caching, size, and nothing inline."""

import re

import pytest

SHOP = ["/", "/sale", "/login", "/register", "/forgotten", "/account", "/messages", "/orders", "/order"]
CONSOLE = ["", "sale", "plan", "items", "item", "orders", "order", "users", "limits", "webhooks", "trail"]
PAGES = [*SHOP, "/console", *(f"/console/{page}" for page in CONSOLE)]
FIRST_LOAD_BYTES = 60 * 1024


def parts(page):
    """What the browser fetches along with a page: scripts, styles, and scripts that those need."""
    return [found.decode() for found in re.findall(rb'(?:src|href)="(/assets/[^"]+\.(?:js|css))"', page.raw)]


@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_its_address(shared, path):
    page = shared.visitor.get(path, api=False)
    assert page.status == 200 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Cache-Control"] == "no-cache" and page.headers["ETag"]
    assert not re.search(rb"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.raw)
    assert not re.search(rb'(?:src|href)="(?!/)', page.raw), "something comes from elsewhere"
    assert parts(page)


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_needs_never_changes_under_its_name(shared, path):
    for part in parts(shared.visitor.get(path, api=False)):
        answer = shared.visitor.get(part, api=False)
        assert answer.status == 200, part
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable", part


def test_the_sale_page_is_light(shared):
    needed = parts(shared.visitor.get("/sale", api=False))
    sizes = [int(shared.visitor.get(part, api=False, headers={"Accept-Encoding": "br"}).headers["Content-Length"])
             for part in needed]
    assert sum(sizes) <= FIRST_LOAD_BYTES, dict(zip(needed, sizes))


@pytest.mark.parametrize("path", ["/sale/", "/sale/1", "/Sale", "/sale.htm", "/assets/demo", "/console/nothing"])
def test_there_is_no_shell_for_addresses_that_do_not_exist(shared, path):
    assert shared.visitor.get(path, api=False).status == 404


@pytest.mark.parametrize("path", ["/nothing", "/console/nothing", "/404", "/404.html"])
def test_people_get_a_page_for_an_address_that_does_not_exist(shared, path):
    browser = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Encoding": "br"}
    page = shared.visitor.get(path, api=False, headers=browser)
    assert page.status == 404 and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Content-Encoding"] == "br" and page.headers["Cache-Control"] == "no-store"
    assert page.headers["Vary"] == "Accept, Accept-Encoding"


@pytest.mark.parametrize("accept", ["*/*", "application/json", ""])
def test_programs_get_a_problem_for_an_address_that_does_not_exist(shared, accept):
    answer = shared.visitor.get("/nothing", api=False, headers={"Accept": accept})
    assert answer.status == 404 and answer.code == "not_found"


def test_the_api_never_answers_with_a_page(shared):
    answer = shared.visitor.get("/nothing", headers={"Accept": "text/html"})
    assert answer.status == 404 and answer.code == "not_found"
