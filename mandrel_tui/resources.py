"""The folders shipped beside the code, found wherever the package runs; it reads none of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent

Shipped = Literal["contracts", "themes"]


@cache
def bundled(name: Shipped) -> Path:
    """The shipped folder of that name; FileNotFoundError where an installation lost it.

    A wheel carries it inside the package; a checkout and an editable install have it beside the
    package, where only a `pyproject.toml` tells it from somebody else's folder of the same name.
    """
    inside, beside = _PACKAGE / name, _PACKAGE.parent / name
    if inside.is_dir():
        return inside
    if beside.is_dir() and (_PACKAGE.parent / "pyproject.toml").is_file():
        return beside
    raise FileNotFoundError(f"{name}/ is missing from this installation: looked in {inside}")
