"""What readers choose for themselves: how pages look, and whether a move is confirmed.

Pages look as the system does, or as somebody chose.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from flask import Response, request, url_for

from web.http.requests import add_root, get_cookie_path
from web.i18n import N_
from web.pages.common.answers import lead_to
from web.pages.common.forms import check_choice, find_local_address

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


def find_look() -> str | None:
    """Return the look that this browser remembers, None where it goes by the system."""
    look = request.cookies.get(COOKIE)
    return look if look in LOOKS and look != "auto" else None


def choose_look() -> Response:
    """Remember a look in this browser, and lead back. Raises ``InvalidRequest``."""
    return _remember(COOKIE, "look", LOOKS)


def get_present_address() -> str:
    """Return the address of the present page, to come back to, without a move half entered."""
    if request.method not in ("GET", "HEAD"):
        return url_for("pages.home")
    kept = [one for one in request.args.items(multi=True) if one[0] not in _ENTERED]
    here = add_root(request.path)
    return f"{here}?{urlencode(kept)}" if kept else here


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
    return _remember(CONFIRMING_COOKIE, "confirm", WAYS)


def _remember(cookie: str, field: str, choices: Mapping[str, str]) -> Response:
    """Lead back with a choice in a cookie; the first one is what goes without one."""
    choice = request.form.get(field, "")
    check_choice(field, choice, choices)
    answer = lead_to(find_local_address(request.form.get("next", "")) or url_for("pages.home"))
    if choice == next(iter(choices)):
        answer.delete_cookie(cookie, path=get_cookie_path(), httponly=True, samesite="Lax")
    else:
        keep(answer, cookie, choice)
    return answer


def keep(answer: Response, cookie: str, choice: str) -> None:
    """Let the browser remember a choice for a year."""
    answer.set_cookie(
        cookie, choice, max_age=_YEAR, path=get_cookie_path(), httponly=True, samesite="Lax"
    )
