"""The program ``plybook``: its commands, each imported when it is asked for."""

from __future__ import annotations

import click

from cli.groups import Program
from cli.options import examples

COMMANDS = {
    "demo": "cli.serving:demo",
    "serve": "cli.serving:serve",
    "games": "cli.games:games",
    "rules": "cli.games:rules",
    "play": "cli.play:play",
    "match": "cli.matches:match",
    "replay": "cli.replay:replay",
    "diff": "cli.diff:diff",
    "find": "cli.find:find",
    "stats": "cli.stats:stats",
    "verify": "cli.verify:verify",
    "export": "cli.export:export",
    "import": "cli.import_:import_",
    "checkpoint": "cli.checkpoint:checkpoint",
    "keys": "cli.signing:keys",
    "remote": "cli.remote.group:remote",
    "player": "cli.players:player",
    "sweep": "cli.sweep:sweep",
    "db": "cli.db:db",
    "settings": "cli.settings:settings",
}


@click.group(
    cls=Program,
    name="plybook",
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog=examples("plybook demo", "plybook play power-line", "plybook match list --help")
    + "\n\nExit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 does not verify, "
    "4 no such thing, 5 cannot be told, 130 stopped by Ctrl-C, 141 output not wanted any more.",
)
@click.option(
    "--database",
    metavar="URL",
    help="SQLAlchemy URL or path (SQLite) of the database; otherwise PLYBOOK_DATABASE_URL, "
    "otherwise a file in your data folder.",
)
@click.version_option(package_name="plybook", message="%(prog)s %(version)s")
def main(database: str | None) -> None:
    """Play correspondence games whose every move is an event."""
