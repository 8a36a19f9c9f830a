"""The analysis of a finished match on its page: how far it is, graph, marks, mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from flask import request

from domain.json_types import JsonObject
from domain.match.state import FINISHED
from domain.match.views import MatchView
from domain.search.analysis import BEST, GOOD, INACCURACY, INACCURACY_FROM, MISTAKE, MISTAKE_FROM
from services.drawing.svg.markup import format_number
from services.errors import NoAnalysis
from services.matches.queries import Asker
from services.replays.analysis import Report
from services.replays.replay import Frame, Replay
from web.i18n import N_
from web.pages.common.visitors import find_actor, player_of
from web.pages.replays.steps import make_step_url
from web.pages.replays.timeline import HIGH, draw_course, place_value, spread_steps
from web.pages.replays.what_if import can_try, make_line_url
from web.site import get_site

MARK_WORDS = {
    BEST: N_("best"),
    GOOD: N_("good"),
    INACCURACY: N_("inaccuracy"),
    MISTAKE: N_("mistake"),
}

_ELSEWHERE = ("pages.embed", "pages.home")
"""Pages about something else, on which a replay is a guest."""

HUNDREDTH = 10
"""In per mille, by which the engine counts; people read hundredths of a win."""


class JudgedMove(NamedTuple):
    """A move that was judged. ``loss``: of a hundred; ``line``: the best, ``url``: to try it."""

    version: int
    number: int
    seat: int
    text: str
    mark: str | None
    word: str
    loss: int
    line: list[str]
    step: str
    url: str | None


class Shown(NamedTuple):
    """An analysis on a page; ``report`` None: nobody has asked for it.

    ``before``, ``following``: addresses of the mistakes around the shown step.
    """

    report: Report | None
    judged: list[JudgedMove]
    graph: Mapping[str, Any] | None
    before: str | None
    following: str | None

    @property
    def marks(self) -> dict[int, str]:
        """The marks of moves by their versions."""
        return {one.version: one.mark for one in self.judged if one.mark}

    @property
    def mistakes(self) -> list[int]:
        """The versions of the mistakes."""
        return [one.version for one in self.judged if one.mark == MISTAKE]

    @property
    def counts(self) -> list[tuple[str, str, list[int]]]:
        """How many moves of both seats have each mark."""
        found = Counter((one.mark, one.seat) for one in self.judged)
        return [
            (mark, word, [found[mark, seat] for seat in (1, 2)])
            for mark, word in MARK_WORDS.items()
        ]

    @property
    def limits(self) -> tuple[int, int]:
        """From which costs on a move is an inaccuracy, and a mistake, of a hundred."""
        return INACCURACY_FROM // HUNDREDTH, MISTAKE_FROM // HUNDREDTH


def show_analysis(replay: Replay, frame: Frame, asked: str | None) -> Shown | None:
    """Return what a page shows of an analysis; None: the match is not finished."""
    view = replay.shown.view
    if view.status != FINISHED or request.endpoint in _ELSEWHERE:
        return None
    try:
        report = get_site().house.analyses.show(Asker(player_of(find_actor())), view.id)
    except NoAnalysis:
        return Shown(None, [], None, None, None)
    tries = can_try(view, asked)
    plies = {one.version: one.view.ply for one in replay.frames}
    judged = [
        _make_judged_move(view, one, asked, plies, tries=tries)
        for one in report.positions
        if one["played"]
    ]
    mistakes = [one for one in judged if one.mark == MISTAKE]
    before = [one.step for one in mistakes if one.version < frame.version]
    after = [one.step for one in mistakes if one.version > frame.version]
    whole = report.done == report.of
    graph = _draw_graph(replay.frames, report.positions, frame) if whole else None
    return Shown(report, judged, graph, before[-1] if before else None, after[0] if after else None)


def _make_judged_move(
    view: MatchView, found: JsonObject, asked: str | None, plies: Mapping[int, int], *, tries: bool
) -> JudgedMove:
    played = found["played"]
    line: list[str] = found["best"][0]["line"] if found["best"] else []
    mark = found["mark"]
    return JudgedMove(
        played["version"],
        plies.get(played["version"], 0),
        found["seat"],
        played["text"],
        mark,
        MARK_WORDS.get(mark, ""),
        (found["loss"] or 0) // HUNDREDTH,
        line,
        make_step_url(view.id, played["version"], asked),
        make_line_url(view.id, found["version"], line) if line and tries else None,
    )


def compute_share(found: JsonObject) -> int:
    """Return what of a win seat 1 may expect, in per mille: in truth, where that was hidden."""
    value = (found["truth"] or found)["value"]
    if value["kind"] == "estimate":
        return int(value["per_mille"])
    return {1: 1000, 2: 0, None: 500}[value["winner"]]


def _draw_graph(
    frames: Sequence[Frame], positions: Sequence[JsonObject], frame: Frame
) -> dict[str, Any]:
    """Return the graph of an analysis, above the middle where seat 1 is ahead."""
    places = spread_steps(len(frames))
    shares = [compute_share(one) for one in positions]
    steps: list[str | float] = []
    at = 0
    for one, x in zip(frames, places, strict=True):
        while at + 1 < len(positions) and positions[at + 1]["version"] <= one.version:
            at += 1
        steps += ["L" if steps else "M", x, place_value(shares[at], 0, 1000)]
    by_version = {one.version: x for one, x in zip(frames, places, strict=True)}
    return {
        "line": draw_course(steps),
        "middle": format_number(HIGH / 2),
        "places": {version: format_number(x) for version, x in by_version.items()},
        "cursor": format_number(by_version[frame.version]),
        "first": shares[0] // HUNDREDTH,
        "last": shares[-1] // HUNDREDTH,
    }
