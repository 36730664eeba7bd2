# SPDX-License-Identifier: BSD-3-Clause
"""Where compilers put counters: whole lines for each lcore, one for what is updated together."""

from pathlib import Path

import pytest

from ctrgen.model import layout as planned
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.pipeline.check import check
from tests.machine import layout
from tests.run import mutants
from tests.run.mutants import Mutant
from tests.support.capabilities import have
from tests.support.cbuild import Build, Workshop
from tests.support.paths import ROOT
from tests.support.planted import planted
from tests.support.strategies import LOSSY, STRATEGIES

SCHEMAS = ("ep", "upf", "router")
CASES = [(s, n) for s in SCHEMAS for n in STRATEGIES if s != "upf" or n not in LOSSY]
CASES += [("lcores", name) for name, found in all_strategies().items() if found.per_lcore]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not have("pahole"), reason="no pahole (dwarves)"),
]


def build(schema: str, strategy: str, compiler: str = "gcc") -> Build:
    own = Path(__file__).with_name(f"{schema}.yaml")
    path = own if own.exists() else ROOT / "schemas" / own.name
    return Build(
        path, strategy, compiler=compiler, flags=("-O0", "-g", "-fno-eliminate-unused-debug-types")
    )


@pytest.mark.one_in(4)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("schema", "strategy"), CASES)
def test_lines(workshop: Workshop, schema: str, strategy: str, compiler: str) -> None:
    found = layout.of(workshop, build(schema, strategy, compiler))
    assert any(name.endswith("_data") for name in found)
    assert layout.problems(found, f"{schema}_stats") == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("schema", "strategy"), CASES)
def test_elements_are_where_they_were_planned(
    workshop: Workshop, schema: str, strategy: str
) -> None:
    """Offsets and sizes that `ctrgen plan` and the memory budget go by."""
    made = build(schema, strategy)
    module = check(str(made.schema), strategy).module
    assert module is not None
    found = layout.of(workshop, made)
    compared = 0
    for domain in planned.domains(module):
        for scope in domain.scopes:
            for part in (scope.data, scope.base):
                struct = (
                    found.get(f"{schema}_stats_{scope.scope.name}_{part.name}") if part else None
                )
                if part and struct:
                    assert struct.size == part.size
                    for field in part.fields:
                        if field.name in struct.members:
                            assert struct.members[field.name] == (field.offset, field.size)
                            compared += 1
    assert compared >= 3


@pytest.mark.one_in(6)
@pytest.mark.parametrize("mutant", mutants.of("layouts"), ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, mutant: Mutant) -> None:
    tree = planted(tmp_path, mutant.edits)
    schema = str(mutant.options.get("schema", "ep"))
    made = build(schema, mutant.sync).but(tree=tree)
    try:
        wrong = "; ".join(layout.problems(layout.of(workshop, made), f"{schema}_stats"))
    except pytest.fail.Exception as refused:  # by a static assertion in the generated header
        wrong = str(refused)
    assert mutant.says in wrong
