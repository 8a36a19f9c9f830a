"""``plybook verify``: whether stored or exported matches hold."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cli.exits import BROKEN, STOPPED, USAGE, Failure
from cli.options import database_option, examples, json_option

if TYPE_CHECKING:
    from services.audits import Verdict
    from services.audits.everything import Everything

CHECKS = {
    "chain": "chain: every event is what was hashed, and follows on the one before it",
    "seals": "seals: what was opened is what was sealed",
    "decisions": "decisions: rules, dice, forced passes and the result, repeated from the start",
    "caches": "caches: lists and snapshots say what the events say",
}
"""The checks in the order in which they are made: a later one needs the earlier."""

STATES = 9
"""How much room the state of a check takes at the start of a line."""


@click.command(
    epilog=examples(
        "plybook verify 7m2kq9x4tbw0ed5r && echo it holds",
        "plybook verify matches.ndjson",
        "plybook verify https://games.example/api/v1/matches/7m2kq9x4tbw0ed5r/export",
        "plybook verify --all --jobs 4",
        "plybook verify --all --chain-only --after 7m2kq9x4tbw0ed5r",
    )
)
@click.argument("what", metavar="[MATCH|FILE|URL]", required=False)
@click.option("--all", "everything", is_flag=True, help="Verify all matches of the database.")
@click.option("--chain-only", is_flag=True, help="Only hashes, links, gaps and ends: quick.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes of --all; one a core.")
@click.option("--after", metavar="CURSOR", help="Go on with --all behind this match.")
@json_option
@database_option
def verify(  # noqa: PLR0913 - the ways to say what is to be verified
    *,
    what: str | None,
    everything: bool,
    chain_only: bool,
    jobs: int | None,
    after: str | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Verify a match, the export in a FILE or at a URL (NDJSON), or --all matches.

    Nothing is believed that can be computed again. Exit code 3 if something does not
    hold; the output says what, and at which event. A pass over everything that is
    stopped tells the cursor behind which --after goes on.
    """
    if (what is None) is not everything:
        raise Failure("Name a match, a file or a URL, or give --all.", USAGE)
    if not everything and (jobs is not None or after is not None):
        raise Failure("--jobs and --after belong to --all.", USAGE)
    if everything:
        _everything(database, after or "", jobs, chain_only=chain_only, as_json=as_json)
    elif what is not None and _is_file(what):
        if chain_only:
            raise Failure("--chain-only is for what is in the database.", USAGE)
        _of_file(what, as_json=as_json)
    elif what is not None:
        from cli.house import opened

        with opened(database) as house:
            verdict = house.audits.verify(what, chain_only=chain_only)
        _tell(verdict, as_json=as_json, checks=("chain", "caches") if chain_only else (*CHECKS,))
        if not verdict.holds:
            sys.exit(BROKEN)


def _is_file(what: str) -> bool:
    return what.startswith(("http://", "https://")) or what == "-" or Path(what).is_file()


def _of_file(name: str, *, as_json: bool) -> None:
    from cli.progress import counting
    from domain.games import all_games
    from services.audits.files import file_verdicts

    matches, broken = 0, 0
    with _lines_of(name) as file, counting("matches") as counted:
        try:
            for verdict in counted.each(file_verdicts(file, all_games())):
                matches, broken = matches + 1, broken + (not verdict.holds)
                _tell_short(verdict, as_json=as_json)
        except (OSError, EOFError) as error:
            raise Failure(f"{name} cannot be read to its end: {error}.") from error
    if not matches:
        raise Failure(f"{name} is empty.")
    _end(matches, broken, as_json=as_json)


@contextmanager
def _lines_of(name: str) -> Iterator[IO[bytes]]:
    if name.startswith(("http://", "https://")):
        from cli.fetching import fetched

        with fetched(name) as file:
            yield file
    else:
        from cli.import_ import readable

        with readable(name) as file:
            yield file


def _everything(
    database: str | None, after: str, jobs: int | None, *, chain_only: bool, as_json: bool
) -> None:
    import os

    from cli.house import opened
    from services.audits.everything import Everything

    with opened(database) as house:
        work = Everything(house.audits, after, jobs or os.cpu_count() or 1, chain_only)
        matches, events, broken = _walked(work, as_json=as_json)
    if not as_json:
        click.echo(f"{events:,} events were looked at.", err=True)
    _end(matches, broken, as_json=as_json)


def _walked(work: Everything, *, as_json: bool) -> tuple[int, int, int]:
    """Go through all ranges; whoever stops it is told where to go on."""
    from cli.progress import counting

    matches, events, broken, cursor = 0, 0, 0, work.after
    try:
        with counting("events") as counted:
            for done in work.run():
                matches, events = matches + done.matches, events + done.events
                broken, cursor = broken + len(done.broken), done.cursor or cursor
                for verdict in done.broken:
                    counted.aside(partial(_tell_short, verdict, as_json=as_json))
                counted.told(events)
    except KeyboardInterrupt:
        goes_on = f" --after {cursor}" if cursor else ""
        click.echo(f"Stopped. Go on with: plybook verify --all{goes_on}", err=True)
        sys.exit(BROKEN if broken else STOPPED)
    return matches, events, broken


def _end(matches: int, broken: int, *, as_json: bool) -> None:
    if not as_json:
        word = "match" if matches == 1 else "matches"
        click.echo(f"{matches:,} {word}: {matches - broken:,} hold, {broken:,} do not.")
    if broken:
        sys.exit(BROKEN)


def _shown(verdict: Verdict) -> dict[str, object]:
    return {
        "match": verdict.match,
        "events": verdict.events,
        "faults": [fault._asdict() for fault in verdict.faults],
        "unchecked": list(verdict.unchecked),
        "holds": verdict.holds,
    }


def _tell_short(verdict: Verdict, *, as_json: bool) -> None:
    import orjson

    from cli.terminal import output

    if as_json:
        click.echo(orjson.dumps(_shown(verdict)))
        return
    out = output()
    state = "holds" if verdict.holds else "does not hold"
    out.tell(f"{verdict.match} {state} ({verdict.events} events).")
    for fault in verdict.faults:
        where = "" if fault.version is None else f"event {fault.version}: "
        out.tell(f"  {fault.check}: {where}{fault.detail}")
    for one in verdict.unchecked:
        out.tell(f"  not checked: {one}.")


def _tell(verdict: Verdict, *, as_json: bool, checks: tuple[str, ...]) -> None:
    import orjson

    if as_json:
        click.echo(orjson.dumps(_shown(verdict)))
    else:
        _report(verdict, checks)


def _report(verdict: Verdict, checks: tuple[str, ...]) -> None:
    from rich.text import Text

    from cli.terminal import output

    out = output()
    failed = {fault.check for fault in verdict.faults}
    reached = True
    for check in checks:
        state = "FAULT  " if check in failed else "ok     " if reached else "not run"
        out.entry(Text(f"{state}  {CHECKS[check]}"), STATES)
        for fault in verdict.faults:
            if fault.check == check:
                where = "" if fault.version is None else f"event {fault.version}: "
                out.entry(Text(f"{' ' * STATES}  {where}{fault.detail}"), STATES + 2)
        reached = reached and check not in failed
    word = "does not hold" if failed else "holds"
    out.say(f"Match {verdict.match} {word} ({verdict.events} events).")
