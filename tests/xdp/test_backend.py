# SPDX-License-Identifier: BSD-3-Clause
"""What the backend writes, without a kernel: names of maps, and what it refuses."""

import re
from pathlib import Path

import pytest

from tests.packaging.ports import runtime_copy
from tests.support import process
from tests.support.capabilities import COMPILERS, have_library, needs
from tests.support.cbuild import WARNINGS
from tests.support.strategies import LOCKING, SHARED, USUAL
from tests.xdp import lab

SCHEMA = (lab.HERE / "equal.yaml").read_text("utf-8")
CHANGES = {
    "a name": (
        "      pkts: {unit: packets, description: Packets.}",
        "      datagrams: {unit: packets}",
    ),
    "a width": ("small: {unit: packets, width: 32", "small: {unit: packets, width: 64"),
    "a range": ("max: 4294967295", "max: 4294967294"),
    "a kind": ("keep: minimum, description: Octets", "description: Octets"),
    "a label": ("[crc, ttl]", "[crc, mtu]"),
    "an order of labels": ("[in, out]", "[out, in]"),
    "a value of a label": ("busy: 2", "busy: 3"),
    "a bound": ("1518", "1519"),
    "a number": ("max: 70", "max: 71"),
    "a strategy": (f"sync: {SHARED}", f"sync: {USUAL}"),
    "a key": ("{name: address, type: ipv4", "{name: address, type: uint32"),
    "a storage": ("    storage: dynamic\n", ""),
}
"""What decides the meaning of a map."""


def digest(folder: Path, text: str) -> str:
    """The digest in the name of the map that both sides share."""
    folder.mkdir()
    (folder / "eq.yaml").write_text(text, "utf-8")
    lab.generate(folder / "eq.yaml", folder / "out")
    names = [
        re.search(r'"\.data\.eq_stats_([0-9a-f]{8})"', (folder / "out" / name).read_text("utf-8"))
        for name in ("eq_stats.bpf.h", "eq_stats_xdp.c")
    ]
    assert names[0] and names[1] and names[0][1] == names[1][1]
    return names[0][1]


def test_the_digest_is_of_all_that_decides_the_meaning(tmp_path: Path) -> None:
    """Each change gives another digest; that of a description, of which no word is stored, none."""
    before, after = "Packets of the port.", "Packets that passed."
    text = re.sub(r"(?s)^updates:.*", "", SCHEMA, flags=re.MULTILINE)
    found = {"": digest(tmp_path / "same", text)}
    for name, (old, new) in CHANGES.items():
        assert old in text, name
        changed = text.replace(old, new, 1)
        if name == "a name":
            changed = changed.replace("{unit: packets}", "{unit: packets, description: Packets.}")
        found[name] = digest(tmp_path / name.replace(" ", "-"), changed)
    assert len({*found.values()}) == len(found), found
    assert digest(tmp_path / "described", text.replace(before, after)) == found[""]


def test_what_is_refused_has_a_position_with_only(tmp_path: Path) -> None:
    """`--only` selects the backend for a schema that does not ask for it."""
    schema = tmp_path / "eq.yaml"
    schema.write_text(SCHEMA.replace(f"sync: {SHARED}", f"sync: {LOCKING}"), "utf-8")
    done = process.run("ctrgen", "build", schema, "-o", tmp_path / "out", "--only", "xdp")
    assert done.returncode == 1
    assert (
        "eq.yaml:33:11: error[xdp-strategy]: the kernel cannot count 'port'"
        in done.stdout + done.stderr
    )
    assert f"hint: use '{SHARED}'" in done.stdout + done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("compiler", COMPILERS)
def test_user_space_compiles_without_warnings(compiler: str, tmp_path: Path) -> None:
    """The header and the source for user space."""
    out = lab.generate(lab.HERE / "equal.yaml", tmp_path / "out")
    flags = process.succeed("ctrgen", "runtime", "--port", "posix", "--cflags").split()
    source = out / "eq_stats_xdp.c"
    process.succeed(compiler, "-std=gnu11", "-fsyntax-only", *WARNINGS, *flags, f"-I{out}", source)


@pytest.mark.slow
@needs("meson", "pkg-config")
@pytest.mark.skipif(not have_library("libbpf >= 1.0"), reason="no libbpf-dev: ./dev setup")
def test_meson_installs_the_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its headers for both sides, and what a program links with."""
    source, prefix = runtime_copy(tmp_path), tmp_path / "prefix"
    words = ("-Dwith=xdp", f"--prefix={prefix}", "--libdir=lib")
    process.succeed("meson", "setup", "build", *words, cwd=source)
    process.succeed("meson", "install", "-C", "build", cwd=source)
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    out = lab.generate(lab.HERE / "equal.yaml", tmp_path / "out")
    main = out / "main.c"
    main.write_text(
        '#include "eq_stats_xdp.h"\nint main(void) { return eq_stats_init() != -ENODEV; }'
    )
    flags = process.succeed("pkg-config", "--cflags", "--libs", "ctr-runtime-xdp-posix").split()
    made = out / "main"
    process.succeed("gcc", main, out / "eq_stats_xdp.c", f"-I{out}", *flags, "-o", made)
    process.succeed(made, env={"LD_LIBRARY_PATH": str(prefix / "lib")})
    assert (prefix / "include/ctr-runtime/ctr_bpf.h").exists()
