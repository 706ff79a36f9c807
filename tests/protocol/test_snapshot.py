"""Entry points, limits and thresholds of the eager memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.protocol.snapshot import (
    CEILING,
    FORMED,
    NAMES,
    Gauge,
    Level,
    Presence,
    gauge,
    limit_of,
)

PLAIN = {f"{name}.md": b"" for name in ("index", "map", *FORMED)}


def names(found: Gauge) -> list[str]:
    return [d.name for d in found.documents]


def table(*cells: str) -> bytes:
    rows = "".join(f"| Some title | {cell} | holds |\n" for cell in cells)
    return f"# Router\n\n| Document | File | Holds |\n|---|---|---|\n{rows}".encode()


def tokens(count: int) -> bytes:
    return b"x" * (count * 4)


def filled(percent: int) -> dict[str, bytes]:
    """Six documents, none over its limit, that fill that much of the ceiling."""
    total = CEILING * percent // 100
    shares = {name: (1_500 if name == "index.md" else 3_000) for name in PLAIN}
    parts = {name: total * share // CEILING for name, share in shares.items()}
    parts["map.md"] += total - sum(parts.values())
    return {name: tokens(part) for name, part in parts.items()}


def test_the_six_load_in_their_order() -> None:
    assert names(gauge(PLAIN)) == [
        "index.md",
        "map.md",
        "overview.md",
        "architecture.md",
        "design.md",
        "conventions.md",
    ]


def test_a_folder_is_the_entry_point_when_only_it_exists() -> None:
    texts = {k: v for k, v in PLAIN.items() if k != "design.md"} | {"design/index.md": b"abcd"}
    found = gauge(texts)
    assert "design/index.md" in names(found)
    assert found.tokens == 1
    assert found.ambiguous == ()


@pytest.mark.parametrize(
    "cell",
    [
        "design/index.md",
        "`design/index.md`",
        ".ai/design/index.md",
        "./design/index.md",
        "[design](design/index.md)",
        "[design](.ai/design/index.md)",
    ],
)
def test_the_routing_table_names_the_entry_point(cell: str) -> None:
    texts = {**PLAIN, "design/index.md": b"", "index.md": table("map.md", cell)}
    assert "design/index.md" in names(gauge(texts))


@pytest.mark.parametrize(
    "index",
    [
        table("docs/design/index.md"),
        table("see design/index.md for more"),
        table("retry.md"),
        b"- design/index.md\n",
        b"```\n| d | design/index.md |\n```\n",
        b"\xff\xfe|",
        b"",
    ],
)
def test_what_is_no_legal_row_names_nothing(index: bytes) -> None:
    assert "design.md" in names(gauge({**PLAIN, "design/index.md": b"", "index.md": index}))


def test_a_row_that_names_an_absent_file_is_passed_over() -> None:
    found = gauge({**PLAIN, "index.md": table("design/index.md")})
    assert "design.md" in names(found)
    assert found.troubles == ()


def test_both_forms_are_ambiguous_and_red_whatever_the_routing_says() -> None:
    for index in (b"", table("design.md"), table("design/index.md")):
        found = gauge({**PLAIN, "design/index.md": b"", "index.md": index})
        assert found.words == "!! ambiguous"
        assert found.level is Level.RED
        assert [d.title for d in found.ambiguous] == ["design"]
        (trouble,) = found.troubles
        assert "design.md" in trouble
        assert "design/index.md" in trouble


def test_limits_are_those_of_documents_and_of_indexes() -> None:
    assert (limit_of("index.md"), limit_of("design/index.md")) == (1_500, 1_500)
    assert (limit_of("design.md"), limit_of("map.md")) == (3_000, 3_000)


def test_the_ceiling_is_the_sum_of_the_limits_of_the_plain_forms() -> None:
    assert sum(limit_of(name) for name in PLAIN) == CEILING


@pytest.mark.parametrize(
    ("percent", "words", "level"),
    [
        (0, "0%", Level.OK),
        (61, "61%", Level.OK),
        (79, "79%", Level.OK),
        (80, "80% !", Level.AMBER),
        (94, "94% !", Level.AMBER),
        (95, "95% !!", Level.RED),
        (100, "100% !!", Level.RED),
    ],
)
def test_the_gauge_is_amber_from_80_and_red_from_95(percent: int, words: str, level: Level) -> None:
    found = gauge(filled(percent))
    assert (found.words, found.level) == (words, level)


def test_a_document_over_its_limit_turns_the_gauge_red() -> None:
    found = gauge({**PLAIN, "design.md": tokens(3_001)})
    assert found.words == "18% !!"
    assert found.troubles == ("design.md is over its limit: 3,001 of 3,000 tokens",)
    assert gauge({**PLAIN, "design.md": tokens(3_000)}).level is Level.OK


def test_documents_have_the_same_thresholds_of_their_own_limits() -> None:
    levels = [
        gauge({**PLAIN, "design.md": tokens(n)}).documents[4].level
        for n in (2_399, 2_400, 2_849, 2_850)
    ]
    assert levels == [Level.OK, Level.AMBER, Level.AMBER, Level.RED]


@pytest.mark.parametrize(
    ("front", "exempt"),
    [
        (b"---\nhousekeeping-exempt: true\n---\n", True),
        (b"---\r\nhousekeeping-exempt: true\r\n---\r\n", True),
        (b"\xef\xbb\xbf---\nx: 1\nhousekeeping-exempt: true  # why\n---\n", True),
        (b"---\nhousekeeping-exempt: false\n---\n", False),
        (b"---\nHousekeeping-Exempt: true\n---\n", False),
        (b"---\nx: 1\n---\nhousekeeping-exempt: true\n", False),
        (b"housekeeping-exempt: true\n", False),
        (b"", False),
    ],
)
def test_an_exemption_silences_only_the_limit_of_its_document(front: bytes, exempt: bool) -> None:
    found = gauge({**PLAIN, "design.md": front + tokens(4_000)})
    document = found.documents[4]
    assert document.exempt is exempt
    assert found.level is (Level.OK if exempt else Level.RED)
    assert document.tokens >= 4_000


def test_an_exempt_document_still_counts_to_the_ceiling() -> None:
    front = b"---\nhousekeeping-exempt: true\n---\n"
    found = gauge({**PLAIN, "design.md": front + tokens(16_000)})
    assert found.words.endswith("% !!")
    assert found.troubles == ()


def test_documents_that_cannot_be_read_make_the_figure_partial() -> None:
    texts = {k: v for k, v in PLAIN.items() if k not in ("design.md", "map.md")}
    found = gauge(texts, {"design.md": "a pipe"}, {"map.md"})
    assert found.words == "0% ?"
    assert found.documents[1].presence is Presence.NOT_CHECKED_OUT
    assert found.documents[4].presence is Presence.UNREADABLE
    assert found.troubles == ("map.md is not checked out", "design.md is unreadable: a pipe")


def test_a_missing_document_is_named_and_alarms_nobody() -> None:
    found = gauge({k: v for k, v in PLAIN.items() if k != "map.md"})
    assert found.words == "0%"
    assert found.troubles == ("map.md is missing",)


def test_without_memory_there_is_none() -> None:
    found = gauge({})
    assert (found.here, found.words, found.tokens) == (False, "none", 0)


@given(st.dictionaries(st.sampled_from(NAMES), st.binary(max_size=200)))
def test_any_bytes_give_a_gauge_of_six(texts: dict[str, bytes]) -> None:
    found = gauge(texts)
    assert len(found.documents) == 6
    assert found.tokens == sum(d.size // 4 for d in found.documents)
    for document in found.documents:
        assert document.presence is Presence.MISSING or document.name in texts
