"""What a player's other programs come to read: a feed of notices, and a calendar of deadlines.

Such a program shows no password and no token. Its address is the secret: it is stored as a digest
only, shown once, and can be revoked. There is one of each kind; a new one takes the place of the
former. A feed is a channel of notices that nothing is sent to: they are kept for whoever comes. A
calendar is what the lists say when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from domain.match.notices import TYPES
from services.accounts.accounts import hash_secret
from services.accounts.closing import must_be_open
from services.errors import InvalidRequest, NotFound
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.lobby import lists
from services.store.notices import channels, deliveries
from services.store.notices.channels import CALENDAR, FEED, ChannelRow
from services.store.people import profiles

KINDS = (FEED, CALENDAR)

MOST_ENTRIES, MOST_DEADLINES = 50, 200


class Subscription(NamedTuple):
    """An address to read something at, without its secret. ``id``: of what is read there."""

    id: str
    kind: str
    created_at: str


class FeedEntry(NamedTuple):
    """A notice in a feed, and the match as the feed's player may see it now."""

    number: int
    type: str
    at: str
    shown: ShownMatch


class FeedOfNotices(NamedTuple):
    """A feed, its newest entry first."""

    subscription: Subscription
    entries: list[FeedEntry]


class Deadline(NamedTuple):
    """Until when a player has to act in a match: to move, or to answer a challenge."""

    shown: ShownMatch
    at: str
    challenge: bool


@dataclass(frozen=True, slots=True)
class Subscriptions:
    """Use cases around feeds and calendars."""

    queries: MatchQueries
    now: Now
    randomness: Randomness

    def get_by_kind(self, player: str) -> dict[str, Subscription]:
        """Return a player's subscriptions by their kinds."""
        with self.queries.database.read() as connection:
            found = [
                row for kind in KINDS for row in channels.list_by_player(connection, player, kind)
            ]
        return {row.kind: _make_view(row) for row in found}

    def make(self, player: str, kind: str) -> str:
        """Return the secret of a new address, which is told this once; the former one is revoked.

        Raises ``InvalidRequest`` for another kind.
        """
        _check(kind)
        secret, now = self.randomness.make_token(), format_instant(self.now())
        types = " ".join(TYPES) if kind == FEED else ""
        row = ChannelRow(
            self.randomness.make_channel_id(),
            player,
            kind,
            types,
            now,
            digest=hash_secret(secret),
            held_until=now,
        )
        with self.queries.database.write() as connection:
            must_be_open(connection, player)
            _remove(connection, player, kind)
            channels.insert(connection, row)
        return secret

    def revoke(self, player: str, kind: str) -> None:
        """Let nobody read at an address any more. Raises ``InvalidRequest`` and ``NotFound``."""
        _check(kind)
        with self.queries.database.write() as connection:
            if not _remove(connection, player, kind):
                raise NotFound(say("There is no such address: it may have been revoked already."))

    def find_language(self, secret: str) -> str | None:
        """Return the language that the player of an address has chosen, if there is one."""
        with self.queries.database.read() as connection:
            row = channels.find_by_digest(connection, hash_secret(secret))
            return None if row is None else profiles.get(connection, row.player).language

    def get_feed(self, secret: str) -> FeedOfNotices:
        """Return the feed at an address. Raises ``NotFound``."""
        with self.queries.database.read() as connection:
            row = _get_channel(connection, secret, FEED)
            kept = deliveries.list_page(connection, row.id, MOST_ENTRIES)
            matches = {one.match for one in kept if one.match is not None}
            shown = {one: self._show(connection, row.player, one) for one in matches}
        entries = [
            FeedEntry(one.number, one.type, one.at, match)
            for one in kept
            if one.match is not None and (match := shown[one.match]) is not None
        ]
        return FeedOfNotices(_make_view(row), entries)

    def get_calendar(self, secret: str) -> list[Deadline]:
        """Return the deadlines at an address, the next one first. Raises ``NotFound``."""
        with self.queries.database.read() as connection:
            row = _get_channel(connection, secret, CALENDAR)
            to_move = lists.list_to_move(connection, row.player, MOST_DEADLINES)
            challenges = lists.list_challenges(connection, row.player, MOST_DEADLINES)
            found = [(one, False) for one in to_move] + [(one, True) for one in challenges]
            shown = [
                (self._show(connection, row.player, one), challenge) for one, challenge in found
            ]
        deadlines = [
            Deadline(one, at, challenge)
            for one, challenge in shown
            if one is not None
            and (at := one.view.lapses_at if challenge else one.view.deadline) is not None
        ]
        return sorted(deadlines, key=lambda one: (one.at, one.shown.view.id))

    def _show(self, connection: Connection, player: str, match_id: str) -> ShownMatch | None:
        """Return a match as a player may see it; None: they may not any more, or nobody can."""
        look = Asker(player)
        match = self.queries.load_listed(connection, look, match_id)
        return None if match is None else self.queries.show_state(connection, match, look)


def _check(kind: str) -> None:
    if kind not in KINDS:
        raise InvalidRequest(say("There is a feed and a calendar."), pointer="/kind")


def _remove(connection: Connection, player: str, kind: str) -> bool:
    found = channels.list_by_player(connection, player, kind)
    for row in found:
        channels.delete(connection, row.id)
    return bool(found)


def _get_channel(connection: Connection, secret: str, kind: str) -> ChannelRow:
    row = channels.find_by_digest(connection, hash_secret(secret))
    if row is None or row.kind != kind or accounts.is_suspended(connection, row.player):
        raise NotFound(say("There is nothing at this address: it may have been revoked."))
    return row


def _make_view(row: ChannelRow) -> Subscription:
    return Subscription(row.id, row.kind, row.created_at)
