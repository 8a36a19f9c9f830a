"""Where a replay comes from while it is watched: whose eyes, and what is new.

Words lead to a place in it: a search, the number of a move or of an event, a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from typing_extensions import override

from domain.match.clock import parse_instant
from domain.match.state import FINISHED
from services.container import Services
from services.drawing.text.frames import Names
from services.errors import NotFound
from services.matches.event_ids import make_event_id
from services.matches.queries import Asker
from services.replays.replay import Frame, Replay


class ReplaySource(ABC):
    """A match as it is replayed. ``asked``: through whose eyes, None for those of who looks."""

    def __init__(self, match_id: str, asked: str | None) -> None:
        self.match = match_id
        self.asked = asked
        self._at_first = asked

    @abstractmethod
    def load(self) -> Replay:
        """Return the whole replay. Raises where there is none."""

    @abstractmethod
    def find_news(self, found: Replay) -> Replay | None:
        """Return the replay as it stands if it has gone on since ``found``, otherwise None."""

    @abstractmethod
    def list_statuses(self, series: str) -> dict[str, str]:
        """Return the statuses of the matches of a series, in order; none if it is not known."""

    def change_sight(self, found: Replay) -> bool:
        """Look through the next eyes there are; False if there are no others.

        While a match is not finished a key shows no more than was asked for at the start: a
        hand of cards must not come up by mistake.
        """
        asked: list[str | None] = [None, "seat-1", "seat-2", "spectator"]
        if found.shown.view.status != FINISHED:
            asked = [self._at_first, "spectator"]
            if self._at_first in (None, "spectator"):
                return False
        place = asked.index(self.asked) + 1 if self.asked in asked else 0
        self.asked = asked[place % len(asked)]
        return True

    def describe_sight(self, found: Replay) -> str:
        """Say through whose eyes the replay is seen."""
        if self.asked is not None:
            return f"as {self.asked}"
        if found.shown.view.status == FINISHED:
            return "everything"
        return "as spectator" if found.shown.you is None else f"as seat-{found.shown.you}"

    def walk(self, found: Replay, by: int) -> bool:
        """Go on to the next match of the series (1), or to the one before (-1); False: none.

        The eyes stay those of the same player, whose seat is the other one there; of a match that
        runs they are those that were asked for at the start.
        """
        series = found.shown.view.series
        statuses = {} if series is None else self.list_statuses(series["id"])
        matches = [*statuses]
        place = matches.index(self.match) + by if self.match in statuses else -1
        if not 0 <= place < len(matches):
            return False
        self.match = matches[place]
        self._at_first, self.asked = _swap_sight(self._at_first), _swap_sight(self.asked)
        if statuses[self.match] != FINISHED and self.asked != "spectator":
            self.asked = self._at_first
        return True


def _swap_sight(sight: str | None) -> str | None:
    return {"seat-1": "seat-2", "seat-2": "seat-1"}.get(sight or "", sight)


class StoredReplay(ReplaySource):
    """A match of a database; without ``asked`` see ``Asker.choose_viewer``."""

    def __init__(self, house: Services, match_id: str, asked: str | None) -> None:
        super().__init__(match_id, asked)
        self._house = house

    @override
    def load(self) -> Replay:
        return self._house.replays.replay(self._look, self.match)

    @override
    def find_news(self, found: Replay) -> Replay | None:
        """Return the replay as it stands if it has gone on since ``found``, otherwise None.

        Of a match that goes on, what is there already is kept; one that is over is looked at
        anew, since what was sealed is open then. Events before the first move have no frame.
        """
        last = found.shown.view.version
        after = make_event_id(last, found.frames[-1].recorded[-1]["hash"])
        page = self._house.queries.show_events(self._look, self.match, after, limit=1)
        if not page.known:
            # A backup has taken the place of the match.
            return self.load()
        if not page.events:
            return None
        if page.over or len(found.frames) == 1:
            return self.load()
        more = self._house.replays.replay(self._look, self.match, first=last + 1)
        return Replay(more.shown, [*found.frames, *more.frames])

    @override
    def list_statuses(self, series: str) -> dict[str, str]:
        try:
            matches = self._house.series.show(Asker(local=True), series).matches
        except NotFound:
            # It was imported without the beginning of its series.
            return {}
        return {one.view.id: one.view.status for one in matches}

    @property
    def _look(self) -> Asker:
        return Asker(asked=self.asked, local=True)


def search(replay: Replay, words: str) -> list[int]:
    """Return the frames that say ``words``, in whatever case; kinds and hashes count as said.

    What is said of a seat is found by its name, and by P1 and P2 too.
    """
    names, found = Names(replay.shown.names), []
    for index, frame in enumerate(replay.frames):
        event = frame.event or {"kind": "", "hash": ""}
        told = f"{names.tell(frame.view, frame.text)} {frame.text}"
        if words.casefold() in f"{told} {event['kind']} {event['hash']}".casefold():
            found.append(index)
    return found


def find_by_version(frames: Sequence[Frame], version: int) -> int | None:
    """Return the frame after an event, before the first move the first; None for no such event."""
    if not 1 <= version <= frames[-1].version:
        return None
    return max([0, *(index for index, one in enumerate(frames) if one.version <= version)])


def find_by_move(frames: Sequence[Frame], number: int) -> int | None:
    """Return the frame of a move, the one that stands of several; of 0 the first one."""
    if not number:
        return 0
    made = [index for index, one in enumerate(frames) if one.place.move == number]
    return made[-1] if made else None


def find_by_time(frames: Sequence[Frame], here: int, typed: str) -> int | None:
    """Return the last frame at or before a time in UTC; None for what is no time.

    A time without a day is one of the day of the frame ``here``.
    """
    typed = typed.strip()
    if "-" not in typed:
        event = frames[here].event or (frames[1].event if len(frames) > 1 else None)
        typed = f"{event['at'][:10]} {typed}" if event else typed
    try:
        limit = parse_instant(typed)
    except ValueError:
        return None
    earlier = (i for i, one in enumerate(frames) if one.event and one.event["at"] <= limit)
    return max([0, *earlier])
