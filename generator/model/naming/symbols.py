# SPDX-License-Identifier: BSD-3-Clause
"""Every identifier at file level of generated C, each declared once. Templates look them up by key
(`s.sym.read`); an undeclared key is an error. Names that a schema chose stay as docs/schema.md
says; others that collide are renamed (`moves`). A strategy declares its own under `symbols:`."""

import functools
from collections.abc import Iterator
from functools import partial
from itertools import chain

from .. import ir
from ..strategies.catalogue import all_strategies
from .names import OBSERVES, Moves, Symbol, Use, settle
from .names import Names as Names
from .names import UndeclaredNameError as UndeclaredNameError
from .names import after as _after

MAPPED = {
    "late_updates": "P_common.ctr_late", "dropped_updates": "P_common.ctr_dropped", "xdp": "P_xdp",
    "xdp_attach": "P_xdp_attach", "xdp_attach_pinned": "P_xdp_attach_pinned",
    "xdp_prepare": "P_xdp_prepare", "xdp_maps": "P_xdp_maps", "xdp_keys": "P_xdp_keys",
}  # fmt: skip
"""Names of a module whose updates are in the kernel, some in the part that it shares."""

MODULE = _after("P", """
    init fini flush try_flush burst_end hint_flush poll reset read_lock read_unlock ready
    drops note_drop dropped_updates late note_late late_updates quiescent fork
    batch batch_begin batch_end snapshot snapshot_create snapshot_read snapshot_reset
    snapshot_free scopes renames module common control H health health_items
    state domains tables snapshots snapshot_scopes poller notifications
""")  # fmt: skip
"""Names of every module by key; `P` is its prefix."""

DOMAIN = _after("D", """
    instance shared ending drained domain domain_tables held self slots non_lcore mine find
    shares share_slots own_shares shares_domain shares_tables
""")  # fmt: skip
"""Names of the scopes that share a strategy; `D` is `P`, or `P_STRATEGY` if there are several."""

SCOPE = {"values": "S", "beside": "S_beside"} | _after("S", """
    read lcore_read reset reset_all valid items index_names index_maxima index_labels data common
    base torn prefetch MAX add32 add64 histograms displays
    table runs value_forms state records inner endings ended at
    table_read table_lcore_read table_reset table_view_read table_view_reset table_rows
    table_restore table_tear table_create held
    derived sourced rates devices device_set sources
    provider provider_fn provider_set provided
""")  # fmt: skip
"""Names of every scope, some of which only that with such items has; `S` is `P_SCOPE`."""

MAPPED_KEYS = _after("S", "key_create key_end key_stock key_next key_events key_free key_lives")
"""Further names of a scope whose instances such a program creates and ends by key."""

KEYED = _after("S", "key key_set key_get key_find keys key_parts index_keys")
"""Further names of a scope whose instances have keys."""

KEY_PART = {"enum": "S_key_X", "labels": "S_key_X_labels"}
"""Names of a part with labels; each label has a constant `S_key_X_LABEL` besides."""

HOLDER = {"destroy_with": "S_destroy_with"}
"""Further name of a dynamic scope with instances of others inside of its own."""

VIEWS = _after("P", "view views")
"""Further names of a module with views: the tag of their enum, the table of their names. Each view
has a constant besides, `P_VIEW_NAME`, and so have those of `EVERY_VIEW`."""

EVERY_VIEW = ("raw", "default")
"""Views that are there without being named: what was counted since the start, and what readers and
resets without a view are about."""

VIEW = _after("S", "view_read view_reset")
"""Further names of a scope in a module with views, unless its instances are embedded."""

STORAGE = {
    ir.Storage.STATIC: _after("S", ""),
    ir.Storage.DYNAMIC: _after(
        "S",
        """create alloc destroy trim exists next find find_common chunk common_chunk live instances
        creations_refused""",
    ),
    ir.Storage.EMBEDDED: _after("S", "embedded init"),
}
"""Further names of a scope, by where its instances live."""

ENUM = {"enum": "S_X", "labels": "S_X_labels"}
"""Names of an item with labels; each label has a constant `S_X_LABEL` besides."""

LEVEL = {"enum": "L_index"} | _after("L", "labels MAX")
"""Names of an index whose values have labels; each label has a constant `L_LABEL` besides. `L` is
`S`, or `S_DIMENSION` of one of several."""

UPDATE = {"update": "P_update_U", "bulk": "P_update_U_bulk", "batch": "P_batch_U", "run": "P_run_U"}
"""Functions of an update `U`."""

LIMITED = UPDATE | {
    "try": "P_update_U_try", "try_bulk": "P_update_U_try_bulk", "batch_try": "P_batch_U_try",
    "admit": "P_admit_U", "try_slowly": "P_try_slowly_U",
    "counted": "P_count_U",
}  # fmt: skip
"""Functions of an update of which a limit counts something."""

LIMIT = _after("S", "X_set X_deadline X_withdraw X_take X_take_share X_limit X_of X_shares "
               "X_share_state X_share_records")  # fmt: skip
LIMIT = {key.removeprefix("X_"): name for key, name in LIMIT.items()} | {
    "NUMBER": "S_limit_X", "reports": "S_X_reports",
}  # fmt: skip
"""Names of a limit `X`."""

ACTS = _after("S", "limits limit_list crossed crossed_next")
"""Further names of a scope with limits."""

WHOLE = _after("T", "non_lcore record run_record")
"""Further names of an update under one strategy; `T` is `P_U`."""

PART = WHOLE | {"part": "T", "part_run": "T_run"}
"""Functions of the part of an update under each of several; `T` is `P_U_STRATEGY`."""

SNAPSHOT = {"start_ns": "start_ns", "end_ns": "end_ns"}
"""Members of a snapshot other than those of scopes."""

MEMBERS = {"valid": "N_valid"}
"""Members of a snapshot for a scope `N`, in addition to its values."""

MEMBERS_DYNAMIC = {"index": "N_index", "num": "num_N", "room": "N_room"}
"""Further ones for a scope with storage dynamic."""


def prefix(module: str) -> str:
    """Prefix of the names of a module: `ep` gives `ep_stats`."""
    return f"{module}_stats"


def of_module(module: ir.Module) -> Names:
    """Names of the module itself."""
    patterns = MODULE | (VIEWS if module.views else {})
    patterns |= {"end_ops": "P_end_ops"} if module.holders else {}
    patterns |= MAPPED if module.maps else {}
    return Names(
        "the module itself", module.span, patterns, partial(moves, module), P=prefix(module.name)
    )


def of_views(module: ir.Module) -> dict[str, str]:
    """The constants of views by name, in the order of their values; none without views."""
    names = (*EVERY_VIEW, *module.views) if module.views else ()
    return {name: f"{prefix(module.name)}_view_{name}".upper() for name in names}


def domain_suffixes(module: ir.Module) -> dict[ir.Sync, str]:
    """Suffix of the names of one strategy's scopes; empty for the only strategy."""
    suffixes: dict[ir.Sync, str] = {}
    for sync in dict.fromkeys(scope.sync for scope in module.scopes):
        alike = sum(other.strategy == sync.strategy for other in suffixes)
        suffixes[sync] = f"_{sync.strategy}{alike + 1 if alike else ''}"
    return suffixes if len(suffixes) > 1 else dict.fromkeys(suffixes, "")


def of_domain(module: ir.Module, sync: ir.Sync) -> Names:
    """Names of the scopes under one strategy."""
    patterns = DOMAIN | _after("D", " ".join(all_strategies()[sync.strategy].symbols))
    base = prefix(module.name) + domain_suffixes(module)[sync]
    return Names("the module itself", module.span, patterns, partial(moves, module), D=base)


def of_scope(module: ir.Module, scope: ir.Scope) -> Names:
    """Names of a scope."""
    base = f"{prefix(module.name)}_{scope.name}"
    patterns = SCOPE | STORAGE[scope.storage]
    if module.views and scope.storage is not ir.Storage.EMBEDDED:
        patterns |= VIEW
    if scope.key:
        patterns |= KEYED | (MAPPED_KEYS if module.maps else {})
    elif any(module.scope(level.scope).key for level in scope.levels):
        patterns = patterns | {"index_keys": KEYED["index_keys"]}
    patterns |= HOLDER if scope.name in module.holders else {}
    patterns |= ACTS if scope.limits else {}
    if module.maps and "live" in patterns:
        patterns["live"] = f"{prefix(module.name)}_common.ctr_{scope.name}_live"
    return Names(f"scope '{scope.name}'", scope.span, patterns, partial(moves, module), S=base)


def of_level(module: ir.Module, scope: ir.Scope, level: ir.Level) -> Names:
    """Names of one of a scope's own indexes; without labels, that is its `MAX` alone."""
    patterns = LEVEL if level.labels else {"MAX": LEVEL["MAX"]}
    base = f"{prefix(module.name)}_{level.name}"
    return Names(_level_owner(level), scope.span, patterns, partial(moves, module), L=base)


def _level_owner(level: ir.Level) -> str:
    if level.name == level.scope:
        return f"scope '{level.scope}'"
    return f"dimension '{level.dimension}' of scope '{level.scope}'"


def of_level_labels(module: ir.Module, level: ir.Level) -> dict[str, str]:
    """The constants of an index by label, in the order of their values."""
    base = f"{prefix(module.name)}_{level.name}"
    return {label: f"{base}_{label}".upper() for label in level.labels}


def of_key_part(module: ir.Module, scope: ir.Scope, part: ir.KeyPart) -> Names:
    """Names of a part of a scope's key; only one with labels has any."""
    base = f"{prefix(module.name)}_{scope.name}"
    patterns = KEY_PART if part.labels else {}
    owner, moved = _part_owner(scope, part), partial(moves, module)
    return Names(owner, part.span, patterns, moved, S=base, X=part.name)


def _part_owner(scope: ir.Scope, part: ir.KeyPart) -> str:
    return f"part '{part.name}' of the key of '{scope.name}'"


def of_key_labels(module: ir.Module, scope: ir.Scope, part: ir.KeyPart) -> dict[str, str]:
    """The constants of a part of a key by label."""
    base = f"{prefix(module.name)}_{scope.name}_key_{part.name}"
    return {label.name: f"{base}_{label.name}".upper() for label in part.labels}


@functools.cache
def accessors(kind: ir.Kind, apart: bool = False, more: tuple[str, ...] = ()) -> dict[str, str]:
    """Functions of an item `X`; `I` is `P` for those of global, else `S`. `apart` tells those of
    global from those of a scope `lcore`."""
    verbs = {verb: f"I_{verb}_X" for verb in (*kind.accessors, *more)}
    return verbs | ({"lcore_get": "S_lcore_get_X"} if apart and "lcore_get" in verbs else {})


def _apart(module: ir.Module, scope: str) -> bool:
    return scope == ir.GLOBAL and "lcore" in module.scope_names


def counting(module: ir.Module, scope: ir.Scope) -> Names:
    """Names of the functions of a scope's counters, up to the counter's name."""
    patterns = accessors(ir.Kind.COUNTER, _apart(module, scope.name))
    verbs = {verb: pattern.removesuffix("X") for verb, pattern in patterns.items()}
    starts = _starts(module, scope.name)
    return Names(f"counters of '{scope.name}'", scope.span, verbs, dict, **starts)


def _starts(module: ir.Module, scope: str) -> dict[str, str]:
    """Prefix of the names of a scope's items; `I` is the prefix for those of global."""
    whole = f"{prefix(module.name)}_{scope}"
    return {"I": prefix(module.name) if scope == ir.GLOBAL else whole, "S": whole}


def of_item(module: ir.Module, item: ir.Item) -> Names:
    """Names of an item."""
    patterns = accessors(item.kind, _apart(module, item.scope), item.value_type.accessors)
    if not item.stored:
        patterns = {}
    elif item.limited and item.kind.accumulates:  # a limit sees updates
        patterns = {verb: name for verb, name in patterns.items() if verb not in ("add", "inc")}
    elif item.histogram or item.of or (item.limit and not item.kind.accumulates):
        # it changes with the others of the histogram, with a gauge, with the limit
        patterns = {verb: name for verb, name in patterns.items() if verb.endswith("get")}
    if item.labels:
        patterns = patterns | ENUM
    starts, moved = _starts(module, item.scope), partial(moves, module) if item.labels else dict
    return Names(_owner(item), item.span, patterns, moved, **starts, X=item.name)


def of_labels(module: ir.Module, item: ir.Item) -> dict[str, str]:
    """The constants of an item by label."""
    base = f"{prefix(module.name)}_{item.scope}_{item.name}"
    return {label.name: f"{base}_{label.name}".upper() for label in item.labels}


def of_histogram(module: ir.Module, histogram: ir.Histogram) -> Names:
    """Names of a histogram."""
    owner, start = f"histogram '{histogram.scope}.{histogram.name}'", histogram.scope
    names = _starts(module, start) | {"X": histogram.name}
    return Names(owner, histogram.span, OBSERVES, partial(moves, module), **names)


def of_limit(module: ir.Module, limit: ir.Limit) -> Names:
    """Names of a limit."""
    names = {"S": f"{prefix(module.name)}_{limit.scope}", "X": limit.name}
    owner = f"limit '{limit.scope}.{limit.name}'"
    return Names(owner, limit.span, LIMIT, partial(moves, module), **names)


def of_update(module: ir.Module, update: ir.Update) -> Names:
    """Names of an update."""
    names = {"P": prefix(module.name), "U": update.name}
    limited = any(module.item(op.scope, op.item).limited for op in update.operations)
    patterns = LIMITED if limited else UPDATE
    return Names(f"update '{update.name}'", update.span, patterns, partial(moves, module), **names)


def of_part(module: ir.Module, update: ir.Update, suffix: str) -> Names:
    """Names of an update's part under one strategy; `suffix` tells it from the other parts."""
    base = f"{prefix(module.name)}_{update.name}{suffix}"
    owner, patterns = f"update '{update.name}'", PART if suffix else WHOLE
    return Names(owner, update.span, patterns, partial(moves, module), T=base)


def of_snapshot(module: ir.Module, scope: ir.Scope | None = None) -> Names:
    """Members of the snapshot, of a scope or of none."""
    if scope is None:
        return Names("the snapshot", module.span, SNAPSHOT, partial(members, module))
    patterns = MEMBERS | (MEMBERS_DYNAMIC if scope.storage is ir.Storage.DYNAMIC else {})
    owner, moved = f"scope '{scope.name}'", partial(members, module)
    return Names(owner, scope.span, patterns, moved, N=scope.name)


def _owner(item: ir.Item) -> str:
    return f"{item.kind.value} '{item.scope}.{item.name}'"


def _everything(module: ir.Module) -> Iterator[Names]:
    suffixes = domain_suffixes(module)
    syncs = {scope.name: scope.sync for scope in module.scopes}
    yield of_module(module)
    views = {constant: view for view, constant in of_views(module).items()}  # each name once
    for constant, view in views.items():
        yield Names(f"view '{view}'", module.views_span, {"CONSTANT": constant})
    for sync in suffixes:
        yield of_domain(module, sync)
    for scope in module.parents:
        yield from _levels(module, scope)
    for scope in module.scopes:
        yield of_scope(module, scope)
        yield from _levels(module, scope) if scope.labelled else ()
        for item in scope.items:
            yield of_item(module, item)
            for label, constant in of_labels(module, item).items() if item.labels else ():
                yield Names(f"label '{label}' of {_owner(item)}", item.span, {"CONSTANT": constant})
        for histogram in scope.histograms:
            yield of_histogram(module, histogram)
        for limit in scope.limits:
            yield of_limit(module, limit)
        for part in scope.key:
            yield of_key_part(module, scope, part)
            for label, constant in of_key_labels(module, scope, part).items():
                owner = f"label '{label}' of {_part_owner(scope, part)}"
                yield Names(owner, part.span, {"CONSTANT": constant})
    for update in module.updates:
        yield of_update(module, update)
        touched = {suffixes[syncs[name]]: None for name in update.scopes}
        for suffix in {"": None} | (touched if len(touched) > 1 else {}):
            yield of_part(module, update, suffix)


def _levels(module: ir.Module, scope: ir.Scope) -> Iterator[Names]:
    for level in scope.own:
        yield of_level(module, scope, level)
        for label, constant in of_level_labels(module, level).items():
            owner = f"label '{label}' of {_level_owner(level)}"
            yield Names(owner, scope.span, {"CONSTANT": constant})


def symbols(module: ir.Module) -> tuple[Symbol, ...]:
    """Every C name of a module before any is renamed."""
    every = (names.symbols() for names in _everything(module))
    return module.once("symbols", lambda _: tuple(chain.from_iterable(every)))


def moves(module: ir.Module) -> Moves:
    """The C names that are renamed, as the schema uses them."""
    return module.once("moves", lambda made: settle(symbols(made)))


def members(module: ir.Module) -> Moves:
    """The members of the snapshot that are renamed, as scopes use them."""
    return module.once("members", _members)


def _members(module: ir.Module) -> Moves:
    scopes = [scope for scope in module.scopes if scope.storage is not ir.Storage.EMBEDDED]
    named = [Symbol(s.name, f"scope '{s.name}'", s.span, "", Use.NAMED) for s in scopes]
    own = (s for scope in (None, *scopes) for s in of_snapshot(module, scope).symbols())
    return settle([*named, *own])
