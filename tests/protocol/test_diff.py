"""Two versions of a file as lines to read."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mandrel_tui.protocol.diff import touched, unified

LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=30).map("\n".join)


def applied(before: str, diff: tuple[str, ...]) -> str:
    """The text after the hunks, put together from the kept and added lines."""
    old = before.split("\n")
    new: list[str] = []
    at = 0
    for line in diff[2:]:
        if line.startswith("@@"):
            start, _, count = line.split(" ")[1][1:].partition(",")
            first = int(start) - (count != "0")
            new += old[at:first]
            at = first
        elif line[0] in " -":
            assert old[at] == line[1:]
            at += 1
        if line[0] in " +":
            new.append(line[1:])
    return "\n".join([*new, *old[at:]])


@given(LINES, LINES)
def test_the_hunks_make_the_new_text_of_the_old_one(old: str, new: str) -> None:
    before, after = f"{old}\nend\n", f"{new}\nend\n"
    assert applied(before, unified("x", before.encode(), after.encode())) == after


@settings(max_examples=15)
@given(old=LINES, new=LINES, last=st.sampled_from(["", "\n"]))
def test_git_applies_what_is_shown(
    tmp_path_factory: pytest.TempPathFactory, old: str, new: str, last: str
) -> None:
    before, after = f"{old}\nx".encode(), f"{new}\ny{last}".encode()
    folder: Path = tmp_path_factory.mktemp("diff")
    (folder / "f").write_bytes(before)
    text = "".join(f"{line}\n" for line in unified("f", before, after))
    subprocess.run(["git", "apply", "-"], cwd=folder, input=text.encode(), check=True)
    assert (folder / "f").read_bytes() == after


def test_a_new_and_a_removed_file_say_so() -> None:
    assert unified("x", None, b"a\n") == ("--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a")
    assert unified("x", b"a\n", None) == ("--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a")
    assert unified("x", b"a\n", b"a\n") == ()


def test_a_change_of_line_ends_is_seen_and_line_ends_that_stay_are_not() -> None:
    assert unified("x", b"a\r\nb\r\n", b"a\r\nc\r\n")[3:] == (" a", "-b", "+c")
    assert unified("x", b"a\r\nb\r\n", b"a\r\nb\n")[3:] == (" a\r", "-b\r", "+b")


def test_bytes_that_are_no_text_are_spelled() -> None:
    assert unified("x", b"caf\xe9\n", b"cafe\n")[-2:] == ("-caf\\xe9", "+cafe")


def test_one_changed_line_in_a_long_file_is_found_at_once() -> None:
    lines = [b"| row %d | same | same |\n" % n for n in range(60_000)]
    changed = [*lines[:30_000], b"| row | other |\n", *lines[30_001:]]
    diff = unified("x", b"".join(lines), b"".join(changed))
    assert diff[2] == "@@ -29998,7 +29998,7 @@"
    assert len(diff) == 3 + 3 + 2 + 3


def test_touched_lines_do_not_count_line_ends() -> None:
    assert touched(b"a\nb", b"a\nb\nc\n") == ((), (b"c",))
    assert touched(b"a\r\nb\r\n", b"a\nx\n") == ((b"b",), (b"x",))
