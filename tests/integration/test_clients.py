"""Clients that two tools generate from /openapi.json buy, and an edit of theirs changes what it names and nothing else."""

import json
import subprocess

import pytest

import instants
from process import ROOT
from shop import PASSWORD

CLIENTS = ROOT / "tests/clients"
GUARDED = {"challenge": "pow", "challenge_bits": 12, "gate_factor": 7, "hold_seconds": 77, "limit_per_buyer": 3}
ITEM = {"description": "Six cups and a pot.", "image_url": "/assets/demo/tea-set.svg"}


def npm(*arguments):
    done = subprocess.run(["npm", "run", "--silent", *arguments], cwd=CLIENTS, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.fixture(scope="module")
def built(shared):
    """Both clients, generated from what the running server shows, and checked by the compiler."""
    subprocess.run(["cmake/install_web.sh", CLIENTS], cwd=ROOT, check=True)
    (CLIENTS / "generated").mkdir(exist_ok=True)
    document = shared.visitor.get("/openapi.json", api=False).raw
    (CLIENTS / "generated/openapi.json").write_bytes(document)
    npm("generate")
    npm("build")
    return CLIENTS / "generated/built"


@pytest.mark.parametrize("client", ["typed", "checked"])
def test_a_generated_client_buys_and_edits(shared, built, client):
    item = shared.item(**ITEM)
    guarded = shared.sale(item["id"], **GUARDED)
    errand = {"url": f"http://127.0.0.1:{shared.server.port}", "sale": shared.sale()["id"],
              "operator": {"phone": shared.operator_phone, "password": PASSWORD},
              "buyer": {"phone": shared.register()["phone"], "password": PASSWORD},
              "guarded": guarded["id"], "ends_at": instants.from_now(hours=3), "item": item["id"]}
    done = subprocess.run(["node", built / f"{client}.js"], input=json.dumps(errand), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout)
    assert (report["role"], report["state"], report["order_state"]) == ("buyer", "ordered", "pending")
    assert (report["ends_at"], report["title"]) == (errand["ends_at"], "Renamed")

    now = shared.visitor.get(f"/sales/{guarded['id']}").body
    assert now["ends_at"] == errand["ends_at"]
    assert {name: now[name] for name in GUARDED} == GUARDED, "what the edit did not name is as it was"
    assert {name: now["item"][name] for name in ITEM} == ITEM
