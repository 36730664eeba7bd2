# SPDX-License-Identifier: BSD-3-Clause
"""Corrupt segments: an error or values, never a crash, a hang or memory without bound."""

import itertools
import os
import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.tools.live import directory
from ctrgen.tools.live.model import LiveError
from ctrgen.tools.live.segment import Segment
from tests.segment.lab import Application, application, peek
from tests.support.cbuild import SANITIZED, Workshop, figures
from tests.support.process import run

LAYOUT = 24
"""Where the sum of the directory is."""


@pytest.fixture(scope="session")
def whole(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an application that has ended."""
    path = tmp_path_factory.mktemp("corrupt") / "whole.seg"
    app = Application(application(workshop), path)
    app.do("final")
    assert app.end() == 0
    return path


def read_all(path: Path) -> int:
    """Read everything that there is, up to some instances; how many were read."""
    source = Segment(path, dead=True)
    count = 0
    for module in source.modules():
        for scope in module.scopes:
            count += sum(1 for _ in itertools.islice(source.read(module, scope), 3000))
    return count


def summed(data: bytearray) -> bytearray:
    """With a sum of the directory that fits, as one has it who writes a segment."""
    at, size = struct.unpack_from("=II", data, 64)
    if at % 8 == 0 and size % 8 == 0 and at + size <= len(data):
        struct.pack_into("=Q", data, LAYOUT, directory._hash(bytes(data[at : at + size])))
    return data


def test_the_whole_is_read(whole: Path) -> None:
    assert read_all(whole) == 1 + 4 + 2 + 6 + 3 + 600 + 1


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    changes=st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True),
            st.sampled_from((1, 4, 8)),
            st.one_of(st.integers(0, 255), st.sampled_from((2**31, 2**32 - 1, 2**64 - 1, 2**63))),
        ),
        max_size=3,
    ),
    cut=st.one_of(st.none(), st.floats(0, 1)),
    fits=st.booleans(),
)
def test_python_reads_anything(
    whole: Path,
    tmp_path: Path,
    changes: list[tuple[float, int, int]],
    cut: float | None,
    fits: bool,
) -> None:
    data = bytearray(whole.read_bytes())
    used = sum(struct.unpack_from("=II", data, 64))
    for place, size, value in changes:
        at = int(place * used) // size * size
        data[at : at + size] = (value % 2 ** (8 * size)).to_bytes(size, "little")
    if fits:
        summed(data)
    if cut is not None:
        del data[int(cut * len(data)) :]
    (tmp_path / "changed").write_bytes(data)
    try:
        assert read_all(tmp_path / "changed") <= 5 * 3000
    except LiveError as error:
        assert str(error).startswith(str(tmp_path / "changed"))


def test_c_reads_anything(workshop: Workshop, whole: Path) -> None:
    done = run(peek(workshop, flags=SANITIZED), "fuzz", whole, "2000")
    assert done.returncode == 0, done.stderr
    assert figures(done.stderr)["opened"] > 100


def displays(path: Path, value: int) -> None:
    """Have what people see instead of the last name be at another place."""
    data = bytearray(path.read_bytes())
    start, tables = struct.unpack_from("=I", data, 64)[0], struct.unpack_from("=20I", data, 72)
    at, count = start + tables[10], tables[11]
    label = next(
        n for n in reversed(range(count)) if struct.unpack_from("=I", data, at + 8 * n + 4)[0] > 99
    )
    struct.pack_into("=I", data, at + 8 * label + 4, value)
    path.write_bytes(summed(data))


@pytest.mark.parametrize("value", [2**31, 2**32 - 1])
def test_texts_that_are_elsewhere(
    workshop: Workshop, whole: Path, tmp_path: Path, value: int
) -> None:
    (tmp_path / "bad").write_bytes(whole.read_bytes())
    displays(tmp_path / "bad", value)
    with pytest.raises(LiveError, match="a text is not in it"):
        read_all(tmp_path / "bad")
    done = run(peek(workshop, flags=SANITIZED), "dump", tmp_path / "bad")
    assert done.returncode == 0 and int(done.stdout) < 0


def test_cut_short_while_it_is_read(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut"
    path.write_bytes(whole.read_bytes())
    source = Segment(path, dead=True)
    (module,) = source.modules()
    rows = source.read(module, module.scopes[5])
    next(rows)
    os.truncate(path, 4096)
    with pytest.raises(LiveError, match="cut short"):
        list(source.read(module, module.scopes[1]))


def test_a_sparse_file_that_says_it_is_huge(tmp_path: Path) -> None:
    header = struct.pack("=8sII", directory.MAGIC, directory.VERSION, directory.BYTE_ORDER)
    with (tmp_path / "huge").open("wb") as file:
        file.write(header + struct.pack("=QQQQQQII", 1 << 36, 0, 0, 0, 0, 0, 176, 1 << 31))
        file.write(bytes(104))
        file.truncate(1 << 36)
    with pytest.raises(LiveError, match="its directory is not in it"):
        read_all(tmp_path / "huge")


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (0, b"x", "this is no segment of ctrgen"),
        (8, struct.pack("=I", 4), "format 4 and this ctrgen reads 3"),
        (12, struct.pack(">I", directory.BYTE_ORDER), "another byte order"),
        (16, struct.pack("=Q", 99), "bytes and says 99"),
        (200, b"\xff\xff", "not what was written"),
    ],
)
def test_what_is_wrong(whole: Path, tmp_path: Path, at: int, value: bytes, message: str) -> None:
    data = bytearray(whole.read_bytes())
    data[at : at + len(value)] = value
    (tmp_path / "bad").write_bytes(data)
    with pytest.raises(LiveError, match=message):
        read_all(tmp_path / "bad")
