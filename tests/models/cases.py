# SPDX-License-Identifier: BSD-3-Clause
"""What a model is, and a run of GenMC with one."""

from dataclasses import dataclass

from tests.models.bugs import OK, Bug, Edit


@dataclass(frozen=True)
class Model:
    """A program, the strategy of its module if it has one, macros, and its bugs."""

    source: str
    shows: str
    sync: str = ""
    defines: tuple[str, ...] = ()
    bugs: tuple[Bug, ...] = ()
    schema: str = "tiny"
    limits: tuple[Edit, ...] = ()
    """Limits in the generated code that are smaller under GenMC."""
    imm: bool = True
    """Whether it is run under IMM too, which takes too long for some."""
    genmc: bool = True
    """Whether GenMC can interpret the generated code; explore.c runs all models."""

    @property
    def name(self) -> str:
        """Unique, and readable."""
        return " ".join(word for word in (self.source, *self.under) if word)

    @property
    def under(self) -> tuple[str, ...]:
        """The strategy, macros and limits."""
        return (self.sync, *self.defines, *(edit.new for edit in self.limits))


RC11 = "rc11"
"""C11 as repaired by Lahav and others (PLDI 2017)."""
IMM = "imm"
"""As RC11, and stores overtake loads before them (Podkopaev and others, POPL 2019)."""


@dataclass(frozen=True)
class Case:
    """A run of GenMC: a model, perhaps with a bug, under a memory model."""

    model: Model
    bug: Bug | None = None
    memory: str = RC11

    @property
    def name(self) -> str:
        """Unique, and readable."""
        memory = "" if self.memory == RC11 else f", {self.memory}"
        return self.model.name + (f": {self.bug.name}" if self.bug else "") + memory

    @property
    def demanded(self) -> str:
        """What GenMC has to say."""
        return self.bug.verdict if self.bug else OK
