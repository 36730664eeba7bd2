# SPDX-License-Identifier: BSD-3-Clause
"""Restartable sequences of ctr_cpu.h as machine code, one instruction at a time, and all that a
scheduler may do at each.

The code is what a compiler made of sections.c. Two threads do the same update each. One that is
interrupted goes on as Linux lets it (rseq(2)): in the section that it described at the abort
handler, elsewhere without a description. Threads of one CPU run in turns, those of two at
the same time: there a plain add is a load and a store.
"""

from __future__ import annotations

import itertools
import re
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.process import succeed

CPUS = 2
OTHER = CPUS
"""The instance that takes atomic adds."""
STALE = 7
"""What registers have at first; and the carry flag is set."""
MASKS = {64: 2**64 - 1, 32: 2**32 - 1, 8: 255}


class WrongError(Exception):
    """An order of events after which a sum is not what was counted."""


class Thread(NamedTuple):
    """A thread: where it is in its update, and what it has in registers."""

    cpu: int
    running: bool
    ip: int = 0  # 0: before the update
    slot: int = OTHER
    registers: tuple[tuple[str, int], ...] = ()
    carry: bool = True
    zero: bool = False
    described: int = 0
    loaded: int | None = None  # by a plain add that has not stored yet
    left: tuple[int, ...] = ()  # words to add to atomically
    ended: bool = False

    def get(self, name: str) -> int:
        """The 64 bits of a register."""
        return dict(self.registers).get(name, STALE)

    def put(self, name: str, value: int) -> Thread:
        """The same with another value in a register."""
        registers = {**dict(self.registers), name: value}
        return self._replace(registers=tuple(sorted(registers.items())))


class State(NamedTuple):
    """All threads, the words of all instances, and how often threads may still be interrupted."""

    threads: tuple[Thread, ...]
    words: tuple[tuple[int, ...], ...]
    interruptions: int


class Section(NamedTuple):
    """A function with one section, and where that begins, ends and goes on when it is cut."""

    entry: int
    description: int
    begin: int
    end: int
    abort: int
    adds: int


def register(name: str) -> tuple[str, int]:
    """A register by its name, as that of 64 bits, and the bits that are meant."""
    core = name.removeprefix("%")
    if found := re.fullmatch(r"(r\d+)([dwb]?)", core):
        return found[1], {"": 64, "d": 32, "w": 16, "b": 8}[found[2]]
    if core[0] == "r" and len(core) == 3:
        return core, 64
    if core[0] == "e" and len(core) == 3:
        return f"r{core[1:]}", 32
    return f"r{core.removesuffix('l')}".ljust(3, "x"), 8


class Program:
    """The compiled functions, and the numbers that ctr_cpu_done() returns for what they leave."""

    def __init__(self, path: Path) -> None:
        text = succeed("objdump", "-d", "--no-show-raw-insn", path)
        found = re.findall(r"^ *([0-9a-f]+):\t(.*?) *$", text, re.MULTILINE)
        self.code = {int(at, 16): re.sub(r"\s+", " ", line) for at, line in found}
        order = sorted(self.code)
        self.next = dict(itertools.pairwise(order))
        names = re.findall(r"^([0-9a-f]+) <(two|three|four)>:$", text, re.MULTILINE)
        self.entries = {name: int(at, 16) for at, name in names}
        self.descriptions = dict(_descriptions(path))
        lines = subprocess.run([path], capture_output=True, text=True, check=True).stdout
        self.done = {(a, d): n for a, d, n in (map(int, x.split()) for x in lines.splitlines())}

    def section(self, name: str) -> Section:
        """The section of a function."""
        entry = self.entries[name]
        at, where = min(
            (begin - entry, (described, begin, end, abort))
            for described, (begin, end, abort) in self.descriptions.items()
            if begin > entry
        )
        assert at < 200, "no section"
        return Section(entry, *where, {"two": 2, "three": 3, "four": 4}[name])


def _descriptions(path: Path) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Addresses of what describes a section; where each begins, ends and goes on."""
    head = succeed("objdump", "-h", "-j", "__rseq_cs", path)
    match = re.search(r"__rseq_cs +[0-9a-f]+ +([0-9a-f]+)", head)
    assert match
    raw = path.with_suffix(".rseq")
    succeed("objcopy", "-O", "binary", "-j", "__rseq_cs", path, raw)
    for number, (_, _, begin, size, abort) in enumerate(
        struct.iter_unpack("<IIQQQ", raw.read_bytes())
    ):
        yield int(match[1], 16) + 32 * number, (begin, begin + size, abort)


class Model:
    """All executions of the updates of two threads."""

    def __init__(self, program: Program, name: str, interruptions: int) -> None:
        self.program = program
        self.section = program.section(name)
        self.interruptions = interruptions

    def run(self) -> int:
        """Visit all states, and return how many there are. Raises WrongError."""
        empty = ((0,) * self.section.adds,) * (CPUS + 1)
        apart = (Thread(0, True), Thread(1, True))
        together = (Thread(0, True), Thread(0, False))
        left = [State(threads, empty, self.interruptions) for threads in (apart, together)]
        seen = set(left)
        while left:
            state = left.pop()
            for after in self._successors(state):
                if after not in seen:
                    seen.add(after)
                    left.append(after)
        return len(seen)

    def _successors(self, state: State) -> Iterator[State]:
        ended = True
        for number, thread in enumerate(state.threads):
            ended &= thread.ended
            if thread.ended or not thread.running:
                continue
            yield self._stepped(state, number)
            if state.interruptions and thread.loaded is None:
                for cpu in range(CPUS):
                    yield self._interrupted(state, number, cpu)
        if ended:
            self._judge(state)

    def _judge(self, state: State) -> None:
        sums = [sum(each) for each in zip(*state.words, strict=True)]
        wanted = [(n + 1) * len(state.threads) for n in range(self.section.adds)]
        if sums != wanted:
            raise WrongError(f"{sums} instead of {wanted}")

    def _interrupted(self, state: State, number: int, cpu: int) -> State:
        """A thread is preempted, and goes to a CPU; it waits there while another one runs."""
        threads = list(state.threads)
        thread = threads[number]
        inside = self.section.begin <= thread.ip < self.section.end
        cut = inside and thread.described == self.section.description
        threads[number] = thread._replace(
            cpu=cpu, running=False, described=0, ip=self.section.abort if cut else thread.ip
        )
        return state._replace(
            threads=_dispatched(threads, number), interruptions=state.interruptions - 1
        )

    def _stepped(self, state: State, number: int) -> State:
        """A thread does one thing that others may come before or behind."""
        threads, words = list(state.threads), [list(each) for each in state.words]
        thread = threads[number]
        if thread.left:
            words[OTHER][thread.left[0]] += thread.left[0] + 1
            thread = thread._replace(left=thread.left[1:])
        elif thread.ip == 0:
            thread = Thread(thread.cpu, True, self.section.entry, thread.cpu)
            thread = thread.put("rdi", thread.cpu)
        else:
            thread = self._executed(thread, words)
        while self.section.abort <= thread.ip != self.section.end and self._outside(thread.ip):
            thread = self._executed(thread, words)
        if thread.ip == self.section.end:
            returned = thread.get(self._counted()) & MASKS[32]
            done = self.program.done[self.section.adds, returned]
            thread = thread._replace(ip=-1, left=tuple(range(done, self.section.adds)))
        if thread.ip == -1 and not thread.left:
            thread = Thread(thread.cpu, False, ended=True)
        threads[number] = thread
        kept = _dispatched(threads, None) if thread.ended else tuple(threads)
        return State(kept, tuple(map(tuple, words)), state.interruptions)

    def _outside(self, at: int) -> bool:
        """Whether an instruction is of the abort handler, in a section of its own."""
        return not self.section.entry <= at <= self.section.end

    def _counted(self) -> str:
        """The register with the number of adds."""
        text = " ".join(self.program.code[at] for at in self._inside())
        match = re.search(r"(?:incl?|addl? \$0x1,) ?(%\w+)", text)
        assert match
        return register(match[1])[0]

    def _inside(self) -> Iterator[int]:
        at = self.section.begin
        while at != self.section.end:
            yield at
            at = self.program.next[at]

    def _executed(self, thread: Thread, words: list[list[int]]) -> Thread:
        """One instruction; half of one that changes a word, the load or the store."""
        line = self.program.code[thread.ip]
        after = thread._replace(ip=self.program.next[thread.ip])
        name, _, rest = line.partition(" ")
        text, _, comment = rest.partition(" # ")
        place = re.search(r"<words(?:\+0x([0-9a-f]+))?>", comment)
        if place:
            return self._changed(thread, after, name, text, int(place[1] or "0", 16) // 8, words)
        if name in ("jmp", "jne"):
            taken = name == "jmp" or not thread.zero
            return thread._replace(ip=int(text.split()[0], 16)) if taken else after
        return _computed(after, name, re.split(r",(?![^(]*\))", text), comment)

    def _changed(
        self,
        thread: Thread,
        after: Thread,
        name: str,
        text: str,
        word: int,
        words: list[list[int]],
    ) -> Thread:
        if thread.loaded is None:
            return thread._replace(loaded=words[thread.slot][word])
        amount = int(text[1:].split(",")[0], 16)
        total = thread.loaded + (amount if name == "addq" else -amount)
        words[thread.slot][word] = total & MASKS[64]
        return after._replace(loaded=None, carry=not 0 <= total <= MASKS[64])


def _dispatched(threads: list[Thread], last: int | None) -> tuple[Thread, ...]:
    """On each CPU where nobody runs one that waits does: not the one that was just interrupted, if
    there is another."""
    for cpu in range(CPUS):
        here = [n for n, thread in enumerate(threads) if thread.cpu == cpu and not thread.ended]
        if here and not any(threads[n].running for n in here):
            chosen = min(here, key=lambda n: n == last)
            threads[chosen] = threads[chosen]._replace(running=True)
    return tuple(threads)


def _value(thread: Thread, operand: str) -> int:
    """What an operand is that is no word of an instance."""
    if operand.startswith("$"):
        return int(operand[1:], 16)
    if operand.startswith("%fs:0x4("):
        return thread.cpu
    assert operand.startswith("%") and ":" not in operand, operand
    name, bits = register(operand)
    return thread.get(name) & MASKS[bits]


def _put(thread: Thread, operand: str, value: int) -> Thread:
    if operand.startswith("%fs:0x8("):
        return thread._replace(described=value)
    name, bits = register(operand)
    kept = thread.get(name) & ~255 if bits == 8 else 0
    return thread.put(name, kept | (value & MASKS[bits]))


def _computed(thread: Thread, name: str, operands: list[str], comment: str) -> Thread:
    """An instruction that changes registers, flags and the rseq area only."""
    if name in ("nop", "clc"):
        return thread._replace(carry=thread.carry and name == "nop")
    target = operands[-1]
    if name == "lea":
        return _put(thread, target, _address(thread, operands[0], comment))
    if name in ("mov", "movl", "movq", "movzbl"):
        return _put(thread, target, _value(thread, operands[0]))
    if name in ("setb", "setc"):
        return _put(thread, target, int(thread.carry))
    if name in ("inc", "incl"):
        value = _value(thread, target) + 1
        return _put(thread, target, value)._replace(zero=value & MASKS[32] == 0)
    one, other = _value(thread, target), _value(thread, operands[0])
    value = {
        "xor": one ^ other, "and": one & other, "cmp": one - other, "add": one + other,
    }[name.removesuffix("l")]  # fmt: skip
    thread = thread._replace(zero=value & MASKS[32] == 0, carry=not 0 <= value <= MASKS[32])
    return thread if name.startswith("cmp") else _put(thread, target, value)


def _address(thread: Thread, operand: str, comment: str) -> int:
    if comment:
        return int(comment.split()[0], 16)
    match = re.fullmatch(r"(-?0x[0-9a-f]+)?\((%\w+)?(?:,(%\w+),1)?\)", operand)
    assert match, operand
    total = int(match[1] or "0", 16)
    return total + sum(_value(thread, part) for part in match.groups()[1:] if part)
