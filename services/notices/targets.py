"""Where notices may be sent: to an address of the internet, never into the network of the service.

Whoever names an address of a webhook makes the service ask for it. So it may be no address of its
own machine or network, whatever name leads there and however it is written, and no address inside
of which such a one stands. A name is looked up once, and what is connected to is what was judged:
what the name means a moment later changes nothing.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from domain.i18n import say
from services.errors import InvalidWebhook

LONGEST = 500

_ALLOWED = re.compile(r"[!-~]+", re.ASCII)
_HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:.]+", re.ASCII)

_NAT64, _NAT64_LOCAL = IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48")
_COMPATIBLE = IPv6Network("::/96")
"""Networks of IPv6 whose addresses end in one of IPv4, to which they lead. The first is how whoever
has no IPv4 reaches any address of it; in the others there is nothing that anybody needs."""

Resolve = Callable[[str, int], Sequence[str]]
"""Gives the addresses of a host's name. Raises ``OSError``."""


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host, as the system knows them. Raises ``OSError``."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as odd:
        raise OSError(f"{host!r} is no name of a host") from odd
    return [*dict.fromkeys(str(address[0]) for *_, address in found)]


def check_url(url: str, *, private: bool) -> str:
    """Return an address that notices may be sent to, as far as that can be said of it now.

    ``private``: the settings allow any network, and ``http``. Raises ``InvalidWebhook``.
    """
    parts = _split_url(url)
    if parts is None or parts.scheme not in ("https", "http"):
        raise _make_refusal(say("Give the whole address, such as https://bot.example/plybook."))
    if parts.scheme != "https" and not private:
        raise _make_refusal(say("The address must begin with https://."))
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise _make_refusal(say("The address may have no user, no password and no fragment (#)."))
    if not private and _is_own(parts.hostname or ""):
        raise _make_refusal(
            say("This address is of the service's own network, not of the internet.")
        )
    return url


def is_public(written: str) -> bool:
    """Say whether an address (of IP) is one of the internet.

    >>> [is_public(one) for one in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1")]
    [True, False, False, False]
    >>> [is_public(one) for one in ("::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a00:1")]
    [False, False, False]
    """
    try:
        address = ip_address(written.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address in _NAT64:
        return _is_global(_extract_ipv4(address))
    return all(map(_is_global, (address, *_list_inside(address))))


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or local)


def _list_inside(address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    """Return the addresses of IPv4 that stand in one of IPv6: mapped, 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return []
    found = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64_LOCAL or address in _COMPATIBLE:
        found.append(_extract_ipv4(address))
    return [one for one in found if one is not None]


def _extract_ipv4(address: IPv6Address) -> IPv4Address:
    return IPv4Address(int(address) & 0xFFFFFFFF)


def _split_url(url: str) -> SplitResult | None:
    """Return the parts of an address, or None: it cannot be read."""
    if len(url) > LONGEST or _ALLOWED.fullmatch(url) is None:
        return None
    try:
        parts = urlsplit(url)
        there = parts.hostname is not None and parts.port != 0
    except ValueError:
        return None
    return parts if there and _HOST.fullmatch(parts.hostname or "") else None


def _is_own(host: str) -> bool:
    """Whether a host is seen to be of an own network before any name is looked up."""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        ip_address(host)
    except ValueError:
        return False
    return not is_public(host)


def _make_refusal(sentence: str) -> InvalidWebhook:
    return InvalidWebhook(sentence, pointer="/url")
