"""How a player's public matches ended, counted by game, straight from the lists."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection

from services.store.db.sql import rows

_COUNT = """
SELECT game, seat, winner, count(*) FROM (
    SELECT game, 1 AS seat, winner, id FROM matches
    WHERE seat_1 = ? AND status = 'finished' AND visibility = 'public'
    UNION ALL
    SELECT game, 2 AS seat, winner, id FROM matches
    WHERE seat_2 = ? AND status = 'finished' AND visibility = 'public'
) AS played
WHERE NOT EXISTS (SELECT 1 FROM imported_matches WHERE imported_matches."match" = played.id)
GROUP BY game, seat, winner ORDER BY game
"""


class Count(NamedTuple):
    """So many matches of a game that the player sat in at ``seat``, won by ``winner`` (or None)."""

    game: str
    seat: int
    winner: int | None
    matches: int


def counts(connection: Connection, player: str) -> list[Count]:
    """Return the counts of a player's matches; imported ones are nobody's here."""
    return [Count(*row) for row in rows(connection, _COUNT, [player, player])]
