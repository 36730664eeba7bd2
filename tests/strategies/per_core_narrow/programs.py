# SPDX-License-Identifier: BSD-3-Clause
"""Programs about narrow words."""

from pathlib import Path

from tests.run.variants import program
from tests.support.cbuild import OPTIMISED, Build

HERE = Path(__file__).parent


def torture(variant: str, port: str = "posix", test: str | None = None, *, bits: int = 4) -> Build:
    """The program about narrow words, of which so many bits are used."""
    flags = (*OPTIMISED, f"-DCTR_NARROW_RANGE(bits)={bits}")
    return program("narrow", folder=HERE, schema="wrap", flags=flags)(variant, port, test)


def whole(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The same program with words as they are."""
    return torture(variant, port, test, bits=32)
