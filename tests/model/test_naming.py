# SPDX-License-Identifier: BSD-3-Clause
"""Hostile text never leaves its comment or literal; reserved names are known."""

import ast
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.model.naming import c, symbols
from tests.support.schemas import module_of

HOSTILE = [
    "*/ int x; /*",
    "**//",
    "*\\\n/",
    "??/\n",
    "??/",
    "a\\",
    "a\\\nb",
    '"; system("x"); "',
    "'\"%s%n",
    "line\r\nline\u2028line\u0085line",
    "\u202eevil\u202c",
    "\x00\x07\x1b[31m",
    "/*/*/",
    "*\u200b/",
    "//??/",
    "@brief \\cmd <b> &amp; #x %y",
    "日本語 µs",
    "\ud800",
]


def assert_comment_safe(text: str) -> None:
    escaped = c.escape_comment(text)
    assert "*/" not in escaped
    assert "/*" not in escaped
    assert "??" not in escaped
    assert not escaped.endswith("\\")
    assert len(escaped.splitlines()) <= 1
    assert not c.INVISIBLE.search(escaped)


def assert_literal_safe(text: str) -> None:
    escaped = c.escape_string(text)
    assert re.fullmatch(r"[ -~]*", escaped)
    assert "??" not in escaped
    # The same escapes mean the same in a Python bytes literal, but for \?.
    value = ast.literal_eval('b"' + escaped.replace("\\?", "?") + '"')
    assert value == text.encode("utf-8", "replace")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text(text: str) -> None:
    assert_comment_safe(text)
    assert_literal_safe(text)


@given(st.text(alphabet=st.sampled_from("*/\\?\"'\n\r ax@<\u202e\u2028\x00é=(!<>-"), max_size=30))
def test_any_text(text: str) -> None:
    assert_comment_safe(text)
    if "\\?" not in text:
        assert_literal_safe(text)


@pytest.mark.parametrize(
    "name", ["int", "class", "_x", "x__y", "rte_x", "RTE_X", "CTR_x", "xor", "linux", "uint8_t"]
)
def test_reserved(name: str) -> None:
    assert c.reserved(name)


@pytest.mark.parametrize("name", ["pkts", "rx", "Int", "rtex", "index", "packet"])
def test_not_reserved(name: str) -> None:
    assert not c.reserved(name)


def test_every_symbol_once_in_a_good_schema() -> None:
    module = module_of(
        "ctrgen: 1\nmodule: ep\nscopes:\n  global:\n    counters:\n"
        "      pkts: {unit: packets, description: Packets.}\n"
        "  session:\n    max: 10\n    states:\n"
        "      phase: {type: enum, labels: [idle, up], description: Phase.}\n"
        "updates:\n  packet: {add: {global.pkts: 1}}\n"
    )
    names = [symbol.name for symbol in symbols.symbols(module)]
    assert len(names) == len(set(names))
    for name in (
        "ep_stats_inc_pkts",
        "ep_stats_session_reset_all",
        "ep_stats_update_packet_bulk",
        "ep_stats_batch_packet",
        "EP_STATS_SESSION_MAX",
        "EP_STATS_SESSION_PHASE_IDLE",
        "ep_stats_snapshot_create",
    ):
        assert name in names


VIEWS = """\
ctrgen: 1
module: ep
views: [cli, billing]
scopes:
  global: {counters: {pkts: {unit: packets, description: Packets.}}}
  flow:
    storage: embedded
    sync: caller
    counters: {pkts: {unit: packets, description: Packets.}}
"""


def test_names_of_views_are_there_with_views_only() -> None:
    def declared(text: str) -> set[str]:
        return {symbol.name for symbol in symbols.symbols(module_of(text))}

    without = declared(VIEWS.replace("views: [cli, billing]\n", ""))
    constants = {f"EP_STATS_VIEW_{name}" for name in ("RAW", "DEFAULT", "CLI", "BILLING")}
    functions = {f"ep_stats_global_view_{verb}" for verb in ("read", "reset")}
    assert declared(VIEWS) - without == {"ep_stats_view", "ep_stats_views", *constants, *functions}
    assert without < declared(VIEWS)


def test_constants_of_views_are_in_their_order() -> None:
    module = module_of(VIEWS)
    assert list(symbols.of_views(module)) == ["raw", "default", "cli", "billing"]
    assert symbols.of_views(module)["cli"] == "EP_STATS_VIEW_CLI"
