"""StartScreen: a folder without tasks: what was looked for, what was found, what can be done; it
looks nowhere itself and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widget import Widget

from mandrel_tui.protocol.legible import counted
from mandrel_tui.ui.actions import START
from mandrel_tui.ui.desk_messages import AskCurate
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.keys import DEFAULTS
from mandrel_tui.ui.line import Line, line
from mandrel_tui.ui.messages import (
    AskFolder,
    AskLook,
    AskSample,
    AskSetUp,
    Facts,
    Place,
    Planned,
)
from mandrel_tui.ui.present import words
from mandrel_tui.ui.triage_messages import AskUndo
from mandrel_tui.ui.widgets.dialog import Choice, Question
from mandrel_tui.ui.widgets.exact import Exact
from mandrel_tui.ui.widgets.header import PaneHeader
from mandrel_tui.ui.widgets.lines import Lines
from mandrel_tui.ui.widgets.pane import Pane
from mandrel_tui.ui.widgets.rows import Row, RowList

SET_UP, SAMPLE, FOLDER, CURATE = "set up", "sample", "folder", "curate "
LABEL = 22  # cells of a choice's name


class StartScreen(Frame):
    """The first screen of a repository that has no tasks."""

    PLACE = START
    ROW = ("list.open", "start.again", "app.quit", "app.help")
    PLANNED = ("text.ok", "list.open", "app.pane-next", "app.back", "app.help")
    ACTS = ("list.open", "text.ok", "start.again")
    BINDINGS: ClassVar[list[BindingType]] = DEFAULTS.bindings(START)
    CSS_PATH = "start.tcss"

    def __init__(self, facts: Facts, place: Place) -> None:
        super().__init__(facts)
        self.place = place
        self.planned: Planned | None = None

    def body(self) -> ComposeResult:
        self.choices = RowList(id="choices-list")
        self.files = RowList(id="files-list")
        self.text = Exact(id="file-text")
        yield Pane(
            PaneHeader("no tasks here yet"),
            Lines(id="about"),
            self.choices,
            Lines(id="shell"),
            id="choices",
            classes="pane",
        )
        yield Pane(PaneHeader("set up Mandrel here"), self.files, id="files", classes="pane")
        yield Pane(PaneHeader("text"), self.text, id="text", classes="pane")

    def on_mount(self) -> None:
        super().on_mount()
        self.take_place(self.place)
        self.choices.focus()

    def take_place(self, place: Place) -> None:
        """What is found here now."""
        self.place = place
        self.query_one("#about", Lines).set_lines(self._about(place))
        self.choices.set_rows(list(self._choices(place)))
        named = place.memory[0] if place.memory else "FILE"
        shell = f"from a shell: mandrel-tui curate {named}, init, demo"
        self.query_one("#shell", Lines).set_lines([line(""), line(shell, "quiet")])
        self.retell()

    def _about(self, place: Place) -> Iterable[Line]:
        yield line(words(place.path, self.symbols), "text bold")
        if place.fault:
            yield line(words(place.fault, self.symbols), "fail")
        if place.note:
            yield line(words(place.note, self.symbols), "you")
        told = (("looked for  ", "   ".join(place.looked)), ("found       ", _list(place.found)))
        for label, text in told:
            yield Line(((label, "quiet"), (words(text, self.symbols), "text")), (), len(label))
        yield line("")

    def _choices(self, place: Place) -> Iterable[Row]:
        for at, offer in enumerate(place.offers):
            path, what = words(offer.path, self.symbols), words(offer.words, self.symbols)
            yield Row(f"offer {at}", ((f"Open {path}", "text"),), ((f"{what} ", "quiet"),))
        for name in place.memory:
            label = f"Curate {name}"
            yield self._choice(CURATE + name, label, "three tests a fact, nothing else")
        if not place.fault:
            yield self._choice(SET_UP, "Set up Mandrel here", "shows the file list first")
        yield self._choice(SAMPLE, "Open the sample", "every state, in a scratch folder")
        yield self._choice(FOLDER, "Open another folder", "")

    def _choice(self, key: str, label: str, note: str) -> Row:
        shown = words(label, self.symbols)
        gap = " " * max(LABEL - len(shown), 2)
        return Row(key, ((shown, "text"), (gap + words(note, self.symbols), "quiet")), find=shown)

    def action_app_undo(self) -> None:
        self.post_message(AskUndo())

    def sentence(self) -> Line:
        if self.planned is not None:
            return line("nothing is written yet; ctrl+o writes these files", "quiet")
        return line("when tasks appear here, the board opens", "quiet")

    def row_keys(self) -> tuple[str, ...]:
        return self.ROW if self.planned is None else self.PLANNED

    def why(self, action: str) -> str:
        if action == "text.ok" and self.planned is None:
            return "choose what to set up first"
        if action == "list.copy-id":
            return "no repository is open"
        return ""

    def panes(self) -> Iterable[Widget]:
        return (self.choices,) if self.planned is None else (self.files, self.text)

    @on(RowList.Opened, "#choices-list")
    def _opened(self, event: RowList.Opened) -> None:
        event.stop()
        if event.key == SET_UP:
            self.post_message(AskSetUp())
        elif event.key.startswith(CURATE):
            self.post_message(AskCurate(event.key.removeprefix(CURATE)))
        elif event.key == SAMPLE:
            self.post_message(AskSample())
        elif event.key == FOLDER:
            self.post_message(AskFolder())
        else:
            self.post_message(AskFolder(self.place.offers[int(event.key.split()[1])].path))

    def action_list_copy_id(self) -> None:
        self.refused("list.copy-id")

    def action_start_again(self) -> None:
        self.post_message(AskLook())

    # What setting up would write.

    def take_planned(self, planned: Planned) -> None:
        if planned.refusal:
            self.say(f"nothing is set up: {planned.refusal}", "fail")
            return
        self.planned = planned
        self.add_class("-planned")
        rows = [
            Row(path, ((path, "text"),), ((note + " ", "quiet"),))
            for path, note in (*planned.files, *planned.loaders)
        ]
        self.files.set_rows(rows)
        title = f"set up Mandrel here: {counted(len(planned.files), 'file')}"
        loaders = f", {counted(len(planned.loaders), 'loader block')}" if planned.loaders else ""
        self.query_one("#files", Pane).pane_header.set_title(title + loaders)
        self.files.focus()
        self._show_text()
        self.retell()

    @on(RowList.Highlighted, "#files-list")
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._show_text()

    @on(RowList.Opened, "#files-list")
    def _file_opened(self, event: RowList.Opened) -> None:
        event.stop()
        self.text.focus()

    def _show_text(self) -> None:
        if self.planned is None:
            return
        self.query_one("#text", Pane).pane_header.set_title(self.files.key or "text")
        text = self.planned.texts.get(self.files.key, "")
        roles = {at: _role(row) for at, row in enumerate(text.split("\n"))}
        self.text.set_text(text, top=True, roles=roles)

    def action_text_ok(self) -> None:
        planned = self.planned
        if self.refused("text.ok") or planned is None:
            return
        if not planned.loaders:
            self.post_message(AskSetUp(write=True))
            return
        said = [
            line("The loader block tells every session of the contracts, in:"),
            *(line(f"  {path}") for path, _ in planned.loaders),
            line("Without it a session knows them from its prompt alone."),
        ]
        choices = (
            Choice("leave", "Nothing", "n"),
            Choice("files", "Files alone", "f"),
            Choice("all", "Files and loader", "l"),
        )
        self.ask(Question("add the loader block too?", said, choices, "leave"), self._write)

    def _write(self, answer: str) -> None:
        if answer != "leave":
            self.post_message(AskSetUp(write=True, loader=answer == "all"))

    def action_app_back(self) -> None:
        if self.planned is None:
            super().action_app_back()
            return
        self.planned = None
        self.remove_class("-planned")
        self.choices.focus()
        self.retell()


def _role(row: str) -> str:
    """The role of one row of a diff."""
    if row.startswith("+"):
        return "pass"
    return "fail" if row.startswith("-") else "accent" if row.startswith("@@") else "text"


def _list(found: tuple[str, ...]) -> str:
    return "   ".join(found) or "nothing of Mandrel"
