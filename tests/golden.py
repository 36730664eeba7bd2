# SPDX-License-Identifier: BSD-3-Clause
"""Makes everything again that is generated and checked in: `./dev golden`.

That is generated/, the lock files of the examples, the expected output of every
diagnostic, the JSON Schema of the schema language, the tables and drawings of docs/. What
changes shows in `git diff`.
"""

import sys
import tempfile
from pathlib import Path

from ctrgen.findings.printers import print_findings
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.pipeline.build import BuildRequest, BuildResult, build
from tests.compat import cases as breaking
from tests.diagnostics import cases
from tests.pages import drawing, schemadoc
from tests.pages.jsonschema import json_schema_text
from tests.plan import example
from tests.support.paths import DOCS, EP, GENERATED, SCHEMAS
from tests.support.strategies import STRATEGIES, USUAL

WHOLE = USUAL
"""The strategy of which generated/ has every file."""

JSON_SCHEMA = SCHEMAS / "ctrgen.schema.json"


def reference(strategy: str, mode: str = "write") -> BuildResult:
    """Build (or compare) one folder of generated/: everything under the schema's own strategy, the
    C alone under the others, whose other files are the same."""
    folder, only = GENERATED / strategy, () if strategy == WHOLE else ("c",)
    return build(
        BuildRequest(str(EP), str(folder), sync=strategy, only=only, mode=mode, force=True)
    )


def lock(schema: Path) -> BuildResult:
    """Bring the lock file of an example up to date."""
    with tempfile.TemporaryDirectory() as scratch:
        return build(BuildRequest(str(schema), scratch, only=("mib",)))


def extra_folders() -> list[str]:
    """Folders of generated/ that belong to no strategy."""
    found = sorted(path.name for path in GENERATED.iterdir() if path.is_dir())
    return [name for name in found if name not in STRATEGIES]


def main() -> int:
    """Make it all again; the exit code."""
    worst = 0
    for strategy in STRATEGIES:
        result = reference(strategy)
        errors = print_findings(result.diagnostics) if result.exit_code else ""
        print(errors or result.text, end="")
        worst = max(worst, result.exit_code)
    for name in extra_folders():
        print(f"{GENERATED / name}: no strategy of that name, remove the folder")
        worst = 1

    for schema in sorted(SCHEMAS.glob("*.yaml")):
        worst = max(worst, lock(schema).exit_code)
    JSON_SCHEMA.write_text(json_schema_text(), encoding="utf-8")
    for name, strategy in all_strategies().items():
        (DOCS / "drawings" / f"{name}.svg").write_text(drawing.svg(strategy), encoding="utf-8")
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        page.write_text(schemadoc.refresh(text), encoding="utf-8")
    with tempfile.TemporaryDirectory() as scratch:
        cases.update(Path(scratch))
    breaking.update()
    example.update()
    return worst


if __name__ == "__main__":
    sys.exit(main())
