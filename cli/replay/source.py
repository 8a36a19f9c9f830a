"""Where a replay comes from while it is watched: whose eyes, and what is new."""

from __future__ import annotations

from typing import Protocol

from domain.match.state import FINISHED
from services.container import House
from services.matches.event_ids import event_id
from services.matches.queries import Look
from services.replays.replays import Replay


class Frames(Protocol):
    """What whoever shows a replay needs to know of where it comes from."""

    def load(self) -> Replay:
        """Return the whole replay."""

    def news(self, found: Replay) -> Replay | None:
        """Return the replay as it stands if it has gone on since ``found``, otherwise None."""

    def other_sight(self, found: Replay) -> bool:
        """Look through the next eyes there are; False if there are no others."""

    def sight(self, found: Replay) -> str:
        """Name whose eyes these are."""


class Source:
    """A match in a house, seen as ``asked`` (None: see ``access.local_viewer``)."""

    def __init__(self, house: House, match_id: str, asked: str | None) -> None:
        self._house = house
        self._match = match_id
        self._first = self.asked = asked

    def load(self) -> Replay:
        """Return the whole replay. Raises ``NotFound``."""
        return self._house.replays.replay(self._look, self._match)

    def news(self, found: Replay) -> Replay | None:
        """Return the replay as it stands if it has gone on since ``found``, otherwise None.

        Of a match that goes on, what is there already is kept; one that is over is looked at
        anew, since what was sealed is open then. Events before the first move have no frame.
        """
        last = found.shown.view.version
        after = event_id(last, found.frames[-1].recorded[-1]["hash"])
        page = self._house.looking.events(self._look, self._match, after, limit=1)
        if not page.known:
            # A backup has taken the place of the match.
            return self.load()
        if not page.events:
            return None
        if page.over or len(found.frames) == 1:
            return self.load()
        more = self._house.replays.replay(self._look, self._match, first=last + 1)
        return Replay(more.shown, [*found.frames, *more.frames])

    def other_sight(self, found: Replay) -> bool:
        """Look through the next eyes there are; False if there are no others.

        While a match is not finished a key shows no more than was asked for at the start: a
        hand of cards must not come up by mistake.
        """
        asked: list[str | None] = [None, "seat-1", "seat-2", "spectator"]
        if found.shown.view.status != FINISHED:
            asked = [self._first, "spectator"]
            if self._first in (None, "spectator"):
                return False
        place = asked.index(self.asked) + 1 if self.asked in asked else 0
        self.asked = asked[place % len(asked)]
        return True

    def sight(self, found: Replay) -> str:
        """Name whose eyes these are."""
        if self.asked is not None:
            return f"as {self.asked}"
        return "everything" if found.shown.view.status == FINISHED else "as spectator"

    @property
    def _look(self) -> Look:
        return Look(asked=self.asked, local=True)
