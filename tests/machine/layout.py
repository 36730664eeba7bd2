# SPDX-License-Identifier: BSD-3-Clause
"""Layout of generated structs, as pahole reads it from what the compiler made."""

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.cbuild import Build, Workshop

LINE = 64

_STRUCT = re.compile(r"^struct (\w+) \{\n(.*?)^\}(.*?);$", re.DOTALL | re.MULTILINE)
_MEMBER = re.compile(
    r"^\t(?!\t)[^;]*?(\w+)(?:\[\d+\])*(?: __attribute__[^;]*)?; */\* +(\d+) +(\d+) \*/",
    re.MULTILINE,
)
_SIZE = re.compile(r"/\* size: (\d+)")
_ALIGNED = re.compile(r"aligned__\((\d+)\)")


@dataclass(frozen=True)
class Struct:
    """A struct: its size and alignment where it has one of its own, offset and size of members."""

    size: int
    align: int
    members: dict[str, tuple[int, int]] = field(default_factory=dict)


def structs(made: Path) -> dict[str, Struct]:
    """Every struct in the debugging information of an object file."""
    text = subprocess.run(["pahole", str(made)], check=True, capture_output=True, text=True).stdout
    found = {}
    for name, body, behind in _STRUCT.findall(text):
        size, align = _SIZE.search(body), _ALIGNED.search(behind)
        members = {m[0]: (int(m[1]), int(m[2])) for m in _MEMBER.findall(body)}
        found[name] = Struct(int(size[1]) if size else 0, int(align[1]) if align else 1, members)
    return found


def of(workshop: Workshop, build: Build) -> dict[str, Struct]:
    """The structs of what is generated for a build."""
    out = workshop.generated(build.schema, build.sync, build.tree)
    source = out / f"{build.schema.stem}_stats.c"
    return structs(workshop.objects(build, [source], [out])[0])


def problems(found: dict[str, Struct], module: str) -> list[str]:
    """What would make lcores share a cache line, or an update touch a line too many."""
    wrong: list[str] = []
    for name, struct in found.items():
        if not name.startswith(module):
            continue
        if name.endswith("_data"):
            wrong += _element(name, struct)
        if name.endswith(("_instance", "_stats_common", "_chunk")):
            wrong += _whole(name, struct, found)
    return wrong


def _element(name: str, struct: Struct) -> list[str]:
    """An element of up to a line lies in one: its size is a power of two and its alignment."""
    if struct.size > LINE:
        fits = struct.size % LINE == 0 and struct.align >= LINE
    else:
        fits = struct.size & (struct.size - 1) == 0 and struct.align == struct.size
    return [] if fits else [f"{name}: {struct.size} bytes, aligned to {struct.align}"]


def _whole(name: str, struct: Struct, found: dict[str, Struct]) -> list[str]:
    """What is allocated for an lcore takes whole lines; what resets write has lines of its own."""
    wrong = []
    if name.endswith("_instance") and (struct.size % LINE or struct.align < LINE):
        wrong.append(f"{name}: {struct.size} bytes, aligned to {struct.align}")
    ends = [at + size for part, (at, size) in struct.members.items() if "offset" not in part]
    first = min((at for part, (at, _) in struct.members.items() if "offset" in part), default=None)
    if first is not None and first // LINE < -(-max(ends) // LINE):
        wrong.append(f"{name}: offsets begin at {first}, counts end at {max(ends)}")
    for part, (at, size) in struct.members.items():
        element = found.get(f"{name.removesuffix('_instance')}_{part}_data")
        if element and (at % min(element.size, LINE) or size % element.size):
            wrong.append(f"{name}.{part}: at {at}, elements of {element.size}")
    return wrong
