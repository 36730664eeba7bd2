# SPDX-License-Identifier: BSD-3-Clause
"""Programs for the kernel with generated counters, and what reads them in user space."""

import functools
import os
import platform
import re
import shutil
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.model.strategies.catalogue import all_strategies
from tests.support import cbuild, process
from tests.support.capabilities import have, have_library

HERE = Path(__file__).parent
ARCH = Path("/usr/include") / f"{platform.machine()}-linux-gnu"
"""Where <asm/types.h> is, which clang does not find for another target."""
CLANG = (
    "clang", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-target", "bpf", "-mcpu=v3",
    f"-I{ARCH}", f"-I{runtimeinfo.path() / 'include'}",
)  # fmt: skip
OWN = ("-O2",)
"""How what reads is compiled; the rest of the library as in other tests."""
KERNEL = runtimeinfo.path() / "include/ctr_bpf.h"
KERNEL_OF = {name: found.kernel for name, found in all_strategies().items() if found.kernel}
"""Strategies for the kernel, and which instances they have there."""
SYNCS = sorted(KERNEL_OF)
PART = runtimeinfo.path() / "src/parts/xdp"

MINIMAL = """
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("xdp") int pass(struct xdp_md *ctx) { (void)ctx; return XDP_PASS; }
char _license[] SEC("license") = "GPL";
"""
"""A program that any kernel with XDP accepts."""


@functools.cache
def reason() -> str:
    """Why nothing can be loaded into the kernel here; empty if it can."""
    if not have("clang", "bpftool") or not have_library("libbpf >= 1.0"):
        return "no clang, bpftool or libbpf-dev: ./dev setup"
    made = cbuild.shared().once("minimal.bpf.o", minimal)
    pinned = Path("/sys/fs/bpf") / f"{made.parent.name}-{os.getpid()}"
    done = process.run("bpftool", "prog", "load", made, pinned)
    if done.returncode == 0:
        pinned.unlink()
    else:
        return f"bpf() is refused: {(done.stderr.strip() or done.stdout).splitlines()[-1]}"
    return ""


def minimal(target: Path) -> None:
    """Compile a program that does nothing."""
    process.succeed(*CLANG, "-x", "c", "-c", "-", "-o", target, input=MINIMAL)


def kept(how: str) -> str:
    """The strategy with such instances in the kernel."""
    return next(name for name in SYNCS if KERNEL_OF[name] == how)


needs_bpf = pytest.mark.skipif(bool(reason()), reason=reason())


def generate(schema: Path, out: Path, *words: str) -> Path:
    """The files of the backend, in `out`."""
    command = ("ctrgen", "build", schema, "--only", "xdp", *words, "-o")
    name = f"xdp-{cbuild.key(schema, schema.read_text('utf-8'), words)}"
    made = cbuild.shared().once(name, lambda target: process.succeed(*command, target))
    return Path(shutil.copytree(made, out, dirs_exist_ok=True))


def compiled(source: Path, out: Path, planted: tuple[str, str] | None = None) -> Path:
    """A program for the kernel that includes what is generated in `out`; with a text of the
    runtime's header, and what is `planted` in its place."""
    if planted:
        text = KERNEL.read_text("utf-8")
        assert planted[0] in text
        (out / KERNEL.name).write_text(text.replace(*planted), "utf-8")
    headers = [path.read_text("utf-8") for path in sorted(out.glob("*.h"))]
    made = cbuild.shared().once(
        f"{source.stem}-{cbuild.key(source, *headers)}.bpf.o",
        lambda target: process.succeed(*CLANG, f"-I{out}", "-c", source, "-o", target),
    )
    return Path(shutil.copy(made, out / f"{source.stem}.o"))


def reader(source: Path, out: Path, planted: tuple[str, str] | None = None) -> Path:
    """A program for user space that reads with what is generated in `out`; with a text of the
    library's part, and what is `planted` in its place."""
    target = out / source.stem
    names = {*re.findall(r"\b__wrap_(\w+)\(", source.read_text("utf-8"))}
    wrapped = tuple(f"-Wl,--wrap={name}" for name in sorted(names))
    build = cbuild.Build(flags=cbuild.QUICK, own_flags=OWN, parts=("xdp",), link=wrapped)
    own = [source, *sorted(out.glob("*_stats_xdp.c"))]
    if planted:
        texts = {path.name: path.read_text("utf-8") for path in PART.iterdir()}
        assert any(planted[0] in text for text in texts.values())
        part = out / cbuild.key(*planted)  # objects are known by their paths
        part.mkdir()
        for name, text in texts.items():
            (part / name).write_text(text.replace(*planted), "utf-8")
        build = build.but(parts=(), link=(*wrapped, "-lbpf"))
        own += [part / name for name in texts if name.endswith(".c")]
    cbuild.shared().link(target, build, own, [out, source.parent])
    return target
