# SPDX-License-Identifier: BSD-3-Clause
"""SHA256SUMS of what is released, and its signature by an SSH key (docs/evolution.md).

`ssh-keygen -Y` signs and verifies: keys are files that people have already, and a verifier needs
one line of text and no key ring.
"""

import hashlib
import subprocess
from collections.abc import Iterable
from pathlib import Path

from .agree import RefusedError

SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"
SIGNERS = "allowed_signers"
NAMESPACE = "ctrgen-release"
"""What signatures are for: one of something else does not verify."""
WHO = "release@ctrgen"
"""How the line of a verifier calls whoever releases."""


def sums(folder: Path, files: Iterable[Path]) -> Path:
    """Write SHA256SUMS as `sha256sum` would; where it is."""
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    target = folder / SUMS
    target.write_text("".join(sorted(lines, key=lambda line: line.split()[1])), "ascii")
    return target


def _run(*words: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run([str(word) for word in words], capture_output=True, **options)  # type: ignore[call-overload, no-any-return]
    except FileNotFoundError:
        raise RefusedError("there is no ssh-keygen: install openssh-client") from None


def signer(key: Path) -> str:
    """The line by which others verify what a key signs. Raises RefusedError."""
    public = key if key.suffix == ".pub" else Path(f"{key}.pub")
    if not public.exists():
        raise RefusedError(f"{public} is not there: --key takes an SSH key with its public part")
    kind, text = public.read_text("utf-8").split()[:2]
    return f'{WHO} namespaces="{NAMESPACE}" {kind} {text}\n'


def sign(folder: Path, key: Path) -> Path:
    """Sign SHA256SUMS, and look that the signature verifies; where it is. Raises RefusedError."""
    line = signer(key)
    target = folder / SIGNATURE
    target.unlink(missing_ok=True)
    done = _run("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", NAMESPACE, folder / SUMS)
    if done.returncode != 0:
        raise RefusedError(f"ssh-keygen does not sign: {done.stderr.decode(errors='replace')}")
    (folder / SIGNERS).write_text(line, "utf-8")
    verify(folder, folder / SIGNERS)
    return target


def verify(folder: Path, signers: Path) -> None:
    """Whether SHA256SUMS is signed by one of `signers`. Raises RefusedError."""
    with (folder / SUMS).open("rb") as signed:
        done = _run(
            "ssh-keygen", "-Y", "verify", "-f", signers, "-I", WHO, "-n", NAMESPACE,
            "-s", folder / SIGNATURE, stdin=signed,
        )  # fmt: skip
    if done.returncode != 0:
        said = (done.stdout + done.stderr).decode(errors="replace").strip()
        raise RefusedError(f"{SIGNATURE} is not of {SUMS} by a key of {signers.name}: {said}")
