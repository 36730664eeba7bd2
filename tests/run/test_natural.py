# SPDX-License-Identifier: BSD-3-Clause
"""What has natural names counts right: no name leads to another thing than it says."""

import pytest

from tests.run.variants import natural
from tests.support.capabilities import needs
from tests.support.cbuild import Workshop
from tests.support.strategies import USUAL, VARIANTS


@pytest.mark.one_in(18)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", ["counts", "snapshots_and_views"])
def test_natural_names(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(natural(variant), test)


@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=needs("clang", "ld.lld"))])
def test_optimised_as_a_whole(workshop: Workshop, compiler: str) -> None:
    """With what applications and distributions pass."""
    flags = ("-O2", "-flto", "-fvisibility=hidden", "-fno-plt", "-Wall", "-Werror")
    link = ("-fuse-ld=lld",) if compiler == "clang" else ()
    build = natural(USUAL).but(compiler=compiler, flags=flags, link=link)
    workshop.passes(build, "counts")
