# SPDX-License-Identifier: BSD-3-Clause
"""Which lines of generator/ fuzzing reaches, and which inputs are worth keeping for that."""

import contextlib
import hashlib
import io
import random
import sys
from collections.abc import Iterator
from typing import Any

from tests.fuzz.engine import ROOT, corpus, inputs, keep_inputs, mutated, scratch

MOST = 20_000
"""Octets of the largest input that is kept."""


def _coverage() -> Any:
    try:
        import coverage
    except ImportError:
        raise SystemExit("./dev fuzz --coverage and --keep need the package coverage") from None
    return coverage.Coverage(source=[str(ROOT / "generator")], data_file=None, branch=False)


def _lines(measured: Any) -> int:
    data = measured.get_data()
    return sum(len(data.lines(name) or ()) for name in data.measured_files())


@contextlib.contextmanager
def _watching(measured: Any) -> Iterator[None]:
    """What happens inside is measured, and may fail."""
    measured.start()
    try:
        with contextlib.suppress(Exception):
            yield
    finally:
        measured.stop()


def keep_new(target: str) -> list[str]:
    """Add what was collected while fuzzing to the corpus, if it reaches lines of its own.

    Small inputs first. The names of those that were added.
    """
    measured = _coverage()
    with _watching(measured):
        from tests.fuzz.targets import TARGETS

        for data in inputs(target):
            TARGETS[target](data)
    kept = []
    found = sorted({path.read_bytes() for path in scratch(target).iterdir()}, key=len)
    before = _lines(measured)
    for data in found:
        if len(data) > MOST:
            continue
        with _watching(measured):
            TARGETS[target](data)
        after = _lines(measured)
        if after > before:
            kept.append(data)
        before = after
    keep_inputs(target, [*(path.read_bytes() for path in corpus(target)), *kept])
    return [hashlib.sha256(data).hexdigest()[:12] for data in kept]


def report(executions: int) -> str:
    """Lines of generator/ that corpora, and random inputs of each target, run.

    In a process that has imported nothing of it.
    """
    measured, chance = _coverage(), random.Random(0)
    with _watching(measured):
        from tests.fuzz.targets import TARGETS
    for target, run in TARGETS.items():
        samples = inputs(target)
        for data in samples:
            with _watching(measured):
                run(data)
        for _ in range(executions):
            with _watching(measured):
                run(mutated(chance.choice(samples), samples, chance))
    text = io.StringIO()
    measured.report(file=text, skip_covered=True, show_missing=True, sort="miss")
    return text.getvalue()


if __name__ == "__main__":
    print(report(int(sys.argv[1])))
