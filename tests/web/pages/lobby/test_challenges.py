"""Starting matches and joining them, from forms made of what each game lets one set."""

from __future__ import annotations

import pytest

from domain.json_types import JsonObject
from services.container import Services
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from tests.web.pages.browsing import Browser, identity
from tests.web.pages.readers import Element, read
from tests.web.people import Answer

DECK = "0 1 2 3 4 5 6 7 8 9 10 0 1 2 3 4 5 6 7 8 9 10 1 2 3 4"


def options(house: Services, address: str) -> JsonObject:
    return house.queries.show(Asker(local=True), identity(address)).view.options


def settings(house: Services, address: str, seat: int) -> JsonObject:
    with house.database.read() as connection:
        match = house.matches.repository.load(connection, identity(address))
    assert match is not None
    found: JsonObject = match.settings[seat - 1]
    return found


def fault(answer: Answer, field: str) -> str:
    """Return what is told at a field, the one that is wrong."""
    shown = read(answer.text)
    wrong = [one for one in shown.everything() if one.attributes.get("aria-invalid")]
    assert [one.attributes["name"] for one in wrong] == [field]
    return shown.one("p", id=wrong[0].attributes["aria-describedby"].split()[0]).text


def test_every_game_can_be_chosen_and_has_a_field_for_every_option(
    cora: Browser, house: Services
) -> None:
    links = cora.page("/new").one("ul", class_="games").all("a")
    assert len(links) == len(list(house.games)) >= 5
    for link, game in zip(links, house.games, strict=True):
        shown = cora.page(link.attributes["href"])
        names = {one.attributes.get("name") for one in shown.everything()}
        for kind, declared in (("options", game.options), ("settings", game.settings)):
            for option in declared:
                assert f"{kind}.{option.name}" in names
                assert option.meaning in shown.text
                if option.words:
                    chosen = shown.one("select", name=f"{kind}.{option.name}").all("option")
                    assert [one.text for one in chosen] == [*option.words.values()]
        said = shown.one("p", id="f-seat-hint").text
        by_chance = game.slug in ("power-lines", "whisper")
        who = "Chance decides who" if by_chance else "The first seat"
        assert said == f"{who} makes the first move."


def test_defaults_make_a_public_match_with_all_of_its_options(
    cora: Browser, house: Services
) -> None:
    match = cora.new_match("power-line")
    view = house.queries.show(Asker(), identity(match)).view
    defaults = {one.name: one.default for one in view.game.options}
    assert (view.options, view.visibility, view.status) == (defaults, "public", "open")


@pytest.mark.usefixtures("dan")
def test_what_is_chosen_is_what_is_made(cora: Browser, house: Services) -> None:
    match = cora.new_match(
        "path-capture", options__length="7", seat="2", opponent="DAN", visibility="private"
    )
    view = house.queries.show(Asker(local=True), identity(match)).view
    names = house.accounts.find_names([view.seats[1], view.opponent])
    assert sorted(names.values()) == ["cora", "dan"]
    assert (view.options, view.seats[0], view.visibility) == ({"length": 7}, None, "private")


def test_an_option_that_is_a_list_is_given_as_json_or_left_to_chance(
    cora: Browser, house: Services
) -> None:
    cells = '[{"row": 1, "column": 2, "value": 3}, {"row": 2, "column": 2, "value": 5}]'
    given = cora.new_match("energy-capture", options__cells=cells)
    assert options(house, given)["cells"][1] == {"row": 2, "column": 2, "value": 5}
    assert options(house, cora.new_match("energy-capture"))["cells"] is None


@pytest.mark.parametrize("deck", [DECK, DECK.replace(" ", ", "), f"[{DECK.replace(' ', ',')}]"])
def test_an_own_deck_is_typed_as_numbers(
    cora: Browser, dan: Browser, house: Services, deck: str
) -> None:
    numbers = [int(one) for one in DECK.split()]
    match = cora.new_match("power-lines", settings__deck=deck)
    assert settings(house, match, 1) == {"deck": numbers}
    assert dan.join(match, settings__deck=deck).status_code == 303
    assert settings(house, match, 2) == {"deck": numbers}


def test_a_deck_that_is_left_empty_is_the_suggested_one(
    cora: Browser, dan: Browser, house: Services
) -> None:
    match = cora.start(dan, "power-lines")
    assert settings(house, match, 1) == settings(house, match, 2)
    assert len(settings(house, match, 1)["deck"]) == 26


UNFIT: list[tuple[str, dict[str, str], str, str]] = [
    ("path-capture", {"options__length": "99"}, "options.length", "from 5 to 41"),
    ("path-capture", {"options__length": "ten"}, "options.length", "whole number"),
    ("path-capture", {"opponent": "nobody"}, "opponent", "no player of that name"),
    ("path-capture", {"opponent": "a\0b"}, "opponent", "no player of that name"),
    ("path-capture", {"opponent": "cora"}, "opponent", "cannot challenge yourself"),
    ("energy-capture", {"options__closed": "neither"}, "options.closed", "one of"),
    ("energy-capture", {"options__cells": "{]"}, "options.cells", ""),
    ("power-lines", {"settings__deck": "1 2 3"}, "settings.deck", "this one has 3"),
    ("power-lines", {"settings__deck": "all tens"}, "settings.deck", ""),
]


def test_what_does_not_fit_is_told_at_its_field_and_kept(cora: Browser) -> None:
    for game, typed, field, words in UNFIT:
        answer = cora.send(f"/new?game={game}", "/new", seat="2", **typed)
        assert answer.status_code == 422, typed
        assert words in fault(answer, field), typed
        shown = read(answer.text)
        (kept,) = typed.values()
        (wrong,) = [one for one in shown.everything() if one.attributes.get("name") == field]
        assert wrong.attributes.get("value", kept.replace("\0", "\ufffd")) == kept.replace(
            "\0", "\ufffd"
        )
        assert "checked" in shown.one("input", name="seat", value="2").attributes


def test_a_private_match_needs_an_opponent(cora: Browser) -> None:
    answer = cora.send("/new?game=path-capture", "/new", visibility="private")
    assert answer.status_code == 400
    assert "needs an opponent" in read(answer.text).one("p", id="f-visibility-error").text


@pytest.mark.parametrize("field", ["seat", "visibility"])
def test_a_choice_that_is_none_is_refused(cora: Browser, field: str) -> None:
    assert cora.send("/new?game=path-capture", "/new", **{field: "third"}).status_code == 400


def test_a_game_that_there_is_not_has_no_form(cora: Browser) -> None:
    assert cora.get("/new?game=chess").status_code == 404


def test_a_form_that_is_sent_twice_makes_one_match(cora: Browser) -> None:
    values = cora.form("/new?game=path-capture", "/new")
    first, again = cora.post("/new", values), cora.post("/new", values)
    assert first.headers["Location"] == again.headers["Location"]
    assert (first.status_code, again.status_code) == (303, 303)
    changed = cora.post("/new", {**values, "options.length": ["9"]})
    assert changed.status_code == 303
    assert changed.headers["Location"] != first.headers["Location"]


def title(shown: Element) -> str:
    return shown.one("section", class_="desk").one("h2").text


def test_an_open_match_offers_to_everybody_what_they_can_do(
    cora: Browser, dan: Browser, somebody: Browser
) -> None:
    match = cora.new_match()
    assert title(cora.page(match)) == "Waiting for an opponent"
    assert not cora.page(match).all("form", action=f"{match}/join")
    assert title(dan.page(match)) == "A seat is free for you"
    link = somebody.page(match).one("section", class_="desk").one("a")
    assert (link.text, link.attributes["href"]) == ("Log in to join", f"/log-in?next={match}")


def test_a_challenge_is_for_one_player_alone(cora: Browser, dan: Browser) -> None:
    match = cora.new_match(opponent="dan")
    offered = dan.page(match)
    assert offered.one("form", action=f"{match}/join").one("button").text == "Accept the challenge"
    told = "Waits for you to accept the challenge."
    assert offered.one("p", class_="standing").text == told
    eve = Browser(dan.client.application).sign_up("eve")
    assert not eve.page(match).all("form", action=f"{match}/join")
    open_match = cora.new_match()
    values = eve.form(open_match, f"{open_match}/join")
    answer = eve.post(f"{match}/join", values)
    assert answer.status_code == 409
    assert "kept for somebody else" in answer.text
    assert read(answer.text).one("div", class_="failure").all("a")[0].attributes["href"] == match


def test_a_seat_that_was_taken_meanwhile_is_told(cora: Browser, dan: Browser) -> None:
    match = cora.new_match()
    eve = Browser(dan.client.application).sign_up("eve")
    values = eve.form(match, f"{match}/join")
    assert dan.join(match).status_code == 303
    answer = eve.post(f"{match}/join", values)
    assert answer.status_code == 409
    assert "Both seats of this match are taken" in answer.text


def test_a_poor_deck_is_told_where_one_joins(cora: Browser, dan: Browser) -> None:
    match = cora.new_match("power-lines")
    answer = dan.join(match, settings__deck="1 2 3")
    assert answer.status_code == 422
    assert "this one has 3" in fault(answer, "settings.deck")
    assert read(answer.text).one("input", name="settings.deck").attributes["value"] == "1 2 3"


def test_joining_twice_is_joining_once(cora: Browser, dan: Browser) -> None:
    match = cora.new_match()
    values = dan.form(match, f"{match}/join")
    first, again = (dan.post(f"{match}/join", values) for _ in range(2))
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["Location"] == again.headers["Location"]


def test_a_player_finds_matches_of_their_own(cora: Browser, dan: Browser) -> None:
    started = cora.start(dan, visibility="unlisted")
    waiting = cora.new_match(opponent="dan", visibility="private")

    def listed(browser: Browser, address: str) -> list[str]:
        cards = browser.page(address).all("li", class_="match-card")
        return [card.all("a")[0].attributes["href"] for card in cards]

    assert listed(cora, "/matches?turn=me") == [started]
    assert listed(dan, "/matches?turn=others") == [started]
    assert listed(dan, "/matches?turn=me") == []
    for browser in (cora, dan):
        assert listed(browser, "/matches?mine=true") == [waiting, started]
    assert cora.get("/matches?mine=perhaps").status_code == 400


def test_a_match_is_three_clicks_from_the_first_page(cora: Browser, house: Services) -> None:
    first = next(one for one in cora.page("/").all("a") if one.text == "New match")
    games = cora.page(first.attributes["href"])
    second = next(one for one in games.all("a") if one.text == "Grid Power")
    answer = cora.send(second.attributes["href"], "/new")
    assert answer.status_code == 303
    shown = house.queries.show(Asker(), identity(answer.headers["Location"])).view
    assert (shown.game.slug, shown.status, shown.visibility) == ("grid-power", "open", "public")


@pytest.mark.parametrize("seat", ["1", "2"])
def test_lists_name_the_seat_that_is_free(cora: Browser, somebody: Browser, seat: str) -> None:
    cora.new_match("power-line", seat=seat)
    free = f"seat {'AB'[2 - int(seat)]} is free"
    taken = f"seat {'AB'[int(seat) - 1]} is free"
    for one in (cora, somebody):
        shown = one.page("/").text
        assert free in shown
        assert taken not in shown


def outside(shown: Element) -> set[str]:
    """Return the names of what the form asks at once, without its "more"."""
    form = shown.one("form", action="/new")
    more = {id(one) for folded in form.all("details") for one in folded.everything()}
    return {
        one.attributes["name"]
        for one in form.everything()
        if one.tag in ("input", "select") and id(one) not in more
    } - {"csrf", "key", "game"}


@pytest.mark.parametrize("game", ["power-line", "power-lines", "energy-capture"])
def test_the_form_asks_three_things_and_the_rest_under_more(cora: Browser, game: str) -> None:
    shown = cora.page(f"/new?game={game}")
    numbers = {"days_per_move", "bank_hours", "increment_hours", "cap_hours"}
    assert outside(shown) == {"with", "opponent", "pace", "seat"} | numbers
    form = shown.one("form", action="/new")
    assert len(form.all("button", class_="main")) == 1
    (more,) = form.all("details")
    assert "open" not in more.attributes
    assert {"visibility", "vacation", "pause"} <= {
        one.attributes.get("name") for one in more.everything()
    }


def promise(cora: Browser, **typed: str) -> str:
    """Return what the service says that the form would do."""
    answer = cora.send("/new?game=power-line", "/new", **typed, do="tell")
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "text/plain"
    return answer.text


PROMISES: list[tuple[dict[str, str], str]] = [
    ({}, "You open a match of Power Line that anybody can join: 3 days a turn, random seats, "),
    ({"seat": "2"}, "you take the second seat"),
    ({"pace": "none"}, "no clock"),
    ({"pace": "own-days", "days_per_move": "9"}, "9 days a turn"),
    ({"pace": "own-days", "days_per_move": "999"}, "whole number from 1 to"),
    ({"with": "player"}, "Type the name of the player"),
    ({"with": "player", "opponent": "DAN"}, "You challenge dan to Power Line"),
    ({"with": "player", "opponent": "nobody"}, "no player of that name"),
    ({"with": "player", "opponent": "cora"}, "cannot challenge yourself"),
    ({"with": "link"}, "a link to send"),
    ({"visibility": "unlisted"}, "that anybody with its address can join"),
    ({"with": "link", "visibility": "private"}, "only its two players can see it"),
    ({"visibility": "private"}, "needs an opponent"),
    ({"options__length": "12"}, "length: 12"),
    ({"options__deadlock": "draw"}, "deadlock: always a draw"),
]


@pytest.mark.usefixtures("dan")
def test_the_form_says_in_a_sentence_what_will_happen(cora: Browser, house: Services) -> None:
    for typed, words in PROMISES:
        assert words in promise(cora, **typed), typed
        assert not house.lobby.list_matches(Asker(local=True), MatchFilter()).listed, typed


def test_the_sentence_stands_on_the_page_for_who_has_no_script(cora: Browser) -> None:
    shown = cora.page("/new?game=power-line")
    assert shown.one("output").text == promise(cora)
    own = cora.page("/new?game=power-line&opponent=cora").one("output").text
    assert own == "You cannot challenge yourself."
    answer = cora.send("/new?game=power-line", "/new", seat="2", do="show")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "you take the second seat" in read(answer.text).one("output").text
    answer = cora.send("/new?game=power-line", "/new", options__length="99")
    assert fault(answer, "options.length")
    assert not read(answer.text).one("output").text, "what is wrong is said once"


@pytest.mark.usefixtures("dan")
def test_nothing_that_was_entered_is_lost_when_something_does_not_fit(cora: Browser) -> None:
    entered = {
        "with": "player",
        "opponent": "dan",
        "pace": "own-bank",
        "bank_hours": "77",
        "increment_hours": "3",
        "cap_hours": "99",
        "seat": "2",
        "visibility": "private",
        "options__length": "99",
    }
    values = cora.form("/new?game=power-line", "/new")
    values |= {name.replace("__", "."): [value] for name, value in entered.items()}
    del values["pause"]
    answer = cora.post("/new", values)
    assert answer.status_code == 422
    shown = read(answer.text)
    kept = cora.filled(shown, "/new")
    for name, (value,) in values.items():
        assert name in ("csrf", "key") or kept[name] == [value], name
    assert "pause" not in kept
    (more,) = shown.one("form", action="/new").all("details")
    assert "open" in more.attributes
