"""The facts of a match, and the events that carry them.

A fact is what happened; an event is a fact with its place in the chain. Kinds, members
and meaning: docs/event-format.md.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.match import agreements
from domain.match.agreements import Agreement

SERVER = "server"
CREATOR = "creator"
ADMIN = "admin"
BOTH_SEATS = ("seat-1", "seat-2")


def seat_actor(seat: int) -> str:
    """Return the actor (and audience) name of a seat."""
    return f"seat-{seat}"


class MatchCreated(NamedTuple):
    """A match exists. Sealed for the server: ``{"secret": "<64 hex>"}``."""

    game: str
    rules_version: int
    options: JsonObject
    visibility: str
    pace: Json
    rated: bool
    creator: str
    opponent: str | None


class SeatTaken(NamedTuple):
    """A player sits down. In a game with settings they are sealed for the seat."""

    seat: int
    player: str


class SeatKept(NamedTuple):
    """A challenge waits for its player for ``amount`` seconds, and not as long as usual."""

    seat: int
    amount: int


class DiceContributed(NamedTuple):
    """A seat added 64 hex digits of its own to the dice."""

    seat: int
    contribution: str


class MatchStarted(NamedTuple):
    """Both seats are taken, and the game begins."""


class ChanceDrawn(NamedTuple):
    """Draw number ``draw`` came out; a hidden outcome is sealed for the server."""

    draw: int
    purpose: str
    seat: int | None = None
    outcome: Json = None


class MoveMade(NamedTuple):
    """A seat moved. What the move hides is sealed for its seat, as the whole move."""

    seat: int
    ply: int
    move: JsonObject
    cause: str


class TurnPassed(NamedTuple):
    """A seat had no legal move. What the pass shows is sealed for both seats."""

    seat: int
    reason: str


class MatchEnded(NamedTuple):
    """The match is over; ``winner`` None is a draw."""

    winner: int | None
    reason: str


class MatchAborted(NamedTuple):
    """The match counts for nobody."""

    reason: str


Course: TypeAlias = (
    MatchCreated
    | SeatTaken
    | SeatKept
    | DiceContributed
    | MatchStarted
    | ChanceDrawn
    | MoveMade
    | TurnPassed
    | MatchEnded
    | MatchAborted
)
"""What happens in a match whatever its seats agree on."""

Fact: TypeAlias = Course | Agreement

FACTS: dict[str, Any] = {
    "match-created": MatchCreated,
    "seat-taken": SeatTaken,
    "seat-kept": SeatKept,
    "dice-contributed": DiceContributed,
    "match-started": MatchStarted,
    "chance-drawn": ChanceDrawn,
    "move-made": MoveMade,
    "turn-passed": TurnPassed,
    "draw-offered": agreements.DrawOffered,
    "draw-declined": agreements.DrawDeclined,
    "takeback-offered": agreements.TakebackOffered,
    "takeback-declined": agreements.TakebackDeclined,
    "takeback-accepted": agreements.TakebackAccepted,
    "pause-offered": agreements.PauseOffered,
    "pause-declined": agreements.PauseDeclined,
    "resume-offered": agreements.ResumeOffered,
    "resume-declined": agreements.ResumeDeclined,
    "abort-offered": agreements.AbortOffered,
    "abort-declined": agreements.AbortDeclined,
    "clock-paused": agreements.ClockPaused,
    "clock-resumed": agreements.ClockResumed,
    "time-given": agreements.TimeGiven,
    "match-ended": MatchEnded,
    "match-aborted": MatchAborted,
}
"""Stored name of each kind -> its record. The names are ours and never change."""

KINDS: dict[type, str] = {record: kind for kind, record in FACTS.items()}

SCHEMAS: dict[str, int] = dict.fromkeys(FACTS, 1)
"""The present schema number of each kind's data."""


def to_data(fact: Fact) -> JsonObject:
    """Return the ``data`` of a fact's event."""
    data = fact._asdict()
    if type(fact) is ChanceDrawn:
        return {name: value for name, value in data.items() if value is not None}
    return data


def from_data(kind: str, data: JsonObject) -> Fact:
    """Return the fact of an event's ``kind`` and ``data``.

    Raises ``Corruption`` for a kind or members that this release does not know.
    """
    record = FACTS.get(kind)
    if record is None:
        raise Corruption(f"an event of the unknown kind {kind!r}")
    try:
        fact: Fact = record(**data)
    except TypeError as error:
        raise Corruption(f"a {kind} event with unknown or missing members: {error}") from error
    return fact


class Secret(NamedTuple):
    """A value that only its audience may see before the end."""

    audience: tuple[str, ...]
    value: Json


class Proposal(NamedTuple):
    """A fact that a decision yields, not yet sealed and chained."""

    fact: Fact
    actor: str
    secrets: tuple[Secret, ...] = ()


class Seal(NamedTuple):
    """A sealed value: its commitment, and its opening where there is one."""

    audience: tuple[str, ...]
    commitment: str
    salt: str | None
    value: Json


class Event(NamedTuple):
    """A fact in its place. ``body`` holds the canonical bytes that ``hash`` covers."""

    match: str
    version: int
    kind: str
    schema: int
    actor: str
    at: str
    fact: Fact
    sealed: tuple[Seal, ...]
    previous: str
    hash: str
    body: bytes
