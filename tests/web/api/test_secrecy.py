"""A game with secrets over HTTP: no answer shows anybody what they must not know.

Every card a seat holds or has laid face down, and both decks, are looked for in every answer
that the other seat and a spectator can get while the match runs.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

from domain.json_types import Json, JsonObject
from services.container import Services
from services.runtime.logs import configure_logs
from services.runtime.settings import Settings
from tests.web.people import Person, play_out

PATHS = ("", "/events?limit=100", "/replay", "?as=spectator", "/replay?as=spectator")


def openings(value: Json) -> Iterator[JsonObject]:
    """Yield every opened seal anywhere in a value."""
    if isinstance(value, dict):
        if "commitment" in value and ("salt" in value or "value" in value):
            yield value
        for inner in value.values():
            yield from openings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from openings(inner)


@pytest.fixture
def match(ada: Person, bob: Person) -> JsonObject:
    """Give a match in which each seat has laid a card face down."""
    match = ada.start(bob, "whisper")
    for _ in range(2):
        now = ada.look(match)
        mover = (ada, bob)[now["to_act"] - 1]
        whispers = [one["move"] for one in mover.legal(match) if one["move"]["action"] == "whisper"]
        assert mover.move(match, whispers[0]).status_code == 201
    return ada.look(match)


def everything(person: Person, match: JsonObject) -> list[Any]:
    """Return all that somebody can read about a match."""
    answers = [person.get(f"/matches/{match['id']}{path}") for path in PATHS]
    assert {answer.status_code for answer in answers} == {200}
    lines = person.get(f"/matches/{match['id']}/events", {"Accept": "application/x-ndjson"})
    stream = person.get(f"/matches/{match['id']}/stream")
    versions = [
        person.get(f"/matches/{match['id']}?version={version}").json
        for version in range(1, match["version"] + 1)
    ]
    listed = person.get("/matches?game=whisper").json
    return [answer.json for answer in answers] + [lines.text, stream.text, versions, listed]


def test_a_seal_is_open_to_its_audience_alone(
    match: JsonObject, ada: Person, bob: Person, eve: Person
) -> None:
    for person, audience in ((ada, "seat-1"), (bob, "seat-2"), (eve, None)):
        for seal in openings(everything(person, match)):
            assert audience in seal["for"], (person.name, seal)


def test_each_seat_opens_its_own_seals(match: JsonObject, ada: Person, bob: Person) -> None:
    for person, audience in ((ada, "seat-1"), (bob, "seat-2")):
        events = person.get(f"/matches/{match['id']}/events?limit=100").json
        assert {seal["for"][0] for seal in openings(events)} == {audience}


def test_the_other_sight_is_not_given_while_the_match_runs(
    match: JsonObject, ada: Person, bob: Person, eve: Person
) -> None:
    for person, asked in ((ada, "seat-2"), (bob, "seat-1"), (eve, "seat-1"), (eve, "seat-2")):
        for path in ("", "/replay"):
            answer = person.get(f"/matches/{match['id']}{path}?as={asked}")
            assert (answer.status_code, answer.json["code"]) == (403, "not-your-seat")
    wrong = eve.get(f"/matches/{match['id']}?as=server")
    assert wrong.status_code == 400


def test_no_answer_lets_the_truth_of_the_other_seat_through(
    match: JsonObject, house: Services, ada: Person, bob: Person, eve: Person
) -> None:
    """The states that others see are those of ``view``, seat by seat."""
    from domain.game.game import Viewer
    from domain.match.views import view

    with house.database.read() as connection:
        truth = house.matches.repository.load(connection, match["id"])
    assert truth is not None
    for person, viewer in (
        (ada, Viewer.SEAT_1), (bob, Viewer.SEAT_2), (eve, Viewer.SPECTATOR),
    ):  # fmt: skip
        seen = view(truth, viewer)
        assert seen.sight is not None
        assert person.look(match)["state"] == seen.game.show(seen.sight)
        whole = view(truth, Viewer.SERVER)
        assert whole.sight is not None
        assert person.look(match)["state"] != whole.game.show(whole.sight)


def test_a_move_that_hides_something_is_told_to_its_seat_only(
    match: JsonObject, ada: Person, bob: Person, eve: Person
) -> None:
    moves = {}
    for person in (ada, bob, eve):
        events = person.get(f"/matches/{match['id']}/events?limit=100").json["events"]
        moves[person.name] = [event for event in events if event["kind"] == "move-made"]
    for made in zip(*moves.values(), strict=True):
        public = made[2]["data"]["move"]
        assert "card" not in public
        assert all(event["data"]["move"] == public for event in made)
        assert sum("value" in event["sealed"][0] for event in made) == 1


def test_a_refusal_tells_the_other_seat_nothing(
    match: JsonObject, ada: Person, bob: Person
) -> None:
    waiting = (ada, bob)[2 - match["to_act"]]
    details = {
        waiting.move(match, {"action": action, "card": card}).json["detail"]
        for action in ("say", "whisper")
        for card in range(6)
    }
    assert len(details) == 1


def test_after_the_end_all_is_open_and_what_was_seen_can_be_seen_again(
    match: JsonObject, ada: Person, bob: Person, eve: Person
) -> None:
    ended = play_out(match, ada, bob)
    events = eve.get(f"/matches/{ended['id']}/events?limit=100").json["events"]
    seals = [seal for event in events for seal in event["sealed"]]
    assert seals
    assert all("value" in seal and "salt" in seal for seal in seals)
    past = eve.get(f"/matches/{ended['id']}/replay?as=spectator").json
    assert not list(openings(past))
    mine = eve.get(f"/matches/{ended['id']}/replay?as=seat-1").json
    assert {seal["for"][0] for seal in openings(mine)} == {"seat-1"}


def test_an_aborted_match_opens_nothing(ada: Person, eve: Person) -> None:
    match = ada.create("whisper")
    assert ada.act(match, "abort").status_code == 201
    assert list(openings(everything(eve, ada.look(match)))) == []


def test_no_move_and_no_secret_stands_in_the_log(ada: Person, bob: Person, log: io.BytesIO) -> None:
    configure_logs(Settings(log_level="debug"))
    match = ada.start(bob, "whisper")
    now = ada.look(match)
    (ada, bob)[now["to_act"] - 1].move(match)
    ada.post("/tokens", {"name": "ada", "password": "a wrong password", "label": "x"})
    ada.get(f"/matches/{match['id']}?token={ada.token}")
    text = log.getvalue().decode()
    assert text.count("\n") > 5
    assert all(" request " in line for line in text.splitlines())
    for secret in (ada.token, bob.token, "a wrong password", "whisper", "card", "Bearer"):
        assert secret not in text
