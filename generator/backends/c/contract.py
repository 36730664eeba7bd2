# SPDX-License-Identifier: BSD-3-Clause
"""The strategy contract: the questions a strategy's `update.j2` answers.

A question is a macro. What a strategy leaves out is answered by templates/c/lcores.j2,
if it has an instance for each lcore, and by templates/c/sync_defaults.j2, which documents
every question; a question that none answers is an error of the template that asks.
"""

import functools
from typing import Any

from ...model.strategies.catalogue import all_strategies
from ...output.render import environment


class Answers:
    """The macros of one strategy over the defaults, as attributes."""

    def __init__(self, strategy: str, own: str = "") -> None:
        self._strategy = strategy
        shared = ["c/lcores.j2"] if all_strategies()[strategy].per_lcore and not own else []
        names = [own or f"c/sync/{strategy}/update.j2", *shared, "c/sync_defaults.j2"]
        self._sources = [environment().get_template(name).module for name in names]

    def answers(self, question: str) -> bool:
        """Whether the strategy itself answers an optional question."""
        return hasattr(self._sources[0], question)

    def __getattr__(self, question: str) -> Any:
        for source in self._sources:
            if hasattr(source, question):
                answer = getattr(source, question)
                setattr(self, question, answer)
                return answer
        raise AttributeError(f"strategy '{self._strategy}' has no answer to '{question}'")


answers_of = functools.cache(Answers)
"""The answers of a strategy, loaded once."""
