"""Passkeys on pages: added on the account's page, and used to log in. A script asks the browser."""

from __future__ import annotations

import orjson
from flask import Response, request, url_for

from services.accounts.passkeys import PasskeyRequest, RelyingParty, relying_party
from services.errors import InvalidRequest, Suspended, Unauthenticated
from web.http.answers import NO_STORE
from web.http.problems import PROBLEMS
from web.http.requests import whole
from web.i18n import _
from web.pages.accounts.account import WRONG, show_account
from web.pages.accounts.sessions import show_log_in
from web.pages.common import visitors
from web.pages.common.answers import lead_to
from web.pages.common.forms import local_address, text
from web.pages.common.visitors import the_player
from web.site import this_site


def ask_to_add_passkey() -> Response:
    """Say what the browser is to make, to who shows the password; a script asks for it."""
    player, password = the_player(), request.form.get("password", "")
    try:
        asked = this_site().house.passkeys.ask_to_add(_site(), player.name, password)
    except Unauthenticated:
        return _told(401, error=_(WRONG))
    except InvalidRequest as refusal:
        return _told(400, error=refusal.detail)
    visitors.got_in(player.name)
    return _asked(asked)


def add_passkey() -> Response:
    """Keep the passkey that the browser has made."""
    house, player = this_site().house, the_player().player
    try:
        house.passkeys.add(_site(), player, text("label"), text("ticket"), text("answer"))
    except (InvalidRequest, Unauthenticated) as refusal:
        return show_account(PROBLEMS[refusal.code].status, {"passkey": refusal.detail})
    return lead_to(url_for("pages.account", done="passkey", _anchor="done"))


def remove_passkey() -> Response:
    """Remove a passkey. Raises ``NotFound``."""
    this_site().house.passkeys.remove(the_player().player, text("passkey"))
    return lead_to(url_for("pages.account", done="passkey-removed", _anchor="done"))


def ask_for_passkey() -> Response:
    """Say what the browser is to sign."""
    return _asked(this_site().house.passkeys.ask_to_log_in(_site()))


def log_in_by_passkey() -> Response:
    """Log the player in whose passkey has signed."""
    try:
        player = this_site().house.passkeys.player_of(_site(), text("ticket"), text("answer"))
        stays = visitors.begin_session(player)
    except (Suspended, Unauthenticated) as refusal:
        return show_log_in(PROBLEMS[refusal.code].status, {"": refusal.detail})
    if stays:
        return lead_to(url_for("pages.account", done="stays", _anchor="done"))
    return lead_to(local_address(request.args.get("next", "")) or url_for("pages.home"))


def _site() -> RelyingParty:
    """Return where we are. Raises ``InvalidRequest`` where browsers allow no passkeys."""
    found = relying_party(whole("/"))
    if found is None:
        raise InvalidRequest(_("Browsers allow no passkeys at this address."))
    return found


def _asked(asked: PasskeyRequest) -> Response:
    return _told(200, options=orjson.loads(asked.options), ticket=asked.ticket)


def _told(status: int, **members: object) -> Response:
    body = orjson.dumps(members)
    headers = {"Cache-Control": NO_STORE}
    return Response(body, status, headers, mimetype="application/json")
