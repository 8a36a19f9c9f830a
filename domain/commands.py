"""What can be asked of a match. Time and entropy come in with the command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from domain.game import AnyGame, Move
from domain.json_types import Json, JsonObject


@dataclass(frozen=True, slots=True)
class CreateMatch:
    """Create a match and take a seat of it.

    ``match``: the new id. ``secret``: 64 hex digits, fresh. ``seat`` None: by chance.
    ``options`` and ``settings`` are complete. ``creator`` and ``opponent`` are player ids.
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
    """Make a move, parsed by the match's game."""

    seat: int
    move: Move
    cause: str = "player"


@dataclass(frozen=True, slots=True)
class Resign:
    """Give the match up; out of turn too."""

    seat: int


@dataclass(frozen=True, slots=True)
class AbortMatch:
    """End the match so that it counts for nobody. ``seat`` None: by an administrator."""

    seat: int | None


@dataclass(frozen=True, slots=True)
class DeclineChallenge:
    """Turn down the challenge that the free seat is kept for. ``player``: who was challenged."""

    player: str


@dataclass(frozen=True, slots=True)
class LapseMatch:
    """End an open match that nobody has joined in time. When that is, is the service's affair."""


Command: TypeAlias = (
    CreateMatch
    | JoinMatch
    | Contribute
    | PlayMove
    | Resign
    | AbortMatch
    | DeclineChallenge
    | LapseMatch
)
