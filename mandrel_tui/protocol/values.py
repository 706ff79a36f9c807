"""Values: what the front matter of a task says of each key, typed; notes what is odd about it."""

from __future__ import annotations

import re

from mandrel_tui.protocol.frontmatter import (
    FrontMatter,
    Item,
    YamlReader,
    list_end,
    list_items,
    unquoted,
    value_length,
)
from mandrel_tui.protocol.legible import plain, short, visible
from mandrel_tui.protocol.page import Page
from mandrel_tui.protocol.scheduler import KEYS
from mandrel_tui.protocol.task import Estimate, Status

_ESTIMATE = re.compile(r"([0-9]+)[ \t]*/[ \t]*([0-9]+)(.*)", re.DOTALL)
# A share of numbers longer than that is none that a machine holds.
_MOST_DIGITS = 300
_STAMP = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z"
)
_NEEDS_YAML = re.compile(r"[|>&*{!]")
_EMPTY_WORDS = frozenset({"", "none", "null", "~", "-"})


class Values:
    """The values of one task's front matter; a key that is not there is empty.

    `by_yaml` collects the keys that only YAML could read.
    """

    def __init__(self, page: Page, front: FrontMatter, name: str, yaml: YamlReader | None) -> None:
        self.page, self.front, self.name, self.yaml = page, front, name, yaml
        self.by_yaml: set[str] = set()

    def note_shape(self) -> None:
        """Notes what is odd about the block as a whole and about its keys."""
        front = self.front
        if not front.present:
            what = "the file begins without front matter"
            self.page.note("front-matter-missing", 1, what)
        elif not front.closed:
            what, hint = (
                "the front matter is never closed",
                f"add --- after line {front.close_line}",
            )
            self.page.note("front-matter-unclosed", front.open_line, what, hint)
        else:
            self._note_keys()

    def _note_keys(self) -> None:
        front, seen = self.front, set[str]()
        if front.late:
            what = "the front matter begins here only"
            self.page.note("front-matter-late", front.open_line, what)
        if front.strays:
            more = len(front.strays) - 1
            what = "this line belongs to no key" + (f", nor do {more} more" if more else "")
            self.page.note("front-matter-line", front.strays[0], what)
        for item in front.items:
            key, line = item.field.key, item.field.line
            if key in seen:
                rule = "status-repeated" if key == "status" else "key-repeated"
                self.page.note(rule, line, f"`{key}` is given again")
            elif key not in KEYS and key.lower() in KEYS:
                self.page.note("key-case", line, f"`{key}` is not read", f"write {key.lower()}")
            seen.add(key)

    def _first(self, key: str) -> Item | None:
        return self.front.first(key) if self.front.closed else None

    def _scalar(self, key: str) -> tuple[str, int | None]:
        """The text of a key that holds one value, and its line; YAML is asked where it must be."""
        item = self._first(key)
        if item is None:
            return "", None
        if not self._only_yaml(item):
            return item.field.value, item.field.line
        value = self._ask_yaml(item)
        if value is None or isinstance(value, list | dict):
            self.page.note("yaml-unreadable", item.field.line, f"the value of {key} cannot be read")
            return item.field.value, item.field.line
        return str(value).strip(), item.field.line

    def _only_yaml(self, item: Item) -> bool:
        if item.continued and (not item.raw or item.raw[0] in "[{|>&"):
            return True
        return bool(item.raw) and _NEEDS_YAML.match(item.raw) is not None

    def _ask_yaml(self, item: Item) -> object | None:
        """The key's value as YAML reads it: from its own lines, else from the whole block."""
        if self.yaml is None:
            return None
        for block in (item.chunk, self.front.block):
            values = self.yaml(f"---\n{block}---\n")
            if values is not None and values.get(item.field.key) is not None:
                self.by_yaml.add(item.field.key)
                return values[item.field.key]
        return None

    def status(self) -> tuple[str, Status | None]:
        text, line = self._scalar("status")
        if not self.front.closed:
            return "", None
        if not text:
            self.page.note("status-missing", line, "the front matter has no status")
            return "", None
        if text not in Status._value2member_map_:
            self.page.note("status-unknown", line, f"`{short(text)}` is no status")
            return text, None
        repeated = any(d.rule == "status-repeated" for d in self.page.found)
        return text, None if repeated else Status(text)

    def id(self) -> str:
        text, line = self._scalar("id")
        if self.front.closed:
            if not text:
                self.page.note("id-missing", line, "the front matter has no id")
            elif text != self.name:
                what = f"id `{short(visible(text))}`, file name `{short(visible(self.name))}`"
                self.page.note("id-differs", line, what)
        odd = next((n for n in (text, self.name) if visible(n) != n), None)
        if odd is not None:
            self.page.note("id-invisible", line, f"it reads `{short(visible(odd))}`")
        return text

    def estimate(self) -> tuple[str, Estimate | None]:
        text, line = self._scalar("session-est")
        if not self.front.closed:
            return "", None
        if not text:
            self.page.note("estimate-missing", line, "the front matter has no session-est")
            return "", None
        match = _ESTIMATE.match(text)
        numbers = [n.lstrip("0") or "0" for n in match.groups()[:2]] if match else []
        if match is None or max(map(len, numbers)) > _MOST_DIGITS:
            self.page.note("estimate-unreadable", line, f"`{short(text)}` is not done/total")
            return text, None
        estimate = Estimate(int(numbers[0]), int(numbers[1]), match[3].strip())
        if estimate.rest:
            self.page.note("estimate-rest", line, f"`{short(estimate.rest)}` behind the estimate")
        if estimate.total == 0:
            self.page.note("estimate-zero", line, f"`{short(text)}` estimates no session")
        elif estimate.over:
            self.page.note(
                "estimate-over",
                line,
                f"{estimate.done} sessions done of {estimate.total} estimated",
            )
        return text, estimate

    def list(self, key: str) -> tuple[str, ...]:
        item = self._first(key)
        if item is None:
            return ()
        balanced = item.raw.startswith("[") and list_end(item.raw)[1]
        if balanced or (item.raw.startswith("[") and not item.continued):
            return self._flow_list(item)
        if self._only_yaml(item):
            return self._yaml_list(item)
        return self._no_list(item)

    def _flow_list(self, item: Item) -> tuple[str, ...]:
        key, raw, line = item.field.key, item.raw, item.field.line
        end, balanced = list_end(raw)
        if not balanced:
            what = f"brackets of {key} do not match: {short(raw)}"
            self.page.note("list-unbalanced", line, what)
        elif raw[end:].strip(" \t"):
            self.page.note("list-trailing", line, f"`{short(raw[end:])}` behind {key}")
        return list_items(raw[:end])

    def _no_list(self, item: Item) -> tuple[str, ...]:
        key, empty = item.field.key, item.raw.lower() in _EMPTY_WORDS
        if item.raw:
            what = f"{key} is no list: {short(item.raw)}"
            hint = f"write {key}: []" if empty else None
            self.page.note("list-expected", item.field.line, what, hint)
        return () if empty else (item.field.value,)

    def _yaml_list(self, item: Item) -> tuple[str, ...]:
        value, lines = self._ask_yaml(item), _block_items(item.chunk)
        if isinstance(value, list):
            typed = lines if lines and len(lines) == len(value) else ("",) * len(value)
            return tuple(map(_yaml_item, value, typed))
        if isinstance(value, str):
            what = f"{item.field.key} is no list: {short(value)}"
            self.page.note("list-expected", item.field.line, what)
            return (value.strip(),) if value.strip() else ()
        if lines is None:
            what = f"the value of {item.field.key} cannot be read"
            self.page.note("yaml-unreadable", item.field.line, what)
            return ()
        return lines

    def fix_set(self) -> str | None:
        if self._first("fix-set") is None:
            return None
        text, line = self._scalar("fix-set")
        if text != "open":
            self.page.note("fix-set-value", line, f"`{short(text)}` counts as none")
        return text

    def claim(self) -> str:
        text, line = self._scalar("claimed-by")
        if text and "@" not in text:
            self.page.note("claim-without-at", line, f"`{short(text)}` has no @ and time")
        elif text and not text.rpartition("@")[0].strip():
            self.page.note("claim-without-sid", line, f"`{short(text)}` names no session")
        elif text and not _STAMP.fullmatch(text.rpartition("@")[2].strip()):
            what = f"`{short(text.rpartition('@')[2].strip())}` is no UTC stamp"
            self.page.note("claim-stamp", line, what)
        return text


def _yaml_item(part: object, typed: str) -> str:
    """One item of a YAML list as text: as its line has it where YAML makes more of it than text,
    since `external: words` is a mapping to YAML."""
    if isinstance(part, dict):
        return typed or ", ".join(f"{key}: {value or ''}" for key, value in part.items())
    return "" if part is None else str(part).strip()


def _block_items(chunk: str) -> tuple[str, ...] | None:
    """The items of a plain `- item` list as their lines have them; None if it is none."""
    rows = [row.strip(" \t\r") for row in chunk.split("\n")[1:]]
    rows = [row for row in rows if row]
    if not rows or not all(row.startswith("- ") for row in rows):
        return None
    items = (row[2:].strip(" \t") for row in rows)
    return tuple(plain(unquoted(item[: value_length(item)])) for item in items)
