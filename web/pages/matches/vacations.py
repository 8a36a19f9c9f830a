"""Vacations from a match's page: they let the clocks of all matches stand that allow it."""

from __future__ import annotations

from flask import Response

from domain.i18n import say
from services.errors import InvalidRequest, OnVacation, VacationUsedUp
from services.matches.vacations import DAYS_A_YEAR
from web.pages.common.answers import lead_to
from web.pages.common.forms import read_number
from web.pages.common.visitors import get_player
from web.pages.matches.match import make_present_url, refused_at
from web.site import get_site


@refused_at("action", OnVacation, VacationUsedUp)
def change_vacation(match_id: str) -> Response:
    """Go on vacation for so many ``days``, or, without any, come back from it."""
    take_vacation()
    return lead_to(make_present_url(match_id))


def take_vacation() -> None:
    """Begin a vacation of the ``days`` that a form says, or, without any, come back.

    Raises ``InvalidRequest``, ``OnVacation`` and ``VacationUsedUp``.
    """
    vacations, player, days = get_site().house.vacations, get_player().player, read_number("days")
    if days is None:
        vacations.end(player)
    elif 1 <= days <= DAYS_A_YEAR:
        vacations.take(player, days)
    else:
        raise InvalidRequest(
            say("A vacation has 1 to {days} days.", days=DAYS_A_YEAR), pointer="/days"
        )
