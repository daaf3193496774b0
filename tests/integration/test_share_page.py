"""The address by which a sale is shared: previews read its head, people are forwarded to the sale."""

import html
import re

import pytest


def head_of(shop, sale, **headers):
    answer = shop.visitor.request("GET", f"/s/{sale}", api=False, headers=headers)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = answer.raw.decode()
    named = dict(re.findall(r'<meta (?:property|name|http-equiv)="([^"]+)" content="([^"]*)">', page))
    return {name: html.unescape(value) for name, value in named.items()}


def test_a_preview_has_title_description_and_picture(shared):
    item = shared.item(title="Celadon tea set 青瓷茶具", description="Six cups,\none pot.",
                       image_url="/assets/demo/tea-set.svg")
    sale = shared.sale(item_id=item["id"])["id"]
    head = head_of(shared, sale)
    assert head["og:title"] == "Celadon tea set 青瓷茶具"
    assert head["og:description"] == head["description"] == "Six cups, one pot."
    assert head["og:image"] == f"{shared.server.url}/assets/demo/tea-set.svg"
    assert head["og:url"] == f"{shared.server.url}/s/{sale}"
    assert head["refresh"] == f"0; url=/sale?id={sale}"


def test_a_sale_without_a_picture_has_none(shared):
    item = shared.item(image_url="")
    assert "og:image" not in head_of(shared, shared.sale(item_id=item["id"])["id"])


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{to} {picture} {", "🎉😀 & 'so on'"])
def test_what_an_operator_wrote_stays_text(shared, title):
    item = shared.item(title=title, description=title)
    sale = shared.sale(item_id=item["id"])["id"]
    answer = shared.visitor.request("GET", f"/s/{sale}", api=False)
    assert "<script" not in answer.raw.decode() and "<img" not in answer.raw.decode()
    assert head_of(shared, sale)["og:title"] == title


@pytest.mark.parametrize("sale", ["12345", "x", "%3Cscript%3E"])
def test_a_sale_that_is_not_there(shared, sale):
    answer = shared.visitor.request("GET", f"/s/{sale}", api=False)
    assert answer.status == 404
    assert "<script>" not in answer.raw.decode()
