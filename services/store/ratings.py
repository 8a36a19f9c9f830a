"""Ratings as they are stored: what each match did, what players have, who may join a match.

All but ``rating_ranges`` follows from the log and the tree's leaves, and can be made anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.match.kinds import ENDINGS
from domain.match.state import FINISHED
from domain.rating.glicko2 import Rating
from services.store.db.engine import (
    fetch,
    fetch_all,
    fetch_among,
    fetch_first,
    insert_rows,
    make_save_sql,
    run,
)
from services.store.db.metadata import INSTANT, MATCH_ID, PLAYER_ID, POSITION, metadata

GAME = sa.String(32)

EVERY = 2**31
"""More than any list has."""

rating_changes = sa.Table(
    "rating_changes",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("game", GAME, nullable=False),
    sa.Column("player", PLAYER_ID, nullable=False),
    sa.Column("opponent", PLAYER_ID, nullable=False),
    sa.Column("leaf", POSITION, nullable=False),
    sa.Column("at", INSTANT, nullable=False),
    sa.Column("winner", sa.Integer),
    sa.Column("rating_before", sa.Integer, nullable=False),
    sa.Column("deviation_before", sa.Integer, nullable=False),
    sa.Column("volatility_before", sa.Integer, nullable=False),
    sa.Column("rating_after", sa.Integer, nullable=False),
    sa.Column("deviation_after", sa.Integer, nullable=False),
    sa.Column("volatility_after", sa.Integer, nullable=False),
    sa.CheckConstraint("seat IN (1, 2)", name="seat"),
    sa.CheckConstraint("winner IN (1, 2)", name="winner"),
    sa.Index(None, "player", "game", "leaf", unique=True),
)
"""What a match did to the rating of the person in a seat; ``at``: when it ended.

``before`` is what was computed with: what the match before left, less sure where time has passed.
``leaf``: the number of the tree's leaf that holds the match's end; matches count in this order. A
house player's rating stands fast, so that it has no rows.
"""

ratings = sa.Table(
    "ratings",
    metadata,
    sa.Column("game", GAME, primary_key=True),
    sa.Column("player", PLAYER_ID, primary_key=True),
    sa.Column("rating", sa.Integer, nullable=False),
    sa.Column("deviation", sa.Integer, nullable=False),
    sa.Column("volatility", sa.Integer, nullable=False),
    sa.Column("matches", sa.Integer, nullable=False),
    sa.Column("last_at", INSTANT, nullable=False),
    sa.CheckConstraint("matches >= 1", name="matches"),
    sa.Index(None, "game", "rating", "player"),
    sa.Index(None, "player"),
)
"""What a player has now, after so many matches, of which the last ended at ``last_at``."""

rating_progress = sa.Table(
    "rating_progress",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("next_leaf", POSITION, nullable=False),
    sa.Column("since", INSTANT, nullable=False),
    sa.CheckConstraint("id = 1", name="one"),
    sa.CheckConstraint("next_leaf >= 0", name="next_leaf"),
)
"""One row. All leaves before ``next_leaf`` have been looked at. Matches that were created before
``since`` do not count: nobody knew then that they would; "" where there were none."""

rating_ranges = sa.Table(
    "rating_ranges",
    metadata,
    sa.Column("match", MATCH_ID, primary_key=True),
    sa.Column("least", sa.Integer, nullable=False),
    sa.Column("most", sa.Integer, nullable=False),
    sa.CheckConstraint("least <= most", name="least"),
)
"""Between which ratings whoever joins a match has to be, where its creator has said it."""


class RatingChange(NamedTuple):
    """What a match did to the rating of the person in a seat; see ``rating_changes``."""

    match: str
    seat: int
    game: str
    player: str
    opponent: str
    leaf: int
    at: str
    winner: int | None
    before: Rating
    after: Rating

    @property
    def points(self) -> int:
        """Half points that the player has got: 2 for a win, 1 for a draw."""
        return 1 if self.winner is None else 2 if self.winner == self.seat else 0


class RatingNow(NamedTuple):
    """What a player has in a game; see ``ratings``."""

    game: str
    player: str
    rating: Rating
    matches: int
    last_at: str


class Progress(NamedTuple):
    """How far ratings have come; see ``rating_progress``."""

    next_leaf: int
    since: str


class EndLeaf(NamedTuple):
    """A leaf that holds the end of a finished match."""

    number: int
    match: str


class Range(NamedTuple):
    """Ratings from ``least`` to ``most``, in hundredths."""

    least: int
    most: int


_CHANGE = (
    '"match", seat, game, player, opponent, leaf, "at", winner, '
    "rating_before, deviation_before, volatility_before, "
    "rating_after, deviation_after, volatility_after"
)
_NOW = "game, player, rating, deviation, volatility, matches, last_at"


def get_progress(connection: Connection, *, lock: bool = False) -> Progress:
    """Return how far ratings have come.

    ``lock`` makes others who rate wait until the transaction ends. (On SQLite they wait anyway.)
    """
    sql = "SELECT next_leaf, since FROM rating_progress"
    if lock and connection.dialect.name == "postgresql":
        sql += " FOR UPDATE"
    return fetch_first(connection, Progress, sql) or Progress(0, "")


def go_on(connection: Connection, next_leaf: int) -> None:
    """Keep how far ratings have come."""
    run(connection, "UPDATE rating_progress SET next_leaf = ?", [next_leaf])


def count_leaves(connection: Connection) -> int:
    """Return how many leaves the tree has."""
    sql = "SELECT number + 1 FROM checkpoint_leaves ORDER BY number DESC LIMIT 1"
    return fetch_first(connection, int, sql) or 0


_ENDS = """
SELECT l.number, l."match" FROM checkpoint_leaves l
JOIN events e ON e."match" = l."match" AND e.version = l.version
LEFT JOIN imported_matches i ON i."match" = l."match"
WHERE l.number >= ? AND l.number < ? AND e.kind IN ({kinds}) AND i."match" IS NULL
ORDER BY l.number
""".format(kinds=", ".join(f"'{kind}'" for kind, ends in ENDINGS.items() if ends == FINISHED))
_END = _ENDS.replace("l.number >= ? AND l.number < ?", 'l."match" = ?')


def list_ends(connection: Connection, first: int, before: int) -> list[EndLeaf]:
    """Return the leaves of these numbers that hold the end of a match that was played here."""
    return fetch_all(connection, EndLeaf, _ENDS, [first, before])


def find_end(connection: Connection, match: str) -> EndLeaf | None:
    """Return the leaf that holds the end of a match that was played here, or None."""
    return fetch_first(connection, EndLeaf, _END, [match])


def insert(connection: Connection, changes: Iterable[RatingChange]) -> None:
    """Keep what a match did. The database refuses a match that is rated already."""
    sql = f"INSERT INTO rating_changes ({_CHANGE}) VALUES {{}}"  # noqa: S608 - our names
    insert_rows(connection, sql, [[*one[:8], *one.before, *one.after] for one in changes])


def list_changes(connection: Connection, match: str) -> list[RatingChange]:
    """Return what a match did, by seats."""
    sql = f'SELECT {_CHANGE} FROM rating_changes WHERE "match" = ? ORDER BY seat'  # noqa: S608
    return fetch_all(connection, _make_change, sql, [match])


def list_history(
    connection: Connection, player: str, game: str, after: int = -1, limit: int = EVERY
) -> list[RatingChange]:
    """Return a player's changes in a game behind a leaf, the oldest first."""
    sql = (
        f"SELECT {_CHANGE} FROM rating_changes "  # noqa: S608 - our names
        "WHERE player = ? AND game = ? AND leaf > ? ORDER BY leaf LIMIT ?"
    )
    return fetch_all(connection, _make_change, sql, [player, game, after, limit])


def list_latest(
    connection: Connection, player: str, game: str, before: int, limit: int = 1
) -> list[RatingChange]:
    """Return a player's last changes in a game before a leaf, the newest first."""
    sql = (
        f"SELECT {_CHANGE} FROM rating_changes "  # noqa: S608 - our names
        "WHERE player = ? AND game = ? AND leaf < ? ORDER BY leaf DESC LIMIT ?"
    )
    return fetch_all(connection, _make_change, sql, [player, game, before, limit])


_SAVE = make_save_sql("ratings", ["game", "player"], [*Rating._fields, "matches", "last_at"])


def save(connection: Connection, now: RatingNow) -> None:
    """Keep what a player has now."""
    insert_rows(connection, _SAVE, [[*now[:2], *now.rating, *now[3:]]])


def find(connection: Connection, game: str, player: str) -> RatingNow | None:
    """Return what a player has now in a game, or None."""
    return list_by_players(connection, [player], game).get((game, player))


def list_by_players(
    connection: Connection, players: Collection[str], game: str | None = None
) -> dict[tuple[str, str], RatingNow]:
    """Return what these players have now, by game and player, in the order of the games."""
    only = [] if game is None else [game]
    of = "WHERE game = ? AND" if only else "WHERE"
    sql = f"SELECT {_NOW} FROM ratings {of} player IN ({{}}) ORDER BY game, player"  # noqa: S608
    found = fetch_among(connection, sql, players, *only)
    return {(row[0], row[1]): _make_now(*row) for row in found}


def list_all(connection: Connection) -> dict[tuple[str, str], RatingNow]:
    """Return what all players have now, by game and player."""
    found = fetch(connection, f"SELECT {_NOW} FROM ratings", [])  # noqa: S608 - our names
    return {(row[0], row[1]): _make_now(*row) for row in found}


class BoardPlace(NamedTuple):
    """Behind whom a page of a leaderboard begins."""

    rating: int
    player: str


def list_board(
    connection: Connection, game: str, floor: tuple[int, str], after: BoardPlace | None, limit: int
) -> list[RatingNow]:
    """Return players of a game with at least so many matches, the last not before an instant.

    The highest rating comes first; between equals the id decides. Closed accounts are left out.
    """
    behind = "" if after is None else "AND (r.rating, r.player) < (?, ?)"
    names = ", ".join(f"r.{name.strip()}" for name in _NOW.split(","))
    sql = (
        f"SELECT {names} FROM ratings r JOIN players p ON p.id = r.player "  # noqa: S608 - our names
        "WHERE r.game = ? AND r.matches >= ? AND r.last_at >= ? AND p.closed_at IS NULL "
        f"{behind} ORDER BY r.rating DESC, r.player DESC LIMIT ?"
    )
    return fetch_all(connection, _make_now, sql, [game, *floor, *(after or ()), limit])


def clear(connection: Connection) -> None:
    """Throw away all ratings, to be made anew from the first leaf on."""
    for table in ("rating_changes", "ratings"):
        run(connection, f"DELETE FROM {table}", [])  # noqa: S608 - our names
    go_on(connection, 0)


def save_range(connection: Connection, match: str, wanted: Range) -> None:
    """Keep between which ratings whoever joins a match has to be."""
    run(
        connection,
        'INSERT INTO rating_ranges ("match", least, most) VALUES (?, ?, ?)',
        [match, *wanted],
    )


def find_ranges(connection: Connection, matches: Sequence[str]) -> dict[str, Range]:
    """Return those ranges that were asked for in some matches, by match."""
    sql = 'SELECT "match", least, most FROM rating_ranges WHERE "match" IN ({})'
    return {row[0]: Range(*row[1:]) for row in fetch_among(connection, sql, matches)}


def _make_change(*row: Any) -> RatingChange:  # noqa: ANN401 - the columns of a row
    return RatingChange._make([*row[:8], Rating(*row[8:11]), Rating(*row[11:])])


def _make_now(*row: Any) -> RatingNow:  # noqa: ANN401 - the columns of a row
    return RatingNow._make([*row[:2], Rating(*row[2:5]), *row[5:]])
