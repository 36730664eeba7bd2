# SPDX-License-Identifier: BSD-3-Clause
"""docs/design.md, "Where a change begins": a verb is one module, a backend is one too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.paths import EP
from tests.support.planted import Tree, planted

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


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """The packages with these files more, and nothing else changed."""
    return planted(tmp_path_factory.mktemp("added"), added=ADDED)


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
