"""``plybook sweep``: end what time has ended."""

from __future__ import annotations

import click

from cli.terminal.exits import tell_line
from cli.terminal.options import database_option, examples, json_option


@click.command(epilog=examples("plybook sweep", "plybook sweep --dry-run"))
@click.option("--dry-run", is_flag=True, help="List what is due and change nothing.")
@json_option
@database_option
def sweep(*, dry_run: bool, as_json: bool, database: str | None) -> None:
    """End what time has ended, once: clocks that have run out, matches nobody joined.

    Clocks are first given back the time in which no server was there for longer than
    PLYBOOK_DOWNTIME_GRACE seconds, if one ever was. Answers that were kept for repeated
    requests, sessions and tokens whose time is over are removed.

    The worker beside `plybook serve` does the same, every PLYBOOK_SWEEP_INTERVAL seconds.
    Several may sweep at a time: a match is ended once.
    """
    import orjson

    from cli.container import opened

    with opened(database) as house:
        if dry_run:
            for due in house.sweeping.due():
                if as_json:
                    click.echo(orjson.dumps(due._asdict()))
                else:
                    tell_line(f"{due.match}  due since {due.deadline}")
            return
        swept = house.sweeping.sweep()
    if as_json:
        click.echo(orjson.dumps(swept._asdict()))
        return
    tell_line(f"Ended by the clock: {swept.timeouts}.")
    tell_line(f"Aborted, since nobody joined: {swept.lapsed}.")
    tell_line(f"Practice matches let go: {swept.practices}.")
    tell_line(f"Expired answers, sessions and tokens removed: {swept.expired}.")
    tell_line(f"Clocks given time back, since the service was away: {swept.given}.")
