"""Task tabs: what the board and a task's own screen do alike with the tabs that show the task; they
show none."""

from __future__ import annotations

from textual import on

from mandrel_tui.ui.present_draft import mends_index
from mandrel_tui.ui.task_acts import TaskActs
from mandrel_tui.ui.triage_messages import AskMend
from mandrel_tui.ui.widgets.flag_view import FlagView
from mandrel_tui.ui.widgets.task_view import TaskView


class TaskTabs(TaskActs):
    """A screen with the task in hand in tabs."""

    task_view: TaskView

    def action_tab_next(self) -> None:
        self.task_view.step_tab(1)

    def action_tab_prev(self) -> None:
        self.task_view.step_tab(-1)

    @on(FlagView.PlaceAsked)
    def _place_asked(self, event: FlagView.PlaceAsked) -> None:
        """A note on the index, or a flag that is not one of the task file, was opened."""
        event.stop()
        if mends_index(event.found):
            self.post_message(AskMend())
        else:
            self.say(f"{event.found.file}: {event.found.hint}")
