# SPDX-License-Identifier: BSD-3-Clause
"""Mutated schemas: never a traceback, always an exit code, findings inside the text."""

from __future__ import annotations

import functools
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.check import Checked, check

ROOT = Path(__file__).parents[2]

INLINE = """\
ctrgen: 1
module: ep
description: Everything that the language has.
sync: {strategy: shared_buffered, buffer: 64, soft_threshold: 32}
reset: true
bounds: drop
writers: any
requires: {exact: true, consistency: counter, memory: 64MiB, lcores: 4}
scopes:
  global:
    counters:
      pkts: &pkts {unit: packets, description: Packets processed., width: 32}
    gauges:
      level: {unit: items, description: Items queued., min: 0, max: 100}
    states:
      up: {type: bool, description: Whether it is up.}
      phase: {type: enum, labels: {idle: 1, busy: 2}, description: What it does.}
      name: {type: string, length: 16, description: Its name.}
  port:
    max: 8
    storage: dynamic
    sync: per_core
    counters:
      pkts: *pkts
  queue:
    parent: port
    max: 4
    counters:
      drops: {unit: packets, description: "Packets dropped \\u00b5."}
  flow:
    storage: embedded
    sync: caller
    counters:
      bytes: {unit: By, description: Octets.}
updates:
  packet:
    args: {size: uint16, up: bool}
    add: {global.pkts: 1, flow.bytes: size, queue.drops: 1, global.level: 1}
    set: {global.up: up, global.phase: busy}
"""


@functools.cache
def _samples() -> list[str]:
    files = [*sorted((ROOT / "schemas").glob("*.yaml")), ROOT / "templates/init/stats.yaml"]
    return [INLINE, *(file.read_text("utf-8") for file in files)]


WORDS = [
    *("~", "0", "-1", "99999999999999999999", "[]", "{}", "true", "1.5", '""', "*x", "&x", "!!t"),
    *("global", "parent: queue", "max: 0", "<<: {}", "? a", "- b", "\t", "\u202e", "\x00", "é"),
    *("default", "__x", "rte_x", "pkts", "*/", "??/", "|", ">-", "#", "---", "...", "%YAML 1.1"),
    *("sync: caller", "storage: embedded", "width: 16", "include: [x.yaml]", "add: {a.b: c}"),
]


def _mutate(text: str, random_: random.Random) -> str:
    for _ in range(random_.randint(1, 4)):
        lines = text.split("\n")
        line = random_.randrange(len(lines))
        words = lines[line].split(" ")
        word = random_.randrange(len(words))
        action = random_.randrange(9)
        if action == 0:
            del lines[line]
        elif action == 1:
            lines.insert(line, random_.choice(lines))
        elif action == 2:
            other = random_.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        elif action == 3:
            words[word] = random_.choice(WORDS)
            lines[line] = " ".join(words)
        elif action == 4:
            words[word] = random_.choice(random_.choice(lines).split(" "))
            lines[line] = " ".join(words)
        elif action == 5:
            lines[line] = random_.choice(("", "  ", "    ")) + lines[line].strip()
        elif action == 6:
            at = random_.randrange(len(lines[line]) + 1)
            lines[line] = lines[line][:at] + random_.choice(WORDS) + lines[line][at:]
        elif action == 7:
            at = random_.randrange(len(lines[line]) + 1)
            lines[line] = lines[line][:at] + lines[line][at + 1 :]
        else:
            key, colon, _ = lines[line].partition(":")
            lines[line] = f"{key}{colon} {random_.choice(WORDS)}"
        text = "\n".join(lines)
    return text


def assert_sane(checked: Checked) -> None:
    diagnostics = checked.diagnostics
    assert checked.exit_code in (0, 1)
    assert (checked.module is None) == (checked.exit_code == 1)
    for finding in diagnostics.findings:
        span = finding.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        line = diagnostics.line(span.path, span.line)
        assert line is not None
        assert span.column <= len(line) + 1
        assert finding.message
    for style in ("text", "json", "github", "sarif"):
        print_findings(diagnostics, style).encode("utf-8")


@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(which=st.integers(0, 100), seed=st.integers(0, 2**32))
def test_mutated_schemas(tmp_path: Path, which: int, seed: int) -> None:
    random_ = random.Random(seed)
    samples = _samples()
    path = tmp_path / "schema.yaml"
    path.write_text(_mutate(samples[which % len(samples)], random_), encoding="utf-8")
    assert_sane(check(str(path)))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "schema.yaml"
    path.write_bytes(data)
    checked = check(str(path))
    assert checked.exit_code in (0, 1)
    print_findings(checked.diagnostics)


@pytest.mark.parametrize("number", range(len(_samples())))
def test_samples_are_clean_before_mutation(number: int, tmp_path: Path) -> None:
    path = tmp_path / "schema.yaml"
    text = _samples()[number]
    if "include:" in text:
        pytest.skip("includes other files")
    path.write_text(text, encoding="utf-8")
    checked = check(str(path))
    assert not checked.diagnostics.failed, print_findings(checked.diagnostics)
