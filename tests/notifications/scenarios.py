# SPDX-License-Identifier: BSD-3-Clause
"""What happens, and what is told of it. A step is some commands of watch_main.c, and then an
evaluation, a second behind the one before. `+spare_low 0` is told first in all of them: no buffers
are free."""

from typing import NamedTuple


class Scenario(NamedTuple):
    """Steps, and what is told, beginning with the second evaluation."""

    steps: tuple[str, ...]
    told: tuple[str, ...]


def _loads(*loads: int) -> tuple[str, ...]:
    return tuple(f"global.load {load}" for load in loads)


_SESSION = "create session 3"
_FLOW = "create flow 5; flow.pkts 1 5"

SCENARIOS = {
    "hysteresis": Scenario(
        ("", *_loads(91, 80, 95, 70, 91, 69, 90, 91)), ("+load_high 91", "+load_high 91"),
    ),
    "falls": Scenario(
        ("", "global.spare 20", "global.spare 21", "global.spare 10", "global.spare 9"),
        ("+spare_low 9",),
    ),
    "negative": Scenario(
        ("", "port.temperature -5 1", "port.temperature -6 1", "port.temperature 0 1",
         "port.temperature -6 1", "port.temperature 1 1", "port.temperature -6 1"),
        ("+frost 1 -6", "+frost 1 -6"),
    ),
    "rate": Scenario(
        (_SESSION, "session.drops 1000 3", "session.drops 1001 3", "session.drops 900 3",
         "session.drops 2000 3", "session.drops 799 3", "session.drops 800 3"),
        ("+drops_high 3 1001", "-drops_high 3 799"),
    ),
    "rate over the time that passed": Scenario(
        (_SESSION, "skip", "session.drops 1500 3"), (),
    ),
    "first reading is no rate": Scenario((f"{_SESSION}; session.drops 999999 3", "", ""), ()),
    "creation is no rate": Scenario(("", f"{_SESSION}; session.drops 999999 3", "", ""), ()),
    "creation again is no rate": Scenario(
        (f"{_SESSION}; session.drops 7 3", "",
         f"destroy session 3; {_SESSION}; session.drops 999999 3", ""),
        (),
    ),
    "reset is no rate": Scenario(
        (f"{_SESSION}; session.errors 5 3; session.drops 10 3", "",
         "reset session 3; session.drops 1500 3", "", ""),
        (),
    ),
    "wrap is a rate": Scenario(
        (f"{_SESSION}; session.errors {2**32 - 5} 3", "session.errors 10 3",
         "session.errors 1 3", "session.errors 1 3"),
        ("+errors_high 3 1",),
    ),
    "must last": Scenario((_SESSION, *["session.errors 1 3"] * 2, "", *["session.errors 1 3"] * 3),
                          ("+errors_high 3 1",)),
    "a break begins it anew": Scenario(
        (_SESSION, *["session.errors 1 3"] * 2, "", *["session.errors 1 3"] * 2), (),
    ),
    "limit": Scenario(("", *_loads(91, 0, 92, 0, 93, 0, 0, 0, 0, 0, 0, 94, 0, 95, 0, 96)),
                      ("+load_high 91", "+load_high 92", "+load_high 94", "+load_high 95")),
    "limit lets through what is still so": Scenario(
        ("", *_loads(91, 0, 92, 0, 93, 93, 93, 93, 93, 93, 93, 93, 93)),
        ("+load_high 91", "+load_high 92", "+load_high 93"),
    ),
    "limit is of an instance": Scenario(
        ("", *("port.alarm 1 1", "port.alarm 0 1") * 3, "port.alarm 1 2"),
        ("+alarm 1 1", "+alarm 1 1", "+alarm 2 1"),
    ),
    "labels": Scenario(
        ("port.link 1 0; port.link 1 1", "port.link 2 1", "port.link 3 1", "port.link 1 1",
         "port.link 3 0"),
        ("+link_down 1 2", "-link_down 1 1", "+link_down 0 3"),
    ),
    "what was so at the start did not become so": Scenario(
        ("port.link 2 0", "", "port.link 1 0", "port.link 2 0"), ("+link_down 0 2",),
    ),
    "bool": Scenario(("", "port.alarm 1 2", "", "port.alarm 0 2", "port.alarm 1 2"),
                     ("+alarm 2 1", "+alarm 2 1")),
    "new instance has become so": Scenario(("", f"{_FLOW}; flow.phase 2 5"), ("+flow_failed 5 2",)),
    "another instance in its place": Scenario(
        ("", f"{_FLOW}; flow.phase 2 5", f"destroy flow 5; {_FLOW}; flow.phase 2 5", ""),
        ("+flow_failed 5 2", "+flow_failed 5 2"),
    ),
    "gone is not cleared": Scenario(
        (_SESSION, "session.drops 5000 3", "destroy session 3", "", _SESSION, "",
         "session.drops 6000 3"),
        ("+drops_high 3 5000", "+drops_high 3 6000"),
    ),
    "period": Scenario((_FLOW, *[""] * 6), ("+flow_idle 5 0",)),
    "period is not over": Scenario((_FLOW, *[""] * 4), ()),
    "nested peak": Scenario(
        ("", "queue.deepest 50 2 1", "queue.deepest 51 2 1", "queue.deepest 60 2 1"),
        ("+queue_deep 2.1 51",),
    ),
    "many rows": Scenario(
        ("; ".join(f"create session {row}" for row in (0, 255, 256, 511, 599)),
         "; ".join(f"session.drops 5000 {row}" for row in (255, 256, 599))),
        ("+drops_high 255 5000", "+drops_high 256 5000", "+drops_high 599 5000"),
    ),
    "told later": Scenario(("", "answer -11; global.load 91", "", "answer 0", ""),
                           ("+load_high 91", "+load_high 91", "+load_high 91")),
    "cleared is told later": Scenario(
        ("port.link 1 0", "port.link 2 0", "answer -11; port.link 1 0", "answer 0", ""),
        ("+link_down 0 2", "-link_down 0 1", "-link_down 0 1"),
    ),
    "raised again before anybody knew that it had cleared": Scenario(
        ("port.link 1 0", "port.link 2 0", "answer -11; port.link 1 0",
         "answer 0; port.link 2 0", "port.link 1 0; totals", "totals"),
        ("+link_down 0 2", "-link_down 0 1", "2 0 0 1", "-link_down 0 1", "2 1 0 1"),
    ),
    "lost": Scenario(("", "answer -11; global.load 91", "global.load 0", "answer 0", "totals"),
                     ("+load_high 91", "1 0 0 1")),
    "limited": Scenario(("", *_loads(91, 0, 92, 0, 93, 0), "totals"),
                        ("+load_high 91", "+load_high 92", "3 0 1 0")),
    "nobody is to be told": Scenario(
        ("", "answer -2; global.load 91", "answer 0", "global.load 0", "global.load 91", "totals"),
        ("+load_high 91", "+load_high 91", "2 0 0 0"),
    ),
}  # fmt: skip
