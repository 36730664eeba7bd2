# SPDX-License-Identifier: BSD-3-Clause
"""A key that a model gains is judged like all others, with no other code touched."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.frontends import load
from ctrgen.frontends.resolve.validate import Part, validate
from ctrgen.model.language import schema
from ctrgen.model.language.base import Expected, Model, mapping, optional


class Rate(Model):
    """A kind of item that the language does not have."""

    unit: str = Field(description="What is counted.")
    description: str = Field(description="One sentence on it.")
    per: Literal["second", "minute"] = Field(default="second", description="The time it is for.")
    window: Annotated[str, Field(pattern="^[0-9]+ms$"), Expected(example="10ms")] = Field(
        description="How long it is measured."
    )


class ScopeWithRates(schema.Scope):
    """A scope with a new kind of item, a new number and a new list."""

    rates: dict[str, Rate] = mapping("Rates by name.")
    burst: Annotated[int, Field(ge=2)] | None = optional("Most at once.")
    peers: list[str] = Field(default_factory=list, description="Who else counts.")


class SchemaWithRates(schema.Schema):
    """A schema with such scopes."""

    scopes: dict[str, ScopeWithRates] = mapping("Scopes by name.")


SCHEMA = """\
ctrgen: 1
module: ep
scopes:
  global:
    burst: 1
    peers: [a, 5]
    rates:
      pps: {unit: packets, description: Rate., window: 5ms}
      bps: {unit: bytes, description: Rate., window: 5, per: minutes}
      drops: {unit: packets, window: 5s, perr: second}
      errors: many
"""

FINDINGS = """\
s.yaml:5:12: error[out-of-range]: 'burst' must be at least 2, not 1
    burst: 1
           ^
s.yaml:6:16: error[wrong-type]: entry 2 of 'peers' must be text, not 5
    peers: [a, 5]
               ^
hint: put it in quotes: "5"
s.yaml:9:54: error[wrong-type]: 'window' must be text, not 5
      bps: {unit: bytes, description: Rate., window: 5, per: minutes}
                                                     ^
hint: put it in quotes: "5"
s.yaml:9:62: error[wrong-value]: 'per' cannot be 'minutes'
      bps: {unit: bytes, description: Rate., window: 5, per: minutes}
                                                             ^^^^^^^
hint: did you mean 'minute'?
s.yaml:10:7: error[missing-description]: rate 'drops' has no 'description'
      drops: {unit: packets, window: 5s, perr: second}
      ^^^^^
hint: add `description:` with one sentence for the operator who reads it
s.yaml:10:38: error[wrong-value]: 'window' cannot be '5s'
      drops: {unit: packets, window: 5s, perr: second}
                                     ^^
hint: write it like `10ms`
s.yaml:10:42: error[unknown-key]: rate 'drops' has no key 'perr'
      drops: {unit: packets, window: 5s, perr: second}
                                         ^^^^
hint: did you mean 'per'?
s.yaml:11:15: error[wrong-type]: rate 'errors' must be a mapping, not 'many'
      errors: many
              ^^^^
"""


def _validated(text: str, folder: Path) -> tuple[Part | None, str]:
    path = folder / "s.yaml"
    path.write_text(text, "utf-8")
    diagnostics = Diagnostics()
    (raw,) = load(str(path), diagnostics)
    part = validate(raw, SchemaWithRates, diagnostics)
    return part, print_findings(diagnostics).replace(f"{path}", "s.yaml")


def test_findings_about_new_keys(tmp_path: Path) -> None:
    assert _validated(SCHEMA, tmp_path)[1] == FINDINGS


def test_what_was_wrong_is_repaired(tmp_path: Path) -> None:
    part, _ = _validated(SCHEMA, tmp_path)
    assert part is not None
    scope = part.model.scopes["global"]
    assert isinstance(scope, ScopeWithRates)
    assert scope.burst is None and scope.peers == ["a", "x"]
    assert scope.rates["pps"].window == "5ms"
    assert scope.rates["bps"] == Rate(unit="bytes", description="Rate.", window="10ms")
    assert scope.rates["errors"] == Rate(unit="x", description="x", window="10ms")
    rates = ("scopes", "global", "rates")
    assert (*rates, "drops", "perr") in part.broken and (*rates, "pps") not in part.broken
