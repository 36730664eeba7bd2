# SPDX-License-Identifier: BSD-3-Clause
"""The command line: exit codes, options, streams, start-up."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.commands import cli, options
from ctrgen.findings.printers import PRINTERS
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.output import staging
from tests.support import process
from tests.support.process import ctrgen
from tests.support.strategies import BUFFERING, INEXACT, LOCKING, USUAL

GOOD = (
    "ctrgen: 1\nmodule: ep\nscopes:\n  global:\n    counters:\n"
    "      pkts: {unit: packets, description: Packets.}\n"
)


def run(*arguments: str, **more: str) -> tuple[int, str, str]:
    result = ctrgen(*arguments, **more)
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "schema.yaml"
    path.write_text(GOOD)
    return path


def test_check_exit_codes(schema: Path) -> None:
    assert run("check", str(schema)) == (0, "", "")
    assert run("check", "--sync", INEXACT, str(schema))[0] == 0
    code, out, _ = run("check", "--sync", "no_such", str(schema))
    assert code == 2
    assert not out
    assert run("check", str(schema) + "x")[0] == 2
    assert run("check")[0] == 2
    assert run("nonsense")[0] == 2


@pytest.mark.parametrize("style", options.STYLES)
def test_check_styles(schema: Path, style: str) -> None:
    schema.write_text(GOOD + "nonsense: 1\n")
    code, out, _ = run("check", "--format", style, str(schema))
    assert code == 1
    assert "unknown-key" in out


def test_styles_are_those_of_the_printers() -> None:
    assert set(options.STYLES) == set(PRINTERS)


def test_check_standard_input() -> None:
    assert run("check", "-", input=GOOD) == (0, "", "")
    code, out, _ = run("check", "-", input="- a\n")
    assert code == 1
    assert out.startswith("<stdin>:1:1: error[not-a-mapping]: ")


def test_resolve_prints_json(schema: Path) -> None:
    code, out, err = run("resolve", str(schema))
    assert (code, err) == (0, "")
    assert json.loads(out)["scopes"][0]["items"][0]["width"] == 64
    schema.write_text(GOOD + "nonsense: 1\n")
    code, out, err = run("resolve", str(schema))
    assert (code, out) == (1, "")
    assert "unknown-key" in err


def test_differences_are_findings_for_machines(schema: Path, tmp_path: Path) -> None:
    words = ("build", str(schema), "-o", str(tmp_path / "out"), "--only", "c")
    code, text, err = run(*words, "--format", "json")
    assert (code, json.loads(text)["findings"], err) == (0, [], "")
    header, source = tmp_path / "out" / "ep_stats.h", tmp_path / "out" / "ep_stats.c"
    header.unlink()
    source.write_text("mine\n")
    code, text, err = run(*words, "--format", "json", "--check")
    assert (code, err, json.loads(text)["errors"]) == (1, "", 2)
    places = [(each["rule"], each["path"]) for each in json.loads(text)["findings"]]
    assert places == [("output-differs", str(source)), ("output-differs", str(header))]
    code, text, err = run(*words, "--format", "github", "--check")
    assert (code, err) == (1, "") and f"::error file={header},line=1," in text
    code, text, err = run(*words, "--format", "json", "--diff")
    assert (code, json.loads(err)["errors"]) == (1, 2) and text.startswith("--- a/ep_stats.c")
    assert run(*words, "--check") == (1, f"changed: {source}\nmissing: {header}\n", "")


def test_init_writes_a_schema_that_is_clean(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "project"
    code, out, _ = run("init", str(folder))
    assert code == 0
    assert f"cd {folder}" in out
    assert run("check", str(folder / "stats.yaml")) == (0, "", "")
    (folder / "stats.yaml").unlink()
    (folder / "main.c").write_text("mine")
    code, _, err = run("init", str(folder))
    assert code == 2
    assert "main.c exists already" in err
    assert not (folder / "stats.yaml").exists()
    assert (folder / "main.c").read_text() == "mine"


def full(*_: object) -> Any:
    """Open no file: the disk is full."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_init_on_a_full_disk_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = [os.fdopen, full]
    monkeypatch.setattr(staging.os, "fdopen", lambda *words: results.pop(0)(*words))
    code, out, err = run("init", str(tmp_path / "a b"))
    assert (code, out) == (2, "") and not [*tmp_path.iterdir()]
    assert err == f"ctrgen: error: cannot write to {tmp_path}/a b: no space left on device\n"
    monkeypatch.undo()
    assert f"  cd '{tmp_path}/a b'\n" in run("init", str(tmp_path / "a b"))[1]


def test_a_closed_output_is_no_error() -> None:
    done = process.run("sh", "-c", '"$0" -m ctrgen runtime --cflags >&-', sys.executable)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [("check", ""), ("build", ""), ("resolve", ""), ("init", "")])
def test_an_argument_is_not_empty(words: tuple[str, ...]) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "") and " is empty\n" in err


@pytest.mark.parametrize("time", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "words", [("top", "--interval"), ("export", "--stale"), ("top", "--timeout")]
)
def test_a_time_is_a_number(words: tuple[str, ...], time: str) -> None:
    code, out, err = run(*words, time, "--once", "/nothing/of/that/name")
    assert (code, out) == (2, "") and "Invalid value for" in err


def test_a_build_removes_what_killed_ones_left(schema: Path, tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    out = tmp_path / "out"
    assert run("build", str(schema), "-o", str(out), "--vendor-runtime")[0] == 0
    folders = (out, out / "ctr-runtime" / "include", tmp_path)
    names = [f"{staging.PREFIX}{name}" for name in ("old", f"{ended.pid}-a", f"{os.getpid()}-b")]
    for path in (files := [folder / name for folder in folders for name in names]):
        path.touch()
        if path.name.endswith("old"):
            os.utime(path, (0, 0))
    assert run("build", str(schema), "-o", str(out), "--vendor-runtime")[0] == 0
    assert [path.name for path in files if path.exists()] == [names[2]] * 3


def test_lists() -> None:
    code, out, _ = run("strategies")
    assert code == 0
    assert f"{BUFFERING}\n" in out
    _, out, _ = run("strategies", "--format", "json")
    names = {entry["name"] for entry in json.loads(out)}
    assert {USUAL, "caller"} <= names == {*all_strategies()}
    assert run("backends")[0] == 0
    assert "\nmeson " in run("backends")[1]


def test_runtime() -> None:
    code, out, _ = run("runtime", "--cflags", "--sources", "--libs")
    assert code == 0
    assert "-pthread" in out
    assert len(out.splitlines()) == 1


def test_internal_error_is_one_line(monkeypatch: pytest.MonkeyPatch, schema: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.delenv("CTRGEN_DEBUG", raising=False)
    monkeypatch.setattr("ctrgen.pipeline.check.check", broken)
    monkeypatch.setattr(sys, "argv", ["ctrgen", "check", str(schema)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == 2


def test_summaries_fit_in_a_line() -> None:
    verbs = cli.commands.commands.values()
    assert [verb.name for verb in verbs if len(verb.get_short_help_str(99)) > 48] == []


@pytest.mark.parametrize("words", [["--help"], ["runtime", "--cflags"]], ids=" ".join)
def test_what_build_scripts_and_people_call_often_imports_little(words: list[str]) -> None:
    code = (
        "import sys; from ctrgen.commands.cli import commands\n"
        f"try: commands({words})\nexcept SystemExit: pass\n"
        "bad = {'pydantic', 'yaml', 'jinja2', 'rich', 'numpy'} & set(sys.modules)\n"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("verb", ["check", "build"])
@pytest.mark.parametrize(
    ("sync", "message", "hint"),
    [
        (USUAL[:-1], f"there is no strategy '{USUAL[:-1]}'", f"did you mean '{USUAL}'?"),
        (f"{LOCKING}:lock=foo", "must be one of spin, ticket, mcs", "spin"),
        (f"{LOCKING}:lok=mcs", f"'{LOCKING}' has no tunable 'lok'", "did you mean 'lock'?"),
    ],
)
def test_a_wrong_sync_is_wrong_usage(
    schema: Path, tmp_path: Path, verb: str, sync: str, message: str, hint: str
) -> None:
    more = ["-o", str(tmp_path / "out")] if verb == "build" else []
    code, out, err = run(verb, str(schema), "--sync", sync, *more)
    assert (code, out) == (2, "")
    first, second = err.splitlines()
    assert first.startswith("ctrgen: error: --sync: ") and message in first
    assert second.startswith("hint: ") and hint in second


@pytest.mark.parametrize(
    "words",
    [
        ("check", "--sync", ""),
        ("build", "--only", ""),
        ("build", "--only", ","),
        ("build", "-o", ""),
        ("build", "--check", "--diff"),
        ("breaking", "--against", "HEAD", "--only", ""),
        ("breaking", "--against", ""),
        ("bench", "--strategies", ""),
        ("bench", "--strategies", ","),
        ("plan", "--updates", ""),
        ("plan", "--updates", ","),
        ("plan", "--lcores", ""),
        ("import", "-o", ""),
    ],
)
def test_what_would_be_ignored_is_refused(
    schema: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(schema.parent)
    code, out, err = run(words[0], str(schema), *words[1:])
    assert (code, out) == (2, "")
    assert err.startswith("ctrgen: error: --"), err
    assert [path.name for path in schema.parent.iterdir()] == [schema.name]


@pytest.mark.parametrize("verb", ["check", "import", "build"])
def test_folders_of_modules_exist(schema: Path, verb: str) -> None:
    code, out, err = run(verb, str(schema), "--mib-path", "/no/such/folder")
    assert (code, out) == (2, "") and "'--mib-path': Directory '/no/such/folder'" in err


def test_backends_and_categories_add_up(schema: Path, tmp_path: Path) -> None:
    _, once, _ = run("build", str(schema), "--list-outputs", "--only", "c,mib")
    _, twice, _ = run("build", str(schema), "--list-outputs", "--only", "c", "--only", "mib")
    assert once == twice and "ep_stats.h" in once and "EP-STATS-MIB.txt" in once
    old = tmp_path / "old.yaml"
    old.write_text(GOOD.replace("unit: packets", "unit: bytes"))
    words = ("breaking", str(schema), "--against", str(old), "--only", "semantics")
    assert "item-unit" in run(*words)[1]
    assert run(*words, "--only", "c-abi") == run(*words)


def test_runtime_of_no_port() -> None:
    code, out, err = run("runtime", "--port", "foo")
    assert (code, out) == (2, "") and "no port 'foo'" in err
    assert run("runtime", "--with", "segment,foo")[0] == 2


def test_parts_of_the_runtime() -> None:
    """Help names every folder of a part; lists and repeated options are the same."""
    folders = {path.name for path in (runtimeinfo.path() / "src" / "parts").iterdir()}
    assert folders == {*runtimeinfo.PARTS, *runtimeinfo.COMMON_PARTS}
    text = " ".join(run("runtime", "--help")[1].split())
    assert f"optional parts: {', '.join(runtimeinfo.PARTS)}; may be repeated" in text
    words = ("runtime", "--sources", "--libs")
    listed = run(*words, "--with", "segment,agentx")
    assert listed[0] == 0 and "/segment/" in listed[1] and "/agentx/" in listed[1]
    assert run(*words, "--with", "segment", "--with", "agentx") == listed
    assert run(*words, "--with", "segment,agentx", "--with", "segment") == listed


def test_runtime_of_a_32_bit_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "maxsize", 2**31 - 1)
    code, out, err = run("runtime", "--cflags")
    assert (code, out) == (2, "") and "the runtime needs a 64-bit target" in err


def test_oids_of_standard_input_are_not_kept(schema: Path, tmp_path: Path) -> None:
    out, published = str(tmp_path / "out"), f"{GOOD}snmp: {{}}\n"
    code, _, err = run("build", "-", "-o", out, input=published)
    assert code == 0 and "warning[output-lock]" in err and "OIDs are not kept" in err
    assert "output-lock" not in run("build", "-", "-o", out, "--only", "c", input=published)[2]
    assert run("build", "-", "-o", out, input=GOOD)[2] == ""
    schema.write_text(published)
    assert "output-lock" not in run("build", str(schema), "-o", out, "--force")[2]
    module = (Path(out) / "EP-STATS-MIB.txt").read_text()
    assert "output-lock" not in run("build", "-", "-o", out, "--force", input=module)[2]
    schema = schema.rename(tmp_path / "schema.json")
    code, _, err = run("build", str(schema), "-o", out, "--force")
    assert code == 0 and "schema.json:1:1: warning[output-lock]" in err


def test_an_interrupted_verb_does_not_report_a_difference(
    schema: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ctrgen.pipeline.build.build", interrupted)
    assert run("build", str(schema), "--check") == (130, "", "")


def test_findings_escape_what_the_output_lacks(schema: Path) -> None:
    schema.write_text(GOOD.replace("module: ep", "module: ä"))
    command = [sys.executable, "-m", "ctrgen", "check", str(schema)]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and r"'\xe4' cannot be the name" in done.stdout
