# SPDX-License-Identifier: BSD-3-Clause
"""`python -m ctrgen`: the same as the `ctrgen` command."""

from .commands.cli import main

if __name__ == "__main__":
    main()
