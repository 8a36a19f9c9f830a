"""Positions from pictures, as the rule book draws them, and moves in notation.

A row is a line of positions apart by spaces: ``A8`` is a face-up 8 of seat 1, ``B*`` the base
of seat 2, ``A#`` a face-down card (``A#7``: which is a 7), a dot is free, ``B4/A6`` is a 6 on an
enemy 4. The base of seat 1 is the origin. A base that is not drawn has been lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, cast

from domain.game.game import Act, Draw, Last, Over, Pass, Viewer
from domain.game.options import fill
from domain.games.power_lines import POWER_LINES
from domain.games.power_lines.cards import BASE, Card, Spot
from domain.games.power_lines.position import Due, Pending, Position, Side
from domain.games.power_lines.views import View
from domain.json_types import Json, JsonObject
from domain.match.fold import evolve
from tests.support.scenario import Table

GAME = POWER_LINES
UNKNOWN_FACE = 10
"""What a face-down card is where the picture does not say: something strong, to be noticed."""

RUNNING = False
"""Whether the match is over, of a match that runs."""

Faces = Iterable[int]


def pictured(picture: str, **given: Any) -> Position:  # noqa: ANN401 - members of a position
    """Return a position in the middle of a match, of seat 1's turn unless ``given`` says more.

    ``given``: ``hands``, ``decks``, ``discards`` and ``trashes`` of seats 1 and 2, and members
    of ``Position``.
    """
    cells = _cells(picture)
    seats: tuple[dict[Spot, Card], dict[Spot, Card]] = ({}, {})
    for spot, text in cells.items():
        for number, card in enumerate(text.split("/")):
            seats["AB".index(card[0])][spot] = _card(card[1:], over=number > 0)
    first, second = (
        Side(
            deck=tuple(_given(given, "decks", seat)),
            cards=seats[seat],
            hand=tuple(sorted(_given(given, "hands", seat))),
            discard=tuple(_given(given, "discards", seat)),
            trash=tuple(_given(given, "trashes", seat)),
            placed=3,
        )
        for seat in (0, 1)
    )
    piles = ("hands", "decks", "discards", "trashes")
    members = {name: value for name, value in given.items() if name not in piles}
    members = {"gap": _gap(cells), "limit": 200, "first": 1, "seat": 1, "actions": 3, **members}
    return Position(sides=(first, second), **{"due": None, **members})


def _given(given: JsonObject, name: str, seat: int) -> Faces:
    return cast("Faces", given.get(name, ((), ()))[seat])


def _cells(picture: str) -> dict[Spot, str]:
    rows = [row.split() for row in picture.strip().splitlines()]
    [(left, top)] = [(row.index("A*"), y) for y, row in enumerate(rows) if "A*" in row]
    return {
        (x - left, y - top): text
        for y, row in enumerate(rows)
        for x, text in enumerate(row)
        if text != "."
    }


def _gap(cells: dict[Spot, str]) -> int:
    return next((x - 1 for (x, _), text in cells.items() if text == "B*"), 3)


def _card(text: str, *, over: bool) -> Card:
    if text.startswith("#"):
        return Card(int(text[1:] or UNKNOWN_FACE), up=False)
    return Card(BASE if text == "*" else int(text), over=over)


def read(text: str) -> Any:  # noqa: ANN401 - a move
    """Return a move written in notation."""
    return GAME.parse_move(GAME.notation.read(text))


def played(position: Position, *texts: str, outcomes: Iterable[Json] = ()) -> Position:
    """Return the position after moves, each of them legal; chance gives the ``outcomes``."""
    left = iter(outcomes)
    for text in texts:
        assert refused(position, text) is None, text
        position = GAME.play(position, read(text))
        while isinstance(draw := GAME.get_next_step(position), Draw):
            position = GAME.draw(position, draw.purpose, draw.seat, next(left))
    assert list(left) == []
    return position


def refused(position: Position, text: str) -> str | None:
    """Return why a move of the seat to act is illegal, or None."""
    assert isinstance(GAME.get_next_step(position), Act)
    return GAME.check_move(position, read(text))


def listed(position: Position, begin: str = "") -> list[str]:
    """Return the legal moves in notation, those that begin with a text."""
    moves = (GAME.notation.write(GAME.dump_move(move)) for move in GAME.iter_legal_moves(position))
    return [text for text in moves if text.startswith(begin)]


def state(position: Position) -> JsonObject:
    """Return the whole state."""
    return GAME.show(GAME.view(position, Viewer.SERVER, RUNNING))


def faces(position: Position, seat: int, part: str) -> Any:  # noqa: ANN401 - a list of cards
    """Return a seat's hand, deck or pile."""
    return state(position)["players"][seat - 1][part]


def entry(position: Position, x: int, y: int, seat: int) -> JsonObject:
    """Return a seat's card on the field, as the state shows it."""
    field = state(position)["field"]
    [found] = [one for one in field if (one["x"], one["y"], one["owner"]) == (x, y, seat)]
    return cast("JsonObject", found)


def value(position: Position, x: int, y: int, seat: int = 1) -> int:
    """Return the value of a seat's card."""
    return cast("int", entry(position, x, y, seat)["value"])


def seen(position: Position, viewer: Viewer) -> View:
    """Return what a viewer sees while the match runs."""
    return GAME.view(position, viewer, RUNNING)


def told(position: Position, text: str, viewer: Viewer = Viewer.SPECTATOR) -> str:
    """Play a move; return what it did, as ``viewer`` is told."""
    move = read(text)
    after = GAME.play(position, move)
    public = GAME.conceal(position, move)
    own = viewer.seat == position.actor or public is None
    last = Last(position.actor, GAME.dump_move(move) if own else public or {})
    return GAME.tell(seen(position, viewer), seen(after, viewer), last)


def choosing(position: Position, kind: str, seat: int, spot: Spot) -> Position:
    """Return the position with a choice pending."""
    return position._replace(pending=Pending(kind, seat, spot))


def drawing(position: Position, purpose: str, seat: int) -> Position:
    """Return the position with chance to decide."""
    return position._replace(due=Due(purpose, seat))


def random_match(number: int, **options: Json) -> Table:
    """Play a match to its end; ``number`` decides decks and moves.

    Kinds of moves are chosen before moves, or plays would crowd out all the rest.
    """
    random = Random(number)
    table = Table.started(
        GAME,
        options=options,
        settings=({"deck": random_deck(random)}, {"deck": random_deck(random)}),
        secret=f"{number:064x}",
    )
    while not table.match.over:
        table.play(random_move(table.legal_moves(), random))
    return table


def random_deck(random: Random) -> list[int]:
    """Return a deck of a few kinds of cards, so that those meet each other."""
    kinds = random.sample(range(11), random.randint(3, 11))
    return random.choices(kinds, k=26)


def random_move(moves: list[JsonObject], random: Random) -> JsonObject:
    """Return one of the moves: first a kind, then one of that kind."""
    kinds = sorted({(move["action"], move.get("card", 0)) for move in moves})
    kind = random.choice(kinds)
    return random.choice([m for m in moves if (m["action"], m.get("card", 0)) == kind])


def positions(table: Table) -> list[Position]:
    """Return the position after each event of a match, from its start on."""
    found: list[Position] = []
    match = None
    for event in table.events:
        match = evolve(match, event, table.games)
        if match.position is not None:
            found.append(cast("Position", match.position))
    return found


def fresh(gap: int = 11, decks: tuple[list[int], list[int]] | None = None) -> Position:
    """Return the position before the coin."""
    own = fill(GAME.settings, {})["deck"]
    first, second = decks or (own, own)
    settings = ({"deck": first}, {"deck": second})
    return GAME.set_up(fill(GAME.options, {"gap": gap}), settings)


def waits(position: Position) -> str:
    """Say in a word what the position waits for."""
    match GAME.get_next_step(position):
        case Act(seat):
            return f"P{seat}"
        case Draw(purpose, _, seat):
            return purpose if seat is None else f"{purpose} {seat}"
        case Pass(seat):
            return f"pass {seat}"
        case Over(winner, reason):
            return f"{reason} {winner}"
