# SPDX-License-Identifier: BSD-3-Clause
"""SMIv2 (and SMIv1) modules as raw schemas, the same that YAML gives.

smidump reads them; docs/mib.md says what becomes what.
"""

import re
from pathlib import Path

from ...findings.diagnostics import Diagnostics, Severity, Span, declare
from ...model import ir
from .. import raw
from ..raw import Node, is_small, node
from . import places
from .repair import repaired
from .source import Source, cycle, decode, looks_like, modules

__all__ = ["check_parent", "find", "is_module_name", "load", "looks_like"]

for _severity, _rules in {
    Severity.ERROR: {
        "import-tools": "Reading SMI takes smidump.",
        "import-unreadable": "An SMI module can be read by smidump.",
        "import-missing-module": "The modules that an SMI module builds on are there.",
        "import-cycle": "Definitions of an SMI module are not made from each other.",
        "import-unknown": "An overlay imports an SMI module.",
        "import-no-objects": "A module that is imported has objects.",
        "parent-oid": "A module is where the module of its `parent` has that, and one number "
        "below.",
    },
    Severity.WARNING: {
        "import-missing-import": "A module that another one imports from is there, with its names.",
        "import-several-modules": "An SMI file holds one module, and each one once.",
        "import-ambiguous-module": "A module that is imported is in one file only.",
        "import-syntax": "An SMI module keeps to the syntax of SMI.",
        "import-left-out": "Objects of an SMI module break no rule of schemas.",
        "import-lost-object": "Every object of an SMI module is imported.",
        "import-duplicate": "An SMI module defines each name once.",
        "import-large-number": "Labels of an imported enumeration fit 32 bits.",
    },
    Severity.NOTE: {
        "import-renamed": "Names that an SMI module gives are valid and different.",
        "import-inexact": "What is imported can hold all that the object in SMI can.",
        "import-cut-text": "Descriptions that are imported fit into a schema.",
        "import-not-imported": "What a schema cannot say is not imported.",
        "parent-unknown": "The module that defines the `parent` is at hand.",
    },
}.items():
    for _rule, _sentence in _rules.items():
        declare(_rule, _severity, _sentence)

_MODULE_NAME = re.compile(r"[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*\Z")


def is_module_name(text: str) -> bool:
    """Whether a text could be the name of a module rather than of a file."""
    return _MODULE_NAME.match(text) is not None


def find(name: str, mib_path: tuple[str, ...] = (), home: Path | None = None) -> Path | None:
    """The file of a module, None when it is in none of the folders that are searched."""
    files = places.Library(places.folders(mib_path, home)).find(name)
    return files[0] if files else None


def load(
    path: str, data: bytes, diagnostics: Diagnostics, mib_path: tuple[str, ...] = (),
    wanted: str = "",
) -> Node | None:  # fmt: skip
    """The schema of the module in a file, or None after reporting why there is none.

    `path` names the file in findings; it need not exist. `wanted` is the module
    to take from a file with several; without it, the first one.
    """
    if not is_small(path, data, diagnostics):
        return None
    text = decode(data)
    diagnostics.texts[path] = text
    source = _chosen(modules(text, path), path, wanted, diagnostics)
    if source is None:
        return None
    home = Path(path).resolve().parent if Path(path).is_file() else None
    library = places.Library(places.folders(mib_path, home))
    source = repaired(source, diagnostics.report)
    if circle := cycle(source):
        message = f"'{circle[0]}' is made from itself: {' <- '.join(circle)}"
        diagnostics.report("import-cycle", source.span_of(circle[0]), message)
        return None
    return _imported(source, library, diagnostics)


def check_parent(
    snmp: ir.Snmp, schema: str, mib_path: tuple[str, ...], diagnostics: Diagnostics
) -> None:
    """Report a `parent` whose OID is not right above that of the module.

    `schema` is the path of the schema. A module or node that is not found is a note.
    """
    from . import reading

    module, _, node = snmp.parent.partition("::")
    home = Path(schema).resolve().parent if Path(schema).is_file() else None
    library = places.Library(places.folders(mib_path, home))
    file = next(iter(library.find(module)), None)
    if file is None:
        message = f"module '{module}' is not found: the OID of '{node}' is unknown"
        diagnostics.report("parent-unknown", snmp.span, message, places.source_of(module))
        return
    diagnostics.files[str(file)] = None
    other = reading.read(module, file, library)
    oid = other.nodes.get(node) if other is not None else None
    above, _, number = snmp.oid.rpartition(".")
    if oid is None or oid.startswith("0."):
        message = f"module '{module}' ({file.name}) has no node '{node}'"
        diagnostics.report("parent-unknown", snmp.span, message)
    elif oid != above:
        message = f"'{node}' of '{module}' is {oid}, and the module would be below {above}"
        hint = f"write `oid: {oid}.{number}`, or what gives that by `enterprise` and `arc`"
        diagnostics.report("parent-oid", snmp.span, message, hint)


def _chosen(
    sources: list[Source], path: str, wanted: str, diagnostics: Diagnostics
) -> Source | None:
    if not sources:
        hint = "it starts with `NAME-MIB DEFINITIONS ::= BEGIN`"
        where = Span.of_file(path)
        diagnostics.report("import-unreadable", where, "this is not an SMI module", hint)
        return None
    chosen = next((source for source in sources if source.name == wanted), sources[0])
    for source in sources:
        if source is not chosen:
            again = "a second module" if source.name == chosen.name else "module"
            message = f"{again} '{source.name}' in this file is not imported"
            hint = f"'{chosen.name}' is; put each module into a file of its own"
            where = source.span(source.start, len(source.name))
            diagnostics.report("import-several-modules", where, message, hint)
    return chosen


def _imported(source: Source, library: places.Library, diagnostics: Diagnostics) -> Node | None:
    from . import definitions, mapping
    from .reading import Reading

    reading = Reading(source, library, diagnostics)
    module = reading.run()
    if module is None:
        return None
    schema = mapping.Mapper(module, reading).run()
    definitions.add(schema["snmp"], module, source, reading.note)
    for definition in source.twice:
        where = source.span(definition.start, len(definition.name))
        message = f"'{definition.name}' is defined twice"
        diagnostics.report("import-duplicate", where, message, "the first one counts")
    definitions.note_ignored(source, reading.note)
    if not schema["scopes"]:
        message = f"'{module.name}' has no scalars and no tables"
        hint = "there is nothing to count in it"
        if reading.required:
            message = f"none of the {len(reading.required)} objects of '{module.name}' is imported"
            hint = "see the other findings; a module that this one imports from may be missing"
        reading.note("import-no-objects", "", message, hint)
        return None
    root = node(schema, source.region(""))
    objects = module.objects()
    snmp = raw.mapping(root.value["snmp"])
    definitions.settle(snmp, objects.__contains__, diagnostics.report)
    return root
