"""``plybook diff``: what differs between two steps of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.container import open_services
from cli.replay.replay import get_frame_index, read_place
from cli.terminal.exits import print_json
from cli.terminal.options import as_option, database_option, format_examples, json_option

if TYPE_CHECKING:
    from services.replays.replay import Replay


@click.command(
    epilog=format_examples(
        "plybook diff 7m2kq9x4tbw0ed5r@10..17",
        "plybook diff 7m2kq9x4tbw0ed5r 10 17",
        "plybook diff 7m2kq9x4tbw0ed5r@12 --as seat-1 --json",
    )
)
@click.argument("place", metavar="MATCH[@N[..M]]")
@click.argument("first", metavar="[N]", type=click.IntRange(1), required=False)
@click.argument("last", metavar="[M]", type=click.IntRange(1), required=False)
@as_option
@json_option
@database_option
def diff(  # noqa: PLR0913 - one argument per option
    *,
    place: str,
    first: int | None,
    last: int | None,
    sight: str | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Tell what differs between two steps of MATCH: after event N, and after event M.

    What happened in between, both boards, and every value of the state that is another
    one, by its path, which `plybook find --where` takes too. With N alone: what event N
    did.
    """
    from services.matches.queries import Asker

    match_id, one, other = read_place(place)
    if (one is not None) == (first is not None):
        raise click.UsageError("Say which steps: MATCH@10..17, MATCH 10 17, or MATCH@12 alone.")
    one, other = (one, other) if one is not None else (first, last)
    if one is not None and other is not None and other < one:
        raise click.UsageError(f"Event {other} comes before event {one}: name the earlier first.")
    with open_services(database) as house:
        found = house.replays.replay(Asker(asked=sight, local=True), match_id)
    later = get_frame_index(found.frames, other or one or 0)
    earlier = get_frame_index(found.frames, one or 0) if other else max(0, later - 1)
    if as_json:
        _print_json(found, earlier, later)
    else:
        from cli.replay.differences import describe_differences
        from cli.terminal.output import Output
        from services.drawing.text.frames import Names, draw_heading

        out = Output()
        out.say(draw_heading(found.shown.view, Names(found.shown.names), out.width))
        out.say(*describe_differences(found, earlier, later, out.width))


def _print_json(found: Replay, earlier: int, later: int) -> None:
    from services.replays.replay import change_json, compare_states, list_between

    differing = compare_states(found.frames[earlier], found.frames[later])
    told = {
        "match": found.shown.view.id,
        "from": found.frames[earlier].version,
        "to": found.frames[later].version,
        "happened": [frame.text for frame in list_between(found.frames, earlier, later)],
        "changes": [change_json(change) for change in differing],
    }
    print_json([told])
