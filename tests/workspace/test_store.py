"""The store as files on disk: what is read, what is kept, what is never opened."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mandrel_tui.protocol.diagnostics import RULES
from mandrel_tui.workspace.archive import archived_rows
from mandrel_tui.workspace.cache import CacheRow
from mandrel_tui.workspace.listing import list_store
from mandrel_tui.workspace.store import Store
from mandrel_tui.workspace.yaml_reader import read_yaml
from tests.builders import a_task, review, work


def store(tmp_path: Path, **tasks: bytes) -> Store:
    folder = tmp_path / ".ai-tasks"
    (folder / "archive").mkdir(parents=True)
    for name, data in tasks.items():
        (folder / f"{name}.md").write_bytes(data)
    return Store(tmp_path)


def names(found: Store) -> list[str]:
    return [task.name for task in found.active(found.listing())]


def test_one_bad_file_hides_no_other(tmp_path: Path) -> None:
    found = store(tmp_path, good=a_task(id="good"), bad=b"\xff\xfe\x00 no task at all")
    tasks = found.active(found.listing())
    assert [t.name for t in tasks] == ["bad", "good"]
    assert tasks[0].invalid is not None and tasks[1].invalid is None


def test_a_file_read_before_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    found = store(tmp_path, a=a_task(id="a"), b=a_task(id="b"))
    for name in "ab":
        os.utime(tmp_path / f".ai-tasks/{name}.md", (1, 1))
    first = found.active(found.listing())
    (tmp_path / ".ai-tasks/b.md").write_bytes(a_task(id="b", status="pending"))
    second = found.active(found.listing())
    assert second[0] is first[0]
    assert second[1].status == "pending"


def test_a_file_written_just_now_is_never_taken_from_memory(tmp_path: Path) -> None:
    found = store(tmp_path, a=a_task(id="a", status="pending"))
    found.active(found.listing())
    path = tmp_path / ".ai-tasks/a.md"
    seen = path.stat()
    path.write_bytes(a_task(id="a", status="blocked"))
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert found.active(found.listing())[0].status == "blocked"


def test_a_link_to_a_task_is_a_task_and_a_dangling_one_is_named(tmp_path: Path) -> None:
    found = store(tmp_path, real=a_task(id="real"))
    (tmp_path / ".ai-tasks/linked.md").symlink_to("real.md")
    (tmp_path / ".ai-tasks/lost.md").symlink_to("nowhere.md")
    os.mkfifo(tmp_path / ".ai-tasks/pipe.md")
    assert names(found) == ["linked", "real"]
    notes = found.notes(found.listing(), found.archive_listing())
    assert {Path(n.file).name for n in notes if n.rule == "not-read"} == {"lost.md", "pipe.md"}


def test_documents_are_the_regular_files_inside_the_snapshot(tmp_path: Path) -> None:
    found = store(tmp_path)
    assert found.documents() is None
    (tmp_path / ".ai/design").mkdir(parents=True)
    (tmp_path / ".ai/design/index.md").write_text("x")
    (tmp_path / "secret.md").write_text("x")
    (tmp_path / ".ai/leak.md").symlink_to("../secret.md")
    assert found.documents() == {".ai/design/index.md"}


def test_loops_pipes_and_dangling_links_in_the_snapshot_are_no_documents(tmp_path: Path) -> None:
    found = store(tmp_path)
    (tmp_path / ".ai").mkdir()
    (tmp_path / ".ai/map.md").write_text("x")
    (tmp_path / ".ai/loop.md").symlink_to("loop.md")
    (tmp_path / ".ai/lost.md").symlink_to("nowhere.md")
    (tmp_path / ".ai/up").symlink_to("..")
    os.mkfifo(tmp_path / ".ai/pipe.md")
    assert found.documents() == {".ai/map.md"}


def test_where_a_part_of_the_snapshot_cannot_be_listed_no_document_is_said_to_be_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = store(tmp_path)
    (tmp_path / ".ai/design").mkdir(parents=True)
    whole = os.scandir

    def refused(path: str) -> object:
        if os.fspath(path).endswith("design"):
            raise PermissionError(13, "Permission denied", path)
        return whole(path)

    assert found.documents() == frozenset()
    monkeypatch.setattr(os, "scandir", refused)
    assert found.documents() is None


def test_the_index_may_be_missing_or_damaged(tmp_path: Path) -> None:
    found = store(tmp_path)
    assert found.index() is None
    (tmp_path / ".ai-tasks/index.md").mkdir()
    index = found.index()
    assert index is not None and index.damage


def archive(tmp_path: Path, **tasks: bytes) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name, data in tasks.items():
        (folder / f"{name}.md").write_bytes(data)
    return folder


def test_an_archived_row_from_the_cache_is_the_row_as_read(tmp_path: Path) -> None:
    folder = archive(
        tmp_path,
        a=a_task(work(), review(), id="a", status="completed", blockers="[external:x, y]"),
        b=b"---\nid: other\nstatus: odd\n---\n",
    )
    listed = list_store(folder).files
    fresh, kept = archived_rows(listed, {})
    cached, again = archived_rows(listed, kept)
    assert (cached, again) == (fresh, kept)
    assert fresh[1].diagnostics and {d.rule for d in fresh[1].diagnostics} <= set(RULES)


def test_a_cached_row_serves_no_file_that_changed(tmp_path: Path) -> None:
    folder = archive(tmp_path, a=a_task(id="a", title="One"))
    listed = list_store(folder).files
    _, kept = archived_rows(listed, {})
    (folder / "a.md").write_bytes(a_task(id="a", title="Two"))
    assert archived_rows(listed, kept)[0][0].title == "Two"


def test_an_odd_cache_is_no_fault(tmp_path: Path) -> None:
    folder = archive(tmp_path, a=a_task(id="a", title="One"))
    listed = list_store(folder).files
    _, kept = archived_rows(listed, {})
    row = kept["a"]
    for odd in (None, [], {}, [1] * 9, "x", ["id", "bad", True, None, "", "t", [], "", []]):
        broken = CacheRow(row.size, row.mtime_ns, row.ctime_ns, row.inode, odd)
        rows, _ = archived_rows(listed, {"a": broken})
        assert rows[0].title == "One"


def test_yaml_keeps_every_scalar_a_string() -> None:
    block = '---\nblockers:\n  - 012\n  - yes\n  - "external:x #y"\ncontent: 2026-01-02\n---\n'
    assert read_yaml(block) == {
        "blockers": ["012", "yes", "external:x #y"],
        "content": "2026-01-02",
    }
    assert read_yaml("---\nx: [a\n---\n") is None
