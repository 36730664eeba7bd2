# SPDX-License-Identifier: BSD-3-Clause
"""Which inputs reach lines of generator/ that others do not, and are worth keeping for that."""

import contextlib
import hashlib
from collections.abc import Iterator
from typing import Any

from tests.fuzz.engine import ROOT, corpus, inputs, keep_inputs, scratch

MOST = 20_000
"""Octets of the largest input that is kept."""


def _coverage() -> Any:
    try:
        import coverage
    except ImportError:
        raise SystemExit("./dev fuzz --keep needs the package coverage") from None
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
