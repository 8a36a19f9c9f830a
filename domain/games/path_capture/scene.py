"""What to draw of Path Capture: stepping stones, two pieces, the reach of the mover."""

from __future__ import annotations

from domain.game.game import Act, Last
from domain.game.scene import LETTERS, Mark, Meter, Note, Scene, Shape, Space, Token, Zone
from domain.games.path_capture.rules import (
    Position,
    Walk,
    count_ahead,
    get_next_step,
    have_passed,
    iter_legal_moves,
)
from domain.i18n import say, say_many

GONE = say("way gone")
PASSED = say("The pieces have passed each other: nobody can capture any more.")


def build_scene(position: Position, last: Last | None) -> Scene:
    """Describe the path."""
    spaces = tuple(_build_space(position, node, last) for node in range(position.length))
    whole = position.length - 1
    return Scene(
        zones=(Zone("path", say("Path"), Shape.LINE, spaces),),
        meters=tuple(
            Meter(seat, GONE, whole - count_ahead(position, seat), whole) for seat in (1, 2)
        ),
        notes=() if (told := tell_settled(position)) is None else (Note(told),),
        measure=GONE,
    )


def tell_settled(position: Position) -> str | None:
    """Say that nobody can win any more, once that is so."""
    return PASSED if have_passed(position) else None


def build_path(position: Position, move: Walk) -> tuple[str, ...]:
    """Return the node that the move leads to."""
    return (f"node:{_compute_node(position, position.seat, move.steps)}",)


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell a move in a sentence."""
    node = after.nodes[last.seat - 1]
    other = 3 - last.seat
    told: dict[str, object] = {"seat": last.seat, "node": node, "other": other}
    if node == before.nodes[other - 1]:
        return say_many(
            "P{seat} goes {number} node forward to node {node} and captures P{other}.",
            "P{seat} goes {number} nodes forward to node {node} and captures P{other}.",
            last.move["steps"],
            **told,
        )
    if have_passed(after) and not have_passed(before):
        return say_many(
            "P{seat} goes {number} node forward to node {node}, past P{other}.",
            "P{seat} goes {number} nodes forward to node {node}, past P{other}.",
            last.move["steps"],
            **told,
        )
    return say_many(
        "P{seat} goes {number} node forward to node {node}.",
        "P{seat} goes {number} nodes forward to node {node}.",
        last.move["steps"],
        **told,
    )


def _compute_node(position: Position, seat: int, steps: int) -> int:
    node = position.nodes[seat - 1]
    return node + steps if seat == 1 else node - steps


def _build_space(position: Position, node: int, last: Last | None) -> Space:
    marks = set()
    if last is not None:
        here = position.nodes[last.seat - 1]
        if node == here:
            marks.add(Mark.LAST)
        if node == _compute_node(position, last.seat, -last.move["steps"]):
            marks.add(Mark.LEFT)
        if position.nodes[0] == position.nodes[1] == node:
            marks.add(Mark.CAPTURED)
    if node in _list_reach(position):
        marks.add(Mark.REACH)
    return Space(
        f"node:{node}",
        node,
        0,
        say("node {node}", node=node),
        _build_tokens(position, node),
        frozenset(marks),
    )


def _list_reach(position: Position) -> set[int]:
    if not isinstance(get_next_step(position), Act):
        return set()
    moves = iter_legal_moves(position)
    return {_compute_node(position, position.seat, move.steps) for move in moves}


def _build_tokens(position: Position, node: int) -> tuple[Token, ...]:
    first, second = position.nodes
    seats = [seat for seat, at in ((1, first), (2, second)) if at == node]
    if first == second and seats:
        seats = [3 - position.seat]
    return tuple(
        Token(f"piece:{seat}", "piece", LETTERS[seat], say("P{seat}'s piece", seat=seat), seat)
        for seat in seats
    )
