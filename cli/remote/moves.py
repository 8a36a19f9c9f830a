"""Making a move elsewhere: typed whole, or put together step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.remote.connection import make_connection
from cli.terminal.exits import REFUSED, USAGE, Failure, print_json, tell_found, tell_line
from cli.terminal.options import (
    format_examples,
    json_option,
    match_argument,
    must_be_sure,
    yes_option,
)

if TYPE_CHECKING:
    from cli.remote.connection import Connection
    from domain.json_types import JsonObject

SUGGESTED = 12
"""How many legal moves are named to who typed another."""


@click.command(
    epilog=format_examples(
        "plybook remote move 7m2kq9x4tbw0ed5r",
        "plybook remote move 7m2kq9x4tbw0ed5r 3=3",
        "plybook remote move 7m2kq9x4tbw0ed5r 3=3 --yes",
        "plybook remote move 7m2kq9x4tbw0ed5r --list",
    )
)
@match_argument
@click.argument("text", metavar="[MOVE]", required=False)
@click.option("--list", "only_list", is_flag=True, help="Print the legal moves, and make none.")
@yes_option
@json_option
def move(*, match_id: str, text: str | None, only_list: bool, yes: bool, as_json: bool) -> None:
    """Make MOVE in MATCH.

    In the game's notation, or as JSON. Without it, on a terminal, it is put together
    step by step as in `plybook play`. On a terminal it is shown and asked about before it is
    made. It is made once, even if the answer is lost on its way.
    """
    from cli.terminal.output import is_interactive

    there = make_connection()
    legal = there.get(f"/matches/{match_id}/legal-moves")
    if only_list:
        nothing = "You are not to act."
        tell_found(legal["moves"], lambda one: one["text"], nothing, as_json=as_json)
        return
    if text is None:
        chosen = _enter_move(there, match_id, legal)
    else:
        chosen = _read_move(legal, text)
        if is_interactive() and not yes:
            must_be_sure(_make_question(there.get(f"/matches/{match_id}"), legal, chosen), yes=yes)
    if chosen is None:
        tell_line("No move was made.", err=True)
        return
    body = {"move": chosen, "expected_version": legal["version"]}
    _tell(there, there.post(f"/matches/{match_id}/moves", body), as_json=as_json)


def _make_question(match: JsonObject, legal: JsonObject, chosen: JsonObject) -> str:
    """Say what would be done; what is no legal move stands as it was typed."""
    others = [seat["player"] for seat in match["seats"] if seat["seat"] != match["you"]]
    texts = [one["text"] for one in legal["moves"] if one["move"] == chosen]
    return f"Play {texts[0] if texts else chosen} against {others[0]}, as move {match['ply'] + 1}?"


def _read_move(legal: JsonObject, text: str) -> JsonObject:
    """Return the move that was typed. Raises ``Failure`` for none that is legal."""
    import orjson

    if text.lstrip().startswith("{"):
        try:
            written: JsonObject = orjson.loads(text)
        except ValueError as error:
            raise Failure(f"The move is not JSON: {error}.", USAGE) from None
        return written
    moves = _get_moves(legal)
    meant = [one for one in moves if _simplify(one["text"]) == _simplify(text)]
    if not meant:
        some = ", ".join(str(one["text"]) for one in moves[:SUGGESTED])
        more = f" and {len(moves) - SUGGESTED} more" if len(moves) > SUGGESTED else ""
        raise Failure(f"{text!r} is no legal move. Legal are {some}{more} (--list).", REFUSED)
    chosen: JsonObject = meant[0]["move"]
    return chosen


def _enter_move(there: Connection, match_id: str, legal: JsonObject) -> JsonObject | None:
    """Let a move be put together on a terminal; None: it was cancelled."""
    from cli.play.entry import MoveEntry
    from cli.remote.match_json import read_match
    from cli.terminal.output import Output, is_interactive
    from domain.game.move_tree import grow_tree
    from domain.match.views import build_scene
    from services.drawing.text.frames import Names, draw_moment

    if not is_interactive():
        raise Failure("Name a move: there is no terminal to ask on.", USAGE)
    match = there.get(f"/matches/{match_id}", scene=True, version=legal["version"])
    view, out = read_match(match, there.get(f"/games/{match['game']}")["name"]).view, Output()
    scene, names = build_scene(view), Names({})
    moves = _get_moves(legal)
    if scene is None:
        return None
    out.say(*draw_moment(view, names, out.width, acting=True))
    scene = names.name_scene(view, scene)
    chosen = MoveEntry(grow_tree(moves, scene), scene, out, out.ask).run()
    return None if chosen is None else chosen.move


def _get_moves(legal: JsonObject) -> list[JsonObject]:
    moves: list[JsonObject] = legal["moves"]
    if not moves:
        seated = legal["seat"] is not None
        raise Failure("It is not your turn." if seated else "You have no seat in this match.")
    return moves


def _tell(there: Connection, done: JsonObject, *, as_json: bool) -> None:
    from cli.remote.match_json import read_replay
    from cli.replay.replay import print_frame
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names

    if as_json:
        print_json([done])
        return
    match, events = done["match"], done["events"]
    asked = {"from": events[0]["version"], "to": events[-1]["version"]}
    found = read_replay(there.get(f"/matches/{match['id']}/replay", scene=True, **asked))
    out = Output()
    for frame in found.frames[:-1]:
        out.tell(Names({}).tell(frame.view, frame.text))
    if found.frames:
        print_frame(found.frames[-1], Names({}), out)


def _simplify(text: str) -> str:
    return "".join(text.casefold().split())
