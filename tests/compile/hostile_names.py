# SPDX-License-Identifier: BSD-3-Clause
"""Random schemas whose names are words that generated code uses itself, in pairs."""

import functools
import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from ctrgen.backends import Options, runtimeinfo
from ctrgen.backends.c import BACKEND
from ctrgen.backends.c.parameters import words as template_words
from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.printers import print_findings
from ctrgen.model import ir
from ctrgen.model.naming import c, symbols
from ctrgen.model.naming import names as c_names
from ctrgen.model.naming.names import SUFFIX
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.pipeline.check import check
from tests.support.paths import ROOT
from tests.support.strategies import EMBEDDING, GRANULAR, STRATEGIES, settings, strategy_of

PACK = 40
"""Modules in one translation unit."""
MODULE = "MODULE"
"""Stands in a word for the module's own name."""
RULES = frozenset(
    f"{what}-name"
    for what in ("parameter", "generated", "colliding", "reserved", "invalid", "view")
) | {"view-reset", "colliding-index"}
"""The rules that may refuse such a schema."""
SYNCS: list[object] = [
    *STRATEGIES,
    *({"strategy": strategy_of(variant).name, **settings(variant)} for variant in GRANULAR),
]
TYPES = ("bool", "uint8", "uint16", "uint32", "uint64", "int32")


def declared() -> Iterator[str]:
    """Words of the registry: keys, patterns, members, and what strategies bring."""
    tables = [symbols.MODULE, symbols.DOMAIN, symbols.SCOPE, symbols.ENUM]
    tables += [
        c_names.HISTOGRAM,
        c_names.OBSERVED,
        symbols.LEVEL,
        symbols.UPDATE,
        symbols.PART,
        *symbols.STORAGE.values(),
    ]
    tables += map(symbols.accessors, ir.Kind)
    for table in tables:
        yield from table
        for pattern in table.values():
            yield from pattern.split("_")
    yield from (*symbols.SNAPSHOT, *symbols.MEMBERS, *symbols.MEMBERS_DYNAMIC, SUFFIX[1:])
    for name, strategy in all_strategies().items():
        yield from (name, *name.split("_"), *strategy.symbols)


def written() -> Iterator[str]:
    """Identifiers of the generated code that is checked in, whole and without the prefix."""
    for file in sorted((ROOT / "generated").glob("*/ep_stats.[ch]")):
        code = re.sub(r"/\*.*?\*/|\"[^\"\n]*\"", "", file.read_text("utf-8"), flags=re.DOTALL)
        for word in set(re.findall(r"[A-Za-z_]\w*", code)):
            yield word.replace("ep_stats_", f"{MODULE}_stats_")
            yield word.removeprefix("ep_stats_")
            yield from word.removeprefix("ep_stats_").split("_")


@functools.cache
def dictionaries() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hostile words that could be names by themselves: all of them, and the registry's own.

    A word that the registry has more than once is there as often.
    """
    every = {*declared(), *written(), *template_words(frozenset(all_strategies()))}
    usable = {w for w in every if c.IDENTIFIER.match(w) and not c.reserved(w.lower())}
    return tuple(sorted(usable)), tuple(sorted(w for w in declared() if w in usable))


@dataclass
class Writer:
    """Writes one schema of hostile names."""

    module: str
    random: random.Random
    used: set[str] = field(default_factory=set)

    def name(self, short: bool = False) -> str:
        """A word or two, often one that the schema has already."""
        rng = self.random
        parts = rng.choice(dictionaries())
        chosen = rng.choice(parts)
        if self.used and rng.random() < 0.4:
            chosen = rng.choice(sorted(self.used))
        if not short and rng.random() < 0.5:
            chosen = "_".join(rng.sample([chosen, rng.choice(parts)], 2))
        chosen = chosen.replace(MODULE, self.module)
        if len(chosen) > 40 or c.reserved(chosen):
            return self.name(short)
        self.used.add(chosen)
        return chosen

    def items(self, few: int) -> dict[str, object]:
        """Items of a scope, at least one."""
        rng = self.random
        types = ["bool", "int32", "timeticks", "mac", {"type": "string", "length": 7}]
        kinds: dict[str, dict[str, object]] = {"counters": {}, "gauges": {}, "states": {}}
        for _ in range(rng.randint(1, few)):
            kind = rng.choice(["counters", "counters", "gauges", "states"])
            item: dict[str, object] = {"description": "Some."}
            if kind == "states":
                chosen = rng.choice([*types, "enum"])
                item |= chosen if isinstance(chosen, dict) else {"type": chosen}
                if chosen == "enum":
                    item["labels"] = sorted({self.name(short=True) for _ in range(3)})
            else:
                item["unit"] = "packets"
            if kind == "counters":
                item["width"] = rng.choice([32, 64])
            name = self.name()
            if not any(name in items for items in kinds.values()):
                kinds[kind][name] = item
        return {kind: items for kind, items in kinds.items() if items}

    def labels(self, parents: list[str]) -> dict[str, object]:
        """What a scope has whose instances have names, in one list or in dimensions."""
        rng = self.random
        lists = [
            sorted({self.name(short=True) for _ in range(3)}) for _ in range(rng.randint(1, 2))
        ]
        named = {self.name(short=True): labels for labels in lists}
        scope: dict[str, object] = {"labels": rng.choice([named, lists[0]])}
        return scope | ({"parent": rng.choice(parents)} if parents and rng.random() < 0.4 else {})

    def scopes(self) -> dict[str, dict[str, object]]:
        """A global scope and others of every storage, one at least."""
        rng = self.random
        scopes: dict[str, dict[str, object]] = {}
        if rng.random() < 0.8:
            scopes["global"] = self.items(3)
        parents: list[str] = []
        for _ in range(rng.randint(1, 3)):
            name = self.name()
            if name in scopes or name == "global":
                continue
            scope = self.items(3)
            storage = rng.choice(["static", "static", "dynamic", "dynamic", "embedded"])
            scope["storage"] = storage
            if storage == "static" and rng.random() < 0.5:
                scopes[name] = scope | self.labels(parents)
                parents.append(name)
                continue
            if storage == "embedded":
                scope["sync"] = rng.choice(EMBEDDING)
            else:
                scope["max"] = rng.choice([3, 3000])
                if rng.random() < 0.4:
                    scope["sync"] = rng.choice(SYNCS)
                if parents and rng.random() < 0.4:
                    scope |= {"parent": rng.choice(parents), "max": 4}
                parents.append(name)
            scopes[name] = scope
        return scopes or self.scopes()

    def update(self, scopes: dict[str, dict[str, object]]) -> dict[str, object]:
        """An update of some items, by numbers and by parameters."""
        rng = self.random
        verbs: dict[str, dict[str, object]] = {"add": {}, "sub": {}, "set": {}}
        args: dict[str, str] = {}
        for scope, content in scopes.items():
            for kind, verb in (("counters", "add"), ("gauges", "sub"), ("gauges", "set")):
                for item in content.get(kind, {}):  # type: ignore[attr-defined]
                    if rng.random() < 0.5 or any(f"{scope}.{item}" in v for v in verbs.values()):
                        continue
                    amount: object = 1
                    if rng.random() < 0.6:
                        amount = rng.choice([*args, self.name(short=True)])
                        args.setdefault(str(amount), rng.choice(TYPES[1:3]))
                    verbs[verb][f"{scope}.{item}"] = amount
            for item, state in content.get("states", {}).items():  # type: ignore[attr-defined]
                if state["type"] == "bool" and rng.random() < 0.5:
                    flag = self.name(short=True)
                    if args.setdefault(flag, "bool") == "bool":
                        verbs["set"][f"{scope}.{item}"] = flag
        content = {verb: targets for verb, targets in verbs.items() if targets}
        return content and ({"args": args} if args else {}) | content

    def schema(self) -> str:
        """The text of the schema."""
        scopes = self.scopes()
        updates = {self.name(): self.update(scopes) for _ in range(self.random.randint(0, 3))}
        text: dict[str, object] = {
            "ctrgen": 1,
            "module": self.module,
            "bounds": self.random.choice(["drop", "assert"]),
            "sync": self.random.choice(SYNCS),
            "scopes": scopes,
        }
        updates = {name: update for name, update in updates.items() if update}
        if self.random.random() < 0.5:
            text["reset"] = True
            text["views"] = sorted({self.name(short=True) for _ in range(2)})
        return yaml.safe_dump(text | ({"updates": updates} if updates else {}), sort_keys=False)


@dataclass
class Outcome:
    """What became of some schemas."""

    compiled: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def _generate(seed: int, folder: Path, outcome: Outcome) -> str | None:
    """Write one module's C into the folder; its prefix, or None after a refusal."""
    module = f"h{seed:x}"
    text = Writer(module, random.Random(seed)).schema()
    checked = check("hostile.yaml", read=lambda _: text.encode())
    if checked.module is None:
        errors = [f for f in checked.diagnostics.findings if f.severity is Severity.ERROR]
        if any(f.rule not in RULES or f.span.line < 2 for f in errors):
            outcome.failures.append(f"{text}\n{print_findings(checked.diagnostics)}")
        outcome.refused[errors[0].rule] += 1
        return None
    for name, code in BACKEND.generate(checked.module, Options("s", "c", "1")).items():
        (folder / name).write_text(code, "utf-8")
    (folder / f"{module}.yaml").write_text(text, "utf-8")
    return symbols.prefix(module)


def compile_errors(folder: Path, prefixes: Sequence[str]) -> str:
    """What compilers say of some modules together, as C and as C++."""
    flags = [*runtimeinfo.cflags("posix"), f"-I{folder}", "-fsyntax-only", "-Wall", "-Wextra"]
    flags.append("-Wshadow")
    texts = {
        "gcc -std=gnu11": "".join(f'#include "{p}.c"\n' for p in prefixes),
        "g++ -std=c++17": "".join(f'#include "{p}.h"\n' for p in prefixes),
    }

    def errors(compiler: str) -> str:
        language = "c" if compiler.startswith("gcc") else "c++"
        command = [*compiler.split(), *flags, "-Werror", f"-x{language}", "-"]
        done = subprocess.run(
            command, input=texts[compiler], capture_output=True, text=True, check=False
        )
        return "" if done.returncode == 0 else done.stderr

    with ThreadPoolExecutor(2) as pool:
        return "".join(pool.map(errors, texts))


def _culprit(folder: Path, prefixes: Sequence[str]) -> str:
    """The first of some modules that does not compile, with what is said of it."""
    if len(prefixes) == 1:
        schema = (folder / f"{prefixes[0].removesuffix('_stats')}.yaml").read_text("utf-8")
        return f"{schema}\n{compile_errors(folder, prefixes)[:2000]}"
    half = len(prefixes) // 2
    first = prefixes[:half]
    return _culprit(folder, first if compile_errors(folder, first) else prefixes[half:])


def attempt(seeds: range, folder: Path) -> Outcome:
    """Generate and compile a schema for each seed, a pack of modules at a time."""
    outcome = Outcome()
    for start in range(seeds.start, seeds.stop, PACK):
        pack = folder / str(start)
        pack.mkdir()
        tried = range(start, min(start + PACK, seeds.stop))
        prefixes = [p for p in (_generate(seed, pack, outcome) for seed in tried) if p]
        if prefixes and compile_errors(pack, prefixes):
            outcome.failures.append(_culprit(pack, prefixes))
        else:
            outcome.compiled += len(prefixes)
            for file in pack.iterdir():
                file.unlink()
    return outcome
