"""The live key map: no two actions of a screen share a key, none needs a key that never arrives,
and a remap that would break that is refused in one line."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.actions import ACTIONS, BOARD, EVERYWHERE, LISTS, SCREENS
from mandrel_tui.ui.key_names import EATEN, shown, spell
from mandrel_tui.ui.keys import DEFAULTS, KeyMap, keymap
from mandrel_tui.ui.layouts import LAYOUTS


def clashes(live: KeyMap) -> list[tuple[str, str, str]]:
    """Every two actions that share a key on a screen."""
    return [
        (screen, one.id, other.id)
        for screen in SCREENS
        for one, other in combinations(live.on(screen), 2)
        if set(one.keys) & set(other.keys)
    ]


def test_no_two_actions_of_a_screen_share_a_key() -> None:
    assert clashes(DEFAULTS) == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_layout_makes_two_actions_share_a_key(layout: str) -> None:
    assert clashes(keymap({}, layout)) == []


def test_no_default_key_is_eaten_on_its_way() -> None:
    assert [(a.id, key) for a in ACTIONS for key in a.keys if key in EATEN] == []


def test_no_default_key_is_a_digit_since_digits_are_counts() -> None:
    assert [a.id for a in ACTIONS for key in a.keys if key.isdigit()] == []


def test_every_default_key_is_spelt_as_a_person_may_spell_it() -> None:
    assert [(a.id, key) for a in ACTIONS for key in a.keys if spell(key) != key] == []


def test_every_action_has_an_id_of_its_own_and_says_what_it_does() -> None:
    assert len({action.id for action in ACTIONS}) == len(ACTIONS)
    assert len({action.name for action in ACTIONS}) == len(ACTIONS)
    for action in ACTIONS:
        assert action.help.endswith(".") and action.label and action.keys


def test_everything_is_reachable_without_letters_from_the_actions_and_the_palette() -> None:
    for id in ("app.help", "app.palette", "app.actions"):
        assert any(key.startswith("f") and key[1:].isdigit() for key in DEFAULTS[id].keys)
    for id in ("list.down", "list.up", "list.open", "app.back", "app.pane-next"):
        assert any(len(key) > 1 for key in DEFAULTS[id].keys)


def test_bindings_carry_id_tooltip_and_action() -> None:
    made = {binding.id: binding for binding in DEFAULTS.bindings(BOARD)}
    assert made["task.copy-prompt"].action == "task_copy_prompt"
    assert made["task.copy-prompt"].key == "c"
    assert made["task.copy-prompt"].tooltip == DEFAULTS["task.copy-prompt"].help


def test_keys_are_shown_as_they_are_printed_on_the_keyboard() -> None:
    assert DEFAULTS["list.page-down"].shown_keys == "ctrl+d PgDn"
    assert DEFAULTS["app.back"].key == "Esc"
    assert DEFAULTS["app.help"].shown_keys == "? F1"
    assert shown("comma") == ","


@pytest.mark.parametrize(
    ("written", "spelt"),
    [
        ("x", "x"),
        ("X", "X"),
        ("ж", "ж"),
        ("F2", "f2"),
        ("PgDn", "pagedown"),
        ("Esc", "escape"),
        ("Ctrl+X", "ctrl+x"),
        ("shift+Tab", "shift+tab"),
        ("shift+x", "X"),
        ("alt+ctrl+x", "ctrl+alt+x"),
        (",", "comma"),
        ("?", "?"),
        ("ctrl+ж", None),
        ("F13", None),
        ("hyper+x", None),
        ("ctrl+", None),
        ("+", "+"),
        ("banana", None),
        ("", None),
        ("\x1b", None),
    ],
)
def test_a_key_is_spelt_or_is_none_of_a_terminal(written: str, spelt: str | None) -> None:
    assert spell(written) == spelt


def test_a_remap_takes_the_place_of_the_defaults() -> None:
    live = keymap({"board.filter": ["F"]})
    assert live.faults == ()
    assert live["board.filter"].keys == ("F",)
    assert live.overrides == {"board.filter": "F"}


def test_two_actions_may_swap_their_keys() -> None:
    live = keymap({"task.copy-prompt": ["p"], "task.prompt": ["c"]})
    assert live.faults == ()
    assert (live["task.copy-prompt"].keys, live["task.prompt"].keys) == (("p",), ("c",))


@pytest.mark.parametrize(
    ("id", "keys", "said"),
    [
        ("board.filtre", ["f"], "keys.board.filtre: there is no such action"),
        ("board.filter", ["banana"], "keys.board.filter: 'banana' is no key of a terminal"),
        ("board.filter", [], "keys.board.filter: it names no key"),
        ("board.filter", ["ctrl+q"], "keys.board.filter: ctrl+q cannot be used: flow control"),
        ("board.filter", ["5"], "keys.board.filter: 5 cannot be used: digits are counts"),
        ("board.filter", ["c"], "keys.board.filter: c is task.copy-prompt already"),
        ("board.filter", ["j"], "keys.board.filter: j is list.down already"),
        ("app.quit", ["r"], "keys.app.quit: r is task.receipts already (board and task)"),
    ],
)
def test_a_remap_that_cannot_work_is_refused_and_the_default_stays(id, keys, said) -> None:
    live = keymap({id: keys}, source="settings.toml, ")
    assert len(live.faults) == 1
    assert live.faults[0].startswith(f"settings.toml, {said}")
    assert live.faults[0].endswith("the default stays")
    assert live.overrides == {}


def test_a_refused_remap_does_not_pull_a_good_one_down() -> None:
    live = keymap({"board.filter": ["c"], "tab.next": ["X"]})
    assert len(live.faults) == 1
    assert live.overrides == {"tab.next": "X"}


remaps = st.dictionaries(
    st.sampled_from([action.id for action in ACTIONS]),
    st.lists(
        st.sampled_from("abcdfgjkpqtTw?:/") | st.sampled_from(["f2", "space", "5"]), max_size=3
    ),
)


@given(remaps, st.sampled_from(["", *LAYOUTS]))
def test_whatever_is_remapped_every_action_keeps_a_key_that_is_its_own(wanted, layout) -> None:
    live = keymap(wanted, layout)
    assert clashes(live) == []
    assert all(action.keys for action in live)


def test_a_russian_keyboard_reaches_every_letter() -> None:
    live = keymap({}, "ru")
    assert live["task.copy-prompt"].keys == ("c", "с")
    assert live["list.down"].keys == ("j", "down", "о")
    assert live["list.bottom"].keys == ("G", "end", "П")
    assert live.latin("и") == "b"
    assert live.latin("b") == "b"


def test_letters_of_a_layout_follow_a_remap() -> None:
    assert keymap({"board.filter": ["X"]}, "el")["board.filter"].keys == ("X", "Χ")


def test_an_unknown_layout_is_named_with_those_there_are() -> None:
    faults = keymap({}, "klingon", "settings.toml, ").faults
    assert faults == ("settings.toml, keys.layout: no table for 'klingon'; there are el, ru, uk",)


def test_a_key_that_cannot_act_says_why() -> None:
    keys = DEFAULTS.shown(["task.prompt"], lambda id: f"{id} waits")
    assert keys[0].reason == "task.prompt waits"
    assert (keys[0].key, keys[0].label) == ("p", "prompt")


def test_places_are_those_of_screens_lists_and_everywhere() -> None:
    places = {place for action in ACTIONS for place in action.places}
    assert places == {EVERYWHERE, LISTS, *SCREENS}
