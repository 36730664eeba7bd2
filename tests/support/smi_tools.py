# SPDX-License-Identifier: BSD-3-Clause
"""The real tools that judge a module: smilint, smidiff, pysmi and net-snmp."""

import functools
import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen.findings.diagnostics import Diagnostics
from tests.support import base_mibs, process
from tests.support.capabilities import have, have_base_mibs

BASE = base_mibs.folder()
PLAIN = {"LC_ALL": "C"}
"""What these tools are run with: net-snmp reads no modules where `I` has another small letter."""


def needs(*programs: str, modules: tuple[str, ...] = ()) -> None:
    """Skip the test, with the reason, when a program or a base module is not there."""
    for program in programs:
        if not have(program):
            pytest.skip(f"{program} is not installed: ./dev setup")
    for module in ("SNMPv2-SMI", "SNMPv2-TC", "SNMPv2-CONF", *modules):
        if not have_base_mibs(module):
            pytest.skip(f"{module} is not in {BASE}: ./dev setup")


def _run(*command: str | Path, **environment: str) -> str:
    return process.run(*command, env={**PLAIN, **environment}, merged=True, errors="replace").stdout


def _path(module: Path) -> str:
    return str(module) if "/" in str(module) else f"./{module}"


def smilint(*modules: Path, base: Path = BASE) -> str:
    """What smilint finds at its pickiest: nothing, when the modules are clean."""
    return _run("smilint", "-m", "-s", "-l", "6", *map(_path, modules), SMIPATH=str(base))


SAID = {
    "access-counter-illegal": "smi-access",
    "index-element-no-range": "smi-index-range",
    "index-element-not-accessible": "import-inexact",
    "index-element-no-size": "smi-index-range",
}
"""What smilint finds in a module that is legal and could be better, and our warning of it."""

STYLE = {
    *("group-unref", "hyphen-in-label", "identifier-case-match", "notification-not-reversible"),
    *("previous-definition", "row-name-entry", "table-name-table", "type-unref"),
}
"""What smilint says about names and types that a schema gives, and ctrgen does not."""


def unsaid(module: Path, diagnostics: Diagnostics) -> list[str]:
    """What smilint finds in a module, other than style, that no finding said of the same name."""
    said = [(one.rule, one.message) for one in diagnostics.findings]
    left = []
    for line in smilint(module).splitlines():
        tag = re.search(r"\{([\w-]+)\}", line)
        names = re.findall(r"`([^']+)'", line)
        rule = SAID.get(tag[1]) if tag else None
        if (tag and tag[1] in STYLE) or any(
            r == rule and f"'{name}'" in text for r, text in said for name in names
        ):
            continue
        left.append(line)
    return left


def smidiff(old: Path, new: Path, level: int = 4) -> list[str]:
    """What smidiff finds between two revisions, at level 4 (warnings that matter) or worse."""
    text = _run("smidiff", "-m", "-s", "-l", str(level), _path(old), _path(new), SMIPATH=str(BASE))
    return text.splitlines()


def snmptranslate(module: Path, name: str) -> str:
    """How net-snmp prints an object after loading the module, messages included."""
    folders = f"{BASE}:{module.parent}"
    (module.parent / "cert_indexes").mkdir(exist_ok=True)  # or it says that it makes the folder
    command = ("snmptranslate", "-M", folders, "-m", module.stem, "-Pe", "-On")
    return _run(*command, f"{module.stem}::{name}", MIBS="", SNMP_PERSISTENT_DIR=str(module.parent))


def tree(folder: Path, *modules: Path) -> tuple[str, str]:
    """The tree that net-snmp prints of some modules of a folder, and what it says besides."""
    (folder / "cert_indexes").mkdir(exist_ok=True)  # or it says that it makes the folder
    command = ["snmptranslate", "-M", f"{BASE}:{folder}", "-Pe", "-Tp"]
    names = ":".join(module.stem for module in modules)
    env = {**PLAIN, "MIBS": "", "SNMP_PERSISTENT_DIR": str(folder)}
    done = process.run(*command, "-m", names, env=env)
    return done.stdout, done.stderr


@functools.cache
def _pysmi() -> Any:
    return pytest.importorskip("pysmi.parser").SmiV2Parser()


def pysmi(module: Path) -> str:
    """What pysmi says about a module: `compiled`, or why not."""
    parser = _pysmi()
    from pysmi.codegen import JsonCodeGen
    from pysmi.compiler import MibCompiler
    from pysmi.reader import FileReader
    from pysmi.searcher import StubSearcher
    from pysmi.writer import CallbackWriter

    compiler = MibCompiler(parser, JsonCodeGen(), CallbackWriter(lambda *_: None))
    compiler.add_sources(FileReader(str(BASE)), FileReader(str(module.parent)))
    compiler.add_searchers(StubSearcher(*JsonCodeGen.baseMibs))
    status = compiler.compile(module.stem)[module.stem]
    return str(status) if status == "compiled" else f"{status}: {getattr(status, 'error', '')}"
