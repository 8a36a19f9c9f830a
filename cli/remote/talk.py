"""Notes and chat beside a match elsewhere."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.remote.connection import make_connection
from cli.terminal.exits import USAGE, Failure, format_minute, tell_found, tell_line
from cli.terminal.options import format_examples, json_option, match_argument

if TYPE_CHECKING:
    from domain.json_types import JsonObject

ROOMS = ("players", "spectators")

WITHIN = 4
"""How far in the further lines of a note or a message begin, at a terminal."""


@click.command(
    epilog=format_examples(
        "plybook remote note 7m2kq9x4tbw0ed5r",
        "plybook remote note 7m2kq9x4tbw0ed5r 'The long line wins.' --at 9",
        "plybook remote note 7m2kq9x4tbw0ed5r --at 9 --delete",
    )
)
@match_argument
@click.argument("text", required=False)
@click.option(
    "--at",
    type=click.IntRange(0),
    default=0,
    metavar="N",
    help="On the match as it was after event N; otherwise on the whole match.",
)
@click.option("--delete", is_flag=True, help="Delete the note.")
@json_option
def note(*, match_id: str, text: str | None, at: int, delete: bool, as_json: bool) -> None:
    """Write TEXT on MATCH, for yourself alone; without it, list your notes.

    TEXT `-` is read from standard input.
    """
    if delete and text is not None:
        raise click.UsageError("Give a text, or --delete, and not both.")
    there, path = make_connection(), f"/matches/{match_id}/notes"
    if delete:
        there.delete(f"{path}/{at}")
        tell_line("The note is deleted.")
    elif text is None:
        _show_notes(there.get(path)["notes"], as_json=as_json)
    else:
        _show_notes([there.put(f"{path}/{at}", {"text": _read_text(text)})], as_json=as_json)


def _show_notes(found: list[JsonObject], *, as_json: bool) -> None:
    def line(one: JsonObject) -> str:
        where = f"@{one['version']}" if one["version"] else "The whole match"
        return f"{where}: {one['text']}"

    tell_found(found, line, "You have no notes on this match.", as_json=as_json, behind=WITHIN)


@click.command(
    epilog=format_examples(
        "plybook remote chat 7m2kq9x4tbw0ed5r",
        "plybook remote chat 7m2kq9x4tbw0ed5r 'Good luck!'",
        "plybook remote chat 7m2kq9x4tbw0ed5r --room spectators --delete 3",
    )
)
@match_argument
@click.argument("text", required=False)
@click.option("--room", type=click.Choice(ROOMS), help="Otherwise that of players, if you are one.")
@click.option("--delete", type=click.IntRange(1), metavar="N", help="Delete a message of yours.")
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True)
@json_option
def chat(  # noqa: PLR0913 - one argument per option
    *,
    match_id: str,
    text: str | None,
    room: str | None,
    delete: int | None,
    limit: int,
    as_json: bool,
) -> None:
    """Say TEXT beside MATCH; without it, read what was said, the newest last.

    TEXT `-` is read from standard input.
    """
    if delete is not None and text is not None:
        raise click.UsageError("Give a text, or --delete, and not both.")
    there = make_connection()
    if room is None:
        room = ROOMS[there.get(f"/matches/{match_id}")["you"] is None]
    path = f"/matches/{match_id}/chat/{room}"
    if delete is not None:
        there.delete(f"{path}/{delete}")
        tell_line("The message is deleted.")
    elif text is not None:
        _show_messages([there.post(path, {"text": _read_text(text)})], room, as_json=as_json)
    else:
        found = list(islice(there.iter_all(path, "messages", limit=min(limit, 100)), limit))
        _show_messages(found[::-1], room, as_json=as_json)


def _show_messages(found: list[JsonObject], room: str, *, as_json: bool) -> None:
    def line(one: JsonObject) -> str:
        said = "(deleted)" if one["text"] is None else one["text"]
        return f"{one['number']}  {format_minute(one['at'])}  {one['player']}: {said}"

    nothing = f"Nothing has been said in the room of the {room}."
    tell_found(found, line, nothing, as_json=as_json, behind=WITHIN)


def _read_text(text: str) -> str:
    """Return a text as it was given, or what stands on standard input."""
    if text != "-":
        return text
    read: str = sys.stdin.read().rstrip()
    if not read:
        raise Failure("There is nothing on standard input.", USAGE)
    return read
