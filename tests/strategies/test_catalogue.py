# SPDX-License-Identifier: BSD-3-Clause
"""Strategy files: what is wrong with one is said with its path and key."""

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml

from ctrgen.model.language.schema import Schema
from ctrgen.model.strategies import catalogue
from ctrgen.model.strategies.catalogue import StrategyError, all_strategies
from ctrgen.model.strategies.costs import Primitive
from ctrgen.model.strategies.promises import PROMISES
from tests.support.paths import ROOT
from tests.support.strategies import BUFFERING, BY_CPU, LOCKING, NARROW, OWN_LOCKS, USUAL

SYNC = ROOT / "templates" / "c" / "sync"


def load(folder: Path, text: str) -> catalogue.Strategy:
    folder.mkdir(exist_ok=True)
    (folder / "strategy.yaml").write_text(text, "utf-8")
    return catalogue._load(folder)


def changed(name: str, *path: str, **to: Any) -> str:
    """The file of a strategy with some keys changed at a path below it."""
    data = yaml.safe_load((SYNC / name / "strategy.yaml").read_text("utf-8"))
    entry = data
    for step in path:
        entry = entry[step]
    entry.update(to)
    return yaml.safe_dump(
        {key: value for key, value in data.items() if value != "absent"}, sort_keys=False
    )


@pytest.mark.parametrize(
    ("text", "key", "what"),
    [
        (changed(USUAL, summary="absent"), "summary", "missing"),
        (changed(USUAL, surprise="x"), "surprise", "unknown key"),
        (changed(USUAL, "promises", exact=1), "promises.exact", "valid boolean"),
        (changed(USUAL, "promises", reader="sometimes"), "promises.reader", "'preemptible'"),
        (changed(USUAL, "promises", speed="high"), "promises.speed", "unknown key"),
        (changed(USUAL, "promises", waits="often"), "promises.waits", "'spinning'"),
        (
            changed(LOCKING, "promises", waits=[{"value": "never", "when": {"x": 1}}]),
            "promises.waits.0.when.x",
            "no tunable 'x'",
        ),
        (changed(USUAL, storage=["heap"]), "storage.0", "'static', 'dynamic' or 'embedded'"),
        (
            changed(OWN_LOCKS, "shape", memory={"module": {"byte": 8}}),
            "shape.memory.module.0.byte",
            "unknown key",
        ),
        (
            changed(OWN_LOCKS, "shape", lcores={"words": [{"bits": 32}]}),
            "shape.lcores.words",
            "no `shared` tier",
        ),
        (changed(BY_CPU, "shape", lcores={"cpus": "x"}), "shape.lcores.cpus", "no tunable 'x'"),
        (
            changed(BUFFERING, "shape", lcores={"elements": "buffer", "words": [{"bits": 32}]}),
            "shape.lcores",
            "`elements`",
        ),
        (
            changed(
                USUAL, values={"propagation": {"later": {"like": "never", "means": "x"}}}
            ).replace("propagation: store", "propagation: later"),
            "promises.propagation",
            "'store', 'flush' or 'drain'",
        ),
        (changed(USUAL, "cost", operation=["ad"]), "cost.operation.0.use", "no primitive 'ad'"),
        (changed(USUAL, may_fail={"when": {"x": 1}}), "may_fail", "no tunable 'x'"),
        (changed(BUFFERING, "cost", "flush", every="x"), "cost.flush.every", "no tunable"),
        (
            changed(BUFFERING, "tunables", "buffer", default=1),
            "tunables.buffer",
            "default must be at least 16",
        ),
        (
            changed(BUFFERING, "tunables", "hints", at_most="x"),
            "tunables.hints.at_most",
            "no tunable 'x'",
        ),
        (
            changed(
                LOCKING, "shape", "shared", element={"bytes": 8, "when": {"granule": "instance"}}
            ),
            "shape.shared.element.when.granule",
            "no tunable 'granule'",
        ),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, key: str, what: str) -> None:
    with pytest.raises(StrategyError) as error:
        load(tmp_path / "new", text)
    path = tmp_path / "new" / "strategy.yaml"
    lines = [line for line in str(error.value).splitlines() if line.startswith(f"{path}: {key}")]
    assert lines and what in lines[0], str(error.value)


@pytest.mark.parametrize("text", ["", "- a", "{", "summary: [", "\x00"])
def test_what_is_no_mapping_names_the_file(tmp_path: Path, text: str) -> None:
    with pytest.raises(StrategyError, match=r"strategy\.yaml: "):
        load(tmp_path / "new", text)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(StrategyError) as error:
        load(tmp_path / "new", "summery: x\n")
    assert {"summary", "promises", "summery"} == {
        line.split(": ")[1] for line in str(error.value).splitlines()
    }


def test_what_may_be_left_out(tmp_path: Path) -> None:
    promises = dict(all_strategies()[USUAL].promises)
    strategy = load(tmp_path / "new", yaml.safe_dump({"summary": "New.", "promises": promises}))
    assert (strategy.name, strategy.cycles, strategy.settings()) == ("new", None, ())
    assert strategy.storage == ("static", "dynamic")
    assert strategy.main.header.count({}) == 0


def test_bytes_follow_tunables() -> None:
    lock, buffered = all_strategies()[LOCKING], all_strategies()[BUFFERING]
    each = {"granularity": "instance", "lock": "spin"}
    assert lock.main.header.count(each) == 0
    assert lock.main.header.count({**each, "granularity": "module"}) == 8
    assert lock.main.element.count(each) == 8
    assert buffered.shape.memory.count({"buffer": 100})[0] == 16 + 1600


def test_widths_of_words_follow_tunables() -> None:
    tier = all_strategies()[NARROW].main
    assert [tier.bits({"words": words}) for words in ("u16", "u32")] == [16, 32]


def test_a_primitive_of_a_folder_counts(tmp_path: Path) -> None:
    cost = {"operation": ["add", "mine"]}
    text = changed(USUAL, primitives={"mine": {"instructions": 5, "locked": 1}}, cost=cost)
    strategy = load(tmp_path / "new", text)
    assert strategy.cost is not None
    assert strategy.cost.totals({})[1] == Primitive(instructions=9, locked=1)


def test_promises_are_ordered() -> None:
    """Each value satisfies itself and what is behind it, and says how it falls short of better."""
    base = all_strategies()[USUAL].promises
    for name in ("exact", "consistency", "reader", "propagation", "signals"):
        for rank, value in enumerate(PROMISES[name]):
            promises = base.model_copy(update={name: value})
            for needed, need in enumerate(PROMISES[name]):
                assert bool(promises.shortfall(name, need)) == (rank > needed)
            assert promises.weaker_than(base) == (
                [name] if value in PROMISES[name][PROMISES[name].index(getattr(base, name)) + 1 :]
                else []
            )  # fmt: skip


WAITS = [
    {"value": "never", "when": {"lock": ["mcs", "ticket"], "granularity": "instance"}},
    {"value": "bounded", "when": {"lock": "ticket"}},
]


def test_a_promise_follows_tunables(tmp_path: Path) -> None:
    """The first case that applies counts; the worst value where none does."""
    strategy = load(tmp_path / "new", changed(LOCKING, "promises", waits=WAITS))
    assert strategy.promised().waits == "spinning"
    assert strategy.promised({"lock": "ticket"}).waits == "bounded"
    assert strategy.promised({"lock": "ticket", "granularity": "instance"}).waits == "never"


def test_what_a_strategy_does_not_promise_is_the_worst(tmp_path: Path) -> None:
    promises = dict(all_strategies()[USUAL].promises)
    del promises["waits"]
    text = yaml.safe_dump({"summary": "New.", "promises": promises, "storage": ["static"]})
    assert load(tmp_path / "new", text).promised().waits == "spinning"


def test_no_module_names_a_strategy() -> None:
    """But for the default of the schema; what is known of a strategy is in its folder."""
    named = set()
    for path in (ROOT / "generator").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and node.value in all_strategies().keys() - {
                "caller"
            }:
                named.add((path.relative_to(ROOT / "generator").as_posix(), node.value))
    assert named == {("model/language/schema.py", Schema.model_fields["sync"].default)}
