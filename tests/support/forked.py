# SPDX-License-Identifier: BSD-3-Clause
"""Verbs of ctrgen in processes that are forked from one which has imported it: to start Python and
to import is most of what a short verb takes.

A process of tests has one server, which ends with it. Each verb has a process of its own, with the
folder, the variables and the files of its caller.
"""

import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
STARTS = (("ctrgen",), (sys.executable, "-m", "ctrgen"))
"""How commands begin that can be forked."""
AT_START = ("PYTHON", "LANG", "LC_", "TZ")
"""Variables that Python reads as it starts: with others of these, it is started."""
seconds = [0.0]
"""Processor time of all verbs that have ended."""


# ---- the caller ----


def _at_start(variables: Mapping[str, str]) -> dict[str, str]:
    without = {"PYTHONDONTWRITEBYTECODE"}
    return {k: v for k, v in variables.items() if k.startswith(AT_START) and k not in without}


def verb(words: Sequence[str], folder: Path, variables: Mapping[str, str]) -> list[str] | None:
    """The words of a verb, if a process that is forked does what the command does."""
    start = next((each for each in STARTS if tuple(words[: len(each)]) == each), None)
    if start is None or _at_start(variables) != _at_start(os.environ):
        return None
    path = variables.get("PATH", "").partition(os.pathsep)[0]
    ours = len(start) > 1 or path == str(Path(sys.executable).parent)
    return list(words[len(start) :]) if ours and not (folder / "ctrgen").exists() else None


@functools.cache
def _server() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """Where requests are sent to, a message for each; and the process there."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        words = [sys.executable, "-m", __name__, str(theirs.fileno())]
        process = subprocess.Popen(
            words, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return ours, process


def run(
    words: Sequence[str], folder: Path, variables: Mapping[str, str], timeout: float, merged: bool
) -> subprocess.CompletedProcess[str]:
    """Run a verb. Raises subprocess.TimeoutExpired."""
    with (
        tempfile.TemporaryFile("w+") as request,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        json.dump([[*words], str(folder.resolve()), dict(variables)], request)
        request.flush()
        request.seek(0)
        files = [request, out, out if merged else err]
        done = _ask([file.fileno() for file in files], timeout)
        out.seek(0)
        err.seek(0)
        texts = out.read(), None if merged else err.read()
        if done is None:
            raise subprocess.TimeoutExpired(list(words), timeout, *texts)
        return subprocess.CompletedProcess(["ctrgen", *words], done, *texts)


def _ask(files: list[int], timeout: float) -> int | None:
    """The exit status; None for a verb that takes too long, and is killed."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as reply:
        socket.send_fds(_server()[0], [b"."], [*files, writing])
        os.close(writing)
        first = reply.readline()
        assert first, "the server that forks verbs has ended"
        pid = int(first)
        if not select.select([reply], [], [], timeout)[0]:
            with contextlib.suppress(ProcessLookupError):  # it ends just now
                os.kill(pid, signal.SIGKILL)
            return None
        status, took = reply.readline().split()
    seconds[0] += float(took)
    return int(status)


# ---- the server ----


def _be(request: int) -> None:
    """Be a verb, to its end."""
    from ctrgen.commands import cli

    with os.fdopen(request) as file:
        words, folder, variables = json.load(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    sys.path[0] = folder
    sys.argv = ["ctrgen", *words]
    code: object = None
    try:
        cli.main()
    except SystemExit as end:
        code = end.code
    if not isinstance(code, int | None):
        print(code, file=sys.stderr)
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)  # without taking apart what was imported


def _answer(files: list[int]) -> None:
    """Fork a verb, and write its process id, how it ended, and its processor time."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    request, out, err, reply = files
    pid = os.fork()
    if pid == 0:
        os.dup2(out, 1)
        os.dup2(err, 2)
        for file in (out, err, reply):
            os.close(file)
        _be(request)
    os.write(reply, f"{pid}\n".encode())
    _, status, usage = os.wait4(pid, 0)
    took = usage.ru_utime + usage.ru_stime
    with contextlib.suppress(BrokenPipeError):  # the caller no longer waits
        os.write(reply, f"{os.waitstatus_to_exitcode(status)} {took}\n".encode())
    os._exit(0)


def _serve(requests: socket.socket) -> None:
    """Answer until the caller is gone."""
    import ctrgen

    for info in pkgutil.walk_packages(ctrgen.__path__, "ctrgen."):
        with contextlib.suppress(ImportError):
            importlib.import_module(info.name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, files, _, _ = socket.recv_fds(requests, 1, 4)
        if not message:
            return
        if os.fork() == 0:
            requests.close()
            _answer(files)
        for file in files:
            os.close(file)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
