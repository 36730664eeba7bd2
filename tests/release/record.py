# SPDX-License-Identifier: BSD-3-Clause
"""Keeps what this version generates, for later versions to be tested against: `--record`."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, build
from tests.support import archive

from . import abi, agree, recorded
from .agree import RefusedError
from .recorded import ARCHIVE, MODULE, Recorded


def begin(version: str) -> Recorded:
    """The folder of a version, with schema and application, and the lock file that goes on."""
    one, of = Recorded(recorded.HERE / f"v{version}"), recorded.NEXT
    written = {path.name: path.read_bytes() for path in (of.schema, of.lock, of.app)}
    one.folder.mkdir(exist_ok=True)
    (one.folder / ARCHIVE).unlink(missing_ok=True)
    for name, data in written.items():
        (one.folder / name).write_bytes(data)
    return one


def includes(one: Recorded) -> None:
    """Copy the headers of the runtime that its generated code includes."""
    words = ["gcc", "-MM", *recorded.flags(), str(one.generated / f"{MODULE}_stats.c")]
    listed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    folder = runtimeinfo.path() / "include"
    shutil.rmtree(one.include, ignore_errors=True)
    one.include.mkdir()
    for name in sorted(set(listed.replace("\\\n", " ").split())):
        if Path(name).parent == folder:
            shutil.copy(name, one.include)


def write(root: Path) -> Path:
    """Write tests/release/vX.Y.Z of the present version, or again; where it is.

    Raises RefusedError if the schema does not build, or if it is the folder of a tagged release.
    """
    version = agree.version(root)
    tag = ["git", "-C", str(root), "tag", "--list", f"v{version}"]
    if subprocess.run(tag, check=False, capture_output=True, text=True).stdout.strip():
        raise RefusedError(f"v{version} is tagged: what it generated is recorded and stays")
    one = begin(version)
    shutil.rmtree(one.generated, ignore_errors=True)
    with tempfile.TemporaryDirectory() as work:
        out = Path(work) / "out"
        result = build(BuildRequest(str(one.schema), str(out), only=("c", "mib")))
        if result.exit_code:
            raise RefusedError(f"{one.schema}: {print_findings(result.diagnostics)}")
        one.generated.mkdir()
        for path in sorted(out.glob("*.*")):
            if path.suffix in (".c", ".h", ".txt"):
                shutil.copy(path, one.generated)
        includes(one)
        lines = abi.fingerprint(runtimeinfo.path(), Path(work))
    abi_txt = one.folder / "abi.txt"
    abi_txt.write_text("\n".join(lines) + "\n", "utf-8")
    archive.pack(
        one.folder / ARCHIVE,
        [one.generated, one.include, abi_txt, one.schema, one.lock, one.app],
    )
    return one.folder
