"""``plybook verify``: whether a stored match holds."""

from __future__ import annotations

import sys

import click

from cli.exits import BROKEN
from cli.options import database_option, examples, json_option, match_argument

CHECKS = {
    "chain": "chain: every event is what was hashed, and follows on the one before it",
    "seals": "seals: what was opened is what was sealed",
    "decisions": "decisions: rules, dice, forced passes and the result, repeated from the start",
    "caches": "caches: lists and snapshots say what the events say",
}
"""The checks in the order in which they are made: a later one needs the earlier."""

STATES = 9
"""How much room the state of a check takes at the start of a line."""


@click.command(epilog=examples("plybook verify 7m2kq9x4tbw0ed5r && echo it holds"))
@match_argument
@json_option
@database_option
def verify(*, match_id: str, as_json: bool, database: str | None) -> None:
    """Verify MATCH: its chain, seals, dice, fold and result.

    Nothing is believed that can be computed again. Exit code 3 if something does not
    hold; the output says what, and at which event.
    """
    from cli.house import opened

    with opened(database) as house:
        verdict = house.audits.verify(match_id)
    faults = [fault._asdict() for fault in verdict.faults]
    if as_json:
        import orjson

        shown = {"match": verdict.match, "events": verdict.events, "faults": faults}
        click.echo(orjson.dumps({**shown, "holds": verdict.holds}))
    else:
        _report(verdict.match, verdict.events, faults)
    if not verdict.holds:
        sys.exit(BROKEN)


def _report(match_id: str, events: int, faults: list[dict[str, object]]) -> None:
    from rich.text import Text

    from cli.terminal import output

    out = output()
    failed = {str(fault["check"]) for fault in faults}
    reached = True
    for check, meaning in CHECKS.items():
        state = "FAULT  " if check in failed else "ok     " if reached else "not run"
        out.entry(Text(f"{state}  {meaning}"), STATES)
        for fault in faults:
            if fault["check"] == check:
                where = "" if fault["version"] is None else f"event {fault['version']}: "
                out.entry(Text(f"{' ' * STATES}  {where}{fault['detail']}"), STATES + 2)
        # Chain and seals are both looked at before anything may stop the audit.
        reached = reached and (check == "chain" or not failed)
    verdict = "does not hold" if failed else "holds"
    out.say(f"Match {match_id} {verdict} ({events} events).")
