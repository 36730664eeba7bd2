# SPDX-License-Identifier: BSD-3-Clause
"""What has been measured, a line for each measurement: a run that is interrupted goes on."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from ..findings.usage import UsageError, reason


class Journal:
    """Measurements by key, appended to a file as they come.

    `about` says what is measured where: a file about something else is begun anew.
    """

    def __init__(self, path: Path, about: dict[str, Any], resume: bool) -> None:
        self._path = path
        self._entries: dict[str, Any] = {}
        header = json.dumps({"about": about}, sort_keys=True)
        lines = list(_lines(path)) if resume else []
        if lines and lines[0] == header:
            for line in lines[1:]:
                # the last line of a run that was cut off is no entry
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    entry = json.loads(line)
                    self._entries[str(entry["key"])] = entry["value"]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
            self._write(header)
            for key, value in self._entries.items():
                self._append(key, value)
        except OSError as error:
            raise self._unwritable(error) from error
        self.resumed = len(self._entries)

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"{self._path}: cannot be written: {reason(error)}")

    def _append(self, key: str, value: Any) -> None:
        self._write(json.dumps({"key": key, "value": value}))

    def _write(self, line: str) -> None:
        self._file.write(line + "\n")
        self._file.flush()

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __getitem__(self, key: str) -> Any:
        return self._entries[key]

    def get(self, key: str) -> Any:
        """What was measured under a key; None if nothing was."""
        return self._entries.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a measurement. Raises UsageError when it cannot be written."""
        self._entries[key] = value
        try:
            self._append(key, value)
        except OSError as error:
            raise self._unwritable(error) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):  # what is still to be written is known not to fit
            self._file.close()

    def remove(self) -> None:
        """The measurements are in a result now."""
        self._path.unlink(missing_ok=True)


def _lines(path: Path) -> Iterator[str]:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        yield from path.read_text("utf-8").splitlines()
