# SPDX-License-Identifier: BSD-3-Clause
"""Names that a module uses and neither defines nor imports, and imports that do not parse: commas,
common names, misspelt types, and names that are imported from a module that imports them itself."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from itertools import pairwise

from ...language.defaults import DOCUMENTATION, ENTERPRISES
from .model import OF_SMI
from .places import BASE, Library
from .source import Source, blank, decode, modules
from .written import Change, Said, changed

_NODES = "org dod internet directory mgmt experimental private enterprises"
_COMMON = {
    "SNMPv2-SMI": f"""{_NODES} mib-2 transmission security snmpV2 snmpModules zeroDotZero Integer32
        Unsigned32 Counter32 Counter64 Gauge32 TimeTicks IpAddress Opaque""",
    "SNMPv2-TC": """DisplayString PhysAddress MacAddress TruthValue TestAndIncr AutonomousType
        VariablePointer RowPointer RowStatus TimeStamp TimeInterval DateAndTime StorageType
        TDomain TAddress""",
    "IF-MIB": "ifIndex InterfaceIndex InterfaceIndexOrZero",
    "INET-ADDRESS-MIB": "InetAddress InetAddressType InetAddressPrefixLength InetPortNumber",
    "SNMP-FRAMEWORK-MIB": "SnmpAdminString SnmpEngineID",
    "HCNUM-TC": "CounterBasedGauge64 ZeroBasedCounter64",
    "RFC1155-SMI": "Counter Gauge NetworkAddress",
}
_MODULES = {name: module for module, names in _COMMON.items() for name in names.split()}
"""The modules of names that modules use as if they need not be imported."""
_FIRST = dict.fromkeys(f"{_NODES} TimeTicks IpAddress Opaque".split(), "RFC1155-SMI")
_FIRST_SMI = frozenset(["RFC1155-SMI", "RFC1065-SMI", "RFC-1212"])
_BUILT_IN = frozenset(
    ["INTEGER", "OCTET", "OBJECT", "BITS", "BIT", "SEQUENCE", "SET", "CHOICE", "NULL", "ANY"]
)
_ALIASES = {
    **dict.fromkeys(("string", "octet", "octetstring", "charstring"), "OCTET STRING"),
    **dict.fromkeys(("int", "interger", "intger", "integer"), "INTEGER"),
    **dict.fromkeys(("bool", "boolean"), "TruthValue"),
    **dict.fromkeys(("object", "objectidentifier"), "OBJECT IDENTIFIER"),
}
"""What types that no module defines are read as, by small letters."""
_USED = re.compile(
    r"\bSYNTAX\s+(?P<type>[A-Za-z][\w-]*)|::=\s*\{\s*(?P<node>[a-z][\w-]*)"
    r"|\b(?:INDEX|AUGMENTS)\s*\{(?P<index>[^{}]*)\}"
)
_WORD = re.compile(r"[A-Za-z][\w-]*")
_LONGEST = 20
"""Most modules that a name is imported through."""
_CLAUSE = re.compile(
    r"[\s,;]*[A-Za-z][\w-]*(?:[\s,]+[A-Za-z][\w-]*)*?[\s,]+FROM\s+([A-Za-z][\w-]*)(?:\s*\{[^{}]*\})?"
)
_GAP = re.compile(r"\bFROM\s+[A-Za-z][\w-]*[\s,;]*|[\s,]+(?=\bFROM\b)")
_ROOTS = frozenset(["iso", "ccitt", "itu-t", "joint-iso-ccitt", "joint-iso-itu-t"])
_UNKNOWN = f"{ENTERPRISES.replace('.', ' ')} {DOCUMENTATION}"
"""Where nodes are of which nothing says it."""
_MOST = 20_000
"""Characters of the imports, at most."""


def separated(source: Source, said: Said) -> str:
    """The text of a module in which a comma is between any two imports and nowhere else, and `;`
    behind all of them."""
    clean = blank(source.text[source.start : source.start + _MOST])
    first = re.search(r"\bIMPORTS\b", clean) if source.imports else None
    end, last, changes = first.end() if first else 0, None, list[Change]()
    while first and (clause := _CLAUSE.match(clean, end)):
        last, end = clause, clause.end()
    if first is None or last is None:
        return source.text
    words = [*_WORD.finditer(clean, first.end(), last.start(1))]
    for number, (word, after) in enumerate(pairwise(words)):
        gap_text = clean[word.end() : after.start()]
        behind = number > 0 and words[number - 1][0] == "FROM"
        if not gap_text.strip() and "FROM" not in (word[0], after[0]) and not behind:
            hint = f"write `{word[0]}, {after[0]}`"
            start = source.start + after.start()
            said(start, len(after[0]), "there is no comma before this import", hint)
            changes.append(Change(source.start + word.end(), 0, ","))
    rest = re.compile(r"[\s,]*").match(clean, end)
    for gap in _GAP.finditer(clean, first.end(), rest.end() if rest else end):
        for stray in re.finditer("[,;]", gap[0]):
            at = source.start + gap.start() + stray.start()
            message = f"no '{stray[0]}' can stand here in the imports: it is passed over"
            said(at, 1, message, "remove it")
            changes.append(Change(at, 1, " "))
    if not re.match(r"[\s,]*;", clean[end : end + _MOST]):
        message = "the imports do not end: they are read up to here"
        said(source.start + last.start(1), len(last[1]), message, "add a `;`")
        changes.append(Change(source.start + end, 0, ";"))
    return changed(source.text, changes)


def completed(source: Source, said: Said) -> str:
    """The text of a module that imports the common names that it uses, and in which a type that no
    module defines is read as the known one that is spelt nearly so."""
    clean = blank(source.text[source.start : source.end])
    imported = {name for _, names in source.imports.values() for name in names}
    known = imported | source.definitions.keys() | _BUILT_IN
    old = bool(_FIRST_SMI & source.imports.keys()) or "MAX-ACCESS" not in clean
    places = {**_MODULES, **(_FIRST if old else {})}
    types = (name for name in (*_MODULES, *known) if name[0].isupper())
    similar = {name.lower(): name for name in types}
    changes: list[Change] = []
    needed: dict[str, str] = {}
    for kind, word, at in _uses(clean):
        name, start = word, source.start + at
        object_ = source.definitions.get(word) if kind == "type" else None
        if name in known and (object_ is None or object_.macro == "TYPE"):
            continue
        if kind == "type" and name not in places and name not in OF_SMI:
            spelt = (object_.syntax if object_ else word).lower()
            name = _ALIASES.get(spelt) or similar.get(spelt, "")
            message = f"no module defines the type '{word}'"
            message += f": it is read as {name}" if name else ""
            said(start, len(word), message, "define it, or import it from the module that does")
            known |= set() if name else {word}
            changes += [Change(start, len(word), name)] if name else []
        if name in places and name not in imported | needed.keys() | source.definitions.keys():
            needed[name] = places[name]
            if name == word:
                message = f"'{name}' is not imported: it is read from '{places[name]}'"
                said(start, len(name), message, f"import it: `{name} FROM {places[name]}`")
    return changed(source.text, [*changes, *_added(source, clean, needed)])


def _uses(clean: str) -> Iterator[tuple[str, str, int]]:
    """Types, nodes and indexes that definitions name, each with where that is."""
    for use in _USED.finditer(clean):
        kind = use.lastgroup or ""
        for word in _WORD.finditer(clean, *use.span(kind)):
            yield kind, word[0], word.start()


def _added(source: Source, clean: str, needed: dict[str, str]) -> Iterator[Change]:
    """What imports some names from their modules, behind what else is imported."""
    if needed:
        text = "".join(f" {name} FROM {module}" for name, module in needed.items())
        at, inside = _end(source, clean)
        yield Change(at, 0, text if inside else f" IMPORTS{text};")


def _end(source: Source, clean: str) -> tuple[int, bool]:
    """Where the imports of a module end, and whether it has any; else where its body begins."""
    ends = [at + len(name) for name, (at, _) in source.imports.items()]
    if ends:
        end = clean.find(";", max(ends) - source.start)
        return (source.start + end if end >= 0 else max(ends)), True
    begin = re.search(r"\bBEGIN\b", clean)
    return source.start + (begin.end() if begin else 0), False


def relayed(source: Source, library: Library, said: Said) -> str:
    """The text of a module that imports each name from the module that defines it, where the one
    that it names only imports it."""
    text, far = source.text, _Far(library)
    for module, (at, names) in source.imports.items():
        for name in names:
            origin = far.origin(name, module)
            if origin != module:
                message = f"'{module}' does not define '{name}': it is read from '{origin}'"
                said(at, len(module), message, f"import it: `{name} FROM {origin}`")
                text = _moved(text, name, module, origin)
    return text


def rooted(source: Source, library: Library, said: Said, cut: Container[str]) -> str:
    """The text of a module in which nodes of `cut` have an OID: what nothing says that of is read
    from another module of the vendor that defines it, or as one for documentation."""
    far, clean = _Far(library), blank(source.text[source.start : source.end])
    needed: dict[str, str] = {}
    nodes: list[str] = []
    lost = [top for top in tops(source) if top in cut and not far.first(top, source)]
    for top in lost:
        used = re.compile(rf"::=\s*\{{\s*({re.escape(top)})(?![\w-])").search(clean)
        at = source.start + (used.start(1) if used else 0)
        if module := far.elsewhere(top, source.name):
            needed[top] = module
            hint, where = f"import it: `{top} FROM {module}`", f"from '{module}'"
        else:
            nodes.append(f" {top} OBJECT IDENTIFIER ::= {{ {_UNKNOWN} {len(nodes) + 1} }}")
            hint = "name the folder of the module that defines it with --mib-path"
            where = f"as {_UNKNOWN.replace(' ', '.')}.{len(nodes)}, which managers do not know"
        said(at, len(top), f"nothing here tells the OID of '{top}': it is read {where}", hint)
    end, inside = _end(source, clean)
    behind = end + source.text.startswith(";", end) if inside else end
    changes = [*_added(source, clean, needed), Change(behind, 0, "".join(nodes))]
    text = changed(source.text, changes)
    for module, (_, names) in source.imports.items():
        for name in {*names}.intersection(lost):
            text = _moved(text, name, module, "", source.start)
    return text


def tops(source: Source) -> list[str]:
    """The names that the OIDs of a module begin with, and that it does not define."""
    found = dict.fromkeys(map(source.top, source.definitions))
    return [name for name in found if name not in source.definitions]


def begins(source: Source, library: Library, roots: Iterable[str]) -> bool:
    """Whether some OID of a module begins with one of some names."""
    far = _Far(library)
    return any(far.first(top, source) in roots for top in tops(source))


class _Far:
    """Other modules, by what their files say."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.sources: dict[str, Source | None] = {}

    def source(self, module: str) -> Source | None:
        """A module; None for one that is not there."""
        if module not in self.sources:
            files = self.library.find(module)
            found = modules(decode(files[0].read_bytes())) if files else []
            self.sources[module] = next((one for one in found if one.name == module), None)
        return self.sources[module]

    def origin(self, name: str, module: str) -> str:
        """The module that defines a name that `module` only imports; that one for other names."""
        origin = module
        for _ in range(_LONGEST):
            source = self.source(origin)
            if source is None or name in source.definitions:
                return module if source is None else origin
            above = _from(source, name)
            if not above:
                return _MODULES.get(name, module)
            origin = above
        return module

    def first(self, name: str, source: Source) -> str:
        """What the OID of a name of a module begins with; empty if nothing says it."""
        at: Source | None = source
        for _ in range(_LONGEST * _LONGEST):
            if at is None or name in _ROOTS:
                break
            if name in at.definitions:
                top = at.top(name)
                if top == name:
                    return name  # by a number, or in a way that is not known here
                name = top
                continue
            module = _from(at, name) or _MODULES.get(name, "")
            if module in BASE:
                return "iso"
            at = self.source(module)
        return name if name in _ROOTS else ""

    def elsewhere(self, name: str, module: str) -> str:
        """The only other module of the same vendor, by the first word, that defines a node."""
        found, start = set[str](), f"{module.partition('-')[0]}-".lower()
        for path in self.library.holding(name):
            for source in modules(decode(path.read_bytes())):
                own = source.definitions.get(name)
                node = own is not None and own.macro not in ("TYPE", "OBJECT-TYPE")
                near = source.name.lower().startswith(start) and source.name != module
                if node and near and self.first(name, source):
                    found.add(source.name)
        return found.pop() if len(found) == 1 else ""


def _from(source: Source, name: str) -> str:
    """The module that a name is imported from, empty for others."""
    return next((one for one, (_, names) in source.imports.items() if name in names), "")


def _moved(text: str, name: str, module: str, origin: str, start: int = 0) -> str:
    """A text in which a name is imported from another module, if any; lines stay."""
    word = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    behind = rf"(?:\s*,\s*[\w-]+)*\s*\bFROM\s+{re.escape(module)}(?![\w-])"
    pattern = rf"{word}\s*,(?=\s*[\w-]+{behind})|,\s*{word}(?={behind})|{word}{behind}"
    found = re.compile(pattern).search(blank(text), start)
    if found is None:
        return text
    end = re.compile(r"\s*;|(?=\Z)").search(blank(text), found.end())
    lines = re.sub(r"[^\n]", "", found[0])
    at = end.start() if end else found.end()
    new = f" {name} FROM {origin}" if origin else ""
    return f"{text[: found.start()]}{lines} {text[found.end() : at]}{new}{text[at:]}"
