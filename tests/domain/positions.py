"""Positions of matches that were played at random, as the contract looks at them."""

from __future__ import annotations

import orjson

from domain.game.game import Move, Sight, Viewer
from domain.json_types import Json
from domain.match.state import Match
from domain.match.views import MatchView, view

BASES = 5
"""From so many legal moves of a position others are made."""


def legal(moment: Match) -> list[Move]:
    return list(moment.game.iter_legal_moves(moment.started))


def spread(moves: list[Move]) -> list[Move]:
    return moves[:: max(1, len(moves) // BASES)]


def json_of(value: Json) -> Json:
    return orjson.loads(orjson.dumps(value))


def sight_of(seen: MatchView) -> Sight:
    assert seen.sight is not None
    return seen.sight


def own_sight(moment: Match) -> Sight:
    return sight_of(view(moment, Viewer.from_seat(moment.to_act)))
