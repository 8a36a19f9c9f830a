"""How a player is called and seen: display name, time zone, what is on their page."""

from __future__ import annotations

from flask import Response, request

from services.accounts.display_names import LONGEST
from services.accounts.settings import list_offered_zones
from services.errors import InvalidPlayer, InvalidRequest, NameTaken
from services.runtime.languages import list_languages, load_catalogue
from services.store.people.profiles import ProfileRow
from web.i18n import N_
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import place_refusal, read_text
from web.pages.common.visitors import get_player
from web.site import get_site

OWN_NAME = N_("English")
"""The name of a language: each catalogue has its own here."""


def show_settings() -> Response:
    """Show what a player has chosen, and let them choose."""
    return _show_page(get_site().house.profile_settings.get(get_player().player))


def change_settings() -> Response:
    """Keep what a player has chosen."""
    wanted = ProfileRow(
        read_text("display_name") or None,
        read_text("time_zone") or None,
        shows_record="shows_record" in request.form,
        shows_matches="shows_matches" in request.form,
        language=read_text("language") or None,
    )
    try:
        get_site().house.profile_settings.change(get_player().player, wanted)
    except (InvalidPlayer, InvalidRequest, NameTaken) as refusal:
        return _show_page(wanted, *place_refusal(refusal))
    return lead_to_done("pages.settings", "1")


def _show_page(
    chosen: ProfileRow, status: int = 200, errors: dict[str, str] | None = None
) -> Response:
    return answer_page(
        "accounts/settings.html",
        status=status,
        errors=errors or {},
        chosen=chosen,
        zones=list_offered_zones(),
        languages={one: load_catalogue(one).gettext(OWN_NAME) for one in list_languages()},
        most=LONGEST,
        done="done" in request.args,
    )
