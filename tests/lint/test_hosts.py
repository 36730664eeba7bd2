# SPDX-License-Identifier: BSD-3-Clause
"""No file names the host of a package registry: packages come through their clients, which know
where from, be it a mirror."""

import re
import subprocess

import pytest

from tests.support.paths import ROOT
from tests.support.process import succeed

HOSTS = (
    "npmjs org", "npmjs com", "yarnpkg com",
    "debian org", "debian net", "ubuntu com",
    "pypi org", "pypi python org", "pythonhosted org",
    "crates io", "rubygems org", "golang org",
    "maven org", "maven apache org",
)  # fmt: skip
"""Domains, with spaces for dots: this file names none either."""

REGISTRY = "(?:registry|deb|ftp|archive|snapshot|security|files|index|static|proxy|sum|repo1?)"
"""What comes before a domain that has other hosts as well, such as that of a project's pages."""
ALONE = ("npmjs", "yarnpkg", "pypi", "pythonhosted", "crates", "rubygems")

NAMED = re.compile(
    "|".join(
        (r"\b" if host.startswith(ALONE) else rf"\b{REGISTRY}\.(?:[\w-]+\.)*")
        + re.escape(host.replace(" ", "."))
        + r"\b"
        for host in HOSTS
    ),
    re.IGNORECASE,
)


def named(text: str) -> list[str]:
    """Hosts of registries in a text."""
    return NAMED.findall(text)


def test_no_file_names_the_host_of_a_registry() -> None:
    try:
        names = succeed("git", "ls-files", "-z", cwd=ROOT).split("\0")
    except (pytest.fail.Exception, subprocess.SubprocessError):
        pytest.skip("no git, or no clone")
    paths = [ROOT / name for name in names if name and (ROOT / name).is_file()]
    assert len(paths) > 100
    found = {
        str(path.relative_to(ROOT)): hosts
        for path in paths
        if (hosts := named(path.read_bytes().decode("latin-1")))
    }
    assert not found, f"packages come through npm, apt, pip: {found}"


@pytest.mark.parametrize("host", HOSTS)
def test_a_host_is_seen(host: str) -> None:
    url = f"https://{'.'.join(('registry', *host.split()))}/a/-/a-1.0.tgz"
    assert named(f'URL = "{url}"')
    assert not named("npm, apt, pip, pypi, debian; docs.debian.example.org, notpypi.organic")
