"""What was reported, hidden and suspended, for administrators: to read, and to act on."""

from __future__ import annotations

import re

from flask import Response, request, url_for
from werkzeug.exceptions import NotFound as NoSuchPage

from domain.errors import Refusal
from services.errors import InvalidText, NotFound
from services.store.people.moderation import HIDDEN, LIFTED, REPORTED, SUSPENDED
from services.store.talk import Room
from services.talk.chat import PLAYERS, SPECTATORS
from services.talk.moderation import LONGEST, Moderation
from web.http.problems import PROBLEMS
from web.i18n import N_, _
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import check_choice, read_number, read_text
from web.pages.common.visitors import get_player
from web.site import get_site

PER_PAGE = 25

_NUMBER = re.compile(r"[1-9][0-9]{0,8}", re.ASCII)

KINDS = {
    REPORTED: N_("Reported"),
    HIDDEN: N_("Hidden"),
    SUSPENDED: N_("Suspended"),
    LIFTED: N_("Suspension lifted"),
}
"""What was done, in words."""

ROOMS = {PLAYERS: N_("players' chat"), SPECTATORS: N_("spectators' chat")}
"""Where something was said, in words."""


def show_moderation() -> Response:
    """Show what was done, the newest first."""
    _get_administrator()
    return _show_page()


def moderate() -> Response:
    """Hide a message, suspend an account, or lift that; ``do`` says which.

    Raises ``InvalidRequest`` for anything else.
    """
    actor, moderation = _get_administrator()
    reason, do = read_text("reason"), read_text("do")
    check_choice("do", do, ("hide", "suspend", "lift"))
    try:
        if do == "hide":
            room = Room(read_text("match"), read_text("room"))
            moderation.hide(actor, room, read_number("number") or 0, reason)
        elif do == "suspend":
            moderation.suspend(actor, read_text("name"), reason)
        else:
            moderation.lift(actor, read_text("name"), reason)
    except (InvalidText, NotFound) as refusal:
        return _show_page(refusal)
    return lead_to(url_for("pages.moderation", done="1"))


def _get_administrator() -> tuple[str, Moderation]:
    """Return who asks. For all but administrators there is no such page."""
    player, house = get_player().player, get_site().house
    if not house.accounts.is_admin(player):
        raise NoSuchPage
    return player, house.moderation


def _show_page(refusal: Refusal | None = None) -> Response:
    before = request.args.get("before", "")
    asked = int(before) if _NUMBER.fullmatch(before) else None
    page = get_site().house.moderation.list_entries(asked, PER_PAGE)
    return answer_page(
        "moderation.html",
        status=200 if refusal is None else PROBLEMS[refusal.code].status,
        entries=page.listed,
        kinds={name: _(words) for name, words in KINDS.items()},
        rooms={name: _(words) for name, words in ROOMS.items()},
        first=url_for(".moderation") if before else None,
        following=page.next_cursor and url_for(".moderation", before=page.next_cursor),
        name=read_text("name"),
        refused=None if refusal is None else refusal.detail,
        done="done" in request.args,
        most=LONGEST,
    )
