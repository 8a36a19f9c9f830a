"""What a viewer may see of a match and of its events: the one door to both (law 3).

Beside it the time that each move took, from the instants of events.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from domain.game.game import Act, AnyGame, Draw, Last, Move, Over, Pass, Position, Sight, Viewer
from domain.game.scene import Scene, remove_reach
from domain.json_types import JsonObject
from domain.log import event_format
from domain.match.clock import SECOND, Clock, find_deadline, measure_run
from domain.match.events import Event, MoveMade, Seal, TimeGiven
from domain.match.evolve import DOWNTIME
from domain.match.kinds import KINDS, TurnEffect
from domain.match.state import FINISHED, NO_OFFERS, OPEN, Match, Offers, find_due, find_result

Pending: TypeAlias = Literal["chance", "pass", "end"]
"""What the next event brings by itself while nobody is to act."""

_PENDING: dict[type, Pending] = {Draw: "chance", Pass: "pass", Over: "end"}


class MatchView(NamedTuple):
    """A match as one viewer may see it. Renderers get this, never a ``Match``.

    ``seats`` are player ids or None. ``sight`` and ``last`` are None before the start. Of clocks
    and offers nothing is hidden; ``deadline`` is when the seat to act has no time left, and
    ``lapses_at`` until when an open match waits for its second player. ``pending``: what follows by
    itself in a step at which no seat is to act; None where one is, or where nothing follows.
    """

    id: str
    game: AnyGame
    options: JsonObject
    status: str
    visibility: str
    pace: JsonObject | None
    rated: bool
    version: int
    seats: tuple[str | None, str | None]
    creator: str
    opponent: str | None
    viewer: Viewer
    to_act: int | None
    ply: int
    result: JsonObject | None
    sight: Sight | None
    last: Last | None
    created_at: str
    updated_at: str
    series: JsonObject | None
    clock: Clock | None = None
    deadline: str | None = None
    offers: Offers = NO_OFFERS
    lapses_at: str | None = None
    pending: Pending | None = None


def view(match: Match, viewer: Viewer) -> MatchView:
    """Return what ``viewer`` may see of ``match``; all of it once it is finished."""
    opened = match.status == FINISHED or viewer is Viewer.SERVER
    step = match.find_step()
    return MatchView(
        id=match.id,
        game=match.game,
        options=match.options,
        status=match.status,
        visibility=match.visibility,
        pace=match.pace,
        rated=match.rated,
        version=match.version,
        seats=match.seats,
        creator=match.creator,
        opponent=match.opponent,
        viewer=viewer,
        to_act=step.seat if isinstance(step, Act) else None,
        ply=match.ply,
        result=find_result(match),
        sight=None if match.position is None else match.game.view(match.position, viewer, opened),
        last=_find_last(match, viewer, opened=opened),
        created_at=match.created_at,
        updated_at=match.updated_at,
        series=match.series,
        clock=match.clock,
        deadline=find_deadline(match.clock),
        offers=match.offers,
        lapses_at=find_due(match) if match.status == OPEN else None,
        pending=_PENDING.get(type(step)),
    )


def build_scene(view: MatchView) -> Scene | None:
    """Return what there is to draw of a match; None before its start.

    What could be reached is marked only while somebody is to act.
    """
    if view.sight is None:
        return None
    scene = view.game.build_scene(view.sight, view.last)
    return scene if view.to_act is not None else remove_reach(scene)


def foresee_move(view: MatchView, json: JsonObject) -> MatchView | None:
    """Return what a match would look like after a move of the seat to act; None: it cannot know.

    It follows from the view alone, so nothing is in it that the viewer may not see.
    """
    game, sight, seat = view.game, view.sight, view.to_act
    if sight is None or seat is None:
        return None
    move = game.parse_move(json)
    if game.foresee is not None:
        after = game.foresee(sight, move)
    else:
        # Where nothing is hidden, what is seen is the position.
        after = None if game.secrets else Sight(game.play(Position(sight), move))
    if after is None:
        return None
    return view._replace(sight=after, last=Last(seat, game.dump_move(move)), to_act=None)


def find_sequel(view: MatchView, json: JsonObject) -> tuple[MatchView, list[JsonObject]] | None:
    """Return where the seat to act goes on in its turn after a move, and the moves that it has.

    None where the turn ends, or where nobody knows before the move is made. Moves are given as
    ``{"move", "text", "path"}``.
    """
    game, seat = view.game, view.to_act
    found = None if view.sight is None else game.find_sequel(view.sight, game.parse_move(json))
    if found is None or seat is None:
        return None
    sight, moves = found
    after = view._replace(sight=sight, last=Last(seat, json))
    return after, [show_move(game, sight, move) for move in moves]


def show_move(game: AnyGame, sight: Sight, move: Move) -> JsonObject:
    """Return a move with its notation and its path over what the seat sees."""
    written = game.dump_move(move)
    text = game.notation.write(written)
    return {"move": written, "text": text, "path": list(game.build_path(sight, move))}


def _find_last(match: Match, viewer: Viewer, *, opened: bool) -> Last | None:
    if match.last is None:
        return None
    seat, whole, public = match.last
    return Last(seat, whole if opened or viewer.seat == seat else public)


def show_event(event: Event, viewer: Viewer, *, finished: bool) -> JsonObject:
    """Return an event as ``viewer`` may see it, in the form of docs/event-format.md.

    Seals are opened for their audience, and for everybody once the match has
    ``finished`` (not when it was aborted).
    """
    shown = event_format.show_closed(event.body, event.hash)
    if event.sealed:
        everything = finished or viewer is Viewer.SERVER
        shown["sealed"] = [_show_seal(seal, viewer, everything=everything) for seal in event.sealed]
    return shown


def _show_seal(seal: Seal, viewer: Viewer, *, everything: bool) -> JsonObject:
    entry: JsonObject = {"for": list(seal.audience), "commitment": seal.commitment}
    if seal.salt is not None and (everything or viewer.value in seal.audience):
        entry["salt"] = seal.salt
        entry["value"] = seal.value
    return entry


class Stopwatch:
    """Runs while a seat thinks; stands while its clock stands. See every event, in order."""

    def __init__(self) -> None:
        self._so_far = 0

    def measure(self, before: MatchView, event: Event) -> int | None:
        """Return the microseconds that a move took, None of other events.

        ``before``: the match right before the event.
        """
        if before.to_act is not None:
            self._so_far += measure_run(before.clock, before.to_act, before.updated_at, event.at)
        if isinstance(event.fact, MoveMade):
            used, self._so_far = self._so_far, 0
            return used
        if isinstance(event.fact, TimeGiven) and event.fact.reason == DOWNTIME:
            self._so_far = max(0, self._so_far - event.fact.amount * SECOND)
        if KINDS[event.kind].turn is TurnEffect.BEGINS:
            self._so_far = 0
        return None
