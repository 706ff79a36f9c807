"""Parts: the recipe of each prompt, and the runs of bytes fragments and contracts make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.contracts import Contracts, Source
from mandrel_tui.protocol.facts import Facts, before
from mandrel_tui.protocol.fragments import POSTCHECKS
from mandrel_tui.protocol.placeholders import encoded, fill, gaps
from mandrel_tui.protocol.postchecks import preview
from mandrel_tui.protocol.refusal import ContractError
from mandrel_tui.protocol.requests import Settled
from mandrel_tui.protocol.task import Status
from mandrel_tui.protocol.turn import Mode

SID_FROM_CONTEXT = "<your session id from the session-start context>"
_GAP = b"\n\n"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of the prompt's bytes and where it comes from; parts joined give the prompt.

    `source` names the files, separated by commas; a wrapper's is the contract inside it. `lock`
    is what the deployment receipt says of them, as in Source.
    """

    name: str
    source: str
    bundled: bool
    data: bytes
    lock: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """One prompt being assembled: everything its parts draw on."""

    settled: Settled
    contracts: Contracts
    active_count: int

    @property
    def sid(self) -> str | None:
        return self.settled.request.sid

    @property
    def role(self) -> str:
        """The role whose checks are told; a plan prompt holds those of the dev session."""
        return "review" if self.settled.kind == "review" else "dev"

    @property
    def facts(self) -> Facts:
        return before(self.settled.task, self.role, self.sid)

    @property
    def dev_contract(self) -> Source:
        mode = self.settled.mode or Mode.ADVANCEMENT
        return self.contracts.text(f"protocols/dev-{mode}")

    @property
    def contract(self) -> Source:
        """The text that binds the session."""
        if self.settled.kind == "dev":
            return self.dev_contract
        return self.contracts.text(_CONTRACTS[self.settled.kind])

    def filled(self, name: str, **own: bytes) -> bytes:
        """The fragment `entry/<name>` with its gaps filled, `own` values before the common ones."""
        text = self.contracts.fragment(f"entry/{name}")
        values = {gap: own[gap] if gap in own else VALUES[gap](self) for gap in gaps(text)}
        return fill(text, values)

    def source(self, name: str) -> Source:
        return self.contracts.fragments[name if name == POSTCHECKS else f"entry/{name}"]


_CONTRACTS = {
    "review": "protocols/review",
    "plan": "protocols/plan",
    "closeout": "workflow/skills/closeout",
}


def _sid_fragment(draft: Draft) -> str:
    return "sid-line-from-hook" if draft.sid is None else "sid-line"


def _undershoot(draft: Draft) -> bytes:
    return draft.filled("checklist-est-undershoot") if draft.facts.undershoot else b""


def _skill(draft: Draft) -> bytes:
    if draft.contracts.skill_path is None:
        places = ".claude/skills/ai-sync-v2/SKILL.md or .ai-protocol/workflow/skills/closeout.md"
        raise ContractError((f"no closeout procedure: {places} is needed",))
    return encoded(draft.contracts.skill_path)


VALUES: Mapping[str, Callable[[Draft], bytes]] = {
    "active_count": lambda d: b"%d" % d.active_count,
    "automation_md": lambda d: d.filled("conduct-annex"),
    "contracts_dir": lambda d: encoded(d.contracts.contracts_dir),
    "cur": lambda d: d.facts.estimates()["cur"],
    "dev_rule": lambda d: d.dev_contract.data,
    "group": lambda d: encoded(d.settled.turn.group or ""),
    "now": lambda d: encoded(d.settled.request.now),
    "ntot": lambda d: d.facts.estimates()["ntot"],
    "nxt": lambda d: d.facts.estimates()["nxt"],
    "pending": lambda d: encoded(", ".join(d.settled.turn.pending_review) or "(empty)"),
    "plan": lambda d: encoded(d.settled.plan or ""),
    "plan_rule": lambda d: d.contract.data,
    "review_rule": lambda d: d.contract.data,
    "ruling": lambda d: encoded(d.settled.request.ruling or ""),
    "sid": lambda d: encoded(d.sid or ""),
    "sid_disp": lambda d: encoded(SID_FROM_CONTEXT if d.sid is None else d.sid),
    "sid_line": lambda d: d.filled(_sid_fragment(d)),
    "sync_skill": _skill,
    "task_id": lambda d: encoded(d.settled.task.name),
    "tot": lambda d: d.facts.estimates()["tot"],
    "undershoot": _undershoot,
}

Piece = Callable[[Draft], Part | None]


def _part(name: str, data: bytes, *sources: Source) -> Part:
    locks = {source.lock for source in sources}
    lock = "differs" if "differs" in locks else "equal" if locks == {"equal"} else None
    paths = ", ".join(source.path for source in sources)
    return Part(name, paths, any(source.bundled for source in sources), data, lock)


def _fragment(name: str) -> Piece:
    return lambda draft: _part(name, draft.filled(name), draft.source(name))


def _note(draft: Draft) -> Part:
    kind = "bundled" if draft.contracts.self_contained else "native"
    name = f"preamble-{kind}-note"
    return _part(name, draft.filled(name), draft.source(name))


def _annex(draft: Draft) -> Part | None:
    if draft.settled.request.form != "headless":
        return None
    names = ("automation-wrapper", "conduct-annex")
    return _part(names[0], draft.filled(names[0]), *map(draft.source, names))


def _dev_wrapper(draft: Draft) -> Part:
    name = f"dev-{draft.settled.mode or Mode.ADVANCEMENT}-wrapper"
    return _part(name, draft.filled(name), draft.dev_contract)


def _wrapper(name: str) -> Piece:
    return lambda draft: _part(name, draft.filled(name), draft.contract)


def _invocation(draft: Draft) -> Part:
    name = f"{draft.role}-invocation"
    return _part(name, draft.filled(name), *map(draft.source, (name, _sid_fragment(draft))))


def _checklist(draft: Draft) -> Part:
    names = ["checklist-header", "checklist-claim", *_steps(draft)]
    lines = b"\n".join(draft.filled(name) for name in names)
    return _part(f"checklist, {len(names)} parts", lines, *map(draft.source, names))


def _steps(draft: Draft) -> Iterator[str]:
    """The checklist fragments below the claim."""
    if draft.role == "review":
        yield from ("checklist-review-est", "checklist-review-pending")
        return
    yield "checklist-dev-est-unknown" if draft.facts.est_before is None else "checklist-dev-est"
    if draft.settled.task.status is Status.PENDING:
        yield "checklist-dev-claim-status"
    yield "checklist-dev-prefetch"


def _mode_block(draft: Draft) -> Part:
    remediation = draft.settled.mode is Mode.REMEDIATION
    name = "dev-remediation" if remediation else "dev-pre-re-est"
    return _part(name, draft.filled(name), draft.source(name))


def _ruling(name: str) -> Piece:
    fragment = _fragment(name)
    return lambda draft: None if draft.settled.request.ruling is None else fragment(draft)


def _preview(draft: Draft) -> Part:
    told = preview(draft.facts, draft.contracts.requirements())
    lines = [draft.filled("checks-preview-header"), *(b"- " + line for line in told)]
    sources = map(draft.source, ("checks-preview-header", POSTCHECKS))
    return _part(f"checks preview, {len(told)}", b"\n".join(lines), *sources)


def _approved_plan(draft: Draft) -> Part | None:
    if draft.settled.plan is None:
        return None
    name, answer = "approved-plan-gate", encoded(draft.settled.request.plan_answer)
    return _part(name, draft.filled(name, ruling=answer), draft.source(name))


def _session_end(draft: Draft) -> Part | None:
    name = "session-end-pointer"
    if not draft.contracts.self_contained or draft.settled.request.form != "interactive":
        return None
    return _part(name, draft.filled(name), draft.source(name))


def _address(draft: Draft) -> Part:
    word = "task" if draft.settled.kind == "dev" else draft.settled.kind
    return _part("address", encoded(f"{word} {draft.settled.task.name}"))


def _bare_contract(draft: Draft) -> Part:
    source = draft.contract
    return _part("contract", source.data, source)


def _invoke(draft: Draft) -> Part:
    settled = draft.settled
    role = f"dev-{settled.mode}" if settled.kind == "dev" else settled.kind
    command = "/ai-sync-v2" if settled.kind == "closeout" else f"/invoke {role}"
    return _part("invocation", encoded(f"{command} {settled.task.name}"))


Recipe = tuple[tuple[bytes, Piece], ...]

_OPENING: Recipe = ((b"", _note), (b"\n", _annex))
_DEV: Recipe = (
    *_OPENING,
    (_GAP, _dev_wrapper),
    (_GAP, _invocation),
    (_GAP, _checklist),
    (_GAP, _mode_block),
    (_GAP, _ruling("human-ruling")),
    (_GAP, _preview),
)
_REVIEW: Recipe = (
    *_OPENING,
    (_GAP, _wrapper("review-rule-wrapper")),
    (_GAP, _invocation),
    (b"\n", _fragment("review-independence")),
    (_GAP, _checklist),
    (_GAP, _preview),
    (b"\n", _ruling("stall-ruling")),
)
_PLAN_GATE: Recipe = ((_GAP, _wrapper("plan-rule-wrapper")), (_GAP, _fragment("plan-gate")))
_WHOLE: Mapping[str, Recipe] = {
    "dev": (*_DEV, (_GAP, _approved_plan), (_GAP, _session_end)),
    "review": (*_REVIEW, (_GAP, _session_end)),
    "plan": (*_DEV, *_PLAN_GATE),
    "closeout": ((b"", _fragment("closeout")),),
}
_CONTRACT: Recipe = ((b"", _address), (_GAP, _bare_contract))
_INVOKE: Recipe = ((b"", _invoke),)


def parts(draft: Draft) -> tuple[Part, ...]:
    """The parts of a draft in order; a separator belongs to the part behind it."""
    form = draft.settled.request.form
    short = {"contract": _CONTRACT, "invoke": _INVOKE}
    recipe = short.get(form) or _WHOLE[draft.settled.kind]
    made = ((separator, piece(draft)) for separator, piece in recipe)
    return tuple(_behind(separator, part) for separator, part in made if part is not None)


def _behind(separator: bytes, part: Part) -> Part:
    return Part(part.name, part.source, part.bundled, separator + part.data, part.lock)
