"""What readers choose for themselves: how pages look, and whether a move is confirmed.

Pages look as the system does, or as somebody chose.
"""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Response, request, url_for

from domain.i18n import say
from services.errors import InvalidRequest
from web.http.requests import cookie_path, here
from web.i18n import N_
from web.pages.common.answers import lead_to
from web.pages.common.forms import local_address

COOKIE = "plybook-look"
CONFIRMING_COOKIE = "plybook-confirm"

LOOKS = {
    "auto": N_("As my system"),
    "light": N_("Light"),
    "dark": N_("Dark"),
    "contrast": N_("High contrast"),
}
"""What can be chosen, and how it is called."""

_ENTERED = ("path", "move", "on", "ask")
"""What an address says of a move that is being entered."""

_YEAR = 31_536_000


def chosen_look() -> str | None:
    """Return the look that this browser remembers, None where it goes by the system."""
    look = request.cookies.get(COOKIE)
    return look if look in LOOKS and look != "auto" else None


def choose_look() -> Response:
    """Remember a look in this browser, and lead back. Raises ``InvalidRequest``."""
    look = request.form.get("look", "")
    if look not in LOOKS:
        raise InvalidRequest(
            say("A look is one of {looks}.", looks=", ".join(LOOKS)), pointer="/look"
        )
    return _remembered(COOKIE, None if look == "auto" else look)


def present_address() -> str:
    """Return the address of the present page, to come back to, without a move half entered."""
    if request.method not in ("GET", "HEAD"):
        return url_for("pages.home")
    kept = [one for one in request.args.items(multi=True) if one[0] not in _ENTERED]
    return f"{here()}?{urlencode(kept)}" if kept else here()


WAYS = {
    "ask": N_("Show each move before it is played"),
    "once": N_("Play a move with its last step"),
}
"""What can be chosen, and how it is called. A warning is shown first in any case."""


def plays_at_once() -> bool:
    """Whether this browser asks to play moves with their last step."""
    return request.cookies.get(CONFIRMING_COOKIE) == "once"


def choose_confirming() -> Response:
    """Remember a way in this browser, and lead back. Raises ``InvalidRequest``."""
    way = request.form.get("confirm", "")
    if way not in WAYS:
        raise InvalidRequest(
            say("A way is one of {ways}.", ways=", ".join(WAYS)), pointer="/confirm"
        )
    return _remembered(CONFIRMING_COOKIE, None if way == "ask" else way)


def _remembered(cookie: str, choice: str | None) -> Response:
    """Lead back with a choice in a cookie; None is what goes without one."""
    answer = lead_to(local_address(request.form.get("next", "")) or url_for("pages.home"))
    if choice is None:
        answer.delete_cookie(cookie, path=cookie_path(), httponly=True, samesite="Lax")
    else:
        answer.set_cookie(
            cookie, choice, max_age=_YEAR, path=cookie_path(), httponly=True, samesite="Lax"
        )
    return answer
