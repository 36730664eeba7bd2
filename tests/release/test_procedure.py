# SPDX-License-Identifier: BSD-3-Clause
"""What `./dev release` checks, builds, compares and signs, and what it refuses."""

import datetime
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.release import __main__ as release
from tests.release import agree, builds, debs, signing
from tests.release.agree import RefusedError
from tests.support.capabilities import needs
from tests.support.paths import ROOT
from tests.support.planted import Edit, copy_of
from tests.support.process import git, run, succeed

# ---- versions ----


def test_every_place_says_the_same_version() -> None:
    assert agree.disagreements(ROOT) == []
    assert agree.generated(ROOT) == {agree.version(ROOT)}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The files that name the version, with changes that are in none."""
    root = tmp_path / "project"
    for name in ("CHANGELOG.md", *(place.path for place in agree.PLACES)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    log = root / "CHANGELOG.md"
    text = log.read_text("utf-8")
    first = re.search(r"^## \[", text, re.MULTILINE)
    assert first is not None
    if not agree.pending(root):
        section = f"{agree.UNRELEASED}\n\n### Added\n\n- Something.\n\n"
        log.write_text(text[: first.start()] + section + text[first.start() :], "utf-8")
    return root


def test_one_command_sets_the_version_everywhere(project: Path) -> None:
    agree.write(project, "7.8.9", "2031-02-03")
    assert agree.disagreements(project) == [] and not agree.pending(project)
    assert agree.changelog(project)[0] == ("7.8.9", "2031-02-03")
    assert {place.said(project) for place in agree.PLACES} == {"7.8.9"}
    with pytest.raises(RefusedError, match="nothing under"):
        agree.write(project, "7.9.0", "2031-02-03")


@pytest.mark.parametrize(
    ("version", "says"), [("7.8", "three numbers"), ("0.1.0", "section of 0.1.0 already")]
)
def test_a_version_that_is_none_or_not_new_is_refused(
    project: Path, version: str, says: str
) -> None:
    with pytest.raises(RefusedError, match=says):
        agree.write(project, version, "2031-02-03")


@pytest.mark.parametrize("place", agree.PLACES[1:], ids=lambda place: place.path)
def test_another_version_is_found(project: Path, place: agree.Place) -> None:
    place.write(project, "0.0.9")
    wanted = f"{place.path} says 0.0.9, and generator/__init__.py says {agree.version(project)}"
    assert agree.disagreements(project) == [wanted]


def test_another_date_or_section_is_found(project: Path) -> None:
    citation, log = project / "CITATION.cff", project / "CHANGELOG.md"
    citation.write_text(agree.DATED.sub("date-released: 2001-01-01", citation.read_text("utf-8")))
    assert "date-released is 2001-01-01" in agree.disagreements(project)[0]
    log.write_text("# Changelog\n", "utf-8")
    assert "no section" in agree.disagreements(project)[0]


def test_how_to_cite_is_well_formed() -> None:
    """The keys that the Citation File Format 1.2.0 demands, with their types."""
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert said["cff-version"] == "1.2.0" and said["type"] == "software"
    assert said["authors"] == [{"name": "The ctrgen authors"}]
    assert said["license"] == "BSD-3-Clause" and isinstance(said["date-released"], datetime.date)
    texts = ("message", "title", "version", "abstract")
    assert all(isinstance(said[key], str) and said[key] for key in texts)
    assert "Copyright (c) 2026 The ctrgen authors" in (ROOT / "LICENSE").read_text("utf-8")


# ---- what is refused ----


@pytest.fixture
def clone(project: Path) -> Path:
    """The same, ready to be released."""
    agree.write(project, "7.8.9", "2031-02-03")
    (project / "tests" / "release" / "v7.8.9").mkdir(parents=True)
    (project / "tests" / "release" / "v7.8.9" / "abi.txt").write_text("")
    git(project, "init", "-q")
    git(project, "add", ".")
    git(project, "commit", "-qm", "All")
    assert release.ready(project) == "7.8.9"
    return project


def test_a_checkout_that_is_changed_is_refused(clone: Path) -> None:
    (clone / "more").write_text("")
    with pytest.raises(RefusedError, match="1 files differ from the last commit, more first"):
        release.ready(clone)


def test_changes_without_a_version_are_refused(clone: Path) -> None:
    log = clone / "CHANGELOG.md"
    log.write_text(f"{agree.UNRELEASED}\n\n- One more.\n\n{log.read_text('utf-8')}", "utf-8")
    git(clone, "commit", "-qam", "More")
    with pytest.raises(RefusedError, match=r"give them a version, \./dev release --set"):
        release.ready(clone)


def test_a_version_without_its_section_is_refused(clone: Path) -> None:
    for place in agree.PLACES:
        place.write(clone, "7.9.0")
    git(clone, "commit", "-qam", "Version")
    with pytest.raises(RefusedError, match=re.escape("no section '## [7.9.0] - DATE' first")):
        release.ready(clone)


def test_a_version_that_is_not_recorded_is_refused(clone: Path) -> None:
    git(clone, "rm", "-rq", "tests")
    git(clone, "commit", "-qm", "Gone")
    with pytest.raises(RefusedError, match=r"run \./dev release --record"):
        release.ready(clone)


def test_a_version_is_released_once(clone: Path) -> None:
    git(clone, "tag", "v7.8.9")
    assert release.ready(clone) == "7.8.9"
    git(clone, "commit", "-q", "--allow-empty", "-m", "One more")
    with pytest.raises(RefusedError, match=r"v7\.8\.9 is the tag of another commit"):
        release.ready(clone)


def test_a_refusal_is_a_sentence(clone: Path) -> None:
    copy_of(ROOT / "tests" / "release", clone / "tests" / "release", "v*")
    done = run(sys.executable, "-m", "tests.release", cwd=clone)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert done.stderr.startswith("release: refused: ")


# ---- builds ----

LEFT_OUT = (".*", "dist", "docs", "generated", "tests")


def built_twice(folder: Path, edit: Edit | None = None) -> str:
    """How two builds of the project differ, with a bug or without."""
    source = copy_of(ROOT, folder / "source", *LEFT_OUT)
    if edit is not None:
        path = source / edit.path
        path.write_text(edit.applied(path.read_text("utf-8")), "utf-8")

    def check_out(to: Path, umask: int) -> None:
        shutil.copytree(source, to)
        for path in to.rglob("*"):
            path.chmod(path.stat().st_mode & ~umask)

    made, wrong = builds.twice(sys.executable, folder, check_out, 1_750_000_000)
    version = agree.version(ROOT)
    assert [path.name for path in made] == [
        f"ctrgen-{version}-py3-none-any.whl", f"ctrgen-{version}.tar.gz"
    ]  # fmt: skip
    return wrong


@pytest.mark.slow
def test_two_builds_are_the_same_bytes(tmp_path: Path) -> None:
    assert built_twice(tmp_path) == ""


UNREPRODUCIBLE = {
    "modes of the checkout": (
        Edit("setup.py", "entry.mode, entry.mtime = mode(path), moment", "entry.mtime = moment"),
        r"ctrgen-[\d.]+\.tar\.gz: ctrgen-[\d.]+(/\S+)?: mode 0o\d+, in the other 0o\d+",
    ),
    "times of files": (
        Edit("setup.py", "entry.mode, entry.mtime = mode(path), moment", "entry.mode = mode(path)"),
        r"ctrgen-[\d.]+\.tar\.gz: ctrgen-[\d.]+\S*: time [\d.]+, in the other [\d.]+",
    ),
    "the time of the archive": (
        Edit("setup.py", "fileobj=raw, mtime=moment", "fileobj=raw, mtime=time.time_ns() % 2**32"),
        r"ctrgen-[\d.]+\.tar\.gz: the same members, packed otherwise",
    ),
    "modes in the wheel": (
        Edit("setup.py", "        set_modes(distinfo_path)\n", ""),
        r"ctrgen-[\d.]+-py3-none-any\.whl: \S+/LICENSE: mode 0o100644, in the other 0o100600",
    ),
}


@pytest.mark.slow
@pytest.mark.deep
@pytest.mark.parametrize("bug", UNREPRODUCIBLE)
def test_builds_that_differ_are_told_apart(bug: str, tmp_path: Path) -> None:
    edit, says = UNREPRODUCIBLE[bug]
    assert re.match(says, built_twice(tmp_path, edit))


# ---- Debian packages ----


def test_every_override_of_lintian_has_its_reason(tmp_path: Path) -> None:
    assert debs.unreasoned(ROOT / ".ci" / "debian") == []
    (tmp_path / "p.lintian-overrides").write_text("# SPDX-License-Identifier: X\np: some-tag\n")
    assert debs.unreasoned(tmp_path) == ["p.lintian-overrides: p: some-tag"]


# ---- sums and signatures ----


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    """Two files with their sums."""
    folder = tmp_path / "dist"
    folder.mkdir()
    for name in ("b.whl", "a.tar.gz"):
        (folder / name).write_text(name)
    signing.sums(folder, sorted(folder.iterdir()))
    return folder


def key(folder: Path, name: str) -> Path:
    """A key to be thrown away."""
    succeed("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", folder / name)
    return folder / name


@needs("sha256sum")
def test_sums_are_those_of_sha256sum(dist: Path) -> None:
    assert succeed("sha256sum", "-c", signing.SUMS, cwd=dist).split() == [
        "a.tar.gz:", "OK", "b.whl:", "OK"
    ]  # fmt: skip
    (dist / "b.whl").write_text("other")
    succeed("sha256sum", "-c", signing.SUMS, cwd=dist, fails=True)


VERIFY = (ROOT / "docs" / "evolution.md").read_text("utf-8")


@needs("ssh-keygen")
def test_a_signature_verifies_as_the_page_says(dist: Path, tmp_path: Path) -> None:
    signing.sign(dist, key(tmp_path, "key"))
    (line,) = [line.strip() for line in VERIFY.splitlines() if "ssh-keygen -Y verify" in line]
    succeed("sh", "-c", line, cwd=dist)
    sums = dist / signing.SUMS
    sums.write_text(sums.read_text().replace("a.tar", "c.tar"))
    succeed("sh", "-c", line, cwd=dist, fails=True)


@needs("ssh-keygen")
def test_another_key_or_none_does_not_verify(dist: Path, tmp_path: Path) -> None:
    signing.sign(dist, key(tmp_path, "key"))
    other = tmp_path / "others"
    other.write_text(signing.signer(key(tmp_path, "other")), "utf-8")
    with pytest.raises(RefusedError, match=r"SHA256SUMS\.sig is not of SHA256SUMS by a key"):
        signing.verify(dist, other)
    with pytest.raises(RefusedError, match="takes an SSH key with its public part"):
        signing.sign(dist, tmp_path / "nowhere")


def test_what_asks_for_help_is_told() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.release", "--help"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert "--key" in done.stdout and "--record" in done.stdout
