# SPDX-License-Identifier: BSD-3-Clause
"""What each interface says of the application, as values by scope, instance and item.

Values are as a schema would write them: numbers, truths, labels, text; None is none. Names of SNMP
objects and of metrics are those of the reference page that `ctrgen docs` writes.
"""

import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from ctrgen.tools.live.model import Source, Value

Key = tuple[str, ...]
"""Scope, names of the instance, item."""
Values = dict[Key, Value]

DIMENSIONS = {
    "global": (), "port": ("port",), "drop": ("reason", "direction"), "session": ("imsi", "kind"),
    "flow": ("flow",), "queue": ("port", "queue"), "_module": (),
}  # fmt: skip
SHOWN = {
    "no_route": 'No "route" \\n ✓', "ttl": "TTL", "home": 'At "home" \\',
    "half_open": '1/2 "open" \\ ✓',
}  # fmt: skip
"""What people see of some labels; C and SNMP have the names."""
ENUMS = {
    "mode": {1: "idle", 2: SHOWN["half_open"], 7: "y"}, "never": {1: "a"},
    "phase": {1: "closed", 2: "opened"},
}  # fmt: skip
TRUTHS, TEXTS = ("up", "down"), ("address", "remote", "station", "title")
LE = {"sizes_to_64": "64.0", "sizes_to_512": "512.0", "sizes_above_512": "+Inf"}
TIMES = ("untouched", "touched", "dated")
NOTHING = (*TIMES, "never")
"""Items without a value."""


def differences(wanted: Mapping[Key, Value], got: Mapping[Key, Value]) -> dict[Key, Any]:
    """Where two interfaces do not agree."""
    keys = wanted.keys() | got.keys()
    absent = "absent"
    pairs = {key: (wanted.get(key, absent), got.get(key, absent)) for key in keys}
    return {key: pair for key, pair in pairs.items() if not same(*pair)}


def same(one: object, other: object) -> bool:
    """Equal, and of one type: 1 is not true here."""
    return one == other and type(one) is type(other)


def _value(item: str, text: str) -> Value:
    """A value as programs in C print it."""
    if item in ENUMS:
        return ENUMS[item].get(int(text)) if text.isdigit() else SHOWN.get(text, text)
    if item in TRUTHS:
        return {"True": True, "False": False}[text]
    if item in TEXTS:
        return text
    return None if text == "None" or (item in NOTHING and text == "0") else int(text)


def without(wanted: Mapping[Key, Value]) -> Values:
    """Items that have no value: some interfaces do not show them."""
    return {key: None for key, value in wanted.items() if value is None}


def printed(lines: list[str]) -> Values:
    """What a program in C prints: `queue|3|4 c0=17 c1=18`."""
    found: Values = {}
    for line in lines:
        place, _, rest = line.partition(" ")
        for item, text in re.findall(r"([a-z_0-9]+)=(.*?)(?= [a-z_0-9]+=|$)", rest):
            key = (*(SHOWN.get(name, name) for name in place.split("|")), item)
            assert key not in found, key
            found[key] = _value(item, text)
    return found


def source(reader: Source) -> Values:
    """What `ctrgen.tools.live` reads."""
    (module,) = reader.modules()
    found: Values = {}
    for scope in module.scopes:
        for instance in reader.read(module, scope):
            for item, value in zip(scope.items, instance.values, strict=True):
                key = (scope.name, *instance.names, item.name)
                assert key not in found, key
                found[key] = value
    reader.close()
    return found


LABELS = {"reason": ("no_route", "ttl", "acl"), "direction": ("in", "out")}
"""Names of indexes that have labels."""


def replied(replies: Mapping[str, Mapping[str, Any]]) -> Values:
    """What telemetry replies, by scope: values and parts of keys by their names."""
    found: Values = {}
    for scope, reply in replies.items():
        for name, value in reply.items():
            *indexes, item = name.split("/")
            if name.startswith("/"):
                continue
            if scope == "session":
                names = [reply[f"/key/{indexes[0]}/0/{part}"] for part in DIMENSIONS[scope]]
            else:
                pairs = zip(DIMENSIONS[scope], indexes, strict=True)
                names = [LABELS[of][int(at)] if of in LABELS else at for of, at in pairs]
            found[(scope, *(SHOWN.get(each, each) for each in names), item)] = _reply(item, value)
    return found


def _reply(item: str, value: Any) -> Value:
    """A value of a reply."""
    if item in TRUTHS:
        return {0: False, 1: True}[value]
    if item in NOTHING and value in (0, ""):
        return None
    if item in ENUMS:
        return SHOWN.get(value, value) or None
    if item == "title":
        return str(value).encode().decode("unicode_escape").encode("latin-1").decode()
    return value if isinstance(value, int | str) else None


def page(document: Mapping[str, Any], application: str) -> Values:
    """What the page of the exporter, and `ctrgen top --json`, are given."""
    found: Values = {}
    (module,) = document["applications"][application]["modules"].values()
    for name, scope in module["scopes"].items():
        assert "cut" not in scope
        for instance in scope["instances"]:
            for item, value in instance["values"].items():
                if item not in TEXTS and isinstance(value, str) and re.fullmatch(r"[\d,]+", value):
                    value = int(value.replace(",", ""))
                found[(name, *instance["labels"].values(), item)] = value
    return found


class Reference:
    """Names of the items elsewhere, as the reference page has them."""

    def __init__(self, page: Path) -> None:
        text = page.read_text("utf-8").replace("\\", "")
        self.objects: dict[str, tuple[str, str]] = {}
        self.metrics: dict[tuple[str, str], str] = {}
        for part in text.split("\n### ")[1:]:
            scope, _, item = part.partition("\n")[0].partition(".")
            for kind, name in re.findall(r"^\* (SNMP|Metric): `(\w+)", part, re.M):
                if kind == "SNMP":
                    self.objects[name] = (scope, item)
                else:
                    self.metrics[scope, item] = name


# ---- OpenMetrics ----

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def samples(text: str, application: str) -> Samples:
    """The samples of an application, but for those about the exporter, and times of creation."""
    found: Samples = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = dict(sample.labels)
            own = labels.pop("application", "") == application
            if not own or sample.name.startswith("ctrgen_") or sample.name.endswith("_created"):
                continue
            found[sample.name, frozenset(labels.items())] = sample.value
    return found


def openmetrics(text: str, application: str, reference: Reference, keys: Iterable[Key]) -> Values:
    """What a scraper is told of these items. Fails where it is told of others."""
    left = samples(text, application)
    found: Values = {}
    for key in keys:
        scope, *names, item = key
        labels = dict(zip(DIMENSIONS[scope], names, strict=True))
        found[key] = _metric(left, reference.metrics[scope, item], item, labels)
    count = left.pop(("octets_count", frozenset()))
    assert count == sum(found["global", item] for item in LE)  # type: ignore[misc]
    assert {name for name, _ in left} == {"octets_bucket"}, "those below others"
    return found


def _metric(left: Samples, name: str, item: str, labels: Mapping[str, str]) -> Value:
    def take(**more: str) -> float | None:
        return left.pop((name, frozenset({**labels, **more}.items())), None)

    if item in LE:
        at = list(LE).index(item)
        bounds = [*LE.values()][max(at - 1, 0) : at + 1]
        below = [left[name, frozenset({("le", le)})] for le in bounds]
        return int(below[-1] - (below[0] if at else 0))
    if item in ENUMS:
        states = {label: take(**{name: label}) for label in ENUMS[item].values()}
        if set(states.values()) == {None}:
            return None
        (chosen,) = (label for label, value in states.items() if value == 1)
        assert set(states.values()) <= {0, 1}
        return chosen
    if item in TEXTS:
        texts = [dict(at)[item] for other, at in left if other == name]
        assert len(texts) == 1 and take(**{item: texts[0]}) == 1
        return texts[0]
    value = take()
    if value is None or item in TRUTHS:
        return None if value is None else bool(value)
    return int(value)


# ---- SNMP ----


def _camel(label: str) -> str:
    first, *rest = label.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _names(scope: str, text: str) -> tuple[str, ...]:
    """Names of an instance, from its index in the MIB."""
    if scope == "session":
        imsi, _, kind = text.rpartition(".")
        return (imsi.strip('"'), SHOWN.get(kind, kind))
    parts = text.split(".")
    if scope == "drop":
        labels = {
            _camel(one): SHOWN.get(one, one) for one in ("no_route", "ttl", "acl", "in", "out")
        }
        return tuple(labels[part] for part in parts)
    return tuple(str(int(part) - 1) for part in parts) if DIMENSIONS[scope] else ()


def _hex(text: str) -> bytes:
    return bytes.fromhex("".join(f"{int(part, 16):02x}" for part in re.split("[ :]+", text)))


_SNMP: dict[str, Callable[[str], Value]] = {
    "address": lambda text: str(ipaddress.IPv4Address(_hex(text))),
    "remote": lambda text: str(ipaddress.IPv6Address(_hex(text))),
    "station": lambda text: _hex(text).hex(":"),
    "title": lambda text: text,
    **dict.fromkeys(TIMES, lambda text: None if int(re.sub("[-,:.]", "", text)) == 0 else text),
    **dict.fromkeys(TRUTHS, lambda text: {"1": True, "2": False}[text]),
    **{item: lambda text, item=item: ENUMS[item][int(text)] for item in ENUMS},  # type: ignore[misc]
}


def snmp(lines: list[str], reference: Reference) -> Values:
    """What `snmpbulkwalk -OQUte` prints, with the MIB module at hand."""
    found: Values = {}
    for line in lines:
        match = re.fullmatch(r"REACH-STATS-MIB::(\w+)\.(.*?) = (.*)", line)
        assert match is not None, line
        name, index, text = match.groups()
        if name not in reference.objects:
            assert name.endswith(("DiscontinuityTime", "AddressType", "RemoteType")), line
            continue
        scope, item = reference.objects[name]
        value = _SNMP.get(item, int)(text.strip('" ') if item != "title" else text)
        found[(scope, *_names(scope, index), item)] = value
    return found
