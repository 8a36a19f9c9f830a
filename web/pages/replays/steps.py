"""The steps of a replay: links to the neighbours, and the list of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flask import request, url_for

from domain.match.kinds import ENDINGS
from services.matches.match_json import ShownMatch
from services.replays.replay import Frame, tell_frame
from web.i18n import _, translate
from web.pages.common.words import is_end, tale

_ANCHOR = "board"
"""Where every step leads to, so that the reader and the keyboard stay at the board."""


_OF_THE_GAME = frozenset({"move-made", "turn-passed", "chance-drawn"})
"""Kinds of events that change the position."""


class Steps(NamedTuple):
    """Links to other steps; None where there is none. ``before``: the step that came before."""

    before: Frame | None
    first: str | None
    previous: str | None
    following: str | None
    last: str | None


class Beyond(NamedTuple):
    """Where steps beyond the ends of a match lead: to other matches of its series.

    ``before``: the end of the match before, ``following``: the beginning of the next one; None: the
    replay ends there.
    """

    before: str | None = None
    following: str | None = None


class Step(NamedTuple):
    """One entry of the list of moves; ``title`` tells it in a sentence.

    ``number``: which move it is, None if it is none. ``back``: it has been taken back.
    ``mark``: what an analysis says of it.
    """

    text: str
    title: str
    url: str
    current: bool
    number: int | None
    version: int
    back: bool
    mark: str | None = None


@dataclass(slots=True)
class ListedRound:
    """A turn of each seat, the one that began first; or, with ``whole``, one for nobody."""

    whole: Step | None = None
    turns: list[tuple[int, list[Step]]] = field(default_factory=list)

    @property
    def number(self) -> int | None:
        """The number of its first move, None where there is none in it."""
        steps = (step for _, turn in self.turns for step in turn)
        return next((step.number for step in steps if step.number), None)


def link_steps(
    match_id: str, frames: Sequence[Frame], frame: Frame, asked: str | None, beyond: Beyond
) -> Steps:
    """Return the links from a frame to the others, and beyond the ends."""
    at = frames.index(frame)

    def url(order: int) -> str:
        return make_step_url(match_id, frames[order].version, asked)

    before = (frames[at - 1], url(0), url(at - 1)) if at > 0 else (None, None, beyond.before)
    after = (url(at + 1), url(-1)) if at + 1 < len(frames) else (beyond.following, None)
    return Steps(*before, *after)


def make_step_url(match_id: str, version: int, asked: str | None) -> str:
    """Return the address of a match right after an event, as ``asked`` saw it.

    A page inside another one stays there.
    """
    seen = make_sight_query(asked)
    return url_for(choose_replay_page(), match_id=match_id, at=version, _anchor=_ANCHOR, **seen)


def make_sight_query(asked: str | None) -> dict[str, Any]:
    """Return what an address says of the eyes through which a match is seen."""
    return {"as": asked} if asked else {}


def choose_replay_page() -> str:
    """Return the page that steps of this one lead to: a frame's own, otherwise the match's."""
    return "pages.embed" if request.endpoint == "pages.embed" else "pages.match"


def list_rounds(
    shown: ShownMatch,
    frames: Sequence[Frame],
    frame: Frame,
    asked: str | None,
    marks: Mapping[int, str],
) -> list[ListedRound]:
    """Return the list of moves by rounds.

    A seat's turn is all that happens until the other seat moves, forced passes and draws
    of chance included; a round begins when the seat that moved first moves again. ``marks``: what
    an analysis says of moves, by their versions.
    """
    found: list[ListedRound] = []
    opener = None
    gone = list_taken_back(frames)
    for one in frames:
        step = _make_step(shown, one, frame, asked, gone)._replace(mark=marks.get(one.version))
        seat = _find_seat(one)
        latest = found[-1].turns if found else []
        if seat is None and (not latest or _ends(one)):
            found.append(ListedRound(step))
        elif seat is None or (latest and latest[-1][0] == seat):
            latest[-1][1].append(step)
        else:
            opener = opener or seat
            if seat == opener or not latest:
                found.append(ListedRound())
            found[-1].turns.append((seat, [step]))
    return found


def _make_step(
    shown: ShownMatch, one: Frame, frame: Frame, asked: str | None, gone: set[int]
) -> Step:
    event = one.event
    kind = event["kind"] if event else None
    said = tale(one, shown)
    if kind == "move-made" and one.view.last is not None:
        text = one.view.game.notation.write(one.view.last.move)
    elif event and kind == "turn-passed":
        text = _("passes")
    elif event and kind == "chance-drawn":
        text = _("%(what)s drawn") % {"what": _(event["data"]["purpose"])}
    else:
        text = said
    current = one.version == frame.version
    url = make_step_url(shown.view.id, one.version, asked)
    title = said if is_end(one) else translate(tell_frame(one))
    return Step(text, title, url, current, one.place.move, one.version, one.version in gone)


def list_taken_back(frames: Sequence[Frame]) -> set[int]:
    """Return the versions of the moves, passes and draws of chance that were taken back."""
    gone: set[int] = set()
    for one in frames:
        if one.event is not None and one.event["kind"] == "takeback-accepted":
            gone |= {
                other.version
                for other in frames
                if one.event["data"]["version"] < other.version < one.version
                and other.event is not None
                and other.event["kind"] in _OF_THE_GAME
            }
    return gone


def _find_seat(frame: Frame) -> int | None:
    """Return the seat whose turn an event belongs to, or None."""
    if frame.event is None or frame.event["kind"] not in ("move-made", "turn-passed"):
        return None
    seat: int = frame.event["data"]["seat"]
    return seat


def _ends(frame: Frame) -> bool:
    return frame.event is not None and frame.event["kind"] in ENDINGS
