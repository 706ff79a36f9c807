"""Applying: a step whose plan may be under way: then every way out of it waits; it carries nothing
out."""

from __future__ import annotations

from mandrel_tui.ui.step import StepScreen


class Applying(StepScreen):
    """A step that cannot be left while what it shows is being done."""

    @property
    def applying(self) -> bool:
        """Whether it is being done now."""
        raise NotImplementedError

    def _waits(self) -> bool:
        """Say that keys wait, while the plan is carried out."""
        applying = self.applying
        if applying:
            self.say("it is being applied; keys wait", "you")
        return applying

    def why(self, action: str) -> str:
        waiting = action.startswith(("apply.", "tab.", "text.", "app.undo"))
        return "it is being applied" if waiting and self.applying else super().why(action)

    def action_app_back(self) -> None:
        if not self._waits():
            super().action_app_back()

    def action_app_quit(self) -> None:
        if not self._waits():
            super().action_app_quit()

    def action_app_board(self) -> None:
        if not self._waits():
            super().action_app_board()

    def action_app_inbox(self) -> None:
        if not self._waits():
            super().action_app_inbox()

    def action_app_go(self) -> None:
        if not self._waits():
            super().action_app_go()

    async def top_pressed(self, name: str) -> None:
        if not self._waits():
            await super().top_pressed(name)
