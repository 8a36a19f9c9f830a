"""What to draw of Power Line: the line, its lit spans, what each seat has left."""

from __future__ import annotations

from domain.game import Act, Last, Over
from domain.games.power_line import rules
from domain.games.power_line.line import Node, longest_run
from domain.games.power_line.rules import Move, Place, Position
from domain.scene import Link, Mark, Meter, Note, Scene, Shape, Space, Token, Zone

LETTERS = {1: "A", 2: "B"}
"""How the nodes of each seat are shown."""

RUNGS = ("the longest run", "the number of nodes", "the power on the line", "the energy left")
"""What ``rules.standing`` compares, in its order."""

UPGRADE = "action:upgrade"


def scene(position: Position, last: Last | None) -> Scene:
    """Describe the line, the choices of the seat to act, and what both have left."""
    spaces = tuple(_space(position, at, last) for at in range(len(position.line)))
    return Scene(
        zones=(Zone("line", "Power Line", Shape.LINE, spaces), *_choices(position)),
        links=_links(position),
        meters=tuple(meter for seat in (1, 2) for meter in _meters(position, seat)),
        notes=_notes(position),
        measure="longest run",
    )


def path(_: Position, move: Move) -> tuple[str, ...]:
    """Return the position, then the power to place there or the upgrade."""
    choice = f"power:{move.power}" if isinstance(move, Place) else UPGRADE
    return (f"node:{move.position}", choice)


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell an action and what it captured in a sentence."""
    at = last.move["position"]
    own = before.line[at]
    told = (
        f"P{last.seat} upgrades the node on {at} to power {own.power + 1}"
        if own
        else f"P{last.seat} places power {last.move['power']} on {at}"
    )
    taken = [f"{node.power} on {place}" for place, node in _swept(before, after, last)]
    if taken:
        told += f", captures P{3 - last.seat}'s {_listed(taken)}"
    if after.line[at] is None:
        place, captor = max(_beside(before, at, last.seat), key=lambda found: found[1].power)
        told += f", and loses it to P{captor.owner}'s {captor.power} on {place}"
    return f"{told} ({after.sides[last.seat - 1].energy} energy left)."


def warn(position: Position, move: Move) -> str | None:
    """Warn of an action that only loses the node."""
    after = rules.play(position, move)
    if after.taken != (move.position,):
        return None
    return f"Your node on {move.position} would be captured at once by a stronger neighbour."


def _swept(before: Position, after: Position, last: Last) -> list[tuple[int, Node]]:
    places = sorted(set(after.taken) - {last.move["position"]})
    return [(place, node) for place in places if (node := before.line[place])]


def _beside(position: Position, at: int, seat: int) -> list[tuple[int, Node]]:
    """Return the enemies of ``seat`` on the positions next to ``at``."""
    places = (place for place in (at - 1, at + 1) if 0 <= place < len(position.line))
    found = ((place, position.line[place]) for place in places)
    return [(place, node) for place, node in found if node and node.owner != seat]


def _listed(things: list[str]) -> str:
    *rest, final = things
    return f"{', '.join(rest)} and {final}" if rest else final


def _space(position: Position, at: int, last: Last | None) -> Space:
    marks = set()
    if last is not None and last.move["position"] == at:
        marks.add(Mark.LAST)
    if at in position.taken:
        marks.add(Mark.CAPTURED)
    node = position.line[at]
    tokens = (_token(at, node),) if node else ()
    return Space(f"node:{at}", at, 0, f"position {at}", tokens, frozenset(marks))


def _token(at: int, node: Node) -> Token:
    return Token(
        f"power-node:{at}",
        "node",
        f"{LETTERS[node.owner]}{node.power}",
        f"P{node.owner}'s node of power {node.power}",
        node.owner,
        node.power,
    )


def _choices(position: Position) -> tuple[Zone, ...]:
    if not isinstance(rules.next_step(position), Act):
        return ()
    paths = (path(position, move) for move in rules.legal_moves(position))
    names = dict.fromkeys(choice for _, choice in paths)
    spaces = tuple(
        Space(name, x, 0, name.removeprefix("action:").replace(":", " "))
        for x, name in enumerate(sorted(names, key=_order))
    )
    return (Zone("actions", "Place or upgrade", Shape.CHOICES, spaces, position.seat),)


def _order(name: str) -> tuple[bool, str]:
    return (name == UPGRADE, name)


def _links(position: Position) -> tuple[Link, ...]:
    pairs = enumerate(zip(position.line, position.line[1:], strict=False))
    return tuple(
        Link(f"node:{at}", f"node:{at + 1}", one.owner)
        for at, (one, other) in pairs
        if one and other and one.owner == other.owner
    )


def _meters(position: Position, seat: int) -> tuple[Meter, ...]:
    side, terms = position.sides[seat - 1], position.terms
    run = longest_run(position.line, seat)
    return (
        Meter(seat, "energy", side.energy, terms.energy),
        Meter(seat, "unused nodes", side.nodes, terms.nodes),
        Meter(seat, "longest run", run, len(position.line)),
    )


def _notes(position: Position) -> tuple[Note, ...]:
    length, terms = len(position.line), position.terms
    step = rules.next_step(position)
    if isinstance(step, Over):
        return (_decisive(position),) if step.reason == "deadlock" else ()
    if min(terms.nodes, terms.energy) >= length:
        return ()
    end = "the longest run wins" if terms.deadlock == rules.LADDER else "it is a draw"
    return (Note(f"Nobody can fill all {length} positions; when neither seat can act, {end}."),)


def _decisive(position: Position) -> Note:
    """Tell how a frozen line was settled."""
    if position.terms.deadlock == rules.DRAW:
        return Note("The line is frozen, which is a draw in this match.")
    standings = (rules.standing(position, seat) for seat in (1, 2))
    for rung, one, other in zip(RUNGS, *standings, strict=True):
        if one != other:
            return Note(f"The line is frozen; {rung} decides: P1 {one}, P2 {other}.")
    return Note("The line is frozen, and both sides are level in everything: a draw.")
