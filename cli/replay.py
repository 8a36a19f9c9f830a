"""``plybook replay``: step through a match, on a terminal or frame by frame in a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.exits import NOT_FOUND, Failure
from cli.options import as_option, database_option, examples, json_option, match_argument

if TYPE_CHECKING:
    from cli.terminal import Output
    from services.drawing.text.frames import Names
    from services.replays import Frame, Replay


@click.command(
    epilog=examples(
        "plybook replay 7m2kq9x4tbw0ed5r",
        "plybook replay 7m2kq9x4tbw0ed5r --speed 2",
        "plybook replay 7m2kq9x4tbw0ed5r --at 12 | cat",
    )
)
@match_argument
@click.option("--at", type=click.IntRange(1), metavar="N", help="The position after event N.")
@click.option("--step", is_flag=True, help="Plain frames, the next one with Enter.")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 20),
    metavar="S",
    help="Play by itself, S frames a second (0.1 to 20).",
)
@as_option
@json_option
@database_option
def replay(  # noqa: PLR0913 - one argument per option
    *,
    match_id: str,
    at: int | None,
    step: bool,
    speed: float | None,
    sight: str | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Replay MATCH.

    On a terminal, the arrow keys step; space plays by itself and stops; Home, End and q
    do what they say; ? tells the rest. In a pipe every frame is printed, with --at that
    one alone.
    """
    from cli.house import opened
    from cli.terminal import interactive, output
    from services.looking import Look

    with opened(database) as house:
        found = house.replays.replay(Look(asked=sight, local=True), match_id)
    start = 0 if at is None else _frame_at(found.frames, at)
    out = output()
    if as_json:
        _print_json(found.frames if at is None else found.frames[start : start + 1])
    elif step:
        _step(found, start, out)
    elif interactive():
        from cli.player import watch

        watch(found, start, speed, out)
    else:
        _print(found, [found.frames[start]] if at is not None else found.frames, out)


def _frame_at(frames: list[Frame], version: int) -> int:
    """Return the index of the frame at a version; before the first, the first."""
    last = frames[-1].version
    if version > last:
        raise Failure(f"This match has events 1 to {last} only.", NOT_FOUND)
    return max([0, *(index for index, one in enumerate(frames) if one.version <= version)])


def _print_json(frames: list[Frame]) -> None:
    import orjson

    from services.replays import frame_json

    for frame in frames:
        click.echo(orjson.dumps(frame_json(frame)))


def _print(found: Replay, frames: list[Frame], out: Output) -> None:
    from services.drawing.text.frames import Names, heading

    names = Names(found.shown.names)
    out.say(heading(found.shown.view, names, out.width))
    for frame in frames:
        _print_frame(frame, names, out)


def _print_frame(frame: Frame, names: Names, out: Output) -> None:
    from services.drawing.text.frames import board, rule, standing

    out.say("", rule(), f"Event {frame.version}: {frame.text}", "")
    out.say(board(frame.view, out.width), "", standing(frame.view, names))


def _step(found: Replay, start: int, out: Output) -> None:
    """Print a frame, wait for Enter, and so on; whoever reads line by line can follow."""
    from services.drawing.text.frames import Names, heading

    names = Names(found.shown.names)
    out.say(heading(found.shown.view, names, out.width))
    for frame in found.frames[start:]:
        _print_frame(frame, names, out)
        if frame is not found.frames[-1]:
            try:
                answer = input("Enter: on, q: quit > ")
            except EOFError:
                out.say()
                return
            if answer.strip().lower() in ("q", "quit"):
                return
