# SPDX-License-Identifier: BSD-3-Clause
"""Where the version is written, and whether all places say the same.

Nothing here needs more than Python itself: `./dev release` runs it before anything is installed.
"""

import re
from dataclasses import dataclass
from pathlib import Path


class RefusedError(Exception):
    """Why nothing is released, in a sentence that says what to do."""


@dataclass(frozen=True)
class Place:
    """A file that names the version: the text before it and the text behind it."""

    path: str
    before: str
    behind: str = '"'

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds the version, as group 1."""
        before, behind = re.escape(self.before), re.escape(self.behind)
        return re.compile(rf"^{before}(\d+\.\d+\.\d+){behind}$", re.MULTILINE)

    def said(self, root: Path) -> str:
        """The version in the file. Raises RefusedError where there is none."""
        found = self.pattern.search((root / self.path).read_text("utf-8"))
        if found is None:
            raise RefusedError(f"{self.path} has no line '{self.before}X.Y.Z{self.behind}'")
        return found[1]

    def write(self, root: Path, version: str) -> None:
        """Put another version there."""
        self.said(root)
        path = root / self.path
        line = f"{self.before}{version}{self.behind}"
        text = self.pattern.sub(lambda _: line, path.read_text("utf-8"))
        path.write_text(text, "utf-8")


FIRST = Place("generator/__init__.py", '__version__ = "')
PLACES = (
    FIRST,
    Place("runtime/meson.build", "  version: '", "',"),
    Place("runtime/cmake/ctrgenConfigVersion.cmake", 'set(PACKAGE_VERSION "', '")'),
    Place("CITATION.cff", "version: ", ""),
    Place("docs/guide.md", "    rev: v", ""),
)
"""All of them but CHANGELOG.md. What is generated has it from the first."""

HEADING = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)
UNRELEASED = "## [Unreleased]"
DATED = re.compile(r"^date-released: '?(\d{4}-\d\d-\d\d)'?$", re.MULTILINE)
GENERATED = re.compile(r"\bctrgen (\d+\.\d+\.\d+)\b")


def version(root: Path) -> str:
    """The version of a checkout."""
    return FIRST.said(root)


def changelog(root: Path) -> list[tuple[str, str]]:
    """Versions and dates of the sections of CHANGELOG.md, the newest first."""
    return HEADING.findall((root / "CHANGELOG.md").read_text("utf-8"))


def generated(root: Path) -> set[str]:
    """The versions that files in generated/ say they were made by."""
    heads = (path.open(encoding="utf-8").read(2000) for path in root.glob("generated/*/*.h"))
    return {found for head in heads for found in GENERATED.findall(head)}


def disagreements(root: Path) -> list[str]:
    """What says another version than generator/__init__.py, a sentence each."""
    wanted = version(root)
    wrong = [
        f"{place.path} says {place.said(root)}, and generator/__init__.py says {wanted}"
        for place in PLACES
        if place.said(root) != wanted
    ]
    sections = changelog(root)
    if not sections or sections[0][0] != wanted:
        newest = f"the newest is {sections[0][0]}" if sections else "there is none"
        wrong.append(f"CHANGELOG.md has no section '## [{wanted}] - DATE' first: {newest}")
    else:
        dated = DATED.search((root / "CITATION.cff").read_text("utf-8"))
        if dated is None or dated[1] != sections[0][1]:
            said = dated[1] if dated else "nothing"
            wrong.append(f"CITATION.cff: date-released is {said}, CHANGELOG.md: {sections[0][1]}")
    others = sorted(generated(root) - {wanted})
    if others:
        wrong.append(f"generated/ is of version {others[0]}: run ./dev golden")
    return wrong


def pending(root: Path) -> bool:
    """Whether CHANGELOG.md has changes that are in no version."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    section = re.split(r"^## ", text.partition(UNRELEASED)[2], maxsplit=1, flags=re.MULTILINE)[0]
    return "\n- " in section


def write(root: Path, new: str, date: str) -> None:
    """Set the version in every place, and head the changes that are in none with it.

    Raises RefusedError where there is nothing to release, or the version is no new one.
    """
    if re.fullmatch(r"\d+\.\d+\.\d+", new) is None:
        raise RefusedError(f"'{new}' is no version: write three numbers, such as 0.2.0")
    if not pending(root):
        raise RefusedError(f"CHANGELOG.md has nothing under '{UNRELEASED}' to release")
    if new in [one for one, _ in changelog(root)]:
        raise RefusedError(f"CHANGELOG.md has a section of {new} already: take the next version")
    for place in PLACES:
        place.write(root, new)
    log, citation = root / "CHANGELOG.md", root / "CITATION.cff"
    heading = f"## [{new}] - {date}"
    log.write_text(log.read_text("utf-8").replace(UNRELEASED, heading, 1), "utf-8")
    text = citation.read_text("utf-8")
    if DATED.search(text) is None:
        raise RefusedError("CITATION.cff has no line 'date-released: YYYY-MM-DD'")
    citation.write_text(DATED.sub(f"date-released: {date}", text), "utf-8")
