# SPDX-License-Identifier: BSD-3-Clause
"""Explores executions of models: explore.c."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from pathlib import Path

from tests.models import genmc
from tests.models.bugs import CONTROL, Edit
from tests.models.cases import Case

HERE = Path(__file__).parent
FLAGS = ("-std=gnu11", "-O0", "-g1", "-w", "-fno-pie")
DEFINES = ("CTR_PORT_POSIX", "CTR_NO_ASM", "CTR_DEBUG", "MODEL_EXPLORE", "CTR_POSIX_MAX_LCORE=2")
REPLACED = Edit(CONTROL, "(uintptr_t)&self", "(uintptr_t)pthread_self() + 1")
"""Threads are coroutines, whose thread-local variables have one address."""


def program(case: Case, folder: Path) -> Path:
    model = case.model
    files = genmc.planted(model, case.bug)
    for edit in (REPLACED, *model.limits):
        files[edit.path] = files.get(edit.path, "").replace(edit.old, edit.new)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    include = [f"-I{at}" for at in (folder, folder / "runtime/include", folder / "runtime/src", HERE)]
    defines = [f"-D{define}" for define in (*DEFINES, *model.defines)]
    t = time.monotonic()
    subprocess.run(["gcc", *FLAGS, "-fsanitize=thread", *include, *defines, "-c", f"{HERE / model.source}.c", "-o", folder / "model.o"], check=True)
    subprocess.run(["gcc", *FLAGS, "-O2", "-c", HERE / "explore.c", "-o", folder / "explore.o"], check=True)
    subprocess.run(["gcc", "-no-pie", folder / "model.o", folder / "explore.o", "-o", folder / "model"], check=True)
    return folder / "model"
