# SPDX-License-Identifier: BSD-3-Clause
"""Proposals tried: the generated code of a proposed schema counts each item that is in it."""

import re
from pathlib import Path
from typing import Any

import yaml

from tests.support.cbuild import LENIENT, QUICK, Build, shared
from tests.support.process import ctrgen, succeed
from tests.support.strategies import USUAL

BIG = 2**31
"""What is added, and the number of the item, so that no two items have the same value."""


def items(schema: str) -> dict[str, tuple[str, ...]]:
    """The items of each scope of a schema."""
    scopes = yaml.safe_load(schema)["scopes"]
    return {
        name: (*scope.get("counters", ()), *scope.get("gauges", ()))
        for name, scope in scopes.items()
    }


def _calls(prefix: str, name: str, scope: dict[str, Any], first: int) -> str:
    """Each item of a scope is added to, all of them, and then read."""
    call = prefix if name == "global" else f"{prefix}_{name}"
    embedded = scope.get("storage") == "embedded"
    index = "&object" if embedded else str(scope["max"] - 1) if "max" in scope else ""
    names = [*scope.get("counters", ()), *scope.get("gauges", ())]
    lines = [f"\tstruct {call}_embedded object;\n\t{call}_init(&object);\n"] if embedded else []
    for number, item in enumerate(names, first):
        given = f"{index}, " if index else ""
        lines.append(
            f"\t{call}_add_{item}({given}{BIG + number}u);\n\t{call}_inc_{item}({index});\n"
        )
    for number, item in enumerate(names, first):
        lines.append(f"\tif ({call}_get_{item}({index}) != {BIG + number + 1}u)\n\t\tfailed++;\n")
    return "\t{\n" + "".join(lines) + "\t}\n"


def counted(schema: str, folder: Path) -> int:
    """How many items of a proposed schema `app` were updated and read, under USUAL; all of them,
    or the program ends with another number than 0."""
    (folder / "app.yaml").write_text(schema, "utf-8")
    done = ctrgen("build", folder / "app.yaml", "-o", folder / "out", "--only", "c")
    assert done.exit_code == 0, done.output
    assert re.search(rf"^sync: {USUAL}$", schema, re.MULTILINE)
    body, number = "", 0
    for name, scope in yaml.safe_load(schema)["scopes"].items():
        body += _calls("app_stats", name, scope, number)
        number += len(items(schema)[name])
    main = folder / "counts.c"
    main.write_text(
        '#include "app_stats.h"\n\nint\nmain(void)\n{\n\tint failed = app_stats_init() != 0;\n\n'
        f"{body}\treturn failed;\n}}\n",
        "utf-8",
    )
    build, out = Build(flags=QUICK, own_flags=LENIENT), folder / "out"
    shared().link(folder / "counts", build, [main, out / "app_stats.c"], [out])
    succeed(folder / "counts")
    return number
