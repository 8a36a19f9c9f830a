"""All texts as a template for translators: ``python -m tests.texts`` writes it.

Those of pages and scripts, and the sentences that come from further inside (``domain.i18n``).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from domain.games import load_games
from domain.i18n import find_forms
from domain.json_types import JsonObject
from domain.match.persons import PERSONS
from services.matches.actions import ACTIONS
from services.runtime.languages import CATALOGUES, DOMAIN
from web.i18n import COUNTED
from web.pages.games import iter_texts

WEB = Path(__file__).parents[1] / "web"
TEMPLATE = CATALOGUES / f"{DOMAIN}.pot"

_OPTIONS = {"templates/**.html": {"trimmed": "true", "newstyle_gettext": "true", "silent": "false"}}
_FOLDERS = {
    "web": [("templates/**.html", "jinja2"), ("**.py", "python")],
    "domain": [("**.py", "python")],
    "services": [("**.py", "python")],
}
_KEYWORDS = {
    "_": None,
    "N_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "say": None,
    "say_many": (1, 2),
}


_HEAD = """\
# Every text of Plybook, for translators; docs/decisions/0021-sentences-that-can-be-said-again.md
# says how a language is made of it. Written by: python -m tests.texts
#"""


@cache
def collect() -> Catalog:
    """Return every text there is, with where it stands; nobody changes it."""
    catalog = Catalog(project="Plybook", charset="utf-8", header_comment=_HEAD, fuzzy=False)
    for folder, methods in _FOLDERS.items():
        options = _OPTIONS if folder == "web" else {}
        found = extract_from_dir(WEB.parent / folder, methods, options, _KEYWORDS, ())
        for name, _, message, _, _ in found:
            # No numbers of lines: they would change with every edit.
            catalog.add(message, locations=[(f"{folder}/{name}", 0)])
    for pair in COUNTED:
        catalog.add(pair, locations=[("web/static/js", 0)])
    for pair, place in _to_players(catalog):
        catalog.add(pair, locations=[(place, 0)])
    for text, place in _of_games():
        catalog.add(text, locations=[(place, 0)])
    return catalog


def _to_players(catalog: Catalog) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield what sentences about numbers say to the players of their seats: of one, and of many."""
    tables = {"domain/match/persons.py": PERSONS}
    tables |= {
        f"domain/games/{game.slug.replace('-', '_')}/words.py": game.persons
        for game in load_games()
    }
    counted = [message.id for message in catalog if isinstance(message.id, (list, tuple))]
    for place, persons in tables.items():
        for one, many in counted:
            for seat, form in find_forms(persons, one).items():
                yield (form, find_forms(persons, many)[seat]), place


def _of_games() -> Iterator[tuple[str, str]]:
    """Yield texts that are no call's: names of options and members, endings, rule books."""
    for game in load_games():
        place = f"domain/games/{game.slug.replace('-', '_')}"
        for ending in game.endings:
            yield ending.replace("-", " "), f"{place}/__init__.py"
        for one in (*game.options, *game.settings):
            for name in (one.name, *_names(one.build_schema())):
                yield name.replace("_", " "), f"{place}/__init__.py"
        for book in sorted((WEB.parent / place).glob("rulebook*.md")):
            for text in iter_texts(book.read_text(encoding="utf-8")):
                yield text, f"{place}/{book.name}"
    for action in ACTIONS:
        yield action.replace("_", " "), "services/matches/actions.py"


def _names(schema: JsonObject) -> Iterator[str]:
    """Yield the words that a value of this form is shown by: its members."""
    yield from schema.get("properties", ())
    if "items" in schema:
        yield from _names(schema["items"])


def texts_of(catalog: Catalog) -> set[str | tuple[str, ...]]:
    """Return the texts of a catalogue without where they stand; plural ones as pairs."""
    return {tuple(m.id) if isinstance(m.id, (list, tuple)) else m.id for m in catalog if m.id}


def template() -> bytes:
    """Return the template as it is written: the same bytes for the same texts."""
    written = BytesIO()
    write_po(written, collect(), width=100, sort_output=True, include_lineno=False)
    return _UNSTEADY.sub(b"", written.getvalue())


_UNSTEADY = re.compile(
    rb'^"(?:Project|Report|POT|PO|Last|Language-Team|Generated)-?[A-Za-z-]*: .*\n', re.MULTILINE
)
"""Heads of the file that change with the day and the tool, or that a translator writes."""


def main() -> None:
    """Write the template."""
    TEMPLATE.parent.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(template())
    number = len(texts_of(collect()))
    sys.stdout.write(f"{TEMPLATE.relative_to(WEB.parent)}: {number} texts\n")


if __name__ == "__main__":
    main()
