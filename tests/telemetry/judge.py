# SPDX-License-Identifier: BSD-3-Clause
"""Whether what a client reads is what the C API says, item by item."""

from ctrgen.tools.live.model import Item, Module, Scope, Value
from ctrgen.tools.live.telemetry import Telemetry
from tests.telemetry import lab

TEXTS = ("string", "ipv4", "ipv6", "mac", "timestamp")
"""Types whose values the C API does not give as numbers that others share."""

Values = dict[tuple[str, ...], int]


def number(item: Item, value: Value) -> int:
    """A value as the C API has it."""
    if value is None:
        return 0
    if item.type == "enum":
        return dict(item.labels)[str(value)]
    return int(value) - (2**64 if int(value) >= 2**63 else 0)


def read(source: Telemetry, module: Module, scope: Scope) -> Values:
    """All numbers of a scope."""
    return {
        (scope.name, *map(str, instance.indexes), item.name): number(item, value)
        for instance in source.read(module, scope)
        for item, value in zip(scope.items, instance.values, strict=True)
        if item.type not in TEXTS
    }


def compare(application: lab.Application) -> int:
    """Compare all there is; how many numbers that was."""
    source = Telemetry(application.socket)
    (module,) = source.modules()
    told: Values = {}
    for scope in module.scopes:
        told |= read(source, module, scope)
    types = {(s.name, i.name): i.type for s in module.scopes for i in s.items}
    wanted = application.values()
    wanted = {at: n for at, n in wanted.items() if types.get((at[0], at[-1])) not in TEXTS}
    source.close()
    assert told == wanted
    return len(told)


def compare_pages(application: lab.Application) -> None:
    """All that is listed is what the C API has, and no page has what another one has."""
    asker = lab.Asker(application.socket)
    lines = [line for page in asker.pages("/tel/list") for line in page["lines"]]
    items = [line.split()[1] for line in lines if line.startswith("item ")]
    names = dict.fromkeys((words[0], words[-1]) for words in application.values())
    assert len(items) == len(names) and set(items) == {name for _, name in names}
    for scope in dict.fromkeys(scope for scope, _ in names):
        asker.whole("/tel/stats", scope)
    asker.close()
