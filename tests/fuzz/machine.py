# SPDX-License-Identifier: BSD-3-Clause
"""Random sequences of calls to a generated module, by several threads, against the model."""

from __future__ import annotations

import ctypes
import errno
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from ctrgen import ir
from tests.fuzz.library import STATES, TYPES, Library
from tests.fuzz.model import Index, Key, Model

THREADS = 3
OBJECTS = 2
"""Embedded objects of every such scope."""
FOREIGN = 128  # CTR_LCORE_FOREIGN of the POSIX port
ROOM = 4096
"""Octets that are enough for an embedded object, or a batch."""

AMOUNTS = st.one_of(st.integers(0, 3), st.integers(0, 2**40), st.sampled_from([2**32 - 1, 2**32]))
SEEDS = st.integers(0, 2**31)
LISTS = st.lists(st.tuples(SEEDS, st.tuples(*[AMOUNTS] * 4)), min_size=1, max_size=12)


class Worker:
    """A thread that makes calls when told to."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                self._done.put((job(), None))
            except BaseException as error:
                self._done.put((None, error))

    def do(self, job: Callable[[], Any]) -> Any:
        """What `job` returns, called by the thread."""
        self._jobs.put(job)
        result, error = self._done.get()
        if error is not None:
            raise error
        return result

    def end(self) -> None:
        self._jobs.put(None)
        self._thread.join()


def aligned() -> Any:
    """Zeroed memory, aligned as any struct may ask."""
    whole = ctypes.create_string_buffer(ROOM + 128)
    start = -ctypes.addressof(whole) % 128
    return (ctypes.c_char * ROOM).from_buffer(whole, start)


def instance(limit: int, seed: int, outside: bool) -> int:
    """One of few instances of a level, so that calls meet; `outside`: perhaps out of range."""
    if outside and seed % 11 == 7:
        return limit if seed % 2 else 2**32 - 1
    return (0, 1, 2, limit - 1, limit // 2)[seed % 5] % limit


class Calls:
    """Calls of one module and what they have to do; every method is made by a thread of its own."""

    def __init__(self, library: Library, module: ir.Module) -> None:
        self.library, self.module = library, module
        self.model = Model(module)
        self.workers = [Worker() for _ in range(THREADS)]
        self.objects: dict[tuple[str, Index], Any] = {}
        assert self.do(0, "init") == 0
        assert self.do(1, "init") == -errno.EALREADY
        for scope in module.scopes:
            if scope.storage is ir.Storage.EMBEDDED:
                for number in range(OBJECTS):
                    memory = self.objects[scope.name, (number,)] = aligned()
                    self.do(0, f"{scope.name}_init", memory, result=None)

    def close(self) -> None:
        for worker in self.workers:
            worker.end()
        self.library.call("fini", result=None)

    def do(self, thread: int, name: str, *arguments: Any, result: Any = ctypes.c_int) -> Any:
        return self.workers[thread].do(lambda: self.library.call(name, *arguments, result=result))

    # ---- choices, from a number ----

    def index(self, scope: ir.Scope, seed: int, outside: bool) -> Index:
        """Indexes of an instance; `outside`: perhaps out of range."""
        if scope.storage is ir.Storage.EMBEDDED:
            return (seed % OBJECTS,)
        found = []
        for limit in scope.maxima:
            found.append(instance(limit, seed, outside))
            seed //= 5
        return tuple(found)

    def place(self, scope: str, index: Index) -> list[Any]:
        """The leading parameters of functions of an instance."""
        if (scope, index) in self.objects:
            return [self.objects[scope, index]]
        return [ctypes.c_uint32(one) for one in index]

    def start(self, scope: str) -> str:
        return "" if scope == ir.GLOBAL else f"{scope}_"

    def drops(self) -> bool:
        return self.module.bounds == "drop"

    # ---- flushing ----

    def flush(self, thread: int) -> None:
        self.do(thread, "flush", result=None)
        self.model.flush(thread)

    def flush_others(self, thread: int) -> None:
        """What other threads have queued comes first."""
        for other in range(THREADS):
            if other != thread and self.model.pending.get(other):
                self.flush(other)

    def flush_all(self) -> None:
        for thread in range(THREADS):
            self.flush(thread)

    # ---- updates ----

    def item(self, thread: int, key: Key, verb: str, amount: int) -> None:
        """One of the calls of a counter, a gauge or a scalar state."""
        scope, index, name = key
        item = self.model.item(key)
        kind = ctypes.c_uint64 if verb != "set" or item.width == 64 else ctypes.c_uint32
        if item.kind is ir.Kind.COUNTER and item.width == 32:
            kind = ctypes.c_uint32
        if item.kind is ir.Kind.STATE:
            kind = STATES[item.type]
        if item.labels:
            amount = item.labels[amount % len(item.labels)].value
        value = kind(amount)
        if verb == "set":
            self.flush_others(thread)
        place = self.place(scope, index)
        full = f"{self.start(scope)}{verb}_{name}"
        arguments = place if verb in ("inc", "dec") else [*place, value]
        self.do(thread, full, *arguments, result=None)
        if not self.model.accepts([(scope, index)]):
            return
        amount = 1 if verb in ("inc", "dec") else int(value.value)
        if verb == "set":
            self.model.set(thread, key, amount)
        else:
            self.model.add(thread, key, -amount if verb in ("sub", "dec") else amount)

    def octets(self, thread: int, key: Key, data: bytes) -> None:
        """The setter and the getter of a text or an address."""
        scope, index, name = key
        item = self.model.item(key)
        text = item.type == "string"
        size = item.length + 1 if text else 16 if item.type == "ipv6" else 6
        data = data.replace(b"\0", b"") if text else data.ljust(size, b"\1")[:size]
        given = ctypes.create_string_buffer(data)
        place, start = self.place(scope, index), self.start(scope)
        rc = self.do(thread, f"{start}set_{name}", *place, given)
        wanted = self.code(scope, index)
        assert rc == wanted, (key, rc)
        if rc == 0:
            self.model.set(thread, key, data[: size - 1] if text else data)
        out = (ctypes.c_char * size)()
        assert self.do(thread, f"{start}get_{name}", *place, out) == wanted
        if rc == 0:
            got = out.raw.partition(b"\0")[0] if text else out.raw
            assert got == self.model.other(key), (key, got)
        null = ctypes.c_void_p(None)
        assert self.do(thread, f"{start}set_{name}", *place, null) == -errno.EINVAL

    def code(self, scope: str, index: Index) -> int:
        """What functions of an instance return."""
        if not self.model.in_range(scope, index):
            return -errno.ERANGE
        return 0 if self.model.exists(scope, index) else -errno.ENOENT

    def packets(
        self, update: ir.Update, chosen: list[tuple[int, tuple[int, ...]]]
    ) -> list[tuple[dict[str, Any], list[Any]]]:
        """The parameters of some calls of an update: by name, and as they are passed."""
        found = []
        for seed, amounts in chosen:
            given: dict[str, Any] = {}
            values: list[Any] = []
            for name in update.indexes:
                scope = self.module.scope(name)
                if scope.storage is ir.Storage.EMBEDDED:
                    given[name] = seed % OBJECTS
                    values.append(self.objects[name, (given[name],)])
                else:
                    given[name] = instance(scope.maxima[-1], seed, self.drops())
                    values.append(ctypes.c_uint32(given[name]))
                seed //= 5
            for number, argument in enumerate(update.arguments):
                value = TYPES[argument.type](amounts[number % len(amounts)])
                given[argument.name] = int(value.value)
                values.append(value)
            found.append((given, values))
        return found

    def expect(self, thread: int, update: ir.Update, given: dict[str, Any]) -> None:
        """What one call of an update does."""
        targets = []
        for name in update.scopes:
            scope = self.module.scope(name)
            targets.append((name, tuple(given[level] for level in scope.path)))
        if not self.model.accepts(targets):
            return
        places = dict(targets)
        for op in update.operations:
            value = op.constant if op.argument is None else given[op.argument]
            assert value is not None
            self.model.operate(thread, (op.scope, places[op.scope], op.item), op.verb, int(value))

    def update(
        self, thread: int, name: str, form: str, chosen: list[tuple[int, tuple[int, ...]]]
    ) -> None:
        """An update called for some packets: one by one, in a batch, or in bulk."""
        update = next(one for one in self.module.updates if one.name == name)
        calls = self.packets(update, chosen)
        if any(op.verb == "set" for op in update.operations):
            self.flush_others(thread)
        if form == "bulk":
            vectors = []
            for column in zip(*(values for _, values in calls), strict=True):
                if isinstance(column[0], ctypes.Array):
                    pointers = [ctypes.addressof(one) for one in column]
                    vectors.append((ctypes.c_void_p * len(column))(*pointers))
                else:
                    vectors.append((type(column[0]) * len(column))(*column))
            count = ctypes.c_uint(len(calls))
            self.do(thread, f"update_{name}_bulk", *vectors, count, result=None)
        elif form == "batch":
            self.batch(thread, [(name, values) for _, values in calls])
        else:
            for _, values in calls:
                self.do(thread, f"update_{name}", *values, result=None)
        for given, _ in calls:
            self.expect(thread, update, given)

    def batch(self, thread: int, calls: list[tuple[str, list[Any]]]) -> None:
        memory = aligned()

        def job() -> None:
            self.library.call("batch_begin", memory, result=None)
            for name, values in calls:
                self.library.call(f"batch_{name}", memory, *values, result=None)
            self.library.call("batch_end", memory, result=None)

        self.workers[thread].do(job)

    def mixed(self, thread: int, chosen: list[tuple[int, tuple[int, ...]]]) -> None:
        """Several updates in one batch: their order is kept."""
        calls, expected = [], []
        for seed, amounts in chosen:
            update = self.module.updates[seed % len(self.module.updates)]
            ((given, values),) = self.packets(update, [(seed // 16, amounts)])
            calls.append((update.name, values))
            expected.append((update, given))
        self.flush_others(thread)
        self.batch(thread, calls)
        for update, given in expected:
            self.expect(thread, update, given)

    # ---- reading ----

    def compare(self, scope: ir.Scope, index: Index, data: bytes, told: str = "read") -> None:
        """A value struct against the model."""
        values = self.library.decode(scope, data)
        for item, key in self.model.keys(scope.name, index):
            value = values[item.name]
            if item.kind is ir.Kind.COUNTER:
                assert isinstance(value, int)
                shown = (told, key, value, self.model.counter(key))
                assert self.model.counter_is(key, value), shown
            else:
                wanted = self.model.other(key)
                assert wanted is None or value == wanted, (told, key, value, wanted)

    def read(self, thread: int, scope: ir.Scope, index: Index) -> None:
        out = self.library.value(scope.name)
        place = self.place(scope.name, index)
        rc = self.do(thread, f"{scope.name}_read", *place, out)
        assert rc == self.code(scope.name, index), (scope.name, index, rc)
        if rc == 0:
            self.compare(scope, index, bytes(out))
        null = ctypes.c_void_p(None)
        assert self.do(thread, f"{scope.name}_read", *place, null) == -errno.EINVAL

    def get(self, thread: int, key: Key) -> None:
        """The getter of a counter or gauge."""
        scope, index, name = key
        width = self.model.item(key).width
        kind = ctypes.c_uint64 if width == 64 else ctypes.c_uint32
        full = f"{self.start(scope)}get_{name}"
        value = self.do(thread, full, *self.place(scope, index), result=kind)
        if self.code(scope, index) != 0:
            assert value == 0, (key, value)
        elif self.model.item(key).kind is ir.Kind.COUNTER:
            assert self.model.counter_is(key, value), (key, value, self.model.counter(key))
        else:
            assert self.model.other(key) in (None, value), (key, value, self.model.other(key))

    def shares(self, thread: int, scope: ir.Scope, index: Index) -> None:
        """The values of the lcores are those of the whole."""
        sums = dict.fromkeys((i.name for i in scope.of(ir.Kind.COUNTER)), 0)
        place = self.place(scope.name, index)
        for lcore in (*range(THREADS + 2), FOREIGN):
            out = self.library.value(scope.name)
            number = ctypes.c_uint(lcore)
            rc = self.do(thread, f"{scope.name}_lcore_read", number, *place, out)
            if rc != 0:
                assert rc in (-errno.ENOTSUP, self.code(scope.name, index)), rc
                return
            for name, value in self.library.decode(scope, bytes(out)).items():
                if name in sums:
                    assert isinstance(value, int)
                    sums[name] += value
        for name, total in sums.items():
            key = (scope.name, index, name)
            total %= 1 << self.model.item(key).width
            assert self.model.counter_is(key, total), (key, total, self.model.counter(key))

    def reset(self, thread: int, scope: ir.Scope, index: Index) -> None:
        last = self.library.value(scope.name)
        place = self.place(scope.name, index)
        rc = self.do(thread, f"{scope.name}_reset", *place, last)
        assert rc == self.code(scope.name, index), (scope.name, index, rc)
        if rc != 0:
            return
        self.compare(scope, index, bytes(last), "reset")
        values = self.library.decode(scope, bytes(last))
        for item, key in self.model.keys(scope.name, index):
            value = values[item.name]
            if item.kind is ir.Kind.COUNTER:
                assert isinstance(value, int)
                self.model.take(key, value)

    def taken(self, scope: ir.Scope) -> None:
        """All counters of a scope have been reset, and nothing was in a buffer."""
        for (name, index, item), counter in self.model.counters.items():
            if name == scope.name and self.model.exists(name, index):
                counter.taken = counter.total
                assert item

    def reset_scope(self, thread: int, scope: ir.Scope) -> None:
        self.flush_all()
        null = ctypes.c_void_p(None)
        assert self.do(thread, f"{scope.name}_reset_all", null) == 0
        self.taken(scope)

    def reset_module(self, thread: int) -> None:
        self.flush_all()
        assert self.do(thread, "reset") == 0
        for scope in self.module.scopes:
            if scope.reset and scope.storage is not ir.Storage.EMBEDDED:
                self.taken(scope)

    def snapshot(self, thread: int) -> None:
        """Everything in one read, by position."""
        pointer = (ctypes.c_void_p * 1)()
        assert self.do(thread, "snapshot_create", pointer) == 0
        base = ctypes.c_void_p(pointer[0])
        assert self.do(thread, "snapshot_read", base) == 0
        for scope in self.module.scopes:
            if scope.name not in self.library.fields:
                continue
            start = base.value + self.library.fields[scope.name]  # type: ignore[operator]
            if scope.path:
                start = ctypes.c_uint64.from_address(start).value
            size = self.library.scopes[scope.name].value_size
            for seed in range(25):
                index = self.index(scope, seed, False)
                if self.model.exists(scope.name, index):
                    at = start + size * self.model.flat(scope, index)
                    self.compare(scope, index, ctypes.string_at(at, size), "snapshot")
        self.do(thread, "snapshot_free", base, result=None)

    # ---- life ----

    def create(self, thread: int, scope: ir.Scope, index: Index) -> None:
        self.flush_all()
        rc = self.do(thread, f"{scope.name}_create", *self.place(scope.name, index))
        code = self.code(scope.name, index)
        assert rc == {0: -errno.EEXIST, -errno.ENOENT: 0}.get(code, code), (index, rc)
        if rc == 0:
            self.model.create(scope.name, index)

    def destroy(self, thread: int, scope: ir.Scope, index: Index) -> None:
        self.flush_all()
        rc = self.do(thread, f"{scope.name}_destroy", *self.place(scope.name, index))
        assert rc == self.code(scope.name, index), (index, rc)
        if rc == 0:
            self.model.destroy(scope.name, index)

    def clear(self, thread: int, scope: ir.Scope, index: Index) -> None:
        """An embedded object is made ready again."""
        self.do(thread, f"{scope.name}_init", *self.place(scope.name, index), result=None)
        self.model.forget(scope.name, index)

    def register(self, thread: int) -> None:
        assert self.workers[thread].do(self.library.register) == 0

    def unregister(self, thread: int) -> None:
        self.workers[thread].do(self.library.unregister)
        self.model.flush(thread)

    def replace(self, thread: int) -> None:
        """A thread ends without a word, and another one begins."""
        self.workers[thread].end()
        self.workers[thread] = Worker()
        self.model.flush(thread)

    def check_all(self) -> None:
        """Everything flushed, everything read."""
        self.flush_all()
        for scope in self.module.scopes:
            for index in {self.index(scope, seed, False) for seed in range(25)}:
                self.read(0, scope, index)
        dropped = self.do(0, "drops", result=ctypes.c_uint64)
        assert dropped == self.model.drops, (dropped, self.model.drops)


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
                self,
                thread: int,
                name: str,
                form: str,
                chosen: list[tuple[int, tuple[int, ...]]],
            ) -> None:
                if form != "single" and not library.has(f"update_{name}_bulk"):
                    form = "single"
                self.calls.update(thread, name, form, chosen)

            @rule(thread=thread, chosen=LISTS)
            def mixed(self, thread: int, chosen: list[tuple[int, tuple[int, ...]]]) -> None:
                self.calls.mixed(thread, chosen)

        @rule(thread=thread, how=st.sampled_from(["flush", "try_flush", "hint_flush"]))
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
                found = library.call("drops", result=ctypes.c_uint64)
                assert found == self.calls.model.drops, (found, self.calls.model.drops)

    return Machine
