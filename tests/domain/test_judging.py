"""Moves judged in a row come to what judging one after the other comes to, in every game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import takewhile

import orjson

from domain.errors import MalformedMove
from domain.game.game import AnyGame, Move
from domain.json_types import JsonObject
from domain.judging import judged, one_by_one
from domain.match.events import MoveMade
from domain.match.state import Match
from tests.domain.mutants import neighbours
from tests.domain.playouts import Playout
from tests.domain.positions import legal, spread

MOST = 150
"""Different moves that are tried at every position of a match."""


def looked_at(played: Playout) -> list[Match]:
    """Return the moments at which a seat is to act; a few, if the game judges one by one."""
    if played.game.judge_all is None:
        return played.acting[:: len(played.acting) - 1 or 1]
    return [moment for moment in played.moments if moment.to_act is not None]


def rows(played: Playout) -> Iterator[tuple[Match, list[Match]]]:
    """Yield moments with the moments behind moves that were made in a row from there on."""
    first = played.moments[0].version
    for moment in looked_at(played):
        behind = played.moments[moment.version + 1 - first :]
        after = takewhile(
            lambda one: isinstance(played.table.events[one.version - 1].fact, MoveMade), behind
        )
        if found := list(after):
            yield moment, found


def made(played: Playout, moments: list[Match]) -> list[Move]:
    return [played.game.form(one.last[1]) for one in moments if one.last is not None]


def within(played: Playout) -> list[Move]:
    """Return moves that somebody could make at some time of a match, and others near them."""
    found: dict[bytes, Move] = {}
    for moment in played.acting:
        moves = legal(moment)
        written = [played.game.written(move) for move in spread(moves)]
        near = (one for base in written for one in neighbours(base, written))
        for move in (*moves, *map(partial(_formed, played.game), near)):
            if move is not None and len(found) < MOST:
                found[orjson.dumps(played.game.written(move), option=orjson.OPT_SORT_KEYS)] = move
    return list(found.values())


def _formed(game: AnyGame, near: JsonObject) -> Move | None:
    try:
        move = game.form(near)
        orjson.dumps(game.written(move))
    except (MalformedMove, orjson.JSONEncodeError):
        return None
    return move


def test_a_row_of_moves_leads_where_they_led(played: Playout) -> None:
    for moment, after in rows(played):
        moves, position, done = made(played, after), moment.started, 0
        while done < len(moves):
            number, position = judged(played.game, position, moves[done:])
            assert number >= 1
            done += number
            assert position == after[done - 1].position


def test_a_move_is_played_in_a_row_if_nothing_forbids_it(played: Playout) -> None:
    moves = within(played)
    for moment in looked_at(played):
        for move in moves:
            number, position = judged(played.game, moment.started, [move])
            assert number == (played.game.forbidden(moment.started, move) is None)
            row = [move][:number]
            assert position == one_by_one(played.game, moment.started, row)[1]


def test_a_row_goes_no_further_than_one_by_one(played: Playout) -> None:
    moves = within(played)
    for moment, after in rows(played):
        [first] = made(played, after[:1])
        for move in moves:
            row = [first, move, first]
            number, position = judged(played.game, moment.started, row)
            assert 1 <= number <= one_by_one(played.game, moment.started, row)[0]
            assert position == one_by_one(played.game, moment.started, row[:number])[1]
