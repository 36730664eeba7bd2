# SPDX-License-Identifier: BSD-3-Clause
"""Wrong schemas that people write who know other tools' YAML, and what must be said of each.

Every one is a small schema that would be right but for one mistake: a habit from Prometheus,
OpenAPI, Kubernetes, P4, collectd, Ansible, JSON, C. `says` are the words that tell what to do; they
are in the message or the hint of the only error.
"""

from __future__ import annotations

from typing import NamedTuple

HEAD = "ctrgen: 1\nmodule: gw\n"
ITEM = "{unit: packets, description: Packets.}"
PKTS = f"      pkts: {ITEM}\n"
ERRS = "      errs: {unit: packets, description: Broken packets.}\n"
COUNTERS = f"    counters:\n{PKTS}{ERRS}"
SCOPES = f"scopes:\n  global:\n{COUNTERS}"
PORT = f"  port:\n    max: 4\n    counters:\n{PKTS}"
UPDATE = "updates:\n  packet:\n    args: {size: uint16}\n    add:\n      global.pkts: 1\n"
UPDATE += "      port.pkts: size\n"
GOOD = HEAD + SCOPES + PORT + UPDATE
"""What is right, and what the mistakes are made in."""


class Wrong(NamedTuple):
    """A habit of `tool`; `old` in the right schema is `new` instead. `says` is what to do."""

    tool: str
    mistake: str
    old: str
    new: str
    rule: str
    says: str

    @property
    def text(self) -> str:
        """The wrong schema."""
        assert self.old in GOOD, self.mistake
        return GOOD.replace(self.old, self.new, 1)


def _item(text: str) -> str:
    return f"      pkts: {text}\n"


TABLE = [
    # Prometheus: rules, exporters
    Wrong("Prometheus", "help", PKTS, _item("{unit: packets, help: Packets.}"),
          "unknown-key", "description"),
    Wrong("Prometheus", "type of a metric", PKTS,
          _item("{type: counter, unit: packets, description: P.}"), "unknown-key", "counters:"),
    Wrong("Prometheus", "list of metrics", COUNTERS,
          "    counters:\n      - name: pkts\n        help: Packets.\n", "wrong-type",
          "pkts: {unit: packets"),
    Wrong("Prometheus", "groups", "scopes:\n  global:\n",
          "groups:\n  - name: global\nscopes:\n  global:\n", "unknown-key", "scopes"),
    Wrong("Prometheus", "metrics at the top", "scopes:\n",
          f"metrics:\n  drops: {ITEM}\nscopes:\n", "unknown-key", "scopes"),
    Wrong("Prometheus", "a colon in a name", "errs: {unit", "job:pkts: {unit",
          "invalid-name", "letters"),
    Wrong("Prometheus", "a histogram", COUNTERS,
          COUNTERS.replace("counters", "counter"), "unknown-key",
          "counters"),
    Wrong("Prometheus", "a dot in a name", "errs: {unit", "rx.pkts: {unit",
          "invalid-name", "rx_pkts"),
    # OpenAPI, JSON Schema
    Wrong("OpenAPI", "a string type", "{size: uint16}", "{size: {type: integer}}",
          "wrong-value", "uint8"),
    Wrong("OpenAPI", "integer", "{size: uint16}", "{size: integer}", "wrong-value", "uint8"),
    Wrong("OpenAPI", "int32 width", PKTS,
          _item("{unit: packets, description: P., format: int64}"), "unknown-key", "width"),
    Wrong("OpenAPI", "properties", "    counters:\n", "    properties:\n", "unknown-key",
          "counters"),
    Wrong("OpenAPI", "components", "scopes:\n", "components: {}\nscopes:\n", "unknown-key",
          "scopes"),
    Wrong("OpenAPI", "a reference", PKTS, _item("{$ref: '#/pkts'}"), "unknown-key", "unit"),
    Wrong("OpenAPI", "maximum", "    max: 4\n", "    maximum: 4\n", "unknown-key", "max"),
    Wrong("OpenAPI", "a version as text", "ctrgen: 1\n", "ctrgen: 1.0.0\n", "language-version",
          "ctrgen: 1"),
    Wrong("OpenAPI", "parameters", "    args: {size: uint16}\n",
          "    parameters: {size: uint16}\n", "unknown-key", "args"),
    # Kubernetes, Helm, Compose
    Wrong("Kubernetes", "apiVersion", "ctrgen: 1\n", "apiVersion: 1\n", "unknown-key", "ctrgen:"),
    Wrong("Kubernetes", "kind", "module: gw\n", "module: gw\nkind: Module\n", "unknown-key",
          "module"),
    Wrong("Kubernetes", "metadata", "module: gw\n", "metadata: {name: gw}\n", "unknown-key",
          "module:"),
    Wrong("Kubernetes", "two documents", UPDATE, f"---\n{UPDATE}", "yaml-documents", "include"),
    Wrong("Kubernetes", "a list of scopes", SCOPES + PORT,
          "scopes:\n  - name: global\n    counters: {}\n", "wrong-type", "port: {"),
    Wrong("Kubernetes", "a hyphen in a name", "errs: {unit", "rx-pkts: {unit", "invalid-name",
          "rx_pkts"),
    Wrong("Kubernetes", "replicas", "    max: 4\n", "    replicas: 4\n", "unknown-key", "max"),
    Wrong("Kubernetes", "memory", "module: gw\n", "module: gw\nrequires: {memory: 16Mi}\n",
          "wrong-value", "64MiB"),
    Wrong("Helm", "a template", "    max: 4\n", "    max: {{ .Values.ports }}\n", "yaml-key",
          "quote"),
    Wrong("Compose", "an environment variable", "    max: 4\n", "    max: ${PORTS}\n", "wrong-type",
          "digits"),
    Wrong("Compose", "a merge key", "  port:\n", "  port:\n    <<: *common\n", "yaml-merge-key",
          "write the keys out"),
    Wrong("Compose", "extends", "  port:\n", "  port:\n    extends: global\n", "unknown-key",
          "parent"),
    # P4, collectd, Ansible
    Wrong("P4", "bit<16>", "{size: uint16}", "{size: bit<16>}", "wrong-value", "uint16"),
    Wrong("P4", "an indexed scope", PORT, PORT + PORT.replace("port", "card[4]"), "invalid-name",
          "letters"),
    Wrong("C", "uint16_t", "{size: uint16}", "{size: uint16_t}", "wrong-value", "uint16"),
    Wrong("C", "an increment", "      global.pkts: 1\n", "      global.pkts: ++\n",
          "unknown-argument", "a number or a parameter"),
    Wrong("C", "a product", "      global.pkts: 1\n", "      global.pkts: size * 8\n",
          "unknown-argument", "a number or a parameter"),
    Wrong("C", "a product as a size", "    max: 4\n", "    max: 4 * 1024\n", "wrong-type",
          "digits"),
    Wrong("collectd", "types.db", PKTS, _item("value:COUNTER:0:U"), "wrong-type",
          "pkts: {unit: packets"),
    Wrong("Ansible", "yes", "module: gw\n", "module: gw\nreset: yes\n", "wrong-value",
          "true, false"),
    Wrong("Ansible", "a list of updates", UPDATE[UPDATE.index("      g") :],
          "      - global.pkts\n      - port.pkts\n", "wrong-type", "global.pkts: 1"),
    # the command line of ctrgen, and other languages
    Wrong("ctrgen", "sync as on the command line", "module: gw\n",
          "module: gw\nsync: shared_lock:lock=mcs\n", "unknown-strategy",
          "sync: {strategy: shared_lock, lock: mcs}"),
    Wrong("ctrgen", "sync with a mapping in it", "module: gw\n",
          "module: gw\nsync: {shared_lock: {lock: mcs}}\n", "missing-key",
          "sync: {strategy: shared_lock, lock: mcs}"),
    Wrong("YAML", "an unquoted colon", PKTS, _item("{unit: packets, description: Packets: all.}"),
          "yaml-syntax", "quote the text"),
    Wrong("YAML", "an unquoted colon in a line", PKTS,
          "      pkts:\n        unit: packets\n        description: Packets: all of them.\n",
          "yaml-syntax", "quote the text"),
    Wrong("YAML", "an unquoted percent", "{unit: packets", "{unit: %", "yaml-syntax", "quote"),
    Wrong("YAML", "an unquoted bracket", PKTS,
          _item("{unit: packets, description: [all] packets.}"),
          "yaml-syntax", "quote the text"),
    Wrong("YAML", "an unquoted comma", PKTS,
          _item("{unit: packets, description: Packets, all of them.}"), "unknown-key",
          "quote the text"),
    Wrong("YAML", "no space behind a colon", "    max: 4\n", "    max:4\n", "yaml-syntax", "space"),
    Wrong("YAML", "a counter that is a word", PKTS, "      pkts: packets\n", "wrong-type",
          "pkts: {unit: packets"),
    Wrong("YAML", "a counter of nothing", PKTS, "      pkts:\n", "wrong-type",
          "pkts: {unit: packets"),
    Wrong("YAML", "a scope that is a number", PORT, "  port: 4\n", "wrong-type", "max: 4"),
    Wrong("YAML", "counters as text", COUNTERS, "    counters: pkts\n",
          "wrong-type", "pkts: {unit: packets"),
    Wrong("YAML", "names in another script", "errs: {unit", "пакеты: {unit", "invalid-name",
          "letters"),
    Wrong("YAML", "an accent", "errs: {unit", "paquets_reçus: {unit", "invalid-name", "letters"),
    Wrong("YAML", "an empty parent", PORT,
          f"  card:\n    max: 2\n    sync: per_core\n{PORT}".replace(
              "    max: 4", "    parent: card\n    max: 4"),
          "index-scope", "remove `sync`"),
    Wrong("YAML", "a number for a name", "errs: {unit", "5xx: {unit", "invalid-name", "letter"),
    Wrong("YAML", "a description that is a number", PKTS, _item("{unit: packets, description: 5}"),
          "wrong-type", "quotes"),
    Wrong("YAML", "unit of a number", PKTS, _item("{unit: 1, description: P.}"), "wrong-type",
          '"1"'),
    Wrong("YAML", "an indent of tabs", "    max: 4\n", "\tmax: 4\n", "yaml-syntax", "spaces"),
    Wrong("YAML", "a list of counters", COUNTERS, "    counters: [pkts]\n",
          "wrong-type", "pkts: {unit: packets"),
    Wrong("YAML", "a typo", "counters:", "couters:", "unknown-key", "counters"),
    Wrong("YAML", "the scope below itself", "  port:\n    max: 4\n", "  port:\n  max: 4\n",
          "yaml-syntax", "indent"),
]  # fmt: skip
"""The mistakes."""
