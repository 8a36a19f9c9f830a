"""How pages look to a reader: by their system, or as they chose; and all there is on one page."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Response, request, url_for

from domain.i18n import say
from services.errors import InvalidRequest
from web.http.addresses import cookie_path, here
from web.pages.common.answers import lead_to
from web.pages.common.forms import local_address
from web.texts import N_

COOKIE = "plybook-look"

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
    answer = lead_to(local_address(request.form.get("next", "")) or url_for("pages.home"))
    if look == "auto":
        answer.delete_cookie(COOKIE, path=cookie_path(), httponly=True, samesite="Lax")
    else:
        answer.set_cookie(
            COOKIE, look, max_age=_YEAR, path=cookie_path(), httponly=True, samesite="Lax"
        )
    return answer


def present_address() -> str:
    """Return the address of the present page, to come back to, without a move half entered."""
    if request.method not in ("GET", "HEAD"):
        return url_for("pages.home")
    kept = [one for one in request.args.items(multi=True) if one[0] not in _ENTERED]
    return f"{here()}?{urlencode(kept)}" if kept else here()
