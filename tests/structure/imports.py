# SPDX-License-Identifier: BSD-3-Clause
"""Reads the imports of a package laid out in rooms, and finds what breaks its order.

Imports inside functions and under `TYPE_CHECKING` count like all others: they
tie files together just as much.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

LINES = 400
"""Longest module."""

BESIDE = ("__init__.py", "__main__.py")
"""The files that may lie beside the rooms."""


@dataclass(frozen=True, order=True)
class Import:
    """A module that another one imports; names are relative to the package."""

    importer: str
    imported: str
    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.importer} imports {self.imported}"


def _name(root: Path, path: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _modules(root: Path) -> dict[str, Path]:
    return {_name(root, path): path for path in sorted(root.rglob("*.py"))}


def _targets(
    node: ast.AST, package: str, importer: str, is_package: bool, modules: dict[str, Path]
) -> Iterator[str]:
    """The modules of the package that a node imports."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = f"{package}.{importer}".rstrip(".").split(".")
        up = node.level - is_package
        start = base[: len(base) - up] if node.level else []
        module = ".".join([*start, *([node.module] if node.module else [])])
        names = [f"{module}.{alias.name}" for alias in node.names]
    else:
        return
    for name in names:
        inside = name.partition(".")[2] if name.partition(".")[0] == package else None
        while inside is not None and inside not in modules:
            inside = inside.rpartition(".")[0]
        if inside is not None and inside != importer:
            yield inside


def imports(root: Path, package: str) -> list[Import]:
    """Every import of one module of the package by another."""
    modules = _modules(root)
    found = {
        Import(importer, imported, str(path), node.lineno): None
        for importer, path in modules.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for imported in _targets(node, package, importer, path.name == "__init__.py", modules)
    }
    return list(found)


def _room(module: str) -> str:
    return module.partition(".")[0]


def upward(edges: Sequence[Import], order: Sequence[str]) -> Iterator[str]:
    """Imports from a lower room to a higher one; `order` begins with the highest."""
    rank = {room: number for number, room in enumerate(order)}
    for edge in edges:
        importer, imported = _room(edge.importer), _room(edge.imported)
        if imported and importer and rank[imported] < rank[importer]:
            yield f"{edge}: {importer} is below {imported}"


def arrows(edges: Sequence[Import]) -> set[tuple[str, str]]:
    """Pairs of rooms of which one imports from the other; files beside the rooms do not count."""
    pairs = ((edge.importer, edge.imported) for edge in edges)
    rooms = {(_room(a), _room(b)) for a, b in pairs if not {a, b} & {"", "__main__"}}
    return {(importer, imported) for importer, imported in rooms if importer != imported}


def circles(edges: Sequence[Import]) -> Iterator[str]:
    """Imports that lie on a circle of files; every circle is there with all of its imports."""
    reach: dict[str, set[str]] = {}
    direct: dict[str, set[str]] = {}
    for edge in edges:
        direct.setdefault(edge.importer, set()).add(edge.imported)
    for module in direct:
        seen: set[str] = set()
        todo = list(direct[module])
        while todo:
            step = todo.pop()
            if step not in seen:
                seen.add(step)
                todo += direct.get(step, ())
        reach[module] = seen
    for edge in edges:
        if edge.importer in reach.get(edge.imported, ()):
            yield f"{edge}, which comes back to it"


def strays(root: Path, order: Sequence[str]) -> Iterator[str]:
    """Files beside the rooms, rooms that the order does not know, modules that are too long."""
    for path in sorted(root.iterdir()):
        if path.suffix == ".py" and path.name not in BESIDE:
            yield f"{path}: a file beside the rooms"
        elif path.is_dir() and path.name not in (*order, "__pycache__"):
            yield f"{path}: a room without a place in the order"
    for path in sorted(root.rglob("*.py")):
        lines = path.read_text("utf-8").count("\n")
        if lines > LINES:
            yield f"{path}: {lines} lines, more than {LINES}"


def offences(root: Path, package: str, order: Sequence[str]) -> list[str]:
    """Everything that breaks the order of the rooms, one sentence each, with its place."""
    found = list(strays(root, order))
    edges = [edge for edge in imports(root, package) if edge.importer or edge.imported]
    known = {*order, ""}
    placed = [e for e in edges if _room(e.importer) in known and _room(e.imported) in known]
    return [*found, *upward(placed, order), *circles(edges)]
