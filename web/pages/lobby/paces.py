"""The paces that a form offers: a few usual ones, and numbers of one's own."""

from __future__ import annotations

from typing import Any

from flask import request

from domain.errors import InvalidPace
from domain.json_types import Json
from domain.match.clock import BANK, BREAKS, PER_TURN
from services.errors import InvalidRequest
from web.pages.common.forms import number, text
from web.texts import N_, _

USUAL: dict[str, tuple[str, Json]] = {
    "3-days": (N_("3 days for each turn"), {"days_per_move": 3}),
    "1-day": (N_("1 day for each turn"), {"days_per_move": 1}),
    "7-days": (N_("A week for each turn"), {"days_per_move": 7}),
    "14-days": (N_("Two weeks for each turn"), {"days_per_move": 14}),
    "bank": (
        N_("10 days for all turns, and 12 hours more after each (20 days at most)"),
        {"bank_hours": 240, "increment_hours": 12, "cap_hours": 480},
    ),
    "none": (N_("No clock: nobody ever runs out of time"), None),
}
"""By name: how it is called, and what it is. The first is chosen unless somebody chooses."""

OWN_DAYS, OWN_BANK = "own-days", "own-bank"

OWN = {OWN_DAYS: N_("Another number of days for each turn"), OWN_BANK: N_("Another bank of hours")}
"""Those whose numbers are typed."""

NUMBERS = {
    "days_per_move": (N_("Days for each turn"), *PER_TURN["days_per_move"], 5),
    "bank_hours": (N_("Hours at the start"), *BANK["bank_hours"], 120),
    "increment_hours": (N_("Hours more after each turn"), *BANK["increment_hours"], 6),
    "cap_hours": (N_("Hours at most"), *BANK["cap_hours"], 240),
}
"""Fields of numbers: label, least, most, and what stands there at first."""


def asked_pace() -> Json:
    """Return the pace that the present form asks for.

    Raises ``InvalidRequest``; whether numbers are in bounds is for the domain to say.
    """
    chosen = text("pace") or next(iter(USUAL))
    if chosen in USUAL:
        pace = USUAL[chosen][1]
        return None if pace is None else {**pace, **_breaks()}
    if chosen not in OWN:
        raise InvalidRequest(_("Choose one of the paces."), pointer="/pace")
    names = PER_TURN if chosen == OWN_DAYS else BANK
    numbers = {name: number(name) for name in names}
    missing = next((name for name, value in numbers.items() if value is None), None)
    if missing is not None:
        raise InvalidRequest(_("This pace needs a number here."), pointer=f"/{missing}")
    return {**numbers, **_breaks()}


def pace_fields() -> dict[str, Any]:
    """Return what the template of a pace takes, with what the present form has in it."""
    fresh = request.method != "POST"
    return {
        "paces": {**{name: one[0] for name, one in USUAL.items()}, **OWN},
        "pace": text("pace") or next(iter(USUAL)),
        "pace_numbers": {
            name: (label, least, most, text(name) or str(usual))
            for name, (label, least, most, usual) in NUMBERS.items()
        },
        "breaks": {name: fresh or name in request.form for name in BREAKS},
    }


def field_of(refusal: InvalidPace) -> str:
    """Return the name of the field that a refused pace is about."""
    return (refusal.pointer or "/pace").rpartition("/")[2]


def _breaks() -> dict[str, bool]:
    return {name: name in request.form for name in BREAKS}
