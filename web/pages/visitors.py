"""Who looks at a page: the session that the browser's cookie names.

Whoever is not logged in gets a cookie too as soon as a form is shown to them: the forms'
tokens are made from it. A log-in replaces it.
"""

from __future__ import annotations

from hmac import digest
from secrets import token_urlsafe

from flask import Response, g, request

from services.sessions import Session
from web.site import this_site

LONGEST = 128
"""No id of ours is longer; what is, is not looked up."""

_TOKENS = b"plybook/forms/1"
_DAY = 86_400


class LogInFirst(Exception):
    """This is for players, and whoever asks is not logged in."""


def visitor() -> Session | None:
    """Return who is logged in, or None. Raises ``Unavailable``."""
    if "visitor" not in g:
        # Set first, so that the page which tells of a failure does not fail in the same way.
        g.visitor = None
        session = _cookie()
        if session is not None:
            g.visitor = this_site().house.sessions.find(session)
    found: Session | None = g.visitor
    return found


def the_player() -> Session:
    """Return who is logged in. Raises ``LogInFirst``."""
    found = visitor()
    if found is None:
        raise LogInFirst
    return found


def form_token() -> str:
    """Return the token that the forms of this browser carry, and no other site can know."""
    cookie = _cookie()
    if cookie is None:
        cookie = g.setdefault("fresh_cookie", token_urlsafe(32))
    return token_of(cookie)


def expected_token() -> str | None:
    """Return the token that a form of this browser must carry; None: it has no cookie yet."""
    cookie = _cookie()
    return None if cookie is None else token_of(cookie)


def token_of(cookie: str) -> str:
    """Return the token that belongs to a cookie, and does not give the cookie away."""
    return digest(cookie.encode(), _TOKENS, "sha256").hex()


def log_in(name: str, password: str) -> None:
    """Log this browser in. Raises ``Unauthenticated``."""
    _begin(this_site().house.sessions.log_in(name, password, _cookie()))


def sign_up(name: str, password: str) -> None:
    """Create a player and log this browser in. Raises ``InvalidPlayer``, ``NameTaken``."""
    _begin(this_site().house.sessions.sign_up(name, password, _cookie()))


def log_out() -> None:
    """End this browser's session, and take its cookie away."""
    session = _cookie()
    if session is not None:
        this_site().house.sessions.log_out(session)
    g.visitor, g.cookie_gone = None, True


def hand_out_cookies(answer: Response) -> Response:
    """Put on an answer what became of the cookie while the request was answered."""
    if g.get("cookie_gone"):
        answer.delete_cookie(_name(), path="/", secure=_https(), httponly=True, samesite="Lax")
        return answer
    fresh = g.get("fresh_cookie")
    if fresh is not None:
        days = this_site().settings.session_days if g.get("visitor_began") else None
        answer.set_cookie(
            _name(),
            fresh,
            max_age=None if days is None else days * _DAY,
            path="/",
            secure=_https(),
            httponly=True,
            samesite="Lax",
        )
    return answer


def _begin(session: str) -> None:
    g.fresh_cookie, g.visitor_began = session, True


def _cookie() -> str | None:
    cookie = request.cookies.get(_name())
    return cookie if cookie and cookie.isascii() and len(cookie) <= LONGEST else None


def _name() -> str:
    """Return the cookie's name; under TLS one that a browser takes from this very host alone."""
    return "__Host-plybook" if _https() else "plybook"


def _https() -> bool:
    return this_site().settings.public_url.startswith("https://")
