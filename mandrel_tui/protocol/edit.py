"""Edit: a surgical change of one file as a value; only the changed bytes differ; writes nothing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.diff import unified
from mandrel_tui.protocol.frontmatter import (
    FrontMatter,
    Item,
    YamlReader,
    list_items,
    read_front_matter,
)
from mandrel_tui.protocol.reading import BOM, read_task
from mandrel_tui.protocol.refusal import Refusal
from mandrel_tui.protocol.spelling import listed, scalar
from mandrel_tui.protocol.task import Task

LISTS = ("blockers", "prefetch")
Value = str | tuple[str, ...] | None
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_ATTRIBUTES = {
    "id": "id",
    "status": "status_text",
    "session-est": "estimate_text",
    "blockers": "blockers",
    "prefetch": "prefetch",
    "fix-set": "fix_set",
    "claimed-by": "claimed_by",
}


@dataclass(frozen=True, slots=True)
class Edit:
    """One file before and after, None being a file that is not there; `path` is relative to the
    repository, with `/`."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def diff(self) -> tuple[str, ...]:
        """The exact difference as lines; empty where nothing changes."""
        return unified(self.path, self.before, self.after)

    @property
    def inverse(self) -> Edit:
        """What undoes it."""
        return Edit(self.path, self.after, self.before)


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One task file as it was read: its bytes and what they say."""

    data: bytes
    task: Task
    yaml: YamlReader | None = None

    @classmethod
    def read(cls, data: bytes, name: str, path: str, yaml: YamlReader | None = None) -> TaskFile:
        return cls(data, read_task(data, name, path, yaml), yaml)

    def reread(self, data: bytes) -> Task:
        """What other bytes under the same name say."""
        return read_task(data, self.task.name, self.task.path, self.yaml)


def edit_task(file: TaskFile, values: Mapping[str, Value]) -> Edit:
    """The file with front-matter values set: a text, a list, or None for no such line.

    A missing key is added before the closing fence. Raises Refusal for front matter that is absent
    or never closed, a key given twice, and a value that would read back differently.
    """
    data = file.data
    for key, value in values.items():
        data = _set(data, key, value)
    _verify(file, data, values)
    return Edit(file.task.path, file.data, data)


@dataclass(frozen=True, slots=True)
class _Front:
    """The closed front matter of `data`; `fence` is the byte at which its closing line begins."""

    data: bytes
    matter: FrontMatter
    body: int

    @property
    def fence(self) -> int:
        end = self.body - 1 if self.data[self.body - 1 : self.body] == b"\n" else self.body
        return self.data.rfind(b"\n", 0, end) + 1

    @property
    def eol(self) -> bytes:
        return b"\r\n" if self.data[: self.fence].endswith(b"\r\n") else b"\n"

    def only(self, key: str) -> Item | None:
        """The one line of a key, None without one; raises Refusal for two."""
        found = [item for item in self.matter.items if item.field.key == key]
        if len(found) > 1:
            lines = ", ".join(str(item.field.line) for item in found)
            raise Refusal(f"`{key}` is given {len(found)} times (lines {lines}): keep one of them")
        return found[0] if found else None


def _front(data: bytes) -> _Front:
    base = len(BOM) if data.startswith(BOM) else 0
    text = data[base:].decode("utf-8", "surrogateescape")
    matter = read_front_matter(text, base)
    if not matter.present:
        raise Refusal("the file has no front matter to edit")
    if not matter.closed:
        raise Refusal(f"the front matter is never closed: add --- after line {matter.close_line}")
    return _Front(data, matter, base + len(_encoded(text[: matter.body])))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _set(data: bytes, key: str, value: Value) -> bytes:
    if not _KEY.fullmatch(key):
        raise Refusal(f"`{key}` cannot be a key")
    front = _front(data)
    item = front.only(key)
    if value is None:
        return data if item is None else _removed(data, item)
    if item is None:
        text = listed(value) if isinstance(value, tuple) else scalar(value)
        line = _encoded(f"{key}: {text}") + front.eol
        return data[: front.fence] + line + data[front.fence :]
    text = listed(value, item.raw) if isinstance(value, tuple) else scalar(value)
    return _replaced(data, item, _encoded(text))


def _replaced(data: bytes, item: Item, text: bytes) -> bytes:
    head, rest = data[: item.field.start], _rest(data, item)
    if not item.raw and rest[:1] in (b" ", b"\t"):
        head, rest = head + rest[:1], rest[1:]
    before = b" " if head.endswith(b":") else b""
    behind = b" " if rest.startswith(b"#") else b""
    return head + before + text + behind + rest


def _rest(data: bytes, item: Item) -> bytes:
    """What follows a value, without the lines over which only YAML continues it; remarks of their
    own between the items of a list stay."""
    end = item.field.end
    if not item.continued or (item.raw and item.raw[0] not in "[{|>&"):
        return data[end:]
    line_end, stop = _line_end(data, end), _chunk_end(data, item)
    lines = data[line_end:stop].split(b"\n")
    remarks = [b for b in lines[:-1] if not item.raw and b.lstrip(b" \t").startswith(b"#")]
    kept = b"".join(line + b"\n" for line in remarks)
    return data[end:line_end] + kept + lines[-1] + data[stop:]


def _removed(data: bytes, item: Item) -> bytes:
    start = data.rfind(b"\n", 0, item.field.start) + 1
    return data[:start] + data[_chunk_end(data, item) :]


def _chunk_end(data: bytes, item: Item) -> int:
    """The offset behind the last line of an item that is not blank."""
    start = data.rfind(b"\n", 0, item.field.start) + 1
    filled = _encoded(item.chunk).rstrip(b" \t\r\n")
    return _line_end(data, start + len(filled))


def _line_end(data: bytes, pos: int) -> int:
    end = data.find(b"\n", pos)
    return len(data) if end < 0 else end + 1


def _verify(file: TaskFile, data: bytes, values: Mapping[str, Value]) -> None:
    """Raises Refusal unless the values read back as given and everything else as before."""
    old, new = _front(file.data), _front(data)
    task = file.reread(data)
    for key, value in values.items():
        if _read_back(task, new, key, value) != value:
            raise Refusal(f"`{key}` would not read back as it is written")
    same = (
        _others(old, values) == _others(new, values) and file.data[old.body :] == data[new.body :]
    )
    others = [name for key, name in _ATTRIBUTES.items() if key not in values]
    if not same or any(getattr(file.task, name) != getattr(task, name) for name in others):
        raise Refusal("another value of the file would be read differently")


def _others(front: _Front, values: Mapping[str, Value]) -> list[tuple[str, str]]:
    items = front.matter.items
    return [(i.field.key, i.chunk.rstrip()) for i in items if i.field.key not in values]


def _read_back(task: Task, front: _Front, key: str, value: Value) -> Value:
    item = front.only(key)
    if item is None:
        return None
    if key in _ATTRIBUTES:
        found: Value = getattr(task, _ATTRIBUTES[key])
        return found
    return list_items(item.raw) if isinstance(value, tuple) else item.field.value
