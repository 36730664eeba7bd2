# SPDX-License-Identifier: BSD-3-Clause
"""A case per diagnostic: schema.yaml, others that it includes, and what `ctrgen check` prints, as
tests/support/casefile.py reads them; the files are by subject. Lock files are of before.yaml, where
there is one.

A case is named after the rule, with a suffix for further cases of it. What
is no text, or too large to be checked in, is made by `GENERATED`. `./dev golden` (or
`python -m tests.diagnostics.cases`) writes every expected text again.
"""

from pathlib import Path

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.frontends import MAX_FILES
from ctrgen.frontends.raw import MAX_BYTES
from ctrgen.pipeline.check import check
from tests.support import casefile
from tests.support.process import inside
from tests.support.strategies import BUFFERING

CASES = casefile.Cases(Path(__file__).parent, "schema.yaml")
"""Every case."""


SMALL = """ctrgen: 1
module: ep
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
"""


def _items(count: int) -> str:
    return "".join(f"      c{n}: {{unit: packets, description: Packets.}}\n" for n in range(count))


def _update(count: int, kind: str, sync: str = "") -> str:
    """A schema with an update of as many parameters."""
    arguments = "".join(f"      a{n}: {kind}\n" for n in range(count))
    adds = "".join(f"      global.c{n}: a{n}\n" for n in range(count))
    head = f"ctrgen: 1\nmodule: ep\n{sync}scopes:\n  global:\n    counters:\n{_items(count)}"
    return f"{head}updates:\n  event:\n    args:\n{arguments}    add:\n{adds}"


def _level(number: int) -> str:
    """A scope, in that of the level before."""
    parent = f"    parent: level{number - 1}\n" if number else ""
    counters = "    counters: {pkts: {unit: packets, description: Packets.}}\n"
    return f"  level{number}:\n    max: 1\n{parent}{counters}"


_PARTS = [f"part{number}.yaml" for number in range(MAX_FILES)]
_SETS = "".join(f"  s{number}: {{max: 2, use: [many]}}\n" for number in range(100))
_LONG = "          Packets of all kinds, whatever they are.\n" * 30
_LABELS = ",\n      ".join(f"l{number}" for number in range(1025))
_RECORD = f"sync: {{strategy: {BUFFERING}, buffer: 16, soft_threshold: 8}}\n"

GENERATED: dict[str, str | bytes] = {
    "control-character.nul": SMALL + "# a\0b\n",
    "control-character.separator": SMALL + "updates: # none\u2028  event: {}\n",
    "file-too-large": "#" * (MAX_BYTES + 1),
    "include-limit": SMALL + "include:\n" + "".join(f"  - {name}\n" for name in _PARTS),
    "index-labels.many": SMALL + f"  drop:\n    labels: [{_LABELS}]\n    counters:\n{_items(1)}",
    "long-text": f"{SMALL}      bytes:\n        unit: packets\n        description: >-\n{_LONG}",
    "many-parameters": _update(61, "uint8"),
    "nesting": SMALL + "".join(map(_level, range(9))),
    "not-utf8": SMALL.encode() + b"# caf\xe9\n",
    "not-utf8.utf16": SMALL.encode("utf-16"),
    "set-limit": "ctrgen: 1\nmodule: ep\nsets:\n  many:\n    counters:\n"
    f"{_items(1001)}scopes:\n{_SETS}",
    "tunable-limit.update": _update(32, "uint64", _RECORD),
}
"""Cases whose schemas are made when they run."""


def run(name: str, scratch: Path) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    folder = scratch if name in GENERATED else CASES.folder(name)
    if name in GENERATED:
        text = GENERATED[name]
        data = text if isinstance(text, bytes) else text.encode()
        (folder / "schema.yaml").write_bytes(data)
    if name == "include-limit":
        for part in _PARTS:
            (folder / part).write_text("description: Nothing.\n")
    with inside(folder):
        checked = check("schema.yaml")
    text = print_findings(checked.diagnostics, "text")
    return checked.diagnostics, f"{text}exit {checked.diagnostics.exit_code}\n"


def update(scratch: Path) -> None:
    """Write the expected text of every case."""
    expected = {}
    for name in CASES.names():
        folder = scratch / name
        folder.mkdir()
        expected[name] = run(name, folder)[1]
    CASES.write(expected)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        update(Path(temporary))
