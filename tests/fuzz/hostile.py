# SPDX-License-Identifier: BSD-3-Clause
"""Text that tries to leave its place, and schemas that are full of it."""

import functools
import json
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import yaml

from ctrgen.backends import discover
from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.build import BuildRequest, generate, parse_sync
from ctrgen.pipeline.check import Checked, check
from ctrgen.publish.lock import LockFile
from ctrgen.publish.rules import judge

TEXTS = [
    "{{ 7 * 7 }}",
    "{% for x in range(9) %}{{ self._TemplateReference__context }}{% endfor %}",
    "{# a comment #} {% raw %}",
    "%s %n %1$s %%n %x",
    "*/ int escaped(void); /*",
    "/* // */ /*/ */*/",
    "a ??/ b ??/",
    "??/\n int escaped; ??) ??' ??- ??!",
    "ends with a backslash \\",
    "first line\n#error escaped\n\n%: error escaped",
    "\\n \\0 \\x41 \\u0041 \\",
    'quoted " then "; int escaped; "',
    "'; system('x'); '",
    '-- a comment of SMI -- } ::= "escaped" END',
    '"" ::= { escaped 1 } """',
    "BEGIN END ::= MACRO",
    "a CHOICE of EXPORTS",
    "x" * 62 + "MACRO " + "x" * 61 + "-MACRO",
    "$(touch escaped) `touch escaped` ; touch escaped | & > escaped",
    "endif()\nerror('escaped') # '''",
    "@escaped@ ${escaped} @file \\file \\htmlonly <b>x</b> <!-- &lt;",
    "<script>escaped()</script> ]]> <![CDATA[",
    "|a|b| [x](javascript:escaped) ![x](y) # head\n| --- |\n<http://x>",
    '=HYPERLINK("x") +1 -1 @SUM(1) \'=1',
    "- a\n- b: &c !!python/object/apply:os.system [x]\n? d\n...\n---",
    "é ü \u00df \u4e2d\u6587 \U0001f600",
    "a\u202eb\u202c \u2066c\u2069 \u200f",
    "zero\u200bwidth\ufeff \u00ad \u2028 \u2029 \u0085",
    "nul \0 bell \x07 escape \x1b[31m del \x7f csi \x9b",
    "x" * 200 + " */",
    "word " * 100,
    "-",
    " ",
]
"""Free text; some of it is refused, the rest must stay where it belongs."""

NAMES = [
    *("../x", "/etc/x", "..", "a/b", "a\\b", "x; touch y", "$(x)", "`x`", "a b", "a\nb", "a\0b"),
    *("{{ x }}", "{% x %}", "*/", '"', "'", "%s", "x.y", "-o", "--help", "\u202ex", "é", "1x", ""),
    *("rte_*/ int escaped; /*", "_x = 1, }; int escaped", "A B", "A=1,B", "__x\ny", "__a/../b"),
    *("CON:", "a??/b", "a\\u0041", "x" * 300),
]
"""None of these can be a name."""


def harmless(number: int) -> str:
    """A text that does nothing, in place of one that might."""
    return f"Text number {number}."


def schema(texts: list[str], module: str = "ep") -> str:
    """A schema, as JSON, in which every text describes something of every kind."""

    def items(start: str, **kind: object) -> dict[str, object]:
        return {
            f"{start}{number}x": {**kind, "description": text} for number, text in enumerate(texts)
        }

    labels = {"low": 1, "high": 2}
    counters, gauges = items("cnt", unit="packets"), items("gau", unit="packets", max=100)
    states = {**items("sta", type="enum", labels=labels), **items("str", type="string", length=9)}
    scopes: dict[str, object] = {
        "global": {"counters": counters, "gauges": gauges, "states": states}
    }
    for number, text in enumerate(texts):
        pkts = {"unit": "packets", "description": text}
        scope = {"description": text, "max": 4, "counters": {"pkts": pkts}}
        scopes[f"zone{number}x"] = scope
        scopes[f"dyn{number}x"] = {**scope, "storage": "dynamic"}
        scopes[f"mine{number}x"] = {
            "description": text, "storage": "embedded", "sync": "caller", "counters": {"pkts": pkts}
        }  # fmt: skip
    updates = {
        f"u{number}x": {"description": text, "add": {"global.cnt0x": 1, f"zone{number}x.pkts": 1}}
        for number, text in enumerate(texts)
    }
    snmp = {
        "enterprise": 9999,
        "organization": texts[0],
        "contact": texts[-1],
        "revisions": [{"date": "2026-01-15", "description": texts[0]}],
    }
    whole = {"ctrgen": 1, "module": module, "description": texts[-1], "scopes": scopes}
    return json.dumps({**whole, "updates": updates, "snmp": snmp}, ensure_ascii=False)


def checked(text: str) -> Checked:
    """A schema that is in no file."""
    return check("schema.yaml", read=lambda path: text.encode("utf-8", "surrogatepass"))


def errors(text: str) -> set[str]:
    """The rules that a schema breaks."""
    found = checked(text).diagnostics.findings
    return {one.rule for one in found if one.severity is Severity.ERROR}


@functools.cache
def accepted() -> tuple[str, ...]:
    """The texts that a schema may hold."""
    return tuple(text for text in TEXTS if not errors(schema([text])))


def generated(text: str, sync: str | None = None, source: str = "schema.yaml") -> dict[str, str]:
    """What every backend makes of a schema, by the name of the file."""
    found = check(source, sync and parse_sync(sync), read=lambda path: text.encode("utf-8"))
    assert found.module is not None, print_findings(found.diagnostics)
    backends = discover().backends.values()
    every = [each for each in backends if each.name != "xdp"]  # It refuses much.
    locked = judge(found.module, LockFile(), found.diagnostics)
    request = BuildRequest(source, sync=sync)
    output = generate(found, every, request, locked)
    assert output is not None, print_findings(found.diagnostics)
    return dict(output.files)


def controls(text: str) -> bool:
    """Whether a terminal would do something else with the text than show it, line by line."""
    turned = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return any(
        char in turned or (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") and char != "\n")
        for char in text
    )


# ---- what is left of a file without its free text ----

_TRIGRAPHS = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))
_C = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<space>\s+)
    |(?P<token>\w+|.)""",
    re.DOTALL | re.VERBOSE,
)
_SMI = re.compile(
    r"""(?P<comment>--.*?(?:--|\n|\Z))|(?P<text>"[^"]*")|(?P<space>\s+)|(?P<token>[\w-]+|.)""",
    re.DOTALL | re.VERBOSE,
)
_MESON = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<text>'(?:\\.|[^'\\\n])*')|(?P<space>\s+)|(?P<token>\w+|.)""",
    re.DOTALL | re.VERBOSE,
)


def skeleton(name: str, text: str, trigraphs: bool = True) -> list[str]:
    """The tokens of a file, with TEXT for strings that stand together, and without comments.

    C is read as a compiler reads it: first trigraphs, then lines that go on. Of what a parser reads
    as data, the keys and the kinds of values.
    """
    if name.endswith((".yml", ".yaml")):
        return list(shape(yaml.safe_load(text)))
    if name.endswith(".json"):
        return list(shape(json.loads(text)))
    if name.endswith(".md"):
        return list(_marks(text))
    rules = _SMI
    if name.endswith((".c", ".h")):
        rules = _C
        if trigraphs:
            text = re.sub(r"\?\?([=/'()!<>-])", lambda found: _TRIGRAPHS[found[1]], text)
        text = text.replace("\\\n", "")
    elif Path(name).name.startswith("meson"):
        rules = _MESON
    found: list[str] = []
    for part in rules.finditer(text):
        if part.lastgroup == "token":
            found.append(part[0])
        elif part.lastgroup == "text" and found[-1:] != ["TEXT"]:
            found.append("TEXT")
    return found


def _marks(text: str) -> Iterator[str]:
    """What begins something in Markdown and is neither escaped, nor code, nor a comment."""
    text = re.sub(r"\\.|`[^`]*`|<!--.*?-->", "", text, flags=re.DOTALL)
    yield from re.findall(r"^#+ |^\* |[`*_{}\[\]<>|~&$]", text, re.MULTILINE)


def shape(data: object) -> Iterator[str]:
    """What data consists of, with TEXT for strings."""
    if isinstance(data, dict):
        yield "{"
        for key, value in data.items():
            yield str(key)
            yield from shape(value)
        yield "}"
    elif isinstance(data, list):
        yield "["
        for value in data:
            yield from shape(value)
        yield "]"
    else:
        yield "TEXT" if isinstance(data, str) else str(data)
