"""Imported matches that seem to seat somebody of ours, as a file may have been made to say."""

from __future__ import annotations

from io import BytesIO

import orjson

from domain.match import commands
from services.container import Services
from tests.services.planting import lines_of, rechained, written
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, Table


def imported_as(
    house: Services,
    ids: tuple[str, str],
    visibility: str = "public",
    names: tuple[str, str] | None = None,
) -> str:
    """Import a match whose players have the ids of two accounts; return its id.

    A public one was rated where it was played. ``names``: what the file calls them.
    """
    table = Table(
        test_games().get("path-capture"),
        visibility=visibility,
        opponent=PLAYERS[1] if visibility == "private" else None,
    )
    table.join()
    table.play({"steps": 3})
    table.do(commands.Resign(1))
    file = written(lines_of(table)).decode()
    for theirs, ours in zip(PLAYERS, ids, strict=True):
        file = file.replace(theirs, ours)
    if visibility == "public":
        file = file.replace('"rated":false', '"rated":true')
    lines = rechained([orjson.loads(line) for line in file.splitlines()])
    if names is not None:
        lines[0]["names"] = dict(zip(ids, names, strict=True))
    [told] = house.imports.read(BytesIO(written(lines)))
    assert told.outcome == "imported", told.reason
    return table.match.id
