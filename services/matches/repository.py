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
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from threading import Lock
from typing import NamedTuple

import orjson
import structlog
from cachetools import LRUCache
from sqlalchemy import Connection

from domain.errors import Corruption, UnknownGame
from domain.game.registry import Games
from domain.log.event_format import GENESIS
from domain.match import commands
from domain.match.clock import format_instant
from domain.match.decisions import decide as decisions
from domain.match.decisions.draft import Chance, draw_provably
from domain.match.events import Event, chain_events
from domain.match.evolve import StateBefore
from domain.match.fold import Fold
from domain.match.notices import Notice, list_notices
from domain.match.state import ABORTED, FINISHED, Match, dump, find_due, format_of, load
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import conditional_moves
from services.store.log import events as log
from services.store.log import snapshots
from services.store.matches import BANK, PER_MOVE, MatchRow


class StatesBefore:
    """The states that one match had; each is made once, after those that it begins with.

    ``anew``: no snapshot is looked at.
    """

    def __init__(
        self, repository: Repository, connection: Connection, match_id: str, *, anew: bool
    ) -> None:
        self._repository = repository
        self._connection = connection
        self._match_id = match_id
        self._anew = anew
        self._known: dict[int, Match] = {}

    @cached_property
    def _takebacks(self) -> list[tuple[int, int]]:
        return log.list_takebacks(self._connection, self._match_id)

    def __call__(self, version: int) -> Match:
        """Return the state right after an earlier version. Raises ``Corruption``."""
        waiting = [version]
        while waiting:
            wanted = waiting[-1]
            if wanted in self._known:
                waiting.pop()
                continue
            base = self._find_base(wanted)
            begin = 0 if base is None else base.version
            missing = list(self._iter_missing(begin, wanted))
            if missing:
                # The earliest on top: those after it begin where it ends.
                waiting += sorted(missing, reverse=True)
                continue
            folding = Fold(self._repository.games, base, self._known.__getitem__)
            log.fold(self._connection, self._match_id, folding, after=begin, upto=wanted)
            self._known[wanted] = folding.get_state()
        return self._known[version]

    def _find_base(self, version: int) -> Match | None:
        nearest = max((one for one in self._known if one <= version), default=None)
        if nearest is not None:
            return self._known[nearest]
        find = self._repository.find_base
        return None if self._anew else find(self._connection, self._match_id, version)

    def _iter_missing(self, after: int, upto: int) -> Iterator[int]:
        """Yield where takebacks in a span lead to, as far as that is not known."""
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
"""How many folded matches a process keeps in memory.

Without them a move over HTTP takes 380 to 450 µs of processor time more on 1,080 to 1,170 with
SQLite, and 780 to 880 more on 1,680 to 2,030 with PostgreSQL. docs/decisions/0034 says how that
was measured, and of the other clever places as well.
"""

ODD = (ValueError, TypeError, LookupError, AttributeError)
"""What reading raises where something is not there, or is something else than it should be."""

_log = structlog.get_logger(__name__)


class Appended(NamedTuple):
    """What a command leads to: the state after it, the events, and the match's row in the lists.

    ``followed``: what that does to conditional moves, where there are any. ``leaves_lines``: there
    are some that it is known not to fulfil; what becomes of them is settled later. ``following``:
    the next match of a series, which is written together with the end of this one.
    ``tells_nobody``: none of its players wanted to be told of anything when it was decided; then
    nothing is made ready for them, which is a tenth of what a move takes here.
    """

    match: Match
    events: list[Event]
    row: MatchRow
    followed: conditional_moves.Followed | None = None
    leaves_lines: bool = False
    following: Appended | None = None
    tells_nobody: bool = False

    @property
    def all(self) -> list[Appended]:
        """This, and what follows on it in a series."""
        return [self, *(() if self.following is None else self.following.all)]

    @property
    def new(self) -> log.NewEvents:
        """What is appended to the log."""
        told = () if self.tells_nobody else self._notices
        rows = [log.row_of(event) for event in self.events]
        leaves_lines = self.leaves_lines or self.followed is not None
        return log.NewEvents(rows, self.row, leaves_lines, told)

    @property
    def _notices(self) -> list[Notice]:
        """What is to be told of the events. A match that ends and has none behind it ends all."""
        last = self.match.series is not None and self.match.over and self.following is None
        return list_notices(self.match, self.events, series_over=last)

    @property
    def snapshot_is_due(self) -> bool:
        """Whether a snapshot is to be taken with this."""
        after, before = self.match.version, self.events[0].version - 1
        over = self.row.status in (FINISHED, ABORTED)
        return over or after // SNAPSHOT_EVERY > before // SNAPSHOT_EVERY

    @property
    def is_plain(self) -> bool:
        """Whether there is nothing to write but the events and the match's read model.

        With an end there is, always: a snapshot, and in a series what follows.
        """
        return not self.snapshot_is_due and self.followed is None


class Anew(NamedTuple):
    """A match folded from its events alone: the present state, and what was wanted on the way."""

    match: Match
    snapshots: dict[int, snapshots.Snapshot]


class Repository:
    """Loads, decides and appends, inside a transaction of the caller's.

    ``chance`` decides whatever is left to chance.
    """

    def __init__(
        self, games: Games, now: Now, randomness: Randomness, chance: Chance = draw_provably
    ) -> None:
        self.games = games
        self._now = now
        self.randomness = randomness
        self._chance = chance
        self._lock = Lock()
        self._remembered: LRUCache[str, Match] = LRUCache(REMEMBERED)
        self.formats = [format_of(game) for game in games.iter_versions()]
        """Those of snapshots that may be a base; of others nobody knows how they are written."""

    def recall(self, match_id: str) -> Match | None:
        """Return the state that this process knows of, which may be an older one, or None."""
        with self._lock:
            return self._remembered.get(match_id)

    def remember(self, match: Match) -> None:
        """Keep a state whose events are committed."""
        with self._lock:
            self._remembered[match.id] = match

    def load(self, connection: Connection, match_id: str) -> Match | None:
        """Return the present state of a match, or None if there is no such match.

        Raises ``Corruption`` for a log that its game cannot fold, and ``UnknownGame``.
        """
        try:
            match = self._load(connection, match_id)
        except ODD as odd:
            raise Corruption(f"match {match_id} cannot be folded: {type(odd).__name__}") from odd
        if match is not None:
            self.remember(match)
        return match

    def load_readable(self, connection: Connection, match_id: str) -> Match | None:
        """Return what ``load`` does, and None for a match that cannot be read.

        For who goes through several matches: one must not stop what is done about the others.
        """
        try:
            return self.load(connection, match_id)
        except (Corruption, UnknownGame) as fault:
            _log.error("damaged_match", match=match_id, reason=str(fault))
            return None

    def _load(self, connection: Connection, match_id: str) -> Match | None:
        base = self.recall(match_id) or self._find_snapshot(connection, match_id)
        match = self._load_from(connection, match_id, base)
        if match is None and base is not None:
            _log.warning("cache_disagrees_with_log", match=match_id, version=base.version)
            match = self._load_from(connection, match_id, None)
        return match

    def get_instant(self, match: Match | None = None) -> str:
        """Return the instant of a decision now: never before the last event of ``match``."""
        now = format_instant(self._now())
        return now if match is None else max(now, match.updated_at)

    def make_past(
        self, connection: Connection, match_id: str, *, anew: bool = False
    ) -> StateBefore:
        """Return what gives the state right after an earlier version of a match, when it is asked.

        Each state begins at the newest of those known before it, at first at a snapshot (not if
        ``anew``), so that a match with many takebacks is not folded from its start for each.
        """
        return StatesBefore(self, connection, match_id, anew=anew)

    def fold_anew(self, connection: Connection, match_id: str, stops: Iterable[int]) -> Anew | None:
        """Fold a match from its first event on, looking at no cache; None: it has no events.

        ``stops``: versions, in order, of which snapshots are wanted as far as there are such
        events. Raises ``Corruption``.
        """
        past = self.make_past(connection, match_id, anew=True)
        folding, states, last = Fold(self.games, past=past), dict[int, snapshots.Snapshot](), 0
        for stop in chain(stops, (log.LAST,)):
            log.fold(connection, match_id, folding, after=last, upto=stop)
            if folding.version < stop:
                break
            states[stop], last = snapshot_of(folding.get_state()), stop
        return Anew(folding.get_state(), states) if folding.started else None

    def create(self, command: commands.CreateMatch, at: str | None = None) -> Appended:
        """Decide on a new match, now or ``at`` an instant; return what is to be written."""
        at = at or self.get_instant()
        return self.seal(None, decisions.create(command, self._chance, at=at), at)

    def decide(self, match: Match, command: commands.Command, at: str) -> Appended:
        """Decide on a command at an instant; return what is to be written. Raises a ``Refusal``."""
        return self.seal(match, decisions.decide(match, command, self._chance, at=at), at)

    def decide_next(self, appended: Appended, command: commands.Command) -> Appended:
        """Decide on a command on top of ``appended``, at the same instant. Raises a ``Refusal``."""
        more = self.decide(appended.match, command, appended.match.updated_at)
        return more._replace(
            events=[*appended.events, *more.events],
            followed=appended.followed,
            tells_nobody=appended.tells_nobody,
        )

    def seal(self, match: Match | None, decided: decisions.Decision, at: str) -> Appended:
        """Seal and chain what was decided at an instant on ``match`` (None: a new match)."""
        events = chain_events(
            decided.proposals,
            match=decided.match.id,
            version=match.version if match else 0,
            previous=match.head if match else GENESIS,
            at=at,
            salt=self.randomness.make_salt,
        )
        after = decided.stamp(events[0], events[-1])
        return Appended(after, events, row_of(after))

    def write(self, connection: Connection, appended: Appended) -> None:
        """Append events and keep what follows from them, in the caller's transaction.

        Events of commands are written by ``services.matches.series``, which calls this. Raises
        ``VersionTaken`` when the log is not, or not any more, at the event that these were decided
        on: another writer was there first, or the state that they were decided on is not of this
        log; or when conditional moves have changed meanwhile. Raises ``ConditionalMovesStored``
        when there are some that were not followed.
        """
        after, followed = appended.match, appended.followed
        if followed is not None:
            conditional_moves.hold(connection, after.id, followed.read)
        log.append(connection, *(one.new for one in appended.all))
        if followed is not None:
            conditional_moves.keep(connection, after.id, followed)
        for one in appended.all:
            if one.snapshot_is_due:
                snapshots.save(connection, snapshot_of(one.match))

    def _load_from(self, connection: Connection, match_id: str, base: Match | None) -> Match | None:
        """Fold the events behind ``base`` into a copy of it.

        Returns None where no event is stored, or where the base is not of this log.
        """
        stream = log.iterate(connection, match_id, after=base.version - 1 if base else 0)
        if base is not None:
            first = next(stream, None)
            if first is None or first.hash != base.head:
                return None
        folding = Fold(self.games, base, self.make_past(connection, match_id))
        for event in stream:
            folding.add(event)
        return folding.get_state() if folding.started else None

    def find_base(self, connection: Connection, match_id: str, version: int) -> Match | None:
        """Return the newest snapshot that is not behind ``version`` and is right, or None."""
        base = self._find_snapshot(connection, match_id, version)
        there = None if base is None else log.find_hash(connection, match_id, base.version)
        return base if base is not None and base.head == there else None

    def _find_snapshot(
        self, connection: Connection, match_id: str, upto: int = log.LAST
    ) -> Match | None:
        row = snapshots.find_latest(connection, match_id, self.formats, upto)
        if row is None:
            return None
        try:
            match = load(orjson.loads(row.state), self.games)
            # What is missing deep in a position would be taken for what it is by default.
            if is_state(row.state, match):
                return match
        except (*ODD, Corruption):
            pass
        _log.warning("unreadable_snapshot", match=match_id, version=row.version)
        return None


def snapshot_of(match: Match) -> snapshots.Snapshot:
    """Return the snapshot of a state."""
    state = orjson.dumps(dump(match))
    return snapshots.Snapshot(match.id, match.version, match.head, format_of(match.game), state)


def is_state(written: bytes, match: Match) -> bool:
    """Say whether a snapshot's bytes are the whole state of ``match``."""
    return is_same(written, orjson.dumps(dump(match)))


def is_same(written: bytes, state: bytes) -> bool:
    """Say whether what a snapshot has is the state that is to be there, in whatever order."""
    try:
        return written == state or bool(orjson.loads(written) == orjson.loads(state))
    except orjson.JSONDecodeError:
        return False


def row_of(match: Match) -> MatchRow:
    """Return the read model of a match: what lists are made from."""
    to_act, game = match.to_act, match.game
    return MatchRow(
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
        deadline=find_due(match),
        pace=_name_pace(match),
        series=None if match.series is None else match.series["id"],
        number=None if match.series is None else match.series["number"],
    )


def _name_pace(match: Match) -> str | None:
    """Return how lists call the match's pace; None: it has no clock."""
    if match.pace is None:
        return None
    return PER_MOVE if "days_per_move" in match.pace else BANK
