# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen import`: an SMI module as the text of a schema that `check` and `build` accept."""

from pathlib import Path

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from ..findings.usage import UsageError, reason
from ..frontends import STDIN, read_file, smi
from ..frontends.raw import Raw, plain
from ..output import staging
from ..publish import lock
from ..publish.carried import carried
from . import write
from .repair import errors, repair

declare("import-lock", Severity.NOTE, "A module with a history comes with its lock file.")


def run(mib: str, mib_path: tuple[str, ...] = ()) -> tuple[str | None, Diagnostics]:
    """The schema of a module (a file, `-`, or a name) as text, None after an error.

    Raises UsageError when there is no such file or module.
    """
    diagnostics = Diagnostics()
    path, required = STDIN if mib == "-" else mib, ""
    if mib != "-" and not Path(mib).exists() and smi.is_module_name(mib):
        file = smi.find(mib, mib_path, Path.cwd())
        if file is None:
            raise UsageError(f"module '{mib}' is not found", smi.places.source_of(mib))
        path, required = str(file), mib
    try:
        data = read_file(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read '{mib}': {reason(error)}") from error
    node = smi.load(path, data, diagnostics, mib_path, required)
    if node is None or diagnostics.failed:
        return None, diagnostics
    if lock_text(diagnostics):
        message = "its names and OIDs do not follow from the schema alone"
        hint = "keep the lock file, which is written next to the schema with -o"
        diagnostics.report("import-lock", Span.of_file(path), message, hint)
    given = Raw(path, path, node, is_smi=True)
    wrong = errors(given)
    raw = repair(given, wrong, diagnostics)
    for left in wrong if raw is given else errors(raw):
        diagnostics.add(left)
    return (None if diagnostics.exit_code else write.text(plain(raw.root))), diagnostics


def save(path: str, text: str, lock_file: str = "") -> str:
    """Write a schema and its lock file, whole or not at all; returns what to print. Raises
    UsageError.

    `-` is the standard output, which takes no lock file. A file with other contents is not
    replaced.
    """
    if path == "-":
        return text
    target, place = Path(path), lock.path_for(path)
    files = {target: text} | ({place: lock_file} if lock_file and place else {})
    try:
        if target.is_dir():
            raise UsageError(f"cannot write '{path}': it is a folder", "name a file in it")
        if not target.parent.is_dir():
            raise UsageError(f"cannot write '{path}': its folder does not exist", "create it")
        for file, content in files.items():
            if staging.content(file) not in (None, content.encode("utf-8")):
                hint = "remove it first; without -o the schema is printed"
                raise UsageError(f"'{file}' exists and is not what would be written", hint)
        staging.commit(target.parent, files)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write '{path}': {reason(error)}") from error
    except staging.OutputError as error:
        raise UsageError(f"cannot write '{path}': {error.message}", error.hint) from error
    return "".join(f"{file}\n" for file in files)


def lock_text(diagnostics: Diagnostics) -> str:
    """The text of the lock file that the module which was read carries; empty without one."""
    return next(filter(None, (carried(text).lock for text in diagnostics.texts.values())), "")
