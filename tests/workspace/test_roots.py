"""Which folder is meant: stores, top levels, worktrees, hubs, git's own folders, nothing at all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mandrel_tui.workspace.roots import RootError, find_root
from tests.conftest import git


def store(folder: Path, *names: str) -> Path:
    (folder / ".ai-tasks").mkdir(parents=True)
    for name in names:
        (folder / ".ai-tasks" / f"{name}.md").write_text("---\n---\n")
    return folder


def repository(folder: Path, *, tasks: tuple[str, ...] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / ".gitignore").write_text(".ai-tasks/\n")
    (folder / "src").mkdir()
    (folder / "src" / "a.py").write_text("a")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    return store(folder, *tasks) if tasks else folder


def refused(start: Path, *, explicit: bool = False) -> RootError:
    with pytest.raises(RootError) as raised:
        find_root(start, explicit=explicit)
    assert "\n" not in str(raised.value)
    return raised.value


def test_finding_a_root_starts_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = repository(tmp_path / "repo", tasks=("a",))
    git(main, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")

    def start(*_: object, **__: object) -> None:
        raise AssertionError("a child was started")

    monkeypatch.setattr(subprocess, "Popen", start)
    assert find_root(main / "src").root == main
    assert find_root(tmp_path / "wt").offers == (main,)


def test_the_nearest_store_above_is_the_root(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", tasks=("a",))
    for start in (root, root / "src", root / ".ai-tasks"):
        found = find_root(start)
        assert (found.root, found.has_tasks, found.offers) == (root, True, ())
        found.need_tasks()


def test_a_store_below_the_top_level_comes_before_that_of_the_top_level(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", tasks=("a",))
    part = store(root / "part", "b")
    (part / "deep").mkdir()
    found = find_root(part / "deep")
    assert found.root == part
    assert found.git_note == f"below the git top level {root}"


def test_without_git_the_walk_goes_on_to_the_nearest_store(tmp_path: Path) -> None:
    plain = store(tmp_path / "plain", "a")
    (plain / "x" / "y").mkdir(parents=True)
    found = find_root(plain / "x" / "y")
    assert (found.root, found.git_note) == (plain, "no git here")


def test_an_outer_store_is_offered_and_never_taken(tmp_path: Path) -> None:
    outer = store(tmp_path / "outer", "a", "b")
    inner = repository(outer / "inner")
    found = find_root(inner / "src")
    assert (found.root, found.has_tasks, found.offers) == (inner, False, (outer,))
    with pytest.raises(RootError) as raised:
        found.need_tasks()
    assert raised.value.offers == (outer,)
    assert str(raised.value) == (f"no .ai-tasks/ in {inner}; {outer} has 2 tasks: -C {outer}")


def test_a_linked_worktree_offers_the_store_of_the_main_checkout(tmp_path: Path) -> None:
    main = repository(tmp_path / "repo", tasks=("a", "b"))
    git(main, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")
    found = find_root(tmp_path / "wt" / "src")
    assert (found.root, found.offers) == (tmp_path / "wt", (main,))
    assert found.message == (
        f"no .ai-tasks/ in {tmp_path}/wt (a linked worktree of {main}); "
        f"{main} has 2 tasks: -C {main}"
    )
    assert not (tmp_path / "wt" / ".ai-tasks").exists()


def test_a_worktree_inside_the_main_checkout_is_a_top_level_of_its_own(tmp_path: Path) -> None:
    main = repository(tmp_path / "repo", tasks=("a",))
    git(main, "worktree", "add", "--quiet", str(main / ".trees" / "wt"), "-b", "feature")
    found = find_root(main / ".trees" / "wt")
    assert (found.root, found.offers) == (main / ".trees" / "wt", (main,))


def test_a_worktree_with_its_own_store_uses_it(tmp_path: Path) -> None:
    main = repository(tmp_path / "repo", tasks=("a",))
    git(main, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")
    store(tmp_path / "wt", "b")
    found = find_root(tmp_path / "wt")
    assert (found.root, found.has_tasks, found.offers) == (tmp_path / "wt", True, ())


def hub(tmp_path: Path) -> Path:
    source = repository(tmp_path / "source")
    folder = tmp_path / "hub"
    git(tmp_path, "clone", "--quiet", "--bare", str(source), str(folder / ".bare"))
    (folder / ".git").write_text("gitdir: ./.bare\n")
    git(folder, "worktree", "add", "--quiet", str(folder / "main"), "main")
    return folder


@pytest.mark.parametrize("explicit", [False, True])
def test_a_bare_hub_names_the_worktree_that_has_tasks(tmp_path: Path, explicit: bool) -> None:
    folder = hub(tmp_path)
    store(folder / "main", "a")
    error = refused(folder, explicit=explicit)
    assert str(error) == (
        f"{folder} is a bare repository without a working tree; "
        f"{folder}/main has 1 task: -C {folder}/main"
    )
    assert error.offers == (folder / "main",)
    assert find_root(folder / "main").root == folder / "main"


def test_a_bare_hub_without_tasks_names_a_worktree(tmp_path: Path) -> None:
    folder = hub(tmp_path)
    assert str(refused(folder)).endswith(f"its working tree is {folder}/main: -C {folder}/main")


def test_a_worktree_of_a_hub_offers_the_store_of_another(tmp_path: Path) -> None:
    folder = hub(tmp_path)
    store(folder / "main", "a")
    git(folder, "worktree", "add", "--quiet", str(folder / "feature"), "-b", "feature")
    assert find_root(folder / "feature").offers == (folder / "main",)


def test_a_hub_with_a_store_of_its_own_is_a_root(tmp_path: Path) -> None:
    folder = store(hub(tmp_path), "a")
    found = find_root(folder)
    assert (found.root, found.git_note) == (folder, "a bare repository")


def test_inside_a_bare_repository_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "x.git")
    error = refused(tmp_path / "x.git" / "refs")
    assert str(error) == (
        f"{tmp_path}/x.git/refs is inside a bare repository; `git worktree add` makes one"
    )


@pytest.mark.parametrize("explicit", [False, True])
@pytest.mark.parametrize("inner", [".git", ".git/hooks", ".git/worktrees/wt"])
def test_inside_git_is_refused_with_the_way_out(tmp_path: Path, inner: str, explicit: bool) -> None:
    root = repository(tmp_path / "repo", tasks=("a",))
    git(root, "worktree", "add", "--quiet", str(tmp_path / "wt"), "-b", "feature")
    error = refused(root / inner, explicit=explicit)
    assert str(error) == (
        f"{root}/{inner} is inside a git folder; its working tree is {root}: -C {root}"
    )
    assert error.offers == (root,)


def test_inside_the_git_folder_of_a_submodule_is_refused(tmp_path: Path) -> None:
    inner = repository(tmp_path / "inner")
    outer = repository(tmp_path / "outer")
    allow = ("-c", "protocol.file.allow=always")
    git(outer, *allow, "submodule", "--quiet", "add", str(inner), "sub")
    error = refused(outer / ".git" / "modules" / "sub")
    assert "is inside a git folder" in str(error)
    assert find_root(outer / "sub" / "src").root == outer / "sub"


def test_a_store_with_a_broken_pointer_is_a_root_that_says_so(tmp_path: Path) -> None:
    orphan = store(tmp_path / "orphan", "a")
    (orphan / ".git").write_text("gitdir: /nonexistent/worktrees/x\n")
    found = find_root(orphan)
    assert found.has_tasks
    assert found.git_note == ".git points to /nonexistent/worktrees/x, which is not there"


@pytest.mark.parametrize("content", [b"", b"gitdir:", b"\xff\x00nonsense", b"x" * 100_000])
def test_a_nonsense_git_file_stops_the_walk_like_any_top_level(
    tmp_path: Path, content: bytes
) -> None:
    outer = store(tmp_path / "outer", "a")
    (outer / "inner").mkdir()
    (outer / "inner" / ".git").write_bytes(content)
    found = find_root(outer / "inner")
    assert (found.root, found.offers) == (outer / "inner", (outer,))
    assert found.git_note


def test_an_empty_git_folder_and_a_pipe_are_no_top_level(tmp_path: Path) -> None:
    outer = store(tmp_path / "outer", "a")
    (outer / "b" / "c").mkdir(parents=True)
    (outer / "b" / ".git").mkdir()
    os.mkfifo(outer / "b" / "c" / ".git")
    assert find_root(outer / "b" / "c").root == outer


def test_a_repository_without_mandrel_resolves_to_its_top_level(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    (root / "CLAUDE.md").write_text("x")
    (root / "AGENTS.md").mkdir()
    found = find_root(root / "src")
    assert (found.root, found.has_tasks, found.has_memory, found.has_protocol) == (
        root,
        False,
        False,
        False,
    )
    assert found.memory_files == ("CLAUDE.md",)
    assert "`mandrel-tui init` sets it up" in found.message


def test_an_empty_folder_resolves_to_itself(tmp_path: Path) -> None:
    found = find_root(tmp_path)
    assert (found.root, found.git_note, found.offers) == (tmp_path, "no git here", ())


def test_each_piece_is_found_on_its_own(tmp_path: Path) -> None:
    (tmp_path / ".ai").mkdir()
    assert (find_root(tmp_path).has_memory, find_root(tmp_path).has_protocol) == (True, False)
    (tmp_path / ".ai-protocol" / "protocols").mkdir(parents=True)
    assert find_root(tmp_path).has_protocol


def test_a_folder_named_outright_is_the_root_or_none_is(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", tasks=("a",))
    assert find_root(root, explicit=True).has_tasks
    found = find_root(root / "src", explicit=True)
    assert (found.root, found.has_tasks, found.offers) == (root / "src", False, (root,))
    assert found.message == (
        f"no .ai-tasks/ in {root}/src (below the git top level {root}); "
        f"{root} has 1 task: -C {root}"
    )


def test_a_link_to_a_repository_is_resolved(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo", tasks=("a",))
    (tmp_path / "link").symlink_to(root)
    assert find_root(tmp_path / "link").root == root


def test_a_store_that_is_a_link_to_a_folder_counts(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    (root / ".ai-tasks").symlink_to(store(tmp_path / "elsewhere", "a") / ".ai-tasks")
    assert find_root(root).has_tasks


def test_a_file_or_a_dangling_link_is_no_store(tmp_path: Path) -> None:
    (tmp_path / ".ai-tasks").symlink_to("nowhere")
    found = find_root(tmp_path)
    assert not found.has_tasks
    assert found.message == (
        f"{tmp_path}/.ai-tasks is no folder of tasks: a link to nothing; move it away"
    )
    (tmp_path / ".ai-tasks").unlink()
    (tmp_path / ".ai-tasks").write_text("x")
    assert not find_root(tmp_path).has_tasks
    assert "is no folder of tasks: a file;" in find_root(tmp_path).message
    (tmp_path / ".ai-tasks").unlink()
    os.mkfifo(tmp_path / ".ai-tasks")
    assert "is no folder of tasks: a pipe;" in find_root(tmp_path).message


def test_what_is_no_folder_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to("loop")
    assert str(refused(tmp_path / "file")) == f"{tmp_path}/file is no folder"
    assert (
        str(refused(tmp_path / "no\nwhere")) == f"{tmp_path}/no␊where cannot be opened: not there"
    )
    assert str(refused(tmp_path / "loop")).endswith("cannot be opened: a loop of links")


def test_a_folder_that_may_not_be_entered_is_named_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = os.lstat

    def refuse(path: Path) -> os.stat_result:
        if str(path).startswith(f"{tmp_path}/"):
            raise PermissionError(13, "Permission denied", str(path))
        return look(path)

    with monkeypatch.context() as here:
        here.setattr(os, "lstat", refuse)
        message = str(refused(tmp_path, explicit=True))
    assert message == f"{tmp_path} cannot be opened: cannot be read (permission denied)"


def test_an_odd_path_is_offered_ready_for_a_shell(tmp_path: Path) -> None:
    odd = store(tmp_path / 'My "Pro ject" $HOME', "a")
    inner = repository(odd / "-inner")
    assert find_root(inner).message.endswith(f"-C '{odd}'")
