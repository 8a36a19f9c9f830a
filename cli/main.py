"""The program ``plybook``: its commands, each imported when it is asked for."""

from __future__ import annotations

import click

from cli.terminal.groups import Program
from cli.terminal.options import format_examples

COMMANDS = {
    "demo": "cli.admin.serve:demo",
    "serve": "cli.admin.serve:serve",
    "worker": "cli.admin.worker:worker",
    "games": "cli.commands.games:games",
    "rules": "cli.commands.games:rules",
    "play": "cli.play.play:play",
    "match": "cli.commands.matches:match",
    "replay": "cli.replay.replay:replay",
    "diff": "cli.replay.diff:diff",
    "analyse": "cli.commands.analysis:analyse",
    "find": "cli.commands.search:find",
    "stats": "cli.commands.statistics:stats",
    "puzzles": "cli.commands.puzzles:puzzles",
    "ratings": "cli.commands.ratings:ratings",
    "verify": "cli.commands.audits:verify",
    "export": "cli.commands.exports:export",
    "import": "cli.commands.imports:import_",
    "checkpoint": "cli.commands.checkpoints:checkpoint",
    "keys": "cli.admin.keys:keys",
    "remote": "cli.remote.group:remote",
    "player": "cli.admin.accounts:player",
    "moderation": "cli.admin.moderation:moderation",
    "sweep": "cli.admin.serve:sweep",
    "db": "cli.admin.db:db",
    "settings": "cli.admin.settings:settings",
}


@click.group(
    cls=Program,
    name="plybook",
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 88},
    epilog=format_examples("plybook demo", "plybook play power-line", "plybook match list --help")
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
