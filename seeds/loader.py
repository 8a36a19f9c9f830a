"""Loading the scripts. What is there already stays as it is; what is half there goes on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from typing_extensions import override

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


def load(house: Services, progress: Callable[[Script], None] = lambda _: None) -> None:
    """Load every script and the puzzles into the database; twice is the same as once.

    A match that is there and over stays, though its script be another one by now.

    ``progress`` is told each script before it is loaded. Raises a ``Refusal`` for a move
    that the rules forbid, and ``RuntimeError`` for a match that ends otherwise than told.
    """
    for number, script in enumerate(list_scripts()):
        progress(script)
        _load(house, script, FIRST_DAY + number * APART)
    house.puzzle_finder.add(puzzles.list_rows())


def _load(house: Services, script: Script, start: datetime) -> None:
    if _stays(house, script):
        return
    clock, randomness = _ScriptClock(script, start), _ScriptEntropy(script)
    there = Services(house.settings, games=house.games, now=clock, randomness=randomness)
    try:
        result = _play(there, script, clock).view.result
    finally:
        there.close()
    if result != script.result:
        raise RuntimeError(f"demo match {script.name} ends with {result}, not {script.result}")


def _stays(house: Services, script: Script) -> bool:
    """Whether a match is left as an earlier load made it: it is over, or goes by older rules.

    What is over stays for good, so it cannot become what a later release has written in the script.
    """
    shown = _find_match(house, script)
    if shown is None:
        return False
    newest = house.games.get(script.game).rules_version
    return shown.view.result is not None or shown.view.game.rules_version != newest


def _play(house: Services, script: Script, clock: _ScriptClock) -> ShownMatch:
    """Do what is still to be done of a script; return the match as it stands then."""
    players = [house.accounts.get_local_player(name).id for name in script.players]
    shown = _find_match(house, script)
    if shown is None:
        clock.tick()
        new = NewMatch(script.game, script.options, script.settings[0], seat=1)
        shown = house.matches.create(ChangeRequest(players[0]), new).shown
    if shown.view.status == "open" and len(players) > 1:
        clock.tick()
        joining = ChangeRequest(players[1])
        shown = house.matches.join(joining, script.match_id, script.settings[1]).shown
    for text in script.moves[shown.view.ply :]:
        clock.tick()
        if shown.view.to_act is None:
            raise RuntimeError(f"demo match {script.name}: nobody is to act before {text}")
        request = ChangeRequest(players[shown.view.to_act - 1], shown.view.version)
        move = shown.view.game.notation.read(text)
        shown = house.matches.play(request, script.match_id, move).shown
    if script.resigns is not None and shown.view.status == "active":
        clock.tick()
        request = ChangeRequest(players[script.resigns - 1], shown.view.version)
        shown = house.matches.act(request, script.match_id, Action("resign")).shown
    return shown


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
