"""Role styles: the roles of pieces as styles under one theme; it reads no theme file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.app import App

from mandrel_tui.ui.clean import label
from mandrel_tui.ui.line import Piece
from mandrel_tui.ui.theme import ATTRIBUTES, GROUNDS, VARIABLES


class RoleStyles:
    """Rich styles for the roles of pieces under one theme."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        """`variables` is `App.theme_variables`."""
        self._variables = variables
        self._made: dict[str, Style] = {}
        self.cursor_roles = variables.get("cursor-roles", "true") == "true"

    def style(self, role: str) -> Style:
        """The style of a role with its attributes; an unknown word adds nothing."""
        if role not in self._made:
            self._made[role] = Style.combine(self._word(word) for word in role.split())
        return self._made[role]

    @property
    def cursor(self) -> Style:
        """The ground and text of the cursor row."""
        words = self._variables.get("role-cursor", "")
        if words == "reverse":
            return Style(reverse=True)
        return self.style("cursor-text") + self.style("cursor")

    @property
    def cursor_blurred(self) -> Style:
        """The cursor row of a list without focus."""
        return self.style("bar")

    @property
    def _off(self) -> Style:
        """What cannot act: in the colour of lines, or faint where lines have none."""
        return self.style("line") or Style(dim=True)

    def paint(self, pieces: Iterable[Piece], base: Style, one: bool = False) -> list[Segment]:
        """Pieces as segments over a base style; with `one`, in the base colour alone. A piece that
        was not cleaned is cleaned here at the latest."""
        return [
            Segment(
                text if text.isprintable() else label(text),
                base if one else base + self.style(role),
            )
            for text, role in pieces
        ]

    def _word(self, word: str) -> Style:
        if word in ATTRIBUTES:
            return Style.parse(word)
        if word == "off":
            return self._off
        value = self._variables.get(f"role-{word}") or self._variables.get(VARIABLES.get(word, ""))
        if not value or word not in VARIABLES:
            return Style()
        if value.startswith("#"):
            back = word in GROUNDS and word != "cursor-text"
            return Style(bgcolor=value[:7]) if back else Style(color=value[:7])
        return Style.parse(" ".join(w for w in value.split() if w != "default") or "none")


_styles: dict[tuple[int, str], RoleStyles] = {}


def role_styles(app: App[Any]) -> RoleStyles:
    """The styles under the app's theme of this moment."""
    key = (id(app), app.theme)
    if key not in _styles:
        _styles.clear()
        _styles[key] = RoleStyles(dict(app.theme_variables))
    return _styles[key]
