"""Contract files: which set serves a repository, and what becomes of files that cannot be read."""

from __future__ import annotations

import json
import os
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from mandrel_tui.protocol.contracts import PROCEDURES, REQUIRED_TEXTS, Contracts, declared
from mandrel_tui.workspace.contract_files import load_contracts, lost
from tests.contract_sets import BUNDLE

PROMPTS = ".mandrel/orchestrator/prompts"
REVIEW = ".ai-protocol/protocols/review.md"
NATIVE = "@.ai-protocol/protocols/conduct.md\n"


def write(root: Path, name: str, content: str | bytes = "x\n") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def load(root: Path) -> Contracts:
    return load_contracts(root, BUNDLE)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A repository that carries nothing of the protocol."""
    (tmp_path / "repository").mkdir()
    return tmp_path / "repository"


def test_the_bundled_set_is_whole(bare: Path) -> None:
    contracts = load(bare)
    assert contracts.problems == () and contracts.notes == ()
    assert {*REQUIRED_TEXTS, *PROCEDURES} <= contracts.texts.keys()
    assert contracts.fragments.keys() == {*declared(standing_in=True)}
    assert contracts.texts_bundled and contracts.fragments_bundled
    assert contracts.contracts_dir == str(BUNDLE)
    assert contracts.skill_path == str(BUNDLE / "workflow/skills/closeout.md")
    assert contracts.texts["protocols/review"].path == "contracts/protocols/review.md"
    assert contracts.self_contained


def test_a_repositorys_own_set_serves_it_whole(golden: Path) -> None:
    contracts = load(golden)
    assert contracts.problems == () and contracts.notes == ()
    assert not contracts.texts_bundled and not contracts.fragments_bundled
    assert contracts.texts["protocols/review"].data == (golden / REVIEW).read_bytes()
    assert contracts.fragments["entry/sid-line"].path == f"{PROMPTS}/entry/sid-line.md"
    assert contracts.skill_path == str(golden / ".claude/skills/ai-sync-v2/SKILL.md")
    assert contracts.contracts_dir == ".ai-protocol"
    assert not contracts.self_contained


def test_fragments_of_an_older_deployment_are_found(golden: Path) -> None:
    (golden / ".cursor").mkdir()
    (golden / PROMPTS).parent.rename(golden / ".cursor/orchestrator")
    contracts = load(golden)
    assert contracts.problems == ()
    folder = ".cursor/orchestrator/prompts"
    assert contracts.fragments["entry/sid-line"].path == f"{folder}/entry/sid-line.md"


def test_the_newer_folder_of_fragments_goes_before_the_older(golden: Path) -> None:
    write(golden, ".cursor/orchestrator/prompts/entry/sid-line.md", "old {{sid}}\n")
    assert load(golden).fragments["entry/sid-line"].path.startswith(PROMPTS)


def test_texts_and_fragments_are_decided_each_by_its_own_folder(golden: Path) -> None:
    shutil.rmtree(golden / ".mandrel")
    contracts = load(golden)
    assert contracts.problems == ()
    assert (contracts.texts_bundled, contracts.fragments_bundled) == (False, True)


@pytest.mark.parametrize("name", REQUIRED_TEXTS)
def test_a_missing_text_is_named_and_never_filled_from_the_bundle(golden: Path, name: str) -> None:
    (golden / f".ai-protocol/{name}.md").unlink()
    contracts = load(golden)
    assert contracts.problems == (f".ai-protocol/{name}.md: missing",)
    assert name not in contracts.texts


def test_a_missing_fragment_is_named_and_never_filled_from_the_bundle(golden: Path) -> None:
    (golden / f"{PROMPTS}/midflight/wrapup.md").unlink()
    assert load(golden).problems == (f"{PROMPTS}/midflight/wrapup.md: missing",)


def test_an_empty_folder_is_a_set_with_everything_missing(bare: Path) -> None:
    (bare / ".ai-protocol/protocols").mkdir(parents=True)
    (bare / PROMPTS).mkdir(parents=True)
    assert len(load(bare).problems) == len(REQUIRED_TEXTS) + len(declared(standing_in=False))


def test_every_fault_of_a_set_is_in_the_list(golden: Path) -> None:
    (golden / REVIEW).unlink()
    write(golden, f"{PROMPTS}/entry/sid-line.md", "id {{sid}} {{who}}\n")
    write(golden, f"{PROMPTS}/postcheck-contract.md", "## tree-clean\n\nclean\n")
    problems = load(golden).problems
    assert problems[0] == f"{REVIEW}: missing"
    assert f"{PROMPTS}/entry/sid-line.md: undeclared placeholder {{{{who}}}}" in problems
    assert sum("no text for the check" in problem for problem in problems) == 10


def test_procedures_that_a_repository_lacks_are_no_fault(golden: Path) -> None:
    shutil.rmtree(golden / ".ai-protocol/meta")
    shutil.rmtree(golden / ".ai-protocol/workflow")
    contracts = load(golden)
    assert contracts.problems == () and contracts.notes == ()
    assert "meta/taskfile" not in contracts.texts


def test_files_nobody_asked_for_are_left_alone(golden: Path) -> None:
    write(golden, f"{PROMPTS}/entry/own-note.md", "{{whatever}}\n")
    write(golden, ".ai-protocol/protocols/extra.md")
    assert load(golden).problems == ()


def test_a_pipe_is_never_waited_for(golden: Path) -> None:
    (golden / REVIEW).unlink()
    os.mkfifo(golden / REVIEW)
    assert load(golden).problems == (f"{REVIEW}: a pipe",)


def test_folders_loops_and_dangling_links_are_problems_with_their_reason(golden: Path) -> None:
    for name in ("plan", "intake", "conduct"):
        (golden / f".ai-protocol/protocols/{name}.md").unlink()
    folder = golden / ".ai-protocol/protocols"
    (folder / "plan.md").mkdir()
    (folder / "intake.md").symlink_to("intake.md")
    (folder / "conduct.md").symlink_to("nowhere.md")
    assert set(load(golden).problems) == {
        ".ai-protocol/protocols/conduct.md: a link to nothing",
        ".ai-protocol/protocols/plan.md: a folder",
        ".ai-protocol/protocols/intake.md: a loop of links",
    }


def test_a_protocol_folder_that_is_no_folder_is_not_replaced_by_the_bundle(bare: Path) -> None:
    write(bare, ".ai-protocol/protocols")
    contracts = load(bare)
    assert not contracts.texts_bundled
    assert len(contracts.problems) == len(REQUIRED_TEXTS)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for root")
def test_a_text_without_permission_is_a_problem_with_its_reason(golden: Path) -> None:
    (golden / REVIEW).chmod(0)
    assert load(golden).problems == (f"{REVIEW}: cannot be read (permission denied)",)


def test_a_procedure_that_cannot_be_read_is_noted_and_refuses_nothing(golden: Path) -> None:
    path = golden / ".ai-protocol/meta/taskfile.md"
    path.unlink()
    path.mkdir()
    contracts = load(golden)
    assert contracts.problems == ()
    assert contracts.notes == (".ai-protocol/meta/taskfile.md: a folder",)


def test_bytes_that_are_no_text_are_kept(golden: Path) -> None:
    content = b"\xef\xbb\xbf# R\r\n\xff\x00{{sid}}\xe2\x80\xa8"
    write(golden, REVIEW, content)
    contracts = load(golden)
    assert contracts.problems == ()
    assert contracts.texts["protocols/review"].data == content


def a_receipt(root: Path, digests: dict[str, str]) -> None:
    rows = [{"target_relative_path": p, "canonical_sha256": d} for p, d in digests.items()]
    write(root, ".ai-deploy-lock.json", json.dumps({"deployed_files": rows}))


def test_the_receipt_tells_equal_texts_from_different_ones(golden: Path) -> None:
    plan, line = ".ai-protocol/protocols/plan.md", f"{PROMPTS}/entry/sid-line.md"
    equal = sha256((golden / REVIEW).read_bytes()).hexdigest()
    a_receipt(golden, {REVIEW: equal.upper(), plan: "0" * 64, line: "1" * 64})
    contracts = load(golden)
    assert contracts.texts["protocols/review"].lock == "equal"
    assert contracts.texts["protocols/conduct"].lock is None
    assert {source.path for source in contracts.differing} == {plan, line}
    assert contracts.problems == () and contracts.notes == ()


@pytest.mark.parametrize(
    "receipt",
    [b"", b"{", b"[]", b"null", b"\xff", b'{"deployed_files": {}}', b"[" * 100_000],
)
def test_a_receipt_that_is_none_is_noted_and_refuses_nothing(golden: Path, receipt: bytes) -> None:
    write(golden, ".ai-deploy-lock.json", receipt)
    contracts = load(golden)
    assert contracts.problems == ()
    assert len(contracts.notes) == 1
    assert contracts.notes[0].startswith(".ai-deploy-lock.json: ")


def test_odd_rows_of_a_receipt_are_passed_over(golden: Path) -> None:
    rows = [1, None, {}, {"target_relative_path": 3}, {"target_relative_path": REVIEW}]
    rows.append({"target_relative_path": REVIEW, "canonical_sha256": "0"})
    write(golden, ".ai-deploy-lock.json", json.dumps({"deployed_files": rows}))
    assert [source.path for source in load(golden).differing] == [REVIEW]


def test_the_bundle_is_not_compared_with_a_receipt(bare: Path) -> None:
    a_receipt(bare, {REVIEW: "0", "contracts/protocols/review.md": "0"})
    assert load(bare).differing == ()


def test_the_closeout_skill_is_the_packaged_one_else_the_procedure(golden: Path) -> None:
    (golden / ".claude/skills/ai-sync-v2/SKILL.md").unlink()
    procedure = golden / ".ai-protocol/workflow/skills/closeout.md"
    assert load(golden).skill_path == str(procedure)
    procedure.unlink()
    assert load(golden).skill_path is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("CLAUDE.md", NATIVE),
        (".claude/CLAUDE.md", NATIVE),
        ("AGENTS.md", "Read `.ai-protocol/protocols/conduct.md` first.\n"),
        (".cursor/rules/protocol.mdc", NATIVE),
    ],
)
def test_a_file_that_every_session_reads_is_a_loader(bare: Path, name: str, content: str) -> None:
    assert not load(bare).native
    write(bare, name, content)
    assert load(bare).native


@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md", "README.md"])
def test_a_file_that_does_not_name_the_contracts_is_no_loader(bare: Path, name: str) -> None:
    write(bare, name, "Use four spaces.\n")
    assert not load(bare).native


def hooks(event: str, command: str) -> str:
    group = {"matcher": "", "hooks": [{"type": "command", "command": command}]}
    return json.dumps({"hooks": {event: [group]}})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".claude/settings.json", hooks("SessionStart", "cat .ai-protocol/protocols/conduct.md")),
        (".claude/settings.local.json", hooks("SessionStart", "cat .ai/index.md")),
        (
            ".claude/settings.json",
            hooks("SessionStart", 'python3 "$CLAUDE_PROJECT_DIR/.claude/hooks/start.py"'),
        ),
        (".cursor/hooks.json", '{"hooks": {"sessionStart": [{"command": "cat .ai/map.md"}]}}'),
    ],
)
def test_a_start_hook_that_brings_the_protocol_is_found(
    bare: Path, name: str, content: str
) -> None:
    write(bare, ".claude/hooks/start.py", "print(open('.ai-protocol/protocols/conduct.md').read())")
    assert not load(bare).native
    write(bare, name, content)
    assert load(bare).native


@pytest.mark.parametrize(
    "content",
    [
        hooks("SessionStart", "nvm use"),
        hooks("SessionStart", "unbalanced '"),
        hooks("SessionStart", "a\x00b"),
        hooks("Stop", "cat .ai-protocol/protocols/conduct.md"),
        '{"hooks": []}',
        '{"hooks": {"SessionStart": {"command": 1}}}',
        "[1]",
        "{",
        "[" * 100_000,
    ],
)
def test_other_hooks_and_broken_settings_bring_nothing(bare: Path, content: str) -> None:
    write(bare, ".claude/settings.json", content)
    contracts = load(bare)
    assert not contracts.native
    assert contracts.problems == ()


def test_a_bundle_that_lost_a_file_refuses_with_its_name(bare: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "contracts"
    shutil.copytree(BUNDLE, bundle)
    assert lost(bundle) == ()
    (bundle / "meta/taskfile.md").unlink()
    (bundle / "prompts/entry/session-end-pointer.md").unlink()
    (bundle / "workflow/runbook.md").unlink()
    assert lost(bundle) == (
        "contracts/meta/taskfile.md",
        "contracts/workflow/runbook.md",
        "contracts/prompts/entry/session-end-pointer.md",
    )
    assert load_contracts(bare, bundle).problems == (
        "contracts/meta/taskfile.md: missing",
        "contracts/prompts/entry/session-end-pointer.md: missing",
    )
