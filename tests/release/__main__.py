# SPDX-License-Identifier: BSD-3-Clause
"""`./dev release`: everything of a release but what cannot be taken back (docs/evolution.md).

From a clean checkout it builds wheel and source distribution twice and compares them byte by byte,
builds the Debian packages, and has lintian look at them. It writes all into dist/, with SHA256SUMS,
and signs that with --key. It says how to go on: tag and publish.
"""

import argparse
import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import agree, builds, debs, signing
from .agree import RefusedError

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"


def say(text: str) -> None:
    """What is being done."""
    print(f"release: {text}", flush=True)


def git(root: Path, *words: str) -> str:
    """What git prints. Raises RefusedError."""
    done = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RefusedError(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def ready(root: Path) -> str:
    """The version that a checkout is ready to release. Raises RefusedError."""
    changed = git(root, "status", "--porcelain").splitlines()
    if changed:
        raise RefusedError(
            f"{len(changed)} files differ from the last commit, {changed[0][3:]} first: a release "
            "is of a commit, so commit them or take them away"
        )
    version = agree.version(root)
    if agree.pending(root):
        raise RefusedError(
            f"CHANGELOG.md has changes under '{agree.UNRELEASED}': give them a version, "
            "./dev release --set X.Y.Z"
        )
    wrong = agree.disagreements(root)
    if wrong:
        raise RefusedError("; ".join(wrong))
    if not (root / "tests" / "release" / f"v{version}").is_dir():
        raise RefusedError(
            f"tests/release/v{version} is not there, so later versions could not be tested against "
            "this one: run ./dev release --record and commit it"
        )
    tagged = git(root, "tag", "--list", f"v{version}")
    if tagged and git(root, "rev-list", "-n1", tagged) != git(root, "rev-parse", "HEAD"):
        raise RefusedError(f"{tagged} is the tag of another commit: a version is released once")
    return version


def build_python(root: Path, work: Path) -> Path:
    """A Python with setuptools as requirements-dev.txt pins it. Raises RefusedError."""
    sys.path.insert(0, str(root / ".ci" / "debian"))
    import modules  # the script that pins what is inside of the Debian package

    venv, pins = work / "venv", work / "pins.txt"
    os.chdir(root)  # where that script reads the pins
    pins.write_text(modules.pinned({"setuptools"}), "utf-8")
    python = venv / "bin" / "python"
    for words in (
        [sys.executable, "-m", "venv", str(venv)],
        [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check",
         "--require-hashes", "-r", str(pins)],
    ):  # fmt: skip
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RefusedError(f"{' '.join(words[1:4])}: {(done.stdout + done.stderr).strip()}")
    return python


def check_out(root: Path, target: Path, umask: int) -> None:
    """A clone of the last commit, under an umask."""
    words = ["git", "clone", "-q", "--no-local", "--depth=1", root.as_uri(), str(target)]
    done = subprocess.run(words, umask=umask, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RefusedError(f"git clone: {done.stderr.strip()}")


def release(root: Path, dist: Path, key: Path | None) -> None:
    """Build, compare, lint, add up and sign. Raises RefusedError; then dist is as it was."""
    version = ready(root)
    commit, epoch = git(root, "rev-parse", "HEAD"), int(git(root, "log", "-1", "--format=%ct"))
    if key is not None:
        signing.signer(key)
    say(f"{version} of commit {commit[:12]}")
    with tempfile.TemporaryDirectory(prefix="ctrgen-release-") as folder:
        work = Path(folder)
        made, wrong = builds.twice(
            build_python(root, work), work, lambda to, umask: check_out(root, to, umask), epoch
        )
        if wrong:
            raise RefusedError(f"two builds differ: {wrong}")
        say(f"two builds of {' and '.join(path.name for path in made)}: the same bytes")
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}
        packages = debs.build(work / "one" / "ctrgen", work / "debs", version, environment)
        debs.lint(packages)
        say(f"{' and '.join(path.name for path in packages)}: lintian has nothing to say")
        whole = work / "dist"
        whole.mkdir()
        files = [Path(shutil.copy(path, whole)) for path in (*made, *packages)]
        print(signing.sums(whole, files).read_text("ascii"), end="")
        if key is None:
            say(f"{signing.SUMS} is not signed: --key FILE signs it with an SSH key")
        else:
            say(f"signed: {signing.sign(whole, key).name}")
        shutil.rmtree(dist, ignore_errors=True)
        shutil.copytree(whole, dist)
    goes_on(version, commit, key is not None)


def goes_on(version: str, commit: str, signed: bool) -> None:
    """Print what is left to do."""
    more = f" {signing.SIGNATURE}" if signed else ""
    print(f"""
{version} is in dist/ and nowhere else. Next, when the checks of docs/evolution.md are green:
  git tag -s v{version} {commit[:12]} -m 'ctrgen {version}'
  git push origin v{version}
  publish what {signing.SUMS} names, with {signing.SUMS}{more}, beside the tag""")


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__)
    parser.add_argument("--key", type=Path, metavar="FILE", help="SSH key that signs SHA256SUMS")
    other = parser.add_mutually_exclusive_group()
    other.add_argument(
        "--set", metavar="X.Y.Z", help="only write the version into all files that name it"
    )
    other.add_argument(
        "--record", action="store_true",
        help="only write what later versions are tested against, into tests/release/vX.Y.Z",
    )  # fmt: skip
    return parser.parse_args()


def main() -> int:
    """0 when all was done, 1 when something was refused."""
    asked = arguments()
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    try:
        if asked.set:
            agree.write(ROOT, asked.set, today)
            say(f"{asked.set}, of {today}: now ./dev golden, --record, and read git diff")
        elif asked.record:
            from . import record  # needs ctrgen

            say(f"{record.write(ROOT).relative_to(ROOT)} is written: commit it")
        else:
            release(ROOT, DIST, asked.key.absolute() if asked.key else None)
    except RefusedError as why:
        print(f"release: refused: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
