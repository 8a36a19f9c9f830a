"""What comes after a match: why a challenge was declined, and the same again with seats swapped."""

from __future__ import annotations

from typing import NamedTuple

from flask import url_for

from domain.match.state import ABORTED, ACTIVE, FINISHED, OPEN
from services.errors import NotFound
from services.lobby.challenges import Decline
from services.replays.replays import Replay
from web.pages.common.forms import fresh_key
from web.pages.common.visitors import visitor
from web.site import this_site
from web.texts import _


class After(NamedTuple):
    """What is offered when a match is over.

    ``label``: what the button to ask for a rematch says, None where there is no such button.
    ``link``: to a rematch that is there, and ``told`` says how it stands.
    """

    key: str
    declined: Decline | None
    label: str | None
    link: str | None
    told: str | None


def after(replay: Replay) -> After | None:
    """Return what is offered to the visitor, or None: the match goes on, or is not theirs."""
    view, you, player = replay.shown.view, replay.shown.you, visitor()
    if player is None or view.status not in (FINISHED, ABORTED):
        return None
    asked = player.player in (view.creator, view.opponent)
    declined = _declined(player.player, view.id) if asked and view.status == ABORTED else None
    if you is None or len(replay.frames) < 1 or view.sight is None:
        return After(fresh_key(), declined, None, None, None) if declined else None
    return After(fresh_key(), declined, *_rematch(player.player, view.id))


def _declined(player: str, match_id: str) -> Decline | None:
    try:
        return this_site().house.starting.declined(player, match_id)
    except NotFound:
        return None


def _rematch(player: str, match_id: str) -> tuple[str | None, str | None, str | None]:
    """Return what the button says, the link to the rematch, and how it stands."""
    found = this_site().house.rematches.of(player, match_id)
    if found is None or found.view.status == ABORTED:
        return _("Play again, seats swapped"), None, None
    link = url_for("pages.match", match_id=found.view.id)
    if found.view.status == OPEN and found.you is None:
        return (
            _("Take up the rematch"),
            link,
            _("Your opponent wants to play again, seats swapped."),
        )
    if found.view.status == OPEN:
        return None, link, _("You have asked for a rematch; your opponent has not answered yet.")
    if found.view.status == ACTIVE:
        return None, link, _("The rematch is being played.")
    return None, link, _("The rematch has been played.")
