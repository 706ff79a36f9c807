"""Actions: the table of everything a key does, and the places it is done in; it acts on nothing.

An action lives in one place or in several, and holds in every screen built on one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mandrel_tui.ui.key_names import shown

EVERYWHERE = "everywhere"  # also in text fields, where its letters are typed
LISTS = "lists"  # the focused list or text
BOARD = "board"  # the board and the task in full
INBOX = "inbox"
PROMPT = "prompt"
CHECKS = "checks"
GATE = "gate"  # the plan gate
START = "start"  # the first screen
TEXT = "text"  # dialogs with a text or with fields
FACTS = "facts"  # closeout 1, curate 1
REVIEW = "review"  # closeout 2, curate 2
CLOSING = "closing"  # closeout 3, curate 3
VERIFY = "verify"  # closeout 4
RECOVERY = "recovery"
WAITS = "waits"  # what waits on what
RECEIPTS = "receipts"  # what was handed over
EXACT = "exact"  # one exact text
SCREENS: Mapping[str, str] = {
    BOARD: "board and task",
    INBOX: "inbox",
    PROMPT: "prompt",
    CHECKS: "checks",
    GATE: "plan gate",
    START: "first screen",
    TEXT: "texts and forms",
    FACTS: "facts",
    REVIEW: "review",
    CLOSING: "plan and write",
    VERIFY: "verify",
    RECOVERY: "recovery",
    WAITS: "waits on",
    RECEIPTS: "receipts",
    EXACT: "exact text",
}
MODES: Mapping[str, str] = {"board": "b", "inbox": "i"}  # and the letter after `g` for each


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a key does: `keys` in Textual's spelling, `where` and `also` the places it lives
    in, `label` for the key row, `help` one sentence for help, palette and tooltip."""

    id: str
    keys: tuple[str, ...]
    where: str
    label: str
    help: str
    also: tuple[str, ...] = ()

    @property
    def places(self) -> tuple[str, ...]:
        """Every place it lives in."""
        return (self.where, *self.also)

    @property
    def name(self) -> str:
        """The action method without its prefix: `task.copy-prompt` is `action_task_copy_prompt`."""
        return self.id.replace(".", "_").replace("-", "_")

    @property
    def key(self) -> str:
        """Its first key, as shown."""
        return shown(self.keys[0])

    @property
    def shown_keys(self) -> str:
        """All its keys, as shown."""
        return " ".join(shown(key) for key in self.keys)


def _table(
    where: str, *rows: tuple[str, str, str, str], also: tuple[str, ...] = ()
) -> tuple[Action, ...]:
    return tuple(
        Action(id, tuple(keys.split()), where, label, help, also) for id, keys, label, help in rows
    )


ACTIONS: tuple[Action, ...] = (
    *_table(
        EVERYWHERE,
        ("app.help", "? f1", "help", "The keys of this screen, and why one cannot act."),
        ("app.palette", ": f9 ctrl+p", "palette", "Every action by name."),
        ("app.actions", "space f8", "acts", "What can be done with the focused thing."),
        ("app.back", "escape", "back", "One level back; text is kept."),
        ("app.pane-next", "tab", "next pane", "The next pane or field."),
        ("app.pane-prev", "shift+tab", "previous pane", "The previous pane or field."),
        ("app.board", "f2", "board", "The board."),
        ("app.inbox", "f3", "inbox", "What waits for you."),
        ("app.reload", "f5", "reload", "Read everything again."),
        ("app.go", "g", "go", "Then b board, i inbox, l results, 1 to 9 a pane, g top."),
        ("app.quit", "q", "quit", "Quit; from a screen above the board, back."),
        ("pane.zoom", "z", "zoom", "This pane alone; again to restore."),
        ("list.copy-id", "y", "copy id", "Copy the exact id, sid or path."),
    ),
    *_table(
        LISTS,
        ("list.down", "j down", "down", "One row down; 5j goes five."),
        ("list.up", "k up", "up", "One row up; 5k goes five."),
        ("list.page-down", "ctrl+d pagedown", "page down", "One page down."),
        ("list.page-up", "ctrl+u pageup", "page up", "One page up."),
        ("list.top", "home", "top", "The first row."),
        ("list.bottom", "G end", "bottom", "The last row; 5G goes to row five."),
        ("list.open", "enter", "open", "Open it; fold or unfold a heading."),
        ("list.find", "/", "find", "Filter a list, find in a text."),
        ("list.left", "left", "left", "Fold, previous tab, or pan, by what has focus."),
        ("list.right", "right", "right", "Unfold, next tab, or pan, by what has focus."),
    ),
    *_table(
        BOARD,
        ("task.copy-prompt", "c", "copy", "Assemble the next prompt and copy it."),
        ("board.filter", "f", "filter", "Choose what the list shows; sort."),
        ("task.closeout", "x", "close out", "Close it out; of an archived one, verify that."),
        also=(INBOX,),
    ),
    *_table(
        BOARD,
        ("task.launch", "l", "launch", "Choose agent and place, then launch the prompt."),
        also=(INBOX, PROMPT, GATE, FACTS),
    ),
    *_table(
        BOARD,
        ("task.check", "v", "check", "Check what a session left behind."),
        also=(INBOX, CHECKS),
    ),
    *_table(
        BOARD,
        ("task.answer", "a", "answer", "Answer a blocker, give a ruling."),
        also=(INBOX, PROMPT, CHECKS),
    ),
    *_table(
        BOARD,
        ("task.prompt", "p", "prompt", "See the next prompt."),
        ("task.new", "n", "new", "Draft a new task."),
        ("task.edit", "e", "edit", "Edit the task, or correct the index."),
        ("task.block", "b", "block", "Block the task, or free it of what it waits for."),
    ),
    *_table(
        BOARD,
        ("tab.next", "t", "tab", "The next tab or step."),
        ("tab.prev", "T", "previous tab", "The previous tab or step."),
        also=(FACTS, REVIEW, CLOSING, VERIFY),
    ),
    *_table(
        PROMPT,
        ("prompt.copy", "c", "copy", "Copy the exact bytes."),
        ("prompt.save", "s", "save", "Save the exact bytes to a file."),
        ("prompt.form", "f", "form", "Another form of the same prompt."),
        ("prompt.role", "o", "role", "Another role; illegal ones say why."),
    ),
    *_table(
        PROMPT,
        ("view.wrap", "w", "wrap", "Wrap long lines, or pan with the arrows."),
        also=(REVIEW, EXACT),
    ),
    *_table(
        FACTS,
        ("fact.pass", "a", "pass", "The fact passes this test; go to the next."),
        ("fact.borderline", "b", "borderline", "It nearly does: one line of it is kept."),
        ("fact.fail", "r", "fail", "It clearly does not: it is left out."),
        ("fact.next", "n", "next open", "The next undecided fact."),
        ("fact.prev", "p", "previous open", "The previous undecided fact."),
        ("fact.target", "d", "target", "The document and section it goes to."),
        ("fact.reword", "e", "reword", "Another wording."),
        ("fact.split", "s", "split", "Several facts out of one."),
        ("fact.merge", "m", "merge", "One fact out of this and the next."),
        ("fact.ask", "c", "ask", "Copy the request for a proposal; l launches it."),
        ("fact.sources", "i", "proposal", "Take a proposal in, and where from."),
    ),
    *_table(
        FACTS,
        ("app.undo", "u", "undo", "Take the last decision, write or closeout back."),
        also=(BOARD, REVIEW, CLOSING, VERIFY, START),
    ),
    *_table(
        REVIEW,
        ("hunk.accept", "a", "accept", "Take this hunk; go to the next open one."),
        ("hunk.reject", "r", "reject", "Leave the old lines; go to the next open one."),
        ("hunk.edit", "e", "edit", "Write the new lines anew."),
        ("hunk.split", "s", "split", "Several hunks out of one, fact by fact."),
        ("hunk.next", "n", "next hunk", "The next hunk of this document."),
        ("hunk.prev", "p", "previous hunk", "The previous hunk of this document."),
        ("document.next", "N", "next document", "The next document."),
        ("document.prev", "P", "previous document", "The previous document."),
        (
            "document.accept",
            "A",
            "accept all",
            "Take all open hunks here; go to the next document with any.",
        ),
        (
            "document.reject",
            "R",
            "reject all",
            "Leave all open hunks here; go to the next document with any.",
        ),
        ("document.folder", "U", "folder", "Make this document a folder of several."),
        ("review.documents", "d", "documents", "The list of documents."),
        ("review.layout", "o", "layout", "The sides beside each other, or stacked."),
        ("review.context", "f", "whole", "The whole document, or only around its hunks."),
    ),
    *_table(
        CLOSING,
        ("apply.accept", "a", "accept", "Accept the reconciliation of this task."),
        ("apply.reject", "r", "reject", "Leave this task as it is."),
        ("apply.edit", "e", "edit", "Edit this task."),
    ),
    *_table(
        RECOVERY,
        ("recovery.finish", "f", "finish", "Do what is left, then verify."),
        ("recovery.roll-back", "r", "roll back", "Put every file back as it was."),
        ("recovery.differences", "d", "differences", "Each file before, now and as planned."),
    ),
    *_table(
        GATE,
        ("plan.reply", "i", "paste reply", "Paste or load a reply of the plan session."),
        ("plan.feedback", "e", "feedback", "Write feedback to the reply."),
        ("plan.copy", "c", "copy", "Copy this round's message."),
        ("plan.diff", "d", "diff", "The report, or its difference to the one it replaced."),
        ("plan.approve", "a", "approve", "Approve the plan, in a dialog."),
    ),
    *_table(
        CHECKS,
        ("follow.copy", "c", "copy", "Copy the follow-up; when all pass, the next prompt."),
        ("follow.send", "l", "send", "Send it to the same conversation; when all pass, launch."),
        also=(VERIFY,),
    ),
    *_table(
        CHECKS,
        ("check.before", "o", "before", "Say what held before the session."),
    ),
    *_table(
        BOARD,
        ("board.curate", "m", "curate", "Curate a memory file, fact by fact."),
        ("task.graph", "w", "waits on", "What waits on what, the ready ones first."),
        ("task.receipts", "r", "receipts", "What was handed over, and its exact bytes."),
    ),
    *_table(
        WAITS,
        ("graph.ready", "f", "ready now", "The board with only what is ready now."),
    ),
    *_table(
        RECEIPTS,
        ("receipts.compare", "d", "compare", "The first byte that differs from another text."),
        ("receipts.all", "f", "all tasks", "Those of every task, or of this one."),
    ),
    *_table(
        START,
        ("start.again", "r", "look again", "Look for tasks again."),
    ),
    *_table(
        TEXT,
        ("text.ok", "ctrl+o", "write", "Do what the dialog, or the list of files, says."),
        also=(START, CLOSING),
    ),
    *_table(
        TEXT,
        ("text.editor", "ctrl+t", "editor", "The same text in your editor."),
    ),
)
