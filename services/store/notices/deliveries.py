"""Deliveries: each notice at each channel that wants it, and what has become of it. The outbox.

They are added by the statement, or in the transaction, that appends the events of which they
tell. So nothing is told of what was rolled back, and nothing that happened is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy import Connection

from domain.match.notices import TIME_LOW, Notice
from services.store.db.engine import (
    fetch,
    fetch_all,
    fetch_among,
    fetch_first,
    format_places,
    run,
    run_in_rows,
)
from services.store.db.metadata import INSTANT, MATCH_ID, POSITION, metadata

WAITING, SENT, FAILED, KEPT = "waiting", "sent", "failed", "kept"
STATES = (WAITING, SENT, FAILED)
"""What may be said of one that is sent; ``KEPT`` are those of feeds."""

PASSWORD_CHANGED, PASSKEY_ADDED, CODES_MADE = "password-changed", "passkey-added", "codes-made"
ADDRESS_CHANGED, ADDRESS_REMOVED = "address-changed", "address-removed"
SECURITY = (PASSWORD_CHANGED, PASSKEY_ADDED, CODES_MADE, ADDRESS_CHANGED, ADDRESS_REMOVED)
"""Types of what is told by mail of the account itself, whatever its player has chosen."""

OFF = "off"
"""Why one is not sent whose channel was turned off."""

notice_deliveries = sa.Table(
    "notice_deliveries",
    metadata,
    sa.Column("number", POSITION, primary_key=True, autoincrement=False),
    sa.Column("channel", sa.String(18), primary_key=True),
    sa.Column("type", sa.String(16), nullable=False),
    sa.Column("match", MATCH_ID),
    sa.Column("version", sa.Integer),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("at", INSTANT, nullable=False, index=True),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("due_at", INSTANT),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("status", sa.Integer),
    sa.Column("reason", sa.String(16)),
    sa.Column("tried_at", INSTANT),
    sa.CheckConstraint("state IN ('waiting', 'sent', 'failed', 'kept')", name="state"),
    sa.CheckConstraint("(state = 'waiting') = (due_at IS NOT NULL)", name="due"),
    sa.CheckConstraint("attempts >= 0", name="attempts"),
    sa.Index(None, "channel", "at", "number"),
)
"""``number``: that of the notice, the same at every channel. ``due_at``: when it is sent, or sent
again. ``status``, ``reason``, ``tried_at``: what came of the last attempt. No foreign key to the
channel: a move that is just being made would fail where somebody removes one."""

_WAITS = notice_deliveries.c.due_at.isnot(None)

sa.Index(
    None,
    notice_deliveries.c.channel,
    notice_deliveries.c.due_at,
    sqlite_where=_WAITS,
    postgresql_where=_WAITS,
)
sa.Index(
    None,
    notice_deliveries.c.due_at,
    notice_deliveries.c.channel,
    sqlite_where=_WAITS,
    postgresql_where=_WAITS,
)


class DeliveryRow(NamedTuple):
    """A delivery; see ``notice_deliveries``."""

    number: int
    channel: str
    type: str
    match: str | None
    version: int | None
    kind: str
    at: str
    state: str = WAITING
    due_at: str | None = None
    attempts: int = 0
    status: int | None = None
    reason: str | None = None
    tried_at: str | None = None


_FIELDS = DeliveryRow._fields
_NAMES = ", ".join(f'"{name}"' for name in _FIELDS)
_SELECT = f"SELECT {_NAMES} FROM notice_deliveries"  # noqa: S608 - only names of our own
_SAVE = f"""
INSERT INTO notice_deliveries ({_NAMES}) VALUES ({format_places(_FIELDS)})
ON CONFLICT (number, channel) DO UPDATE SET state = excluded.state, due_at = excluded.due_at,
attempts = excluded.attempts, status = excluded.status, reason = excluded.reason,
tried_at = excluded.tried_at
"""  # noqa: S608
_DROP = """
UPDATE notice_deliveries SET state = 'failed', due_at = NULL, reason = ?
WHERE channel = ? AND due_at IS NOT NULL
"""
_DELETE_OLDER = """
DELETE FROM notice_deliveries WHERE (number, channel) IN (
    SELECT number, channel FROM notice_deliveries AS old WHERE at < ? AND (
        due_at IS NULL OR NOT EXISTS (
            SELECT 1 FROM notice_channels WHERE id = old.channel AND off_at IS NULL
        )
    ) ORDER BY at LIMIT ?
)
"""
_LOW = """
SELECT id, to_act_player, deadline FROM matches
WHERE deadline > ? AND deadline <= ? AND (deadline, id) > (?, ?) AND status = 'active'
AND EXISTS (
    SELECT 1 FROM notice_channels AS told
    WHERE told.player = to_act_player AND told.off_at IS NULL AND told.types LIKE ?
) ORDER BY deadline, id LIMIT ?
"""
_LAST = """
SELECT id, (
    SELECT coalesce(tried_at, at) FROM notice_deliveries AS sent
    WHERE sent.channel = notice_channels.id AND sent.state IN ('sent', 'kept')
    ORDER BY sent.at DESC, sent.number DESC LIMIT 1
) FROM notice_channels WHERE player = ?
"""
_SENT_SINCE = """
SELECT count(*) FROM notice_deliveries
WHERE channel = ? AND at > ? AND state = 'sent' AND "match" IS NOT NULL
"""


@cache
def make_tell_sql(notices: int) -> str:
    """Return the SQL that adds so many notices, of what ``make_values`` gives for each.

    Each goes to the channels of its player that want it, and nowhere if there are none. One that
    is there already is left as it is.
    """
    places = ", ".join(["(CAST(? AS BIGINT), ?, ?, ?, CAST(? AS INTEGER), ?, ?, ?)"] * notices)
    return f"""
INSERT INTO notice_deliveries
(number, channel, type, "match", version, kind, at, state, due_at, attempts)
SELECT column1, channels.id, column3, column4, column5, column6, column7,
CASE channels.kind WHEN 'feed' THEN 'kept' ELSE 'waiting' END,
CASE channels.kind WHEN 'feed' THEN NULL ELSE column7 END, 0
FROM (VALUES {places}) AS told JOIN notice_channels AS channels
ON channels.player = column2 AND channels.off_at IS NULL
AND channels.types LIKE column8
WHERE true ON CONFLICT (number, channel) DO NOTHING
"""  # noqa: S608 - only our own text


def make_values(notice: Notice) -> tuple[object, ...]:
    """Return the values of a notice in ``make_tell_sql``."""
    return (*notice, f"%{notice.type}%")


def tell(connection: Connection, notices: Iterable[Notice]) -> None:
    """Add notices, as ``make_tell_sql`` does, in the caller's transaction."""
    run_in_rows(connection, make_tell_sql, [make_values(one) for one in notices])


def save(connection: Connection, row: DeliveryRow) -> None:
    """Add a delivery, or let one that is there be sent anew."""
    run(connection, _SAVE, row)


def add(connection: Connection, number: int, channel: str, type_: str, at: str) -> DeliveryRow:
    """Add a notice that is about no match to one channel, and return it."""
    row = DeliveryRow(number, channel, type_, None, None, type_, at, due_at=at)
    save(connection, row)
    return row


def find(connection: Connection, channel: str, number: int) -> DeliveryRow | None:
    """Return a delivery, or None."""
    sql = f"{_SELECT} WHERE number = ? AND channel = ?"
    return fetch_first(connection, DeliveryRow, sql, [number, channel])


def list_due(connection: Connection, channel: str, now: str, limit: int) -> list[DeliveryRow]:
    """Return what is to be sent to a channel now, what has waited longest first."""
    sql = f"{_SELECT} WHERE channel = ? AND due_at <= ? ORDER BY due_at, at, number LIMIT ?"
    return fetch_all(connection, DeliveryRow, sql, [channel, now, limit])


def list_page(
    connection: Connection, channel: str, limit: int, after: tuple[str, int, str] | None = None
) -> list[DeliveryRow]:
    """Return deliveries of a channel, newest first, behind a place in a list of several channels.

    A place is an instant, a number, and a channel.
    """
    behind = "" if after is None else "AND (at, number, channel) < (?, ?, ?)"
    sql = f"{_SELECT} WHERE channel = ? {behind} ORDER BY at DESC, number DESC LIMIT ?"
    return fetch_all(connection, DeliveryRow, sql, [channel, *(after or ()), limit])


def note(connection: Connection, found: Iterable[DeliveryRow]) -> None:
    """Keep what has become of deliveries; those that were removed meanwhile are left so.

    That is one statement: on SQLite moves wait as long as it is written.
    """
    kept = [
        (*row[:2], row.state, row.due_at, row.attempts, row.status, row.reason, row.tried_at)
        for row in found
    ]
    run_in_rows(connection, _make_note_sql, kept)


@cache
def _make_note_sql(number: int) -> str:
    place = "(CAST(? AS BIGINT), ?, ?, ?, CAST(? AS INTEGER), CAST(? AS INTEGER), ?, ?)"
    return f"""
UPDATE notice_deliveries SET state = column3, due_at = column4, attempts = column5,
status = column6, reason = column7, tried_at = column8
FROM (VALUES {", ".join([place] * number)}) AS noted WHERE number = column1 AND channel = column2
"""  # noqa: S608 - only our own text


def list_last_sent(connection: Connection, player: str) -> dict[str, str]:
    """Return when each channel of a player was last sent something, or has kept something."""
    return {row[0]: row[1] for row in fetch(connection, _LAST, [player]) if row[1] is not None}


def drop(connection: Connection, channel: str, reason: str, *, asked: bool = True) -> None:
    """Give up all that waits for a channel; ``asked``: also what somebody has asked for."""
    sql = _DROP if asked else f'{_DROP} AND "match" IS NOT NULL'
    run(connection, sql, [reason, channel])


def drop_all_but(connection: Connection, channel: str, types: Sequence[str], reason: str) -> None:
    """Give up what waits for a channel and is of none of these types."""
    sql = f"{_DROP} AND type NOT IN ({format_places(types)})"
    run(connection, sql, [reason, channel, *types])


def count_since(connection: Connection, channel: str, since: str, type_: str) -> int:
    """Return how many notices of a type a channel has got since an instant, sent or not."""
    sql = "SELECT count(*) FROM notice_deliveries WHERE channel = ? AND at > ? AND type = ?"
    return fetch_first(connection, int, sql, [channel, since, type_]) or 0


def count_sent_since(connection: Connection, channel: str, since: str) -> int:
    """Return how many notices of matches since an instant were sent to a channel."""
    return fetch_first(connection, int, _SENT_SINCE, [channel, since]) or 0


def hurry(connection: Connection, channel: str, now: str) -> None:
    """Let what has not been tried yet be looked at now, whatever it was put off to."""
    run(
        connection,
        "UPDATE notice_deliveries SET due_at = ? WHERE channel = ? AND attempts = 0 "
        "AND due_at IS NOT NULL",
        [now, channel],
    )


def delete_older(connection: Connection, before: str, limit: int) -> int:
    """Forget at most so many deliveries of what was before an instant; return how many.

    What is still to be sent stays until it is.
    """
    return run(connection, _DELETE_OLDER, [before, limit]).rowcount


class LowOnTime(NamedTuple):
    """A running match, who is to act, and until when; by the lists."""

    match: str
    player: str
    deadline: str


def list_low_on_time(
    connection: Connection, now: str, until: str, after: LowOnTime | None, limit: int
) -> list[LowOnTime]:
    """Return matches whose time is up by ``until``, and whose player wants to be told before."""
    behind = ("", "") if after is None else (after.deadline, after.match)
    return fetch_all(connection, LowOnTime, _LOW, [now, until, *behind, f"%{TIME_LOW}%", limit])


def list_known(connection: Connection, numbers: Sequence[int]) -> set[int]:
    """Return which of these notices have been told anywhere."""
    sql = "SELECT number FROM notice_deliveries WHERE number IN ({})"
    return {row[0] for row in fetch_among(connection, sql, numbers)}
