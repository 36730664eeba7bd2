# SPDX-License-Identifier: BSD-3-Clause
"""The strategy contract: the questions a strategy's `update.j2` answers.

A question is a macro. What a strategy leaves out is answered by templates/c/lcores.j2,
if it has an instance for each lcore, and by templates/c/sync_defaults.j2, which documents
every question; a question that none answers is an error of the template that asks.
"""

import functools
from types import SimpleNamespace
from typing import Any

from ...model.strategies.catalogue import all_strategies
from ...output.render import environment


@functools.cache
def answers_of(strategy: str, own: str = "") -> Any:
    """The macros of one strategy, or of template `own`, over the defaults, as attributes; with
    `answers(question)`, whether that template itself answers an optional question."""
    shared = ["c/lcores.j2"] if all_strategies()[strategy].per_lcore and not own else []
    names = ["c/sync_defaults.j2", *shared, own or f"c/sync/{strategy}/update.j2"]
    answers = [vars(environment().get_template(name).module) for name in names]
    every = {question: macro for each in answers for question, macro in each.items()}
    return SimpleNamespace(**every, answers=answers[-1].__contains__)
