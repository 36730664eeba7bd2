# SPDX-License-Identifier: BSD-3-Clause
"""The one thing pyproject.toml cannot say: packages found below a folder of another name."""

import shutil

from setuptools import find_packages, setup

DATA = ("runtime", "schemas", "templates")  # folders that are packages of data

# setuptools packs what an earlier build left here, files since removed included.
shutil.rmtree("build/lib", ignore_errors=True)

setup(
    packages=[
        "ctrgen",
        *(f"ctrgen.{name}" for name in find_packages("generator")),
        *(f"ctrgen.{name}" for name in DATA),
    ]
)
