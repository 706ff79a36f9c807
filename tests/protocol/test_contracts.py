"""Contract sets: the declared placeholders, the post-check contract, strict filling."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.contracts import (
    PROCEDURES,
    REQUIRED_TEXTS,
    declared,
    fragment_problems,
    missing_texts,
    postcheck_sections,
)
from mandrel_tui.protocol.fragments import FRAGMENTS, POSTCHECKS
from mandrel_tui.protocol.placeholders import fill, gaps
from mandrel_tui.protocol.postchecks import CHECKS
from mandrel_tui.protocol.refusal import ContractError
from tests.contract_sets import GOLDEN, golden_set, with_fragment

SET = golden_set()
PROMPTS = Path(GOLDEN, "workspace/.mandrel/orchestrator/prompts")
POSTCHECK_PATH = ".mandrel/orchestrator/prompts/postcheck-contract.md"


def test_the_declared_placeholders_are_those_of_the_golden_fragments() -> None:
    golden = {
        file.relative_to(PROMPTS).with_suffix("").as_posix(): gaps(file.read_bytes())
        for file in PROMPTS.rglob("*.md")
    }
    del golden[POSTCHECKS]
    assert golden == FRAGMENTS


def test_the_placeholders_of_each_check_are_those_of_the_golden_contract() -> None:
    sections = postcheck_sections((PROMPTS / "postcheck-contract.md").read_bytes())
    assert {id: gaps(line) for id, (line,) in sections} == {c.id: c.gaps for c in CHECKS}


def test_the_golden_set_is_whole() -> None:
    assert SET.problems == ()
    assert set(SET.fragments) == {*declared(standing_in=False)}


def test_a_repository_owes_the_six_protocols_and_the_bundle_the_procedures_too() -> None:
    six = {name: SET.texts[name] for name in REQUIRED_TEXTS}
    assert missing_texts(six, bundled=False) == ()
    assert missing_texts(six, bundled=True) == PROCEDURES
    del six["protocols/intake"]
    assert missing_texts(six, bundled=False) == ("protocols/intake",)


@pytest.mark.parametrize("name", sorted(FRAGMENTS))
def test_an_undeclared_placeholder_is_named_with_its_file(name: str) -> None:
    text = SET.fragments[name].data + b"{{not_declared}}"
    (problem,) = fragment_problems(with_fragment(SET, name, text).fragments)
    path = f".mandrel/orchestrator/prompts/{name}.md"
    assert problem == f"{path}: undeclared placeholder {{{{not_declared}}}}"


@pytest.mark.parametrize("name", sorted(name for name, names in FRAGMENTS.items() if names))
def test_a_missing_placeholder_is_named_with_its_file(name: str) -> None:
    (problem,) = fragment_problems(with_fragment(SET, name, b"nothing to fill\n").fragments)
    assert f"{name}.md: missing placeholder" in problem
    assert all(f"{{{{{gap}}}}}" in problem for gap in FRAGMENTS[name])


@pytest.mark.parametrize(
    "text", [b"{{Sid}}", b"{{ sid }}", b"{{9}}", b"{sid}", b"{{}}", b"{{a-b}}", b"{{s\xc3\xa9}}"]
)
def test_what_is_no_placeholder_is_text(text: bytes) -> None:
    changed = with_fragment(SET, "entry/plan-gate", text)
    assert fragment_problems(changed.fragments) == ()


def postchecks(contract: bytes) -> tuple[str, ...]:
    return fragment_problems(with_fragment(SET, POSTCHECKS, contract).fragments)


def test_a_check_without_text_and_a_text_without_check_are_both_named() -> None:
    whole = SET.fragments[POSTCHECKS].data
    assert postchecks(whole.replace(b"## tree-clean", b"## tree-tidy")) == (
        f"{POSTCHECK_PATH}: no text for the check tree-clean",
        f"{POSTCHECK_PATH}: ## tree-tidy: no such check",
    )
    assert postchecks(whole.replace(b"tree is clean\n", b"\n")) == (
        f"{POSTCHECK_PATH}: ## tree-clean: 0 lines of text, exactly one is needed",
    )


def test_a_requirement_of_two_lines_or_a_repeated_check_is_a_problem() -> None:
    whole = SET.fragments[POSTCHECKS].data
    two = whole.replace(b"tree is clean\n", b"tree is\nclean\n")
    assert "2 lines of text" in postchecks(two)[0]
    repeated = postchecks(whole + b"\n## tree-clean\n\nagain\n")
    assert repeated == (f"{POSTCHECK_PATH}: ## tree-clean: stands there 2 times",) * 2


def test_a_requirement_has_exactly_the_placeholders_of_its_check() -> None:
    whole = SET.fragments[POSTCHECKS].data
    (problem,) = postchecks(whole.replace(b"tree is clean\n", b"tree of {{sid_disp}}\n"))
    assert problem.endswith("## tree-clean: undeclared placeholder {{sid_disp}}")
    (problem,) = postchecks(whole.replace(b"claimed by {{sid_disp}}", b"claimed"))
    assert problem.endswith("## claim-sid: missing placeholder {{sid_disp}}")


def test_prose_above_the_first_heading_is_no_check_and_may_show_placeholders() -> None:
    whole = SET.fragments[POSTCHECKS].data
    assert postchecks(b"Gaps such as {{anything}} are filled.\n" + whole) == ()


def test_a_broken_set_has_no_requirements_to_give() -> None:
    with pytest.raises(ContractError, match=r"one\.md"):
        replace(SET, problems=("one.md: missing",)).requirements()


def test_windows_line_ends_make_no_difference_to_a_requirement() -> None:
    windows = SET.fragments[POSTCHECKS].data.replace(b"\n", b"\r\n")
    assert postchecks(windows) == ()
    changed = with_fragment(SET, POSTCHECKS, windows)
    assert changed.requirements().texts["tree-clean"] == b"tree is clean"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (b"a\n", b"a"),
        (b"a\n\n", b"a\n"),
        (b"a\r\n", b"a"),
        (b"a", b"a"),
        (b"a \n", b"a "),
        (b"\n", b""),
        (b"", b""),
    ],
)
def test_a_fragment_is_its_file_minus_exactly_one_final_newline(file: bytes, text: bytes) -> None:
    assert with_fragment(SET, "entry/plan-gate", file).fragment("entry/plan-gate") == text


def test_texts_that_differ_from_the_receipt_are_listed() -> None:
    name = "protocols/review"
    other = replace(SET.texts[name], lock="differs")
    changed = replace(SET, texts={**SET.texts, name: other})
    assert (SET.differing, changed.differing) == ((), (other,))


@pytest.mark.parametrize("values", [{}, {"a": b"1", "b": b"2"}, {"b": b"2"}])
def test_values_that_are_not_exactly_the_gaps_are_an_error(values: dict[str, bytes]) -> None:
    with pytest.raises(ValueError, match="placeholders"):
        fill(b"x {{a}} y", values)


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_filling_keeps_every_byte_and_never_looks_at_a_value_again(
    left: bytes, value: bytes, right: bytes
) -> None:
    left, right = left.replace(b"{", b"<"), right.replace(b"{", b"<")
    for inserted in (value, b"{{a}}", b"{{b}}" + value):
        assert fill(left + b"{{a}}" + right, {"a": inserted}) == left + inserted + right
