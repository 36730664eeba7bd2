# SPDX-License-Identifier: BSD-3-Clause
"""The one thing pyproject.toml cannot say: packages found below a folder of another name."""

from setuptools import find_packages, setup

DATA = ("runtime", "schemas", "templates")  # folders that are packages of data

setup(
    packages=[
        "ctrgen",
        *(f"ctrgen.{name}" for name in find_packages("generator")),
        *(f"ctrgen.{name}" for name in DATA),
    ]
)
