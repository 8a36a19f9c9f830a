"""What a viewer must not know shows in nothing that they get: twins of the hidden test game."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.game.game import Draw, Viewer
from domain.json_types import JsonObject
from tests.domain.twins import Twins, look, reshuffled, step, twins
from tests.support.games import WHISPER
from tests.support.games.whisper import rules, sight
from tests.support.scenario import AnyRules

OUTSIDERS = [Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR]
KNOWN = rules.HAND_SIZE + 3
"""So many cards from the top of its deck a seat knows after three turns."""

MOST_MOVES = 6
MATCHES = 40


def decks(random: Random) -> tuple[JsonObject, JsonObject]:
    first, second = ({"deck": random.choices(range(6), k=rules.DECK_SIZE)} for _ in range(2))
    return first, second


other_truth = reshuffled(KNOWN)


def compared(game: AnyRules, viewer: Viewer) -> int:
    """Compare what ``viewer`` gets of many twins; return in how many moments they differed."""
    moments = 0
    for number in range(MATCHES):
        pair = twins(game, WHISPER, viewer, number, settings=decks, other_truth=other_truth)
        moments += _compared(pair, Random(number))
    return moments


def _compared(pair: Twins, random: Random) -> int:
    moments = 0
    for _ in range(MOST_MOVES):
        assert look(pair.first, pair.viewer) == look(pair.second, pair.viewer)
        moments += pair.differ
        if not step(pair, random):
            break
    return moments


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_twins_look_the_same(viewer: Viewer) -> None:
    assert compared(WHISPER, viewer) > 2 * MATCHES


def test_whoever_may_see_everything_can_tell_twins_apart() -> None:
    with pytest.raises(AssertionError):
        compared(WHISPER, Viewer.SERVER)


# --- the twins find what leaks ------------------------------------------------------------------


def chatty_forbidden(position: rules.Position, move: rules.Lay) -> str | None:
    fault = rules.check_move(position, move)
    other = position.sides[2 - position.seat]
    return None if fault is None else f"{fault} P{3 - position.seat} holds {other.hand}."


def open_conceal(_: rules.Position, move: rules.Lay) -> JsonObject:
    return rules.dump_move(move)


def open_view(position: rules.Position, viewer: Viewer, over: bool) -> sight.View:  # noqa: FBT001
    seen = sight.view(position, viewer, over)
    first, second = (
        side._replace(whispered=truth.whispered)
        for side, truth in zip(seen.sides, position.sides, strict=True)
    )
    return seen._replace(sides=(first, second))


def next_unsealed(position: rules.Position) -> Any:  # noqa: ANN401 - a step
    waited_for = rules.get_next_step(position)
    return waited_for._replace(hidden=False) if isinstance(waited_for, Draw) else waited_for


LEAKS = {
    "a refusal": replace(WHISPER, check_move=chatty_forbidden),
    "the public part of a move": replace(WHISPER, conceal=open_conceal),
    "a view": replace(WHISPER, view=open_view),
    "a draw": replace(WHISPER, get_next_step=next_unsealed),
}


@pytest.mark.parametrize("leaky", LEAKS.values(), ids=LEAKS)
def test_a_leak_is_found(leaky: AnyRules) -> None:
    with pytest.raises(AssertionError):
        compared(leaky, Viewer.SEAT_2)
