"""The header of an export: what it says of a match must be what the match's events say.

No rule is needed for that, so that it can be asked of running matches, and of what a seat saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.log.event_format import canonical
from domain.match import events
from domain.match.events import Event
from domain.match.kinds import ENDINGS
from domain.match.state import FINISHED
from services.audits.chain import CHAIN, HEADER, Fault
from services.exchange.forms import HEADER as MEMBERS
from services.exchange.forms import LONGEST_NAME, MATCH
from services.exchange.header import FORMAT_VERSION


def header_faults(header: JsonObject, stream: Sequence[Event]) -> Iterator[Fault]:
    """Yield what a header says of its match that its events, decoded, do not say."""
    if header.keys() != MEMBERS.keys():
        yield Fault(None, HEADER, "The header has too much or too little.")
        return
    if stream[-1].hash != header["head"]:
        yield Fault(None, CHAIN, "The last event is not the header's head: it was cut.")
    for name, value in _said(stream).items():
        # As JSON, since Python takes 1, 1.0 and true for equal.
        if canonical(header[name]) != canonical(value):
            yield Fault(None, HEADER, f"The header's {name} is not that of the events.")
    if not MATCH.fullmatch(stream[0].match):
        yield Fault(None, HEADER, "The header's match is no id of a match.")
    yield from _names_faults(header["names"], stream)
    yield from _viewer_faults(header["viewer"], stream)


def _names_faults(names: Json, stream: Sequence[Event]) -> Iterator[Fault]:
    """Look at names, which stand outside of the chain: only whose they are can be known."""
    if type(names) is not dict or not names.keys() <= _players(stream):
        yield Fault(None, HEADER, "The header names somebody who does not play in this match.")
    elif not all(type(name) is str and 1 <= len(name) <= LONGEST_NAME for name in names.values()):
        yield Fault(None, HEADER, f"A name in the header is none of 1 to {LONGEST_NAME} letters.")


def _viewer_faults(viewer: Json, stream: Sequence[Event]) -> Iterator[Fault]:
    """See to it that open is what the header's viewer sees, and nothing else."""
    if viewer not in [one.value for one in Viewer]:
        yield Fault(None, HEADER, "Nobody sees a match as the header's viewer.")
        return
    everything = viewer == Viewer.SERVER.value
    if everything and ENDINGS.get(stream[-1].kind) != FINISHED:
        yield Fault(None, HEADER, "Only of a finished match everything is open.")
    for event in stream:
        for seal in event.sealed:
            sees = everything or viewer in seal.audience
            if sees is not (seal.salt is not None):
                how = "closed" if sees else "open"
                detail = f"Event {event.version} has a seal that is {how}, to be seen by {viewer}."
                yield Fault(event.version, HEADER, detail)
                return


def _said(stream: Sequence[Event]) -> JsonObject:
    """Return what the first and the last event, and those between, say of a match."""
    created, last = stream[0].fact, stream[-1].fact
    started = any(isinstance(event.fact, events.MatchStarted) for event in stream)
    said: JsonObject = {
        "format_version": FORMAT_VERSION,
        "match": stream[0].match,
        "count": len(stream),
        "status": "active" if started else "open",
        "result": None,
    }
    if isinstance(created, events.MatchCreated):
        said |= {"game": created.game, "rules_version": created.rules_version}
    if isinstance(last, events.MatchEnded | events.MatchAborted):
        winner = last.winner if isinstance(last, events.MatchEnded) else None
        result = {"winner": winner, "reason": last.reason}
        said |= {"status": ENDINGS[stream[-1].kind], "result": result}
    return said


def _players(stream: Sequence[Event]) -> set[str]:
    found: list[Json] = []
    for event in stream:
        if isinstance(event.fact, events.MatchCreated):
            found += [event.fact.creator, event.fact.opponent]
        elif isinstance(event.fact, events.SeatTaken):
            found.append(event.fact.player)
    return {player for player in found if type(player) is str}
