"""What to draw of Power Line: the line, its lit spans, what each seat has left."""

from __future__ import annotations

from domain.game.game import Act, Last, Over
from domain.game.scene import LETTERS, Link, Mark, Meter, Note, Scene, Shape, Space, Token, Zone
from domain.games.power_line import rules
from domain.games.power_line.rules import Move, Node, Place, Position, measure_longest_run
from domain.i18n import N_, join_with_and, say

RUNGS = (
    N_("The line is frozen; the longest run decides: P1 {one}, P2 {other}."),
    N_("The line is frozen; the number of nodes decides: P1 {one}, P2 {other}."),
    N_("The line is frozen; the power on the line decides: P1 {one}, P2 {other}."),
    N_("The line is frozen; the energy left decides: P1 {one}, P2 {other}."),
)
"""What ``rules.compute_standing`` compares, in its order."""

LONGEST_RUN = say("longest run")

UPGRADE = "action:upgrade"


def build_scene(position: Position, last: Last | None) -> Scene:
    """Describe the line, the choices of the seat to act, and what both have left."""
    spaces = tuple(_build_space(position, at, last) for at in range(len(position.line)))
    return Scene(
        zones=(Zone("line", say("Power Line"), Shape.LINE, spaces), *_build_choices(position)),
        links=_build_links(position),
        meters=tuple(meter for seat in (1, 2) for meter in _build_meters(position, seat)),
        notes=_build_notes(position),
        measure=LONGEST_RUN,
    )


def build_path(_: Position, move: Move) -> tuple[str, ...]:
    """Return the position, then the power to place there or the upgrade."""
    choice = f"power:{move.power}" if isinstance(move, Place) else UPGRADE
    return (f"node:{move.position}", choice)


def tell(before: Position, after: Position, last: Last) -> str:
    """Tell an action and what it captured in a sentence."""
    at = last.move["position"]
    own = before.line[at]
    told: dict[str, object] = {
        "seat": last.seat,
        "power": own.power + 1 if own else last.move["power"],
        "at": at,
        "other": 3 - last.seat,
        "energy": after.sides[last.seat - 1].energy,
    }
    taken = [
        say("{power} on {at}", power=node.power, at=place)
        for place in sorted(set(after.taken) - {at})
        if (node := before.line[place])
    ]
    if taken:
        told["taken"] = join_with_and(taken)
    lost = after.line[at] is None
    if lost:
        place, captor = max(
            _list_enemies_beside(before, at, last.seat), key=lambda found: found[1].power
        )
        told |= {"captor": captor.power, "place": place}
    return say(_TOLD[bool(own), bool(taken), lost], **told)


_TOLD = {
    (False, False, False): N_("P{seat} places power {power} on {at} ({energy} energy left)."),
    (False, True, False): N_(
        "P{seat} places power {power} on {at}, captures P{other}'s {taken} ({energy} energy left)."
    ),
    (False, False, True): N_(
        "P{seat} places power {power} on {at}, and loses it to P{other}'s {captor} on {place} "
        "({energy} energy left)."
    ),
    (False, True, True): N_(
        "P{seat} places power {power} on {at}, captures P{other}'s {taken}, and loses it to "
        "P{other}'s {captor} on {place} ({energy} energy left)."
    ),
    (True, False, False): N_(
        "P{seat} upgrades the node on {at} to power {power} ({energy} energy left)."
    ),
    (True, True, False): N_(
        "P{seat} upgrades the node on {at} to power {power}, captures P{other}'s {taken} "
        "({energy} energy left)."
    ),
    (True, False, True): N_(
        "P{seat} upgrades the node on {at} to power {power}, and loses it to P{other}'s {captor} "
        "on {place} ({energy} energy left)."
    ),
    (True, True, True): N_(
        "P{seat} upgrades the node on {at} to power {power}, captures P{other}'s {taken}, and "
        "loses it to P{other}'s {captor} on {place} ({energy} energy left)."
    ),
}
"""What is told, by whether a node was upgraded, some were captured, and it was lost itself."""


def warn(position: Position, move: Move) -> str | None:
    """Warn of an action that only loses the node."""
    after = rules.play(position, move)
    if after.taken != (move.position,):
        return None
    return say(
        "Your node on {position} would be captured at once by a stronger neighbour.",
        position=move.position,
    )


def _list_enemies_beside(position: Position, at: int, seat: int) -> list[tuple[int, Node]]:
    places = (place for place in (at - 1, at + 1) if 0 <= place < len(position.line))
    found = ((place, position.line[place]) for place in places)
    return [(place, node) for place, node in found if node and node.owner != seat]


def _build_space(position: Position, at: int, last: Last | None) -> Space:
    marks = set()
    if last is not None and last.move["position"] == at:
        marks.add(Mark.LAST)
    if at in position.taken:
        marks.add(Mark.CAPTURED)
    node = position.line[at]
    tokens = (_build_token(at, node),) if node else ()
    return Space(f"node:{at}", at, 0, say("position {at}", at=at), tokens, frozenset(marks))


def _build_token(at: int, node: Node) -> Token:
    return Token(
        f"power-node:{at}",
        "node",
        f"{LETTERS[node.owner]}{node.power}",
        say("P{seat}'s node of power {power}", seat=node.owner, power=node.power),
        node.owner,
        node.power,
    )


def _build_choices(position: Position) -> tuple[Zone, ...]:
    if not isinstance(rules.get_next_step(position), Act):
        return ()
    choices = {build_path(position, move)[1] for move in rules.iter_legal_moves(position)}
    powers = sorted(choices - {UPGRADE})
    labels = {name: say("power {power}", power=name.removeprefix("power:")) for name in powers}
    if UPGRADE in choices:
        labels[UPGRADE] = say("upgrade")
    spaces = tuple(Space(name, x, 0, label) for x, (name, label) in enumerate(labels.items()))
    return (Zone("actions", say("Place or upgrade"), Shape.CHOICES, spaces, position.seat),)


def _build_links(position: Position) -> tuple[Link, ...]:
    pairs = enumerate(zip(position.line, position.line[1:], strict=False))
    return tuple(
        Link(f"node:{at}", f"node:{at + 1}", one.owner)
        for at, (one, other) in pairs
        if one and other and one.owner == other.owner
    )


def _build_meters(position: Position, seat: int) -> tuple[Meter, ...]:
    side, terms = position.sides[seat - 1], position.terms
    run = measure_longest_run(position.line, seat)
    return (
        Meter(seat, say("energy"), side.energy, terms.energy),
        Meter(seat, say("unused nodes"), side.nodes, terms.nodes),
        Meter(seat, LONGEST_RUN, run, len(position.line)),
    )


def _build_notes(position: Position) -> tuple[Note, ...]:
    length, terms = len(position.line), position.terms
    step = rules.get_next_step(position)
    if isinstance(step, Over):
        return (_tell_decisive(position),) if step.reason == "deadlock" else ()
    if min(terms.nodes, terms.energy) >= length:
        return ()
    if terms.deadlock == rules.LADDER:
        end = N_(
            "Nobody can fill all {length} positions; when neither player can act, the longest run "
            "wins."
        )
    else:
        end = N_(
            "Nobody can fill all {length} positions; when neither player can act, it is a draw."
        )
    return (Note(say(end, length=length)),)


def _tell_decisive(position: Position) -> Note:
    """Tell how a frozen line was settled."""
    if position.terms.deadlock == rules.DRAW:
        return Note(say("The line is frozen, which is a draw in this match."))
    standings = (rules.compute_standing(position, seat) for seat in (1, 2))
    for rung, one, other in zip(RUNGS, *standings, strict=True):
        if one != other:
            return Note(say(rung, one=one, other=other))
    return Note(say("The line is frozen, and both sides are level in everything: a draw."))
