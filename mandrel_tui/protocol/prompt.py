"""Prompt: the exact bytes one session is given, and the parts they are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from mandrel_tui.protocol.contracts import Contracts
from mandrel_tui.protocol.parts import Draft, Part, parts
from mandrel_tui.protocol.refusal import ContractError, Refusal
from mandrel_tui.protocol.requests import PromptRequest, Settled, settle, wants_sid
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Turn

__all__ = [
    "Part",
    "Prompt",
    "PromptRequest",
    "assemble",
    "wants_sid",
]


@dataclass(frozen=True, slots=True)
class Prompt:
    """An assembled prompt: `role` and `mode` as in Turn; `warnings` one sentence each; `ruling` is
    the one it carries, `made_from` the task as it was read for it."""

    task: str
    kind: str
    form: str
    role: str | None
    mode: str | None
    sid: str | None
    parts: tuple[Part, ...]
    warnings: tuple[str, ...] = ()
    ruling: str | None = None
    made_from: Task | None = field(default=None, repr=False)

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)

    @property
    def sha256(self) -> str:
        return sha256(self.data).hexdigest()

    @property
    def tokens(self) -> int:
        return len(self.data) // 4


def assemble(
    request: PromptRequest, task: Task, turn: Turn, contracts: Contracts, active_count: int
) -> Prompt:
    """The prompt of a request; `active_count` is how many other active tasks there are.

    Raises Refusal where the request is illegal in the task's state or leaves out what it needs,
    and ContractError where the set in force cannot be assembled from.
    """
    settled = settle(request, task, turn)
    if contracts.problems:
        raise ContractError(contracts.problems)
    if wants_sid(request, turn, contracts):
        raise Refusal("No hook tells the session its id here: the prompt needs a sid (--sid)")
    made = parts(Draft(settled, contracts, active_count))
    return Prompt(
        task=task.name,
        kind=settled.kind,
        form=request.form,
        role=settled.role,
        mode=settled.mode,
        sid=request.sid,
        parts=made,
        warnings=tuple(_warnings(settled, contracts, made)),
        ruling=request.ruling,
        made_from=task,
    )


def _warnings(settled: Settled, contracts: Contracts, made: tuple[Part, ...]) -> Iterator[str]:
    yield from settled.warnings
    if settled.turn.ignored_fix_set:
        yield "fix-set: open is ignored, since no review requests changes"
    if any(entry.sid == settled.request.sid for entry in settled.task.entries):
        yield f"the sid {settled.request.sid} already has an entry in this log"
    for path in _differing(settled, contracts, made):
        yield f"{path} differs from .ai-deploy-lock.json"
    for part in made:
        for text in _NAMED.get(part.name, ()):
            if text not in contracts.texts:
                yield f"the prompt names {contracts.contracts_dir}/{text}.md, which is not there"
    yield from contracts.notes


def _differing(settled: Settled, contracts: Contracts, made: tuple[Part, ...]) -> Iterator[str]:
    """Paths of what the session is given or reads itself and is not as deployed."""
    role = f"dev-{settled.mode}" if settled.kind == "dev" else settled.kind
    own = (*_SUBSTRATE, f"protocols/{role}")
    read = {contracts.texts[name].path for name in own if name in contracts.texts}
    read |= {path for part in made for path in part.source.split(", ")}
    return (source.path for source in contracts.differing if source.path in read)


# Texts that every session reads beside its prompt.
_SUBSTRATE = (
    "protocols/conduct",
    "meta/taskfile",
    "meta/memory",
    "workflow/skills/session-end",
)
# Texts that a fragment sends its reader to, but that a deployment need not have.
_NAMED = {
    "preamble-bundled-note": ("meta/taskfile", "meta/memory"),
    "session-end-pointer": ("workflow/skills/session-end",),
}
