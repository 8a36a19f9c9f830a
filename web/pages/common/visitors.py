"""Who looks at a page: the session that the browser's cookie names.

Whoever is not logged in gets a cookie too as soon as a form is shown to them: the forms'
tokens are made from it. A log-in replaces it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, tzinfo
from hmac import compare_digest, digest
from secrets import token_bytes, token_urlsafe

from flask import Response, g, has_request_context, request
from werkzeug.exceptions import Forbidden

from services.accounts.guests import key_of
from services.accounts.sessions import Session, SessionInfo
from services.accounts.settings import zone_of
from services.errors import Unavailable
from services.lobby.practice import DAYS, Acting
from services.puzzles.puzzles import SHOWN, SOLVED
from services.store.accounts import PlayerRow
from web.capacity.clients import client
from web.http.answers import NO_STORE, no_content
from web.http.requests import cookie_path, note_caller
from web.i18n import speak
from web.pages.common.news import mark_beside
from web.site import this_site

LONGEST = 128
"""No id of ours is longer; what is, is not looked up."""

_TOKENS = b"plybook/forms/1"
_DAY = 86_400

SESSION = "plybook"
PRACTICE = "plybook-practice"
"""The cookie by which a browser holds its practice matches, logged in or not."""

PUZZLES = "plybook-puzzles"
"""The cookie that says what a visitor without an account has done with puzzles."""

MOST_PUZZLES = 100
"""So many of them it says at most, the newest."""

_PUZZLE = re.compile(r"([sg])([0-9a-z]{16})")
_LETTERS = {SOLVED: "s", SHOWN: "g"}


class MadeForAnother(Forbidden):
    """A form was made for somebody else than who is logged in now."""


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
            speak(g.visitor and g.visitor.language)
    found: Session | None = g.visitor
    return found


def player_of(session: Session | None) -> str | None:
    """Return the id of who is logged in, or None."""
    return None if session is None else session.player


def zone() -> tzinfo:
    """Return the time zone that the reader of the present page has chosen, else UTC."""
    found = visitor() if has_request_context() else None
    return UTC if found is None or found.zone is None else zone_of(found.zone)


def turns() -> int:
    """Return in how many matches it is the turn of who is logged in; 0 where nobody can tell."""
    if "turns" not in g:
        g.turns = 0
        with suppress(Unavailable):
            found = visitor()
            if found is not None:
                g.turns = this_site().house.agenda.turns(found.player)
    number: int = g.turns
    return number


def session_key() -> str | None:
    """Return what tells a session from others, None for nobody's. Raises ``Unavailable``."""
    session = _cookie()
    return None if session is None or visitor() is None else token_of(session)


def still_here() -> Callable[[], bool]:
    """Return what tells, while a long answer is being sent, whether it is still the same visitor.

    It can be called when the request is over. It raises ``Unavailable``.
    """
    find, session, asked = this_site().house.sessions.find, _cookie(), visitor()

    def look() -> bool:
        return (find(session) if session else None) == asked

    return look


def the_player() -> Session:
    """Return who is logged in. Raises ``LogInFirst``."""
    return _logged_in(visitor())


def actor() -> Session | None:
    """Return who acts on the present page: in a practice match of this browser the hand to move.

    In a match of this browser against the house it is the visitor, everywhere else who is logged
    in, or None. Raises ``Unavailable``.
    """
    if "actor" not in g:
        g.actor = practising() or guest() or visitor()
    found: Session | None = g.actor
    return found


def the_actor() -> Session:
    """Return who acts on the present page. Raises ``LogInFirst``."""
    return _logged_in(actor())


def _logged_in(found: Session | None) -> Session:
    if found is None:
        raise LogInFirst
    return found


def practising() -> Session | None:
    """Return the hand to move, where one person in this browser plays both seats of a match."""
    found = acting()
    return Session(found.player, found.name) if found is not None and found.both else None


def guest() -> Session | None:
    """Return the visitor, where the present page is a match of theirs against the house."""
    found = acting()
    return None if found is None or found.both else Session(found.player, found.name)


def acting() -> Acting | None:
    """Return who acts where the present page is a match that this browser holds."""
    if "acting" not in g:
        match_id, holder = (request.view_args or {}).get("match_id"), practice_holder()
        find = this_site().house.practice.acting
        g.acting = find(holder, match_id) if match_id and holder else None
    found: Acting | None = g.acting
    return found


def practice_holder() -> str | None:
    """Return by what this browser holds its practice matches, or None: it has none."""
    return _cookie(PRACTICE)


def new_practice_holder() -> str:
    """Return by what this browser is to hold a practice match; the answer gives it the cookie."""
    holder: str = practice_holder() or token_urlsafe(32)
    g.practice_cookie = holder
    return holder


def puzzles_done() -> dict[str, str]:
    """Return what a visitor without an account did with puzzles, by their ids.

    Nobody vouches for it but the browser, which it concerns alone. Of who is logged in it tells
    only which solutions were shown here before that: those they have not found.
    """
    if "puzzles_done" not in g:
        kept = request.cookies.get(_named(PUZZLES), "").split(".")[:MOST_PUZZLES]
        found = (_PUZZLE.fullmatch(one) for one in kept)
        marks = {letter: mark for mark, letter in _LETTERS.items()}
        done = {one[2]: marks[one[1]] for one in found if one}
        seen = {puzzle: mark for puzzle, mark in done.items() if mark == SHOWN}
        g.puzzles_done = done if visitor() is None else seen
    told: dict[str, str] = g.puzzles_done
    return told


def note_puzzle(puzzle: str, mark: str) -> None:
    """Let the browser remember what a visitor did with a puzzle; the first counts."""
    g.puzzles_done = {puzzle: mark, **puzzles_done()}
    newest = [*g.puzzles_done.items()][:MOST_PUZZLES]
    g.puzzle_cookie = ".".join(f"{_LETTERS[mark]}{puzzle}" for puzzle, mark in newest)


def form_token() -> str:
    """Return the token that the forms of this browser carry, and no other site can know.

    It names whom the page is made for as well.
    """
    cookie, player = _cookie(), visitor()
    if cookie is None:
        cookie = g.setdefault("fresh_cookie", token_urlsafe(32))
    if "form_token" not in g:
        g.form_token = masked(token_of(cookie))
    token: str = g.form_token
    return token if player is None else f"{player.player}.{token}"


def has_its_token() -> bool:
    """Tell whether the form that was sent carries the token of this browser."""
    cookie, given = _cookie(), request.form.get("csrf", "").rpartition(".")[2]
    return cookie is not None and compare_digest(token_of(cookie), unmasked(given))


def made_for() -> str | None:
    """Return for which player the form that was sent was made; None: for nobody."""
    return request.form.get("csrf", "").rpartition(".")[0] or None


def token_of(cookie: str) -> str:
    """Return the token that belongs to a cookie, and does not give the cookie away."""
    return digest(cookie.encode(), _TOKENS, "sha256").hex()


def masked(token: str) -> str:
    """Return a token as no other answer has it, so that what packs well does not give it away.

    >>> unmasked(masked("7e1d")), masked("7e1d") == masked("7e1d")
    ('7e1d', False)
    """
    plain = bytes.fromhex(token)
    mask = token_bytes(len(plain))
    return (mask + _mixed(mask, plain)).hex()


def unmasked(given: str) -> str:
    """Return the token in what a form carries, empty if there is none."""
    try:
        both = bytes.fromhex(given)
    except ValueError:
        return ""
    half = len(both) // 2
    return _mixed(both[:half], both[half:]).hex() if len(both) == 2 * half else ""


def _mixed(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def log_in(name: str, password: str, *, new: bool = False) -> bool:
    """Log this browser in, as a ``new`` player or one that there is.

    Tells whether the account was to be deleted, which this takes back. Raises ``Unauthenticated``
    and ``Suspended``; for a new one ``InvalidPlayer`` and ``NameTaken``.
    """
    sessions = this_site().house.sessions
    if new:
        # Who has played without an account takes along what they have played.
        holder = practice_holder()
        guest_key = None if holder is None else key_of(holder)
        g.fresh_cookie = sessions.sign_up(name, password, _cookie(), _agent(), guest_key)
        return _began(name, stays=False)
    stays = this_site().house.closing.is_asked(name)
    g.fresh_cookie = sessions.log_in(name, password, _cookie(), _agent())
    return _began(name, stays=stays)


def begin_session(player: PlayerRow) -> bool:
    """Log this browser in as a player who has shown who they are; tells what ``log_in`` tells."""
    stays = this_site().house.closing.is_asked(player.name)
    g.fresh_cookie = this_site().house.sessions.begin(player, _cookie(), _agent())
    return _began(player.name, stays=stays)


def _began(name: str, *, stays: bool) -> bool:
    g.visitor_began = True
    got_in(name)
    return stays


def _agent() -> str:
    return request.headers.get("User-Agent", "").replace("\0", "")


def own_sessions() -> list[SessionInfo]:
    """List the sessions of who is logged in. Raises ``LogInFirst``."""
    return this_site().house.sessions.of_player(the_player().player, _cookie() or "")


def change_password(current: str, new: str) -> None:
    """Give who is logged in another password, and this browser another session; others end.

    Raises ``Unauthenticated`` and ``InvalidPlayer``.
    """
    sessions = this_site().house.sessions
    g.fresh_cookie = sessions.change_password(_cookie() or "", current, new, _agent())
    g.visitor_began = True
    got_in(the_player().name)


def got_in(name: str) -> None:
    """Remember that the player of that name has just shown the password here."""
    this_site().house.addresses.remember(name, client())


def forget_session() -> None:
    """Take the cookie of a session away that has ended with its account."""
    g.visitor, g.cookie_gone = None, True


def log_out() -> None:
    """End this browser's session, and take its cookie away."""
    session = _cookie()
    if session is not None:
        this_site().house.sessions.log_out(session)
    forget_session()


def hand_out_cookies(answer: Response) -> Response:
    """Put on an answer what became of the cookies while the request was answered."""
    held = g.get("practice_cookie")
    if held is not None:
        _give(answer, PRACTICE, held, DAYS)
    solved = g.get("puzzle_cookie")
    if solved is not None:
        _give(answer, PUZZLES, solved, None)
    if g.get("cookie_gone"):
        answer.delete_cookie(
            _named(SESSION), path=cookie_path(), secure=_https(), httponly=True, samesite="Lax"
        )
        return answer
    fresh = g.get("fresh_cookie")
    if fresh is not None:
        days = this_site().settings.session_days if g.get("visitor_began") else None
        _give(answer, SESSION, fresh, days)
    return answer


def show_caller() -> Response:
    """Say in headers whose the session of this browser is, and how many matches wait for them.

    And whether there is something new: in the lists of their matches, or said beside the match
    that ``of`` names; then by another mark.
    Raises ``Unavailable``: nobody is told that they are logged out, or that nothing waits, because
    the database is away for a moment.
    """
    house, session = this_site().house, _cookie()
    g.visitor = found = None if session is None else house.sessions.find(session)
    own = {}
    if found is not None:
        own["Plybook-Turns"] = str(house.agenda.turns(found.player))
        own["Plybook-Own"] = house.agenda.mark(found.player)
    mark = (
        mark_beside(house, request.args["of"], player_of(found)) if "of" in request.args else None
    )
    said = {} if mark is None else {"Plybook-Talk": mark}
    return no_content({"Cache-Control": NO_STORE, **own, **said})


def tell_caller(answer: Response) -> Response:
    """Say in an answer whose it is, so that a page notices that it is somebody else's by now."""
    with suppress(Unavailable):
        note_caller(request.environ, player_of(visitor()))
    return answer


def _give(answer: Response, name: str, value: str, days: int | None) -> None:
    """Give the browser a cookie for so many days, or until it is closed."""
    answer.set_cookie(
        _named(name),
        value,
        max_age=None if days is None else days * _DAY,
        path=cookie_path(),
        secure=_https(),
        httponly=True,
        samesite="Lax",
    )


def _cookie(name: str = SESSION) -> str | None:
    cookie = request.cookies.get(_named(name))
    return cookie if cookie and cookie.isascii() and len(cookie) <= LONGEST else None


def _named(name: str) -> str:
    """Return a cookie's name; under TLS one that a browser takes from this very host alone.

    Where the host has other applications too, the cookie is for our part of it, and its name can
    only say that it came by TLS.
    """
    if not _https():
        return name
    return f"__Secure-{name}" if request.root_path else f"__Host-{name}"


def _https() -> bool:
    return this_site().settings.public_url.startswith("https://")
