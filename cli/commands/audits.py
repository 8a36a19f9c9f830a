"""``plybook verify``: whether stored, exported or fetched matches hold, for a person or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

import click

from cli.commands.checkpoints import kept_options, read_kept, read_trusted
from cli.commands.imports import open_packed, readable
from cli.container import open_services
from cli.terminal.exits import (
    BROKEN,
    NOT_FOUND,
    STOPPED,
    UNDECIDED,
    USAGE,
    Failure,
    print_json,
    tell_line,
)
from cli.terminal.options import database_option, faults_option, format_examples, json_option

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from urllib.error import HTTPError

    from services.audits.chain import Fault, Verdict
    from services.audits.database import DatabaseAudit
    from services.audits.house_players import HouseVerdict
    from services.container import Services
    from services.exchange.file_audit import TrustedCheckpoint
    from services.store.checkpoints import Key


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

STATE_WIDTH = 9
"""How much room the state of a check takes at the start of a line."""


def _verdict_json(verdict: Verdict) -> dict[str, object]:
    series = {} if verdict.series is None else {"series": verdict.series}
    return {
        "match": verdict.match,
        "events": verdict.events,
        "faults": [fault._asdict() for fault in verdict.faults],
        "unchecked": list(verdict.unchecked),
        "undecided": list(verdict.undecided),
        "holds": verdict.holds if verdict.holds or verdict.broken else None,
        **series,
    }


def tell_short(verdict: Verdict, *, as_json: bool) -> None:
    """Tell of one match among many; of one without an id only what does not hold."""
    from cli.terminal.output import Output
    from services.drawing.text.frames import write_name

    if as_json:
        print_json([_verdict_json(verdict)])
        return
    out = Output()
    state = "does not hold" if verdict.broken else "holds" if verdict.holds else "cannot be told"
    if verdict.match:
        out.tell(f"{write_name(verdict.match)} {state} ({verdict.events} events).")
    if verdict.series is not None:
        out.tell(f"  {write_name(verdict.series)}.")
    for fault in verdict.faults:
        out.tell(f"  {fault.check}: {_format_place(fault)}{fault.detail}")
    for one in verdict.undecided:
        out.tell(f"  undecided: {one}")
    for one in verdict.unchecked:
        out.tell(f"  not checked: {one}.")


def tell(verdict: Verdict, *, as_json: bool, checks: Sequence[str]) -> None:
    """Tell of one match, check by check."""
    from rich.text import Text

    from cli.terminal.output import Output, tame

    if as_json:
        print_json([_verdict_json(verdict)])
        return
    out = Output()
    failed = {fault.check for fault in verdict.faults}
    reached = True
    for check in checks:
        ran = reached or check == KEPT
        state = "FAULT  " if check in failed else "ok     " if ran else "not run"
        out.print_entry(Text(f"{state}  {CHECKS[check]}"), STATE_WIDTH)
        for fault in verdict.faults:
            if fault.check == check:
                out.print_entry(
                    Text(f"{' ' * STATE_WIDTH}  {_format_place(fault)}{tame(fault.detail)}"),
                    STATE_WIDTH + 2,
                )
        reached = reached and check not in failed
    for one in verdict.unchecked:
        out.print_entry(Text(f"not checked: {one}."), STATE_WIDTH)
    word = "does not hold" if failed else "holds"
    out.say(f"Match {verdict.match} {word} ({verdict.events} events).")


def _format_place(fault: Fault) -> str:
    return "" if fault.version is None else f"event {fault.version}: "


LARGEST = 1 << 30
"""Bytes of the longest answer that is read."""
PATIENCE = 30
"""Seconds to wait for the next bytes."""
LONGEST_PROBLEM = 1 << 16
PAGES = ("text/html", "application/xhtml+xml")


class _Bounded:
    """A file that ends with a failure instead of going on for ever."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._left = LARGEST

    def readline(self, limit: int) -> bytes:
        """Return the next line, at most ``limit`` bytes of it. Raises ``Failure``."""
        line = self._file.readline(limit)
        self._left -= len(line)
        if self._left < 0:
            raise Failure(f"The answer is longer than {LARGEST:,} bytes.")
        return line


@contextmanager
def fetched(url: str) -> Iterator[IO[bytes]]:
    """Give the export at a URL of http or https, unpacked if it is gzipped. Raises ``Failure``."""
    answer = _ask(url)
    with answer:
        if answer.headers.get_content_type() in PAGES:
            raise Failure(
                f"{url} is a web page, and no export: the address of one ends in /export."
            )
        # What fails behind the first bytes is told by whoever reads on.
        with _read_of(url):
            file = open_packed(answer)
        yield cast("IO[bytes]", _Bounded(file))


def _ask(url: str) -> HTTPResponse:
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    try:
        with _read_of(url):
            asked = Request(url, headers={"Accept": "application/x-ndjson"})  # noqa: S310 - see the caller
            answer: HTTPResponse = urlopen(asked, timeout=PATIENCE)  # noqa: S310
            return answer
    except HTTPError as error:
        with error:
            told = f"{url} answers {error.code} {error.reason}{_read_detail(error)}."
        raise Failure(told) from error
    except URLError as error:
        raise Failure(f"{url} cannot be reached: {error.reason}.") from error


@contextmanager
def _read_of(url: str) -> Iterator[None]:
    """Turn what fails in reading an answer into a ``Failure``."""
    from http.client import HTTPException
    from urllib.error import URLError

    try:
        yield
    except URLError:
        raise
    except (HTTPException, OSError, ValueError) as error:
        raise Failure(f"{url} cannot be read: {error}.") from error


def _read_detail(error: HTTPError) -> str:
    """Return what a service says about a refusal (RFC 9457), or nothing."""
    import orjson

    if error.headers.get_content_type() != "application/problem+json":
        return ""
    try:
        detail = orjson.loads(error.read(LONGEST_PROBLEM))["detail"]
    except (orjson.JSONDecodeError, LookupError, TypeError, OSError):
        return ""
    return f": {detail}".rstrip(".")


@click.command(
    epilog=format_examples(
        "plybook verify 7m2kq9x4tbw0ed5r && echo it holds",
        "plybook verify --house 7m2kq9x4tbw0ed5r",
        "plybook verify matches.ndjson",
        "plybook verify https://games.example/api/v1/matches/7m2kq9x4tbw0ed5r/export",
        "plybook verify --all --jobs 4",
        "plybook verify --all --chain-only --after 7m2kq9x4tbw0ed5r",
        "plybook verify --all --checkpoint kept.json",
        "plybook verify matches.ndjson --checkpoint kept.json --keys keys.json",
    )
)
@click.argument("what", metavar="[MATCH|FILE|URL]", required=False)
@click.option("--all", "everything", is_flag=True, help="Verify all matches of the database.")
@click.option("--house", "of_house", is_flag=True, help="Repeat the house's search of a MATCH.")
@click.option("--chain-only", is_flag=True, help="Only hashes, links, gaps and ends: quick.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes of --all; one a core.")
@click.option("--after", metavar="CURSOR", help="Go on with --all behind this match.")
@faults_option
@kept_options
@json_option
@database_option
def verify(  # noqa: PLR0913 - the ways to say what is to be verified
    *,
    what: str | None,
    everything: bool,
    of_house: bool,
    chain_only: bool,
    jobs: int | None,
    after: str | None,
    most_faults: int,
    checkpoint: Path | None,
    keys: Path | None,
    proof: Path | None,
    link: Path | None,
    as_json: bool,
    database: str | None,
) -> None:
    """Verify a match, the export in a FILE or at a URL (NDJSON), or --all matches.

    Nothing is believed that can be computed again. Exit code 3 if something does not
    hold; the output says what, and at which event. A pass over everything that is
    stopped tells the cursor behind which --after goes on.

    With --checkpoint the events are also compared with a signed checkpoint that you kept
    elsewhere. That finds what holds in itself: a match that was written anew from its
    first event, and one that has vanished. Exit code 5 if nothing is wrong and this
    cannot be told: a FILE brings no proof, or an honest one for another checkpoint.

    With --house the search behind each move of a house player in a finished match is
    repeated, and nothing else; it is no part of --all. Exit code 5 if moves were made by
    another version of the engine than this release has.
    """
    _check_what(what, jobs, after, everything=everything)
    if of_house:
        others = (chain_only, checkpoint, keys, proof, link)
        if what is None or _is_file(what) or any(others):
            raise Failure("--house is for a match of the database, and goes by itself.", USAGE)
        _verify_house(what, database, as_json=as_json)
        return
    kept = read_kept(checkpoint, keys, proof, link)
    if what is not None and _is_file(what):
        if chain_only:
            raise Failure("--chain-only is for what is in the database.", USAGE)
        if kept is not None and kept.keys is None:
            raise Failure("A file is compared with keys that you trust: give --keys FILE.", USAGE)
        _verify_file(what, kept, read_trusted(keys), most_faults, as_json=as_json)
        return
    if keys and kept is None:
        raise Failure("--keys is for a FILE or a URL, or belongs to --checkpoint.", USAGE)
    if proof or link:
        raise Failure("--proof and --link are for a FILE or a URL.", USAGE)
    with open_services(database) as house:
        if what is None:
            from services.audits.database import DatabaseAudit

            work = DatabaseAudit(house.audits, after or "", jobs or os.cpu_count() or 1, chain_only)
            _verify_all(house, work, kept, most_faults, as_json=as_json)
        else:
            _verify_stored(house, what, kept, chain_only=chain_only, as_json=as_json)


def _check_what(what: str | None, jobs: int | None, after: str | None, *, everything: bool) -> None:
    """Refuse words that do not go together. Raises ``Failure``."""
    if (what is None) is not everything:
        raise Failure("Name a match, a file or a URL, or give --all.", USAGE)
    if not everything and (jobs is not None or after is not None):
        raise Failure("--jobs and --after belong to --all.", USAGE)


def _verify_house(match: str, database: str | None, *, as_json: bool) -> None:
    """Tell whether the house played what its engine gives."""
    with open_services(database) as house:
        verdict = house.house_audits.verify(match)
    if as_json:
        print_json([{**verdict._asdict(), "others": list(verdict.others), "holds": verdict.holds}])
    else:
        tell_line(_describe_house_verdict(verdict))
    if verdict.differs is not None:
        sys.exit(BROKEN)
    if not verdict.holds:
        sys.exit(UNDECIDED)


def _describe_house_verdict(verdict: HouseVerdict) -> str:
    from domain.search.engine import VERSION

    if verdict.differs is not None:
        return f"Match {verdict.match}: event {verdict.differs} is not what the engine gives."
    if not verdict.moves:
        return f"Match {verdict.match}: the house made no move."
    if verdict.holds:
        return (
            f"Match {verdict.match}: the house played what its engine gives "
            f"({verdict.moves} moves, engine {VERSION})."
        )
    others, left = ", ".join(verdict.others), verdict.moves - verdict.repeated
    return (
        f"Match {verdict.match}: {left} of {verdict.moves} moves of the house were made by another "
        f"version of the engine ({others}) than this release's ({VERSION}): they are not repeated."
    )


def _is_file(what: str) -> bool:
    return what.startswith(("http://", "https://")) or what == "-" or Path(what).is_file()


def _verify_stored(
    house: Services, match: str, kept: TrustedCheckpoint | None, *, chain_only: bool, as_json: bool
) -> None:
    checks = ["chain", "caches"] if chain_only else [one for one in CHECKS if one != KEPT]
    verdict = _verify_match(house, match, kept, chain_only=chain_only)
    tell(verdict, as_json=as_json, checks=[*checks, *([KEPT] if kept else [])])
    if not verdict.holds:
        sys.exit(BROKEN)


def _verify_match(
    house: Services, match: str, kept: TrustedCheckpoint | None, *, chain_only: bool
) -> Verdict:
    from services.audits.chain import Verdict
    from services.errors import NotFound
    from services.exchange.file_audit import judge_match

    try:
        verdict = house.audits.verify(match, chain_only=chain_only)
    except NotFound as error:
        # Whether there never was such a match, or it has vanished, the checkpoint knows.
        gone = None if kept is None else judge_match(house.database, kept, Verdict(match, 0, []))
        if gone is None or gone.holds:
            # The word may have been meant as a file.
            told = f"There is neither a match nor a file {match[:80]}."
            raise Failure(told, NOT_FOUND) from error
        return gone
    return verdict if kept is None else judge_match(house.database, kept, verdict)


def _verify_file(
    name: str,
    kept: TrustedCheckpoint | None,
    trusted: Collection[Key] | None,
    most: int,
    *,
    as_json: bool,
) -> None:
    from cli.terminal.output import counting
    from domain.games import load_games
    from services.exchange.file_audit import judge_file

    matches, broken, undecided = 0, 0, 0
    lines = fetched(name) if name.startswith(("http://", "https://")) else readable(name)
    with lines as file, counting("matches") as counted:
        verdicts = _read(name, judge_file(file, load_games(), trusted, kept))
        for verdict in counted.count_each(verdicts):
            matches, broken = matches + 1, broken + verdict.broken
            undecided += not verdict.broken and not verdict.holds
            counted.run_aside(tell_short, verdict, as_json=as_json)
            if most and broken >= most:
                tell_line(_describe_limit(broken, "what follows on them in the file"), err=True)
                break
    if not matches:
        raise Failure(f"{name} is empty.")
    _end(matches, broken, undecided, as_json=as_json)


def _read(name: str, verdicts: Iterator[Verdict]) -> Iterator[Verdict]:
    """Yield verdicts on a file; what fails in reading it is told, and nothing else."""
    from http.client import HTTPException

    try:
        yield from verdicts
    except (HTTPException, OSError, EOFError) as error:
        raise Failure(f"{name} cannot be read to its end: {error}.") from error


def _verify_all(
    house: Services,
    work: DatabaseAudit,
    kept: TrustedCheckpoint | None,
    most: int,
    *,
    as_json: bool,
) -> None:
    matches, events, broken = _walk_ranges(work, most, as_json=as_json)
    holds = kept is None or _goes_with(house, kept, most, as_json=as_json)
    if not as_json:
        tell_line(f"{events:,} events were looked at.", err=True)
    _end(matches, broken, as_json=as_json)
    if not holds:
        sys.exit(BROKEN)


def _goes_with(house: Services, kept: TrustedCheckpoint, most: int, *, as_json: bool) -> bool:
    """Compare a database with a checkpoint, tell what differs, and say whether nothing does."""
    from cli.terminal.output import counting
    from services.exchange.file_audit import judge_database

    holds = True
    with counting("heads of matches") as counted:
        verdicts = judge_database(house.database, kept, counted.show_count)
        for number, verdict in enumerate(verdicts, 1):
            holds = False
            counted.run_aside(tell_short, verdict, as_json=as_json)
            if number == most:
                tell_line(_describe_limit(number, "what else the checkpoint covers"), err=True)
                break
    if not as_json:
        size = kept.checkpoint.size
        tell_line(
            f"Everything that the checkpoint of size {size} covers is as it was then."
            if holds
            else f"This database does not go with the checkpoint of size {size}."
        )
    return holds


def _walk_ranges(work: DatabaseAudit, most: int, *, as_json: bool) -> tuple[int, int, int]:
    """Go through all ranges, or until ``most`` matches do not hold; tell where to go on."""
    from cli.terminal.output import counting

    matches, events, broken, cursor = 0, 0, 0, work.after
    try:
        with counting("events") as counted:
            for done in work.run():
                matches, events = matches + done.matches, events + done.events
                broken, cursor = broken + len(done.broken), done.cursor or cursor
                for verdict in done.broken:
                    counted.run_aside(tell_short, verdict, as_json=as_json)
                counted.show_count(events)
                if most and broken >= most and done.cursor:
                    tell_line(_describe_limit(broken, "what follows on them"), err=True)
                    tell_line(_describe_stop(matches, broken, cursor), err=True)
                    break
    except KeyboardInterrupt:
        tell_line(_describe_stop(matches, broken, cursor), err=True)
        sys.exit(BROKEN if broken else STOPPED)
    return matches, events, broken


def _describe_stop(matches: int, broken: int, cursor: str) -> str:
    after = f" --after {cursor}" if cursor else ""
    return (
        f"Stopped after {_describe_counts(matches, broken)} Go on with: plybook verify --all{after}"
    )


def _describe_limit(broken: int, rest: str) -> str:
    more = "--most-faults tells how many there may be."
    return f"{broken:,} matches do not hold: {rest} was not looked at. {more}"


def _end(matches: int, broken: int, undecided: int = 0, *, as_json: bool) -> None:
    if not as_json:
        tell_line(_describe_counts(matches, broken, undecided))
    if broken or undecided:
        sys.exit(BROKEN if broken else UNDECIDED)


def _describe_counts(matches: int, broken: int, undecided: int = 0) -> str:
    word = "match" if matches == 1 else "matches"
    rest = f", {undecided:,} cannot be told" if undecided else ""
    return f"{matches:,} {word}: {matches - broken - undecided:,} hold, {broken:,} do not{rest}."
