# SPDX-License-Identifier: BSD-3-Clause
"""Names that generated code uses itself: schemas compile, or are refused with a position."""

import re
import shutil
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

from ctrgen.backends import Options, agentx, bench, runtimeinfo
from ctrgen.backends.c import BACKEND, parameters
from ctrgen.findings.printers import print_findings
from ctrgen.model import ir
from ctrgen.model.naming import names, symbols
from ctrgen.output.render import environment
from ctrgen.pipeline.check import check
from tests.compile.hostile_names import attempt, compile_errors
from tests.support.paths import EP
from tests.support.process import run
from tests.support.strategies import BUFFERING, LOCKING, STRATEGIES, USUAL

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")

QUICK, LONG = 160, 10_000
"""Random schemas of a usual run, and under --long."""

PKTS = "counters: {pkts: {unit: packets, description: Packets.}}"
ONE = "ctrgen: 1\nmodule: ep\nscopes:\n  update:\n    max: 3\n    storage: %s\n    %s\nupdates:\n"
TWO = (
    "ctrgen: 1\nmodule: ep\nscopes:\n"
    "  global:\n    counters: {%s: {unit: packets, description: Packets.}}\n"
    f"  flow:\n    sync: {LOCKING}\n    max: 3\n    {PKTS}\nupdates:\n"
)
MET = {
    "next-of-a-dynamic-scope": (
        ONE % ("dynamic", PKTS) + "  next: {add: {update.pkts: 1}}\n",
        "9:3: error[generated-name]: update 'next' generates the C name 'ep_stats_update_next'",
    ),
    "resets-of-a-scope": (
        ONE % ("static", PKTS) + "  discontinuity_ns: {add: {update.pkts: 1}}\n",
        "",
    ),
    "resets-of-a-scope-by-a-former-name": (
        ONE % ("static", PKTS) + "  jumps: {add: {update.pkts: 1}}\n",
        "",
    ),
    "part-under-a-strategy": (
        TWO % USUAL + f"  get: {{add: {{global.{USUAL}: 1, flow.pkts: 1}}}}\n",
        "",
    ),
    "parameter-named-as-an-item": (
        TWO % "pkts" + "  p: {args: {pkts: uint32}, add: {global.pkts: pkts, flow.pkts: pkts}}\n",
        "",
    ),
    "parameter-of-one-strategy-named-as-an-item": (
        TWO % "pkts" + "  p: {args: {pkts: uint32}, add: {global.pkts: 1, flow.pkts: pkts}}\n",
        "",
    ),
    "scope-with-the-prefix": (
        "ctrgen: 1\nmodule: ep\nscopes:\n  ep_stats_drop:\n    max: 3\n    storage: dynamic\n"
        f"    {PKTS}\n",
        "",
    ),
    "scope-whose-read-is-named-as-that-of-a-table": (
        TWO.replace(
            f"  flow:\n    sync: {LOCKING}\n",
            f"  flow_table_lcore:\n    max: 3\n    {PKTS}\n  flow:\n",
        )
        % "pkts"
        + "  p: {add: {flow.pkts: 1}}\n",
        "",
    ),
    "parameters-named-as-local-variables": (
        TWO % "pkts"
        + "  p: {args: {n: uint8, self: uint8}, add: {flow.pkts: n, global.pkts: self}}\n",
        "",
    ),
    "buffer-without-counters": (
        f"ctrgen: 1\nmodule: ep\nsync: {BUFFERING}\nscopes:\n  flow:\n    max: 3\n"
        "    states: {name: {type: string, length: 7, description: A text.}}\n",
        "",
    ),
}
"""Schemas that once gave C that did not compile, each with what is said of it now, if anything."""


def generate(text: str, folder: Path) -> str:
    """Put the C of a schema into a folder; what is wrong with the schema instead, if anything."""
    checked = check("schema.yaml", read=lambda _: text.encode())
    if checked.module is None:
        return print_findings(checked.diagnostics)
    for path, code in BACKEND.generate(checked.module, Options("s", "c", "1")).items():
        (folder / path).write_text(code, "utf-8")
    return ""


@pytest.mark.parametrize("name", MET)
def test_schemas_that_did_not_compile(name: str, tmp_path: Path) -> None:
    text, says = MET[name]
    found = generate(text, tmp_path)
    if says:
        assert says in found
        assert not list(tmp_path.iterdir())
    else:
        assert found == ""
        assert compile_errors(tmp_path, ["ep_stats"]) == ""


def test_hostile_names(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    outcome = attempt(range(LONG if request.config.getoption("--long") else QUICK), tmp_path)
    assert not outcome.failures, "\n----\n".join(outcome.failures)
    assert outcome.compiled > outcome.refused.total() > 0


def no_words(strategies: frozenset[str]) -> frozenset[str]:
    """A template that uses no word of its own."""
    return frozenset()


def only_the_module(module: ir.Module) -> Iterator[symbols.Names]:
    """A registry that has lost all names but the module's own."""
    yield symbols.of_module(module)


@pytest.mark.deep
def test_a_registry_that_lacks_names_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbols, "_everything", only_the_module)
    assert attempt(range(QUICK // 2), tmp_path).failures


def test_parameters_that_do_not_step_aside_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parameters, "words", no_words)
    generate(MET["parameters-named-as-local-variables"][0], tmp_path)
    assert "redefinition" in compile_errors(tmp_path, ["ep_stats"])


TAKEN = """\
ctrgen: 1
module: ep
scopes:
  batch: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
  batch_own: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
updates:
  packet: {add: {batch.pkts: 1}}
"""
"""A scope that is named as the struct of batches, and one as that would be instead."""


def test_a_taken_name_is_passed_over(tmp_path: Path) -> None:
    generate(TAKEN, tmp_path)
    assert compile_errors(tmp_path, ["ep_stats"]) == ""
    assert "struct ep_stats_batch_own2 {" in (tmp_path / "ep_stats.h").read_text("utf-8")


def no_moves(given: object) -> names.Moves:
    """Nothing steps aside."""
    return {}


def first_of_the_series(name: str, taken: Set[str]) -> str:
    """A new name that may be taken."""
    return f"{name}_own"


@pytest.mark.parametrize("settled", [True, False])
def test_names_that_step_onto_others_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settled: bool
) -> None:
    """And those that do not step aside."""
    if settled:
        monkeypatch.setattr(names, "_free", first_of_the_series)
    else:
        monkeypatch.setattr(symbols, "settle", no_moves)
    taken = TAKEN.replace("pkts:", f"of_{settled}:").replace(".pkts", f".of_{settled}")
    for text in (taken, taken.replace("scopes:", f"sync: {LOCKING}\nscopes:")):
        generate(text, tmp_path)  # each is another one: names of a module are kept
        assert "redefinition" in compile_errors(tmp_path, ["ep_stats"])


SERVED = """\
ctrgen: 1
module: ep
reset: true
snmp: {enterprise: 55555}
scopes:
  global: {counters: {total: {unit: packets, description: Packets.}}}
  agentx: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
  read: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
  batch: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
  groups: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
updates:
  begin: {args: {size: uint16}, add: {batch.pkts: size, global.total: 1}}
  end: {add: {batch.pkts: 1, read.pkts: 1}}
"""


def test_the_agent_and_the_benchmark_follow(tmp_path: Path) -> None:
    """What serves and measures a module asks for its names, too."""
    generate(SERVED, tmp_path)
    module = check("schema.yaml", read=lambda _: SERVED.encode()).module
    assert module is not None
    options = Options("s", "c", "1")
    code = agentx.BACKEND.generate(module, options) | bench.BACKEND.generate(module, options)
    for path, content in code.items():
        (tmp_path / Path(path).name).write_text(content, "utf-8")
    flags = [*runtimeinfo.cflags("posix"), f"-I{tmp_path}", "-Wall", "-Wextra", "-Werror"]
    for source in ("ep_stats_bench.c", "ep_stats_agentx.c"):
        done = run("gcc", "-std=gnu11", "-fsyntax-only", *flags, str(tmp_path / source))
        assert done.returncode == 0, done.stderr
    assert "ep_stats_batch_begin_own(" in (tmp_path / "ep_stats_bench.c").read_text("utf-8")


def test_a_template_that_asks_for_an_unknown_name() -> None:
    checked = check("schema.yaml", read=lambda _: MET["part-under-a-strategy"][0].encode())
    assert checked.resolution is not None
    sym = symbols.of_scope(checked.resolution.module, checked.resolution.module.scopes[1])
    template = environment().from_string("{{ sym.read }} {{ sym.written }}")
    with pytest.raises(symbols.UndeclaredNameError, match="'written' is declared for scope 'flow'"):
        template.render(sym=sym)


def test_a_benchmark_calls_what_there_is() -> None:
    """An update without parameters has no bulk call."""
    text = TWO % "pkts" + "  p: {add: {global.pkts: 1}}\n  q: {add: {flow.pkts: 1}}\n"
    checked = check("schema.yaml", read=lambda _: text.encode())
    assert checked.module is not None
    options = Options("s", "c", "1")
    header = BACKEND.generate(checked.module, options)["ep_stats.h"]
    program = bench.BACKEND.generate(checked.module, options)["bench/ep_stats_bench.c"]
    called = set(re.findall(r"ep_stats_update_\w+", program))
    assert called == set(
        re.findall(r"^(?:static inline \w+ )?(ep_stats_update_\w+)\(", header, re.M)
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_templates_spell_no_name_themselves(strategy: str) -> None:
    """What generated code has at file level is in the registry."""
    module = check(str(EP), strategy).module
    assert module is not None
    code = "".join(BACKEND.generate(module, Options("s", "c", "1")).values())
    declared = {symbol.name for symbol in symbols.symbols(module)}
    found = set(re.findall(r"\b(?:ep_stats|EP_STATS)_\w+", code))
    macros = {name for name in found if name.endswith(("_", "_ITEM"))}  # the names of any counter
    assert found - macros <= declared
    for name in macros:
        assert any(other.startswith(name.removesuffix("ITEM")) for other in declared)
