"""Real matches, copied as often as wanted: other ids, players and days; the chain made anew.

The originals are played by the domain itself, in games without chance, whose copies would
therefore verify. Ids have equal lengths and stand in the canonical bytes as they are, so a copy
is a replacement and a hash for each event: a million events take seconds, not minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from hashlib import sha256
from itertools import cycle
from random import Random
from typing import NamedTuple

import orjson

from domain.games import all_games
from domain.log.event_format import GENESIS
from domain.match.events import Event
from domain.match.fold import fold
from domain.match.state import Match, dump, format_of
from services.matches.repository import SNAPSHOT_EVERY, row_of
from services.store.log.codec import to_openings
from tests.support.games import MARATHON, test_games
from tests.support.scenario import PLAYERS, AnyRules, Table

GAMES = ("grid-power", "path-capture", "power-line")
PER_GAME = 4
ORIGINALS = 2 * (len(GAMES) * PER_GAME + 1)
"""How many there are: each once finished and once still running."""

LONG = {"length": 300}
HALF = {"grid-power": 8, "path-capture": 2, "power-line": 4, "marathon": 80}
"""After how many moves an original is still running."""
DAY = "2026-11-27"
FIRST_DAY = date(2024, 1, 1)
DAYS = 1_000
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


class Copy(NamedTuple):
    """Rows of one match: of its events, of its read model and of its snapshots."""

    events: Sequence[tuple[object, ...]]
    match: dict[str, object]
    snapshots: Sequence[tuple[object, ...]]


class Original(NamedTuple):
    """A match as it was played, its state, and the snapshots of a log like this."""

    events: list[Event]
    match: Match
    states: list[tuple[int, bytes]]


def originals(seed: int = 1) -> list[Original]:
    """Play the originals: whole ones, and as many that are still running."""
    random, made = Random(seed), []
    games = [game for game in all_games() if game.slug in GAMES]
    chosen: list[AnyRules] = [*games * PER_GAME, MARATHON]
    for number, game in enumerate(chosen, 1):
        options = LONG if game is MARATHON else None
        table = Table.started(game, match=f"{number:016}", options=options)
        half = len(table.events)
        while table.match.to_act is not None:
            table.play(random.choice(table.legal_moves()))
            if table.match.ply <= HALF[game.slug]:
                half = len(table.events)
        made += [_original(table.events), _original(table.events[:half])]
    random.shuffle(made)
    return made


def _original(events: list[Event]) -> Original:
    games = test_games()
    match = fold(events, games)
    due = [*range(SNAPSHOT_EVERY, match.version, SNAPSHOT_EVERY), *[match.version] * match.over]
    states = [(at, orjson.dumps(dump(fold(events[:at], games)))) for at in due]
    return Original(events, match, states)


def copies(events: int, players: list[str], seed: int = 2) -> Iterator[Copy]:
    """Yield copies until there are so many events; who plays whom is by lot."""
    random, made = Random(seed), 0
    for original in cycle(originals()):
        if made >= events:
            return
        made += len(original.events)
        yield _copy(original, random, random.sample(players, 2))


def _copy(original: Original, random: Random, players: list[str]) -> Copy:
    match = "".join(random.choices(ALPHABET, k=16))
    day = (FIRST_DAY + timedelta(days=random.randrange(DAYS))).isoformat()
    new = _Replacement(original.match.id, match, players, day)
    previous, rows, heads = GENESIS, [], {}
    for event in original.events:
        body = new.bytes(event.body).replace(event.previous.encode(), previous.encode())
        previous = heads[event.version] = sha256(body).hexdigest()
        openings = to_openings(event.sealed)
        at = new.text(event.at)
        rows.append((match, event.version, event.kind, at, body, previous, openings))
    old = row_of(original.match)._asdict()
    row = {
        name: new.text(value) if isinstance(value, str) else value for name, value in old.items()
    }
    old_heads = {event.version: event.hash for event in original.events}
    snapshots = [
        (
            *(match, version, heads[version]),
            format_of(original.match.game),
            new.bytes(state).replace(old_heads[version].encode(), heads[version].encode()),
        )
        for version, state in original.states
    ]
    return Copy(rows, {**row, "head": previous}, snapshots)


class _Replacement:
    """What stands in a copy in place of what stands in its original."""

    def __init__(self, old: str, new: str, players: list[str], day: str) -> None:
        self._texts = [(old, new), (DAY, day), *zip(PLAYERS, players, strict=True)]
        self._bytes = [(one.encode(), other.encode()) for one, other in self._texts]

    def text(self, text: str) -> str:
        for old, new in self._texts:
            text = text.replace(old, new)
        return text

    def bytes(self, body: bytes) -> bytes:
        for old, new in self._bytes:
            body = body.replace(old, new)
        return body
