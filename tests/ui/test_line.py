"""Lines: pieces cut, filled and wrapped to a width, the right end kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mandrel_tui.ui.clean import label
from mandrel_tui.ui.line import Line, fit, line, marked, plain, size, trim, wrapped

texts = st.text(alphabet="ab 漢e\u0301🎉-", max_size=20).map(label)
pieces = st.lists(st.tuples(texts, st.sampled_from(["text", "you", "quiet"])), max_size=5).map(
    tuple
)


@given(pieces, pieces, st.integers(min_value=0, max_value=50))
def test_a_fitted_line_is_exactly_as_wide_as_asked(left, right, cells) -> None:
    assert size(fit(Line(left, right), cells)) == cells


@given(pieces, st.integers(min_value=0, max_value=50))
def test_trimmed_pieces_never_exceed_their_cells(left, cells) -> None:
    assert size(trim(left, cells)) <= cells


@given(pieces, pieces, st.integers(min_value=2, max_value=50), st.integers(0, 30))
def test_wrapped_rows_keep_every_word_in_its_role(left, right, cells, indent) -> None:
    rows = wrapped(Line(left, right, indent), cells)
    shown = [(c, role) for row in rows for text, role in row.left for c in text if c != " "]
    assert shown == [(c, role) for text, role in left for c in text if c != " "]
    assert all(size(row.left) <= cells for row in rows)


@given(pieces, st.data())
def test_marking_adds_an_attribute_and_changes_no_text(left, data) -> None:
    length = len(plain(left))
    start = data.draw(st.integers(0, length))
    stop = data.draw(st.integers(start, length))
    made = marked(left, [(start, stop, "reverse")])
    assert plain(made) == plain(left)
    assert plain(p for p in made if p[1].endswith(" reverse")) == plain(left)[start:stop]


def test_the_left_gives_way_and_the_right_stays() -> None:
    shown = Line((("2/2 ", "quiet"), ("submit-retry-loop", "text")), (("gate", "review"),))
    assert plain(fit(shown, 18)) == "2/2 submit-r… gate"


def test_a_cut_takes_the_role_it_interrupts() -> None:
    assert trim((("abc", "you"), ("def", "pass")), 5) == (("abc", "you"), ("d…", "pass"))


def test_the_right_end_stands_on_the_first_row_of_a_wrapped_line() -> None:
    rows = wrapped(line("2 dev sessions are not reviewed", right="rule 4"), 24)
    assert [row.text for row in rows] == ["2 dev sessionsrule 4", "are not reviewed"]
