"""CSV: one row an event, with what happened in columns of its own and all of it as JSON.

A spreadsheet takes a cell that begins with certain characters for a formula, so that somebody's
name could compute. Such a cell gets an apostrophe in front, and so does one that begins with an
apostrophe: whoever reads takes one away where there is one, and has the text as it was.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO

from domain.game.game import AnyGame
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.log.event_format import canonical
from services.exchange.block_format import Reader, Subject, shown

COLUMNS = (
    "match",
    "game",
    "rules_version",
    "viewer",
    "events",
    "version",
    "at",
    "kind",
    "actor",
    "seat",
    "player",
    "name",
    "ply",
    "move",
    "winner",
    "reason",
    "data",
    "sealed",
    "previous",
    "hash",
)
"""The columns of version 1; later ones come behind these."""

_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def guarded(text: str) -> str:
    """Return a cell's text so that no spreadsheet takes it for a formula.

    >>> guarded("=1+1"), guarded("'tis"), guarded("ada")
    ("'=1+1", "''tis", 'ada')
    """
    return f"'{text}" if text.startswith(_FORMULAS) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell that ``guarded`` gave.

    >>> unguarded("'=1+1"), unguarded("''tis"), unguarded("ada")
    ('=1+1', "'tis", 'ada')
    """
    return cell.removeprefix("'")


def head_row() -> bytes:
    """Return the names of the columns."""
    return _written([COLUMNS])


def rows(reader: Reader, subject: Subject, games: Games) -> Iterator[bytes]:
    """Yield a match's rows in pieces, without the names of the columns."""
    game = games.get(subject.game, subject.rules_version)
    players: dict[int, str] = {}
    for events in reader.pages(subject):
        yield _written(_row(shown(stored, subject), subject, game, players) for stored in events)


def _row(
    event: JsonObject, subject: Subject, game: AnyGame, players: dict[int, str]
) -> tuple[str, ...]:
    """Return the cells of an event; who sits where, ``players``, is learnt on the way."""
    data, seat = event["data"], event["data"].get("seat")
    if event["kind"] == "seat-taken":
        players[seat] = data["player"]
    player = players.get(seat, "") if seat is not None else data.get("creator", "")
    cells = (
        event["match"],
        subject.game,
        subject.rules_version,
        subject.viewer.value,
        subject.events,
        event["version"],
        event["at"],
        event["kind"],
        event["actor"],
        seat,
        player,
        subject.names.get(player, ""),
        data.get("ply"),
        _move(event, game),
        data.get("winner"),
        data.get("reason"),
        canonical(data).decode(),
        canonical(event["sealed"]).decode() if event["sealed"] else None,
        event["previous"],
        event["hash"],
    )
    return tuple(map(_cell, cells))


def _move(event: JsonObject, game: AnyGame) -> str:
    """Write a move as the game does; what this viewer may not see of it is a ``?``."""
    if event["kind"] != "move-made":
        return ""
    whole = event["sealed"][0].get("value") if event["sealed"] else None
    return game.notation.write(event["data"]["move"] if whole is None else whole)


def _cell(value: Json) -> str:
    return "" if value is None else guarded(str(value))


def _written(rows: Iterable[Iterable[str]]) -> bytes:
    text = StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
