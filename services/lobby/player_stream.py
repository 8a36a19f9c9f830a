"""What a player has to know of all their matches, line by line, for a program that plays.

A line shows a match as it stands when it is told, not an event: the newest line of a match that
has ended says that it is over. A line's id is the place in the log of the newest event that
it is about and the start of its hash, sealed for this player. All is read from the log; whoever is
woken too early or too late misses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from domain.i18n import say
from services.errors import CursorGone, InvalidRequest
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.store.cursors import CursorCipher
from services.store.log import feed
from services.store.log.feed import FeedPosition

BATCH = 100
"""Matches that are told of at once."""

CHALLENGE, TURN, MATCH, OVER = "challenge", "turn", "match", "over"
KINDS = (CHALLENGE, TURN, MATCH, OVER)
"""You are challenged; you are to act; something else has happened; it has ended."""

_PLACE = re.compile(r"([0-9]{1,20})\.([0-9]{1,19})(?:\.([0-9a-f]{0,12}))?", re.ASCII)
"""Older ones come without a hash."""


_GONE = say(
    "The history here has no such event as the one that this line was about: a backup may have "
    "been restored. Open the stream without an id; the present is told first."
)


class StreamLine(NamedTuple):
    """A match as it stands, for one of its players. ``kind``: one of ``KINDS``."""

    id: str
    kind: str
    shown: ShownMatch


class StreamPage(NamedTuple):
    """Lines in order, and the place behind them."""

    lines: list[StreamLine]
    place: FeedPosition
    more: bool


@dataclass(frozen=True, slots=True)
class PlayerStream:
    """Reads what is new for a player."""

    queries: MatchQueries
    sealer: CursorCipher

    def list_waiting(self, player: str) -> StreamPage:
        """Tell of all matches that wait for the player, those that wait longest first."""
        with self.queries.database.read() as connection:
            # The place comes first: what happens meanwhile is told once more, not missed.
            place = feed.get_last_place(connection)
            matches = feed.list_waiting(connection, player)
        lines = self._make_lines(player, [(match, place) for match in matches])
        return StreamPage(
            [one for one in lines if one.kind in (CHALLENGE, TURN)], place, more=False
        )

    def list_since(self, player: str, after: FeedPosition) -> StreamPage:
        """Tell of the player's matches that have gone on behind a place, at most ``BATCH``."""
        with self.queries.database.read() as connection:
            upto = feed.get_last_place(connection)
            # A log that was restored from a backup may end before that place.
            start = min(after, upto)
            changed = feed.list_changed(connection, player, start, upto, BATCH)
        lines = self._make_lines(player, changed)
        more = len(changed) == BATCH
        own = [line for line in lines if line.shown.imported is None]
        return StreamPage(own, changed[-1].place if more else upto, more)

    def _make_lines(
        self, player: str, matches: Sequence[tuple[str, FeedPosition]]
    ) -> list[StreamLine]:
        look, found = Asker(player), []
        with self.queries.database.read() as connection:
            for match_id, place in matches:
                match = self.queries.load_listed(connection, look, match_id)
                if match is not None:
                    found.append((self.queries.show_state(connection, match, look), place))
        return [
            StreamLine(self.make_id(player, place), _judge_kind(player, shown), shown)
            for shown, place in found
        ]

    def make_id(self, player: str, place: FeedPosition) -> str:
        """Return the id of a line of this player's stream."""
        return self.sealer.seal(_format_purpose(player), ".".join(map(str, place)))

    def get_place(self, player: str, line: str) -> FeedPosition:
        """Return the place of a line's id.

        Raises ``InvalidRequest``, and ``CursorGone`` for a line of another history.
        """
        found = _PLACE.fullmatch(self.sealer.unseal(_format_purpose(player), line) or "")
        if found is None:
            raise InvalidRequest(
                say("This is not the id of a line of your stream."), pointer="/after"
            )
        place = FeedPosition(int(found[1]), int(found[2]), found[3] or "")
        with self.queries.database.read() as connection:
            if not feed.is_known(connection, place):
                raise CursorGone(_GONE, pointer="/after")
        return place


def _format_purpose(player: str) -> str:
    return f"line of {player}"


def _judge_kind(player: str, shown: ShownMatch) -> str:
    view = shown.view
    if view.result is not None:
        return OVER
    if view.to_act is not None:
        return TURN if view.to_act == shown.you else MATCH
    return CHALLENGE if view.opponent == player else MATCH
