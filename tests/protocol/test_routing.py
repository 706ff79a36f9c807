"""Routing tables: which documents they name, and how a document that moved is named elsewhere."""

from __future__ import annotations

import pytest

from mandrel_tui.protocol.routing import Route, repointed, routes, with_row

INDEX = b"""\
# Routing

| Document | File | Holds |
|---|---|---|
| Design | `design.md` | decisions |
| [Server](server/api.md#top) | wire | the \\| sign |
| Elsewhere | ../src/x.md | no |
| Words only | none | no |
| Map | .ai/map.md | where |

```
| Quoted | quoted.md |
```
"""


def test_rows_name_the_documents_below_the_memory_folder() -> None:
    assert routes(INDEX) == (
        Route(5, ".ai/design.md", "Design decisions"),
        Route(6, ".ai/server/api.md", "Server wire the \\| sign"),
        Route(9, ".ai/map.md", "Map where"),
    )
    assert routes(b"# Routing\n") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| Design | design.md |", "| Design | design/index.md |"),
        ("[d](./design.md#x) `design.md`", "[d](./design/index.md#x) `design/index.md`"),
        ("see .ai/design.md, or design.md.", "see .ai/design/index.md, or design/index.md."),
        ("retry/design.md redesign.md design.mdx design.md/x", None),
        ("@.ai/design.md", "@.ai/design/index.md"),
    ],
)
def test_every_mention_of_a_moved_document_names_its_new_place(
    text: str, expected: str | None
) -> None:
    moved = repointed(text.encode(), ".ai/design.md", ".ai/design/index.md", ".ai/index.md")
    assert moved.decode() == (expected or text)


def test_outside_the_memory_folder_only_whole_paths_are_mentions() -> None:
    text = b"design.md @.ai/design.md\r\n"
    moved = repointed(text, ".ai/design.md", ".ai/design/index.md", "AGENTS.md")
    assert moved == b"design.md @.ai/design/index.md\r\n"


def test_a_row_is_laid_out_as_the_one_it_follows() -> None:
    row = b"| Retry | design/retry.md | |\n"
    behind = with_row(INDEX, ".ai/design/retry.md", "Retry", behind=".ai/design.md")
    assert behind == INDEX.replace(b"decisions |\n", b"decisions |\n" + row)
    last = with_row(INDEX, ".ai/design/retry.md", "Retry")
    assert last == INDEX.replace(b"where |\n", b"where |\n" + row)
    crlf = INDEX.replace(b"\n", b"\r\n")
    assert with_row(crlf, ".ai/x.md", "X") == with_row(INDEX, ".ai/x.md", "X").replace(
        b"\n", b"\r\n"
    )


def test_a_document_with_a_row_gets_no_second_and_no_table_is_begun() -> None:
    assert with_row(INDEX, ".ai/design.md", "Design") == INDEX
    assert with_row(b"# Routing\n", ".ai/x.md", "X") == b"# Routing\n"
    assert routes(with_row(INDEX, ".ai/x.md", "X"))[-1].path == ".ai/x.md"


def test_a_document_deeper_in_the_memory_may_lead_up_to_it_first() -> None:
    text = b"[d](../design.md) ../../design.md design.md x/../design.md\n"
    moved = repointed(text, ".ai/design.md", ".ai/design/index.md", ".ai/retry/a.md")
    assert moved == (b"[d](../design/index.md) ../../design.md design/index.md x/../design.md\n")


def test_a_loader_in_a_folder_of_its_own_leads_up_to_the_memory() -> None:
    moved = repointed(
        b"@../.ai/design.md @.ai/design.md design.md\n",
        *(".ai/design.md", ".ai/design/index.md", ".claude/CLAUDE.md"),
    )
    assert moved == b"@../.ai/design/index.md @.ai/design/index.md design.md\n"
