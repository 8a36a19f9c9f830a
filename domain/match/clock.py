"""Paces and clocks: how much time each seat has, how much is left, and when it is up.

A pace stands in the match's first event. It is null (no clock), so many days for each turn, or a
bank of hours with an increment and a cap; see docs/clocks.md.

``find_due`` (of the state) is the one function that says when time alone ends a match. Reads,
commands and the sweep ask it, each with an instant of its own, so they cannot disagree. Instants
are texts in the form of the event format, which sort as they passed; spans are whole microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, TypeAlias

from domain.errors import InvalidPace
from domain.i18n import say, say_many
from domain.json_types import Json, JsonObject

SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR

INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
"""The form of an instant; not every text of this form is one."""

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


def complete_pace(given: Json) -> JsonObject | None:
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
    full = {name: _read_whole(given, name, *bounds) for name, bounds in numbers.items()}
    if numbers is BANK and full["cap_hours"] < full["bank_hours"]:
        raise InvalidPace(
            say("cap_hours must not be less than bank_hours."), pointer="/pace/cap_hours"
        )
    return {**full, **{name: _read_flag(given, name) for name in BREAKS}}


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


def build_pace_schema() -> JsonObject:
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


def format_pace(pace: JsonObject | None) -> str:
    """Say a pace in a few words.

    >>> format_pace({"days_per_move": 3, "vacation": True, "pause": True})
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


def _read_whole(given: JsonObject, name: str, least: int, most: int) -> int:
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


def _read_flag(given: JsonObject, name: str) -> bool:
    value = given.get(name, True)
    if type(value) is not bool:
        raise InvalidPace(say("{name} must be true or false.", name=name), pointer=f"/pace/{name}")
    return value


_A_MICROSECOND = timedelta(microseconds=1)

Spans = tuple[int, int]
Instants = tuple[str, str]

NEVER = ""
"""Stands for an instant before all others."""

OPEN_FOR, CHALLENGE_FOR = 60 * DAY, 14 * DAY
"""How long a match waits for its second player: for anybody, and for one who was challenged.

A challenge whose events say ``seat-kept`` waits for as long as that says.
"""


def format_instant(when: datetime) -> str:
    """Write an instant: RFC 3339, UTC, always six fractional digits.

    >>> format_instant(datetime(2026, 11, 27, 22, 0, tzinfo=UTC))
    '2026-11-27T22:00:00.000000Z'
    """
    return f"{when.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def parse_instant(text: str) -> str:
    """Return a date or an instant of ISO 8601, in UTC unless it says otherwise, as an instant.

    Raises ``ValueError``.

    >>> parse_instant("2026-11-27"), parse_instant("2026-11-27T22:00+01:00")
    ('2026-11-27T00:00:00.000000Z', '2026-11-27T21:00:00.000000Z')
    """
    when = datetime.fromisoformat(text)
    try:
        return format_instant(when if when.tzinfo else when.replace(tzinfo=UTC))
    except OverflowError as error:
        raise ValueError(f"{text} is of no year from 1 to 9999 in UTC") from error


def format_later(when: datetime, *, days: float) -> str:
    """Write the instant that lies so many days later.

    >>> format_later(datetime(2026, 11, 27, 22, 0, tzinfo=UTC), days=1.5)
    '2026-11-29T10:00:00.000000Z'
    """
    return format_instant(when + timedelta(days=days))


def add_span(instant: str, span: int) -> str:
    """Return the instant that lies ``span`` microseconds later.

    >>> add_span("2026-11-27T23:59:59.999999Z", 1)
    '2026-11-28T00:00:00.000000Z'
    """
    return format_instant(datetime.fromisoformat(instant) + span * _A_MICROSECOND)


def measure_span(earlier: str, later: str) -> int:
    """Return how many microseconds lie between two instants; 0 if there are none.

    >>> measure_span("2026-11-27T22:00:00.000000Z", "2026-11-27T22:00:01.500000Z")
    1500000
    """
    if later <= earlier:
        return 0
    return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)) // _A_MICROSECOND


class Clock(NamedTuple):
    """The clocks of a match.

    ``running``: the seat whose clock it is, None while nobody is to act. ``left``: what each seat
    had at the instant ``mark``; since then the clock of ``running`` has run, except while it
    stood. ``paused_until``: both clocks stand until then, by agreement; ``away_until``: those of
    each seat, for its vacation. ``pauses``: how long they were agreed to stand, in all.
    """

    pace: Pace
    mark: str
    left: Spans
    running: int | None = None
    paused_until: str = NEVER
    away_until: Instants = (NEVER, NEVER)
    pauses: int = 0


def start(pace: Pace, at: str) -> Clock:
    """Return the clocks of a match that starts."""
    return Clock(pace, at, (pace.allowance, pace.allowance))


def compute_run_start(clock: Clock, seat: int, instant: str) -> str:
    """Return when the clock of ``seat`` runs, if it is to act from ``instant`` on."""
    return max(instant, clock.paused_until, clock.away_until[seat - 1])


def measure_run(clock: Clock | None, seat: int, earlier: str, later: str) -> int:
    """Return how long the clock of ``seat`` ran between two instants without events.

    Without a clock all time counts.
    """
    return measure_span(
        earlier if clock is None else compute_run_start(clock, seat, earlier), later
    )


def measure_run_within(clock: Clock, times: Sequence[Instants], until: str) -> int:
    """Return how long the clock that runs has run since its last change within ``times``.

    They are in order and do not overlap; what lies behind ``until`` is not counted.
    """
    if clock.running is None:
        return 0
    since, total = compute_run_start(clock, clock.running, clock.mark), 0
    for begin, end in reversed(times):
        if end <= since:
            break
        total += measure_span(max(begin, since), min(end, until))
    return total


def find_deadline(clock: Clock | None) -> str | None:
    """Return the instant at which the seat to act has no time left, or None."""
    if clock is None or clock.running is None:
        return None
    seat = clock.running
    return add_span(compute_run_start(clock, seat, clock.mark), clock.left[seat - 1])


def compute_time_left(clock: Clock, instant: str) -> Spans:
    """Return how much time each seat has at an instant behind the last event."""
    if clock.running is None:
        return clock.left
    ran = measure_run(clock, clock.running, clock.mark, instant)
    return _add(clock.left, clock.running, -ran)


def settle(clock: Clock, at: str) -> Clock:
    """Return the same clocks, reckoned up to ``at``."""
    return clock._replace(mark=at, left=compute_time_left(clock, at))


def turn_to(clock: Clock, seat: int, at: str) -> Clock:
    """Let ``seat`` be the one to act from now on; nothing changes if it is already."""
    if clock.running == seat:
        return clock
    return _end_turn(settle(clock, at))._replace(running=seat)


def stop(clock: Clock, at: str) -> Clock:
    """Stop for good: the match is over."""
    return settle(clock, at)._replace(running=None)


def pause(clock: Clock, length: int, at: str) -> Clock:
    """Let both clocks stand for ``length`` microseconds from now on."""
    return settle(clock, at)._replace(
        paused_until=add_span(at, length), pauses=clock.pauses + length
    )


def resume(clock: Clock, at: str) -> Clock:
    """End what both agreed to earlier; what is left of it is not counted as paused."""
    unused = measure_span(at, clock.paused_until)
    return settle(clock, at)._replace(paused_until=NEVER, pauses=clock.pauses - unused)


def set_away(clock: Clock, seat: int, length: int, at: str) -> Clock:
    """Let the clock of ``seat`` stand for ``length`` microseconds from now on; 0: no more."""
    until = add_span(at, length) if length else NEVER
    first, second = clock.away_until
    return settle(clock, at)._replace(away_until=(until, second) if seat == 1 else (first, until))


def add_time(clock: Clock, seat: int, amount: int) -> Clock:
    """Return the same clocks, as if ``seat`` had had so much more all along."""
    return clock._replace(left=_add(clock.left, seat, amount))


def give_time(clock: Clock, seat: int, amount: int, at: str) -> Clock:
    """Give ``seat`` more time from now on, or back what its clock has run.

    It is added before the clock is reckoned up: while the service was away, a clock may have run
    for longer than it had.
    """
    return settle(add_time(clock, seat, amount), at)


def take_back(clock: Clock, then: Clock, then_at: str, seat: int, at: str) -> Clock:
    """Restore the time that each seat had at the instant ``then_at``, unless it has more now.

    The turn of ``seat`` begins anew with that. Pauses, which concern days and not moves, go on.
    """
    one, two = zip(compute_time_left(clock, at), compute_time_left(then, then_at), strict=True)
    return clock._replace(mark=at, left=(max(one), max(two)), running=seat)


def _end_turn(clock: Clock) -> Clock:
    """Give the seat whose turn ends what its next turn begins with."""
    if clock.running is None:
        return clock
    pace, has = clock.pace, clock.left[clock.running - 1]
    # What of a bank lies above the cap was given, and stays.
    more = pace.allowance - has if pace.per_turn else max(0, min(pace.increment, pace.cap - has))
    return add_time(clock, clock.running, more)


def _add(left: Spans, seat: int, amount: int) -> Spans:
    first, second = left
    return (max(0, first + amount), second) if seat == 1 else (first, max(0, second + amount))


def dump(clock: Clock) -> JsonObject:
    """Return the clocks as JSON, without the pace, which the match itself has."""
    members = clock._asdict()
    del members["pace"]
    return members | {"left": list(clock.left), "away_until": list(clock.away_until)}


def load(state: JsonObject, pace: Pace) -> Clock:
    """Return the clocks that ``dump`` wrote."""
    pairs = {name: tuple(state[name]) for name in ("left", "away_until")}
    return Clock(pace, **{**state, **pairs})
