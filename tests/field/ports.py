# SPDX-License-Identifier: BSD-3-Clause
"""l2fwd of DPDK ported to ctrgen: by a schema, and semantic patches for coccinelle, in the folder
l2fwd."""

import re
import shutil
from pathlib import Path

from tests.support.cbuild import QUICK, Build, shared
from tests.support.planted import PROJECT
from tests.support.process import run

HERE = Path(__file__).parent
COMMON = "common"
"""The folder of the examples that others include files of."""
MACROS = HERE / "macros.h"
RULE = re.compile(r"^@\s*(\w+)\b.*@$", re.MULTILINE)
WRAPPED = "rte_eal_init"
"""What report.c stands in front of."""
AGENT = ("telemetry", "agentx")
APP = "l2fwd"


class StalePatchError(Exception):
    """A rule has nothing to change in an example: that is not the DPDK that it was written for."""


def rules(text: str) -> dict[str, str]:
    """The rules of semantic patches, by name, in their order."""
    starts = [*RULE.finditer(text)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return {match[1]: text[match.start() : end] for match, end in zip(starts, ends, strict=True)}


def _files(folder: Path) -> list[Path]:
    return sorted([*folder.glob("*.c"), *folder.glob("*.h")])


def apply(patches: Path, folder: Path) -> None:
    """Apply the rules of a file one by one. Raises StalePatchError, with the name of the rule."""
    for name, rule in rules(patches.read_text("utf-8")).items():
        one = folder / f"{patches.stem}-{name}.cocci"
        one.write_text(rule, "utf-8")
        before = {path: path.read_bytes() for path in _files(folder)}
        words = ["spatch", "--very-quiet", "--in-place", "--no-show-diff", "--macro-file", MACROS]
        words += ["--sp-file", one, "--use-coccigrep", "--include-headers", "--dir", folder]
        done = run(*words, cwd=folder)
        if done.returncode != 0:
            text = f"{patches.name}: rule {name}: {done.stderr}"
            raise StalePatchError(text)
        if all(path.read_bytes() == text for path, text in before.items()):
            text = f"{patches.name}: rule {name} changes nothing in this DPDK"
            raise StalePatchError(text)
        one.unlink()


def patched(examples: Path, folder: Path) -> Path:
    """The source of the port. Raises StalePatchError."""
    for name in (APP, COMMON):
        shutil.copytree(examples / name, folder / name)
    apply(HERE / APP / "port.cocci", folder / APP)
    return folder / APP


def generated(folder: Path) -> Path:
    """What ctrgen makes of the schema of the port."""
    for path in (HERE / APP).glob(f"{APP}_stats.*"):  # and its lock file
        shutil.copy(path, folder)
    schema, out = folder / f"{APP}_stats.yaml", folder / "out"
    PROJECT.succeed("build", schema, "-o", out, "--only", "c,mib,agentx")
    return out


def _makefile(source: Path) -> list[Path]:
    """The sources that an example's Makefile names."""
    text = (source / "Makefile").read_text("utf-8")
    words = [word for line in re.findall(r"(?m)^SRCS-y [:+]=(.*)$", text) for word in line.split()]
    return [source / word for word in words if word.endswith(".c")]


def build(examples: Path, folder: Path) -> Path:
    """The program, which telemetry and managers can read. Raises StalePatchError."""
    source, out = patched(examples, folder / "source"), generated(folder)
    own_flags = ("-w", "-DALLOW_EXPERIMENTAL_API")  # its own warnings are not ours
    own = [*_makefile(source), *sorted(out.glob("*.c")), HERE / "report.c"]
    wraps = (f"-Wl,--wrap={WRAPPED}",)
    made = Build(port="dpdk", parts=AGENT, flags=QUICK, own_flags=own_flags, link=wraps)
    shared().link(folder / "program", made, own, [source, source.parent / COMMON, out])
    return folder / "program"
