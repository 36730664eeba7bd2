# SPDX-License-Identifier: BSD-3-Clause
"""What C source counts becomes a schema that builds, and what does not is said."""

import builtins
import itertools
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ctrgen.findings.usage import UsageError, pip_install
from ctrgen.output.render import render
from ctrgen.tools.adopt.propose import proposal
from ctrgen.tools.adopt.source import File, declarations, opened, parsed
from ctrgen.tools.adopt.uses import Uses
from tests.adopt.counting import counted, items
from tests.adopt.patterns import PATTERNS
from tests.support.capabilities import needs
from tests.support.process import ctrgen

APP = Path(__file__).parent / "app.c"


def adopted(*words: str | Path) -> str:
    done = ctrgen("adopt", *words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def text() -> str:
    return adopted(APP, "--module", "app")


@pytest.fixture(scope="module")
def scopes(text: str) -> dict[str, Any]:
    found = yaml.safe_load(text)["scopes"]
    assert isinstance(found, dict)
    return found


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """The source of each pattern."""
    found = {name: tmp_path / f"{name}.c" for name in PATTERNS}
    for name, path in found.items():
        path.write_text(PATTERNS[name].code, "utf-8")
    return found


@pytest.mark.parametrize("name", PATTERNS)
def test_each_pattern_is_recognised(name: str, files: dict[str, Path]) -> None:
    if not PATTERNS[name].scopes:
        done = ctrgen("adopt", files[name])
        assert done.exit_code == 2 and "no counter in these files" in done.stderr
        return
    text = adopted(files[name], "--module", "app")
    assert items(text) == PATTERNS[name].scopes
    for row in PATTERNS[name].rows:
        assert row in text


@needs("cc")
def test_proposals_of_all_patterns_count(files: dict[str, Path], tmp_path: Path) -> None:
    text = adopted(*files.values(), "--module", "app")
    assert counted(text, tmp_path) == sum(
        len(s) for p in PATTERNS.values() for s in p.scopes.values()
    )


def test_arrays_are_scopes_of_their_size(scopes: dict[str, Any]) -> None:
    assert scopes["port"]["max"] == 32 and set(scopes["port"]["counters"]) == {
        "tx",
        "rx",
        "dropped",
    }
    assert scopes["tunnel"]["max"] == 0x400 and set(scopes["tunnel"]["counters"]) == {"tunnel"}
    assert scopes["some_site"]["max"] == 1024


def test_scopes_of_one_name_and_other_sizes_are_two(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    text = "#define MAX_{0}S {1}\nstatic uint64_t {2}[MAX_{0}S];\n"
    text = text.format("SITE", 4, "a") + "#define N_SITES 9\nstatic uint64_t b[N_SITES];\n"
    file.write_text(text + "void f(int i) { a[i]++; b[i]++; }\n", "utf-8")
    scopes = yaml.safe_load(adopted(file))["scopes"]
    assert {name: scope["max"] for name, scope in scopes.items()} == {"site": 4, "site_b": 9}


def test_a_definition_goes_before_a_declaration(tmp_path: Path) -> None:
    header, file = tmp_path / "a.h", tmp_path / "a.c"
    header.write_text("struct s_stats { uint64_t rx; };\nextern struct s_stats s[];\n", "utf-8")
    file.write_text("struct s_stats s[7];\n", "utf-8")
    assert yaml.safe_load(adopted(header, file))["scopes"]["s"]["max"] == 7


def test_what_lcores_have_each_is_one(scopes: dict[str, Any]) -> None:
    counters = scopes["global"]["counters"]
    known = {"rx_bytes", "rx_pkts", "of_class", "busy_cycles", "app_stats_rx_pkts"}
    assert set(counters) == known
    assert set(scopes["global"]["gauges"]) == {"rx_in_use"}


def test_a_struct_in_an_object_is_embedded(scopes: dict[str, Any]) -> None:
    flow = scopes["flow"]
    assert (flow["storage"], flow["sync"]) == ("embedded", "caller")
    assert set(flow["counters"]) == {"pkts", "bytes"} and flow["description"] == "A flow."


def test_an_array_in_the_only_object_is_a_scope_of_its_size(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text(
        "struct port_stats { uint64_t rx; };\n"
        "struct all { int x; struct port_stats stats[RTE_MAX_ETHPORTS]; };\n",
        "utf-8",
    )
    port = yaml.safe_load(adopted(file, "--module", "app"))["scopes"]["port"]
    assert port["max"] == 32 and "storage" not in port and set(port["counters"]) == {"rx"}


def test_names_widths_and_comments(scopes: dict[str, Any]) -> None:
    port = scopes["port"]["counters"]
    assert port["tx"]["description"] == "Packets sent."
    assert port["rx"]["description"] == "Member rx of port_statistics."
    assert port["dropped"] == {
        "unit": "packets", "description": "Packets nobody took.", "width": 32,
    }  # fmt: skip
    units = {name: one["unit"] for name, one in scopes["global"]["counters"].items()}
    assert (units["rx_bytes"], units["busy_cycles"], units["rx_pkts"]) == (
        "bytes", "cycles", "packets",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "width"), [("atomic_ullong", 64), ("atomic_uint64_t", 64), ("atomic_uint32_t", 32)]
)
def test_atomics_of_c11_and_of_open_vswitch(tmp_path: Path, kind: str, width: int) -> None:
    file = tmp_path / "atomic.c"
    file.write_text(f"struct pmd_stats {{ {kind} n; }} stats;\n", "utf-8")
    n = yaml.safe_load(adopted(file, "--module", "app"))["scopes"]["global"]["counters"]["n"]
    assert n.get("width", 64) == width


def test_where_each_is_and_what_is_left(text: str) -> None:
    lines = APP.read_text("utf-8").splitlines()
    number = next(i for i, line in enumerate(lines, 1) if "uint64_t tx;" in line)
    assert f"# {APP}:{number}:11" in text
    left = text.partition("# Left to you:\n")[2]
    for what in (
        "before is another port_statistics", "bursts[4][8] has several indexes",
        "level is of type int", "orphan_stats_t has no variable",
    ):  # fmt: skip
        assert what in left, what
    assert "pad" not in text and "local" not in text and "mask" not in text


def test_members_of_unions_and_variables_that_decide_are_left(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "struct s_stats { uint64_t a; union { uint64_t u; struct { uint32_t x; } s; };\n"
        "  struct { uint64_t b; }; union { uint64_t w; } n; union far f; } st;\n"
        "static uint64_t drops, limit;\n"
        "void f(void) { st.a++; drops++; if (drops > limit) st.b++; }\n", "utf-8",
    )  # fmt: skip
    text = adopted(file)
    assert set(yaml.safe_load(text)["scopes"]["global"]["counters"]) == {"a", "b"}
    left = [line.split()[2] for line in text.partition("Left to you:\n")[2].splitlines()]
    assert left == ["u", "x", "w", "f", "drops"]


def test_a_name_that_several_variables_have_gets_no_patch(tmp_path: Path) -> None:
    one, two = tmp_path / "one.c", tmp_path / "two.c"
    one.write_text(
        "struct a_stats { uint64_t rx; } stats;\nstatic struct b_stats { uint64_t tx; } own;\n"
        "struct c_stats { uint64_t up; } only;\n"
        "void f(void) { stats.rx++; own.tx++; only.up++; }\n"
        "void g(void) { struct other stats = {0}; stats.rx += 5; memset(&stats, 0, 8); }\n", "utf-8"
    )  # fmt: skip
    two.write_text("static struct d_stats { uint64_t tx; } own;\nvoid h(void) { own.tx++; }\n")
    script = tmp_path / "p.sh"
    left = adopted(one, two, "--module", "app", "--patches", script).partition("Left to you:\n")[2]
    patches = [line for line in script.read_text("utf-8").splitlines() if "app_stats" in line]
    assert "counter variable only app_stats up up" in patches
    assert not any(" stats " in line or " own " in line for line in patches), patches
    assert "stats scope global" in left and "own scope global" in left
    assert left.count("another variable or member has its name") == 2


def test_a_member_of_another_struct_gets_no_patch(tmp_path: Path) -> None:
    file, script = tmp_path / "a.c", tmp_path / "p.sh"
    file.write_text(
        "struct a_stats { uint64_t rx; }; static struct a_stats ports[RTE_MAX_ETHPORTS];\n"
        "struct b_stats { uint64_t rx, up; }; struct worker { struct b_stats *ports; };\n"
        "struct c_stats { uint64_t up; }; static struct c_stats lines[RTE_MAX_ETHPORTS];\n"
        "struct other { uint32_t lines[4]; };\n"
        "struct q_stats { uint64_t in; }; struct card { struct q_stats queues[8]; };\n"
        "void f(struct worker *w, int i, struct card *c)\n"
        "{ ports[i].rx++; w->ports[i].rx++; lines[i].up++; c->queues[i].in++; }\n", "utf-8"
    )  # fmt: skip
    left = adopted(file, "--module", "app", "--patches", script).partition("Left to you:\n")[2]
    patches = script.read_text("utf-8")
    assert "counter array lines app_stats_port up up" in patches
    assert "counter array ports" not in patches and "reset array ports" not in patches
    assert "ports[RTE_MAX_ETHPORTS] scope port, max 32: put the calls by hand" in left
    assert "its objects count together: give it a parent if there are several" in left


def test_structs_that_functions_have_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "struct a_stats { uint64_t rx; };\nstruct b_stats { uint64_t tx; } b;\n"
        "static struct a_stats *all;\nvoid f(void) { all->rx++; b.tx++; }\n"
        "void show(void) { struct a_stats copy = *all; print(&copy); }\n", "utf-8"
    )  # fmt: skip
    assert "a_stats is a variable of a function: write it into" in adopted(file)


def test_proposals_of_odd_texts_names_and_sizes_pass_the_check(tmp_path: Path) -> None:
    file, schema = tmp_path / "a.c", tmp_path / "a.yaml"
    sizes = ("010", "0x10", "99999999999", "0", "16UL")
    file.write_text(
        f"/* {'word ' * 300} */\nstruct s_stats {{ uint64_t {'a' * 90}; /* \a\v */\n"
        "  uint64_t rxp, rx_p;\n"
        f"  uint64_t b; /* ======= over ======= */\n  uint64_t c; /* {'d' * 1200} */ }} st[4];\n"
        + "".join(f"struct t{i}_stats {{ uint64_t x; }} a{i}[{n}];\n" for i, n in enumerate(sizes)),
        "utf-8",
    )  # fmt: skip
    schema.write_text(adopted(file, "--module", "m" * 40), "utf-8")
    done = ctrgen("check", schema)
    assert done.exit_code == 0, done.output
    scopes = yaml.safe_load(schema.read_text("utf-8"))["scopes"]
    assert [scopes[f"a{i}"]["max"] for i in range(5)] == [8, 16, 1024, 1024, 16]
    assert scopes["st"]["counters"]["b"]["description"] == "Over."


def calls(count: int) -> int:
    """How many calls, and returns, a proposal for so many variables takes."""
    text = "".join(f"uint64_t v{i};\nvoid f{i}(int i) {{ v{i}++; }}\n" for i in range(count))
    events = itertools.count()
    sys.setprofile(lambda frame, event, argument: next(events))
    try:
        files = [File("x.c", parsed(text.encode()))]
        found = proposal(declarations(files), Uses(files), "m")
    finally:
        sys.setprofile(None)
    assert len(found.scopes[0].counters) == count
    return next(events)


def test_many_variables_take_no_time_each_for_all() -> None:
    assert calls(5000) <= 12 * calls(500)


def test_what_is_not_understood_is_said_and_the_rest_taken(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text("struct a_stats { uint64_t x; } a;\nstruct ( { ;;\nint y = = 3;\n", "utf-8")
    done = ctrgen("adopt", file, "--module", "odd")
    assert done.exit_code == 0 and "  global:" in done.stdout
    assert f"{file}:2:" in done.stderr and "warning: not understood" in done.stderr


def test_errors_are_for_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "empty.c"
    empty.write_text("int main(void) { return 0; }\n", "utf-8")
    with pytest.raises(UsageError, match=r"no such file"):
        opened([tmp_path / "none.c"])
    done = ctrgen("adopt", empty)
    assert done.exit_code == 2 and "no counter in these files" in done.output
    out = tmp_path / "out.yaml"
    out.write_text("mine", "utf-8")
    done = ctrgen("adopt", APP, "-o", out)
    assert done.exit_code == 2 and "exists" in done.output and out.read_text("utf-8") == "mine"
    script = tmp_path / "p.sh"
    done = ctrgen("adopt", APP, "-o", out, "--patches", script)
    assert done.exit_code == 2 and "exists" in done.output and not script.exists()
    done = ctrgen("adopt", APP, "-o", script, "--patches", f"{tmp_path}/./p.sh")
    assert done.exit_code == 2 and "named twice" in done.output and not script.exists()
    known = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.startswith("tree_sitter"):
            raise ImportError(name=name)
        return known(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError) as caught:
        opened([empty])
    assert caught.value.hint == pip_install("adopt")


WORDS = (
    "struct", "s_stats", "{", "}", "x", "[4]", ";", "uint64_t", "*", ",", "#if A\n", "#else\n",
    "#endif\n", "#define M(x) x++\n", "void f(void)", "M(x)", "++", "+=", "=", "0", "&x", "(", ")",
    "RTE_DEFINE_PER_LCORE(uint64_t, x)", "typedef", ".x", "->x", "if", "while", "(x)", "/* c */",
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
def test_any_text_ends_in_a_proposal(text: str) -> None:
    files = [File("x.c", parsed(text.encode()))]
    found = proposal(declarations(files), Uses(files), "m")
    if found.scopes:
        yaml.safe_load(render("adopt/schema.yaml.j2", p=found))
