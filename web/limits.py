"""How often one client may ask, counted in each server process.

A client is an address; of IPv6 the network of 64 bits, since that is what one household gets.
"""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address
from math import ceil
from time import time
from typing import TYPE_CHECKING, cast

from flask import Flask, g, request
from flask_limiter import Limiter, RequestLimit

from services.settings import Settings

if TYPE_CHECKING:
    from flask.typing import RouteCallable

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
    stricter = {"api.sign_up": (settings.sign_up_limit, "hour")}
    stricter["api.issue_token"] = (settings.log_in_limit, "minute")
    for endpoint, (most, per) in stricter.items():
        if most:
            limited = limiter.limit(f"{most} per {per}")(app.view_functions[endpoint])
            app.view_functions[endpoint] = cast("RouteCallable", limited)


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
