"""A player's own account: password, log-ins, tokens, vacation, their data, and deleting it."""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from services.accounts.closing import GRACE
from services.accounts.passkeys import find_relying_party
from services.accounts.passwords import LONGEST, SHORTEST
from services.accounts.tokens import DEFAULT_SCOPES, LABEL_LENGTH, SCOPES
from services.errors import (
    InvalidPlayer,
    InvalidRequest,
    MissingScope,
    OnVacation,
    Unauthenticated,
    VacationUsedUp,
)
from web.http.requests import make_public_url
from web.i18n import N_, _
from web.pages.common import visitors
from web.pages.common.answers import NEVER_KEPT, answer_page, lead_to, lead_to_done
from web.pages.common.forms import place_at, place_refusal, read_new_password, read_text
from web.pages.common.visitors import get_player
from web.pages.matches.vacations import take_vacation
from web.site import get_site

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""By what stands in the text; of several the first, since most claim to be others too."""

_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Windows", "Windows"),
    ("Mac OS", "a Mac"),
    ("Linux", "Linux"),
)


def describe_agent(agent: str | None) -> str:
    """Return the browser and its system in words.

    >>> describe_agent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    >>> describe_agent("curl/8.0"), describe_agent(None)
    ('curl/8.0', 'Unknown browser')
    """
    if not agent:
        return _("Unknown browser")
    browser = next((name for sign, name in _BROWSERS if sign in agent), None)
    system = next((name for sign, name in _SYSTEMS if sign in agent), None)
    if browser is None:
        return agent[:40]
    if system is None:
        return browser
    return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}


SCOPE_WORDS = {
    "match:read": N_("read your matches"),
    "match:play": N_("start and join matches, move, resign"),
    "bot": N_("mark moves as decided by a program"),
    "webhook:manage": N_("manage webhooks"),
    "admin": N_("administer"),
}
"""What each scope allows, in words."""

WRONG = N_("This is not your password.")
"""What is said at the field."""


def change_password() -> Response:
    """Change the password; every other browser is logged out."""
    get_player()
    try:
        visitors.change_password(request.form.get("current", ""), read_new_password())
    except Unauthenticated:
        return show_account(401, {"current": _(WRONG)})
    except InvalidPlayer as refusal:
        return show_account(*place_refusal(refusal))
    return lead_to_done("pages.account", "password")


def end_session() -> Response:
    """Log the player out in another browser."""
    get_site().house.sessions.end(get_player().player, read_text("session"))
    return lead_to_done("pages.account", "session")


def issue_token() -> Response:
    """Issue a token, and show it, this once."""
    player, accounts = get_player(), get_site().house.accounts
    try:
        made = accounts.issue_token(
            player.name,
            request.form.get("password", ""),
            read_text("label"),
            request.form.getlist("scope"),
        )
    except Unauthenticated:
        return show_account(401, {"token-password": _(WRONG)})
    except (InvalidRequest, MissingScope) as refusal:
        return show_account(*place_refusal(refusal, "token-"))
    visitors.remember_client(player.name)
    return show_account(made=made)


def revoke_token() -> Response:
    """Revoke a token."""
    get_site().house.accounts.revoke(get_player().player, read_text("token"))
    return lead_to_done("pages.account", "token")


def change_vacation() -> Response:
    """Go on vacation for so many ``days``, or, without any, come back."""
    try:
        take_vacation()
    except (InvalidRequest, OnVacation, VacationUsedUp) as refusal:
        return show_account(*place_at("days", refusal))
    return lead_to_done("pages.account", "vacation")


def close_account() -> Response:
    """Have the account deleted in a week, and lead to a page that says so."""
    player = get_player()
    if not request.form.get("sure"):
        return show_account(422, {"sure": _("Tick this to delete your account.")})
    try:
        get_site().house.closing.ask(player.name, request.form.get("password", ""))
    except Unauthenticated:
        return show_account(401, {"close-password": _(WRONG)})
    visitors.forget_session()
    return lead_to(url_for("pages.closed"))


def show_closed() -> Response:
    """Say that an account will be deleted, and how to keep it."""
    return answer_page("accounts/closed.html", days=GRACE.days)


def show_account(
    status: int = 200,
    errors: dict[str, str] | None = None,
    **values: Any,  # noqa: ANN401 - for the template
) -> Response:
    """Show a player their account; ``errors`` are of the forms on it, by field."""
    player, house = get_player(), get_site().house
    return answer_page(
        "accounts/account.html",
        status=status,
        errors=errors or {},
        done=request.args.get("done", ""),
        since=house.accounts.get(player.player).created_at,
        sessions=[(one, describe_agent(one.agent)) for one in visitors.list_sessions()],
        administrates=house.accounts.is_admin(player.player),
        tokens=house.accounts.list_tokens(player.player),
        scopes={name: SCOPE_WORDS[name] for name in SCOPES},
        chosen=request.form.getlist("scope") or DEFAULT_SCOPES,
        label=read_text("label"),
        label_length=LABEL_LENGTH,
        vacation=house.vacations.get_balance(player.player),
        lengths=(SHORTEST, LONGEST),
        grace=GRACE.days,
        passkeys=house.passkeys.list_by_player(player.player),
        passkeys_allowed=find_relying_party(make_public_url("/")) is not None,
        recovery=house.recovery.count(player.player),
        by_mail=any(one.confirmed for one in house.emails.list_by_player(player.player)),
        **values,
    )


def download_own_data() -> Response:
    """Give a player the file, made while it is sent."""
    player, password = get_player(), request.form.get("password", "")
    try:
        file = get_site().house.own_data.make_file(player.name, password)
    except Unauthenticated:
        return show_account(401, {"data-password": _(WRONG)})
    visitors.remember_client(player.name)
    headers = {
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "Cache-Control": NEVER_KEPT,
    }
    return Response(file.chunks, headers=headers, content_type="application/json")
