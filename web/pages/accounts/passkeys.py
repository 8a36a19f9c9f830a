"""Passkeys on pages: added on the account's page, and used to log in. A script asks the browser."""

from __future__ import annotations

import orjson
from flask import Response, request, url_for

from services.accounts.passkeys import PasskeyRequest, RelyingParty, find_relying_party
from services.errors import InvalidRequest, Suspended, Unauthenticated
from web.http.answers import NO_STORE, answer_json
from web.http.requests import make_public_url
from web.i18n import _
from web.pages.accounts.account import WRONG, show_account
from web.pages.accounts.sessions import show_log_in
from web.pages.common import visitors
from web.pages.common.answers import lead_to, lead_to_done
from web.pages.common.forms import find_local_address, place_at, read_text
from web.pages.common.visitors import get_player
from web.site import get_site


def ask_to_add_passkey() -> Response:
    """Say what the browser is to make, to who shows the password; a script asks for it."""
    player, password = get_player(), request.form.get("password", "")
    try:
        asked = get_site().house.passkeys.ask_to_add(_get_relying_party(), player.name, password)
    except Unauthenticated:
        return answer_json({"error": _(WRONG)}, 401, cache=NO_STORE)
    except InvalidRequest as refusal:
        return answer_json({"error": refusal.detail}, 400, cache=NO_STORE)
    visitors.remember_client(player.name)
    return _answer_request(asked)


def add_passkey() -> Response:
    """Keep the passkey that the browser has made."""
    house, player = get_site().house, get_player().player
    try:
        house.passkeys.add(
            _get_relying_party(),
            player,
            read_text("label"),
            read_text("ticket"),
            read_text("answer"),
        )
    except (InvalidRequest, Unauthenticated) as refusal:
        return show_account(*place_at("passkey", refusal))
    return lead_to_done("pages.account", "passkey")


def remove_passkey() -> Response:
    """Remove a passkey. Raises ``NotFound``."""
    get_site().house.passkeys.remove(get_player().player, read_text("passkey"))
    return lead_to_done("pages.account", "passkey-removed")


def ask_for_passkey() -> Response:
    """Say what the browser is to sign."""
    return _answer_request(get_site().house.passkeys.ask_to_log_in(_get_relying_party()))


def log_in_by_passkey() -> Response:
    """Log the player in whose passkey has signed."""
    try:
        player = get_site().house.passkeys.authenticate(
            _get_relying_party(), read_text("ticket"), read_text("answer")
        )
        stays = visitors.begin_session(player)
    except (Suspended, Unauthenticated) as refusal:
        return show_log_in(*place_at("", refusal))
    if stays:
        return lead_to_done("pages.account", "stays")
    return lead_to(find_local_address(request.args.get("next", "")) or url_for("pages.home"))


def _get_relying_party() -> RelyingParty:
    """Return where we are. Raises ``InvalidRequest`` where browsers allow no passkeys."""
    found = find_relying_party(make_public_url("/"))
    if found is None:
        raise InvalidRequest(_("Browsers allow no passkeys at this address."))
    return found


def _answer_request(asked: PasskeyRequest) -> Response:
    told = {"options": orjson.loads(asked.options), "ticket": asked.ticket}
    return answer_json(told, cache=NO_STORE)
