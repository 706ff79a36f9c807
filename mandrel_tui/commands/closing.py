"""Closing: `closeout`; shows the plan of closing a task out, carries it out after a yes, verifies
it; recovering and undoing one are elsewhere."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mandrel_tui.commands.agreement import agreed
from mandrel_tui.commands.closing_text import plan_lines, plan_record, problems, result_lines
from mandrel_tui.commands.failure import DONE, REFUSED, Failure
from mandrel_tui.commands.handing import print_exact
from mandrel_tui.commands.hunks import document_path, hunk_lines, rejected
from mandrel_tui.commands.output import say, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA
from mandrel_tui.commands.recovering import recover, told, undo
from mandrel_tui.commands.repository import failures, path_of, workspace
from mandrel_tui.protocol import upgrade
from mandrel_tui.protocol.admission import recorded
from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.propagation import advice_on
from mandrel_tui.protocol.proposal import Review
from mandrel_tui.protocol.reconcile import stranded
from mandrel_tui.protocol.review_record import decided
from mandrel_tui.workspace import asking, closeout
from mandrel_tui.workspace.apply import Stopped
from mandrel_tui.workspace.closed import native, verified
from mandrel_tui.workspace.closeout import Prepared
from mandrel_tui.workspace.documents import ProposalRefused, ProposalUnread, memory
from mandrel_tui.workspace.drafts import Drafts
from mandrel_tui.workspace.files import read
from mandrel_tui.workspace.git import GitError
from mandrel_tui.workspace.proposals import NOTHING, Proposal, take
from mandrel_tui.workspace.stand import archived_row
from mandrel_tui.workspace.upgrades import upgraded
from mandrel_tui.workspace.visible import shown, visible
from mandrel_tui.workspace.workspace import Workspace


def run_closeout(arguments: Namespace) -> int:
    """Shows, applies, verifies or recovers the closeout of one task."""
    found = workspace(arguments)
    _refuse_misuse(arguments)
    with failures(), _refusals():
        if arguments.request:
            print_exact(asking.request(found, arguments.task))
            return DONE
        if arguments.verify:
            return _verify(found, arguments)
        if arguments.undo:
            return undo(found, arguments)
        if arguments.finish or arguments.roll_back:
            code = recover(found, arguments)
            if code is not None:
                return code
            arguments.apply = True
        return _plan(found, arguments)


def _refuse_misuse(arguments: Namespace) -> None:
    """Refuses arguments that say nothing together; raises Failure."""
    applies = arguments.apply or arguments.finish
    plans = not (arguments.verify or arguments.roll_back or arguments.undo or arguments.request)
    needs = (
        (arguments.accept is not None and not applies, "--accept needs --apply"),
        (arguments.reject and arguments.accept != "all", "--reject needs --accept all"),
        (arguments.section and arguments.upgrade is None, "--section needs --upgrade"),
        (arguments.audit_file and not arguments.verify, "--audit-file needs --verify"),
        (
            (arguments.propose or arguments.upgrade) and not plans,
            "--propose and --upgrade are for showing and applying a plan",
        ),
    )
    for wrong, words in needs:
        if wrong:
            raise Failure(words)


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns what stops a closeout into failures, with what git and its hooks said."""
    try:
        yield
    except ProposalUnread as error:
        raise Failure(str(error)) from None
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
    own = _native(found, arguments) if proposal is NOTHING else NOTHING
    prepared = _prepared(found, arguments, proposal, own)
    _say_notes(found, prepared, proposal)
    _say_kept(found, prepared)
    _say_left(prepared)
    if arguments.apply:
        return _apply(found, prepared, arguments)
    _show(prepared, closeout.reviews_of(own, True) or prepared.reviews, arguments.json)
    if prepared.found.stand.archived and proposal is NOTHING:
        _say_verified(found, arguments.task)
    return REFUSED if prepared.failed else DONE


def _native(found: Workspace, arguments: Namespace) -> Proposal:
    """What an agent changed that archived the task itself; where that cannot be reviewed, nothing
    of it can be rejected."""
    name = arguments.task
    active = any(file.name == name for file in found.store.listing().files)
    if active or archived_row(found, name) is None:
        return NOTHING
    try:
        return native(found, name)
    except ProposalRefused as refusal:
        if arguments.accept == "none" or arguments.reject:
            raise
        say(f"what its commit changed cannot be shown: {refusal}")
        return NOTHING


def _prepared(
    found: Workspace, arguments: Namespace, proposal: Proposal, own: Proposal
) -> Prepared:
    """The closeout with the hunks as they were decided, or the change that takes back what was
    rejected of an agent's own; all hunks are accepted while they are only shown."""
    given = proposal if own is NOTHING else own
    if arguments.apply and proposal.documents and arguments.accept is None:
        raise Failure("say what becomes of the proposal: --accept all or --accept none")
    reviews = closeout.reviews_of(given, arguments.accept != "none")
    reviews = rejected(reviews, arguments.reject)
    if own is NOTHING:
        return closeout.prepare(found, arguments.task, proposal, reviews)
    if any(review.count(False) for review in reviews):
        return closeout.follow_up(found, arguments.task, reviews)
    return closeout.prepare(found, arguments.task)


def _say_left(prepared: Prepared) -> None:
    """Says which tasks prefetch what goes, which documents stay flagged as over their limit, and
    what would help."""
    stand, plan = prepared.found.stand, prepared.plan
    gone = {document.path for document in plan.documents if document.after is None}
    for words in stranded(stand.others, gone):
        say(f"{visible(words)}: `edit` points it elsewhere")
    for path in plan.flagged(stand.pending):
        if not upgrade.fault(path):
            remedy = f"--upgrade {shown(path)} makes it a folder"
            say(f"{shown(path)} is flagged as over its limit: {remedy}")


def _proposal(found: Workspace, arguments: Namespace) -> Proposal:
    proposal, named = NOTHING, arguments.propose
    if named is not None:
        proposal = take(found.root, named, path_of(named).absolute())
    if arguments.upgrade is not None:
        path = document_path(arguments.upgrade)
        proposal = upgraded(found.root, proposal, path, arguments.section)
    return proposal


def _say_notes(found: Workspace, prepared: Prepared, proposal: Proposal) -> None:
    """Says what should be looked at of what is proposed, as it was decided."""
    for note in (*proposal.remarks, *advice_on(prepared.plan, memory(found.root))):
        say(note)


def _say_kept(found: Workspace, prepared: Prepared) -> None:
    """Says that decisions made in the app are no part of the plan."""
    draft = Drafts(found.state).load(prepared.plan.task).value
    if isinstance(draft, dict) and not prepared.found.stand.archived:
        items = recorded(draft.get("sheet"))
        facts = sum(item.outcome is not None for item in items)
        count = facts + decided(draft.get("reviews"))
        if count:
            what = counted(count, "decision")
            say(f"no part of this plan: {what} made in the app, where x goes on")


def _show(prepared: Prepared, reviews: Sequence[Review], json: bool) -> None:
    if json:
        write_json(plan_record(prepared, reviews))
        return
    write_lines(plan_lines(prepared))
    for line in hunk_lines(reviews):
        say(line)
    for row in prepared.failed:
        say(f"{row.id}: {row.detail}")


def _say_verified(found: Workspace, name: str) -> None:
    """Says what does not hold of a closeout that is done."""
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
    wanted = arguments.yes or not prepared.plan.files
    if not wanted and not agreed(f"close out {visible(prepared.plan.task)}?"):
        raise Failure("nothing was written; --yes writes without asking", REFUSED)
    finished = closeout.carry_out(found, prepared)
    return told(finished, arguments.json, plan_record(prepared, prepared.reviews))


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
