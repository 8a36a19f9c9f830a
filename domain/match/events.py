"""The facts of a match, and the events that carry them.

A fact is what happened; an event is a fact with its place in the chain. Kinds, members
and meaning: docs/event-format.md. Versions are versions of events, amounts whole seconds.
``chain_events`` makes events of what was decided: sealed, stamped and put in the chain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, get_args

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log import event_format


class DrawOffered(NamedTuple):
    """A seat offers a draw; ``version``: that of the position on which it does."""

    seat: int
    version: int


class DrawDeclined(NamedTuple):
    """A draw offer is turned down, or withdrawn by the seat that made it."""

    seat: int
    version: int


class TakebackOffered(NamedTuple):
    """A seat asks to go back to what stood right after the event ``version``."""

    seat: int
    version: int


class TakebackDeclined(NamedTuple):
    """A takeback is turned down, or withdrawn by the seat that asked for it."""

    seat: int
    version: int


class TakebackAccepted(NamedTuple):
    """The game goes back to what stood right after the event ``version``."""

    seat: int
    version: int


class PauseOffered(NamedTuple):
    """A seat proposes that both clocks stand for ``amount`` seconds."""

    seat: int
    amount: int


class PauseDeclined(NamedTuple):
    """A pause is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class ResumeOffered(NamedTuple):
    """A seat proposes to end a pause that both agreed to before its time."""

    seat: int


class ResumeDeclined(NamedTuple):
    """The earlier end of a pause is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class AbortOffered(NamedTuple):
    """A seat proposes to abort the match."""

    seat: int


class AbortDeclined(NamedTuple):
    """Aborting is turned down, or withdrawn by the seat that proposed it."""

    seat: int


class ClockPaused(NamedTuple):
    """Clocks stand for ``amount`` seconds from now on, and then run by themselves.

    Reason ``agreement``: both, and ``seat`` agreed. Reason ``vacation``: that of ``seat``.
    """

    seat: int
    reason: str
    amount: int


class ClockResumed(NamedTuple):
    """Clocks that stand run again, ``amount`` seconds early; seat and reason as above."""

    seat: int
    reason: str
    amount: int


class TimeGiven(NamedTuple):
    """``seat`` has ``amount`` seconds more.

    Reason ``gift``: from the other seat. Reason ``downtime``: its clock ran for so long while the
    service was away, and that does not count.
    """

    seat: int
    reason: str
    amount: int


Agreement: TypeAlias = (
    DrawOffered
    | DrawDeclined
    | TakebackOffered
    | TakebackDeclined
    | TakebackAccepted
    | PauseOffered
    | PauseDeclined
    | ResumeOffered
    | ResumeDeclined
    | AbortOffered
    | AbortDeclined
    | ClockPaused
    | ClockResumed
    | TimeGiven
)


SERVER = "server"
CREATOR = "creator"
ADMIN = "admin"
BOTH_SEATS = ("seat-1", "seat-2")


def format_actor(seat: int) -> str:
    """Return the actor (and audience) name of a seat."""
    return f"seat-{seat}"


class MatchCreated(NamedTuple):
    """A match exists. Sealed for the server: ``{"secret": "<64 hex>"}``.

    ``series``: its place in a series, as ``domain.match.series`` writes it.
    """

    game: str
    rules_version: int
    options: JsonObject
    visibility: str
    pace: Json
    rated: bool
    creator: str
    opponent: str | None
    series: JsonObject | None = None


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
    """A seat moved. What the move hides is sealed for its seat, as the whole move.

    ``engine``: which one decided on a house player's move, and at which level.
    """

    seat: int
    ply: int
    move: JsonObject
    cause: str
    engine: JsonObject | None = None


class TurnPassed(NamedTuple):
    """A seat had no legal move. What the pass shows is sealed for both seats."""

    seat: int
    reason: str


class MatchEnded(NamedTuple):
    """The match is over; ``winner`` None is a draw.

    ``forfeits``: who lost gives up the rest of the series, too.
    """

    winner: int | None
    reason: str
    forfeits: bool | None = None


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
    re.sub(r"(?<!^)(?=[A-Z])", "-", record.__name__).lower(): record
    for record in (*get_args(Course), *get_args(Agreement))
}
"""Each kind's record by its stored name, which the table in ``kinds`` has word for word.

The name of a class gives the name of its kind. Whoever renames the class is stopped by that table,
since a stored name never changes.
"""

KIND_NAMES: dict[type, str] = {record: kind for kind, record in FACTS.items()}

ADDED: dict[str, tuple[str, ...]] = {
    "match-created": ("series",),
    "move-made": ("engine",),
    "match-ended": ("forfeits",),
}
"""Optional members that a kind has got since its first release, the oldest first.

An event that has none of them is of schema 1, and the same byte for byte as it always was. Each
added member raises the schema of the events that have it, and of no others, by one more.
docs/adding-an-event-kind.md says how to add one.
"""


def get_schema(kind: str, data: Mapping[str, Json]) -> int:
    """Return the schema of an event: that of the newest added member in its ``data``."""
    newest = 1
    for schema, name in enumerate(ADDED.get(kind, ()), 2):
        if name in data:
            newest = schema
    return newest


def to_data(fact: Fact) -> JsonObject:
    """Return the ``data`` of a fact's event. An optional member that is None is left out."""
    data: JsonObject = fact._asdict()
    for name in fact._field_defaults:
        if data[name] is None:
            del data[name]
    return data


def from_data(kind: str, schema: int, data: JsonObject) -> Fact:
    """Return the fact of an event's ``kind``, ``schema`` and ``data``.

    Raises ``Corruption`` for a kind, a schema or members that this release does not know, and for a
    schema that is not the one of these members.
    """
    record = FACTS.get(kind)
    if record is None:
        raise Corruption(f"an event of the unknown kind {kind!r}")
    known = 1 + len(ADDED.get(kind, ()))
    if schema > known:
        raise Corruption(f"a {kind} event of schema {schema}; this release knows {known}")
    try:
        fact: Fact = record(**data)
    except TypeError as error:
        raise Corruption(f"a {kind} event with unknown or missing members: {error}") from error
    if schema != get_schema(kind, data):
        raise Corruption(f"a {kind} event of schema {schema} with the members of another")
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


def chain_events(  # noqa: PLR0913 - the places of an event, each by its name
    proposals: Iterable[Proposal],
    *,
    match: str,
    version: int,
    previous: str,
    at: str,
    salt: Callable[[], str],
) -> list[Event]:
    """Return the events of ``proposals`` that follow on ``version`` and its hash.

    ``at``: the instant, already not before that of the event at ``version``. ``salt``
    gives 64 fresh hex digits at each call.
    """
    events = []
    for number, proposal in enumerate(proposals, version + 1):
        kind, data = KIND_NAMES[type(proposal.fact)], to_data(proposal.fact)
        sealed = tuple(_seal(secret, salt()) for secret in proposal.secrets)
        place = (match, number, kind, get_schema(kind, data), proposal.actor, at)
        seals = [event_format.seal(seal.audience, seal.commitment) for seal in sealed]
        body = event_format.write(event_format.Members(*place, data, seals, previous))
        event = Event(*place, proposal.fact, sealed, previous, event_format.hash_bytes(body), body)
        previous = event.hash
        events.append(event)
    return events


def _seal(secret: Secret, salt: str) -> Seal:
    commitment = event_format.compute_commitment(salt, secret.value)
    return Seal(secret.audience, commitment, salt, secret.value)
