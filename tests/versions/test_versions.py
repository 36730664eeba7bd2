# SPDX-License-Identifier: BSD-3-Clause
"""Other versions of DPDK, with --long where their root folders are: see docs/design.md.

This machine's own DPDK is what the rest of the tests compile with.
"""

from pathlib import Path

import pytest

from . import dynamic, matrix, systems
from .kitchen import ARCHITECTURES, COMPILERS, Kitchen, WrongError
from .systems import System

OTHERS = [suite for suite in systems.SUITES if suite != systems.own_suite()]


Generated = dict[str, matrix.Codes]


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Generated]:
    """A folder that is seen from inside root folders, with everything that is generated."""
    work = tmp_path_factory.mktemp("versions")
    return work, {name: table.generate(work / name) for name, table in matrix.TABLES.items()}


@pytest.mark.parametrize("part", dynamic.PARTS.values(), ids=list(dynamic.PARTS))
def test_programs_have_the_tests_that_a_cell_runs(part: dynamic.Part) -> None:
    """Cells run seldom."""
    build = part.build(part.strategies[0], "posix")
    text = "".join(path.read_text("utf-8") for path in (*build.sources, *build.plain))
    for test in (*part.steps, *part.races, *part.faults):
        assert f"TEST({test})" in text or f"CASE({test})" in text, test


@pytest.mark.slow
@pytest.mark.deep
@pytest.mark.dpdk
@pytest.mark.parametrize("name", matrix.TABLES)
@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("suite", OTHERS)
def test_every_cell_is_green(
    suite: str, arch: str, compiler: str, name: str, codes: tuple[Path, Generated]
) -> None:
    work, generated = codes
    there = systems.found(work, [suite])
    if not there:
        pytest.skip(f"no root folder of Debian {suite}: tests/versions/chroots.sh")
    table = matrix.TABLES[name]
    row = matrix.row(there[0], arch, compiler, table, generated[name])
    assert row.green, matrix.text([row], table)


def test_a_system_that_is_not_there_has_a_reason_in_every_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CTRGEN_CHROOTS", str(tmp_path))
    table = matrix.TABLES["compilers"]
    rows = matrix.every_row(OTHERS[-1:], ARCHITECTURES, COMPILERS, table)
    assert len(rows) == 4 and not any(row.green for row in rows)
    text = matrix.text(rows)
    assert text.count("| [1] | [1] | [1] |") == 4
    assert "[1] not tried: no root folder of Debian" in text


def test_a_warning_and_a_wrong_program_are_seen(tmp_path: Path) -> None:
    kitchen = Kitchen(System("here", None, tmp_path), "gcc", "x86_64", tmp_path)
    source = tmp_path / "narrow.c"
    source.write_text("int main(int n, char **v)\n{\n\tshort s = n;\n\t(void)v;\n\treturn s;\n}\n")
    with pytest.raises(WrongError, match=r"narrow\.c, posix: .*-Werror=conversion"):
        kitchen.compile_all([source], "posix")
    kitchen.compile(source, "posix", kind="test")
    with pytest.raises(WrongError, match="the example ends with 1"):
        kitchen.run(kitchen.link(list(kitchen.made.values()), "posix"))


def test_a_sanitizer_says_what_is_wrong(tmp_path: Path) -> None:
    kitchen = Kitchen(System("here", None, tmp_path), "gcc", "x86_64", tmp_path).sanitizing()
    source = tmp_path / "outside.c"
    body = "\tint a[2] = { 0 };\n\t(void)v;\n\treturn a[n + 1];\n"
    source.write_text(f"int main(int n, char **v)\n{{\n{body}}}\n")
    program = kitchen.link([kitchen.compile(source, "posix", kind="test")], "posix")
    with pytest.raises(WrongError, match="runtime error: index 2 out of bounds"):
        kitchen.run(program)
