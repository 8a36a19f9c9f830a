"""Folds: from the events of a match to its state.

A fold judges nothing (law 1): it applies facts. Decisions are in ``domain.match.decisions``, what
each fact does is in ``domain.match.evolve``, and the state itself in ``domain.match.state``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from domain.errors import Corruption
from domain.game.registry import Games
from domain.match.events import Event, TakebackAccepted
from domain.match.evolve import StateBefore, apply, begin_match, refuse_past
from domain.match.state import Match


def evolve(
    match: Match | None, event: Event, games: Games, past: StateBefore = refuse_past
) -> Match:
    """Return the state after one more event. Raises ``Corruption`` for an unknown one.

    ``past`` gives the state to which a takeback leads.
    """
    return fold((event,), games, match, past)


def fold(
    stream: Iterable[Event],
    games: Games,
    start: Match | None = None,
    past: StateBefore | None = None,
) -> Match:
    """Apply events in order, from ``start`` on (None: from the first event).

    Raises ``Corruption`` where the events cannot be: no first event, a gap, an unknown
    kind. Returns a new state; ``start`` stays as it was. ``past`` is needed for takebacks to
    what lies before ``start``; without it the events themselves are looked at again.
    """
    if past is None:
        stream = stream if isinstance(stream, Sequence) else list(stream)
        past = remember_events(stream, games, start)
    folding = Fold(games, start, past)
    for event in stream:
        folding.add(event)
    return folding.get_state()


def remember_events(
    stream: Sequence[Event], games: Games, start: Match | None = None
) -> StateBefore:
    """Return a past that folds ``stream``, which follows on ``start``, when it is asked.

    It keeps what it has folded, and goes on from there: a match in which every second event is a
    takeback takes no more than folding it twice.
    """
    first = 0 if start is None else start.version
    known: dict[int, Match | None] = {first: start}

    def past(version: int) -> Match:
        base = max((one for one in known if one <= version), default=None)
        if base is None:
            raise Corruption(f"a takeback to version {version}, before the events at hand")
        if base < version:
            between = stream[base - first : version - first]
            known[version] = fold(between, games, known[base], past)
        match = known[version]
        if match is None or match.version != version:
            raise Corruption(f"a takeback to version {version}, which there is not")
        return match

    return past


class Fold:
    """A fold that takes events one after the other; ``get_state`` gives the state after them."""

    def __init__(
        self, games: Games, start: Match | None = None, past: StateBefore = refuse_past
    ) -> None:
        self._games = games
        self._past = past
        self._match = None if start is None else start.copy()
        self.version = 0 if start is None else start.version
        """That of the last event."""
        self._last: Event | None = None

    @property
    def started(self) -> bool:
        """Whether there is a match to fold into."""
        return self._match is not None

    def add(self, event: Event) -> None:
        """Apply an event. Raises ``Corruption``."""
        match, version, _, _, _, at, fact, sealed, _, _, _ = event
        following = self.version + 1
        if version != following:
            raise Corruption(f"a match goes on with version {version}, where {following} is next")
        if type(fact) is TakebackAccepted and not 0 < fact.version < version:
            raise Corruption(f"a takeback to version {fact.version} at version {version}")
        values = [seal.value for seal in sealed] if sealed else ()
        if self._match is None:
            self._match = begin_match(match, fact, values, self._games)
            self._match.created_at = at
        else:
            apply(self._match, fact, values, at, self._past)
        self.version, self._last = version, event

    def get_state(self) -> Match:
        """Return the state after all that was added. Raises ``Corruption`` for nothing at all."""
        match, last = self._match, self._last
        if match is None:
            raise Corruption("a match without events")
        if last is not None:
            match.version, match.head, match.updated_at = last.version, last.hash, last.at
        return match
