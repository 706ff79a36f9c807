"""Which names of a store are tasks, which are near misses, which are nothing at all."""

from __future__ import annotations

import os
from pathlib import Path

from mandrel_tui.workspace.listing import NearMiss, list_store


def names(folder: Path) -> list[str]:
    return [file.name for file in list_store(folder).files]


def test_regular_files_and_links_to_them_are_tasks(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("b")
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "notes.txt").write_text("n")
    (tmp_path / "archive").mkdir()
    listing = list_store(tmp_path)
    assert [f.name for f in listing.files] == ["a", "b"]
    assert listing.files[1].path == tmp_path / "b.md"
    assert listing.not_read == ()


def test_index_and_readme_are_no_tasks_in_any_letter_case(tmp_path: Path) -> None:
    for name in ("index.md", "README.md"):
        (tmp_path / name).write_text("x")
        (tmp_path / name.swapcase()).write_text("x")
        (tmp_path / name.capitalize()).write_text("x")
    listing = list_store(tmp_path)
    assert (listing.files, listing.not_read) == ((), ())


def test_near_misses_are_named_with_their_reason(tmp_path: Path) -> None:
    (tmp_path / "w-9.md").mkdir()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "to-pipe.md").symlink_to("pipe.md")
    (tmp_path / "to-folder.md").symlink_to("w-9.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "gone.md").symlink_to("nowhere.md")
    for name in ("Upper.MD", ".mt-0a1b2c3d", ".w-1.md.tmp-991", "w (copy).md.part", "#w-1.md#"):
        (tmp_path / name).write_text("x")
    listing = list_store(tmp_path)
    assert listing.files == ()
    leftover = "a leftover of an interrupted write"
    assert listing.not_read == (
        NearMiss("#w-1.md#", leftover),
        NearMiss(".mt-0a1b2c3d", leftover),
        NearMiss(".w-1.md.tmp-991", leftover),
        NearMiss("Upper.MD", "its suffix is not `.md` in lower case"),
        NearMiss("gone.md", "a link to nothing"),
        NearMiss("loop.md", "a loop of links"),
        NearMiss("pipe.md", "a pipe"),
        NearMiss("to-folder.md", "a link to a folder"),
        NearMiss("to-pipe.md", "a link to a pipe"),
        NearMiss("w (copy).md.part", leftover),
        NearMiss("w-9.md", "a folder"),
    )


def test_litter_of_editors_and_systems_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".#w-1.md").symlink_to("nobody@host.1234:1")
    for name in (".w-1.md.swp", ".w-1.md.swx", "._w-1.md", ".DS_Store", "w-1.md~", "w-1.md.orig"):
        (tmp_path / name).write_text("x")
    listing = list_store(tmp_path)
    assert (listing.files, listing.not_read) == ((), ())


def test_a_name_that_is_no_utf8_is_listed_and_visible(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))
    path.write_text("x")
    (file,) = list_store(tmp_path).files
    assert file.name == "caf\\xe9"
    assert file.path.read_text() == "x"


def test_names_keep_letters_line_ends_and_encoding(tmp_path: Path) -> None:
    odd = ["line\nend", "cafe\u0301", "caf\u00e9", "-rf", "$HOME `x` \"q\" 'q'", "a -> b", " ", "."]
    for name in odd:
        (tmp_path / f"{name}.md").write_text("x")
    assert names(tmp_path) == sorted(name for name in odd if name != ".")


def test_an_absent_folder_is_empty_and_a_file_in_its_place_a_problem(tmp_path: Path) -> None:
    absent = list_store(tmp_path / "absent")
    assert (absent.files, absent.problem) == ((), "")
    (tmp_path / "file").write_text("x")
    assert list_store(tmp_path / "file").problem == "not a folder"


def test_ten_thousand_names_are_listed_in_order(tmp_path: Path) -> None:
    for i in range(10_000):
        (tmp_path / f"t-{i:05}.md").touch()
    assert names(tmp_path) == [f"t-{i:05}" for i in range(10_000)]
