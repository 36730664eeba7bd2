# SPDX-License-Identifier: BSD-3-Clause
"""Names that people give their scopes, items, updates and arguments, under every strategy.

What generated code calls its own things steps aside (docs/schema.md).
"""

import itertools
import shutil
from collections.abc import Iterator, Set
from pathlib import Path

import pytest
import yaml

from ctrgen.backends import Options, agentx, bench, runtimeinfo
from ctrgen.backends.c import BACKEND
from ctrgen.findings.printers import print_findings
from ctrgen.model.naming import names, symbols
from ctrgen.pipeline.check import check
from tests.compile.hostile_names import PACK, SYNCS, compile_errors
from tests.support.process import run
from tests.support.strategies import EMBEDDING, LOCKING, USUAL

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no g++")

_WORDS = """
    drop drops last lcore batch slot common index value reset init module flush pair
    lock seq word read view snapshot late chunk data offset delta queue update
    start_ns end_ns num_drop drop_index drop_valid batch_own snapshot_free read_lock first
"""
WORDS = _WORDS.split()
"""Names of scopes, items and updates."""
_ARGUMENTS = """
    n i first end total last out self data b rc at chunk lcore v view value size index count item
    record reading common period snap held word tries node wb slot copy anew
"""
ARGUMENTS = _ARGUMENTS.split()
"""Names of arguments."""
MEANT_TWICE = {
    "batch": {"read", "reset", "init", "index"},  # P_batch_read() is of the scope, too
    "update": {"read", "reset", "init"},
    "view": {"read", "reset"},
}
"""Updates that collide with functions of a scope: both are the user's names."""


def counters(names: list[str]) -> dict[str, object]:
    """Counters of both widths."""
    return {
        name: {"unit": "packets", "width": 32 if number % 3 else 64, "description": "Some."}
        for number, name in enumerate(names)
    }


def schema(number: int, scope: str, storage: str, sync: object, beside: object = None) -> str:
    """A module with a scope of that name, and other words for all that it has; `beside` is the
    strategy of the global scope, if another one."""
    at = number % len(WORDS)
    words = [*WORDS[at:], *WORDS[:at]]
    content: dict[str, object] = {"storage": storage, "counters": counters(words[:18])}
    if storage != "embedded":
        content["max"] = 3000
        content["gauges"] = {
            word: {"unit": "packets", "description": "Some."} for word in words[18:21]
        }
        content["states"] = {
            word: {"type": "enum", "labels": ["a", "max", "read"], "description": "Some."}
            for word in words[21:24]
        } | {words[24]: {"type": "string", "length": 7, "description": "Some."}}
    whole: dict[str, object] = {"counters": counters([w for w in words[9:20] if w != scope])}
    if storage == "embedded":
        content["sync"] = sync
        sync = beside or USUAL
    elif beside:
        whole["sync"] = beside
    updates: dict[str, object] = {}
    free = (word for word in words if word not in MEANT_TWICE.get(scope, ()))
    for place, update in enumerate(itertools.islice(free, 6)):
        start = (number * 5 + place * 4) % len(ARGUMENTS)
        arguments = [a for a in (ARGUMENTS * 2)[start : start + 4] if a != scope]
        targets = [f"{scope}.{words[place]}", f"{scope}.{words[place + 6]}"]
        targets += [f"global.{item}" for item in list(whole["counters"])[place : place + 2]]  # type: ignore[call-overload]
        updates[update] = {
            "args": dict.fromkeys(arguments, "uint16"),
            "add": dict(zip(targets, arguments, strict=False)),
        }
    text = {"ctrgen": 1, "module": f"n{number:x}", "sync": sync, "reset": True}
    if number % 2:
        text["views"] = words[:2]
    text |= {"scopes": {"global": whole, scope: content}, "updates": updates}
    return yaml.safe_dump(text, sort_keys=False)


def generate(texts: Iterator[str], folder: Path) -> list[str]:
    """Put the C of modules into a folder; their prefixes."""
    prefixes = []
    for text in texts:
        checked = check("natural.yaml", read=lambda _, text=text: text.encode())  # type: ignore[misc]
        assert checked.module is not None, f"{text}\n{print_findings(checked.diagnostics)}"
        for path, code in BACKEND.generate(checked.module, Options("s", "c", "1")).items():
            (folder / path).write_text(code, "utf-8")
        prefixes.append(symbols.prefix(checked.module.name))
    return prefixes


def told(texts: Iterator[str], folder: Path) -> str:
    """What compilers say of modules."""
    prefixes = generate(texts, folder)
    packs = [prefixes[at : at + PACK] for at in range(0, len(prefixes), PACK)]
    return "".join(compile_errors(folder, pack) for pack in packs)


def under(sync: object) -> Iterator[str]:
    """Every word as a scope under a strategy: static or dynamic, alone or beside another one."""
    turn = SYNCS.index(sync)
    others = itertools.islice(itertools.cycle([None, *SYNCS]), turn, None)
    for number, word in enumerate(WORDS):
        storage = ("static", "dynamic")[(number // 2 + turn) % 2]
        yield schema(number + turn, word, storage, sync, next(others))


@pytest.mark.one_in(18)
@pytest.mark.parametrize("sync", SYNCS, ids=str)
def test_natural_names_under_every_strategy(sync: object, tmp_path: Path) -> None:
    assert told(under(sync), tmp_path) == ""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("sync", EMBEDDING)
def test_natural_names_of_embedded_scopes(sync: str, tmp_path: Path) -> None:
    texts = (schema(number, word, "embedded", sync) for number, word in enumerate(WORDS))
    assert told(texts, tmp_path) == ""


def all_at_once(sync: object) -> str:
    """One module in which every scope has a natural name, and two words are all scopes."""
    scopes: dict[str, object] = {"global": {"counters": counters(WORDS[:5])}}
    for number, word in enumerate(WORDS):
        storage = ("static", "dynamic")[number % 2]
        few = [name for name in ("drop", "lock", "value") if name != word]
        scopes[word] = {"max": 3, "storage": storage, "counters": counters(few)}
    text = {"ctrgen": 1, "module": "all", "sync": sync, "reset": True, "scopes": scopes}
    return yaml.safe_dump(text, sort_keys=False)


ALONE = [word for word in WORDS if word not in ("drop_index", "drop_valid", "read_lock")]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sync", SYNCS[::3], ids=str)
def test_all_at_once(sync: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.compile.test_natural_names.WORDS", ALONE)
    assert told(iter([all_at_once(sync)]), tmp_path) == ""


def test_the_agent_and_the_benchmark_follow(tmp_path: Path) -> None:
    """What serves and measures a module asks for its names, too."""
    text = AGENT
    generate(iter([text]), tmp_path)
    checked = check("natural.yaml", read=lambda _: text.encode())
    assert checked.module is not None
    options = Options("s", "c", "1")
    code = agentx.BACKEND.generate(checked.module, options)
    code |= bench.BACKEND.generate(checked.module, options)
    for path, content in code.items():
        (tmp_path / Path(path).name).write_text(content, "utf-8")
    flags = [*runtimeinfo.cflags("posix"), f"-I{tmp_path}", "-Wall", "-Wextra", "-Werror"]
    for source in ("ep_stats_bench.c", "ep_stats_agentx.c"):
        done = run("gcc", "-std=gnu11", "-fsyntax-only", *flags, str(tmp_path / source))
        assert done.returncode == 0, done.stderr
    assert "ep_stats_batch_begin_own(" in (tmp_path / "ep_stats_bench.c").read_text("utf-8")


AGENT = """\
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


def no_moves(given: object) -> names.Moves:
    """Nothing steps aside."""
    return {}


def first_of_the_series(name: str, taken: Set[str]) -> str:
    """A new name that may be taken."""
    return f"{name}_own"


def test_names_that_do_not_step_aside_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbols, "settle", no_moves)
    assert "redefinition" in told(iter([schema(0, "batch", "static", USUAL)]), tmp_path)


def test_names_that_step_onto_others_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "_free", first_of_the_series)
    texts = [TAKEN, TAKEN.replace("scopes:", f"sync: {LOCKING}\nscopes:")]
    assert all("redefinition" in told(iter([text]), tmp_path) for text in texts)


TAKEN = """\
ctrgen: 1
module: ep
scopes:
  batch: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
  batch_own: {max: 3, counters: {pkts: {unit: packets, description: Packets.}}}
updates:
  packet: {add: {batch.pkts: 1}}
"""


def test_a_taken_name_is_passed_over(tmp_path: Path) -> None:
    assert told(iter([TAKEN]), tmp_path) == ""
    assert "struct ep_stats_batch_own2 {" in (tmp_path / "ep_stats.h").read_text("utf-8")
