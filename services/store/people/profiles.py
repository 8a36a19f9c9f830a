"""What players have chosen for themselves: how they are called, their time zone, what is shown.

Who has chosen nothing has no row, and is called by the log-in name.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from services.store.db.engine import fetch, fetch_among, run
from services.store.db.metadata import PLAYER_ID, metadata

LONGEST_SKELETON = 255
"""Characters; what comes behind them counts for nothing."""

profiles = sa.Table(
    "profiles",
    metadata,
    sa.Column("player", PLAYER_ID, sa.ForeignKey("players.id"), primary_key=True),
    sa.Column("display_name", sa.String(64)),
    sa.Column(
        "skeleton",
        sa.String(LONGEST_SKELETON).with_variant(
            sa.String(LONGEST_SKELETON, collation="C"), "postgresql"
        ),
        index=True,
    ),
    sa.Column("time_zone", sa.String(64)),
    sa.Column("shows_record", sa.Boolean, nullable=False),
    sa.Column("shows_matches", sa.Boolean, nullable=False),
    sa.Column("language", sa.String(16)),
)
"""``skeleton``: what the display name has in common with all that look like it, sorted by its
bytes. ``language``: of pages and mails, as its catalogue is called."""


class ProfileRow(NamedTuple):
    """What a player has chosen.

    ``display_name`` None: they are called by the log-in name. ``time_zone``: of the IANA list;
    None: pages tell times as the browser does, or in UTC. ``shows_record``, ``shows_matches``:
    whether what they have won and lost, and their matches, stand on their page. ``language``: of
    pages and mails; None: pages ask the browser, and mails are in English.
    """

    display_name: str | None = None
    time_zone: str | None = None
    shows_record: bool = True
    shows_matches: bool = True
    language: str | None = None


class PlayerName(str):
    """A log-in name, which links and the API use; ``shown`` is the name for people to read.

    It is a text like any other: what looks a player up, compares names or writes JSON needs to know
    nothing of display names, and whoever shows a name to people asks ``show_name``. ``leaving``:
    its account is to be deleted.
    """

    __slots__ = ("leaving", "shown")
    shown: str
    leaving: bool

    @classmethod
    def make(cls, name: str, display_name: str | None, *, leaving: bool = False) -> PlayerName:
        """Return a name with what is shown of it: the display name, if there is one."""
        made = cls(name)
        made.shown, made.leaving = display_name or name, leaving
        return made


def show_name(name: str) -> str:
    """Return what people read of a name.

    >>> show_name("ada"), show_name(PlayerName.make("ada", "Ada Lovelace"))
    ('ada', 'Ada Lovelace')
    """
    return name.shown if isinstance(name, PlayerName) else name


_COLUMNS = ", ".join(ProfileRow._fields)
_SAVE = f"""
INSERT INTO profiles (player, skeleton, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (player) DO UPDATE SET
{", ".join(f"{name} = excluded.{name}" for name in ("skeleton", *ProfileRow._fields))}
"""  # noqa: S608 - names of our own


_NAMES = """
SELECT id, name, display_name, closes_at IS NOT NULL
FROM players LEFT JOIN profiles ON player = id WHERE id IN ({})
"""


def get(connection: Connection, player: str) -> ProfileRow:
    """Return what a player has chosen."""
    return find_many(connection, [player]).get(player, ProfileRow())


def find_many(connection: Connection, players: Collection[str]) -> dict[str, ProfileRow]:
    """Return what those of these players have chosen who have chosen anything, by their ids."""
    sql = f"SELECT player, {_COLUMNS} FROM profiles WHERE player IN ({{}})"  # noqa: S608 - our names
    return {
        player: ProfileRow(name, zone, bool(record), bool(matches), language)
        for player, name, zone, record, matches, language in fetch_among(connection, sql, players)
    }


def save(connection: Connection, player: str, row: ProfileRow, skeleton: str | None) -> None:
    """Keep what a player has chosen, and the ``skeleton`` of the display name."""
    run(connection, _SAVE, [player, skeleton, *row])


def find_names(connection: Connection, ids: Collection[str]) -> dict[str, PlayerName]:
    """Return the names of players by id; an id that nobody has is left out."""
    return {
        player: PlayerName.make(name, shown, leaving=bool(leaving))
        for player, name, shown, leaving in fetch_among(connection, _NAMES, ids)
    }


class NamedPlayer(NamedTuple):
    """A player with a display name."""

    id: str
    name: str
    created_at: str
    display_name: str


BY_PREFIX = """
SELECT id, name, created_at, display_name FROM profiles JOIN players ON id = player
WHERE profiles.skeleton >= ? AND profiles.skeleton < ? AND closed_at IS NULL
ORDER BY profiles.skeleton LIMIT ?
"""
_BEHIND = "\U0010ffff"
"""Comes behind all that names are made of."""


def list_by_prefix(
    connection: Connection, beginnings: Collection[str], most: int
) -> list[NamedPlayer]:
    """Return players whose display names look as if they began so: ``most`` of each beginning."""
    found = (fetch(connection, BY_PREFIX, [one, one + _BEHIND, most]) for one in sorted(beginnings))
    return list(dict.fromkeys(NamedPlayer(*row) for some in found for row in some))


def is_shown(connection: Connection, skeletons: Collection[str], but: str = "") -> bool:
    """Tell whether somebody has a display name with one of these skeletons; ``but``: not who."""
    sql = "SELECT 1 FROM profiles WHERE player <> ? AND skeleton IN ({}) LIMIT 1"
    return bool(fetch_among(connection, sql, skeletons, but))


def is_log_in_name(connection: Connection, skeletons: Collection[str], but: str) -> bool:
    """Tell the same of the names by which people log in, or did."""
    sql = "SELECT 1 FROM players WHERE id <> ? AND skeleton IN ({}) LIMIT 1"
    return bool(fetch_among(connection, sql, skeletons, but))
