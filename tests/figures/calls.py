# SPDX-License-Identifier: BSD-3-Clause
"""How many functions of ctrgen a build calls, by room.

usage: tests/figures/calls.py SCHEMA FOLDER

Prints JSON. Functions of libraries and of templates do not count, nor do comprehensions, so that
versions of libraries do not matter. Modules are imported and templates compiled by a build before
the one that counts. A process of its own, as caches of the code would make a second count smaller.
"""

import cProfile
import gc
import json
import shutil
import sys
from collections import Counter
from pathlib import Path

import ctrgen
from ctrgen.pipeline.build import BuildRequest, build

PACKAGE = str(Path(ctrgen.__file__).parent) + "/"
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
"""Calls for some Pythons only."""


def copy(schema: Path, folder: Path) -> Path:
    """A schema and its lock file in a folder of their own, as a build may write the lock file."""
    folder.mkdir(parents=True)
    for path in (schema, schema.with_suffix(".ctrgen.lock")):
        if path.exists():
            shutil.copy(path, folder)
    return folder / schema.name


def counted(schema: Path, folder: Path) -> Counter[str]:
    """Calls of a build of a copy of the schema, by room."""
    request = BuildRequest(str(copy(schema, folder)), str(folder / "out"))
    profile = cProfile.Profile(builtins=False)
    gc.disable()  # Python 3.11.2 breaks down when it collects garbage under a profile
    result = profile.runcall(build, request)
    gc.enable()
    assert result.exit_code == 0, result.diagnostics.findings
    calls: Counter[str] = Counter()
    for entry in profile.getstats():  # type: ignore[attr-defined]
        path, name = entry.code.co_filename, entry.code.co_name
        if path.startswith(PACKAGE) and name not in COMPREHENSIONS:
            calls[path.removeprefix(PACKAGE).split("/")[0]] += entry.callcount
    return calls


if __name__ == "__main__":
    schema, folder = Path(sys.argv[1]), Path(sys.argv[2])
    counted(schema, folder / "before")
    print(json.dumps(dict(sorted(counted(schema, folder / "measured").items()))))
