# SPDX-License-Identifier: BSD-3-Clause
"""Who knows a generated C name, by its pattern (docs/naming.md)."""

from __future__ import annotations

import functools

from ...strategies.catalogue import all_strategies
from .. import ir
from ..types import TYPES
from .moves import Use


def after(base: str, keys: str) -> dict[str, str]:
    """Patterns by key: each key behind a base, such as `P_init`."""
    return {key: f"{base}_{key}" for key in keys.split()}


def _patterns(base: str, keys: str) -> frozenset[str]:
    return frozenset(after(base, keys).values())


NAMED = (
    frozenset(["S", "S_X", "P_update_U", "P_update_U_bulk", "P_batch_U"])
    | _patterns("S", "read lcore_read reset reset_all view_read view_reset valid MAX")
    | _patterns("S", "create alloc destroy destroy_with trim exists next init embedded lcore_get_X")
    | _patterns("S", "snapshot_lcore")
    | _patterns("S", "key key_set key_get key_find key_X key_X_labels")
    | _patterns("L", "index labels MAX")
    | {"I_observe_X", "S_X_bucket", "S_X_histogram"}
    | {f"I_{verb}_X" for kind in ir.Kind for verb in kind.accessors}
    | {f"I_{verb}_X" for row in TYPES.values() for verb in row.accessors}
)
"""Those that applications know by names in the schema: they stay as they are."""

EARLY = _patterns(
    "P",
    """init fini flush try_flush burst_end hint_flush poll quiescent reset read_lock read_unlock
    drops late""",
)
"""Functions of the module itself that can be declared before all structs."""

PUBLIC = (
    EARLY
    | _patterns(
        "P",
        """batch batch_begin batch_end snapshot snapshot_create snapshot_read snapshot_reset
    snapshot_free snapshot_ask snapshot_ask_reset module view end_ops""",
    )
    | _patterns("S", "instances creations_refused")
)
"""Those of the module itself that applications know, and of its reports about a scope."""

BESIDE = EARLY | {"P_module"}
"""Those of them that may have the name of a struct. g++ warns (-Wshadow) of a function that is
declared behind a struct of its name, not of a variable."""

STRUCTS = frozenset(["S", "S_valid", "S_embedded", "S_key", "P_batch", "P_snapshot", "P_end_ops"])
ENUMS = frozenset(["S_X", "S_key_X", "P_view", "L_index"])
"""Tags among those that applications know."""

TELLS = after("P", "notifications becomes")
"""Further names of a module with notifications."""


def by_cpu(sync: ir.Sync) -> dict[str, str]:
    """Further names where threads without an lcore id have instances by CPU."""
    more = all_strategies()[sync.strategy].main.more
    return after("D", "cpus cpu") if more and dict(sync.tunables)[more] else {}


def sums_of_lcores(sync: ir.Sync) -> dict[str, str]:
    """What adds up those that belong to CTR_NON_LCORE, of a scope."""
    summed = by_cpu(sync) and all_strategies()[sync.strategy].lcore_values
    return after("S", "lcore_sum") if summed else {}


HISTOGRAM = {
    "update": "I_observe_X", "bucket": "S_X_bucket", "histogram": "S_X_histogram",
    "bounds": "S_X_bounds",
}  # fmt: skip
"""Names of a histogram `X`; `I` is `P` for one of global, else `S`."""

OBSERVED = after("S", "X_non_lcore X_record X_run_record")
"""What an observation is called where a strategy holds it back, or has it done elsewhere."""

OBSERVES = HISTOGRAM | {key.removeprefix("X_"): name for key, name in OBSERVED.items()}
"""All names of a histogram."""


@functools.cache
def facts(key: str, pattern: str) -> tuple[Use, str, bool]:
    """Of a name its use, its tag, and whether a struct may have the same one."""
    use = Use.PUBLIC if pattern in PUBLIC else Use.OWN
    if pattern in NAMED or key == "CONSTANT":
        use = Use.NAMED
    tag = "struct" if pattern in STRUCTS else "enum" if pattern in ENUMS else ""
    return use, tag, pattern in BESIDE


@functools.cache
def risky_scopes() -> frozenset[str]:
    """Names that nobody chose and that a scope should not get: others that applications know would
    step aside."""
    return frozenset(pattern.removeprefix("P_") for pattern in PUBLIC - BESIDE) | {"lcore"}


@functools.cache
def risky_items() -> frozenset[str]:
    """Names that nobody chose and that an item should not get: a scope has them, too."""
    return frozenset(pattern.removeprefix("S_") for pattern in STRUCTS - {"S_key"})


INSIDE = after("S", "settle clear wipe begin begin_in busy_in retire_in end_in")
"""Further names of a scope whose instances end with others."""

HOLDER = after("S", "destroy_with finish")
"""Further names of a dynamic scope with instances of others inside of its own."""


def ends(module: ir.Module, scope: ir.Scope) -> dict[str, str]:
    """Names of a scope whose instances end with others, or others with them."""
    inside = INSIDE if module.holder(scope) else {}
    return inside | (HOLDER if scope.name in module.holders else {})
