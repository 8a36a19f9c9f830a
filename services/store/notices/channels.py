"""Channels: where somebody wants to be told of what happens, such as a webhook.

A channel is claimed by whoever delivers, and is held for as long: so what goes there goes in
order, from one process at a time, and an address that does not answer holds up no other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.match.notices import TYPES
from services.store.db.engine import fetch, fetch_all, fetch_first, format_places, run
from services.store.db.metadata import DIGEST, INSTANT, PLAYER_ID, metadata

WEBHOOK, FEED, CALENDAR, EMAIL, PUSH = "webhook", "feed", "calendar", "email", "push"
"""Kinds. Notices are sent to a webhook, by mail, or pushed to a browser; a feed keeps them for
whoever comes to read it."""

FORMER_EMAIL = "former-email"
"""An address that was given up: it is told so, and forgotten then."""

MAIL = (EMAIL, FORMER_EMAIL)

notice_channels = sa.Table(
    "notice_channels",
    metadata,
    sa.Column("id", sa.String(18), primary_key=True),
    sa.Column("player", PLAYER_ID, nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("types", sa.Text, nullable=False),
    sa.Column("address", sa.Text),
    sa.Column("secret", sa.Text),
    sa.Column("digest", DIGEST, unique=True),
    sa.Column("former_secret", sa.Text),
    sa.Column("former_until", INSTANT),
    sa.Column("created_at", INSTANT, nullable=False),
    sa.Column("off_at", INSTANT),
    sa.Column("off_reason", sa.String(16)),
    sa.Column("failures", sa.Integer, nullable=False),
    sa.Column("failing_since", INSTANT),
    sa.Column("held_until", INSTANT, nullable=False),
    sa.Column("address_hash", DIGEST, index=True),
    sa.Column("confirmed_at", INSTANT),
    sa.Column("hour", sa.Integer),
    sa.Column("name", sa.Text),
    sa.CheckConstraint("failures >= 0", name="failures"),
    sa.CheckConstraint("length(digest) = 64", name="digest"),
    sa.Index(None, "player"),
    sa.Index(None, "held_until"),
)
"""``types``: of notices, by spaces. ``address``: where to; ``secret``: what signs what is sent,
beside ``former_secret`` until ``former_until``. ``digest``: of the secret by which it is read, of
one that nothing is sent to. ``off_at``, ``off_reason``: since when nothing is sent, and why; either
both or neither. ``failures``: in a row. ``held_until``: nothing is sent before that. ``name``: as
its player calls a webhook; what a browser calls itself.

Of push: ``secret`` has the browser's key, what both sides know, and the public key of ours that it
was told of; ``digest`` is of the address. Of e-mail: ``address_hash`` is keyed, of the address
however its capitals are; ``confirmed_at``, since when it is known that the player reads what is
sent there; ``hour``, of the day at which all is sent in one, None: at once.

No foreign key to players: a channel that is added is not to hold up what is done to its player."""


class ChannelRow(NamedTuple):
    """A channel; see ``notice_channels``."""

    id: str
    player: str
    kind: str
    types: str
    created_at: str
    address: str | None = None
    secret: str | None = None
    digest: str | None = None
    former_secret: str | None = None
    former_until: str | None = None
    off_at: str | None = None
    off_reason: str | None = None
    failures: int = 0
    failing_since: str | None = None
    held_until: str = ""
    address_hash: str | None = None
    confirmed_at: str | None = None
    hour: int | None = None
    name: str | None = None

    def start_anew(self, now: str) -> ChannelRow:
        """Return the channel as it is tried at once, whatever came of what was sent before."""
        return self._replace(failures=0, failing_since=None, held_until=now)


_FIELDS = ChannelRow._fields
_NAMES = ", ".join(_FIELDS)
_SELECT = f"SELECT {_NAMES} FROM notice_channels"  # noqa: S608 - only names of our own
_INSERT = f"INSERT INTO notice_channels ({_NAMES}) VALUES ({format_places(_FIELDS)})"  # noqa: S608
_SAVE = f"""
UPDATE notice_channels SET {", ".join(f"{name} = ?" for name in _FIELDS[1:])} WHERE id = ?
"""  # noqa: S608 - only names of our own
_ASKED = f"""
{_SELECT} WHERE kind = ? AND confirmed_at IS NOT NULL AND off_at IS NULL
AND (player = (SELECT id FROM players WHERE "key" = ? AND closed_at IS NULL) OR address_hash = ?)
ORDER BY created_at, id
"""  # noqa: S608
_UNCONFIRMED = """
SELECT id FROM notice_channels WHERE kind = ? AND confirmed_at IS NULL AND created_at < ?
"""
_FORMER = """
SELECT id FROM notice_channels WHERE kind = ? AND (created_at < ? OR NOT EXISTS (
    SELECT 1 FROM notice_deliveries AS sent
    WHERE sent.channel = notice_channels.id AND sent.due_at IS NOT NULL
))
"""

_IS_FREE = "off_at IS NULL AND (held_until <= ? OR held_until > ?)"
_DUE = f"""
SELECT id FROM (
    SELECT DISTINCT coalesce(channel, '') AS channel FROM notice_deliveries WHERE due_at <= ?
) AS due CROSS JOIN notice_channels WHERE id = channel AND {_IS_FREE}
AND (kind IN ('email', 'former-email')) = ? ORDER BY held_until, id LIMIT ?
"""  # noqa: S608 - only our own text
"""From what is due to its channels: of most channels nothing is, and what a digest waits for is
due later. (By CROSS JOIN SQLite takes them in this order, and by the expression it reads what is
due, not all that waits in the order of channels.)"""
_CLAIM = f"""
UPDATE notice_channels SET held_until = ? WHERE id = (
    SELECT id FROM notice_channels WHERE id IN ({{}}) AND {_IS_FREE} AND EXISTS (
        SELECT 1 FROM notice_deliveries AS sent
        WHERE sent.channel = notice_channels.id AND sent.due_at <= ?
    ) ORDER BY held_until, id LIMIT 1{{}}
) RETURNING {_NAMES}
"""  # noqa: S608
_FINISH = """
UPDATE notice_channels
SET held_until = ?, failures = ?, failing_since = ?, off_at = coalesce(?, off_at),
off_reason = coalesce(?, off_reason)
WHERE id = ? AND held_until = ?
"""


def format_types(types: Collection[str]) -> str:
    """Return types of notices as they are stored: in one order."""
    return " ".join(one for one in TYPES if one in types)


def insert(connection: Connection, row: ChannelRow) -> None:
    """Add a channel."""
    run(connection, _INSERT, row)


def find(connection: Connection, channel: str, *, lock: bool = False) -> ChannelRow | None:
    """Return a channel, or None; ``lock``: others who want to change it wait."""
    postgres = connection.dialect.name == "postgresql"
    sql = f"{_SELECT} WHERE id = ?{' FOR UPDATE' if lock and postgres else ''}"
    return fetch_first(connection, ChannelRow, sql, [channel])


def find_by_digest(connection: Connection, digest: str) -> ChannelRow | None:
    """Return the channel whose secret has this digest, or None."""
    return fetch_first(connection, ChannelRow, f"{_SELECT} WHERE digest = ?", [digest])


def list_by_player(connection: Connection, player: str, kind: str) -> list[ChannelRow]:
    """Return a player's channels of a kind, the oldest first."""
    sql = f"{_SELECT} WHERE player = ? AND kind = ? ORDER BY created_at, id"
    return fetch_all(connection, ChannelRow, sql, [player, kind])


def list_confirmed(connection: Connection, key: str, address_hash: str) -> list[ChannelRow]:
    """Return confirmed addresses of mail that are on: of a name's key, or those of a hash."""
    return fetch_all(connection, ChannelRow, _ASKED, [EMAIL, key, address_hash])


def list_unconfirmed_before(connection: Connection, instant: str) -> list[str]:
    """Return addresses of mail, by id, that were given before an instant and never confirmed."""
    return fetch_all(connection, str, _UNCONFIRMED, [EMAIL, instant])


def list_former_addresses(connection: Connection, before: str) -> list[str]:
    """Return addresses of mail, by id, that were given up before then, or are told so by now."""
    return fetch_all(connection, str, _FORMER, [FORMER_EMAIL, before])


def save(connection: Connection, row: ChannelRow) -> None:
    """Keep a channel as it is now."""
    run(connection, _SAVE, [*row[1:], row.id])


def delete(connection: Connection, channel: str) -> None:
    """Remove a channel, and all that was told there."""
    run(connection, "DELETE FROM notice_channels WHERE id = ?", [channel])
    run(connection, "DELETE FROM notice_deliveries WHERE channel = ?", [channel])


def delete_of(connection: Connection, player: str, *kinds: str) -> None:
    """Remove all channels of a player, or those of some kinds, and all that was told there."""
    found = fetch(connection, "SELECT id, kind FROM notice_channels WHERE player = ?", [player])
    for channel, kind in found:
        if not kinds or kind in kinds:
            delete(connection, channel)


def turn_off(connection: Connection, player: str, kind: str, reason: str, at: str) -> list[str]:
    """Turn a player's channels of a kind off; return which, by id, without those that were off."""
    sql = """
UPDATE notice_channels SET off_at = ?, off_reason = ?
WHERE player = ? AND kind = ? AND off_at IS NULL RETURNING id
"""
    return [row[0] for row in run(connection, sql, [at, reason, player, kind]).fetchall()]


class Wanted(NamedTuple):
    """Which channels are looked for: those that nobody holds now.

    ``latest``: nobody holds one for longer; one that is was held by a clock that went wrong.
    """

    now: str
    latest: str


def list_due(connection: Connection, wanted: Wanted, most: int, *, mail: bool) -> list[str]:
    """Return free channels where something is due, by id, the one that has waited longest first.

    Those of ``mail``, or all others. It is asked by reading, so that no writer waits for nothing.
    """
    values = [wanted.now, *wanted, mail, most]
    return fetch_all(connection, str, _DUE, values)


def claim(
    connection: Connection, wanted: Wanted, among: Sequence[str], until: str
) -> ChannelRow | None:
    """Hold the channel that has waited longest of these where something is due, if there is one.

    Of several who claim at once each gets another one. Who dies without having finished holds it
    until then, and no longer.
    """
    # A row that somebody else is about to claim is passed over, not waited for.
    postgres = connection.dialect.name == "postgresql"
    skipping = " FOR UPDATE OF notice_channels SKIP LOCKED" if postgres else ""
    sql = _CLAIM.format(format_places(among), skipping)
    return fetch_first(connection, ChannelRow, sql, [until, *among, *wanted, wanted.now])


def finish(connection: Connection, claimed: ChannelRow, after: ChannelRow) -> bool:
    """Let go of a channel that was ``claimed``, as it is ``after`` that.

    One that is claimed anew by now, since that took too long, or leads elsewhere, is left as it is:
    False. One that was turned off meanwhile stays so.
    """
    values: Sequence[object] = (
        after.held_until,
        after.failures,
        after.failing_since,
        after.off_at,
        after.off_reason,
        claimed.id,
        claimed.held_until,
    )
    return run(connection, _FINISH, values).rowcount == 1
