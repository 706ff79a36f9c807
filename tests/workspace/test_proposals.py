"""Proposals from folders, diffs, the working tree and commits: four ways, one shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from mandrel_tui.protocol.proposal import Change, Document
from mandrel_tui.workspace.documents import ProposalRefused, document
from mandrel_tui.workspace.proposals import (
    Proposal,
    from_commit,
    from_diff,
    from_folder,
    from_revision,
    from_worktree,
    take,
)
from tests.conftest import git

DESIGN = b"# Design\n\n- a fact\n"
MORE = DESIGN + b"- admitted\n"
INDEX = b"| Document | File |\n|---|---|\n| Design | design.md |\n| Map | map.md |\n"
DIFF = (
    b"--- a/.ai/design.md\n+++ b/.ai/design.md\n@@ -1,3 +1,4 @@\n # Design\n \n - a fact\n"
    b"+- admitted\n"
)
EXPECTED = (Document(".ai/design.md", DESIGN, MORE),)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    repository = tmp_path / "repository"
    memory = repository / ".ai"
    memory.mkdir(parents=True)
    (memory / "design.md").write_bytes(DESIGN)
    (memory / "map.md").write_bytes(b"# Map\n")
    (memory / "index.md").write_bytes(INDEX)
    (repository / "CLAUDE.md").write_bytes(b"@.ai/design.md\n")
    (repository / ".gitignore").write_bytes(b".ai-tasks/\n")
    git(repository, "init", "--quiet", "--initial-branch=main")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Begin")
    return repository


def mirror(root: Path, **texts: bytes) -> Path:
    folder = root / ".ai-tasks/proposals/done"
    for name, text in texts.items():
        file = folder / f"{name.replace('__', '/')}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
    return folder


def branch(root: Path, **texts: bytes | None) -> None:
    """A branch `side` that changes documents, the main branch being checked out again."""
    git(root, "switch", "--quiet", "--create", "side")
    for name, text in texts.items():
        file = root / f".ai/{name.replace('__', '/')}.md"
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
    git(root, "add", "--all", ".ai")
    git(root, "commit", "--quiet", "--message", "Propose")
    git(root, "switch", "--quiet", "main")


def test_all_four_sources_give_the_same_documents(root: Path) -> None:
    branch(root, design=MORE)
    found: list[Proposal] = [
        from_folder(root, mirror(root, design=MORE)),
        from_diff(root, b"So:\n\n```diff\n" + DIFF + b"```\n"),
        from_revision(root, "side"),
    ]
    (root / ".ai/design.md").write_bytes(MORE)
    found.append(from_worktree(root))
    assert [proposal.documents for proposal in found] == [EXPECTED] * 4


def test_a_source_is_taken_by_its_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    branch(root, design=MORE)
    (root / ".ai-tasks").mkdir()
    (root / ".ai-tasks/x.diff").write_bytes(DIFF)
    mirror(root, design=MORE)
    for named in ("side", ".ai-tasks/x.diff", ".ai-tasks/proposals/done"):
        assert take(root, named, Path(named)).documents == EXPECTED
    with pytest.raises(ProposalRefused, match="no folder, no file and no commit"):
        take(root, "absent", Path("absent"))
    with pytest.raises(ProposalRefused, match="no folder, no file and no commit"):
        take(root, "--all", Path("--all"))
    (root / ".ai/design.md").write_bytes(MORE)
    assert take(root, "worktree", Path("worktree")).documents == EXPECTED


def test_an_empty_file_of_a_folder_says_that_the_document_goes(root: Path) -> None:
    proposal = from_folder(root, mirror(root, map=b"", absent=b"", added=b"# New\n"))
    assert proposal.documents == (
        Document(".ai/added.md", None, b"# New\n"),
        Document(".ai/map.md", b"# Map\n", None),
    )
    assert ".ai/absent.md is empty in it and not there: nothing to remove" in proposal.notes
    assert ".ai/index.md still names .ai/map.md, which goes" in proposal.notes


def test_a_folder_may_hold_the_memory_folder_itself(root: Path) -> None:
    assert from_folder(root, mirror(root, **{".ai__design": MORE}).parent / "done").documents == (
        EXPECTED
    )


def test_a_folder_that_changes_nothing_proposes_nothing(root: Path) -> None:
    stamped = b"---\nlast-updated: 2026-01-01\n---\n" + DESIGN
    (root / ".ai/design.md").write_bytes(stamped)
    proposal = from_folder(root, mirror(root, design=stamped.replace(b"2026", b"2027")))
    assert proposal.documents == ()
    assert proposal.notes == ("it changes nothing",)


@pytest.mark.parametrize("name", ["run.sh", "x.MD", "sub/notes.txt"])
def test_a_folder_with_anything_but_documents_is_refused(root: Path, name: str) -> None:
    folder = mirror(root, design=MORE)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"x")
    with pytest.raises(ProposalRefused, match="no Markdown document"):
        from_folder(root, folder)


def test_links_are_refused_on_either_side(root: Path) -> None:
    folder = mirror(root, design=MORE)
    (folder / "map.md").symlink_to(root / "CLAUDE.md")
    with pytest.raises(ProposalRefused, match="is a link"):
        from_folder(root, folder)
    (root / ".ai/map.md").unlink()
    (root / ".ai/map.md").symlink_to(root / "CLAUDE.md")
    (root / ".ai/far").symlink_to(root.parent)
    for path in (".ai/map.md", ".ai/far/x.md"):
        with pytest.raises(ProposalRefused, match="link"):
            document(root, path)
    with pytest.raises(ProposalRefused, match="link"):
        from_diff(root, DIFF.replace(b"design", b"map"))
    with pytest.raises(ProposalRefused, match="the memory itself"):
        from_folder(root, root / ".ai")


def test_a_diff_that_does_not_fit_is_refused_with_its_reason(root: Path) -> None:
    with pytest.raises(ProposalRefused, match="a diff is not taken: all of it is already applied"):
        (root / ".ai/design.md").write_bytes(MORE)
        from_diff(root, DIFF)
    with pytest.raises(ProposalRefused, match="there is no diff in it"):
        from_diff(root, b"I have no changes.\n")


def test_a_document_that_becomes_a_folder_is_renamed_and_what_names_it_follows(root: Path) -> None:
    folder = mirror(root, design=b"", design__index=MORE)
    proposal = from_folder(root, folder)
    by_path = {doc.path: doc for doc in proposal.documents}
    assert by_path.keys() == {".ai/design/index.md", ".ai/index.md", "CLAUDE.md"}
    renamed = by_path[".ai/design/index.md"]
    assert (renamed.change, renamed.base, renamed.proposed) == (Change.RENAMED, DESIGN, MORE)
    assert by_path["CLAUDE.md"].proposed == b"@.ai/design/index.md\n"


def test_edits_of_the_working_tree_are_tolerated_where_they_are_the_proposal(root: Path) -> None:
    (root / ".ai/design.md").write_bytes(MORE)
    (root / ".ai/map.md").unlink()
    (root / ".ai/new").mkdir()
    (root / ".ai/new/a b.md").write_bytes(b"# A\n")
    (root / "code.py").write_bytes(b"x")
    proposal = from_worktree(root)
    assert [(doc.path, doc.change) for doc in proposal.documents] == [
        (".ai/design.md", Change.CHANGED),
        (".ai/map.md", Change.REMOVED),
        (".ai/new/a b.md", Change.ADDED),
    ]
    assert proposal.tolerated == {b".ai/design.md", b".ai/map.md", b".ai/new/"}
    assert proposal.now == {".ai/design.md": MORE, ".ai/map.md": None, ".ai/new/a b.md": b"# A\n"}


def test_a_folder_of_the_working_tree_with_more_than_documents_is_not_tolerated(root: Path) -> None:
    (root / ".ai/new").mkdir()
    (root / ".ai/new/a.md").write_bytes(b"# A\n")
    (root / ".ai/new/run.sh").write_bytes(b"x")
    assert from_worktree(root).tolerated == frozenset()


def test_a_document_staged_and_taken_back_on_disk_is_no_edit(root: Path) -> None:
    (root / ".ai/design.md").write_bytes(MORE)
    git(root, "add", ".ai/design.md")
    (root / ".ai/design.md").write_bytes(DESIGN)
    proposal = from_worktree(root)
    assert (proposal.documents, proposal.tolerated) == ((), frozenset())


def test_a_rename_in_the_working_tree_is_one(root: Path) -> None:
    (root / ".ai/design").mkdir()
    git(root, "mv", ".ai/design.md", ".ai/design/index.md")
    proposal = from_worktree(root)
    assert [doc.change for doc in proposal.documents] == [Change.RENAMED]
    assert proposal.tolerated == {b".ai/design/index.md"}
    assert proposal.now == {".ai/design.md": None, ".ai/design/index.md": DESIGN}


def test_odd_names_are_taken_as_they_are(root: Path) -> None:
    names = ["模块/重试 loop.md", "a -> b.md", 'say "hi".md', "tab\there.md", "новый.md"]
    for name in names:
        (root / ".ai" / name).parent.mkdir(exist_ok=True)
        (root / ".ai" / name).write_bytes(b"# X\n")
    found = from_worktree(root)
    assert {doc.path for doc in found.documents} == {f".ai/{name}" for name in names}
    assert len(found.tolerated) == len(names)


def test_a_branch_gives_what_it_changed_since_it_was_begun(root: Path) -> None:
    branch(root, design=MORE, map=None, new=b"# New\n")
    (root / "code.py").write_bytes(b"x")
    git(root, "add", "code.py")
    git(root, "commit", "--quiet", "--message", "Go on")
    proposal = from_revision(root, "side")
    assert [(doc.path, doc.change) for doc in proposal.documents] == [
        (".ai/design.md", Change.CHANGED),
        (".ai/map.md", Change.REMOVED),
        (".ai/new.md", Change.ADDED),
    ]


def test_a_branch_over_a_document_that_moved_on_is_refused(root: Path) -> None:
    branch(root, design=MORE)
    (root / ".ai/design.md").write_bytes(DESIGN + b"- other\n")
    git(root, "commit", "--quiet", "--all", "--message", "Go on")
    with pytest.raises(ProposalRefused, match=r"\.ai/design\.md changed here since side"):
        from_revision(root, "side")


def test_what_a_branch_proposes_and_is_here_already_is_left_out(root: Path) -> None:
    branch(root, design=MORE)
    (root / ".ai/design.md").write_bytes(MORE)
    git(root, "commit", "--quiet", "--all", "--message", "By hand")
    assert from_revision(root, "side").documents == ()


@pytest.mark.parametrize(
    ("revision", "words"),
    [("HEAD", "part of HEAD already"), ("HEAD~9", "names no commit"), ("other", "in common")],
)
def test_a_revision_that_proposes_nothing_says_so(root: Path, revision: str, words: str) -> None:
    git(root, "switch", "--quiet", "--orphan", "other")
    git(root, "commit", "--quiet", "--allow-empty", "--message", "Apart")
    git(root, "switch", "--quiet", "main")
    with pytest.raises(ProposalRefused, match=words):
        from_revision(root, revision)


def test_links_scripts_and_other_files_in_a_branch_are_refused(root: Path) -> None:
    branch(root, design=MORE)
    git(root, "switch", "--quiet", "side")
    (root / ".ai/link.md").symlink_to("map.md")
    git(root, "add", ".ai/link.md")
    git(root, "commit", "--quiet", "--message", "Link")
    git(root, "switch", "--quiet", "main")
    with pytest.raises(ProposalRefused, match="no regular file"):
        from_revision(root, "side")
    assert from_revision(root, "side~1").documents == EXPECTED


def test_a_commit_of_the_past_shows_what_it_changed(root: Path) -> None:
    (root / ".ai/design.md").write_bytes(MORE)
    git(root, "commit", "--quiet", "--all", "--message", "Absorb")
    assert from_commit(root, git(root, "rev-parse", "HEAD").strip()).documents == EXPECTED
    first = from_commit(root, git(root, "rev-parse", "HEAD~1").strip())
    assert {doc.change for doc in first.documents} == {Change.ADDED}


def test_a_checkout_below_the_top_of_its_repository_has_paths_of_its_own(tmp_path: Path) -> None:
    top = tmp_path / "top"
    root = top / "part"
    (root / ".ai").mkdir(parents=True)
    (root / ".ai/design.md").write_bytes(DESIGN)
    git(top, "init", "--quiet", "--initial-branch=main")
    git(top, "add", ".")
    git(top, "commit", "--quiet", "--message", "Begin")
    (root / ".ai/design.md").write_bytes(MORE)
    (root / ".ai/more").mkdir()
    (root / ".ai/more/x.md").write_bytes(b"# X\n")
    proposal = from_worktree(root)
    assert [doc.path for doc in proposal.documents] == [".ai/design.md", ".ai/more/x.md"]
    assert proposal.documents[0].base == DESIGN
    assert proposal.tolerated == {b"part/.ai/design.md", b"part/.ai/more/"}


def test_without_a_commit_the_edits_of_the_tree_are_all_new(tmp_path: Path) -> None:
    (tmp_path / ".ai").mkdir()
    (tmp_path / ".ai/design.md").write_bytes(DESIGN)
    git(tmp_path, "init", "--quiet")
    assert from_worktree(tmp_path).documents == (Document(".ai/design.md", None, DESIGN),)


def test_a_text_is_what_a_checkout_writes(root: Path) -> None:
    git(root, "config", "core.autocrlf", "true")
    branch(root, map=b"# Map\n\n- more\n")
    (root / ".ai/design.md").unlink()
    git(root, "checkout", "--quiet", ".")
    assert (root / ".ai/design.md").read_bytes() == DESIGN.replace(b"\n", b"\r\n")
    (proposed,) = from_revision(root, "side").documents
    assert proposed.proposed == b"# Map\r\n\r\n- more\r\n"
