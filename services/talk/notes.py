"""Notes that players keep for themselves on matches. Nobody else ever sees them."""

from __future__ import annotations

from dataclasses import dataclass

from domain.i18n import say
from domain.json_types import JsonObject
from domain.match.clock import format_instant
from services.accounts.closing import must_be_open
from services.accounts.user_texts import clean
from services.errors import NotFound, TooManyNotes
from services.matches.queries import Asker, MatchQueries
from services.runtime.clock import Now
from services.store import talk
from services.store.db.engine import Database
from services.store.talk import NoteRow

LONGEST = 4_000
"""Characters of a note."""

MOST = 500
"""Notes of one player on one match."""


@dataclass(frozen=True, slots=True)
class Notes:
    """The use cases. Whoever may see a match may keep notes on it."""

    database: Database
    queries: MatchQueries
    now: Now

    def list_by_match(self, caller: str, match_id: str) -> list[NoteRow]:
        """Return the caller's notes on a match. Raises ``NotFound``."""
        with self.database.read() as connection:
            self.queries.must_load(connection, Asker(caller), match_id)
            return talk.list_notes(connection, caller, match_id)

    def write(self, caller: str, match_id: str, version: int, text: str) -> NoteRow:
        """Keep a note on a match at a version of it (0: on the whole match).

        Raises ``NotFound``, ``InvalidText``, ``TooManyNotes``.
        """
        with self.database.read() as connection:
            match = self.queries.must_load(connection, Asker(caller), match_id)
            if version > match.version:
                raise NotFound(say("This match has the versions 1 to {last}.", last=match.version))
            others = {note.version for note in talk.list_notes(connection, caller, match_id)}
        if len(others - {version}) >= MOST:
            raise TooManyNotes(
                say("You have {most} notes on this match; delete one first.", most=MOST)
            )
        note = NoteRow(caller, match_id, version, clean(text, LONGEST), format_instant(self.now()))
        with self.database.write() as connection:
            must_be_open(connection, caller)
            talk.save(connection, note)
        return note

    def delete(self, caller: str, match_id: str, version: int) -> None:
        """Remove a note of the caller's. Raises ``NotFound``."""
        with self.database.read() as connection:
            self.queries.must_load(connection, Asker(caller), match_id)
        with self.database.write() as connection:
            there = talk.delete(connection, caller, match_id, version)
        if not there:
            raise NotFound(say("You have no note on this version of the match."))


def note_json(note: NoteRow) -> JsonObject:
    """Return the contract's note object."""
    return {"version": note.version, "text": note.text, "updated_at": note.updated_at}
