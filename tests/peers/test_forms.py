# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of forms of addresses: every form of each architecture runs, and counts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.benchmarks import forms
from tests.pages import picked

X86, ARM = "gcc", "aarch64-linux-gnu-gcc"
RUNS = {X86: (), ARM: ("qemu-aarch64",)}
"""What runs the program of a compiler, before its name."""
CHANGES = {X86: {"", "folded", "apart"}, ARM: {"", "apart"}}


def run(compiler: str, program: Path) -> subprocess.CompletedProcess[str]:
    words = (compiler, *RUNS[compiler])
    if any(shutil.which(word) is None for word in words):
        pytest.skip(f"needs {' and '.join(words)}")
    forms.build(program, compiler)
    command = [*RUNS[compiler], str(program), "3"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("compiler", RUNS)
def test_each_form_is_measured(compiler: str, tmp_path: Path) -> None:
    done = run(compiler, tmp_path / "forms")
    assert done.returncode == 0, done.stderr
    found = forms.parse(done.stdout)
    assert {form.change for form in found.forms} == CHANGES[compiler]
    known = {form.address for form in forms.runs()[0].forms}
    assert {form.address for form in found.forms} <= known
    assert all(form.low <= form.median <= form.high for form in found.forms)
    assert any(form.median > 0 for form in found.forms)


@pytest.mark.parametrize("compiler", RUNS)
def test_a_form_that_counts_elsewhere_fails(
    compiler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, before = forms.SOURCE.read_text("utf-8"), "many.element[n] = &words.all[many.index[n]];"
    assert text.count(before) == 1
    source = tmp_path / "forms.c"
    source.write_text(text.replace(before, "many.element[n] = &other.all[0];").replace(
        "struct instance words;", "struct instance words, other;"), "utf-8")  # fmt: skip
    monkeypatch.setattr(forms, "SOURCE", source)
    done = run(compiler, tmp_path / "forms")
    assert (done.returncode, done.stdout) == (1, "")
    assert " adds were counted, not " in done.stderr


def test_the_table_has_every_form_of_every_processor() -> None:
    table = picked.forms().splitlines()
    runs = forms.runs()
    assert runs and table[0].count("|") == 2 * len(runs) + 2
    for of in runs:
        for form in of.forms:
            (row,) = [line for line in table if line.startswith(f"| {form.address} |")]
            assert f"{form.median:.2f}" in row, form
