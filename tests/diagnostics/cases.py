# SPDX-License-Identifier: BSD-3-Clause
"""One folder per diagnostic: schema.yaml, and expected.txt with what `ctrgen check` prints.

A folder is named after the rule, with a suffix for further cases of it. What
is too large to be checked in is made by `GENERATED`. `./dev golden` (or
`python -m tests.diagnostics.cases`) writes every expected.txt again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.frontends import MAX_FILES
from ctrgen.frontends.raw import MAX_BYTES
from ctrgen.pipeline.check import check
from tests.support.process import inside

ROOT = Path(__file__).parent
"""The folder that holds the cases."""


def _too_large(folder: Path) -> None:
    (folder / "schema.yaml").write_bytes(b"#" * (MAX_BYTES + 1))


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


GENERATED: dict[str, Callable[[Path], None]] = {
    "file-too-large": _too_large,
    "include-limit": _too_many_files,
    "metrics-limit": _too_many_metrics,
    "set-limit": _too_many_items,
}
"""Cases whose files are made when they run."""


def names() -> list[str]:
    """Every case, sorted."""
    found = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0] not in "_."}
    return sorted(found | set(GENERATED))


def run(name: str, scratch: Path) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    folder = ROOT / name
    if name in GENERATED:
        folder = scratch
        GENERATED[name](folder)
    with inside(folder):
        checked = check("schema.yaml")
    text = print_findings(checked.diagnostics, "text")
    return checked.diagnostics, f"{text}exit {checked.diagnostics.exit_code}\n"


def update(scratch: Path) -> None:
    """Write expected.txt of every case."""
    for name in names():
        folder = scratch / name
        folder.mkdir()
        _, text = run(name, folder)
        (ROOT / name).mkdir(exist_ok=True)
        (ROOT / name / "expected.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as temporary:
        update(Path(temporary))
