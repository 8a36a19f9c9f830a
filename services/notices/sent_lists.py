"""What was sent to a player's channels, or waits to be: a page at a time, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import attrgetter

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from domain.match.notices import TEST
from services.errors import NotFound, TooOften
from services.store.cursors import CursorCipher, Page, Paging
from services.store.db.engine import Database
from services.store.matches import ListKey
from services.store.notices import channels, deliveries
from services.store.notices.deliveries import DeliveryRow

MOST_TESTS = 5
"""Tests of one channel in an hour, where somebody else carries them: a mail server, a push service.
"""

_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class SentLists:
    """Reads what a player's channels were sent, page by page."""

    database: Database
    sealer: CursorCipher

    def list_page(
        self,
        player: str,
        kind: str,
        limit: int,
        cursor: str | None = None,
        channel: str | None = None,
    ) -> Page[DeliveryRow, str]:
        """Return a page of what a player's channels of a kind were sent.

        ``channel``: of that one alone. Raises ``NotFound``, ``InvalidRequest`` and ``CursorGone``.
        """
        paging = Paging(self.sealer, f"deliveries {channel or f'{kind} {player}'}", cursor)
        with self.database.read() as connection:
            theirs = [one.id for one in channels.list_by_player(connection, player, kind)]
            if channel is not None and channel not in theirs:
                raise NotFound(say("You have no such webhook."))
            place = paging.begin(connection)
            after = place and (place.at, int(place.id, 16), paging.moment)
            wanted = theirs if channel is None else [channel]
            pages = [deliveries.list_page(connection, one, limit + 1, after) for one in wanted]
        found = sorted(
            (row for page in pages for row in page),
            key=attrgetter("at", "number", "channel"),
            reverse=True,
        )
        shown = found[:limit]
        return paging.make_page(
            shown,
            found,
            limit,
            lambda last: ListKey(last.at, f"{last.number:016x}"),
            shown[-1].channel if shown else "",
        )

    def list_last_sent(self, player: str) -> dict[str, str]:
        """Return when each of a player's channels was last sent something; a feed: got something.

        Channels that never were are left out.
        """
        with self.database.read() as connection:
            return deliveries.list_last_sent(connection, player)


def send_test(
    connection: Connection, channel: str, number: int, now: datetime, most: int = MOST_TESTS
) -> DeliveryRow:
    """Let a test be sent to a channel. Raises ``TooOften`` for more than ``most`` in an hour."""
    if deliveries.count_since(connection, channel, format_instant(now - _HOUR), TEST) >= most:
        wait = int(_HOUR.total_seconds())
        raise TooOften(say("That is enough tests for one hour."), wait)
    return deliveries.add(connection, number, channel, TEST, format_instant(now))
