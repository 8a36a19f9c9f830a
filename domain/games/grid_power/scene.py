"""What to draw of Grid Power: the grid, the bonds of friends, both hands of units."""

from __future__ import annotations

from domain.game.game import Act, Last
from domain.game.scene import Link, Mark, Meter, Note, Scene, Shape, Space, Token, Zone
from domain.games.grid_power import rules
from domain.games.grid_power.rules import SIZE, Placement, Position, Unit
from domain.i18n import join_with_and, say

POWER = say("power")

AXIS = tuple(str(number) for number in range(1, SIZE + 1))


def build_scene(position: Position, last: Last | None) -> Scene:
    """Describe the grid, the hands and the totals."""
    spaces = tuple(_build_space(position, at, last) for at in range(SIZE**2))
    return Scene(
        zones=(
            Zone("grid", say("Grid"), Shape.GRID, spaces),
            *(_build_hand(position, seat) for seat in (1, 2)),
        ),
        links=_build_links(position),
        meters=tuple(Meter(seat, POWER, position.totals[seat - 1]) for seat in (1, 2)),
        notes=_build_notes(position),
        columns=AXIS,
        rows=AXIS,
        measure=POWER,
    )


def build_path(_: Position, move: Placement) -> tuple[str, ...]:
    """Return the unit, then the cell it goes to."""
    return (f"unit:{move.unit}", f"cell:{move.row},{move.column}")


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell a placement and the power it brought in a sentence."""
    unit, row, column = (last.move[name] for name in ("unit", "row", "column"))
    friends = rules.list_friends(before.grid, rules.to_index(row, column), last.seat)
    total = after.totals[last.seat - 1]
    told: dict[str, object] = {"seat": last.seat, "unit": unit, "row": row, "column": column}
    told |= {"gain": total - before.totals[last.seat - 1], "total": total}
    if not friends:
        return say("P{seat} places {unit} on ({row},{column}): power +{gain}, now {total}.", **told)
    return say(
        "P{seat} places {unit} on ({row},{column}), beside its own {friends}: power +{gain}, "
        "now {total}.",
        friends=join_with_and(str(friend) for friend in friends),
        **told,
    )


def _build_space(position: Position, at: int, last: Last | None) -> Space:
    row, column = divmod(at, SIZE)
    here = last is not None and (last.move["row"], last.move["column"]) == (row + 1, column + 1)
    unit = position.grid[at]
    return Space(
        _make_cell_id(at),
        column,
        row,
        say("cell ({row},{column})", row=row + 1, column=column + 1),
        (_build_token(position, at, unit),) if unit else (),
        frozenset({Mark.LAST} if here else ()),
    )


def _make_cell_id(at: int) -> str:
    row, column = divmod(at, SIZE)
    return f"cell:{row + 1},{column + 1}"


def _build_token(position: Position, at: int, unit: Unit) -> Token:
    power = unit.value + sum(rules.list_friends(position.grid, at, unit.owner))
    label = say(
        "P{seat}'s unit {unit}, power {power}", seat=unit.owner, unit=unit.value, power=power
    )
    return _build_piece(unit, label, power)


def _build_piece(unit: Unit, label: str, value: int) -> Token:
    id_ = f"piece:{unit.owner}:{unit.value}"
    return Token(id_, "unit", f"{unit.value}", label, unit.owner, value)


def _build_hand(position: Position, seat: int) -> Zone:
    """Describe the unused units of ``seat``; those of the seat to act are path steps."""
    acts = rules.get_next_step(position) == Act(seat)
    prefix = "unit" if acts else f"unit:{seat}"
    spaces = tuple(
        Space(
            f"{prefix}:{value}",
            x,
            0,
            say("unit {unit}", unit=value),
            (
                _build_piece(
                    Unit(seat, value), say("P{seat}'s unit {unit}", seat=seat, unit=value), value
                ),
            ),
            owner=seat,
        )
        for x, value in enumerate(position.units[seat - 1])
    )
    return Zone(f"units:{seat}", say("P{seat}'s unused units", seat=seat), Shape.HAND, spaces, seat)


def _build_links(position: Position) -> tuple[Link, ...]:
    grid = position.grid
    return tuple(
        Link(_make_cell_id(at), _make_cell_id(other), unit.owner)
        for at, unit in enumerate(grid)
        for other in rules.NEIGHBOURS[at]
        if other > at and unit and (friend := grid[other]) and friend.owner == unit.owner
    )


def _build_notes(position: Position) -> tuple[Note, ...]:
    if not position.komi:
        return ()
    total = rules.compute_final_totals(position)[1]
    told = say(
        "Komi adds {komi} at the end, which makes {total} so far.", komi=position.komi, total=total
    )
    return (Note(told, 2),)
