"""Who is counted as one client: an address; of IPv6 what one household gets."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address

from flask import request


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
    return ip.exploded[:19] if isinstance(ip, IPv6Address) else address
