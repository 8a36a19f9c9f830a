"""A whole move command; a late move against an early one; matches that are played by commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from statistics import median
from time import perf_counter

from domain.json_types import JsonObject
from services.container import Services
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store.log import events
from tests.bench.databases import Bed, insert
from tests.bench.rounds import Ratio, Sides, measured

MOVES = 100
LATE = 1_000


def command(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure a whole move command against a raw INSERT of the same bytes."""
    match, move = marathon(bed.house)
    move()
    with bed.house.database.read() as connection:
        last = events.load(connection, match)[-1]
    sides = Sides(insert(bed.raw, lambda: last), move, MOVES)
    yield measured(f"move command, {bed.name}", 0.25, sides, rounds)


def late(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure moves late in a long match against moves at the start of one."""
    _, late_move = marathon(bed.house)
    for _ in range(LATE):
        late_move()
    ratios = []
    for _ in range(rounds * 2):
        _, early_move = marathon(bed.house)
        pairs = [(_timed(early_move), _timed(late_move)) for _ in range(40)]
        early_time, late_time = map(median, zip(*pairs, strict=True))
        ratios.append(late_time / early_time)
    detail = f"moves {LATE} and on against the first 40 of a match"
    yield Ratio(f"late move, {bed.name}", median(ratios), 1.3, detail, at_most=True)


def _timed(work: Callable[[], None]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def marathon(house: Services) -> tuple[str, Callable[[], None]]:
    """Start a match that lasts; return its id, and what makes its next move."""
    match, players, at = start(house, "marathon", {"length": 10_000})
    seats = cycle(players)

    def move() -> None:
        nonlocal at
        done = house.matches.play(ChangeRequest(next(seats), at), match, {"strides": 1})
        at = done.shown.view.version

    return match, move


def start(house: Services, game: str, options: JsonObject) -> tuple[str, list[str], int]:
    """Start a match; return its id, its players in the order of their seats, and its version."""
    players = [house.accounts.get_local_player(f"bench-{seat}").id for seat in (1, 2)]
    new = NewMatch(game, options, seat=1)
    match = house.matches.create(ChangeRequest(players[0]), new).shown.view.id
    return match, players, house.matches.join(ChangeRequest(players[1]), match).shown.view.version


def play_long(house: Services, game: str, options: JsonObject) -> str:
    """Play a match to its end by the first legal move, which makes it long; return its id.

    (The first legal moves are the cheapest, the shortest, a draw from the deck.)
    """
    match, players, version = start(house, game, options)
    while (seat := house.queries.show(Asker(local=True), match).view.to_act) is not None:
        look = Asker(asked=f"seat-{seat}", local=True)
        move = house.queries.list_legal_moves(look, match, limit=1).moves[0]["move"]
        done = house.matches.play(ChangeRequest(players[seat - 1], version), match, move)
        version = done.shown.view.version
    return match
