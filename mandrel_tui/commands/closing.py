"""Closing: `closeout`; shows the plan of closing a task out, carries it out after a yes, verifies
it, and finishes or rolls back one that was interrupted."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from posixpath import normpath

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.closing_text import (
    journal_lines,
    plan_lines,
    plan_record,
    problems,
    result_lines,
)
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.output import say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA
from mandrel_tui.commands.repository import failures, path_of, workspace
from mandrel_tui.protocol import upgrade
from mandrel_tui.protocol.proposal import Review
from mandrel_tui.workspace import apply, closeout
from mandrel_tui.workspace.apply import Stopped, left_words
from mandrel_tui.workspace.closed import native, verified
from mandrel_tui.workspace.closeout import Finished, Prepared
from mandrel_tui.workspace.documents import FOLDER, ProposalRefused
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.git import GitError
from mandrel_tui.workspace.journal import Journal
from mandrel_tui.workspace.proposals import NOTHING, Proposal, take
from mandrel_tui.workspace.stand import archived_row
from mandrel_tui.workspace.traces import traces
from mandrel_tui.workspace.upgrades import upgraded
from mandrel_tui.workspace.visible import shown, visible
from mandrel_tui.workspace.workspace import Workspace


def run_closeout(arguments: Namespace) -> int:
    """Shows, applies, verifies or recovers the closeout of one task."""
    found = workspace(arguments)
    if arguments.accept is not None and not (arguments.apply or arguments.finish):
        raise Failure("--accept needs --apply")
    if _proposes(arguments) and (arguments.verify or arguments.roll_back):
        raise Failure("--propose and --upgrade are for showing and applying a plan")
    if arguments.section and arguments.upgrade is None:
        raise Failure("--section needs --upgrade")
    if arguments.audit_file is not None and not arguments.verify:
        raise Failure("--audit-file needs --verify")
    with failures(), _refusals():
        if arguments.verify:
            return _verify(found, arguments)
        if arguments.finish or arguments.roll_back:
            return _recover(found, arguments)
        return _plan(found, arguments)


def _proposes(arguments: Namespace) -> bool:
    return arguments.propose is not None or arguments.upgrade is not None


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns what stops a closeout into failures, with what git and its hooks said."""
    try:
        yield
    except (ProposalRefused, GitError) as error:
        raise Failure(str(error), REFUSED) from None
    except Stopped as stopped:
        for line in stopped.output.split("\n") if stopped.output else ():
            say(f"git: {visible(line)}")
        remedy = "the journal stays: closeout ID --finish or --roll-back"
        raise Failure(f"{stopped}; {remedy}", REFUSED) from None


def _plan(found: Workspace, arguments: Namespace) -> int:
    """Shows the plan, and applies it when that was asked for and agreed to."""
    proposal = _proposal(found, arguments)
    accept = _accepted(arguments, proposal)
    prepared = closeout.prepare(
        found, arguments.task, proposal, closeout.reviews_of(proposal, accept)
    )
    shown_reviews = prepared.reviews
    if proposal is NOTHING and archived_row(found, arguments.task) is not None:
        shown_reviews = closeout.reviews_of(native(found, arguments.task), True)
    for path in prepared.plan.flagged(prepared.found.stand.pending):
        if not upgrade.fault(path):
            remedy = f"--upgrade {shown(path)} makes it a folder"
            say(f"{shown(path)} is flagged as over its limit: {remedy}")
    if not arguments.apply:
        _show(prepared, shown_reviews, arguments.json)
        if shown_reviews is not prepared.reviews:
            _say_native(found, arguments.task, shown_reviews)
        return REFUSED if prepared.failed else DONE
    return _apply(found, prepared, arguments)


def _proposal(found: Workspace, arguments: Namespace) -> Proposal:
    proposal, named = NOTHING, arguments.propose
    if named is not None:
        proposal = take(found.root, named, path_of(named).absolute())
    if arguments.upgrade is not None:
        path = normpath(arguments.upgrade)
        path = path if path.startswith(f"{FOLDER}/") else f"{FOLDER}/{path}"
        proposal = upgraded(found.root, proposal, path, arguments.section)
    for note in proposal.notes:
        say(note)
    return proposal


def _accepted(arguments: Namespace, proposal: Proposal) -> bool:
    """Whether the hunks of the proposal are accepted; all of them are while it is only shown."""
    if arguments.apply and proposal.documents and arguments.accept is None:
        raise Failure("say what becomes of the proposal: --accept all or --accept none")
    return bool(arguments.accept != "none")


def _show(prepared: Prepared, reviews: Sequence[Review], json: bool) -> None:
    if json:
        write_json(plan_record(prepared, reviews))
        return
    write_lines(plan_lines(prepared))
    for row in prepared.failed:
        say(f"{row.id}: {row.detail}")


def _say_native(found: Workspace, name: str, reviews: Sequence[Review]) -> None:
    """Says what holds of a closeout that is done, and which documents its commit changed."""
    for review in reviews:
        document = review.document
        say(f"its commit {document.change} {shown(document.path)}, {len(review.hunks)} hunks")
    for result in verified(found, name):
        if not result.passed:
            say(f"{result.id}: {result.detail}")


def _apply(found: Workspace, prepared: Prepared, arguments: Namespace) -> int:
    """Carries the plan out after a yes."""
    if not arguments.json:
        write_lines(plan_lines(prepared))
    if prepared.failed:
        words = "; ".join(f"{row.id}: {row.detail}" for row in prepared.failed)
        raise Failure(f"nothing was written: {words}", REFUSED)
    if not arguments.yes and not agreed(f"close out {visible(prepared.plan.task)}?"):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)
    return _told(closeout.carry_out(found, prepared), arguments, prepared)


def _told(finished: Finished, arguments: Namespace, prepared: Prepared | None) -> int:
    """Says how it ended; the audit line is data."""
    for line in finished.ended.output.split("\n") if finished.ended.output else ():
        say(f"git: {visible(line)}")
    for words in (left_words(finished.ended.left), finished.note):
        if words:
            say(words)
    for problem in finished.problems:
        say(f"{problem.id}: {problem.detail}")
    commit = finished.ended.commit
    if arguments.json:
        record = (
            plan_record(prepared, prepared.reviews) if prepared is not None else {"schema": SCHEMA}
        )
        ended = {
            "commit": commit,
            "audit": finished.audit,
            "problems": problems(finished.problems),
        }
        write_json({**record, "task": finished.task, **ended})
    elif finished.audit:
        write_lines([visible(finished.audit)])
    say(f"committed {commit[:7]}" if commit else "there was nothing to commit")
    return REFUSED if finished.problems else DONE


def _verify(found: Workspace, arguments: Namespace) -> int:
    results = verified(found, arguments.task, _report(arguments.audit_file))
    missed = [result for result in results if not result.passed]
    if arguments.json:
        record = {"schema": SCHEMA, "problems": problems(missed), "passed": not missed}
        write_json(record)
    else:
        write_lines(result_lines(results))
    return REFUSED if missed else DONE


def _report(argument: str | None) -> str | None:
    """The text that should hold the audit line, None where none was given."""
    if argument is None:
        return None
    if argument == "-":
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
    else:
        data = read(path_of(argument)).data
    return data.decode("utf-8", "replace")


def _recover(found: Workspace, arguments: Namespace) -> int:
    """Finishes or rolls back what a journal tells of; what has none is finished by a plan."""
    opened = closeout.open_closeouts(found)
    for note in opened.notes:
        say(note)
    begun = next((one for one in opened.journals if one.task == arguments.task), None)
    if begun is not None:
        return _resume(found, begun, arguments)
    if arguments.finish and _left(found, arguments.task):
        arguments.apply = True
        return _plan(found, arguments)
    raise Failure(f"no closeout of {visible(arguments.task)} was interrupted", REFUSED)


def _left(found: Workspace, name: str) -> bool:
    """Whether files tell of a closeout of the task that did not end; says what they tell."""
    row = archived_row(found, name)
    names = {name, row.name} if row is not None else {name}
    left = [trace for trace in traces(found) if trace.task in names]
    for trace in left:
        say(trace.words)
    return bool(left)


def _resume(found: Workspace, begun: Journal, arguments: Namespace) -> int:
    steps = apply.outlook(found.root, begun)
    verb = "finish" if arguments.finish else "roll back"
    if not arguments.json:
        write_lines(journal_lines(begun, steps))
    if not arguments.yes and not agreed(f"{verb} the closeout of {visible(begun.task)}?"):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)
    if arguments.finish:
        return _told(closeout.finish(found, begun), arguments, None)
    finished = closeout.roll_back(found, begun)
    code = _told(finished, arguments, None)
    say(f"the closeout of {visible(begun.task)} is taken back")
    return code
