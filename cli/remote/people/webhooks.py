"""Webhooks elsewhere: addresses of one's own that are told of what happens."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import click

from cli.remote.connection import Connection, make_connection
from cli.terminal.exits import format_minute, print_json, tell_found, tell_line
from cli.terminal.options import format_examples, json_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from domain.json_types import JsonObject

MOST_A_PAGE = 100


@click.command(
    epilog=format_examples(
        "plybook remote webhooks",
        "plybook remote webhooks --add https://bot.example/plybook --type match.turn",
        "plybook remote webhooks w_7m2kq9x4tbw0ed5r --name 'my bot'",
        "plybook remote webhooks w_7m2kq9x4tbw0ed5r --test",
        "plybook remote webhooks w_7m2kq9x4tbw0ed5r --sent",
        "plybook remote webhooks w_7m2kq9x4tbw0ed5r --redeliver 2718281828459045",
    )
)
@click.argument("webhook", required=False)
@click.option("--add", metavar="URL", help="Make a webhook; its secret is shown this once.")
@click.option(
    "--type",
    "types",
    multiple=True,
    metavar="TYPE",
    help="What it is told; several times for more; otherwise everything.",
)
@click.option("--name", help="What you call it.")
@click.option("--url", help="Its address, in the place of the former one.")
@click.option("--sent", "act", flag_value="sent", help="List what WEBHOOK was sent.")
@click.option("--test", "act", flag_value="test", help="Send a test.")
@click.option("--rotate", "act", flag_value="rotate", help="Give it another secret.")
@click.option("--on", "act", flag_value="on", help="Turn it on again.")
@click.option("--off", "act", flag_value="off", help="Turn it off.")
@click.option("--delete", "act", flag_value="delete", help="Delete it.")
@click.option("--redeliver", type=click.IntRange(0), metavar="NUMBER", help="Send it once more.")
@click.option("--limit", type=click.IntRange(1, 1000), default=25, show_default=True)
@json_option
def webhooks(  # noqa: PLR0913 - one argument per option
    *,
    webhook: str | None,
    add: str | None,
    types: tuple[str, ...],
    name: str | None,
    url: str | None,
    act: str | None,
    redeliver: int | None,
    limit: int,
    as_json: bool,
) -> None:
    """List your webhooks, or do something with WEBHOOK.

    A webhook is an address of yours, told by POST when it is your turn and of what else
    concerns you. The types are match.turn, match.challenge, match.over, match.time-low
    and series.over.
    """
    if sum((add is not None, act is not None, redeliver is not None)) > 1:
        raise click.UsageError("Ask for one thing at a time.")
    told = {"types": [*types] or None, "name": name, "url": add or url}
    members = {member: value for member, value in told.items() if value is not None}
    changes = act is not None or redeliver is not None or (add is None and bool(members))
    if changes != (webhook is not None):
        raise click.UsageError("Name the webhook, and say what to do with it.")
    there = make_connection()
    if add is not None:
        made = there.post("/webhooks", members)
        _show_secret(made, as_json=as_json)
    elif webhook is None:
        found = there.get("/webhooks")["webhooks"]
        tell_found(found, _describe_webhook, "You have no webhooks.", as_json=as_json)
    elif act == "sent":
        _show_sent(there, webhook, limit, as_json=as_json)
    else:
        _do(there, webhook, act, redeliver, members, as_json=as_json)


def _do(  # noqa: PLR0913 - what was asked for
    there: Connection,
    webhook: str,
    act: str | None,
    number: int | None,
    members: JsonObject,
    *,
    as_json: bool,
) -> None:
    path = f"/webhooks/{webhook}"
    if number is not None:
        _tell(
            there.post(f"{path}/deliveries/{number}/redeliver"), _describe_delivery, as_json=as_json
        )
    elif act == "test":
        _tell(there.post(f"{path}/test"), _describe_delivery, as_json=as_json)
    elif act == "rotate":
        _show_secret(there.post(f"{path}/rotate"), as_json=as_json)
    elif act == "delete":
        there.delete(path)
        tell_line("The webhook is deleted.")
    else:
        change = members if act is None else {"active": act == "on"}
        _tell(there.patch(path, change), _describe_webhook, as_json=as_json)


def _tell(found: JsonObject, line: Callable[[JsonObject], str], *, as_json: bool) -> None:
    tell_found([found], line, "", as_json=as_json)


def _show_sent(there: Connection, webhook: str, limit: int, *, as_json: bool) -> None:
    path, page = f"/webhooks/{webhook}/deliveries", min(limit, MOST_A_PAGE)
    found = islice(there.iter_all(path, "deliveries", limit=page), limit)
    tell_found(found, _describe_delivery, "Nothing has been sent yet.", as_json=as_json)


def _show_secret(made: JsonObject, *, as_json: bool) -> None:
    if as_json:
        print_json([made])
        return
    tell_line(_describe_webhook(made))
    tell_line(made["secret"])
    tell_line("This secret signs what is sent. Keep it: it is shown this once.", err=True)


def _describe_webhook(webhook: JsonObject) -> str:
    state = "on" if webhook["active"] else f"off ({webhook['off_reason']})"
    if webhook["active"] and webhook["failing_since"] is not None:
        state = f"failing since {format_minute(webhook['failing_since'])}"
    name = f"  {webhook['name']}" if webhook["name"] else ""
    return f"{webhook['id']}  {state}  {' '.join(webhook['types'])}  {webhook['url']}{name}"


def _describe_delivery(sent: JsonObject) -> str:
    about = "" if sent["match"] is None else f"  {sent['match']}@{sent['version']}"
    why = "" if sent["reason"] is None else f" ({sent['status'] or sent['reason']})"
    at = format_minute(sent["at"])
    return f"{sent['number']}  {at}  {sent['type']}{about}  {sent['state']}{why}"
