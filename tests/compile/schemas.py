# SPDX-License-Identifier: BSD-3-Clause
"""Schemas of unusual shape: parts that others have are missing, or alone."""

COUNTER = "pkts: {unit: packets, description: Packets.}"
GAUGE = "depth: {unit: packets, description: Packets waiting.}"
PEAK = "top: {unit: By, description: Largest packet.}"
STATE = "up: {type: bool, description: A truth.}"
TEXT = "name: {type: string, length: 7, description: A text.}"
HEAD = "ctrgen: 1\nmodule: odd\ndescription: Odd.\n"

_TAKEN = f"""    counters: {{{COUNTER}}}
    limits: {{quota: {{of: pkts, description: What is left.}}}}
updates:
  work: {{add: """
QUOTAS = {
    "quota": f"scopes:\n  global:\n{_TAKEN}{{global.pkts: 1}}}}\n",
    "quota-labelled": f"scopes:\n  side:\n    labels: [a, b]\n{_TAKEN}{{'side.pkts[a]': 1}}}}\n",
}
"""Updates without arguments that a quota may refuse."""

ODD = {
    "states-only": f"scopes:\n  global:\n    states: {{{STATE}, {TEXT}}}\n",
    "gauges-only": f"scopes:\n  flow:\n    max: 3\n    gauges: {{{GAUGE}}}\n"
    "updates:\n  work: {add: {flow.depth: 1}}\n",
    "no-updates": f"scopes:\n  flow:\n    max: 3\n    counters: {{{COUNTER}}}\n",
    "no-reset": f"reset: false\nscopes:\n  flow:\n    max: 3\n    counters: {{{COUNTER}}}\n"
    "  peer:\n    max: 5\n    storage: dynamic\n"
    f"    counters: {{{COUNTER}}}\n    states: {{{TEXT}}}\n"
    "updates:\n  work: {add: {flow.pkts: 1, peer.pkts: 2}}\n",
    "one-instance": f"scopes:\n  flow:\n    max: 1\n    counters: {{{COUNTER}}}\n"
    "updates:\n  work: {add: {flow.pkts: 1}}\n",
    "no-arguments": f"scopes:\n  global:\n    counters: {{{COUNTER}}}\n    states: {{{STATE}}}\n"
    "updates:\n  work: {add: {global.pkts: 1}, set: {global.up: true}}\n",
    "observed": f"scopes:\n  global:\n    counters: {{{COUNTER}}}\n    peaks: {{{PEAK}}}\n"
    "updates:\n  work: {args: {size: uint8}, add: {global.pkts: 1}, observe: {global.top: size}}\n",
    "unsized": f"scopes:\n  global:\n    counters: {{{COUNTER}}}\n"
    f"  flow:\n    max: 3\n    storage: dynamic\n    counters: {{{COUNTER}}}\n"
    "updates:\n  work: {args: {size: uint8}, add: {global.pkts: size, flow.pkts: 1}}\n",
    "dynamic-bare": "scopes:\n  flow:\n    max: 4294967295\n    storage: dynamic\n"
    f"    counters: {{{COUNTER}}}\n",
    "dynamic-states": "scopes:\n  flow:\n    max: 9\n    storage: dynamic\n"
    f"    states: {{{STATE}, {TEXT}}}\n",
    "signed-argument": "scopes:\n  global:\n    states:\n"
    "      celsius: {type: int32, description: A temperature.}\n"
    "updates:\n  work: {args: {at: int32}, set: {global.celsius: at}}\n",
}
"""By name; the strategy of the module is chosen by the test."""

EMBEDDED = {
    "embedded-only": f"scopes:\n  flow:\n    storage: embedded\n    counters: {{{COUNTER}}}\n"
    f"    gauges: {{{GAUGE}}}\n    states: {{{TEXT}}}\n"
    "updates:\n  work: {args: {size: uint8}, add: {flow.pkts: size}}\n"
}
"""For strategies that can embed."""

_MANY = ", ".join(f"c{i}: {{unit: packets, description: Packets.}}" for i in range(32))
LARGE = {
    "large": f"scopes:\n  flow:\n    max: 16777216\n    counters: {{{_MANY}}}\n"
    f"  side:\n    max: 3\n    counters: {{{COUNTER}}}\n"
    "updates:\n  work: {add: {flow.c0: 1, side.pkts: 1}}\n",
}
"""The counts of a scope, and what comes behind them, are beyond 4 GiB."""
