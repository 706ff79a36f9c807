"""A clipboard of a story's own: a tool first on PATH that keeps what it is given."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def a_clipboard(folder: Path, patch: pytest.MonkeyPatch, *, first: str = "") -> Path:
    """The file that holds what was copied last; `first` is what the tool does before."""
    target, tool = folder / "clipboard", folder / "bin" / "xclip"
    tool.parent.mkdir(parents=True)
    tool.write_text(f"#!/bin/sh\n{first}\nexec cat > {target}\n", "utf-8")
    tool.chmod(0o755)
    patch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    patch.setenv("DISPLAY", ":9")
    for name in ("TMUX", "SSH_CONNECTION", "SSH_TTY", "WAYLAND_DISPLAY"):
        patch.delenv(name, raising=False)
    return target
