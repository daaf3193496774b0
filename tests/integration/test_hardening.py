"""The program itself shows how it was built."""

import re
import shutil
import subprocess

import pytest

from process import BINARY

SYMBOLS = BINARY.with_name(BINARY.name + ".debug")


def readelf(*options, file=BINARY):
    return subprocess.run(["readelf", "--wide", *options, file], check=True, capture_output=True, text=True).stdout


pytestmark = [
    pytest.mark.skipif(not shutil.which("readelf"), reason="binutils is not installed"),
    pytest.mark.skipif(BINARY.parent.name in ("dev", "asan", "tsan"), reason="only release builds are hardened"),
]


@pytest.fixture(scope="module")
def imported():
    return set(re.findall(r"UND (\w+)", readelf("--dyn-syms")))


def test_it_is_loaded_at_random_addresses():
    assert re.search(r"Type:\s+DYN", readelf("--file-header"))
    assert re.search(r"FLAGS_1\).*PIE", readelf("--dynamic"))


def test_what_the_loader_has_resolved_is_read_only():
    assert "GNU_RELRO" in readelf("--program-headers")
    assert re.search(r"BIND_NOW|FLAGS_1\).*\bNOW\b", readelf("--dynamic"))


def test_nothing_is_both_written_and_run():
    segments = [line.split() for line in readelf("--program-headers").splitlines() if re.match(r"\s+(LOAD|GNU_STACK)", line)]
    assert segments and not any("RWE" in "".join(line[6:-1]) for line in segments), segments


def test_a_damaged_stack_ends_the_process(imported):
    assert "__stack_chk_fail" in imported


def test_what_can_be_checked_about_buffers_is_checked(imported):
    assert any(name.endswith("_chk") and name != "__stack_chk_fail" for name in imported), sorted(imported)


def test_an_index_out_of_range_ends_the_process(imported):
    """libstdc++'s assertions, which -D_GLIBCXX_ASSERTIONS turns on."""
    assert any("__glibcxx_assert_fail" in name for name in imported), sorted(imported)


def test_jumps_land_only_where_they_may():
    if "X86-64" not in readelf("--file-header"):
        pytest.skip("only x86-64 has these")
    [address] = re.findall(r"^\s*\d+: ([0-9a-f]{16})\s+\d+ FUNC\s+GLOBAL \w+\s+\w+ main$", readelf("--syms", file=SYMBOLS), re.M)
    assert code_at(int(address, 16), 4) == bytes.fromhex("f30f1efa"), "main begins with endbr64"


def test_return_addresses_are_kept_twice():
    if "X86-64" not in readelf("--file-header"):
        pytest.skip("only x86-64 has these")
    assert re.search(r"x86 feature:.*SHSTK", readelf("--notes"))


def code_at(address, size):
    for line in readelf("--program-headers").splitlines():
        if found := re.match(r"\s+LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", line):
            offset, begin, length = (int(part, 16) for part in found.groups())
            if begin <= address < begin + length:
                with open(BINARY, "rb") as program:
                    program.seek(offset + address - begin)
                    return program.read(size)
    raise AssertionError(hex(address))


def test_symbols_stand_in_a_file_of_their_own():
    sections = readelf("--section-headers")
    assert ".symtab" not in sections and ".debug_info" not in sections and ".gnu_debuglink" in sections
    assert ".debug_line" in readelf("--section-headers", file=SYMBOLS), "a stack trace has names and lines"
    id_ = lambda file: re.search(r"Build ID: (\w+)", readelf("--notes", file=file))[1]
    assert id_(BINARY) == id_(SYMBOLS)
