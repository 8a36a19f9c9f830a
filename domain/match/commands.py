"""What can be asked of a match. Time and entropy come in with the command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from domain.game.game import AnyGame, Move
from domain.json_types import Json, JsonObject
from domain.match.events import Event
from domain.match.state import Match


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Create a match and take a seat of it.

    ``match``: the new id. ``secret``: 64 hex digits, fresh. ``seat`` None: by chance.
    ``options`` and ``settings`` are complete. ``creator`` and ``opponent`` are player ids.
    ``waits``: how many seconds a challenge waits for its player; None: as long as usual.
    ``series``: the place of the match in one. Of its second and every later match nobody but the
    server asks: ``opponent`` sits down at once, with the settings ``opposed``, and it starts.
    """

    match: str
    secret: str
    game: AnyGame
    options: JsonObject
    settings: JsonObject
    creator: str
    seat: int | None = None
    opponent: str | None = None
    visibility: str = "public"
    pace: Json = None
    rated: bool = False
    waits: int | None = None
    series: JsonObject | None = None
    opposed: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class JoinMatch:
    """Take the free seat; the match starts. ``contribution``: 64 hex digits or None."""

    player: str
    settings: JsonObject
    contribution: str | None = None


@dataclass(frozen=True, slots=True)
class Contribute:
    """Add the creator's 64 hex digits to the dice while the match is open."""

    seat: int
    contribution: str


@dataclass(frozen=True, slots=True)
class PlayMove:
    """Make a move, parsed by the match's game. ``engine``: of a house player's move."""

    seat: int
    move: Move
    cause: str = "player"
    engine: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the match up; out of turn too."""

    seat: int


@dataclass(frozen=True, slots=True)
class LeaveSeries:
    """Give the match up, and with it the rest of its series."""

    seat: int


@dataclass(frozen=True, slots=True)
class AbortMatch:
    """End the match so that it counts for nobody. ``seat`` None: by an administrator."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """Propose something to the other seat.

    ``kind``: one of ``state.OFFER_KINDS``, but a takeback. ``seconds``: those of a pause.
    """

    seat: int
    kind: str
    seconds: int = 0


@dataclass(frozen=True, slots=True)
class OfferTakeback:
    """Propose to go back to ``past``, the state right after an earlier version.

    ``since``: all events behind it.
    """

    seat: int
    past: Match
    since: Sequence[Event]


@dataclass(frozen=True, slots=True)
class AcceptOffer:
    """Accept what the other seat proposes. ``past``: the state to which a takeback leads."""

    seat: int
    kind: str
    past: Match | None = None


@dataclass(frozen=True, slots=True)
class DeclineOffer:
    """Turn down what the other seat proposes, or withdraw what one has proposed."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class GiveTime:
    """Give the other seat ``seconds`` more."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class GiveBackTime:
    """Give ``seat`` back the ``seconds`` that its clock ran while the service was away."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class GoAway:
    """Let the clock of ``seat`` stand for its vacation, for ``seconds`` from now on."""

    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class ComeBack:
    """End the vacation of ``seat`` in this match before its time."""

    seat: int


@dataclass(frozen=True, slots=True)
class TimeOut:
    """End the match whose seat to act has no time left."""


@dataclass(frozen=True, slots=True)
class DeclineChallenge:
    """Turn down the challenge that the free seat is kept for. ``player``: who was challenged."""

    player: str


@dataclass(frozen=True, slots=True)
class LapseMatch:
    """End an open match that nobody has joined in time."""


OfferCommand: TypeAlias = MakeOffer | OfferTakeback | AcceptOffer | DeclineOffer
"""What is decided in ``domain.match.decisions.offers``."""

ClockCommand: TypeAlias = TimeOut | GiveTime | GiveBackTime | GoAway | ComeBack
"""What is decided in ``domain.match.decisions.clock``."""

Command: TypeAlias = (
    CreateMatch
    | JoinMatch
    | Contribute
    | PlayMove
    | Resign
    | LeaveSeries
    | AbortMatch
    | DeclineChallenge
    | LapseMatch
    | OfferCommand
    | ClockCommand
)
