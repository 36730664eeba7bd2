# SPDX-License-Identifier: BSD-3-Clause
"""What smidump writes is read, whatever is wrong with the XML of one definition."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.frontends.smi import dump

SCALARS, COLUMNS = 30, 6
FLAWS = [
    *("&", "&nope;", "a < b", "<", "<b", "<units>", "</units>", "</description>", "</column>"),
    *("</row>", "</scalar>", "<row>", "]]>", "<!--", "<?x", '"', "\x00", "&#0;", "<a b=>"),
]
TEXT = "Some text."


def thing(tag: str, name: str, oid: str, indent: int, text: str = TEXT) -> str:
    """An object as smidump writes it."""
    lines = [
        f'<{tag} name="{name}" oid="{oid}" status="current">',
        "  <syntax>",
        '    <type module="SNMPv2-SMI" name="Counter32"/>',
        "  </syntax>",
        "  <access>readonly</access>",
        f"  <units>{text}</units>",
        "  <description>",
        f"      {text}",
        "  </description>",
        f"</{tag}>",
    ]
    return "".join(f"{' ' * indent}{line}\n" for line in lines)


def document(flawed: str = "", text: str = TEXT, syntax: str = "") -> str:
    """A dump; one of its objects has another text, or something else in its syntax."""

    def one(tag: str, name: str, oid: str, indent: int) -> str:
        if name != flawed:
            return thing(tag, name, oid, indent)
        return thing(tag, name, oid, indent, text).replace("<syntax>", f"<syntax>{syntax}")

    scalars = [one("scalar", f"s{n}", f"1.3.6.1.4.1.9.{n}", 4) for n in range(SCALARS)]
    columns = [one("column", f"c{n}", f"1.3.6.1.4.1.9.99.1.{n}", 8) for n in range(COLUMNS)]
    return (
        '<?xml version="1.0"?>\n<smi>\n  <module name="T-MIB" language="SMIv2">\n'
        '    <identity node="tMIB"/>\n  </module>\n\n'
        '  <typedefs>\n    <typedef name="Kind" basetype="Unsigned32">\n    </typedef>\n'
        '  </typedefs>\n\n  <nodes>\n    <node name="tMIB" oid="1.3.6.1.4.1.9">\n    </node>\n'
        + "".join(scalars)
        + '    <table name="tTable" oid="1.3.6.1.4.1.9.99">\n'
        '      <row name="tEntry" oid="1.3.6.1.4.1.9.99.1">\n        <linkage>\n'
        '          <index module="T-MIB" name="c0"/>\n        </linkage>\n'
        + "".join(columns)
        + '      </row>\n    </table>\n    <scalar name="last" oid="1.3.6.1.4.1.9.100">\n'
        "    </scalar>\n  </nodes>\n</smi>\n"
    )


NAMES = [*(f"s{n}" for n in range(SCALARS)), *(f"c{n}" for n in range(COLUMNS))]
ALL = {*NAMES, "last", "tTable", "tEntry"}


@pytest.mark.parametrize("flaw", FLAWS)
@pytest.mark.parametrize("name", ["s0", "s17", "c0", "c3", f"c{COLUMNS - 1}"])
def test_a_flawed_text_costs_no_object(name: str, flaw: str) -> None:
    module = dump.parse(document(name, f"x {flaw} y"))
    assert module.objects() == ALL
    assert (module.name, module.identity) == ("T-MIB", "tMIB")
    assert module.types.keys() == {"Kind"}
    assert module.nodes == {"tMIB": "1.3.6.1.4.1.9"}
    (table,) = module.tables
    assert (table.entry, table.index) == ("tEntry", ("T-MIB::c0",))
    texts = {entry.name: entry.description for entry in (*module.scalars, *table.columns)}
    assert all(texts[other] == TEXT for other in NAMES if other != name)


def test_a_flawed_default_costs_no_object() -> None:
    text = document().replace("<description>", '<default>"slot<n> & <m>"</default>\n<description>')
    assert dump.parse(text).objects() == ALL


@pytest.mark.parametrize("row", ["", '      <row name="uEntry" oid="1.3.6.1.4.1.9.98.1">\n'])
def test_a_table_that_does_not_end(row: str) -> None:
    """smidump does not end a table, or its row, without columns."""
    table = f'    <table name="uTable" oid="1.3.6.1.4.1.9.98">\n{row}'
    module = dump.parse(document().replace("    <table ", f"{table}    <table ", 1))
    assert module.objects() == ALL


@given(st.sampled_from(NAMES), st.text("<>&/\"'abc descriptionunits=!?-\n", max_size=40))
def test_any_text_costs_no_other_object(name: str, text: str) -> None:
    module = dump.parse(document(name, text.replace("\n", "\n              ")))
    assert module.objects() | {name} == ALL


def test_an_object_without_an_oid_costs_no_other() -> None:
    module = dump.parse(document().replace('oid="1.3.6.1.4.1.9.7"', 'oid=""'))
    assert module.objects() == ALL - {"s7"}


def test_what_is_no_dump() -> None:
    for text in ("", "<smi>", "no module here", '<!DOCTYPE a [<!ENTITY b "c">]><smi/>'):
        with pytest.raises(dump.XmlError):
            dump.parse(text)
