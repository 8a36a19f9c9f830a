"""Vacations from a match's page: they let the clocks of all matches stand that allow it."""

from __future__ import annotations

from flask import Response

from domain.i18n import say
from services.errors import InvalidRequest, OnVacation, VacationUsedUp
from services.matches.vacations import DAYS_A_YEAR
from web.http.problems import PROBLEMS
from web.pages.common.answers import lead_to
from web.pages.common.forms import number
from web.pages.common.visitors import the_player
from web.pages.matches.match import here, match_page
from web.site import this_site


def change_vacation(match_id: str) -> Response:
    """Go on vacation for so many ``days``, or, without any, come back from it."""
    vacations, player, days = this_site().house.vacations, the_player().player, number("days")
    if days is not None and not 1 <= days <= DAYS_A_YEAR:
        raise InvalidRequest(
            say("A vacation has 1 to {days} days.", days=DAYS_A_YEAR), pointer="/days"
        )
    try:
        if days is None:
            vacations.end(player)
        else:
            vacations.take(player, days)
    except (OnVacation, VacationUsedUp) as refusal:
        return match_page(match_id, PROBLEMS[refusal.code].status, {"action": refusal.detail})
    return lead_to(here(match_id))
