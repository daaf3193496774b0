"""The OpenAPI document in the tree."""

import json
import re

from process import ROOT

DOCUMENT = json.loads((ROOT / "src/api/openapi.json").read_text())
METHODS = ("get", "post", "put", "delete")


def operations(document=DOCUMENT):
    """(operationId, method, path, operation) for each there is."""
    for path, row in document["paths"].items():
        for method in METHODS:
            if method in row:
                yield row[method]["operationId"], method.upper(), path, row[method]


def operator_calls():
    return [(method, re.sub(r"{\w+}", "1", path))
            for _, method, path, operation in operations() if "operator" in operation["tags"]]
