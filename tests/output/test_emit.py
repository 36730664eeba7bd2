# SPDX-License-Identifier: BSD-3-Clause
"""Writing and comparing generated text: nothing lost, nothing half-written."""

import errno
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.output import emit, staging
from ctrgen.output.emit import MANIFEST, Output, State
from ctrgen.output.staging import OutputError


def output(files: dict[str, str], owner: str = "c", **more: object) -> Output:
    settings: dict[str, object] = {"source": "ep.yaml", "backends": frozenset({owner}), **more}
    return Output(files, dict.fromkeys(files, owner), **settings)  # type: ignore[arg-type]


def write(folder: Path, made: Output, force: bool = False) -> Diagnostics:
    diagnostics = Diagnostics()
    emit.write(folder, made, diagnostics, force)
    return diagnostics


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder by relative path, the manifest left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def rules(diagnostics: Diagnostics) -> list[tuple[str, str]]:
    return [(f.rule, Path(f.span.path).name) for f in diagnostics.findings]


BASE = {"a.h": "one\n", "sub/b.c": "two\n"}


def test_check_reads_only(tmp_path: Path) -> None:
    out = tmp_path / "absent"
    assert "missing: " in emit.listing(emit.inspect(out, output(BASE)))
    assert "+one" in emit.diff(emit.inspect(out, output(BASE)))
    assert not out.exists()


def test_diff_applies_with_patch_conventions(tmp_path: Path) -> None:
    write(tmp_path, output({**BASE, "old.h": "old\n"}))
    (tmp_path / "a.h").write_text("zero")
    assert emit.diff(emit.inspect(tmp_path, output({**BASE, "new.h": "new\n"}))).splitlines() == [
        "--- a/a.h",
        "+++ b/a.h",
        "@@ -1 +1 @@",
        "-zero",
        "\\ No newline at end of file",
        "+one",
        "--- /dev/null",
        "+++ b/new.h",
        "@@ -0,0 +1 @@",
        "+new",
        "--- a/old.h",
        "+++ /dev/null",
        "@@ -1 +0,0 @@",
        "-old",
    ]


def test_orphans_and_their_folders_are_removed(tmp_path: Path) -> None:
    write(tmp_path, output({**BASE, "x/y/old.h": "old\n"}))
    write(tmp_path, output({"a.h": "one\n"}))
    assert tree(tmp_path) == {"a.h": "one\n"}
    assert not (tmp_path / "x").exists() and not (tmp_path / "sub").exists()


def test_an_edited_orphan_is_kept_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, output(BASE))
    (tmp_path / "sub/b.c").write_text("mine\n")
    assert rules(write(tmp_path, output({"a.h": "one\n"}))) == [("output-kept", "b.c")]
    assert tree(tmp_path)["sub/b.c"] == "mine\n"
    assert not write(tmp_path, output({"a.h": "one\n"})).findings  # from now on not ours


def test_a_hand_edited_file_is_refused_unless_forced(tmp_path: Path) -> None:
    write(tmp_path, output(BASE))
    (tmp_path / "a.h").write_text("mine\n")
    changed = output({"a.h": "three\n", "sub/b.c": "four\n"})
    assert rules(write(tmp_path, changed)) == [("output-edited", "a.h")]
    assert tree(tmp_path) == {"a.h": "mine\n", "sub/b.c": "two\n"}  # nothing at all was written
    assert not write(tmp_path, changed, force=True).findings
    assert tree(tmp_path) == changed.files


def test_a_foreign_file_is_refused_unless_it_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("mine\n")
    assert rules(write(tmp_path, output(BASE))) == [("output-edited", "a.h")]
    assert tree(tmp_path) == {"a.h": "mine\n"}
    (tmp_path / "a.h").write_text("one\n")
    assert not write(tmp_path, output(BASE)).findings


def test_a_lost_manifest_loses_nothing(tmp_path: Path) -> None:
    write(tmp_path, output(BASE))
    manifest = (tmp_path / MANIFEST).read_text()
    (tmp_path / MANIFEST).unlink()
    assert emit.listing(emit.inspect(tmp_path, output(BASE))) == f"missing: {tmp_path / MANIFEST}\n"
    write(tmp_path, output(BASE))
    assert (tmp_path / MANIFEST).read_text() == manifest


def test_a_manifest_cannot_make_us_remove_what_is_outside(tmp_path: Path) -> None:
    victim, out = tmp_path / "victim", tmp_path / "out"
    victim.write_text("precious\n")
    write(out, output(BASE))
    with (out / MANIFEST).open("a") as manifest:
        manifest.write(f"{emit.digest(b'precious' + os.linesep.encode())}\tc\tep.yaml\t../victim\n")
        manifest.write("<<<<<<< a merge\nnot\tan\tentry\n")
    write(out, output({"a.h": "one\n"}))
    assert victim.read_text() == "precious\n"
    assert tree(out) == {"a.h": "one\n"}


def test_backends_left_out_keep_their_files(tmp_path: Path) -> None:
    write(tmp_path, output({"a.h": "one\n"}, "c"))
    write(tmp_path, output({"doc.md": "text\n"}, "docs", whole=False))
    assert set(tree(tmp_path)) == {"a.h", "doc.md"}
    plan = emit.inspect(tmp_path, output({"a.h": "one\n"}, "c", optional=frozenset({"docs"})))
    assert emit.listing(plan) == ""
    write(tmp_path, output({"a.h": "one\n"}, "c"))  # docs was uninstalled meanwhile
    assert set(tree(tmp_path)) == {"a.h"}


def test_what_two_schemas_have_alike_stays_with_the_first(tmp_path: Path) -> None:
    alike = {"run/time.c": "the same\n"}
    first = output({"a.h": "one\n", **alike}, source="a.yaml")
    second = output({"b.h": "two\n", **alike}, source="b.yaml")
    write(tmp_path, first)
    write(tmp_path, second)
    manifest = (tmp_path / emit.MANIFEST).read_bytes()
    for one in (first, second):
        assert write(tmp_path, one).findings == []
        assert (tmp_path / emit.MANIFEST).read_bytes() == manifest
    newer = output({"b.h": "two\n", "run/time.c": "newer\n"}, source="b.yaml")
    assert write(tmp_path, newer).failed
    assert not write(tmp_path, replace(newer, common=frozenset({"c"}))).failed


@pytest.mark.parametrize(
    "path", ["../x", "/etc/x", "a/../../x", "a/../b", "./a", "a//b", "", ".", "..", "a\nb", "a\0b"]
)
def test_paths_out_of_the_folder_are_refused(tmp_path: Path, path: str) -> None:
    out = tmp_path / "out"
    with pytest.raises(OutputError, match="not inside the output folder"):
        write(out, output({"a.h": "one\n", path: "bad\n"}))
    assert list(tmp_path.rglob("*")) == []


def test_a_path_cannot_be_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="both a file and a folder"):
        write(tmp_path, output({"a": "one\n", "a/b": "two\n"}))


@pytest.mark.parametrize("target", ["..", "../elsewhere"])
def test_links_out_of_the_folder_are_refused(tmp_path: Path, target: str) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    (out / "sub").symlink_to(target)
    with pytest.raises(OutputError, match="symbolic link"):
        write(out, output(BASE))
    (out / "sub").unlink()
    (out / "a.h").symlink_to(elsewhere / "a.h")
    with pytest.raises(OutputError, match="symbolic link"):
        write(out, output(BASE))
    assert not list(elsewhere.iterdir()) and not tree(out)


def test_what_is_in_the_way_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(OutputError) as caught:
        write(file, output(BASE))
    assert caught.value.path == str(file)
    out = tmp_path / "out"
    (out / "a.h").mkdir(parents=True)
    with pytest.raises(OutputError, match="not a regular file"):
        write(out, output(BASE))
    (out / "a.h").rmdir()
    (out / "sub").write_text("")
    with pytest.raises(OutputError, match="a file is where a folder must be"):
        write(out, output(BASE))
    os.mkfifo(out / "a.h")
    with pytest.raises(OutputError, match="not a regular file"):  # and does not hang
        write(out, output({"a.h": "one\n"}))


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "a.h").symlink_to("a.h")
    with pytest.raises(OutputError):
        write(tmp_path, output(BASE))


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir(mode=0o500)
    with pytest.raises(OutputError, match="permission denied"):
        write(out, output(BASE))
    assert not list(out.iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /proc and /dev")
def test_a_folder_that_cannot_be_made() -> None:
    with pytest.raises(OutputError, match="cannot write here"):
        write(Path("/proc/none/out"), output(BASE))
    with pytest.raises(OutputError, match="cannot write here"):
        write(Path("/dev/full"), output(BASE))


@pytest.mark.parametrize("failing", [1, 2, 3, 4])
@pytest.mark.parametrize(
    "kind", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
@pytest.mark.parametrize("step", ["open", "replace"])
def test_a_failure_half_way_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, kind: BaseException, failing: int
) -> None:
    out = tmp_path / "out"
    write(out, output({**BASE, "x/old.h": "old\n"}))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    calls = 0

    def broken(original: object) -> object:
        def call(*arguments: object, **named: object) -> object:
            nonlocal calls
            calls += 1
            if calls == failing:
                raise kind
            return original(*arguments, **named)  # type: ignore[operator]

        return call

    made = output({"a.h": "three\n", "new/c.c": "four\n", "sub/b.c": "five\n"})
    with monkeypatch.context() as patch:
        if step == "open":
            patch.setattr(staging.os, "fdopen", broken(os.fdopen))
        else:
            patch.setattr(staging.Path, "replace", broken(Path.replace))
        expected = OutputError if isinstance(kind, OSError) else KeyboardInterrupt
        with pytest.raises(expected):
            write(out, made)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert not (out / "new").exists()
    write(out, made)
    assert tree(out) == made.files


def test_a_failure_in_a_new_folder_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(staging.os, "fdopen", full)
    with pytest.raises(OutputError, match="no space left"):
        write(tmp_path / "a/b", output(BASE))
    assert list(tmp_path.iterdir()) == []


def test_permissions_of_a_replaced_file_stay(tmp_path: Path) -> None:
    write(tmp_path, output(BASE))
    (tmp_path / "a.h").chmod(0o640)
    write(tmp_path, output({**BASE, "a.h": "new\n"}))
    assert (tmp_path / "a.h").stat().st_mode & 0o777 == 0o640


def test_the_manifest_is_sorted_and_says_nothing_of_time_or_place(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, output(BASE))
    write(two, output(dict(reversed(BASE.items()))))
    assert (one / MANIFEST).read_bytes() == (two / MANIFEST).read_bytes()
    assert str(tmp_path) not in (one / MANIFEST).read_text()


def test_two_writers_take_turns(tmp_path: Path) -> None:
    """Many processes write to one folder at once; the folder ends up consistent."""
    script = (
        "import sys; from pathlib import Path; from ctrgen.output import emit\n"
        "from ctrgen.findings.diagnostics import Diagnostics\n"
        "name = sys.argv[2]; files = {f'{name}.h': name, 'same.h': name}\n"
        "made = emit.Output(files, dict.fromkeys(files, 'c'), name, frozenset({'c'}))\n"
        "d = Diagnostics(); emit.write(Path(sys.argv[1]), made, d, True); assert not d.failed\n"
    )
    names = [f"s{number}" for number in range(6)]
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name]) for name in names
    ]
    assert [process.wait(60) for process in running] == [0] * len(names)
    manifest = emit.read_manifest(tmp_path)
    assert set(tree(tmp_path)) == set(manifest) == {"same.h", *(f"{name}.h" for name in names)}
    assert all(emit.digest((tmp_path / p).read_bytes()) == e.digest for p, e in manifest.items())


def test_every_state_is_listed(tmp_path: Path) -> None:
    write(tmp_path, output({**BASE, "gone.h": "1\n", "kept.h": "2\n", "edit.h": "3\n"}))
    (tmp_path / "kept.h").write_text("mine\n")
    (tmp_path / "edit.h").write_text("mine\n")
    (tmp_path / "other.c").write_text("not in the manifest\n")
    plan = emit.inspect(tmp_path, output({"a.h": "one\n", "edit.h": "4\n", "new.h": "5\n"}))
    assert {path: c.state for path, c in plan.changes.items() if path != MANIFEST} == {
        "a.h": State.SAME,
        "edit.h": State.EDITED,
        "gone.h": State.EXTRA,
        "kept.h": State.EXTRA_EDITED,
        "new.h": State.MISSING,
        "sub/b.c": State.EXTRA,
    }
    shown = {
        MANIFEST: "changed", "edit.h": "changed", "gone.h": "extra", "kept.h": "extra",
        "new.h": "missing", "sub/b.c": "extra",
    }  # fmt: skip
    lines = [f"{word}: {tmp_path / name}" for name, word in shown.items()]
    assert emit.listing(plan).splitlines() == lines
