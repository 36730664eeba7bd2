# SPDX-License-Identifier: BSD-3-Clause
"""What this machine can do, and the marks of tests that need it: they are skipped with a reason."""

import functools
import os
import shutil
import tempfile

import pytest

from ctrgen.frontends.smi import places
from tests.support import base_mibs, process

SNMPTRAPD = shutil.which("snmptrapd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
SNMPD = shutil.which("snmpd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
IETF_MIBS = base_mibs.ietf()
"""The modules of the IETF, where there are any."""


def have(*programs: str) -> bool:
    """Whether programs are on the PATH."""
    return all(shutil.which(program) for program in programs)


@functools.cache
def have_library(name: str) -> bool:
    """Whether pkg-config knows a library, such as `libdpdk >= 22.11`."""
    return have("pkg-config") and process.run("pkg-config", "--exists", name).returncode == 0


def have_dpdk() -> bool:
    """Whether libdpdk can be compiled against."""
    return have_library("libdpdk >= 22.11")


def have_base_mibs(*modules: str) -> bool:
    """Whether the standard modules that ours import are there: `./dev setup`."""
    return all(map(places.Library([base_mibs.folder()]).find, modules or ("SNMPv2-SMI",)))


def have_agentx() -> bool:
    """Whether there are an snmpd and the headers of net-snmp."""
    return SNMPD is not None and have("net-snmp-config")


def can_link(compiler: str, *flags: str, program: str = "int main(void) { return 0; }") -> bool:
    """Whether a compiler is there and links a program with such flags."""
    if not have(compiler):
        return False
    with tempfile.TemporaryDirectory() as folder:
        words = (compiler, *flags, "-x", "c", "-", "-o", f"{folder}/program")
        return process.run(*words, input=program).returncode == 0


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skips what needs programs that are not all on the PATH."""
    missing = [program for program in programs if not have(program)]
    return pytest.mark.skipif(bool(missing), reason=f"no {', '.join(missing)}: ./dev setup")


needs_dpdk = pytest.mark.skipif(not have_dpdk(), reason="no libdpdk 22.11 or later: ./dev setup")
needs_agentx = pytest.mark.skipif(not have_agentx(), reason="no snmpd or libsnmp-dev: ./dev setup")
needs_smidump = needs("smidump")
needs_ietf = pytest.mark.skipif(not IETF_MIBS.is_dir(), reason="no modules of the IETF")
needs_base_mibs = pytest.mark.skipif(
    not have_base_mibs("SNMPv2-SMI", "IF-MIB"), reason="no base modules: ./dev setup"
)
PORTS = (pytest.param("posix"), pytest.param("dpdk", marks=(pytest.mark.dpdk, needs_dpdk)))
COMPILERS = tuple(pytest.param(compiler, marks=needs(compiler)) for compiler in ("gcc", "clang"))
BUILT = (
    *(pytest.param("gcc", *port.values, marks=port.marks) for port in PORTS),
    pytest.param("clang", "posix", marks=needs("clang")),
)
"""A compiler and a port: each of both."""
