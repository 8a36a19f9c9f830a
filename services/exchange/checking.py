"""Is a block what it says? Verified by replay, as an audit does, before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.match.state import Match, result
from services.audits.audit import judged
from services.audits.chain import chain_fault
from services.exchange.forms import check_event, check_header, row_of_line
from services.exchange.header import players_of
from services.exchange.reading import Block, Unreadable
from services.store.log.events import EventRow


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
    rows = [row_of_line(line) for line in block.events]
    fault = chain_fault(rows, header["match"])
    if fault is not None:
        raise Unreadable(fault.detail)
    faults, repeated = judged(rows, games)
    if faults or repeated is None or repeated.match is None:
        raise Unreadable(faults[0].detail)
    compare(header, repeated.match, len(rows))
    return Verified(repeated.match, [row[1:] for row in rows], header["names"])


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
