# SPDX-License-Identifier: BSD-3-Clause
"""`./dev bench` compares figures of the pages with what it measured, and can put those there."""

from tests.benchmarks.published import PAGES, Measured, figures, renewed

PAGE = """\
Text with 5.6<!-- figure: bench empty --> cycles and 7<!-- figure: other --> of something.

<!-- figures: bench work=0; lcores=1 overhead; lcores=1 lost_percent; lcores=1 memory_bytes -->
| strategy | cycles | lost | longest |
|---|---|---|---|
| `one` | 0.81 | 0 | 51,986,572 |
| `another` | 1.36 | 17 % | 12 |
"""


class Fake(Measured):
    """What was measured, as it is told."""

    def __init__(self, **values: float) -> None:
        super().__init__(None, {})
        self.values = values

    def __call__(self, name: str) -> float | None:
        return next((self.values[w] for w in name.split() if w in self.values), None)


def test_without_a_measurement_every_page_stays_as_it_is() -> None:
    for page in PAGES:
        text = page.read_text("utf-8")
        assert renewed(text, Measured(None, {})) == text


def test_figures_are_written_as_before() -> None:
    now = Fake(empty=1.234, overhead=12.34, lost_percent=0.456, memory_bytes=9876543.2)
    text = renewed(PAGE, now)
    assert "Text with 1.23<!-- figure: bench empty --> cycles and 7<!-- figure: other -->" in text
    row = "12.3 | 0.46 % | 9,876,543 |"
    assert f"| `one` | {row}" in text and f"| `another` | {row}" in text
    assert renewed(text, Fake(lost_percent=0)).count("| 0 |") == 2


def test_figures_keep_their_names() -> None:
    page = PAGES[0]
    before = [figure.name for figure in figures(page, PAGE)]
    assert [figure.name for figure in figures(page, renewed(PAGE, Fake(empty=1)))] == before
