"""The one way that a move takes, and all other commands to single matches.

Accounts may be closed and invitations be made while a match is created or joined. Whoever comes
second has to see it: hence the locks, which are taken in the transaction of the events and held
until it ends.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from domain import errors
from domain.errors import InvalidSettings, Refusal, SeatReserved
from domain.game.options import fill
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.clock import DAY, SECOND, full_pace
from domain.match.decide import create
from domain.match.draft import Chance, provable
from domain.match.state import ACTIVE, FINISHED, Match
from domain.match.views import show_event, view
from services.accounts.accounts import Accounts
from services.errors import (
    InvalidRequest,
    PreconditionRequired,
    StaleVersion,
    Unauthenticated,
    Unavailable,
    UnknownOpponent,
)
from services.matches import access
from services.matches.access import must_know
from services.matches.actions import Action, ActionCommands, check_contribution, seat_of
from services.matches.conditional_execution import ConditionalExecution
from services.matches.match_json import ShownMatch
from services.matches.repository import Appended, Repository, row_of
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Preparing,
    repeat,
    store,
)
from services.matches.timeouts import Timeouts, clocks_must_stand_still
from services.runtime.clock import instant
from services.runtime.randomness import Randomness
from services.store import accounts, challenges
from services.store import matches as readmodels
from services.store.db.engine import Database
from services.store.idempotency import KeyInUse
from services.store.log.events import ConditionalMovesStored, VersionTaken
from services.store.log.group_commit import Group, Member

if TYPE_CHECKING:
    from services.matches.requests import InTransaction


def still_here(request: ChangeRequest, opponent: str | None) -> InTransaction:
    """Return a look at whether caller and opponent have open accounts, before ``beside``."""

    def look(connection: Connection, appended: Appended) -> None:
        caller_is_open(connection, request.caller)
        if opponent is not None and not accounts.hold_open(connection, opponent):
            raise UnknownOpponent(say("There is no player of that name."), pointer="/opponent")
        if request.beside is not None:
            request.beside(connection, appended)

    return look


def seat_is_free(request: ChangeRequest, match_id: str, now: str) -> InTransaction:
    """Return a look at whether the free seat is still to be had, before ``beside``.

    It may be kept for an invitation; whoever is ``invited`` uses one up.
    """

    def look(connection: Connection, appended: Appended) -> None:
        caller_is_open(connection, request.caller)
        readmodels.get(connection, match_id, lock=True)
        if not request.invited and challenges.count_live(connection, match_id, now):
            raise SeatReserved(say("This seat is kept for somebody who was invited by a link."))
        clocks_must_stand_still(connection, appended.match)
        if request.beside is not None:
            request.beside(connection, appended)

    return look


def caller_is_open(connection: Connection, player: str) -> None:
    """Refuse a caller whose account was closed a moment ago. Raises ``Unauthenticated``."""
    if not accounts.hold_open(connection, player):
        raise Unauthenticated(say("This account was closed."))


ATTEMPTS = 5
"""How often a command is tried when other writers are there first."""


@dataclass(frozen=True, slots=True)
class MatchCommands:
    """Commands to matches: each loads and folds, decides, and then appends in one transaction."""

    database: Database
    group: Group
    repository: Repository
    accounts: Accounts
    entropy: Randomness
    answering: ConditionalExecution
    timekeeper: Timeouts
    actions: ActionCommands
    chance: Chance = field(default=provable)

    def create(self, request: ChangeRequest, new: NewMatch) -> CommandResult:
        """Create a match. Raises refusals for options, settings, opponent, visibility."""
        game = self.repository.games.get(new.game)
        command = commands.CreateMatch(
            match=self.entropy.match_id(),
            secret=self.entropy.secret(),
            game=game,
            options=fill(game.options, _given(new.options)),
            settings=fill(game.settings, _given(new.settings), InvalidSettings),
            creator=request.caller,
            seat=new.seat,
            opponent=self._opponent(request.caller, new),
            visibility=new.visibility,
            pace=full_pace(new.pace),
            rated=new.rated,
            waits=self.timekeeper.challenge_days * DAY // SECOND,
        )

        request = replace(request, beside=still_here(request, command.opponent))
        for _ in range(ATTEMPTS):
            self._repeat(request)
            decided = create(command, self.chance)
            done = self._commit(request, self.repository.seal(None, decided))
            if done is not None:
                return done
        raise _too_busy()

    def join(
        self,
        request: ChangeRequest,
        match_id: str,
        settings: JsonObject | None = None,
        contribution: str | None = None,
    ) -> CommandResult:
        """Take the free seat; the match starts."""

        def prepare(match: Match) -> commands.Command:
            full = fill(match.game.settings, _given(settings), InvalidSettings)
            if contribution is not None:
                check_contribution(contribution)
            # Who may sit down is decided behind the record: a repetition comes from who sits there.
            return commands.JoinMatch(request.caller, full, contribution)

        now = instant(self.accounts.now())
        seated = seat_is_free(request, match_id, now)
        return self.change(replace(request, any_version=True, beside=seated), match_id, prepare)

    def play(self, request: ChangeRequest, match_id: str, move: Json) -> CommandResult:
        """Make a move, given as JSON."""

        def prepare(match: Match) -> commands.Command:
            parsed = match.game.form(move)
            return commands.PlayMove(seat_of(match, request.caller), parsed, request.cause)

        return self.change(request, match_id, prepare)

    def act(self, request: ChangeRequest, match_id: str, action: Action) -> CommandResult:
        """Do something else than move: ``services.matches.actions`` has the names."""

        def prepare(match: Match) -> commands.Command:
            return self.actions.command(match, request, action)

        return self.change(request, match_id, prepare)

    def change(self, request: ChangeRequest, match_id: str, prepare: Preparing) -> CommandResult:
        """Decide on the state that is in memory, else on the one that the log gives.

        What is in memory may be old. Then nothing comes of it: the write is refused by the
        log, and a refusal of ours counts only when it was decided on the log's state.
        """
        remembered = self.repository.remembered(match_id)
        if remembered is not None and request.record is None:
            with suppress(Refusal):
                done = self._commit(request, self.decided(request, remembered, prepare))
                if done is not None:
                    return done
        for _ in range(ATTEMPTS):
            match = self._loaded(match_id)
            try:
                done = self._commit(request, self.decided(request, match, prepare))
            except errors.TimeIsUp:
                # The end comes first, and stands; unless something else has come before it.
                if self.timekeeper.end(match):
                    raise
                continue
            if done is not None:
                return done
        raise _too_busy()

    def _loaded(self, match_id: str) -> Match:
        with self.database.read() as connection:
            match = self.repository.load(connection, match_id)
        if match is None:
            raise access.no_such_match(match_id)
        return match

    def decided(self, request: ChangeRequest, match: Match, prepare: Preparing) -> Appended:
        """Check in the order of the contract, and decide."""
        if not request.admin and not request.invited:
            must_know(self.database, match, request.caller)
        command = prepare(match)
        self._repeat(request)
        _check_version(match, request)
        return self.timekeeper.decided(match, command)

    def _repeat(self, request: ChangeRequest) -> None:
        if request.record is not None:
            with self.database.read() as connection:
                repeat(connection, request.caller, request.record)

    def _commit(self, request: ChangeRequest, appended: Appended) -> CommandResult | None:
        """Write what was decided; None: somebody else was first, so decide again."""
        done = self._done(request, appended)
        try:
            if request.record is None and request.beside is None and appended.is_plain:
                self.group.append(Member(appended.events, row_of(appended.match), appended.passing))
            else:
                done = self._written(request, appended, done)
        except (VersionTaken, ConditionalMovesStored, KeyInUse):
            return None
        self.announce(appended)
        return done

    def _written(
        self, request: ChangeRequest, appended: Appended, done: CommandResult
    ) -> CommandResult:
        """Write events and all that is kept with them."""
        with self.database.write() as connection:
            if request.beside is not None:
                request.beside(connection, appended)
            self.repository.write(connection, appended)
            if request.record is None:
                return done
            at = appended.match.updated_at
            return replace(done, answer=store(connection, request.caller, request.record, done, at))

    def _done(self, request: ChangeRequest, appended: Appended) -> CommandResult:
        match = appended.match
        viewer = access.viewer(match, request.caller, None)
        finished = match.status == FINISHED
        names = self.accounts.names([*match.seats, match.opponent])
        seat = match.seat_of(request.caller)
        shown = ShownMatch(view(match, viewer), names, seat, at=match.updated_at)
        return CommandResult(
            shown, [show_event(event, viewer, finished=finished) for event in appended.events]
        )

    def leave_all(self, connection: Connection, player: str) -> list[Appended]:
        """End what a player has not finished: decline, abort or resign; return what to announce.

        Raises ``VersionTaken`` where others write to one of the matches at the same time.
        """
        unfinished = readmodels.unfinished(connection, player)
        ended = (self._leave(connection, player, match_id) for match_id in unfinished)
        return [one for one in ended if one is not None]

    def _leave(self, connection: Connection, player: str, match_id: str) -> Appended | None:
        match = self.repository.load(connection, match_id)
        if match is None or match.over:
            return None
        request = ChangeRequest(player, any_version=True)
        try:
            appended = self.decided(request, match, lambda _: _leaving(match, player))
        except Refusal:
            # Its time is up: whoever looks after the clocks ends it.
            return None
        try:
            self.repository.write(connection, appended)
        except ConditionalMovesStored as kept:
            raise VersionTaken(f"match {match_id} has gone on") from kept
        return appended

    def announce(self, appended: Appended) -> None:
        """Tell those who wait for a match about events that are committed."""
        self.timekeeper.announce(appended)

    def _opponent(self, caller: str, new: NewMatch) -> str | None:
        if new.opponent is None:
            if new.visibility == access.PRIVATE and not new.invitation:
                raise InvalidRequest(
                    say(
                        "A private match needs an opponent, or an invitation: name the player you "
                        "challenge, or say that you will invite somebody by a link."
                    ),
                    pointer="/visibility",
                )
            return None
        if new.invitation:
            raise InvalidRequest(
                say("Either challenge a player by name, or invite somebody by a link."),
                pointer="/invitation",
            )
        opponent = self.accounts.find(new.opponent)
        if opponent is None:
            raise UnknownOpponent(say("There is no player of that name."), pointer="/opponent")
        if opponent.id == caller:
            raise UnknownOpponent(say("You cannot challenge yourself."), pointer="/opponent")
        return opponent.id


def _too_busy() -> Unavailable:
    return Unavailable(say("Too many others write just now. Try again."))


def _given(members: JsonObject | None) -> JsonObject:
    """Return what was given, or nothing at all; whether it is an object is for ``fill``."""
    return {} if members is None else members


def _check_version(match: Match, request: ChangeRequest) -> None:
    if request.any_version:
        return
    if request.expected is None:
        raise PreconditionRequired(
            say("Say which version of the match you decided on: If-Match or expected_version.")
        )
    if request.expected != match.version:
        raise StaleVersion(match.version)


def _leaving(match: Match, player: str) -> commands.Command:
    seat = match.seat_of(player)
    if seat is None:
        return commands.DeclineChallenge(player)
    return commands.Resign(seat) if match.status == ACTIVE else commands.AbortMatch(seat)
