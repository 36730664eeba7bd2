# SPDX-License-Identifier: BSD-3-Clause
"""A generated module as a library that Python calls, and values as its descriptor lays them out."""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ctrgen.findings.printers import print_findings
from ctrgen.model import ir, types
from ctrgen.pipeline.build import BuildRequest, build, parse_sync
from ctrgen.pipeline.check import check
from tests.support.cbuild import LIBRARY, shared
from tests.support.headers import expanded
from tests.support.planted import PROJECT, Tree

HERE = Path(__file__).parent

TYPES: Mapping[str, Any] = {
    row.name: getattr(ctypes, f"c_{row.c.removesuffix('_t')}")
    for row in types.TYPES.values()
    if row.c and not row.wide
}
STATES: Mapping[str, Any] = {**TYPES, "enum": ctypes.c_int32}
"""States that a C scalar holds; the others are octets."""


class _Entry(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("call", ctypes.c_void_p))


class _Field(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("offset", ctypes.c_size_t))


class _Row(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("description", ctypes.c_char_p),
        ("offset", ctypes.c_size_t),
        ("size", ctypes.c_size_t),
    )


class Described(NamedTuple):
    """What the descriptor has of a scope, or of an item."""

    name: str
    description: str
    offset: int
    size: int
    items: tuple[Described, ...] = ()


def compile_module(
    schema: Path, sync: str, folder: Path, flags: tuple[str, ...] = (), tree: Tree = PROJECT
) -> Path:
    """Generate a module under a strategy, make a shared library of it with the runtime of a tree;
    `flags` are its own."""
    request = BuildRequest(str(schema), str(folder), sync=sync, only=("c",))
    result = build(request)
    assert result.exit_code == 0, print_findings(result.diagnostics)
    (header,) = folder.glob("*.h")
    prefix = header.stem
    text = expanded(header.read_text("utf-8"))
    text = re.sub(r"(?ms)^#ifdef CTR_INDEX_CHECKS\n.*?^#endif\n", "", text)
    names = re.findall(rf"^(?:\w[\w ]*[ *])?({prefix}_\w+)\(", text, re.MULTILINE)
    snapshot = text.partition(f"struct {prefix}_snapshot {{")[2].partition("\n};")[0]
    fields = re.findall(rf"struct {prefix}_\w+ \*?(\w+);", snapshot)
    lines = [f"CALL({name})\n" for name in dict.fromkeys(names)]
    lines += [f"FIELD({name})\n" for name in fields]
    (folder / "calls.inc").write_text("".join(lines))
    made = folder / "module.so"
    defines = (f'-DHEADER="{header.name}"', '-DCALLS="calls.inc"')
    defines += (f"-DSNAPSHOT={prefix}_snapshot", f"-DMODULE={prefix}_module")
    own = [HERE / "shim.c", header.with_suffix(".c")]
    build_of = LIBRARY.but(own_flags=(*flags, *defines), tree=tree)
    shared().link(made, build_of, own, [folder])
    return made


def resolved(schema: Path, sync: str) -> ir.Module:
    """What a schema says, every default filled in."""
    checked = check(str(schema), parse_sync(sync))
    assert checked.module is not None, print_findings(checked.diagnostics)
    return checked.module


class Library:
    """Functions by name without the prefix, and scopes as the descriptor has them."""

    calls = 0
    """Calls that were made, of all libraries."""

    def __init__(self, path: Path, module: ir.Module) -> None:
        self.prefix = f"{module.name}_stats"
        self._handle = ctypes.CDLL(str(path))
        self._calls: dict[str, int] = {}
        self._made: dict[tuple[Any, ...], Any] = {}
        for entry in self._table("fuzz_calls", _Entry):
            self._calls[entry.name.decode()] = entry.call
        self.fields = {f.name.decode(): f.offset for f in self._table("fuzz_fields", _Field)}
        scopes = [
            scope._replace(items=tuple(self._described("fuzz_item", number)))
            for number, scope in enumerate(self._described("fuzz_scope"))
        ]
        assert len(scopes) == len(module.scopes)
        self.scopes = {scope.name: scope for scope in scopes}
        self.register = self._handle.ctr_thread_register
        self.unregister = self._handle.ctr_thread_unregister

    def _table(self, name: str, kind: Any) -> Any:
        table = (kind * 1_000_000).in_dll(self._handle, name)
        for entry in table:
            if entry.name is None:
                return
            yield entry

    def _described(self, name: str, *of: int) -> Iterator[Described]:
        describe, row = getattr(self._handle, name), _Row()
        describe.restype = ctypes.c_bool
        for number in itertools.count():
            if not describe(*of, number, ctypes.byref(row)):
                return
            yield Described(row.name.decode(), row.description.decode(), row.offset, row.size)

    def has(self, name: str) -> bool:
        """Whether the module has such a function."""
        return f"{self.prefix}_{name}" in self._calls

    def call(self, name: str, *arguments: Any, result: Any = ctypes.c_int) -> Any:
        """Call a function with ctypes values."""
        Library.calls += 1
        kinds = tuple(
            a if isinstance(a, type) else ctypes.c_void_p if _is_memory(a) else type(a)
            for a in arguments
        )
        key = (name, result, kinds)
        if key not in self._made:
            kind = ctypes.CFUNCTYPE(result, *kinds)
            self._made[key] = kind(self._calls[f"{self.prefix}_{name}"])
        return self._made[key](*(ctypes.addressof(a) if _is_memory(a) else a for a in arguments))

    def value(self, scope: str) -> Any:
        """Memory for a scope's value struct, full of what must not be read."""
        size = self.scopes[scope].size
        return (ctypes.c_char * size).from_buffer(bytearray(b"\xa5" * size))

    def decode(self, scope: ir.Scope, data: bytes) -> dict[str, int | bytes]:
        """A value struct by item."""
        found: dict[str, int | bytes] = {}
        described = self.scopes[scope.name]
        for number, item in enumerate(scope.items):
            place = described.items[number]
            assert place.name == item.name
            raw = data[place.offset : place.offset + place.size]
            if item.type == "string":
                raw, nul, _ = raw.partition(b"\0")
                assert nul, "a string without its end"
                found[item.name] = raw
            elif item.value_type.wide:
                found[item.name] = raw
            else:
                signed = item.value_type.signed
                found[item.name] = int.from_bytes(raw, "little", signed=signed)
        return found


def _is_memory(value: Any) -> bool:
    return isinstance(value, (ctypes.Array, ctypes.Structure))
