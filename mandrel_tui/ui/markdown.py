"""Markdown: a text laid out as rows of pieces for reading; nothing of it is dropped, followed or
taken as markup of the program. Pure; it may run in a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from mandrel_tui.ui.clean import chop, clean, cut, label, pad, width
from mandrel_tui.ui.line import Line, Piece, Pieces, line, size, wrapped
from mandrel_tui.ui.symbols import Symbols

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

LONGEST_LINE = 20_000  # characters; a longer line is no prose, and is laid out as plain text
LONGEST_TEXT = 1_000_000
DEEPEST = 60
NARROWEST = 8  # cells left for words however deep a list is
_INLINE = {"strong": "bold", "em": "italic", "s": "strike"}


@dataclass(frozen=True, slots=True)
class Laid:
    """One row, and the line of the source it comes from, from 0."""

    line: Line
    source: int


def lay_out(text: str, cells: int, symbols: Symbols) -> tuple[Laid, ...]:
    """The text as rows of at most `cells`."""
    text = clean(text, ascii=symbols.ascii)
    if len(text) > LONGEST_TEXT or any(len(row) > LONGEST_LINE for row in text.split("\n")):
        return plain_rows(text, cells)
    tokens = _parser().parse(text)
    if max((token.level for token in tokens), default=0) >= DEEPEST - 2:
        return plain_rows(text, cells)  # the parser drops what is deeper
    return tuple(_Page(cells, symbols, text.split("\n")).written(tokens))


@cache
def _parser() -> MarkdownIt:
    """Markdown with tables; HTML and link definitions stay the text they are."""
    from markdown_it import MarkdownIt  # 25 ms, which the first screen need not wait for

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": DEEPEST})
    return parser.enable(["strikethrough", "table"]).disable("reference")


def plain_rows(text: str, cells: int) -> tuple[Laid, ...]:
    """The text line by line, wrapped at words, whatever it means as Markdown."""
    return tuple(
        Laid(shown, source)
        for source, row in enumerate(clean(text).split("\n"))
        for shown in wrapped(line(row), cells)
    )


class _Prefix:
    """What stands before the rows of a list item or a quote: `first` once, then `rest`."""

    def __init__(self, first: str, rest: str, source: int = 0) -> None:
        self.first = first
        self.rest = rest
        self.source = source
        self.used = False

    def take(self) -> str:
        """The text before the next row."""
        now = self.rest if self.used else self.first
        self.used = True
        return now


class _Page:
    """The rows written so far, and where in lists and quotes the next one stands."""

    def __init__(self, cells: int, symbols: Symbols, source: Sequence[str]) -> None:
        self.cells = cells
        self.symbols = symbols
        self.source = source
        self.rows: list[Laid] = []
        self.prefixes: list[_Prefix] = []
        self.numbers: list[int | None] = []
        self.table: list[list[Pieces]] | None = None
        self.heading = ""
        self.after_heading = False
        self.start = 0  # the source line of the block being written
        self.end = 0  # the source line after the last one

    def written(self, tokens: Iterable[Token]) -> list[Laid]:
        """The rows of these blocks."""
        for token in tokens:
            if step := _STEPS.get(token.type):
                step(self, token)
        return self.rows

    def heading_open(self, token: Token) -> None:
        self.heading = token.tag

    def heading_close(self, token: Token) -> None:
        self.heading = ""
        self.after_heading = True

    def inline(self, token: Token) -> None:
        lines = list(_inline(token.children or ()))
        if self.table is not None:
            self.table[-1].append(tuple(piece for part in lines for piece in part))
            return
        self._block(token)
        for pieces in lines:
            if self.heading:
                role = "text bold underline" if self.heading == "h1" else "accent bold"
                pieces = tuple((text, role) for text, _ in pieces)
            self._wrap(pieces)

    def bullet_list_open(self, token: Token) -> None:
        self.numbers.append(None)

    def ordered_list_open(self, token: Token) -> None:
        self.numbers.append(int(token.attrGet("start") or 1))

    def list_close(self, token: Token) -> None:
        self.numbers.pop()

    def list_item_open(self, token: Token) -> None:
        number = self.numbers[-1]
        first = f"{self.symbols.bullet} " if number is None else f"{number}. "
        if number is not None:
            self.numbers[-1] = number + 1
        source = token.map[0] if token.map else self.end
        self.prefixes.append(_Prefix(first, " " * width(first), source))

    def list_item_close(self, token: Token) -> None:
        prefix = self.prefixes[-1]
        if not prefix.used:  # an empty item
            self._begin(prefix.source, prefix.source + 1)
            self._write(())
        self.prefixes.pop()

    def blockquote_open(self, token: Token) -> None:
        bar = f"{self.symbols.bar} "
        self.prefixes.append(_Prefix(bar, bar))

    def blockquote_close(self, token: Token) -> None:
        self.prefixes.pop()

    def code(self, token: Token) -> None:
        self._block(token)
        if token.info:
            self._exact(token.info, "quiet")
        for row in token.content.removesuffix("\n").split("\n"):
            self._exact(row, "text")

    def hr(self, token: Token) -> None:
        self._block(token)
        self._write(((self.symbols.thin * self._room, "line"),))

    def table_open(self, token: Token) -> None:
        self.table = []
        self._block(token)

    def tr_open(self, token: Token) -> None:
        if self.table is not None:
            self.table.append([])

    def table_close(self, token: Token) -> None:
        table, self.table = self.table or [], None
        columns = [max(map(size, column)) for column in zip(*table, strict=False)]
        if sum(columns) + 2 * len(columns) > self._room or self._has_more(token, len(columns)):
            for row in self.source[self.start : self.end]:
                self._exact(row.strip(), "text")
            return
        for number, cells in enumerate(table):
            self._write(tuple(_row(cells, columns, "" if number else " bold")))

    def _has_more(self, token: Token, columns: int) -> bool:
        """Whether a row of the table has cells beyond its columns, which the parser drops."""
        rows = self.source[self.start : self.end]
        return any(row.replace("\\|", "").strip(" |").count("|") >= columns for row in rows)

    @property
    def _room(self) -> int:
        """The cells left beside the prefixes, never fewer than a few."""
        used = sum(width(prefix.rest) for prefix in self.prefixes)
        return min(max(self.cells - used, NARROWEST), self.cells)

    def _block(self, token: Token) -> None:
        self._begin(*(token.map or (self.end, self.end)))

    def _begin(self, start: int, end: int) -> None:
        """Start a block: a blank row where the source has one, and before a heading, but none
        after a heading."""
        wanted = start > self.end or self.heading
        if self.rows and wanted and not self.after_heading:
            used = [prefix.rest for prefix in self.prefixes if prefix.used]
            self.rows.append(Laid(Line(self._prefix(used)), max(self.end - 1, 0)))
        self.start, self.end = start, end
        self.after_heading = False

    def _prefix(self, texts: Sequence[str]) -> Pieces:
        text = cut("".join(texts), self.cells - self._room, "")
        return ((text, "quiet"),) if text else ()

    def _write(self, pieces: Pieces) -> None:
        prefix = self._prefix([prefix.take() for prefix in self.prefixes])
        self.rows.append(Laid(Line((*prefix, *pieces)), self.start))

    def _wrap(self, pieces: Pieces) -> None:
        for shown in wrapped(Line(pieces), self._room):
            self._write(shown.left)

    def _exact(self, row: str, role: str) -> None:
        """A row of code behind a bar, cut at cells."""
        bars = (self.symbols.bar, self.symbols.wrapped) if self._room >= NARROWEST else ("", "")
        gaps = [f"{bar} ".lstrip(" ") for bar in bars]
        for number, part in enumerate(chop(label(row), self._room - width(gaps[0]))):
            self._write(((gaps[number > 0], "line"), (part, role)))


def _row(cells: Sequence[Pieces], columns: Sequence[int], attribute: str) -> Iterator[Piece]:
    for cell, cells_wide in zip(cells, columns, strict=False):
        yield from ((text, role + attribute) for text, role in cell)
        yield pad("", cells_wide - size(cell) + 2), "text"


def _inline(tokens: Iterable[Token]) -> Iterator[Pieces]:
    """The pieces of one paragraph, apart where the text asks for a new line."""
    pieces: list[Piece] = []
    attributes: list[str] = []
    links: list[tuple[str, int]] = []
    for token in tokens:
        kind, _, edge = token.type.rpartition("_")
        if token.type == "hardbreak":
            yield tuple(pieces)
            pieces = []
        elif kind in _INLINE:
            attributes = [*attributes, kind] if edge == "open" else attributes[:-1]
        elif token.type == "link_open":
            links.append((_address(token), len(pieces)))
        elif token.type == "link_close":
            address, since = links.pop()
            if address != "".join(text for text, _ in pieces[since:]):
                pieces.append((f" ({address})", "quiet"))
        else:
            role = " ".join([_ROLES.get(token.type, "text"), *(_INLINE[a] for a in attributes)])
            pieces.append((_words(token), role))
    yield tuple(pieces)


def _words(token: Token) -> str:
    if token.type == "softbreak":
        return " "
    if token.type == "image":
        return label(f"{token.content or 'image'} ({_address(token)})")
    return label(token.content)


def _address(token: Token) -> str:
    title = token.attrGet("title")
    address = token.attrGet("href") or token.attrGet("src") or ""
    return label(f'{address} "{title}"' if title else str(address))


_ROLES = {"code_inline": "accent", "image": "quiet"}
_STEPS: Mapping[str, Callable[[_Page, Token], None]] = {
    "heading_open": _Page.heading_open,
    "heading_close": _Page.heading_close,
    "inline": _Page.inline,
    "bullet_list_open": _Page.bullet_list_open,
    "ordered_list_open": _Page.ordered_list_open,
    "bullet_list_close": _Page.list_close,
    "ordered_list_close": _Page.list_close,
    "list_item_open": _Page.list_item_open,
    "list_item_close": _Page.list_item_close,
    "blockquote_open": _Page.blockquote_open,
    "blockquote_close": _Page.blockquote_close,
    "fence": _Page.code,
    "code_block": _Page.code,
    "hr": _Page.hr,
    "table_open": _Page.table_open,
    "tr_open": _Page.tr_open,
    "table_close": _Page.table_close,
}
