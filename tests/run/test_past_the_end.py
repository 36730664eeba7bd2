# SPDX-License-Identifier: BSD-3-Clause
"""An index past the end, in every call that a header has: it writes nowhere, and is a drop.

The calls come from the header itself, so that one that is new is among them.
"""

import re
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.backends.c.views import module_view
from ctrgen.pipeline.check import check
from tests.run.variants import HARNESS, HERE
from tests.support.cbuild import SANITIZED, Build, Workshop, figures
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import succeed
from tests.support.random_schemas import INLINE
from tests.support.schemas import with_views
from tests.support.strategies import STRATEGIES, UNLIKE, USUAL, VARIANTS, usually

WHOLE = re.sub("(?m)^requires:.*$", "", INLINE).replace("  scopes: {reset: false}\n", "")
"""With resets in every scope."""
PUBLIC = re.compile(
    r"ep_stats_(?:\w+?_)??(?:(?:lcore|view)_)?(?P<verb>inc|dec|add|sub|set|get|observe|touch|read|"
    r"reset_all|reset|create|destroy|exists|prefetch|update|batch)(?:_\w+)?"
)
COUNTS = {"inc", "dec", "add", "sub", "observe", "update", "batch", "touch"}
"""What is a drop when it is not done. A `set` of an item is one if it returns nothing."""
INTERNAL = re.compile(r"_non_lcore|_find|_run_|_self$|_data$")


def prototypes(header: Path) -> list[tuple[str, str, list[str]]]:
    """Type, name and parameters of each function of the API."""
    words = ["gcc", "-E", "-P", *runtimeinfo.cflags("posix"), str(header)]
    text = succeed(*words)
    found = re.findall(r"([\w ]+?[ *\n])(ep_stats_\w+)\(([^()]*)\)\s*(?:__\w+\S*\s*)*[;{]", text)
    return [
        (kind.strip(), name, [" ".join(one.split()) for one in parameters.split(",")])
        for kind, name, parameters in dict.fromkeys(found)
        if PUBLIC.fullmatch(name)
        and not INTERNAL.search(name)
        and "size_t member" not in parameters
    ]


def value(parameter: str, indexes: dict[str, str]) -> str:
    """What is passed for a parameter."""
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)", parameter).groups()  # type: ignore[union-attr]
    kind = kind.strip()
    if kind == "uint32_t" and name in indexes:
        return indexes[name]
    if kind == "const uint32_t *" and name.removesuffix("_v") in indexes:
        return f"(const uint32_t[]){{{indexes[name.removesuffix('_v')]}}}"
    known = {"struct ep_stats_batch *": "&batch", "unsigned int": "0" if name == "lcore" else "1"}
    if "ep_stats_flow_embedded" in kind:
        return "flows" if "const *" in kind else "&flow"
    if "*" in kind and kind not in known:
        return "(void *)buffer"
    return known.get(kind, f"({kind})1")


def calls(header: Path, maxima: dict[str, str]) -> str:
    """Each call with each of its indexes past the end in turn, the others the last ones."""
    lines = []
    for kind, name, parameters in prototypes(header):
        names = [p.rpartition(" ")[2].lstrip("*") for p in parameters]
        own = [n.removesuffix("_v") for n in names if n.removesuffix("_v") in maxima]
        verb = PUBLIC.fullmatch(name)["verb"]  # type: ignore[index]
        counts = kind.endswith("void") and (verb in COUNTS or verb == "set")
        for bad in own:
            for past in (maxima[bad], f"{maxima[bad]} + 1", "UINT32_MAX / 2", "UINT32_MAX"):
                right = {n: f"{most} - 1" for n, most in maxima.items()}
                passed = [value(p, right | {bad: past}) for p in parameters]
                call = f"{name}({', '.join(passed)})"
                if verb == "batch":
                    call = f"ep_stats_batch_begin(&batch); {call}; ep_stats_batch_end(&batch)"
                lines.append(
                    f"MADE({int(counts)}, {call});\n" if counts else f"MADE(0, (void){call});\n"
                )
    return "".join(lines)


def program(
    folder: Path, workshop: Workshop, variant: str, tree: Tree = PROJECT, text: str = WHOLE
) -> Build:
    """The program with all calls of a schema with everything."""
    schema = folder / "whole.yaml"
    schema.write_text(text, "utf-8")
    code = workshop.generated(schema, variant, tree)
    module = check(str(schema)).module
    assert module is not None
    scopes = [s for s in module_view(module).scopes if not s.embedded]
    maxima = {n: m for s in scopes for n, m in zip(s.indexes, s.index_maxima, strict=True)}
    source = folder / "past_the_end.c"
    source.write_text((HERE / "past_the_end.c").read_text("utf-8"), "utf-8")
    (folder / "calls.h").write_text(calls(code / "ep_stats.h", maxima), "utf-8")
    flags = (*SANITIZED, f"-I{HERE}")
    return Build(
        schema, variant, (source,), HARNESS, flags=flags, tree=tree,
    )  # fmt: skip


@pytest.mark.one_in(8)
@pytest.mark.parametrize("variant", usually(VARIANTS, STRATEGIES))
def test_every_call_leaves_all_as_it_was(workshop: Workshop, tmp_path: Path, variant: str) -> None:
    text = workshop.passes(program(tmp_path, workshop, variant), "calls")
    assert figures(text)["calls"] > 1000


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", UNLIKE[:2])
def test_every_call_in_a_view(workshop: Workshop, tmp_path: Path, variant: str) -> None:
    build = program(tmp_path, workshop, variant, text=with_views(WHOLE))
    assert "ep_stats_queue_view_reset(" in (tmp_path / "calls.h").read_text("utf-8")
    workshop.passes(build, "calls")


BUGS = {
    "the-index-behind-the-last-is-right": Edit(
        "templates/c/fast.j2", '"%s >= %s") % (index, maximum)', '"%s > %s") % (index, maximum)'
    ),
    "a-read-takes-the-index-behind-the-last": Edit(
        "templates/c/prototypes.j2", "{{ index }} >= {{ maximum }}", "{{ index }} > {{ maximum }}"
    ),
    "only-the-first-index-of-an-item-is-checked": Edit(
        "templates/c/accessors.j2", 'fast.check(m, s.limits, "return")',
        'fast.check(m, s.limits[:1], "return")',
    ),
    "an-update-checks-no-index": Edit(
        "templates/c/updates.j2", 'fast.check(m, update.limits, "return", body.calls)', '""'
    ),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, bug: str) -> None:
    tree = planted(tmp_path, [BUGS[bug]])
    done = workshop.attempt(program(tmp_path, workshop, USUAL, tree), "calls")
    assert done.returncode != 0
    assert re.search("runtime error: index|AddressSanitizer|drops, not|has changed", done.stderr)
