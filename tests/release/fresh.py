# SPDX-License-Identifier: BSD-3-Clause
"""The whole procedure in a fresh Debian, and what came of it in another one: `--fresh`.

In the first root folder there is git, and nothing else of a developer: the last commit is cloned
and released there, signed with a key that is thrown away. The second one gets the files, as a user
does: sums and signature are verified, the Debian packages and the wheel are installed, and a
program of each counts right. What 0.1 generated is refused by the runtime that was installed.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.versions import packages
from tests.versions.kitchen import WrongError
from tests.versions.packages import COMPILER, apt, checked, counts, fresh, shell
from tests.versions.systems import System

from . import signing
from .recorded import MODULE, Recorded

SUITE = "bookworm"
FIRST = ("ca-certificates", "git", "python3-venv")
"""Before the mounts of enter.sh are there: what would write to files that are the machine's."""
VERIFY = """
ssh-keygen -Y verify -f {signers} -I {who} -n {namespace} -s {signature} < {sums}
sha256sum -c {sums}
"""
OLD = "cc -DCTR_PORT_POSIX=1 {flags} -Iold/generated -c old/generated/{module}_stats.c"
CITED = "python3 -m venv cff && cff/bin/pip install -q cffconvert==2.0.0 && cff/bin/cffconvert"


def say(text: str) -> None:
    """What is being done, or what a command printed."""
    print(text, flush=True)


def root_of(system: System) -> Path:
    """Its root folder."""
    assert system.root is not None
    return system.root


def released(project: Path, work: Path) -> Path:
    """dist/ of the last commit, released in a fresh Debian. Raises WrongError."""
    with fresh(SUITE, work) as there:
        apt(root_of(there), "install", *FIRST)
        bare, key = there.work / "ctrgen.git", there.work / "key"
        subprocess.run(["git", "clone", "-q", "--bare", project.as_uri(), str(bare)], check=True)
        subprocess.run(["ssh-keygen", "-qt", "ed25519", "-N", "", "-f", str(key)], check=True)
        say("== git clone && ./dev release --key KEY, in a fresh root folder")
        script = "git clone -q ctrgen.git ctrgen; cd ctrgen; ./dev release --key ../key"
        done = there.run("sh", "-ec", f"cd '{there.work}'; {script}", timeout=3600)
        say(done.stdout)
        if done.returncode != 0:
            raise WrongError("./dev release has failed")
        dist = work / "dist"
        shutil.copytree(there.work / "ctrgen" / "dist", dist)
        return dist


def used(project: Path, dist: Path, work: Path) -> None:
    """The files of a release as a user has them, in a fresh Debian. Raises WrongError."""
    with fresh(SUITE, work) as there:
        root = root_of(there)
        shutil.copytree(dist, there.work / "dist")
        old = Recorded(project / "tests/release/v0.1.0")
        for folder in (old.folder, old.generated.parent):
            shutil.copytree(folder, there.work / "old", dirs_exist_ok=True)
        shutil.copy(project / "CITATION.cff", there.work)
        apt(root, "install", "ca-certificates", "openssh-client", "pkg-config", "python3-venv")
        say("== verified as docs/evolution.md says")
        words = {
            "signers": signing.SIGNERS, "who": signing.WHO, "namespace": signing.NAMESPACE,
            "signature": signing.SIGNATURE, "sums": signing.SUMS,
        }  # fmt: skip
        say(shell(there, "verifying", f"set -e{VERIFY.format(**words)}", there.work / "dist"))
        wheel(there)
        debs(there, dist)
        say("== what 0.1 generated is refused by the installed runtime")
        refused(there)
        say("== CITATION.cff")
        said = shell(there, "cffconvert", f"set -e; {CITED} --validate", there.work)
        say(said.splitlines()[-1])


def wheel(there: System) -> None:
    """The wheel in a fresh virtual environment; without a compiler before."""
    say("== the wheel, in a fresh virtual environment")
    shell(there, "pip", "set -e; python3 -m venv v; v/bin/pip -q install dist/*.whl", there.work)
    shell(there, "ctrgen", f"PATH=$PWD/v/bin:$PATH; {packages.APPLICATION}", there.work)
    apt(root_of(there), "install", *COMPILER)
    flags = "$(../v/bin/ctrgen runtime --cflags --sources --libs)"
    app = there.work / "app"
    counts(there, "the wheel", packages.COMPILE.format("app", flags, ""), app)
    say(packages.SAYS)
    shutil.rmtree(app)


def debs(there: System, dist: Path) -> None:
    """The Debian packages, and a program with the installed shared runtime."""
    say("== the Debian packages")
    root = root_of(there)
    made = sorted(dist.glob("*.deb"))
    for path in made:
        shutil.copy2(path, root)
    apt(root, "install", *(f"/{path.name}" for path in made))
    shell(there, "ctrgen", packages.APPLICATION, there.work)
    flags = "$(pkg-config --cflags --libs ctr-runtime-posix)"
    counts(there, "pkg-config", packages.COMPILE.format("app", flags, ""), there.work / "app")
    say(f"{checked(there, 'ctrgen', 'ctrgen', '--version').strip()}: {packages.SAYS}")


def refused(there: System) -> None:
    """Headers and objects of 0.1 with the installed runtime. Raises WrongError."""
    flags = "$(pkg-config --cflags ctr-runtime-posix)"
    words = f"cd '{there.work}'; {OLD.format(flags=flags, module=MODULE)}"
    tried = there.run("sh", "-c", words)
    if tried.returncode == 0 or "generate it again" not in tried.stdout:
        raise WrongError("a header of 0.1 compiles with the installed runtime")
    say(next(line for line in tried.stdout.splitlines() if "error:" in line))
    words = (
        f"cd '{there.work}'; {OLD.format(flags='-Iold/include', module=MODULE)} && "
        f"cc -DCTR_PORT_POSIX=1 -Iold/include -Iold/generated -c old/app.c && "
        f"cc app.o {MODULE}_stats.o $(pkg-config --libs ctr-runtime-posix) -o old/app"
    )
    tried = there.run("sh", "-c", words)
    if tried.returncode == 0 or "generate them again" not in tried.stdout:
        raise WrongError("objects of 0.1 link with the installed runtime")
    say(next(line for line in tried.stdout.splitlines() if "warning:" in line))


def main(project: Path) -> int:
    """0 when all of it worked."""
    if not packages.there(SUITE):
        say("release: needs root, and tests/versions/chroots.sh bookworm before")
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="ctrgen-fresh-") as folder:
            work = Path(folder)
            (work / "release").mkdir()
            (work / "use").mkdir()
            dist = released(project, work / "release")
            used(project, dist, work / "use")
    except WrongError as wrong:
        print(f"release: {wrong}", file=sys.stderr)
        return 1
    say("== all of it worked")
    return 0
