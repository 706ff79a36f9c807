"""Keyboard layouts: the letter each physical key of a US keyboard has in a non-Latin layout."""

from __future__ import annotations

from collections.abc import Mapping

_LATIN = "qwertyuiopasdfghjklzxcvbnm"


def _table(letters: str, capitals: str = "", **others: str) -> dict[str, str]:
    small = dict(zip(_LATIN, letters, strict=True))
    large = dict(zip(_LATIN.upper(), capitals or letters.upper(), strict=True))
    return {key: to for key, to in {**small, **large}.items() if to.isalpha()} | others


LAYOUTS: Mapping[str, Mapping[str, str]] = {
    "ru": _table("йцукенгшщзфывапролдячсмить", **{":": "Ж"}),
    "uk": _table("йцукенгшщзфівапролдячсмить", **{":": "Ж"}),
    "el": _table(";ςερτυθιοπασδφγηξκλζχψωβνμ", ":ΣΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ"),
}
