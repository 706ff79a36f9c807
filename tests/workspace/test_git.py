"""Trees of every kind, asked of a real git under hostile configurations and environments."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mandrel_tui.protocol.tree import Dirty, Tree, TreeKind
from mandrel_tui.workspace import gitdir
from mandrel_tui.workspace.git import Git, GitError
from tests.conftest import git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    root.mkdir()
    git(root, "init", "--quiet", "--initial-branch=main")
    (root / "a.txt").write_text("one\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "first")
    return root


def global_config(text: str) -> None:
    with Path(os.environ["GIT_CONFIG_GLOBAL"]).open("a") as file:
        file.write(text)


def head(root: Path) -> str:
    return git(root, "rev-parse", "HEAD").strip()


def test_a_clean_tree_knows_its_branch_and_head(repo: Path) -> None:
    tree = Git(repo).tree()
    assert (tree.kind, tree.branch, tree.head) == (TreeKind.GIT, "main", head(repo))
    assert tree.clean is True
    assert tree.state == "✓ clean"
    assert tree.place == f"main {head(repo)[:7]}"
    assert tree.marks == ()
    assert tree.porcelain == ""


def test_dirty_paths_are_what_porcelain_prints(repo: Path) -> None:
    (repo / "a.txt").write_text("two\n")
    (repo / "new").mkdir()
    (repo / "new" / "b").write_text("b")
    (repo / "staged").write_text("s")
    git(repo, "add", "staged")
    tree = Git(repo).tree()
    assert tree.porcelain + "\n" == git(repo, "status", "--porcelain")
    assert tree.state == "✗ 3 dirty"
    assert tree.clean is False


def test_names_come_back_as_they_are(repo: Path) -> None:
    old, new = "重试 loop.md", "重试.md"
    names = ["a -> b.md", 'say "hi"', "tab\there", "line\nbreak", "новый.md"]
    (repo / old).write_text("a text long enough to be recognised\n" * 5)
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "names")
    git(repo, "mv", old, new)
    for name in names:
        (repo / name).write_text("x")
    entries = Git(repo).tree().entries
    assert Dirty("R ", new.encode(), old.encode()) in entries
    assert {e.path.decode() for e in entries if e.code == "??"} == set(names)


def test_a_name_that_is_no_utf8_keeps_its_bytes(repo: Path) -> None:
    Path(os.fsdecode(os.fsencode(repo) + b"/caf\xe9")).write_text("x")
    (entry,) = Git(repo).tree().entries
    assert entry.path == b"caf\xe9"
    assert entry.text == "?? caf\\xe9"


def test_without_a_commit_the_branch_is_named(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=trunk")
    tree = Git(tmp_path).tree()
    assert tree.place == "trunk (no commits yet)"
    assert tree.state == "no commit yet"
    assert tree.head is None
    assert tree.short == ""


def test_a_detached_head_is_told_from_a_branch_of_that_name(repo: Path) -> None:
    git(repo, "checkout", "--quiet", "--detach")
    tree = Git(repo).tree()
    assert tree.branch is None
    assert tree.place == f"detached {head(repo)[:7]}"


def test_a_linked_worktree_says_so_and_names_the_main_checkout(repo: Path, tmp_path: Path) -> None:
    git(repo, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")
    tree = Git(tmp_path / "wt").tree()
    assert tree.marks == ("worktree",)
    assert tree.branch == "feature"
    own = gitdir.at(tmp_path / "wt")
    assert own is not None
    assert own.linked
    assert own.main == repo
    assert gitdir.worktrees(own.common) == (tmp_path / "wt",)


def test_a_bare_hub_is_unknown_and_its_worktree_works(repo: Path, tmp_path: Path) -> None:
    hub = tmp_path / "hub"
    git(tmp_path, "clone", "--quiet", "--bare", str(repo), str(hub / ".bare"))
    (hub / ".git").write_text("gitdir: ./.bare\n")
    git(hub, "worktree", "add", "--quiet", str(hub / "main"), "main")
    tree = Git(hub).tree()
    assert (tree.kind, tree.bare, tree.clean) == (TreeKind.UNKNOWN, True, None)
    assert tree.words == "a bare repository has no working tree"
    own = gitdir.at(hub)
    assert own is not None
    assert gitdir.worktrees(own.common) == (hub / "main",)
    assert Git(hub / "main").tree().state == "✓ clean"
    inner = gitdir.at(hub / "main")
    assert inner is not None
    assert inner.main is None


def test_a_folder_without_git_has_no_tree(tmp_path: Path) -> None:
    tree = Git(tmp_path).tree()
    assert (tree.kind, tree.state, tree.clean) == (TreeKind.NONE, "no git", None)


def test_a_broken_pointer_is_unknown_and_named(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nonexistent/worktrees/x\n")
    tree = Git(tmp_path).tree()
    assert tree.kind is TreeKind.UNKNOWN
    assert tree.words == ".git points to /nonexistent/worktrees/x, which is not there"
    assert tree.state == "? git"


def test_a_repository_above_that_tracks_nothing_here_is_not_used(repo: Path) -> None:
    plain = repo / "plain"
    plain.mkdir()
    (plain / "x").write_text("x")
    tree = Git(plain).tree()
    assert tree.kind is TreeKind.NONE
    assert tree.words == f"the git repository at {repo} tracks nothing here"


def test_a_tracked_folder_below_the_top_level_has_the_git_of_the_whole(repo: Path) -> None:
    part = repo / "part"
    part.mkdir()
    (part / "x").write_text("x")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "-m", "part")
    (repo / "a.txt").write_text("two\n")
    assert Git(part).tree().entries == (Dirty(" M", b"a.txt"),)


def test_an_empty_git_folder_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert Git(tmp_path).tree().kind is TreeKind.NONE


def test_inherited_location_variables_answer_for_nobody(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet", "--initial-branch=elsewhere")
    for name, value in {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": str(other / "index"),
        "GIT_OBJECT_DIRECTORY": str(other / "objects"),
        "GIT_COMMON_DIR": str(other / ".git"),
        "GIT_NAMESPACE": "x",
        "GIT_ICASE_PATHSPECS": "1",
        "GIT_CONFIG_PARAMETERS": "'core.bare'='true'",
    }.items():
        monkeypatch.setenv(name, value)
    tree = Git(repo).tree()
    assert (tree.branch, tree.clean) == ("main", True)


def test_personal_configuration_changes_no_answer(repo: Path) -> None:
    (repo / "неизвестный").write_text("x")
    (repo / "a.txt").write_text("two\n")
    before = Git(repo).tree()
    global_config(
        "[status]\n\tshowUntrackedFiles = no\n\tbranch = true\n\tshowStash = true\n"
        "\trelativePaths = true\n\tshort = true\n\trenames = false\n"
        "[color]\n\tui = always\n\tstatus = always\n[core]\n\tquotePath = true\n"
        "\tfsmonitor = /no/such/monitor\n\tpager = false\n[column]\n\tui = always\n"
        "[diff]\n\tignoreSubmodules = all\n\texternal = false\n[alias]\n\tstatus = !false\n"
    )
    assert Git(repo).tree() == before
    assert len(before.entries) == 2


def test_a_dirty_submodule_is_dirty_whatever_the_user_set(repo: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet", "--initial-branch=main")
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(repo), "inner")
    git(outer, "commit", "--quiet", "-m", "sub")
    (outer / "inner" / "a.txt").write_text("two\n")
    global_config("[diff]\n\tignoreSubmodules = all\n")
    assert Git(outer).tree().entries == (Dirty(" M", b"inner"),)


def test_files_the_user_ignores_everywhere_stay_ignored(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "ignore").write_text("*.swp\n")
    global_config(f"[core]\n\texcludesFile = {tmp_path}/ignore\n")
    (repo / "x.swp").write_text("x")
    assert Git(repo).tree().clean is True


def test_looking_takes_no_lock_and_leaves_the_index_alone(repo: Path) -> None:
    index = repo / ".git" / "index"
    (repo / "a.txt").touch()
    before = index.stat()
    (repo / ".git" / "index.lock").write_text("held by somebody")
    assert Git(repo).tree().clean is True
    after = index.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert (repo / ".git" / "index.lock").read_text() == "held by somebody"


def test_a_damaged_index_is_unknown_with_the_words_of_git(repo: Path) -> None:
    (repo / ".git" / "index").write_bytes(b"garbage" * 10)
    tree = Git(repo).tree()
    assert tree.kind is TreeKind.UNKNOWN
    assert tree.clean is None
    assert "index file" in tree.words


def test_without_the_program_the_tree_is_unknown(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    tree = Git(repo).tree()
    assert (tree.kind, tree.words) == (TreeKind.UNKNOWN, "no git on PATH")


def test_a_git_that_hangs_is_unknown(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "bin"
    slow.mkdir()
    (slow / "git").write_text("#!/bin/sh\nsleep 60\n")
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    tree = Git(repo, timeout=0.3).tree()
    assert (tree.kind, tree.words) == (TreeKind.UNKNOWN, "git gave no answer within 0.3 s")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_somebody_else_is_unknown_with_the_words_of_git(repo: Path) -> None:
    os.chown(repo, 65534, 65534)
    tree = Git(repo).tree()
    assert tree.kind is TreeKind.UNKNOWN
    assert tree.words.startswith("fatal: detected dubious ownership in repository at")


def conflict(repo: Path) -> None:
    git(repo, "checkout", "--quiet", "-b", "side")
    (repo / "a.txt").write_text("side\n")
    git(repo, "commit", "--quiet", "-am", "side")
    git(repo, "checkout", "--quiet", "main")
    (repo / "a.txt").write_text("main\n")
    git(repo, "commit", "--quiet", "-am", "main")


@pytest.mark.parametrize(
    ("command", "operation"),
    [
        (["merge", "side"], "merge"),
        (["rebase", "side"], "rebase"),
        (["rebase", "--apply", "side"], "rebase"),
        (["cherry-pick", "side"], "cherry-pick"),
        (["revert", "HEAD~"], "revert"),
    ],
)
def test_what_is_under_way_and_unmerged_is_named(
    repo: Path, command: list[str], operation: str
) -> None:
    conflict(repo)
    subprocess.run(["git", *command], cwd=repo, capture_output=True, env={**os.environ})
    tree = Git(repo).tree()
    assert tree.operation == operation
    assert [e.path for e in tree.unmerged] == [b"a.txt"]
    assert tree.marks == (f"{operation} in progress", "1 unmerged")


def test_a_bisect_is_named(repo: Path) -> None:
    conflict(repo)
    git(repo, "bisect", "start")
    assert Git(repo).tree().marks == ("bisect in progress",)


def test_an_operation_in_a_linked_worktree_is_its_own(repo: Path, tmp_path: Path) -> None:
    conflict(repo)
    git(repo, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")
    subprocess.run(["git", "merge", "side"], cwd=tmp_path / "wt", capture_output=True)
    assert Git(tmp_path / "wt").tree().operation == "merge"
    assert Git(repo).tree().operation is None


def test_tracked_and_ignored_paths_are_told_apart(repo: Path) -> None:
    (repo / ".gitignore").write_text("hidden/\n")
    for name in ("hidden/x", ":(top)x", "docs/[a].md", "docs/a.md", "docs/new\nline"):
        (repo / name).parent.mkdir(exist_ok=True)
        (repo / name).write_text("x")
    git(repo, "--literal-pathspecs", "add", ".gitignore", "docs/[a].md")
    asked = Git(repo)
    assert asked.tracked(["docs", "hidden"]) == {b"docs/[a].md"}
    assert asked.tracked(["docs/[a].md"]) == {b"docs/[a].md"}
    assert asked.tracked([]) == frozenset()
    assert asked.ignored([b"hidden/x", b":(top)x", b"docs/a.md", b"docs/new\nline"]) == {
        b"hidden/x"
    }
    assert asked.ignored([b"docs/a.md"]) == frozenset()
    assert asked.ignored([]) == frozenset()


def test_paths_not_checked_out_are_told_from_deleted_ones(repo: Path) -> None:
    for name in ("x.md", "y.md"):
        (repo / name).write_text("x")
    git(repo, "add", ".")
    git(repo, "update-index", "--skip-worktree", "x.md")
    (repo / "x.md").unlink()
    (repo / "y.md").unlink()
    assert Git(repo).skipped(".") == {b"x.md"}


def test_a_question_without_an_answer_raises_the_words_of_git(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not a git repository"):
        Git(tmp_path).tracked(["x"])


def test_an_odd_path_is_no_obstacle(tmp_path: Path) -> None:
    root = tmp_path / 'My "Pro ject" 100% #1 $HOME café: & co' / "-repo"
    root.mkdir(parents=True)
    git(root, "init", "--quiet", "--initial-branch=main")
    assert Git(root).tree().place == "main (no commits yet)"


def test_a_submodule_is_no_linked_worktree(repo: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "--quiet", "--initial-branch=main")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo), "in")
    own = gitdir.at(outer / "in")
    assert own is not None
    assert (own.linked, own.bare, own.main, own.broken) == (False, False, None, "")


def test_words_of_a_tree_that_was_never_asked_are_plain() -> None:
    assert Tree(TreeKind.UNKNOWN).place == ""
    assert Tree(TreeKind.GIT, "main", "a" * 40, linked=True).marks == ("worktree",)
