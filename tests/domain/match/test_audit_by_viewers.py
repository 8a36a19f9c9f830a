"""What anybody can check of a finished match with nothing but the events that they are shown."""

from __future__ import annotations

from copy import deepcopy

import pytest

from domain.game.game import Viewer
from domain.json_types import JsonObject
from tests.domain.auditor import chain_holds, replayed, seals_hold
from tests.domain.playouts import Playout
from tests.support.games import WHISPER
from tests.support.scenario import Table, instant


@pytest.fixture
def shown() -> list[JsonObject]:
    """Give the events of a finished match of Whisper, as a spectator sees them."""
    table = Table(WHISPER, seat=None)
    table.join(contribution="ab" * 32)
    while not table.match.over:
        table.play(table.legal_moves()[-1])
    return deepcopy(table.shown(Viewer.SPECTATOR))


def test_a_spectator_of_a_finished_match_can_check_and_repeat_it(played: Playout) -> None:
    shown = played.table.shown(Viewer.SPECTATOR)
    assert chain_holds(shown)
    assert seals_hold(shown)
    match, false_draws = replayed(shown, played.table.games)
    assert match == played.table.match
    assert false_draws == []


def test_everybody_checks_the_same_chain_while_the_match_runs() -> None:
    table = Table.started(WHISPER)
    table.play(table.legal_moves()[-1])
    heads = {table.shown(viewer)[-1]["hash"] for viewer in Viewer}
    assert heads == {table.match.head}
    assert all(chain_holds(table.shown(viewer)) for viewer in Viewer)


def test_a_changed_member_breaks_the_chain(shown: list[JsonObject]) -> None:
    assert chain_holds(shown)
    shown[4]["at"] = instant(99)
    assert not chain_holds(shown)


def test_a_left_out_event_breaks_the_chain(shown: list[JsonObject]) -> None:
    del shown[3]
    assert not chain_holds(shown)


def test_another_value_than_the_one_sealed_does_not_open_a_seal(shown: list[JsonObject]) -> None:
    assert seals_hold(shown)
    shuffle = next(event for event in shown if event["data"].get("purpose") == "shuffle")
    shuffle["sealed"][0]["value"].reverse()
    assert not seals_hold(shown)


def test_dice_that_do_not_follow_from_the_secret_are_found(shown: list[JsonObject]) -> None:
    table = Table(WHISPER)
    assert replayed(shown, table.games)[1] == []
    contributed = next(event for event in shown if event["kind"] == "dice-contributed")
    contributed["data"]["contribution"] = "cd" * 32
    assert 2 in replayed(shown, table.games)[1]


def test_a_draw_for_the_seat_is_checked_too(shown: list[JsonObject]) -> None:
    seat = shown[1]["data"]
    assert (seat["draw"], seat["purpose"]) == (0, "seat")
    seat["outcome"] = 3 - seat["outcome"]
    assert 0 in replayed(shown, Table(WHISPER).games)[1]
