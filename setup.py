# SPDX-License-Identifier: BSD-3-Clause
"""What pyproject.toml cannot say: packages found below a folder of another name, and archives
that are the same bytes wherever, whenever and by whomever they are built.

Modes are 644, or 755 for what its owner may run, whatever the umask. In the source distribution
nobody owns anything, and times are SOURCE_DATE_EPOCH, if that is set, as setuptools has them in
the wheel.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tarfile
import time
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

DATA = ("runtime", "schemas", "templates")  # folders that are packages of data

# setuptools packs what an earlier build left here, files since removed included.
shutil.rmtree("build/lib", ignore_errors=True)
os.umask(0o022)  # of what setuptools writes itself


def mode(path: Path) -> int:
    """The mode with which a file or folder is packed."""
    return 0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644


def set_modes(folder: str) -> None:
    """Give all below a folder the modes that do not depend on those of the checkout."""
    for path in Path(folder).rglob("*"):
        path.chmod(mode(path))


class BuildModules(build_py):
    """Modules and data, as a wheel has them."""

    def run(self) -> None:
        """Copy, then set modes; an editable installation copies nothing."""
        super().run()
        set_modes(self.build_lib)


class Wheel(bdist_wheel):
    """What a wheel has beside modules, such as the licence."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        """Write the folder of metadata, then set modes."""
        super().egg2dist(egginfo_path, distinfo_path)
        set_modes(distinfo_path)


class SourceDistribution(sdist):
    """A source distribution that does not tell who built it, where and when."""

    def make_archive(
        self, base_name: str, format: str, root_dir: Any = None, base_dir: Any = None,
        owner: str | None = None, group: str | None = None,
    ) -> str:  # fmt: skip
        """Pack the folder `base_dir`, in the order of its names. Only a .tar.gz is made so."""
        if format != "gztar" or root_dir is not None:
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        moment = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
        made = Path(f"{base_name}.tar.gz")
        made.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(base_dir)
        with (
            made.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=moment) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for path in sorted((folder, *folder.rglob("*")), key=Path.as_posix):
                entry = archive.gettarinfo(path)
                entry.mode, entry.mtime = mode(path), moment
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                if entry.isfile():
                    entry.type = tarfile.REGTYPE  # also one of several names of a file
                    entry.linkname, entry.size = "", path.stat().st_size
                    with path.open("rb") as content:
                        archive.addfile(entry, content)
                else:
                    archive.addfile(entry)
        return str(made)


setup(
    packages=[
        "ctrgen",
        *(f"ctrgen.{name}" for name in find_packages("generator")),
        *(f"ctrgen.{name}" for name in DATA),
    ],
    cmdclass={"bdist_wheel": Wheel, "build_py": BuildModules, "sdist": SourceDistribution},
)
