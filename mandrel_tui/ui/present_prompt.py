"""Present a prompt: its outline, what goes out and why it may not, as lines of text and role; it
asks no clock and touches no widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mandrel_tui.protocol.contracts import Contracts, Source
from mandrel_tui.protocol.prompt import Part, Prompt
from mandrel_tui.protocol.turn import Turn
from mandrel_tui.ui.clean import pad
from mandrel_tui.ui.line import Line, Piece, line
from mandrel_tui.ui.present import counted, number, words
from mandrel_tui.ui.symbols import Symbols

LEGAL_WORDS: Mapping[str, str] = {
    "dev-advancement": "dev, advancement",
    "dev-remediation": "dev, remediation",
    "review": "review",
    "plan": "plan",
    "closeout": "close out",
}
FORM_WORDS: Mapping[str, str] = {
    "interactive": "with everything a watched session needs",
    "headless": "with the conduct a session without a human needs",
    "contract": "the contract alone, behind one line",
    "invoke": "one line that names a skill already installed",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One prompt as the screen shows it: assembled, or the sentences that say why not.

    `turn` is that of the task as re-read; `contracts` those it was assembled from.
    """

    task: str
    turn: Turn | None
    contracts: Contracts | None
    prompt: Prompt | None = None
    problems: tuple[str, ...] = ()
    ruling_owed: str = ""


def outline_head(symbols: Symbols) -> Line:
    """The column titles of the outline."""
    return line("   bytes tokens  fragment", "quiet")


def outline_row(part: Part, contracts: Contracts | None, symbols: Symbols) -> Line:
    """One fragment: bytes, tokens, name; `✓` equals the receipt, `✗` differs, `b` is bundled."""
    left: list[Piece] = [
        (f"{pad(number(len(part.data)), 8, right=True)} ", "quiet"),
        (f"{pad(number(len(part.data) // 4), 6, right=True)}  ", "quiet"),
        (words(part.name, symbols), "text"),
    ]
    lock = lock_of(part.source, contracts)
    if lock == "equal":
        left.append((f" {symbols.ok}", "pass"))
    elif lock == "differs":
        left.append((f" {symbols.fail}", "fail"))
    if part.bundled:
        left.append((" b", "quiet"))
    return Line(tuple(left))


def lock_of(source: str, contracts: Contracts | None) -> str | None:
    """What the deployment receipt says of the text at that path."""
    return next((s.lock for s in _sources(contracts) if s.path == source), None)


def _sources(contracts: Contracts | None) -> tuple[Source, ...]:
    if contracts is None:
        return ()
    return (*contracts.texts.values(), *contracts.fragments.values())


def differing(prompt: Prompt, contracts: Contracts | None) -> tuple[str, ...]:
    """Paths of the texts in this prompt whose bytes are not those of the receipt."""
    used = {part.source for part in prompt.parts}
    return tuple(s.path for s in _sources(contracts) if s.lock == "differs" and s.path in used)


def digest(sha256: str, symbols: Symbols) -> str:
    """`3f9c01ab 77d0 … e2b41c90`."""
    return f"{sha256[:8]} {sha256[8:12]} {symbols.ellipsis} {sha256[-8:]}"


def out_lines(sheet: Sheet, symbols: Symbols) -> list[Line]:
    """What goes out: size and digest, contract integrity, the fragments' origin and the sid."""
    prompt = sheet.prompt
    if prompt is None:
        return [line(f"{symbols.fail} {words(text, symbols)}", "fail") for text in sheet.problems]
    size = (
        f"{number(len(prompt.data))} bytes   {number(prompt.tokens)} tokens   "
        f"sha256 {digest(prompt.sha256, symbols)}"
    )
    bundled = sum(part.bundled for part in prompt.parts)
    own = len(prompt.parts) - bundled
    origin = "this repository" + (f", {bundled} bundled (b)" if bundled else "")
    fragments = origin if own else "all bundled (b)"
    sid = words(prompt.sid, symbols) if prompt.sid else "from the hook line"
    return [
        line(size, "text bold"),
        integrity_line(sheet, symbols),
        Line(
            (
                ("fragments  ", "quiet"),
                (f"{fragments}     ", "text"),
                ("sid  ", "quiet"),
                (sid, "text"),
            )
        ),
        *(line(f"{symbols.mild} {words(text, symbols)}", "you") for text in prompt.warnings),
    ]


def integrity_line(sheet: Sheet, symbols: Symbols) -> Line:
    """Whether the contract text is the one the deployment receipt lists."""
    prompt = sheet.prompt
    wrong = differing(prompt, sheet.contracts) if prompt is not None else ()
    if wrong:
        said = f"{symbols.fail} differs from the receipt: {words(', '.join(wrong), symbols)}"
        return Line((("contract   ", "quiet"), (said, "fail")))
    texts = [s for s in _sources(sheet.contracts) if prompt and s.path in _paths(prompt)]
    named = next((s for s in texts if PurePosixPath(s.path).parent.name == "protocols"), None)
    if named is None:
        return Line((("contract   ", "quiet"), ("none in this form", "text")))
    path = words(named.path, symbols)
    if named.bundled:
        return Line((("contract   ", "quiet"), (f"{path}, bundled (b)", "text")))
    if named.lock == "equal":
        said = f" {path} equals .ai-deploy-lock.json"
        return Line((("contract   ", "quiet"), (symbols.ok, "pass"), (said, "text")))
    return Line((("contract   ", "quiet"), (f"{path}, in no receipt", "text")))


def _paths(prompt: Prompt) -> frozenset[str]:
    return frozenset(part.source for part in prompt.parts)


def prompt_title(sheet: Sheet, name: str, title: str, symbols: Symbols) -> str:
    """`prompt: submit-retry-loop, review, final gate, 2 sessions pending`."""
    pending = sheet.turn.pending_review if sheet.turn is not None else ()
    covers = sheet.prompt is not None and sheet.prompt.kind == "review" and pending
    more = f", {counted(len(pending), 'session')} pending" if covers else ""
    return f"prompt: {words(name, symbols)}, {title}{more}"


def copied_words(sha256: str, size: int, way: str, path: str) -> str:
    """What the result row says once a prompt has gone out, `way` being all that is known of it."""
    kept = f", also kept as {path}" if path else ""
    return f"{way} {number(size)} bytes, sha {sha256[:8]}{kept}"
