"""Two whole matches that a viewer cannot tell apart give that viewer the same bytes."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from domain.game.game import Draw, Last, Viewer
from domain.games.power_lines.moves import Move
from domain.games.power_lines.position import Position
from domain.games.power_lines.views import View
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.views import view
from tests.domain.games.power_lines.pictures import GAME
from tests.domain.twins import reshuffled, step, told, twins, without_digests
from tests.support.scenario import AnyRules, Table

OUTSIDERS = [Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR]
KNOWN = 18
"""More cards from the top of its deck than a seat gets to know in the moves played here."""

MOVES = 16
MATCHES = 6


def decks(random: Random) -> tuple[JsonObject, JsonObject]:
    first, second = ({"deck": random.choices(range(11), k=26)} for _ in range(2))
    return first, second


other_truth = reshuffled(KNOWN)


def look(table: Table, viewer: Viewer) -> bytes:
    sight = view(table.match, viewer)
    assert sight.sight is not None
    own = sight.to_act == viewer.seat
    moves = list(table.game.iter_legal_moves(table.match.started)) if own else []
    return write_canonical(
        {
            "events": [without_digests(event) for event in table.shown(viewer)],
            "state": table.game.show(sight.sight),
            "scene": repr(table.game.build_scene(sight.sight, sight.last)),
            "moves": [table.game.dump_move(move) for move in moves],
            "warnings": [table.game.warn(sight.sight, move) for move in moves[::9]],
            "told": list(told(table, viewer)),
        }
    )


def compared(game: AnyRules, viewer: Viewer) -> int:
    """Compare what a viewer gets of some twins; return in how many moments the truths differed."""
    differed = 0
    for number in range(MATCHES):
        pair = twins(game, GAME, viewer, number, settings=decks, other_truth=other_truth)
        random = Random(number)
        for _ in range(MOVES):
            assert look(pair.first, viewer) == look(pair.second, viewer)
            differed += pair.differ
            if not step(pair, random) or public(pair.first) != public(pair.second):
                break
    return differed


def public(table: Table) -> list[Json]:
    """Return what the rules reveal of a choice that arises and of cards that turn up."""
    state = table.state() or {}
    piles = [player[pile] for player in state["players"] for pile in ("discard", "trash")]
    return [state["pending"], *piles]


@pytest.mark.parametrize("viewer", OUTSIDERS)
def test_twin_matches_look_the_same(viewer: Viewer) -> None:
    assert compared(GAME, viewer) > MATCHES * 6


# --- the twins find what leaks ------------------------------------------------------------------


def open_conceal(_: Position, __: Move) -> None:
    return None


def open_view(position: Position, viewer: Viewer, over: bool) -> View:  # noqa: FBT001 - as in Game
    return GAME.view(position, viewer, over)._replace(seen=position, opened=True)


def open_next(position: Position) -> Any:  # noqa: ANN401 - a step
    awaited = GAME.get_next_step(position)
    return awaited._replace(hidden=False) if isinstance(awaited, Draw) else awaited


def chatty_scene(seen: View, last: Last | None) -> Any:  # noqa: ANN401 - a scene
    return seen.seen.sides, last


LEAKS = {
    "the public part of a move": replace(GAME, conceal=open_conceal),
    "a view": replace(GAME, view=open_view),
    "a draw": replace(GAME, get_next_step=open_next),
    "a scene of an open view": replace(GAME, view=open_view, build_scene=chatty_scene),
}


@pytest.mark.parametrize("leaky", LEAKS.values(), ids=LEAKS)
def test_a_leak_is_found(leaky: AnyRules) -> None:
    with pytest.raises(AssertionError):
        compared(leaky, Viewer.SEAT_2)
