"""StepScreen: what the steps of closing out and curating share: the row of steps, the desk they
decide on, undo; it knows no content of a step and no workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult

from mandrel_tui.protocol.desk import Desk
from mandrel_tui.ui.desk_messages import AskStep, Decided
from mandrel_tui.ui.frame import Frame
from mandrel_tui.ui.line import Line
from mandrel_tui.ui.messages import Facts
from mandrel_tui.ui.present import words
from mandrel_tui.ui.present_desk import desk_title, steps_of
from mandrel_tui.ui.widgets.steps import Steps
from mandrel_tui.ui.widgets.written import Writing


class StepScreen(Frame):
    """One step; `STEP` is its name."""

    STEP: ClassVar[str] = ""

    def __init__(
        self, facts: Facts, desk: Desk, drafts: MutableMapping[str, str] | None = None
    ) -> None:
        """`drafts` keeps what was typed into a dialog that was left."""
        super().__init__(facts)
        self.desk = desk
        self.drafts: MutableMapping[str, str] = {} if drafts is None else drafts

    def body(self) -> ComposeResult:
        yield Steps(id="steps")
        yield from self.step_body()

    def step_body(self) -> ComposeResult:
        """The panes of this step."""
        yield from ()

    def show_desk(self) -> None:
        """Show what is on the desk; place and focus stay."""

    def on_mount(self) -> None:
        super().on_mount()
        self.take_desk(self.desk)

    def learn(self, value: object) -> None:
        if isinstance(value, Desk) and value.name == self.desk.name:
            self.take_desk(value)

    def take_desk(self, desk: Desk) -> None:
        """The desk as it is now."""
        self.desk = desk
        if self.in_place:
            self._steps()
            self.show_desk()
            self.retell()

    def decide(self, desk: Desk) -> None:
        """Go on with another desk, and have it kept."""
        self.post_message(Decided(desk))
        self.take_desk(desk)

    def _steps(self) -> None:
        title = desk_title(self.desk, self.symbols)
        self.query_one("#steps", Steps).set_steps(
            title, steps_of(self.desk, self.symbols), self.STEP
        )

    def labels(self) -> Mapping[str, str]:
        names = [step.name for step in steps_of(self.desk, self.symbols)]
        at = names.index(self.STEP)
        around = {"tab.next": at + 1, "tab.prev": at - 1}
        return {key: names[place] for key, place in around.items() if 0 <= place < len(names)}

    @staticmethod
    def draft_key(title: str, text: str) -> str:
        """Under what the draft of a dialog is kept: what was asked, and on what."""
        return f"{title}\0{text}"

    def write(
        self,
        title: str,
        said: Iterable[Line],
        text: str,
        then: Callable[[str], None],
        verb: str = "keep",
    ) -> None:
        """Have a text written; one that was left comes back when the same is asked again."""
        key = self.draft_key(title, text)
        writing = Writing(title, said, self.drafts.pop(key, text), verb)

        async def wait() -> None:
            written = await self.app.push_screen_wait(writing)
            if written is not None:
                then(written)
            elif writing.draft != text:
                self.drafts[key] = writing.draft

        self.run_worker(wait(), group="dialog", exit_on_error=False)

    @on(Steps.Pressed)
    def _pressed_step(self, event: Steps.Pressed) -> None:
        event.stop()
        names = [step.name for step in steps_of(self.desk, self.symbols)]
        at, wanted = names.index(self.STEP), names.index(event.name)
        if at == wanted or self.refused("tab.next" if wanted > at else "tab.prev"):
            return
        if event.name == "verify" and not self.desk.native:
            self.say("verify: nothing is applied yet", "you")
        else:
            self.post_message(AskStep(event.name))

    def action_tab_next(self) -> None:
        self._go_step("tab.next")

    def action_tab_prev(self) -> None:
        self._go_step("tab.prev")

    def _go_step(self, action: str) -> None:
        if not self.refused(action):
            self.post_message(AskStep(self.labels()[action]))

    def why(self, action: str) -> str:
        if action in ("tab.next", "tab.prev") and action not in self.labels():
            return "this is the last step" if action == "tab.next" else "this is the first step"
        if action == "app.undo" and not self.desk.past:
            return "nothing was decided since this was opened"
        return ""

    def action_app_undo(self) -> None:
        if self.refused("app.undo"):
            return
        undone = self.desk.undone()
        if undone is None:
            self.say("undo: what was decided is open again already", "you")
            return
        before, (desk, said) = self.desk, undone
        self.decide(desk)
        self.go_back_to(before)
        self.say(f"taken back: {words(said, self.symbols)}")

    def go_back_to(self, before: Desk) -> None:
        """Show what is decided otherwise now than it was `before`."""
