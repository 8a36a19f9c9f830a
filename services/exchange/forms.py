"""The form of what a file says: exactly the members there are, exactly of their types.

Python takes ``1``, ``1.0`` and ``true`` for equal, and so would a comparison of decisions; but
they are different facts with different hashes. Hence types are looked at here, one by one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import get_type_hints

from domain.errors import Corruption
from domain.json_types import Json, JsonObject
from domain.log.event_format import body, write_openings
from domain.match.events import FACTS
from services.exchange.header import FORMAT_VERSION
from services.exchange.reading import Line, NotWhole, Unreadable
from services.matches.access import VISIBILITIES
from services.store.log.audits import RawRow
from services.user_texts import is_seen, no_character

HEADER = {
    "count": int,
    "format": str,
    "format_version": int,
    "game": str,
    "head": str,
    "match": str,
    "names": dict,
    "result": dict,
    "rules_version": int,
    "status": str,
    "viewer": str,
}
EVENT = {
    "match": str,
    "version": int,
    "kind": str,
    "schema": int,
    "actor": str,
    "at": str,
    "data": dict,
    "sealed": list,
    "previous": str,
    "hash": str,
}
SEAL = {"for": list, "commitment": str, "salt": str}

LONGEST_NAME = 200
LARGEST = 2**53 - 1

MATCH = re.compile(r"[0-9a-z]{16}", re.ASCII)
_PLAYER = re.compile(r"p_[0-9a-z]{16}", re.ASCII)
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CONTRIBUTION = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)
_INSTANT = re.compile(r"[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}\.[0-9]{6}Z", re.ASCII)
_SCALARS = {
    "seat": int,
    "ply": int,
    "draw": int,
    "rules_version": int,
    **{
        name: bool
        for record in FACTS.values()
        for name, kind in get_type_hints(record).items()
        if kind in (bool, bool | None)
    },
}
"""Members of events whose types are looked at by name; truth values stand nowhere else."""
_PLAYERS = ("creator", "opponent", "player")
_WORDS = {
    "cause": ("player", "conditional", "bot"),
    "visibility": VISIBILITIES,
}
_SAYABLE = ("open", "active", "aborted", "seat-1", "seat-2", "spectator")


def check_header(header: JsonObject) -> None:
    """Refuse what is no header of a finished, fully opened match.

    Raises ``Unreadable``, and for what is honestly no such match ``NotWhole``.
    """
    version = header.get("format_version")
    if type(version) is int and version > FORMAT_VERSION:
        raise Unreadable(f"A newer release made this (format_version {version}).")
    if header.get("status") != "finished":
        raise NotWhole(
            f"Only finished matches are imported; this one is {_short(header.get('status'))}."
        )
    if header.get("viewer") != "server":
        raise NotWhole(
            f"This is what {_short(header.get('viewer'))} saw; only matches with everything open "
            "are imported."
        )
    _members(header, HEADER, "The header")
    if version != FORMAT_VERSION or not MATCH.fullmatch(header["match"]):
        raise Unreadable("The header's format_version or match is of another form.")
    for player, name in header["names"].items():
        if not _PLAYER.fullmatch(player) or type(name) is not str:
            raise Unreadable("The header's names are not names by ids of players.")
        if not 1 <= len(name) <= LONGEST_NAME:
            raise Unreadable(f"A name has 1 to {LONGEST_NAME} characters.")
        _check_name(name)


def _check_name(name: str) -> None:
    """Refuse a name that cannot be read, or not be written everywhere. Raises ``Unreadable``."""
    none = no_character(name)
    if none is not None:
        raise Unreadable(f"A name has U+{ord(none):04X}, which is no character.")
    if not is_seen(name):
        raise Unreadable("There is nothing to read in a name.")


def check_event(event: JsonObject, number: int, latest: str) -> None:
    """Refuse what is no event, with all its seals open. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    where = f"The event in line {number}"
    _members(event, EVENT, where)
    at = event["at"]
    if not _INSTANT.fullmatch(at) or not _is_instant(at):
        raise Unreadable(f"{where} has no instant as its time.")
    if at > latest:
        raise Unreadable(f"{where} is said to happen in the future ({at}).")
    for name in ("previous", "hash"):
        if not _DIGEST.fullmatch(event[name]):
            raise Unreadable(f"{where} has no digest as {name}.")
    if event["kind"] not in FACTS:
        raise Unreadable(f"{where} is of a kind that this release does not know.")
    _check_data(event["data"], where)
    for seal in event["sealed"]:
        _check_seal(seal, where)


def row_of_line(line: Line) -> RawRow:
    """Return an event as the table of events would have it, if the match were alone there.

    Raises ``Corruption`` for what has not the members of an event.
    """
    value = line.value
    if set(value) != set(EVENT) or any(type(value[name]) is not EVENT[name] for name in EVENT):
        raise Corruption(f"line {line.number} has not the members of an event")
    stored = write_openings(_opening(seal) for seal in value["sealed"])
    version, match, kind, at = value["version"], value["match"], value["kind"], value["at"]
    return version, match, version, kind, at, body(value), value["hash"], stored


def _opening(seal: JsonObject) -> list[Json] | None:
    if ("salt" in seal) != ("value" in seal) or set(seal) - {"for", "commitment", "salt", "value"}:
        raise Corruption("a seal is half open, or has other members")
    return [seal["salt"], seal["value"]] if "salt" in seal else None


def _check_data(data: JsonObject, where: str) -> None:
    for name, value in data.items():
        if name in _SCALARS:
            _of_type(value, _SCALARS[name], name, where)
        elif name in _PLAYERS:
            if value is not None and not _matches(_PLAYER, value):
                raise Unreadable(f"{where} names a {name} that is no player's id.")
        elif name == "contribution":
            if not _matches(_CONTRIBUTION, value):
                raise Unreadable(f"{where} has a contribution that is not 64 hex digits.")
        elif name in _WORDS:
            if value not in _WORDS[name]:
                raise Unreadable(f"{where} has a {name} that there is not.")
        elif name != "pace":  # which has truth values, and a form of its own
            _whole_numbers(value, where)


def _matches(form: re.Pattern[str], value: Json) -> bool:
    return type(value) is str and form.fullmatch(value) is not None


def _check_seal(seal: Json, where: str) -> None:
    if type(seal) is not dict or "value" not in seal:
        raise Unreadable(f"{where} has a seal that is not open.")
    bare = {name: value for name, value in seal.items() if name != "value"}
    _members(bare, SEAL, f"A seal of {where[0].lower()}{where[1:]}")
    for name in ("commitment", "salt"):
        if not _DIGEST.fullmatch(seal[name]):
            raise Unreadable(f"{where} has a seal whose {name} is not 64 hex digits.")
    _whole_numbers(seal["value"], where)


def _members(value: JsonObject, wanted: Mapping[str, type], what: str) -> None:
    if value.keys() != wanted.keys():
        odd = min(value.keys() ^ wanted.keys())
        raise Unreadable(f"{what} has too much or too little: {odd[:40]!r}.")
    for name, kind in wanted.items():
        # Each event of each match goes through here, and nearly all texts are of their type.
        if kind is not str or type(value[name]) is not str:
            _of_type(value[name], kind, name, what)


def _of_type(value: Json, kind: type, name: str, what: str) -> None:
    if type(value) is not kind:
        raise Unreadable(f"{what} has a {name} of the wrong type.")
    if type(value) is int and not 0 <= value <= LARGEST:
        raise Unreadable(f"{what} has a {name} out of range.")


def _whole_numbers(value: Json, where: str) -> None:
    """Refuse fractions and truth values, which nothing that games write has."""
    kind = type(value)
    if kind is dict:
        for inner in value.values():
            _whole_numbers(inner, where)
    elif kind is list:
        for inner in value:
            _whole_numbers(inner, where)
    elif kind in (float, bool) or (kind is int and abs(value) > LARGEST):
        raise Unreadable(f"{where} has a value that no game writes: {value!r}.")


def _short(value: Json) -> str:
    """Return a value of the file so that it can be told to a person."""
    return value if value in _SAYABLE else repr(value)[:40]


def _is_instant(at: str) -> bool:
    try:
        datetime.fromisoformat(at)
    except ValueError:
        return False
    return True
