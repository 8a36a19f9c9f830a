"""How often one client may ask, counted in each server process.

Guesses at passwords are counted by where they come from. Whoever is logged in, or has a token,
guesses by themselves, and so does an address from which the player of that name got in of late;
everybody else guesses at a name together. So the guesses of others lock no player out.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from time import time
from typing import TYPE_CHECKING, cast

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RequestLimit, RouteLimit
from werkzeug.exceptions import HTTPException

from domain.errors import Refusal
from services.accounts.accounts import fold_name, is_name
from services.runtime.settings import Settings
from web.api.operations import ANY_TOKEN, find_caller
from web.capacity.clients import get_client
from web.pages.common.visitors import find_session_key
from web.site import get_site

if TYPE_CHECKING:
    from flask.typing import RouteCallable

LOG_INS = (
    *("api.issue_token", "pages.log_in", "pages.log_in_by_passkey", "pages.recover"),
    *("pages.ask_for_password", "pages.set_new_password"),
)

OWN_PASSWORDS = (
    "pages.change_password",
    "pages.issue_token",
    "pages.make_recovery_codes",
    "pages.own_data",
    "pages.give_address",
    "pages.ask_to_add_passkey",
    "pages.close_account",
)
"""Where a player who is logged in, or has a token, shows the password again."""

UNCOUNTED = ("health.alive", "health.ready", "assets.show_asset")


def limit_rates(app: Flask, settings: Settings) -> None:
    """Limit requests, sign-ups and log-ins of ``app``; ``rate_limit`` 0 turns all of it off."""
    app.before_request(_check_costs)
    if not settings.rate_limit:
        return
    limiter = Limiter(
        get_client,
        app=app,
        application_limits=[f"{settings.rate_limit} per minute"],
        application_limits_exempt_when=lambda: request.endpoint in UNCOUNTED,
        storage_uri="memory://",
        on_breach=_note_the_wait,
    )
    if settings.sign_up_limit:
        often = f"{settings.sign_up_limit} per hour"
        _limit(app, limiter.shared_limit(often, "sign-up"), ("api.sign_up", "pages.sign_up"))
    if settings.log_in_limit:
        often = f"{settings.log_in_limit} per minute"
        guarded = (*LOG_INS, *OWN_PASSWORDS)
        _limit(app, limiter.shared_limit(often, "log-in"), guarded)
        # Whoever has many addresses still guesses at one name; who succeeds is not counted.
        guesses = limiter.shared_limit(
            often, "name", key_func=_identify_guesser, deduct_when=_has_failed
        )
        _limit(app, guesses, guarded)
    if settings.practice_limit:
        often = f"{settings.practice_limit} per hour"
        _limit(app, limiter.shared_limit(often, "practice"), ("pages.begin_practice",))


def _limit(app: Flask, limit: RouteLimit, endpoints: tuple[str, ...]) -> None:
    """Put one limit, counted together, on several endpoints."""
    for endpoint in endpoints:
        limited = limit(app.view_functions[endpoint])
        app.view_functions[endpoint] = cast("RouteCallable", limited)


def _identify_guesser() -> str:
    """Return by what a guess at a password is counted. Raises ``Unavailable``."""
    if request.endpoint in OWN_PASSWORDS:
        return _find_credential() or f"client {get_client()}"
    name = _read_name()
    if not name:
        return f"client {get_client()}"
    if get_site().house.addresses.knows(name, get_client()):
        return f"name {name} {get_client()}"
    return f"name {name}"


def _find_credential() -> str | None:
    """Return what somebody shows who is in already: a session or a token that is good."""
    if request.blueprint == "pages":
        session = find_session_key()
        return None if session is None else f"session {session}"
    try:
        authorization = request.headers.get("Authorization")
        caller = find_caller(get_site().house, authorization, ANY_TOKEN)
    except Refusal:
        return None
    return None if caller is None else f"token {caller.token}"


def _read_name() -> str:
    """Return the key of the name that somebody logs in by, empty for what can be no name."""
    try:
        sent = request.get_json(silent=True) if request.is_json else request.form
    except HTTPException:
        # The view itself will refuse a body that is too long.
        return ""
    name = sent.get("name") if isinstance(sent, Mapping) else None
    name = name.strip() if isinstance(name, str) else ""
    return fold_name(name) if is_name(name) else ""


def _has_failed(answer: Response) -> bool:
    return answer.status_code == HTTPStatus.UNAUTHORIZED


def _check_costs() -> None:
    """Refuse looks to a client whose answers have taken as much as they may. Raises ``TooOften``.

    Many may share an address, and clocks run: whoever moves is not made to wait for others.
    """
    if request.method in ("GET", "HEAD") and request.endpoint not in UNCOUNTED:
        get_site().budget.check(get_client())


def _note_the_wait(limit: RequestLimit) -> None:
    """Keep for the answer in how many seconds the client may ask again."""
    g.retry_after = max(1, limit.reset_at - ceil(time()))
