"""Events to store, chained as the service chains them."""

from collections.abc import Callable
from hashlib import sha256
from itertools import count

from domain.chain import GENESIS
from domain.events import Event, MoveMade, Proposal, Secret, seat_actor
from domain.sealing import chained

MATCH = "0123456789abcdef"
AT = "2026-11-27T22:03:11.482913Z"


def moves(number: int, *, match: str = MATCH, after: Event | None = None) -> list[Event]:
    """Return so many moves, each with a sealed whole, that follow on ``after``."""
    version = 0 if after is None else after.version
    return chained(
        [_move(version + one) for one in range(1, number + 1)],
        match=match,
        version=version,
        previous=GENESIS if after is None else after.hash,
        at=AT,
        salt=_salts(f"{match} {version}"),
    )


def _move(ply: int) -> Proposal:
    actor = seat_actor(1 + ply % 2)
    secret = Secret((actor,), {"action": "place", "card": ply})
    return Proposal(MoveMade(1 + ply % 2, ply, {"action": "place"}, "player"), actor, (secret,))


def _salts(label: str) -> Callable[[], str]:
    numbers = count()
    return lambda: sha256(f"{label} {next(numbers)}".encode()).hexdigest()
