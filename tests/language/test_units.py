# SPDX-License-Identifier: BSD-3-Clause
"""Numbers on the command line: what is read, and what is refused in words for people."""

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.model.language.units import number, several, whole


def test_numbers_with_units() -> None:
    assert number("2.3G", "hz", 1, 1e11) == 2.3e9
    assert whole(" 1.5M ", "flows", 1, 2**32) == 1_500_000
    assert several(whole, "1, 64k,1M", "flows", 1, 10**6) == [1, 64_000, 1_000_000]
    assert several(number, "0,0.5", "reads", 0, 10) == [0, 0.5]


@pytest.mark.parametrize(
    "text",
    ["", "nan", "inf", "-1", "+1", "1e30", "1T", "0x10", "1_000", "٣", "²", "1,5", "1.", "9" * 40],
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--n: '.*' is not a number") as caught:
        number(text, "n", 0, 1e30)
    assert "64k" in caught.value.hint


def test_ranges_and_whole_numbers() -> None:
    with pytest.raises(UsageError, match="--lcores: 0 is not from 1 to 126"):
        whole("0", "lcores", 1, 126)
    with pytest.raises(UsageError, match="--flows: 5G is not from 1 to 4,294,967,295"):
        whole("5G", "flows", 1, 2**32 - 1)
    with pytest.raises(UsageError, match=r"--lcores: 1\.5 is not a whole number"):
        several(whole, "1,1.5", "lcores", 1, 126)
    with pytest.raises(UsageError, match=r"--ms: 0\.5 is not from 1 to 60,000"):
        number("0.5", "ms", 1, 60000)
