"""Finding the steps of replays at which something holds, in what the viewer may see of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from domain.json_types import JsonObject
from domain.match.events import seat_actor
from services.accounts.accounts import folded
from services.matches.queries import Look
from services.replays.conditions import Condition, lookup
from services.replays.replays import Frame, Replays, frame_json
from services.store import matches as readmodels
from services.store import players
from services.store.db.engine import Database

PAGE = 100
"""Matches that are looked up at once."""


class Wanted(NamedTuple):
    """What a step must be like; None: it does not matter.

    ``text`` stands in what is told of it, in whatever case. ``kind`` is its event's. ``player``
    (a name) did it. ``where`` holds of its ``values``.
    """

    text: str | None = None
    kind: str | None = None
    player: str | None = None
    where: Condition | None = None


class Found(NamedTuple):
    """A step that is as wanted."""

    match: str
    frame: Frame


def values(frame: Frame) -> JsonObject:
    """Return what a condition may ask of a step: its state's members, and a few more."""
    shown = frame_json(frame)
    return {
        "version": frame.version,
        "event": frame.event,
        "to_act": frame.view.to_act,
        "ply": frame.view.ply,
        "text": frame.text,
        **(shown["state"] or {}),
    }


@dataclass(frozen=True, slots=True)
class Finding:
    """Searches."""

    database: Database
    replays: Replays

    def steps(self, look: Look, match_id: str, wanted: Wanted) -> Iterator[Found]:
        """Yield the steps of a match that are as wanted, in order. Raises ``NotFound``."""
        replay = self.replays.replay(look, match_id)
        seats = replay.shown.view.seats
        actors = {
            seat_actor(seat)
            for seat, player in enumerate(seats, 1)
            if wanted.player is not None
            and folded(replay.shown.name(player) or "") == folded(wanted.player)
        }
        for frame in replay.frames:
            if _is_wanted(frame, wanted, actors):
                yield Found(match_id, frame)

    def unknown(self, look: Look, match_id: str, condition: Condition) -> list[str]:
        """Return the paths of a condition that lead nowhere at any step: mistyped, most likely."""
        steps = [values(frame) for frame in self.replays.replay(look, match_id).frames]
        return [
            path
            for path in condition.paths
            if not any(True for step in steps for _ in lookup(step, path))
        ]

    def matches(self, game: str | None = None, player: str | None = None) -> Iterator[str]:
        """Yield the ids of the public matches, the newest first.

        A page is read at a time, so that there may be any number. Private matches, and those
        that are found only by who has their id, are in no such search.
        """
        with self.database.read() as connection:
            row = None if player is None else players.by_key(connection, folded(player))
        if player is not None and row is None:
            return
        filters = readmodels.Filters(game=game, player=None if row is None else row.id)
        after = None
        while True:
            with self.database.read() as connection:
                page = readmodels.list_matches(
                    connection, filters, sort="created", limit=PAGE, after=after
                )
            yield from (one.id for one in page)
            if len(page) < PAGE:
                return
            after = readmodels.place_of(page[-1], "created")


def _is_wanted(frame: Frame, wanted: Wanted, actors: set[str]) -> bool:
    event = frame.event or {}
    if wanted.kind is not None and event.get("kind") != wanted.kind:
        return False
    if wanted.player is not None and event.get("actor") not in actors:
        return False
    if wanted.text is not None and wanted.text.casefold() not in frame.text.casefold():
        return False
    return wanted.where is None or wanted.where.holds(values(frame))
