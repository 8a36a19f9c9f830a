"""The card game: a command after 200 turns against one at the start, and a replay as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import orjson

from domain.json_types import JsonObject
from services.matches.queries import Look
from services.matches.requests import Done, Request
from services.replays.replay import frame_json
from services.store.log import events as log
from tests.bench.databases import Bed
from tests.bench.matches import start, two_players
from tests.bench.rounds import Ratio, compared
from tests.golden.transcript import parse, played

GAME = "power-lines"
LATE_TURNS = 200
SAMPLES = 60
RAW_EVENTS = 3_000
LASTING_DECK: JsonObject = {"deck": [3] * 16 + [0, 1, 2, 4, 5, 6, 7, 8, 9, 10]}
"""A 3 costs a card in play and brings another: a match with many of them need not end."""
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / GAME


class Player:
    """Plays a match of its own that lasts: cards go round through the discard pile."""

    def __init__(self, bed: Bed, seed: int) -> None:
        self.bed, self.random = bed, Random(seed)
        self.players = two_players(bed.house)
        self.match = start(bed.house, GAME, {"turn_limit": 1_000}, LASTING_DECK)

    def choose(self) -> tuple[Request, JsonObject]:
        """Return who is to act, on which version, and a move that keeps the match going."""
        view = self.bed.house.looking.show(Look(local=True), self.match).view
        look = Look(asked=f"seat-{view.to_act}", local=True)
        found = self.bed.house.looking.legal_moves(look, self.match, limit=60).moves
        moves = [entry["move"] for entry in found]
        lasting = [move for move in moves if "sacrifice" in move] or [
            move for move in moves if move["action"] in {"shuffle", "draw"}
        ]
        request = Request(self.players[(view.to_act or 1) - 1], view.version)
        return request, self.random.choice(lasting or moves)

    def turns(self) -> int:
        """Return how many turns are completed; -1 of a match that is over."""
        view = self.bed.house.looking.show(Look(local=True), self.match).view
        if view.to_act is None or view.sight is None:
            return -1
        turn: int = view.game.show(view.sight)["turn"]
        return turn

    def move(self) -> Done:
        """Make a move."""
        request, move = self.choose()
        return self.bed.house.matches.play(request, self.match, move)

    def timed_move(self) -> float:
        """Make a move; return the seconds that the command itself takes."""
        request, move = self.choose()
        began = perf_counter()
        self.bed.house.matches.play(request, self.match, move)
        return perf_counter() - began


def late(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure commands after 200 turns against commands in the first turns."""
    old = _old_player(bed)
    ratios = []
    for number in range(rounds):
        young = Player(bed, 1_000 + number)
        for _ in range(6):
            young.move()
        early_times, late_times = [], []
        for _ in range(SAMPLES // 4):
            early_times.append(young.timed_move())
            late_times.append(old.timed_move())
        ratios.append(median(late_times) / median(early_times))
    detail = f"commands after turn {LATE_TURNS} against those of the first turns"
    yield Ratio(f"late turn, {bed.name}", median(ratios), 1.5, detail, at_most=True)


def _old_player(bed: Bed) -> Player:
    """Return a player whose match has come so far and still goes on."""
    for seed in range(20):
        player = Player(bed, seed)
        while 0 <= player.turns() < LATE_TURNS:
            player.move()
        if player.turns() >= LATE_TURNS:
            return player
    raise RuntimeError(f"no match comes to turn {LATE_TURNS}")


def replay(bed: Bed, rounds: int) -> Iterator[Ratio]:
    """Measure a full replay of the longest golden match against 3,000 raw event loads."""
    match, events = _golden(bed)
    versions = [number % events + 1 for number in range(RAW_EVENTS)]

    def ours() -> None:
        frames = bed.house.replays.replay(Look(local=True), match).frames
        orjson.dumps([frame_json(frame) for frame in frames])

    def raw() -> None:
        for version in versions:
            orjson.loads(bed.select_one(match, version))

    ratio, floor, own = compared(raw, ours, rounds=rounds)
    detail = f"{events} events in {own * 1e3:.1f} ms against {floor * 1e3:.1f} ms"
    yield Ratio(f"replay as JSON, {bed.name}", ratio, 1.0, detail)


def _golden(bed: Bed) -> tuple[str, int]:
    """Store the longest golden match as it was played; return its id and number of events."""
    records = [parse(path.read_text(encoding="utf-8")) for path in GOLDEN.glob("*.txt")]
    table = played(max(records, key=lambda record: len(record.steps)))
    with bed.house.database.write() as connection:
        if log.head(connection, table.match.id) is None:
            log.append(connection, table.events)
    return table.match.id, len(table.events)
