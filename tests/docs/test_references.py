# SPDX-License-Identifier: BSD-3-Clause
"""Names on pages exist: files, functions and macros of C, options. Programs print what is said."""

import re
import subprocess
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path, PurePath
from typing import NamedTuple

import pytest

from tests.docs.test_docs import STRICT, files
from tests.support.capabilities import needs
from tests.support.cbuild import QUICK, Build, shared
from tests.support.paths import DOCS, ROOT
from tests.support.planted import PROJECT
from tests.support.process import run

# ---- what the pages name ----

PAGES = [*sorted(DOCS.rglob("*.md")), *(ROOT / f"{name}.md" for name in
         ("README", "CONTRIBUTING", "SECURITY"))]  # fmt: skip
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PATH = re.compile(
    r"(?<![\w./-])((?:generator|templates|runtime|tests|docs|schemas|generated|\.ci)/[\w./*-]+)"
)
FILE = re.compile(r"(?<![\w/.<-])([\w-]+\.(?:h|c|j2|py))\b")
NAME = re.compile(r"\b((?:ctr|CTR)_\w+)(?![\w*]|\.h)")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*)")
VARIABLE = re.compile(r"(?<![A-Z])(?:KIND|NAME|TARGET|STRATEGY|RULE|X\.Y\.Z)(?![A-Z])")

ELSEWHERE = {
    # of DPDK, net-snmp and Prometheus; of projects and libraries that pages write about
    "dpdk-telemetry.py", "rte_config.h", "rte_ethdev.h", "rte_lcore_var.h", "rte_metrics.h",
    "rte_spinlock.h", "l2.c", "--enable-feature", "--default-mibdirs", "--no-snmp", "--interleave",
    # folders that fuzzing makes
    "tests/fuzz/crashes", "tests/fuzz/crashes/TARGET/NAME/input",
}  # fmt: skip
HERE = "tests/docs/test_references.py"
FORMER = {"upgrading.md"}
"""Pages about what there was in earlier versions, and is no more."""


class Reference(NamedTuple):
    """A line of a page, and what it names."""

    where: str
    kind: str
    name: str


@cache
def tracked() -> frozenset[str]:
    """Every file of the repository, and every folder."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = files.stdout.splitlines()
    return frozenset({*names, *(str(p) for name in names for p in PurePath(name).parents)})


@cache
def words() -> tuple[frozenset[str], frozenset[str]]:
    """Every word and every option in the files of the project, except those about its past."""
    found: set[str] = set()
    options: set[str] = set()
    for name in sorted(tracked()):
        path = ROOT / name
        if not path.is_file() or name.startswith(("docs/", "tests/release/v", "CHANGELOG", HERE)):
            continue
        text = path.read_text("utf-8", errors="replace")
        found.update(re.findall(r"\b(?:ctr|CTR)_\w+", text))
        options.update(OPTION.findall(text))
    return frozenset(found), frozenset(options)


def exists(path: str) -> bool:
    """Whether there is such a file or folder; NAME and the like stand for any word."""
    pattern = VARIABLE.sub("*", path.rstrip("/."))
    return path.rstrip("/.") in tracked() or any(fnmatch(name, pattern) for name in tracked())


def known(kind: str, name: str) -> bool:
    """Whether what a page names is there."""
    if name in ELSEWHERE or (kind == "name" and name.endswith("_")):
        return True
    if kind == "path":
        return exists(name)
    if kind == "file":
        return "NAME" in name or "_stats" in name or exists(f"*/{name}") or exists(name)
    return name in words()[0 if kind == "name" else 1]


def references(page: str, text: str) -> Iterator[Reference]:
    """What the code in a page's sentences names; blocks are tested by running them."""
    text = FENCE.sub(lambda block: "\n" * block[0].count("\n"), text)
    kinds = {"path": PATH, "file": FILE, "name": NAME, "option": OPTION}
    for number, line in enumerate(text.splitlines(), 1):
        for code in re.findall(r"`([^`]+)`", line):
            for kind, pattern in kinds.items():
                for name in pattern.findall(code):
                    yield Reference(f"{page}:{number}", kind, name)


def missing(page: str, text: str) -> list[str]:
    """The references of a page to what does not exist."""
    return [
        f"{one.where}: no {one.kind} {one.name}"
        for one in references(page, text)
        if not known(one.kind, one.name)
    ]


@pytest.mark.parametrize("page", [p for p in PAGES if p.name not in FORMER], ids=lambda p: p.name)
def test_what_a_page_names_exists(page: object) -> None:
    path = ROOT / str(page)
    assert missing(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) == []


def test_what_is_missing_is_found() -> None:
    text = "`runtime/src/core/gone.c`, `gone.j2`, `ctr_gone()`, `--gone-by`\n\n`tests/NAME/`\n"
    assert missing("page.md", text) == [
        "page.md:1: no path runtime/src/core/gone.c",
        "page.md:1: no file gone.j2",
        "page.md:1: no name ctr_gone",
        "page.md:1: no option --gone-by",
    ]
    assert missing("page.md", "`runtime/src/core/read.c`, `ctr_alloc()`, `--sync`") == []


# ---- the programs of docs/api.md ----

SCHEMA = """\
ctrgen: 1
module: ep
scopes:
  drop:
    labels: [vlan, ttl, acl]
    counters:
      pkts: {unit: packets, description: Packets dropped.}
"""
MAIN = """\
#include <errno.h>

#include "ep_stats.h"

int print_drops(const struct ctr_module *module, const char *reason);

int
main(void)
{
	if (ep_stats_init() != 0 || print_drops(&ep_stats_module, "ttl") != -EINVAL)
		return 1;
	ep_stats_drop_add_pkts(EP_STATS_DROP_TTL, 12);
	ep_stats_drop_add_pkts(EP_STATS_DROP_ACL, 7);
	if (print_drops(&ep_stats_module, "ttl") != 0)
		return 2;
	ep_stats_drop_add_pkts(EP_STATS_DROP_TTL, 30);
	if (print_drops(&ep_stats_module, "ttl") != 0)
		return 3;
	return print_drops(&ep_stats_module, "nonsense") == -ENOENT ? 0 : 4;
}
"""


@needs("cc")
def test_programs(tmp_path: Path) -> None:
    shown = {path.name: path for path in files("api.md", tmp_path) if path.suffix == ".c"}
    assert {"list.c", "rate.c"} <= shown.keys()
    (tmp_path / "ep.yaml").write_text(SCHEMA)
    (tmp_path / "main.c").write_text(MAIN)
    PROJECT.succeed("build", tmp_path / "ep.yaml", "-o", tmp_path / "ep", "--only", "c")
    sources = [shown["rate.c"], shown["list.c"], tmp_path / "main.c", tmp_path / "ep/ep_stats.c"]
    program = tmp_path / "program"
    shared().link(program, Build(flags=QUICK, own_flags=STRICT), sources, [tmp_path / "ep"])
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert [line.split(",")[0] for line in done.stdout.splitlines()] == ["12 packets", "30 packets"]
