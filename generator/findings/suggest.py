# SPDX-License-Identifier: BSD-3-Clause
"""Suggests the known name that a misspelt one resembles."""

import difflib
from collections.abc import Collection, Iterable

MAX_CANDIDATES = 2000
"""Most names a misspelt one is compared with: a typo must not make a large schema slow."""


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that looks most like `word`, or None when none comes close."""
    if len(word) > 100:
        return None
    near = [name for name in candidates if abs(len(name) - len(word)) <= 1 + len(word) // 2]
    lower = {name.lower(): name for name in reversed(near[:MAX_CANDIDATES])}
    matches = difflib.get_close_matches(word.lower(), lower, n=1, cutoff=0.7)
    return lower[matches[0]] if matches else None


class Suggester:
    """`did_you_mean` with a budget: ten thousand typos in a large schema stay fast."""

    def __init__(self, budget: int = 25) -> None:
        self.budget = budget

    def __call__(self, word: str, candidates: Collection[str], what: str = "known") -> str:
        """A hint like `did_you_mean`, or nothing when the budget is used up."""
        if len(candidates) > 25:
            if self.budget <= 0:
                return ""
            self.budget -= 1
        return did_you_mean(word, candidates, what)


def did_you_mean(word: str, candidates: Iterable[str], what: str = "known") -> str:
    """A hint: the nearest candidate, or all of them when they are few."""
    names = list(candidates)
    match = nearest(word, names)
    if match is not None:
        return f"did you mean '{match}'?"
    return f"{what}: {', '.join(names)}" if 0 < len(names) <= 25 else ""
