# SPDX-License-Identifier: BSD-3-Clause
"""Random sequences of calls to a generated module, by several threads, against the model."""

import ctypes
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ctrgen.model import ir
from tests.fuzz.library import STATES, Library
from tests.fuzz.model import Index, Key
from tests.fuzz.reads import Calls
from tests.fuzz.writes import THREADS

AMOUNTS = st.one_of(st.integers(0, 3), st.integers(0, 2**40), st.sampled_from([2**32 - 1, 2**32]))
SEEDS = st.integers(0, 2**31)
LISTS = st.lists(st.tuples(SEEDS, st.tuples(*[AMOUNTS] * 4)), min_size=1, max_size=12)


def machine(path: Path, module: ir.Module) -> type[RuleBasedStateMachine]:
    """The machine of one library."""
    library = Library(path, module)
    thread = st.integers(0, THREADS - 1)
    scopes = st.sampled_from([s.name for s in module.scopes])
    dynamic = [s.name for s in module.scopes if s.storage is ir.Storage.DYNAMIC]
    resettable = [s.name for s in module.scopes if s.reset]
    items = [(s.name, item) for s in module.scopes for item in s.items]
    wide = [(s, i.name) for s, i in items if i.kind is ir.Kind.STATE and i.type not in STATES]
    scalar = [(s, i.name) for s, i in items if (s, i.name) not in wide]
    summed = [(s, i.name) for s, i in items if i.kind is not ir.Kind.STATE]
    verbs = {
        ir.Kind.COUNTER: ["inc", "add"],
        ir.Kind.GAUGE: ["inc", "dec", "add", "sub", "set"],
        ir.Kind.STATE: ["set"],
    }

    class Machine(RuleBasedStateMachine):
        calls: Calls

        @initialize()
        def begin(self) -> None:
            self.calls = Calls(library, module)

        def teardown(self) -> None:
            if hasattr(self, "calls"):
                try:
                    self.calls.check_all()
                finally:
                    self.calls.close()

        @rule(thread=thread)
        def register(self, thread: int) -> None:
            self.calls.register(thread)

        @rule(thread=thread, ends=st.booleans())
        def leave(self, thread: int, ends: bool) -> None:
            if ends:
                self.calls.replace(thread)
            else:
                self.calls.unregister(thread)

        @rule(thread=thread, which=st.sampled_from(scalar), seed=SEEDS, amount=AMOUNTS)
        def item(self, thread: int, which: tuple[str, str], seed: int, amount: int) -> None:
            key = self.key(which, seed, self.calls.drops())
            kinds = verbs[module.item(*which).kind]
            verb = kinds[amount % len(kinds)]
            if not library.has(f"{self.calls.start(which[0])}{verb}_{which[1]}"):
                verb = "add"
            self.calls.item(thread, key, verb, amount)

        def key(self, which: tuple[str, str], seed: int, outside: bool) -> Key:
            return (which[0], self.index(which[0], seed, outside), which[1])

        def index(self, scope: str, seed: int, outside: bool = True) -> Index:
            return self.calls.index(module.scope(scope), seed, outside)

        if wide:

            @rule(
                thread=thread, which=st.sampled_from(wide), seed=SEEDS, data=st.binary(max_size=60)
            )
            def text_or_address(
                self, thread: int, which: tuple[str, str], seed: int, data: bytes
            ) -> None:
                self.calls.octets(thread, self.key(which, seed, True), data)

        if module.updates:

            @rule(
                thread=thread,
                name=st.sampled_from([u.name for u in module.updates]),
                form=st.sampled_from(["single", "batch", "bulk"]),
                chosen=LISTS,
            )
            def update(
                self, thread: int, name: str, form: str, chosen: list[tuple[int, tuple[int, ...]]]
            ) -> None:
                if form != "single" and not library.has(f"update_{name}_bulk"):
                    form = "single"
                self.calls.update(thread, name, form, chosen)

            @rule(thread=thread, chosen=LISTS)
            def mixed(self, thread: int, chosen: list[tuple[int, tuple[int, ...]]]) -> None:
                self.calls.mixed(thread, chosen)

        @rule(thread=thread, how=st.sampled_from(["flush", "try_flush", "burst_end"]))
        def flush(self, thread: int, how: str) -> None:
            if how == "flush":
                self.calls.flush(thread)
            else:
                self.calls.do(thread, how, result=None)

        @rule(thread=thread, scope=scopes, seed=SEEDS)
        def read(self, thread: int, scope: str, seed: int) -> None:
            self.calls.read(thread, module.scope(scope), self.index(scope, seed))

        @rule(thread=thread, which=st.sampled_from(summed), seed=SEEDS)
        def get(self, thread: int, which: tuple[str, str], seed: int) -> None:
            self.calls.get(thread, self.key(which, seed, True))

        @rule(thread=thread, scope=scopes, seed=SEEDS)
        def shares(self, thread: int, scope: str, seed: int) -> None:
            if module.scope(scope).storage is not ir.Storage.EMBEDDED:
                self.calls.shares(thread, module.scope(scope), self.index(scope, seed))

        @rule(thread=thread, scope=st.sampled_from(resettable), seed=SEEDS)
        def reset(self, thread: int, scope: str, seed: int) -> None:
            self.calls.reset(thread, module.scope(scope), self.index(scope, seed))

        @rule(thread=thread, scope=st.sampled_from([None, *resettable]))
        def reset_many(self, thread: int, scope: str | None) -> None:
            if scope is None:
                self.calls.reset_module(thread)
            elif module.scope(scope).storage is not ir.Storage.EMBEDDED:
                self.calls.reset_scope(thread, module.scope(scope))

        @rule(thread=thread)
        def snapshot(self, thread: int) -> None:
            self.calls.snapshot(thread)

        if dynamic:

            @rule(thread=thread, scope=st.sampled_from(dynamic), seed=SEEDS, gone=st.booleans())
            def create_or_destroy(self, thread: int, scope: str, seed: int, gone: bool) -> None:
                call = self.calls.destroy if gone else self.calls.create
                call(thread, module.scope(scope), self.index(scope, seed))

        @rule(thread=thread, scope=scopes, seed=SEEDS)
        def clear(self, thread: int, scope: str, seed: int) -> None:
            if module.scope(scope).storage is ir.Storage.EMBEDDED:
                self.calls.clear(thread, module.scope(scope), self.index(scope, seed))

        @rule()
        def restart(self) -> None:
            self.calls.check_all()
            self.calls.close()
            self.calls = Calls(library, module)

        @invariant()
        def counts_drops(self) -> None:
            if hasattr(self, "calls"):
                model = self.calls.model
                for name, expected in (("drops", model.drops), ("late", model.late)):
                    found = library.call(name, result=ctypes.c_uint64)
                    assert found == expected, (name, found, expected)

    return Machine
