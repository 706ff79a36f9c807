"""Looking jobs: what the app's workers read of what waits on what, what was sent and what a file
once said, off the event loop; they touch no widget and no screen."""

from __future__ import annotations

from mandrel_tui.protocol.graph import Graph
from mandrel_tui.workspace import files, triage
from mandrel_tui.workspace.workspace import Workspace


def graph(workspace: Workspace) -> Graph | str:
    """What waits on what now, or why it cannot be read."""
    try:
        return triage.graph(workspace)
    except (files.FileError, OSError) as error:
        return str(error)
