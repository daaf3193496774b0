"""The document is true: valid in itself, and every operation does what it says."""

import base64
import copy
import json
import os
import re
import struct
import time

import pytest
from jsonschema import Draft202012Validator

import instants
import provider
from document import DOCUMENT, METHODS, operations
from ledger import open_ledger
from pictures import png
from shop import PASSWORD, new_phone
from test_accounts_codes import code_for
from test_accounts_second_factor import Operator

OPERATIONS = {name: (method, path, operation) for name, method, path, operation in operations()}


def resolve(node, document=DOCUMENT):
    while isinstance(node, dict) and "$ref" in node:
        target = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        node = target
    return node


def nodes(node, where=""):
    yield where, node
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in children:
        yield from nodes(child, f"{where}/{key}")


def closed(document):
    """The document with its answers' schemas shut: a field it does not name is a mistake.

    Schemas called …Fields are parts of others, and so is what stands in an allOf: only the whole can be
    shut."""
    document = copy.deepcopy(document)

    def shut(schema):
        for where, node in nodes(schema):
            if isinstance(node, dict) and {"properties", "allOf"} & set(node) \
                    and "additionalProperties" not in node and not re.search(r"/allOf/\d+$", where):
                node["unevaluatedProperties"] = False

    for name, schema in document["components"]["schemas"].items():
        if not name.endswith("Fields"):
            shut(schema)
        else:
            for part in schema.get("properties", {}).values():
                shut(part)
    return document


CLOSED = closed(DOCUMENT)


def check_against(schema, value):
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "components": CLOSED["components"], "allOf": [schema]}
    errors = sorted(Draft202012Validator(whole).iter_errors(value), key=lambda e: list(e.path))
    assert not errors, "\n".join(f"{'/'.join(map(str, e.path))}: {e.message}" for e in errors[:5])


def check_answer(name, answer):
    _, _, operation = OPERATIONS[name]
    documented = operation["responses"]
    assert str(answer.status) in documented, f"{name}: {answer.status} is not documented"
    response = resolve(documented[str(answer.status)])
    for header, description in response.get("headers", {}).items():
        if header in ("Set-Cookie", "Retry-After", "X-Request-Id"):
            assert answer.headers.get(header), f"{name}: no {header}"
    if "content" not in response:
        assert answer.raw == b""
        return
    kind = answer.headers["Content-Type"].split(";")[0]
    assert kind in response["content"], f"{name}: {kind}"
    if kind.startswith("image/"):
        return
    body = answer.body if "json" in kind else answer.raw.decode()
    check_against(response["content"][kind]["schema"], body)


def test_the_document_is_well_formed():
    assert re.fullmatch(r"3\.1\.\d+", DOCUMENT["openapi"])
    assert DOCUMENT["info"]["title"] and DOCUMENT["info"]["version"]
    tags = {tag["name"] for tag in DOCUMENT["tags"]}
    names = [name for name, *_ in operations()]
    assert len(names) == len(set(names))
    for name, method, path, operation in operations():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
        assert operation["summary"] and set(operation["tags"]) <= tags
        parameters = [resolve(p) for p in
                      DOCUMENT["paths"][path].get("parameters", []) + operation.get("parameters", [])]
        assert {p["name"] for p in parameters if p["in"] == "path"} == set(re.findall(r"{(\w+)}", path))
        assert all(p["required"] for p in parameters if p["in"] == "path")
        for status, response in operation["responses"].items():
            assert re.fullmatch(r"[1-5]\d\d", status) and resolve(response)["description"]
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(operation["responses"])
        # Without this line a generator asks for a token where nobody needs one.
        assert operation["security"] in ([], [{"bearer": []}, {"cookie": []}]), name
        assert ("401" in operation["responses"]) >= bool(operation["security"])
    for row in DOCUMENT["paths"].values():
        assert set(row) <= {*METHODS, "parameters"}


def test_references_lead_somewhere_and_nothing_is_left_over():
    used = set()
    for where, node in nodes(DOCUMENT):
        if isinstance(node, dict) and "$ref" in node:
            assert set(node) <= {"$ref", "description", "default"}, where
            assert resolve(node) is not None
            used.add(node["$ref"])
    for section in ("headers", "parameters", "responses", "schemas"):
        for name in DOCUMENT["components"][section]:
            assert f"#/components/{section}/{name}" in used, f"nobody uses {section}/{name}"


def test_models_have_one_name_each():
    """Generators make up names for models without one, and lose a model whose name comes twice."""
    for where, node in nodes(DOCUMENT):
        if not isinstance(node, dict):
            continue
        if "properties" in node and node.get("type") == "object":
            assert re.fullmatch(r"/components/schemas/\w+(/allOf/\d+)?", where), f"{where} needs a name"
        if isinstance(node.get("enum"), list) or "const" in node:
            assert "type" in node, f"{where}: generators take words without a type for anything"
        if "allOf" in node:
            assert len(node["allOf"]) > 1 or set(node) == {"allOf"}, where


def test_an_edit_has_no_defaults():
    """A client that is generated from the document sends every default: it would undo what was set."""
    def check(schema, where):
        for inner, node in nodes(schema):
            if isinstance(node, dict):
                assert "default" not in node, f"{where}{inner}"
                if "$ref" in node:
                    check(resolve(node), f"{where}{inner}")

    for name, method, _, operation in operations():
        if method == "PUT" and "application/json" in operation.get("requestBody", {}).get("content", {}):
            check(operation["requestBody"]["content"]["application/json"]["schema"], name)


@pytest.mark.parametrize("new, edit", [("NewItem", "ItemEdit"), ("NewSale", "SaleEdit")])
def test_an_edit_takes_what_a_creation_takes(new, edit):
    def rules(name):
        fields = DOCUMENT["components"]["schemas"][name]["properties"]
        return {field: {key: rule for key, rule in schema.items() if key not in ("default", "description")}
                for field, schema in fields.items()}

    assert rules(new) == rules(edit)


def test_schemas_are_schemas_and_examples_fit_them():
    for name, schema in DOCUMENT["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        for example in schema.get("examples", []):
            check_against({"$ref": f"#/components/schemas/{name}"}, example)
    for _, node in nodes(DOCUMENT["paths"]):
        if isinstance(node, dict) and "schema" in node:
            Draft202012Validator.check_schema(node["schema"])
            if "example" in node:
                check_against(node["schema"], node["example"])


def test_the_server_shows_the_document_of_the_tree(shared):
    assert shared.visitor.get("/openapi.json", api=False).body == DOCUMENT


def no_input(shop):
    return {}


def some_item(shop):
    return {"id": shop.item()["id"]}


def some_upload(shop):
    return {"data": png(color=os.urandom(3)), "headers": {"Content-Type": "image/png"}}


def some_picture(shop):
    made = shop.operator.post("/admin/pictures", **some_upload(shop))
    assert made.status == 201, made.body
    return {"hash": made.body["hash"], "file": made.body["url"].rsplit("/", 1)[1]}


def some_sale(shop):
    return {"id": shop.sale()["id"]}


def some_pass(shop):
    sale = shop.sale()["id"]
    return {"id": sale, "pass": shop.pass_for(shop.operator, sale)}


def some_purchase(shop):
    sale = shop.sale()["id"]
    return {"id": sale, **shop.bought(shop.operator, sale)}


def some_order(shop):
    return {"id": some_purchase(shop)["order_id"]}


def some_lapse(shop):
    """A sale in which the operator has cancelled an order and holds another."""
    sale = shop.sale()["id"]
    order = shop.bought(shop.operator, sale)["order_id"]
    assert shop.operator.post(f"/orders/{order}/cancel").status == 200
    shop.bought(shop.operator, sale)
    return {"id": sale}


def id_of_operator(shop):
    return shop.operator.get("/sessions/current").body["user"]["id"]


def some_payment(shop):
    order = provider.Bought(shop, shop.operator, shop.sale()["id"])
    payment = order.pay()
    return {"id": order.id, "bill": payment["pay_url"].rsplit("/", 1)[1], "payment": payment}


def some_event(shop):
    told = provider.failed(some_payment(shop)["payment"])
    signature = provider.sign(json.dumps(told).encode())
    return {"provider": "sandbox", "body": told, "headers": {"Sluice-Signature": signature}}


def some_paid_order(shop):
    made = some_payment(shop)
    provider.outcome(shop.visitor, provider.succeeded(made["payment"], 9900))
    return {"id": made["id"]}


def some_owed_refund(shop):
    made = some_payment(shop)
    assert provider.outcome(shop.visitor, provider.succeeded(made["payment"], 1)) == "refund_owed"
    [charge] = shop.operator.get(f"/admin/orders/{made['id']}").body["charges"]
    return {"id": charge["refund"]["refund_id"]}


def some_user(shop):
    return {"id": shop.register()["id"]}


def some_block(shop):
    subject = shop.register()["id"]
    assert shop.operator.put(f"/admin/blocks/{subject}", {"reason": "script"}).status == 200
    return {"subject": subject}


UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def some_webhook(shop, **more):
    """To a name that leads nowhere public, so that nothing is ever sent; the oldest make room."""
    for old in shop.operator.get("/admin/webhooks").body["webhooks"][10:]:
        shop.operator.delete(f"/admin/webhooks/{old['id']}")
    made = shop.operator.post("/admin/webhooks", {"url": "https://localhost/hook", "events": ["sale.reopened"], **more})
    assert made.status == 201, made.body
    return {"id": made.body["id"]}


def some_delivery(shop):
    hook = some_webhook(shop)["id"]
    sale = shop.sale(stock=0)["id"]
    assert shop.operator.post(f"/admin/sales/{sale}/restock", {"delta": 1}).status == 200
    [made] = shop.operator.get(f"/admin/webhooks/{hook}/deliveries").body["deliveries"]
    return {"hook": hook, "id": made["id"]}


def some_parked(shop):
    """A ticket that somebody could not write, and that can be written by now."""
    sale, buyer, mark = int(shop.sale()["id"]), int(shop.register()["id"]), os.urandom(16)
    with open_ledger(shop.server.data) as ledger:
        ledger.change("INSERT INTO parked_tickets (sale_id, mark, buyer_id, quantity, epoch, pass, claimed_at, reason, "
                      "parked_at, tried_at, tries) VALUES (?1, ?2, ?3, 1, 1, ?2, ?4, 'planted', ?4, ?4, 1)",
                      sale, mark, buyer, round(time.time() * 1000))
    return {"ticket": base64.urlsafe_b64encode(struct.pack(">q", sale) + mark).decode()}


def some_reset(shop):
    phone = shop.register()["phone"]
    return {"body": {"phone": phone, "password": "a quite different horse", "code": code_for(shop, phone, "password")}}


def some_change_of_password(shop):
    return {"token": shop.buyer().token,
            "body": {"current_password": PASSWORD, "new_password": "a quite different horse"}}


def some_new_factor(shop):
    return {"token": Operator(shop).client.token, "body": {"password": PASSWORD}}


def some_begun_factor(shop):
    operator = Operator(shop)
    operator.secret = operator.begin().body["secret"]
    return {"token": operator.client.token, "body": {"code": operator.code()}}


def some_factor(shop):
    operator = Operator(shop).set_up()
    return {"token": operator.client.token, "body": {"code": operator.code()}}


def some_list(shop):
    return {**some_sale(shop), "data": b"phone\n13800138000\n", "headers": {"Content-Type": "text/csv"}}


EXAMPLES = {
    "show_account_rules": no_input,
    "send_phone_code": lambda shop: {"body": {"phone": new_phone(), "purpose": "password"}},
    "reset_password": some_reset,
    "change_password": some_change_of_password,
    "show_second_factor": no_input,
    "begin_second_factor": some_new_factor,
    "confirm_second_factor": some_begun_factor,
    "remove_second_factor": some_factor,
    "list_sandbox_messages": no_input,
    "create_user": lambda shop: {"body": {"phone": new_phone(), "password": PASSWORD, "name": "Lin"}},
    "log_in": lambda shop: {"token": None,
                            "body": {"phone": shop.register()["phone"], "password": PASSWORD}},
    "show_session": no_input,
    "log_out_everywhere": lambda shop: {"token": shop.buyer().token},
    "log_out": lambda shop: {"token": shop.buyer().token},
    "show_time": no_input,
    "list_items": lambda shop: {"query": "?archived=all&limit=2", **some_item(shop)},
    "show_item": lambda shop: {"id": shop.sale()["item"]["id"]},
    "list_sales": lambda shop: {"query": "?state=open&campaign=11.11&tag=tea&limit=2", **some_sale(shop)},
    "show_sale": some_sale,
    "note_visit": some_sale,
    "show_share_page": some_sale,
    "create_challenge": lambda shop: {"id": shop.sale(challenge="math")["id"]},
    "create_pass": lambda shop: {**some_sale(shop), "body": {}},
    "buy": lambda shop: {**some_pass(shop), "body": {"quantity": 1}, "headers": {"Prefer": "wait=5"}},
    "show_my_ticket": lambda shop: {"id": some_purchase(shop)["id"]},
    "show_ticket": lambda shop: {"ticket": some_purchase(shop)["ticket"]},
    "list_orders": lambda shop: {"query": "?limit=2", **some_order(shop)},
    "show_order": some_order,
    "cancel_order": some_order,
    "begin_payment": lambda shop: {**some_order(shop), "body": {}},
    "open_stream": lambda shop: {"headers": UPGRADE},
    "receive_payment_event": some_event,
    "show_sandbox_page": lambda shop: {"bill": some_payment(shop)["bill"]},
    "show_sandbox_file": lambda shop: {"file": "pay.js"},
    "show_sandbox_bill": lambda shop: {"bill": some_payment(shop)["bill"]},
    "press_sandbox_button": lambda shop: {"bill": some_payment(shop)["bill"], "body": {"button": "twice"}},
    "show_contact": no_input,
    "put_contact": lambda shop: {"body": {}},
    "erase_contact": lambda shop: {"query": "?orders=finished"},
    "download_my_data": no_input,
    "show_order_contact": some_paid_order,
    "put_order_contact": lambda shop: {**some_paid_order(shop), "body": {"note": ""}},
    "show_contact_fields": no_input,
    "change_contact_fields": lambda shop: {"body": {"note": "off"}},
    "erase_contact_of_user": some_user,
    "change_delivery": lambda shop: {**some_paid_order(shop), "body": {"state": "shipped", "number": "SF 1"}},
    "list_any_orders": lambda shop: {"query": "?state=pending&limit=2", **some_order(shop)},
    "export_orders": lambda shop: {"query": "?state=pending", **some_order(shop)},
    "show_any_order": some_paid_order,
    "refund_order": some_paid_order,
    "note_sent_back": some_owed_refund,
    "create_item": lambda shop: {"body": {"title": "Tea set", "list_price_cents": 1, "currency": "CNY"}},
    "edit_item": lambda shop: {**some_item(shop), "body": {"title": "Blue tea set"}},
    "archive_item": some_item,
    "restore_item": some_item,
    "show_picture": some_picture,
    "upload_picture": some_upload,
    "remove_picture": some_picture,
    "create_sale": lambda shop: {"body": {"item_id": shop.item()["id"], "price_cents": 1, "stock": 1,
                                          "starts_at": instants.from_now(hours=1)}},
    "edit_sale": lambda shop: {**some_sale(shop), "body": {"limit_per_buyer": 2, "name": "双十一"}},
    "pause_sale": some_sale,
    "resume_sale": some_sale,
    "end_sale": some_sale,
    "restock_sale": lambda shop: {**some_sale(shop), "body": {"delta": 5}},
    "show_stats": lambda shop: {"id": some_purchase(shop)["id"]},
    "list_stats_history": lambda shop: {"query": "?resolution=minute&limit=2", **some_sale(shop)},
    "show_listing": some_sale,
    "show_buyer_list": some_sale,
    "replace_buyer_list": some_list,
    "extend_buyer_list": some_list,
    "clear_buyer_list": some_sale,
    "export_buyer_list": some_sale,
    "show_holds": lambda shop: {"id": some_lapse(shop)["id"]},
    "give_back_holds": lambda shop: {**some_lapse(shop), "body": {"subject": id_of_operator(shop)}},
    "audit_sale": some_sale,
    "list_users": lambda shop: {"query": "?role=buyer&limit=2", **some_user(shop)},
    "show_user": some_user,
    "change_role": lambda shop: {**some_user(shop), "body": {"role": "operator"}},
    "list_blocks": lambda shop: {"query": "?limit=2", **some_block(shop)},
    "show_block": some_block,
    "put_block": lambda shop: {"subject": shop.register()["id"], "body": {"reason": "script"}},
    "lift_block": some_block,
    "list_audit_trail": lambda shop: {"query": "?limit=2", **some_item(shop)},
    "list_nodes": no_input,
    "show_queue": no_input,
    "list_parked_tickets": lambda shop: {"query": "?limit=2", **some_parked(shop)},
    "retry_ticket": some_parked,
    "refuse_ticket": some_parked,
    "show_limits": no_input,
    "change_limits": lambda shop: {"body": {"buying": {"burst": 20}, "people_per_address": None}},
    "list_webhooks": lambda shop: {"query": "?limit=2", **some_webhook(shop)},
    "create_webhook": lambda shop: {**some_webhook(shop),
                                    "body": {"url": "https://localhost/hook", "events": ["order.paid"]}},
    "delete_webhook": some_webhook,
    "list_deliveries": lambda shop: {"query": "?state=pending&limit=2", "id": some_delivery(shop)["hook"]},
    "resend_delivery": some_delivery,
    "list_alerts": no_input,
    "test_alert_channel": lambda shop: {"channel": "slack"},
    "livez": no_input,
    "readyz": no_input,
    "metrics": no_input,
    "openapi": no_input,
}


def call(client, name, *, body=None, query="", data=None, headers=None, **parts):
    method, path, _ = OPERATIONS[name]
    return client.request(method, filled(path, parts) + query, body, data=data, headers=headers, api=False)


def filled(path, parts):
    """The parts of a path, "1" where nothing is given."""
    return re.sub(r"{(\w+)}", lambda part: parts.get(part[1], "1"), path)


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_works_as_documented(shared, name):
    assert name in EXAMPLES, f"write an example for {name}"
    example = EXAMPLES[name](shared)
    client = shared.client(example.pop("token", shared.operator.token))
    answer = call(client, name, **example)
    assert answer.status < 300, answer.body
    check_answer(name, answer)
    if "body" in example:
        schema = OPERATIONS[name][2]["requestBody"]["content"]["application/json"]["schema"]
        check_against(schema, example["body"])


def test_no_example_is_left_over():
    assert set(EXAMPLES) == set(OPERATIONS)


@pytest.mark.parametrize("name", [n for n, (*_, op) in OPERATIONS.items() if "401" in op["responses"]])
def test_without_a_login(shared, name):
    body = {"phone": new_phone(), "password": "wrong password"} if name == "log_in" else None
    answer = call(shared.visitor, name, body=body)
    assert answer.status == 401
    check_answer(name, answer)


@pytest.mark.parametrize("name", [n for n, (*_, op) in OPERATIONS.items() if "operator" in op["tags"]])
def test_in_another_role(shared, shared_buyer, name):
    answer = call(shared_buyer, name)
    assert answer.status == 403
    check_answer(name, answer)


@pytest.mark.parametrize("name", [n for n, (*_, op) in OPERATIONS.items() if "404" in op["responses"] and n != "metrics"])
def test_with_an_unknown_id(shared, name):
    answer = call(shared.operator, name, body=EXAMPLES[name](shared).get("body"))
    assert answer.status == 404
    check_answer(name, answer)


# What is signed is looked at only when the signature is genuine: see test_payment_webhook.py.
# Others than JSON are in test_presale.py and test_pictures_upload.py.
WITH_BODY = [n for n, (*_, op) in OPERATIONS.items()
             if "application/json" in op.get("requestBody", {}).get("content", {}) and n != "receive_payment_event"]


@pytest.mark.parametrize("name", WITH_BODY)
@pytest.mark.parametrize("wrong, status", [
    ({"body": {"surprise": 1}}, 422),
    ({"data": b"{"}, 400),
    ({"data": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
    ({"data": b" " * 65_537}, 413),
])
def test_with_a_wrong_body(shared, name, wrong, status):
    example = EXAMPLES[name](shared)
    answer = call(shared.operator, name, **{**example, "body": None, "headers": None, **wrong})
    assert answer.status == status, answer.body
    check_answer(name, answer)


@pytest.mark.parametrize("name", [n for n, (*_, op) in OPERATIONS.items()
                                  if "422" in op["responses"] and "requestBody" not in op])
def test_with_a_wrong_query(shared, name):
    answer = call(shared.operator, name, query="?limit=0&state=lost")
    assert answer.status == 422
    check_answer(name, answer)


def query_of(name):
    _, path, operation = OPERATIONS[name]
    every = [resolve(p) for p in DOCUMENT["paths"][path].get("parameters", []) + operation.get("parameters", [])]
    return [parameter["name"] for parameter in every if parameter["in"] == "query"]


STRICT = [n for n, (*_, op) in OPERATIONS.items() if "422" in op["responses"]]


@pytest.mark.parametrize("name", STRICT)
def test_a_misspelt_parameter_is_not_taken_for_none(shared, name):
    for query in ("?surprise=1", "?surprise", *(f"?{known}_=1" for known in query_of(name))):
        answer = call(shared.operator, name, query=query)
        assert (answer.status, answer.code) == (422, "invalid"), query
        assert answer.fields == {query[1:].partition("=")[0]}
        check_answer(name, answer)


@pytest.mark.parametrize("name", [n for n in STRICT if query_of(n)])
def test_a_parameter_may_be_given_once(shared, name):
    for known in query_of(name):
        for again in (known, f"%{ord(known[0]):02x}{known[1:]}"):
            answer = call(shared.operator, name, query=f"?{known}=1&{again}=2")
            assert (answer.status, answer.code, answer.fields) == (422, "invalid", {again})
            check_answer(name, answer)


@pytest.mark.parametrize("name", sorted(set(OPERATIONS) - set(STRICT)))
def test_pages_and_probes_take_any_query(shared, name):
    example = EXAMPLES[name](shared)
    answer = call(shared.visitor, name, query="?utm_source=news&utm_source=mail&lang=&empty", **example)
    assert answer.status == 200


@pytest.mark.parametrize("path", DOCUMENT["paths"])
def test_methods_that_are_not_there(shared, path):
    there = {method.upper() for method in DOCUMENT["paths"][path]} - {"PARAMETERS"}
    if "GET" in there:
        there.add("HEAD")
    for method in {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"} - there:
        answer = shared.operator.request(method, filled(path, {}), api=False)
        assert answer.status == 405
        assert set(re.split(r",\s*", answer.headers["Allow"])) == there
        if method != "HEAD":
            check_against({"$ref": "#/components/schemas/Problem"}, json.loads(answer.raw))
