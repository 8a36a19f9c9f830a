"""An auditor who has nothing but what the service gives out: events as it shows them.

Everything is done again from the event format alone: hashes, seals, dice, the fold.
"""

from __future__ import annotations

from hashlib import sha256

import rfc8785

from domain.game.game import Draw
from domain.game.registry import Games
from domain.json_types import JsonObject
from domain.log.chance import ChanceSource
from domain.match.decisions.draft import SEAT_DRAW, draw_provably
from domain.match.events import ChanceDrawn, Event, MatchCreated, Seal, from_data
from domain.match.fold import evolve
from domain.match.state import Match


def chain_holds(shown: list[JsonObject]) -> bool:
    """Say whether versions, predecessors and hashes of shown events hold together."""
    previous = "0" * 64
    for version, event in enumerate(shown, 1):
        covered = {name: value for name, value in event.items() if name != "hash"}
        covered["sealed"] = [
            {name: entry[name] for name in ("for", "commitment")} for entry in event["sealed"]
        ]
        if (event["version"], event["previous"]) != (version, previous):
            return False
        previous = sha256(rfc8785.dumps(covered)).hexdigest()
        if event["hash"] != previous:
            return False
    return True


def seals_hold(shown: list[JsonObject]) -> bool:
    """Say whether every seal is opened, and opened to what was sealed."""
    entries = [entry for event in shown for entry in event["sealed"]]
    return all(
        "salt" in entry
        and entry["commitment"]
        == sha256(bytes.fromhex(entry["salt"]) + rfc8785.dumps(entry["value"])).hexdigest()
        for entry in entries
    )


def read(shown: JsonObject) -> Event:
    """Return the event that was shown."""
    sealed = tuple(
        Seal(tuple(entry["for"]), entry["commitment"], entry.get("salt"), entry.get("value"))
        for entry in shown["sealed"]
    )
    return Event(
        shown["match"],
        shown["version"],
        shown["kind"],
        shown["schema"],
        shown["actor"],
        shown["at"],
        from_data(shown["kind"], shown["schema"], shown["data"]),
        sealed,
        shown["previous"],
        shown["hash"],
        b"",
    )


def replayed(shown: list[JsonObject], games: Games) -> tuple[Match, list[int]]:
    """Fold shown, opened events; return the match, and the draws that the dice do not bear out."""
    match: Match | None = None
    false: list[int] = []
    for event in map(read, shown):
        if isinstance(event.fact, ChanceDrawn) and match is not None:
            drawn = match.find_step() if event.fact.draw else SEAT_DRAW
            outcome = event.sealed[0].value if event.sealed else event.fact.outcome
            dice = ChanceSource(match.secret, match.id, match.contributions)
            if (
                not isinstance(drawn, Draw)
                or draw_provably(dice, event.fact.draw, drawn) != outcome
            ):
                false.append(event.fact.draw)
        assert match is not None or isinstance(event.fact, MatchCreated)
        match = evolve(match, event, games)
    assert match is not None
    return match, false
