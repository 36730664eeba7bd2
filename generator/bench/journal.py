# SPDX-License-Identifier: BSD-3-Clause
"""What has been measured, a line for each measurement: a run that is interrupted goes on."""

from __future__ import annotations

import contextlib
import json
from collections import UserDict
from pathlib import Path
from typing import Any

from ..findings.usage import UsageError, reason


class Journal(UserDict[str, Any]):
    """Measurements by key, each appended to a file when it is set; a file that is not `about` the
    same is overwritten. Raises UsageError."""

    def __init__(self, path: Path, about: dict[str, Any], resume: bool) -> None:
        super().__init__()
        self._path = path
        header = json.dumps({"about": about}, sort_keys=True)
        lines: list[str] = []
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = path.read_text("utf-8").splitlines() if resume else []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
        except OSError as error:
            raise self._unwritable(error) from error
        self._write(header)
        for line in lines[1:] if lines[:1] == [header] else []:
            # the last line of a run that was cut off is no entry
            with contextlib.suppress(ValueError, TypeError, KeyError):
                entry = json.loads(line)
                self[str(entry["key"])] = entry["value"]
        self.resumed = len(self)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self._write(json.dumps({"key": key, "value": value}))

    def _write(self, line: str) -> None:
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"{self._path}: cannot be written: {reason(error)}")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):  # what is still to be written is known not to fit
            self._file.close()
