"""The manual page and the completions, which the program makes of its own command line."""

import re
import shutil
import subprocess

import pytest

from process import BINARY, run


@pytest.fixture(scope="module")
def manual():
    done = run("man")
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout


def test_the_manual_page_renders_without_a_warning(manual):
    done = subprocess.run(["groff", "-ww", "-man", "-Tascii"], input=manual, capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    page = re.sub(r"\x1b\[\d+m|.\x08", "", done.stdout)  # bold, in both ways of writing it
    for text in ("sluice user add", "--password-stdin", "SLUICE_LIMITS_EXEMPT", "SIGHUP", "limits.exempt=127.0.0.0/8"):
        assert text in page, text


def test_the_manual_page_names_every_command_and_option(manual):
    text = manual.replace("\\-", "-")
    for command in re.findall(r"^  (\w[\w-]*)  ", run("--help").stdout, re.MULTILINE):
        assert f"sluice {command}" in text, command
    for option in re.findall(r"(--[a-z-]+)", run("restore", "--help").stdout):
        assert option in text, option


def completed(*words):
    """What a real bash offers for the last of the words."""
    script = f"""source <("{BINARY}" completion bash)
        COMP_WORDS=({' '.join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
        _sluice; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(done.stdout.split())


def test_bash_completes_commands_options_and_values():
    assert completed("sluice", "se") == {"serve"}
    assert {"serve", "migrate", "user", "keys", "audit"} <= completed("sluice", "")
    assert completed("sluice", "user", "set-r") == {"set-role"}
    assert completed("sluice", "user", "add", "--pa") == {"--password-stdin"}
    assert completed("sluice", "user", "add", "--role", "") == {"buyer", "support", "operator", "admin"}
    assert completed("sluice", "user", "import", "--scheme", "md5(p") == {r"md5\(password+salt\)"}
    assert completed("sluice", "user", "import", "--scheme", r"md5\(p") == {r"md5\(password+salt\)"}
    assert completed("sluice", "completion", "z") == {"zsh"}
    assert completed("sluice", "serve", "--data", "x", "--de") == {"--demo"}


def test_bash_completes_files(tmp_path):
    (tmp_path / "shop.toml").write_text("")
    assert completed("sluice", "serve", "--config", f"{tmp_path}/sh") == {f"{tmp_path}/shop.toml"}


ZSH = r"""
compdef() { : }; _files() { print -r -- FILES }
compadd() { [[ $1 == -- ]] && shift; print -rl -- "$@" }
_describe() { [[ $1 == -o ]] && shift; local -a entries; entries=("${(@P)2}"); print -rl -- "${entries[@]%%:*}" }
source "$1"; shift
words=("$@"); CURRENT=$#; before=$PATH
_sluice
[[ $PATH == $before ]] || print -r -- "PATH is lost"
"""


def offered_by_zsh(script, *words):
    done = subprocess.run(["zsh", "-f", "-c", ZSH, "zsh", script, *words], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(done.stdout.split())


def offered_by_fish(script, *words):
    line = " ".join(words)
    done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return {offer.split("\t")[0] for offer in done.stdout.splitlines()}


@pytest.mark.parametrize("shell, offered", [("zsh", offered_by_zsh), ("fish", offered_by_fish)])
def test_other_shells_complete_commands_options_and_values(shell, offered, tmp_path):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / shell
    script.write_text(run("completion", shell).stdout)
    assert {"serve", "migrate", "user", "keys", "audit"} <= offered(script, "sluice", "")
    assert {"add", "set-role", "import"} <= offered(script, "sluice", "user", "")
    assert {"--role", "--password-stdin"} <= offered(script, "sluice", "user", "add", "--")
    assert offered(script, "sluice", "user", "add", "--role", "") == {"buyer", "support", "operator", "admin"}
    schemes = offered(script, "sluice", "user", "import", "--scheme", "")
    assert {scheme.replace("\\", "") for scheme in schemes} >= {"md5(password+salt)", "sha256(salt+password)"}
    assert {"bash", "zsh", "fish"} <= offered(script, "sluice", "completion", "")


def test_no_script_leaves_parentheses_to_its_shell():
    """The values of --scheme have some."""
    assert "'md5(password+salt)'" in run("completion", "zsh").stdout
    assert r"md5\(password+salt\)" in run("completion", "fish").stdout


def test_zsh_completes_when_it_has_just_loaded_the_script():
    script = run("completion", "zsh").stdout
    assert script.endswith('if [ "$funcstack[1]" = _sluice ]; then _sluice "$@"; else compdef _sluice sluice; fi\n')
    assert "path" not in re.findall(r"local (?:-a )?(\w+)", script), "that is $PATH in zsh"


@pytest.mark.parametrize("shell, check", [("bash", ["bash", "-n"]), ("zsh", ["zsh", "-n"]),
                                          ("fish", ["fish", "--no-execute"])])
def test_each_script_is_well_formed(shell, check, tmp_path):
    done = run("completion", shell)
    assert done.returncode == 0 and "set-role" in done.stdout
    script = tmp_path / shell
    script.write_text(done.stdout)
    if shutil.which(check[0]):
        checked = subprocess.run([*check, script], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
