"""What to draw of Energy Capture: the grid, both trails, what is closed and in reach."""

from __future__ import annotations

from domain.game.game import Act, Last, Over
from domain.game.scene import LETTERS, Mark, Meter, Note, Scene, Shape, Space, Token, Trail, Zone
from domain.games.energy_capture import rules
from domain.games.energy_capture.rules import Go, Position
from domain.games.energy_capture.setup import GOAL, SIZE, Cell, Coordinates, parse_cells
from domain.i18n import N_, join_texts, say, say_many
from domain.json_types import Json

RUNGS = (
    N_("Nobody reached {goal}; the score decides: P1 {one}, P2 {other}."),
    N_("Nobody reached {goal}; the number of Energy Cells captured decides: P1 {one}, P2 {other}."),
    N_("Nobody reached {goal}; the richest Energy Cell captured decides: P1 {one}, P2 {other}."),
)
"""What ``rules.compute_standing`` compares, in its order."""

ENERGY = say("energy")

AXIS = tuple(str(number) for number in range(1, SIZE + 1))


def build_scene(position: Position, last: Last | None) -> Scene:
    """Describe the grid, the trails and the scores."""
    marks = _collect_marks(position, last)
    places = ((row, column) for row in range(1, SIZE + 1) for column in range(1, SIZE + 1))
    spaces = tuple(_build_space(position, place, marks) for place in places)
    return Scene(
        zones=(Zone("grid", say("Grid"), Shape.GRID, spaces),),
        trails=tuple(
            Trail(seat, tuple(_make_cell_id(place) for place in marker.visited))
            for seat, marker in enumerate(position.markers, 1)
        ),
        meters=tuple(meter for seat in (1, 2) for meter in _build_meters(position, seat)),
        notes=_build_notes(position),
        columns=AXIS,
        rows=AXIS,
        measure=ENERGY,
    )


def build_path(_: Position, move: Go) -> tuple[str, ...]:
    """Return the cell that the step leads to."""
    return (_make_cell_id((move.row, move.column)),)


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell a step and what it captured in a sentence."""
    was, now = before.markers[last.seat - 1], after.markers[last.seat - 1]
    row, column = now.place
    found = now.captured[len(was.captured) :]
    if not found:
        return say("P{seat} steps to ({row},{column}).", seat=last.seat, row=row, column=column)
    return say(
        "P{seat} steps to ({row},{column}) and captures E{value}: score {score}.",
        seat=last.seat,
        row=row,
        column=column,
        value=found[0].value,
        score=now.score,
    )


def tell_draw(_: Position, __: str, ___: int | None, outcome: Json) -> str:
    """Tell where the Energy Cells were laid out."""
    cells = parse_cells(outcome)
    laid = (
        say("E{value} on ({row},{column})", value=cell.value, row=cell.row, column=cell.column)
        for cell in cells
    )
    return say(
        "{number} Energy Cells, worth {worth} in all, are laid out: {cells}.",
        number=len(cells),
        worth=_sum_values(cells),
        cells=join_texts(laid, ", "),
    )


def _sum_values(cells: tuple[Cell, ...]) -> int:
    return sum(cell.value for cell in cells)


def _make_cell_id(place: Coordinates) -> str:
    row, column = place
    return f"cell:{row},{column}"


def _collect_marks(position: Position, last: Last | None) -> dict[Coordinates, set[Mark]]:
    marks: dict[Coordinates, set[Mark]] = {}
    if last is not None:
        marker = position.markers[last.seat - 1]
        came_from, place = marker.visited[-2:]
        marks[came_from] = {Mark.LEFT}
        marks[place] = {Mark.LAST}
        if any(cell.place == place for cell in marker.captured):
            marks[place].add(Mark.CAPTURED)
    step = rules.get_next_step(position)
    if isinstance(step, Act):
        for place in rules.iter_steps(position, step.seat):
            marks.setdefault(place, set()).add(Mark.REACH)
    return marks


def _build_space(
    position: Position, place: Coordinates, marks: dict[Coordinates, set[Mark]]
) -> Space:
    row, column = place
    here = set(marks.get(place, ()))
    taken = any(marker.place == place for marker in position.markers)
    closed_to = tuple(
        seat for seat in (1, 2) if not taken and rules.is_closed_for_good(position, seat, place)
    )
    if len(closed_to) == len(position.markers):
        here.add(Mark.CLOSED)
    return Space(
        _make_cell_id(place),
        column - 1,
        row - 1,
        say("cell ({row},{column})", row=row, column=column),
        _build_tokens(position, place),
        frozenset(here),
        closed_to,
    )


def _build_tokens(position: Position, place: Coordinates) -> tuple[Token, ...]:
    markers = tuple(
        Token(f"marker:{seat}", "marker", LETTERS[seat], say("P{seat}'s marker", seat=seat), seat)
        for seat, marker in enumerate(position.markers, 1)
        if marker.place == place
    )
    energy = tuple(
        Token(
            f"energy:{cell.row},{cell.column}",
            "energy",
            f"E{cell.value}",
            say("an Energy Cell worth {value}", value=cell.value),
            value=cell.value,
        )
        for cell in position.cells or ()
        if cell.place == place
    )
    return energy + markers


def _build_meters(position: Position, seat: int) -> tuple[Meter, ...]:
    marker = position.markers[seat - 1]
    return (
        Meter(seat, ENERGY, marker.score, GOAL),
        Meter(seat, say("Energy Cells captured"), len(marker.captured)),
    )


def _build_notes(position: Position) -> tuple[Note, ...]:
    notes = []
    if position.cells:
        told = say_many(
            "{number} Energy Cell is left, worth {worth} in all.",
            "{number} Energy Cells are left, worth {worth} in all.",
            len(position.cells),
            worth=_sum_values(position.cells),
        )
        notes.append(Note(told))
    step = rules.get_next_step(position)
    if isinstance(step, Over) and step.reason != "energy":
        notes.append(_tell_decisive(position))
    return tuple(notes)


def _tell_decisive(position: Position) -> Note:
    """Tell which rung of the ladder decided a match that nobody won by energy."""
    first, second = (rules.compute_standing(marker) for marker in position.markers)
    for rung, one, other in zip(RUNGS, first, second, strict=True):
        if one != other:
            return Note(say(rung, goal=GOAL, one=one, other=other))
    return Note(
        say("Nobody reached {goal}, and the markers are level in everything: a draw.", goal=GOAL)
    )
