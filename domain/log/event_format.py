"""How an event's bytes look: the one module that writes them and takes them apart.

Source: docs/event-format.md. An event is stored as its *body*, the canonical JSON that its hash
covers: all members but ``hash``, with the audience and the commitment of each sealed value. What
opens the seals is stored beside it, as its *openings*. Where an event is shown or exported, it is a
*line*: the body with the hash in it, and with salt and value in the seals that the reader may open.
Canonical JSON is RFC 8785; for ASCII keys, integers and strings it equals sorted keys without white
space.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import orjson

from domain.json_types import Json, JsonObject

GENESIS = "0" * 64
"""``previous`` of a match's first event."""

Stored: TypeAlias = tuple[bytes, str, bytes | None]
"""An event as it is kept: its body, its hash, and its openings."""


# --- canonical form and hashes --------------------------------------------------------------------


def write_canonical(value: Json) -> bytes:
    """Return the canonical JSON (RFC 8785) of ``value`` as UTF-8 bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def is_canonical(written: bytes) -> bool:
    """Whether bytes are canonical JSON: the only bytes that say what they say."""
    return write_canonical(orjson.loads(written)) == written


def compute_commitment(salt: str, value: Json) -> str:
    """Commit to ``value``: SHA-256 of the raw salt, then the value's canonical bytes.

    ``salt`` is 64 hex digits (32 bytes). Returns 64 lower-case hex digits.
    """
    return sha256(bytes.fromhex(salt) + write_canonical(value)).hexdigest()


def hash_bytes(stored: bytes) -> str:
    """Hash an event's body. Returns 64 lower-case hex digits."""
    return sha256(stored).hexdigest()


# --- bodies ---------------------------------------------------------------------------------------


class Members(NamedTuple):
    """The members of a body; ``sealed`` has the audience and the commitment of each seal."""

    match: str
    version: int
    kind: str
    schema: int
    actor: str
    at: str
    data: JsonObject
    sealed: Sequence[JsonObject]
    previous: str


Read: TypeAlias = tuple[str, int, str, int, str, str, JsonObject, Sequence[JsonObject], str]
"""The members of a body that was read: what ``Members`` has, in that order."""

_members = itemgetter(*Members._fields)


def write(members: Members) -> bytes:
    """Return the body of an event with these members."""
    return write_canonical(members._asdict())


def read(stored: bytes) -> Read:
    """Return the members of a body.

    Raises ``KeyError``, ``TypeError`` or ``ValueError`` for what is no body of an event.
    """
    members: Read = _members(orjson.loads(stored))
    return members


def seal(audience: Iterable[str], committed: str) -> JsonObject:
    """Return an entry of ``sealed``: for whom it is, and the commitment."""
    return {"for": [*audience], "commitment": committed}


def restore_body(event: Mapping[str, Json]) -> bytes:
    """Return the body of an event as the API shows it, with its hash and some seals opened."""
    covered = {**event}
    covered.pop("hash", None)
    sealed: Json = event["sealed"]
    covered["sealed"] = [seal(entry["for"], entry["commitment"]) for entry in sealed]
    return write_canonical(covered)


BEGINNING = 40
"""Bytes of a body that are sure to hold its first member, which is ``actor``."""


def actor_of(beginning: bytes) -> str:
    """Return the actor of an event, of which so many first bytes of its body are enough."""
    return beginning.split(b'"', 4)[3].decode()


# --- openings -------------------------------------------------------------------------------------


def write_openings(pairs: Iterable[Sequence[Json] | None]) -> bytes | None:
    """Return the openings of an event as they are stored; None: it seals nothing.

    ``pairs``: for each seal, in order, its salt and value, or None where nobody here can open it.
    """
    entries: list[Json] = [None if pair is None else [*pair] for pair in pairs]
    return write_canonical(entries) if entries else None


def read_openings(stored: bytes | None, seals: int) -> list[Json]:
    """Return the pairs of salt and value of so many seals, each None where it is not open."""
    pairs: list[Json] = [None] * seals if stored is None else orjson.loads(stored)
    return pairs


# --- lines ----------------------------------------------------------------------------------------

_BEHIND_DATA = ',"kind":"'
# It cannot lie inside a string, where its quotation marks would have to be escaped. And behind the
# last kind, which is the event's own, nothing is nested but what is sealed.

_SEALED, _BEHIND_SEALED = b',"sealed":', b',"version":'

_UTF_8, _AS_IT_IS = "utf-8", "surrogateescape"
"""Bytes that are no text, which only somebody else can have stored, go out as they lie."""


def write_lines(stored: Iterable[Stored], sealed: Callable[[Stored], bytes]) -> bytes:
    """Return the lines of events, each with its end; ``sealed`` writes those with seals.

    They are the canonical JSON of what the one door shows (``views.show_event``), to which a test
    holds them. An export writes millions. An event that seals nothing is the same to every viewer,
    and its body is canonical already, so there the hash is put in where the order of names has it;
    only an event with seals is taken apart.
    """
    made: list[str] = []
    add = made.append
    for event in stored:
        held, hashed, opens = event
        before, kind, behind = held.decode(_UTF_8, _AS_IT_IS).rpartition(_BEHIND_DATA)
        if opens is None and kind:
            add(f'{before},"hash":"{hashed}"{kind}{behind}\n')
        else:
            add(f"{sealed(event).decode(_UTF_8, _AS_IT_IS)}\n")
    return "".join(made).encode(_UTF_8, _AS_IT_IS)


def open_seals(stored: Stored, viewer: str | None = None) -> bytes:
    """Return the line of an event with the seals opened that are for ``viewer``; None: all."""
    held, hashed, opens = stored
    before, _, behind = held.rpartition(_BEHIND_DATA.encode())
    start, end = behind.index(_SEALED) + len(_SEALED), behind.rindex(_BEHIND_SEALED)
    seals = orjson.loads(behind[start:end])
    for entry, pair in zip(seals, read_openings(opens, len(seals)), strict=True):
        if pair is not None and (viewer is None or viewer in entry["for"]):
            entry["salt"], entry["value"] = pair
    said = f',"hash":"{hashed}"{_BEHIND_DATA}'.encode()
    return b"".join((before, said, behind[:start], write_canonical(seals), behind[end:]))


def show_closed(stored: bytes, hashed: str) -> JsonObject:
    """Return the members of a line, all seals closed."""
    members: JsonObject = orjson.loads(stored)
    members["hash"] = hashed
    return members


def is_of_kind(stored: bytes, kind: str) -> bool:
    """Whether a body is that of an event of this kind."""
    return stored.rpartition(_BEHIND_DATA.encode())[2].startswith(f'{kind}"'.encode())
