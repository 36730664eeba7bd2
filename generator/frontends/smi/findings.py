# SPDX-License-Identifier: BSD-3-Clause
"""What can be found wrong with an SMI module that is imported."""

from __future__ import annotations

from ...findings.diagnostics import Severity, declare

declare("import-tools", Severity.ERROR, "Reading SMI takes smidump or the Python package pysmi.")
declare("import-unreadable", Severity.ERROR, "An SMI module can be read by smidump or by pysmi.")
declare(
    "import-missing-module", Severity.ERROR, "The modules that an SMI module builds on are there."
)
declare(
    "import-missing-import", Severity.WARNING, "A module that another one imports from is there."
)
declare(
    "import-several-modules", Severity.WARNING, "An SMI file holds one module, and each one once."
)
declare(
    "import-ambiguous-module", Severity.WARNING, "A module that is imported is in one file only."
)
declare(
    "import-cycle", Severity.ERROR, "Definitions of an SMI module are not made from each other."
)
declare("import-syntax", Severity.WARNING, "An SMI module keeps to the syntax of SMI.")
declare("import-lost-object", Severity.WARNING, "Every object of an SMI module is imported.")
declare("import-duplicate", Severity.WARNING, "An SMI module defines each name once.")
declare(
    "import-inexact", Severity.NOTE, "What is imported can hold all that the object in SMI can."
)
declare("import-cut-text", Severity.NOTE, "Descriptions that are imported fit into a schema.")
declare("import-large-number", Severity.WARNING, "Labels of an imported enumeration fit 32 bits.")
declare("import-not-imported", Severity.NOTE, "What a schema cannot say is not imported.")
declare("import-annotation", Severity.ERROR, "What a comment says to ctrgen is `KEY = VALUE`.")
declare("import-unknown", Severity.ERROR, "What an overlay imports is an SMI module.")
declare("import-no-objects", Severity.ERROR, "A module that is imported has objects.")
