# SPDX-License-Identifier: BSD-3-Clause
"""References, texts of rows, groups, ranges and parents come back from a module."""

from pathlib import Path

from ctrgen.pipeline import importing
from tests.frontends.smi import roundtrip
from tests.frontends.smi.test_accepted import table
from tests.frontends.smi.test_dirty import module, thing
from tests.mib.test_doctor import ACME
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]


def referring(text: str, reference: str) -> str:
    """A text of a definition, and what follows it."""
    return f'{text}"\n    REFERENCE "{reference}'


SHARE = """\
TShare ::= TEXTUAL-CONVENTION STATUS current DESCRIPTION "A share."
    REFERENCE "RFC 1" SYNTAX Integer32 (0..100)
"""
LOAD = thing("tLoad", 1, "Gauge32 (0..100)", referring("Load.", "RFC 2, section 3"))
ROWS = (
    table("tFoo", 2, "tIndex", "tShare", "tLevel")
    .replace('DESCRIPTION "t" ::=', 'DESCRIPTION "A table."\n    REFERENCE "RFC 3" ::=')
    .replace(
        'DESCRIPTION "t" INDEX',
        'DESCRIPTION "A row. It is created by an event, and deleted by another one." INDEX',
    )
    .replace("A count.", referring("The index.", "RFC 4"), 1)
    .replace("tShare Counter32", "tShare TShare")
    .replace("SYNTAX Counter32", "SYNTAX TShare", 1)
    .replace("SYNTAX Counter32", "SYNTAX Integer32 (-5..5)")
)
FOREIGN = module(SHARE + LOAD + ROWS, more=" Gauge32 FROM SNMPv2-SMI acmeStats FROM ACME-SMI")
FOREIGN = FOREIGN.replace("enterprises 32473 99", "acmeStats 7")


def test_what_another_module_says_is_given_back(tmp_path: Path) -> None:
    (tmp_path / "ACME-SMI.txt").write_text(ACME, "ascii")
    (tmp_path / "T-MIB.txt").write_text(FOREIGN, "ascii")
    base = smi_modules.base_path()
    text, diagnostics = importing.run(str(tmp_path / "T-MIB.txt"), base)
    assert text is not None, diagnostics.findings
    (tmp_path / "t.yaml").write_text(text, "utf-8")
    words = " ".join(roundtrip.build(tmp_path / "t.yaml").text.split())
    for said in (
        "::= { acmeStats 7 }",
        'DESCRIPTION "A share." REFERENCE "RFC 1" SYNTAX',
        'DESCRIPTION "Load." REFERENCE "RFC 2, section 3" ::=',
        'DESCRIPTION "A table." REFERENCE "RFC 3" ::=',
        'DESCRIPTION "A row. It is created by an event, and deleted by another one." INDEX',
        'DESCRIPTION "The index." REFERENCE "RFC 4" ::=',
        "SYNTAX Integer32 (-5..5)",
    ):
        assert said in words, said
