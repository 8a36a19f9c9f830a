"""``plybook replay``: step through a match, on a terminal or frame by frame in a pipe.

Steps of matches are typed and printed as ``MATCH@12`` and ``MATCH@10..17``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli.container import open_services
from cli.terminal.exits import NOT_FOUND, Failure, print_json
from cli.terminal.options import as_option, database_option, format_examples, json_option

if TYPE_CHECKING:
    from cli.replay.source import ReplaySource
    from cli.terminal.output import Output
    from services.drawing.text.frames import Names
    from services.replays.replay import Frame, Replay


_PLACE = re.compile(r"(?P<match>[^@]+)(?:@(?P<first>[0-9]{1,9})(?:\.\.(?P<last>[0-9]{1,9}))?)?")


def read_place(text: str) -> tuple[str, int | None, int | None]:
    """Return a match and the versions that a place names, None where it does not.

    >>> read_place("7m2kq9x4tbw0ed5r@10..17")
    ('7m2kq9x4tbw0ed5r', 10, 17)
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        raise click.UsageError(f"{text[:60]!r} is none of MATCH, MATCH@12 and MATCH@10..17.")
    first, last = (None if found[name] is None else int(found[name]) for name in ("first", "last"))
    return found["match"], first, last


def get_frame_index(frames: list[Frame], version: int) -> int:
    """Return the index of the frame at a version; before the first, the first."""
    from cli.replay.source import find_by_version

    place = find_by_version(frames, version)
    if place is None:
        raise Failure(f"This match has events 1 to {frames[-1].version} only.", NOT_FOUND)
    return place


class Wish(NamedTuple):
    """How a replay is to be shown; ``at``: at which version it begins."""

    at: int | None
    step: bool
    speed: float | None
    follow: bool
    as_json: bool


def replay_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the place and the options; the command gets ``match_id``, ``sight`` and ``wish``."""

    @wraps(command)
    def shown(*, place: str, **given: Any) -> None:  # noqa: ANN401 - its options
        wish = Wish(*(given.pop(name) for name in Wish._fields))
        match_id, version, last = read_place(place)
        if last is not None or (version is not None and wish.at is not None):
            raise click.UsageError("Name one step: MATCH@12, or --at 12.")
        if wish.follow and (wish.step or wish.at is not None):
            raise click.UsageError(
                "--follow goes on by itself: it goes with neither --step nor --at."
            )
        if version is not None:
            wish = wish._replace(at=version)
        command(match_id=match_id, wish=wish, **given)

    for option in reversed(
        [
            click.argument("place", metavar="MATCH[@N]"),
            click.option(
                "--at", type=click.IntRange(1), metavar="N", help="The position after event N."
            ),
            click.option("--step", is_flag=True, help="Plain frames, the next one with Enter."),
            click.option(
                "--speed",
                type=click.FloatRange(0.1, 20),
                metavar="S",
                help="Play by itself, S frames a second (0.1 to 20).",
            ),
            click.option(
                "--follow", is_flag=True, help="Go on with new moves until the match is over."
            ),
            as_option,
            json_option,
        ]
    ):
        shown = option(shown)
    return shown


@click.command(
    epilog=format_examples(
        "plybook replay 7m2kq9x4tbw0ed5r",
        "plybook replay 7m2kq9x4tbw0ed5r@12 --as spectator",
        "plybook replay 7m2kq9x4tbw0ed5r --speed 2",
        "plybook replay 7m2kq9x4tbw0ed5r --follow --json",
        "plybook replay 7m2kq9x4tbw0ed5r --at 12 | cat",
    )
)
@replay_options
@database_option
def replay(*, match_id: str, sight: str | None, wish: Wish, database: str | None) -> None:
    """Replay MATCH.

    On a terminal it takes the whole screen: the board, the moves, and keys for the rest.
    The arrow keys step, in a series from match to match; space plays by itself and stops;
    / searches; i shows the event with its hash and seals; d what differs from the step
    before; s looks through other eyes; ? tells all keys. In a pipe every frame is
    printed, with --at (or MATCH@N) that one alone.
    """
    from cli.replay.source import StoredReplay

    with open_services(database) as house:
        show_replay(StoredReplay(house, match_id, sight), wish)


def show_replay(source: ReplaySource, wish: Wish) -> None:
    """Show a replay: on the whole screen of a terminal, frame by frame in a pipe."""
    from cli.terminal.output import Output, is_interactive
    from services.drawing.text.frames import Names

    found = source.load()
    start = 0 if wish.at is None else get_frame_index(found.frames, wish.at)
    if wish.step:
        _step(source, found, start, Output())
    elif is_interactive() and not wish.as_json:
        _watch(source, found, start, wish.speed, follow=wish.follow)
    else:
        show = partial(_print, Output(), Names(found.shown.names), as_json=wish.as_json)
        if not wish.as_json:
            _print_heading(found, Output())
        show(found.frames if wish.at is None else found.frames[start : start + 1])
        if wish.follow:
            _follow(source, found, show)


def _watch(
    source: ReplaySource, found: Replay, start: int, speed: float | None, *, follow: bool
) -> None:
    """Show it on the whole screen; who follows a match begins at its end."""
    from cli.replay.navigation import SPEED, Navigation
    from cli.replay.watch import Watching
    from cli.terminal.output import Output

    player = Navigation(len(found.frames), start, speed or SPEED, playing=speed is not None)
    goes_on = follow and found.shown.view.result is None
    if goes_on and start == 0 and speed is None:
        player.go(player.count - 1)
    Watching(source, found, player, follow=follow).run(Output())


def _follow(source: ReplaySource, found: Replay, show: Callable[[list[Frame]], None]) -> None:
    """Show new frames as they come, until the match is over."""
    import time

    from cli.replay.watch import POLL

    while found.shown.view.result is None:
        time.sleep(POLL)
        news = source.find_news(found)
        if news is not None:
            shown = found.frames[-1].version
            found = news
            show([frame for frame in found.frames if frame.version > shown])


def _print_heading(found: Replay, out: Output) -> None:
    from services.drawing.text.frames import Names, draw_heading

    out.say(draw_heading(found.shown.view, Names(found.shown.names), out.width))


def _print(out: Output, names: Names, frames: list[Frame], *, as_json: bool) -> None:
    from services.replays.replay import frame_json

    for frame in frames:
        if as_json:
            print_json([frame_json(frame)])
        else:
            print_frame(frame, names, out)


def print_frame(frame: Frame, names: Names, out: Output) -> None:
    """Print a frame below a line: what happened, the board, and how it stands."""
    from services.drawing.text.frames import describe_standing, draw_board, draw_rule
    from services.replays.replay import tell_frame

    told = names.tell(frame.view, tell_frame(frame))
    out.say("", draw_rule(), told, f"@{frame.version}", "")
    out.say(draw_board(frame.view, out.width, names), "", describe_standing(frame.view, names))


def _step(source: ReplaySource, found: Replay, start: int, out: Output) -> None:
    """Print a frame, wait for Enter, and so on; whoever reads line by line can follow.

    Behind the last frame of a match comes the next match of its series.
    """
    while _step_through(found, start, out):
        over = found.shown.view.result is not None
        if not (over and source.walk(found, 1) and _ask_to_go_on(out, "on to the next match")):
            return
        found, start = source.load(), 0


def _step_through(found: Replay, start: int, out: Output) -> bool:
    """Go through the frames of a match; False: its reader has left."""
    from services.drawing.text.frames import Names

    names = Names(found.shown.names)
    _print_heading(found, out)
    for frame in found.frames[start:]:
        print_frame(frame, names, out)
        if frame is not found.frames[-1] and not _ask_to_go_on(out, "on"):
            return False
    return True


def _ask_to_go_on(out: Output, where: str) -> bool:
    try:
        answer = out.ask(f"Enter: {where}, q: quit > ")
    except EOFError:
        out.say()
        return False
    return answer.strip().lower() not in ("q", "quit")
