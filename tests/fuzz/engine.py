# SPDX-License-Identifier: BSD-3-Clause
"""Runs one Python target: `python -m tests.fuzz.engine TARGET SECONDS [SEED]`.

With atheris, lines that an input reaches first decide what is mutated next. Without it,
inputs of the corpus are mutated at random. What crashes is kept below crashes/TARGET, and
ends the run. The last lines are in the words of libFuzzer, for `python -m tests.fuzz`.
"""

import functools
import hashlib
import importlib.util
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.support import archive, casefile

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORPUS = HERE / "corpus.tar.xz"
"""Inputs that are checked in: a folder for each target."""

LONGEST = 20_000
"""Most octets of an input; what is read is bounded much higher, and tested elsewhere."""

SEPARATOR = b"\x1c"
"""Between the files of an input that has several; each but the first begins with its name."""


def corpus(target: str) -> list[Path]:
    """The inputs of a target that are checked in."""
    return sorted(corpus_folder(target).iterdir())


def corpus_folder(target: str) -> Path:
    """A folder with them, not to be changed."""
    folder = archive.unpacked(CORPUS) / target
    folder.mkdir(exist_ok=True)
    return folder


def keep_inputs(target: str, found: Iterable[bytes]) -> None:
    """Make these the inputs of a target that are checked in."""
    files = {
        name: data for name, data in archive.read(CORPUS).items() if Path(name).parts[0] != target
    }
    named = {f"{target}/{hashlib.sha256(data).hexdigest()[:12]}": data for data in found}
    archive.write(CORPUS, files | named)


def crashes(target: str) -> list[Path]:
    """What once crashed a target: a folder of its own for each."""
    return sorted((HERE / "crashes" / target).glob("*/input"))


def _cases(folder: str, first: str) -> list[dict[str, str]]:
    """The files of cases with a schema."""
    cases = casefile.Cases(ROOT / "tests" / folder, first)
    return [case for case in map(cases.read, cases.names()) if case]


def _joined(case: dict[str, str], first: str, *others: str) -> bytes:
    """Files of a case as one input; the first one is the one that is named to ctrgen."""
    parts = [case[first], *(f"{name}\n{case[name]}" for name in others)]
    return SEPARATOR.join(part.encode() for part in parts)


def borrowed(target: str) -> list[bytes]:
    """Inputs that other tests keep for their own sake."""
    found: list[bytes] = []
    if target in ("yaml", "lock"):
        for case in _cases("diagnostics", "schema.yaml"):
            rest = sorted(name for name in case if name.endswith(".yaml") and name != "schema.yaml")
            if target == "yaml":
                found.append(_joined(case, "schema.yaml", *rest))
            elif "schema.ctrgen.lock" in case:
                found.append(_joined(case, "schema.ctrgen.lock", "schema.yaml"))
    if target == "breaking":
        for case in _cases("compat", "old.yaml"):
            locks = sorted(name for name in case if name.endswith(".lock"))
            found.append(_joined(case, "new.yaml", "old.yaml", *locks))
    return [data for data in found if len(data) <= LONGEST]


@functools.cache
def inputs(target: str) -> tuple[bytes, ...]:
    """All that a target begins with."""
    paths = [*corpus(target), *crashes(target)]
    return tuple(dict.fromkeys([path.read_bytes() for path in paths] + borrowed(target)))


def mutated(data: bytes, others: tuple[bytes, ...], chance: random.Random) -> bytes:
    """The octets with one to five parts cut out, doubled, changed, or taken from elsewhere."""
    for _ in range(chance.randint(1, 5)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 2, 8, 40)))
        other = chance.choice(others)
        begin = chance.randrange(len(other) + 1)
        part = chance.choice(
            (
                b"",
                bytes([chance.randrange(256)]),
                data[start:end] * 2,
                other[begin : begin + chance.choice((1, 4, 16, 64))],
                chance.choice((b"0", b"-1", b"\xff", b"\xe2\x80\xae", b"9" * 30, b"{{x}}", b"*/")),
            )
        )
        data = data[:start] + part + data[end:]
    return data[:LONGEST]


def keep(target: str, data: bytes, said: str) -> Path:
    """Make a folder of what crashed a target, with what was said."""
    folder = HERE / "crashes" / target / hashlib.sha256(data).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "input").write_bytes(data)
    (folder / "why.txt").write_text(said[-4000:], "utf-8", "backslashreplace")
    print(f"{target}: crashed; kept in {folder}", file=sys.stderr)
    return folder


def watched(target: str) -> Callable[[bytes], None]:
    """A target that keeps what crashes it."""
    from tests.fuzz.targets import TARGETS

    run = TARGETS[target]

    def call(data: bytes) -> None:
        try:
            run(data)
        except BaseException:
            keep(target, data, traceback.format_exc())
            raise

    return call


def at_random(target: str, seconds: float, seed: int = 0, most: int = 10**9) -> int:
    """Mutate the corpus for a time, one in three arbitrary octets; how many inputs were tried."""
    chance = random.Random(seed)
    samples, run = inputs(target), watched(target)
    end = time.monotonic() + seconds
    count = 0
    while count < most and time.monotonic() < end:
        arbitrary = chance.randbytes(chance.choice((1, 2, 4, 16, 300)))
        run(mutated(chance.choice(samples), samples, chance) if count % 3 else arbitrary)
        count += 1
    return count


def scratch(target: str) -> Path:
    """Where inputs are collected that reach something new."""
    folder = ROOT / "build" / "fuzz" / target
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def guided(target: str, seconds: int, seed: int) -> None:
    """Run under atheris, which ends the process."""
    import atheris  # type: ignore[import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["ctrgen"]):
        run = watched(target)
    folder = scratch(target)
    begin = folder.with_name(f"{target}.seeds")
    begin.mkdir(exist_ok=True)
    for data in inputs(target):
        (begin / hashlib.sha256(data).hexdigest()[:12]).write_bytes(data)
    words = [f"-max_total_time={seconds}", f"-seed={seed % 2**31}", "-timeout=60"]
    words += [f"-max_len={LONGEST}", "-rss_limit_mb=4096", "-print_final_stats=1", "-verbosity=0"]
    words.append(f"-artifact_prefix={folder}.")
    atheris.Setup([target, *words, str(folder), str(begin)], run)
    atheris.Fuzz()


def main() -> None:
    target, seconds = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if sys.argv[3:] else int(time.time())
    if importlib.util.find_spec("atheris"):
        print("engine: atheris", flush=True)
        guided(target, seconds, seed)
    else:
        print("engine: mutation", flush=True)
        print(f"stat::number_of_executed_units: {at_random(target, seconds, seed)}")


if __name__ == "__main__":
    main()
