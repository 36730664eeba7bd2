# SPDX-License-Identifier: BSD-3-Clause
"""Wrong schemas as users of other tools write them, and what must be said of each.

Every one is a small schema that would be right but for one mistake: a habit from Prometheus,
OpenAPI, Kubernetes, P4, OpenTelemetry, YANG, Ansible, JSON, C. `says` are the words that say what
to do; they are in the message or the hint of the only error.
"""

import json
from typing import NamedTuple

import yaml

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
_DERIVED = "    derived:\n      all_pkts: {{{}, description: All.}}\n"


class Wrong(NamedTuple):
    """A habit of `tool`; `old` in the right schema is `new` instead. `says` is what to do.

    The finding begins where `at` first is in the wrong schema. After what the hint says `new` is
    `right`, if that can be done mechanically.
    """

    tool: str
    mistake: str
    old: str
    new: str
    rule: str
    says: str
    at: str = ""
    right: str = ""
    encoding: str = "utf-8"

    @property
    def text(self) -> str:
        """The wrong schema."""
        assert self.old in GOOD, self.mistake
        return GOOD.replace(self.old, self.new, 1)

    @property
    def repaired(self) -> str:
        """The schema after what the hint says."""
        return GOOD.replace(self.old, self.right, 1)

    @property
    def place(self) -> tuple[int, int]:
        """Line and column of the finding."""
        before = self.text[: self.text.index(self.at)]
        return before.count("\n") + 1, len(before) - before.rfind("\n")


def _item(text: str) -> str:
    return f"      pkts: {text}\n"


def _named(name: str, says: str, tool: str, mistake: str, right: str = "", rule: str = "") -> Wrong:
    """Another name for a counter."""
    right = f"      {right}: {{unit" if right else ""
    old, new = "      errs: {unit", f"      {name}: {{unit"
    return Wrong(tool, mistake, old, new, rule or "invalid-name", says, name, right)


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
    # P4Info, OpenTelemetry, YANG
    Wrong("P4Info", "text", GOOD, 'counters {\n  preamble {\n    id: 302055013\n  }\n}\n',
          "yaml-syntax", "looks like P4Info", "counters {"),
    Wrong("P4Info", "JSON", GOOD, '{"counters": [{"preamble": {"id": 1}, "size": "512"}]}',
          "unknown-key", "scopes: {global: {counters", '"counters"'),
    Wrong("P4", "labels of an indirect counter", PORT, PORT.replace(
          "max: 4", "max: 4\n    labels: [green, red]"), "labelled-shape", "parent: NAME",
          "max: 4", "  ports: {max: 4}\n" + PORT.replace(
          "max: 4", "parent: ports\n    labels: [green, red]")),
    Wrong("P4", "a counter by its index", "port.pkts: size", "port[0].pkts: size",
          "update-target", "write `port.pkts`", "port[0]", "port.pkts: size"),
    Wrong("OpenTelemetry", "a semantic convention", GOOD,
          "groups:\n  - id: metric.drops\n    instrument: counter\n", "unknown-key",
          "write `scopes:`", "groups"),
    Wrong("OpenTelemetry", "instrument", PKTS,
          _item("{instrument: counter, unit: packets, description: P.}"), "unknown-key",
          "remove it", "instrument", PKTS),
    Wrong("OpenTelemetry", "brief", PKTS, _item("{unit: packets, brief: Packets.}"),
          "unknown-key", "write `description:`", "brief", PKTS),
    Wrong("OpenTelemetry", "a unit without quotes", PKTS,
          _item("{unit: {packet}, description: P.}"), "wrong-type", '"{packet}"', "{packet}",
          _item('{unit: "{packet}", description: P.}')),
    _named("http.server.errs", "http_server_errs", "OpenTelemetry", "dots", "http_server_errs"),
    _named("in-octets", "in_octets", "YANG", "a hyphen", "in_octets"),
    Wrong("YANG", "the name of a module", "module: gw", "module: ietf-interfaces",
          "module-name", "ietf_interfaces", "ietf", "module: ietf_interfaces"),
    Wrong("YANG", "a module", GOOD, "module gw {\n  leaf in-octets { type counter64; }\n}\n",
          "not-a-mapping", "looks like YANG", "module gw"),
    Wrong("Prometheus", "an exposition", GOOD,
          '# TYPE gw_pkts_total counter\ngw_pkts_total{port="0"} 10\n', "not-a-mapping",
          "Prometheus", "# TYPE"),
    # other files
    Wrong("C", "a struct", GOOD,
          "/* Counters\n * of ports. */\nstruct stats {\n\tuint64_t rx;\n};\n",
          "not-a-mapping", "ctrgen adopt", "struct"),
    Wrong("TOML", "a table", GOOD, 'ctrgen = 1\n[scopes.global]\n', "not-a-mapping", "TOML",
          "ctrgen ="),
    Wrong("XML", "a declaration", GOOD, '<?xml version="1.0"?>\n<schema/>\n', "not-a-mapping",
          "XML", "<?xml"),
    Wrong("JSON5", "a comment", HEAD, HEAD + "// the port: {\n", "yaml-syntax",
          "a comment begins with #", "//"),
    # characters
    Wrong("Latin-1", "a letter", "Broken packets.", "Zähler.", "not-utf8",
          "octet 147 of the file, 0xe4, is not UTF-8 in Latin-1 it is 'ä'", "ä", "", "latin-1"),
    Wrong("Windows-1252", "an apostrophe", "Broken packets.", "It\u2019s broken.", "not-utf8",
          "in Windows-1252 it is '\u2019'", "\u2019", "", "cp1252"),
    Wrong("UTF-16", "without a mark", "ctrgen", "ctrgen", "not-utf8", "UTF-16", "ctrgen", "",
          "utf-16-le"),
    Wrong("a browser", "spaces that do not break", "    max: 4", "\u00a0\u00a0  max: 4",
          "yaml-syntax", "U+00A0", "\u00a0", "    max: 4"),
    Wrong("a browser", "a space behind a colon", "{unit: packets, description: Broken",
          "{unit:\u00a0packets, description: Broken", "unknown-key", "U+00A0", "unit:\u00a0",
          "{unit: packets, description: Broken"),
    Wrong("an input method", "a wide colon", "    max: 4", "    max\uff1a 4", "yaml-syntax",
          "U+FF1A", "\uff1a", "    max: 4"),
    Wrong("an editor", "a mark in the middle", "scopes:", "\ufeffscopes:", "control-character",
          "remove it", "\ufeff", "scopes:"),
    _named("\u0435rrs", "such as errs; U+0435", "a keyboard", "a Cyrillic letter", "errs"),
    _named("er\u200brs", "such as errs; U+200B", "a keyboard", "a letter of no width", "errs"),
    Wrong("a keyboard", "a Cyrillic letter in a key", COUNTERS,
          COUNTERS.replace("counters", "\u0441ounters"), "unknown-key", "`counters`, in ASCII",
          "\u0441ounters", COUNTERS),
    # YAML
    Wrong("YAML", "a key twice", "    max: 4\n", "    max: 4\n    max: 8\n", "duplicate-key",
          "remove or rename", "max: 8", "    max: 4\n"),
    Wrong("YAML", "a merge key with an anchor", PKTS + ERRS,
          PKTS.replace(": {", ": &p {", 1) + "      errs: {<<: *p, description: E.}\n",
          "yaml-merge-key", "write the keys out", "<<"),
    Wrong("YAML", "a list of merge keys", PKTS + ERRS,
          PKTS.replace(": {", ": &p {", 1) + "      errs: {<<: [*p], description: E.}\n",
          "yaml-merge-key", "write the keys out", "<<"),
    Wrong("YAML", "a document that ends", UPDATE, UPDATE + "---\n", "yaml-documents",
          "remove the `---`", "---", UPDATE),
    Wrong("YAML", "nothing", GOOD, "", "empty-schema", "ctrgen init"),
    Wrong("YAML", "a list of mappings", SCOPES + PORT,
          "scopes:\n  - global: {}\n  - port: {}\n", "wrong-type", "write it like", "- global"),
    Wrong("YAML", "a name that is true", "module: gw", "module: true", "wrong-type",
          "lower-case letters", "true"),
    Wrong("YAML", "a name that is a float", "module: gw", "module: 1e3", "wrong-type",
          "lower-case letters", "1e3"),
    Wrong("YAML", "a text that is a number", PKTS,
          _item("{unit: packets, description: 010}"), "wrong-type", '"010"', "010",
          _item('{unit: packets, description: "010"}')),
    Wrong("YAML", "a label that is a number", "    max: 4\n", "    labels: [a, 1]\n",
          "wrong-type", "max:", "1]"),
    Wrong("YAML", "a label that is null", "    max: 4\n", "    labels: [a, null]\n",
          "wrong-type", '"null"', "null", '    labels: [a, "null"]\n'),
    _named("1e3", "starting with a letter", "YAML", "a float as a name"),
    _named("0x10", "starting with a letter", "YAML", "a hexadecimal name"),
    _named("010", "starting with a letter", "YAML", "an octal name"),
    _named("2026-11-26", "starting with a letter", "YAML", "a date as a name"),
    _named("12:30", "starting with a letter", "YAML", "a time as a name"),
    _named("~", "starting with a letter", "YAML", "nothing as a name"),
    _named("true", "such as true_count", "YAML", "truth as a name", "true_count", "reserved-name"),
    # names
    _named("e" * 70, "shorten it", "C", "a long name"),
    _named("e" * 2000, "shorten it", "C", "a name longer than a key of YAML", "", "yaml-syntax"),
    _named("int", "such as int_count", "C", "a keyword", "int_count", "reserved-name"),
    _named("likely", "likely_count", "DPDK", "a macro", "likely_count", "reserved-name"),
    _named("RTE_ERRS", "such as errs", "DPDK", "a constant", "errs", "reserved-name"),
    _named("EINVAL", "such as einval", "C", "an error code", "einval", "reserved-name"),
    Wrong("C", "an upper-case module", "module: gw", "module: GW", "module-name", "such as gw",
          "GW", "module: gw"),
    Wrong("Go", "an upper-case key", "    counters:\n", "    Counters:\n", "unknown-key",
          "'counters'", "Counters", "    counters:\n"),
    Wrong("collectd", "enable", "    max: 4\n", "    max: 4\n    enable: true\n", "unknown-key",
          "remove it", "enable", "    max: 4\n"),
    # what is derived
    Wrong("SQL", "a sum of one", ERRS, ERRS + _DERIVED.format("sum: [pkts]"), "wrong-type",
          "use 'pkts'", "[pkts]"),
    Wrong("SQL", "count", ERRS, ERRS + _DERIVED.format("count: [pkts, errs]"), "unknown-key",
          "{sum: [rx, tx]", "count: ["),
    Wrong("SQL", "total", ERRS, ERRS + _DERIVED.format("total: [pkts, errs]"), "unknown-key",
          "write `sum:`", "total: [", ERRS + _DERIVED.format("sum: [pkts, errs]")),
]  # fmt: skip
"""The mistakes."""

RIGHT = {
    "a byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n").encode(),
    "CR": GOOD.replace("\n", "\r").encode(),
    "a byte order mark and CRLF": b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
    "a document that begins": b"---\n" + GOOD.encode() + b"...\n",
    "JSON": json.dumps(yaml.safe_load(GOOD), indent=2).encode(),
    "JSON with tabs": json.dumps(yaml.safe_load(GOOD), indent="\t").encode(),
    "names of Prometheus": GOOD.replace("errs:", "errs_total:").encode(),
    "a unit of Prometheus": GOOD.replace("errs:", "rx_bytes:").encode(),
    "a unit of OpenTelemetry": GOOD.replace("unit: packets", 'unit: "{packet}"').encode(),
    "octets of OpenTelemetry": GOOD.replace("unit: packets", "unit: By").encode(),
    "words that YAML 1.1 takes for truth": GOOD.replace("errs:", "no:").encode(),
    "labels that YAML 1.1 takes for truth": GOOD.replace(
        "    max: 4", "    labels: [yes, no, on, off]"
    ).encode(),
    "a date as a text": GOOD.replace("Broken packets.", "2026-11-26").encode(),
    "an alias": GOOD.replace("pkts: {", "pkts: &p {", 1).replace(ERRS, "      errs: *p\n").encode(),
}
"""What other tools write and is right."""
