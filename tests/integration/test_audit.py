"""The audit: proves the promises on the stored data, by command and over HTTP."""

import json
import re

import pytest

from ledger import open_ledger
from process import ROOT, run


@pytest.fixture
def traded(shop):
    """A shop in which everything has happened once; `sale` and `order` are of a live order."""
    shop.traded = shop.sale(stock=5, limit_per_buyer=2)["id"]
    one, two, three = shop.buyers(3)
    shop.order = shop.bought(one, shop.traded, 2, key="k")["order_id"]
    cancelled = shop.bought(two, shop.traded)["order_id"]
    assert two.post(f"/orders/{cancelled}/cancel").status == 200
    shop.bought(three, shop.traded)
    assert shop.operator.post(f"/admin/sales/{shop.traded}/restock", {"delta": 2}).status == 200
    shop.other = shop.sale()["id"]
    return shop


def audit(shop, *arguments):
    return run("audit", "--data", shop.server.data, *arguments)


def over_http(shop, sale_id):
    answer = shop.operator.get(f"/admin/sales/{sale_id}/audit")
    assert answer.status == 200, answer.body
    return answer.body


def check_form(report):
    assert set(report) >= {"holds", "checks"} and report["checks"]
    for check in report["checks"]:
        assert isinstance(check["name"], str) and check["name"]
        assert isinstance(check["holds"], bool) and isinstance(check["detail"], str)
    names = [check["name"] for check in report["checks"]]
    assert len(names) == len(set(names))
    assert report["holds"] == all(check["holds"] for check in report["checks"])


def test_it_holds_while_the_server_runs_and_after(traded):
    for arguments in ((), ("--sale", traded.traded), ("--sale", traded.other)):
        report = traded.audit(*arguments)
        check_form(report)
        said = audit(traded, *arguments)
        assert said.returncode == 0 and said.stdout
        assert all(check["name"] in said.stdout for check in report["checks"])
    by_http = over_http(traded, traded.traded)
    check_form(by_http)
    assert by_http["holds"]
    # What is in the server's memory only the server can compare.
    assert {c["name"] for c in by_http["checks"]} == {c["name"] for c in report["checks"]} | {"hot copy"}
    traded.stop()
    check_form(traded.audit())
    traded.server.start()


def tamper(shop, statement):
    with open_ledger(shop.server.data) as ledger:
        ledger.ignore_checks()
        assert ledger.change(statement, int(shop.traded), int(shop.order)) == 1, statement


VIOLATIONS = {  # ?1 is the sale, ?2 an order of two units
    "a unit held for nobody":
        "UPDATE sales SET stock_held = stock_held + 1, stock_left = stock_left - 1 WHERE id = ?1",
    "a held unit for sale again":
        "UPDATE sales SET stock_held = stock_held - 1, stock_left = stock_left + 1 WHERE id = ?1",
    "a unit from nowhere": "UPDATE sales SET stock_left = stock_left + 1 WHERE id = ?1",
    "fewer than none": "UPDATE sales SET stock_left = -1, stock_total = stock_held - 1 WHERE id = ?1",
    "an order grown": "UPDATE orders SET quantity = 3 WHERE id = ?2",
    "an order paid behind our back": "UPDATE orders SET state = 'paid' WHERE id = ?2",
    "an order that lost its ticket": "DELETE FROM journal WHERE order_id = ?2",
    "a ticket that lost its order": "DELETE FROM orders WHERE id = ?2",
    "a ticket undone": "UPDATE journal SET state = 3, reason = 'sold_out', order_id = NULL WHERE order_id = ?2",
    "an order twice": "INSERT INTO orders SELECT id + 1, sale_id, item_id, buyer_id, mark, quantity, "
                      "price_cents, currency, 'cancelled', created_at, expires_at, paid_at "
                      "FROM orders WHERE id = ?2",
    "a buyer who seems to have room": "UPDATE holdings SET units = 1 WHERE sale_id = ?1 AND units = 2",
    "claimed before the start":
        "UPDATE sales SET starts_at = starts_at + 3600000, ends_at = ends_at + 3600000 WHERE id = ?1",
}


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_what_was_tampered_with_is_found(traded, violation):
    traded.stop()
    tamper(traded, VIOLATIONS[violation])
    done = audit(traded, "--json")
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads(done.stdout)
    check_form(report)
    broken = [check for check in report["checks"] if not check["holds"]]
    assert broken and all(re.search(r"\d{15,}|ticket \S{32}", check["detail"]) for check in broken), report
    assert audit(traded).returncode == 1
    assert audit(traded, "--sale", traded.traded, "--json").returncode == 1
    assert audit(traded, "--sale", traded.other, "--json").returncode == 0
    traded.server.start()


def test_over_http_it_sees_what_is_stored(traded):
    tamper(traded, VIOLATIONS["a unit held for nobody"])
    report = over_http(traded, traded.traded)
    check_form(report)
    assert not report["holds"]
    assert over_http(traded, traded.other)["holds"]


def test_over_http_it_is_told_by_rule_and_in_the_language_of_the_caller(traded):
    tamper(traded, VIOLATIONS["a unit held for nobody"])
    path = f"/admin/sales/{traded.traded}/audit"
    # The last one is the hot copy, which may be compared between the two audits.
    english, told = (traded.operator.get(path, headers={"Accept-Language": language}).body["checks"][:-1]
                     for language in ("en", "zh"))
    assert [check["detail"] for check in told] == [check["detail"] for check in english]
    for here, there in zip(english, told):
        assert "; ".join(notice["text"] for notice in here["notices"]) == here["detail"]
        assert [notice["rule"] for notice in here["notices"]] == [notice["rule"] for notice in there["notices"]]
        assert not [notice for notice in there["notices"] if not re.search("[一-龥]", notice["text"])], there
    [broken] = [check for check in told if not check["holds"]]
    assert broken["notices"] == [{
        "rule": "stock_differs_from_orders", "arguments": [traded.traded, "4", "0", "3", "0"],
        "text": f"活动 {traded.traded} 占用 4、已售 0，但按订单应为 3 和 0"}]


def test_what_parts_say_is_told_in_the_language_of_the_caller(shop):
    parts = shop.operator.get("/readyz", api=False, headers={"Accept-Language": "zh"}).body["parts"]
    assert all(part["notices"] if part["detail"] else part["notices"] == [] for part in parts)
    assert all(re.search("[一-龥]", notice["text"]) for part in parts for notice in part["notices"])


@pytest.mark.parametrize("arguments", [["--sale", "1"], ["--sale", "x"], ["--sale", "-1"]])
def test_a_sale_that_is_not_there_cannot_be_told(shop, arguments):
    done = audit(shop, *arguments)
    assert done.returncode not in (0, 1) and done.stderr


def test_no_data_cannot_be_told(tmp_path):
    done = run("audit", "--data", tmp_path / "none", "--json")
    assert done.returncode == 2 and done.stderr
    assert not (tmp_path / "none").exists(), "an audit makes nothing"
    (tmp_path / "file").write_text("")
    assert run("audit", "--data", tmp_path / "file").returncode == 2


def test_an_empty_shop_holds(shop):
    check_form(shop.audit())


def test_it_is_for_operators(shared, shared_buyer):
    path = f"/admin/sales/{shared.sale()['id']}/audit"
    assert shared_buyer.get(path).status == 403
    assert shared.visitor.get(path).status == 401
    assert shared.operator.get("/admin/sales/1/audit").status == 404


def tamper_with_trail(shop, *statements):
    """As somebody who can write to the file: the triggers are removed and put back."""
    with open_ledger(shop.server.data) as ledger:
        triggers = ledger.triggers_of("audit_trail", "trail_chain")
        for name in triggers:
            ledger.change(f"DROP TRIGGER {name}")
        for statement in statements:
            ledger.change(statement)
        for sql in triggers.values():
            ledger.change(sql)


@pytest.mark.parametrize("statement, said", [
    ("UPDATE audit_trail SET state_after = '{}' WHERE id = {id}", "deed {id} was changed"),
    ("DELETE FROM audit_trail WHERE id = {id}", "deed {id} was removed"),
    ("INSERT INTO audit_trail SELECT {id} + 1, at, actor_id, os_user, address, request_id, action, subject,"
     " state_before, state_after FROM audit_trail WHERE id = {id}", "was put in"),
])
def test_a_trail_that_was_tampered_with_is_named(traded, statement, said):
    trail = traded.operator.get("/admin/audit-trail").body["entries"]
    deed = next(entry["id"] for entry in trail if entry["action"] == "item.create")
    traded.stop()
    traded.audit()
    tamper_with_trail(traded, statement.replace("{id}", deed))
    found = audit(traded, "--json")
    assert found.returncode == 1, found.stdout + found.stderr
    broken = [check for check in json.loads(found.stdout)["checks"] if not check["holds"]]
    assert [check["name"] for check in broken] == ["audit trail"]
    assert said.replace("{id}", deed) in broken[0]["detail"]
    traded.server.start()


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_shows_what_the_audit_prints(shop, readme):
    sample = re.search(r"\n```\n(holds .*?)```\n", (ROOT / readme).read_text(), re.S)[1]
    assert audit(shop).stdout == sample
