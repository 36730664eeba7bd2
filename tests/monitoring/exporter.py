# SPDX-License-Identifier: BSD-3-Clause
"""Prometheus' snmp_exporter: Debian's, or any other on the PATH."""

import re
from pathlib import Path
from shutil import which
from typing import Any

import yaml

from tests.support.process import run
from tests.support.servers import Server, free_port

PROGRAM = which("snmp_exporter") or which("prometheus-snmp-exporter")
GENERATOR = which("snmp_generator") or which("prometheus-snmp-generator")

OLDEST, NEWER = (0, 25), (1, 0)
"""The first version that reads the file as it is, and what a build that does not know it has."""

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]
_SAMPLE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def version(program: str) -> tuple[int, int]:
    """The version of an exporter or a generator."""
    done = run(program, "--version")
    match = re.search(r"version (\d+)\.(\d+)", done.stdout + done.stderr)
    return (int(match[1]), int(match[2])) if match else NEWER


def configuration(text: str, program: str) -> str:
    """The configuration as an exporter reads it. Older ones have modules at the top, and a bool
    that is extracted."""
    if version(program) >= OLDEST:
        return text
    modules = yaml.safe_load(text)["modules"]
    for module in modules.values():
        module["version"] = 2
        for metric in module["metrics"]:
            scale, offset = (metric.pop(key, 0) for key in ("scale", "offset"))
            if scale:
                values = [{"regex": f"^{n}$", "value": f"{scale * n + offset}"} for n in (1, 2)]
                metric.update({"type": "DisplayString", "regex_extracts": {"": values}})
    return yaml.safe_dump(modules)


class Exporter(Server):
    """A running exporter with one configuration."""

    def __init__(self, folder: Path, text: str) -> None:
        assert PROGRAM is not None
        path, port = folder / "snmp.yml", free_port()
        path.write_text(configuration(text, PROGRAM), "utf-8")
        listens = f"--web.listen-address=127.0.0.1:{port}"
        super().__init__([PROGRAM, f"--config.file={path}", listens], port, folder, "/metrics")

    def scrape(self, port: int, module: str) -> Samples:
        """The samples of a module."""
        target = {"target": f"127.0.0.1:{port}", "auth": "public_v2", "module": module}
        return samples(self.get("/snmp", **target).decode())


def samples(text: str) -> Samples:
    """The samples of a page, without those about the scrape itself."""
    found: Samples = {}
    for line in text.splitlines():
        if line.startswith("#") or line.startswith("snmp_scrape_"):
            continue
        match = _SAMPLE.fullmatch(line)
        assert match is not None, line
        labels = frozenset((name, value) for name, value in _LABEL.findall(match[2] or ""))
        assert (match[1], labels) not in found, line
        found[match[1], labels] = float(match[3])
    return found


def metrics(document: Any, module: str) -> list[dict[str, Any]]:
    """The metrics of a configuration in either form."""
    found: list[dict[str, Any]] = document.get("modules", document)[module]["metrics"]
    return found
