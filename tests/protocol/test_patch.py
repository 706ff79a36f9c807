"""Diffs: applied exactly or not at all, and every refusal says in one sentence why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mandrel_tui.protocol.document_path import fault
from mandrel_tui.protocol.patch import PatchRefused, read_patch
from mandrel_tui.protocol.patch_apply import AlreadyApplied, Patched, apply_patch
from mandrel_tui.protocol.proposal import Change, Document
from mandrel_tui.protocol.reply import diffs, the_diff

DESIGN, MAP = ".ai/design.md", ".ai/map.md"
TEXT = b"---\na: 1\n---\n\n# design\n\n- one fact about design\n"
DIFF = b"""\
--- a/.ai/design.md
+++ b/.ai/design.md
@@ -5,3 +5,4 @@
 # design
\x20
 - one fact about design
+- admitted fact
"""
DONE = TEXT + b"- admitted fact\n"


def applied(diff: bytes, **texts: bytes) -> Patched:
    """What a diff gives over documents named by their stem."""
    known = {f".ai/{name}.md": text for name, text in texts.items()}
    return apply_patch(read_patch(diff), known.get)


def refusal(diff: bytes, **texts: bytes) -> str:
    with pytest.raises(PatchRefused) as refused:
        applied(diff, **texts)
    sentence = str(refused.value)
    assert "\n" not in sentence
    return sentence


def test_a_diff_that_fits_gives_the_new_text() -> None:
    patched = applied(DIFF, design=TEXT)
    assert patched.documents == (Document(DESIGN, TEXT, DONE),)
    assert patched.notes == ()


def test_already_applied_is_told_from_does_not_apply() -> None:
    with pytest.raises(AlreadyApplied, match="already applied"):
        applied(DIFF, design=DONE)
    assert "does not apply" in refusal(DIFF, design=b"other\n")


def test_a_part_that_is_there_already_is_noted_and_the_rest_applied() -> None:
    both = DIFF + DIFF.replace(b"design", b"map")
    patched = applied(both, design=DONE, map=TEXT.replace(b"design", b"map"))
    assert [document.path for document in patched.documents] == [MAP]
    assert patched.notes == (".ai/design.md: already applied",)


def test_one_document_that_does_not_fit_stops_them_all() -> None:
    both = DIFF + DIFF.replace(b"design", b"map")
    assert refusal(both, design=TEXT, map=b"# map\n").startswith(".ai/map.md: ")


def test_a_stale_context_is_named_with_both_lines() -> None:
    text = TEXT.replace(b"one fact", b"a fact")
    assert refusal(DIFF, design=text).endswith(
        "line 7 is `- a fact about design`, the diff expects `- one fact about design`"
    )


def test_a_document_that_is_shorter_than_the_diff_says_where_it_ends() -> None:
    assert "the document ends at line 6" in refusal(DIFF, design=TEXT[: TEXT.index(b"- one")])


def test_another_place_is_taken_only_where_there_is_one() -> None:
    patched = applied(DIFF, design=b"more\nlines\n" + TEXT)
    assert patched.documents[0].proposed == b"more\nlines\n" + DONE
    assert patched.notes == (
        ".ai/design.md: the hunk at line 3 of the diff applies at line 7, not 5",
    )
    twice = b"x\n" + TEXT + TEXT
    assert refusal(DIFF, design=twice).endswith(
        "does not stand at line 5, and could stand at any of lines 6, 13"
    )


def test_the_stated_place_counts_where_the_lines_stand_more_than_once() -> None:
    diff = b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -3,2 +3,2 @@\n-a\n+A\n b\n"
    patched = applied(diff, design=b"a\nb\na\nb\na\nb\n")
    assert patched.documents[0].proposed == b"a\nb\nA\nb\na\nb\n"


def test_hunks_keep_their_order_and_shift_together() -> None:
    diff = (
        b"--- a/.ai/design.md\n+++ b/.ai/design.md\n"
        b"@@ -1,2 +1,3 @@\n a\n+x\n b\n@@ -4,2 +5,2 @@\n d\n-e\n+E\n"
    )
    patched = applied(diff, design=b"new\na\nb\nc\nd\ne\n")
    assert patched.documents[0].proposed == b"new\na\nx\nb\nc\nd\nE\n"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"@@ -5,3 +5,4 @@", b"@@ -5,4 +5,5 @@", "ends before the hunk has as many lines"),
        (b"@@ -5,3 +5,4 @@", b"@@ -5,2 +5,3 @@", "does not have as many lines"),
        (b"@@ -5,3 +5,4 @@", b"@@ -5,3 +5,3 @@", "does not have as many lines"),
        (b"@@ -5,3 +5,4 @@", b"@@ -5 @@", "no heading of a hunk"),
        (b"+- admitted fact\n", b"", "ends before the hunk has as many lines"),
        (b" # design\n", b"# design\n", "fewer lines than its heading says"),
        (b"+++ b/.ai/design.md\n", b"", "must follow"),
        (b"+- admitted fact\n", b" - admitted fact\n", "does not have as many lines"),
    ],
)
def test_wrong_counts_are_refused(old: bytes, new: bytes, words: str) -> None:
    assert words in refusal(DIFF.replace(old, new), design=TEXT)


def test_a_hunk_that_changes_nothing_is_refused() -> None:
    diff = b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -1,2 +1,2 @@\n-a\n+a\n b\n"
    assert "changes nothing" in refusal(diff, design=b"a\nb\n")


def test_a_hunk_without_context_tells_no_place() -> None:
    diff = b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -2,0 +3,1 @@\n+x\n"
    assert "no lines around it" in refusal(diff, design=b"a\nb\n")


def test_a_blank_context_line_may_have_lost_its_blank() -> None:
    assert applied(DIFF.replace(b"\n \n", b"\n\n"), design=TEXT).documents[0].proposed == DONE


def crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


def test_a_diff_with_lf_keeps_the_line_ends_of_a_document_with_crlf() -> None:
    patched = applied(DIFF, design=crlf(TEXT))
    assert patched.documents[0].proposed == crlf(DONE)
    assert "made CRLF" in patched.notes[0]


def test_a_diff_sent_with_crlf_fits_a_document_with_lf() -> None:
    assert applied(crlf(DIFF), design=TEXT).documents[0].proposed == DONE
    assert applied(crlf(DIFF), design=crlf(TEXT)).documents[0].proposed == crlf(DONE)


def test_a_diff_whose_body_alone_has_crlf_fits_a_document_with_lf() -> None:
    head, body = DIFF[: DIFF.index(b" # design")], DIFF[DIFF.index(b" # design") :]
    patched = applied(head + crlf(body), design=TEXT)
    assert patched.documents[0].proposed == DONE
    assert "made LF" in patched.notes[0]


def test_a_diff_that_changes_line_ends_is_taken_as_it_says() -> None:
    diff = b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -1,2 +1,2 @@\n-a\n+a\r\n b\n"
    assert applied(diff, design=b"a\nb\n").documents[0].proposed == b"a\r\nb\n"


def test_mixed_line_ends_are_never_guessed() -> None:
    mixed = TEXT.replace(b"# design\n", b"# design\r\n")
    assert refusal(DIFF, design=mixed).endswith("the line ends differ at line 5")


NO_END = DIFF.replace(
    b" - one fact about design\n",
    b"-- one fact about design\n\\ No newline at end of file\n+- one fact about design\n",
)


def test_a_missing_last_line_end_is_expected_exactly() -> None:
    bare = TEXT.removesuffix(b"\n")
    assert applied(NO_END, design=bare).documents[0].proposed == DONE
    assert "line 7 has no line end in the document" in refusal(DIFF, design=bare)
    assert "line 7 has no line end in the diff" in refusal(NO_END, design=TEXT)


def test_a_new_side_without_a_last_line_end_has_none() -> None:
    diff = DIFF + b"\\ No newline at end of file\n"
    assert applied(diff, design=TEXT).documents[0].proposed == DONE.removesuffix(b"\n")


NEW = b"""\
diff --git a/.ai/retry.md b/.ai/retry.md
new file mode 100644
--- /dev/null
+++ b/.ai/retry.md
@@ -0,0 +1,2 @@
+# retry
+- fact
"""


def test_a_document_is_added() -> None:
    (document,) = applied(NEW).documents
    assert (document.change, document.proposed) == (Change.ADDED, b"# retry\n- fact\n")
    with pytest.raises(AlreadyApplied):
        applied(NEW, retry=b"# retry\n- fact\n")
    assert "exists with another text" in refusal(NEW, retry=b"# other\n")


def test_an_empty_document_is_added_and_removed() -> None:
    add = b"diff --git a/.ai/x.md b/.ai/x.md\nnew file mode 100644\nindex 0000000..e69de29\n"
    assert applied(add).documents == (Document(".ai/x.md", None, b""),)
    remove = add.replace(b"new file", b"deleted file")
    assert applied(remove, x=b"").documents == (Document(".ai/x.md", b"", None),)


def test_a_document_is_removed_only_as_a_whole() -> None:
    diff = b"--- a/.ai/x.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n"
    assert applied(diff, x=b"a\nb\n").documents == (Document(".ai/x.md", b"a\nb\n", None),)
    assert "not all of its lines" in refusal(diff, x=b"a\nb\nc\n")
    with pytest.raises(AlreadyApplied):
        applied(diff)


RENAME = b"""\
diff --git a/.ai/design.md b/.ai/design/index.md
similarity index 80%
rename from .ai/design.md
rename to .ai/design/index.md
--- a/.ai/design.md
+++ b/.ai/design/index.md
@@ -5,3 +5,4 @@
 # design
\x20
 - one fact about design
+- see retry.md
"""


def test_a_document_becomes_a_folder() -> None:
    (document,) = applied(RENAME, design=TEXT).documents
    assert (document.change, document.origin) == (Change.RENAMED, DESIGN)
    assert (document.path, document.base) == (".ai/design/index.md", TEXT)
    assert document.proposed == TEXT + b"- see retry.md\n"


def test_a_rename_without_text_is_one_too() -> None:
    (document,) = applied(RENAME[: RENAME.index(b"--- a")], design=TEXT).documents
    assert (document.base, document.proposed) == (TEXT, TEXT)


def test_both_forms_of_a_document_are_never_made() -> None:
    known = {DESIGN: TEXT, ".ai/design/index.md": b"other\n"}
    with pytest.raises(PatchRefused, match="exists already"):
        apply_patch(read_patch(RENAME), known.get)
    with pytest.raises(AlreadyApplied):
        apply_patch(read_patch(RENAME), {".ai/design/index.md": TEXT + b"- see retry.md\n"}.get)
    with pytest.raises(PatchRefused, match="is not there"):
        apply_patch(read_patch(RENAME), {}.get)


def test_a_copy_is_a_new_document() -> None:
    copy = RENAME.replace(b"rename ", b"copy ")
    (document,) = applied(copy, design=TEXT).documents
    assert (document.change, document.proposed) == (Change.ADDED, TEXT + b"- see retry.md\n")


HEAD = b"diff --git a/.ai/x.md b/.ai/x.md\n"


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        (DIFF.replace(b".ai/", b"src/"), "it lies outside .ai/"),
        (DIFF.replace(b".ai/", b".ai/../"), "it lies outside .ai/"),
        (DIFF.replace(b"a/.ai/", b"/.ai/").replace(b"b/.ai/", b"/.ai/"), "it lies outside .ai/"),
        (DIFF.replace(b".ai/design.md", b".ai/.git/x.md"), "it reaches into .git"),
        (DIFF.replace(b".ai/design.md", b".ai/.GIT/x.md"), "it reaches into .git"),
        (DIFF.replace(b"design.md", b"run.sh"), "it is no Markdown document"),
        (DIFF.replace(b"design.md", b"a\\b.md"), "a character that no document's name may have"),
        (HEAD + b"old mode 100644\nnew mode 100755\n", "the mode of a document cannot be changed"),
        (HEAD + b"new file mode 120000\n--- /dev/null\n+++ b/.ai/x.md\n", "not 120000"),
        (HEAD + b"new file mode 100755\n--- /dev/null\n+++ b/.ai/x.md\n", "not 100755"),
        (HEAD + b"new file mode 160000\n", "not 160000"),
        (HEAD + b"index 1..2\nBinary files a/.ai/x.md and b/.ai/x.md differ\n", "binary"),
        (HEAD + b"index 1..2\nGIT binary patch\nliteral 0\n", "binary"),
        (b"diff --cc .ai/x.md\nindex 1,2..3\n", "combined diff"),
        (DIFF + DIFF, "names .ai/design.md twice"),
        (DIFF.replace(b"b/.ai/design", b"b/.ai/map"), "it names two documents"),
        (RENAME.replace(b"rename to .ai/design/", b"rename to .ai/other/"), "other documents"),
        (b"--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+a\n", "/dev/null"),
        (HEAD + b"index 1..2 100644\n", "nothing of .ai/x.md is changed"),
        (b"--- a/.ai/x.md\n+++ b/.ai/x.md\n", "nothing of .ai/x.md is changed"),
        (b"nothing\n", "there is no diff"),
    ],
)
def test_what_is_no_plain_change_of_memory_documents_is_refused(diff: bytes, words: str) -> None:
    assert words in refusal(diff, design=TEXT, x=b"a\n")


@pytest.mark.parametrize(
    ("quoted", "path"),
    [
        (b'"a/.ai/\\346\\250\\241.md"', ".ai/模.md"),
        (b'"a/.ai/say \\"hi\\".md"', '.ai/say "hi".md'),
        (b'"a/.ai/tab\\there.md"', ".ai/tab\there.md"),
        (b"a/.ai/a -> b.md\t2026-01-01 10:00:00", ".ai/a -> b.md"),
        ("a/.ai/новый файл.md".encode(), ".ai/новый файл.md"),
        (b".ai/no-prefix.md", ".ai/no-prefix.md"),
        (b"i/.ai/other-prefix.md", ".ai/other-prefix.md"),
    ],
)
def test_names_are_read_as_git_writes_them(quoted: bytes, path: str) -> None:
    diff = b"--- %s\n+++ %s\n@@ -1 +1 @@\n-a\n+b\n" % (quoted, quoted)
    (patch,) = read_patch(diff)
    assert patch.path == path


PROSE = b"Here it is:\n\n```diff\n" + DIFF + b"```\n\n- admitted: one fact\n"


@pytest.mark.parametrize(
    "reply",
    [
        DIFF,
        PROSE,
        b"I propose this.\n\n" + DIFF + b"\nThat is all.\n",
        b"I propose this.\n\n" + DIFF + b"\n- a remark on it\n",
        b"From 1234 Mon Sep 17\nSubject: x\n---\n 1 file\n\n" + DIFF + b"-- \n2.39.5\n",
        b"```\nmake\n```\n\n~~~~ patch\n" + DIFF + b"~~~~\n",
        b"  ```diff\n" + DIFF + b"  ```\n",
        b"```diff\n" + DIFF,
        b"\xef\xbb\xbf" + DIFF,
    ],
)
def test_a_reply_may_wrap_one_diff(reply: bytes) -> None:
    assert applied(the_diff(reply), design=TEXT).documents[0].proposed == DONE


def test_a_fence_inside_a_diff_ends_nothing() -> None:
    fenced = b"--- a/.ai/x.md\n+++ b/.ai/x.md\n@@ -1,3 +1,4 @@\n ```\n make\n+make test\n ```\n"
    for reply in (fenced, b"```diff\n" + fenced + b"```\n"):
        (document,) = applied(the_diff(reply), x=b"```\nmake\n```\n").documents
        assert document.proposed == b"```\nmake\nmake test\n```\n"


def test_several_documents_are_one_diff() -> None:
    both = DIFF + b"\n" + DIFF.replace(b"design", b"map")
    assert len(read_patch(the_diff(both))) == 2


def test_several_diffs_or_none_are_a_question() -> None:
    several = PROSE + PROSE
    assert [found.line for found in diffs(several)] == [4, 17]
    with pytest.raises(PatchRefused, match=r"2 diffs \(at lines 4 and 17\)"):
        the_diff(several)
    with pytest.raises(PatchRefused, match="2 diffs"):
        the_diff(DIFF + b"\nand then\n\n" + DIFF.replace(b"design", b"map"))
    for nothing in (b"", b"No changes are needed.\n", b"--- \n+++\n", b"```diff\n```\n"):
        with pytest.raises(PatchRefused, match="no diff"):
            the_diff(nothing)


@pytest.mark.parametrize("more", [b"+- one more\n", b"\n+- one more\n", b"\n--- removed\n"])
def test_lines_left_over_behind_the_last_hunk_are_never_dropped(more: bytes) -> None:
    with pytest.raises(PatchRefused):
        applied(the_diff(b"So:\n\n" + DIFF + more), design=TEXT)


LINE = st.sampled_from([b"a", b"b", b"- c", b"", b"+d", b"-- e", b"@@ f", b"\\ g", b"```", b"h\r"])
TEXTS = st.tuples(st.lists(LINE, max_size=12), st.booleans()).map(
    lambda drawn: b"\n".join(drawn[0]) + (b"\n" if drawn[1] and drawn[0] else b"")
)


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.integers(1, 4))
def test_whatever_git_says_differs_is_what_is_applied(
    git_folder: Path, old: bytes, new: bytes, context: int
) -> None:
    (git_folder / "old").write_bytes(old)
    (git_folder / "new").write_bytes(new)
    done = subprocess.run(
        ["git", "diff", "--no-index", f"-U{context}", "--", "old", "new"],
        cwd=git_folder,
        capture_output=True,
    )
    diff = done.stdout.replace(b"a/old", b"a/.ai/x.md").replace(b"b/new", b"b/.ai/x.md")
    diff = diff.replace(b"b/old", b"b/.ai/x.md").replace(b"a/new", b"a/.ai/x.md")
    if old == new:
        assert diff == b""
        return
    if not old or b"@@ -0,0" in diff:
        old = b""
    try:
        (document,) = applied(the_diff(diff), x=old).documents
    except AlreadyApplied:
        assert new.count(old) or old.count(new)
        return
    assert document.proposed == new


@pytest.fixture(scope="module")
def git_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("diffs")


@settings(max_examples=300)
@given(st.lists(st.one_of(LINE.map(lambda b: b + b"\n"), st.sampled_from(DIFF.splitlines(True)))))
def test_any_text_is_taken_or_refused_in_one_sentence(lines: list[bytes]) -> None:
    try:
        applied(the_diff(b"".join(lines)), design=TEXT)
    except PatchRefused as refused:
        assert "\n" not in str(refused)


@pytest.mark.parametrize(
    ("path", "good"),
    [
        (".ai/a.md", True),
        (".ai/a/b c.md", True),
        (".ai/.md", True),
        (".ai", False),
        (".ai/", False),
        (".ai//a.md", False),
        (".ai/./a.md", False),
        (".AI/a.md", False),
        (".ai/git~1/a.md", False),
        (".ai/.git ./a.md", False),
        (".ai/a.MD", False),
        (".ai/a\n.md", False),
    ],
)
def test_documents_are_markdown_below_the_memory_folder(path: str, good: bool) -> None:
    assert (fault(path) == "") is good
