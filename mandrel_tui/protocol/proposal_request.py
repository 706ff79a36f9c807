"""Proposal request: the text that asks an agent what a finished task adds to memory; it names the
procedure and the one folder the agent may write, and sends nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mandrel_tui.protocol.admission import Item
from mandrel_tui.protocol.legible import plain

_ASK = """\
Propose what task `{task}` adds to the memory of this repository. The procedure is the file
`{procedure}`: read it whole, then do of it only what leads to a proposal.

Write nothing but whole documents below `{folder}`, laid out like `.ai/`:
`.ai/design.md` becomes `{folder}/design.md`. A document you leave out stays as it is; an empty file
of its name proposes its removal; a document that becomes a folder is an empty `x.md` beside
`x/index.md`. Stamps in front matter may stay as they are. Change no other file, commit nothing,
archive nothing.
"""
_FACTS = """
These facts of its log are admitted, each with its place; propose them and no others, worded as
densely as they stay exact:

"""
_NO_FACTS = """
Walk every entry of its log and put each fact through the three admission tests. When you are done,
list every fact with its entry and the outcome, and say which test kept it out.
"""


def proposal_request(task: str, procedure: str, folder: str, items: Sequence[Item]) -> bytes:
    """The request for task `task`; `procedure` and `folder` are paths, `items` what was admitted
    already, none to let the agent choose."""
    text = _ASK.format(task=task, procedure=procedure, folder=folder)
    if not items:
        return f"{text}{_NO_FACTS}".encode()
    lines = "".join(f"{_line(item)}\n" for item in items)
    return f"{text}{_FACTS}{plain(lines)}".encode()


def _line(item: Item) -> str:
    words = " ".join(item.text.split())
    if item.target is None:
        return f"- {words}"
    place = (
        f"{item.target.path}, {item.target.section}" if item.target.section else item.target.path
    )
    return f"- {words} ({place})"
