"""Present a prompt: its outline, what goes out and why it may not, as lines of text and role; it
asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mandrel_tui.protocol.legible import counted
from mandrel_tui.protocol.prompt import Part, Prompt, PromptRequest
from mandrel_tui.protocol.requests import takes_sid
from mandrel_tui.protocol.task import Task
from mandrel_tui.protocol.turn import Mode, Turn, TurnKind
from mandrel_tui.ui.clean import pad
from mandrel_tui.ui.line import Line, Piece, line
from mandrel_tui.ui.present import MODE_WORDS, number, turn_title, words
from mandrel_tui.ui.symbols import Symbols

ROLE_WORDS: Mapping[str, str] = {
    "dev-advancement": "dev, advancement",
    "dev-remediation": "dev, remediation",
    "review": "review",
    "plan": "plan",
    "closeout": "close out",
}
ROLE_KINDS: Mapping[str, str] = {
    "dev-advancement": "dev",
    "dev-remediation": "dev",
    "review": "review",
    "plan": "plan",
    "closeout": "closeout",
}
FORM_WORDS: Mapping[str, str] = {
    "interactive": "for a session a human watches",
    "headless": "with the conduct of a session nobody watches",
    "contract": "the contract alone, under one line",
    "invoke": "one line that names an installed skill",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One request as its screen shows it: a prompt, or the sentences that say why there is none.

    `task` and `turn` are as re-read for it, None when the task could not be read.
    """

    request: PromptRequest
    task: Task | None = None
    turn: Turn | None = None
    prompt: Prompt | None = None
    problems: tuple[str, ...] = ()

    @property
    def ruling_owed(self) -> bool:
        """Whether only the human's ruling is missing."""
        turn, request = self.turn, self.request
        given = request.ruling is not None or request.without_ruling
        if self.prompt is not None or turn is None or given:
            return False
        kind = request.kind or ("review" if turn.kind is TurnKind.RULING else "dev")
        if kind == "review":
            return turn.kind is TurnKind.RULING
        return turn.kind is TurnKind.DEV and turn.escalation is not None

    @property
    def why(self) -> str:
        """Why there is no prompt, in one sentence; empty where there is one."""
        count = len(self.problems)
        return f"{count} faults, all in the preview" if count > 1 else "".join(self.problems)

    @property
    def title(self) -> str:
        """Role and mode in words, `review, final gate`."""
        if self.prompt is None:
            return self.request.kind or (turn_title(self.turn) if self.turn is not None else "")
        mode = self.prompt.mode
        return MODE_WORDS[Mode(mode)] if mode else ROLE_WORDS[self.prompt.kind]


def refusal(turn: Turn | None, said: str) -> str:
    """Why nothing is assembled, in the words of the screens; else what the assembly said."""
    if turn is None:
        return said
    if turn.escalation is not None and "ruling" in turn.owes:
        return f"it waits for {turn.owes}"
    if turn.kind is TurnKind.BLOCKED:
        return turn.reason if turn.waits else f"only your answer is legal. {turn.reason}"
    if turn.kind is TurnKind.INVALID:
        return turn.reason
    return said


def outline_row(part: Part, symbols: Symbols) -> Line:
    """One fragment: bytes, tokens, name; `✓` equals the receipt, `✗` differs, `b` is bundled."""
    data = len(part.data)
    left: list[Piece] = [
        (pad(number(data), 7, right=True) + pad(number(data // 4), 7, right=True), "quiet"),
        (f"  {words(part.name.removeprefix('entry/'), symbols)}", "text"),
    ]
    locks = {"equal": (f"{symbols.ok} ", "pass"), "differs": (f"{symbols.fail} ", "fail")}
    bundled = (("b ", "quiet"),) if part.bundled else ()
    return Line(tuple(left), (*([locks[part.lock]] if part.lock else []), *bundled))


def differing(prompt: Prompt) -> tuple[str, ...]:
    """Sources of this prompt whose bytes are not those of the deployment receipt."""
    return tuple(dict.fromkeys(p.source for p in prompt.parts if p.lock == "differs"))


def digest(sha256: str, symbols: Symbols) -> str:
    """`3f9c01ab 77d0 … e2b41c90`."""
    return f"{sha256[:8]} {sha256[8:12]} {symbols.ellipsis} {sha256[-8:]}"


def out_lines(sheet: Sheet, symbols: Symbols) -> list[Line]:
    """What goes out: size and digest, contract integrity, the fragments' origin and the sid."""
    prompt = sheet.prompt
    if prompt is None:
        return [line(f"{symbols.fail} {words(sheet.why, symbols)}", "fail")] if sheet.why else []
    size = (
        f"{number(len(prompt.data))} bytes   {number(prompt.tokens)} tokens   "
        f"sha256 {digest(prompt.sha256, symbols)}"
    )
    hook = sheet.turn is not None and takes_sid(sheet.request, sheet.turn)
    known = prompt.sid or ("from the hook line" if hook else "none, it has no place for one")
    origin = ("fragments  ", "quiet"), (f"{_origin(prompt)}     ", "text")
    return [
        line(size, "text bold"),
        integrity_line(prompt, symbols),
        Line((*origin, ("sid  ", "quiet"), (words(known, symbols), "text"))),
        *(line(f"{symbols.mild} {words(text, symbols)}", "you") for text in prompt.warnings),
    ]


def _origin(prompt: Prompt) -> str:
    bundled = sum(part.bundled for part in prompt.parts)
    if bundled == len(prompt.parts):
        return "all bundled (b)"
    return "this repository" + (f", {bundled} bundled (b)" if bundled else "")


def integrity_line(prompt: Prompt, symbols: Symbols) -> Line:
    """Whether the contract text is the one the deployment receipt lists."""
    label = ("contract   ", "quiet")
    wrong = differing(prompt)
    if wrong:
        said = f" {words(', '.join(wrong), symbols)} differs from .ai-deploy-lock.json"
        return Line((label, (symbols.fail, "fail"), (said, "fail")))
    contract = next((p for p in prompt.parts if "protocols/" in p.source), None)
    if contract is None:
        return Line((label, ("none in this form", "text")))
    path = words(contract.source, symbols)
    if contract.lock == "equal":
        said = f" {path} equals .ai-deploy-lock.json"
        return Line((label, (symbols.ok, "pass"), (said, "text")))
    return Line((label, (f"{path}, {'bundled' if contract.bundled else 'in no receipt'}", "text")))


def prompt_title(sheet: Sheet, name: str, symbols: Symbols) -> str:
    """`prompt: submit-retry-loop, review, final gate, 2 sessions pending`."""
    pending = sheet.turn.pending_review if sheet.turn is not None else ()
    covers = sheet.prompt is not None and sheet.prompt.kind == "review" and pending
    more = f", {counted(len(pending), 'session')} pending" if covers else ""
    title = f", {sheet.title}" if sheet.title else ""
    return f"prompt: {words(name, symbols)}{title}{more}"
