# SPDX-License-Identifier: BSD-3-Clause
"""Words that the field does not use, in pages, comments, messages and help texts.

`python -m tests.lint.words [FILE ..]` prints each as `path:line: words -> better ones`, and ends
with 1 if there is any. Names and code are not read: only Markdown outside of code, docstrings,
comments, and strings of several words. A line with `wording: ok` in it may have them.
"""

import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.support.paths import ROOT

WORDS = {
    r"anew": "again, from zero, reinitialise",
    r"beside": "next to, concurrently with, compared with, in addition to",
    r"(un)?told": "notified, reported, declared",
    r"said": "declared, specified, reported",
    r"says? (so|why)": "reports, states why",
    r"(is|are|was|were) gone": "was destroyed, freed, removed; has exited",
    r"nobody|somebody|whoever": "no thread, another thread, the thread that",
    r"(of|for|by|with|than|from|to) who [a-z]+s?": "of the thread that, for the consumer",
    r"what (an?|each|the|one|no) (lcore|thread|copy|word|reader|process|module)s? "
    r"(has|have|holds?|held|had)": "contents of, contribution of",
    r"what (became|becomes) of": "result of",
    r"of one (moment|life|period)": "mutually consistent; of one generation, one reset epoch",
    r"(former|next|one|that|its|each|new|several) li(fe|ves)|lives of": "generation (of an index)",
    r"(since|notes?) (a|that|the|its) moment|(at|of) (some|several|one) moments?": "point in time",
    r"settl(e|es|ed|ing)": "reclaim, drain",
    r"out of (use|sight)|lets? go of": "retired, unlinked, released",
    r"in the middle of (an|its|their) updates?": "while an update is in progress",
    r"h(o|e)ld(s|ing)? back": "buffer, defer; pending",
    r"holds? up": "blocks, delays",
    r"(take|takes|took|taking) part": "is online",
    r"on (its|their) way|under way": "in flight; in progress",
    r"g(i|a)ven?s? (back|away)": "free, release, return; assign",
    r"mend(s|ed|ing)?": "repair, reinitialise",
    r"ledgers?": "control block",
    r"foreign (slot|thread|lock|word)s?": "non-lcore thread",
    r"meanwhile": "concurrently, until then",
    r"in turns": "interleaved",
    r"seldom|as ever|in vain": "rarely; as usual; without success",
    r"lets|by which": "allows; with which",
    r"but for": "except for",
    r"pass(ed|es)? over|(left|leaves?) away": "skipped, ignored, omitted",
    r"from elsewhere": "external",
    r"of so (many|few|much)|(after|by|with|to) so (many|few)": "of N, after N",
    r"nothing (says|tells|stands)": "is not defined, is missing",
    r"stand(s|ing)? (behind|in front|in what|there|before)": "follows, precedes, is in",
    r"as (it is |they are )?meant|is meant": "as intended",
    r"(own|lower|higher|lowest|wrong|other) rooms?|the rooms": "layer",
    r"the chapter('s)?": "the DPDK design book",
    r"(has|have|had) not (the|a|an|any)": "does not have",
}
"""Expressions with what to write instead. A space matches any white space."""

FOLDERS = ("README.md", "CHANGELOG.md", "docs", "generator", "templates", "runtime", "schemas")
PUBLISHED = ("schemas/upf.yaml", "schemas/upf/rules.yaml")
"""Descriptions in a published MIB do not change."""
SUFFIXES = (".md", ".py", ".c", ".h", ".j2", ".yaml")
WAIVER = "wording: ok"

_BAD = [
    (re.compile(rf"(?<![\w-])({words})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE), better)
    for words, better in WORDS.items()
]
_ANY = re.compile(rf"\b(?<!-)({'|'.join(WORDS)})(?![\w-])".replace(" ", r"\s+"))
"""Any of them in a text in small letters: most texts have none."""
_MARKDOWN_CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]+`|\]\([^)]*\)|<[^>\n]*>", re.DOTALL | re.M)
_C_PROSE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", re.DOTALL)
_J2_PROSE = re.compile(r"\{#.*?#\}|/\*.*?\*/", re.DOTALL)
_YAML_PROSE = re.compile(r"#[^\n]*|(?<=: )[\"'A-Z][^\n]*|^ +[A-Za-z][^:\n]*$", re.MULTILINE)
_FIELD = re.compile(r"\{[^{}\n]*\}")
_NAME = re.compile(r"`[^`]*`|@[pc] \w+|\b\w+\(\)|\b\w*_\w*\b")
_LEADER = re.compile(r"^\s*(?:\*|#|//) ", re.MULTILINE)


def _spaces(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _only(pattern: re.Pattern[str], text: str) -> str:
    """`text` with spaces for what `pattern` does not match."""
    found, end = [], 0
    for match in pattern.finditer(text):
        found += [_spaces(text[end : match.start()]), match[0]]
        end = match.end()
    return "".join(found) + _spaces(text[end:])


def _python(text: str) -> str:
    """The comments and the strings of several words."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found, end = [], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        if token.type == tokenize.STRING and (" " not in token.string or token.string[0] == "r"):
            continue
        begin = starts[token.start[0] - 1] + token.start[1]
        found += [_spaces(text[end:begin]), token.string]
        end = starts[token.end[0] - 1] + token.end[1]
    return "".join(found) + _spaces(text[end:])


def prose(name: str, text: str) -> str:
    """What people read of a file, at its lines and columns; spaces elsewhere."""
    if name == "CHANGELOG.md":
        text = text[: text.index("\n## [", text.index("## [Unreleased]"))]
    if name.endswith(".md"):
        text = _MARKDOWN_CODE.sub(lambda code: _spaces(code[0]), text)
    elif name.endswith(".py"):
        text = _python(text)
    elif not name.endswith(".md.j2"):
        of = {".c": _C_PROSE, ".h": _C_PROSE, ".j2": _J2_PROSE}.get(Path(name).suffix, _YAML_PROSE)
        text = _only(of, text)
    for hidden in (*([] if name.endswith(".yaml") else [_FIELD]), _NAME, _LEADER):
        text = hidden.sub(lambda code: _spaces(code[0]), text)
    return text


def findings(name: str, text: str) -> Iterator[str]:
    """Each finding in a file, as it is printed."""
    read, lines = prose(name, text), text.splitlines()
    if not _ANY.search(read.lower()):
        return
    for pattern, better in _BAD:
        for match in pattern.finditer(read):
            number = read.count("\n", 0, match.start()) + 1
            if WAIVER not in lines[number - 1]:
                yield f"{name}:{number}: {' '.join(match[0].split())} -> {better}"


def files() -> list[str]:
    """The files that are read."""
    command = ["git", "ls-files", *FOLDERS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = (name for name in done.stdout.splitlines() if name.endswith(SUFFIXES))
    return [name for name in found if name not in PUBLISHED]


def main(names: Iterable[str]) -> int:
    found = [
        line
        for name in [*names] or files()
        for line in findings(name, (ROOT / name).read_text("utf-8"))
    ]
    print(*found, sep="\n", end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
