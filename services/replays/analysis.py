"""Analyses of finished matches: asked for by anybody who may see one, made a position at a time.

What there is to do stands in a table. Whoever goes on with it takes the oldest, and keeps what came
of one position before the next: so nothing is lost with whoever is cut off, and of two who analyse
the same position one alone is kept. A match is analysed once, however often it is asked for, until
the engine is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from time import monotonic, sleep
from typing import NamedTuple

import orjson
import structlog
from sqlalchemy import Connection

from domain.errors import Corruption
from domain.game.game import AnyGame, Position, Sight, Viewer
from domain.game.registry import Games
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.events import Event, MoveMade, TakebackAccepted
from domain.match.fold import Fold, remember_events
from domain.match.state import FINISHED, Match
from domain.match.views import view
from domain.search.analysis import (
    ENGINE,
    Analysis,
    Case,
    Finding,
    Value,
    Variation,
    analyse,
    budget_of,
    judge_end,
)
from services.errors import AnalysisUnderWay, MatchNotOver, NoAnalysis, TooManyAnalyses, Unavailable
from services.matches.queries import Asker, MatchQueries
from services.matches.requests import Repeatable, StoredAnswer, keep_answer, must_be_new_in
from services.runtime.low_priority import make_thinker, wait
from services.store import analyses
from services.store.analyses import AnalysisRow
from services.store.db.leases import lease
from services.store.log import events as log

CHORE = "analysis"
"""The worker's chore, and its lease."""

LOOK_EVERY = 0.5
"""Seconds between two looks at what was asked for."""

LONGEST_LOOK = 2.0
"""Seconds after which a look ends, at the next position."""

MOST_WAITING = 50
"""So many analyses wait at most."""

MOST_OF_VISITORS = 5
"""So many of them are for visitors without an account, who cannot be told apart."""

WAITING, RUNNING = "waiting", "running"
STATUSES = (WAITING, RUNNING, analyses.DONE, analyses.FAILED)

_log = structlog.get_logger(__name__)


class Report(NamedTuple):
    """How far an analysis is, and what was found so far.

    ``done``: how many positions of ``of``. ``current``: whether it is of this release's engine.
    """

    status: str
    done: int
    of: int
    engine: str
    positions: list[JsonObject]

    @property
    def over(self) -> bool:
        """Whether the analysis is complete, or has failed."""
        return self.status in (analyses.DONE, analyses.FAILED)

    @property
    def current(self) -> bool:
        """Whether this release's engine has made it, or does so."""
        return self.engine == ENGINE


class AnalysedTurn(NamedTuple):
    """A position of a match, which stands after the event ``version``.

    ``move``: the event of the move that was made there and stands; None: it is the last position.
    """

    version: int
    position: Position
    seat: int | None
    sight: Sight
    move: Event | None


def list_turns(stream: Sequence[Event], games: Games) -> list[AnalysedTurn]:
    """Return the positions in which the moves were made that stand, and the last one.

    What was taken back is left out: a position belongs to the version from which the match went
    on.
    """
    gone = [
        range(event.fact.version + 1, event.version)
        for event in stream
        if isinstance(event.fact, TakebackAccepted)
    ]
    folding, found = Fold(games, past=remember_events(stream, games)), list[AnalysedTurn]()
    for event in stream[:-1]:
        if isinstance(event.fact, MoveMade) and not any(event.version in back for back in gone):
            found.append(_make_turn(folding.get_state(), event))
        folding.add(event)
    if folding.get_state().position is not None:
        found.append(_make_turn(folding.get_state(), None))
    return found


def _make_turn(match: Match, move: Event | None) -> AnalysedTurn:
    seat = match.to_act
    sight = view(match, Viewer.from_seat(seat)).sight
    if sight is None:
        raise Corruption(f"match {match.id} has no position at version {match.version}")
    return AnalysedTurn(match.version, match.started, seat, sight, move)


@dataclass(slots=True)
class Analyses:
    """Asks for analyses, shows them, and makes them."""

    queries: MatchQueries
    budget: Callable[[AnyGame], int] = budget_of
    _turns: tuple[str, list[AnalysedTurn]] = field(default=("", []), init=False)
    _thinker: ThreadPoolExecutor = field(
        default_factory=lambda: make_thinker("analysis-thinks"), init=False
    )

    def ask(
        self, look: Asker, match_id: str, posting: Repeatable[Report] | None = None
    ) -> tuple[Report, StoredAnswer | None]:
        """Ask for the analysis of a match that one may see; say how far it is.

        Raises ``NotFound``, ``MatchNotOver``, ``AnalysisUnderWay`` and ``TooManyAnalyses``.
        """
        with self.queries.database.read() as connection:
            match = self._load_finished(connection, look, match_id)
        with self.queries.database.write() as connection:
            # Before anything is read: the same request may just be answered.
            analyses.take_turns(connection)
            if look.caller is not None:
                must_be_new_in(connection, look.caller, posting)
            if not _is_of(analyses.find(connection, match_id), match):
                self._must_have_room(connection, look)
                asked_by = analyses.LOCAL if look.local else look.caller
                analyses.save(connection, self._make_row(match, asked_by))
            report = _get_report(connection, match)
            if look.caller is None:
                return report, None
            return report, keep_answer(
                connection, look.caller, posting, report, self._get_instant()
            )

    def show(self, look: Asker, match_id: str) -> Report:
        """Show the analysis of a match, also one of another engine.

        Raises ``NotFound``, ``MatchNotOver``, and ``NoAnalysis`` where nobody has asked for it.
        """
        with self.queries.database.read() as connection:
            return _get_report(connection, self._load_finished(connection, look, match_id))

    def make(self, look: Asker, match_id: str) -> Iterator[Report]:
        """Ask for an analysis and make it here, unless a worker does; yield how far it is.

        Raises what ``ask`` raises.
        """
        report, _ = self.ask(look, match_id)
        while not report.over:
            yield report
            with lease(self.queries.database, CHORE) as still:
                if still is not None:
                    self.go_on(match_id)
            if still is None:
                sleep(LOOK_EVERY)
            report = self.show(look, match_id)
        yield report

    def look(self, gives_way: Callable[[], bool] = lambda: False) -> Mapping[str, int]:
        """Go on for a while with what was asked for; return how many positions were analysed.

        ``gives_way``: whether something else is more urgent just now.
        """
        done, end = 0, monotonic() + LONGEST_LOOK
        while monotonic() < end:
            with self.queries.database.read() as connection:
                row = analyses.find_next(connection)
            if row is None:
                break
            wait(gives_way)
            done += self.go_on(row.match, gives_way)
        return {"positions": done}

    def go_on(self, match_id: str, gives_way: Callable[[], bool] = lambda: False) -> bool:
        """Analyse the next position of a match; False: there is none, or somebody else has.

        ``gives_way``: whether something is more urgent; what was found shows when nothing is.
        """
        with self.queries.database.read() as connection:
            row = analyses.find(connection, match_id)
        if row is None or row.state != analyses.OPEN:
            return False
        try:
            match = self._load_match(match_id)
            found = self._analyse_next(match, row) if _is_of(row, match) else None
        except Unavailable:
            # That has nothing to do with this match, and may be over in a moment.
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are to go on
            _log.error("analysis_failed", match=match_id, reason=type(error).__name__)
            with self.queries.database.write() as connection:
                analyses.fail(connection, row)
            return False
        wait(gives_way)
        with self.queries.database.write() as connection:
            if found is not None:
                return analyses.go_on(connection, row, orjson.dumps(found).decode())
            analyses.save(connection, self._make_row(match, row.asked_by))
            return False

    def _load_match(self, match_id: str) -> Match:
        with self.queries.database.read() as connection:
            match = self.queries.repository.load(connection, match_id)
        if match is None:
            raise Corruption(f"match {match_id} is not there any more")
        return match

    def _analyse_next(self, match: Match, row: AnalysisRow) -> JsonObject:
        if self._turns[0] != match.head:
            with self.queries.database.read() as connection:
                stream = log.load(connection, match.id)
            self._turns = (match.head, list_turns(stream, self.queries.repository.games))
        turn, budget = self._turns[1][row.done], self.budget(match.game)
        return self._thinker.submit(analyse_position, match, turn, budget).result()

    def _make_row(self, match: Match, asked_by: str | None) -> AnalysisRow:
        # Each move that stands has a position, and there is the last one.
        positions = match.ply + 1
        return AnalysisRow(
            match.id, match.head, ENGINE, asked_by, self._get_instant(), analyses.OPEN, 0, positions
        )

    def _get_instant(self) -> str:
        return self.queries.repository.get_instant()

    def _load_finished(self, connection: Connection, look: Asker, match_id: str) -> Match:
        match = self.queries.must_load(connection, look, match_id)
        if match.status != FINISHED:
            raise MatchNotOver(say("Only a match that was played to its end is analysed."))
        return match

    def _must_have_room(self, connection: Connection, look: Asker) -> None:
        if look.local:
            return
        own = analyses.count_waiting_of(connection, look.caller)
        if look.caller is not None and own:
            raise AnalysisUnderWay(
                say("Another match is being analysed for you. Wait until that is done."), 30
            )
        if analyses.count_waiting(connection) >= MOST_WAITING or own >= MOST_OF_VISITORS:
            raise TooManyAnalyses(
                say("Too many matches wait to be analysed. Try again in a few minutes."), 120
            )


def _is_of(row: AnalysisRow | None, match: Match) -> bool:
    """Whether an analysis is this engine's and of these events, and has not failed."""
    if row is None or row.state == analyses.FAILED:
        return False
    return (row.head, row.engine) == (match.head, ENGINE)


def _get_report(connection: Connection, match: Match) -> Report:
    row = analyses.find(connection, match.id)
    if row is None or row.head != match.head:
        raise NoAnalysis(say("Nobody has asked yet for an analysis of this match."))
    found = [orjson.loads(one) for one in analyses.list_found(connection, match.id)]
    status = row.state
    if status == analyses.OPEN:
        status = RUNNING if row.done else WAITING
    return Report(status, row.done, row.positions, row.engine, found)


def analyse_position(match: Match, turn: AnalysedTurn, budget: int) -> JsonObject:
    """Analyse a position; return what was found in the contract's form."""
    game = match.game
    if turn.seat is None:
        ended = judge_end(game, turn.position)
        finding = Finding(ended or Value(500), (), None, None)
        return _analysis_json(game, turn, Analysis(finding))
    case = Case(
        turn.position,
        turn.seat,
        turn.sight,
        match.options,
        None if turn.move is None else game.parse_move(_get_whole_move(turn.move)),
        derive_seed(match.id, turn.version),
        budget,
    )
    return _analysis_json(game, turn, analyse(game, case))


def derive_seed(match_id: str, version: int) -> int:
    """Return what the chance of a search follows from: 64 bits, the same each time."""
    digest = sha256(f"plybook/analysis/1 {match_id} {version}".encode()).digest()
    return int.from_bytes(digest[:8], "big")


def _get_whole_move(event: Event) -> JsonObject:
    """Return a whole move, what it hid included: a finished match has nothing to hide."""
    if not isinstance(event.fact, MoveMade):
        raise Corruption(f"event {event.version} is no move")
    whole: JsonObject = event.sealed[0].value if event.sealed else event.fact.move
    return whole


def _analysis_json(game: AnyGame, turn: AnalysedTurn, analysis: Analysis) -> JsonObject:
    played = None
    if turn.move is not None:
        move = _get_whole_move(turn.move)
        text = game.notation.write(move)
        played = {"version": turn.move.version, "move": move, "text": text}
    truth = None
    if analysis.truth is not None:
        truth = _finding_json(game, analysis.truth)
        del truth["mark"]
    finding = _finding_json(game, analysis.finding)
    return {"version": turn.version, "seat": turn.seat, **finding, "played": played, "truth": truth}


def _finding_json(game: AnyGame, finding: Finding) -> JsonObject:
    return {
        "value": value_json(finding.value),
        "best": [_line_json(game, line) for line in finding.best],
        "loss": finding.loss,
        "mark": finding.mark,
    }


def value_json(value: Value) -> JsonObject:
    """Return a value in the contract's form."""
    if not value.exact:
        return {"kind": "estimate", "per_mille": value.per_mille}
    return {"kind": "exact", "winner": value.winner, "margin": value.margin, "plies": value.plies}


def _line_json(game: AnyGame, line: Variation) -> JsonObject:
    written = [game.dump_move(move) for move in line.moves]
    texts = [game.notation.write(move) for move in written]
    return {"move": written[0], "text": texts[0], "line": texts}
