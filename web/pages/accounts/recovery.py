"""Recovery codes: made on the account's page, and used by who has forgotten the password."""

from __future__ import annotations

from flask import Response, request, url_for

from services.accounts.passwords import LONGEST, SHORTEST
from services.accounts.recovery import LONGEST as LONGEST_CODE
from services.errors import InvalidPlayer, Unauthenticated
from web.i18n import _
from web.pages.accounts.account import WRONG, show_account
from web.pages.accounts.sessions import log_in_as
from web.pages.common import visitors
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import place_refusal, read_new_password, read_text
from web.pages.common.visitors import get_player
from web.site import get_site


def make_recovery_codes() -> Response:
    """Make recovery codes, and show them, this once."""
    player, password = get_player(), request.form.get("password", "")
    try:
        codes = get_site().house.recovery.make(player.name, password)
    except Unauthenticated:
        return show_account(401, {"codes-password": _(WRONG)})
    visitors.remember_client(player.name)
    return show_account(codes=codes)


def show_recover() -> Response:
    """Show the form for a new password, or the account to who is logged in."""
    if visitors.find_visitor() is not None:
        return lead_to(url_for("pages.account", _anchor="password"))
    return _show_form()


def recover() -> Response:
    """Set a new password by a recovery code, and log its player in."""
    name = read_text("name")
    try:
        password = read_new_password()
        get_site().house.recovery.recover(name, read_text("code"), password)
    except InvalidPlayer as refusal:
        return _show_form(*place_refusal(refusal))
    except Unauthenticated as refusal:
        return _show_form(401, {"": refusal.detail})
    return log_in_as(name, password, url_for("pages.account", done="recovered", _anchor="done"))


def _show_form(status: int = 200, errors: dict[str, str] | None = None) -> Response:
    return answer_page(
        "accounts/recover.html",
        status=status,
        own=True,
        errors=errors or {},
        name=read_text("name"),
        lengths=(SHORTEST, LONGEST),
        longest_code=LONGEST_CODE,
    )
