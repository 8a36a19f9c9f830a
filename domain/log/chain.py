"""Canonical form, commitments and the hash chain, as pure functions.

Source: the service's event format (docs/event-format.md). Canonical JSON is RFC 8785;
for ASCII keys, integers and strings it equals sorted keys without white space.
"""

from __future__ import annotations

from hashlib import sha256

import orjson

from domain.json_types import Json, JsonObject

GENESIS = "0" * 64
"""``previous`` of a match's first event."""

SALT_BYTES = 32


def canonical(value: Json) -> bytes:
    """Return the canonical JSON (RFC 8785) of ``value`` as UTF-8 bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def commitment(salt: str, value: Json) -> str:
    """Commit to ``value``: SHA-256 of the raw salt, then the value's canonical bytes.

    ``salt`` is 64 hex digits (32 bytes). Returns 64 lower-case hex digits.
    """
    return sha256(bytes.fromhex(salt) + canonical(value)).hexdigest()


def body(event: JsonObject) -> bytes:
    """Return the bytes of ``event`` that its hash covers.

    That is the canonical JSON without the top-level ``hash`` and without ``salt`` and
    ``value`` of the entries of ``sealed``. ``event`` is an event as the API shows it.
    """
    covered = {name: value for name, value in event.items() if name != "hash"}
    covered["sealed"] = [
        {"for": entry["for"], "commitment": entry["commitment"]} for entry in event["sealed"]
    ]
    return canonical(covered)


def digest(stored: bytes) -> str:
    """Hash an event's canonical bytes. Returns 64 lower-case hex digits."""
    return sha256(stored).hexdigest()
