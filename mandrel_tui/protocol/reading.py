"""Reading: turns the bytes of one task file into a Task; never fails, reports what is malformed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from mandrel_tui.protocol import scheduler
from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.frontmatter import (
    FrontMatter,
    Item,
    YamlReader,
    list_end,
    list_items,
    plain,
    read_front_matter,
    unquoted,
    value_length,
)
from mandrel_tui.protocol.log import Lines, Log, next_entry_finder, read_log
from mandrel_tui.protocol.quoting import Quoting, read_quoting
from mandrel_tui.protocol.task import Estimate, FrontField, LogEntry, Section, Status, Task

BOM = b"\xef\xbb\xbf"
SECTIONS = ("Goal", "Scope", "Acceptance")
_ESTIMATE = re.compile(r"([0-9]+)[ \t]*/[ \t]*([0-9]+)(.*)", re.DOTALL)
# A share of numbers longer than that is none that a machine holds.
_MOST_DIGITS = 300
_STAMP = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T[0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?Z"
)
_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_SECTION = re.compile(r"\n(#{1,2}) ([^\n]*)")
_NEEDS_YAML = re.compile(r"[|>&*{!]")
_EMPTY_WORDS = frozenset({"", "none", "null", "~", "-"})
_LIST_KEYS = ("blockers", "prefetch")


def read_task(data: bytes, name: str, path: str, yaml: YamlReader | None = None) -> Task:
    """The task in `data`, the bytes of the file `path` whose name without `.md` is `name`.

    `yaml` reads the values that only YAML can say; without it such values are diagnosed.
    """
    base = len(BOM) if data.startswith(BOM) else 0
    body = data[base:]
    try:
        text, bad = body.decode("utf-8"), None
    except UnicodeDecodeError as error:
        text, bad = body.decode("utf-8", "surrogateescape"), error.start
    return _Reading(data, text, base, name, path, yaml).task(bad)


def unreadable_task(name: str, path: str, reason: str) -> Task:
    """The task of a file that cannot be read, with the reason as its only diagnostic."""
    return Task(
        name=name,
        path=path,
        id="",
        status=None,
        status_text="",
        estimate=None,
        estimate_text="",
        title="",
        blockers=(),
        prefetch=(),
        fix_set=None,
        claimed_by="",
        fields=(),
        sections=(),
        entries=(),
        log_line=None,
        diagnostics=(diagnostic("unreadable", path, None, reason),),
    )


class _Reading:
    """One reading of one file: the parts found and the diagnostics met on the way."""

    def __init__(
        self, data: bytes, text: str, base: int, name: str, path: str, yaml: YamlReader | None
    ) -> None:
        self.data, self.text, self.name, self.path, self.yaml = data, text, name, path, yaml
        self.found: list[Diagnostic] = []
        self.by_yaml: set[str] = set()
        self.lines = Lines(text)
        self.front: FrontMatter = read_front_matter(text, base)
        self.quoting: Quoting = read_quoting(text, self.front.body, next_entry_finder(text))
        self.log: Log = read_log(text, self.front.body, self.quoting, self.lines, path)

    def note(self, rule: str, line: int | None, message: str, hint: str | None = None) -> None:
        self.found.append(diagnostic(rule, self.path, line, message, hint))

    def task(self, bad: int | None) -> Task:
        self._encoding(bad)
        self._front()
        known = self.front.closed
        status_text, status = self._status()
        estimate_text, estimate = self._estimate()
        blockers, prefetch = (self._list(key) for key in _LIST_KEYS)
        title, sections = self._sections()
        self._log()
        task = Task(
            name=self.name,
            path=self.path,
            id=self._id(),
            status=status,
            status_text=status_text,
            estimate=estimate,
            estimate_text=estimate_text,
            title=title,
            blockers=blockers,
            prefetch=prefetch,
            fix_set=self._fix_set(),
            claimed_by=self._claim(),
            fields=self._fields() if known else (),
            sections=sections,
            entries=self.log.entries,
            log_line=self.lines.at(self.log.start) if self.log.start is not None else None,
            diagnostics=(),
            text=self.text if bad is None else plain(self.text),
            sha256=sha256(self.data).hexdigest(),
            size=len(self.data),
        )
        self.found.extend(_fix_set_diagnostics(task))
        self.found.extend(entry_diagnostics(task))
        self.found.extend(
            scheduler.differences(
                self.text, self.front, self.log, self.quoting, self.lines, self.path, self.by_yaml
            )
        )
        ordered = sorted(self.found, key=lambda d: (not d.stops, d.line or 0))
        return replace(task, diagnostics=tuple(ordered))

    def _encoding(self, bad: int | None) -> None:
        if bad is not None:
            offset = bad + len(self.data) - len(self.text.encode("utf-8", "surrogateescape"))
            line = self.data.count(b"\n", 0, offset) + 1
            self.note("not-utf8", line, f"byte {self.data[offset]:#04x} in line {line}")

    def _front(self) -> None:
        front = self.front
        if not front.present:
            self.note("front-matter-missing", 1, "the file begins without front matter")
            return
        if not front.closed:
            hint = f"add --- after line {front.close_line}"
            self.note(
                "front-matter-unclosed", front.open_line, "the front matter is never closed", hint
            )
            return
        if front.late:
            self.note("front-matter-late", front.open_line, "the front matter begins here only")
        seen: set[str] = set()
        for item in front.items:
            key, line = item.field.key, item.field.line
            if key in seen:
                rule = "status-repeated" if key == "status" else "key-repeated"
                self.note(rule, line, f"`{key}` is given again")
            elif key not in scheduler.KEYS and key.lower() in scheduler.KEYS:
                self.note("key-case", line, f"`{key}` is not read", f"write {key.lower()}")
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
            self.note("yaml-unreadable", item.field.line, f"the value of {key} cannot be read")
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

    def _status(self) -> tuple[str, Status | None]:
        text, line = self._scalar("status")
        if not self.front.closed:
            return "", None
        if not text:
            self.note("status-missing", line, "the front matter has no status")
            return "", None
        if text not in Status._value2member_map_:
            self.note("status-unknown", line, f"`{_short(text)}` is no status")
            return text, None
        repeated = any(d.rule == "status-repeated" for d in self.found)
        return text, None if repeated else Status(text)

    def _id(self) -> str:
        text, line = self._scalar("id")
        if self.front.closed:
            if not text:
                self.note("id-missing", line, "the front matter has no id")
            elif text != self.name:
                what = f"id `{_short(visible(text))}`, file name `{_short(visible(self.name))}`"
                self.note("id-differs", line, what)
        odd = next((n for n in (text, self.name) if visible(n) != n), None)
        if odd is not None:
            self.note("id-invisible", line, f"it reads `{_short(visible(odd))}`")
        return text

    def _estimate(self) -> tuple[str, Estimate | None]:
        text, line = self._scalar("session-est")
        if not self.front.closed:
            return "", None
        if not text:
            self.note("estimate-missing", line, "the front matter has no session-est")
            return "", None
        match = _ESTIMATE.match(text)
        numbers = [n.lstrip("0") or "0" for n in match.groups()[:2]] if match else []
        if match is None or max(map(len, numbers)) > _MOST_DIGITS:
            self.note("estimate-unreadable", line, f"`{_short(text)}` is not done/total")
            return text, None
        estimate = Estimate(int(numbers[0]), int(numbers[1]), match[3].strip())
        if estimate.rest:
            self.note("estimate-rest", line, f"`{_short(estimate.rest)}` behind the estimate")
        if estimate.total == 0:
            self.note("estimate-zero", line, f"`{_short(text)}` estimates no session")
        elif estimate.over:
            self.note(
                "estimate-over",
                line,
                f"{estimate.done} sessions done of {estimate.total} estimated",
            )
        return text, estimate

    def _list(self, key: str) -> tuple[str, ...]:
        item = self._first(key)
        if item is None:
            return ()
        raw, line = item.raw, item.field.line
        if raw.startswith("["):
            end, balanced = list_end(raw)
            if balanced or not item.continued:
                if not balanced:
                    self.note(
                        "list-unbalanced", line, f"brackets of {key} do not match: {_short(raw)}"
                    )
                elif raw[end:].strip(" \t"):
                    self.note("list-trailing", line, f"`{_short(raw[end:].strip())}` behind {key}")
                return list_items(raw[:end])
        if self._only_yaml(item):
            return self._yaml_list(item)
        if raw.lower() in _EMPTY_WORDS:
            if raw:
                self.note(
                    "list-expected", line, f"{key} is no list: {_short(raw)}", f"write {key}: []"
                )
            return ()
        self.note("list-expected", line, f"{key} is no list: {_short(raw)}")
        return (item.field.value,)

    def _yaml_list(self, item: Item) -> tuple[str, ...]:
        value, lines = self._ask_yaml(item), _block_items(item.chunk)
        if isinstance(value, list):
            typed = lines if lines and len(lines) == len(value) else ("",) * len(value)
            return tuple(map(_yaml_item, value, typed))
        if isinstance(value, str):
            what = f"{item.field.key} is no list: {_short(value)}"
            self.note("list-expected", item.field.line, what)
            return (value.strip(),) if value.strip() else ()
        if lines is None:
            what = f"the value of {item.field.key} cannot be read"
            self.note("yaml-unreadable", item.field.line, what)
            return ()
        return lines

    def _fix_set(self) -> str | None:
        if self._first("fix-set") is None:
            return None
        text, line = self._scalar("fix-set")
        if text != "open":
            self.note("fix-set-value", line, f"`{_short(text)}` counts as none")
        return text

    def _claim(self) -> str:
        text, line = self._scalar("claimed-by")
        if text and "@" not in text:
            self.note("claim-without-at", line, f"`{_short(text)}` has no @ and time")
        elif text and not _STAMP.fullmatch(text.rpartition("@")[2].strip()):
            what = f"`{_short(text.rpartition('@')[2].strip())}` is no UTC stamp"
            self.note("claim-stamp", line, what)
        return text

    def _fields(self) -> tuple[FrontField, ...]:
        return self.front.values()

    def _sections(self) -> tuple[str, tuple[Section, ...]]:
        start = max(0, self.front.body - 1)
        end = self.log.start if self.log.start is not None else len(self.text)
        body = self.text if start or self.text.startswith("\n") else "\n" + self.text
        shift = len(body) - len(self.text)
        heads = [
            m
            for m in _SECTION.finditer(body, start, end + shift)
            if m.start() + 1 - shift not in self.quoting
        ]
        title = next((_heading(m[2]) for m in heads if m[1] == "#"), "")
        sections = []
        for index, match in enumerate(heads):
            if match[1] != "##":
                continue
            until = heads[index + 1].start() if index + 1 < len(heads) else end + shift
            text = plain(body[match.end() : until]).replace("\r\n", "\n").strip("\n")
            line = self.lines.at(match.start() + 1 - shift)
            sections.append(Section(plain(match[2].strip(" \t\r")), line, text))
        if not title:
            self.note("title-missing", None, "the task has no title")
        present = {section.title for section in sections}
        if missing := [name for name in SECTIONS if name not in present]:
            self.note("section-missing", None, f"no {', '.join(missing)}")
        return plain(title), tuple(sections)

    def _log(self) -> None:
        self.found.extend(self.log.diagnostics)
        for offset, kind in self.quoting.unclosed:
            line = self.lines.at(offset)
            self.note(f"{kind}-unclosed", line, f"the {kind} opened here is never closed")


def _heading(text: str) -> str:
    """The text of a heading without the `#`s that may close it: those behind a blank."""
    return _CLOSING.sub("", text.strip(" \t\r")).rstrip(" \t")


def _fix_set_diagnostics(task: Task) -> Iterator[Diagnostic]:
    idle = task.status in (None, Status.COMPLETED, Status.BLOCKED)
    if task.fix_set_open and not task.remediation and not idle:
        line = next(f.line for f in task.fields if f.key == "fix-set")
        what = "no review requests changes, so the fix set counts as closed"
        yield diagnostic("fix-set-ignored", task.path, line, what)


def entry_diagnostics(task: Task) -> Iterator[Diagnostic]:
    """What is odd about the entries as a sequence: dates, sids, reviews of nobody, work after
    review."""
    previous, reviewed = "", set[str]()
    worked = {entry.sid for entry in task.entries if not entry.is_review}
    for entry in task.entries:
        if not _DATE.fullmatch(entry.date):
            yield _about(task, "entry-date", entry, f"`{_short(entry.date)}` is no date")
        elif entry.date < previous:
            what = f"{entry.date} follows {previous}"
            yield _about(task, "entry-date-order", entry, what)
        else:
            previous = entry.date
        odd = next((s for s in (entry.sid, entry.review_of or "") if visible(s) != s), None)
        if odd is not None:
            yield _about(task, "id-invisible", entry, f"it reads `{_short(odd)}`")
        if entry.review_of is None:
            if entry.sid in reviewed:
                what = f"`{_short(visible(entry.sid))}` is already reviewed above"
                yield _about(task, "work-after-review", entry, what)
        else:
            reviewed.add(entry.review_of)
            if entry.review_of not in worked:
                what = f"no work entry of `{_short(visible(entry.review_of))}`"
                yield _about(task, "review-of-unknown", entry, what)


def _about(task: Task, rule: str, entry: LogEntry, message: str) -> Diagnostic:
    return diagnostic(rule, task.path, entry.line, message)


def visible(text: str) -> str:
    """Text whose control and invisible characters are spelled `<U+200B>`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"<U+{ord(c):04X}>" if _invisible(c) else c for c in text)


def _invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or (
        char != " " and unicodedata.category(char) == "Zs"
    )


def _short(text: str) -> str:
    clean = visible(plain(text))
    return clean if len(clean) <= 60 else clean[:59] + "…"


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
