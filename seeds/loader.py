"""Loading the scripts. What is there already stays as it is; what is half there goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import NamedTuple

from typing_extensions import override

from domain.errors import MalformedMove
from seeds import puzzles
from seeds.scripts import Script, list_scripts
from services.container import Services
from services.errors import NotFound
from services.matches.actions import Action
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.runtime.randomness import Randomness

FIRST_DAY = datetime(2026, 9, 1, 8, tzinfo=UTC)
"""When the first demo match was begun; the others follow, a day and a half apart."""

APART = timedelta(hours=36)
LONGEST_WAIT = timedelta(hours=20)


class Loaded(NamedTuple):
    """How many demo matches there are, and how many of them are new or went on."""

    matches: int
    changed: int


def load(house: Services, progress: Callable[[Script], None] = lambda _: None) -> Loaded:
    """Load every script and the puzzles into the database; twice is the same as once.

    A match that is there and over stays, though its script be another one by now.

    ``progress`` is told each script before it is loaded. Raises a ``Refusal`` for a move
    that the rules forbid, and ``RuntimeError`` for a match that ends otherwise than told.
    """
    changed = 0
    for number, script in enumerate(list_scripts()):
        progress(script)
        changed += _load(house, script, number)
    house.puzzle_finder.add(puzzles.list_rows())
    return Loaded(len(list_scripts()), changed)


def _load(house: Services, script: Script, number: int) -> bool:
    if _stays(house, script):
        return False
    clock = _ScriptClock(script, FIRST_DAY + number * APART)
    there = Services(
        house.settings, games=house.games, now=clock, randomness=_ScriptEntropy(script)
    )
    try:
        steps = 0
        for step in _iter_steps(there, script):
            clock.tick()
            step()
            steps += 1
        shown = _find_match(there, script)
        result = None if shown is None else shown.view.result
        if result != script.result:
            raise RuntimeError(f"demo match {script.name} ends with {result}, not {script.result}")
    finally:
        there.close()
    return steps > 0


def _stays(house: Services, script: Script) -> bool:
    """Whether a match is left as an earlier load made it: it is over, or goes by older rules.

    What is over stays for good, so it cannot become what a later release has written in the script.
    """
    shown = _find_match(house, script)
    if shown is None:
        return False
    newest = house.games.get(script.game).rules_version
    return shown.view.result is not None or shown.view.game.rules_version != newest


def _iter_steps(house: Services, script: Script) -> Iterator[Callable[[], object]]:
    """Yield what is still to be done, each step made from the match as it then stands."""
    players = [house.accounts.get_local_player(name).id for name in script.players]
    shown = _find_match(house, script)
    if shown is None:
        new = NewMatch(script.game, script.options, script.settings[0], seat=1)
        yield lambda: house.matches.create(ChangeRequest(players[0]), new)
        shown = _find_match(house, script)
    if shown is not None and shown.view.status == "open" and len(players) > 1:
        yield lambda: house.matches.join(
            ChangeRequest(players[1]), script.match_id, script.settings[1]
        )
        shown = _find_match(house, script)
    for text in script.moves[shown.view.ply if shown else 0 :]:
        yield partial(_play, house, script, text)
    shown = _find_match(house, script)
    if script.resigns is not None and shown is not None and shown.view.status == "active":
        seat = script.resigns
        yield lambda: house.matches.act(
            _make_request(house, script, players[seat - 1]), script.match_id, Action("resign")
        )


def _play(house: Services, script: Script, text: str) -> None:
    shown = _find_match(house, script)
    if shown is None or shown.view.to_act is None:
        raise RuntimeError(f"demo match {script.name}: nobody is to act before {text}")
    player = shown.view.seats[shown.view.to_act - 1]
    move = shown.view.game.notation.read(text)
    if player is None:
        raise MalformedMove(text)
    house.matches.play(_make_request(house, script, player), script.match_id, move)


def _make_request(house: Services, script: Script, player: str) -> ChangeRequest:
    shown = _find_match(house, script)
    return ChangeRequest(player, None if shown is None else shown.view.version)


def _find_match(house: Services, script: Script) -> ShownMatch | None:
    try:
        return house.queries.show(Asker(local=True), script.match_id)
    except NotFound:
        return None


class _ScriptEntropy(Randomness):
    """The system's generator, but for the script's own match id and secret."""

    def __init__(self, script: Script) -> None:
        self._script = script

    @override
    def make_match_id(self) -> str:
        return self._script.match_id

    @override
    def make_match_secret(self) -> str:
        return self._script.secret


class _ScriptClock:
    """A clock that waits some hours before every step, as players do."""

    def __init__(self, script: Script, start: datetime) -> None:
        self._script = script
        self._now = start
        self._ticks = 0

    def tick(self) -> None:
        self._ticks += 1
        digest = sha256(f"{self._script.name} {self._ticks}".encode()).digest()
        self._now += LONGEST_WAIT * (int.from_bytes(digest[:4], "big") / (1 << 32))

    def __call__(self) -> datetime:
        return self._now
