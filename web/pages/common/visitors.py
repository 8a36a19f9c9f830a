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
from web.capacity.clients import get_client
from web.http.answers import NO_STORE, answer_no_content
from web.http.requests import get_cookie_path, note_caller
from web.i18n import speak
from web.pages.common.news import find_mark
from web.site import get_site

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


def find_visitor() -> Session | None:
    """Return who is logged in, or None. Raises ``Unavailable``."""
    if "visitor" not in g:
        # Set first, so that the page which tells of a failure does not fail in the same way.
        g.visitor = None
        session = _find_cookie()
        if session is not None:
            g.visitor = get_site().house.sessions.find(session)
            speak(g.visitor and g.visitor.language)
    found: Session | None = g.visitor
    return found


def player_of(session: Session | None) -> str | None:
    """Return the id of who is logged in, or None."""
    return None if session is None else session.player


def get_zone() -> tzinfo:
    """Return the time zone that the reader of the present page has chosen, else UTC."""
    found = find_visitor() if has_request_context() else None
    return UTC if found is None or found.zone is None else zone_of(found.zone)


def count_turns() -> int:
    """Return in how many matches it is the turn of who is logged in; 0 where nobody can tell."""
    if "turns" not in g:
        g.turns = 0
        with suppress(Unavailable):
            found = find_visitor()
            if found is not None:
                g.turns = get_site().house.agenda.count_turns(found.player)
    number: int = g.turns
    return number


def find_session_key() -> str | None:
    """Return what tells a session from others, None for nobody's. Raises ``Unavailable``."""
    session = _find_cookie()
    return None if session is None or find_visitor() is None else token_of(session)


def make_visitor_check() -> Callable[[], bool]:
    """Return what tells, while a long answer is being sent, whether it is still the same visitor.

    It can be called when the request is over. It raises ``Unavailable``.
    """
    find, session, asked = get_site().house.sessions.find, _find_cookie(), find_visitor()

    def look() -> bool:
        return (find(session) if session else None) == asked

    return look


def get_player() -> Session:
    """Return who is logged in. Raises ``LogInFirst``."""
    return _must_be_logged_in(find_visitor())


def find_actor() -> Session | None:
    """Return who acts on the present page: in a practice match of this browser the hand to move.

    In a match of this browser against the house it is the visitor, everywhere else who is logged
    in, or None. Raises ``Unavailable``.
    """
    if "actor" not in g:
        g.actor = find_practiser() or find_guest() or find_visitor()
    found: Session | None = g.actor
    return found


def get_actor() -> Session:
    """Return who acts on the present page. Raises ``LogInFirst``."""
    return _must_be_logged_in(find_actor())


def _must_be_logged_in(found: Session | None) -> Session:
    if found is None:
        raise LogInFirst
    return found


def find_practiser() -> Session | None:
    """Return the hand to move, where one person in this browser plays both seats of a match."""
    found = find_acting()
    return Session(found.player, found.name) if found is not None and found.both else None


def find_guest() -> Session | None:
    """Return the visitor, where the present page is a match of theirs against the house."""
    found = find_acting()
    return None if found is None or found.both else Session(found.player, found.name)


def find_acting() -> Acting | None:
    """Return who acts where the present page is a match that this browser holds."""
    if "acting" not in g:
        match_id, holder = (request.view_args or {}).get("match_id"), find_practice_holder()
        find = get_site().house.practice.find_acting
        g.acting = find(holder, match_id) if match_id and holder else None
    found: Acting | None = g.acting
    return found


def find_practice_holder() -> str | None:
    """Return by what this browser holds its practice matches, or None: it has none."""
    return _find_cookie(PRACTICE)


def make_practice_holder() -> str:
    """Return by what this browser is to hold a practice match; the answer gives it the cookie."""
    holder: str = find_practice_holder() or token_urlsafe(32)
    g.practice_cookie = holder
    return holder


def read_puzzles_done() -> dict[str, str]:
    """Return what a visitor without an account did with puzzles, by their ids.

    Nobody vouches for it but the browser, which it concerns alone. Of who is logged in it tells
    only which solutions were shown here before that: those they have not found.
    """
    if "puzzles_done" not in g:
        kept = request.cookies.get(_name_cookie(PUZZLES), "").split(".")[:MOST_PUZZLES]
        found = (_PUZZLE.fullmatch(one) for one in kept)
        marks = {letter: mark for mark, letter in _LETTERS.items()}
        done = {one[2]: marks[one[1]] for one in found if one}
        seen = {puzzle: mark for puzzle, mark in done.items() if mark == SHOWN}
        g.puzzles_done = done if find_visitor() is None else seen
    told: dict[str, str] = g.puzzles_done
    return told


def note_puzzle(puzzle: str, mark: str) -> None:
    """Let the browser remember what a visitor did with a puzzle; the first counts."""
    g.puzzles_done = {puzzle: mark, **read_puzzles_done()}
    newest = [*g.puzzles_done.items()][:MOST_PUZZLES]
    g.puzzle_cookie = ".".join(f"{_LETTERS[mark]}{puzzle}" for puzzle, mark in newest)


def form_token() -> str:
    """Return the token that the forms of this browser carry, and no other site can know.

    It names whom the page is made for as well.
    """
    cookie, player = _find_cookie(), find_visitor()
    if cookie is None:
        cookie = g.setdefault("fresh_cookie", token_urlsafe(32))
    if "form_token" not in g:
        g.form_token = mask_token(token_of(cookie))
    token: str = g.form_token
    return token if player is None else f"{player.player}.{token}"


def has_its_token() -> bool:
    """Tell whether the form that was sent carries the token of this browser."""
    cookie, given = _find_cookie(), request.form.get("csrf", "").rpartition(".")[2]
    return cookie is not None and compare_digest(token_of(cookie), unmask_token(given))


def find_form_player() -> str | None:
    """Return for which player the form that was sent was made; None: for nobody."""
    return request.form.get("csrf", "").rpartition(".")[0] or None


def token_of(cookie: str) -> str:
    """Return the token that belongs to a cookie, and does not give the cookie away."""
    return digest(cookie.encode(), _TOKENS, "sha256").hex()


def mask_token(token: str) -> str:
    """Return a token as no other answer has it, so that what packs well does not give it away.

    >>> unmask_token(mask_token("7e1d")), mask_token("7e1d") == mask_token("7e1d")
    ('7e1d', False)
    """
    plain = bytes.fromhex(token)
    mask = token_bytes(len(plain))
    return (mask + _mix(mask, plain)).hex()


def unmask_token(given: str) -> str:
    """Return the token in what a form carries, empty if there is none."""
    try:
        both = bytes.fromhex(given)
    except ValueError:
        return ""
    half = len(both) // 2
    return _mix(both[:half], both[half:]).hex() if len(both) == 2 * half else ""


def _mix(one: bytes, other: bytes) -> bytes:
    return bytes(a ^ b for a, b in zip(one, other, strict=True))


def sign_up(name: str, password: str) -> None:
    """Create a player, and log this browser in. Raises ``InvalidPlayer`` and ``NameTaken``."""
    # Who has played without an account takes along what they have played.
    holder = find_practice_holder()
    guest_key = None if holder is None else key_of(holder)
    sessions = get_site().house.sessions
    _begin(name, sessions.sign_up(name, password, _find_cookie(), read_agent(), guest_key))


def log_in(name: str, password: str) -> bool:
    """Log this browser in, and tell whether that keeps an account that was to be deleted.

    Raises ``Unauthenticated`` and ``Suspended``.
    """
    house = get_site().house
    stays = house.closing.is_asked(name)
    _begin(name, house.sessions.log_in(name, password, _find_cookie(), read_agent()))
    return stays


def begin_session(player: PlayerRow) -> bool:
    """Log this browser in as a player who has shown who they are; tells what ``log_in`` tells."""
    house = get_site().house
    stays = house.closing.is_asked(player.name)
    _begin(player.name, house.sessions.begin(player, _find_cookie(), read_agent()))
    return stays


def _begin(name: str, cookie: str) -> None:
    g.fresh_cookie, g.visitor_began = cookie, True
    remember_client(name)


def read_agent() -> str:
    """Return what the browser says that it is."""
    return request.headers.get("User-Agent", "").replace("\0", "")


def list_sessions() -> list[SessionInfo]:
    """List the sessions of who is logged in. Raises ``LogInFirst``."""
    return get_site().house.sessions.list_by_player(get_player().player, _find_cookie() or "")


def change_password(current: str, new: str) -> None:
    """Give who is logged in another password, and this browser another session; others end.

    Raises ``Unauthenticated`` and ``InvalidPlayer``.
    """
    change = get_site().house.sessions.change_password
    _begin(get_player().name, change(_find_cookie() or "", current, new, read_agent()))


def remember_client(name: str) -> None:
    """Remember that the player of that name has just shown the password here."""
    get_site().house.addresses.remember(name, get_client())


def forget_session() -> None:
    """Take the cookie of a session away that has ended with its account."""
    g.visitor, g.cookie_gone = None, True


def log_out() -> None:
    """End this browser's session, and take its cookie away."""
    session = _find_cookie()
    if session is not None:
        get_site().house.sessions.log_out(session)
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
            _name_cookie(SESSION),
            path=get_cookie_path(),
            secure=_is_https(),
            httponly=True,
            samesite="Lax",
        )
        return answer
    fresh = g.get("fresh_cookie")
    if fresh is not None:
        days = get_site().house.settings.session_days if g.get("visitor_began") else None
        _give(answer, SESSION, fresh, days)
    return answer


def show_caller() -> Response:
    """Say in headers whose the session of this browser is, and how many matches wait for them.

    And whether there is something new: in the lists of their matches, or said beside the match
    that ``of`` names; then by another mark.
    Raises ``Unavailable``: nobody is told that they are logged out, or that nothing waits, because
    the database is away for a moment.
    """
    house, session = get_site().house, _find_cookie()
    g.visitor = found = None if session is None else house.sessions.find(session)
    own = {}
    if found is not None:
        own["Plybook-Turns"] = str(house.agenda.count_turns(found.player))
        own["Plybook-Own"] = house.agenda.make_mark(found.player)
    mark = find_mark(house, request.args["of"], player_of(found)) if "of" in request.args else None
    said = {} if mark is None else {"Plybook-Talk": mark}
    return answer_no_content({"Cache-Control": NO_STORE, **own, **said})


def tell_caller(answer: Response) -> Response:
    """Say in an answer whose it is, so that a page notices that it is somebody else's by now."""
    with suppress(Unavailable):
        note_caller(request.environ, player_of(find_visitor()))
    return answer


def _give(answer: Response, name: str, value: str, days: int | None) -> None:
    """Give the browser a cookie for so many days, or until it is closed."""
    answer.set_cookie(
        _name_cookie(name),
        value,
        max_age=None if days is None else days * _DAY,
        path=get_cookie_path(),
        secure=_is_https(),
        httponly=True,
        samesite="Lax",
    )


def _find_cookie(name: str = SESSION) -> str | None:
    cookie = request.cookies.get(_name_cookie(name))
    return cookie if cookie and cookie.isascii() and len(cookie) <= LONGEST else None


def _name_cookie(name: str) -> str:
    """Return a cookie's name; under TLS one that a browser takes from this very host alone.

    Where the host has other applications too, the cookie is for our part of it, and its name can
    only say that it came by TLS.
    """
    if not _is_https():
        return name
    return f"__Secure-{name}" if request.root_path else f"__Host-{name}"


def _is_https() -> bool:
    return get_site().house.settings.public_url.startswith("https://")
