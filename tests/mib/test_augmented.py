# SPDX-License-Identifier: BSD-3-Clause
"""Scopes inside of one that augments a row: their index begins with that of the row."""

import pytest

from ctrgen.backends import Options, agentx
from ctrgen.pipeline.check import check
from ctrgen.publish.assign import assign
from tests.mib.repository import FIRST, Repository, rules
from tests.mib.test_parents import indexes
from tests.support import smi_tools
from tests.support.schemas import module_of

INNER = """\
  port:
    max: 8
    augments: ROW
    counters: {n: {unit: x, description: N.}}
  queue:
    parent: port
    max: 4
    counters: {n: {unit: x, description: N.}}
"""
SCHEMA = FIRST.replace("scopes:\n", f"scopes:\n{INNER}")
KNOWN = {
    "IF-MIB::ifEntry": "ifIndex",
    "ifEntry": "ifIndex",
    "IF-MIB::ifXEntry": "ifIndex",
    "entPhysicalEntry": "entPhysicalIndex",
    "BRIDGE-MIB::dot1dBasePortEntry": "dot1dBasePort",
    "hrDeviceEntry": "hrDeviceIndex",
    "epSessionEntry": "epSessionIndex",
    "EP-STATS-MIB::epSessionEntry": "epSessionIndex",
}
UNKNOWN = "GW-MIB::gwEntry"


@pytest.mark.parametrize("row", KNOWN)
def test_the_index_of_a_known_row_comes_first(repository: Repository, row: str) -> None:
    module = repository.build(SCHEMA.replace("ROW", row))
    assert f"{KNOWN[row]}, epQueueIndex" in indexes(module)


def test_tools_agree_with_it(repository: Repository) -> None:
    smi_tools.needs("smilint", modules=("IF-MIB",))
    repository.build(SCHEMA.replace("ROW", "ifEntry"))
    assert smi_tools.smilint(repository.modules[-1]) == ""


def test_that_of_an_unknown_row_is_asked_for(repository: Repository) -> None:
    text = SCHEMA.replace("ROW", UNKNOWN)
    result = repository.attempt(text)
    assert result.exit_code == 1 and rules(result) == ["smi-index"]
    (finding,) = check(str(repository.schema)).diagnostics.findings
    assert "'port' `index:`" in finding.hint and UNKNOWN in finding.message
    named = text.replace(
        f"augments: {UNKNOWN}\n", f"augments: {UNKNOWN}\n    index: GW-MIB::gwId\n"
    )
    assert indexes(repository.build(named))[0] == "gwId, epQueueIndex"


@pytest.mark.parametrize(("row", "mapped"), [("ifEntry", False), (UNKNOWN, True)])
def test_who_tells_the_agent_the_index(repository: Repository, row: str, mapped: bool) -> None:
    """The rows inside go by the rows around them: both are numbered, or neither is."""
    text = SCHEMA.replace("augments: ROW\n", f"augments: {row}\n    index: GW-MIB::gwId\n")
    assert _mapped(text) == {"port": mapped, "queue": mapped}


def _mapped(text: str) -> dict[str, bool]:
    module = module_of(text)
    options = Options("ep.yaml", "ctrgen build", "0", lock=assign(module, None).lock)
    source = agentx.generate(module, options)["ep_stats_agentx.c"]
    parts = source.split(".scope = ")[1:]
    found = {part.split("/* ")[1].split(" ")[0]: ".mapped = true" in part for part in parts}
    return {name: found[name] for name in ("port", "queue")}
