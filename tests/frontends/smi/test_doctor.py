# SPDX-License-Identifier: BSD-3-Clause
"""References, texts of rows, groups, ranges and parents come back from a module."""

from pathlib import Path

from ctrgen.pipeline import importing
from tests.frontends.smi import roundtrip
from tests.mib.test_doctor import ACME
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

FOREIGN = """\
FOREIGN-MIB DEFINITIONS ::= BEGIN

IMPORTS
    MODULE-IDENTITY, OBJECT-TYPE, Gauge32, Integer32
        FROM SNMPv2-SMI
    TEXTUAL-CONVENTION
        FROM SNMPv2-TC
    acmeStats
        FROM ACME-SMI;

foreignMIB MODULE-IDENTITY
    LAST-UPDATED "202601150000Z"
    ORGANIZATION "Acme"
    CONTACT-INFO "mibs@example.net"
    DESCRIPTION "Foreign."
    REVISION "202601150000Z"
    DESCRIPTION "First."
    ::= { acmeStats 7 }

ForeignShare ::= TEXTUAL-CONVENTION
    STATUS      current
    DESCRIPTION "A share."
    REFERENCE   "RFC 1"
    SYNTAX      Integer32 (0..100)

foreignLoad OBJECT-TYPE
    SYNTAX      Gauge32 (0..100)
    MAX-ACCESS  read-only
    STATUS      current
    DESCRIPTION "Load."
    REFERENCE   "RFC 2, section 3"
    ::= { foreignMIB 1 }

foreignTable OBJECT-TYPE
    SYNTAX      SEQUENCE OF ForeignEntry
    MAX-ACCESS  not-accessible
    STATUS      current
    DESCRIPTION "A table."
    REFERENCE   "RFC 3"
    ::= { foreignMIB 2 }

foreignEntry OBJECT-TYPE
    SYNTAX      ForeignEntry
    MAX-ACCESS  not-accessible
    STATUS      current
    DESCRIPTION "A row. It is created by an event, and deleted by another one."
    INDEX       { foreignIndex }
    ::= { foreignTable 1 }

ForeignEntry ::= SEQUENCE {
    foreignIndex  Integer32,
    foreignShare  ForeignShare,
    foreignLevel  Integer32
}

foreignIndex OBJECT-TYPE
    SYNTAX      Integer32 (1..10)
    MAX-ACCESS  not-accessible
    STATUS      current
    DESCRIPTION "The index."
    REFERENCE   "RFC 4"
    ::= { foreignEntry 1 }

foreignShare OBJECT-TYPE
    SYNTAX      ForeignShare
    MAX-ACCESS  read-only
    STATUS      current
    DESCRIPTION "A share."
    ::= { foreignEntry 2 }

foreignLevel OBJECT-TYPE
    SYNTAX      Integer32 (-5..5)
    MAX-ACCESS  read-only
    STATUS      current
    DESCRIPTION "A level."
    ::= { foreignEntry 3 }

END
"""


def test_what_another_module_says_is_given_back(tmp_path: Path) -> None:
    (tmp_path / "ACME-SMI.txt").write_text(ACME, "ascii")
    (tmp_path / "FOREIGN-MIB.txt").write_text(FOREIGN, "ascii")
    base = smi_modules.base_path()
    text, diagnostics = importing.run(str(tmp_path / "FOREIGN-MIB.txt"), base)
    assert text is not None, diagnostics.findings
    (tmp_path / "foreign.yaml").write_text(text, "utf-8")
    words = " ".join(roundtrip.build(tmp_path / "foreign.yaml").text.split())
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
