# SPDX-License-Identifier: BSD-3-Clause
"""Imported modules behind a real snmpd: every kind of index, AUGMENTS, scalars here and there."""

import bisect
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ctrgen.frontends.smi import places
from ctrgen.model import ir
from ctrgen.pipeline.check import check
from ctrgen.publish.assign import assign
from ctrgen.publish.lock import Key, Lock
from ctrgen.publish.nodespec import base_type
from ctrgen.publish.standard import OIDS
from tests.agentx import lab
from tests.agentx.snmp import END, NEXT, Oid
from tests.support import base_mibs
from tests.support import smi as smi_modules
from tests.support.capabilities import IETF_MIBS, needs_agentx, needs_base_mibs, needs_smidump
from tests.support.strategies import UNLIKE

pytestmark = [needs_agentx, needs_smidump, needs_base_mibs]

OWN_MODULES = "system_mib,vacm_context,vacm_vars,vacm_conf"
"""All that snmpd is to serve itself: not the interfaces of the machine."""

U32 = 2**32 - 1

MAPS: dict[str, Callable[[int], Oid]] = {
    "pair": lambda n: (40 - n // 2, 1000 + n),
    "interface": lambda n: (2147483647 - 7 * n,),
    "octets": lambda n: (1 + n % 3, 6, 2, 0, 0, 0, 255, n),
    "implied": lambda n: (1 + n % 8, *[ord("z") - n] * (1 + n % 4)),
    "addresses": lambda n: (192, 0, 2, 200 - n, 22, 198, 51, 100, 1, 65535 - n),
    "connection": lambda n: (1, 4, 192, 0, 2, 200 - n, 22, 1, 4, 198, 51, 100, 1, 65535 - n),
    "listener": lambda n: (1, 4, 192, 0, 2, 200 - n, 22),
}
"""What the functions of imported_main.c do."""


@dataclass(frozen=True)
class Case:
    """A module, and which function maps the indexes of its tables."""

    module: str
    maps: dict[str, str]
    inherited: dict[str, str] = field(default_factory=dict)
    index: dict[str, int] = field(default_factory=dict)
    """Readable index objects: how many sub-identifiers of the index are before them."""


INTERFACES = {"stack": "pair", "rcv_address": "octets"}
CASES = {
    "IF-MIB": Case("IF-MIB", INTERFACES, index={"ifIndex": 0}),
    "IF-MIB-numbered": Case(
        "IF-MIB", {**INTERFACES, "if_entry": "interface"},
        {"if_x": "interface", "test": "interface"}, {"ifIndex": 0},
    ),
    "SHELF-MIB": Case("SHELF-MIB", {"book": "implied"}),
    "TCP-MIB": Case(
        "TCP-MIB", {"conn": "addresses", "connection": "connection", "listener": "listener"},
        index={"tcpConnLocalAddress": 0, "tcpConnLocalPort": 4, "tcpConnRemAddress": 5,
               "tcpConnRemPort": 9},
    ),
}  # fmt: skip


def find(module: str) -> Path:
    """The file of a module; skips when there is none."""
    own = smi_modules.OWN / f"{module}.txt"
    if own.exists():
        return own
    found = places.Library([base_mibs.folder(), IETF_MIBS]).find(module)
    if not found:
        pytest.skip(f"no {module}")
    return found[0]


def value(item: ir.Item, seed: int) -> tuple[str, object]:
    """Some value of an item: the expression in C, and what managers are to see."""
    number = (seed * 2654435761 + 12345) % 2**32
    if item.kind is not ir.Kind.STATE:
        high = item.maximum if item.kind is ir.Kind.GAUGE and item.maximum else 2**item.width - 1
        number = (number << 20) % (high + 1)
        return f"UINT64_C({number})", number
    octets = {"ipv6": 16, "mac": 6}.get(item.type, 0)
    if octets:
        parts = [(number >> n) % 256 for n in range(octets)]
        return f"(const uint8_t[]){{ {', '.join(map(str, parts))} }}", bytes(parts)
    if item.type == "ipv4":
        return f"UINT32_C({number})", number.to_bytes(4, "little")
    if item.type == "string":
        text = f"1.3.{number}" if is_oid(item) else f"{number:x}"
        shown = text[: item.length].encode()
        return f'"{text}"', tuple(map(int, text.split("."))) if is_oid(item) else shown
    if item.type == "enum":
        number = item.labels[seed % len(item.labels)].value
        return str(number), number
    if item.type == "bool":
        return "true" if number % 2 else "false", 1 if number % 2 else 2
    high = item.maximum or (2**31 - 1 if item.type == "int32" else 2**32 - 1)
    number %= high + 1
    return f"{'' if item.type == 'int32' else 'U'}INT32_C({number})", number


def is_oid(item: ir.Item) -> bool:
    """Whether the text of an item is an object identifier."""
    return item.snmp is not None and base_type(item.snmp.syntax) in OIDS


def cells(module: ir.Module) -> Iterator[tuple[ir.Scope, int, ir.Item, tuple[str, object]]]:
    """Every item of every instance with its value."""
    for scope in module.scopes:
        for at in range(1 if scope.name == ir.GLOBAL else scope.instances):
            for number, item in enumerate(scope.items):
                yield scope, at, item, value(item, 100 * at + number)


def fill(module: ir.Module) -> str:
    """A header that sets every item of every instance, in C."""
    prefix = f"{module.name}_stats"
    lines = [
        f'#include "{prefix}_agentx.h"',
        f"#define IMPORTED_MODULE {prefix}_module",
        f"#define IMPORTED_AGENT {prefix}_agentx",
        "static void fill(void)",
        "{",
    ]
    for scope, at, item, (text, _) in cells(module):
        one = scope.name == ir.GLOBAL
        verb = "add" if item.kind is ir.Kind.COUNTER else "set"
        name = f"{prefix}_{'' if one else scope.name + '_'}{verb}_{item.name}"
        lines.append(f"\t{name}({'' if one else f'{at}, '}{text});")
    return "\n".join([*lines, "}", ""])


def expected(case: Case, module: ir.Module, lock: Lock) -> dict[Oid, object]:
    """What a walk has to show of what the application has counted."""
    live, found = lock.live(), dict[Oid, object]()
    scopes = {scope.name: scope for scope in module.scopes}
    maps = {**case.maps, **case.inherited}

    def suffix(scope: str, at: int) -> Oid:
        if scope == ir.GLOBAL:
            return (0,)
        return MAPS[maps[scope]](at) if scope in maps else (at + 1,)

    for scope, at, item, (_, shown) in cells(module):
        entry = live[Key(scope.name, item.name)]
        if entry.access in ("read-only", "read-write", "read-create"):
            found[(*entry.oid, *suffix(scope.name, at))] = shown
    for key, entry in live.items():
        scope, name = key.scope, key.name
        for at in range(
            scopes[scope].instances if key.role == "index" and name in case.index else 0
        ):
            index, start = suffix(scope, at), case.index[name]
            address = base_type(entry.syntax) == "IpAddress"
            part = index[start : start + 4] if address else index[start]
            found[(*entry.oid, *index)] = bytes(part) if isinstance(part, tuple) else part
    return found


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", CASES)
def test_a_walk_shows_what_the_application_has_counted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SMIPATH", str(base_mibs.folder()))
    case = CASES[name]
    path = find(case.module)
    module, _ = smi_modules.resolved(path)
    schema = tmp_path / "overlay.yaml"
    sizes = "".join(f"  {s.name}: {{max: 8}}\n" for s in module.scopes if s.name != ir.GLOBAL)
    schema.write_text(f"ctrgen: 1\nimport: {path}\nsync: {UNLIKE[1]}\nscopes:\n{sizes}")
    checked = check(str(schema))
    assert checked.module is not None, checked.diagnostics.findings
    module, lock = checked.module, assign(checked.module, None).lock
    lab.generate(schema, tmp_path)
    (tmp_path / "out/imported.h").write_text(fill(module))
    program = lab.build(tmp_path, [lab.HERE / "imported_main.c"])
    master = lab.Master(tmp_path, OWN_MODULES)
    try:
        maps = [f"{scope}={how}" for scope, how in case.maps.items()]
        application = lab.Application(program, master.socket, *maps)
        wanted = expected(case, module, lock)
        names = sorted(wanted)
        master.wait(names[0])
        assert len(wanted) > 30
        compare(master, wanted, names)
        assert application.end() == 0
    finally:
        master.stop()


def compare(master: lab.Master, wanted: dict[Oid, object], names: list[Oid]) -> None:
    """A walk of all, then requests of names that are nearly there."""
    roots = sorted({name[:7] for name in names})
    got = {bind.name: bind.value for root in roots for bind in master.manager.walk(root)}
    assert sorted(got) == names
    assert got == wanted
    chance = random.Random(7)
    for _ in range(300):
        asked = list(chance.choice(names))
        at = chance.randrange(7, len(asked))
        asked[at] = max(0, min(U32, asked[at] + chance.choice([-1, 1, 2**31, U32])))
        asked = asked[: chance.randrange(at + 1, len(asked) + 1)]
        _, (bind,) = master.manager.ask(NEXT, [tuple(asked)])
        place = bisect.bisect_right(names, tuple(asked))
        if place < len(names):
            assert (bind.name, bind.value) == (names[place], wanted[names[place]]), asked
        else:
            assert bind.name not in wanted or bind.tag == END
