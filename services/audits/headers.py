"""The header of an export: what it says of a match must be what the match's events say.

No rule is needed for that, so that it can be asked of running matches, and of what a seat saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain import events
from domain.chain import canonical
from domain.events import Event
from domain.json_types import JsonObject
from domain.match import ABORTED, FINISHED
from domain.viewer import Viewer
from services.audits.faults import HEADER, Fault
from services.exports.header import FORMAT_VERSION
from services.imports.forms import HEADER as MEMBERS


def header_faults(header: JsonObject, stream: Sequence[Event]) -> Iterator[Fault]:
    """Yield what a header says of its match that its events, decoded, do not say."""
    if header.keys() != MEMBERS.keys():
        yield Fault(None, HEADER, "The header has too much or too little.")
        return
    wanted = _said(stream)
    wanted["format_version"] = FORMAT_VERSION
    for name, value in wanted.items():
        # As JSON, since Python takes 1, 1.0 and true for equal.
        if canonical(header[name]) != canonical(value):
            yield Fault(None, HEADER, f"The header's {name} is not that of the events.")
    names = header["names"]
    if type(names) is not dict or not names.keys() <= _players(stream):
        yield Fault(None, HEADER, "The header names somebody who does not play in this match.")
    if header["viewer"] not in [viewer.value for viewer in Viewer]:
        yield Fault(None, HEADER, "Nobody sees a match as the header's viewer.")
    elif header["viewer"] == Viewer.SERVER.value and wanted["status"] != FINISHED:
        yield Fault(None, HEADER, "Only of a finished match everything is open.")


def _said(stream: Sequence[Event]) -> JsonObject:
    """Return what the first and the last event, and those between, say of a match."""
    created, last = stream[0].fact, stream[-1].fact
    started = any(isinstance(event.fact, events.MatchStarted) for event in stream)
    said: JsonObject = {"status": "active" if started else "open", "result": None}
    if isinstance(created, events.MatchCreated):
        said |= {"game": created.game, "rules_version": created.rules_version}
    if isinstance(last, events.MatchEnded):
        result = {"winner": last.winner, "reason": last.reason}
        said |= {"status": FINISHED, "result": result}
    elif isinstance(last, events.MatchAborted):
        said |= {"status": ABORTED, "result": {"winner": None, "reason": last.reason}}
    return said


def _players(stream: Sequence[Event]) -> set[str | None]:
    found: set[str | None] = set()
    for event in stream:
        if isinstance(event.fact, events.MatchCreated):
            found |= {event.fact.creator, event.fact.opponent}
        elif isinstance(event.fact, events.SeatTaken):
            found.add(event.fact.player)
    return found
