# SPDX-License-Identifier: BSD-3-Clause
"""docs/design.md, "Where to start a change": a verb and a backend are one module each, a type is a
row in each of three files, a kind that observes is in seven files."""

from pathlib import Path

import pytest

from tests.support.capabilities import needs
from tests.support.paths import EP
from tests.support.planted import Edit, Tree, planted
from tests.support.process import succeed

SPDX = "SPDX-License-Identifier: BSD-3-Clause"
ADDED = {
    "generator/commands/count.py": f'''# {SPDX}
"""The verb `count`."""

import click

from . import options


@options.verb(options.SCHEMAS, 9)
@options.schema_argument
def count(schema: str) -> None:
    """Count the items of a schema."""
    module = options.checked_schema(schema, None).module
    click.echo(sum(len(scope.items) for scope in module.scopes))
''',
    "generator/backends/names.py": f'''# {SPDX}
"""The name of every item."""

from ..output.render import render
from . import BuiltIn, in_short


def generate(module, options):
    return {{f"{{module.name}}.names": render("names/all.j2", module=module, options=options)}}


BACKEND = BuiltIn("names", in_short(__doc__), generate, default=False)
''',
    "templates/names/all.j2": f"""{{# {SPDX} #}}
{{% for scope in module.scopes %}}
{{% for item in scope.items %}}
{{{{ scope.name }}}}.{{{{ item.name }}}}
{{% endfor %}}
{{% endfor %}}
""",
}

ROWS = [
    Edit(
        "generator/model/types.py",
        '    Type(\n        "string",',
        '    Type("eui64", "uint8_t", 64, 8, constant="EUI64", smi="OCTET STRING (SIZE (8))",\n'
        '         metric="info", wide=True),\n    Type(\n        "string",',
    ),
    Edit("generator/model/types.py", 'string timestamp"', 'string timestamp eui64"'),
    Edit("runtime/include/ctr_module.h", "\tCTR_TIMESTAMP ", "\tCTR_TIMESTAMP, "),
    Edit("runtime/include/ctr_module.h", "0: never */\n};", "0: never */\n\tCTR_EUI64\n};"),
    Edit(
        "runtime/include/ctr_type.h",
        "\t\t{ NULL,",
        '\t\t{ "eui64", 8, CTR_KEY_MAC, false },\n\t\t{ NULL,',
    ),
]
LATEST = {
    "runtime/include/ctr_latest.h": f"""/* {SPDX} */
/** @file The last observed value. */
#ifndef CTR_LATEST_H
#define CTR_LATEST_H

#include "ctr_word.h"

/** Observe @p value. */
static inline void
ctr_latest_last(uint64_t *word, uint64_t value)
{{
	ctr_store64(word, value);
}}

#endif
""",
}
LATEST_ROWS = [
    Edit(
        "generator/model/kinds.py",
        '    STATE = "state", {',
        '    LATEST = "latest", {"plural": "latests", "example": "x: {unit: us, description: X}",\n'
        '        "updates": (OBSERVE,), "accessors": (OBSERVE, "get"), "word": 8,\n'
        '        "keeps": ("last", "last"), "smi": {"uint64": ("CounterBasedGauge64",)}}\n'
        '    STATE = "state", {',
    ),
    Edit(
        "generator/model/language/items.py",
        "BucketBound = ",
        'class Latest(Item):\n    """The value that was observed last."""\n\n'
        '    unit: str\n    """Unit."""\n    description: str = Field(description="Text.")\n'
        '    width: Literal[32, 64] = Field(default=64, description="Bits.")\n\n\n'
        "BucketBound = ",
    ),
    Edit(
        "generator/model/language/items.py",
        "    states: ByName[State]",
        '    latests: ByName[Latest] = mapping("Latests.")\n    states: ByName[State]',
    ),
    Edit("runtime/include/ctr.h", '#include "ctr_list.h"', '#include "ctr_latest.h"'),
    Edit(
        "runtime/include/ctr_bpf.h",
        "/* ---- peaks: as in",
        "static __always_inline bool\nctr_latest_last(uint64_t *word, uint64_t value)\n"
        "{\n\t*word = value;\n\treturn true;\n}\n\n/* ---- peaks: as in",
    ),
    Edit("runtime/include/ctr_table.h", "CTR_FORM_CELL  ", "CTR_FORM_LAST, CTR_FORM_CELL"),
    Edit(
        "runtime/src/core/values.c",
        "\tcase CTR_FORM_HIGHEST:",
        "\tcase CTR_FORM_LAST:\n"
        "\t\treturn restart ? ctr_exchange64(word) : ctr_load64(word);\n\tcase CTR_FORM_HIGHEST:",
    ),
]
LATEST_SCHEMA = """\
ctrgen: 1
module: late
scopes:
  flow:
    max: 4
    latests: {delay: {unit: us, description: Delay of the last packet.}}
updates:
  packet: {args: {us: uint32}, observe: {flow.delay: us}}
"""
LATEST_PROGRAM = """\
#include <stdio.h>
#include "late_stats.h"

int
main(void)
{
	struct late_stats_flow last;

	if (late_stats_init() != 0)
		return 1;
	late_stats_update_packet(3, 9);
	late_stats_update_packet(3, 7);
	if (late_stats_flow_reset(3, &last) != 0)
		return 1;
	printf("%d %d\\n", (int)last.delay, (int)late_stats_flow_get_delay(3));
	return 0;
}
"""
SCHEMA = """\
ctrgen: 1
module: eui
scopes:
  global:
    states: {device: {type: eui64, description: Device.}}
"""
PROGRAM = """\
#include <stdio.h>
#include "eui_stats.h"
#include "ctr_values.h"

int
main(void)
{
	const uint8_t device[8] = { 0, 1, 2, 3, 4, 5, 6, 255 };
	struct eui_stats_global values;
	char text[CTR_ITEM_TEXT];

	if (eui_stats_init() != 0 || eui_stats_set_device(device) != 0)
		return 1;
	if (eui_stats_global_read(&values) != 0)
		return 1;
	ctr_item_text(&eui_stats_module.scopes[0].items[0], &values, text);
	puts(text);
	return 0;
}
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The packages with these files and rows more, and nothing else changed."""
    return planted(tmp_path_factory.mktemp("added"), ROWS, ADDED)


def test_a_verb_is_one_module(tree: Tree) -> None:
    schemas = tree.succeed("--help").partition("Schemas:")[2].partition("\n\n")[0]
    assert " ".join(schemas.splitlines()[-1].split()) == "count Count the items of a schema."
    assert tree.succeed("count", EP) == "6\n"


def test_a_backend_is_one_module_and_its_templates(tree: Tree, tmp_path: Path) -> None:
    listed = " ".join(tree.succeed("backends").split())
    assert " names the name of every item (only with --only) " in listed
    tree.succeed("build", EP, "--only", "names", "-o", tmp_path)
    names = (tmp_path / "ep.names").read_text("utf-8").split()
    assert len(names) == 6 and {"global.total_pkts", "session.pkts"} <= {*names}


@needs("cc")
def test_a_type_is_a_row_in_three_files(tree: Tree, tmp_path: Path) -> None:
    assert len({edit.path for edit in ROWS}) == 3
    assert built(tree, tmp_path, "eui", SCHEMA, PROGRAM) == "00:01:02:03:04:05:06:ff\n"


@needs("cc")
def test_a_kind_that_observes_is_in_seven_files(tmp_path: Path) -> None:
    tree = planted(tmp_path / "latest", LATEST_ROWS, LATEST)
    assert len({edit.path for edit in LATEST_ROWS} | LATEST.keys()) == 7
    assert built(tree, tmp_path, "late", LATEST_SCHEMA, LATEST_PROGRAM) == "7 0\n"
    others = "xdp,docs,prometheus,snmp_exporter,librenms"
    tree.succeed("build", tmp_path / "late.yaml", "-o", tmp_path / "all", "--only", others)


def built(tree: Tree, folder: Path, name: str, schema: str, program: str) -> str:
    """The output of a program that uses a schema."""
    (folder / f"{name}.yaml").write_text(schema)
    (folder / "main.c").write_text(program)
    everything = [word for each in ("c", "mib", "agentx") for word in ("--only", each)]
    tree.succeed("build", folder / f"{name}.yaml", "-o", folder, *everything)
    flags = tree.succeed("runtime", "--cflags", "--sources", "--libs").split()
    files = (folder / "main.c", folder / f"{name}_stats.c", f"-I{folder}")
    succeed("cc", "-std=gnu11", "-O0", "-Wall", "-Werror", *files, *flags, "-o", folder / "main")
    return succeed(folder / "main")
