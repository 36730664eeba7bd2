# SPDX-License-Identifier: BSD-3-Clause
"""The patches tried on examples of DPDK: `python -m tests.cocci.trial EXAMPLES [NAME ..]`.

EXAMPLES is the folder `examples` of DPDK's source. For each: what `ctrgen adopt` proposes as it is,
its script, and whether a compiler takes the result. Prints the table of docs/migrating.md.
"""

import collections
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.support.process import run

EXAMPLES = {
    "l2fwd": ("main.c",),
    "l2fwd-event": ("l2fwd_common.h", "l2fwd_event.c", "l2fwd_poll.c", "main.c"),
    "dma": ("dmafwd.c",),
    "ntb": ("ntb_fwd.c",),
    "distributor": ("main.c",),
    "vhost": ("main.h", "main.c", "virtio_net.c"),
    "l3fwd-power": ("main.c",),
    "packet_ordering": ("main.c",),
}
"""Examples with counters, and the files that these are in. No
pattern was written from packet_ordering."""

HEAD = "| Example | Counters by pattern | Lines changed | Compiles |\n|---|---|---|---|"

_COUNTER = re.compile(r"^counter (?P<where>\w+) ", re.MULTILINE)
_CHANGED = re.compile(r"^.+: (?P<lines>\d+) lines changed$", re.MULTILINE)
_ERROR = re.compile(r"^(?P<text>\S+:\d+:\d+: error: .*)$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """One example: counters for each pattern, lines changed, errors of the compiler."""

    name: str
    patterns: dict[str, int]
    changed: int
    errors: tuple[str, ...]


def tried(examples: Path, name: str, folder: Path) -> Result:
    """One example, in a folder that is not there yet."""
    shutil.copytree(examples / name, folder)
    files = EXAMPLES[name]
    words = ("adopt", *files, "--module", "app", "-o", "app.yaml", "--patches", "patches.sh")
    done = run("ctrgen", *words, cwd=folder)
    if done.returncode != 0:
        raise ValueError(f"{name}: ctrgen adopt ends with {done.returncode}: {done.stderr}")
    said = run("sh", "patches.sh", cwd=folder)
    if said.returncode not in (0, 1):
        raise ValueError(f"{name}: patches.sh ends with {said.returncode}: {said.stderr}")
    run("ctrgen", "build", "app.yaml", "-o", "out", "--only", "c", cwd=folder)
    flags = ("-fsyntax-only", "-Iout", "-include", "app_stats.h", *runtimeinfo.cflags("dpdk"))
    sources = [file for file in files if file.endswith(".c")]
    compiled = run("gcc", "-I../common", *flags, *sources, cwd=folder, env={"LC_ALL": "C"})
    script = (folder / "patches.sh").read_text("utf-8")
    return Result(
        name,
        dict(collections.Counter(_COUNTER.findall(script))),
        sum(map(int, _CHANGED.findall(said.stdout))),
        tuple(_ERROR.findall(compiled.stderr)),
    )


def row(result: Result) -> str:
    """A row of the table."""
    found = {where: n for where, n in result.patterns.items() if where != "pointer"}
    patterns = ", ".join(f"{where} {n}" for where, n in found.items())
    compiles = "yes" if not result.errors else f"{len(result.errors)} errors"
    name = f"`{result.name}`"
    return f"| {name} | {patterns} | {result.changed} | {compiles} |"


def main(words: list[str]) -> int:
    """0, or 2 for wrong usage."""
    if not words or not Path(words[0], "l2fwd").is_dir():
        print(__doc__, file=sys.stderr)
        return 2
    print(HEAD, flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        for name in words[1:] or EXAMPLES:
            result = tried(Path(words[0]), name, Path(scratch) / name)
            print(row(result), flush=True)
            print(*result.errors, sep="\n  ", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
