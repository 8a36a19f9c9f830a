"""Conditional moves as their author deals with them: list, replace, remove, read what became.

They are private to the seat that wrote them, for ever: nothing here takes anybody else's eyes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import orjson
from sqlalchemy import Connection

from domain.errors import InvalidConditionalMoves, MatchNotActive, YourTurn
from domain.game.game import AnyGame
from domain.i18n import load_said, say
from domain.json_types import Json, JsonObject
from domain.match import conditional_moves
from domain.match.conditional_moves import ConditionalMoves, Line, join_lines
from domain.match.state import ACTIVE, Match
from services.errors import NotFound, PreconditionRequired, StaleVersion
from services.matches import access
from services.matches.access import identify_caller
from services.matches.conditional_moves.execution import ConditionalExecution
from services.matches.repository import Appended, Repository, row_of
from services.store import conditional_moves as conditional
from services.store import matches
from services.store.conditional_moves import Numbered, StoredConditionalMoves
from services.store.cursors import Page, find_next_cursor
from services.store.db.engine import ATTEMPTS, Database, make_overtaken
from services.store.log import events

LARGEST = 32_768
"""Bytes of JSON that a seat's lines may take."""

HIDDEN = "?"
"""What notations write in the place of what the reader may not see."""

Changing = Callable[[Match, ConditionalMoves], ConditionalMoves]


class ShownConditionalMoves(NamedTuple):
    """The lines of the caller's seat in a match that is at ``match_version``."""

    match_version: int
    game: AnyGame
    kept: StoredConditionalMoves


class ConditionalMovesChange(NamedTuple):
    """Who changes their lines, and on which versions of the lines and the match they decided.

    ``match_version`` None: the change needs no more than the lines themselves.
    """

    caller: str
    expected: int | None
    match_version: int | None = None


@dataclass(frozen=True, slots=True)
class ConditionalMovesCommands:
    """Use cases of an author: list, replace, add and remove lines, read what became of them."""

    database: Database
    repository: Repository
    conditional_execution: ConditionalExecution
    announce: Callable[[Appended], None]

    def show(self, caller: str, match_id: str) -> ShownConditionalMoves:
        """Show a player's lines. Raises ``NotFound`` and ``NotYourSeat``."""
        self._settle(match_id)
        with self.database.read() as connection:
            match, seat = self._load_seated(connection, caller, match_id)
            return ShownConditionalMoves(
                match.version, match.game, conditional.get(connection, match_id, seat)
            )

    def list_happenings(
        self, caller: str, match_id: str, before: int | None, limit: int
    ) -> Page[Numbered, int]:
        """Show what became of a player's lines, newest first.

        Raises ``NotFound`` and ``NotYourSeat``.
        """
        self._settle(match_id)
        with self.database.read() as connection:
            _, seat = self._load_seated(connection, caller, match_id)
            found = conditional.list_happenings(
                connection, match_id, seat, before or events.LAST, limit + 1
            )
        return Page(
            [_retell(one) for one in found[:limit]],
            find_next_cursor(found, limit, lambda last: last.number),
        )

    def replace(
        self, change: ConditionalMovesChange, match_id: str, lines: Json, after: Json = None
    ) -> ShownConditionalMoves:
        """Put lines, given as JSON, in the place of all that there are.

        ``after``: moves that their author makes by hand before the lines begin. Raises
        ``InvalidConditionalMoves``, ``StaleVersion``, ``MatchNotActive``, ``YourTurn``.
        """

        def changed(match: Match, _: ConditionalMoves) -> ConditionalMoves:
            read = conditional_moves.read(lines, match.game)
            if len(orjson.dumps(conditional_moves.dump_lines(read))) > LARGEST:
                raise InvalidConditionalMoves(
                    say("All lines together may take {most} bytes.", most=LARGEST), pointer="/lines"
                )
            first = conditional_moves.read_moves([] if after is None else after, match.game)
            if first and not read:
                raise InvalidConditionalMoves(say("No line follows on this."), pointer="/after")
            return conditional_moves.put_behind(first, read)

        return self._change(change, match_id, changed)

    def read_condition(self, caller: str, match_id: str, typed: str) -> JsonObject:
        """Read a move of the opponent's as a player will see it; ``?`` is what stays hidden.

        Raises ``MalformedMove``, ``MatchNotActive``, ``NotFound``, ``NotYourSeat``.
        """
        with self.database.read() as connection:
            match, _ = self._load_seated(connection, caller, match_id)
        if match.status != ACTIVE:
            raise MatchNotActive(say("Only a match that is running has conditional moves."))
        game = match.game
        # What is hidden has a value all the same, and it does not matter which.
        move = game.notation.read(typed.replace(HIDDEN, "0"))
        if game.parse_seen is None:
            return game.dump_move(game.parse_move(move))
        public = game.conceal(match.started, game.parse_move(move)) if HIDDEN in typed else None
        return game.parse_seen(public or move)

    def add(
        self, caller: str, match_id: str, match_version: int, line: ConditionalMoves
    ) -> ShownConditionalMoves:
        """Put a line among those that there are. Raises what ``replace`` raises."""
        kept = self.show(caller, match_id).kept
        after, lines = conditional_moves.split(join_lines(kept.lines, line))
        change = ConditionalMovesChange(caller, kept.version, match_version)
        return self.replace(change, match_id, conditional_moves.dump_lines(lines), list(after))

    def remove(
        self, change: ConditionalMovesChange, match_id: str, label: str | None = None
    ) -> ShownConditionalMoves:
        """Remove all lines, or the one of a label and what follows on it.

        Raises ``NotFound`` for a label that there is not, ``StaleVersion``, ``MatchNotActive``.
        """

        def changed(_: Match, lines: ConditionalMoves) -> ConditionalMoves:
            after, left = conditional_moves.split(lines)
            kept = () if label is None else conditional_moves.remove_line(left, label)
            if kept is None:
                raise NotFound(say("You have no such line."))
            return conditional_moves.put_behind(after, kept) if kept else ()

        return self._change(change, match_id, changed)

    def _change(
        self, change: ConditionalMovesChange, match_id: str, changing: Changing
    ) -> ShownConditionalMoves:
        for _ in range(ATTEMPTS):
            self._settle(match_id)
            with self.database.read() as connection:
                match, seat = self._load_seated(connection, change.caller, match_id)
                kept = conditional.get(connection, match_id, seat)
            after = self._decide(change, match, kept, changing)
            if self._save(match, kept, after):
                return ShownConditionalMoves(match.version, match.game, after)
        raise make_overtaken()

    def _decide(
        self,
        change: ConditionalMovesChange,
        match: Match,
        kept: StoredConditionalMoves,
        changing: Changing,
    ) -> StoredConditionalMoves:
        """Check in the order of the contract."""
        lines = changing(match, kept.lines)
        if change.expected is None:
            raise PreconditionRequired(
                say(
                    "Say which version of your conditional moves you changed: If-Match or "
                    "expected_version."
                )
            )
        if change.expected != kept.version:
            raise StaleLines(kept.version)
        if change.match_version not in (None, match.version):
            raise StaleVersion(match.version)
        if match.status != ACTIVE:
            raise MatchNotActive(say("Only a match that is running has conditional moves."))
        if lines:
            _check_turn(match, kept.seat, lines)
            conditional_moves.check(match, kept.seat, lines)
        at = self.repository.get_instant()
        return kept._replace(
            version=kept.version + 1, seen=match.version, lines=lines, updated_at=at
        )

    def _save(
        self, match: Match, before: StoredConditionalMoves, after: StoredConditionalMoves
    ) -> bool:
        """Store what was decided, unless match or lines have gone on meanwhile."""
        with self.database.write() as connection:
            if matches.find(connection, match.id, lock=True) is None:
                matches.save(connection, row_of(match))
            head = events.find_head(connection, match.id)
            present = conditional.get(connection, match.id, before.seat)
            if head is None or head.hash != match.head or present.version != before.version:
                return False
            conditional.save(connection, after)
            conditional.flag(connection, match.id)
        return True

    def _settle(self, match_id: str) -> None:
        """Settle the lines first: their author is to see what has become of them."""
        late = self.conditional_execution.settle(match_id)
        if late is not None:
            self.announce(late)

    def _load_seated(self, connection: Connection, caller: str, match_id: str) -> tuple[Match, int]:
        match = self.repository.load(connection, match_id)
        if match is None:
            raise access.make_not_found(match_id)
        known = identify_caller(connection, match, caller)
        access.must_see(match, known)
        return match, access.seat_of(match, known)


def _check_turn(match: Match, seat: int, lines: ConditionalMoves) -> None:
    after, _ = conditional_moves.split(lines)
    if match.to_act == seat and not after:
        raise YourTurn(say("It is your turn: move first, or say with `after` what you will play."))
    if match.to_act != seat and after:
        raise InvalidConditionalMoves(
            say("It is your opponent's turn: no move of yours comes first."), pointer="/after"
        )


class StaleLines(StaleVersion):
    """The lines have changed since the version that the request was decided on."""

    def __init__(self, version: int) -> None:
        super().__init__(version)
        self.detail = say(
            "Your conditional moves have changed: they are at version {version} now.",
            version=version,
        )


def shown_json(shown: ShownConditionalMoves) -> JsonObject:
    """Return the contract's object of a seat's conditional moves."""
    kept = shown.kept
    after, lines = conditional_moves.split(kept.lines)
    return {
        "seat": kept.seat,
        "version": kept.version,
        "match_version": shown.match_version,
        "after": list(after),
        "lines": _lines_json(lines, shown.game),
        "updated_at": kept.updated_at or None,
    }


def _lines_json(lines: ConditionalMoves, game: AnyGame, above: str = "") -> list[JsonObject]:
    shown = []
    for number, line in enumerate(lines, 1):
        label = f"{above}{number}"
        shown.append(
            {
                "line": label,
                "text": describe_line(line, game),
                "if": line.when,
                "then": list(line.then),
                "next": _lines_json(line.next, game, f"{label}."),
            }
        )
    return shown


def describe_line(line: Line, game: AnyGame) -> str:
    """Tell a line, without what follows on it, in the game's notation."""
    write = game.notation.write
    if not line.then:
        return say("If {move},", move=write(line.when))
    answers = ", ".join(write(move) for move in line.then)
    return say("If {move}, then {answers}.", move=write(line.when), answers=answers)


def _retell(happening: Numbered) -> Numbered:
    """Return what happened with a text that can be told in other languages, where it is kept so."""
    detail = dict(happening.detail)
    said = detail.pop("said", None)
    text = detail["text"] if said is None else load_said(said)
    return happening._replace(detail={**detail, "text": text})


def happening_json(happening: Numbered) -> JsonObject:
    """Return the contract's object of something that happened."""
    number, kind, version, at, detail = happening
    return {"number": number, "kind": kind, "version": version, "at": at, **detail}
