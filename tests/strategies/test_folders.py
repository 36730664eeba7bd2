# SPDX-License-Identifier: BSD-3-Clause
"""A strategy is one folder, and what the library has for it alone: each can be taken out."""

import json
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.model.strategies.catalogue import all_strategies
from tests.structure import runtime
from tests.support import process
from tests.support.capabilities import needs
from tests.support.paths import EP, ROOT
from tests.support.planted import PACKAGES, Tree, copy_of
from tests.support.strategies import USUAL

NAMES = sorted(all_strategies())
INCLUDE = runtimeinfo.path() / "include"
OF_CORE = {
    name
    for source in runtimeinfo.room_sources("core")
    for name in runtime.included(source, (INCLUDE, source.parent))
}
"""Headers that the core needs, also where a strategy names them."""
COMMANDS = """\
import json, sys
from ctrgen.commands.cli import commands
for words in json.loads(sys.argv[1]):
    try:
        commands(words, standalone_mode=False)
    except SystemExit as end:
        if end.code:
            raise
"""


def parts(tree: Path, name: str) -> list[Path]:
    """The folder of a strategy in a copy of the packages, and its headers."""
    folder = tree / "ctrgen" / "runtime" / "include"
    headers = [folder / include for include in all_strategies()[name].include]
    return [tree / "ctrgen" / "templates" / "c" / "sync" / name, *headers]


def run(tree: Tree, *commands: Sequence[str | Path]) -> str:
    """What commands of a copy print, in one process."""
    words = json.dumps([list(map(str, command)) for command in commands])
    return process.succeed(sys.executable, "-c", COMMANDS, words, env=tree.environment())


def schema(folder: Path, name: str) -> Path:
    """A schema that a strategy can be of: the reference schema, or one with an object."""
    if "static" in all_strategies()[name].storage:
        return EP
    path = folder / "in.yaml"
    path.write_text(
        f"ctrgen: 1\nmodule: in\nscopes:\n  flow:\n    sync: {name}\n    storage: embedded\n"
        "    counters:\n      pkts: {unit: packets, description: Packets.}\n"
    )
    return path


def build(folder: Path, name: str, out: str) -> Sequence[str | Path]:
    """The command that generates C under a strategy."""
    options = () if "static" not in all_strategies()[name].storage else ("--sync", name)
    return "build", schema(folder, name), "-o", folder / out, "--only", "c", "-q", *options


def texts(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.glob("*.[ch]")}


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages."""
    site = tmp_path_factory.mktemp("copied")
    for source, target in PACKAGES.items():
        copy_of(ROOT / source, site / "ctrgen" / target)
    return site


def move(paths: Iterable[Path], from_: Path, to: Path) -> None:
    """Move files and folders to the same places below another folder."""
    for path in paths:
        target = to / path.relative_to(from_)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, target)


def test_each_is_taken_out_and_added_again(copied: Path, tmp_path: Path) -> None:
    tree = Tree(copied)
    for name in NAMES:
        (tmp_path / name).mkdir()
    run(tree, *(build(tmp_path / name, name, "before") for name in NAMES))
    for name in NAMES:
        folder, other = tmp_path / name, NAMES[NAMES.index(name) - 1]
        move(parts(copied, name), copied, folder / "aside")
        try:
            listed = run(tree, ("strategies",), build(folder, other, "other"))
        finally:
            move(parts(folder / "aside", name), folder / "aside", copied)
        assert f"\n{other}\n" in f"\n{listed}" and f"\n{name}\n" not in f"\n{listed}"
        assert texts(folder / "other"), other
    listed = run(tree, ("strategies",), *(build(tmp_path / name, name, "after") for name in NAMES))
    for name in NAMES:
        assert f"\n{name}\n" in f"\n{listed}"
        assert texts(tmp_path / name / "before") == texts(tmp_path / name / "after") != {}


def alone(tree: Path, others: Iterable[str]) -> list[Path]:
    """What there is for other strategies alone: their folders, and headers with their sources."""
    found = [path for name in others for path in parts(tree, name) if path.name not in OF_CORE]
    folder = tree / "ctrgen" / "runtime" / "src" / "strategies"
    stems = [path.stem for path in found if path.suffix == ".h"]
    return found + sorted({path for stem in stems for path in folder.glob(f"{stem}*.c")})


@needs("cc")
def test_one_alone_is_enough(copied: Path, tmp_path: Path) -> None:
    """Without all that is for others the runtime compiles, and a program links."""
    tree, others = Tree(copied), [name for name in NAMES if name != USUAL]
    taken = alone(copied, others)
    umbrella = copied / "ctrgen" / "runtime" / "include" / "ctr.h"
    whole = umbrella.read_text("utf-8")
    headers = [f'#include "{path.name}"\n' for path in taken if path.suffix == ".h"]
    assert len(headers) >= 4 and all(whole.count(line) == 1 for line in headers)
    move(taken, copied, tmp_path / "aside")
    umbrella.write_text(re.sub("|".join(headers), "", whole), "utf-8")
    try:
        run(tree, build(tmp_path, USUAL, "ep"))
        flags = tree.succeed("runtime", "--cflags", "--sources", "--libs").split()
        main = tmp_path / "main.c"
        main.write_text('#include "ep_stats.h"\nint main(void) { return ep_stats_init(); }\n')
        source = tmp_path / "ep" / "ep_stats.c"
        process.succeed(
            "cc", main, source, f"-I{source.parent}", *flags, "-o", tmp_path / "program"
        )
    finally:
        umbrella.write_text(whole, "utf-8")
        move(alone(tmp_path / "aside", others), tmp_path / "aside", copied)
    process.succeed(tmp_path / "program")
