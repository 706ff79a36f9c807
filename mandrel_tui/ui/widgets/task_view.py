"""TaskView: one task in tabs: its text, its log, its diagnostics, its exact bytes; it reads
nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from textual import on
from textual.widget import Widget

from mandrel_tui.protocol.board import Row as BoardRow
from mandrel_tui.protocol.diagnostics import Diagnostic
from mandrel_tui.protocol.task import Task
from mandrel_tui.ui.present_task import literal, task_text
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.flag_view import FlagView
from mandrel_tui.ui.widgets.header import PaneHeader, Tab
from mandrel_tui.ui.widgets.log_view import LogView
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.prose import Prose
from mandrel_tui.ui.widgets.rows import Row, RowList
from mandrel_tui.ui.widgets.view import View

TABS = ("task", "log", "flags", "history", "raw")
NO_FLAGS = "Nothing is wrong with this file."
NO_HISTORY = "No version of this file was seen yet."


class TaskView(Pane):
    """The tabs of one task; only the tab in sight is filled."""

    def __init__(self, *, history: bool = False, id: str | None = None) -> None:
        """`history` adds the tab of versions, which its screen fills."""
        self.task_prose = Prose(id="task-text")
        self.task_log = LogView(id="task-log")
        self.task_flags = FlagView(NO_FLAGS, id="task-flags")
        self.task_history = RowList(empty=NO_HISTORY, id="task-history")
        self.task_raw = Exact(numbers=True, id="task-raw")
        super().__init__(
            PaneHeader(tabs=(Tab("task", "task"),)),
            self.task_prose,
            self.task_log,
            self.task_flags,
            self.task_history,
            self.task_raw,
            id=id,
            classes="pane",
        )
        self.task_row: BoardRow | None = None
        self.task_shown: Task | None = None
        self.task_now: datetime | None = None
        self.task_hidden: frozenset[str] = frozenset()
        self.task_lacking = frozenset(() if history else ("history",))
        self.task_title = ""
        self._task_chosen = TABS[0]
        self._task_filled: dict[str, tuple[str, str]] = {}

    @property
    def tab(self) -> str:
        """The tab in sight."""
        return self.pane_header.head_tab or TABS[0]

    @property
    def tab_bodies(self) -> dict[str, Widget]:
        """The widget of each tab."""
        return {
            "task": self.task_prose,
            "log": self.task_log,
            "flags": self.task_flags,
            "history": self.task_history,
            "raw": self.task_raw,
        }

    @property
    def focus_view(self) -> View:
        """What the focus goes to in the tab in sight."""
        views: dict[str, View] = {
            "task": self.task_prose,
            "log": self.task_log.entries,
            "flags": self.task_flags.flags,
            "history": self.task_history,
            "raw": self.task_raw,
        }
        return views[self.tab]

    def on_mount(self) -> None:
        self._show_tab()

    def show_row(self, row: BoardRow | None, task: Task | None, now: datetime) -> None:
        """Show a task as read (None: it cannot be, or is not read yet); another task begins at
        its top."""
        self.task_row, self.task_shown, self.task_now = row, task, now
        before, inside = self.tab, self.has_focus_within
        self.pane_header.set_tabs(self._tabs(), self._wanted())
        self._show_tab()
        if inside and self.tab != before:
            self.focus_view.focus()

    def _wanted(self) -> str:
        """The tab the person chose; what is wrong, instead of the text of a task it stops."""
        stopped = any(found.stops for found in self._flags())
        names = self._names()
        tab = self._task_chosen if self._task_chosen in names else TABS[0]
        return "flags" if stopped and tab == "task" and "flags" in names else tab

    def set_title(self, title: str, end: str = "") -> None:
        """The words before the tabs and at the right end of the header."""
        self.task_title = title
        self.pane_header.set_title(title)
        self.pane_header.set_end(end)

    def show_versions(self, rows: Sequence[Row]) -> None:
        """Fill the tab of versions, the latest first; the cursor follows it only from the first."""
        first = self.task_history.cursor == 0
        self.task_history.set_rows(rows)
        if first:
            self.task_history.jump(0)
        self.pane_header.set_tabs(self._tabs(), self._wanted())

    def hide_tabs(self, names: Iterable[str]) -> None:
        """Leave out tabs that are shown elsewhere."""
        self.task_hidden = frozenset(names)
        self.pane_header.set_tabs(self._tabs(), self._wanted())
        self._show_tab()

    def show_tab(self, name: str) -> None:
        """Bring a tab into sight; the focus stays in the pane if it was there."""
        if name in self._known():
            self._task_chosen = name
            inside = self.has_focus_within
            self.pane_header.set_tabs(self._tabs(), name if name in self._names() else TABS[0])
            self._show_tab()
            if inside:
                self.focus_view.focus()

    def step_tab(self, step: int) -> None:
        """The next tab, or the one before."""
        names = self._names()
        self.show_tab(names[(names.index(self.tab) + step) % len(names)])

    def go_to_line(self, line: int) -> None:
        """Show a line of the file, from 1."""
        self.show_tab("raw")
        self.task_raw.goto(line - 1)
        if self.has_focus_within:
            self.task_raw.focus()

    @on(PaneHeader.TabPressed)
    def _tab_pressed(self, event: PaneHeader.TabPressed) -> None:
        event.stop()
        self.show_tab(event.name)
        self.focus_view.focus()

    @on(View.Sideways)
    def _sideways(self, event: View.Sideways) -> None:
        event.stop()
        self.step_tab(event.step)

    @on(LogView.RawAsked)
    def _raw_asked(self, event: LogView.RawAsked) -> None:
        event.stop()
        self.go_to_line(event.line)

    @on(FlagView.PlaceAsked)
    def _place_asked(self, event: FlagView.PlaceAsked) -> None:
        if self.task_row is not None and event.found.file == self.task_row.path:
            event.stop()
            self.go_to_line(event.found.line or 1)

    def _known(self) -> list[str]:
        return [name for name in TABS if name not in self.task_hidden | self.task_lacking]

    def _names(self) -> list[str]:
        """The tabs that have something to say: of no task, or of one that cannot be read, few."""
        if self.task_shown is not None:
            return self._known()
        few = TABS[:1] if self.task_row is None else (TABS[0], "flags")
        return [name for name in self._known() if name in few]

    def _tabs(self) -> list[Tab]:
        row, task = self.task_row, self.task_shown
        if row is None:
            return [Tab(name, name) for name in self._names()]
        counts = {
            "log": len(task.entries) if task is not None else 0,
            "flags": len(self._flags()),
            "history": len(self.task_history.rows),
        }
        return [Tab(n, f"{n} {counts[n]}" if n in counts else n) for n in self._names()]

    def _flags(self) -> tuple[Diagnostic, ...]:
        if self.task_row is not None:
            return self.task_row.diagnostics
        return self.task_shown.diagnostics if self.task_shown is not None else ()

    def _show_tab(self) -> None:
        for name, body in self.tab_bodies.items():
            body.display = name == self.tab
        self._fill()

    def _fill(self) -> None:
        """Give the tab in sight its text, if it has another by now."""
        row, task, now = self.task_row, self.task_shown, self.task_now
        if now is None or not self.is_mounted:
            return
        tab, old = self.tab, self._task_filled.get(self.tab)
        stamp = (row.name if row is not None else "", task.sha256 if task is not None else "")
        if tab == "flags":
            self.task_flags.show_flags(self._flags())
        if old == stamp:
            return
        self._task_filled[tab] = stamp
        another = old is None or old[0] != stamp[0]
        if tab == "task":
            self.task_prose.set_text(self._text(row, task, now), top=another)
        elif tab == "log":
            self.task_log.show_task(task, now)
        elif tab == "raw":
            self.task_raw.set_text(task.text if task is not None else "", top=another)

    def _text(self, row: BoardRow | None, task: Task | None, now: datetime) -> str:
        unread = row.unread if row is not None else None
        if unread is not None:
            return literal(unread.message) + "\n\n" + literal(unread.hint)
        if task is None:
            return ""
        return task_text(task, self.task_prose.symbols, now)
