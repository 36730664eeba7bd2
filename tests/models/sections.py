"""Restartable sequences of ctr_cpu.h as machine code, one instruction at a time, and all that a
scheduler may do at each.

The code is what a compiler made of sections.c. Two threads do the same update each. One that is
interrupted goes on as Linux makes it (rseq(2)): in a section that it described at the abort
handler, elsewhere without a description. Threads of one CPU run one after the other, those of two
at the same time: there a plain add is a load and a store.
"""

from __future__ import annotations

import itertools
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.support.process import succeed

CPUS = 2
OTHER = CPUS
"""The instance that takes atomic adds."""
STALE = 7
"""What registers have at first; and the carry flag is set."""
MASKS = {64: 2**64 - 1, 32: 2**32 - 1}
FUNCTIONS = {"two": (64, 64), "mixed": (32, 64), "four": (64, 64, 64, 64)}
"""Bits of the words that each function of sections.c adds to."""
ARGUMENTS = ("rdx", "rcx", "r8", "r9")
"""Registers with the amounts, behind the CPU and where the thread's area is."""


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
    """Where a section begins, ends and goes on when it is cut."""

    begin: int
    end: int
    abort: int

    def has(self, at: int) -> bool:
        """Whether an instruction is in it."""
        return self.begin <= at < self.end


def register(name: str) -> tuple[str, int]:
    """A register by its name, as that of 64 bits, and the bits that are meant."""
    core = name.removeprefix("%")
    if found := re.fullmatch(r"(r\d+)([dwb]?)", core):
        return found[1], {"": 64, "d": 32}[found[2]]
    return (core, 64) if core[0] == "r" else (f"r{core[1:]}", 32)


class Program:
    """The compiled functions."""

    def __init__(self, path: Path) -> None:
        text = succeed("objdump", "-d", "--no-show-raw-insn", path)
        found = re.findall(r"^ *([0-9a-f]+):\t(.*?) *$", text, re.MULTILINE)
        self.code = {int(at, 16): re.sub(r"\s+", " ", line) for at, line in found}
        self.next = dict(itertools.pairwise(sorted(self.code)))
        names = re.findall(rf"^([0-9a-f]+) <({'|'.join(FUNCTIONS)})>:$", text, re.MULTILINE)
        self.entries = {name: int(at, 16) for at, name in names}
        self.sections = dict(_descriptions(path))


def _descriptions(path: Path) -> Iterator[tuple[int, Section]]:
    """Sections by the address of what describes them."""
    head = succeed("objdump", "-h", "-j", "__rseq_cs", path)
    match = re.search(r"__rseq_cs +[0-9a-f]+ +([0-9a-f]+)", head)
    assert match
    raw = path.with_suffix(".rseq")
    succeed("objcopy", "-O", "binary", "-j", "__rseq_cs", path, raw)
    for number, (_, _, begin, size, abort) in enumerate(
        struct.iter_unpack("<IIQQQ", raw.read_bytes())
    ):
        yield int(match[1], 16) + 32 * number, Section(begin, begin + size, abort)


class Model:
    """All executions of the updates of two threads, with amounts, and words that are `before`."""

    def __init__(self, program: Program, name: str, amounts: tuple[int, ...], before: int) -> None:
        self.program = program
        self.entry = program.entries[name]
        self.masks = [MASKS[bits] for bits in FUNCTIONS[name]]
        self.amounts = [n & mask for n, mask in zip(amounts, self.masks, strict=True)]
        self.before = tuple(before & mask for mask in self.masks)

    def run(self, interruptions: int) -> int:
        """Visit all states, and return how many there are. Raises WrongError."""
        words = (self.before,) * (CPUS + 1)
        apart = (Thread(0, True), Thread(1, True))
        together = (Thread(0, True), Thread(0, False))
        left = [State(threads, words, interruptions) for threads in (apart, together)]
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
        sums = zip(*state.words, self.masks, strict=True)
        found = [sum(each) & mask for *each, mask in sums]
        counted = zip(self.before, self.amounts, self.masks, strict=True)
        wanted = [((CPUS + 1) * old + len(state.threads) * n) & mask for old, n, mask in counted]
        if found != wanted:
            raise WrongError(f"{found} instead of {wanted}")

    def _interrupted(self, state: State, number: int, cpu: int) -> State:
        """A thread is preempted, and goes to a CPU; it waits there while another one runs."""
        threads = list(state.threads)
        thread = threads[number]
        section = self.program.sections.get(thread.described)
        cut = section is not None and section.has(thread.ip)
        threads[number] = thread._replace(
            cpu=cpu, running=False, described=0, ip=section.abort if section and cut else thread.ip
        )
        return state._replace(
            threads=_dispatched(threads, number), interruptions=state.interruptions - 1
        )

    def _stepped(self, state: State, number: int) -> State:
        """A thread does one thing that others may come before or behind."""
        threads, words = list(state.threads), [list(each) for each in state.words]
        thread = threads[number]
        if thread.left:
            word = thread.left[0]
            words[OTHER][word] = (words[OTHER][word] + self.amounts[word]) & self.masks[word]
            thread = thread._replace(left=thread.left[1:])
        elif thread.ip == 0:
            thread = Thread(thread.cpu, True, self.entry, thread.cpu).put("rdi", thread.cpu)
            for name, amount in zip(ARGUMENTS, self.amounts, strict=False):
                thread = thread.put(name, amount)
        else:
            thread = self._executed(thread, words)
        while thread.ip > 0 and not self._matters(thread):
            thread = self._executed(thread, words)
        if thread.ip == -1 and not thread.left:
            thread = Thread(thread.cpu, False, ended=True)
        threads[number] = thread
        kept = _dispatched(threads, None) if thread.ended else tuple(threads)
        return State(kept, tuple(map(tuple, words)), state.interruptions)

    def _matters(self, thread: Thread) -> bool:
        """Whether it matters that others come before the next instruction: it is in a section or
        before one that is described, or writes to the rseq area or to a word."""
        line = self.program.code[thread.ip]
        described = self.program.sections.get(thread.described)
        inside = any(section.has(thread.ip) for section in self.program.sections.values())
        ahead = described is not None and thread.ip < described.begin
        return inside or ahead or ",%fs:0x8(" in line or "<words" in line

    def _executed(self, thread: Thread, words: list[list[int]]) -> Thread:
        """One instruction; half of one that changes a word, the load or the store."""
        line = self.program.code[thread.ip]
        name, _, rest = line.partition(" ")
        text, _, comment = rest.partition(" # ")
        if name == "ret":
            missed = thread.get("rax") & MASKS[32]
            left = tuple(n for n in range(len(self.amounts)) if missed & 1 << n)
            return thread._replace(ip=-1, left=left)
        after = thread._replace(ip=self.program.next[thread.ip])
        if place := re.search(r"<words(?:\+0x([0-9a-f]+))?>", comment):
            return self._added(thread, after, text, int(place[1] or "0", 16) // 8, words)
        if taken := _jumps(thread).get(name):
            return thread._replace(ip=int(text.split()[0], 16))
        if taken is False:
            return after
        return _computed(after, name, re.split(r",(?![^(]*\))", text), comment)

    def _added(
        self, thread: Thread, after: Thread, text: str, word: int, words: list[list[int]]
    ) -> Thread:
        if thread.loaded is None:
            return thread._replace(loaded=words[thread.slot][word])
        mask = self.masks[word]
        total = thread.loaded + (_value(thread, text.split(",")[0]) & mask)
        words[thread.slot][word] = total & mask
        return after._replace(loaded=None, carry=total > mask, zero=not total & mask)


def _dispatched(threads: list[Thread], last: int | None) -> tuple[Thread, ...]:
    """On each idle CPU a thread that waits runs: not the one that was just interrupted, if there is
    another."""
    for cpu in range(CPUS):
        here = [n for n, thread in enumerate(threads) if thread.cpu == cpu and not thread.ended]
        if here and not any(threads[n].running for n in here):
            chosen = min(here, key=lambda n: n == last)
            threads[chosen] = threads[chosen]._replace(running=True)
    return tuple(threads)


def _jumps(thread: Thread) -> dict[str, bool]:
    """Jumps, and whether they are taken."""
    carry, zero = thread.carry, thread.zero
    return {"jmp": True, "jne": not zero, "je": zero, "jae": not carry, "jb": carry}


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
    return thread.put(name, value & MASKS[bits])


def _computed(thread: Thread, name: str, operands: list[str], comment: str) -> Thread:
    """An instruction that changes registers, flags and the rseq area only."""
    if name == "nop":
        return thread
    target = operands[-1]
    if name == "lea":
        thrice = re.fullmatch(r"\((%\w+),\1,2\)", operands[0])
        value = 3 * _value(thread, thrice[1]) if thrice else int(comment.split()[0], 16)
        return _put(thread, target, value)
    if name in ("mov", "movl", "movq"):
        return _put(thread, target, _value(thread, operands[0]))
    one, other = _value(thread, target), _value(thread, operands[0])
    value = {
        "xor": one ^ other, "or": one | other, "add": one + other, "cmp": one - other,
        "test": one & other,
    }[name.removesuffix("l")]  # fmt: skip
    thread = thread._replace(zero=value == 0, carry=value < 0)
    return thread if name.startswith(("cmp", "test")) else _put(thread, target, value)
