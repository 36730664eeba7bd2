# SPDX-License-Identifier: BSD-3-Clause
"""Keys in OIDs, for any values: as RFC 2578, 7.7 has it, and as net-snmp reads it."""

import ctypes
import ipaddress
import string
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.run.variants import HERE
from tests.support import smi_tools
from tests.support.cbuild import LIBRARY, shared
from tests.support.planted import PROJECT
from tests.support.process import succeed

SCHEMA = HERE / "schemas" / "keys.yaml"
KINDS = {1: "data", 2: "voice", 7: "bestEffort"}
NUMBERS = st.integers(0, 2**32 - 1)
Suffix = tuple[int, ...]


class Ip(ctypes.Structure):
    _fields_ = [("type", ctypes.c_uint32), ("octets", ctypes.c_uint8 * 16)]


class Session(ctypes.Structure):
    _fields_ = [("imsi", ctypes.c_char * 16), ("kind", ctypes.c_uint32)]


class Host(ctypes.Structure):
    _fields_ = [
        ("mac", ctypes.c_uint8 * 6),
        ("gateway", ctypes.c_uint32),
        ("prefix", ctypes.c_uint8 * 16),
        ("token", ctypes.c_uint8 * 3),
        ("site", ctypes.c_uint32),
        ("floor", ctypes.c_int32),
    ]


class Peer(ctypes.Structure):
    _fields_ = [("address", Ip), ("port", ctypes.c_uint16)]


class Group(ctypes.Structure):
    _fields_ = [("number", ctypes.c_uint32), ("name", ctypes.c_char * 21)]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("key_index")
    PROJECT.succeed("build", SCHEMA, "-o", folder / "out", "--only", "c,mib")
    return folder / "out"


# Functions of the header are inline.
EXPORTED = """#include "key_stats.h"
int
start(void)
{
	return key_stats_init() + key_stats_session_create(0) + key_stats_peer_create(0);
}
int
find_peer(const struct key_stats_peer_key *key)
{
	uint32_t peer;

	return key_stats_peer_key_find(key, &peer);
}
""" + "".join(
    f"int\nset_{scope}(const struct key_stats_{scope}_key *key)\n"
    f"{{\n\treturn key_stats_{scope}_key_set(0, key);\n}}\n"
    for scope in ("session", "peer", "host", "group")
)


@pytest.fixture(scope="module")
def library(out: Path) -> ctypes.CDLL:
    (out / "exported.c").write_text(EXPORTED, "utf-8")
    shared().link(out / "key.so", LIBRARY, [out / "key_stats.c", out / "exported.c"], [out])
    found = ctypes.CDLL(str(out / "key.so"))
    found.ctr_scope_find.restype = found.ctr_item_find.restype = ctypes.c_void_p
    assert found.start() == 0
    return found


def suffix(library: ctypes.CDLL, scope: str, key: ctypes.Structure) -> Suffix:
    """What an instance is indexed by, once it has a key."""
    assert getattr(library, f"set_{scope}")(ctypes.byref(key)) == 0
    module = ctypes.addressof(ctypes.c_char.in_dll(library, "key_stats_module"))
    found = library.ctr_scope_find(ctypes.c_void_p(module), scope.encode())
    room, index = (ctypes.c_uint32 * 128)(), (ctypes.c_uint32 * 1)(0)
    length = library.ctr_scope_suffix(ctypes.c_void_p(found), index, room, None)
    return tuple(room[:length])


def counted(octets: bytes) -> Suffix:
    """A string whose length varies: RFC 2578, 7.7 (3)."""
    return (len(octets), *octets)


ADDRESSES = st.ip_addresses()


@settings(max_examples=200, deadline=None)
@given(ADDRESSES, st.binary(min_size=16, max_size=16))
def test_addresses(
    library: ctypes.CDLL, address: ipaddress.IPv4Address | ipaddress.IPv6Address, behind: bytes
) -> None:
    """Octets behind an IPv4 address are not part of it."""
    key, same = (
        Peer(Ip(1 if address.version == 4 else 2, (ctypes.c_uint8 * 16)(*octets[:16])), 7)
        for octets in (address.packed + behind, address.packed + bytes(12))
    )
    assert suffix(library, "peer", key) == (key.address.type, *counted(address.packed), 7)
    assert library.find_peer(ctypes.byref(same)) == 0


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=29, max_size=29), NUMBERS, st.integers(0, 2**31 - 1))
def test_fixed_octets_and_numbers(
    library: ctypes.CDLL, octets: bytes, site: int, floor: int
) -> None:
    mac, gateway, prefix, token = octets[:6], octets[6:10], octets[10:26], octets[26:]
    parts = [(ctypes.c_uint8 * len(part))(*part) for part in (mac, prefix, token)]
    parts.insert(1, int.from_bytes(gateway, sys.byteorder))
    wanted = (*mac, 1, *counted(gateway), 2, *counted(prefix), *token, site, floor)
    assert suffix(library, "host", Host(*parts, site, floor)) == wanted


@settings(max_examples=200, deadline=None)
@given(NUMBERS, st.binary(min_size=1, max_size=20).filter(lambda text: 0 not in text))
def test_implied(library: ctypes.CDLL, number: int, name: bytes) -> None:
    assert suffix(library, "group", Group(number, name)) == (number, *name)


def read_by_net_snmp(out: Path, column: str, rows: Sequence[Suffix]) -> list[str]:
    """The indexes of rows as snmptranslate shows them."""
    modules = ("SNMPv2-SMI", "INET-ADDRESS-MIB", "SNMP-FRAMEWORK-MIB")
    smi_tools.needs("snmptranslate", modules=modules)
    load = ["-M", f"{smi_tools.BASE}:{out}", "-m", "KEY-STATS-MIB"]
    name = f"KEY-STATS-MIB::{column}"
    oid = succeed("snmptranslate", *load, "-On", name, env=smi_tools.PLAIN).strip()
    oids = [".".join([oid, *map(str, row)]) for row in rows]
    lines = succeed("snmptranslate", *load, *oids, env=smi_tools.PLAIN).split()
    return [line.removeprefix(f"KEY-STATS-MIB::{column}.") for line in lines]


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.text(string.ascii_letters + string.digits, min_size=1, max_size=15),
            st.sampled_from(sorted(KINDS)),
            ADDRESSES,
            st.integers(0, 65535),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_net_snmp_reads_it(
    library: ctypes.CDLL,
    out: Path,
    rows: list[tuple[str, int, ipaddress.IPv4Address | ipaddress.IPv6Address, int]],
) -> None:
    found, peers = [], []
    for name, kind, address, port in rows:
        found.append(suffix(library, "session", Session(name.encode(), kind)))
        octets = (ctypes.c_uint8 * 16)(*address.packed)
        version = 1 if address.version == 4 else 2
        peers.append(suffix(library, "peer", Peer(Ip(version, octets), port)))
    shown = [f'"{name}".{KINDS[kind]}' for name, kind, _, _ in rows]
    assert read_by_net_snmp(out, "keySessionPkts", found) == shown
    texts = [str(a) if a.version == 4 else a.packed.hex(":") for _, _, a, _ in rows]
    shown = [
        f'ipv{row[2].version}."{text}".{row[3]}' for row, text in zip(rows, texts, strict=True)
    ]
    assert read_by_net_snmp(out, "keyPeerPkts", peers) == shown
