"""A made-up language: every text of the template for translators in letters of another script.

What is left in Latin letters on a page in this language is what no translator can reach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from typing_extensions import override

from services.runtime import languages
from tests.texts import collect
from tests.web.pages.readers import VOID, PageParser

LANGUAGE = "eo"
ASKED = {"Accept-Language": LANGUAGE}

_LETTERS = str.maketrans(
    ascii_lowercase + ascii_uppercase,
    "".join(chr(0x430 + at) for at in range(26)) + "".join(chr(0x410 + at) for at in range(26)),
)
_KEPT = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}|`[^`]*`|<[^<>]*>|&\w+;")
"""Placeholders, code of Markdown, elements and entities: a translator leaves them as they are."""

CODE = frozenset({"code", "pre", "kbd", "textarea", "script", "style"})
"""Elements that hold no text of ours."""

SPOKEN = ("aria-label", "aria-valuetext", "alt", "title", "placeholder")
"""Attributes that somebody reads or hears."""

_LATIN = re.compile(r"[A-Za-z]{2,}")


def translated(text: str) -> str:
    """Return a text in the made-up language."""
    parts, kept = _KEPT.split(text), [*_KEPT.findall(text), ""]
    return "".join(
        part.translate(_LETTERS) + stays for part, stays in zip(parts, kept, strict=True)
    )


def write_catalogue(folder: Path) -> None:
    """Write the language's catalogue into a folder of catalogues."""
    place = folder / LANGUAGE / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "plybook.mo").write_bytes(_compiled())


@contextmanager
def offered(folder: Path) -> Iterator[None]:
    """Let this process offer the made-up language beside English; its catalogue is in a folder."""
    write_catalogue(folder)
    before, languages.CATALOGUES = languages.CATALOGUES, folder
    languages.load_catalogue.cache_clear()
    try:
        yield
    finally:
        languages.CATALOGUES = before
        languages.load_catalogue.cache_clear()


@cache
def _compiled() -> bytes:
    catalog = Catalog(locale=LANGUAGE)
    for message in collect():
        if isinstance(message.id, str):
            catalog.add(message.id, translated(message.id))
        else:
            catalog.add(message.id, tuple(map(translated, message.id)))
    written = BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def in_latin(text: str) -> bool:
    """Whether a text has a word in Latin letters."""
    return bool(_LATIN.search(text))


def left_in_english(page: str) -> list[tuple[str, str]]:
    """Return what a page shows or says in Latin letters, each with the tag that it stands in."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return reader.found


class _Reader(PageParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self._within: list[str] = []

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in SPOKEN:
                self._look(f"{tag} {name}", value or "")
        if tag not in VOID:
            self._within.append(tag)

    @override
    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._within.pop()

    @override
    def handle_endtag(self, tag: str) -> None:
        self._within.pop()

    @override
    def handle_data(self, data: str) -> None:
        if not CODE.intersection(self._within):
            self._look(" ".join(self._within[-2:]), data)

    def _look(self, where: str, text: str) -> None:
        if in_latin(text):
            self.found.append((where, " ".join(text.split())))
