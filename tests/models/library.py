# SPDX-License-Identifier: BSD-3-Clause
"""The library as a part of a model's translation unit: its C files, one after the other."""

from collections.abc import Mapping
from pathlib import PurePath

from ctrgen.backends import runtimeinfo

CORE = "runtime/src/core/"
STRATEGIES = "templates/c/sync/"
LEFT_OUT = ("keys", "poll")
"""Files of the core that no model needs; those that models include are named ctr_*."""
UNIT = "library.c"


def operations(sync: str) -> dict[str, str]:
    """The C file of the strategy, by its path; none if it has no operations of its own."""
    name = sync.partition(":")[0]
    return {
        f"{STRATEGIES}{name}/{name}.c": path.read_text("utf-8")
        for path in runtimeinfo.strategies()
        if path.stem == name
    }


def is_part(path: str) -> bool:
    """Whether a file is a part of the unit."""
    stem = PurePath(path).stem
    core = path.startswith(CORE) and path.endswith(".c") and not stem.startswith("ctr_")
    return path.startswith(STRATEGIES) or (core and stem not in LEFT_OUT)


def unit(files: Mapping[str, str]) -> str:
    """The library's part of the translation unit, of all files that a model has: the core and the
    operations, of which MODEL_CORE and MODEL_OPERATIONS choose one."""
    text = {True: "", False: ""}
    for path in filter(is_part, sorted(files)):
        text[path.startswith(CORE)] += f'#line 1 "{path}"\n{files[path]}\n'
    return (
        f"#ifndef MODEL_OPERATIONS\n{text[True]}#endif\n#ifndef MODEL_CORE\n{text[False]}#endif\n"
    )
