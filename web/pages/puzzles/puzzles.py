"""A puzzle on its board: moves are tried until they are right, or the solution is stepped through.

The right moves so far stand in the address (``try``), as the steps of a move do; a last one that
is not right is told and can be tried again. What comes of a move is remembered when it is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Response, request, url_for

from domain.errors import IllegalMove, MalformedMove
from domain.game.scene import LETTERS, Scene
from domain.i18n import People
from domain.match.persons import PERSONS
from domain.match.views import build_scene
from services.drawing.svg.picture import NOWHERE
from services.puzzles.puzzles import SHOWN, SOLVED, PuzzleWalk
from web.http.inputs import find_whole
from web.http.problems import PROBLEMS
from web.i18n import _, speak_of
from web.pages.boards.boards import Boards, draw_boards, turn_to_seat
from web.pages.boards.entry import ANCHOR, Entry, enter, look_ahead, read_tried_move
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import read_text
from web.pages.common.visitors import find_visitor, note_puzzle, player_of, read_puzzles_done
from web.site import get_site


def show_puzzle(puzzle_id: str) -> Response:
    """Show a puzzle as far as the address has solved it. Raises ``NotFound``.

    Moves in the address that cannot be made raise ``MalformedMove`` or ``IllegalMove``.
    """
    return _show_page(puzzle_id, request.args.getlist("try"))


def try_puzzle(puzzle_id: str) -> Response:
    """Try a move behind those that were right; lead to what comes of it."""
    own, typed = request.form.getlist("try"), read_text("move")
    player, house = player_of(find_visitor()), get_site().house
    shown = house.puzzles.show(player, puzzle_id)
    notation = shown.view.game.notation
    if player is not None and read_puzzles_done().get(puzzle_id) == SHOWN:
        house.puzzles.give_up(player, puzzle_id)
    try:
        moves = [notation.read(one) for one in (*own, typed)]
        done, _answer = house.puzzles.attempt(player, puzzle_id, moves)
    except (IllegalMove, MalformedMove) as refusal:
        return _show_page(puzzle_id, own, refusal.detail, PROBLEMS[refusal.code].status)
    if player is None and done.solved:
        note_puzzle(puzzle_id, SOLVED)
    return lead_to(make_puzzle_url(puzzle_id, (*own, notation.write(moves[-1]))))


def give_up_puzzle(puzzle_id: str) -> Response:
    """Remember that the solution was asked for, and lead to it."""
    player, house = player_of(find_visitor()), get_site().house
    if player is None:
        house.puzzles.show(None, puzzle_id)
        note_puzzle(puzzle_id, SHOWN)
    else:
        house.puzzles.give_up(player, puzzle_id)
    return lead_to(_make_solution_url(puzzle_id, 0))


def show_solution(puzzle_id: str) -> Response:
    """Show a step of the solution to who has solved the puzzle or given it up.

    Others are led to the puzzle.
    """
    walk = get_site().house.puzzles.walk(player_of(find_visitor()), puzzle_id, told=True)
    if _find_mark(walk) not in (SOLVED, SHOWN):
        return lead_to(make_puzzle_url(puzzle_id))
    last = len(walk.played)
    step = min(find_whole(request.args.get("step", "")) or 0, last)
    at = get_site().house.puzzles.walk(player_of(find_visitor()), puzzle_id, told=True, steps=step)
    _speak_of(walk)
    scene = build_scene(at.view)
    return _answer(
        at,
        boards=None if scene is None else _draw_walk(walk, scene, None),
        entry=None,
        steps=[
            (one.text, one.told, _make_solution_url(puzzle_id, number))
            for number, one in enumerate(walk.played, 1)
        ],
        step=step,
        previous=_make_solution_url(puzzle_id, step - 1) if step else None,
        following=_make_solution_url(puzzle_id, step + 1) if step < last else None,
    )


def make_puzzle_url(
    puzzle_id: str, own: Sequence[str] = (), path: Sequence[str] = (), **more: str
) -> str:
    """Return the address of a puzzle behind some right moves, and steps of the next one."""
    given: dict[str, Any] = {"path": list(path)} if path else {}
    given |= more
    if own:
        given["try"] = list(own)
    return url_for("pages.puzzle", puzzle_id=puzzle_id, _anchor=ANCHOR, **given)


def _make_solution_url(puzzle_id: str, step: int) -> str:
    return url_for("pages.solution", puzzle_id=puzzle_id, step=step, _anchor=ANCHOR)


def _show_page(
    puzzle_id: str, tried: Sequence[str], fault: str | None = None, status: int = 200
) -> Response:
    house, caller = get_site().house, player_of(find_visitor())
    game = house.puzzles.show(caller, puzzle_id).view.game
    moves = [game.notation.read(one) for one in tried]
    walk = house.puzzles.walk(caller, puzzle_id, moves)
    _speak_of(walk)
    scene = build_scene(walk.view)
    entry = _enter_move(walk, scene) if scene is not None and walk.legal else None
    return _answer(
        walk,
        status=status,
        fault=fault,
        boards=None if scene is None else _draw_walk(walk, scene, entry),
        entry=entry,
        start=make_puzzle_url(puzzle_id),
        steps=[],
        step=None,
    )


def _answer(walk: PuzzleWalk, **values: Any) -> Response:  # noqa: ANN401 - of a template
    """Return the page of a puzzle."""
    house, caller, puzzle = get_site().house, player_of(find_visitor()), walk.shown
    done = read_puzzles_done()
    known = _find_mark(walk)
    return answer_page(
        "puzzles/puzzle.html",
        own=bool(done),
        walk=walk,
        puzzle=puzzle,
        game=puzzle.view.game,
        mark=known,
        told=[one.told for one in walk.played[-2:]],
        next_one=house.puzzles.find_next(caller, puzzle.id, done),
        solution=_make_solution_url(puzzle.id, 0) if known in (SOLVED, SHOWN) else None,
        source=_find_source_url(walk) if known in (SOLVED, SHOWN) else None,
        **values,
    )


def _find_source_url(walk: PuzzleWalk) -> str | None:
    """Return the address of the position in the match that a puzzle comes from, if it does."""
    match, version = walk.shown.match, walk.shown.version
    if match is None:
        return None
    return url_for("pages.match", match_id=match, at=version, _anchor="board")


def _find_mark(walk: PuzzleWalk) -> str | None:
    """Return what the reader has done with a puzzle, with an account or in this browser."""
    return walk.shown.mark or read_puzzles_done().get(walk.shown.id)


def _speak_of(walk: PuzzleWalk) -> None:
    """Let sentences say "you" to the one whose seat it is, and the other by its letter."""
    persons = {**PERSONS, **walk.view.game.persons}
    speak_of(People(LETTERS, walk.shown.seat, persons, _("you")))


def _draw_walk(walk: PuzzleWalk, scene: Scene, entry: Entry | None) -> Boards:
    shown = turn_to_seat(look_ahead(entry) or scene, walk.view.game, walk.shown.seat)
    return draw_boards(shown, entry.ways if entry else NOWHERE)


def _enter_move(walk: PuzzleWalk, scene: Scene) -> Entry:
    """Follow the steps in the address through the moves that may be tried next."""
    address = partial(make_puzzle_url, walk.shown.id, walk.own)
    return enter(walk.view, walk.legal, scene, read_tried_move(), address)
