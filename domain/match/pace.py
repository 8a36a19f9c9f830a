"""The pace of a match: how much time each seat has, as it stands in the match's first event.

Three forms, all described in docs/clocks.md: null (no clock), so many days for each turn, and a
bank of hours with an increment and a cap. Spans are in whole microseconds inside of the house.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from domain.errors import InvalidPace
from domain.i18n import say, say_many
from domain.json_types import Json, JsonObject

MICROSECOND = 1
SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR

_Bounds: TypeAlias = tuple[int, int]

PER_TURN: dict[str, _Bounds] = {"days_per_move": (1, 60)}
BANK: dict[str, _Bounds] = {
    "bank_hours": (1, 4_800),
    "increment_hours": (0, 480),
    "cap_hours": (1, 4_800),
}
"""Members of a pace that are whole numbers, and from where to where they go."""

BREAKS = ("vacation", "pause")
"""Members that allow the clock to stand still; true unless they are given."""


class Pace(NamedTuple):
    """A pace, in microseconds.

    ``allowance``: the time of every turn when ``per_turn``, else the bank at the start.
    ``increment`` is added after each turn, up to ``cap``.
    """

    per_turn: bool
    allowance: int
    increment: int
    cap: int
    vacation: bool
    pause: bool


def full_pace(given: Json) -> JsonObject | None:
    """Return a pace with every member, defaults filled in; None of null.

    Raises ``InvalidPace``; its pointer begins at the object that has the pace as ``pace``.
    """
    if given is None:
        return None
    if type(given) is not dict:
        raise InvalidPace(say("A pace is null or a JSON object."), pointer="/pace")
    numbers = PER_TURN if "days_per_move" in given else BANK
    if not given.keys() & {*PER_TURN, "bank_hours"}:
        raise InvalidPace(say("A pace has either days_per_move or bank_hours."), pointer="/pace")
    for name in given:
        if name not in (*numbers, *BREAKS):
            there = ", ".join((*numbers, *BREAKS))
            raise InvalidPace(
                say("Such a pace has no {name!r}: only {there}.", name=name[:40], there=there),
                pointer="/pace",
            )
    full = {name: _whole(given, name, *bounds) for name, bounds in numbers.items()}
    if numbers is BANK and full["cap_hours"] < full["bank_hours"]:
        raise InvalidPace(
            say("cap_hours must not be less than bank_hours."), pointer="/pace/cap_hours"
        )
    return {**full, **{name: _flag(given, name) for name in BREAKS}}


def read_pace(pace: JsonObject | None) -> Pace | None:
    """Return what the first event of a match says, ready to reckon with."""
    if pace is None:
        return None
    days = pace.get("days_per_move")
    breaks = (pace["vacation"], pace["pause"])
    if days is not None:
        return Pace(True, days * DAY, 0, days * DAY, *breaks)  # noqa: FBT003 - by place
    bank, increment, cap = (pace[name] * HOUR for name in BANK)
    return Pace(False, bank, increment, cap, *breaks)  # noqa: FBT003


def pace_schema() -> JsonObject:
    """Return the JSON Schema of a pace."""
    numbers = {
        name: {"type": "integer", "minimum": least, "maximum": most}
        for name, (least, most) in {**PER_TURN, **BANK}.items()
    }
    flags = {name: {"type": "boolean", "default": True} for name in BREAKS}
    return {
        "type": ["object", "null"],
        "properties": {**numbers, **flags},
        "additionalProperties": False,
    }


def pace_words(pace: JsonObject | None) -> str:
    """Say a pace in a few words.

    >>> pace_words({"days_per_move": 3, "vacation": True, "pause": True})
    '3 days a turn'
    """
    if pace is None:
        return say("no clock")
    if "days_per_move" in pace:
        return say_many("{number} day a turn", "{number} days a turn", pace["days_per_move"])
    bank, increment, cap = (pace[name] for name in BANK)
    return say(
        "{bank} h, {increment} h more after each turn, {cap} h at most",
        bank=bank,
        increment=increment,
        cap=cap,
    )


def _whole(given: JsonObject, name: str, least: int, most: int) -> int:
    defaults = {"increment_hours": 0, "cap_hours": given.get("bank_hours")}
    value = given.get(name, defaults.get(name))
    if type(value) is not int or not least <= value <= most:
        raise InvalidPace(
            say(
                "{name} must be a whole number from {least} to {most}.",
                name=name,
                least=least,
                most=most,
            ),
            pointer=f"/pace/{name}",
        )
    return value


def _flag(given: JsonObject, name: str) -> bool:
    value = given.get(name, True)
    if type(value) is not bool:
        raise InvalidPace(say("{name} must be true or false.", name=name), pointer=f"/pace/{name}")
    return value
