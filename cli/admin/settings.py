"""``plybook settings``: what can be set, and what is set."""

from __future__ import annotations

import os

import click

from cli.container import read_settings
from cli.terminal.exits import print_json, tell_line
from cli.terminal.options import database_option, format_examples, json_option


@click.command(epilog=format_examples("PLYBOOK_RATE_LIMIT=0 plybook settings"))
@json_option
@database_option
def settings(*, as_json: bool, database: str | None) -> None:
    """List the settings: value, default and meaning of each.

    All are read from the environment. A star stands before those that are set there.
    """
    listed = _list_settings(read_settings(database))
    if as_json:
        print_json(listed)
        return
    for one in listed:
        star = "*" if one["name"] in os.environ else " "
        click.echo(f"{star} {one['name']}={one['value']}")
        default = "" if one["value"] == one["default"] else f" Default: {one['default'] or 'none'}."
        tell_line(f"    {one['meaning']}{default}", behind=4)


def _list_settings(settings: object) -> list[dict[str, object]]:
    from services.runtime.mail_server import hide_password
    from services.runtime.settings import PREFIX, Settings, get_default_database
    from services.store.db.engine import Database

    listed = []
    for name, field in Settings.__dataclass_fields__.items():
        value, default = getattr(settings, name), field.default
        if name == "database_url":
            # The password stays where it is: this list is made to be shown around.
            value, default = Database(value).shown_url, get_default_database()
        if name == "smtp_url":
            value = hide_password(value)
        listed.append(
            {
                "name": PREFIX + name.upper(),
                "value": value,
                "default": default,
                "meaning": field.metadata["meaning"],
            }
        )
    return listed
