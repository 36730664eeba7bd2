# SPDX-License-Identifier: BSD-3-Clause
"""Applications that take too long, end, or do not publish: they are reported as what they are, and
no other application is affected."""

import os
import resource
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Instance, Limits, LiveError, Module, Scope, Source, in_time
from ctrgen.tools.live.targets import MOST_GONE, Targets
from tests.live.made import Made, collected, usual

Up = dict[str, float]


def scraped(made: Applications, name: str = "ctrgen_application_up") -> Up:
    """The samples of a metric about applications, by application."""
    (metric,) = (metric for metric in collected(made) if metric.name == name)
    return {sample.labels["application"]: sample.value for sample in metric.samples}


class Slow(Made):
    """An application whose instances are read as slowly as can be, and a thousand times."""

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        for _ in range(1000):
            in_time()
            time.sleep(0.01)
            yield from super().read(module, scope)


def test_one_that_takes_too_long() -> None:
    """It is late, and others are read; its deadline is not theirs."""
    sources: list[tuple[str, Source]] = [("bad", Slow()), ("good", usual())]
    made = Applications(lambda: sources, limits=Limits(seconds=0.2))
    for _ in range(2):
        assert scraped(made) == {"bad": 0, "good": 1}
        assert scraped(made, "ctrgen_application_late") == {"bad": 1}
    in_time()


def look_at_its_end(path: Path, word: Path) -> None:
    """Of an application that is corrupt, and whose file is removed."""
    path.write_bytes(b"ctrgen\n\0")
    with Targets([str(word)]) as targets:
        made = Applications(targets.found)
        assert scraped(made) == {"app": 0}
        path.unlink()
        for _ in range(3):
            assert scraped(made) == {"app": 0}, "it is gone"


def test_what_was_seen_and_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ctrgen_application_up` is 0 as long as the exporter runs, also of those in a folder."""
    look_at_its_end(tmp_path / "app.seg", tmp_path / "app.seg")
    look_at_its_end(tmp_path / "app.seg", tmp_path)
    with Targets([str(tmp_path)]) as later:
        assert scraped(Applications(later.found)) == {}
    monkeypatch.setattr(Targets, "_gone", lambda targets, here: [])  # planted
    with pytest.raises(AssertionError, match="it is gone"):
        look_at_its_end(tmp_path / "app.seg", tmp_path)


def test_a_segment_that_has_another_name_is_not_gone(tmp_path: Path) -> None:
    """It is made under a name of its own and renamed when it is complete. A FIFO is none."""
    os.mkfifo(tmp_path / "fifo")
    segment = tmp_path / "app.seg.aB3xYz"
    segment.write_bytes(b"ctrgen\n\0")
    with Targets([str(tmp_path)]) as targets:
        assert [name for name, _ in targets.found()] == ["app.seg"]
        segment.rename(tmp_path / "app.seg")
        assert [name for name, _ in targets.found()] == ["app"]


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For want of permissions or descriptors, or as it was just removed: others are read, and those
    of the folder that are open stay. It is no application once it can be listed."""

    def refuse(path: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "app.seg").write_bytes(b"ctrgen\n\0")
    long = "a" * 300
    with Targets([str(tmp_path / long), str(tmp_path)]) as targets:
        assert scraped(Applications(targets.found)) == {long: 0, "app": 0}
        monkeypatch.setattr(Path, "iterdir", refuse)
        assert scraped(Applications(targets.found)) == {long: 0, tmp_path.name: 0, "app": 0}
        monkeypatch.undo()
        assert scraped(Applications(targets.found)) == {long: 0, "app": 0}


def test_descriptors_are_left_for_clients(tmp_path: Path) -> None:
    """Segments do not take the last ones, so folders are listed and scrapers are served. Errors
    that are kept take none."""
    path = tmp_path / "app.seg"
    path.write_bytes(b"ctrgen\n\0")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    with path.open() as free, Targets([str(path)]) as targets:
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
        (_, source), *_ = targets.found()
        kept, used = [], len(list(Path("/proc/self/fd").iterdir()))
        try:
            for more, error in ((9, "Too many open files"), (99, "no segment of ctrgen")):
                resource.setrlimit(resource.RLIMIT_NOFILE, (free.fileno() + more, before[1]))
                with pytest.raises(LiveError, match=error) as caught:
                    source.modules()
                kept.append(caught.value)
                assert len(list(Path("/proc/self/fd").iterdir())) == used, kept
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_limit_of_descriptors_that_cannot_be_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hard limit is above fs.nr_open."""

    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    with Targets(["/nowhere"]) as targets:
        assert [name for name, _ in targets.found()] == ["nowhere"]


def test_those_that_are_gone_are_bounded(tmp_path: Path) -> None:
    with Targets([str(tmp_path)]) as targets:
        for number in range(MOST_GONE + 9):
            path = tmp_path / f"{number}.seg"
            path.write_bytes(b"ctrgen\n\0")
            list(targets.found())
            path.unlink()
        names = [name for name, _ in targets.found()]
    assert names == [str(number) for number in range(9, MOST_GONE + 9)], "the latest"


def test_names_are_unique(tmp_path: Path) -> None:
    """Series of the same name and labels are no exposition."""
    paths = [tmp_path / name / "app.seg" for name in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_bytes(b"ctrgen\n\0")
    with Targets([str(path.parent) for path in paths]) as targets:
        assert [name for name, _ in targets.found()] == ["a/app", "b/app"]


def test_one_that_is_stale() -> None:
    """It has counters and hangs; it is down, and its age is there."""
    for seconds, up in ((0, 1), (59, 1), (61, 0), (2**31, 0)):
        made = Applications(lambda seconds=seconds: [("a", Made(published=seconds))])  # type: ignore[misc]
        assert scraped(made) == {"a": up}
        assert scraped(made, "ctrgen_published_age_seconds") == {"a": seconds}
