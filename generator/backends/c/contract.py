# SPDX-License-Identifier: BSD-3-Clause
"""The strategy contract: the questions a strategy's `sync.j2` answers.

A question is a macro. What a strategy leaves out is answered by
templates/c/sync_defaults.j2, which documents every question; a question that
neither answers is an error of the template that asks.
"""

from __future__ import annotations

import functools
from typing import Any

from ...output.render import environment

DEFAULTS = "c/sync_defaults.j2"


class Answers:
    """The macros of one strategy over the defaults, as attributes."""

    def __init__(self, strategy: str) -> None:
        self._strategy = strategy
        env = environment()
        self._own = env.get_template(f"c/sync/{strategy}/sync.j2").module
        self._defaults = env.get_template(DEFAULTS).module

    @staticmethod
    @functools.cache
    def of(strategy: str) -> Answers:
        """The answers of a strategy, loaded once."""
        return Answers(strategy)

    def answers(self, question: str) -> bool:
        """Whether the strategy itself answers an optional question."""
        return hasattr(self._own, question)

    def __getattr__(self, question: str) -> Any:
        for source in (self._own, self._defaults):
            if hasattr(source, question):
                answer = getattr(source, question)
                setattr(self, question, answer)
                return answer
        raise AttributeError(f"strategy '{self._strategy}' has no answer to '{question}'")
