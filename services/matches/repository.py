"""Matches in the store: load and fold from the newest good base, seal, chain, write.

A base is a state known to be right at some version: one this process folded before, or
a snapshot. Both are caches: they are used only after their head has been compared with
the hash that the log has at their version.

States that takebacks lead to are each folded from the nearest base, and none from within another.
What is wanted may itself lie behind takebacks, whose states are needed first, and so on. They are
made one after the other, so that a match of nothing but takebacks is no deeper than any other.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from threading import Lock
from typing import NamedTuple

import orjson
import structlog
from cachetools import LRUCache
from sqlalchemy import Connection

from domain.errors import Corruption
from domain.game.game import AnyGame
from domain.game.registry import Games
from domain.log.event_format import GENESIS
from domain.match.decide import Decision
from domain.match.events import Event, chained
from domain.match.evolve import StateBefore
from domain.match.fold import Fold, fold
from domain.match.state import Match, due, dump, format_of, load
from services.runtime.clock import Now, instant
from services.runtime.randomness import Randomness
from services.store import conditional_moves as conditional
from services.store import matches as readmodels
from services.store.log import events as log
from services.store.log import snapshots

Base = Callable[[int], Match | None]
"""Gives the newest state at hand that is not behind a version, or None."""

Making = Callable[[int, Match | None, StateBefore], Match]
"""Folds up to a version, from a base on, with the past that this needs."""

Takebacks = Callable[[], list[tuple[int, int]]]
"""Gives the version of each takeback of a match, and the one to which it led, in order."""


class StatesBefore:
    """The states of one match that its takebacks lead to; each is loaded when it is asked for."""

    def __init__(self, takebacks: Takebacks, base: Base, make: Making) -> None:
        self._read = takebacks
        self._takebacks: list[tuple[int, int]] | None = None
        self._base = base
        self._make = make
        self._known: dict[int, Match] = {}

    def __call__(self, version: int) -> Match:
        """Return the state right after an earlier version. Raises ``Corruption``."""
        waiting = [version]
        while waiting:
            wanted = waiting[-1]
            if wanted in self._known:
                waiting.pop()
                continue
            base = self._nearest(wanted)
            missing = list(self._missing(0 if base is None else base.version, wanted))
            if missing:
                # The earliest on top: those after it begin where it ends.
                waiting += sorted(missing, reverse=True)
                continue
            self._known[wanted] = self._make(wanted, base, self._known.__getitem__)
        return self._known[version]

    def _nearest(self, version: int) -> Match | None:
        nearest = max((one for one in self._known if one <= version), default=None)
        return self._base(version) if nearest is None else self._known[nearest]

    def _missing(self, after: int, upto: int) -> Iterator[int]:
        """Yield where takebacks in a span lead to, as far as that is not known."""
        if self._takebacks is None:
            self._takebacks = self._read()
        first = bisect_right(self._takebacks, (after, upto))
        for at, back in self._takebacks[first:]:
            if at > upto:
                return
            # One that leads nowhere is for the fold to refuse.
            if 0 < back < at and back not in self._known:
                yield back


SNAPSHOT_EVERY = 64
"""A snapshot is taken when a match passes a multiple of so many events, and at its end."""

REMEMBERED = 1024
"""How many folded matches a process keeps in memory."""

_log = structlog.get_logger(__name__)


class Appended(NamedTuple):
    """What a command leads to: the state after it, and the events.

    ``followed``: what that does to conditional moves, where there are any. ``passing``: there are
    some that it is known not to fulfil; what becomes of them is settled later.
    """

    match: Match
    events: list[Event]
    followed: conditional.Followed | None = None
    passing: bool = False

    @property
    def snapshot_is_due(self) -> bool:
        """Whether a snapshot is to be taken with this."""
        after, before = self.match.version, self.events[0].version - 1
        return self.match.over or after // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to write but the events and the match's read model."""
        return not self.snapshot_is_due and self.followed is None


class Whole(NamedTuple):
    """A match that is over, and all its events as they are stored."""

    match: Match
    events: Sequence[log.EventRow]


class Anew(NamedTuple):
    """A match folded from its events alone: the present state, and what was wanted on the way."""

    match: Match
    snapshots: dict[int, snapshots.Snapshot]


class Repository:
    """Loads and appends, inside a transaction of the caller's."""

    def __init__(self, games: Games, now: Now, entropy: Randomness) -> None:
        self.games = games
        self._now = now
        self._entropy = entropy
        self._memory = _Memory(REMEMBERED)
        self.formats = [format_of(game) for game in games.every()]
        """Those of snapshots that may be a base; of others nobody knows how they are written."""

    def remembered(self, match_id: str) -> Match | None:
        """Return the state that this process knows of, which may be an older one, or None."""
        return self._memory.get(match_id)

    def load(self, connection: Connection, match_id: str) -> Match | None:
        """Return the present state of a match, or None if there is no such match."""
        base = self._memory.get(match_id) or self._snapshot(connection, match_id)
        match = self._load_from(connection, match_id, base)
        if match is None and base is not None:
            _log.warning("cache_disagrees_with_log", match=match_id, version=base.version)
            match = self._load_from(connection, match_id, None)
        if match is not None:
            self._memory.put(match)
        return match

    def load_at(self, connection: Connection, match_id: str, version: int) -> Match | None:
        """Return the state right after the event ``version``, or None if there is none."""
        match = self._from_the_start(connection, match_id, version)
        return match if match is not None and match.version == version else None

    def present(self, match: Match | None = None) -> str:
        """Return the instant of a decision now: never before the last event of ``match``."""
        now = instant(self._now())
        return now if match is None else max(now, match.updated_at)

    def state_at(self, connection: Connection, match: Match, version: int) -> Match:
        """Return the state right after an earlier version of ``match``, from the nearest base."""
        return self.past(connection, match.id)(version)

    def past(self, connection: Connection, match_id: str) -> StateBefore:
        """Lazily load the earlier states that takebacks in this stream refer to.

        Each begins at the newest of those known before it, at first at a snapshot, so that a
        match with many takebacks is not folded from its start for each of them.
        """
        return self._past(
            connection, match_id, lambda version: self._base(connection, match_id, version)
        )

    def _past(
        self, connection: Connection, match_id: str, base: Callable[[int], Match | None]
    ) -> StateBefore:
        return StatesBefore(
            lambda: log.takebacks(connection, match_id),
            base,
            lambda version, base, past: self._upto(connection, match_id, version, base, past),
        )

    def anew(self, connection: Connection, match_id: str, stops: Iterable[int]) -> Anew | None:
        """Fold a match from its first event on, looking at no cache; None: it has no events.

        ``stops``: versions, in order, of which snapshots are wanted as far as there are such
        events. Raises ``Corruption``.
        """
        past = self._past(connection, match_id, lambda _: None)
        folding, states, last = Fold(self.games, past=past), dict[int, snapshots.Snapshot](), 0
        for stop in chain(stops, (log.LAST,)):
            log.fold(connection, match_id, folding, after=last, upto=stop)
            if folding.version < stop:
                break
            states[stop], last = snapshot_of(folding.result()), stop
        return Anew(folding.result(), states) if folding.started else None

    def seal(self, match: Match | None, decided: Decision, at: str | None = None) -> Appended:
        """Seal and chain what was decided on ``match`` (None: a new match), to be written.

        ``at``: the instant at which it was decided.
        """
        return self._sealed(match, decided, at or self.present(match))

    def seal_at_once(self, appended: Appended, decided: Decision) -> Appended:
        """Seal and chain what was decided on top of ``appended``, at the same instant."""
        match = appended.match
        more = self._sealed(match, decided, match.updated_at)
        return more._replace(events=[*appended.events, *more.events], followed=appended.followed)

    def _sealed(self, match: Match | None, decided: Decision, at: str) -> Appended:
        events = chained(
            decided.proposals,
            match=decided.match.id,
            version=match.version if match else 0,
            previous=match.head if match else GENESIS,
            at=at,
            salt=self._entropy.salt,
        )
        return Appended(decided.stamped(events[0], events[-1]), events)

    def write(self, connection: Connection, appended: Appended) -> None:
        """Append events and keep what follows from them, in the caller's transaction.

        Raises ``VersionTaken`` when the log is not, or not any more, at the event
        that these were decided on: another writer was there first, or the state that they were
        decided on is not of this log; or when conditional moves have changed meanwhile. Raises
        ``ConditionalMovesStored`` when there are some that were not followed.
        """
        after, followed = appended.match, appended.followed
        if followed is not None:
            conditional.hold(connection, after.id, followed.read)
        passing = appended.passing or followed is not None
        log.append(connection, appended.events, row_of(after), passing=passing)
        if followed is not None:
            conditional.keep(connection, after.id, followed)
        if appended.snapshot_is_due:
            snapshots.save(connection, snapshot_of(after))

    def write_wholes(self, connection: Connection, members: Sequence[Whole]) -> None:
        """Append all events of matches that are over, and keep what follows from them.

        Raises ``VersionTaken`` when there are some of one of these matches.
        """
        log.append_wholes(connection, [(events, row_of(match)) for match, events in members])
        snapshots.save_all(connection, [snapshot_of(match) for match, _ in members])

    def remember(self, match: Match) -> None:
        """Keep a state whose events are committed."""
        self._memory.put(match)

    def _load_from(self, connection: Connection, match_id: str, base: Match | None) -> Match | None:
        if base is None:
            return self._from_the_start(connection, match_id)
        stream = log.each(connection, match_id, after=base.version - 1)
        first = next(stream, None)
        if first is None or first.hash != base.head:
            return None
        following = next(stream, None)
        if following is None:
            return base
        past = self.past(connection, match_id)
        return fold(chain([following], stream), self.games, base, past)

    def _base(self, connection: Connection, match_id: str, version: int) -> Match | None:
        """Return the newest snapshot that is not behind ``version`` and is right, or None."""
        base = self._snapshot(connection, match_id, version)
        there = None if base is None else log.hash_at(connection, match_id, base.version)
        return base if base is not None and base.head == there else None

    def _upto(
        self,
        connection: Connection,
        match_id: str,
        version: int,
        base: Match | None,
        past: StateBefore,
    ) -> Match:
        after = 0 if base is None else base.version
        folding = Fold(self.games, base, past)
        log.fold(connection, match_id, folding, after=after, upto=version)
        return folding.result()

    def _from_the_start(
        self, connection: Connection, match_id: str, version: int = log.LAST
    ) -> Match | None:
        folding = Fold(self.games, past=self.past(connection, match_id))
        log.fold(connection, match_id, folding, upto=version)
        return folding.result() if folding.started else None

    def _snapshot(
        self, connection: Connection, match_id: str, upto: int = log.LAST
    ) -> Match | None:
        row = snapshots.latest(connection, match_id, self.formats, upto)
        if row is None:
            return None
        try:
            match = load(orjson.loads(row.state), self.games)
            # What is missing deep in a position would be taken for what it is by default.
            if is_state(row.state, match):
                return match
        except (ValueError, TypeError, LookupError, AttributeError, Corruption):
            pass
        _log.warning("unreadable_snapshot", match=match_id, version=row.version)
        return None


def snapshot_of(match: Match) -> snapshots.Snapshot:
    """Return the snapshot of a state."""
    state = orjson.dumps(dump(match))
    return snapshots.Snapshot(match.id, match.version, match.head, format_of(match.game), state)


def is_state(written: bytes, match: Match) -> bool:
    """Say whether a snapshot's bytes are the whole state of ``match``. Raises ``ValueError``."""
    return is_same(written, orjson.dumps(dump(match)))


def is_same(written: bytes, state: bytes) -> bool:
    """Say whether two states are the same, in whatever order. Raises ``ValueError``."""
    return written == state or bool(orjson.loads(written) == orjson.loads(state))


class _Memory:
    """The matches seen last, folded; safe for threads."""

    def __init__(self, size: int) -> None:
        self._lock = Lock()
        self._matches: LRUCache[str, Match] = LRUCache(size)

    def get(self, match_id: str) -> Match | None:
        with self._lock:
            return self._matches.get(match_id)

    def put(self, match: Match) -> None:
        with self._lock:
            self._matches[match.id] = match


def row_of(match: Match) -> readmodels.MatchRow:
    """Return the read model of a match: what lists are made from."""
    to_act = match.to_act
    game: AnyGame = match.game
    return readmodels.MatchRow(
        id=match.id,
        version=match.version,
        head=match.head,
        game=game.slug,
        rules_version=game.rules_version,
        status=match.status,
        visibility=match.visibility,
        rated=match.rated,
        creator=match.creator,
        opponent=match.opponent,
        seat_1=match.seats[0],
        seat_2=match.seats[1],
        to_act=to_act,
        to_act_player=None if to_act is None else match.seats[to_act - 1],
        ply=match.ply,
        winner=match.winner,
        reason=match.reason,
        created_at=match.created_at,
        updated_at=match.updated_at,
        deadline=due(match),
        pace=_kind_of_pace(match),
    )


def _kind_of_pace(match: Match) -> str | None:
    """Return how lists call the match's pace; None: it has no clock."""
    if match.pace is None:
        return None
    return readmodels.PER_MOVE if "days_per_move" in match.pace else readmodels.BANK
