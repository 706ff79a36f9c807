"""Triaging: `new`, `block`, `unblock`, `edit`; each shows its exact diff and writes after a yes."""

from __future__ import annotations

import sys
from argparse import Namespace
from os import environ

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import say, write_lines
from mandrel_tui.commands.repository import failures, path_of, workspace
from mandrel_tui.protocol.edit import TaskFile
from mandrel_tui.protocol.frontmatter import list_items
from mandrel_tui.protocol.intake import Draft
from mandrel_tui.protocol.triage import TriagePlan
from mandrel_tui.workspace import triage
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.manual import announce
from mandrel_tui.workspace.visible import shown, visible
from mandrel_tui.workspace.workspace import Workspace


def run_new(arguments: Namespace) -> int:
    """Drafts a task: its file and its row in the index."""
    found = workspace(arguments)
    if arguments.est < 1:
        raise Failure(f"--est {arguments.est}: a task takes at least one session")
    texts = {name: getattr(arguments, name) for name in ("goal", "scope", "acceptance")}
    if list(texts.values()).count("-") > 1:
        raise Failure("only one text can come from standard input")
    draft = Draft(
        title=arguments.title,
        sessions=arguments.est,
        prefetch=list_items(f"[{arguments.prefetch}]"),
        **{name: _text(f"--{name}", given) for name, given in texts.items()},
    )
    with failures():
        return _write(found, triage.plan_new(found, draft), arguments.yes)


def run_block(arguments: Namespace) -> int:
    """Blocks a task by a question, an event outside, or another task."""
    found = workspace(arguments)
    with failures():
        plan = triage.plan_block(found, arguments.task, arguments.reason)
        return _write(found, plan, arguments.yes)


def run_unblock(arguments: Namespace) -> int:
    """Empties a task's blockers and gives it back the status it had."""
    found = workspace(arguments)
    with failures():
        return _write(found, triage.plan_unblock(found, arguments.task), arguments.yes)


def run_edit(arguments: Namespace) -> int:
    """Sets front-matter values; without any, the whole file is edited in the person's editor."""
    found = workspace(arguments)
    typed = dict(_pair(text) for text in arguments.values)
    if len(typed) != len(arguments.values):
        raise Failure("a key is given twice")
    with failures():
        if not typed:
            return _edit_text(found, triage.task_file(found, arguments.task), arguments.yes)
        return _write(found, triage.plan_edit(found, arguments.task, typed), arguments.yes)


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise Failure(f"{text}: write KEY=VALUE")
    return key.strip(), value


def _edit_text(found: Workspace, file: TaskFile, yes: bool) -> int:
    from mandrel_tui.settings import load
    from mandrel_tui.workspace.editor import EditorError, edited

    name, settings = f"{file.task.name}.md", load()
    for fault in settings.faults:
        say(fault)
    try:
        after = edited(file.data, name, settings.editor, cwd=found.root, environ=environ)
    except EditorError as error:
        raise Failure(str(error)) from None
    try:
        return _write(found, triage.plan_text(found, file, after), yes)
    except Failure as failure:
        kept = found.keep(after, file.task.name) if after != file.data else None
        if kept is not None and kept.path is not None:
            say(f"the edited text is kept in {shown(kept.path)}")
        raise failure from None


def _text(flag: str, given: str) -> str:
    """A text given as a file, as standard input (`-`) or, where it holds a blank, as itself."""
    if given == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    elif not given or "\n" in given or (" " in given and not path_of(given).exists()):
        return given
    else:
        with failures():
            data = read(path_of(given)).data
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(f"{flag} {given}: byte {error.start} is not UTF-8") from None


def _write(found: Workspace, plan: TriagePlan, yes: bool) -> int:
    """Shows a plan and makes it after a yes; raises Failure unless all of it was written."""
    write_lines(visible(line) for line in plan.diff)
    for caution in plan.cautions:
        say(caution)
    if not yes and not agreed(f"{visible(plan.what)}: write this?"):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)
    announce(found, (one.edit for one in plan.files))
    applied = found.changes.apply(plan)
    if applied.note:
        say(applied.note)
    if not applied.ok:
        raise Failure(applied.words)
    say(applied.words)
    return DONE
