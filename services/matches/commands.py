"""The one way that a move takes, and all other commands to single matches.

Whoever meets a match whose time is up (the next command, or the sweep) appends that end; it is for
one version, like every event, so it is appended once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from domain import errors
from domain.errors import CannotBeRated, InvalidSettings, Refusal
from domain.game.options import fill
from domain.i18n import say
from domain.json_types import Json, JsonObject
from domain.match import commands
from domain.match.clock import DAY, SECOND, complete_pace
from domain.match.decisions.clock import find_lost_time
from domain.match.house_players import level_of
from domain.match.series import complete_terms, make_first_place
from domain.match.state import ACTIVE, FINISHED, OPEN, Match, is_due
from domain.match.views import show_event, view
from domain.rating.rated_matches import check_ratable
from services.accounts.accounts import Accounts
from services.errors import (
    InvalidRequest,
    PreconditionRequired,
    StaleVersion,
    UnknownOpponent,
)
from services.matches import access, seats, series
from services.matches.actions import Action, ActionCommands, check_contribution
from services.matches.conditional_moves.execution import ConditionalExecution
from services.matches.downtime import Downtime
from services.matches.match_json import MatchRating, ShownMatch
from services.matches.repository import Appended, Repository
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    NewMatch,
    Preparing,
    keep_answer,
    must_be_new,
)
from services.runtime.notifier import Notifier
from services.store import matches
from services.store.db.engine import ATTEMPTS, Database, make_overtaken
from services.store.idempotency import KeyInUse
from services.store.log.events import ConditionalMovesStored, Group, VersionTaken

_GONE_ON = (VersionTaken, ConditionalMovesStored, KeyInUse)
"""What says that somebody else has written first."""


@dataclass(frozen=True, slots=True)
class MatchCommands:
    """Commands to matches: each loads and folds, decides, and then appends in one transaction.

    ``challenge_days``: how long challenges wait that are made from now on.
    """

    database: Database
    group: Group
    repository: Repository
    accounts: Accounts
    conditional_execution: ConditionalExecution
    actions: ActionCommands
    downtime: Downtime
    notifier: Notifier
    challenge_days: int

    def create(self, request: ChangeRequest, new: NewMatch) -> CommandResult:
        """Create a match. Raises refusals for options, settings, opponent, visibility.

        Where a house player is the opponent it sits down at once, and the match starts.
        """
        command = self.plan(request.caller, new)
        check = seats.make_players_check(request.caller, command.opponent, new.rating_range)
        request = replace(request, also=(check, *request.also))
        for _ in range(ATTEMPTS):
            self._must_be_new(request)
            created = self.repository.create(command)
            if level_of(command.opponent) is not None:
                created = self._seat_house_player(created)
            with suppress(*_GONE_ON):
                return self._write(request, created) or self._make_result(request, created)
        raise make_overtaken()

    def plan(self, caller: str, new: NewMatch) -> commands.CreateMatch:
        """Return what ``create`` would do, which changes nothing. Raises what that raises."""
        game, randomness = self.repository.games.get(new.game), self.repository.randomness
        match_id = randomness.make_match_id()
        planned = commands.CreateMatch(
            match=match_id,
            secret=randomness.make_match_secret(),
            game=game,
            options=fill(game.options, _take_members(new.options)),
            settings=fill(game.settings, _take_members(new.settings), InvalidSettings),
            creator=caller,
            seat=new.seat,
            opponent=self._find_opponent(caller, new),
            visibility=new.visibility,
            pace=complete_pace(new.pace),
            rated=new.rated,
            waits=self.challenge_days * DAY // SECOND,
            series=make_first_place(complete_terms(new.series), match_id),
        )
        _check_rating(planned, new)
        return planned

    def must_be_allowed(self, caller: str, planned: commands.CreateMatch) -> None:
        """Refuse what ``create`` would refuse because of who plays. Raises what that raises."""
        now = self.repository.get_instant()
        with self.database.read() as connection:
            seats.must_be_allowed(connection, caller, planned.opponent, now)

    def _seat_house_player(self, created: Appended) -> Appended:
        match = created.match
        settings = fill(match.game.settings, {}, InvalidSettings)
        join = commands.JoinMatch(match.opponent or "", settings)
        return self._let_clocks_stand(self.repository.decide_next(created, join))

    def _let_clocks_stand(self, appended: Appended) -> Appended:
        """Let clocks stand in a match that begins, of those who are on vacation."""
        if appended.match.clock is None:
            return appended
        with self.database.read() as connection:
            return seats.let_absent_clocks_stand(connection, self.repository, appended)

    def join(
        self,
        request: ChangeRequest,
        match_id: str,
        settings: JsonObject | None = None,
        contribution: str | None = None,
    ) -> CommandResult:
        """Take the free seat; the match starts."""

        def prepare(match: Match) -> commands.Command:
            full = fill(match.game.settings, _take_members(settings), InvalidSettings)
            if contribution is not None:
                check_contribution(contribution)
            # Who may sit down is decided behind the record: a repetition comes from who sits there.
            return commands.JoinMatch(request.caller, full, contribution)

        also = (seats.make_seat_check(request.caller, invited=request.invited), *request.also)
        return self.change(replace(request, any_version=True, also=also), match_id, prepare)

    def play(self, request: ChangeRequest, match_id: str, move: Json) -> CommandResult:
        """Make a move, given as JSON."""

        def prepare(match: Match) -> commands.Command:
            parsed = match.game.parse_move(move)
            seat = access.seat_of(match, request.caller)
            return commands.PlayMove(seat, parsed, request.cause, request.engine)

        return self.change(request, match_id, prepare)

    def act(self, request: ChangeRequest, match_id: str, action: Action) -> CommandResult:
        """Do something else than move: ``services.matches.actions`` has the names."""
        return self.change(
            request, match_id, lambda match: self.actions.make_command(match, request, action)
        )

    def change(self, request: ChangeRequest, match_id: str, prepare: Preparing) -> CommandResult:
        """Decide on the state that is in memory, else on the one that the log gives.

        What is in memory may be old. Then nothing comes of it: the write is refused by the
        log, and a refusal of ours counts only when it was decided on the log's state.
        """
        remembered = None if request.record else self.repository.recall(match_id)
        for _ in range(ATTEMPTS):
            match = remembered or self._must_load(match_id)
            try:
                decided = self._decide(request, match, prepare)
                written = self._write(request, decided)
            except _GONE_ON:
                pass
            except Refusal as refusal:
                late = isinstance(refusal, errors.TimeIsUp)
                # The end comes first, and stands; unless something else has come before it.
                if remembered is None and (not late or self.end(match)):
                    raise
            else:
                return written or self._make_result(request, decided)
            remembered = None
        raise make_overtaken()

    def load(self, match_id: str) -> Match | None:
        """Return the present state of a match, or None if there is none."""
        with self.database.read() as connection:
            return self.repository.load(connection, match_id)

    def _must_load(self, match_id: str) -> Match:
        match = self.load(match_id)
        if match is None:
            raise access.make_not_found(match_id)
        return match

    def _decide(self, request: ChangeRequest, match: Match, prepare: Preparing) -> Appended:
        """Check in the order of the contract, and decide."""
        if not request.admin and not request.invited:
            access.must_know(self.database, match, request.caller)
        command = prepare(match)
        self._must_be_new(request)
        _check_version(match, request)
        return self.decide_now(match, command)

    def decide_now(self, match: Match, command: commands.Command) -> Appended:
        """Decide on a command now, and on what follows from it. Raises a ``Refusal``.

        Time in which the service was away is given back before anything else is decided.
        """
        at = self.repository.get_instant(match)
        given = self._decide_lost_time(match, at)
        if given is None:
            decided = self.repository.decide(match, command, at)
        else:
            decided = self.repository.decide_next(given, command)
        appended = self.conditional_execution.follow(match, decided)
        return appended if match.status != OPEN else self._let_clocks_stand(appended)

    def _decide_lost_time(self, match: Match, at: str) -> Appended | None:
        """Return what gives a match the time back that its clock has lost by ``at``, or None."""
        if match.clock is None or match.status != ACTIVE:
            return None
        command = find_lost_time(match, self.downtime.list_away(at), at)
        return None if command is None else self.repository.decide(match, command, at)

    def _must_be_new(self, request: ChangeRequest) -> None:
        if request.record is not None:
            must_be_new(self.database, request.caller, request.record)

    def _write(self, request: ChangeRequest, appended: Appended) -> CommandResult | None:
        """Write what was decided and tell of it; return the result that was kept with it, if any.

        Raises one of ``_GONE_ON`` where somebody else was first.
        """
        done, written = None, appended
        if request.record is None and not request.also and appended.is_plain:
            self.group.append(appended.new)
        else:
            with self.database.write() as connection:
                for also in request.also:
                    also(connection, appended)
                written = series.write(connection, self.repository, appended)
                if request.record is not None:
                    made = self._make_result(request, appended, connection)
                    at = appended.match.updated_at
                    answer = keep_answer(connection, request.caller, request.record, made, at)
                    done = replace(made, answer=answer)
        self.announce(written)
        return done

    def _make_result(
        self, request: ChangeRequest, appended: Appended, connection: Connection | None = None
    ) -> CommandResult:
        """Return the answer. ``connection``: the one that writes it, which then needs no other."""
        match = appended.match
        players = [*match.seats, match.opponent]
        if connection is None:
            names, rating = self.accounts.find_names(players), self._find_rating(match)
        else:
            names = self.accounts.find_names_in(connection, players)
            rating = access.find_rating(connection, match)
        viewer = access.choose_viewer(match, request.caller, None)
        finished = match.status == FINISHED
        seat = match.seat_of(request.caller)
        shown = ShownMatch(view(match, viewer), names, seat, at=match.updated_at, rating=rating)
        return CommandResult(
            shown, [show_event(event, viewer, finished=finished) for event in appended.events]
        )

    def _find_rating(self, match: Match) -> MatchRating | None:
        if not access.has_rating(match):
            return None
        with self.database.read() as connection:
            return access.find_rating(connection, match)

    def announce(self, appended: Appended) -> None:
        """Tell this process, and those who wait for a match, of events that are committed."""
        match = appended.match
        self.repository.remember(match)
        if appended.leaves_lines:
            self.conditional_execution.settle_later(match.id, self.announce)
        self.notifier.wake(match.id, match.head)
        self.notifier.hint(*match.seats, match.opponent)
        if appended.following is not None:
            self.announce(appended.following)

    def end(self, match: Match) -> bool:
        """Append the end that time has brought to ``match``; False: the match has gone on.

        Raises a ``Refusal`` if its time is not up.
        """
        command = commands.LapseMatch() if match.status == OPEN else commands.TimeOut()
        return self._append(lambda: self.decide_now(match, command))

    def give_back(self, match: Match) -> bool:
        """Give a match the time that its clock lost while the service was away.

        False: it has lost none, or the match has gone on.
        """
        given = self._decide_lost_time(match, self.repository.get_instant(match))
        if given is None:
            return False
        return self._append(lambda: self.conditional_execution.follow(match, given))

    def _append(self, decided: Callable[[], Appended]) -> bool:
        """Append what time has brought; False: the match has gone on.

        Where lines were stored meanwhile it has not: it is decided anew, with them.
        """
        for _ in range(ATTEMPTS):
            appended = decided()
            with suppress(ConditionalMovesStored):
                try:
                    with self.database.write() as connection:
                        written = series.write(connection, self.repository, appended)
                except VersionTaken:
                    return False
                self.announce(written)
                return True
        raise make_overtaken()

    def end_if_due(self, match_id: str) -> str | None:
        """End a match if its time is up; return how (``timeout``, ``lapsed``), or None.

        ``given``: its time is not up, since it was given some back.
        """
        given = None
        for _ in range(ATTEMPTS):
            match = self.load(match_id)
            if match is None or not is_due(match, self.repository.get_instant(match)):
                return given
            if self.give_back(match):
                given = "given"
                continue
            try:
                if self.end(match):
                    return "lapsed" if match.status == OPEN else "timeout"
            except Refusal:
                return given
        return given

    def leave_all(self, connection: Connection, player: str) -> list[Appended]:
        """End what a player has not finished: decline, abort or resign; return what to announce.

        Raises ``VersionTaken`` where others write to one of the matches at the same time.
        """
        return self._leave_each(connection, player, matches.list_unfinished(connection, player))

    def end_challenges(self, connection: Connection, player: str, other: str) -> list[Appended]:
        """Decline a player's challenges by another one, and withdraw those to them.

        Returns what to announce. Raises ``VersionTaken`` as ``leave_all`` does.
        """
        between = matches.list_challenges_between(connection, player, other)
        return self._leave_each(connection, player, between)

    def _leave_each(
        self, connection: Connection, player: str, unfinished: Sequence[str]
    ) -> list[Appended]:
        ended: list[Appended] = []
        for match_id in unfinished:
            match = self.repository.load_readable(connection, match_id)
            while match is not None and not match.over:
                left = self._leave(connection, player, match)
                ended += [] if left is None else [left]
                # Where time has ended it instead, a series may go on in another match.
                match = None if left is None else left.all[-1].match
        return ended

    def _leave(self, connection: Connection, player: str, match: Match) -> Appended | None:
        try:
            appended = self.decide_now(match, _make_leave_command(match, player))
        except Refusal as refusal:
            late = isinstance(refusal, errors.TimeIsUp)
            if not late or match.series is None or match.status != ACTIVE:
                # Its time is up: whoever looks after the clocks ends it.
                return None
            appended = self.decide_now(match, commands.TimeOut())
        try:
            return series.write(connection, self.repository, appended)
        except ConditionalMovesStored as kept:
            raise VersionTaken(f"match {match.id} has gone on") from kept

    def _find_opponent(self, caller: str, new: NewMatch) -> str | None:
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
        level = level_of(opponent.id)
        if level is not None:
            seats.must_be_played(self.repository.games.get(new.game), level)
        return opponent.id


def _take_members(members: JsonObject | None) -> JsonObject:
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


def _check_rating(planned: commands.CreateMatch, new: NewMatch) -> None:
    reason = check_ratable(planned.game, planned.options, planned.visibility, planned.opponent)
    if planned.rated and reason is not None:
        raise CannotBeRated(reason, pointer="/rated")
    wanted = new.rating_range
    if wanted is None:
        return
    if wanted.least > wanted.most:
        raise InvalidRequest(
            say("The lowest rating is above the highest."), pointer="/rating_range"
        )
    if planned.opponent is not None:
        raise InvalidRequest(
            say(
                "A range of ratings is for open challenges: leave it out where you choose your "
                "opponent."
            ),
            pointer="/rating_range",
        )


def _make_leave_command(match: Match, player: str) -> commands.Command:
    seat = match.seat_of(player)
    if seat is None:
        return commands.DeclineChallenge(player)
    if match.status != ACTIVE:
        return commands.AbortMatch(seat)
    return commands.Resign(seat) if match.series is None else commands.LeaveSeries(seat)
