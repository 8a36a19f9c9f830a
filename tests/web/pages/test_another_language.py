"""In another language nothing is left in English: no sentence of a game, no page, no answer."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from domain.game.game import AnyGame
from domain.games import load_games
from services.accounts.settings import list_offered_zones
from services.container import Services
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.support.games import test_games
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.conftest import Players
from tests.web.pages.furnishing import furnish
from tests.web.pages.made_up import ASKED, left_in_english, translated
from tests.web.pages.matches.test_panels import send

GAMES = list(load_games())

STEPS = 40
"""So many moves are played of each game, and the last half of them looked at."""

NAMES = re.compile(
    "|".join(
        [
            *(
                r"\bada\b",
                r"\bbob\b",
                r"\bcora\b",
                r"\bdan\b",
                r"\bEnglish\b",
                "W{6,}",
                "a-name-as-long-as-allowed",
                "Werkzeug/[0-9.]+",
                "<b>evil</b>",
                r"https://bot\.example/\w*",
                # A long address may break before its "@", which stands by itself then.
                r"\w*@mail\.example",
                "w{6,}0",
                r"\w+\.push\.example",
                r"\b(?:match|series)\.[a-z-]+",
            ),
            # The games of the tests have no texts in the catalogue.
            *(re.escape(one) for game in test_games() for one in (game.summary, game.name)),
            # Identities of matches stand in links whose words are the boards'.
            r"\b[0-9a-z]{16}\b",
        ]
    )
)
"""What is called so in every language."""

CODES = re.compile(r"'[a-z_]+'|\bseat-[12]\b|\bspectator\b|\bwaits\b|\bmatch:read\b|\bnone\b")
"""What an address may say, and quotes when it says something else."""

NOTATION = re.compile(
    r"(?:(?:draw|shuffle|decline|\?|[0-9]+)|(?:place|dominate|discard) \S+)"
    r"(?:[ ,].*)?(?:: [^A-Za-z]+)?"
)
"""Moves of the card game as they are written, also with what an analysis says of one.

What one types is the same in every language.
"""


ZONES = frozenset(list_offered_zones())
"""Time zones have the same names in every language."""


def english(page: str) -> list[tuple[str, str]]:
    """Return what a page shows in Latin letters that is no name."""
    shown = ((where, CODES.sub("", NAMES.sub("", text))) for where, text in left_in_english(page))
    return [
        (where, text)
        for where, text in shown
        if re.search("[A-Za-z]{2}", text)
        and not NOTATION.fullmatch(text.strip())
        and text.strip() not in ZONES
    ]


@pytest.mark.usefixtures("made_up")
def test_no_page_is_left_in_english(app: Flask, house: Services) -> None:
    pages = furnish(app, house, GAMES)
    found: dict[tuple[str, str], str] = {}
    browsers = ((app.test_client(), pages.visitors), (pages.cora.client, pages.players))
    for client, addresses in browsers:
        for address in addresses:
            for one in english(client.get(address, headers=ASKED).text):
                found.setdefault(one, address)
    assert not found


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("game", GAMES, ids=lambda one: one.slug)
def test_no_step_of_a_match_is_left_in_english(game: AnyGame, app: Flask, house: Services) -> None:
    players = Players(house)
    match = players.start(game.slug)
    players.play_on(match, STEPS, lambda moves: len(moves) // 2)
    visitor, found = app.test_client(), {}
    last = house.queries.show(Asker(), match).view.version
    for version in range(max(1, last - STEPS // 2), last + 1):
        page = visitor.get(f"/m/{match}?at={version}", headers=ASKED)
        found.update(dict.fromkeys(english(page.text), version))
    assert not found


IMPOSSIBLE = [
    "?move=nonsense",
    "?move=%2B9",
    "?path=node:3",
    "?path=node:9",
    "?ask=abort",
    "?at=99",
    "?at=x",
    "?flip=2",
    "?as=seat-2",
    "?as=nobody",
    "?play=9",
    "/line?at=4&try=%2B9",
    "/line?at=4&try=%2B3&try=%2B3&try=%2B3",
]


@pytest.mark.usefixtures("made_up")
def test_no_answer_to_what_cannot_be_is_left_in_english(pair: Pair) -> None:
    match = pair.start("path-capture")
    for address in IMPOSSIBLE:
        page = pair.acting.client.get(match + address, headers=ASKED)
        assert translated("match") in page.text, address
        assert english(page.text) == [], address


@pytest.mark.usefixtures("made_up")
def test_clocks_and_what_is_proposed_are_told_in_the_language(pair: Pair) -> None:
    match = pair.browsers[0].start(pair.browsers[1], pace="3-days")
    for action in ("offer_draw", "offer_pause", "give_time"):
        pair.house.matches.act(
            ChangeRequest(pair.ids[0], any_version=True),
            identity(match),
            Action(
                action, days=3 if "pause" in action else None, hours=5 if "give" in action else None
            ),
        )
    for browser in pair.browsers:
        page = browser.client.get(match, headers=ASKED).text
        assert translated("days") in page
        assert english(page) == []


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    ("steps", "told"),
    [(1, "+3 {was played for you}"), (2, "+2, {which these lines do not answer}")],
)
def test_what_became_of_conditional_moves_is_told_in_the_language(
    pair: Pair, steps: int, told: str
) -> None:
    match = pair.start("path-capture").partition("#")[0]
    two = pair.browsers[1]
    assert send(two, match, "lines", if_="+1", then="+3").status_code == 303
    pair.play(match, {"steps": steps})
    page = two.client.get(match, headers=ASKED).text
    move, _, words = told.strip("}").partition("{")
    assert move + translated(words) in page
    assert english(page) == []


@pytest.mark.usefixtures("made_up")
def test_steps_that_a_script_shows_are_in_the_language(pair: Pair) -> None:
    match = pair.start("path-capture").partition("#")[0]
    pair.play(match, {"steps": 1}, {"steps": 2})
    answer = pair.acting.client.get(f"{match}/frames?from=1", headers=ASKED)
    told = "".join(answer.get_json()["pieces"])
    assert translated("goes") in told
    assert not re.search(r">[^<]*\b(?:goes|forward|node|empty)\b[^<]*<", told)


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(
    "typed",
    [{"options__length": "3"}, {"options__length": "long"}, {"with": "player", "opponent": "zoe"}],
)
def test_a_form_that_does_not_go_through_says_so_in_the_language(
    cora: Browser, typed: dict[str, str]
) -> None:
    values = cora.form("/new?game=path-capture", "/new")
    values.update({name.replace("__", "."): [value] for name, value in typed.items()})
    page = cora.post("/new", values, ASKED).text
    assert 'class="error"' in page
    found = [one for one in english(page) if "length" not in one[1]]
    assert [one for one in found if one[1] not in typed.values()] == []
