# SPDX-License-Identifier: BSD-3-Clause
"""The generated C of every case, old and new: what differs there, a rule has found.

Functions and constants that are gone, or take something else, break the C API;
structs with other members, and functions that are gone, break the C ABI.
"""

import random
import re

import pytest

from ctrgen.backends import Options
from ctrgen.backends.c import BACKEND
from ctrgen.frontends import read_file
from ctrgen.pipeline.check import Checked, check
from ctrgen.tools import compat
from tests.compat import cases
from tests.support.headers import expanded

PAIRS = 150
"""How many pairs of versions of different cases are compared."""


COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
STRUCT = re.compile(r"^struct (\w+) \{\s(.*?)(?:^| )\}", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(
    r"^(?:static inline )?((?:const )?(?:struct |enum )?\w+[ *]*)\s(\w+_stats_\w+)\(([^)]*)\)",
    re.MULTILINE,
)
PROTOTYPE = re.compile(r"^(\w[\w *]*?)(\w+_stats_\w+)\(([^)]*)\)[^;{}]*;", re.MULTILINE)
ENUMERATOR = re.compile(r"^\t(\w+_STATS_\w+) = (-?\d+),$", re.MULTILINE)
INTERNAL = re.compile(
    r"_stats_(run_|(\w+_)?(self|non_lcore|find|find_common|enter|leave|drop|lock|unlock|at|flush_\w+"
    r"|here|missed|other|ring|share|shape|room|wb|cache|non_lcore_\w+)$)"
)
"""Functions that applications do not call: the strategies' own."""


def version(name: str, which: str) -> Checked:
    with cases.inside(cases.CASES.folder(name)):
        return check(f"{which}.yaml", read=read_file)


def header(checked: Checked) -> str:
    """The header of a version, without comments."""
    assert checked.resolution is not None
    files = BACKEND.generate(checked.resolution.module, Options("x.yaml", "ctrgen build", "0"))
    return expanded(COMMENT.sub("", next(x for path, x in files.items() if path.endswith(".h"))))


def headers(name: str) -> tuple[str, str]:
    return header(version(name, "old")), header(version(name, "new"))


def types(parameters: str) -> tuple[str, ...]:
    """The types of parameters: their names do not matter to callers."""
    return tuple(re.sub(r"\b\w+$", "", " ".join(one.split())) for one in parameters.split(","))


def api(text: str) -> set[tuple[str, ...]]:
    """What source code can rely on: functions with their types, enumerators, macros."""
    functions = {
        (result.strip(), name, *types(parameters))
        for result, name, parameters in FUNCTION.findall(text)
        if not INTERNAL.search(name)
    }
    return functions | {("enumerator", name) for name, _ in ENUMERATOR.findall(text)}


def abi(text: str) -> dict[str, str]:
    """What objects rely on: structs, functions of the library, values of enumerators."""
    found = {name: " ".join(body.split()) for name, body in STRUCT.findall(text)}
    found |= {name: str(types(rest)) for _, name, rest in PROTOTYPE.findall(text)}
    return found | dict(ENUMERATOR.findall(text))


def misfits(before: str, now: str) -> dict[str, str]:
    """What objects with the old header rely on, and is gone or another."""
    old, new = abi(before), abi(now)
    kept = {name for name in old if name in new or not name.isupper()}
    return {name: old[name] for name in kept if new.get(name) != old[name]}


def broken(name: str) -> set[str]:
    findings = cases.run(name)[0].findings
    return {tag for finding in findings for tag in compat.RULES[finding.rule].tags}


def test_headers_are_understood() -> None:
    old, _ = headers("item-removed")
    names = {entry[1] for entry in api(old)}
    assert {"gw_stats_inc_pkts", "gw_stats_port_read", "gw_stats_update_forward"} <= names
    assert {"gw_stats_peer_get_hellos", "GW_STATS_GLOBAL_PHASE_BUSY", "gw_stats_init"} <= names
    structs = {"gw_stats_port", "gw_stats_port_data", "gw_stats_batch", "gw_stats_instance"}
    assert structs | {"gw_stats_read_lock", "GW_STATS_GLOBAL_PHASE_IDLE"} <= set(abi(old))


@pytest.mark.parametrize("name", cases.CASES.names())
def test_what_applications_rely_on(name: str) -> None:
    """A rule about the C API is about something in the header."""
    (old, new), tags = headers(name), broken(name)
    assert old != new if "c-api" in tags else api(old) <= api(new)
    assert "c-abi" in tags or misfits(old, new) == {}


def test_any_two_versions() -> None:
    """Many changes at once: what every case makes of the common schema, against each other."""
    choose = random.Random(3)
    versions = [(version(name, "new"), name) for name in cases.CASES.names()]
    for _ in range(PAIRS):
        (old, first), (new, second) = choose.sample(versions, 2)
        findings = compat.compare(old, new).findings
        tags = {tag for found in findings for tag in compat.RULES[found.rule].tags}
        before, now = header(old), header(new)
        if "c-api" not in tags:
            assert api(before) <= api(now), (first, second)
        if "c-abi" not in tags:
            assert misfits(before, now) == {}, (first, second)
