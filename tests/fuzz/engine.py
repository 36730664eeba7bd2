# SPDX-License-Identifier: BSD-3-Clause
"""Runs one target: `python -m tests.fuzz.engine TARGET SECONDS [--coverage-guided]`.

With atheris what is new decides what is mutated next; without it, inputs of the corpus
are mutated at random, from a fixed seed. A crash is kept below crashes/TARGET, and ends it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import random
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def inputs(target: str) -> list[Path]:
    """The files of a target: its corpus, and what once crashed it."""
    folders = (HERE / "corpus" / target, HERE / "crashes" / target)
    return sorted(path for folder in folders if folder.is_dir() for path in folder.iterdir())


def mutated(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
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
    return data


def keep(target: str, data: bytes) -> Path:
    """Write down what crashed a target."""
    folder = HERE / "crashes" / target
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(data).hexdigest()[:12]
    path.write_bytes(data)
    return path


def at_random(target: str, seconds: float, seed: int = 0, most: int = 10**9) -> int:
    """Mutate the corpus for a time; how many inputs were tried."""
    from tests.fuzz.targets import TARGETS

    chance = random.Random(seed)
    samples = [path.read_bytes() for path in inputs(target)]
    end = time.monotonic() + seconds
    count = 0
    while time.monotonic() < end and count < most:
        data = mutated(chance.choice(samples), samples, chance)
        try:
            TARGETS[target](data)
        except BaseException:
            print(f"{target}: crashed; kept as {keep(target, data)}", file=sys.stderr)
            raise
        count += 1
    return count


def guided(target: str, seconds: int) -> None:
    """Run under atheris, which ends the process."""
    import atheris  # type: ignore[import-not-found,unused-ignore]

    with atheris.instrument_imports(include=["ctrgen"]):
        from tests.fuzz.targets import TARGETS

    folders = [HERE / "corpus" / target, HERE / "crashes" / target]
    crashes = folders[1]
    crashes.mkdir(parents=True, exist_ok=True)
    words = [f"-max_total_time={seconds}", "-max_len=16384", "-timeout=30", "-rss_limit_mb=4096"]
    words += ["-print_final_stats=1", f"-artifact_prefix={crashes}/", "-verbosity=0"]
    scratch = HERE.parents[1] / "build" / "fuzz" / target
    scratch.mkdir(parents=True, exist_ok=True)
    if target == "cli":
        words.append("-max_len=16")
    atheris.Setup([target, *words, str(scratch), *map(str, folders)], TARGETS[target])
    atheris.Fuzz()


def main() -> None:
    target, seconds = sys.argv[1], int(sys.argv[2])
    if importlib.util.find_spec("atheris") and sys.argv[3:] == ["--guided"]:
        guided(target, seconds)
    else:
        print(f"stat::number_of_executed_units: {at_random(target, seconds, int(time.time()))}")


if __name__ == "__main__":
    main()
