# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen build` as a function: requests, backends old and new, determinism."""

import dataclasses
import io
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ctrgen import backends
from ctrgen.backends import runtimeinfo
from ctrgen.commands import cli
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.findings.usage import UsageError
from ctrgen.frontends import smi
from ctrgen.output import emit
from ctrgen.pipeline import build as pipeline
from ctrgen.pipeline.build import BuildRequest, BuildResult, build, parse_sync
from ctrgen.publish import lock
from tests.support.strategies import LOCKING, SHARED, USUAL

SCHEMA = f"""\
ctrgen: 1
module: ep
sync: {USUAL}
snmp:
  enterprise: 32473
  revisions: [{{date: 2026-01-15, description: Initial revision.}}]
scopes:
  global:
    counters:
      pkts: {{unit: packets, description: Packets processed.}}
  session:
    max: 10
    sync: {SHARED}
    counters:
      bytes: {{unit: bytes, description: Octets processed.}}
"""

QUEUED = f"{LOCKING}:lock=mcs"
"""A strategy with a tunable."""


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "ep.yaml"
    path.write_text(SCHEMA)
    return path


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on sys.path; what is installed there is discovered afresh."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    backends.discover.cache_clear()
    yield folder
    backends.discover.cache_clear()
    for name in [name for name in sys.modules if name.startswith("dummy_")]:
        del sys.modules[name]


def install(site: Path, name: str, code: str, value: str = "") -> None:
    """What `pip install` leaves behind for a package with one backend."""
    module = f"dummy_{name}"
    (site / f"{module}.py").write_text(code)
    info = site / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    entry = f"[ctrgen.backends]\n{name} = {module}:{value or 'Backend'}\n"
    (info / "entry_points.txt").write_text(entry)


DUMMY = """\
class Backend:
    name = "names"
    summary = "every counter in a list"
    default = {default}

    def generate(self, module, options):
        names = [f"{{s.name}}.{{i.name}}" for s in module.scopes for i in s.items]
        return {{"names.txt": "\\n".join([options.source, *names]) + "\\n"}}
"""


def run(schema: Path, output: Path, **more: object) -> BuildResult:
    return build(BuildRequest(str(schema), str(output), **more))  # type: ignore[arg-type]


def texts(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_build_then_check_then_diff(schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(schema, out, mode="check").exit_code == 1
    assert not out.exists()
    done = run(schema, out)
    assert (done.exit_code, done.diagnostics.findings) == (0, [])
    assert {"meson.build", "meson_options.txt", emit.MANIFEST} <= set(texts(out))
    for mode in ("check", "diff"):
        done = run(schema, out, mode=mode)
        assert (done.exit_code, done.text) == (0, "")
    (out / "meson.build").write_text("mine\n")
    assert run(schema, out, mode="check").text == f"changed: {out / 'meson.build'}\n"
    assert "-mine" in run(schema, out, mode="diff").text
    refused = run(schema, out)
    assert refused.exit_code == 1 and "[output-edited]" in print_findings(refused.diagnostics)
    assert run(schema, out, force=True).exit_code == 0


def test_a_wrong_schema_writes_nothing(schema: Path, tmp_path: Path) -> None:
    schema.write_text(
        SCHEMA.replace("unit: bytes, ", "").replace(f"sync: {USUAL}", "sync: no_such")
    )
    done = run(schema, tmp_path / "out")
    assert done.exit_code == 1 and len(done.diagnostics.findings) == 2
    assert not (tmp_path / "out").exists()
    assert run(tmp_path / "none.yaml", tmp_path / "out").exit_code == 2


def test_an_unusable_output_folder_is_a_finding_with_exit_code_2(
    schema: Path, tmp_path: Path
) -> None:
    done = run(schema, schema)
    assert done.exit_code == 2
    first = print_findings(done.diagnostics).splitlines()[0]
    assert first.startswith(f"{schema}:1:1: error[output-unusable]: cannot write here: ")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x", {"strategy": "x"}),
        ("x:lock=mcs,depth=module", {"strategy": "x", "lock": "mcs", "depth": "module"}),
        ("x:n=64,on=true,s=a=b", {"strategy": "x", "n": 64, "on": True, "s": "a=b"}),
    ],
)
def test_sync_option(text: str, value: object) -> None:
    assert parse_sync(text).model_dump() == value


@pytest.mark.parametrize("text", ["x:", "x:a", "x:=1", "x:a=1,a=2", "x:strategy=y"])
def test_sync_option_that_makes_no_sense(text: str) -> None:
    with pytest.raises(UsageError, match="key=value"):
        parse_sync(text)


def test_sync_replaces_the_modules_and_not_a_scopes_own(schema: Path) -> None:
    checked = pipeline.check(str(schema), parse_sync(QUEUED))
    assert checked.module is not None
    syncs = {scope.name: scope.sync for scope in checked.module.scopes}
    assert syncs["global"].strategy == LOCKING
    assert dict(syncs["global"].tunables)["lock"] == "mcs"
    assert syncs["session"].strategy == SHARED


def test_requests_that_make_no_sense(schema: Path, tmp_path: Path) -> None:
    for more in ({"only": ("no_such",)}, {"mode": "guess"}, {"sync": "x:y"}):
        with pytest.raises(UsageError):
            run(schema, tmp_path / "out", **more)
    assert not (tmp_path / "out").exists()


def test_the_command_in_the_output_names_no_folder(schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(schema, out, sync=QUEUED, vendor_runtime=True)
    text = (out / "meson.build").read_text()
    assert f"ctrgen build ep.yaml --sync {QUEUED} --vendor-runtime\n" in text
    assert all(str(tmp_path).encode() not in data for data in texts(out).values())


def test_a_vendored_runtime_is_checked_and_removed_again(schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(schema, out, vendor_runtime=True)
    vendored = {path for path in texts(out) if path.startswith(pipeline.VENDOR_FOLDER)}
    assert {"ctr-runtime/meson.build", "ctr-runtime/include/ctr.h"} <= vendored
    assert not any(path.endswith((".py", ".pyc")) for path in vendored)
    (out / "ctr-runtime/include/ctr.h").unlink()
    done = run(schema, out, vendor_runtime=True, mode="check")
    assert done.text == f"missing: {out / 'ctr-runtime/include/ctr.h'}\n"
    run(schema, out)
    assert not (out / "ctr-runtime").exists()


def test_meson_names_every_folder_of_the_runtime() -> None:
    folder = runtimeinfo.path() / "src"
    words = (folder / "meson.build").read_text().split("'")
    names = {path.relative_to(folder).parent for path in folder.rglob("*.c")}
    words += [str(Path(word).parent) for word in words if word.endswith(".c")]
    assert all({name.as_posix(), name.name, name.parent.as_posix()} & {*words} for name in names)


@pytest.mark.parametrize("default", [True, False])
def test_a_backend_is_added_by_an_entry_point(
    schema: Path, tmp_path: Path, plugin: Path, default: bool
) -> None:
    install(plugin, "names", DUMMY.format(default=default))
    out = tmp_path / "out"
    assert run(schema, out).exit_code == 0
    assert ("names.txt" in texts(out)) is default
    assert run(schema, out, only=("names",)).exit_code == 0
    assert texts(out)["names.txt"] == b"ep.yaml\nglobal.pkts\nsession.bytes\n"
    assert "meson.build" in texts(out)
    assert run(schema, out, mode="check").exit_code == 0


def test_a_backend_may_be_an_object(schema: Path, tmp_path: Path, plugin: Path) -> None:
    install(plugin, "names", DUMMY.format(default=True) + "\nmade = Backend()\n", "made")
    assert run(schema, tmp_path / "out").exit_code == 0
    assert "names.txt" in texts(tmp_path / "out")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("Other = 1", "has no attribute 'Backend'"),
        ("Backend = 1", "name, summary, default and generate() is needed"),
        ("raise SystemError('out of cheese')", "SystemError: out of cheese"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        (DUMMY.format(default=True).replace('"names"', "'a b'"), "'a b' is not a usable name"),
        (DUMMY.format(default=True).replace('"names"', "'meson'"), "backend 'meson' is both"),
    ],
)
def test_a_broken_backend_is_named(
    schema: Path, tmp_path: Path, plugin: Path, code: str, reason: str
) -> None:
    install(plugin, "names", code)
    done = run(schema, tmp_path / "out")
    text = print_findings(done.diagnostics)
    assert done.exit_code == 2 and "names" in text and reason in text and "Traceback" not in text
    assert not (tmp_path / "out").exists()
    only = run(schema, tmp_path / "out", only=("meson",))
    assert only.exit_code == 0 and "warning[backend-skipped]" in print_findings(only.diagnostics)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return {'a': 1}", "BackendError: generate() must map paths to text"),
        ("return None", "AttributeError"),
        ("return {'a': '\\ud800'}", "UnicodeEncodeError"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(0)", "SystemExit: 0"),
        ("return {'../a': ''}", "is not inside the output folder"),
        ("return {'meson.build': ''}", "backends 'meson' and 'names' both generate"),
        ("raise DiagnosticError(finding(module))", "the artefact has no room for it"),
    ],
)
def test_a_backend_that_breaks_down_writes_nothing(
    schema: Path, tmp_path: Path, plugin: Path, body: str, reason: str
) -> None:
    code = DUMMY.format(default=True).replace(
        "        names = [", f"        {body}\n        names = ["
    )
    code = (
        "from ctrgen.backends import Diagnostic, DiagnosticError, Severity\n"
        "def finding(module):\n"
        "    text = 'the artefact has no room for it'\n"
        "    return Diagnostic('no-room', Severity.ERROR, module.scopes[0].span, text)\n" + code
    )
    install(plugin, "names", code)
    done = run(schema, tmp_path / "out")
    assert done.exit_code in (1, 2) and reason in print_findings(done.diagnostics)
    assert not (tmp_path / "out").exists()


def test_same_text_twice_in_one_process(schema: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run(schema, tmp_path / name, vendor_runtime=True).exit_code == 0
    assert texts(tmp_path / "one") == texts(tmp_path / "two")


def test_same_text_under_two_hash_seeds_from_two_folders(schema: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from ctrgen.pipeline.build import BuildRequest, build\n"
        "assert build(BuildRequest(sys.argv[1], sys.argv[2])).exit_code == 0\n"
    )
    results = []
    for seed, folder in (("1", tmp_path / "a"), ("77", tmp_path / "b c" / "d")):
        folder.mkdir(parents=True)
        shutil.copy(schema, folder)
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        for name, out in ((schema.name, "out"), (str(folder / schema.name), "other")):
            command = [sys.executable, "-c", script, name, out]
            subprocess.run(command, check=True, cwd=folder, env=environment)
            results.append(texts(folder / out))
    assert results[1:] == results[:1] * 3


def test_options_are_the_fields_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    command = cli.commands.commands["build"]
    fields = {field.name for field in dataclasses.fields(BuildRequest)}
    assert {option.name for option in command.params} - {"style", "quiet"} == fields
    modes = {option.flag_value for option in command.params if option.name == "mode"}
    assert modes == set(pipeline.MODES) - {"write"}

    asked: list[BuildRequest] = []

    def remember(request: BuildRequest) -> BuildResult:
        asked.append(request)
        return BuildResult(0, Diagnostics())

    monkeypatch.setattr(pipeline, "build", remember)
    every = ["-o", "d", "--sync", "x", "--only", "a,b", "--diff", "--vendor-runtime", "--force"]
    every += ["--with", "segment"]
    for words in (["s.yaml"], ["s.yaml", *every]):
        with pytest.raises(SystemExit, match="0"):
            command.main(words, standalone_mode=False)
    assert asked[0] == BuildRequest("s.yaml")
    parts = ("segment",)
    assert asked[1] == BuildRequest("s.yaml", "d", "x", ("a", "b"), "diff", True, parts, True)


@pytest.mark.parametrize("mode", ["write", "check"])
@pytest.mark.parametrize("published", [False, True])
def test_each_file_of_a_schema_is_read_once(
    published: bool, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is the path of the lock file derived, or the language of the schema asked for, twice."""
    schema = tmp_path / "ep.yaml"
    schema.write_text(SCHEMA.replace("module: ep\n", "module: ep\ninclude: [more.yaml]\n"))
    (tmp_path / "more.yaml").write_text(
        "ctrgen: 1\nscopes: {link: {max: 2, counters: {ups: {unit: x, description: U.}}}}\n"
    )
    request = BuildRequest(str(schema), str(tmp_path / "out"))
    if published:
        assert build(request).exit_code == 0
    calls: Counter[str] = Counter()

    def count(module: Any, name: str, label: Callable[..., str]) -> None:
        function = getattr(module, name)

        def counted(*args: Any, **options: Any) -> Any:
            calls[label(*args)] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counted)

    count(io, "open", lambda path, *_: f"open {str(path).rpartition(os.sep)[2]}")
    count(lock, "path_for", lambda *_: "path_for")
    count(smi, "looks_like", lambda *_: "looks_like")
    result = build(dataclasses.replace(request, mode=mode))
    assert not result.diagnostics.failed, print_findings(result.diagnostics)
    for what in ("open ep.yaml", "open more.yaml", "open ep.ctrgen.lock", "path_for", "looks_like"):
        assert calls[what] == 1, what
