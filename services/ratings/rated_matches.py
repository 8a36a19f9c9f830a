"""Matches that count are rated: each once, in the order of the leaves that hold their ends.

Whoever rates goes on from the leaf that was looked at last. Two who do so at the same moment have
looked at the same leaves; the second one to write finds that somebody has gone on, and looks again.
A rating rests on the one before it, so no leaf is skipped, and none comes before its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import structlog
from sqlalchemy import Connection

from domain.errors import Corruption
from domain.game.registry import Games
from domain.match.house_players import level_of
from domain.rating.glicko2 import (
    DRAW,
    INITIAL,
    LOSS,
    WIN,
    Against,
    Rating,
    count_idle_periods,
    rate_idle,
    rate_period,
)
from domain.rating.house_levels import find_level_rating
from domain.rating.rated_matches import Result, find_result
from services.store import ratings
from services.store.db.engine import Database
from services.store.log import events
from services.store.ratings import EndLeaf, RatingChange, RatingNow

LOOK_EVERY = 1.0
"""Seconds between two looks at the tree."""

AT_ONCE = 100
"""Leaves that are looked at at once: on SQLite a move may have to wait for the matches in them."""

LAST = 2**62
"""Behind every leaf."""

_log = structlog.get_logger(__name__)


class _Counted(NamedTuple):
    """A match that counts, and the leaf that holds its end."""

    leaf: EndLeaf
    result: Result


class _Former(NamedTuple):
    """What a player's last match has left, and when it ended."""

    rating: Rating
    at: str


@dataclass(frozen=True, slots=True)
class RatedMatches:
    """Rates matches that have ended, each once."""

    database: Database
    games: Games

    def rate(self, told: Callable[[int], None] = lambda _: None) -> int:
        """Rate all matches up to the tree's end; return how many count of those that were left.

        ``told`` is called with that number now and then.
        """
        done = 0
        while True:
            with self.database.read() as connection:
                known = ratings.get_progress(connection)
                upto = min(ratings.count_leaves(connection), known.next_leaf + AT_ONCE)
                if upto <= known.next_leaf:
                    return done
                ended = ratings.list_ends(connection, known.next_leaf, upto)
                looked = [self._find_counted(connection, leaf, known.since) for leaf in ended]
            with self.database.write() as connection:
                if ratings.get_progress(connection, lock=True) != known:
                    continue
                for one in looked:
                    if one is not None:
                        _rate(connection, one)
                        done += 1
                ratings.go_on(connection, upto)
            told(done)

    def rate_anew(self) -> int:
        """Throw all ratings away and make them anew; return how many players' were not as they are.

        Others may rate meanwhile.
        """
        with self.database.write() as connection:
            ratings.get_progress(connection, lock=True)
            before = ratings.list_all(connection)
            ratings.clear(connection)
        self.rate()
        with self.database.read() as connection:
            now = ratings.list_all(connection)
        return sum(before.get(one) != now.get(one) for one in before.keys() | now.keys())

    def iter_faults(self, connection: Connection, match: str) -> Iterator[str]:
        """Tell where the ratings are not what the log says of a match and of those before it."""
        known = ratings.get_progress(connection)
        leaf = ratings.find_end(connection, match)
        kept = ratings.list_changes(connection, match)
        looked_at = leaf is not None and leaf.number < known.next_leaf
        found = self._find_counted(connection, leaf, known.since) if leaf and looked_at else None
        expected = _compute_changes(found, _find_formers(connection, found)) if found else []
        if kept != expected:
            yield f"The ratings have the match {match} otherwise."
        for one in kept:
            newest = ratings.list_latest(connection, one.player, one.game, LAST)
            now = ratings.find(connection, one.game, one.player)
            if now is None or (now.rating, now.last_at) != (newest[0].after, newest[0].at):
                yield f"The leaderboard of {one.game} has the player {one.player} otherwise."

    def _find_counted(self, connection: Connection, leaf: EndLeaf, since: str) -> _Counted | None:
        """Return a match if it counts. One that cannot be read counts for nobody."""
        try:
            found = find_result(events.iterate(connection, leaf.match), self.games)
        except Corruption as fault:
            _log.error("match_not_rated", match=leaf.match, fault=str(fault))
            return None
        return None if found is None or found.created_at < since else _Counted(leaf, found)


def _rate(connection: Connection, one: _Counted) -> None:
    players = [player for player in one.result.players if level_of(player) is None]
    known = ratings.list_by_players(connection, players, one.result.game)
    now = {there.player: there for there in known.values()}
    former = {there.player: _Former(there.rating, there.last_at) for there in known.values()}
    changes = _compute_changes(one, former)
    ratings.insert(connection, changes)
    for change in changes:
        there = now.get(change.player)
        matches = 1 if there is None else there.matches + 1
        ratings.save(
            connection, RatingNow(change.game, change.player, change.after, matches, change.at)
        )


def _compute_changes(one: _Counted, former: Mapping[str, _Former]) -> list[RatingChange]:
    """Return what a match does; ``former``: what the last match of a person has left, if any."""
    match = one.result
    before = [_get_rating_before(match, player, former) for player in match.players]
    found = []
    for seat, player in enumerate(match.players, 1):
        if level_of(player) is None:
            score = DRAW if match.winner is None else WIN if match.winner == seat else LOSS
            own, theirs = before[seat - 1], before[2 - seat]
            made = rate_period(own, [Against(theirs, score)])
            opponent = match.players[2 - seat]
            change = (one.leaf.match, seat, match.game, player, opponent, one.leaf.number)
            found.append(RatingChange(*change, match.ended_at, match.winner, own, made))
    return found


def _get_rating_before(match: Result, player: str, former: Mapping[str, _Former]) -> Rating:
    level = level_of(player)
    if level is not None:
        return find_level_rating(match.game, level) or INITIAL
    found = former.get(player)
    if found is None:
        return INITIAL
    return rate_idle(found.rating, count_idle_periods(found.at, match.ended_at))


def _find_formers(connection: Connection, one: _Counted) -> dict[str, _Former]:
    """Return what the last match before one has left to its players, by what is kept of it."""
    return {
        player: _Former(last.after, last.at)
        for player in one.result.players
        for last in ratings.list_latest(connection, player, one.result.game, one.leaf.number)
    }
