"""A match's page: any step by its address, links between steps, all of it told in words."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from services.matches.match_json import ShownMatch
from tests.web.pages.conftest import Players
from tests.web.pages.readers import Element, read

WALK = [{"steps": 3}, {"steps": 2}, {"steps": 2}, {"steps": 3}]
ATTACKS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "\u202egnp.exe",
    "ada & bob",
)


def page(visitor: FlaskClient, match: str, query: str = "") -> Element:
    answer = visitor.get(f"/m/{match}{query}")
    assert answer.status_code == 200, answer.text
    return read(answer.text)


def steps(shown: Element) -> dict[str, str | None]:
    found = shown.one("nav", aria_label="Steps of the replay")
    return {one.text: one.attributes.get("href") for one in found.children}


def told(shown: Element) -> str:
    return shown.one("div", class_="told").one("bdi").text


def test_the_last_step_is_shown_first(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, players.start("path-capture", *WALK))
    assert told(shown) == "bob won: a piece has landed on the other one."
    assert shown.one("p", class_="standing").text == "bob won: a piece has landed on the other one."
    assert shown.one("span", class_="won").parent.text.startswith("bob")  # type: ignore[union-attr]


def test_every_step_can_be_reached_by_the_links_and_back(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    first = steps(page(visitor, match))["First"]
    seen, at = [], first
    while at is not None:
        shown = read(visitor.get(at).text)
        seen.append(told(shown))
        at = steps(shown)["Next"]
    assert seen == [
        "The start position.",
        "ada goes 3 nodes forward to node 3.",
        "bob goes 2 nodes forward to node 8.",
        "ada goes 2 nodes forward to node 5.",
        "bob goes 3 nodes forward to node 5 and captures ada.",
        "bob won: a piece has landed on the other one.",
    ]
    back, at = [], steps(page(visitor, match))["Previous"]
    while at is not None:
        shown = read(visitor.get(at).text)
        back.append(told(shown))
        at = steps(shown)["Previous"]
    assert back == seen[-2::-1]


def test_links_are_off_at_the_ends(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    last = page(visitor, match)
    assert (steps(last)["Next"], steps(last)["Last"]) == (None, None)
    assert [one.text for one in last.all("span", aria_disabled="true")] == ["Next", "Last"]
    first = page(visitor, match, "?at=1")
    assert (steps(first)["First"], steps(first)["Previous"]) == (None, None)


def test_neighbours_are_linked_for_browsers_too(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    shown = page(visitor, match, "?at=7")
    for rel, name in (("prev", "Previous"), ("next", "Next")):
        in_head = shown.one("link", rel=rel).attributes["href"]
        assert in_head == shown.one("a", rel=rel).attributes["href"] == steps(shown)[name]


def test_a_version_before_the_first_move_is_the_position_before_it(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    for at in ("0", "1", "2"):
        assert told(page(visitor, match, f"?at={at}")) == "The start position."


def test_the_current_move_is_marked_in_the_list(players: Players, visitor: FlaskClient) -> None:
    match = players.start("path-capture", *WALK)
    shown = page(visitor, match)
    entries = shown.one("div", class_="moves-list").all("a")
    assert [one.text for one in entries[1:5]] == ["+3", "+2", "+2", "+3"]
    for entry in entries:
        there = read(visitor.get(entry.attributes["href"]).text)
        (current,) = there.all("a", aria_current="step")
        assert (current.text, current.attributes["id"]) == (entry.text, "now")


def test_rounds_are_numbered_and_sorted_by_seat(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, players.start("path-capture", *WALK[:3]))
    rounds = [one.text for one in shown.all("li", class_="round")]
    assert rounds == ["1 ada: +3 bob: +2", "3 ada: +2"]


def test_a_forced_pass_belongs_to_the_seat_that_is_passed_over(
    players: Players, visitor: FlaskClient
) -> None:
    ends = [{"steps": 3}, {"steps": 1}] * 3 + [{"steps": 1}]
    shown = page(visitor, players.start("path-capture", *ends))
    assert shown.one("a", aria_current="step").text == "+1"
    players_moves = [*ends, {"steps": 3}]
    shown = page(visitor, players.start("path-capture", *players_moves))
    passing = [one for one in shown.all("a", class_="entry") if one.text == "passes"]
    assert [one.parent.attributes["class"] for one in passing] == ["turn-of seat-1"]  # type: ignore[union-attr]
    assert (
        passing[0].attributes["title"] == "After move 8: ada has no legal move and is passed over."
    )


def test_names_scores_and_whose_turn_it_is_stand_beside_the_board(
    players: Players, visitor: FlaskClient
) -> None:
    shown = page(visitor, players.start("path-capture", {"steps": 3}))
    seats = shown.all("div", class_="seat")
    assert [seat.one("bdi").text for seat in seats] == ["ada", "bob"]
    assert [bool(seat.all("span", class_="turn")) for seat in seats] == [False, True]
    meters = [seat.one("meter").attributes for seat in seats]
    assert [(one["value"], one["max"]) for one in meters] == [("3", "10"), ("0", "10")]


def test_the_board_is_told_in_words_as_well(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, players.start("path-capture", {"steps": 3}))
    table = shown.one("table")
    assert table.one("caption").text == "Path, in words"
    rows = [[cell.text for cell in row.children] for row in table.all("tr")]
    assert rows[0] == ["node 0", "empty; the last move came from here"]
    assert rows[3] == ["node 3", "ada's piece; the last move went here"]
    assert rows[9] == ["node 9", "empty; in reach"]


def test_a_grid_is_told_as_a_table_with_both_axes(players: Players, visitor: FlaskClient) -> None:
    match = players.start("grid-power", {"unit": 5, "row": 2, "column": 2})
    table = page(visitor, match).all("table")[0]
    assert [one.text for one in table.all("th", scope="col")] == [
        "column 1",
        "column 2",
        "column 3",
    ]
    assert [one.text for one in table.all("th", scope="row")] == ["row 1", "row 2", "row 3"]
    assert table.all("tr")[2].children[2].text == "ada's unit 5, power 5; the last move went here"


def test_an_open_match_says_what_it_waits_for(players: Players, visitor: FlaskClient) -> None:
    shown = page(visitor, players.create())
    assert shown.one("p", class_="standing").text == "Waits for an opponent."
    assert "the match begins at once" in shown.one("p", class_="accepts").text
    challenge = page(visitor, players.create(opponent="bob"))
    assert "Waits for bob" in challenge.one("p", class_="standing").text


def test_an_aborted_match_says_so(players: Players, visitor: FlaskClient) -> None:
    match = players.start()
    players.abort(match, 1)
    shown = page(visitor, match)
    assert shown.one("p", class_="standing").text == "Aborted: it counts for nobody."
    assert told(shown).startswith("The match is aborted")


def test_a_private_match_is_not_there_for_others(players: Players, visitor: FlaskClient) -> None:
    match = players.start(opponent="bob", visibility="private")
    answer = visitor.get(f"/m/{match}")
    assert answer.status_code == 404
    assert "ada" not in answer.text
    unlisted = players.start(visibility="unlisted")
    assert visitor.get(f"/m/{unlisted}").status_code == 200


def test_a_running_match_shows_a_visitor_no_hand(players: Players, visitor: FlaskClient) -> None:
    match = players.start("whisper")
    players.play_on(match, 3, lambda moves: len(moves) - 1)
    for query in ("", "?as=spectator"):
        shown = page(visitor, match, query)
        hands = [one for one in shown.all("figure") if "hand" in one.one("figcaption").text]
        assert len(hands) == 2
        for hand in hands:
            assert not hand.one("svg", role="img").all("text")
            assert "that only their owner may see" in hand.text
    for seat in ("seat-1", "seat-2"):
        assert visitor.get(f"/m/{match}?as={seat}").status_code == 403


def test_a_finished_match_can_be_seen_as_somebody_saw_it(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("whisper")
    players.play_on(match, 3, lambda moves: len(moves) - 1)
    assert not page(visitor, match).all("nav", class_="sights")
    players.resign(match, 2)
    shown = page(visitor, match, "?as=seat-2&at=6")
    links = shown.one("nav", class_="sights").all("a")
    assert [one.text for one in links] == [
        "Everything",
        "What ada saw",
        "What bob saw",
        "What spectators saw",
    ]
    assert [one.text for one in links if "aria-current" in one.attributes] == ["What bob saw"]
    texts = {one.text: visitor.get(one.attributes["href"]).text for one in links}
    assert len(set(texts.values())) == 4
    followed = read(visitor.get(steps(shown)["Next"] or "").text)
    assert followed.one("nav", class_="sights").one("a", aria_current="true").text == "What bob saw"


def test_a_game_without_secrets_offers_no_other_sight(
    players: Players, visitor: FlaskClient
) -> None:
    match = players.start("path-capture", *WALK)
    assert not page(visitor, match).all("nav", class_="sights")
    assert (
        told(page(visitor, match, "?as=seat-1")) == "bob won: a piece has landed on the other one."
    )


def test_an_address_that_makes_no_sense_is_refused(players: Players, visitor: FlaskClient) -> None:
    match = players.start()
    for query in ("?at=x", "?at=-1", "?at=٣", "?at=1.0", "?as=server", "?as=ada"):
        assert visitor.get(f"/m/{match}{query}").status_code == 400, query


@pytest.mark.parametrize("step", ["?at=99", "/line?at=99", "/line?at=1"])
def test_a_step_that_has_not_happened_is_not_there(
    players: Players, visitor: FlaskClient, step: str
) -> None:
    match = players.start()
    answer = visitor.get(f"/m/{match}{step}")
    assert answer.status_code == 404
    assert "private" not in answer.text
    back = read(answer.text).one("a", href=f"/m/{match}")
    assert back.text == "Back to the match"


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_name_that_attacks_stays_a_name(
    players: Players, visitor: FlaskClient, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    match = players.start("path-capture", *WALK)
    monkeypatch.setattr(ShownMatch, "get_name", lambda *_: attack)
    for address in ("/", f"/m/{match}"):
        shown = read(visitor.get(address).text)
        assert not [one for one in shown.all("script") if one.text or "src" not in one.attributes]
        assert not [one for one in shown.all("img") if one.attributes["src"] == "x"]
        isolated = [one for one in shown.all("bdi") if attack in "".join(one.texts)]
        assert len(isolated) >= 3


def test_times_are_told_in_utc(players: Players, visitor: FlaskClient) -> None:
    for time in page(visitor, players.start()).all("time"):
        assert time.text.endswith(" UTC")
        assert time.attributes["datetime"].endswith("Z")
