"""Marathon: an open game as long as one likes, for what grows with the number of moves.

The seats alternate; a move is 1 to 3 strides. After ``length`` moves whoever ran further
wins (``distance``); as far as the other is a draw. In the first version of its rules it is not: the
second seat wins, which had no say in who begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from domain.errors import MalformedMove
from domain.game.game import Act, Game, Last, Notation, Over, Step, Viewer, check_members
from domain.game.options import declare_integer
from domain.game.scene import Meter, Scene, Shape, Space, Zone
from domain.json_types import Json, JsonObject

LONGEST = 3


class Position(NamedTuple):
    """How many moves there are, how many were made, and how far each seat ran."""

    length: int
    made: int
    run: tuple[int, int]


class Stride(NamedTuple):
    """Run ``strides`` on."""

    strides: int


def set_up(options: JsonObject, _: tuple[JsonObject, JsonObject]) -> Position:
    return Position(options["length"], 0, (0, 0))


def seat_of(position: Position) -> int:
    return 1 + position.made % 2


def get_next_step(position: Position) -> Step:
    if position.made < position.length:
        return Act(seat_of(position))
    first, second = position.run
    return Over(None if first == second else 1 if first > second else 2, "distance")


def get_first_next_step(position: Position) -> Step:
    step = get_next_step(position)
    return Over(2, step.reason) if isinstance(step, Over) and step.winner is None else step


FORM = {"strides": int}


def parse_move(json: Json) -> Stride:
    return Stride(check_members(json, FORM)["strides"])


def dump_move(move: Stride) -> JsonObject:
    return {"strides": move.strides}


def check_move(_: Position, move: Stride) -> str | None:
    return None if 1 <= move.strides <= LONGEST else "A runner makes 1, 2 or 3 strides."


def iter_legal_moves(_: Position) -> Iterator[Stride]:
    return (Stride(strides) for strides in range(1, LONGEST + 1))


def play(position: Position, move: Stride) -> Position:
    length, made, (first, second) = position
    (strides,) = move
    run = (first, second + strides) if made % 2 else (first + strides, second)
    return Position(length, made + 1, run)


def view(position: Position, _: Viewer, __: bool) -> Position:  # noqa: FBT001 - Game calls it so
    return position


def show(position: Position) -> JsonObject:
    return {"made": position.made, "players": [{"run": run} for run in position.run]}


def build_scene(position: Position, _: Last | None) -> Scene:
    choices = tuple(
        Space(f"strides:{strides}", strides - 1, 0, f"{strides} strides")
        for strides in range(1, LONGEST + 1)
    )
    meters = tuple(Meter(seat, "run", run) for seat, run in enumerate(position.run, 1))
    return Scene((Zone("choices", "Strides", Shape.CHOICES, choices),), meters=meters)


def build_path(_: Position, move: Stride) -> tuple[str, ...]:
    return (f"strides:{move.strides}",)


def write(move: JsonObject) -> str:
    return str(move["strides"])


def read(text: str) -> JsonObject:
    if text not in {"1", "2", "3"}:
        raise MalformedMove("Type 1, 2 or 3.")
    return {"strides": int(text)}


def tell(_: Position, after: Position, last: Last) -> str:
    return f"P{last.seat} runs {last.move['strides']} on to {after.run[last.seat - 1]}."


def dump(position: Position) -> Json:
    return [position.length, position.made, *position.run]


def load(json: Json) -> Position:
    length, made, first, second = json
    return Position(length, made, (first, second))


MARATHON = Game(
    slug="marathon",
    name="Marathon",
    rules_version=2,
    summary="Run; whoever ran further after the last move wins.",
    endings={"distance": "the last move has been made"},
    options=(declare_integer("length", 40, 2, 10_000, "Number of moves, both seats counted."),),
    set_up=set_up,
    get_next_step=get_next_step,
    parse_move=parse_move,
    recall=lambda move: Stride(**move),
    dump_move=dump_move,
    check_move=check_move,
    iter_legal_moves=iter_legal_moves,
    play=play,
    forfeit=lambda position: position,
    view=view,
    show=show,
    build_scene=build_scene,
    build_path=build_path,
    notation=Notation(write, read, "Type 1, 2 or 3."),
    tell=tell,
    dump=dump,
    load=load,
)

FIRST_MARATHON = replace(MARATHON, rules_version=1, get_next_step=get_first_next_step)
"""As it was before a draw was one; matches that began so end so."""
