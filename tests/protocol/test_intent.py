"""What of Goal, Scope and Acceptance changed, and whether the log says so."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.intent import replanned
from mandrel_tui.protocol.reading import read_task
from mandrel_tui.protocol.task import Task
from tests.builders import a_task, work


def read(*entries: str, crlf: bool = False, **front: str) -> Task:
    data = a_task(*entries, **front)  # type: ignore[arg-type]
    return read_task(data.replace(b"\n", b"\r\n") if crlf else data, "a-task", ".ai-tasks/a.md")


BEFORE = read(work("s-1"), scope="- One.\n- Two.")


def test_a_section_that_changed_without_a_word_is_shown_with_its_difference() -> None:
    (one,) = replanned(BEFORE, read(work("s-1"), work("s-2"), scope="- One.\n- Three."))
    assert one.words == "Scope changed, and no entry since says so"
    assert one.diff == ("@@ -1,2 +1,2 @@", " - One.", "-- Two.", "+- Three.")


@pytest.mark.parametrize("word", ["Scope", "scope"])
def test_an_entry_that_came_since_and_names_it_says_so(word: str) -> None:
    told = work("s-2", done=f"The {word} loses two, since three does it.")
    assert replanned(BEFORE, read(work("s-1"), told, scope="- Three.")) == ()
    goal = work("s-2", done="The goal is another.")
    assert replanned(BEFORE, read(work("s-1"), goal, scope="- One.\n- Two.", goal="X.")) == ()
    earlier = read(told, scope="- One.")
    assert [one.title for one in replanned(earlier, read(told, scope="- Three."))] == ["Scope"]


def test_a_section_that_went_away_or_came_is_a_change_and_line_ends_are_none() -> None:
    assert replanned(BEFORE, read(work("s-1"), scope="- One.\n- Two.", crlf=True)) == ()
    data = a_task(work("s-1"), scope="- One.\n- Two.").replace(b"## Acceptance", b"## Other")
    gone = read_task(data, "a-task", ".ai-tasks/a.md")
    assert [one.title for one in replanned(BEFORE, gone)] == ["Acceptance"]
    assert [one.title for one in replanned(gone, BEFORE)] == ["Acceptance"]
