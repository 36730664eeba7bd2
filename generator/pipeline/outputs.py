# SPDX-License-Identifier: BSD-3-Clause
"""Which backends run: those of `--only`, else those of `outputs:`, else the default ones."""

from ..backends import Backend, discover
from ..findings.diagnostics import Diagnostics, Severity, declare
from ..findings.suggest import did_you_mean
from ..findings.usage import UsageError
from ..frontends.resolve.place import Resolution
from ..model.language import removed

declare("unknown-output", Severity.ERROR, "What a schema wants to have is what a backend makes.")


def validate(only: tuple[str, ...]) -> None:
    """Raises UsageError for a backend of `--only` that is not installed."""
    for name in only:
        if name not in discover().backends:
            hint = _broken(name) or f"installed are {', '.join(discover().backends)}"
            raise UsageError(f"no backend '{name}'", hint)


def _broken(name: str) -> str:
    """Why a backend that is there cannot be used; empty for one that is not there."""
    start = f"backend {name} "
    return next((text for text in discover().problems if text.startswith(start)), "")


def check(resolution: Resolution, diagnostics: Diagnostics) -> None:
    """Report entries of `outputs:` that name no backend, and where none is left."""
    if resolution.module.outputs and set(resolution.module.outputs) <= set(removed.OUTPUTS):
        where = resolution.place("setting", "outputs").value()
        message = "no backend of these is there any more"
        diagnostics.report("unknown-output", where, message, "remove `outputs:`, or name others")
    for number, name in enumerate(resolution.module.outputs):
        installed = discover().backends
        place = resolution.place("setting", "outputs")
        if name not in installed and not place.broken(number):
            where = place.value(number)
            if name in removed.OUTPUTS:
                message = f"there is no backend '{name}' any more"
                diagnostics.report(removed.RULE, where, message, removed.HINT)
                continue
            hint = _broken(name) or did_you_mean(name, installed, "installed")
            diagnostics.report("unknown-output", where, f"there is no backend '{name}'", hint)


def chosen(only: tuple[str, ...], outputs: tuple[str, ...]) -> list[Backend]:
    """The backends to run, sorted by name; those that are not installed are left out."""
    names = only or outputs
    installed = discover().backends.values()
    return [b for b in installed if (b.name in names if names else b.default)]


def use_lock(only: tuple[str, ...], outputs: tuple[str, ...]) -> bool:
    """Whether one of the backends to run shows OIDs, and the lock file matters."""
    if not only and not outputs:  # the MIB is a default: backends need not be looked for
        return True
    return any(getattr(backend, "uses_lock", False) for backend in chosen(only, outputs))
