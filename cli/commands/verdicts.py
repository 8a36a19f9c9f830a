"""What an audit found, as a person reads it, or as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from services.audits.faults import Verdict

CHECKS = {
    "chain": "chain: every event is what was hashed, and follows on the one before it",
    "seals": "seals: what was opened is what was sealed",
    "decisions": "decisions: rules, dice, forced passes and the result, repeated from the start",
    "caches": "caches: lists and snapshots say what the events say",
    "checkpoint": "checkpoint: the events are those that the kept checkpoint was made of",
}
"""The checks in the order in which they are made: a later one needs the earlier."""


KEPT = "checkpoint"
"""The check that looks elsewhere, and so is made whatever came of the others."""

STATES = 9
"""How much room the state of a check takes at the start of a line."""


def _shown(verdict: Verdict) -> dict[str, object]:
    return {
        "match": verdict.match,
        "events": verdict.events,
        "faults": [fault._asdict() for fault in verdict.faults],
        "unchecked": list(verdict.unchecked),
        "undecided": list(verdict.undecided),
        "holds": verdict.holds if verdict.holds or verdict.broken else None,
    }


def tell_short(verdict: Verdict, *, as_json: bool) -> None:
    """Tell of one match among many; of one without an id only what does not hold."""
    import orjson

    from cli.terminal.terminal import output

    if as_json:
        click.echo(orjson.dumps(_shown(verdict)))
        return
    out = output()
    state = "does not hold" if verdict.broken else "holds" if verdict.holds else "cannot be told"
    if verdict.match:
        out.tell(f"{verdict.match} {state} ({verdict.events} events).")
    for fault in verdict.faults:
        where = "" if fault.version is None else f"event {fault.version}: "
        out.tell(f"  {fault.check}: {where}{fault.detail}")
    for one in verdict.undecided:
        out.tell(f"  undecided: {one}")
    for one in verdict.unchecked:
        out.tell(f"  not checked: {one}.")


def tell(verdict: Verdict, *, as_json: bool, checks: Sequence[str]) -> None:
    """Tell of one match, check by check."""
    import orjson

    if as_json:
        click.echo(orjson.dumps(_shown(verdict)))
    else:
        _report(verdict, checks)


def _report(verdict: Verdict, checks: Sequence[str]) -> None:
    from rich.text import Text

    from cli.terminal.terminal import output

    out = output()
    failed = {fault.check for fault in verdict.faults}
    reached = True
    for check in checks:
        ran = reached or check == KEPT
        state = "FAULT  " if check in failed else "ok     " if ran else "not run"
        out.entry(Text(f"{state}  {CHECKS[check]}"), STATES)
        for fault in verdict.faults:
            if fault.check == check:
                where = "" if fault.version is None else f"event {fault.version}: "
                out.entry(Text(f"{' ' * STATES}  {where}{fault.detail}"), STATES + 2)
        reached = reached and check not in failed
    for one in verdict.unchecked:
        out.entry(Text(f"not checked: {one}."), STATES)
    word = "does not hold" if failed else "holds"
    out.say(f"Match {verdict.match} {word} ({verdict.events} events).")
