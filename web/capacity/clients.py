"""Who is counted as one client: an address; of IPv6 what one household gets."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

import structlog
from flask import Flask, request

from services.runtime.gateway import IS_GONE
from services.runtime.settings import Settings

_log = structlog.get_logger(__name__)


def client() -> str:
    """Return the address of the client, of IPv6 its network of 64 bits."""
    return client_of(request.remote_addr)


def client_of(address: str | None) -> str:
    """Return what of an address counts."""
    if address is None:
        return "unknown"
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    # So an address of IPv4 comes to a server that listens for both.
    inner = ip.ipv4_mapped
    return ip.exploded[:19] if inner is None else str(inner)


def has_gone() -> bool:
    """Tell whether the client is known to have gone before its answer began.

    Tests' clients, and other servers, have nothing that tells it.
    """
    is_gone: Callable[[], bool] | None = request.environ.get(IS_GONE)
    return is_gone is not None and is_gone()


def warn_of_forwarded(app: Flask, settings: Settings) -> None:
    """Let the log say once that a proxy forwards addresses which no setting trusts.

    Everybody who comes through it is one client then, and has one client's share of everything.
    """
    if settings.trusted_proxies:
        return
    warned: list[bool] = []

    def look() -> None:
        if not warned and "HTTP_X_FORWARDED_FOR" in request.environ:
            warned.append(True)
            _log.warning("forwarded_address_not_trusted", setting="PLYBOOK_TRUSTED_PROXIES")

    app.before_request(look)
