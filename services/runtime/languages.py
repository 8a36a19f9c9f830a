"""The languages of people: English stands in the code, others are gettext's catalogues.

A catalogue is ``web/translations/LANGUAGE/LC_MESSAGES/plybook.mo``; docs/decisions has how one is
made. It is there, so it is offered.
"""

from __future__ import annotations

from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path

DOMAIN = "plybook"
ENGLISH = "en"
CATALOGUES = Path(__file__).parents[2] / "web" / "translations"


def list_languages() -> tuple[str, ...]:
    """Return the languages that there are catalogues of, English first."""
    return _read_folder(CATALOGUES)


@lru_cache(maxsize=8)
def _read_folder(place: Path) -> tuple[str, ...]:
    """Return the languages of a folder, which is read once."""
    found = place.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return (ENGLISH, *sorted(one.parents[1].name for one in found))


@lru_cache(maxsize=32)
def load_catalogue(name: str) -> NullTranslations:
    """Return the catalogue of a language; of one that there is none of, English as it stands."""
    return translation(DOMAIN, CATALOGUES, [name], fallback=True)
