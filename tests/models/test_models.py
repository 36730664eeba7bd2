# SPDX-License-Identifier: BSD-3-Clause
"""Every model holds, sees its bugs, and is in docs/design.md.

The verdicts of GenMC are demanded where it is on the PATH. Everywhere the models run under
explore.c (test_explore.py).
"""

import re
from pathlib import Path

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from tests.models import genmc, library, page
from tests.models.cases import IMM, Case, Model
from tests.models.catalogue import CASES, MODELS, VERDICTS
from tests.promises.page import filled
from tests.support import process
from tests.support.capabilities import needs
from tests.support.strategies import fact

UNSEEN = [
    "runtime/include/ctr_wb.h: __atomic_signal_fence(__ATOMIC_RELEASE);",
    "runtime/include/ctr_word.h: #define ctr_store_release(at, value) "
    "__atomic_store_n(at, value, __ATOMIC_RELEASE)",
    "runtime/src/core/values.c: __atomic_store_n(word, wide, __ATOMIC_SEQ_CST);",
    "runtime/src/core/ctr_control.c: "
    "__atomic_store_n(&control->forks, ctr_forks, __ATOMIC_RELEASE);",
    "runtime/src/core/ctr_control.c: "
    "if (ctr_unlikely(__atomic_load_n(&control->forks, __ATOMIC_ACQUIRE) != ctr_forks))",
    "runtime/src/core/ctr_control.c: "
    "uint64_t *table = __atomic_load_n(discontinuity_ns, __ATOMIC_ACQUIRE);",
    "runtime/src/core/ctr_discontinuity.c: "
    "__atomic_store_n(scope->discontinuity_ns, *table, __ATOMIC_RELEASE);",
    "runtime/src/core/ctr_discontinuity.c: "
    "__atomic_store_n(scope->discontinuity_ns, NULL, __ATOMIC_RELEASE);",
    "runtime/src/core/limit.c: "
    "if (__atomic_fetch_sub(&account->pending, 1, __ATOMIC_ACQ_REL) != 1)",
    "runtime/src/core/limit.c: __ATOMIC_ACQUIRE));",
    "runtime/src/core/limit_set.c: "
    "(void)__atomic_fetch_and(&account->word, ~(uint64_t)LIMIT_REPORT, __ATOMIC_RELEASE);",
]
"""Orders that no bug relaxes: those for a child of fork(), which no model has; that of a gauge that
is handed over, which is set as an update sets it; those of tables of discontinuities, which change
under the control lock alone (ThreadSanitizer looks at them in tests/segment); of limits, those of a
recall's answer, of a queue found closed in a failed exchange, and of a report whose bit goes before
its link is read (what goes wrong without is a cycle of dependences, which RC11 excludes); and
ctr_store_release(), replaced where it is called."""

KERNEL = ("runtime/include/ctr_pi.h", "runtime/src/strategies/ctr_pi.c")
"""The kernel is a part of this lock, so no model has it: tests/run/test_inherit.py plants bugs in
it, and ThreadSanitizer looks at its orders."""

OF_STRATEGIES = [order for orders in fact("orders_unseen").values() for order in orders]
ELSEWHERE = [path for paths in fact("orders_elsewhere").values() for path in paths]

needs_genmc = pytest.mark.skipif(not genmc.have(), reason="no genmc on the PATH: docs/design.md")
ASKED = VERDICTS if genmc.have() else VERDICTS[:1]
"""So that without GenMC one test is skipped, not one for each verdict."""


@needs("clang")
@pytest.mark.parametrize(
    "model", {m.source: m for m in MODELS if m.genmc}.values(), ids=lambda model: model.source
)
def test_model_compiles_as_for_genmc(model: Model, tmp_path: Path) -> None:
    """Most machines have no GenMC, and would not notice that its models do not compile."""
    words = genmc.prepared(model, tmp_path)
    command = ("clang", "-w", "-include", "unistd.h", *words)
    process.succeed(*command, "-fsyntax-only", cwd=tmp_path)
    read = process.succeed(*command, "-M", cwd=tmp_path)
    assert "/sigthread.h" not in read, "<signal.h> has other types of threads than GenMC"


def test_every_bug_can_still_be_planted() -> None:
    for case in CASES:
        shipped = genmc.shipped(case.model.sync, case.model.schema)
        assert (genmc.planted(case.model, case.bug) == shipped) == (case.bug is None)
        assert all(limit.old in shipped[limit.path] for limit in case.model.limits)


def test_what_genmc_cannot_interpret_is_still_there() -> None:
    assert all(edit.old in genmc.shipped("")[edit.path] for edit in genmc.REPLACED)


def test_every_order_of_the_runtime_is_relaxed_by_a_bug() -> None:
    """An order that is new needs a bug, in a model that sees it gone."""
    edits = {edit for case in CASES if case.bug for edit in case.bug.edits}
    left = []
    files = genmc.shipped("")
    for name in all_strategies():
        files = {**files, **library.operations(name)}
    for path, text in files.items():
        own = re.match(r"runtime/(include|src/(core|strategies))/ctr_", path)
        ours = library.is_part(path) or own
        if ours and path not in (*KERNEL, *ELSEWHERE):
            spans = [(text.index(edit.old), edit) for edit in edits if edit.path == path]
            relaxed = [
                range(at, at + len(edit.old))
                for at, edit in spans
                if edit.new.count("RELAXED") > edit.old.count("RELAXED")
            ]
            for found in re.finditer("__ATOMIC_(ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)", text):
                if not any(found.start() in part for part in relaxed):
                    line = text[: text.index("\n", found.start())].rpartition("\n")[2]
                    left.append(f"{path}: {line.strip()}")
    assert sorted(left) == sorted(UNSEEN + OF_STRATEGIES)


def test_names_are_unique() -> None:
    assert len(CASES) == len({case.name for case in CASES})


def test_every_model_sees_a_bug() -> None:
    assert [model.name for model in MODELS if not model.bugs] == []


@needs_genmc
@pytest.mark.parametrize("case", ASKED, ids=lambda case: case.name)
def test_verdict(case: Case, request: pytest.FixtureRequest) -> None:
    if case.memory == IMM and not request.config.getoption("--long"):
        pytest.skip("under IMM with --long only")
    found = genmc.verdict(case)
    assert found.says == case.demanded, found.output


def test_cases_without_a_verdict_are_named() -> None:
    """The page says how many there are; `./dev models` fails as long as one is missing."""
    assert set(page.unchecked()) <= {case.name for case in VERDICTS}, "python -m tests.models"


def test_the_page_shows_this() -> None:
    text = page.PAGE.read_text("utf-8")
    assert all(f"<!-- tested: {part} -->" in text for part in page.PARTS)
    assert filled(text, page.PARTS) == text, f"name new cases in {page.RECORD.name}"
    sources = {case.model.source for case in CASES}
    assert sorted(name for name in sources if f"`{name}`" not in text) == []
