"""Exports: one match in any format, or a choice of many in those that can be made on the way.

A choice is by game, player and time; what is not public is given to those alone who take part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from typing import NamedTuple, TypeAlias

import orjson
from sqlalchemy import Connection

from domain.game.game import Viewer
from domain.game.registry import Games
from domain.i18n import say
from domain.match.clock import INSTANT, parse_instant
from domain.match.state import FINISHED, Match
from services.accounts.accounts import find_id
from services.errors import CursorGone, InvalidRequest, NotFound
from services.exchange import table
from services.exchange.block_format import (
    Reader,
    Subject,
    group_subjects,
    subject_of,
    subject_of_line,
    write_block,
)
from services.exchange.formats import (
    ANALYSED,
    FORMATS,
    MANY,
    TABLES,
    Format,
    FormatMaker,
    write_bundle,
)
from services.exchange.proofs import (
    NO_PROOFS,
    ProofRequest,
    Proved,
    Prover,
    make_prover,
    prove_match,
)
from services.matches.queries import Asker, MatchQueries
from services.replays.replay import Replays
from services.store import analyses, imports
from services.store.log import exports, feed
from services.store.log.exports import ExportLine, ExportSelection
from services.store.log.feed import FeedPosition

_CURSOR = re.compile(r"([0-9a-z]{16}),([1-9][0-9]{0,8}),([0-9a-f]{64})", re.ASCII)
_OF_OLD = re.compile(INSTANT.pattern + ",[0-9a-z]{16}")
"""A cursor of releases that went by instants."""


class ExportFilter(NamedTuple):
    """Which matches; None: all that the caller may see.

    ``player`` is the name of an account, ``game`` a slug. ``since`` and ``until`` are dates or
    instants (ISO 8601, UTC unless they say otherwise) between which the last event happened, the
    first included; they choose, and do not say what is new. ``cursor`` is that of the last match
    that the client has.
    """

    game: str | None = None
    player: str | None = None
    since: str | None = None
    until: str | None = None
    cursor: str | None = None


class LastEvent(NamedTuple):
    """The last event of a match in an export: what a cursor says."""

    match: str
    version: int
    hash: str


def write_cursor(last: LastEvent) -> str:
    """Return the cursor behind a match: where its last event stands, and which one that was.

    All of it stands in the match's last line, so that whoever has that can go on.
    """
    return ",".join(map(str, last))


def read_cursor(cursor: str) -> LastEvent:
    """Return behind which event an export goes on.

    Raises ``InvalidRequest``, and ``CursorGone`` for one of an older release.
    """
    found = _CURSOR.fullmatch(cursor)
    if found is not None:
        return LastEvent(found[1], int(found[2]), found[3])
    if _OF_OLD.fullmatch(cursor) is not None:
        raise make_cursor_gone()
    raise InvalidRequest(
        say(
            "This is not the cursor of an export, which is `match,version,hash` of a "
            "match's last event."
        ),
        pointer="/cursor",
    )


def make_cursor_gone() -> CursorGone:
    """Return the refusal of a cursor behind which this history cannot go on."""
    return CursorGone(
        say(
            "The history here has no such event as the one that this cursor is behind: a backup "
            "may have been restored. Export all anew, without a cursor."
        ),
        pointer="/cursor",
    )


def _read_instant(text: str | None, name: str) -> str | None:
    try:
        return None if text is None else parse_instant(text)
    except ValueError:
        raise InvalidRequest(
            f"'{name}' is a date or an instant, such as 2026-11-27 or 2026-11-27T22:00:00Z.",
            pointer=f"/{name}",
        ) from None


BUNDLE = "bundle"

ROWS_AT_ONCE = 1_000
"""Matches looked up at once in an export of many."""

Make: TypeAlias = Callable[[Hashable | None, Callable[[], bytes]], bytes]
"""Does costly work, or gives what it made before under the same key; None: nothing is kept."""


class ExportRequest(NamedTuple):
    """A match in a format; ``at``: only the step after this event. ``proofs``: with which."""

    format: str = "ndjson"
    at: int | None = None
    proofs: ProofRequest = NO_PROOFS


class Download(NamedTuple):
    """A file: its name, media type, and its bytes in pieces. ``tag`` changes with the content."""

    name: str
    kind: str
    tag: str
    chunks: Iterable[bytes]


class Exported(NamedTuple):
    """One match of an export of many: its bytes in pieces, and the cursor behind it."""

    subject: Subject
    cursor: str
    chunks: Iterator[bytes]


@dataclass(frozen=True, slots=True)
class Exports:
    """Gives matches away, each as its viewer may see it."""

    queries: MatchQueries
    replays: Replays
    games: Games

    def export_one(
        self,
        look: Asker,
        match_id: str,
        wish: ExportRequest,
        make: Make = lambda _, work: work(),
    ) -> Download:
        """Export a match; what is made from all of its steps at once, ``make`` has made.

        Raises ``NotFound``, ``NotYourSeat`` and ``InvalidRequest``.
        """
        form = _form_of(wish)
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, look, match_id)
            viewer = look.choose_viewer(match)
            shown = self.queries.show_state(connection, match, look)
            proved = None
            if wish.proofs.proof or form.name == BUNDLE:
                proved = prove_match(connection, match.id, match.version, wish.proofs)
            names = self._get_names(connection, match)
        subject = subject_of(match, viewer, names)
        if form.name == BUNDLE:
            lines = b"".join(write_block(Reader(self.queries.database), subject))
            content = write_bundle(subject, lines + _write_lines(proved), proved)
            return _make_download(form, subject, None, content, [content])
        if form.stream:
            return self._stream(form, subject, _write_lines(proved))
        steps = FormatMaker(self.replays, look, subject, shown)
        # The header has the match, its head, the viewer and the names; only proofs say more.
        key = None if form.name == "json" else (form.name, wish.at, subject.write_header())
        made = make(key, lambda: steps.make(form.name, wish.at, proved))
        return _make_download(form, subject, wish.at, made, [made])

    def _get_names(self, connection: Connection, match: Match) -> Mapping[str, str]:
        """Return the names of players, in an order that is the same in every process."""
        elsewhere = imports.find(connection, match.id)
        if elsewhere is not None:
            return elsewhere.names
        players = {*match.seats, match.creator, match.opponent} - {None}
        found = self.queries.accounts.find_names_in(connection, players)
        return dict(sorted(found.items()))

    def _stream(self, form: Format, subject: Subject, last: bytes) -> Download:
        """Return a file that is made while it is read, ``last`` behind it."""
        pieces = self._write_pieces(form, subject, Reader(self.queries.database))
        whole = chain([self.write_head(ExportFilter(), form.name)], pieces, [last] if last else [])
        # Its header and its end say what it is, and of an analysis who has made it.
        made = repr(sorted(self._read_analysis(subject).items())) if form.name == ANALYSED else ""
        tagged = form.name.encode() + subject.write_header() + last + made.encode()
        return _make_download(form, subject, None, tagged, whole)

    def export_some(self, look: Asker, matches: Sequence[str], name: str) -> Download:
        """Export matches in the order in which they are named, as NDJSON.

        Raises ``NotFound``.
        """
        subjects = []
        for match_id in matches:
            with self.queries.database.read() as connection:
                match = self.queries.must_load(connection, look, match_id)
                names = self._get_names(connection, match)
            subjects.append(subject_of(match, look.choose_viewer(match), names))
        form, reader = FORMATS[MANY[0]], Reader(self.queries.database)
        pieces = chain.from_iterable(write_block(reader, one) for one in subjects)
        tag = _make_tag(b"".join(one.write_header() for one in subjects))
        return Download(f"{name}.{form.ending}", form.kind, tag, pieces)

    def export_many(
        self,
        look: Asker,
        choice: ExportFilter,
        form: str = MANY[0],
        upto: str | None = None,
        proofs: ProofRequest = NO_PROOFS,
    ) -> Iterator[Exported]:
        """Export matches, by their last events, the oldest first; ``upto``: the last cursor.

        ``proofs``: behind each match that the newest checkpoint has. What is refused is refused
        at once: ``InvalidRequest`` for a choice, ``NotFound`` for a player, a game or a
        checkpoint that there is not, ``CursorGone`` for a cursor of another history. Raises
        ``Corruption`` on the way.
        """
        wanted = _get_form(form, MANY)
        proofs.check(wanted.name)
        chosen, after = self._make_selection(look, choice), self._find_place(choice.cursor)
        last = self._find_place(upto)
        matches = self._iter_matches(look, chosen, wanted, after, last)
        if not proofs.proof:
            return matches
        with self.queries.database.read() as connection:
            proving = make_prover(connection, proofs.link)
        return (
            one._replace(chunks=chain(one.chunks, self._write_proofs(proving, one.subject)))
            for one in matches
        )

    def _write_proofs(self, proving: Prover, subject: Subject) -> Iterator[bytes]:
        with self.queries.database.read() as connection:
            proved = proving.prove(connection, subject.match, subject.events)
        if proved is not None:
            yield proved.write_lines()

    def find_end(self, look: Asker, choice: ExportFilter, limit: int) -> str | None:
        """Return the cursor behind the first ``limit`` matches; None: there are no more."""
        chosen, after = self._make_selection(look, choice), self._find_place(choice.cursor)
        with self.queries.database.read() as connection:
            rows = exports.choose(connection, chosen, after, limit + 1)
        if len(rows) <= limit:
            return None
        line = rows[limit - 1]
        return write_cursor(LastEvent(line.id, line.version, line.head))

    def _find_place(self, cursor: str | None) -> FeedPosition | None:
        """Return where the event stands that a cursor is behind."""
        if cursor is None:
            return None
        last = read_cursor(cursor)
        with self.queries.database.read() as connection:
            place = exports.find_place(connection, *last)
            if place is None:
                raise make_cursor_gone()
            # What is not settled yet may still get something before it.
            return min(place, feed.get_last_place(connection))

    def write_head(self, choice: ExportFilter, form: str) -> bytes:
        """Return what stands before the first match, and only there."""
        if form not in TABLES or choice.cursor is not None:
            return b""
        return table.write_head(analysed=form == ANALYSED)

    def _make_selection(self, look: Asker, choice: ExportFilter) -> ExportSelection:
        player = None
        if choice.player is not None:
            with self.queries.database.read() as connection:
                player = find_id(connection, choice.player)
            if player is None:
                raise NotFound("There is no player of that name.", pointer="/player")
        if choice.game is not None:
            self.games.get(choice.game)
        since = _read_instant(choice.since, "since")
        until = _read_instant(choice.until, "until")
        return ExportSelection(choice.game, player, since, until, look.caller, look.local)

    def _iter_matches(
        self,
        look: Asker,
        chosen: ExportSelection,
        form: Format,
        after: FeedPosition | None,
        last: FeedPosition | None,
    ) -> Iterator[Exported]:
        reader = Reader(self.queries.database)
        while True:
            with self.queries.database.read() as connection:
                found = exports.choose(connection, chosen, after, ROWS_AT_ONCE)
            wanted = [line for line in found if last is None or line.place <= last]
            for group in group_subjects(self._make_subjects(look, wanted)):
                reader.fetch(group)
                for subject in group:
                    cursor = write_cursor(LastEvent(subject.match, subject.events, subject.head))
                    yield Exported(subject, cursor, self._write_pieces(form, subject, reader))
            if len(wanted) < ROWS_AT_ONCE:
                return
            after = found[-1].place

    def _make_subjects(self, look: Asker, found: Sequence[ExportLine]) -> list[Subject]:
        with self.queries.database.read() as connection:
            elsewhere = imports.find_many(connection, [line.id for line in found])
            here = [one for line in found if line.id not in elsewhere for one in line.players]
            known = self.queries.accounts.find_names_in(connection, here)
        subjects = []
        for line in found:
            foreign = elsewhere.get(line.id)
            if foreign is None:
                names = {one: known[one] for one in line.players if one in known}
                subjects.append(subject_of_line(line, _choose_viewer(line, look.caller), names))
            else:
                subjects.append(subject_of_line(line, Viewer.SERVER, foreign.names))
        return subjects

    def _write_pieces(self, form: Format, subject: Subject, reader: Reader) -> Iterator[bytes]:
        if form.name in TABLES:
            analysis = self._read_analysis(subject) if form.name == ANALYSED else None
            return table.write_rows(reader, subject, self.games, analysis)
        return write_block(reader, subject)

    def _read_analysis(self, subject: Subject) -> table.AnalysisCells:
        """Return what the analysis of a match says of its moves, if one is done."""
        with self.queries.database.read() as connection:
            row = analyses.find(connection, subject.match)
            if row is None or (row.state, row.head) != (analyses.DONE, subject.head):
                return {}
            found = analyses.list_found(connection, subject.match)
        return table.make_analysis_cells(row, map(orjson.loads, found))


def _write_lines(proved: Proved | None) -> bytes:
    return b"" if proved is None else proved.write_lines()


def _form_of(wish: ExportRequest) -> Format:
    form = _get_form(wish.format, tuple(FORMATS))
    if wish.at is not None and not form.steps:
        stepwise = ", ".join(one.name for one in FORMATS.values() if one.steps)
        raise InvalidRequest(f"Single steps are to be had as {stepwise}.", pointer="/at")
    wish.proofs.check(form.name)
    return form


def _get_form(name: str, among: tuple[str, ...]) -> Format:
    if name not in among:
        raise InvalidRequest(f"'format' is one of {', '.join(among)}.", pointer="/format")
    return FORMATS[name]


def _choose_viewer(row: ExportLine, caller: str | None) -> Viewer:
    """Return as whom a caller sees a match of the lists, all of it once it is finished."""
    if row.status == FINISHED:
        return Viewer.SERVER
    seats = {row.seat_1: 1, row.seat_2: 2}
    return Viewer.from_seat(None if caller is None else seats.get(caller))


def _make_download(
    form: Format, subject: Subject, at: int | None, tagged: bytes, chunks: Iterable[bytes]
) -> Download:
    """Return a match as a file; ``tagged``: bytes that are others whenever the file's are."""
    # Letters, digits, hyphens and dots, which are safe in a file's name anywhere.
    step = "" if at is None else f"-{at}"
    name = f"{subject.game}-{subject.match}{step}.{form.ending}"
    return Download(name, form.kind, f"{subject.events}.{_make_tag(tagged)}", chunks)


def _make_tag(content: bytes) -> str:
    return blake2b(content, digest_size=12).hexdigest()
