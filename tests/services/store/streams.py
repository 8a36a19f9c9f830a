"""Events to store, chained as the service chains them, and a read model."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import count

from domain.log.event_format import GENESIS
from domain.match.events import Event, MoveMade, Proposal, Secret, chain_events, format_actor
from services.store.log.events import NewEvents, row_of
from services.store.matches import MatchRow

MATCH = "0123456789abcdef"
AT = "2026-11-27T22:03:11.482913Z"

ADA, BOB, EVE = "p_ada0000000000000", "p_bob0000000000000", "p_eve0000000000000"
ROW = MatchRow(
    id=MATCH,
    version=3,
    head="0" * 64,
    game="power-line",
    rules_version=1,
    status="active",
    visibility="public",
    rated=True,
    creator=ADA,
    opponent=None,
    seat_1=ADA,
    seat_2=BOB,
    to_act=1,
    to_act_player=ADA,
    ply=0,
    winner=None,
    reason=None,
    created_at="2026-11-27T22:00:00.000000Z",
    updated_at="2026-11-27T22:00:01.000000Z",
    deadline="2026-11-30T22:00:01.000000Z",
    pace="days",
    series=MATCH,
    number=1,
)
"""The read model of a match that runs."""


def moves(number: int, *, match: str = MATCH, after: Event | None = None) -> list[Event]:
    """Return so many moves, each with a sealed whole, that follow on ``after``."""
    version = 0 if after is None else after.version
    return chain_events(
        [_move(version + one) for one in range(1, number + 1)],
        match=match,
        version=version,
        previous=GENESIS if after is None else after.hash,
        at=AT,
        salt=_salts(f"{match} {version}"),
    )


def of_one_match(events: Iterable[Event], row: MatchRow | None = None) -> NewEvents:
    """Return events as they are appended."""
    return NewEvents([row_of(event) for event in events], row)


def _move(ply: int) -> Proposal:
    actor = format_actor(1 + ply % 2)
    secret = Secret((actor,), {"action": "place", "card": ply})
    return Proposal(MoveMade(1 + ply % 2, ply, {"action": "place"}, "player"), actor, (secret,))


def _salts(label: str) -> Callable[[], str]:
    numbers = count()
    return lambda: sha256(f"{label} {next(numbers)}".encode()).hexdigest()
