"""A match as text: what was asked of it, and what each viewer saw at each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise

import orjson

from domain.game.game import Viewer
from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.events import Event
from domain.match.fold import evolve
from domain.match.narration import tell
from domain.match.state import Match
from domain.match.views import show_event, view
from tests.support.games import test_games
from tests.support.scenario import Table

OUTSIDERS = (Viewer.SEAT_1, Viewer.SEAT_2, Viewer.SPECTATOR)


@dataclass(frozen=True, slots=True)
class Record:
    """What a transcript was made from; ``steps`` are moves in notation, or commands.

    It is of one version of a game's rules, and stays so when there is a newer one.

    The commands are ``resign N`` and ``abort N``, N the seat.
    """

    game: str
    rules_version: int
    options: JsonObject
    settings: list[JsonObject]
    secret: str
    steps: list[str]


def played(record: Record) -> Table:
    """Play a record. Raises a ``Refusal`` where the rules do not allow it any more."""
    game = test_games().get(record.game, record.rules_version)
    first, second = record.settings
    table = Table.started(
        game, options=record.options, settings=(first, second), secret=record.secret
    )
    for step in record.steps:
        word, _, seat = step.partition(" ")
        if word == "resign":
            table.do(commands.Resign(int(seat)))
        elif word == "abort":
            table.do(commands.AbortMatch(int(seat)))
        else:
            table.play(game.notation.read(step))
    return table


def parse(text: str) -> Record:
    """Return the record that a transcript begins with."""
    return Record(**orjson.loads(text.partition("\n\n")[0]))


def render(record: Record) -> str:
    """Return the whole transcript."""
    table = played(record)
    lines = [_header(record), ""]
    for before, after in pairwise(_moments(table)):
        lines += _step(before, after, table.events[after.version - 1])
    if table.match.status == "finished":
        lines += _opened(table)
    return "\n".join(lines) + "\n"


def _header(record: Record) -> str:
    members = (f"  {_json(name)}: {_json(value)}" for name, value in asdict(record).items())
    return "{\n" + ",\n".join(members) + "\n}"


def _moments(table: Table) -> Iterator[Match]:
    match = None
    for event in table.events:
        match = evolve(match, event, table.games)
        yield match


def _step(before: Match, after: Match, event: Event) -> Iterator[str]:
    server = (view(before, Viewer.SERVER), view(after, Viewer.SERVER))
    act = f", P{after.to_act} to act" if after.to_act else ""
    told = tell(server[0], event, server[1], {})
    yield f"{event.version} {event.kind} by {event.actor}{act}{': ' if told else ''}{told}"
    seen: dict[str, list[str]] = {}
    for viewer in OUTSIDERS:
        shown = _short(show_event(event, viewer, finished=after.status == "finished"))
        changed = _changes(_state(before, viewer), _state(after, viewer))
        seen.setdefault(f"{_json(shown)} -> {_json(changed)}", []).append(viewer.value)
    for line, viewers in seen.items():
        yield f"  {' '.join(viewers)}: {line}"


def _opened(table: Table) -> Iterator[str]:
    """Show what the end opens, to the one who saw least."""
    for event in table.events:
        if event.sealed:
            shown = _short(show_event(event, Viewer.SPECTATOR, finished=True))
            yield f"opened {event.version} {event.kind}: {_json(shown['sealed'])}"


def _short(shown: JsonObject) -> JsonObject:
    """Leave out what is not worth reading: digests, instants, what the header says."""
    sealed = [
        {name: value for name, value in entry.items() if name in {"for", "value"}}
        for entry in shown["sealed"]
    ]
    return {**shown["data"], "sealed": sealed} if sealed else dict(shown["data"])


def _state(match: Match, viewer: Viewer) -> JsonObject:
    """Return the state by its members, those of the players one by one."""
    sight = view(match, viewer).sight
    if sight is None:
        return {}
    shown = match.game.show(sight)
    players = shown.pop("players", [])
    for seat, player in enumerate(players, 1):
        shown |= {f"P{seat} {name}": value for name, value in player.items()}
    return shown


def _changes(before: JsonObject, after: JsonObject) -> JsonObject:
    """Return the members that are other than before; of a list of objects, what came and went."""
    return {
        name: _change(before.get(name), value)
        for name, value in after.items()
        if name not in before or before[name] != value
    }


def _change(before: Json, after: Json) -> Json:
    if not isinstance(before, list) or not all(isinstance(one, dict) for one in [*before, *after]):
        return after
    came = [one for one in after if one not in before]
    went = [one for one in before if one not in after]
    # Where only the order, or the number of equals, has changed, the whole is shown.
    return {"came": came, "went": went} if came or went else after


def _json(value: Json) -> str:
    return orjson.dumps(value).decode()
