# SPDX-License-Identifier: BSD-3-Clause
"""ctrgen: generates data-plane statistics for DPDK applications from one schema."""

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

__version__ = "0.2.0"

FORMER = {
    "diagnostics": "findings.diagnostics",
    "ir": "model.ir",
    "render": "output.render",
    "live": "tools.live",
}
"""Modules and packages that programs import by the names they had up to now."""


class _FormerNames:
    """Finds modules by their former names: each has both names, and exists once."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> ModuleSpec | None:
        """Import hook of `sys.meta_path`."""
        del path, target
        package, _, module = name.partition(".")
        known = package == __name__ and module.partition(".")[0] in FORMER
        return ModuleSpec(name, self) if known else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module under its present name."""
        first, dot, rest = spec.name.partition(".")[2].partition(".")
        module = importlib.import_module(f"{__name__}.{FORMER[first]}{dot}{rest}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It was executed already: only its own specification comes back."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _FormerNames())
