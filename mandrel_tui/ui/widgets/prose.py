"""Prose: Markdown to read, laid out off the event loop and drawn line by line; links are shown, not
followed, and nothing in the text is markup of the program."""

from __future__ import annotations

from bisect import bisect_left

from textual import work
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.worker import Worker, WorkerState, get_current_worker

from mandrel_tui.ui.line import Line, marked
from mandrel_tui.ui.markdown import Laid, lay_out, plain_rows
from mandrel_tui.ui.search import Hits, hits_in_rows
from mandrel_tui.ui.widgets.view import Found, View

WIDEST = 88  # cells; longer rows are hard to read
PAD = 1


class Prose(View):
    """Read-only Markdown; a reload or another width keeps the line at the top."""

    class Shown(Message):
        """A text has been laid out and stands on the screen."""

        def __init__(self, prose: Prose) -> None:
            super().__init__()
            self.prose = prose

        @property
        def control(self) -> Prose:
            return self.prose

    def __init__(
        self, text: str = "", *, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.prose_text = text
        self._prose_rows: tuple[Laid, ...] = ()
        self._prose_key: tuple[str, Size] | None = None
        self._prose_hits = Hits()
        self._prose_query = ""
        self._prose_top = True

    def set_text(self, text: str, *, top: bool = False) -> None:
        """Show a text; with `top` from its first line, else from the line that stands there."""
        self._prose_top = self._prose_top or top
        self.prose_text = text
        self._lay_out()

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows as laid out, for tests and readers."""
        return tuple(laid.line.text for laid in self._prose_rows)

    def find(self, text: str) -> Found:
        self._prose_query = text
        self._search(self.top)
        if self._prose_hits.count:
            self._bring()
        self.refresh()
        return self._found

    def find_next(self, step: int) -> Found:
        self._prose_hits = self._prose_hits.moved(step)
        if self._prose_hits.count:
            self._bring()
        self.refresh()
        return self._found

    def on_resize(self) -> None:
        self._lay_out()

    def render_line(self, y: int) -> Strip:
        at = y + self.top
        if at >= len(self._prose_rows):
            return self.blank()
        left = marked(self._prose_rows[at].line.left, self._prose_hits.on(at))
        return self.strip(Line(((" " * PAD, "text"), *left)), self.rich_style)

    @property
    def _found(self) -> Found:
        hits = self._prose_hits
        count = hits.count
        return Found(count, count, hits.current + 1 if count else 0, hits.more)

    def _lay_out(self) -> None:
        room = self.content_region.size
        key = (self.prose_text, room)
        if room.width > 2 * PAD and room.height and key != self._prose_key:
            self._prose_key = key
            self._work(self.prose_text, room)

    @work(thread=True, exclusive=True, group="prose", exit_on_error=False)
    def _work(self, text: str, room: Size) -> None:
        def laid(width: int) -> tuple[Laid, ...]:
            return lay_out(text, min(width - 2 * PAD, WIDEST), symbols)

        symbols = self.symbols
        rows = laid(room.width)
        if len(rows) > room.height and room.width - 2 * PAD <= WIDEST:
            rows = laid(room.width - 1)
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self._show, (text, room), rows)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A text that cannot be laid out as Markdown is shown as it is."""
        if event.state is WorkerState.ERROR and self._prose_key is not None:
            text, room = self._prose_key
            self._show(self._prose_key, plain_rows(text, max(room.width - 2 * PAD - 1, 1)))

    def _show(self, key: tuple[str, Size], rows: tuple[Laid, ...]) -> None:
        if key != self._prose_key or not self.is_attached:
            return
        top = 0 if self._prose_top else self._kept(rows)
        self._prose_top = False
        self._prose_rows = rows
        self._search(top)
        if self._prose_query:
            self.post_message(self.Refound(self, self._found))
        self.virtual_size = Size(0, len(rows))
        self.scroll_row(top)
        self.refresh()
        self.post_message(self.Shown(self))

    def _kept(self, rows: tuple[Laid, ...]) -> int:
        """Where the row at the top stands among new rows: the nearest of the same words, else the
        row of the same source line."""
        if not self._prose_rows or not self.top:
            return 0
        old = self._prose_rows[min(self.top, len(self._prose_rows) - 1)]
        same = [at for at, row in enumerate(rows) if row.line.text == old.line.text]
        if same and old.line.text:
            return min(same, key=lambda at: abs(at - self.top))
        return bisect_left(rows, old.source, key=lambda row: row.source)

    def _search(self, row: int) -> None:
        self._prose_hits = hits_in_rows(self.rows, self._prose_query, row)

    def _bring(self) -> None:
        row = self._prose_hits.place[0]
        if not self.top <= row < self.top + self.page:
            self.scroll_row(row - self.page // 3)
