"""Whether a move is shown before it is played, or played with its last step: a reader's setting."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.i18n import say
from services.errors import InvalidRequest
from web.http.addresses import cookie_path
from web.pages.common.answers import lead_to
from web.pages.common.forms import local_address
from web.texts import N_

COOKIE = "plybook-confirm"

WAYS = {
    "ask": N_("Show each move before it is played"),
    "once": N_("Play a move with its last step"),
}
"""What can be chosen, and how it is called. A warning is shown first in any case."""

_YEAR = 31_536_000


def plays_at_once() -> bool:
    """Whether this browser asks to play moves with their last step."""
    return request.cookies.get(COOKIE) == "once"


def choose_confirming() -> Response:
    """Remember a way in this browser, and lead back. Raises ``InvalidRequest``."""
    way = request.form.get("confirm", "")
    if way not in WAYS:
        raise InvalidRequest(
            say("A way is one of {ways}.", ways=", ".join(WAYS)), pointer="/confirm"
        )
    answer = lead_to(local_address(request.form.get("next", "")) or url_for("pages.home"))
    if way == "ask":
        answer.delete_cookie(COOKIE, path=cookie_path(), httponly=True, samesite="Lax")
    else:
        answer.set_cookie(
            COOKIE, way, max_age=_YEAR, path=cookie_path(), httponly=True, samesite="Lax"
        )
    return answer
