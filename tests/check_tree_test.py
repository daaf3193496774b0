#!/usr/bin/env python3
"""Plants each violation in a small tree and sees it found."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).with_name("check_tree.py")

CMAKE = """
function(sluice_folder name)
endfunction()
sluice_folder(base Boost::headers)
sluice_folder(domain sluice_base)
sluice_folder(ports sluice_domain)
# sluice_folder(base sluice_ports) would be a circle.
sluice_folder(observe sluice_base
    Boost::json)
sluice_folder(adapters/memory sluice_ports)
"""

HEADER = "#pragma once\n"


class CheckTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("src/CMakeLists.txt", CMAKE)
        self.write("src/base/id.hpp", HEADER)
        self.write("src/ports/clock.hpp", HEADER + '#include "base/id.hpp"\n#include <vector>\n')
        self.write("src/adapters/memory/store.cpp", '#include "ports/clock.hpp"\n')
        self.write("src/main/main.cpp", '#include "adapters/memory/store.hpp"\n')
        self.write("docs/adr/0001-a.md", "As [the README](../../README.md#top) says.\n")
        self.write("README.md", "See `src/base/` and [decisions](docs/adr/).\n")
        self.write("LICENSE", "Apache\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def assert_finds(self, *expected):
        run = subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.stdout.splitlines(), list(expected))
        self.assertEqual(run.returncode, 1)

    def assert_clean(self):
        run = subprocess.run([sys.executable, SCRIPT, self.root], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout, run.stderr),
                         (0, "the tree keeps its rules\n", ""))

    def test_a_good_tree(self):
        self.assert_clean()

    def test_include_against_the_arrows(self):
        self.write("src/domain/sale.cpp", '#include "base/id.hpp"\n#include "ports/clock.hpp"\n')
        self.assert_finds("src/domain/sale.cpp:2: domain may not know ports")

    def test_include_of_a_folder_linked_by_another(self):
        self.write("src/observe/log.cpp", '  #  include "domain/sale.hpp"\n')
        self.assert_finds("src/observe/log.cpp:1: observe may not know domain")

    def test_include_of_an_adapter(self):
        self.write("src/ports/clock.cpp", '#include "adapters/memory/store.hpp"\n')
        self.assert_finds("src/ports/clock.cpp:1: ports may not know adapters/memory")

    def test_include_without_its_folder(self):
        self.write("src/base/id.cpp", '#include "id.hpp"\n')
        self.assert_finds(
            'src/base/id.cpp:1: "id.hpp" does not begin with a folder of src/CMakeLists.txt')

    def test_a_function_that_is_too_long(self):
        body = "    if (x) { y(\"{\"); }  // }\n" * 68
        self.write("src/base/long.cpp", "namespace a {\nclass B {\n    int f(int x) {\n" + body + "    }\n};\n}\n")
        self.assert_clean()
        self.write("src/base/long.cpp", "namespace a {\n\nC::C(int x)\n    : d({.e = 1}) {\n" + body + "}\n}\n")
        self.assert_finds("src/base/long.cpp:3: a function of 71 lines; 70 are enough")

    def test_a_long_table_is_no_function(self):
        self.write("src/base/table.cpp", "constexpr int rows[] = {\n" + "    f(1),\n" * 100 + "};\n")
        self.assert_clean()

    def test_a_function_of_typescript_that_is_too_long(self):
        starts = ("export async function f(x: number) {", "export function F({\n  x,\n}: Props) {",
                  "const f = (\n  x: number,\n): string => {", "f<T>(x: T): void {", "private async f(\n  x: number,\n) {")
        for start in starts:
            with self.subTest(start):
                body = "  if (x) {\n    y(() => <b>don't</b>);\n  }\n" * 10
                body += "  z();\n" * (70 - len(f"{start}\n{body}}}\n".splitlines()))
                self.write("web/src/a.tsx", f"{start}\n{body}}}\n")
                self.assert_clean()
                self.write("web/src/a.tsx", f"import x from y;\n\n{start}\n{body}  z();\n}}\n")
                self.assert_finds("web/src/a.tsx:3: a function of 71 lines; 70 are enough")

    def test_an_expression_that_is_too_long(self):
        self.write("web/src/a.ts", "const a = (x: X) =>\n  x\n" + "    .y()\n" * 68 + "    .z();\n\nconst b = 1;\n")
        self.assert_finds("web/src/a.ts:1: a function of 71 lines; 70 are enough")

    def test_a_describe_is_no_function_but_its_tests_are(self):
        short = '  it("does", () => {\n' + "    x();\n" * 68 + "  });\n"
        self.write("web/src/a.test.ts", 'describe("a", () => {\n' + short * 2 + "});\n")
        self.assert_clean()
        cases = "describe.each([\n" + "  1,\n" * 80 + '])("%s", (n) => {\n' + short + "});\n"
        cases += "it.each([\n" + "  1,\n" * 80 + '])("%s", (n) => {\n' + "  x();\n" * 68 + "});\n"
        self.write("web/src/a.test.ts", cases)
        self.assert_clean()
        long = short.replace("    x();\n", "    x();\n    y();\n", 1)
        self.write("tests/e2e/b.test.ts", 'describe("a", () => {\n' + short + long + "});\n")
        self.assert_finds("tests/e2e/b.test.ts:72: a function of 71 lines; 70 are enough")

    def test_what_is_long_and_no_function_of_typescript(self):
        rows = "  a: 1,\n" * 100
        self.write("web/src/a.ts", f"const a = {{\n{rows}}};\nexport type B = {{\n{rows}}};\n"
                   f"class C {{\n{rows}}}\nif (x) {{\n{rows}}}\n")
        self.assert_clean()

    def test_a_function_of_python_that_is_too_long(self):
        inner = "    def g():\n        pass\n"
        self.write("tests/a.py", "rows = [\n" + "    1,\n" * 100 + "]\n\n\ndef f():\n" + inner + "    x()\n" * 67)
        self.assert_clean()
        self.write("tests/a.py", "class C:\n    @d\n    async def f():\n" + "        x()\n" * 69)
        self.assert_finds("tests/a.py:2: a function of 71 lines; 70 are enough")

    def test_the_table_of_arrows_is_that_of_cmake(self):
        rows = ["| `base` | nothing |", "| `domain` | `base` |", "| `ports` | `domain` |", "| `observe` | `base` |",
                "| `adapters/memory` | `ports` |"]
        head = "| folder | links |\n| --- | --- |\n"
        self.write("ARCHITECTURE.md", head + "\n".join(rows) + "\n")
        self.assert_clean()
        rows[2] = "| `ports` | `base` |"
        self.write("ARCHITECTURE.md", head + "\n".join(rows) + "\n")
        self.assert_finds("ARCHITECTURE.md: says that ports links base; src/CMakeLists.txt: domain")
        self.write("ARCHITECTURE.md", "no table\n")
        self.assert_finds("ARCHITECTURE.md: there is no table of folders and what they link")

    def test_support_is_for_tests(self):
        self.write("src/base/id_test.cpp", '#include "support/fake.hpp"\n')
        self.assert_clean()
        self.write("src/base/id.cpp", '#include "support/fake.hpp"\n')
        self.assert_finds(
            'src/base/id.cpp:1: "support/fake.hpp" does not begin with a folder of '
            "src/CMakeLists.txt")

    def test_folder_unknown_to_cmake(self):
        self.write("src/stray/a.cpp", "")
        self.assert_finds("src/stray/a.cpp: its folder is not in src/CMakeLists.txt")

    def test_path_in_a_document(self):
        self.write("docs/a/b.md", "Fine: `src/base/id.hpp:3`.\n\nGone: `src/base/gone.hpp`.\n")
        self.assert_finds("docs/a/b.md:3: there is no src/base/gone.hpp")

    def test_link_in_a_document(self):
        self.write("README.zh-CN.md", "[a](docs/gone.md) [b](https://example.com/x) [c](#d)\n")
        self.assert_finds("README.zh-CN.md:1: there is no docs/gone.md")

    def test_what_is_no_path_in_a_document(self):
        self.write("web/.keep", "")
        self.write("CONTRIBUTING.md", "`src/*/x.cpp` `docs/adr/NNNN-title.md` `src/{a,b}` `/api/v1` "
                   "`build/release/sluice` `data/` `web/dist/x` `src <file>` `app/x`\n"
                   "```\n`src/gone`\n```\n")
        self.assert_clean()

    def test_unfinished_work(self):
        for folder, word in (("src/base", "TO" + "DO"), ("web", "FIX" + "ME"),
                             ("tests", "X" * 3), ("bench", "TO" + "DO")):
            with self.subTest(folder):
                file = f"{folder}/a.txt"
                self.write(file, f"fine\n// {word}: later\n")
                self.assert_finds(f"{file}:2: {word}")
                (self.root / file).unlink()

    def test_others_may_be_unfinished(self):
        self.write("web/node_modules/a.js", "// " + "TO" + "DO\n")
        self.write("src/base/a.cpp", 'mkdtemp("a' + "X" * 6 + '");\n')
        self.assert_clean()

    def test_long_file(self):
        self.write("src/base/a.cpp", "\n" * 500)
        self.write("src/base/openapi.json", "\n" * 501)
        self.assert_clean()
        self.write("src/base/a.cpp", "\n" * 501)
        self.assert_finds("src/base/a.cpp: 501 lines; 500 are enough")

    def test_empty_license(self):
        self.write("LICENSE", "\n")
        self.assert_finds("LICENSE: missing or empty")

    def test_no_license(self):
        (self.root / "LICENSE").unlink()
        self.assert_finds("LICENSE: missing or empty")

    def test_a_lock_that_clang_cannot_check(self):
        lock = "; take the locks of src/base/, which clang checks"
        self.write("src/base/mutex.hpp", HEADER + "std::mutex mutex_;\n")
        self.write("src/base/id_test.cpp", "std::mutex mutex;\n")
        self.write("src/domain/sale.hpp", HEADER + "// not a std::mutex\nmutable std::mutex mutex_;\n")
        self.write("src/domain/sale.cpp", "const std::lock_guard lock(mutex_);\nstd::shared_mutex shared;\n")
        self.assert_finds("src/domain/sale.cpp:1: std::lock_guard" + lock,
                          "src/domain/sale.cpp:2: std::shared_mutex" + lock,
                          "src/domain/sale.hpp:3: std::mutex" + lock)

    def test_header_without_pragma(self):
        self.write("src/base/a.hpp", "// A header.\n#pragma once\n")
        self.write("tests/support/b.hpp", "")
        self.assert_finds("src/base/a.hpp: does not begin with #pragma once",
                          "tests/support/b.hpp: does not begin with #pragma once")

    def test_a_column_by_its_number(self):
        self.write("src/base/a.cpp", "auto name = row.column<std::string>(7);\n")
        self.write("tests/b.cpp", "auto name = row->template column<Name>(i);\nsqlite3_column_int64(row, 2);\n")
        self.assert_finds(
            "src/base/a.cpp:1: .column< reads a column by its number; read a row as a struct",
            "tests/b.cpp:1: >template column< reads a column by its number; read a row as a struct",
            "tests/b.cpp:2: sqlite3_column_int64 reads a column by its number; read a row as a struct")

    def test_fields_are_counted_in_one_header(self):
        self.write("src/base/a.cpp", "#include <boost/pfr/core.hpp>\n")
        self.assert_finds("src/base/a.cpp:1: Boost.PFR is included by src/adapters/sql/row.hpp alone")

    def test_a_switch_that_gives_texts(self):
        self.write("src/domain/a.cpp", "std::string_view to_string(A a) {\n    switch (a) {\n        case A::b:\n"
                   '            return "b";\n    }\n    CHECK(false, "");\n}\n')
        self.assert_finds("src/domain/a.cpp:1: a switch that gives texts; make it a table of base/names.hpp")

    def test_a_switch_that_hides_values(self):
        self.write("src/domain/a.cpp", "int f(A a) {\n    switch (a) {\n        case A::b:\n            return 1;\n"
                   "    }\n    return 0;\n}\n")
        self.assert_finds("src/domain/a.cpp:6: a value for none of the cases; CHECK after the switch")
        self.write("src/domain/a.cpp", "int f(A a) {\n    switch (a) {\n        default:\n            return 1;\n"
                   "    }\n}\n")
        self.assert_finds("src/domain/a.cpp:3: default: hides values; name each, and CHECK after the switch")

    def test_a_text_for_the_rest_of_an_enum(self):
        where = "a text for one value, and another for the rest; make it a table of base/names.hpp"
        self.write("src/domain/a.cpp", 'const char* f(A a) {\n    if (a == A::b) return "b";\n    return "c";\n}\n'
                   'void g(A a) {\n    const char* text = "c";\n    if (a == n::A::b)\n        text = "b";\n}\n'
                   'auto h(A a) {\n    return a != A::c ? "b"\n                     : "c";\n}\n')
        self.assert_finds(*(f"src/domain/a.cpp:{line}: {where}" for line in (2, 7, 11)))
        self.write("src/domain/a.cpp", 'int f(A a) {\n    if (a == A::b) return 1;  // "b"\n    return at == text.npos ? 2 : 3;\n}\n')
        self.assert_clean()

    def test_texts_by_an_index_that_nothing_checks(self):
        self.write("src/domain/a.cpp", 'constexpr std::array<std::string_view, 2> kNames{"b", "c"};\n'
                   'auto f(A a) { return kNames[static_cast<std::size_t>(a)]; }\n'
                   'auto g(A a) {\n    static constexpr const char* kTexts[] = {"b", "c"};\n'
                   '    return kTexts[static_cast<int>(a)];\n}\n')
        self.assert_finds("src/domain/a.cpp:2: no check of the index; make kNames a table of base/names.hpp",
                          "src/domain/a.cpp:5: no check of the index; make kTexts a table of base/names.hpp")
        self.write("src/domain/a.cpp", 'auto f(std::size_t i) { return kNames.at(i); }\nauto g(A a) { return kTexts.text(a); }\n')
        self.assert_clean()

    def test_a_switch_that_names_all(self):
        self.write("src/domain/a.cpp", "int f(A a) {\n    int i = 0;\n    switch (a) {\n        case A::b:\n"
                   "            i = 1;\n            break;\n    }\n    return i;\n}\n"
                   "int g(A a) {\n    switch (a) {\n        case A::b:\n            return 1;\n    }\n"
                   '    CHECK(false, "default: none");\n}\n')
        self.assert_clean()

    def test_a_text_outside_the_catalogues(self):
        where = "a text for people; it belongs into a catalogue, such as src/api/wordings.cpp"
        self.write("src/domain/complaint.cpp", 'auto text = "错误";\n')
        self.write("src/domain/a_test.cpp", 'auto text = "错误";\n')
        self.write("src/domain/a.hpp", HEADER + "/// 秒杀\nint a;  // 大闸\n")
        self.assert_clean()
        self.write("src/domain/a.cpp", 'auto a = 1;\nauto text = "错误";\n')
        self.assert_finds(f"src/domain/a.cpp:2: {where}")

    def test_asio_in_a_port(self):
        self.write("src/base/loop.hpp", HEADER + "#include <boost/asio/io_context.hpp>\n")
        self.assert_clean()
        self.write("src/base/timer.hpp", HEADER + '#include "base/loop.hpp"\n')
        self.write("src/ports/gate.hpp", HEADER + '#include "base/timer.hpp"\n')
        self.write("src/ports/queue.hpp", HEADER + "#include <boost/beast.hpp>\n")
        self.assert_finds("src/ports/gate.hpp: includes Asio, by src/base/loop.hpp",
                          "src/ports/queue.hpp: includes Asio, by src/ports/queue.hpp")

    def test_who_may_move_units_of_the_hot_copy(self):
        self.write("src/CMakeLists.txt", CMAKE + "sluice_folder(app sluice_ports)\n")
        self.write("src/app/purchase/hot_outbox.cpp", "co_await gate_.apply(sale);\n")
        self.write("src/app/purchase/claim_settler.cpp", "co_await gate_.release(claims);\n")
        self.write("src/app/other.cpp", "parser.release(); std::apply(f, x); gate_.claim(); // gate.apply()\n")
        self.write("src/adapters/memory/gate.cpp", "gate_.release(claims);\n")
        self.assert_clean()
        self.write("src/app/other.cpp", "hot.gate().apply(rows);\ngate->release(claims);\n")
        self.assert_finds("src/app/other.cpp:1: apply of the stock gate; src/app/purchase/hot_outbox.cpp alone calls it",
                          "src/app/other.cpp:2: release of the stock gate; src/app/purchase/claim_settler.cpp alone calls it")


if __name__ == "__main__":
    unittest.main()
