# SPDX-License-Identifier: BSD-3-Clause
"""What importing SMI modules costs, beside smidump's own time for the same modules.

usage: python -m tests.benchmarks.imports [--cold] [FOLDER] [ROUNDS]

Modules are imported in one process, one after the other; each in turn with a
run of smidump whose output goes to /dev/null. Times are medians of the rounds.
With --cold nothing is kept from one import to the next one. FOLDER is
CTRGEN_IETF_MIBS, or that of the modules of the IETF.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.support.base_mibs import ietf

FACTOR, EXTRA = 1.5, 0.050
"""An import may take so many times smidump's own time, and so many seconds more."""

DUMP = ("smidump", "-k", "-q", "-s", "-l", "2", "-c", os.devnull, "-f", "xml")


def dump(path: Path) -> None:
    """Run smidump on a module, for nothing."""
    subprocess.run([*DUMP, str(path)], stdout=-3, stderr=-3, check=False)


def importer(cold: bool) -> Callable[[Path], None]:
    """What imports a module."""
    from ctrgen.findings.diagnostics import Diagnostics
    from ctrgen.frontends import smi
    from ctrgen.frontends.smi import reading

    def run(path: Path) -> None:
        if cold:
            reading.known.clear()
        smi.load(str(path), path.read_bytes(), Diagnostics())

    return run


def timed(action: Callable[[Path], None], path: Path) -> float:
    """Seconds of wall time."""
    begin = time.perf_counter()
    action(path)
    return time.perf_counter() - begin


def main() -> None:
    """Import every module of a folder, round after round."""
    arguments = [one for one in sys.argv[1:] if one != "--cold"]
    folder = Path(arguments[0]) if arguments else ietf()
    rounds = int(arguments[1]) if len(arguments) > 1 else 3
    if not folder.is_dir():
        print(f"no modules to import in {folder}")
        return
    os.environ["SMIPATH"] = str(folder)
    load = importer("--cold" in sys.argv)
    paths = sorted(folder.iterdir())
    dumps: dict[Path, list[float]] = {path: [] for path in paths}
    loads: dict[Path, list[float]] = {path: [] for path in paths}
    for _ in range(rounds):
        for path in paths:
            dumps[path].append(timed(dump, path))
            loads[path].append(timed(load, path))
    over = 0
    for path in paths:
        own, taken = statistics.median(dumps[path]), statistics.median(loads[path])
        late = taken > FACTOR * own + EXTRA
        over += late
        mark = "  over" if late else ""
        print(f"{path.name:36} smidump {own * 1e3:6.1f} ms  import {taken * 1e3:6.1f} ms{mark}")
    first = sum(taken[0] for taken in loads.values())
    worst = max(statistics.median(taken) for taken in loads.values())
    print(f"{len(paths)} modules are imported in {first:.1f} s, the longest takes {worst:.3f} s")
    print(f"{over} take longer than {FACTOR} times smidump's own time plus {EXTRA * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
