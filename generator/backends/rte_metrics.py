# SPDX-License-Identifier: BSD-3-Clause
"""A header with what DPDK's metrics library has of the module, and what does not fit."""

from collections.abc import Iterator

from ..findings.diagnostics import Diagnostic, Severity
from ..model import ir, metrics_library
from ..model.naming import symbols
from ..output.render import render
from . import BuiltIn, DiagnosticError, Options, in_short


def _findings(module: ir.Module) -> Iterator[Diagnostic]:
    """Errors that the rules report if the schema selects this backend; `--only` may select it,
    too."""
    for share in metrics_library.shares(module):
        items = metrics_library.numbers(share.scope)
        if share.left_out and share.scope.name == ir.GLOBAL:
            text = (
                f"'{share.scope.name}' has {share.metrics} metrics, and rte_metrics has room for "
            )
            yield Diagnostic(
                "metrics-limit", Severity.ERROR, items[share.room].span, text + str(share.room)
            )
        for item in items if not share.left_out else ():
            name = metrics_library.longest(module, share.scope, item)
            if len(name) > metrics_library.LONGEST:
                text = f"the name of a metric has {len(name)} characters: {name}"
                yield Diagnostic("metrics-name", Severity.ERROR, item.span, text)


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header. Raises DiagnosticError where global does not fit, or a name is too long."""
    if findings := tuple(_findings(module)):
        raise DiagnosticError(*findings)
    shares = tuple(metrics_library.shares(module))
    fitting = [share for share in shares if not share.left_out]
    prefix = symbols.prefix(module.name)
    names = [pair for share in fitting for pair in metrics_library.names(module, share.scope)]
    return {
        f"{prefix}_metrics.h": render(
            "monitoring/metrics.h.j2", options=options, prefix=prefix, names=names,
            left_out=[share for share in shares if share.left_out],
        )
    }  # fmt: skip


BACKEND = BuiltIn("rte_metrics", in_short(__doc__), generate, default=False)
