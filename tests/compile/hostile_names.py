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
from tests.support.cbuild import WARNINGS
from tests.support.paths import ROOT
from tests.support.random_schemas import random_schema
from tests.support.strategies import GRANULAR, STRATEGIES, settings, strategy_of

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


NAMED = re.compile(
    r"\b(in_)?(zone|[cgshpk](?=\d+x)|u(?=\d))(\d+)(x\d+)?\b|\b(bb|flag)\b"
    r"|\b(vlan|ttl|B2|x_y|low|high|reason|direction)\b"
)
"""What has a name in a random schema: scopes, items and keys, updates, arguments, labels."""


@dataclass
class Namer:
    """Gives hostile names, often one that the schema has already, but not twice in one place."""

    module: str
    random: random.Random
    names: dict[str, str] = field(default_factory=dict)
    taken: set[tuple[str, str]] = field(default_factory=set)

    def word(self) -> str:
        """A word or two."""
        rng = self.random
        parts = rng.choice(dictionaries())
        chosen = rng.choice(parts)
        if self.names and rng.random() < 0.4:
            chosen = rng.choice(sorted(self.names.values()))
        if rng.random() < 0.4:
            chosen = "_".join(rng.sample([chosen, rng.choice(parts)], 2))
        chosen = chosen.replace(MODULE, self.module)
        return self.word() if len(chosen) > 40 or c.reserved(chosen) else chosen

    def name(self, found: re.Match[str]) -> str:
        """Instead of what was found: always the same."""
        whole, (kind, scope) = found[0], found.group(2, 3)
        place = f"items of {scope}" if found[4] else kind or ("arguments" if found[5] else "labels")
        while whole not in self.names:
            chosen = self.word()
            if (place, chosen) not in self.taken:
                self.taken.add((place, chosen))
                self.names[whole] = chosen
        return self.names[whole]


def hostile(module: str, rng: random.Random) -> str:
    """The text of a random schema with such names, also of views."""
    namer = Namer(module, rng)
    plain = random_schema(rng)
    schema = yaml.safe_load(NAMED.sub(namer.name, plain))
    schema |= {"module": module, "sync": rng.choice(SYNCS)}
    if rng.random() < 0.5 and not any("peaks" in scope for scope in schema["scopes"].values()):
        schema["reset"] = True
        schema["views"] = sorted({namer.word() for _ in range(2)})
    return yaml.safe_dump(schema, sort_keys=False)


@dataclass
class Outcome:
    """What became of some schemas."""

    compiled: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def _generate(seed: int, folder: Path, outcome: Outcome) -> str | None:
    """Write one module's C into the folder; its prefix, or None after a refusal."""
    module = f"h{seed:x}"
    text = hostile(module, random.Random(seed))
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
    flags = [*runtimeinfo.cflags("posix"), f"-I{folder}", "-fsyntax-only", *WARNINGS, "-Wshadow"]
    texts = {
        "gcc -std=gnu11": "".join(f'#include "{p}.c"\n' for p in prefixes),
        "g++ -std=c++17": "".join(f'#include "{p}.h"\n' for p in prefixes),
    }

    def errors(compiler: str) -> str:
        language = "c" if compiler.startswith("gcc") else "c++"
        command = [*compiler.split(), *flags, f"-x{language}", "-"]
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
