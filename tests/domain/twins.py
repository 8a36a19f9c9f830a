"""Twins: two matches whose truths one viewer cannot tell apart must look the same to them.

Both are played in step: what the viewer does and what is public is the same in both, all
the rest is drawn anew. Where the rules reveal a difference (one twin passes, the other has
a move), the comparison ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

from domain.errors import Refusal
from domain.game.game import Draw, Viewer
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource
from domain.log.event_format import write_canonical
from domain.match.decisions.draft import Chance, draw_provably
from domain.match.events import TurnPassed
from domain.match.fold import evolve, fold
from domain.match.narration import tell
from domain.match.views import view
from tests.domain.almost_legal import malformed, neighbours
from tests.support.scenario import AnyRules, Table

SEALED_AWAY = ("commitment", "hash", "previous")
"""What depends on salts and hidden values, and tells nothing of them."""

OtherTruth = Callable[[Viewer, Draw, Json, Random], Json]
"""(viewer, draw, outcome in the first twin) -> an outcome in the second that they cannot tell."""


def reshuffled(known: int) -> OtherTruth:
    """Give other orders to decks; a seat knows so many cards from the top of its own."""

    def other_truth(viewer: Viewer, draw: Draw, outcome: Json, random: Random) -> Json:
        if draw.purpose != "shuffle":
            return outcome
        if draw.seat == viewer.seat:
            return outcome[:known] + outcome[known:][::-1]
        return draw.sample(_Shuffler(random))  # type: ignore[arg-type]  # all that it asks for

    return other_truth


class _Shuffler:
    """Dice of the test's own."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def shuffle(self, items: list[int]) -> list[int]:
        return self._random.sample(items, len(items))


class Twins(NamedTuple):
    """Two matches that ``viewer`` cannot tell apart by the rules of ``honest``.

    What is played in them may be a leaky version of that game.
    """

    honest: AnyRules
    viewer: Viewer
    first: Table
    second: Table

    @property
    def differ(self) -> bool:
        """Whether the truths differ at all."""
        return self.first.state() != self.second.state()


def twins(  # noqa: PLR0913 - two games, and how their truths may differ
    game: AnyRules,
    honest: AnyRules,
    viewer: Viewer,
    number: int,
    *,
    settings: Callable[[Random], tuple[JsonObject, JsonObject]],
    other_truth: OtherTruth,
) -> Twins:
    """Start two matches; ``number`` decides what is drawn.

    ``other_truth`` is asked for every outcome, and gives back those that all may know.
    """
    random = Random(number)
    mine, others = settings(random), settings(random)
    second = [
        own if viewer.seat == seat else other
        for seat, own, other in zip((1, 2), mine, others, strict=True)
    ]
    drawn: dict[int, Json] = {}

    def listening(source: ChanceSource, draw_number: int, draw: Draw) -> Json:
        drawn[draw_number] = draw_provably(source, draw_number, draw)
        return drawn[draw_number]

    def following(_: ChanceSource, draw_number: int, draw: Draw) -> Json:
        return other_truth(viewer, draw, drawn[draw_number], random)

    return Twins(
        honest,
        viewer,
        _table(game, mine, f"first {number}", listening),
        _table(game, (second[0], second[1]), f"second {number}", following),
    )


def _table(
    game: AnyRules, settings: tuple[JsonObject, JsonObject], secret: str, chance: Chance
) -> Table:
    secret = sha256(secret.encode()).hexdigest()
    return Table.started(game, settings=settings, secret=secret, chance=chance)


def step(pair: Twins, random: Random) -> bool:
    """Play one move in both. Returns False where the rules tell the twins apart, or it is over."""
    chosen = _choose(pair, random)
    if chosen is None:
        return False
    new = [table.play(move) for table, move in zip(pair[2:], chosen, strict=True)]
    kinds = [[event.kind for event in events] for events in new]
    seen = pair.viewer.seat
    shown = any(isinstance(event.fact, TurnPassed) and event.fact.seat != seen for event in new[0])
    return kinds[0] == kinds[1] and "match-ended" not in kinds[0] and not (seen and shown)


def _choose(pair: Twins, random: Random) -> list[JsonObject] | None:
    """Choose moves that look the same to the viewer, or None if there are none."""
    assert pair.first.match.to_act == pair.second.match.to_act
    seen = pair.first.match.to_act == pair.viewer.seat
    looks: list[dict[bytes, list[JsonObject]]] = [{}, {}]
    for table, by_look in zip(pair[2:], looks, strict=True):
        for move in table.legal_moves():
            public = move if seen else _public(pair.honest, table, move)
            by_look.setdefault(write_canonical(public), []).append(move)
    common = sorted(looks[0].keys() & looks[1].keys())
    if not common:
        return None
    look = random.choice(common)
    return [random.choice(by_look[look]) for by_look in looks]


def _public(honest: AnyRules, table: Table, move: JsonObject) -> JsonObject:
    public = honest.conceal(table.match.started, honest.parse_move(move))
    return move if public is None else public


def look(table: Table, viewer: Viewer) -> bytes:
    """Return everything that a viewer gets of a match, as bytes."""
    seen = view(table.match, viewer)
    assert seen.sight is not None
    parts = {
        "events": [without_digests(event) for event in table.shown(viewer)],
        "state": table.game.show(seen.sight),
        "scene": repr(table.game.build_scene(seen.sight, seen.last)),
        "match": repr(seen._replace(game=table.game, sight=None)),
        "moves": table.legal_moves() if seen.to_act == viewer.seat else None,
        "told": list(told(table, viewer)),
        "refusals": _refusals(table, viewer),
    }
    return write_canonical(parts)


def told(table: Table, viewer: Viewer) -> Iterator[str]:
    match = fold(table.events[:1], table.games)
    for event in table.events[1:]:
        before, match = match, evolve(match, event, table.games)
        yield tell(view(before, viewer), event, view(match, viewer), {})


def without_digests(value: Json) -> Json:
    if isinstance(value, dict):
        return {
            name: "" if name in SEALED_AWAY else without_digests(one) for name, one in value.items()
        }
    return [without_digests(one) for one in value] if isinstance(value, list) else value


def _refusals(table: Table, viewer: Viewer) -> list[Json]:
    """Return how the viewer's own wrong moves are answered."""
    if viewer.seat is None:
        return []
    own = table.match.to_act == viewer.seat
    listed = table.legal_moves()
    # Out of turn a player asks for what they have seen before, not for what the other may do.
    bases = listed if own else [{"action": "say", "card": 3}]
    tried = [*malformed(bases[0]), *(near for base in bases for near in neighbours(base, bases))]
    return [_refusal(table, move, viewer.seat) for move in tried if not own or move not in listed]


def _refusal(table: Table, move: Json, seat: int) -> Json:
    version = table.match.version
    try:
        table.play(move, seat=seat)
    except Refusal as refusal:
        return [refusal.code, refusal.detail, refusal.pointer]
    raise AssertionError(f"{move} was accepted at version {version}")
