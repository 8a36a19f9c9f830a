"""How often one client may ask, counted in each server process.

A client is an address; of IPv6 the network of 64 bits, since that is what one household gets.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import time
from typing import TYPE_CHECKING, cast

from flask import Flask, Response, g, request
from flask_limiter import Limiter, RequestLimit, RouteLimit
from werkzeug.exceptions import HTTPException

from services.accounts import folded
from services.settings import Settings
from web.pages.visitors import visitor

if TYPE_CHECKING:
    from flask.typing import RouteCallable

LOG_INS = ("api.issue_token", "pages.log_in")

OWN_PASSWORDS = ("pages.change_password", "pages.issue_token", "pages.close_account")
"""Where a player who is logged in shows the password again."""

UNCOUNTED = ("health.alive", "health.ready", "metrics", "static")


def limit_rates(app: Flask, settings: Settings) -> None:
    """Limit requests, sign-ups and log-ins of ``app``; ``rate_limit`` 0 turns all of it off."""
    if not settings.rate_limit:
        return
    limiter = Limiter(
        _client,
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
        guarded = (*LOG_INS, *OWN_PASSWORDS, "api.close_account")
        _limit(app, limiter.shared_limit(often, "log-in"), guarded)
        # Whoever has many addresses still guesses at one name; who succeeds is not counted.
        guesses = limiter.shared_limit(often, "name", key_func=_name, deduct_when=_failed)
        _limit(app, guesses, (*LOG_INS, *OWN_PASSWORDS))
    if settings.practice_limit:
        often = f"{settings.practice_limit} per hour"
        _limit(app, limiter.shared_limit(often, "practice"), ("pages.begin_practice",))


def _limit(app: Flask, limit: RouteLimit, endpoints: tuple[str, ...]) -> None:
    """Put one limit, counted together, on several endpoints."""
    for endpoint in endpoints:
        limited = limit(app.view_functions[endpoint])
        app.view_functions[endpoint] = cast("RouteCallable", limited)


def _name() -> str:
    """Return the key of the name that somebody logs in by, on a page or over the API."""
    if request.endpoint in OWN_PASSWORDS:
        player = visitor()
        return "" if player is None else folded(player.name)
    try:
        sent = request.get_json(silent=True) if request.is_json else request.form
    except HTTPException:
        # The view itself will refuse a body that is too long.
        return ""
    name = sent.get("name") if isinstance(sent, Mapping) else None
    return folded(name.strip()) if isinstance(name, str) else ""


def _failed(answer: Response) -> bool:
    return answer.status_code == HTTPStatus.UNAUTHORIZED


def _client() -> str:
    address = request.remote_addr or "unknown"
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    return ip.exploded[:19] if isinstance(ip, IPv6Address) else address


def _note_the_wait(limit: RequestLimit) -> None:
    """Keep for the answer in how many seconds the client may ask again."""
    g.retry_after = max(1, limit.reset_at - ceil(time()))
