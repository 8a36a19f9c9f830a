"""The first line of an exported match: what follows, and through whose eyes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from domain.game.game import Viewer
from domain.json_types import JsonObject
from domain.log.event_format import canonical
from domain.match.state import ABORTED, FINISHED, Match, result
from services.store.log.exports import Line

FORMAT = "plybook/match"
FORMAT_VERSION = 1
"""The version of the form of headers and blocks; docs/exports.md says what it promises."""


class Subject(NamedTuple):
    """A match to be exported, as it stood when the export looked.

    ``events`` and ``head`` are the version and the hash of its last event. ``viewer`` is whose
    eyes it is seen through; with ``everything``, all seals are open to them. ``names`` are those
    of its players, by id.
    """

    match: str
    game: str
    rules_version: int
    status: str
    events: int
    head: str
    at: str
    result: JsonObject | None
    names: Mapping[str, str]
    viewer: Viewer
    everything: bool

    def header(self) -> JsonObject:
        """Return the members of the header line."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "match": self.match,
            "game": self.game,
            "rules_version": self.rules_version,
            "status": self.status,
            "result": self.result,
            "count": self.events,
            "head": self.head,
            "names": dict(self.names),
            "viewer": self.viewer.value,
        }

    def header_line(self) -> bytes:
        """Return the header as canonical JSON, without the line's end."""
        return canonical(self.header())


def subject_of(match: Match, viewer: Viewer, names: Mapping[str, str]) -> Subject:
    """Return a match as ``viewer`` is to be given it."""
    return Subject(
        match.id,
        match.game.slug,
        match.game.rules_version,
        match.status,
        match.version,
        match.head,
        match.updated_at,
        result(match),
        names,
        viewer,
        everything=match.status == FINISHED and viewer is Viewer.SERVER,
    )


def subject_of_line(line: Line, viewer: Viewer, names: Mapping[str, str]) -> Subject:
    """Return the same from a line of the lists, which the events are compared with later."""
    over = line.status in (FINISHED, ABORTED)
    return Subject(
        line.id,
        line.game,
        line.rules_version,
        line.status,
        line.version,
        line.head,
        line.updated_at,
        {"winner": line.winner, "reason": line.reason} if over else None,
        names,
        viewer,
        everything=viewer is Viewer.SERVER,
    )


def players_of(match: Match) -> set[str]:
    """Return the ids of a match's players: who sits in it, created it or is challenged to it."""
    return {*match.seats, match.creator, match.opponent} - {None}
