"""The match around a game: its state, folded from its events.

A fold judges nothing (law 1): it applies facts. Decisions are in ``domain.decide``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from domain import events as facts
from domain.chance import Source
from domain.errors import Corruption
from domain.events import Event, Fact
from domain.game import Act, AnyGame, Move, Over, Position, Step
from domain.json_types import Json, JsonObject
from domain.registry import Games

OPEN, ACTIVE, FINISHED, ABORTED = "open", "active", "finished", "aborted"

Pair = tuple[Any, Any]


@dataclass(slots=True)
class Match:
    """What a match's events add up to. Treat it as frozen; ``evolve`` copies.

    ``seats``, ``settings`` and ``contributions`` are those of seats 1 and 2. ``ply`` counts
    the moves that stand, ``moves_made`` those ever made. ``next_draw`` is the number of the
    next draw. ``last`` is the last move: seat, whole move, public part.
    """

    id: str
    game: AnyGame
    options: JsonObject
    visibility: str
    pace: Json
    rated: bool
    creator: str
    opponent: str | None
    secret: str
    status: str = OPEN
    seats: Pair = (None, None)
    settings: Pair = (None, None)
    contributions: Pair = (None, None)
    position: Position | None = None
    last: tuple[int, JsonObject, JsonObject] | None = None
    ply: int = 0
    moves_made: int = 0
    next_draw: int = 1
    winner: int | None = None
    reason: str | None = None
    version: int = 0
    head: str = ""
    created_at: str = ""
    updated_at: str = ""

    def copy(self) -> Match:
        """Return a copy that may be changed; what is in it is frozen, and shared."""
        return Match(*_VALUES(self))

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in (FINISHED, ABORTED)

    @property
    def dice(self) -> Source:
        """Where this match's chance comes from."""
        return Source(self.secret, self.id, self.contributions)

    @property
    def started(self) -> Position:
        """The position, of a match that has started."""
        if self.position is None:
            raise Corruption(f"match {self.id} has no position before its start")
        return self.position

    def step(self) -> Step | None:
        """Say what the game waits for, or None while the match is not active."""
        if self.status != ACTIVE:
            return None
        return self.game.next(self.started)

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None."""
        step = self.step()
        return step.seat if isinstance(step, Act) else None

    def seat_of(self, player: str | None) -> int | None:
        """Return the seat that ``player`` (an id) holds, or None."""
        if player is None or player not in self.seats:
            return None
        return 1 + self.seats.index(player)

    @property
    def free_seat(self) -> int | None:
        """The seat that nobody has taken, of an open match."""
        return 1 + self.seats.index(None) if None in self.seats else None


_VALUES = attrgetter(*(field.name for field in fields(Match)))


def evolve(match: Match | None, event: Event, games: Games) -> Match:
    """Return the state after one more event. Raises ``Corruption`` for an unknown one."""
    return fold([event], games, match)


def fold(stream: Iterable[Event], games: Games, start: Match | None = None) -> Match:
    """Apply events in order, from ``start`` on (None: from the first event).

    Raises ``Corruption`` where the events cannot be: no first event, a gap, an unknown
    kind. Returns a new state; ``start`` stays as it was.
    """
    folding = Folding(games, start)
    for event in stream:
        folding.add(event)
    return folding.result()


class Folding:
    """A fold in the making, for whoever reads events one after the other.

    Of a move that hides nothing, which is most of a long match, only its data need to be given;
    what comes of it is written into the state when something else follows.
    """

    def __init__(self, games: Games, start: Match | None = None) -> None:
        self._games = games
        self._match = None if start is None else start.copy()
        self._version = 0 if start is None else start.version
        self._head = self._at = ""
        self._position: Position | None = None
        self._last: JsonObject | None = None
        self._moves = 0
        self._play: Callable[[Any, Move], Position]
        self._read: Callable[[JsonObject], Move]

    @property
    def started(self) -> bool:
        """Whether there is a match to fold into."""
        return self._match is not None

    def add(self, event: Event) -> None:
        """Apply an event. Raises ``Corruption``."""
        self._settle()
        id_, version, _, _, _, at, fact, sealed, _, hashed, _ = event
        self._go_on(version)
        self._head, self._at = hashed, at
        values = [seal.value for seal in sealed] if sealed else ()
        if self._match is None:
            self._match = created(id_, fact, values, self._games)
            self._match.created_at = at
        else:
            apply(self._match, fact, values)

    def add_move(self, version: int, data: JsonObject) -> None:
        """Apply the data of a ``move-made`` event that seals nothing. Raises ``Corruption``.

        ``stamp`` must follow on the last of several.
        """
        if self._position is None:
            self._begin_moves()
        if version != self._version + 1:
            self._go_on(version)
        self._version, self._last = version, data
        self._position = self._play(self._position, self._read(data["move"]))
        self._moves += 1

    def stamp(self, at: str, hashed: str) -> None:
        """Say when the last event happened, and its hash."""
        self._at, self._head = at, hashed

    def result(self) -> Match:
        """Return the state after all that was added. Raises ``Corruption`` for nothing at all."""
        self._settle()
        match = self._match
        if match is None:
            raise Corruption("a match without events")
        if self._head:
            match.version, match.head, match.updated_at = self._version, self._head, self._at
        return match

    def _go_on(self, version: int) -> None:
        if version != self._version + 1:
            following = self._version + 1
            raise Corruption(f"a match goes on with version {version}, where {following} is next")
        self._version = version

    def _begin_moves(self) -> None:
        if self._match is None:
            raise Corruption("a match begins with a move")
        game = self._match.game
        self._play, self._read = game.play, game.recall or game.form
        self._position = self._match.started

    def _settle(self) -> None:
        """Write what the moves led to into the state."""
        if self._match is None or self._last is None:
            return
        match, last = self._match, self._last
        match.position, match.ply = self._position, last["ply"]
        match.last = (last["seat"], last["move"], last["move"])
        match.moves_made += self._moves
        self._position, self._last, self._moves = None, None, 0


def created(match: str, fact: Fact, values: Sequence[Json], games: Games) -> Match:
    """Return the state that a first event begins; ``values`` are the sealed values."""
    if not isinstance(fact, facts.MatchCreated):
        raise Corruption(f"match {match} begins with {facts.KINDS[type(fact)]}")
    return Match(
        id=match,
        game=games.get(fact.game, fact.rules_version),
        options=fact.options,
        visibility=fact.visibility,
        pace=fact.pace,
        rated=fact.rated,
        creator=fact.creator,
        opponent=fact.opponent,
        secret=values[0]["secret"] if values and values[0] else "",
    )


def apply(match: Match, fact: Fact, values: Sequence[Json]) -> None:
    """Apply one fact to a private copy of the state; ``values`` are its sealed values."""
    applier = _APPLIERS.get(type(fact))
    if applier is None:
        raise Corruption(f"match {match.id} is created twice")
    applier(match, fact, values)


def _seat_taken(match: Match, fact: facts.SeatTaken, values: Sequence[Json]) -> None:
    match.seats = _with(match.seats, fact.seat, fact.player)
    match.settings = _with(match.settings, fact.seat, values[0] if values else {})


def _dice_contributed(match: Match, fact: facts.DiceContributed, _: Sequence[Json]) -> None:
    match.contributions = _with(match.contributions, fact.seat, fact.contribution)


def _match_started(match: Match, _: facts.MatchStarted, __: Sequence[Json]) -> None:
    match.status = ACTIVE
    match.position = match.game.initial(match.options, match.settings)


def _chance_drawn(match: Match, fact: facts.ChanceDrawn, values: Sequence[Json]) -> None:
    if fact.draw == 0:
        return
    outcome = values[0] if values else fact.outcome
    match.position = match.game.draw(match.started, fact.purpose, fact.seat, outcome)
    match.next_draw = fact.draw + 1


def _move_made(match: Match, fact: facts.MoveMade, values: Sequence[Json]) -> None:
    seat, ply, move, _ = fact
    whole = values[0] if values else move
    game = match.game
    recalled = (game.recall or game.form)(whole)
    match.position = game.play(match.position or match.started, recalled)
    match.last = (seat, whole, move)
    match.ply = ply
    match.moves_made += 1


def _turn_passed(match: Match, _: facts.TurnPassed, __: Sequence[Json]) -> None:
    match.position = match.game.forfeit(match.started)


def _match_ended(match: Match, fact: facts.MatchEnded, _: Sequence[Json]) -> None:
    match.status = FINISHED
    match.winner = fact.winner
    match.reason = fact.reason


def _match_aborted(match: Match, fact: facts.MatchAborted, _: Sequence[Json]) -> None:
    match.status = ABORTED
    match.reason = fact.reason


_APPLIERS: dict[type, Callable[[Match, Any, Sequence[Json]], None]] = {
    facts.SeatTaken: _seat_taken,
    facts.DiceContributed: _dice_contributed,
    facts.MatchStarted: _match_started,
    facts.ChanceDrawn: _chance_drawn,
    facts.MoveMade: _move_made,
    facts.TurnPassed: _turn_passed,
    facts.MatchEnded: _match_ended,
    facts.MatchAborted: _match_aborted,
}


def _with(pair: Pair, seat: int, value: Json) -> Pair:
    return (value, pair[1]) if seat == 1 else (pair[0], value)


def result(match: Match) -> JsonObject | None:
    """Return ``{"winner", "reason"}`` of a match that is over, or None."""
    return {"winner": match.winner, "reason": match.reason} if match.over else None


def ended_by_game(match: Match) -> Over | None:
    """Return how the game itself has ended, before the match says so."""
    step = match.step()
    return step if isinstance(step, Over) else None


def dump(match: Match) -> JsonObject:
    """Return the whole state as JSON, for a snapshot."""
    state = {field.name: getattr(match, field.name) for field in fields(match)}
    state["game"] = [match.game.slug, match.game.rules_version]
    state["position"] = None if match.position is None else match.game.dump(match.position)
    return state


def load(state: JsonObject, games: Games) -> Match:
    """Return the state that ``dump`` wrote."""
    game = games.get(*state["game"])
    position = state["position"]
    match = Match(
        **{
            **state,
            "game": game,
            "position": None if position is None else game.load(position),
            "last": None if state["last"] is None else tuple(state["last"]),
        }
    )
    match.seats, match.settings = tuple(match.seats), tuple(match.settings)
    match.contributions = tuple(match.contributions)
    return match
