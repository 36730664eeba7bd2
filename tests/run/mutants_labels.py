# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in indexes that have names."""

from __future__ import annotations

from tests.run.mutants import mutant
from tests.run.variants import labels

LABELS = [
    mutant(
        "labels-are-named-in-another-order",
        "templates/c/descriptor.j2",
        "{% for label in level.ir.labels %}",
        "{% for label in level.ir.labels | reverse %}",
        "per_core",
        "names",
        "strcmp",
        labels,
    ),
    mutant(
        "constants-of-labels-begin-at-1",
        "templates/c/items.j2",
        "\t{{ constant }},\n{% endfor %}\n};\n\n/** Their names",
        "\t{{ constant }} = {{ loop.index }},\n{% endfor %}\n};\n\n/** Their names",
        "shared_atomic",
        "one_list",
        "instead of",
        labels,
    ),
    mutant(
        "an-index-has-the-labels-of-another",
        "generator/backends/c/levels.py",
        'else "NULL"\n        for level in scope.levels',
        'else "NULL"\n        for level in reversed(scope.levels)',
        "shared_lock",
        "names",
        "has a name|strcmp",
        labels,
    ),
    mutant(
        "an-update-fixes-the-first-label",
        "generator/backends/c/levels.py",
        "(module, level)[labels[level.name]]",
        "(module, level)[level.labels[0]]",
        "per_core_seqcount",
        "fixed_labels",
        "instead of",
        labels,
    ),
]
