# SPDX-License-Identifier: BSD-3-Clause
"""requirements-dev.txt is in step with pyproject.toml, hashed, and fits every Python."""

import re
from typing import Any

import pytest

from tests.support.paths import ROOT

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 reads no TOML by itself")
from packaging.requirements import Requirement  # noqa: E402
from packaging.utils import canonicalize_name  # noqa: E402

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
HOW = "`./dev pin` writes requirements-dev.txt again"


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def wanted() -> list[Requirement]:
    """What pyproject.toml asks for in a development environment."""
    extras = project()["optional-dependencies"]
    every = [Requirement(text) for text in (*extras["dev"], *extras["snmp"])]
    for one in [one for one in every if one.name == project()["name"]]:
        every.remove(one)
        every += [Requirement(text) for name in one.extras for text in extras[name]]
    return every + [Requirement(text) for text in project()["dependencies"]]


def blocks() -> list[str]:
    """The entries of requirements-dev.txt, each with its hashes and comments."""
    text = (ROOT / "requirements-dev.txt").read_text("utf-8")
    return re.split(r"\n(?=[A-Za-z0-9])", text)[1:]


def pins() -> list[tuple[Requirement, str]]:
    return [(Requirement(block.split("\\", 1)[0].strip()), block) for block in blocks()]


@pytest.mark.parametrize("python", PYTHONS)
def test_every_package_asked_for_is_pinned_once_for_each_python(python: str) -> None:
    where = {"python_version": python, "python_full_version": f"{python}.1"}
    at = [pin for pin, _ in pins() if pin.marker is None or pin.marker.evaluate(where)]
    names = [canonicalize_name(pin.name) for pin in at]
    assert len(names) == len(set(names))
    versions = {canonicalize_name(pin.name): str(pin.specifier)[2:] for pin in at}
    for one in wanted():
        if one.marker is not None and not one.marker.evaluate(where):
            continue
        version = versions.get(canonicalize_name(one.name))
        assert version is not None, f"{one.name} is not pinned: {HOW}"
        assert one.specifier.contains(version), f"{one} is pinned to {version}: {HOW}"


def test_every_pin_is_exact_and_hashed() -> None:
    for pin, block in pins():
        assert [spec.operator for spec in pin.specifier] == ["=="], str(pin)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", block), str(pin)


def test_no_pin_is_left_over() -> None:
    asked = {canonicalize_name(one.name) for one in wanted()}
    direct = {
        canonicalize_name(pin.name) for pin, block in pins() if "ctrgen (pyproject.toml)" in block
    }
    assert direct == asked, HOW


def test_every_package_asked_for_is_justified() -> None:
    """In docs/design.md, or in a comment where it is asked for."""
    page = (ROOT / "docs" / "design.md").read_text("utf-8")
    asked = (ROOT / "pyproject.toml").read_text("utf-8")
    for one in wanted():
        comment = rf'(?m)^    "{re.escape(one.name)}\b.*", # .'
        assert f"`{one.name}`" in page or re.search(comment, asked), one.name


def test_a_demo_installs_what_ctrgen_needs() -> None:
    """The names in ./dev: what the pins say is there for ctrgen, its demo and the build."""
    texts = (*project()["dependencies"], "setuptools")
    needed = {canonicalize_name(Requirement(text).name) for text in texts}
    for _ in blocks():
        for pin, block in pins():
            if needed & set(re.findall(r"^    # (?:via |  )(\S+)$", block, re.MULTILINE)):
                needed.add(canonicalize_name(pin.name))
    (listed,) = re.findall(r"^demo_pins='([^']*)'", (ROOT / "dev").read_text("utf-8"), re.M)
    assert listed.split() == sorted(needed)
