"""Texts are ready for translation: none stands outside of the calls that look it up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask.testing import FlaskClient
from jinja2 import Environment, nodes

from services.runtime import languages
from tests.texts import WEB, collect, texts_of
from tests.web.pages.conftest import Players
from tests.web.pages.readers import read
from web.i18n import COUNTED, TEXTS

TEMPLATES = sorted((WEB / "templates").rglob("*.html"))
SCRIPTS = sorted((WEB / "static" / "js").rglob("*.js"))
WORD = re.compile(r"[^\W\d_]{2,}")
CURLED = re.compile("[\u2018\u2019\u201c\u201d]")
WAITING = (
    "%(turns)s match is waiting for your move",
    "%(turns)s matches are waiting for your move",
)
NAMES = {"Plybook"}
"""What is called so in every language."""

LOOK_UPS = {"_", "gettext", "ngettext"}
"""What looks a text up; a trans block is read as a call of the latter two."""
HUSHED = re.compile(r"<(code|pre|textarea|kbd)\b[^>]*>.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>", re.DOTALL)
SPOKEN = re.compile(r'\b(?:aria-label|aria-valuetext|alt|title|placeholder)="([^"]*)"')
ATTRIBUTE = re.compile(r'\baria-(?:describedby|invalid)="[^"]*"(?: autofocus)?')
"""What a macro writes into a tag of somebody else."""
LITERAL = re.compile(r"""(?<![\w\]])(?:"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)""")
COMMENT = re.compile(r"//[^\n]*")
LOOKED_UP = re.compile(r'(?<![\w.])_\(\s*"((?:[^"\\]|\\.)*)"')
COUNTED_UP = re.compile(r'ngettext\(\s*"([^"]*)",\s*"([^"]*)"')


def parsed(path: Path) -> nodes.Template:
    environment = Environment(extensions=["jinja2.ext.i18n"], autoescape=True)
    return environment.parse(path.read_text(encoding="utf-8"))


def bare(path: Path) -> Iterator[str]:
    """Yield the words of a template that are written as they stand."""
    markup = "\0".join(one.data for one in parsed(path).find_all(nodes.TemplateData))
    for spoken in SPOKEN.findall(markup):
        yield from WORD.findall(spoken)
    yield from WORD.findall(ATTRIBUTE.sub(" ", TAG.sub(" ", HUSHED.sub(" ", markup))))


def literals(node: nodes.Node) -> Iterator[str]:
    """Yield the texts in expressions that nothing looks up: sentences, and words with a capital."""
    for child in node.iter_child_nodes():
        called = isinstance(child, nodes.Call) and isinstance(child.node, nodes.Name)
        if called and child.node.name in LOOK_UPS:  # type: ignore[attr-defined]
            continue
        if isinstance(child, nodes.Const) and isinstance(child.value, str):
            text = child.value.strip()
            if WORD.search(text) and (" " in text or text[0].isupper()):
                yield text
        yield from literals(child)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda one: str(one.relative_to(WEB / "templates")))
def test_no_template_has_a_text_that_is_not_looked_up(path: Path) -> None:
    assert [word for word in bare(path) if word not in NAMES] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda one: str(one.relative_to(WEB / "templates")))
def test_no_expression_of_a_template_has_a_text_of_its_own(path: Path) -> None:
    assert [one for one in literals(parsed(path)) if one not in NAMES] == []


def test_scripts_look_up_what_they_say_and_the_page_knows_all_of_it() -> None:
    sources = {str(one): one.read_text(encoding="utf-8") for one in SCRIPTS}
    looked_up = {text for source in sources.values() for text in LOOKED_UP.findall(source)}
    counted = {pair for source in sources.values() for pair in COUNTED_UP.findall(source)}
    # The face of a button is looked up by a name that is given to it.
    assert looked_up | {"Play", "Pause"} == set(TEXTS)
    assert counted == set(COUNTED)
    known = looked_up | {text for pair in counted for text in pair}
    for name, source in sources.items():
        said = [one[1] or one[2] or "" for one in LITERAL.finditer(COMMENT.sub("", source))]
        assert [text for text in said if is_sentence(text) and text not in known] == [], name


def is_sentence(text: str) -> bool:
    """Whether a script's text is for people: words side by side, and no selector."""
    words = re.search(r"[A-Za-z]{2,}[,;:.]? [A-Za-z]{2,}", text)
    return bool(words) and not re.search(r"^\(|[.#\[]\w|\w=|_\(", text)


def test_the_template_for_translators_has_texts_of_templates_code_scripts_and_keys() -> None:
    found = texts_of(collect())
    assert {"Watch a match", "There is nothing here", "Copied", "next step"} <= found
    assert WAITING in found
    assert set(COUNTED) <= found


def test_texts_have_one_kind_of_apostrophe_and_of_quotation_marks() -> None:
    texts = (
        one for text in texts_of(collect()) for one in ([text] if isinstance(text, str) else text)
    )
    assert [one for one in texts if CURLED.search(one)] == []


@pytest.fixture
def esperanto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a catalogue beside English."""
    catalog = Catalog(locale="eo")
    catalog.add("Log in", "Ensaluti")
    catalog.add("Copied", "Kopiita")
    catalog.add("There is nothing here", "Nenio estas <tie>")
    catalog.add(("{number} new move", "{number} new moves"), ("{number} nova", "{number} novaj"))
    catalog.add(("%(number)d move", "%(number)d moves"), ("%(number)d movo", "%(number)d movoj"))
    place = tmp_path / "eo" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "plybook.mo").open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(languages, "CATALOGUES", tmp_path)
    languages.load_catalogue.cache_clear()


@pytest.mark.usefixtures("esperanto")
def test_a_reader_gets_the_language_that_they_like_best(
    visitor: FlaskClient, players: Players
) -> None:
    players.start("path-capture", {"steps": 3})
    answer = visitor.get("/", headers={"Accept-Language": "eo;q=0.9, de"})
    shown = read(answer.text)
    assert answer.headers["Vary"] == "Cookie, Accept-Language, Accept-Encoding"
    assert shown.one("html").attributes["lang"] == "eo"
    assert "Ensaluti" in [one.text for one in shown.all("a")]
    assert "1 movo" in answer.text
    # What has not been translated stands there in English.
    assert "Running matches" in answer.text
    words = json.loads(shown.one("html").attributes["data-words"])
    assert words["Copied"] == "Kopiita"
    assert words["{number} new move"] == {"0": "{number} novaj", "1": "{number} nova"}


@pytest.mark.usefixtures("esperanto")
def test_a_translation_cannot_bring_markup_into_a_plain_text(visitor: FlaskClient) -> None:
    answer = visitor.get("/nothing", headers={"Accept-Language": "eo"})
    assert read(answer.text).one("h1").text == "Nenio estas <tie>"


def test_english_is_for_everybody_else(visitor: FlaskClient) -> None:
    shown = read(visitor.get("/", headers={"Accept-Language": "eo"}).text)
    assert shown.one("html").attributes["lang"] == "en"
    assert "data-words" not in shown.one("html").attributes
