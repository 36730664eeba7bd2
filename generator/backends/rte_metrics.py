# SPDX-License-Identifier: BSD-3-Clause
"""A header with what DPDK's metrics library has of the module, and what does not fit."""

from ..model import ir, metrics_library
from ..model.naming import symbols
from ..output.render import render
from . import BuiltIn, Options, in_short


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The header."""
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
