"""The text that asks an agent for a proposal."""

from __future__ import annotations

from mandrel_tui.protocol.admission import Fact, Item, Target
from mandrel_tui.protocol.proposal_request import proposal_request

FOLDER = ".ai-tasks/proposals/2026-03-02-done"


def asked(*items: Item) -> str:
    return proposal_request("2026-03-02-done", "/r/closeout.md", FOLDER, items).decode()


def test_it_names_the_task_the_procedure_and_the_one_folder() -> None:
    text = asked()
    assert "`2026-03-02-done`" in text and "`/r/closeout.md`" in text
    assert f"`{FOLDER}/design.md`" in text
    assert "commit nothing" in text


def test_without_admitted_facts_the_agent_walks_the_log() -> None:
    assert "every entry of its log" in asked()


def test_admitted_facts_are_listed_with_their_places() -> None:
    fact = Fact("two\n lines", 1, 2)
    text = asked(
        Item((fact,), fact.text, target=Target(".ai/design.md", "Retry")),
        Item((fact,), "plain", target=Target(".ai/map.md")),
        Item((fact,), "homeless"),
    )
    assert "- two lines (.ai/design.md, Retry)\n- plain (.ai/map.md)\n- homeless\n" in text
    assert "every entry of its log" not in text
