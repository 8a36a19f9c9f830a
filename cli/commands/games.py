"""``plybook games`` and ``plybook rules``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.terminal.exits import print_json
from cli.terminal.options import format_examples, json_option

if TYPE_CHECKING:
    from cli.terminal.output import Output

MEMBERS = ("slug", "name", "rules_version", "summary")
"""What is printed of a game as JSON."""


@click.command(epilog=format_examples("plybook games"))
@json_option
def games(*, as_json: bool) -> None:
    """List the games, and what may be set in a match of each."""
    from rich.text import Text

    from cli.terminal.output import Output
    from domain.games import load_games

    out = Output()
    for game in load_games():
        if as_json:
            print_json([{name: getattr(game, name) for name in MEMBERS}])
            continue
        out.say(Text.assemble((game.slug, "bold"), f"  {game.name}"))
        _say_wrapped(out, game.summary, "    ")
        for option in game.options:
            default = "none" if option.default is None else option.default
            _say_wrapped(out, f"{option.name}={default}  {option.describe()}", "      ")
        for setting in game.settings:
            _say_wrapped(out, f"{setting.name} (of a seat)  {setting.meaning}", "      ")


def _say_wrapped(out: Output, text: str, indent: str) -> None:
    """Print a paragraph, its second line and the rest a little further in."""
    from textwrap import fill

    from cli.terminal.output import READABLE

    width = min(READABLE, out.width)
    out.say(fill(text, width, initial_indent=indent, subsequent_indent=f"{indent}  "))


@click.command(
    epilog=format_examples("plybook rules power-line", "plybook rules power-line | less")
)
@click.argument("game")
@click.option(
    "--rules-version",
    type=click.IntRange(1),
    metavar="N",
    help="Older rules, as matches name them.",
)
def rules(*, game: str, rules_version: int | None) -> None:
    """Show the rule book of GAME, in the newest version of its rules.

    Piped, it stays Markdown.
    """
    from cli.terminal.output import Output, show_markdown
    from domain.games import load_games
    from services.rulebooks import read_rulebook

    show_markdown(read_rulebook(load_games().get(game, rules_version)), Output())
