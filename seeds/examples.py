"""Examples beside the rule books: moments of the demo matches, played through in memory alone."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from domain.game.game import AnyGame, Viewer
from domain.game.options import fill
from domain.game.registry import Games
from domain.games import load_games
from domain.json_types import JsonObject
from domain.match import commands
from domain.match.events import Event
from domain.match.views import MatchView
from seeds.loader import FIRST_DAY
from seeds.scripts import Script, list_scripts
from services.matches.repository import Repository
from services.replays.replay import Frame, iter_frames
from services.runtime.randomness import Randomness

_PLAYERS = ("p_example000000001", "p_example000000002")


class Example(NamedTuple):
    """A moment: the position, with both seats' secrets open, and what has just happened."""

    view: MatchView
    text: str


@cache
def list_examples(slug: str) -> tuple[Example, ...]:
    """Return the examples of a game, in the order in which they are to be read."""
    told = (one for one in list_scripts() if one.game == slug and one.examples)
    return tuple(
        moment for script in told for moment in _list_moments(script, load_games().get(slug))
    )


@cache
def find_opening(slug: str) -> MatchView | None:
    """Return the position before the first move of a demo match of a game, if there is one."""
    script = next((one for one in list_scripts() if one.game == slug and one.examples), None)
    return None if script is None else _list_frames(script, load_games().get(slug), 0)[0].view


def make_beginnings(game: AnyGame, options: JsonObject) -> tuple[MatchView, MatchView]:
    """Return the position before the first move of two made-up matches with these options.

    They differ where chance sets a game up. The dice of no match that there is are told by them.
    """
    first, second = (
        Script(name, game.slug, ("", ""), "", options=options) for name in ("a start", "another")
    )
    return _list_frames(first, game, 0)[0].view, _list_frames(second, game, 0)[0].view


def _list_moments(script: Script, game: AnyGame) -> list[Example]:
    frames = _list_frames(script, game, max(script.examples))
    moves = [one for one in frames if one.event is not None and one.event["kind"] == "move-made"]
    chosen = ([frames[0], *moves][number] for number in script.examples)
    return [Example(frame.view, frame.text) for frame in chosen]


def _list_frames(script: Script, game: AnyGame, moves: int) -> list[Frame]:
    games = Games([game])
    return list(
        iter_frames(_play_script(script, games, moves), games, Viewer.SERVER, finished=True)
    )


def _play_script(script: Script, games: Games, moves: int) -> list[Event]:
    """Return the events of a script's first moves."""
    repository = Repository(games, lambda: FIRST_DAY, Randomness())
    game = games.get(script.game)
    settings = [fill(game.settings, one) for one in script.settings]
    creation = commands.CreateMatch(
        match=script.match_id,
        secret=script.secret,
        game=game,
        options=fill(game.options, script.options),
        settings=settings[0],
        creator=_PLAYERS[0],
        seat=1,
    )
    appended = repository.create(creation)
    appended = repository.decide_next(appended, commands.JoinMatch(_PLAYERS[1], settings[1]))
    for text in script.moves[:moves]:
        move = game.parse_move(game.notation.read(text))
        command = commands.PlayMove(appended.match.to_act or 1, move)
        appended = repository.decide_next(appended, command)
    return list(appended.events)
