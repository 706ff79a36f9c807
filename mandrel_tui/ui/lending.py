"""Lending: how the app gives its terminal to another program and takes it back; it starts none."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from textual import on
from textual.app import SuspendNotSupported
from textual.driver import Driver

from mandrel_tui.ui.handing import Handing
from mandrel_tui.ui.messages import AskEditor
from mandrel_tui.ui.seat import off
from mandrel_tui.ui.widgets.text import EditorAsked
from mandrel_tui.workspace import editor

Fact = TypeVar("Fact")


class NotLent(Exception):
    """This terminal cannot be given to another program; the message says why."""


class Lending(Handing):
    """The app's part that lends its terminal."""

    def lend(self, job: Callable[[], Fact]) -> Fact:
        """The fact of a job that has the terminal while it runs; raises what the job raised, once
        the terminal is ours again, and NotLent."""
        facts: list[Fact] = []
        failures: list[BaseException] = []
        try:
            with self.suspend():
                # What leaves the block would keep Textual from taking the terminal back.
                try:
                    facts.append(job())
                except BaseException as failure:
                    failures.append(failure)
        except SuspendNotSupported:
            raise NotLent("this terminal cannot be given to another program") from None
        if failures:
            raise failures[0]
        return facts[0]

    async def lent(self, job: Callable[[], Fact]) -> Fact:
        """As `lend`; where there is no terminal to give, the job is done beside the event loop."""
        if self._driver is not None and self._driver.is_headless:
            return await off(job)
        return self.lend(job)

    def action_suspend(self) -> None:
        """Stop the program, where a shell can bring it back."""
        if _shell():
            self.action_suspend_process()
        else:
            self.result("no shell here could bring the program back: it goes on")

    @on(Driver.SignalResume)
    def _brought_back(self) -> None:
        """The terminal was somebody else's meanwhile, and is empty now."""
        self.refresh(layout=True)

    @on(EditorAsked)
    def _editor_asked(self, event: EditorAsked) -> None:
        """A dialog wants its text written elsewhere."""
        event.stop()
        self.on_ask_editor(AskEditor(event.text, "text.md", event.take))

    def on_ask_editor(self, event: AskEditor) -> None:
        self.work("editor", self._edit, event)

    async def _edit(self, event: AskEditor) -> None:
        data = event.text.encode("utf-8", "surrogateescape")
        root = self.workspace.root if self.workspace is not None else self.start
        try:
            after = await self.lent(
                lambda: editor.edited(data, event.file, self.settings.editor, cwd=root)
            )
        except (editor.EditorError, NotLent) as error:
            self.result(str(error), "fail")
            event.fail(str(error))
            return
        event.take(after.decode("utf-8", "surrogateescape"))


def _shell() -> bool:
    """Whether who started the program is a shell of the same terminal, which made it a job."""
    with suppress(OSError, AttributeError):
        starter = os.getppid()
        return os.getsid(starter) == os.getsid(0) and os.getpgid(starter) != os.getpgrp()
    return False
