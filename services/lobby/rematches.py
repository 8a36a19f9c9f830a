"""Rematches: playing the same again, with seats swapped.

Whoever asks gets a match that waits for the other player. If both ask, they get one match. Behind a
series the rematch is another one, of the same terms, and the same from whichever of its matches it
is asked for.

A rating range is about strangers, and a rematch asks somebody by name. Held to the range of before,
it might refuse the one whom it asks, for what the match itself did to their rating. So it has none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from domain import errors
from domain.i18n import say
from domain.match.series import place_of
from domain.match.state import ABORTED, ACTIVE, OPEN, Match
from domain.rating.rated_matches import check_ratable
from services.matches import access
from services.matches.commands import MatchCommands
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.matches.repository import Appended
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    keep_answer,
    must_be_new,
)
from services.store import challenges
from services.store import matches as readmodels
from services.store.db.engine import ATTEMPTS
from services.store.idempotency import KeyInUse


class _Overtaken(Exception):
    """Somebody else has asked for the same rematch a moment ago."""


_CHANGED = (_Overtaken, errors.MatchNotOpen, errors.OwnMatch, errors.Lapsed, KeyInUse)
"""What says that a rematch is not any more as it was when it was looked at."""


@dataclass(frozen=True, slots=True)
class Rematches:
    """Asks for rematches."""

    matches: MatchCommands
    queries: MatchQueries

    def ask(self, request: ChangeRequest, match_id: str) -> CommandResult:
        """Challenge the same opponent to the same match, with seats swapped.

        Who asks again gets the same one; when the other asks too, it starts. One that was
        declined, withdrawn or has lapsed may be asked for anew. Of one that was created, the first
        events are given. Raises ``NotFound``, ``NotYourSeat`` and ``NoRematch``.
        """
        for _ in range(ATTEMPTS):
            must_be_new(self.queries.database, request.caller, request.record)
            former, rematch = self._look(request, match_id)
            try:
                if rematch is None or rematch.status == ABORTED:
                    return self._create(request, former, rematch)
                return self._take_up(request, former, rematch)
            except _CHANGED:
                # Somebody asks at the same moment, perhaps the same player: look again.
                continue
        raise errors.MatchNotOpen(say("This rematch changes too often just now. Try again."))

    def find(self, caller: str, match_id: str) -> ShownMatch | None:
        """Show the newest rematch of a match to a player of it, or return None."""
        with self.queries.database.read() as connection:
            row = readmodels.find(connection, match_id)
            asked = match_id if row is None or row.series is None else row.series
            found = challenges.find_rematch(connection, asked)
        return None if found is None else self.queries.show(Asker(caller), found)

    def _look(self, request: ChangeRequest, match_id: str) -> tuple[Match, Match | None]:
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, Asker(request.caller), match_id)
            access.seat_of(match, access.identify_caller(connection, match, request.caller))
            if not match.over or match.position is None:
                raise errors.NoRematch(say("A rematch is for when a match has been played."))
            _must_not_go_on(connection, match)
            found = challenges.find_rematch(connection, _get_key(match))
        if found is None:
            return match, None
        # A challenge may have lapsed that no sweep has ended yet.
        self.matches.end_if_due(found)
        with self.queries.database.read() as connection:
            return match, self.queries.repository.load(connection, found)

    def _create(
        self, request: ChangeRequest, former: Match, rematch: Match | None
    ) -> CommandResult:
        replaced = None if rematch is None else rematch.id

        def keep(connection: Connection, appended: Appended) -> None:
            if not challenges.save_rematch(
                connection, _get_key(former), appended.match.id, replaced
            ):
                raise _Overtaken

        seat = former.seat_of(request.caller) or 1
        other = former.seats[2 - seat]
        new = NewMatch(
            game=former.game.slug,
            options=former.options,
            settings=former.settings[seat - 1],
            seat=3 - seat,
            opponent=self.queries.accounts.find_names([other]).get(other),
            visibility=former.visibility,
            # One from before may have been rated as none can be now.
            rated=former.rated
            and check_ratable(former.game, former.options, former.visibility, other) is None,
            pace=former.pace,
            series=None if former.series is None else place_of(former.series).terms._asdict(),
        )
        return self.matches.create(replace(request, also=(keep,)), new)

    def _take_up(self, request: ChangeRequest, former: Match, rematch: Match) -> CommandResult:
        """Join a rematch that waits for the caller, or show the one that there is."""
        if rematch.status == OPEN and rematch.creator != request.caller:
            seat = former.seat_of(request.caller) or 1
            return self.matches.join(request, rematch.id, former.settings[seat - 1])
        done = CommandResult(self.queries.show(Asker(request.caller), rematch.id), [])
        if request.record is None:
            return done
        with self.queries.database.write() as connection:
            at = self.queries.repository.get_instant()
            answer = keep_answer(connection, request.caller, request.record, done, at)
        return replace(done, answer=answer)


def _get_key(match: Match) -> str:
    """Return the match by which a rematch is kept: of a series, the first."""
    return match.id if match.series is None else str(match.series["id"])


def _must_not_go_on(connection: Connection, match: Match) -> None:
    """Refuse a rematch while the series of a match goes on by itself. Raises ``NoRematch``."""
    if match.series is None:
        return
    last = readmodels.list_by_series(connection, match.series["id"])[-1]
    if last.status == ACTIVE:
        raise errors.NoRematch(
            say("The series goes on in the match {match}: that is played next.", match=last.id)
        )
