"""Settings: defaults, then the file, then the environment, then flags; what is not understood is
one line that says where, and the default is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.settings import FILE, Settings, folder, load


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / FILE


def test_without_a_file_the_defaults_hold(file: Path) -> None:
    assert load({}, file=file) == Settings()


def test_without_a_file_nothing_that_checks_one_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from mandrel_tui.settings import load; load();"
        "print(*{'pydantic', 'tomllib', 'textual', 'rich'} & {*sys.modules})"
    )
    root = Path(__file__).resolve().parent.parent
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"XDG_CONFIG_HOME": str(tmp_path), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_the_file_is_in_the_configuration_folder(tmp_path: Path) -> None:
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert folder(environ) == tmp_path / "mandrel-tui"
    folder(environ).mkdir()
    (folder(environ) / FILE).write_text('theme = "light"\n')
    assert load(environ).theme == "light"


def test_a_relative_configuration_folder_is_never_looked_for_where_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mandrel-tui").mkdir()
    (tmp_path / "mandrel-tui" / FILE).write_text('editor = "/tmp/of-the-repository"\n')
    monkeypatch.chdir(tmp_path)
    assert folder({"XDG_CONFIG_HOME": "."}).is_absolute()
    assert load({"XDG_CONFIG_HOME": "."}).editor == ""


def test_a_user_whom_the_system_does_not_know_has_the_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def homeless(*_: object, **__: object) -> Path:
        raise RuntimeError("could not determine the home directory")

    monkeypatch.setattr("platformdirs.user_config_path", homeless)
    assert load({}) == Settings()


def test_what_cannot_be_read_as_settings_is_named_and_the_defaults_hold(tmp_path: Path) -> None:
    file = tmp_path / FILE
    file.write_text("a = " + "[" * 5000)
    assert load({}, file=file).faults == (
        f"{FILE}: it is nested too deeply; the defaults are used",
    )
    file.unlink()
    file.mkdir()
    assert load({}, file=file).faults == (f"{FILE}: it is no file; the defaults are used",)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_in_place_of_the_settings_is_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    assert "it is no file" in load({}, file=tmp_path / FILE).faults[0]


def test_a_folder_one_may_not_look_into_is_named_and_the_defaults_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", denied)
    settings = load({}, file=tmp_path / FILE)
    assert settings.theme == "auto"
    assert "Permission denied" in settings.faults[0]


def test_each_source_goes_over_the_one_before(file: Path) -> None:
    file.write_text('theme = "light"\nsymbols = "ascii"\neditor = "vi"\n')
    environ = {"MANDREL_TUI_THEME": "contrast", "MANDREL_TUI_SYMBOLS": "unicode"}
    settings = load(environ, {"theme": "ansi", "symbols": None}, file=file)
    assert (settings.theme, settings.symbols, settings.editor) == ("ansi", "unicode", "vi")
    assert settings.faults == ()


def test_an_empty_variable_says_nothing(file: Path) -> None:
    file.write_text('theme = "light"\n')
    assert load({"MANDREL_TUI_THEME": ""}, file=file).theme == "light"


@pytest.mark.parametrize(
    ("environ", "text", "editor"),
    [
        ({}, "", ""),
        ({"EDITOR": "vi"}, "", "vi"),
        ({"EDITOR": "vi", "VISUAL": "code -w"}, "", "code -w"),
        ({"VISUAL": "code -w"}, 'editor = "hx"', "hx"),
        ({"VISUAL": "code -w", "MANDREL_TUI_EDITOR": "nano"}, 'editor = "hx"', "nano"),
    ],
)
def test_the_editor_is_the_one_named_nearest_to_the_program(file, environ, text, editor) -> None:
    file.write_text(text)
    assert load(environ, file=file).editor == editor


def test_keys_are_read_dotted_quoted_as_text_or_as_a_list(file: Path) -> None:
    file.write_text(
        '[keys]\nlayout = "ru"\nboard.filter = "F, x"\n"task.prompt" = ["v", "f4"]\n'
        'tab = { next = "," }\n'
    )
    settings = load({}, file=file)
    assert settings.layout == "ru"
    assert settings.keys == {
        "board.filter": ("F", "x"),
        "task.prompt": ("v", "f4"),
        "tab.next": (",",),
    }
    assert settings.faults == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('theem = "dark"', "settings.toml, theem: there is no such key"),
        ("theme = 3", "settings.toml, theme: input should be a valid string"),
        ('symbols = "emoji"', "settings.toml, symbols: input should be 'auto', 'unicode'"),
        ("[keys]\nboard.filter = 3", "settings.toml, keys.board.filter: a key is a name in quotes"),
        ('[keys]\nboard.filter = ["f", 3]', "settings.toml, keys.board.filter: a key is a name"),
        ("[keys]\nlayout = 3", "settings.toml, keys.layout: a layout is a name in quotes"),
        ("keys = 3", "settings.toml, keys: "),
    ],
)
def test_a_wrong_key_is_named_and_the_rest_of_the_file_holds(file, text, said) -> None:
    file.write_text(f'editor = "vi"\n{text}\n')
    settings = load({}, file=file)
    assert len(settings.faults) == 1
    assert settings.faults[0].startswith(said)
    assert settings.faults[0].endswith("the default is kept")
    assert (settings.theme, settings.symbols, settings.editor) == ("auto", "auto", "vi")


def test_a_file_that_is_no_toml_is_named_with_the_line(file: Path) -> None:
    file.write_text('theme = "dark"\nsymbols = \n')
    settings = load({}, file=file)
    assert settings == Settings(file=file, faults=settings.faults)
    assert len(settings.faults) == 1
    assert settings.faults[0].startswith(f"{FILE}: ") and "line 2" in settings.faults[0]


def test_a_file_that_cannot_be_read_as_text_is_named(file: Path) -> None:
    file.write_bytes(b"theme = \xff")
    assert load({}, file=file).faults[0].startswith(f"{FILE}: ")


def test_a_wrong_variable_and_a_wrong_flag_are_named(file: Path) -> None:
    settings = load({"MANDREL_TUI_SYMBOLS": "emoji"}, {"symbols": "kanji"}, file=file)
    assert settings.symbols == "auto"
    assert [fault.partition(":")[0] for fault in settings.faults] == [
        "MANDREL_TUI_SYMBOLS",
        "--symbols",
    ]


@given(st.text(max_size=80))
def test_no_text_in_the_file_ends_the_program(tmp_path_factory, text: str) -> None:
    path = tmp_path_factory.mktemp("settings") / FILE
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    settings = load({}, file=path)
    assert all(fault.isprintable() for fault in settings.faults)
