"""Founding: how the app comes to a repository: looks where it stands, sets one up, makes the
sample, opens another; the work itself is in `places.py`, in threads."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from mandrel_tui.protocol.tree import Tree
from mandrel_tui.ui import places
from mandrel_tui.ui.line import line
from mandrel_tui.ui.messages import AskFolder, AskLook, AskSample, AskSetUp
from mandrel_tui.ui.present_top import tree_pieces
from mandrel_tui.ui.screens.start import StartScreen
from mandrel_tui.ui.seat import Seat, off
from mandrel_tui.ui.widgets.written import Asking
from mandrel_tui.workspace.typed import typed_path

AGAIN = 1.0  # seconds between two looks for tasks while there are none


class Founding(Seat):
    """The app's part before there is a board."""

    async def open(self, root: Path) -> None:
        """Work on a repository that has tasks."""
        raise NotImplementedError

    async def look(self, start: Path, explicit: bool) -> None:
        """Open what is there, or show the first screen and keep looking."""
        self._stop_looking()
        self.start, self.explicit = start, explicit
        found = await off(places.look, start, explicit=explicit)
        if found.root is not None:
            await self.open(found.root)
            return
        screen = self.screen
        if isinstance(screen, StartScreen):
            screen.take_place(found.place)
        else:
            await self.replace_all(StartScreen(self.facts, found.place))
        self.work("looking", self._keep_looking, only=True)
        self._tell_tree(await off(places.tree, start, explicit=explicit))

    def _tell_tree(self, tree: Tree | None) -> None:
        """Which branch is meant, where tasks would be laid or are offered from elsewhere."""
        if tree is not None and self.workspace is None:
            pieces = tree_pieces(tree, self.symbols)
            self.tell(replace(self.facts, tree=pieces, tree_tip=tree.words))

    def _stop_looking(self) -> None:
        """Leave it to whoever asked to open what is there."""
        self.workers.cancel_group(self, "looking")

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(AGAIN)
            found = await off(places.look, self.start, explicit=self.explicit)
            if found.root is not None:
                await self.open(found.root)
                return
            for screen in self.frames():
                if isinstance(screen, StartScreen) and screen.place != found.place:
                    screen.take_place(found.place)

    def on_ask_look(self, event: AskLook) -> None:
        self.work("look", self.look, self.start, self.explicit, only=True)

    def on_ask_folder(self, event: AskFolder) -> None:
        self.work("look", self._open_folder, event.path, only=True)

    async def _open_folder(self, path: str) -> None:
        typed: str | None = path
        if not path:
            said = [line("The folder of a repository:")]
            typed = await self.push_screen_wait(
                Asking("open another folder", said, f"{Path.cwd()}/")
            )
        if typed is not None:
            await self.look(typed_path(Path.cwd(), typed), bool(path))

    def on_ask_sample(self, event: AskSample) -> None:
        self.work("look", self._open_sample, only=True)

    async def _open_sample(self) -> None:
        root, said = await off(places.make_sample, self.clock())
        if root is not None:
            self._stop_looking()
            await self.open(root)
        self.result(said, "text" if root is not None else "fail")

    def on_ask_set_up(self, event: AskSetUp) -> None:
        if event.write:
            self.work("look", self._set_up, event.loader, only=True)
        else:
            self.work("look", self._plan_set_up, only=True)

    async def _plan_set_up(self) -> None:
        root = await off(places.root_of, self.start, explicit=self.explicit)
        planned = await off(places.planned, root, self.clock())
        for screen in self.frames():
            if isinstance(screen, StartScreen):
                screen.take_planned(planned)

    async def _set_up(self, loader: bool) -> None:
        root = await off(places.root_of, self.start, explicit=self.explicit)
        self._stop_looking()
        said, done = await off(places.set_up, root, self.clock(), loader=loader)
        await self.look(self.start, self.explicit)
        self.result(said, "text" if done else "fail")
