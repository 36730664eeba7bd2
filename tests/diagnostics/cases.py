# SPDX-License-Identifier: BSD-3-Clause
"""A case per diagnostic: schema.yaml, others that it includes, and expected.txt with what
`ctrgen check` prints, as tests/support/casefile.py reads them; the files are by subject.

A case is named after the rule, with a suffix for further cases of it. What
is no text, or too large to be checked in, is made by `GENERATED`. `./dev golden` (or
`python -m tests.diagnostics.cases`) writes every expected.txt again.
"""

from collections.abc import Callable
from pathlib import Path

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.frontends import MAX_FILES
from ctrgen.frontends.raw import MAX_BYTES
from ctrgen.pipeline.check import check
from tests.support import casefile
from tests.support.process import inside

CASES = casefile.Cases(Path(__file__).parent, "schema.yaml")
"""Every case."""


def _too_many_files(folder: Path) -> None:
    names = [f"part{number}.yaml" for number in range(MAX_FILES)]
    for name in names:
        (folder / name).write_text("description: Nothing.\n")
    text = "ctrgen: 1\nmodule: ep\nscopes:\n  global:\n    counters:\n"
    text += "      pkts: {unit: packets, description: Packets.}\ninclude:\n"
    text += "".join(f"  - {name}\n" for name in names)
    (folder / "schema.yaml").write_text(text)


def _too_many_items(folder: Path) -> None:
    item = "{unit: packets, description: Packets.}"
    items = "".join(f"      c{number}: {item}\n" for number in range(1001))
    scopes = "".join(f"  s{number}: {{max: 2, use: [many]}}\n" for number in range(100))
    text = f"ctrgen: 1\nmodule: ep\nsets:\n  many:\n    counters:\n{items}scopes:\n{scopes}"
    (folder / "schema.yaml").write_text(text)


def _too_many_metrics(folder: Path) -> None:
    item = "{unit: packets, description: Packets.}"
    items = "".join(f"      c{number}: {item}\n" for number in range(256))
    text = (
        f"ctrgen: 1\nmodule: ep\noutputs: [rte_metrics]\nscopes:\n  global:\n    counters:\n{items}"
    )
    (folder / "schema.yaml").write_text(text)


SMALL = """ctrgen: 1
module: ep
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
"""


def _bytes(data: bytes) -> Callable[[Path], object]:
    """Make a schema of bytes."""
    return lambda folder: (folder / "schema.yaml").write_bytes(data)


GENERATED: dict[str, Callable[[Path], object]] = {
    "control-character.nul": _bytes(SMALL.encode() + b"# a\0b\n"),
    "file-too-large": _bytes(b"#" * (MAX_BYTES + 1)),
    "include-limit": _too_many_files,
    "metrics-limit": _too_many_metrics,
    "not-utf8": _bytes(SMALL.encode() + b"# caf\xe9\n"),
    "not-utf8.utf16": _bytes(SMALL.encode("utf-16")),
    "set-limit": _too_many_items,
}
"""Cases whose schemas are made when they run."""


OTHERS = {
    "schema.yaml": [
        "unpublished-lock", "notification-scope", "lock-duplicate", "empty-update", "missing-max",
        "shadowed-definition", "no-scopes", "xdp-limit", "tunable-limit.update",
        "yaml-syntax.labels", "empty-set",
    ],
    "schema.ctrgen.lock": ["frozen-access", "frozen-node"],
}  # fmt: skip
"""What a file of a case is compared with."""


def run(name: str, scratch: Path) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    folder = scratch if name in GENERATED else CASES.folder(name)
    if name in GENERATED:
        GENERATED[name](folder)
    with inside(folder):
        checked = check("schema.yaml")
    text = print_findings(checked.diagnostics, "text")
    return checked.diagnostics, f"{text}exit {checked.diagnostics.exit_code}\n"


def update(scratch: Path) -> None:
    """Write expected.txt of every case."""
    expected = {}
    for name in CASES.names():
        folder = scratch / name
        folder.mkdir()
        expected[name] = run(name, folder)[1]
    CASES.write(expected, OTHERS)


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        update(Path(temporary))
