"""The named statements of the ledgers, as the build finds them."""

import re
from pathlib import Path

ADAPTERS = Path(__file__).resolve().parents[2] / "src/adapters"
OVERRIDES = ADAPTERS / "mariadb/statements"

# What a scanner of SQL has to pass over as a whole: comments, texts, quoted names; and parameters.
_TOKENS = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\?(\d+)", re.S)


def read_statements(files):
    """The text of each statement by its name, without the comments before it."""
    found = {}
    for file in files:
        parts = re.split(r"^-- name: ([a-z_0-9]+)\n", file.read_text(), flags=re.M)
        for name, text in zip(parts[1::2], parts[2::2]):
            assert name not in found, f"{name} is there twice"
            found[name] = text.strip()
    return found


def default_statements():
    """Those that every engine runs unless it has its own."""
    return read_statements(sorted([*ADAPTERS.glob("sqlite/*/*.sql"), *ADAPTERS.glob("sql/*/*.sql")]))


def mariadb_statements():
    return read_statements(sorted(OVERRIDES.glob("*.sql")))


def parameters_of(text):
    """The numbers of its parameters, each as often as it is used, in the order of the text."""
    return [int(token[1]) for token in _TOKENS.finditer(text) if token[1]]


def with_question_marks(text):
    """As MariaDB takes it, which knows no numbers."""
    return _TOKENS.sub(lambda token: "?" if token[1] else token[0], text)


def with_values(text, values):
    """With literals in the place of parameters, from ?1 on."""
    return _TOKENS.sub(lambda token: literal(values[int(token[1]) - 1]) if token[1] else token[0], text)


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("'", "''") + "'"
