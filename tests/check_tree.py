#!/usr/bin/env python3
"""Holds the tree against its own rules; prints what is wrong and exits 1 if anything is.

check_tree.py [ROOT], by default the tree this file stands in.
"""
import ast
import os
import re
import sys
from pathlib import Path

OUTPUTS = ("build", "data", "web/dist")  # made by building and running, not kept
NOT_OURS = {"node_modules", "dist", "__pycache__"}
LONGEST_SOURCE = 500
LONGEST_FUNCTION = 70
# Spelt apart, so that this file does not break its own rule.
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")


def check(root):
    return [
        *check_includes(root),
        *check_doc_paths(root),
        *check_unfinished(root),
        *check_length(root),
        *check_functions(root),
        *check_arrows(root),
        *check_license(root),
        *check_headers(root),
        *check_columns(root),
        *check_locks(root),
        *check_enums(root),
        *check_texts(root),
        *check_asio(root),
        *check_stock_calls(root),
    ]


def files_under(folder, *suffixes):
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - NOT_OURS)
        for path in (Path(parent, name) for name in sorted(names)):
            if not suffixes or path.suffix in suffixes:
                yield path


def numbered_lines(path):
    return enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)


def direct_edges(root):
    """Folder of src/ -> the folders that it links, as in CMake."""
    text = re.sub(r"#.*", "", (root / "src/CMakeLists.txt").read_text())
    links = {}
    for name, arguments in re.findall(r"^\s*sluice_folder\(([\w/]+)([^)]*)\)", text, re.M):
        links[name] = arguments.split()
    folder_of = {"sluice_" + name.replace("/", "_"): name for name in links}
    return {folder: [folder_of[target] for target in targets if target in folder_of]
            for folder, targets in links.items()}


def allowed_edges(root):
    """Folder of src/ -> the folders it may include: those that it links, and what these link."""
    links = direct_edges(root)

    def reach(folder, found):
        if folder not in found:
            found.add(folder)
            for target in links[folder]:
                reach(target, found)
        return found

    return {folder: reach(folder, set()) for folder in links}


def check_includes(root):
    edges = allowed_edges(root)
    for path in files_under(root / "src", ".hpp", ".cpp"):
        relative = path.relative_to(root / "src")
        own = folder_among(relative, edges)
        if relative.parts[0] == "main":
            continue
        if own is None:
            yield f"{path.relative_to(root)}: its folder is not in src/CMakeLists.txt"
            continue
        for number, line in numbered_lines(path):
            include = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not include:
                continue
            target = Path(include[1])
            if target.parts[0] == "support" and path.name.endswith("_test.cpp"):
                continue
            where = f"{path.relative_to(root)}:{number}"
            folder = folder_among(target, edges)
            if folder is None:
                yield f'{where}: "{target}" does not begin with a folder of src/CMakeLists.txt'
            elif path.name.endswith("_test.cpp") and folder in map(str, Path(own).parents):
                continue  # a test of a part may build the whole around it
            elif folder not in edges[own]:
                yield f"{where}: {own} may not know {folder}"


def folder_among(path, folders):
    return next((str(p) for p in path.parents if str(p) in folders), None)


def check_doc_paths(root):
    top_folders = {p.name for p in root.iterdir() if p.is_dir()}
    for doc in documents(root):
        fenced = False
        for number, line in numbered_lines(doc):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            if fenced:
                continue
            named = [(root, name) for name in re.findall(r"`([^`]+)`", line)
                     if name.removeprefix("./").split("/")[0] in top_folders]
            named += [(doc.parent, name) for name in re.findall(r"\]\(([^)]+)\)", line)
                      if not re.match(r"[a-z]+:|#|/", name)]
            for base, name in named:
                if not exists(root, base, name):
                    yield f"{doc.relative_to(root)}:{number}: there is no {name}"


def documents(root):
    for pattern in ("README*.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/**/*.md"):
        yield from sorted(root.glob(pattern))


def exists(root, base, name):
    if re.search(r"[\s*?{}<>\[\]$…]|NNNN", name):
        return True  # a pattern or a command, not a path
    path = re.sub(r"#.*|(:\d+)+$", "", name)
    place = (base / path).resolve()
    if any(place.is_relative_to((root / output).resolve()) for output in OUTPUTS):
        return True
    return place.exists()


def check_unfinished(root):
    for folder in ("src", "web", "tests", "bench", "tools", "deploy"):
        for path in files_under(root / folder):
            for number, line in numbered_lines(path):
                if found := UNFINISHED.search(line):
                    yield f"{path.relative_to(root)}:{number}: {found[0]}"


def check_length(root):
    # The OpenAPI document is data, and as long as the API is wide.
    for path in files_under(root / "src"):
        length = sum(1 for _ in numbered_lines(path))
        if length > LONGEST_SOURCE and path.suffix != ".json":
            yield f"{path.relative_to(root)}: {length} lines; {LONGEST_SOURCE} are enough"


def check_functions(root):
    """No function of C++, TypeScript or Python is longer than LONGEST_FUNCTION. What is inside another function is part
    of it. A `describe` of a test file groups tests, as a class does, and is no function; each test in it is one."""
    readers = {".hpp": functions_of, ".cpp": functions_of, ".ts": typescript_functions, ".tsx": typescript_functions,
               ".py": python_functions}
    for folder in ("src", "tests", "bench", "web", "tools", "deploy"):
        for path in files_under(root / folder, *readers):
            for first, last in readers[path.suffix](path.read_text(encoding="utf-8", errors="replace")):
                if last - first >= LONGEST_FUNCTION:
                    yield (f"{path.relative_to(root)}:{first}: a function of {last - first + 1} lines; "
                           f"{LONGEST_FUNCTION} are enough")


NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*',
                      re.S | re.M)
SCOPE = re.compile(r"(namespace|class|struct|union|enum|extern)\b|template\s*<.*>\s*(class|struct)\b", re.S)


def functions_of(text):
    """The first and the last line of each function that has a body, signature included."""
    code = NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    opened, begun, line = [], None, 1  # braces that are open; where the statement under way begins
    words, parentheses = [], 0
    for part in re.findall(r"\n|[{};()]|[^\n{};()]+", code):
        if part == "\n":
            line += 1
            words.append(" ")
        elif part in "()" or parentheses > 0:
            parentheses += (part == "(") - (part == ")")
            words.append(part)
        elif part == "{":
            opened.append((begun or line, "".join(words).strip()))
            begun, words = None, []
        elif part == "}":
            first, statement = opened.pop() if opened else (line, "")
            if is_function(statement) and all(is_scope(outer) for _, outer in opened):
                yield first, line
            begun, words = None, []
        elif part == ";":
            begun, words = None, []
        elif part.strip():
            begun = begun or line
            words.append(part)


def is_scope(statement):
    return bool(SCOPE.match(re.sub(r"^((public|private|protected)\s*:\s*)+", "", statement)))


def is_function(statement):
    return "(" in statement and not is_scope(statement)


# Where a block of TypeScript continues after a line that closes a part of it, as in `}: Props) {`.
CONTINUES = re.compile(r"(?:[({\[]|=>)$")
# The line with which the body of a function begins: `function f() {`, `=> {`, `=>`, a method `f() {`, and the end of
# parameters that take several lines, `): Type {`.
FUNCTION_HEAD = re.compile(
    r"\bfunction\b|=>(?: ?[({\[]+)?$|"
    r"^(?!(?:if|for|while|switch|catch)\b)(?:[a-z]+ )*[\w#]*(?:<.*>)?\(.*\)(?:: .*)? \{$|^\)(?:: .*)? \{$")
NO_FUNCTION = re.compile(r"(?:export )?(?:describe|class|interface|type)\b")


def typescript_functions(text):
    """The first and the last line of each function. Prettier lays out every file, and so the indentation tells where
    a function ends: `npm test` in web/ checks that it does."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        heads, end = typescript_block(lines, number)
        found = next((head for head in heads if FUNCTION_HEAD.search(lines[head].strip())), None)
        if found is None or NO_FUNCTION.match(lines[number].strip()):
            number += 1
        else:
            # A table in brackets, as that of `it.each`, is no part of the function that follows it.
            yield (found if lines[found].strip()[0] == "]" else number) + 1, end
            number = end


def typescript_block(lines, start):
    """The lines of a block that stand at its own indentation, and where it ends."""
    indent, text = indent_of(lines[start]), lines[start].strip()
    if not text or text[0] in ")]}/*":
        return [], start + 1
    heads, end = [start], start + 1
    for number in range(start + 1, len(lines)):
        text = lines[number].strip()
        if not text:
            continue
        depth = indent_of(lines[number])
        if depth < indent or (depth == indent and text[0] not in ")]}"):
            break
        end = number + 1
        if depth == indent:
            if not CONTINUES.search(text):
                break
            heads.append(number)
    return heads, end


def indent_of(line):
    return len(line) - len(line.lstrip())


def python_functions(text):
    """The first and the last line of each function, decorators included."""
    def within(node):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield min(line.lineno for line in (part, *part.decorator_list)), part.end_lineno
            else:
                yield from within(part)

    yield from within(ast.parse(text))


def check_arrows(root):
    """The table of ARCHITECTURE.md lists for each folder what it links directly, as in CMake."""
    page = root / "ARCHITECTURE.md"
    if not page.is_file():
        return
    text = page.read_text(encoding="utf-8")
    table = re.search(r"^\| folder \| links \|\n\|[-| ]+\n((?:\|.*\n)+)", text, re.M)
    if not table:
        yield "ARCHITECTURE.md: there is no table of folders and what they link"
        return
    said = {}
    for row in table[1].splitlines():
        folder, links = (cell.strip() for cell in row.strip("|").split("|")[:2])
        said[folder.strip("`")] = sorted(re.findall(r"`([^`]+)`", links))
    linked = {folder: sorted(targets) for folder, targets in direct_edges(root).items()}
    for folder in sorted(said.keys() | linked.keys()):
        if said.get(folder) != linked.get(folder):
            yield (f"ARCHITECTURE.md: says that {folder} links {', '.join(said.get(folder, ['nothing said']))}; "
                   f"src/CMakeLists.txt: {', '.join(linked.get(folder, ['no such folder']))}")


def check_license(root):
    license_file = root / "LICENSE"
    if not license_file.is_file() or not license_file.read_text().strip():
        yield "LICENSE: missing or empty"


def check_headers(root):
    for folder in ("src", "tests", "bench"):
        for path in files_under(root / folder, ".hpp", ".h"):
            lines = path.read_text().splitlines()
            if not lines or lines[0] != "#pragma once":
                yield f"{path.relative_to(root)}: does not begin with #pragma once"


# Rows are read as structs (docs/adr/0071). Only these read columns: to fill the structs, and to copy rows whose
# columns nobody knows.
COLUMN_READERS = {"src/adapters/sqlite/engine/connection.cpp", "src/adapters/sqlite/archive/archive_rows.cpp"}
COLUMN_BY_NUMBER = re.compile(r"[.>](?:template )?column<|\bsqlite3_column_\w+")
FIELDS_HEADER = "src/adapters/sql/row.hpp"


def check_columns(root):
    """Nobody reads a column by its number, and Boost.PFR, which is slow to compile, is included by one header only."""
    for folder in ("src", "tests", "bench"):
        for path in files_under(root / folder, ".hpp", ".cpp"):
            name = path.relative_to(root).as_posix()
            for number, line in numbered_lines(path):
                if name not in COLUMN_READERS and (found := COLUMN_BY_NUMBER.search(line)):
                    yield f"{name}:{number}: {found[0]} reads a column by its number; read a row as a struct"
                if name != FIELDS_HEADER and re.match(r"\s*#\s*include\s*<boost/pfr", line):
                    yield f"{name}:{number}: Boost.PFR is included by {FIELDS_HEADER} alone"


LOCK = re.compile(r"\bstd::((?:recursive_|timed_|recursive_timed_|shared_|shared_timed_)?mutex|lock_guard|unique_lock|"
                  r"scoped_lock|shared_lock|condition_variable(?:_any)?)\b")
LOCKS = {"src/base/mutex.hpp", "src/base/condition.hpp"}


def check_locks(root):
    """Clang can check what a lock protects only if the lock is one of ours."""
    for path in files_under(root / "src", ".hpp", ".cpp"):
        name = path.relative_to(root).as_posix()
        if name in LOCKS or name.endswith("_test.cpp"):
            continue
        for number, line in enumerate(code_of(path).splitlines(), 1):
            for found in LOCK.finditer(line):
                yield f"{name}:{number}: {found[0]}; take the locks of src/base/, which clang checks"


def code_of(path, without=NOT_CODE):
    """The text of a file with comments and literals blanked out; lines stay where they are."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return without.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


# These switch on numbers and enums of libraries, which have more values than we name.
FOREIGN_SWITCHES = {"src/adapters/sqlite/engine/connection.cpp", "src/adapters/sqlite/engine/migrate.cpp",
                    "src/http/message_parser.cpp", "src/http/response.cpp"}
SWITCH = re.compile(r"^( *)switch \([^\n]*\) \{\n(.*?)^\1\}\n(?:^\1(return)\b)?", re.S | re.M)
TO_TEXT = re.compile(r"^ *(?:\w[\w:]* )*std::string_view (?:\w+::)*(?:to_string|name_of)\([^;{]*\{\s*switch\b", re.M)
# if (a == A::b) return "b"; text = "b"; and a == A::b ? "b" : …
VALUE_TO_TEXT = re.compile(r"[!=]= (?:\w+::)+[a-z_]\w*(?:\)\s*(?:return|[\w.]+ =)|\s*\?)\s*\"[^\"\n]*\"\s*[;:]")
TEXTS = re.compile(r"\b(?:std::array<(?:std::string_view|const char ?\*)[^>]*>|std::string_view|const char ?\*) (\w+)(?:\[\w*\])?"
                   r"(?: = )?\{")


def check_enums(root):
    """A value that a switch or a table does not name must be found as a bug, and never get another value's text. The
    patterns do not know types: a comparison with Some::value counts as one of an enum, and so does an index that is
    cast."""
    for path in files_under(root / "src", ".hpp", ".cpp"):
        name, code = path.relative_to(root).as_posix(), code_of(path)

        def line_of(place):
            return code.count("\n", 0, place) + 1

        for found in TO_TEXT.finditer(code):
            yield f"{name}:{line_of(found.start())}: a switch that gives texts; make it a table of base/names.hpp"
        if not name.endswith("_test.cpp"):
            for found in VALUE_TO_TEXT.finditer(code_of(path, COMMENT)):
                yield f"{name}:{line_of(found.start())}: a text for one value, and another for the rest; make it a table of base/names.hpp"
        for array in sorted(set(TEXTS.findall(code))):
            for found in re.finditer(rf"\b{array}\[static_cast<[\w:]+>\(\w+\)\]", code):
                yield f"{name}:{line_of(found.start())}: no check of the index; make {array} a table of base/names.hpp"
        if name in FOREIGN_SWITCHES:
            continue
        for found in re.finditer(r"\bdefault:", code):
            yield f"{name}:{line_of(found.start())}: default: hides values; name each, and CHECK after the switch"
        for found in SWITCH.finditer(code):
            if found[3] and not re.search(r"\bbreak;", found[2]):
                yield f"{name}:{line_of(found.start(3))}: a value for none of the cases; CHECK after the switch"


COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
CHINESE = re.compile("[\u4e00-\u9fff]")
# The catalogues of codes, rules and all else, and the demo's data.
CATALOGUES = {"src/http/problem.cpp", "src/domain/alert.cpp", "src/domain/complaint.cpp", "src/domain/notice.cpp", "src/api/wordings.cpp", "src/main/demo.cpp"}


def check_texts(root):
    """Texts for people are in the catalogues, in both languages."""
    for path in files_under(root / "src", ".hpp", ".cpp"):
        name = path.relative_to(root).as_posix()
        if name in CATALOGUES or name.endswith("_test.cpp"):
            continue
        for number, line in enumerate(code_of(path, COMMENT).splitlines(), 1):
            if CHINESE.search(line):
                yield f"{name}:{number}: a text for people; it belongs into a catalogue, such as src/api/wordings.cpp"


ASIO = re.compile(r"\s*#\s*include\s*<boost/(asio|beast)[/.]")
WITHOUT_ASIO = ("domain", "ports", "app", "gate", "api", "workers", "config", "observe", "sandbox")


def check_asio(root):
    """Asio is slow to compile, and nothing but the edges needs it: these folders do not include it, not even by
    another header."""
    reached = {}

    def leads_to_asio(file):
        """The file itself or a header on the way that includes Asio or Beast."""
        if file not in reached:
            reached[file] = None
            lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
            if any(ASIO.match(line) for line in lines):
                reached[file] = file
            for line in lines:
                include = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
                if include and not reached[file]:
                    reached[file] = leads_to_asio(root / "src" / include[1])
        return reached[file]

    for folder in WITHOUT_ASIO:
        for path in files_under(root / "src" / folder, ".hpp", ".cpp"):
            if path.name.endswith("_test.cpp"):
                continue
            if by := leads_to_asio(path):
                yield f"{path.relative_to(root)}: includes Asio, by {by.relative_to(root)}"


# Who may call these verbs of the stock gate. Adapters and tests may forward them.
STOCK_CALLS = {"apply": "src/app/purchase/hot_outbox.cpp", "release": "src/app/purchase/claim_settler.cpp"}


def check_stock_calls(root):
    """Only one part applies the hot outbox, in order; only one part releases claims, after the journal has decided."""
    for path in files_under(root / "src", ".hpp", ".cpp"):
        name = path.relative_to(root).as_posix()
        if name.startswith("src/adapters/") or name.endswith("_test.cpp"):
            continue
        for number, line in enumerate(code_of(path).splitlines(), 1):
            for found in re.finditer(r"\bgate\w*(?:\(\))?(?:\.|->)(apply|release)\(", line):
                if name != STOCK_CALLS[found[1]]:
                    yield f"{name}:{number}: {found[1]} of the stock gate; {STOCK_CALLS[found[1]]} alone calls it"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent
    problems = list(check(root.resolve()))
    print("\n".join(problems) or "the tree keeps its rules")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
