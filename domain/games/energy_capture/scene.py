"""What to draw of Energy Capture: the grid, both trails, what is closed and in reach."""

from __future__ import annotations

from domain.game import Act, Last, Over
from domain.games.energy_capture import rules
from domain.games.energy_capture.rules import Go, Position
from domain.games.energy_capture.setup import GOAL, SIZE, Cell, Place, parsed_cells
from domain.json_types import Json
from domain.scene import Mark, Meter, Note, Scene, Shape, Space, Token, Trail, Zone

RUNGS = ("the score", "the number of Energy Cells captured", "the richest Energy Cell captured")
"""What ``rules.standing`` compares, in its order."""

AXIS = tuple(str(number) for number in range(1, SIZE + 1))


def scene(position: Position, last: Last | None) -> Scene:
    """Describe the grid, the trails and the scores."""
    marks = _marks(position, last)
    places = ((row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))
    spaces = tuple(_space(position, place, marks) for place in places)
    return Scene(
        zones=(Zone("grid", "Grid", Shape.GRID, spaces),),
        trails=tuple(
            Trail(seat, tuple(_cell_id(place) for place in marker.visited))
            for seat, marker in enumerate(position.markers, 1)
        ),
        meters=tuple(meter for seat in (1, 2) for meter in _meters(position, seat)),
        notes=_notes(position),
        columns=AXIS,
        rows=AXIS,
        measure="energy",
    )


def path(_: Position, move: Go) -> tuple[str, ...]:
    """Return the cell that the step leads to."""
    return (_cell_id((move.row, move.column)),)


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell a step and what it captured in a sentence."""
    was, now = before.markers[last.seat - 1], after.markers[last.seat - 1]
    told = f"P{last.seat} steps to {_named(now.place)}"
    found = now.captured[len(was.captured) :]
    if found:
        return f"{told} and captures E{found[0].value}: score {now.score}."
    return f"{told}."


def tell_draw(_: Position, __: str, ___: int | None, outcome: Json) -> str:
    """Tell where the Energy Cells were laid out."""
    cells = parsed_cells(outcome)
    laid = ", ".join(f"E{cell.value} on {_named(cell.place)}" for cell in cells)
    return f"{len(cells)} Energy Cells, worth {_worth(cells)} in all, are laid out: {laid}."


def _named(place: Place) -> str:
    row, column = place
    return f"({row},{column})"


def _worth(cells: tuple[Cell, ...]) -> int:
    return sum(cell.value for cell in cells)


def _cell_id(place: Place) -> str:
    row, column = place
    return f"cell:{row},{column}"


def _marks(position: Position, last: Last | None) -> dict[Place, set[Mark]]:
    """Collect the marks of each place that has some."""
    marks: dict[Place, set[Mark]] = {}
    if last is not None:
        marker = position.markers[last.seat - 1]
        came_from, place = marker.visited[-2:]
        marks[came_from] = {Mark.LEFT}
        marks[place] = {Mark.LAST}
        if any(cell.place == place for cell in marker.captured):
            marks[place].add(Mark.CAPTURED)
    step = rules.next_step(position)
    if isinstance(step, Act):
        for place in rules.steps(position, step.seat):
            marks.setdefault(place, set()).add(Mark.REACH)
    return marks


def _space(position: Position, place: Place, marks: dict[Place, set[Mark]]) -> Space:
    row, column = place
    here = set(marks.get(place, ()))
    closed_to = _closed_to(position, place)
    if len(closed_to) == len(position.markers):
        here.add(Mark.CLOSED)
    return Space(
        _cell_id(place),
        column - 1,
        row - 1,
        f"cell {_named(place)}",
        _tokens(position, place),
        frozenset(here),
        closed_to,
    )


def _closed_to(position: Position, place: Place) -> tuple[int, ...]:
    """Return the seats that can never (again) enter a place where no marker stands."""
    if any(marker.place == place for marker in position.markers):
        return ()
    return tuple(seat for seat in (1, 2) if rules.closed_for_good(position, seat, place))


def _tokens(position: Position, place: Place) -> tuple[Token, ...]:
    markers = tuple(
        Token(f"marker:{seat}", "marker", f"P{seat}", f"P{seat}'s marker", seat)
        for seat, marker in enumerate(position.markers, 1)
        if marker.place == place
    )
    energy = tuple(
        Token(
            f"energy:{cell.row},{cell.column}",
            "energy",
            f"E{cell.value}",
            f"an Energy Cell worth {cell.value}",
            value=cell.value,
        )
        for cell in position.cells or ()
        if cell.place == place
    )
    return energy + markers


def _meters(position: Position, seat: int) -> tuple[Meter, ...]:
    marker = position.markers[seat - 1]
    return (
        Meter(seat, "energy", marker.score, GOAL),
        Meter(seat, "Energy Cells captured", len(marker.captured)),
    )


def _notes(position: Position) -> tuple[Note, ...]:
    step = rules.next_step(position)
    decided = isinstance(step, Over) and step.reason != "energy"
    return (*_left(position), *((_decisive(position),) if decided else ()))


def _left(position: Position) -> tuple[Note, ...]:
    if not position.cells:
        return ()
    count = len(position.cells)
    cells = "Energy Cell is" if count == 1 else "Energy Cells are"
    return (Note(f"{count} {cells} left, worth {_worth(position.cells)} in all."),)


def _decisive(position: Position) -> Note:
    """Tell which rung of the ladder decided a match that nobody won by energy."""
    first, second = (rules.standing(marker) for marker in position.markers)
    for rung, one, other in zip(RUNGS, first, second, strict=True):
        if one != other:
            return Note(f"Nobody reached {GOAL}; {rung} decides: P1 {one}, P2 {other}.")
    return Note(f"Nobody reached {GOAL}, and the markers are level in everything: a draw.")
