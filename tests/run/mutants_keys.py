# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in what instances are known by; keys.c sees them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.run.mutants import (
    END,
    MODULE,
    Mutant,
    mutant,
)
from tests.run.variants import keys
from tests.support.cbuild import Build

KEY = "runtime/src/core/ctr_key.c"
SUFFIX = "runtime/src/core/ctr_key_suffix.c"


def key(
    name: str,
    path: str,
    old: str,
    new: str,
    test: str,
    says: str,
    also: Iterable[tuple[str, str]] = (),
) -> Mutant:
    """A bug that keys.c sees."""
    return mutant(name, path, old, new, "per_core", test, says, keys, also=also)


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The same program on the other port."""
    return keys(variant, "dpdk", test)


_WORDS = "words[i] = ctr_load64(&words_of(record)[i]);\n\t} while (ctr_reading_again(&reading));"
_FOUND = "found = look_up(keys, table, outer, words);\n\twhile (ctr_reading_again(&reading));"
_CLEARED = "\tif (table->key_ops != NULL)\n\t\ttable->key_ops->clear(table->keys, at);\n"

KEYS = [
    key(
        "an-index-has-no-lengths", SUFFIX, "if (counted)", "if (false)",
        "in_the_index", r"session: \.50",
    ),
    key(
        "an-implied-string-has-a-length", SUFFIX, "!part->whole && !part->implied",
        "!part->whole", "in_the_index", r"group: \.0\.5\.",
    ),
    key(
        "a-fixed-string-has-a-length", SUFFIX, "!part->whole && !part->implied",
        "!part->implied", "in_the_index", r"bearer: .*\.7\.4\.97",
    ),
    key(
        "a-key-stays-after-the-end", END, _CLEARED, "",
        "vanishes", "-ENOENT",
    ),
    key(
        "a-key-is-read-in-halves", KEY, _WORDS,
        _WORDS.replace("ctr_reading_again(&reading)", "false"),
        "setters_and_finders", "a torn",
    ),
    key(
        "a-list-is-followed-into-another", KEY, _FOUND,
        _FOUND.replace("ctr_reading_again(&reading)", "false"),
        "setters_and_finders", "key_find",
    ),
    key(
        "one-key-for-all-parents", KEY, "(found - 1) / keys->each == outer && ", "",
        "inside_of_another", "key_set", also=[("uint64_t hash = outer;", "uint64_t hash = 0;")],
    ),
    key(
        "octets-behind-a-string-count", KEY, "memcpy((uint8_t *)words + part->offset, from, size);",
        "memcpy((uint8_t *)words + part->offset, from, part->size);",
        "set_get_find", "key_find",
    ),
    key(
        "a-former-key-stays-in-its-list", KEY,
        "\tif ((record->life & 1) != 0)\n\t\tunlink_record(keys, table, at, record);\n", "",
        "many", "",
    ),
    key(
        "keys-stay-in-memory", MODULE,
        "\ttable->key_ops->free(table->keys);\n", "\t;\n",
        "set_get_find", "heap_blocks",
    ),
    key(
        "a-negative-number-is-a-key", KEY, "return integer_of(from) <= INT32_MAX ? part->size : 0;",
        "return part->size;", "no_such_value", "host_key_set",
    ),
    mutant(
        "a-child-has-the-keys-of-its-parent", MODULE,
        "\ttable->key_ops->forget(table->keys);\n", "\t;\n",
        "per_core", "forked", "key_find", on_dpdk,
    ),
]  # fmt: skip
