"""``plybook find``: the first step of a match, or of many, at which something holds."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.container import open_services
from cli.terminal.exits import NOT_FOUND, Failure, print_json, tell_line
from cli.terminal.options import as_option, database_option, format_examples, json_option

if TYPE_CHECKING:
    from services.container import Services
    from services.matches.queries import Asker
    from services.replays.search import Condition, FoundStep, StepFilter


@click.command(
    epilog=format_examples(
        "plybook find 7m2kq9x4tbw0ed5r --text captures",
        "plybook find 7m2kq9x4tbw0ed5r --where 'players.1.score = 10 and to_act = 2'",
        "plybook find 7m2kq9x4tbw0ed5r --kind turn-passed --every",
        "plybook find --game power-lines --where 'count(players.*.hand) = 0'",
    )
)
@click.argument("matches", metavar="[MATCH]...", nargs=-1)
@click.option("--text", metavar="TEXT", help="TEXT stands in the sentence that tells the step.")
@click.option("--where", metavar="CONDITION", help="CONDITION holds of the state; see below.")
@click.option("--kind", metavar="KIND", help="The step's event is of this kind.")
@click.option("--player", metavar="NAME", help="The step is this player's doing.")
@click.option("--game", metavar="GAME", help="In all public matches of this game.")
@click.option("--all", "everywhere", is_flag=True, help="In all public matches.")
@click.option("--every", is_flag=True, help="Every such step of a match, not just the first.")
@as_option
@json_option
@database_option
def find(  # noqa: PLR0913 - one argument per option
    *,
    matches: tuple[str, ...],
    text: str | None,
    where: str | None,
    kind: str | None,
    player: str | None,
    game: str | None,
    everywhere: bool,
    every: bool,
    sight: str | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Find the first step of each MATCH at which something holds.

    Prints MATCH@N and what happened there, a line for each match that has such a step;
    exit code 4 if none has. Steps are the position before the first move, and every
    event from then on. If several things are asked for, all of them must hold. Only what
    the viewer may see is looked at (--as).

    A CONDITION compares values of the state, as the game's rule page and `plybook replay
    --json` have it. Members are named, items of lists counted from 0, * is each of them:
    players.0.score, players.*.hand. There are = != < <= > >=, `has` (an item of a list,
    a part of a text), count(PATH), and, or, not, brackets. Beside the state: version,
    ply, to_act, text, and event with its members, as in event.data.seat.
    """
    from cli.terminal.output import counting
    from domain.match.events import FACTS
    from services.matches.queries import Asker
    from services.replays.search import StepFilter

    if bool(matches) == bool(game or everywhere):
        raise click.UsageError("Name matches, or a game with --game, or all of them with --all.")
    if text is None and where is None and kind is None and player is None:
        raise click.UsageError("Say what to find: --text, --where, --kind or --player.")
    if kind is not None and kind not in FACTS:
        raise click.BadParameter(f"{kind!r} is none of {', '.join(FACTS)}.", param_hint="'--kind'")
    wanted = StepFilter(text, kind, player, _read_condition(where))
    look, found = Asker(asked=sight, local=True), 0
    with open_services(database) as house, counting("matches") as counted:
        if game is not None:
            house.games.get(game)
        ids = iter(matches) if matches else house.search.iter_matches(game, player)
        for match_id in counted.count_each(ids):
            steps = house.search.iter_steps(look, match_id, wanted)
            for one in islice(steps, None if every else 1):
                found += 1
                counted.run_aside(_print, one, as_json=as_json)
        if not found:
            raise Failure(_describe_nothing(house, look, matches, wanted), NOT_FOUND)


def _read_condition(where: str | None) -> Condition | None:
    from services.errors import InvalidRequest
    from services.replays.search import parse

    try:
        return None if where is None else parse(where)
    except InvalidRequest as error:
        raise click.BadParameter(error.detail, param_hint="'--where'") from error


def _describe_nothing(
    house: Services, look: Asker, matches: tuple[str, ...], wanted: StepFilter
) -> str:
    """Say that nothing was found; of one match also which path leads nowhere in it."""
    said = "Nothing like that was found."
    if len(matches) == 1 and wanted.where is not None:
        unknown = house.search.list_unknown(look, matches[0], wanted.where)
        if unknown:
            said += f" No step of this match has {' or '.join(unknown)}: is that the right path?"
    return said


def _print(one: FoundStep, *, as_json: bool) -> None:
    if as_json:
        from services.replays.replay import frame_json

        print_json([{"match": one.match, **frame_json(one.frame)}])
    else:
        tell_line(f"{one.match}@{one.frame.version}  {one.frame.text}")
