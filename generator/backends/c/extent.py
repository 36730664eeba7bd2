# SPDX-License-Identifier: BSD-3-Clause
"""How many instances a scope has, as C says it: a number, or a constant that DPDK defines."""

from __future__ import annotations

from ...model import ir, layout
from ...model.lazy import cached_property
from .levels import LevelView


class Extent:
    """What a view of a scope has of its indexes; `symbolic` are those with a constant for a
    maximum."""

    ir: ir.Scope
    layout: layout.ScopeLayout
    limits: tuple[tuple[str, str], ...]
    symbolic: tuple[LevelView, ...]

    @property
    def index_maxima(self) -> list[str]:
        """The maximum of each index, as an unsigned constant expression."""
        symbols = {level.ir.name: level.sym.MAX for level in self.symbolic}
        return [symbols.get(level.name, f"{level.maximum}u") for level in self.ir.levels]

    @cached_property
    def instances(self) -> str:
        """How many instances there can be, as an unsigned constant expression."""
        if not self.symbolic:
            return f"{self.ir.instances}u"
        product = " * ".join(maximum for _, maximum in self.limits)
        return f"({product})" if "*" in product else product

    def groups(self, of: int, times: int = 1) -> str:
        """How many groups of `of` instances there are, times a factor, as a constant expression."""
        if not self.symbolic:
            return str(-(-self.ir.instances // of) * times)
        count = f"({self.instances} + {of - 1}) / {of}" if of > 1 else self.instances
        return f"{count} * {times}" if times > 1 else count

    @property
    def live_words(self) -> str:
        """Words with a bit for each instance: whole chunks, and whole cache lines."""
        bits = max(self.layout.chunk, 8 * layout.CACHE_LINE)
        return self.groups(bits, bits // 64)

    @property
    def chunks(self) -> str:
        """Chunks that hold all instances of a dynamic scope."""
        return self.groups(self.layout.chunk)
