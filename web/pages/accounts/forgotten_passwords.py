"""A forgotten password: a link is sent by mail, and leads to a form for a new one."""

from __future__ import annotations

from flask import Response, request, url_for

from services.accounts.passwords import LONGEST, SHORTEST
from services.errors import InvalidPlayer, NotFound
from web.pages.accounts.sessions import log_in_as
from web.pages.common.answers import answer_page, lead_to_done
from web.pages.common.forms import place_refusal, read_new_password, read_text
from web.site import get_site


def show_forgot() -> Response:
    """Show the form that asks for a name or an address."""
    return answer_page(
        "accounts/forgot.html",
        own=True,
        available=get_site().house.emails.available,
        done="done" in request.args,
    )


def ask_for_password() -> Response:
    """Let a link be sent, if somebody is called so; what is answered is always the same."""
    get_site().house.forgotten_passwords.ask(read_text("asked"))
    return lead_to_done("pages.forgot", "1")


def set_new_password(secret: str) -> Response:
    """Set a new password by a link, and log its player in."""
    try:
        password = read_new_password()
        name = get_site().house.forgotten_passwords.set(secret, password)
    except InvalidPlayer as refusal:
        return show_new_password(secret, *place_refusal(refusal))
    except NotFound:
        return show_new_password(secret)
    return log_in_as(name, password, url_for("pages.account", done="new-password", _anchor="done"))


def show_new_password(
    secret: str, status: int = 200, errors: dict[str, str] | None = None
) -> Response:
    """Show the form for a new password, as long as the link is good."""
    try:
        name = get_site().house.forgotten_passwords.player_of(secret)
    except NotFound:
        status, name = 404, None
    return answer_page(
        "accounts/new_password.html",
        status=status,
        own=True,
        errors=errors or {},
        name=name,
        lengths=(SHORTEST, LONGEST),
    )
