"""Reading: turns the bytes of one task file into a Task; never fails, reports what is malformed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256

from mandrel_tui.protocol.diagnostics import Diagnostic, diagnostic
from mandrel_tui.protocol.frontmatter import YamlReader, read_front_matter
from mandrel_tui.protocol.legible import plain
from mandrel_tui.protocol.log import Log, read_log
from mandrel_tui.protocol.page import Page
from mandrel_tui.protocol.scheduler import note_differences
from mandrel_tui.protocol.sequence import entry_diagnostics
from mandrel_tui.protocol.task import Section, Status, Task
from mandrel_tui.protocol.values import Values

BOM = b"\xef\xbb\xbf"
SECTIONS = ("Goal", "Scope", "Acceptance")
_CLOSING = re.compile(r"(?:^|[ \t])#+$")
_SECTION = re.compile(r"^(#{1,2}) ([^\n]*)", re.MULTILINE)


def read_task(data: bytes, name: str, path: str, yaml: YamlReader | None = None) -> Task:
    """The task in `data`, the bytes of the file `path` whose name without `.md` is `name`.

    `yaml` reads the values that only YAML can say; without it such values are diagnosed.
    """
    base = len(BOM) if data.startswith(BOM) else 0
    body, bad = data[base:], None
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        text, bad = body.decode("utf-8", "surrogateescape"), base + error.start
    front = read_front_matter(text, base)
    page = Page(text, path, front.body)
    if bad is not None:
        line = data.count(b"\n", 0, bad) + 1
        page.note("not-utf8", line, f"byte {data[bad]:#04x} in line {line}")
    values = Values(page, front, name, yaml)
    values.note_shape()
    task = _task(data, page, values, read_log(page))
    page.found.extend(_fix_set_diagnostics(task))
    page.found.extend(entry_diagnostics(task))
    ordered = sorted(page.found, key=lambda d: (not d.stops, d.line or 0))
    return replace(task, diagnostics=tuple(ordered))


def _task(data: bytes, page: Page, values: Values, log: Log) -> Task:
    status_text, status = values.status()
    estimate_text, estimate = values.estimate()
    end = log.start if log.start is not None else len(page.text)
    heads = _heads(page, end)
    title, sections = _title(heads), tuple(_sections(page, heads, end))
    _note_body(page, title, sections)
    task = Task(
        name=values.name,
        path=page.path,
        id=values.id(),
        status=status,
        status_text=status_text,
        estimate=estimate,
        estimate_text=estimate_text,
        title=title,
        blockers=values.list("blockers"),
        prefetch=values.list("prefetch"),
        fix_set=values.fix_set(),
        claimed_by=values.claim(),
        fields=values.front.values() if values.front.closed else (),
        sections=sections,
        entries=log.entries,
        log_line=page.line(log.start) if log.start is not None else None,
        diagnostics=(),
        text=plain(page.text),
        sha256=sha256(data).hexdigest(),
        size=len(data),
    )
    note_differences(page, values.front, log, values.by_yaml)
    return task


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


def _heads(page: Page, end: int) -> list[re.Match[str]]:
    """The headings of the first two levels between front matter and offset `end`."""
    heads = _SECTION.finditer(page.text, page.body, end)
    return [match for match in heads if match.start() not in page.quoting]


def _title(heads: list[re.Match[str]]) -> str:
    """The first `# ` heading, without the `#`s that may close it: those behind a blank."""
    title = next((match[2] for match in heads if match[1] == "#"), "")
    return plain(_CLOSING.sub("", title.strip(" \t\r")).rstrip(" \t"))


def _sections(page: Page, heads: list[re.Match[str]], end: int) -> Iterator[Section]:
    ends = [*(match.start() for match in heads), end][1:]
    for match, until in zip(heads, ends, strict=False):
        if match[1] == "##":
            body = plain(page.text[match.end() : until]).replace("\r\n", "\n").strip("\n")
            yield Section(plain(match[2].strip(" \t\r")), page.line(match.start()), body)


def _note_body(page: Page, title: str, sections: tuple[Section, ...]) -> None:
    if not title:
        page.note("title-missing", None, "the task has no title")
    present = {section.title for section in sections}
    if missing := [name for name in SECTIONS if name not in present]:
        page.note("section-missing", None, f"no {', '.join(missing)}")
    for offset, kind in page.quoting.unclosed:
        what = f"the {kind} opened here is never closed"
        page.note(f"{kind}-unclosed", page.line(offset), what)


def _fix_set_diagnostics(task: Task) -> Iterator[Diagnostic]:
    idle = task.status in (None, Status.COMPLETED, Status.BLOCKED)
    if task.fix_set_open and not task.remediation and not idle:
        line = next(f.line for f in task.fields if f.key == "fix-set")
        what = "no review requests changes, so the fix set counts as closed"
        yield diagnostic("fix-set-ignored", task.path, line, what)
