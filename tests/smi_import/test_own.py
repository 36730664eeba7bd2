# SPDX-License-Identifier: BSD-3-Clause
"""Example schemas to MIB modules, those to schemas, and to MIB modules again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen import mib
from ctrgen.backends import Options
from ctrgen.backends.mib import BACKEND
from ctrgen.check import check
from ctrgen.frontends.smi import convert
from tests.smi_import import support

pytestmark = [support.needs_smidump, support.needs_base]
SCHEMAS = Path(__file__).parents[2] / "schemas"
EXAMPLES = sorted(path.stem for path in SCHEMAS.glob("*.yaml"))


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMIPATH", ":".join(support.base_path()))


def generated(schema: Path) -> tuple[Any, str]:
    """A schema's module, and its MIB without what names the schema's file."""
    checked = check(str(schema))
    assert checked.module is not None, checked.diagnostics.findings
    options = Options("x.yaml", "", "0", False, mib.assign(checked.module, None).lock)
    ((_, text),) = BACKEND.generate(checked.module, options).items()
    return checked.module, text


def objects(text: str) -> dict[str, tuple[str, ...]]:
    """Type, access and place of every object of a module's text."""
    pattern = r"(?m)^(\w+) OBJECT-TYPE\n\s+SYNTAX\s+(\w[^\n]*?)(?: \{[^}]*\})?\n.*?"
    pattern += r"MAX-ACCESS\s+(\S+)\n.*?::= \{ ([^}]*) \}"
    return {m[1]: (m[3], m[4]) for m in re.finditer(pattern, text, re.S)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_there_and_back(name: str, tmp_path: Path) -> None:
    module, first = generated(SCHEMAS / f"{name}.yaml")
    file = tmp_path / f"{module.snmp.name}.txt"
    file.write_text(first)
    text, diagnostics = convert.run(str(file), support.base_path())
    assert text is not None, diagnostics.findings
    back = tmp_path / "back.yaml"
    back.write_text(text)
    again, second = generated(back)
    before, after = objects(first), objects(second)
    assert before
    for key, facts in before.items():
        access, (_, number) = facts[0], facts[1].rsplit(" ", 1)
        assert (after[key][0], after[key][1].rsplit(" ", 1)[1]) == (access, number), key
    if name != "upf":  # whose global items are of kinds in turns, as several files add to them
        assert second == first
        assert again.snmp.oid == module.snmp.oid
    assert [scope.name for scope in again.scopes] == [
        scope.name for scope in module.scopes if scope.storage.value != "embedded"
    ]
