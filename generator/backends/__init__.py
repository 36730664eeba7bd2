# SPDX-License-Identifier: BSD-3-Clause
"""The artefacts: one module per backend here, or a third party's entry point.

A module in this folder offers its backend as `BACKEND`; an entry point of the
group `ctrgen.backends` names the object itself. Nothing lists them by hand. A backend imports
what it needs from here: `__all__`.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from ..findings.diagnostics import Diagnostic, Severity, declare

if TYPE_CHECKING:
    from ..model import ir
    from ..output.render import environment, normalise
    from ..publish.lock import Lock

__all__ = [
    "Backend", "BackendError", "Diagnostic", "DiagnosticError", "Options", "Severity",
    "declare", "discover", "environment", "ir", "normalise",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Modules that backends need and `ctrgen runtime` does not, imported on first use."""
    if name == "ir":
        return importlib.import_module("ctrgen.model.ir")
    if name in ("environment", "normalise"):
        return getattr(importlib.import_module("ctrgen.output.render"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


GROUP = "ctrgen.backends"
"""The entry point group of third-party backends."""


class BackendError(Exception):
    """A backend that cannot be loaded or breaks its contract; the message names it."""


class DiagnosticError(Exception):
    """Findings about a schema that an artefact cannot express; their rules are declared."""

    def __init__(self, *findings: Diagnostic) -> None:
        super().__init__("; ".join(finding.message for finding in findings))
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Options:
    """Inputs of a backend in addition to the schema.

    `source` is the schema as generated text shows it (no folder), `command` the command that makes
    the output again, `version` that of ctrgen. `vendor_runtime` says that the runtime is copied
    into the output folder. `lock` holds the OIDs of the module, for backends with `uses_lock`.
    """

    source: str
    command: str
    version: str
    vendor_runtime: bool = False
    lock: Lock | None = None


@runtime_checkable
class Backend(Protocol):
    """Makes one kind of artefact from a checked schema.

    `name` is what `--only` takes, `summary` one line for `ctrgen backends`;
    `default`: a plain `ctrgen build` includes it.
    """

    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def default(self) -> bool: ...

    def generate(self, module: ir.Module, options: Options) -> dict[str, str]:
        """The artefact as relative path -> text.

        Pure: same arguments, same result, nothing read or written elsewhere.
        May raise DiagnosticError for a schema that this artefact cannot express.
        """
        ...


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One of ctrgen's own backends. With `uses_lock` it gets the OIDs of the module."""

    name: str
    summary: str
    generate: Callable[[ir.Module, Options], dict[str, str]]
    default: bool = True
    uses_lock: bool = False


def in_short(about: str | None) -> str:
    """Summary of a backend: the first paragraph of its module's docstring."""
    text = " ".join((about or "").partition("\n\n")[0].split()).rstrip(".")
    return text[:1].lower() + text[1:]


def _checked(candidate: object, origin: str) -> Backend:
    if not isinstance(candidate, Backend):
        wanted = "name, summary, default and generate()"
        raise BackendError(f"backend {origin}: an object with {wanted} is needed")
    if not isinstance(candidate.name, str) or not candidate.name.replace("-", "_").isidentifier():
        raise BackendError(f"backend {origin}: {candidate.name!r} is not a usable name")
    return candidate


def _built_in() -> Iterator[tuple[str, Backend]]:
    for name in sorted(info.name for info in pkgutil.iter_modules(__path__)):
        if name.startswith("_"):
            continue
        module = importlib.import_module(f"{__name__}.{name}")
        if hasattr(module, "BACKEND"):
            yield module.__name__, _checked(module.BACKEND, module.__name__)


def _third_party(problems: list[str]) -> Iterator[tuple[str, Backend]]:
    entries = {(entry.name, entry.value): entry for entry in metadata.entry_points(group=GROUP)}
    for _, entry in sorted(entries.items()):
        origin = f"{entry.name} ({entry.value})"
        try:
            candidate = entry.load()
            backend = _checked(candidate() if isinstance(candidate, type) else candidate, origin)
        except BackendError as error:
            problems.append(str(error))
        except (Exception, SystemExit) as error:
            problems.append(f"backend {origin} cannot be loaded: {type(error).__name__}: {error}")
        else:
            yield origin, backend


class Discovery(NamedTuple):
    """The installed backends by name, sorted, and a sentence for each one that is broken."""

    backends: dict[str, Backend]
    problems: tuple[str, ...]


@functools.cache
def discover() -> Discovery:
    """Find every installed backend. Raises BackendError when one of ctrgen's own is broken."""
    problems: list[str] = []
    by_name: dict[str, tuple[str, Backend]] = {}
    for source in (_built_in(), _third_party(problems)):
        for origin, backend in source:
            if backend.name in by_name:
                other = by_name[backend.name][0]
                problems.append(f"backend '{backend.name}' is both {other} and {origin}")
            else:
                by_name[backend.name] = (origin, backend)
    return Discovery({name: by_name[name][1] for name in sorted(by_name)}, tuple(problems))
