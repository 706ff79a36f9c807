"""Themes: every role can be read on every ground, and NO_COLOR means none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.style import Style

from mandrel_tui.ui.line import ROLES
from mandrel_tui.ui.role_styles import RoleStyles
from mandrel_tui.ui.theme import (
    GROUNDS,
    choose,
    no_colour,
    shipped,
    user_themes,
)

TRUE = ("dark", "light", "contrast")
# The least contrast of each role on page, card and bar, as WCAG 2 measures it.
MEASURED = {
    "text": (11.1, 12.3, 17.8),
    "quiet": (6.2, 5.2, 12.2),
    "accent": (7.2, 5.6, 12.7),
    "dev": (6.9, 6.0, 10.5),
    "review": (7.1, 6.4, 10.8),
    "you": (7.9, 5.6, 12.9),
    "pass": (7.9, 5.9, 13.3),
    "fail": (6.2, 5.6, 9.6),
    "line": (3.2, 3.1, 8.1),
}
# Text on the grounds of a diff, then the `+` and `-` on theirs.
ON_DIFF = {
    ("text", "add"): (10.8, 12.8, 14.0),
    ("text", "add-word"): (6.8, 10.4, 8.6),
    ("text", "del"): (11.4, 12.3, 16.1),
    ("text", "del-word"): (8.1, 9.5, 11.9),
    ("pass", "add"): (7.7, 6.1, 10.5),
    ("fail", "del"): (6.4, 5.7, 8.7),
}


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two `#rrggbb` colours as WCAG 2 defines it, 1 to 21."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def floor(value: float) -> float:
    """A ratio as the table has it: one decimal, nothing rounded up."""
    return int(value * 10 + 1e-9) / 10


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("theme", TRUE)
def test_a_role_can_be_read_on_every_ground(theme: str, role: str) -> None:
    colours = shipped()[theme].colours
    worst = min(contrast(colours[role], colours[ground]) for ground in ("page", "card", "bar"))
    assert worst == pytest.approx(MEASURED[role][TRUE.index(theme)], abs=0.1)
    assert worst >= (3 if role == "line" else 4.5)


@pytest.mark.parametrize("pair", ON_DIFF)
@pytest.mark.parametrize("theme", TRUE)
def test_changed_text_can_be_read(theme: str, pair: tuple[str, str]) -> None:
    colours = shipped()[theme].colours
    found = contrast(colours[pair[0]], colours[pair[1]])
    assert found == pytest.approx(ON_DIFF[pair][TRUE.index(theme)], abs=0.1)
    assert found >= 4.5


@pytest.mark.parametrize("theme", TRUE)
def test_the_cursor_row_can_be_read(theme: str) -> None:
    shown = shipped()[theme]
    drawn = [role for role in ROLES if role != "line"] if shown.cursor_roles else []
    for role in (*drawn, "cursor-text"):
        assert contrast(shown.colours[role], shown.colours["cursor"]) >= 4.5, role


def test_contrast_is_what_wcag_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_the_stylesheet_gets_exactly_the_colours_of_the_file() -> None:
    dark = shipped()["dark"]
    assert dark.variables["foreground"] == "#dce1e8"
    assert dark.variables["primary"] == "#86b4f7"
    assert dark.variables["block-cursor-background"] == "#283b4f"
    assert dark.variables["quiet"] == "#9fa9b6"


def test_a_role_carries_its_attributes() -> None:
    styles = RoleStyles(shipped()["dark"].variables)
    assert styles.style("review bold") == Style(color="#c9a6f5", bold=True)
    assert styles.style("text add-word") == Style(color="#dce1e8", bgcolor="#22532f")
    assert styles.style("no-such-role") == Style()


def test_the_ansi_theme_colours_marks_only_and_reverses_the_cursor() -> None:
    styles = RoleStyles(shipped()["ansi"].variables)
    assert styles.style("text") == styles.style("dev") == Style()
    assert styles.style("you") == Style(color="magenta", bold=True)
    assert styles.style("del-word") == Style(underline=True)
    assert styles.cursor == Style(reverse=True)
    assert not styles.cursor_roles


def test_an_empty_no_color_is_removed_and_asks_for_nothing() -> None:
    empty, full, none = {"NO_COLOR": ""}, {"NO_COLOR": "0"}, {}
    assert not no_colour(empty)
    assert empty == {}
    assert no_colour(full)
    assert not no_colour(none)


@pytest.mark.parametrize(
    ("setting", "environ", "chosen"),
    [
        ("auto", {}, "dark"),
        ("auto", {"COLORFGBG": "15;0"}, "dark"),
        ("auto", {"COLORFGBG": "0;default;15"}, "light"),
        ("auto", {"COLORFGBG": "nonsense"}, "dark"),
        ("contrast", {"COLORFGBG": "0;15"}, "contrast"),
    ],
)
def test_light_is_chosen_only_where_the_terminal_says_so(setting, environ, chosen) -> None:
    assert choose(setting, environ) == chosen


def written(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def dark_toml() -> str:
    from mandrel_tui.resources import bundled

    return (bundled("themes") / "dark.toml").read_text(encoding="utf-8")


def test_every_shipped_theme_passes_the_check_of_a_users_theme() -> None:
    from mandrel_tui.resources import bundled

    made, faults = user_themes(bundled("themes"))
    assert faults == []
    assert made == shipped()


def test_a_users_theme_is_found_by_its_file_name(tmp_path: Path) -> None:
    written(tmp_path, dark_toml().replace("#15181d", "#101010"))
    made, faults = user_themes(tmp_path)
    assert faults == []
    assert made["mine"].colours["page"] == "#101010"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('text = "#dce1e8"', 'text = "mauve"'), "roles.text: no colour of this kind of theme"),
        (('quiet = "#9fa9b6"', 'quite = "#9fa9b6"'), "roles.quite: there is no such key"),
        (("[roles]", "[roles"), "mine.toml"),
        (("dark = true", 'dark = "perhaps"'), "dark: "),
        (("[grounds]", "[ground]"), "grounds: it is missing"),
    ],
)
def test_a_wrong_theme_is_left_out_with_one_line_that_says_where(tmp_path, change, said) -> None:
    path = written(tmp_path, dark_toml().replace(*change))
    made, faults = user_themes(tmp_path)
    assert made == {}
    assert any(said in line for line in faults)
    assert all(str(path) in line and "\n" not in line for line in faults)


def test_a_theme_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, "").write_bytes(b"\xff\xfe\x00")
    made, faults = user_themes(tmp_path)
    assert made == {} and len(faults) == 1


def test_a_theme_nested_too_deeply_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5000)
    said = f"{tmp_path}/deep.toml: it is nested too deeply; the theme is left out"
    assert user_themes(tmp_path) == ({}, [said])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_a_theme_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    said = f"{tmp_path}/pipe.toml: it is no file; the theme is left out"
    assert user_themes(tmp_path) == ({}, [said])


def test_a_folder_of_themes_one_may_not_look_into_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", denied)
    said = f"{tmp_path}: Permission denied; its themes are left out"
    assert user_themes(tmp_path) == ({}, [said])


def test_a_missing_folder_is_no_fault(tmp_path: Path) -> None:
    assert user_themes(tmp_path / "themes") == ({}, [])


def test_roles_and_grounds_are_all_in_every_theme() -> None:
    for theme in shipped().values():
        assert set(theme.colours) == {*ROLES, *GROUNDS}


def test_text_nobody_cleaned_is_clean_before_it_is_drawn() -> None:
    styles = RoleStyles(shipped()["dark"].variables)
    made = styles.paint([("a\x1b[2J\x9b", "text"), ("b\u202e", "you")], Style())
    assert [segment.text for segment in made] == ["a␛[2J\ufffd", "b\ufffd"]
