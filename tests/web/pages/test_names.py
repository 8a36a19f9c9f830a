"""Pages speak of players by their names, and to the one who reads; of seats by one letter."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest
from flask.testing import FlaskClient
from typing_extensions import override

from domain.games import load_games
from domain.i18n import OTHERS, People, find_forms, say, say_many
from domain.match import persons
from tests.texts import collect, texts_of
from tests.web.pages.browsing import Browser, Pair
from tests.web.pages.conftest import Players
from tests.web.pages.readers import PageParser, read
from web.pages.common.words import isolate_name

ENGLISH = NullTranslations()
SEAT = re.compile(r"P\{(\w+)\}")
TABLES = [persons.PERSONS, *(game.persons for game in load_games())]
PERSONS = {text: find_forms(table, text) for table in TABLES for text in table}

FORMS = {"P{seat} takes P{other}'s {what}.": {"seat": "You take P{other}'s {what}."}}


def people(you: int | None) -> People:
    return People({1: "ada", 2: "b{o}b"}, you, FORMS)


@pytest.mark.parametrize(
    ("you", "told"),
    [(1, "You take b{o}b's {2}."), (None, "ada takes b{o}b's {2}.")],
    ids=["a-player", "somebody"],
)
def test_a_sentence_names_players_and_speaks_to_the_one_who_reads(
    you: int | None, told: str
) -> None:
    said = say("P{seat} takes P{other}'s {what}.", seat=1, other=2, what="{2}")
    assert said == "P1 takes P2's {2}."
    assert said.tell_in(ENGLISH, people(you)) == told
    assert said.tell_in(ENGLISH) == said


def test_sentences_in_a_sentence_and_about_numbers_name_players_too() -> None:
    moves = say_many("{number} move of P{seat}", "{number} moves of P{seat}", 2, seat=2)
    assert (
        say("There: {what}", what=moves).tell_in(ENGLISH, people(None)) == "There: 2 moves of b{o}b"
    )
    assert say("P1 {one}, P2 {two}", one=3, two=4).tell_in(ENGLISH, people(1)) == "you 3, b{o}b 4"


def test_a_name_does_not_turn_the_sentence_around() -> None:
    assert isolate_name("ada") == "ada"
    assert isolate_name("\u05d0\u05d1") == "\u2068\u05d0\u05d1\u2069"


def test_every_sentence_about_seats_is_said_to_each_of_their_players() -> None:
    forms = {form for table in PERSONS.values() for form in table.values()}
    texts = {
        text for one in texts_of(collect()) for text in (one if isinstance(one, tuple) else [one])
    }
    about = {text for text in texts - forms if SEAT.search(text)}
    lacking = {
        (text, seat)
        for text in about
        for seat in set(SEAT.findall(text))
        if seat not in PERSONS.get(text, {})
    }
    assert not lacking


def test_what_is_said_instead_takes_nothing_that_the_sentence_lacks() -> None:
    for text, forms in PERSONS.items():
        names = set(re.findall(r"\{(\w+)\}", text))
        for seat, form in forms.items():
            assert set(re.findall(r"\{(\w+)\}", form)) <= names, form
            assert seat in {OTHERS, "1", "2"} or seat in names, text
            if seat and f"P{{{seat}}}" in text:
                assert f"P{{{seat}}}" not in form, form


class _Told(PageParser):
    """Gathers what a page tells people: texts, and attributes that are read out or pop up."""

    SAID = ("title", "aria-label", "alt")

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []
        self.code = 0

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code += tag in {"pre", "code"}
        self.told += [
            value or "" for name, value in attrs if name in {"title", "aria-label", "alt"}
        ]

    @override
    def handle_endtag(self, tag: str) -> None:
        self.code -= tag in {"pre", "code"}

    @override
    def handle_data(self, data: str) -> None:
        if not self.code:
            self.told.append(data)


def told(page: str) -> str:
    found = _Told()
    found.feed(page)
    return " ".join(" ".join(found.told).split())


@pytest.mark.parametrize("game", [game.slug for game in load_games()])
def test_no_page_of_a_game_or_a_match_calls_a_player_by_a_number(
    game: str, players: Players, visitor: FlaskClient
) -> None:
    match = players.start(game)
    for address in (f"/games/{game}", f"/m/{match}", f"/m/{match}/embed", "/", "/matches"):
        found = told(visitor.get(address).text)
        assert not re.search(r"\bP[12]\b", found), address


def test_each_reads_the_same_step_as_their_own(pair: Pair, visitor: FlaskClient) -> None:
    match = pair.start("path-capture")
    pair.play(match, {"steps": 3})
    mover, other = pair.browsers
    mine, theirs = "You go 3 nodes forward to node 3.", "cora goes 3 nodes forward to node 3."
    for reader, said in ((mover, mine), (other, theirs), (visitor, theirs)):
        shown = read(reader.get(match).text)
        assert shown.one("div", class_="told").text.endswith(said)
        entry = shown.one("a", class_="entry", aria_current="step")
        assert entry.attributes["title"] == f"Move 1: {said}"
    assert "your piece" in mover.get(match).text
    assert "cora's piece" not in mover.get(match).text


def test_an_end_is_a_sentence_everywhere(pair: Pair, visitor: FlaskClient) -> None:
    match = pair.start("path-capture")
    pair.play(match, *({"steps": n} for n in (3, 2, 2, 3)))
    for reader, said in (
        (pair.browsers[0], "dan won: a piece has landed on the other one."),
        (pair.browsers[1], "You won: a piece has landed on the other one."),
        (visitor, "dan won: a piece has landed on the other one."),
    ):
        shown = read(reader.get(match).text)
        assert shown.one("p", class_="standing").text == said
        assert shown.one("div", class_="told").text.endswith(said)
        assert shown.one("a", class_="entry", aria_current="step").text == said


def test_who_practises_has_two_hands(somebody: Browser) -> None:
    made = somebody.send("/practice?game=path-capture", "/practice").headers["Location"]
    assert "Left hand is to move." in somebody.get(made.partition("#")[0]).text
