# SPDX-License-Identifier: BSD-3-Clause
"""All examples of DPDK: those that count get a proposal that counts, the others none."""

import shutil
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.adopt.counting import counted, items
from tests.adopt.examples import COUNTING, folders, proposed
from tests.cocci.test_cocci import patched
from tests.support.capabilities import needs, needs_dpdk
from tests.support.process import succeed

pytestmark = [pytest.mark.slow, pytest.mark.deep, needs("cc")]


@pytest.mark.parametrize("name", COUNTING)
def test_what_an_example_counts_is_proposed_and_counts(
    examples: Path, name: str, tmp_path: Path
) -> None:
    if name not in folders(examples):
        pytest.skip("not in this version of DPDK")
    schema = proposed(folders(examples)[name])
    assert {scope: len(names) for scope, names in items(schema).items()} == COUNTING[name]
    assert counted(schema, tmp_path) == sum(COUNTING[name].values())


def test_examples_that_count_nothing_get_no_proposal(examples: Path) -> None:
    others = {name: files for name, files in folders(examples).items() if name not in COUNTING}
    assert len(others) > 15
    assert {name: proposed(files) for name, files in others.items()} == dict.fromkeys(others, "")


PATCHED = {
    "l2fwd": ("main.c",),
    "l2fwd-event": ("l2fwd_common.h", "l2fwd_event.c", "l2fwd_poll.c", "main.c"),
    "dma": ("dmafwd.c",), "ntb": ("ntb_fwd.c",), "distributor": ("main.c",),
    "vhost": ("main.h", "main.c", "virtio_net.c"), "l3fwd-power": ("main.c",),
    "packet_ordering": ("main.c",),
}  # fmt: skip
"""Those of docs/migrating.md, and the files with their counters."""


@pytest.mark.dpdk
@needs_dpdk
@needs("spatch")
@pytest.mark.parametrize("name", PATCHED)
def test_what_patches_leave_compiles(examples: Path, name: str, tmp_path: Path) -> None:
    """With the generated header and the old declarations."""
    folder = Path(shutil.copytree(examples / name, tmp_path / name))
    done = patched(folder, *PATCHED[name])
    assert "lines changed" in done.stdout and done.returncode in (0, 1), done.stderr
    succeed("ctrgen", "build", "app.yaml", "-o", "out", "--only", "c", cwd=folder)
    sources = [file for file in PATCHED[name] if file.endswith(".c")]
    flags = ("-fsyntax-only", "-Iout", "-include", "app_stats.h", *runtimeinfo.cflags("dpdk"))
    succeed("gcc", f"-I{examples}/common", *flags, *sources, cwd=folder)
