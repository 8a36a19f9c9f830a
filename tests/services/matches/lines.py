"""Lines of moves, stored for a seat and looked at."""

from __future__ import annotations

from typing import Any

from domain.json_types import Json, JsonObject
from services.matches.conditional_moves.plans import (
    ConditionalMovesChange,
    ShownConditionalMoves,
    shown_json,
)
from services.matches.queries import Asker
from tests.services.people import Table

ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))
DRAW = {"action": "draw"}


def line(when: Json, *then: Json, following: list[JsonObject] | None = None) -> JsonObject:
    return {"if": when, "then": list(then), "next": following or []}


def keep(
    at: Table,
    seat: int,
    *lines: JsonObject,
    expected: int | None = None,
    after: list[JsonObject] | None = None,
) -> ShownConditionalMoves:
    """Store a seat's lines, on the present versions."""
    caller = at.player(seat)
    if expected is None:
        expected = kept(at, seat).kept.version
    change = ConditionalMovesChange(caller, expected, at.version)
    return at.house.conditional_moves.replace(change, at.match, list(lines), after)


def kept(at: Table, seat: int) -> ShownConditionalMoves:
    return at.house.conditional_moves.show(at.player(seat), at.match)


def labels(at: Table, seat: int) -> list[JsonObject]:
    return list(shown_json(kept(at, seat))["lines"])


def told(at: Table, seat: int) -> list[Any]:
    """Return what happened to a seat's lines, oldest first: kind and reason."""
    page = at.house.conditional_moves.list_happenings(at.player(seat), at.match, None, 100)
    return [(one.kind, one.detail["reason"]) for one in page.listed][::-1]


def moves(at: Table) -> list[tuple[int, int, str]]:
    """Return seat, steps and cause of every move made."""
    page = at.house.queries.show_events(Asker(local=True), at.match)
    made = [event["data"] for event in page.events if event["kind"] == "move-made"]
    return [(data["seat"], data["move"]["steps"], data["cause"]) for data in made]


def past_setup(at: Table) -> int:
    """Place cards until the first turn begins; return the seat that it belongs to."""
    house = at.house
    for _ in range(6):
        seat = at.shown().view.to_act
        legal = house.queries.list_legal_moves(Asker(at.player(seat or 1)), at.match, limit=1)
        at.play(legal.moves[0]["move"])
    return at.shown().view.to_act or 0
