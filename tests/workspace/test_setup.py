"""Setting up lays everything once, keeps what is there, and can be stopped at any file."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from mandrel_tui.resources import bundled
from mandrel_tui.workspace.contract_files import load_contracts
from mandrel_tui.workspace.files import write_atomic
from mandrel_tui.workspace.setup import (
    ARCHIVE,
    LOCK,
    SKILL,
    SNAPSHOT,
    SetupPlan,
    SetupRefused,
    carry_out,
    deployment,
    plan_setup,
)

CONTRACTS = bundled("contracts")
HEAD = "4f21c9a0" * 5


def planned(root: Path, today: str = "2026-08-22") -> SetupPlan:
    return plan_setup(root, CONTRACTS, today=today, head=HEAD)


def set_up(root: Path, *, loader: bool = False) -> SetupPlan:
    plan = planned(root)
    carry_out(plan, loader=loader)
    return plan


def files_below(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_planning_writes_nothing(tmp_path: Path) -> None:
    assert planned(tmp_path).changes(loader=True)
    assert list(tmp_path.iterdir()) == []


def test_what_is_laid_is_exactly_what_was_shown(tmp_path: Path) -> None:
    plan = set_up(tmp_path, loader=True)
    assert files_below(tmp_path) == {c.path: c.after for c in plan.changes(loader=True)}
    assert (tmp_path / ARCHIVE).is_dir()


def test_the_laid_contracts_are_a_whole_set_that_equals_its_receipt(tmp_path: Path) -> None:
    set_up(tmp_path, loader=True)
    contracts = load_contracts(tmp_path, CONTRACTS)
    assert contracts.problems == ()
    assert (contracts.texts_bundled, contracts.fragments_bundled) == (False, False)
    sources = [*contracts.texts.values(), *contracts.fragments.values()]
    assert {source.lock for source in sources} == {"equal"}
    assert contracts.native and not contracts.self_contained
    assert contracts.skill_path == str(tmp_path / SKILL)


def test_without_the_loader_the_laid_set_stands_in_for_it(tmp_path: Path) -> None:
    set_up(tmp_path)
    contracts = load_contracts(tmp_path, CONTRACTS)
    assert contracts.self_contained
    assert contracts.contracts_dir == ".ai-protocol"
    (pointer,) = tmp_path.rglob("session-end-pointer.md")
    pointer.unlink()
    missing = f"{pointer.relative_to(tmp_path)}: missing"
    assert load_contracts(tmp_path, CONTRACTS).problems == (missing,)


def test_the_receipt_lists_each_laid_contract_with_its_digest(tmp_path: Path) -> None:
    set_up(tmp_path)
    rows = json.loads((tmp_path / LOCK).read_bytes())["deployed_files"]
    listed = {row["target_relative_path"]: row["canonical_sha256"] for row in rows}
    assert listed == {p: sha256((tmp_path / p).read_bytes()).hexdigest() for p in listed}
    assert listed.keys() == deployment(CONTRACTS).keys()


def test_the_snapshot_is_stamped_with_the_day_and_the_commit(tmp_path: Path) -> None:
    set_up(tmp_path)
    for name in SNAPSHOT:
        text = (tmp_path / f".ai/{name}.md").read_text("utf-8")
        assert f"last-updated: 2026-08-22\nverified-against: {HEAD}\n" in text
        assert "{{" not in text
    assert tmp_path.name in (tmp_path / ".ai/overview.md").read_text("utf-8")


def test_the_loader_is_left_out_unless_it_is_wanted(tmp_path: Path) -> None:
    set_up(tmp_path)
    assert not (tmp_path / "AGENTS.md").exists()
    plan = planned(tmp_path)
    assert (plan.files, plan.receipt) == ((), ())
    carry_out(plan, loader=True)
    assert b".ai-protocol/protocols/conduct.md" in (tmp_path / "AGENTS.md").read_bytes()


def test_a_repository_that_is_set_up_is_refused(tmp_path: Path) -> None:
    set_up(tmp_path, loader=True)
    before = files_below(tmp_path)
    with pytest.raises(SetupRefused, match="set up already"):
        planned(tmp_path)
    assert files_below(tmp_path) == before


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".ai-protocol/protocols/review.md", b"# Ours\n"),
        (".ai-protocol/protocols/more.md", b"# Ours\n"),
        (LOCK, b"{}"),
        (".cursor/orchestrator/prompts/entry/sid-line.md", b"id {{sid}}\n"),
        (".mandrel/orchestrator/prompts/entry/sid-line.md", b"id {{sid}}, ours\n"),
        (".ai-protocol/meta/memory.md", b"# Ours\n"),
    ],
)
def test_a_deployment_of_another_origin_is_refused(
    tmp_path: Path, path: str, content: bytes
) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_bytes(content)
    with pytest.raises(SetupRefused, match="is there already"):
        planned(tmp_path)


def test_an_interrupted_setup_goes_on_where_it_stopped(tmp_path: Path) -> None:
    changes = planned(tmp_path).changes(loader=True)
    for stop in range(0, len(changes), 7):
        root = tmp_path / f"stopped-at-{stop}"
        root.mkdir()
        first = planned(root, today="2026-08-21").changes(loader=True)
        for change in first[:stop]:
            write_atomic(root / change.path, change.after, change.before)
        rest = planned(root)
        assert [c.path for c in rest.changes(loader=True)] == [c.path for c in first[stop:]]
        carry_out(rest, loader=True)
        assert files_below(root).keys() == {c.path for c in changes}


def test_files_that_are_there_are_kept(tmp_path: Path) -> None:
    mine = {
        ".ai/index.md": b"# Mine\n",
        ".ai/design/index.md": b"# Mine too\n",
        ".ai-tasks/index.md": b"| id |\n",
        SKILL: b"my own skill\n",
    }
    for path, content in mine.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    plan = set_up(tmp_path)
    assert {".ai/index.md", ".ai/design/index.md", ".ai-tasks/index.md", SKILL} <= set(plan.kept)
    assert mine.items() <= files_below(tmp_path).items()
    assert not (tmp_path / ".ai/design.md").exists()
    assert SKILL not in (tmp_path / LOCK).read_text("utf-8")


def test_the_ignore_block_is_added_behind_what_is_there(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_bytes(b"node_modules/\r\n*.log")
    set_up(tmp_path)
    text = (tmp_path / ".gitignore").read_bytes()
    assert text.startswith(b"node_modules/\r\n*.log\r\n\r\n# mandrel: begin\r\n")
    assert b"/.ai-tasks/\r\n" in text
    assert b"\n" not in text.replace(b"\r\n", b"")


def test_one_agents_file_behind_two_names_gets_one_block(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"# Rules\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    plan = set_up(tmp_path, loader=True)
    assert [change.path for change in plan.loaders] == ["AGENTS.md"]
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "CLAUDE.md").read_bytes().count(b"<!-- mandrel: begin -->") == 1


def test_a_loader_that_imports_the_other_gets_no_block(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(b"@AGENTS.md\n")
    assert [change.path for change in planned(tmp_path).loaders] == ["AGENTS.md"]


def test_a_loader_in_another_encoding_is_left_alone_and_said_so(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_bytes("# Règles\n".encode("utf-16"))
    plan = planned(tmp_path)
    assert "CLAUDE.md" not in [change.path for change in plan.loaders]
    assert any(note.startswith("CLAUDE.md is left alone: ") for note in plan.notes)


def test_a_document_that_is_a_folder_is_named_as_one(tmp_path: Path) -> None:
    (tmp_path / ".ai/design").mkdir(parents=True)
    (tmp_path / ".ai/design/index.md").write_text("# Design\n")
    plan = set_up(tmp_path, loader=True)
    assert plan.kept == (".ai/design/index.md",)
    assert not (tmp_path / ".ai/design.md").exists()
    assert "| Design | design/index.md |" in (tmp_path / ".ai/index.md").read_text()
    claude = (tmp_path / "CLAUDE.md").read_text()
    assert "@.ai/design/index.md\n" in claude and "@.ai/design.md" not in claude


def test_a_file_where_a_folder_belongs_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".mandrel").write_bytes(b"")
    with pytest.raises(SetupRefused, match=r"\.mandrel is no folder"):
        planned(tmp_path)
