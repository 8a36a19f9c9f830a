"""Puzzles: positions with one right move, without what it is."""

from __future__ import annotations

from functools import partial

from flask import Response
from marshmallow import Schema, validate

from domain.json_types import JsonObject
from domain.match.views import show_move
from domain.search.puzzles import EASIEST, HARDEST, SAVE, WIN
from services.puzzles.puzzles import LONGEST, MARKS, PuzzleFilter, ShownPuzzle
from web.api import fields
from web.api.operations import OPEN, Call, asks, gives, reads, refuses, route, takes
from web.api.paging import PageQuerySchema, answer_json_page, make_page_schema
from web.api.resources.matches import SCENE, LegalMoveSchema, PictureSchema, picture_json
from web.http.answers import NO_STORE, answer_json, make_stored_json
from web.http.inputs import BodySchema, QuerySchema


class PuzzlesQuerySchema(PageQuerySchema):
    """Which puzzles."""

    game = fields.Text("Of this game (a slug).")
    difficulty = fields.WholeParameter("As hard as this.", EASIEST, HARDEST)


class PuzzleQuerySchema(QuerySchema):
    """How to look at a puzzle."""

    scene = SCENE


class PuzzleSchema(Schema):
    """A position in which exactly one move wins, or, where none does, exactly one saves a draw."""

    id = fields.text("16 characters.", example="7m2kq9x4tbw0ed5r")
    game = fields.text("The game's slug.")
    rules_version = fields.whole("The version of the rules that it goes by.")
    options = fields.an_object("Every option, defaults filled in.")
    seat = fields.seat("The seat that is to act, and whose moves are to be found.")
    aim = fields.words("What the only move does: it wins, or it saves a draw.", WIN, SAVE)
    difficulty = fields.whole(f"From {EASIEST}, easy, to {HARDEST}.")
    moves = fields.whole("How many moves are to be found, one after the other.")
    mark = fields.text(
        "What you did with it: solved, shown (you have seen the solution) or tried; null: "
        "nothing, or nobody knows you.",
        null=True,
        like=f"^({'|'.join(MARKS)})$",
    )
    match = fields.text(
        "The match that it comes from, once you have solved it or seen its solution, which may "
        "have been played there; null before, and where there is none.",
        null=True,
    )
    version = fields.whole("The version of that match.", null=True)


class PuzzleInFullSchema(PuzzleSchema):
    """A puzzle with its position."""

    state = fields.an_object("The state as the game's rule book gives it.")
    legal_moves = fields.many(LegalMoveSchema, "All of them; one is right.")
    scene = fields.part(PictureSchema, "Where it was asked for.", null=True, always=False)


class AttemptSchema(BodySchema):
    """Moves to try."""

    moves = fields.Many(
        fields.Forwarded("A move.", required=True),
        "Your own moves from the puzzle's position on, 1 to "
        f"{LONGEST}; the replies between them are those that you got.",
        required=True,
        example=[{"steps": 2}],
        validate=validate.Length(1, LONGEST, error=f"An attempt has 1 to {LONGEST} moves."),
    )


class ReplySchema(Schema):
    """A move of the other seat."""

    move = fields.an_object("As it is sent elsewhere.")
    text = fields.text("The move in the game's notation.")


class AttemptResultSchema(Schema):
    """What came of it. Not solved, and no reply: the last move was not the right one."""

    solved = fields.flag("Whether these are all the moves that were to be found.")
    reply = fields.part(
        ReplySchema, "What is answered on the last move; then find the next one.", null=True
    )


TAG = "Puzzles"


@route("GET", "/puzzles", TAG, OPEN)
@asks(PuzzlesQuerySchema())
@gives(200, make_page_schema(PuzzleSchema, "puzzles"), "A page of puzzles, the easiest first.")
def list_puzzles(call: Call) -> Response:
    """List puzzles.

    From finished public matches, and of the demo.
    """
    filters = PuzzleFilter(call.query["game"], call.query["difficulty"])
    page = call.house.puzzles.list_page(call.look.caller, filters, **call.paging)
    return answer_json_page("puzzles", page, _puzzle_json)


@route("GET", "/puzzles/<puzzle_id>", TAG, OPEN)
@asks(PuzzleQuerySchema())
@gives(200, PuzzleInFullSchema(), "The puzzle, without its solution.")
def show_puzzle(call: Call, puzzle_id: str) -> Response:
    """Show a puzzle."""
    shown = call.house.puzzles.show(call.look.caller, puzzle_id)
    scene = picture_json(call, shown.view)
    return answer_json({**_puzzle_json(shown), **_show_position(shown), **scene})


@route("POST", "/puzzles/<puzzle_id>/attempts", TAG, OPEN)
@takes(AttemptSchema())
@reads("Idempotency-Key")
@gives(200, AttemptResultSchema(), "What came of it.", cache=NO_STORE)
@refuses("malformed-move", "illegal-move")
def attempt_puzzle(call: Call, puzzle_id: str) -> Response:
    """Try to solve a puzzle.

    With a token it is remembered whether you were wrong, and that you solved it. Without one it
    is only told.
    """
    return call.do_once(
        lambda done: make_stored_json(done._asdict(), 200),
        partial(call.house.puzzles.attempt, call.look.caller, puzzle_id, call.body["moves"]),
    )


def _puzzle_json(puzzle: ShownPuzzle) -> JsonObject:
    game, seen = puzzle.view.game, puzzle.is_open
    return {
        "id": puzzle.id,
        "game": game.slug,
        "rules_version": game.rules_version,
        "options": puzzle.view.options,
        "seat": puzzle.seat,
        "aim": puzzle.aim,
        "difficulty": puzzle.difficulty,
        "moves": puzzle.asked,
        "mark": puzzle.mark,
        "match": puzzle.match if seen else None,
        "version": puzzle.version if seen else None,
    }


def _show_position(puzzle: ShownPuzzle) -> JsonObject:
    view, position = puzzle.view, puzzle.view.sight
    if position is None:
        return {}
    moves = [show_move(view.game, position, move) for move in puzzle.legal_moves]
    return {"state": view.game.show(position), "legal_moves": moves}
