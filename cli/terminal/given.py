"""Options of a match and settings of a seat, as they are given to a command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cli.terminal.exits import REFUSED, Failure
from cli.terminal.options import Command

if TYPE_CHECKING:
    from domain.game.game import AnyGame


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
    try:
        found = orjson.loads(_text(value, param, ctx))
    except orjson.JSONDecodeError as error:
        raise click.BadParameter(f"This is not JSON: {error}.", ctx, param) from error
    if not isinstance(found, dict):
        raise click.BadParameter('This must be a JSON object: {"name": value}.', ctx, param)
    return found


def _text(value: str, param: click.Parameter, ctx: click.Context) -> str | bytes:
    if not value.startswith("@"):
        return value
    with click.File("rb").convert(value[1:], param, ctx) as file:
        read: bytes = file.read()
    return read


def pace_options(command: Command) -> Command:
    """Add ``--pace`` and ``--days-per-move``, which ``chosen_pace`` makes one of."""
    days = click.option(
        "--days-per-move", type=click.IntRange(1, 60), metavar="N", help="As pace: so many days."
    )
    return object_option("--pace", "How much time the seats have, as the API takes it.")(
        days(command)
    )


def chosen_pace(pace: dict[str, Any] | None, days_per_move: int | None) -> dict[str, Any] | None:
    """Return the pace that was asked for; None: no clock."""
    if pace is not None and days_per_move is not None:
        raise click.UsageError("Give either --pace or --days-per-move.")
    return {"days_per_move": days_per_move} if days_per_move is not None else pace


def named_values(given: tuple[str, ...]) -> dict[str, Any]:
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


def check(
    game: AnyGame, options: dict[str, Any], settings: tuple[dict[str, Any], dict[str, Any]]
) -> None:
    """Refuse what does not fit the game, before anybody has been asked or anything stored.

    Raises ``Failure``, which says of settings whose they are.
    """
    from domain.errors import InvalidOptions, InvalidSettings, Refusal
    from domain.game.options import fill

    fill(game.options, options, InvalidOptions)
    for seat, given in enumerate(settings, 1):
        try:
            fill(game.settings, given, InvalidSettings)
        except Refusal as refusal:
            raise Failure(f"Settings of P{seat}: {refusal.detail}", REFUSED) from refusal


def time_option(name: str, meaning: str) -> Callable[[Command], Command]:
    """Add an option that takes a day or an instant, in UTC unless it says otherwise.

    The command gets an instant in the form of the event format; left out, it is None.
    """
    return click.option(name, metavar="TIME", callback=_read_time, help=meaning)


def _read_time(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    from datetime import UTC, datetime

    from services.runtime.clock import instant

    if value is None:
        return None
    try:
        when = datetime.fromisoformat(value)
        return instant(when if when.tzinfo else when.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise click.BadParameter(
            f"{value[:40]!r} is no time like 2026-11-27 or 2026-11-27T22:00.", ctx, param
        ) from None
