# SPDX-License-Identifier: BSD-3-Clause
"""Calls that read, reset, create and end, compared with the model."""

import ctypes
import errno
from collections.abc import Sequence

from ctrgen.model import ir
from tests.fuzz.model import Index, Key
from tests.fuzz.writes import FOREIGN, THREADS, Worker, Writes

ROUNDS = 3
"""Reports of all threads after which an instance is settled, and one more."""


class Calls(Writes):
    """All calls of one module; every method is made by a thread of its own."""

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
        """The values of the lcores add up to the whole."""
        sums = dict.fromkeys((i.name for i in scope.items if i.kind is ir.Kind.COUNTER), 0)
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
            assert self.model.lcores_are(key, total), (key, total, self.model.counters[key])

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

    def places(self, scope: ir.Scope) -> Sequence[int]:
        """The positions of what a snapshot has of a scope, in its order."""
        if scope.storage is not ir.Storage.DYNAMIC:
            return range(scope.instances)
        live = (index for name, index in self.model.live if name == scope.name)
        return sorted(self.model.flat(scope, index) for index in live)

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
            size = self.library.scopes[scope.name].size
            places = self.places(scope)
            for seed in range(25):
                index = self.index(scope, seed, False)
                if self.model.exists(scope.name, index):
                    at = start + size * places.index(self.model.flat(scope, index))
                    self.compare(scope, index, ctypes.string_at(at, size), "snapshot")
        self.do(thread, "snapshot_free", base, result=None)

    # ---- life ----

    def create(self, thread: int, scope: ir.Scope, index: Index) -> None:
        self.flush_all()
        rc = self.do(thread, f"{scope.name}_create", *self.place(scope.name, index))
        code = self.code(scope.name, index)
        outer = self.module.holder(scope)
        inside = not outer or self.model.exists(outer.name, index[: len(outer.maxima)])
        absent = 0 if inside else -errno.ENOENT
        assert rc == {0: -errno.EEXIST, -errno.ENOENT: absent}.get(code, code), (index, rc)
        if rc == 0:
            self.model.create(scope.name, index)

    def destroy(self, thread: int, scope: ir.Scope, index: Index) -> None:
        self.flush_all()
        place = (*self.place(scope.name, index), ctypes.c_void_p(None))
        rc = self.do(thread, f"{scope.name}_destroy", *place)
        for _ in range(ROUNDS):
            if rc != -errno.EINPROGRESS:
                break
            for worker in range(THREADS):
                self.do(worker, "burst_end", result=None)
            rc = self.do(thread, f"{scope.name}_destroy", *place)
        code = self.code(scope.name, index)
        inner = (
            self.module.holder(self.module.scope(name)) is scope and at[: len(index)] == index
            for name, at in self.model.live
        )
        assert rc == (-errno.EBUSY if code == 0 and any(inner) else code), (index, rc)
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
