# SPDX-License-Identifier: BSD-3-Clause
"""Dependency files for build systems: inputs and outputs of a run, as from compilers."""

import os
import re
from collections.abc import Collection, Iterable
from pathlib import Path

from ..findings.usage import UsageError

_MARKED = re.compile(r"(\\*)([ \t#])")


def escaped(path: str) -> str:
    """A path as make and ninja read it in a rule. Raises UsageError for a line break in it."""
    if "\n" in path or "\r" in path:
        raise UsageError(
            f"no depfile can name {path!r}", "rename what has a line break in its name"
        )
    marked = _MARKED.sub(lambda match: f"{match[1] * 2}\\{match[2]}", path)
    return marked.replace("$", "$$").replace(":", "\\:")


def text(targets: Iterable[str], sources: Iterable[str]) -> str:
    """A rule in which every target depends on every source; each source is also a target of its
    own, so that make does not fail when one was removed."""
    read = [escaped(path) for path in sources]
    rule = " \\\n ".join([f"{' '.join(map(escaped, targets))}:", *read])
    return f"{rule}\n" + "".join(f"\n{path}:\n" for path in read)


def reports(
    depfile: str | None, stamp: str | None, targets: Collection[str], sources: Collection[str],
    others: Collection[str] = (),
) -> dict[Path, str]:  # fmt: skip
    """What is written behind the output: the depfile, whose rule makes the stamp or else `targets`,
    and the stamp, which is empty. Raises UsageError when one would overwrite a target, a source,
    one of the `others`, the other one, or a device."""
    files: dict[Path, str] = {}
    taken = {os.path.realpath(path) for path in (*targets, *sources, *others)}
    for option, path in (("--depfile", depfile), ("--stamp", stamp)):
        if path is None:
            continue
        if Path(path).exists() and not Path(path).is_file():
            raise UsageError(f"{option}: '{path}' is not a regular file", "give it another name")
        if os.path.realpath(path) in taken:
            message = f"{option}: '{path}' is read or written as something else"
            raise UsageError(message, "give it a name of its own")
        taken.add(os.path.realpath(path))
        rule = text([stamp] if stamp else targets, sources)
        files[Path(path)] = rule if option == "--depfile" else ""
    return files
