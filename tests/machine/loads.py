# SPDX-License-Identifier: BSD-3-Clause
"""A process that loads a library of statistics while it has threads already, and counts in them;
the threads end when the library is no longer there.

`python -m tests.machine.loads LIBRARY THREADS TIMES` prints what was counted. A process of its own
for each library, as one process has one runtime.
"""

import _ctypes
import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor


def main(path: str, threads: int, times: int) -> int:
    """The sum of `times` updates in each of some threads that were there before the library."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(abs, range(threads)))
        library = ctypes.CDLL(path)
        library.library_close.restype = ctypes.c_uint64
        assert library.library_open() == 0
        assert set(pool.map(library.library_count, [times] * threads)) == {0}
        counted = int(library.library_close())
        _ctypes.dlclose(library._handle)
    return counted


if __name__ == "__main__":
    print(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
