"""Stamps of memory documents: only their own bytes change."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.patience import lines_of
from mandrel_tui.protocol.stamps import KEYS, eol_of, stamp_lines, stamped

TODAY, HEAD = "2026-03-09", "a" * 40
BOM = b"\xef\xbb\xbf"


def a_document(*front: str, body: str = "# design\n\n- a fact\n", eol: str = "\n") -> bytes:
    text = "\n".join(["---", *front, "---", "", body])
    return text.replace("\n", eol).encode()


def test_both_stamps_are_set_in_place() -> None:
    data = a_document("last-updated: 2026-01-01  # by hand", "owner: me", "verified-against: old")
    assert stamped(data, TODAY, HEAD) == a_document(
        f"last-updated: {TODAY}  # by hand", "owner: me", f"verified-against: {HEAD}"
    )


def test_a_missing_stamp_is_added_before_the_closing_line() -> None:
    data = a_document("owner: me", eol="\r\n")
    expected = a_document(
        "owner: me", f"last-updated: {TODAY}", f"verified-against: {HEAD}", eol="\r\n"
    )
    assert stamped(data, TODAY, HEAD) == expected


def test_an_empty_stamp_is_filled() -> None:
    data = a_document("last-updated:", "verified-against: # none yet")
    assert stamped(data, TODAY, HEAD) == a_document(
        f"last-updated: {TODAY}", f"verified-against: {HEAD} # none yet"
    )


def test_a_document_without_front_matter_is_given_one_behind_its_mark() -> None:
    data = stamped(BOM + b"# design\r\n", TODAY, HEAD)
    block = f"---\r\nlast-updated: {TODAY}\r\nverified-against: {HEAD}\r\n---\r\n\r\n"
    assert data == BOM + block.encode() + b"# design\r\n"


def test_a_rule_that_is_no_front_matter_stays_where_it_is() -> None:
    data = b"---\n# design\n"
    assert stamped(data, TODAY, HEAD).endswith(b"---\n\n---\n# design\n")


def test_without_a_commit_the_document_is_verified_against_nothing_new() -> None:
    data = a_document("last-updated: x", "verified-against: y")
    expected = a_document(f"last-updated: {TODAY}", "verified-against: y")
    assert stamped(data, TODAY, None) == expected


def test_stamps_in_the_body_or_of_another_key_are_no_stamps() -> None:
    data = a_document("Last-Updated: x", body="last-updated: 2026-01-01\n")
    assert stamp_lines(data) == {}
    assert stamp_lines(a_document("a: b", "verified-against: y")) == {2: "verified-against"}


FRONT = st.lists(
    st.sampled_from(
        ["last-updated: 2020-01-01", "verified-against: abc # x", "owner: é", "last-updated:", "#"]
    ),
    max_size=4,
)


@given(FRONT, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.text("ab#-é\n", max_size=30))
def test_stamping_changes_no_other_line_and_twice_is_once(
    front: list[str], eol: str, mark: bool, body: str
) -> None:
    data = (BOM if mark else b"") + a_document(*front, body=body, eol=eol)
    once = stamped(data, TODAY, HEAD)
    assert stamped(once, TODAY, HEAD) == once
    assert set(stamp_lines(once).values()) == set(KEYS)
    assert once.startswith(BOM) == mark
    assert others(once) == others(data)


def others(data: bytes) -> list[bytes]:
    stamps = stamp_lines(data)
    return [line for number, line in enumerate(lines_of(data)) if number not in stamps]


@pytest.mark.parametrize(
    ("data", "eol"), [(b"", b"\n"), (b"a", b"\n"), (b"\n\r\n", b"\n"), (b"a\r\nb\n", b"\r\n")]
)
def test_the_first_line_tells_the_line_end(data: bytes, eol: bytes) -> None:
    assert eol_of(data) == eol
