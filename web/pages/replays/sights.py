"""Whose eyes a finished match can be seen with."""

from __future__ import annotations

from typing import NamedTuple

from domain.match.state import FINISHED
from domain.match.views import MatchView
from services.matches.access import SIGHTS
from web.pages.replays.steps import step_url
from web.texts import N_

_NAMES = {None: N_("Everything"), "seat-1": N_("What P1 saw"), "seat-2": N_("What P2 saw")}


class Choice(NamedTuple):
    """A link to the same step as somebody else saw it; ``current``: the one that is shown."""

    name: str
    url: str
    current: bool


def sights(match_id: str, view: MatchView, version: int, asked: str | None) -> list[Choice]:
    """Return the choices there are: none while the match runs or where nothing is hidden."""
    if view.status != FINISHED or not view.game.secrets:
        return []
    return [
        Choice(
            _NAMES.get(sight, N_("What spectators saw")),
            step_url(match_id, version, sight),
            current=sight == asked,
        )
        for sight in (None, *SIGHTS)
    ]
