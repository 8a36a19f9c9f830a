"""Is a block what it says? Verified by replay, as an audit does, before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.errors import Corruption, Refusal
from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.log import chain
from domain.log.lines import open_body
from domain.match.fold import fold
from domain.match.state import Match, result
from services.audits.chain import chain_faults
from services.audits.decisions import decision_faults
from services.audits.seals import seal_faults
from services.exchange.forms import check_event, check_header
from services.exchange.header import players_of
from services.exchange.reading import Block, Line, Unreadable
from services.store.log.codec import CODEC
from services.store.log.events import EventRow, row_of


class Verified(NamedTuple):
    """A match that holds: the state it led to, its events as stored, its players' names by id."""

    match: Match
    events: Sequence[EventRow]
    names: dict[str, str]


def verified(block: Block, games: Games, latest: str) -> Verified:
    """Verify a block, from its form to the last decision. Raises ``Unreadable``.

    ``latest``: the instant after which nothing can have happened yet.
    """
    header = block.header
    check_header(header)
    for line in block.events:
        check_event(line.value, line.number, latest)
    try:
        stream = CODEC.decode(map(stored, block.events))
        _raise_first([*chain_faults(stream, header["match"]), *seal_faults(stream)])
        _raise_first([*decision_faults(stream, games)])
        match = fold(stream, games)
    except (Corruption, Refusal) as error:
        raise Unreadable(f"{str(error)[:1].upper()}{str(error)[1:]}".rstrip(".") + ".") from error
    compare(header, match, len(stream))
    return Verified(match, [row_of(event) for event in stream], header["names"])


def stored(line: Line) -> tuple[bytes, str, bytes | None]:
    """Return an event as it is stored: the bytes that its hash covers, the hash, the openings."""
    event = line.value
    sealed = event["sealed"]
    if not sealed:
        return open_body(line.raw, event["hash"]), event["hash"], None
    openings = chain.canonical([[seal["salt"], seal["value"]] for seal in sealed])
    return chain.body(event), event["hash"], openings


def _raise_first(faults: list[tuple[int | None, str, str]]) -> None:
    for _, _, detail in faults:
        raise Unreadable(detail)


def compare(header: JsonObject, match: Match, count: int) -> None:
    """Compare a header with what so many events come to. Raises ``Unreadable``."""
    for name, found in (
        ("match", match.id),
        ("game", match.game.slug),
        ("rules_version", match.game.rules_version),
        ("status", match.status),
        ("count", count),
        ("head", match.head),
        ("result", result(match)),
    ):
        if header[name] != found or type(header[name]) is not type(found):
            raise Unreadable(f"The header's {name} is not that of the events.")
    strangers = header["names"].keys() - players_of(match)
    if strangers:
        raise Unreadable("The header names somebody who does not play in this match.")
