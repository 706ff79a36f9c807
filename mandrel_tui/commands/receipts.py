"""Receipts: `receipts`; which bytes went out to which session, and whether that can be proved."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mandrel_tui.commands.failure import DONE
from mandrel_tui.commands.output import painted, write_json, write_lines
from mandrel_tui.commands.records import SCHEMA, Record
from mandrel_tui.commands.repository import failures, workspace
from mandrel_tui.protocol.handover import Handover
from mandrel_tui.protocol.trail import Ending
from mandrel_tui.workspace.visible import shown, visible
from mandrel_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Receipt:
    """One text that was handed over; `file` holds its bytes if `proved`; `unused` is what a person
    said of it since."""

    handover: Handover
    ending: Ending | None
    file: Path
    proved: bool
    unused: bool


def run_receipts(arguments: Namespace) -> int:
    """Lists what was handed over, of one task or of all, oldest first."""
    found = workspace(arguments)
    names = [arguments.task] if arguments.task else found.handovers.records.tasks()
    receipts = [receipt for name in names for receipt in _of(found, name)]
    if arguments.task and not receipts:
        with failures():
            found.task(arguments.task)
    receipts.sort(key=lambda receipt: receipt.handover.delivery.at)
    if arguments.json:
        write_json([_record(receipt) for receipt in receipts])
    else:
        write_lines(_lines(receipts))
    return DONE


def _of(found: Workspace, name: str) -> Iterator[_Receipt]:
    handovers = found.handovers
    trail = handovers.trail(name)
    for one in trail.handovers:
        proved = handovers.bytes_of(one) is not None
        file, ending = handovers.blobs.path(one.sha256), trail.endings.get(one.id)
        yield _Receipt(one, ending, file, proved, one.id in trail.unused)


def _record(receipt: _Receipt) -> Record:
    one, facts, ending = receipt.handover, receipt.handover.facts, receipt.ending
    before = None if facts is None else {name: getattr(facts, name) for name in _FACTS}
    return {
        "schema": SCHEMA,
        "id": one.id,
        "task": one.task,
        "kind": one.kind,
        "form": one.form or None,
        "role": one.role,
        "mode": one.mode,
        "sid": one.sid,
        "at": one.delivery.at,
        "launcher": one.delivery.launcher,
        "way": one.delivery.way,
        "place": one.delivery.place,
        "bytes": one.size,
        "sha256": one.sha256,
        "proved": receipt.proved,
        "file": str(receipt.file) if receipt.proved else None,
        "unused": receipt.unused,
        "before": before,
        "ended": None if ending is None else {"status": ending.status, "cause": ending.cause},
    }


_FACTS = ("role", "status_before", "est_before", "remediation")


def _lines(receipts: list[_Receipt]) -> Iterator[str]:
    if not receipts:
        yield "Nothing was handed over."
    for receipt in receipts:
        one, delivery = receipt.handover, receipt.handover.delivery
        what = ", ".join(visible(word) for word in (one.kind, one.mode, one.form) if word)
        yield f"{visible(delivery.at)}  {visible(one.task)}  {painted(what, 'bold')}"
        place = f" in {visible(delivery.place)}" if delivery.place else ""
        yield f"  by {visible(delivery.launcher)}, {visible(delivery.way)}{place}"
        if one.sid:
            yield f"  session {visible(one.sid)}"
        proof = shown(receipt.file) if receipt.proved else painted("the bytes are lost", "fail")
        yield f"  {one.size:,} bytes, sha256 {visible(one.sha256)}: {proof}"
        if receipt.unused:
            yield "  taken back: it was not used"
        if receipt.ending is not None and receipt.ending.cause:
            yield f"  {visible(receipt.ending.cause)}"
