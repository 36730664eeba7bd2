# SPDX-License-Identifier: BSD-3-Clause
"""What `ctrgen init` writes: a commented schema and an example that uses it."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from ..findings.usage import UsageError, reason

FILES = ("stats.yaml", "main.c")
"""What is written, in this order; a file each under templates/init/."""

_NEXT = """\
  ctrgen build stats.yaml -o out
  cc -O2 main.c out/app_stats.c -Iout \\
     $(ctrgen runtime --port posix --cflags --sources --libs) -o example
  ./example
Then edit `sync:` in stats.yaml and do the same again: main.c stays as it is.
"""


def write(folder: str) -> str:
    """Write the starter files and return what to tell the user.

    Raises UsageError, before writing anything, when one of them exists.
    """
    target = Path(folder)
    for name in FILES:
        if (target / name).exists() or (target / name).is_symlink():
            raise UsageError(f"{target / name} exists already; nothing was written")
    root = resources.files("ctrgen.templates") / "init"
    texts = {name: (root / name).read_text("utf-8") for name in FILES}
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            with (target / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write to {target}: {reason(error)}") from error
    wrote = "".join(f"wrote {target / name}\n" for name in FILES)
    folder_first = "" if target == Path() else f"  cd {target}\n"
    return f"{wrote}\nNext:\n{folder_first}{_NEXT}"
