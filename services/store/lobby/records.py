"""What players have won, lost and drawn: public matches that were played here to an end.

A house player has played so many matches that nobody can wait until they are counted. So their
results are kept in sums (``records``), and ``matches.counted`` says which are in there. A record is
the sum and what is not in it yet: it is right at every moment, and whoever ends a match waits for
no sum that others want, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_all, format_places, run
from services.store.db.metadata import PLAYER_ID, metadata
from services.store.matches import matches

records = sa.Table(
    "records",
    metadata,
    sa.Column("player", PLAYER_ID, primary_key=True),
    sa.Column("game", sa.String(32), primary_key=True),
    sa.Column("won", sa.Integer, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),
    sa.Column("drawn", sa.Integer, nullable=False),
)
"""The sum of the results of matches that are ``counted``. A cache: see ``put_right``."""

_COUNTS = "status = 'finished' AND visibility = 'public'"
_WAITS = f"{_COUNTS} AND counted = false"

for _seat in (matches.c.seat_1, matches.c.seat_2):
    sa.Index(
        f"ix_matches_uncounted_{_seat.name}",
        # By more than the seat, that SQLite finds this index the narrower one.
        *(matches.c.counted, _seat),
        sqlite_where=sa.text(_WAITS),
        postgresql_where=sa.text(_WAITS),
    )


class Record(NamedTuple):
    """How often a player has won, lost and drawn a game (its slug)."""

    player: str
    game: str
    won: int
    lost: int
    drawn: int


_OF_SEAT = """
SELECT seat_{0} AS player, game, CASE WHEN winner = {0} THEN 1 ELSE 0 END AS won,
CASE WHEN winner <> {0} THEN 1 ELSE 0 END AS lost,
CASE WHEN winner IS NULL THEN 1 ELSE 0 END AS drawn
FROM matches WHERE {1}
AND NOT EXISTS (SELECT 1 FROM imported_matches WHERE imported_matches."match" = matches.id)
"""
_SUM = """
SELECT player, game, sum(won) AS won, sum(lost) AS lost, sum(drawn) AS drawn
FROM ({}) AS every GROUP BY player, game
"""
_ADD = """
INSERT INTO records (player, game, won, lost, drawn) {} ORDER BY player, game
ON CONFLICT (player, game) DO UPDATE SET won = records.won + excluded.won,
lost = records.lost + excluded.lost, drawn = records.drawn + excluded.drawn
"""


def _make_sum_sql(condition: str, beside: str = "") -> str:
    """Return the SQL for results by player and game of the matches that meet a condition.

    ``{}`` in it: the number of a seat. ``beside``: SQL for rows that are to be added.
    """
    seats = [_OF_SEAT.format(seat, condition.format(seat)) for seat in (1, 2)]
    return _SUM.format(" UNION ALL ".join([*seats, *filter(None, [beside])]))


def list_by_players(connection: Connection, players: Sequence[str]) -> list[Record]:
    """Return the records of some players, by player and game."""
    if not players:
        return []
    places = format_places(players)
    kept = f"SELECT * FROM records WHERE player IN ({places})"  # noqa: S608 - places alone
    asked = _make_sum_sql(f"seat_{{}} IN ({places}) AND {_WAITS}", kept)
    found = fetch(connection, f"{asked} ORDER BY player, game", [*players] * 3)
    return [Record(*row) for row in found if any(row[2:])]


def list_waiting(connection: Connection, limit: int) -> list[str]:
    """Return matches that are in no sum yet, so many at most."""
    # All have somebody in their first seat. Said so, it leads SQLite to that index here, too.
    asked = f"SELECT id FROM matches WHERE {_WAITS} AND seat_1 > '' LIMIT ?"  # noqa: S608 - our own
    return fetch_all(connection, str, asked, [limit])


def add_results(connection: Connection, ids: Sequence[str]) -> int:
    """Add the results of those of these waiting matches that still do; return how many.

    One whose row somebody holds is left for later, so that no two ever wait for each other.
    """
    # "NOT counted": by "counted = false" SQLite would go through all that wait, each time.
    asked = "SELECT id FROM matches WHERE id IN ({}) AND NOT counted"
    if connection.dialect.name == "postgresql":
        asked += " FOR UPDATE SKIP LOCKED"
    held = fetch_all(connection, str, asked.format(format_places(ids)), ids)
    if held:
        these = f"id IN ({format_places(held)})"
        run(connection, f"UPDATE matches SET counted = true WHERE {these}", held)  # noqa: S608 - places
        run(connection, _ADD.format(_make_sum_sql(these)), held * 2)
    return len(held)


_KEPT = "SELECT player, game, -won, -lost, -drawn FROM records"
_WRONG = (
    f"{_make_sum_sql(f'counted = true AND {_COUNTS}', _KEPT)} "
    "HAVING sum(won) <> 0 OR sum(lost) <> 0 OR sum(drawn) <> 0"
)


_IN_NO_SUM = f"counted = true AND NOT ({_COUNTS})"
_MARKED = f"SELECT coalesce(seat_1, creator), game FROM matches WHERE {_IN_NO_SUM}"  # noqa: S608 - our own


def list_wrong(connection: Connection) -> list[tuple[str, str]]:
    """Return whose sums are not those of the matches that they are of: players, and games.

    Also those in whose first seat a match says that it is in a sum, and is of none.
    """
    asked = f"SELECT player, game FROM ({_WRONG}) AS sums UNION {_MARKED} ORDER BY 1, 2"  # noqa: S608 - our own
    return [(row[0], row[1]) for row in fetch(connection, asked, [])]


def put_right(connection: Connection) -> int:
    """Add to sums what they lack of their matches; return how many were wrong.

    What is added is found in one statement, so others may end and count matches meanwhile.
    """
    marked = run(connection, f"UPDATE matches SET counted = false WHERE {_IN_NO_SUM}", []).rowcount  # noqa: S608
    return marked + run(connection, _ADD.format(_WRONG), []).rowcount
