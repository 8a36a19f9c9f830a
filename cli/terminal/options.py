"""Options and arguments that several commands share, and asking before what cannot be undone."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from cli.terminal.exits import USAGE, Failure

Command = TypeVar("Command", bound=Callable[..., Any])

STATUSES = ("open", "active", "finished", "aborted")
"""Of matches and of series."""

match_argument = click.argument("match_id", metavar="MATCH")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, one value a line.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a line of names.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask whether that is meant.")

database_option = click.option(
    "--database",
    metavar="URL",
    # It may also stand before the command.
    callback=lambda ctx, _, value: value or ctx.find_root().params.get("database"),
    help="Which database; otherwise PLYBOOK_DATABASE_URL, otherwise a file of yours.",
)

as_option = click.option(
    "--as",
    "sight",
    type=click.Choice(["seat-1", "seat-2", "spectator"]),
    help="Through whose eyes. Otherwise a spectator's; of a finished match, everything.",
)

faults_option = click.option(
    "--most-faults",
    type=click.IntRange(min=0),
    default=1_000,
    show_default=True,
    metavar="N",
    help="Stop after so many matches that do not hold; 0: go on to the end.",
)


def must_choose(*, as_csv: bool, as_json: bool) -> None:
    """Refuse two formats at once."""
    if as_csv and as_json:
        raise click.UsageError("Choose one of --csv and --json.")


def format_examples(*lines: str) -> str:
    """Return the end of a command's help: how it is typed. Nothing of it is wrapped."""
    return "\n".join(
        ["\b", "Example:" if len(lines) == 1 else "Examples:", *map("  {}".format, lines)]
    )


def object_option(name: str, meaning: str) -> Callable[[Command], Command]:
    """Add an option that takes a JSON object, as it is or, after an ``@``, from a file.

    ``@-`` is standard input. What cannot be read is wrong usage; left out, it is None.
    """
    return click.option(name, metavar="JSON|@FILE", callback=_read_object, help=meaning)


def _read_object(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> dict[str, Any] | None:
    import orjson

    if value is None:
        return None
    text: str | bytes = value
    if value.startswith("@"):
        with click.File("rb").convert(value[1:], param, ctx) as file:
            text = file.read()
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise click.BadParameter(f"This is not JSON: {error}.", ctx, param) from error
    if not isinstance(found, dict):
        raise click.BadParameter('This must be a JSON object: {"name": value}.', ctx, param)
    return found


def pace_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add ``--pace`` and ``--days-per-move``; the command gets a pace, or None: no clock."""

    @wraps(command)
    def paced(*, pace: object, days_per_move: int | None, **given: Any) -> None:  # noqa: ANN401 - its options
        if pace is not None and days_per_move is not None:
            raise click.UsageError("Give either --pace or --days-per-move.")
        if days_per_move is not None:
            pace = {"days_per_move": days_per_move}
        command(pace=pace, **given)

    days = click.option(
        "--days-per-move", type=click.IntRange(1, 60), metavar="N", help="As pace: so many days."
    )
    return object_option("--pace", "How much time the seats have, as the API takes it.")(
        days(paced)
    )


best_of_option = click.option(
    "--best-of",
    type=int,
    metavar="N",
    help="Begin a series: who cannot be caught up any more has won.",
)
"""Gives an odd number of matches, or None: one match alone."""

_RANGE = re.compile(r"(?P<min>[0-9]*)-(?P<max>[0-9]*)", re.ASCII)
HIGHEST = 9999
"""Points: a range up to here has no upper end."""


def rating_range_option(command: Command) -> Command:
    """Add ``--rating-range``, in points; the command gets what the API takes, or None."""
    return click.option(
        "--rating-range",
        metavar="MIN-MAX",
        callback=_read_range,
        help="Only who has such a rating may join, as 1400-1700, 1400- or -1700.",
    )(command)


def _read_range(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> dict[str, int] | None:
    from domain.rating.glicko2 import HUNDREDTHS

    if value is None:
        return None
    found = _RANGE.fullmatch(value)
    ends = {name: int(end[:9]) for name, end in found.groupdict().items() if end} if found else {}
    if not ends:
        told = f"{value[:40]!r} is no range of ratings such as 1400-1700, 1400- or -1700."
        raise click.BadParameter(told, ctx, param)
    if max(ends.values()) > HIGHEST:
        raise click.BadParameter(f"Ratings are 0 to {HIGHEST} points.", ctx, param)
    if ends.get("min", 0) > ends.get("max", HIGHEST):
        raise click.BadParameter("The lowest rating is above the highest.", ctx, param)
    return {name: end * HUNDREDTHS for name, end in ends.items()}


named_option = click.option(
    "-o",
    "--option",
    "words",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the match; `plybook games` lists them.",
)
"""Gives the words that ``read_named_values`` reads."""


def read_named_values(given: tuple[str, ...]) -> dict[str, Any]:
    """Read ``name=value`` words: a value is JSON where it can be, otherwise a word."""
    import orjson

    values = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.BadParameter(f"{one!r} is not of the form NAME=VALUE.", param_hint="-o")
        try:
            values[name] = orjson.loads(value)
        except orjson.JSONDecodeError:
            values[name] = value
    return values


def time_option(name: str, meaning: str) -> Callable[[Command], Command]:
    """Add an option that takes a day or an instant, in UTC unless it says otherwise.

    The command gets an instant in the form of the event format; left out, it is None.
    """
    return click.option(name, metavar="TIME", callback=_read_time, help=meaning)


def _read_time(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    from domain.match.clock import parse_instant

    if value is None:
        return None
    try:
        return parse_instant(value)
    except ValueError:
        raise click.BadParameter(
            f"{value[:40]!r} is no time like 2026-11-27 or 2026-11-27T22:00.", ctx, param
        ) from None


def ask_secret(what: str, *, twice: bool = False) -> str:
    """Ask for a secret on a terminal, ``twice`` for a new one; else take the input's first line."""
    if sys.stdin.isatty():
        answer: str = click.prompt(what, hide_input=True, confirmation_prompt=twice, err=True)
        return answer
    return sys.stdin.readline().rstrip("\r\n")


def must_be_sure(question: str, *, yes: bool) -> None:
    """Ask, unless ``yes`` was said already.

    Raises ``Abort`` for a no, and ``Failure`` where nobody is there to answer.
    """
    if yes:
        return
    try:
        meant = click.confirm(question, err=True)
    except click.Abort:
        # Ctrl-C and Ctrl-D at a terminal are answers; an input that has ended is none.
        if sys.stdin.isatty():
            raise
        raise Failure("Nobody is there to answer: say that it is meant by --yes.", USAGE) from None
    if not meant:
        raise click.Abort
