"""A match elsewhere as it goes on, and its replay."""

from __future__ import annotations

import time
from typing import IO, TYPE_CHECKING

import click

from cli.remote.connection import Broken, Connection, NoAnswer, make_connection
from cli.replay.replay import Wish, replay_options, show_replay
from cli.terminal.exits import Failure, print_json
from cli.terminal.options import format_examples, json_option, match_argument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from domain.json_types import JsonObject

PATIENCE = 60.0
"""Seconds for which a line that is broken is tried again."""

START = "0"
"""The id before the first event."""

REPLACED = "replaced"
"""What a stream says whose place a newer one of the same reader has taken."""

MINUTE = 60.0
"""Seconds until it is opened again then; at once, the two would drive out each other."""

RESET = "reset"
"""What a stream says when it does not know the id that it was to go on behind."""

_ANEW = "A backup has taken the place of this match. This is how it stands now:"


@click.command(
    epilog=format_examples(
        "plybook remote watch 7m2kq9x4tbw0ed5r",
        "plybook remote watch 7m2kq9x4tbw0ed5r --json > events.ndjson",
    )
)
@match_argument
@json_option
def watch(*, match_id: str, as_json: bool) -> None:
    """Watch MATCH until it is over: every move as it is made.

    A line that breaks is opened again, and nothing is missed. With --json the events are
    printed, from the first one on; if a backup takes the place of the match, a note on the
    standard error output says so, and its events follow from the first one on again.
    """
    there = make_connection()
    match = there.get(f"/matches/{match_id}")
    if not as_json:
        _watch(there, match)
        return
    for event in follow_events(there, match_id, START):
        if event is None:
            click.echo(_ANEW, err=True)
        else:
            print_json([event])


def _watch(there: Connection, match: JsonObject) -> None:
    from cli.remote.match_json import read_replay
    from cli.replay.replay import print_frame
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names

    out, names = Output(), Names({})
    game = there.get(f"/games/{match['game']}")["name"]
    path = f"/matches/{match['id']}"
    last = _show_present(there, path, game)
    for event in follow_events(there, match["id"], str(last)):
        if event is None:
            out.say("", _ANEW, "")
            last = _show_present(there, path, game)
        if event is None or event["version"] <= last:
            continue
        found = read_replay(there.get(f"{path}/replay", scene=True, **{"from": last + 1}), game)
        for frame in found.frames:
            print_frame(frame, names, out)
        last = max(event["version"], *(frame.version for frame in found.frames), last)


def _show_present(there: Connection, path: str, game: str) -> int:
    """Show a match as it stands, and return its version."""
    from cli.remote.match_json import read_match
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names, draw_moment

    out, view = Output(), read_match(there.get(path, scene=True), game).view
    out.say(*draw_moment(view, Names({}), out.width))
    return view.version


def follow_events(there: Connection, match_id: str, last: str) -> Iterator[JsonObject | None]:
    """Yield the events of a match behind the id ``last`` as they happen, until it is over.

    None: what was read is of another history, and all events of the present one follow.
    """
    since = time.monotonic()
    while True:
        try:
            with there.stream(f"/matches/{match_id}/stream", last) as lines:
                if lines is None:
                    return
                for id_, kind, data in _read_messages(lines):
                    if kind == REPLACED:
                        time.sleep(MINUTE)
                        break
                    last, since = id_, time.monotonic()
                    yield None if kind == RESET else data
        except (*Broken, NoAnswer) as lost:
            if time.monotonic() - since > PATIENCE:
                raise Failure(f"{there.url} does not answer: {lost}.") from None
            time.sleep(1)
        else:
            since = time.monotonic()


def _read_messages(lines: IO[bytes]) -> Iterator[tuple[str, str, JsonObject]]:
    """Yield id, kind and data of Server-Sent Events; one that was cut off is left out."""
    import orjson

    fields: dict[str, str] = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(": ")
        if name:
            fields[name] = value
        elif "data" in fields:
            data = orjson.loads(fields["data"])
            yield fields.get("id", START), fields.get("event", ""), data
            fields = {}
        else:
            fields = {}


@click.command(
    epilog=format_examples(
        "plybook remote replay 7m2kq9x4tbw0ed5r", "plybook remote replay 7m2kq9x4tbw0ed5r@12 | cat"
    )
)
@replay_options
def replay(*, match_id: str, sight: str | None, wish: Wish) -> None:
    """Replay MATCH, as `plybook replay` does."""
    from cli.remote.source import RemoteReplay

    show_replay(RemoteReplay(make_connection(), match_id, sight), wish)
