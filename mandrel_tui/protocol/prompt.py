"""Prompt: the exact bytes one session is given, and the parts they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

FORMS = ("headless", "interactive", "contract", "invoke")
KINDS = ("dev", "review", "plan", "closeout")


class Refusal(Exception):
    """A request that is illegal in the task's state; the message is one sentence for stderr."""


class ContractError(Exception):
    """A contract set that cannot be assembled from; `problems` is the list."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What is asked for; `kind` None is the turn's own; `now` is UTC `YYYY-MM-DDTHH:MM:SSZ`."""

    task: str
    kind: str | None = None
    form: str = "interactive"
    sid: str | None = None
    now: str = ""
    ruling: str | None = None
    without_ruling: bool = False
    plan: str | None = None
    plan_answer: str = "confirm"


@dataclass(frozen=True, slots=True)
class Part:
    """A run of the prompt's bytes and where it comes from; parts joined give the prompt."""

    name: str
    source: str
    bundled: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class Prompt:
    """An assembled prompt: `role` and `mode` as in Turn; `warnings` one sentence each."""

    task: str
    kind: str
    form: str
    role: str | None
    mode: str | None
    sid: str | None
    parts: tuple[Part, ...]
    warnings: tuple[str, ...] = ()

    @property
    def data(self) -> bytes:
        return b"".join(part.data for part in self.parts)

    @property
    def sha256(self) -> str:
        return sha256(self.data).hexdigest()

    @property
    def tokens(self) -> int:
        return len(self.data) // 4
