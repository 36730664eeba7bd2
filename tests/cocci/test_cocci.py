# SPDX-License-Identifier: BSD-3-Clause
"""Applications that count in every way for which there is a patch count the same with generated
code, and what no patch changes is reported where it is."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import needs
from tests.support.cbuild import LENIENT, QUICK, Build, shared
from tests.support.process import ctrgen, run, succeed
from tests.support.strategies import SHARED, USUAL

HERE = Path(__file__).parent
PATCHES = runtimeinfo.patches()

pytestmark = [pytest.mark.slow, needs("spatch", "cc")]


@dataclass(frozen=True)
class Ported:
    """A file in a folder, what the script said, and how it ended."""

    folder: Path
    file: Path
    done: subprocess.CompletedProcess[str]

    @property
    def text(self) -> str:
        return self.file.read_text("utf-8")


def patched(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Run what `ctrgen adopt` proposes for files of a folder."""
    words = ("adopt", *files, "--module", "app", "-o", "app.yaml", "--patches", "patches.sh")
    succeed("ctrgen", *words, cwd=folder)
    return run("sh", "patches.sh", cwd=folder)


def ported(name: str, folder: Path) -> Ported:
    """A file of this folder, with what `ctrgen adopt` proposes for it."""
    file = folder / "app.c"
    shutil.copy(HERE / name, file)
    shutil.copy(HERE / "dpdk.h", folder)
    return Ported(folder, file, patched(folder, "app.c"))


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Ported:
    return ported("before.c", tmp_path_factory.mktemp("app"))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Ported:
    return ported("left.c", tmp_path_factory.mktemp("left"))


def program(app: Ported, sync: str) -> Path:
    out = app.folder / sync
    done = ctrgen("build", app.folder / "app.yaml", "-o", out, "--only", "c", "--sync", sync)
    assert done.exit_code == 0, done.output
    target = app.folder / f"app-{sync}"
    unused = ("-Wno-unused-variable", "-Wno-unused-but-set-variable")
    build = Build(flags=QUICK, own_flags=("-DPORTED", *LENIENT, *unused))
    shared().link(target, build, [app.file, out / "app_stats.c"], [out])
    return target


@pytest.mark.one_in(2)
@pytest.mark.parametrize("sync", (USUAL, SHARED))
def test_what_is_counted_stays_the_same(app: Ported, sync: str) -> None:
    before = app.folder / "before"
    succeed("cc", HERE / "before.c", "-o", before)
    expected = succeed(before)
    assert "counted: 2000 3000 5000 2000\n" in expected
    assert succeed(program(app, sync)) == expected


def test_no_add_and_no_reset_is_left(app: Ported) -> None:
    assert app.done.returncode == 0, app.done.stderr
    functions = app.text.partition("static void\narray(")[2]
    for pattern in (r"\+\+;", r"\+= ", "__atomic|atomic_fetch|rte_atomic", "memset", r"\bctr_"):
        assert re.findall(pattern, functions.replace("i++", "")) == [], pattern
    assert "struct flow_counts counts" not in app.text and app.done.stderr == ""


def test_what_is_left_is_listed(left: Ported) -> None:
    lines = left.text.splitlines()
    wanted = [n for n, line in enumerate(lines, 1) if "/* LEFT */" in line]
    shown = [int(n) for n in re.findall(r"^app\.c:(\d+):", left.done.stdout, re.MULTILINE)]
    assert len(wanted) > 10 and set(wanted) <= set(shown), left.done.stdout
    assert all("_stat" in lines[n - 1] for n in shown) and left.done.returncode == 1


def test_what_no_patch_may_change_is_as_it_was(left: Ported) -> None:
    assert left.text == (HERE / "left.c").read_text("utf-8")


def test_a_pattern_that_does_not_apply_says_so(left: Ported) -> None:
    for name in ("port_statistics.tx", "port_statistics.dropped", "lcore_stats.polls"):
        assert f"{name}: nothing found to change\n" in left.done.stderr


def spatch(folder: Path, code: str, *words: str, patch: str = "counters") -> str:
    """A function with that body, with a patch applied to it."""
    file = folder / "one.c"
    text = f"struct s {{ long m, k; }};\nvoid\nf(struct s *p, int i, int n)\n{{\n\t{code}\n}}\n"
    file.write_text(text, "utf-8")
    options = [word for pair in words for word in ("-D", pair)]
    path = PATCHES / f"{patch}.cocci"
    quick = ("--very-quiet", "--in-place", "--iso-file", PATCHES / "counters.iso")
    succeed("spatch", *quick, "--sp-file", path, *options, file)
    body = file.read_text("utf-8").partition("{\n\t")[2].rpartition("\n}")[0]
    return " ".join(body.replace(";", "; ").split())


@pytest.mark.parametrize(
    "where, code, result",
    [
        ("array", "x->v[i + 1].m += n;", "P_add_m(i + 1, n);"),
        ("array", "struct s *q = &v[i]; i++; q->m++;", None),
        ("array", "struct s *q = &v[i]; q->m++; q = p; q->m++;", None),
        ("array", "struct s *q = &v[i]; i += 2; q->m++;", None),
        ("array", "struct s *q = &v[i]; while (i-- > 0) q->m++;", None),
        ("array", "struct s *q = &v[i]; g(&i); q->m++;", None),
        ("array", "struct s *q = &v[i]; q += 1; q->m++;", None),
        ("array", "struct s *q = &v[i]; --q; q->m++;", None),
        ("array", "v[i].m -= n; n = v[i].m++; g(&v[i].m);", None),
        ("lcore", "v[i].m++;", None),
        ("lcore", "i = rte_lcore_id(); i = n; v[i].m++;", None),
        ("lcore", "i = rte_lcore_id(); i += 1; v[i].m++;", None),
        ("lcore", "i = rte_lcore_id(); while (i-- > 0) v[i].m++;", None),
        ("lcore", "i = rte_lcore_id(); g(&i); v[i].m++;", None),
        ("lcore", "struct s *q = &v[rte_lcore_id()]; ++q; q->m++;", None),
        ("lcore", "i = rte_lcore_id(); RTE_LCORE_FOREACH(i) { v[i].m++; }", None),
        ("variable", "RTE_PER_LCORE(v).m++; n = v->k;", "P_inc_m(); n = P_get_k();"),
        ("variable", "v.m.cnt += n; n = v.m.cnt;", "P_add_m(n); n = P_get_m();"),
        ("variable", "rte_atomic64_add(&(v.m), n); v.m.cnt = 0;", "P_add_m(n); v.m.cnt = 0;"),
        ("columns", "x->v.m[i] += n;", "P_add_m(i, n);"),
        ("word", "v += n; rte_atomic64_inc(&v);", "P_add_v(n); P_inc_v();"),
        ("words", "v[i]++; n = v[3];", "P_inc_v(i); n = P_get_v(3);"),
    ],
)
def test_one_pattern(tmp_path: Path, where: str, code: str, result: str | None) -> None:
    assert spatch(tmp_path, code, where, "var=v", "calls=P") == (code if result is None else result)


def test_a_file_that_cannot_be_decided_on_is_left_and_the_others_are_not(tmp_path: Path) -> None:
    head = "struct s_stats { unsigned long m; };\nextern struct s_stats v[RTE_MAX_ETHPORTS];\n"
    either = "struct s_stats *q = o; if (i) q = &v[i]; q->m++;"
    (tmp_path / "a.c").write_text(
        f"{head}void f(struct s_stats *o, int i) {{ {either} }}\n", "utf-8"
    )
    (tmp_path / "b.c").write_text(f"{head}void g(int i) {{ v[i].m++; }}\n", "utf-8")
    done = patched(tmp_path, "a.c", "b.c")
    assert done.returncode == 1 and "a.c: v.m is left: change it by hand" in done.stderr
    assert either in (tmp_path / "a.c").read_text("utf-8")
    assert "app_stats_port_inc_m(i);" in (tmp_path / "b.c").read_text("utf-8")
    assert "v.m: 1 lines changed" in done.stdout


def test_one_counter_of_several_and_under_another_name(tmp_path: Path) -> None:
    words = ("variable", "var=v", "calls=P", "one", "member=m", "counter=c")
    assert spatch(tmp_path, "v.m++; v.k++;", *words) == "P_inc_c(); v.k++;"


def test_a_struct_that_is_only_a_type_is_named(tmp_path: Path) -> None:
    code = "typedef struct { unsigned long n; } my_stats_t;\nstruct o { my_stats_t counts; };\n"
    (tmp_path / "app.c").write_text(f"{code}void f(struct o *o) {{ o->counts.n++; }}\n", "utf-8")
    done = patched(tmp_path, "app.c")
    assert done.returncode == 1 and "struct my_stats_t: nothing found to change" in done.stderr
    assert "app_stats_o_inc_n(&o->counts);" in (tmp_path / "app.c").read_text("utf-8")


def test_resets_of_one_and_of_all(tmp_path: Path) -> None:
    code = "memset(&v[i], 0, n); memset(x->v, 0, n); memset(v, 1, n);"
    said = spatch(tmp_path, code, "array", "var=v", "calls=P", patch="resets")
    assert said == "P_reset(i, NULL); P_reset_all(NULL); memset(v, 1, n);"


def test_without_spatch_it_says_what_to_install(left: Ported, tmp_path: Path) -> None:
    script = (left.folder / "patches.sh").read_text("utf-8")
    assert "command -v spatch" in script
    stub = tmp_path / "ctrgen"
    stub.write_text("#!/bin/sh\necho .\n", "utf-8")
    stub.chmod(0o755)
    shell = shutil.which("sh")
    assert shell is not None
    done = subprocess.run(
        [shell, str(left.folder / "patches.sh")], env={"PATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and "apt install coccinelle" in done.stderr


def test_a_word_is_listed_after_all_of_its_adds_are_calls(tmp_path: Path) -> None:
    code = "static uint64_t lost;\nstatic uint64_t seen[4];\n"
    code += "void f(int i) { lost++;\nseen[i] += 2;\ng(&seen[i]); }\n"
    (tmp_path / "app.c").write_text(code, "utf-8")
    done = patched(tmp_path, "app.c")
    text = (tmp_path / "app.c").read_text("utf-8")
    assert "app_stats_inc_lost();" in text and "app_stats_seen_add_seen(i, 2);" in text
    assert "g(&seen[i]);" in done.stdout.partition("that remain:\n")[2]
