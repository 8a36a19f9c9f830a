"""A replay: the same fold, looked at after every event, and what differs between two of its steps.

Differences are told by paths between two JSON values, the states of any game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NamedTuple, TypeAlias

from domain.game.game import Viewer
from domain.game.registry import Games
from domain.i18n import join_texts, say
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.clock import SECOND
from domain.match.events import Event
from domain.match.fold import evolve, remember_events
from domain.match.kinds import SET_UP
from domain.match.move_count import MoveCount, count_step, tell_count
from domain.match.narration import BEFORE_THE_FIRST_MOVE, format_span, tell
from domain.match.state import FINISHED, Match
from domain.match.views import MatchView, Stopwatch, show_event, view
from services.errors import InvalidRequest
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.store.log import events

Path: TypeAlias = tuple[str | int, ...]
"""Members and indexes (the first is 0) that lead to a place in a JSON value."""

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


class Difference(NamedTuple):
    """One place that differs. ``before`` is None of what was added, ``after`` of what is gone.

    The index of a thing that was removed from a list is that of the list before; all others
    are those of the list afterwards.
    """

    path: Path
    change: str
    before: Json
    after: Json


def change_json(change: Difference) -> JsonObject:
    """Return a change as a JSON object."""
    return {**change._asdict(), "path": list(change.path)}


def compare_values(before: Json, after: Json, path: Path = ()) -> Iterator[Difference]:
    """Yield what differs, in the order of the values; nothing of equal ones.

    Lists of equal length are compared place by place; of others, what came and what went is
    told, since a card that is played makes all that follow it move up.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _compare_members(before, after, path)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _compare_items(before, after, path)
    elif type(before) is not type(after) or before != after:
        yield Difference(path, CHANGED, before, after)


def _compare_members(before: JsonObject, after: JsonObject, path: Path) -> Iterator[Difference]:
    for name in [*before, *(name for name in after if name not in before)]:
        place = (*path, name)
        if name not in after:
            yield Difference(place, REMOVED, before[name], None)
        elif name not in before:
            yield Difference(place, ADDED, None, after[name])
        else:
            yield from compare_values(before[name], after[name], place)


def _compare_items(before: list[Json], after: list[Json], path: Path) -> Iterator[Difference]:
    if len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from compare_values(old, new, (*path, index))
        return
    old_keys, new_keys = (
        [write_canonical(one) for one in before],
        [write_canonical(one) for one in after],
    )
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    for what, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if what == "equal":
            continue
        paired = min(old_to - old_from, new_to - new_from)
        for step in range(paired):
            place = (*path, new_from + step)
            yield from compare_values(before[old_from + step], after[new_from + step], place)
        for index in range(old_from + paired, old_to):
            yield Difference((*path, index), REMOVED, before[index], None)
        for index in range(new_from + paired, new_to):
            yield Difference((*path, index), ADDED, None, after[index])


def write_path(path: Path) -> str:
    """Write a path as ``plybook find --where`` reads it.

    >>> write_path(("players", 0, "node"))
    'players.0.node'
    """
    return ".".join(map(str, path))


class Frame(NamedTuple):
    """A match right after the event ``version``; ``event`` None: before the first move.

    ``view`` is for drawing; it is what the viewer of the replay may see. ``used``: the time that
    a move took on its seat's clock, in microseconds (without a clock: all time). ``taken_back``:
    the version of the event that took it back. ``setup``: of the frame before the first move, the
    events that led to it, as the viewer may see them. ``timeless``: the text of one that says how
    long its move took, without that.
    """

    version: int
    event: JsonObject | None
    view: MatchView
    text: str
    used: int | None = None
    taken_back: int | None = None
    setup: Sequence[JsonObject] = ()
    timeless: str = ""

    @property
    def recorded(self) -> Sequence[JsonObject]:
        """The events of this step: the one that led to it, or those before the first move."""
        return self.setup if self.event is None else (self.event,)

    @property
    def place(self) -> MoveCount:
        """Where this step lies among the moves, which is what people read."""
        return count_step(self.view.ply, None if self.event is None else self.event["kind"])


class Replay(NamedTuple):
    """A match as it stands, and its frames in order."""

    shown: ShownMatch
    frames: list[Frame]


def get_frame_at(replay: Replay, version: int) -> Frame:
    """Return the frame of a version; before the first one, the first."""
    found = (one for one in reversed(replay.frames) if one.version <= version)
    return next(found, replay.frames[0])


def frame_json(frame: Frame) -> JsonObject:
    """Return the contract's frame object.

    Beside its members, it has ``ply``, the moves that stand, a move ``seconds``, the time that it
    took, and what was taken back ``taken_back``, the version of the event that did it.
    """
    seen = frame.view
    more: JsonObject = {}
    if frame.used is not None:
        more["seconds"] = frame.used // SECOND
    if frame.taken_back is not None:
        more["taken_back"] = frame.taken_back
    return {
        "version": frame.version,
        "ply": seen.ply,
        "event": frame.event,
        "state": None if seen.sight is None else seen.game.show(seen.sight),
        "to_act": seen.to_act,
        "text": frame.text,
        **more,
    }


def complete_frame(frame: Frame, takebacks: Sequence[tuple[int, int]]) -> Frame:
    """Say of a frame what it alone cannot know, and how long its move took.

    ``takebacks``: the version of each, and the one to which it led.
    """
    taken = next((at for at, back in takebacks if back < frame.version < at), None)
    after = [] if taken is None else [say("Taken back later.")]
    used, time = frame.used, []
    # On a clock it is told always, else from a second on.
    if used is not None and (frame.view.clock is not None or used >= SECOND):
        time.append(say("({span})", span=format_span(used)))
    text = join_texts([frame.text, *time, *after])
    return frame._replace(text=text, timeless=join_texts([frame.text, *after]), taken_back=taken)


def tell_frame(frame: Frame, total: int | None = None) -> str:
    """Say in a line which move a step is, and what happened; ``total``: of how many moves."""
    if frame.event is None:
        return frame.text
    return join_texts([tell_count(frame.place, total), frame.text], ": ")


def tell_without_time(frame: Frame) -> str:
    """Return the text of a frame for whoever says in another way how long the move took."""
    return frame.timeless or frame.text


def compare_states(one: Frame, other: Frame) -> list[Difference]:
    """Return what is different in the state, for this viewer, at ``other`` than at ``one``."""
    return list(compare_values(frame_json(one)["state"], frame_json(other)["state"]))


def list_between(frames: Sequence[Frame], earlier: int, later: int) -> Sequence[Frame]:
    """Return the frames, by index, whose events lie between two, in the order of the match."""
    first, last = sorted((earlier, later))
    return frames[first + 1 : last + 1]


@dataclass(frozen=True, slots=True)
class Replays:
    """Replays matches: gives their frames as a viewer may see them."""

    queries: MatchQueries

    def replay(
        self, look: Asker, match_id: str, first: int | None = None, last: int | None = None
    ) -> Replay:
        """Replay a match, frames of versions ``first`` to ``last`` only, where given.

        Raises ``NotFound``, and ``InvalidRequest`` for a span that ends before it begins.
        """
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, look, match_id)
            if first is not None and last is not None and first > last:
                raise InvalidRequest(say("The replay would end before it begins."), pointer="/from")
            viewer = look.choose_viewer(match)
            shown = self.queries.show_state(connection, match, look)
            stream = events.load(connection, match_id, upto=last)
            takebacks = events.list_takebacks(connection, match_id)
        everything = match.status == FINISHED and viewer is Viewer.SERVER
        frames = [
            complete_frame(frame, takebacks)
            for frame in iter_frames(
                stream, self.queries.repository.games, viewer, finished=everything
            )
            if first is None or frame.version >= first
        ]
        return Replay(shown, frames)


def iter_frames(
    stream: Sequence[Event], games: Games, viewer: Viewer, *, finished: bool
) -> Iterator[Frame]:
    """Yield the frames of a stream of events as ``viewer`` sees them; ``finished``: opened."""
    start = next(
        (index for index, event in enumerate(stream) if event.kind not in SET_UP), len(stream)
    )
    past = remember_events(stream, games)
    match: Match | None = None
    for event in stream[:start]:
        match = evolve(match, event, games, past)
    if match is None:
        return
    before, watch = view(match, viewer), Stopwatch()
    plies = {match.version: match.ply}
    setup = [show_event(event, viewer, finished=finished) for event in stream[:start]]
    yield Frame(match.version, None, before, BEFORE_THE_FIRST_MOVE, setup=setup)
    for event in stream[start:]:
        match = evolve(match, event, games, past)
        after = view(match, viewer)
        event_shown = show_event(event, viewer, finished=finished)
        used = watch.measure(before, event)
        plies[event.version] = after.ply
        yield Frame(event.version, event_shown, after, tell(before, event, after, plies), used)
        before = after
