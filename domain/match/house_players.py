"""House players: the service's own, of which there is one for each level.

Their ids are the same everywhere, so that an event, an export and an audit say by themselves who is
one. Nobody else can have such an id: those of people are made of letters that ``house`` is not.
"""

from __future__ import annotations

from hmac import digest as hmac_digest

from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.clock import SECOND, add_span, measure_span

HOUSE = "house"
"""The ``cause`` of a house player's move."""

LEVELS = 5
"""The highest level that there is. A game may carry fewer."""

SCHEME = "plybook/house/1"
_SEED_BYTES = 8

PACE = 8 * SECOND // 10
"""Microseconds from an event to the answer to it, where something is hidden: longer than a thought.

At the strongest level one takes half a second. Those who wait for three actions of a turn wait for
less than three seconds.
"""

SHARE = 2 * SECOND // 10
"""Up to so many more by chance, so that no two answers take the same time."""

PLAYERS = {level: f"p_house{level:011}" for level in range(1, LEVELS + 1)}
"""The house players' ids by level."""

LEVEL_OF: dict[str | None, int] = {player: level for level, player in PLAYERS.items()}
"""Their levels by id."""


def level_of(player: str | None) -> int | None:
    """Return the level of a house player; None of everybody else.

    >>> level_of("p_house00000000003"), level_of("p_0123456789abcdef"), level_of(None)
    (3, None, None)
    """
    return LEVEL_OF.get(player)


def name_of(level: int) -> str:
    """Return the name of the house player of a level, which nobody can sign up with.

    >>> name_of(3)
    'house:3'
    """
    return f"{HOUSE}:{level}"


def name_house_player(player: str | None) -> str | None:
    """Return what a house player is called where people read it; None of everybody else.

    >>> name_house_player(PLAYERS[3])
    'House level 3'
    """
    level = level_of(player)
    return None if level is None else say("House level {level}", level=level)


def describe_engine(version: str, level: int) -> JsonObject:
    """Return what the event of a house player's move says of who decided on it."""
    return {"version": version, "level": level}


def derive_seed(secret: str, match: str, version: int) -> int:
    """Return what the chance of a house player's search follows from.

    ``secret``: the match's 64 hex digits, which nobody knows before its end. ``version``: that on
    which the move is decided. Source: the section *House players* of docs/event-format.md.
    """
    return _derive_number(secret, [SCHEME, match, version])


def compute_show_time(secret: str, match: str, version: int, at: str, ready: str) -> str:
    """Return when a house player's answer to the event ``version``, of the instant ``at``, shows.

    That is so many whole paces after the event, at least one, and a share that follows from the
    match's secret. So it tells nothing of how long was thought, but where that took longer than a
    pace. ``ready``: the instant from which on it can be shown.
    """
    first = add_span(at, _derive_number(secret, [f"{SCHEME}/pace", match, version]) % SHARE)
    return add_span(first, max(1, -(-measure_span(first, ready) // PACE)) * PACE)


def _derive_number(secret: str, label: Json) -> int:
    digest = hmac_digest(bytes.fromhex(secret), write_canonical(label), "sha256")
    return int.from_bytes(digest[:_SEED_BYTES], "big")
