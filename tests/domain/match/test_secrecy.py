"""What is sealed stays shut until the match is finished, and then opens to what was sealed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import orjson
import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from domain.log.event_format import compute_commitment
from domain.match import commands
from domain.match.events import Event, Seal
from domain.match.views import show_event, view
from tests.support.games import WHISPER
from tests.support.scenario import Given, Table, given
from tests.support.type_checker import faults_of

OUTSIDERS = [Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR]


@pytest.fixture(params=range(10))
def played(request: pytest.FixtureRequest) -> Table:
    """Give a match of Whisper that is played to its end."""
    random = Random(request.param)
    table = Table.started(WHISPER, options={"target": 60})
    while not table.match.over:
        table.play(random.choice(table.legal_moves()))
    return table


def seals_against(events: list[Event], viewer: Viewer) -> list[Seal]:
    seals = [seal for event in events for seal in event.sealed]
    return [seal for seal in seals if viewer.value not in seal.audience]


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_a_seal_opens_for_its_audience_alone_while_the_match_runs(
    played: Table, viewer: Viewer
) -> None:
    for event in played.events:
        shown = show_event(event, viewer, finished=False)
        for seal, entry in zip(event.sealed, shown["sealed"], strict=True):
            own = viewer.value in seal.audience
            assert set(entry) == {"for", "commitment", *(("salt", "value") if own else ())}
            assert not own or (entry["salt"], entry["value"]) == (seal.salt, seal.value)


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_no_salt_and_no_secret_is_in_what_a_viewer_gets_before_the_end(
    played: Table, viewer: Viewer
) -> None:
    shut = {seal.salt for seal in seals_against(played.events, viewer)} | {played.match.secret}
    shown = [show_event(event, viewer, finished=False) for event in played.events]
    got = orjson.dumps(shown).decode() + repr(view(played.match, viewer))
    assert len(shut) > 3
    assert [text for text in shut if text is None or text in got] == []


def test_the_views_of_a_running_match_hide_what_the_rules_hide() -> None:
    table = given(WHISPER).table
    seat = table.match.to_act or 0
    [card, *_] = [move["card"] for move in table.legal_moves() if move["action"] == "whisper"]
    table.play({"action": "whisper", "card": card})
    for viewer in OUTSIDERS:
        state = table.state(viewer) or {}
        own = viewer.seat == seat
        assert state["players"][seat - 1]["whispered"] == [card if own else None]
        assert (state["players"][seat - 1]["hand"] is not None) == own
        assert [side["deck"] for side in state["players"]] == [None, None]
        assert [side["deck_count"] for side in state["players"]].count(4) == 1
        last = table.view(viewer).last
        assert last is not None
        assert ("card" in last.move) == own


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_a_finished_match_opens_everything_to_everybody(played: Table, viewer: Viewer) -> None:
    assert played.match.status == "finished"
    assert played.shown(viewer) == played.shown(Viewer.SERVER)
    assert played.state(viewer) == played.state(Viewer.SERVER)
    entries = [entry for event in played.shown(viewer) for entry in event["sealed"]]
    assert all("salt" in entry for entry in entries)
    assert played.view(viewer).last == played.view(Viewer.SERVER).last


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_an_aborted_match_opens_nothing(viewer: Viewer) -> None:
    match = given(WHISPER)
    match.table.play(match.table.legal_moves()[-1])
    running = match.table.shown(viewer), match.table.state(viewer), match.table.view(viewer).last
    table = match.when(command=commands.AbortMatch(None)).leads_to("match-aborted")
    assert (table.shown(viewer)[:-1], table.state(viewer), table.view(viewer).last) == running
    assert seals_against(table.events, viewer)


def test_a_resignation_opens_everything_too() -> None:
    table = given(WHISPER).when(command=commands.Resign(1)).leads_to("match-ended")
    assert table.shown(Viewer.SPECTATOR) == table.shown(Viewer.SERVER)
    assert (table.state(Viewer.SEAT_2) or {})["players"][0]["deck"] is not None


def test_a_pass_shows_the_hand_to_both_seats_and_not_to_spectators() -> None:
    random = Random(5)
    table = Table.started(WHISPER, options={"target": 60})
    while "turn-passed" not in [event.kind for event in table.events]:
        table.play(random.choice(table.legal_moves()))
    assert not table.match.over
    passed = next(event for event in table.events if event.kind == "turn-passed")
    shown: dict[Viewer, JsonObject] = {
        viewer: show_event(passed, viewer, finished=False) for viewer in OUTSIDERS
    }
    [seat_1], [seat_2], [spectator] = (shown[viewer]["sealed"] for viewer in OUTSIDERS)
    assert seat_1 == seat_2
    assert set(seat_1["value"]) == {"hand"}
    assert set(spectator) == {"for", "commitment"}
    assert "hand" not in shown[Viewer.SPECTATOR]["data"]


def test_commitments_are_to_what_was_sealed_and_equal_values_commit_differently() -> None:
    deck = {"deck": [0, 1, 2, 3, 4, 5, 5, 5]}
    table = Table.started(WHISPER, settings=(deck, deck))
    seals = [seal for event in table.events for seal in event.sealed]
    assert all(seal.commitment == compute_commitment(seal.salt or "", seal.value) for seal in seals)
    own = [seal for event in table.events if event.kind == "seat-taken" for seal in event.sealed]
    assert own[0].value == own[1].value
    assert own[0].commitment != own[1].commitment
    assert len({seal.salt for seal in seals}) == len(seals)


def test_a_whisper_can_be_guessed_from_its_commitment_only_without_a_salt() -> None:
    table = given(WHISPER).table
    move = table.legal_moves()[-1]
    table.play(move)
    [seal] = table.events[-1].sealed
    guesses = [{"action": "whisper", "card": card} for card in range(6)]
    assert [
        guess for guess in guesses if compute_commitment("", guess) == compute_commitment("", move)
    ] == [move]
    assert [guess for guess in guesses if compute_commitment("", guess) == seal.commitment] == []


def test_a_refusal_for_a_card_that_the_other_seat_holds_says_nothing_of_it() -> None:
    match = given(WHISPER)
    seat = match.table.match.to_act or 0
    state = match.table.state() or {}
    own, other = (state["players"][index]["hand"] for index in (seat - 1, 2 - seat))
    absent = [card for card in range(6) if card not in own]
    told = {
        (card in other): match.when(move={"action": "say", "card": card}).refuses("illegal-move")
        for card in absent
    }
    assert told.keys() == {True, False}
    assert len({refusal.detail for refusal in told.values()}) == 1


RENDERERS = """
from domain.match.state import Match
from domain.game.scene import Scene
from domain.game.game import Viewer
from domain.match.views import MatchView, view

def careless(match: Match) -> Scene:
    return match.game.build_scene(match.started, None)

def clumsy(match: Match) -> object:
    return match.game.show(match.started)

def careful(match: Match) -> Scene | None:
    return through_the_door(view(match, Viewer.SPECTATOR))

def through_the_door(seen: MatchView) -> Scene | None:
    return None if seen.sight is None else seen.game.build_scene(seen.sight, seen.last)
"""


def test_a_renderer_that_is_given_the_truth_does_not_type_check(tmp_path: Path) -> None:
    faults = faults_of(RENDERERS, tmp_path)
    wrong = [number for number, line in enumerate(RENDERERS.splitlines(), 1) if ".started" in line]
    assert [line for line, _ in faults] == wrong, faults
    assert len(wrong) == 2
    for _, text in faults:
        assert text.startswith("error: ")
        assert 'incompatible type "Position"; expected "Sight"' in text


def test_a_viewer_is_told_nothing_of_the_decks_in_an_open_match() -> None:
    table = Given(Table(WHISPER, settings=({"deck": [5] * 8}, {}))).table
    for viewer in (Viewer.SEAT_2, Viewer.SPECTATOR):
        assert "[5, 5" not in repr(table.view(viewer)) + repr(table.shown(viewer))
    assert "[5, 5" in repr(table.shown(Viewer.SEAT_1))
