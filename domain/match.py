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
from domain.game import Act, AnyGame, Over, Position, Step
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
    match = start.copy() if start is not None else None
    version = 0 if match is None else match.version
    event = None
    # This loop is most of what loading a long match takes, hence no look that is not needed.
    for event in stream:
        version += 1
        if event.version != version:
            raise Corruption(
                f"match {event.match} goes on with version {event.version}, not {version}"
            )
        values = [seal.value for seal in event.sealed] if event.sealed else ()
        if match is None:
            match = created(event.match, event.fact, values, games)
            match.created_at = event.at
        else:
            apply(match, event.fact, values)
    if match is None:
        raise Corruption("a match without events")
    if event is not None:
        match.version, match.head, match.updated_at = version, event.hash, event.at
    return match


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
    match.position = game.play(match.started, game.form(whole))
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
