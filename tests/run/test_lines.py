# SPDX-License-Identifier: BSD-3-Clause
"""No two sides meet on a cache line by chance: what updates touch has its lines for itself.

Nothing is timed: addresses and sizes are those of the linked program, offsets the compiler's.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctrgen.backends.c.views import module_view
from ctrgen.model.layout import CACHE_LINE
from ctrgen.pipeline.check import check
from tests.run.variants import HERE, ep, zoo
from tests.support import process
from tests.support.cbuild import Build, Workshop
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted
from tests.support.strategies import SEQUENCED, SHARED, STRATEGIES, USUAL, VARIANTS

ZOO = HERE / "schemas" / "zoo.yaml"
COLD = re.compile(
    r"_(control|ready|records|state|torn|discontinuity_ns|module|reader|fork|poller|scopes)$"
)
"""Variables of generated code that no update touches: of those who read, reset, create
and fork."""
VARIABLE = re.compile(r"^ *\d+: ([0-9a-f]+) +(\d+|0x[0-9a-f]+) OBJECT +\w+ +\w+ +\d+ (\w+)")

pytestmark = [pytest.mark.slow, pytest.mark.native]


@dataclass(frozen=True)
class Variable:
    """A variable of a program; address and size in bytes."""

    name: str
    address: int
    size: int

    @property
    def alone(self) -> bool:
        """Whether it has whole lines, which nothing else can be on."""
        return self.address % CACHE_LINE == 0 and self.size % CACHE_LINE == 0


def written(program: Path) -> list[Variable]:
    """The variables in sections that can be written."""
    sections = process.succeed("readelf", "-SW", program)
    numbers = re.findall(r"\[ *(\d+)\] \.(?:data|bss) ", sections)
    found = []
    for line in process.succeed("readelf", "-sW", program).splitlines():
        match = VARIABLE.match(line)
        if match and line.split()[6] in numbers:
            found.append(Variable(match[3], int(match[1], 16), int(match[2], 0)))
    return found


def crowded(workshop: Workshop, build: Build) -> list[str]:
    """Variables of generated code that updates may touch, and that share a line with others."""
    ours = [v for v in written(workshop.program(build)) if re.match("(ep|zoo)_stats_", v.name)]
    assert ours
    return [v.name for v in ours if not v.alone and not COLD.search(v.name)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_variables_of_updates_have_their_lines(workshop: Workshop, variant: str) -> None:
    assert crowded(workshop, ep(variant, test="life")) == []


@pytest.mark.one_in(6)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_those_of_every_kind_of_scope(workshop: Workshop, strategy: str) -> None:
    assert crowded(workshop, zoo(strategy, test="recycled")) == []


BUGS = [
    Bug("slots-share-a-line", (Edit("runtime/include/ctr_slots.h", "} CTR_CACHE_ALIGNED;", "};"),)),
    Bug(
        "lives-share-a-line",
        (Edit("templates/c/tables.j2", "{{ s.live_words }}", "{{ s.groups(64) }}"),),
    ),
    Bug("words-share-a-line", (Edit("runtime/include/ctr_word.h", "} CTR_CACHE_ALIGNED;", "};"),)),
    Bug(
        "a-lock-shares-a-line", (Edit("runtime/include/ctr_lock.h", "} CTR_CACHE_ALIGNED;", "};"),)
    ),
]


@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_shared_line_is_seen(workshop: Workshop, tmp_path: Path, bug: Bug) -> None:
    build = zoo(SEQUENCED, test="recycled").but(tree=planted(tmp_path, bug.edits))
    assert crowded(workshop, build)


def tables(schema: Path, sync: str | None) -> list[tuple[str, str, list[str]]]:
    """Structs that several lcores write: name, prefix of a table, and its words' members."""
    result = check(str(schema), sync=sync)
    assert result.module is not None
    view = module_view(result.module)
    structs = [(d.sym.instance, d.instance_scopes) for d in view.domains if not d.lcores]
    structs.append((view.sym.common, view.commons))
    return [
        (name, scope.name, [other.name for other in scopes if not other.dynamic])
        for name, scopes in structs
        for scope in scopes
        if scope.dynamic
    ]


def assertions(schema: Path, sync: str | None) -> str:
    """C that compiles only if no table of chunks shares a line with words."""
    lines = [f'#include "{schema.stem}_stats.h"']
    for struct, table, words in tables(schema, sync):
        for word in words:
            end = f"offsetof(struct {struct}, {word}) + sizeof(((struct {struct} *)0)->{word}) - 1"
            line = f"offsetof(struct {struct}, {table}) / 64 > ({end}) / 64"
            lines.append(f'_Static_assert({line}, "{struct}: {table} beside {word}");')
    assert len(lines) > 1
    return "\n".join(lines) + "\n"


def compiled(
    workshop: Workshop,
    tmp_path: Path,
    sync: str,
    text: str,
    schema: Path = ZOO,
    tree: Tree = PROJECT,
) -> str:
    """What the compiler says against a text."""
    source = tmp_path / "lines.c"
    source.write_text(text, "utf-8")
    flags = workshop.runtime_flags("cflags", "posix", tree)
    out = workshop.generated(schema, sync, tree)
    done = process.run("gcc", "-std=gnu11", *flags, f"-I{out}", "-fsyntax-only", source)
    return done.stderr


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_tables_of_chunks_are_apart(workshop: Workshop, tmp_path: Path, strategy: str) -> None:
    """Every update of a dynamic scope reads them; words beside them would be written by all."""
    assert compiled(workshop, tmp_path, strategy, assertions(ZOO, strategy)) == ""


TOGETHER = (
    Edit("generator/model/layout.py", "end, tables = round_up(end, CACHE_LINE), True", "pass"),
    Edit("generator/model/layout.py", "key=lambda part: part.scope.storage is ir.Storage.DYNAMIC",
         "key=lambda part: 0"),
    Edit("templates/c/storage.j2", '{{ "CTR_CACHE_ALIGNED " if apart }}', ""),
)  # fmt: skip


@pytest.mark.one_in(2)
@pytest.mark.parametrize("strategy", [USUAL, SHARED])
def test_a_table_beside_words_is_seen(workshop: Workshop, tmp_path: Path, strategy: str) -> None:
    tree = planted(tmp_path, TOGETHER)
    found = compiled(workshop, tmp_path, strategy, assertions(ZOO, strategy), tree=tree)
    assert "flow beside" in found
