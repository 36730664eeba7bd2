# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of every size and shape give C that compiles without a warning."""

import subprocess
from pathlib import Path

import pytest

from tests.compile.schemas import EMBEDDED, HEAD, LARGE, ODD, QUOTAS
from tests.support import strategies
from tests.support.capabilities import needs
from tests.support.cbuild import WARNINGS, Workshop
from tests.support.paths import EP
from tests.support.process import succeed
from tests.support.strategies import GRANULAR, STRATEGIES, TUNED, USUAL

HERE = Path(__file__).parent
APP = HERE / "app.c"
COMPILERS = {
    "gcc": ("gcc", "c11"),
    "clang": ("clang", "c11"),
    "g++": ("g++", "c++17"),
    "clang++": ("clang++", "c++17"),
}
C_COMPILERS = ["gcc", "clang"]
EMBEDDING = [
    *strategies.EMBEDDING,
    *(variant for variant in TUNED if "embedded" in strategies.strategy_of(variant).storage),
]

pytestmark = pytest.mark.slow


@pytest.fixture(params=[pytest.param(name, marks=needs(name)) for name in COMPILERS])
def compiler(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def command(workshop: Workshop, compiler: str, port: str, *folders: Path) -> list[str]:
    """The compiler with all warnings as errors, optimising, for they see more then."""
    program, standard = COMPILERS[compiler]
    # DPDK's own headers want gnu11.
    standard = "gnu11" if port == "dpdk" and standard == "c11" else standard
    language = ["-x", "c++"] if "++" in compiler else ["-x", "c"]
    flags = [*WARNINGS, "-O2", *workshop.runtime_flags("cflags", port)]
    return [program, f"-std={standard}", *flags, *(f"-I{f}" for f in folders), "-c", *language]


def compiles(tmp_path: Path, words: list[str], *sources: Path) -> None:
    """Some sources give no warning."""
    for source in sources:
        output = [] if "-fsyntax-only" in words else ["-o", str(tmp_path / f"{source.stem}.o")]
        succeed(*words, source, *output)


def include(out: Path, tmp_path: Path) -> Path:
    """A source that includes the generated headers, and each of them twice."""
    names = sorted(path.name for path in out.glob("*.h"))
    source = tmp_path / "include.c"
    source.write_text("".join(f'#include "{name}"\n' for name in names * 2), "utf-8")
    return source


def whole(workshop: Workshop, tmp_path: Path, compiler: str, port: str, out: Path) -> None:
    """Header and source of a module, the source as C only."""
    words = command(workshop, compiler, port, out)
    if compiler != "gcc":
        # What the optimiser warns about, one compiler finds for all.
        words.append("-fsyntax-only")
    compiles(tmp_path, words, include(out, tmp_path))
    if compiler in C_COMPILERS:
        compiles(tmp_path, words, *out.glob("*.c"))


def odd(workshop: Workshop, tmp_path: Path, name: str, variant: str) -> Path:
    schema = tmp_path / f"{name}.yaml"
    schema.write_text(
        HEAD + {**ODD, **EMBEDDED, **LARGE, **QUOTAS}[name].replace("  work: {", WORK), "utf-8"
    )
    return workshop.generated(schema, variant)


WORK = "  work: {description: Works., "


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", [*STRATEGIES, *GRANULAR])
@pytest.mark.parametrize("name", ODD)
def test_odd_schemas(workshop: Workshop, tmp_path: Path, name: str, variant: str) -> None:
    out = odd(workshop, tmp_path, name, variant)
    for compiler in ("gcc", "g++"):
        whole(workshop, tmp_path, compiler, "posix", out)


@pytest.mark.parametrize("name", QUOTAS)
def test_updates_without_arguments_that_a_quota_may_refuse(
    workshop: Workshop, tmp_path: Path, name: str
) -> None:
    whole(workshop, tmp_path, "gcc", "posix", odd(workshop, tmp_path, name, USUAL))


@pytest.mark.parametrize("variant", STRATEGIES)
def test_counts_beyond_4_gib(workshop: Workshop, tmp_path: Path, variant: str) -> None:
    out = odd(workshop, tmp_path, "large", variant)
    compiles(tmp_path, command(workshop, "gcc", "posix", out), *out.glob("*.c"))


@pytest.mark.parametrize("variant", EMBEDDING)
@pytest.mark.parametrize("name", EMBEDDED)
def test_embedded_only(
    workshop: Workshop, tmp_path: Path, compiler: str, name: str, variant: str
) -> None:
    whole(workshop, tmp_path, compiler, "posix", odd(workshop, tmp_path, name, variant))


def refused(words: list[str], source: Path) -> str:
    """What a compiler says that must not compile it."""
    done = subprocess.run(
        [*words, "-fsyntax-only", str(source)], capture_output=True, text=True, check=False
    )
    assert done.returncode != 0, "it compiles"
    return done.stderr


@pytest.mark.parametrize(
    ("ports", "says"),
    [
        ([], "no port chosen: compile with the flags of 'ctrgen runtime --port dpdk|posix"),
        (["-DCTR_PORT_POSIX=1", "-DCTR_PORT_DPDK=1"], "both CTR_PORT_DPDK and CTR_PORT_POSIX"),
    ],
    ids=["none", "both"],
)
def test_the_port_is_chosen(workshop: Workshop, compiler: str, ports: list[str], says: str) -> None:
    out = workshop.generated(EP, USUAL)
    words = command(workshop, compiler, "posix", out)
    words = [word for word in words if not word.startswith("-DCTR_PORT")]
    assert says in refused([*words, *ports], APP)
