# SPDX-License-Identifier: BSD-3-Clause
"""meson.build and meson_options.txt: the generated C as a project or a subproject."""

from ..model import ir
from ..output.render import render
from . import BuiltIn, Options

FILES = ("meson.build", "meson_options.txt")
"""Generated files, each from the template of the same name."""


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """A project, and a subproject that provides `dependency('<module>_stats')`."""
    flag = " --vendor-runtime"
    context = {
        "library": f"{module.name}_stats",
        "options": options,
        "vendor_command": options.command.removesuffix(flag) + flag,
    }
    return {name: render(f"meson/{name}.j2", **context) for name in FILES}


BACKEND = BuiltIn("meson", "meson.build: the generated C as a project or a subproject", generate)
