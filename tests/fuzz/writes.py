# SPDX-License-Identifier: BSD-3-Clause
"""Calls that change counters, by several threads, and what the model has to make of them."""

import ctypes
import errno
import queue
import threading
from collections.abc import Callable
from typing import Any

from ctrgen.model import ir
from tests.fuzz.library import STATES, TYPES, Library
from tests.fuzz.model import Index, Key, Model

THREADS = 3
OBJECTS = 2
"""Embedded objects of every such scope."""
FOREIGN = 128  # CTR_NON_LCORE of the POSIX port
ROOM = 4096
"""Octets that are enough for an embedded object, or a batch."""


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


class Writes:
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
        levels = {level.name: level for scope in self.module.scopes for level in scope.levels}
        for seed, amounts in chosen:
            given: dict[str, Any] = {}
            values: list[Any] = []
            for name in update.indexes:
                level = levels[name]
                scope = self.module.scope(level.scope)
                if scope.storage is ir.Storage.EMBEDDED:
                    given[name] = seed % OBJECTS
                    values.append(self.objects[name, (given[name],)])
                else:
                    given[name] = instance(level.maximum, seed, self.drops())
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
            labels = update.fixed.get(name, {})
            targets.append((name, tuple(
                level.labels.index(labels[level.name]) if level.name in labels
                else given[level.name]
                for level in scope.levels
            )))  # fmt: skip
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
        if form == "bulk" and calls[0][1]:
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
