# SPDX-License-Identifier: BSD-3-Clause
"""What docs/evolution.md promises across versions, held against what each release generated."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.release import abi
from tests.release.recorded import MODULE, NEXT, Recorded, every, flags, here, sources
from tests.support.capabilities import needs
from tests.support.headers import expanded
from tests.support.paths import DOCS
from tests.support.planted import Edit, planted
from tests.support.process import ctrgen, run, succeed
from tests.support.strategies import INEXACT, USUAL

RELEASES = [pytest.param(one, id=one.folder.name) for one in every()]
SOURCES = [*RELEASES, pytest.param(NEXT, id="next")]
STRATEGIES_0_1 = (Path(__file__).parent / "strategies_0_1.txt").read_text("utf-8").split()
"""The strategies of the first release, which all have."""
COMPILE = ("gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra")
THREADS = 3
ROUNDS = 20_000
"""As app.c has them."""
ADVICE = re.compile(r"generate them again|the_runtime_is_another|generate it again")

pytestmark = [pytest.mark.slow, needs("gcc", "ar")]


def generate(one: Recorded, folder: Path, sync: str = USUAL) -> Path:
    """What is generated now from the schema and the lock file of a release."""
    for path in (one.schema, one.lock):
        shutil.copy(path, folder)
    out = folder / "out"
    words = ("--sync", sync, "--only", "c,mib", "-q")
    done = ctrgen("build", folder / one.schema.name, "-o", out, *words)
    assert done.exit_code == 0, done.output
    return out


def built(folder: Path, runtime: Path) -> Path:
    """A runtime as an archive in a folder."""
    succeed(*COMPILE, *flags(runtime / "include"), "-c", *sources(runtime), cwd=folder)
    succeed("ar", "rcs", "libruntime.a", *sorted(folder.glob("*.o")), cwd=folder)
    return folder / "libruntime.a"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's runtime as an archive."""
    return built(tmp_path_factory.mktemp("runtime"), runtimeinfo.path())


def counts(made: Path, threads: int) -> None:
    """The application has lost no count."""
    assert succeed(made, threads).split() == [str(6 * ROUNDS * threads), "packets"]


# ---- the API ----


@pytest.mark.one_in(8)
@pytest.mark.parametrize("sync", STRATEGIES_0_1)
@pytest.mark.parametrize("one", SOURCES)
def test_an_application_of_then_compiles_and_counts(
    one: Recorded, sync: str, tmp_path: Path, runtime: Path
) -> None:
    out = generate(one, tmp_path, sync)
    made = tmp_path / "app"
    words = [*COMPILE, "-Werror", *flags(), f"-I{out}", one.app, out / f"{MODULE}_stats.c"]
    succeed(*words, runtime, "-pthread", "-o", made)
    counts(made, 1 if sync == INEXACT else THREADS)


DECLARED = re.compile(rf"\b({MODULE}_stats_\w+)\(")
PROTOTYPE = re.compile(rf"^(.*?)\b({MODULE}_stats_\w+)(\(.*\);)$", re.MULTILINE)


def prototypes(out: Path, include: Path | None, work: Path) -> dict[str, str]:
    """The functions that a generated header declares, with their types as compiled."""
    made = work / "api.o"
    words = ["gcc", "-std=gnu11", "-g", "-O0", "-fkeep-inline-functions", *flags(include)]
    succeed(*words, f"-I{out}", "-c", out / f"{MODULE}_stats.c", "-o", made)
    header = expanded((out / f"{MODULE}_stats.h").read_text("utf-8"))
    said = succeed("pfunct", "-P", "--no_parm_names", made)
    spaced = ((name, f"{before}{behind}") for before, name, behind in PROTOTYPE.findall(said))
    declared = set(DECLARED.findall(header))
    return {name: re.sub(r"\s+", " ", text) for name, text in spaced if name in declared}


def changed(one: Recorded) -> dict[str, str]:
    """Functions that are other ones now: what the upgrade notes call them, or why they need not."""
    path = one.folder / "changed.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    pairs = (line.split(": ", 1) for line in lines if line and not line.startswith("#"))
    return dict(pairs)


@needs("pfunct")
@pytest.mark.parametrize("one", RELEASES)
def test_functions_that_have_changed_are_in_the_upgrade_notes(
    one: Recorded, tmp_path: Path
) -> None:
    before = prototypes(one.generated, one.include, tmp_path)
    after = prototypes(generate(one, tmp_path), None, tmp_path)
    assert len(before) > 60
    found = {name for name, text in before.items() if after.get(name) != text}
    known = changed(one)
    assert found == set(known)
    notes = (DOCS / "upgrading.md").read_text("utf-8")
    named = {said for said in known.values() if not said.startswith("internal")}
    assert not {said for said in named if f"`{said}`" not in notes}


# ---- the ABI ----


def objects(one: Recorded, folder: Path) -> list[Path]:
    """An application and generated code as they were compiled then, into objects."""
    source = one.generated / f"{MODULE}_stats.c"
    words = [*COMPILE, *flags(one.include), f"-I{one.generated}", "-c"]
    for path in (one.app, source):
        succeed(*words, path, "-o", folder / f"{path.stem}.o")
    return [folder / "app.o", folder / f"{source.stem}.o"]


def link(made: Path, parts: Sequence[Path]) -> str:
    """What the linker says of parts that do not fit; empty if they do."""
    done = run("gcc", *parts, "-pthread", "-o", made, merged=True, env={"LC_ALL": "C"})
    return "" if done.returncode == 0 else done.stdout


@pytest.mark.parametrize("one", RELEASES)
def test_objects_of_then_fit_or_are_refused(one: Recorded, tmp_path: Path, runtime: Path) -> None:
    said = link(tmp_path / "app", [*objects(one, tmp_path), runtime])
    if one.abi == here():
        assert said == ""
        counts(tmp_path / "app", THREADS)
    else:
        assert ADVICE.search(said), said


@pytest.mark.parametrize("one", RELEASES)
def test_headers_of_then_fit_or_are_refused(one: Recorded, tmp_path: Path) -> None:
    words = [*COMPILE, *flags(), f"-I{one.generated}", "-fsyntax-only", one.app]
    done = run(*words, merged=True)
    if one.abi == here():
        assert done.returncode == 0, done.stdout
    else:
        assert f"was generated for ctrgen runtime ABI {one.abi}: generate it again" in done.stdout


@needs("pahole", "pfunct")
def test_what_objects_rely_on_has_its_number(tmp_path: Path) -> None:
    """Of one number all that was released is still there; more may be."""
    present = set(abi.fingerprint(runtimeinfo.path(), tmp_path))
    assert len(present) > 150
    for one in every():
        gone = [line for line in one.fingerprint() if line not in present]
        assert one.abi != here() or not gone, (
            f"objects of {one.version} have ABI {one.abi}, as these have, and rely on {gone[0]}: "
            "raise CTR_ABI in runtime/include/ctr_abi.h"
        )


LAYOUT, CONTROL = "runtime/include/ctr_control.h", "runtime/src/core/ctr_control.c"
BUGS = {
    "a member moves": (
        Edit(LAYOUT, "	uint32_t depth;", "	uint32_t more;\n	uint32_t depth;"),
    ),
    "a function returns something": (
        Edit(LAYOUT, "void ctr_control_release(", "int ctr_control_release("),
        Edit(CONTROL, "void\nctr_control_release(", "int\nctr_control_release("),
        Edit(
            CONTROL,
            "depth != 0)\n		return;\n	for",
            "depth != 0)\n		return 0;\n	for",
        ),
        Edit(CONTROL, "cancel_state, NULL);\n}", "cancel_state, NULL);\n	return 0;\n}"),
    ),
    "an enumerator has another number": (
        Edit("runtime/include/ctr_module.h", "	CTR_COUNTER, /", "	CTR_OTHER, CTR_COUNTER, /"),
    ),
}


@needs("pahole", "pfunct")
@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_change_of_the_abi_is_seen(bug: str, tmp_path: Path) -> None:
    tree = planted(tmp_path / "tree", [*BUGS[bug]])
    before, after = (tmp_path / name for name in ("before", "after"))
    before.mkdir()
    after.mkdir()
    present = set(abi.fingerprint(runtimeinfo.path(), before))
    assert present - set(abi.fingerprint(tree.runtime(), after))


NAMED = "ctr_control_lock CTR_CONTROL_NAME(CTR_ABI)"


@pytest.mark.deep
@pytest.mark.parametrize("one", [RELEASES[0]])
def test_without_its_name_old_objects_link(one: Recorded, tmp_path: Path) -> None:
    """What refuses those of 0.1 is the name of the lock: with the former one they link."""
    edit = Edit(LAYOUT, NAMED, "ctr_control_lock ctr_control_lock")
    tree = planted(tmp_path / "tree", [edit])
    archive = tmp_path / "archive"
    archive.mkdir()
    assert link(tmp_path / "app", [*objects(one, tmp_path), built(archive, tree.runtime())]) == ""


@pytest.mark.deep
def test_a_program_does_not_start_with_a_shared_runtime_of_another_number(tmp_path: Path) -> None:
    out, library = generate(NEXT, tmp_path), tmp_path / "libruntime.so"
    edit = Edit("runtime/include/ctr_abi.h", f"CTR_ABI {here()}", f"CTR_ABI {here() + 1}")
    other = planted(tmp_path / "tree", [edit]).runtime()

    def share(runtime: Path) -> None:
        words = [*COMPILE, "-fPIC", "-shared", *flags(runtime / "include"), *sources(runtime)]
        succeed(*words, "-pthread", "-o", library)

    share(runtimeinfo.path())
    words = [*COMPILE, *flags(), f"-I{out}", NEXT.app, out / f"{MODULE}_stats.c", library]
    succeed(*words, "-pthread", "-o", tmp_path / "app")
    counts(tmp_path / "app", THREADS)
    share(other)
    done = run(tmp_path / "app", "1")
    assert done.returncode != 0 and done.stdout == ""
    assert (
        f"undefined symbol: ctr_abi_{here()}_posix_of_128_lcores__the_runtime_is_another"
        in done.stderr
    )


# ---- schemas, OIDs, lock files ----

OBJECT = re.compile(r"^(object|table|row|node|group|compliance) (\S+) (\S+) ", re.MULTILINE)


@pytest.mark.parametrize("one", SOURCES)
def test_oids_of_then_stay(one: Recorded, tmp_path: Path) -> None:
    generate(one, tmp_path)
    before = OBJECT.findall(one.lock.read_text("utf-8"))
    after = OBJECT.findall((tmp_path / one.lock.name).read_text("utf-8"))
    assert len(before) > 20 and after == before


@pytest.mark.parametrize("one", RELEASES)
def test_breaking_compares_with_a_schema_of_then(one: Recorded, tmp_path: Path) -> None:
    generate(one, tmp_path)
    new = tmp_path / one.schema.name
    assert ctrgen("breaking", new, "--against", one.schema).exit_code == 0
    new.write_text(re.sub(r"\bhits\b", "other", new.read_text("utf-8")), "utf-8")
    done = ctrgen("breaking", new, "--against", one.schema)
    assert done.exit_code == 1 and "error[item-removed]" in done.output, done.output


def test_a_lock_file_of_0_1_without_the_key_snmp_is_refused(tmp_path: Path) -> None:
    """0.1 published every schema; the upgrade notes say what to do."""
    one = every()[0]
    shutil.copy(one.lock, tmp_path)
    text = re.sub(r"^snmp:\n(?:  .*\n)+", "", one.schema.read_text("utf-8"), flags=re.MULTILINE)
    (tmp_path / one.schema.name).write_text(text, "utf-8")
    done = ctrgen("check", tmp_path / one.schema.name)
    assert done.exit_code == 1 and "error[unpublished-lock]" in done.output, done.output
    assert "`unpublished-lock`" in (DOCS / "upgrading.md").read_text("utf-8")


def test_every_release_has_all_files() -> None:
    for one in every():
        assert {path.name for path in one.folder.iterdir()} <= {"recorded.tar.xz", "changed.txt"}
        assert all(path.is_file() for path in (one.app, one.lock, one.schema)), one.folder
        assert one.generated.is_dir() and one.include.is_dir()
        assert one.abi <= here()
    assert every()[0].version == "0.1.0" and every()[0].abi == 2
