# SPDX-License-Identifier: BSD-3-Clause
"""What is fuzzed: functions of octets that raise when something is wrong with ctrgen."""

import contextlib
import dataclasses
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import click
import yaml as pyyaml

from ctrgen.backends import discover
from ctrgen.commands.cli import commands
from ctrgen.findings.diagnostics import Diagnostics, Span
from ctrgen.findings.printers import print_findings
from ctrgen.findings.usage import UsageError
from ctrgen.frontends import smi
from ctrgen.frontends.raw import plain
from ctrgen.frontends.smi import dump, smidump
from ctrgen.model import ir
from ctrgen.pipeline import build as pipeline
from ctrgen.pipeline import importing
from ctrgen.pipeline.check import Checked, as_json, check
from ctrgen.publish import lock
from ctrgen.publish.lock import LockFile
from ctrgen.publish.rules import judge
from ctrgen.tools import compat
from tests.fuzz.engine import SEPARATOR
from tests.support import casefile
from tests.support.strategies import BUFFERING, LOCKING, SEQUENCED, USUAL

PATH = "schema.yaml"
UNREADABLE = {"yaml-syntax", "yaml-tag", "yaml-documents", "yaml-key", "duplicate-key", "not-utf8"}
UNREADABLE |= {"control-character", "invisible-text", "empty-text"}
"""Rules that a schema which ctrgen itself has written never breaks."""
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
PRINTED = ("text", "json", "github")


def sane(diagnostics: Diagnostics, given: Collection[str] = ()) -> None:
    """Findings are inside of the text, which those in `given` have, and printed in every way."""
    for finding in diagnostics.findings:
        span = finding.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        line = diagnostics.line(span.path, span.line)
        if line is not None:
            assert span.column <= len(line) + 1, finding
        elif span.path in given:
            assert span == Span.of_file(span.path), finding
        assert finding.message
    for style in PRINTED:
        print_findings(diagnostics, style).encode("utf-8")


def files(data: bytes, first: str) -> dict[str, bytes]:
    """The files of an input; in none of the names is a folder."""
    top, *others = data.split(SEPARATOR)
    found = {first: top}
    for other in others:
        name, _, text = other.partition(b"\n")
        found[name.decode("ascii", "replace").replace("/", "_").replace("\0", "_")[:40]] = text
    return found


def generated(checked: Checked) -> dict[str, str]:
    """Everything that all backends make of a clean schema."""
    assert checked.module is not None
    found = Diagnostics()
    locked = judge(checked.module, LockFile(), found)
    if found.failed:
        sane(found)
        return {}
    request, every = pipeline.BuildRequest("-"), [*discover().backends.values()]
    output = pipeline.generate(
        dataclasses.replace(checked, diagnostics=found), every, request, locked
    )
    sane(found)
    assert (output is None) == found.failed
    return {} if output is None else dict(output.files)


def names(module: ir.Module) -> Iterator[str]:
    """Every name of a schema that becomes part of identifiers and of names of files."""
    yield module.name
    for scope in module.scopes:
        yield scope.name
        for item in scope.items:
            yield item.name
            yield from (label.name for label in item.labels)
    for update in module.updates:
        yield update.name
        yield from (argument.name for argument in update.arguments)


def yaml(data: bytes) -> None:
    """A schema, and files that it may include: findings, or everything is generated."""
    given = files(data, PATH)

    def read(path: str) -> bytes:
        if path not in given:
            raise FileNotFoundError(2, "no such file", path)
        return given[path]

    with mock.patch.object(smidump, "installed", bool):
        checked = check(PATH, read=read)
    sane(checked.diagnostics, given)
    assert (checked.module is None) == (checked.diagnostics.exit_code != 0)
    if checked.module is not None:
        assert all(IDENTIFIER.fullmatch(name) for name in names(checked.module))
        as_json(checked.module)
        for text in generated(checked).values():
            text.encode("utf-8")


def smi_module(data: bytes) -> None:
    """An SMI module and, behind a NUL, what smidump has to say of it: findings, or a schema."""
    module, _, told = data.partition(b"\0")

    def run(*_: object, **__: object) -> smidump.Dump:
        try:
            return smidump.Dump(dump.parse(told.decode("utf-8", "replace")))
        except dump.XmlError as error:
            return smidump.Dump(None, (), str(error))

    found = Diagnostics()
    with (
        mock.patch.object(smidump, "run", run),
        mock.patch.object(smidump, "installed", lambda: True),
        mock.patch.object(smi.places.Library, "find", lambda self, module: [Path(os.devnull)]),
    ):
        node = smi.load("X-MIB", module, found)
    sane(found)
    if node is None:
        assert found.failed
        return
    schema = plain(node)
    text = importing.text(schema)
    checked = check(PATH, read=lambda path: text.encode("utf-8"))
    sane(checked.diagnostics)
    rules = {finding.rule for finding in checked.diagnostics.findings}
    assert not rules & UNREADABLE, rules
    again = pyyaml.load(text, _Text)  # another reader, nothing taken for a number
    assert as_text(again) == as_text(schema), "what is written is not what was meant"


class _Text(pyyaml.SafeLoader):
    """A safe loader to which every plain word is text."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


def as_text(value: Any) -> Any:
    """A tree with its leaves as text, as YAML has them; white space in it is one blank."""
    if isinstance(value, dict):
        return {as_text(key): as_text(child) for key, child in value.items()}
    if isinstance(value, list):
        return [as_text(child) for child in value]
    if isinstance(value, bool):
        return str(value).lower()
    return "null" if value is None else " ".join(str(value).split())


def lock_file(data: bytes) -> None:
    """A lock file: findings, or one that is written and read again the same; then a build."""
    data, _, schema = data.partition(SEPARATOR)
    found = Diagnostics()
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    parsed = lock.parse("x.ctrgen.lock", text, found)
    sane(found, ["x.ctrgen.lock"])
    assert (parsed is None) == found.failed
    if parsed is not None:
        written = lock.text(parsed, "x.yaml")
        again = lock.parse("x.ctrgen.lock", written, Diagnostics())
        assert again == parsed, "a lock is read otherwise than it was written"
        assert lock.text(again, "x.yaml") == written
    with folder():
        Path("ep.yaml").write_bytes(schema.partition(b"\n")[2] or _schema().encode("utf-8"))
        Path("ep.ctrgen.lock").write_bytes(data)
        done = pipeline.build(pipeline.BuildRequest("ep.yaml", "out", only=("mib", "agentx")))
        sane(done.diagnostics)
        assert done.exit_code in (0, 1, 2)
        assert Path("out").is_dir() == (done.exit_code == 0), "half of an output"
        assert done.exit_code == 0 or Path("ep.ctrgen.lock").read_bytes() == data


def breaking(data: bytes) -> None:
    """Two versions of a schema, perhaps with locks: what has changed, or what is wrong."""
    with folder():
        for name, text in files(data, "new.yaml").items():
            with contextlib.suppress(OSError, ValueError):
                Path(name).write_bytes(text)
        for only in ((), ("c-abi", "oid")):
            try:
                exit_code, diagnostics = compat.run("new.yaml", "./old.yaml", only=only)
            except UsageError as error:
                assert error.message
                continue
            sane(diagnostics)
            assert exit_code in (0, 1, 2)


@cache
def _schema() -> str:
    return (Path(__file__).parents[2] / "schemas" / "ep.yaml").read_text("utf-8")


WORDS = [
    *("check", "build", "resolve", "import", "breaking", "strategies", "backends", "runtime"),
    *("plan", "init", "--help", "-h", "--version", "-o", "--output", "out", "--sync", "--only"),
    *("c", "mib", "meson", "agentx", "bench", "c,mib", "--check", "--diff", "--force"),
    *("--vendor-runtime", "--mib-path", ".", "--format", "text", "json", "github"),
    *("markdown", "--against", "HEAD", "old.yaml", "git:HEAD", "--strict", "ep.yaml"),
    *("bad.yaml", "SHELF-MIB", "absent", "-", "--port", "posix", "dpdk", "--cflags", "--sources"),
    *("--libs", "--cmake", "--with", "--lcores", "4", "--flows", "1M", "--pps", "10M"),
    *("--affinity", "rare", "--machine", "cortex-a72", "--updates", "packet", "-1", "0"),
    *(USUAL, f"{LOCKING}:lock=mcs", f"{BUFFERING}:buffer=0", "x:y=z", ":", "=", ",", ""),
    *("oid-moved session: meant", "oid-moved", "--flow-scope", "session", "--work", "-v", "1e9"),
    *("1e400", "99999999999999999999", "\u202e", "%s%n", "{{ 7 }}", "--", "\udc80"),
    *("--api", "48KiB", "2MiB", "30M", "none", "pinned", "16", "1"),
    *("cascade-lake", "zoo.yaml", "new.yaml", "--against=old.yaml", "--strict", "x.yaml", "2.3G"),
    *(f"{SEQUENCED}:retries=3", f"{BUFFERING}:buffer=16,soft_threshold=16", "flow", "c-api"),
    *("item-removed: meant", "./old.yaml", "HEAD:schemas/ep.yaml", "--mib-path=."),
    *("IF-MIB", "add.yaml", "out/ep_stats.h", "docs", "--only=agentx,bench,c,mib"),
    *("--only=nothing", "oid"),
]  # fmt: skip
"""Words of command lines; a target must not name a file outside of its folder."""


def command_line(data: bytes) -> None:
    """Words of a command line: done, findings, or wrong usage; never anything else."""
    words = [WORDS[one % len(WORDS)] for one in data[:16]]
    verb = next((n for n, word in enumerate(words) if not word.startswith("-")), len(words))
    if words[verb : verb + 1] == ["bench"]:
        words.insert(verb + 1, "--lcores=none")  # never measure
    with folder():
        samples(Path())
        code = run_command(words)
    assert code in (0, 1, 2), (words, code)


def run_command(words: list[str]) -> object:
    """The exit code of a command, run in this process."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(3)]
    old = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        commands.main(words, prog_name="ctrgen", standalone_mode=True)
        return 0
    except SystemExit as end:
        return end.code or 0
    except click.exceptions.Exit as end:
        return end.exit_code
    finally:
        sys.stdin, sys.stdout, sys.stderr = old


@cache
def _samples() -> dict[str, bytes]:
    root = Path(__file__).parents[2]
    ep = (root / "schemas" / "ep.yaml").read_bytes()
    cases = casefile.Cases(root / "tests" / "compat", "old.yaml")
    return {
        "ep.yaml": ep,
        "old.yaml": ep.replace(b"total_", b"all_"),
        "new.yaml": cases.read("item-removed.locked")["new.yaml"].encode(),
        "zoo.yaml": (root / "tests/run/schemas/zoo.yaml").read_bytes(),
        "bad.yaml": b"ctrgen: 1\nmodule: 7\nscopes: []\n",
        "add.yaml": b"ctrgen: 1\nimport: SHELF-MIB\nscopes: {}\n",
        "SHELF-MIB": (root / "tests/frontends/smi/mibs/SHELF-MIB.txt").read_bytes(),
    }


def samples(where: Path) -> None:
    """Files that command lines are about."""
    for name, data in _samples().items():
        (where / name).write_bytes(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "yaml": yaml,
    "smi": smi_module,
    "lock": lock_file,
    "breaking": breaking,
    "cli": command_line,
}
"""Every target, by the name of its folder below corpus/ and crashes/."""


@contextlib.contextmanager
def folder() -> Iterator[None]:
    """A working directory that is empty, and gone afterwards; nothing is left beside it."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        inner = Path(name) / "work"
        inner.mkdir()
        os.chdir(inner)
        try:
            yield
        finally:
            os.chdir(before)
        left = sorted(path.name for path in Path(name).iterdir())
        assert left == ["work"], f"left beside the folder: {left}"
