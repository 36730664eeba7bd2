# SPDX-License-Identifier: BSD-3-Clause
"""Bugs of MIB modules, of builds, of the plan and of the benchmark, planted into a copy of the
generator: a test fails."""

from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import Edit, fails
from tests.support.strategies import SHARED

PLAN, CALLS, READING = "plan/test_plan", "plan/test_calls", "plan/test_reading"
BILL, ADVICE = "generator/tools/plan/bill.py", "generator/tools/plan/advice.py"
WORKLOAD, MODEL = "generator/model/workload.py", "plan/test_model"
LINES = "generator/tools/plan/lines.py"
ANSWER = "generator/tools/plan/output.py"
DOCTOR, EARLIER, PUBLISHING = "mib/test_doctor", "mib/test_earlier", "mib/test_publishing"
BUILDS, HEALTH = "pipeline/test_build_systems", "model/test_health"
PUBLISH, SNMP = "generator/publish", "generator/frontends/resolve/snmp.py"

BUGS = {
    # ---- MIB modules ----
    "published-types-change": (
        Edit(f"{PUBLISH}/changes.py", "elif before.syntax == syntax:", "elif not before:"),
        f"{EARLIER}::test_a_build_leaves_the_lock_file_as_it_is",
    ),
    "rows-change-without-a-revision": (
        Edit(f"{PUBLISH}/changes.py", "== description and not revised", "!= description"),
        f"{EARLIER}::test_a_build_leaves_the_lock_file_as_it_is",
    ),
    "rows-say-nothing": (
        Edit(f"{PUBLISH}/text.py", 'return " ".join(found)', "return said"),
        f"{DOCTOR}::test_rows_say_when_they_are_there[epFlowEntry]",
    ),
    "rows-of-parents-are-unknown": (
        Edit(f"{PUBLISH}/text.py", "    if above:", "    if not above:"),
        f"{DOCTOR}::test_rows_say_when_they_are_there[epQueueEntry]",
    ),
    "no-type-of-ipv4": (
        Edit(f"{PUBLISH}/members.py", "if item.value_type.family and",
             'if item.type == "ipv6" and'),
        f"{DOCTOR}::test_types_say_what_values_there_are[epStatsAddressType]",
    ),
    "ranges-begin-at-0": (
        Edit(f"{PUBLISH}/members.py", '"{} ({}..{})"', '"{0} (0..{2})"'),
        f"{DOCTOR}::test_types_say_what_values_there_are[epStatsTemp]",
    ),
    "optional-is-mandatory": (
        Edit(f"{PUBLISH}/assign.py", "if home.optional else set()", "if home is None else set()"),
        f"{DOCTOR}::test_what_is_optional_is_not_mandatory",
    ),
    "a-published-compliance-changes": (
        Edit(f"{PUBLISH}/assign.py", " and {*newest.optional} == {*optional}", ""),
        f"{DOCTOR}::test_what_is_optional_later_takes_a_new_compliance",
    ),
    "named-groups-are-those-of-scopes": (
        Edit(f"{PUBLISH}/groups.py", "if spec.group else", "if not spec else"),
        f"{DOCTOR}::test_what_is_optional_is_not_mandatory",
    ),
    "no-refinements": (
        Edit(f"{PUBLISH}/assign.py", "entry.name for entry in families if",
             "'' for entry in () if"),
        f"{DOCTOR}::test_what_is_optional_is_not_mandatory",
    ),
    "no-references-of-items": (
        Edit("generator/backends/mib.py", 'own.get("reference", "")', '""'),
        f"{DOCTOR}::test_references",
    ),
    "labels-are-numbered-from-0": (
        Edit(f"{PUBLISH}/objects.py", "label.value + 1", "label.value"),
        "mib/test_modules::test_what_no_linter_checks[drops]",
    ),
    "the-parent-is-not-imported": (
        Edit("generator/backends/mib.py", "if above and oid ==", "if not above and oid =="),
        f"{DOCTOR}::test_two_modules_share_a_parent",
    ),
    "drafts-have-a-lock-file": (
        Edit(SNMP, "published=top.snmp is not None and not written.draft", "published=True"),
        f"{PUBLISHING}::test_a_draft_is_whole_and_fixes_nothing",
    ),
    "the-key-alone-publishes": (
        Edit(SNMP, "top.snmp is not None and not written.draft", "bool(written)"),
        f"{PUBLISHING}::test_a_draft_is_whole_and_fixes_nothing",
    ),
    "a-forgotten-key-is-not-noticed": (
        Edit(f"{PUBLISH}/publish.py", "place is not None and os.path.lexists(place)",
             "place is None"),
        f"{PUBLISHING}::test_a_lock_file_without_the_key_is_an_error",
    ),
    "what-needs-no-oids-judges-them": (
        Edit("generator/pipeline/outputs.py", "if not only and not outputs:", "if True:"),
        f"{PUBLISHING}::test_who_needs_no_oid_never_sees_the_lock_file",
    ),
    "a-build-of-today-adds-reports-to-what-is-published": (
        Edit(f"{PUBLISH}/assign.py",
             "if not self.reports or not (revised or self.draft or HEALTH in self.live)",
             "if not self.reports"),
        f"{HEALTH}::test_a_published_module_gets_them_with_its_next_revision",
    ),
    "a-renamed-scope-loses-its-reports": (
        Edit("generator/model/health.py", "if about is not None and about.renamed_from",
             "if False"),
        f"{HEALTH}::test_a_renamed_scope_keeps_its_reports",
    ),
    # ---- builds ----
    "includes-are-forgotten": (
        Edit("generator/frontends/__init__.py", "self.diagnostics.files[path] = None", "pass"),
        f"{BUILDS}::test_a_depfile_names_what_was_read",
    ),
    "the-lock-file-is-forgotten": (
        Edit(f"{PUBLISH}/publish.py", "diagnostics.files[str(file.path)] = None", "pass"),
        f"{BUILDS}::test_a_depfile_names_the_lock_file_of_who_reads_it",
    ),
    "spaces-are-not-escaped": (
        Edit("generator/output/depfile.py", r"[ \t#]", r"[\t#]"),
        f"{BUILDS}::test_a_depfile_names_what_was_read",
    ),
    "files-flap": (
        Edit("generator/output/emit.py",
             "entry.source != output.source:\n        return entry.path",
             "False:\n        return entry.path"),
        f"{BUILDS}::test_two_schemas_in_one_folder_do_not_take_files_from_each_other",
    ),
    # ---- the plan and the benchmark ----
    "misses-do-not-overlap": (
        Edit(BILL, "return min(most, max(self.flight, made.ahead))", "return 1.0"),
        f"{CALLS}::test_misses_of_packets_overlap_unless_there_is_work_between_them",
    ),
    "work-between-packets-is-ignored": (
        Edit(BILL, "entries += between * self.machine.width / 2", "pass"),
        f"{CALLS}::test_misses_of_packets_overlap_unless_there_is_work_between_them",
    ),
    "bulk-is-never-chosen": (
        Edit(ADVICE, 'if cost.update <= least * ALIKE), "")', 'if least or cost), "")'),
        f"{PLAN}::test_calls_are_compared_and_the_best_is_named",
    ),
    "bulk-asks-for-no-lines": (
        Edit("generator/tools/plan/estimate.py", "ahead = BURST if transaction.indexed else 1",
             "ahead = 1"),
        f"{CALLS}::test_lines_of_an_element_come_together",
    ),
    "weights-are-ignored": (
        Edit(WORKLOAD, "made.share = update.weight / most", "made.share = 1.0"),
        f"{CALLS}::test_updates_that_happen_seldom_cost_less",
    ),
    "a-snapshot-stops-nobody": (
        Edit(ADVICE, 'delays(dict(domain.sync.tunables)) == "snapshot"', "delays() is None"),
        f"{PLAN}::test_a_reader_that_stops_lcores_is_named_with_the_advice",
    ),
    "a-snapshot-is-one-instance": (
        Edit("generator/model/strategies/catalogue.py", 'return "snapshot"', 'return "instance"'),
        "run/test_reader::test_a_read_section_stops_updates_where_it_is_said",
    ),
    "readers-may-do-what-they-like": (
        Edit("generator/frontends/rules/needs.py", "order.index(given) > order.index(allowed)",
             "not allowed"),
        f"{READING}::test_what_is_required_of_readers",
    ),
    "memory-is-off-by-2-percent": (
        Edit("generator/model/totals.py", "total = BOOKKEEPING\n", "total = BOOKKEEPING + 348\n"),
        f"plan/test_memory::test_memory_is_what_is_allocated[ep-{SHARED}-0-posix]",
    ),
    "affinity-is-ignored": (
        Edit(WORKLOAD, "return MIGRATIONS[self.affinity] * self.elsewhere", "return 0.0"),
        f"{MODEL}::test_affinity",
    ),
    "stores-wait-for-their-line": (
        Edit(BILL, "return max(1.0, min(self.flight * often, room))", "return 1.0"),
        f"{CALLS}::test_plain_stores_are_forwarded_while_the_line_is_away",
    ),
    "every-instance-is-in-use": (
        Edit(
            WORKLOAD, "return min(count, deployment.flows) if scope.path", "return count if count"
        ),
        f"{CALLS}::test_a_flow_has_one_instance_of_each_scope",
    ),
    "lines-come-one-by-one": (Edit(LINES, "min(self.far(touch), AHEAD) if touch.behind else", ""),
                              f"{CALLS}::test_lines_of_an_element_come_together"),
    "what-is-between-two-visits-does-not-matter": (
        Edit(LINES, "min(lines, use.rate * packets * n / copies)", "lines"),
        f"{CALLS}::test_a_line_is_near_if_little_is_used_between_two_visits",
    ),
    "every-transaction-has-a-lock-of-its-own": (
        Edit("generator/tools/plan/queueing.py", "i if station.key is None else station.key", "i"),
        f"{MODEL}::test_visits_to_one_station_for_several_reasons",
    ),
    "what-is-cheap-in-bulk-alone-is-advised": (
        Edit(ADVICE, "fit = [row for row in fit if not row.fragile] or fit", ""),
        f"{PLAN}::test_what_is_cheap_only_in_bulk_is_not_advised",
    ),
    "the-answer-has-no-bound": (
        Edit(ANSWER, "if len(line) <= MOST)", "if line)"),
        "plan/test_answer::test_a_line_that_is_too_long_gives_way",
    ),
    "figures-of-other-calls-are-compared": (
        Edit(ANSWER, "other.calls[row.call].packet / row.calls[row.call].packet",
             "other.cycles / row.cycles"),
        "plan/test_answer::test_the_other_figure_is_by_the_same_calls",
    ),
    "tables-have-no-bound": (
        Edit("generator/tools/plan/output.py", "len(header) - 1), COLUMNS)", "len(header) - 1))"),
        "plan/test_answer::test_the_answer_comes_first_and_all_fits[drops.yaml-words1]",
    ),
    "a-verdict-for-what-loses-updates": (
        Edit("generator/tools/bench/report.py", " and not figures.lost(p)]", "]"),
        "bench/test_report::test_what_loses_updates_is_no_verdict",
    ),
    "noise-is-a-figure": (
        Edit("generator/tools/bench/report.py", "if figure.q1 < 0:", "if figure.q1 < -1e9:"),
        "bench/test_report::test_negative_figures_are_said_to_be_noise",
    ),
    "programs-leave-their-folders": (
        Edit("generator/tools/bench/programs.py", ', "RUNTIME_DIRECTORY": str(run)', ""),
        "bench/test_bench::test_nothing_is_left_in_the_run_directory",
    ),
    "lcores-do-not-wait-for-each-other": (
        Edit("generator/tools/plan/queueing.py", "range(1, lcores + 1))", "range(1, 2))"),
        f"{MODEL}::test_stations",
    ),
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(bug: str, tmp_path: Path) -> None:
    edit, seen_by = BUGS[bug]
    name, _, function = seen_by.partition("::")
    fails(tmp_path, edit, f"tests/{name}.py::{function}")


def test_every_bug_can_be_planted() -> None:
    for edit, _ in BUGS.values():
        text = (ROOT / edit.path).read_text("utf-8")
        assert edit.applied(text) != text
