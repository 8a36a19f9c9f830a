"""The state of a match: the game's position, the offers that wait for an answer, and the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from domain.errors import Corruption
from domain.game.game import Act, AnyGame, Position, Step
from domain.game.registry import Games
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource
from domain.log.event_format import hash_bytes, write_canonical
from domain.log.shapes import derive_shape
from domain.match import clock as clocks
from domain.match.clock import CHALLENGE_FOR, OPEN_FOR, Clock, add_span, find_deadline, read_pace

OFFER_KINDS = ("draw", "takeback", "pause", "resume", "abort")
"""What one seat may propose to the other."""


class Offer(NamedTuple):
    """Made by ``seat``.

    ``about``: the version that it concerns (a draw: at which it was offered; a takeback: to which
    it leads), or the seconds of a pause.
    """

    seat: int
    about: int = 0


class Offers(NamedTuple):
    """The offers of a match: at most one of each kind."""

    draw: Offer | None = None
    takeback: Offer | None = None
    pause: Offer | None = None
    resume: Offer | None = None
    abort: Offer | None = None


NO_OFFERS = Offers()


def find_offer(offers: Offers, kind: str) -> Offer | None:
    """Return the offer of a kind that stands, or None."""
    offer: Offer | None = getattr(offers, kind)
    return offer


def keep_offers(offers: Offers, seat: int) -> Offers:
    """Return what still stands after a move of ``seat``.

    A takeback is about a position, and lapses whoever moves. Everything else is answered by the
    move of the seat that it was made to.
    """
    if offers == NO_OFFERS:
        return offers
    kept = {
        kind: offer
        for kind, offer in offers._asdict().items()
        if kind != "takeback" and offer is not None and offer.seat == seat
    }
    return Offers(**kept)


OPEN, ACTIVE, FINISHED, ABORTED = "open", "active", "finished", "aborted"

Pair = tuple[Any, Any]


@dataclass(slots=True)
class Match:
    """What a match's events add up to. Treat it as frozen; ``evolve`` copies.

    ``seats``, ``settings`` and ``contributions`` are those of seats 1 and 2. ``ply`` counts
    the moves that stand, ``moves_made`` those ever made. ``next_draw`` is the number of the
    next draw. ``last`` is the last move: seat, whole move, public part. ``waits``: how
    many microseconds a challenge waits for its player. ``clock`` is None until a match with a
    pace starts. ``series``: the place of the match in one, as its first event has it.
    ``forfeits``: who lost gave up the rest of the series. ``moved``: how many moves each seat has
    ever made.
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
    clock: Clock | None = None
    offers: Offers = NO_OFFERS
    waits: int = CHALLENGE_FOR
    series: Json = None
    forfeits: bool = False
    moved: Pair = (0, 0)

    def copy(self) -> Match:
        """Return a copy that may be changed; what is in it is frozen, and shared."""
        return Match(*_VALUES(self))

    @property
    def over(self) -> bool:
        """Whether nothing more can happen."""
        return self.status in (FINISHED, ABORTED)

    @property
    def dice(self) -> ChanceSource:
        """Where this match's chance comes from."""
        return ChanceSource(self.secret, self.id, self.contributions)

    @property
    def started(self) -> Position:
        """The position, of a match that has started."""
        if self.position is None:
            raise Corruption(f"match {self.id} has no position before its start")
        return self.position

    def find_step(self) -> Step | None:
        """Say what the game waits for, or None while the match is not active."""
        if self.status != ACTIVE:
            return None
        return self.game.get_next_step(self.started)

    @property
    def to_act(self) -> int | None:
        """The seat to act, or None."""
        step = self.find_step()
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


_NAMES = tuple(field.name for field in fields(Match))
_VALUES = attrgetter(*_NAMES)


def find_due(match: Match) -> str | None:
    """Return the instant from which on time alone ends the match, or None.

    It is the one answer to that question: an active match ends when the seat to act has no time
    left, an open one when nobody has joined for ``OPEN_FOR``, a challenge when it has waited for
    as long as it ``waits``.
    At that very instant it is over.
    """
    if match.status == ACTIVE:
        return find_deadline(match.clock)
    waits = OPEN_FOR if match.opponent is None else match.waits
    return add_span(match.created_at, waits) if match.status == OPEN else None


def is_due(match: Match, at: str) -> bool:
    """Whether time has ended the match by the instant ``at``, whether or not an event says so."""
    instant = find_due(match)
    return instant is not None and instant <= at


def find_result(match: Match) -> JsonObject | None:
    """Return ``{"winner", "reason"}`` of a match that is over, or None."""
    return {"winner": match.winner, "reason": match.reason} if match.over else None


FORMAT = 2
"""The form of what ``dump`` writes. It is raised when that changes and no field does."""


def format_of(game: AnyGame) -> str:
    """Return the name of the form in which states of matches of a game are dumped.

    It is another one for each game and version of its rules, and as soon as a record in the state
    or in the game's position has other fields: what was dumped in another form is not loaded.
    """
    return _compute_format(game.slug, game.rules_version, game.load)


@cache
def _compute_format(slug: str, rules_version: int, load: Callable[[Json], object]) -> str:
    state = get_type_hints(Match)
    del state["game"], state["position"]
    position = get_type_hints(load)["return"]
    form = {
        "format": FORMAT,
        "game": [slug, rules_version],
        "state": [[name, derive_shape(kind)] for name, kind in state.items()],
        "position": derive_shape(position),
    }
    return hash_bytes(write_canonical(form))


def dump(match: Match) -> JsonObject:
    """Return the whole state as JSON, for a snapshot."""
    state = dict(zip(_NAMES, _VALUES(match), strict=True))
    state["game"] = [match.game.slug, match.game.rules_version]
    state["position"] = None if match.position is None else match.game.dump(match.position)
    state["clock"] = None if match.clock is None else clocks.dump(match.clock)
    offers = match.offers._asdict().items()
    state["offers"] = {kind: list(offer) for kind, offer in offers if offer is not None}
    return state


def load(state: JsonObject, games: Games) -> Match:
    """Return the state that ``dump`` wrote. Raises ``ValueError`` if a member is missing."""
    if state.keys() != {*_NAMES}:
        raise ValueError("a state with other members than it has")
    game = games.get(*state["game"])
    position, clock = state["position"], state["clock"]
    pace = read_pace(state["pace"])
    if clock is not None and pace is None:
        raise ValueError("clocks of a match without a pace")
    kept: JsonObject = {n: tuple(one) if type(one) is list else one for n, one in state.items()}
    return Match(
        **{
            **kept,
            "game": game,
            "position": None if position is None else game.load(position),
            "clock": None if clock is None or pace is None else clocks.load(clock, pace),
            "offers": Offers(**{kind: Offer(*one) for kind, one in state["offers"].items()}),
        }
    )
