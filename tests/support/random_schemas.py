# SPDX-License-Identifier: BSD-3-Clause
"""Schemas nobody would write: valid ones that use the language at random, and mutated ones."""

import random
from collections.abc import Sequence

import yaml

from tests.support.strategies import BUFFERING, EMBEDDING, STRATEGIES, USUAL

INLINE = """\
ctrgen: 1
module: ep
description: Everything that the language has.
sync: {strategy: BUFFERING, buffer: 64, soft_threshold: 32}
reset: true
bounds: drop
requires: {exact: true, consistency: counter, memory: 64MiB, lcores: 4}
outputs: [c, mib]
snmp: {draft: true, enterprise: 32473}
defaults:
  counters: {unit: packets, width: 64}
  gauges: {unit: items}
  scopes: {reset: false}
sets:
  traffic:
    counters:
      seen: {description: Packets seen.}
      octets: {unit: By, width: 32, description: Octets seen.}
    gauges:
      held: {description: Packets held., max: 7}
    states:
      since: {type: timestamp, description: When one was seen.}
scopes:
  global:
    counters:
      pkts: &pkts {unit: packets, description: Packets processed., width: 32}
    gauges:
      level: {unit: items, description: Items queued., min: 0, max: 100}
    peaks:
      fullest: {of: level, description: Most items queued.}
      burst: {unit: packets, description: Packets of the largest burst.}
    states:
      up: {type: bool, description: Whether it is up.}
      phase: {type: enum, labels: {idle: 1, busy: 2}, description: What it does.}
      name: {type: string, length: 16, description: Its name.}
      last: {type: timestamp, description: When it last did something.}
      id: {type: uint64, description: What it is called.}
    histograms:
      sizes: {unit: By, description: Octets of packets., bounds: [64, 512, 1518]}
  port:
    max: 8
    storage: dynamic
    sync: USUAL
    counters:
      pkts: *pkts
  queue:
    parent: port
    max: 4
    counters:
      drops: {unit: packets, description: "Packets dropped \\u00b5."}
    peaks:
      shortest: {unit: ns, keep: minimum, width: 32, description: Shortest time in the queue.}
    histograms:
      delays: {unit: ns, description: Time in the queue., log2: {min: 64, max: 1024}}
  fault:
    parent: port
    labels: {reason: [crc, ttl], direction: [in, out]}
    counters:
      pkts: *pkts
  why:
    labels: [vlan, default]
    counters:
      pkts: *pkts
  slot:
    max: {symbol: RTE_MAX_ETHPORTS, value: 3, header: rte_config.h}
  lane:
    parent: slot
    max: 2
    use: [traffic]
    counters:
      pkts: *pkts
  rail: {max: 2, use: [traffic], storage: dynamic, order: [held, seen]}
  flow:
    storage: embedded
    sync: caller
    counters:
      bytes: {unit: By, description: Octets.}
updates:
  packet:
    args: {size: uint16, up: bool, now: uint64}
    add: {global.pkts: 1, flow.bytes: size, queue.drops: 1, global.level: 1, why.pkts: 1}
    set: {global.up: up, global.phase: busy, global.last: now}
    observe: {global.sizes: size, queue.delays: size, queue.shortest: size, global.burst: size}
  bad:
    add:
      why.pkts[default]: 1
      fault.pkts[reason=ttl]: 1
  rail:
    add: {rail.seen: 1, lane.octets: 4}
""".replace("BUFFERING", BUFFERING).replace("USUAL", USUAL)
"""A schema with everything that the language has."""

WORDS = [
    *("~", "0", "-1", "99999999999999999999", "[]", "{}", "true", "1.5", '""', "*x", "&x", "!!t"),
    *("global", "parent: queue", "max: 0", "<<: {}", "? a", "- b", "\t", "\u202e", "\x00", "é"),
    *("default", "__x", "rte_x", "pkts", "*/", "??/", "|", ">-", "#", "---", "...", "%YAML 1.1"),
    *("sync: caller", "storage: embedded", "width: 16", "include: [x.yaml]", "add: {a.b: c}"),
    *("outputs: [c]", "outputs: []", "snmp: {}", "draft: true", "draft: 1", "[c, x]", "snmp:"),
    *("bounds: [1, 2]", "log2: {min: 1, max: 8}", "observe: {global.sizes: size}", "histograms:"),
    *("observe: {global.burst: size}", "keep: minimum", "of: level", "of: x", "peaks:", "keep: 1"),
    *("labels: [a, b]", "labels: {x: [a], y: [a]}", "labels: {}", "labels: [1]", "max"),
    *("max: {symbol: RTE_MAX_ETHPORTS, value: 2}", "symbol: int", "value: 0", "header: /x"),
    *("use: [traffic]", "use: traffic", "use: [x]", "sets:", "defaults:", "type: timestamp"),
    *("scopes: {storage: dynamic}", "counters: {width: 32}", "traffic", "type: uint64", "use:"),
    *("why.pkts[vlan]: 1", "fault.pkts[crc, in]: 1", "fault.pkts[reason=crc]: 1", "[vlan]", "]"),
]


def mutate(text: str, random_: random.Random, words_: Sequence[str] = WORDS) -> str:
    """A text with some lines and words taken away, moved, doubled or replaced by others."""
    for _ in range(random_.randint(1, 4)):
        lines = text.split("\n")
        line = random_.randrange(len(lines))
        words = lines[line].split(" ")
        word = random_.randrange(len(words))
        action = random_.randrange(9)
        if action == 0:
            del lines[line]
        elif action == 1:
            lines.insert(line, random_.choice(lines))
        elif action == 2:
            other = random_.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
        elif action == 3:
            words[word] = random_.choice(words_)
            lines[line] = " ".join(words)
        elif action == 4:
            words[word] = random_.choice(random_.choice(lines).split(" "))
            lines[line] = " ".join(words)
        elif action == 5:
            lines[line] = random_.choice(("", "  ", "    ")) + lines[line].strip()
        elif action == 6:
            at = random_.randrange(len(lines[line]) + 1)
            lines[line] = lines[line][:at] + random_.choice(words_) + lines[line][at:]
        elif action == 7:
            at = random_.randrange(len(lines[line]) + 1)
            lines[line] = lines[line][:at] + lines[line][at + 1 :]
        else:
            key, colon, _ = lines[line].partition(":")
            lines[line] = f"{key}{colon} {random_.choice(words_)}"
        text = "\n".join(lines)
    return text


SHOWN = 'a "text" */ \\ ??/ %s é'
"""What people see of a label or an item."""


def _item(random_: random.Random, kind: str) -> dict[str, object]:
    item: dict[str, object] = {"description": random_.choice(["Plain.", '*/ \\ ??/ "%s" {{x}}'])}
    if item["description"] != "Plain.":
        item["display"] = SHOWN
    if kind == "counters":
        return item | {"unit": "packets", "width": random_.choice([32, 64])}
    if kind == "gauges":
        bounds = random_.choice([{}, {"max": 10}, {"min": 1, "max": 2**40}])
        return item | {"unit": "items", "width": 64, **bounds}
    types: list[dict[str, object]] = [
        *(
            {"type": name}
            for name in (
                *("bool", "int32", "uint32", "timeticks", "ipv4", "ipv6", "mac"),
                *("uint64", "timestamp"),
            )
        ),
        {"type": "enum", "labels": {"low": {"value": -5, "text": SHOWN}, "high": 7}},
        {"type": "string", "length": random_.choice([1, 7, 8, 255])},
    ]
    return item | random_.choice(types)


def _histogram(random_: random.Random) -> dict[str, object]:
    ways = [{"bounds": [0]}, {"bounds": [1, 2, 4]}, {"bounds": [9, 2**31, 2**63 - 1]}]
    ways += [{"log2": {"min": 1, "max": 1}}, {"log2": {"min": 64, "max": 2**62}}]  # type: ignore[dict-item]
    item = {"description": 'Values of */ "%s".', "unit": "By"}
    return item | random_.choice(ways)


def _peaks(random_: random.Random, n: int, gauges: list[str]) -> dict[str, object]:
    """Peaks, of what is observed and of gauges; a scope may have none."""
    if random_.random() < 0.7:
        return {}
    item = {"description": 'Peak of */ "%s".', "keep": random_.choice(["minimum", "maximum"])}
    found: dict[str, object] = {f"p{n}x0": item | {"unit": "By", "width": random_.choice([32, 64])}}
    for number, gauge in enumerate(gauges, 1):
        found[f"p{n}x{number}"] = item | {"of": gauge}
    return {"peaks": found}


def _scope(random_: random.Random, n: int, parents: list[str]) -> dict[str, object]:
    scope: dict[str, object] = {}
    for kind, letter in (("counters", "c"), ("gauges", "g"), ("states", "s")):
        count = random_.randint(0, 9 if kind == "counters" else 2)
        if count:
            scope[kind] = {f"{letter}{n}x{i}": _item(random_, kind) for i in range(count)}
    if not scope and n and random_.random() < 0.5:
        parents.append(f"zone{n}")
        return {"max": random_.choice([1, 5])}  # what is inside of it follows
    if not scope:
        scope["counters"] = {f"c{n}x0": _item(random_, "counters")}
    if random_.random() < 0.3:
        names = [f"h{n}x{i}" for i in range(random_.randint(1, 2))]
        scope["histograms"] = {name: _histogram(random_) for name in names}
        if random_.random() < 0.3:
            scope["order"] = names
    if random_.random() < 0.2:
        scope["reset"] = False
    peaks = _peaks(random_, n, [*scope.get("gauges", {})])  # type: ignore[call-overload]
    if n == 0:
        scope |= peaks
        return scope
    storage = random_.choice(["static", "static", "dynamic", "embedded"])
    scope["storage"] = storage
    if storage == "embedded":
        scope["sync"] = random_.choice(EMBEDDING)
        return scope
    scope |= peaks
    if storage == "static" and random_.random() < 0.3:
        return _labelled(random_, scope, parents)
    scope["max"] = random_.choice([1, 3, 1000, 3000, {"symbol": "RTE_MAX_LCORE", "value": 2}])
    if parents and random_.random() < 0.5:
        scope["parent"] = random_.choice(parents)
        scope["max"] = random_.choice([1, 4])
    if random_.random() < 0.3:
        scope["sync"] = random_.choice(STRATEGIES)
    own = random.Random(f"{n} {scope}")  # so that other choices are what they were
    if own.random() < 0.3:
        inner = "parent" in scope  # of several levels: few and short, as an OID has an end
        count = own.randint(1, 1 if inner else 3)
        scope["key"] = [_key_part(own, f"k{n}x{i}", inner) for i in range(count)]
    parents.append(f"zone{n}")
    return scope


def _key_part(random_: random.Random, name: str, short: bool) -> dict[str, object]:
    types: list[dict[str, object]] = [
        {"type": "uint32"}, {"type": "int32"}, {"type": "inet_port"}, {"type": "mac"},
        {"type": "enum", "labels": {"low": {"value": 0, "text": SHOWN}, "high": 7}},
        {"type": "string", "length": random_.choice([1, 6])},
        {"type": "string", "length": 3, "fixed": True},
        {"type": "octets", "length": random_.choice([1, 5])},
    ]  # fmt: skip
    addresses = [{"type": name} for name in ("ipv4", "ipv6", "ip_address")]
    part = random_.choice(types if short else [*types, *addresses])
    return {"name": name, **part, "description": "A part of a key."}


def _labelled(
    random_: random.Random, scope: dict[str, object], parents: list[str]
) -> dict[str, object]:
    """A scope whose instances have names, in one or two dimensions."""
    lists = [["a"], {"in": SHOWN, "out": "Out"}, ["vlan", "ttl", "default", "B2", "x_y"]]
    dimensions = random_.sample(["reason", "direction", "index"], k=random_.randint(1, 2))
    by_name = {name: random_.choice(lists) for name in dimensions}
    scope["labels"] = random_.choice([by_name, random_.choice(lists)])
    if parents and random_.random() < 0.5:
        scope["parent"] = random_.choice(parents)
    return scope


def _update(random_: random.Random, scopes: dict[str, dict[str, object]]) -> dict[str, object]:
    arguments = {"a": "uint8", "bb": "uint32", "flag": "bool"}
    update: dict[str, dict[str, object]] = {"add": {}, "sub": {}, "set": {}, "observe": {}}
    used: set[str] = set()
    touched = random_.sample(sorted(scopes), k=min(len(scopes), random_.randint(1, 3)))
    for scope in touched:
        fixed = _fixed(random_, scopes[scope].get("labels"))
        for name in scopes[scope].get("counters", {}):  # type: ignore[attr-defined]
            if random_.random() < 0.6:
                update["add"][f"{scope}.{name}{fixed}"] = random_.choice([1, 7, "a", "bb"])
        for name in scopes[scope].get("histograms", {}):  # type: ignore[attr-defined]
            update["observe"][f"{scope}.{name}{fixed}"] = random_.choice(["a", "bb"])
        for name, peak in scopes[scope].get("peaks", {}).items():  # type: ignore[attr-defined]
            if "of" not in peak:
                update["observe"][f"{scope}.{name}{fixed}"] = random_.choice(["a", "bb"])
        for name in scopes[scope].get("gauges", {}):  # type: ignore[attr-defined]
            verb = random_.choice(["add", "sub", "set"])
            update[verb][f"{scope}.{name}{fixed}"] = random_.choice([1, "a", "bb"])
        for name, state in scopes[scope].get("states", {}).items():  # type: ignore[attr-defined]
            if state["type"] == "bool":
                update["set"][f"{scope}.{name}{fixed}"] = random_.choice([True, "flag"])
    for scope in touched:
        several = _several(random_, scope, scopes, touched)
        for ops in update.values():
            own = [target for target in ops if several and target.startswith(f"{scope}.")]
            for target in own:
                amount = ops.pop(target)
                ops |= {f"{scope}{at}{target.removeprefix(scope)}": amount for at in several}
    for verb in update.values():
        used |= {value for value in verb.values() if isinstance(value, str)}
    shown: dict[str, object] = {verb: ops for verb, ops in update.items() if ops}
    return shown and {"args": {name: arguments[name] for name in sorted(used)}, **shown}


def _several(
    random_: random.Random, scope: str, scopes: dict[str, dict[str, object]], touched: list[str]
) -> list[str]:
    """Brackets behind a scope: of a list, or of two names of instances; often none."""
    storage, labels = scopes[scope].get("storage"), scopes[scope].get("labels")
    if scope == "global" or storage == "embedded" or labels or random_.random() < 0.5:
        return []
    outer = {scopes[name].get("parent") for name in touched}
    outer |= {scopes[str(name)].get("parent") for name in outer if name}
    if scope in outer or random_.random() < 0.5:
        return [f"[{scope}_up]", f"[{scope}_down]"]
    return [f"[0..{random_.choice([0, 1, 15])}]"]


def _shared(random_: random.Random, scopes: dict[str, dict[str, object]]) -> dict[str, object]:
    """Defaults, and a set that some of the scopes use."""
    users = [name for name, scope in scopes.items() if {"counters", "gauges"} & {*scope}]
    shared: dict[str, object] = {}
    if random_.random() < 0.3:
        shared["defaults"] = {"counters": {"width": 32}, "scopes": {"reset": False}}
    if users and random_.random() < 0.3:
        kinds = {"counters": "cs", "gauges": "gs", "states": "ss"}
        items = {kind: {f"{name}0": _item(random_, kind)} for kind, name in kinds.items()}
        shared["sets"] = {"common": items}
        for name in random_.sample(users, k=random_.randint(1, len(users))):
            scopes[name]["use"] = ["common"]
    return shared


def _fixed(random_: random.Random, labels: object) -> str:
    """Labels in brackets that an update fixes: none, one for each dimension, or some by name."""
    if not labels or random_.random() < 0.4:
        return ""
    if not isinstance(labels, dict) or SHOWN in labels.values():
        return f"[{random_.choice([*labels])}]"  # type: ignore[call-overload]
    chosen = {name: random_.choice([*of]) for name, of in labels.items()}
    if random_.random() < 0.5:
        return f"[{', '.join(chosen.values())}]"
    name = random_.choice(sorted(chosen))
    return f"[{name}={chosen[name]}]"


def random_schema(random_: random.Random) -> str:
    """A valid schema that uses the whole language at random."""
    parents: list[str] = []
    scopes = {"global": _scope(random_, 0, parents)}
    for n in range(1, random_.randint(1, 4)):
        scopes[f"zone{n}"] = _scope(random_, n, parents)
    for name in [name for name, scope in scopes.items() if set(scope) == {"max"}]:
        counters = {f"c{name}": _item(random_, "counters")}
        scopes[f"in_{name}"] = {"parent": name, "max": 2, "counters": counters}
    updates = {f"u{n}": _update(random_, scopes) for n in range(random_.randint(0, 3))}
    schema: dict[str, object] = {
        "ctrgen": 1,
        "module": "fuzz",
        "description": "Everything at once.",
        **_shared(random_, scopes),
        "bounds": random_.choice(["assert", "drop"]),
        "scopes": scopes,
        "updates": {name: update for name, update in updates.items() if update},
    }
    return yaml.safe_dump({k: v for k, v in schema.items() if v}, sort_keys=False)
