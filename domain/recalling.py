"""Moves of record, played on without reading the same bytes twice.

A move is recorded in one form only, so its canonical bytes say all of it; and of most games
there are few moves, which come again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import orjson

from domain.game.game import AnyGame, Move, Position

MOVES_KEPT = 10_000
"""Moves of a game that are kept as they were read: more than there are on a small board."""

_known: dict[Callable[..., Any], dict[bytes, Move]] = {}
"""For each game, told by its ``form``: moves by their canonical bytes."""


def played(game: AnyGame, position: Position, written: Sequence[bytes]) -> Position:
    """Return the position after moves of record, in order. Nothing is judged."""
    known = _known.setdefault(game.form, {})
    moves = [known.get(one) or _recalled(game, known, one) for one in written]
    if game.play_all is not None:
        return game.play_all(position, moves)
    return reduce(game.play, moves, position)


def _recalled(game: AnyGame, known: dict[bytes, Move], written: bytes) -> Move:
    move: Move = (game.recall or game.form)(orjson.loads(written))
    if len(known) >= MOVES_KEPT:
        known.clear()
    known[written] = move
    return move
