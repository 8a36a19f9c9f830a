"""Conditional moves elsewhere: one's own lines, listed, written and deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cli.remote.connection import make_connection
from cli.terminal.exits import format_minute, print_json, tell_found, tell_line
from cli.terminal.options import format_examples, json_option, match_argument, object_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.remote.connection import Connection
    from domain.json_types import JsonObject

WRITTEN = ("if", "then", "next")
"""What a line is made of; its label and its text the service makes."""


@click.command(
    epilog=format_examples(
        "plybook remote lines 7m2kq9x4tbw0ed5r",
        "plybook remote lines 7m2kq9x4tbw0ed5r --add @line.json",
        "plybook remote lines 7m2kq9x4tbw0ed5r --set @lines.json",
        "plybook remote lines 7m2kq9x4tbw0ed5r --delete 1.2",
        "plybook remote lines 7m2kq9x4tbw0ed5r --told",
    )
)
@match_argument
@object_option(
    "--add",
    'One more line, such as {"if": {"steps": 1}, "then": [{"steps": 3}]}: what your opponent '
    "plays, and what you answer.",
)
@object_option("--set", 'All your lines anew: {"lines": [...]}.')
@click.option("--delete", "label", metavar="LABEL", help="Delete a line and what follows on it.")
@click.option("--clear", is_flag=True, help="Delete all of them.")
@click.option("--told", is_flag=True, help="What happened to your lines, each with its reason.")
@json_option
def lines(  # noqa: PLR0913 - one argument per option
    *,
    match_id: str,
    add: dict[str, Any] | None,
    set: dict[str, Any] | None,  # noqa: A002 - the option's name
    label: str | None,
    clear: bool,
    told: bool,
    as_json: bool,
) -> None:
    """List your conditional moves in MATCH: if they play this, I play that.

    They are played with the move that they answer, and nobody else sees them before that. Moves
    are written as JSON, as `plybook remote move MATCH --list --json` shows yours. In your own
    turn --set takes "after" too: the moves that you will make yourself first.
    """
    if sum((add is not None, set is not None, label is not None, clear, told)) > 1:
        raise click.UsageError("One thing at a time: --add, --set, --delete, --clear or --told.")
    there, path = make_connection(), f"/matches/{match_id}/conditional-moves"
    if told:
        found = list(there.iter_all(f"{path}/happenings", "happenings", limit=100))
        nothing = "Nothing has become of any line yet."
        tell_found(found[::-1], _describe_happening, nothing, as_json=as_json)
        return
    kept = there.get(path)
    if add is not None:
        now = [_keep_written(line) for line in kept["lines"]]
        kept = _put(there, path, kept, {"lines": [*now, add], "after": kept["after"]})
    elif set is not None:
        kept = _put(there, path, kept, set)
    elif label is not None or clear:
        end = "" if label is None else f"/{label}"
        kept = there.delete(path + end, kept["version"])
    _show(kept, as_json=as_json)


def _put(there: Connection, path: str, kept: JsonObject, lines: JsonObject) -> JsonObject:
    based = {"match_version": kept["match_version"], "expected_version": kept["version"]}
    changed: JsonObject = there.put(path, {**lines, **based}, once=True)
    return changed


def _keep_written(line: JsonObject) -> JsonObject:
    written = {name: line[name] for name in WRITTEN}
    return {**written, "next": [_keep_written(one) for one in line["next"]]}


def _show(kept: JsonObject, *, as_json: bool) -> None:
    if as_json:
        print_json([kept])
        return
    if kept["after"]:
        tell_line(f"Behind moves of your own: {len(kept['after'])}.")
    for text in _iter_texts(kept["lines"], 0):
        tell_line(text)
    if not kept["lines"]:
        tell_line("You have no conditional moves in this match.", err=True)


def _iter_texts(found: list[JsonObject], depth: int) -> Iterator[str]:
    for line in found:
        yield f"{'  ' * depth}{line['line']}  {line['text']}"
        yield from _iter_texts(line["next"], depth + 1)


def _describe_happening(one: JsonObject) -> str:
    return f"{format_minute(one['at'])}  @{one['version']}  {one['kind']}. {one['text']}"
