# SPDX-License-Identifier: BSD-3-Clause
"""Every word that generated code uses, tried as a name of the user's.

Either the rules refuse it, or what is generated compiles as C and as C++.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.findings.diagnostics import Diagnostics, Severity
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.support.capabilities import have, needs
from tests.support.process import succeed

ITEM = "{unit: packets, description: Packets.}"
STATE = "{type: enum, labels: [a, b], description: State.}"
HEAD = "ctrgen: 1\nmodule: ep\nscopes:\n"
PLAIN = f"  global:\n    counters: {{pkts: {ITEM}}}\n  zone:\n    max: 3\n"
PLAIN += f"    storage: dynamic\n    counters: {{pkts: {ITEM}}}\n"


def _items(words: list[str]) -> str:
    def group(kind: str, chosen: list[str], value: str) -> str:
        return f"    {kind}:\n" + "".join(f"      '{word}': {value}\n" for word in chosen)

    one = group("counters", words[::3], ITEM) + group("gauges", words[1::3], ITEM)
    two = group("states", words[2::3], STATE)
    return f"{HEAD}  global:\n{one}{two}  zone:\n    max: 3\n    storage: dynamic\n{two}"


def _scopes(words: list[str]) -> str:
    storages = ("static", "dynamic")
    text = HEAD
    for number, word in enumerate(words):
        text += f"  '{word}':\n    max: 3\n    storage: {storages[number % 2]}\n"
        text += f"    counters:\n      q{number}q: {ITEM}\n"
    text += "updates:\n"
    for number, word in enumerate(words):
        text += f"  u{number}u: {{args: {{zz: uint8}}, add: {{'{word}.q{number}q': zz}}}}\n"
    return text


def _arguments(words: list[str]) -> str:
    text = f"{HEAD}{PLAIN}updates:\n"
    for number, word in enumerate(words):
        text += f"  u{number}u: {{args: {{'{word}': uint8}}, "
        text += f"add: {{global.pkts: '{word}', zone.pkts: '{word}'}}}}\n"
    return text


def _updates(words: list[str]) -> str:
    text = f"{HEAD}{PLAIN}updates:\n"
    for word in words:
        text += f"  '{word}': {{args: {{zz: uint8}}, add: {{global.pkts: zz, zone.pkts: 1}}}}\n"
    return text


def _generate(path: Path, text: str, sync: str, out: Path) -> None:
    path.write_text(text)
    result = build(BuildRequest(str(path), output=str(out), sync=sync))
    assert result.exit_code == 0, print_findings(result.diagnostics)


def _words(folder: Path, sync: str) -> list[str]:
    """Every identifier in what is generated for a plain schema, with and without the prefix."""
    text = f"{HEAD}{PLAIN}updates:\n  packet: {{args: {{size: uint8}}, add: {{zone.pkts: size}}}}\n"
    _generate(folder / "plain.yaml", text, sync, folder / "plain")
    found: set[str] = set()
    for file in sorted((folder / "plain").glob("ep_stats.*")):
        code = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)
        found |= set(re.findall(r"[A-Za-z_]\w*", code))
    found |= {word.removeprefix("ep_stats_") for word in found}
    return sorted(word for word in found if word != "global")


def _refused(diagnostics: Diagnostics, lines: list[str]) -> set[str]:
    names: set[str] = set()
    for finding in diagnostics.findings:
        if finding.severity is Severity.ERROR:
            names |= set(re.findall(r"'([A-Za-z_]\w*)'", lines[finding.span.line - 1]))
    return names


@pytest.mark.slow
@pytest.mark.parametrize("make", [_items, _scopes, _arguments, _updates])
@pytest.mark.parametrize("sync", ["per_core", "shared_lock:granularity=instance"])
@needs("gcc")
def test_a_name_is_refused_or_compiles(make: object, sync: str, tmp_path: Path) -> None:
    assert callable(make)
    words = _words(tmp_path, sync)
    path = tmp_path / "schema.yaml"
    for _ in range(10):
        path.write_text(make(words))
        diagnostics = check(str(path), sync.partition(":")[0]).diagnostics
        refused = _refused(diagnostics, path.read_text().split("\n")) & set(words)
        if not refused:
            break
        words = [word for word in words if word not in refused]
    assert not diagnostics.failed, print_findings(diagnostics)
    _generate(path, path.read_text(), sync, tmp_path / "out")
    (tmp_path / "all.cc").write_text('#include "ep_stats.h"\n')
    flags = [*runtimeinfo.cflags("posix"), f"-I{tmp_path / 'out'}", "-fsyntax-only", "-Wall"]
    for compiler, source in (
        ("gcc", tmp_path / "out" / "ep_stats.c"),
        ("g++", tmp_path / "all.cc"),
    ):
        if have(compiler):
            succeed(compiler, *flags, "-Werror", source)
