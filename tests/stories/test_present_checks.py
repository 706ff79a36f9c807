"""What the checks of a session are shown as: rows whose columns stand under each other."""

from __future__ import annotations

from mandrel_tui.protocol.postchecks import CheckResult
from mandrel_tui.protocol.returned import Report
from mandrel_tui.ui.present_checks import check_row, name_cells
from mandrel_tui.ui.symbols import UNICODE


def test_what_was_found_stands_in_one_column_whatever_the_checks_are_called() -> None:
    results = (
        CheckResult("tree-clean", "the tree is clean", True, "found a"),
        CheckResult("review-status-final-gate", "the status fits", False, "found b"),
        CheckResult("task-not-archived", "the task file is gone for good", True, "so it is"),
    )
    cells = name_cells(Report("t", "s", None, results))
    rows = [check_row(result, cells, UNICODE).text for result in results]
    assert rows[0].index("found a") == rows[1].index("found b") < 30
    assert rows[2] == "✓ the task file is gone for good"
