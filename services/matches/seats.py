"""Taking a seat: what has to hold in the transaction in which a match is made or joined.

Accounts may be closed, invitations be made and vacations begin at the same moment. Whoever comes
second has to see it: hence the locks, which are taken in the transaction of the events and held
until it ends.

A player may be on vacation when a match begins: then the clock stands from its first instant.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from domain.errors import SeatReserved
from domain.game.game import AnyGame
from domain.i18n import N_, say
from domain.match import commands
from domain.match.clock import NEVER, SECOND, add_span, measure_span
from domain.match.decisions.clock import allows_vacation
from domain.match.house_players import PLAYERS, level_of
from domain.match.state import Match
from domain.rating.glicko2 import HUNDREDTHS, INITIAL
from domain.search.engine import count_levels
from services.accounts.closing import must_be_open
from services.accounts.relations import must_not_be_blocked
from services.errors import (
    CannotBeChallenged,
    OutsideRange,
    TooManyHouseMatches,
    TooOften,
    UnknownOpponent,
)
from services.matches.repository import Appended, Repository
from services.matches.requests import InTransaction
from services.store import accounts, challenges, matches, ratings, vacations
from services.store.log.events import VersionTaken
from services.store.ratings import Range

MOST_AGAINST_THE_HOUSE = 20
"""So many running matches against the house a player may have: house players think in turn."""

MOST_CHALLENGES = 60
"""So often one player challenges another in an hour: that one is told of each."""

_HOUR = 3600


def make_players_check(caller: str, opponent: str | None, wanted: Range | None) -> InTransaction:
    """Return a check that caller and opponent have open accounts, and may begin a match.

    ``wanted``: between which ratings whoever joins has to be; it is kept.
    """

    def check(connection: Connection, appended: Appended) -> None:
        if level_of(opponent) is not None:
            # Before all others of this player's: what is locked lightly first would wait for ever.
            accounts.hold_alone(connection, caller)
        held = must_be_open(connection, caller, opponent)
        if opponent is not None and opponent not in held:
            raise UnknownOpponent(say("There is no player of that name."), pointer="/opponent")
        must_be_allowed(connection, caller, opponent, appended.match.created_at)
        _must_stand_still(connection, appended.match)
        if wanted is not None:
            ratings.save_range(connection, appended.match.id, wanted)

    return check


def must_be_allowed(connection: Connection, caller: str, opponent: str | None, at: str) -> None:
    """Refuse a new match to a player who may not begin one with this opponent at this instant.

    Raises ``TooManyHouseMatches``, ``CannotBeChallenged`` and ``TooOften``.
    """
    if level_of(opponent) is not None:
        _must_have_fewer(connection, caller, MOST_AGAINST_THE_HOUSE)
    elif opponent is not None:
        _must_meet(connection, caller, opponent, "/opponent")
        _must_not_flood(connection, caller, opponent, at)


def _must_meet(
    connection: Connection, caller: str, other: str | None, pointer: str | None = None
) -> None:
    must_not_be_blocked(connection, caller, other, pointer)
    if other is not None and accounts.is_suspended(connection, other):
        raise CannotBeChallenged(say("This player cannot be challenged."), pointer=pointer)


def _must_not_flood(connection: Connection, caller: str, opponent: str, at: str) -> None:
    since = add_span(at, -_HOUR * SECOND)
    if matches.count_challenges(connection, caller, opponent, since) >= MOST_CHALLENGES:
        raise TooOften(say("You have challenged this player often enough for one hour."), _HOUR)


def must_have_room(connection: Connection, player: str, most: int) -> None:
    """Refuse another match against the house to who has enough. Raises ``TooManyHouseMatches``.

    No other one is created for this player until the transaction ends.
    """
    accounts.hold_alone(connection, player)
    _must_have_fewer(connection, player, most)


def _must_have_fewer(connection: Connection, player: str, most: int) -> None:
    if matches.count_running(connection, player, [*PLAYERS.values()]) >= most:
        raise TooManyHouseMatches(
            say(
                "You have {most} running matches against the house. Finish or give up one of "
                "them first.",
                most=most,
            ),
            pointer="/opponent",
        )


def must_be_played(game: AnyGame, level: int) -> None:
    """Refuse a house player of a level that a game does not carry. Raises ``UnknownOpponent``."""
    most = count_levels(game)
    if level > most:
        raise UnknownOpponent(
            say("In {game}, the house plays at the levels 1 to {most}.", game=game.name, most=most),
            pointer="/opponent",
        )


def make_seat_check(caller: str, *, invited: bool) -> InTransaction:
    """Return a check that the free seat is still to be had.

    It may be kept for an invitation; whoever is ``invited`` uses one up.
    """

    def check(connection: Connection, appended: Appended) -> None:
        match = appended.match
        must_be_open(connection, caller, *match.seats)
        _must_meet(connection, caller, match.creator)
        matches.find(connection, match.id, lock=True)
        if not invited and challenges.count_live(connection, match.id, match.updated_at):
            raise SeatReserved(say("This seat is kept for somebody who was invited by a link."))
        _must_be_in_range(connection, match, caller)
        _must_stand_still(connection, match)

    return check


def _must_be_in_range(connection: Connection, match: Match, player: str) -> None:
    wanted = ratings.find_ranges(connection, [match.id]).get(match.id)
    if wanted is None:
        return
    now = ratings.find(connection, match.game.slug, player)
    rating = (INITIAL if now is None else now.rating).rating
    if not wanted.least <= rating <= wanted.most:
        raise OutsideRange(_tell_bound(wanted, rating))


def _tell_bound(wanted: Range, rating: int) -> str:
    """Say which bound keeps a rating out, in whole points, cut so that they never read the same."""
    if rating < wanted.least:
        bound, own = -(-wanted.least // HUNDREDTHS), rating // HUNDREDTHS
        sentence = N_("This match is for ratings from {bound} on, and yours is {rating}.")
    else:
        bound, own = wanted.most // HUNDREDTHS, -(-rating // HUNDREDTHS)
        sentence = N_("This match is for ratings up to {bound}, and yours is {rating}.")
    return say(sentence, bound=bound, rating=own)


def let_absent_clocks_stand(
    connection: Connection, repository: Repository, appended: Appended
) -> Appended:
    """Let the clocks of those who are on vacation stand in a match that has just begun.

    That is decided with the beginning and written with it.
    """
    for seat, seconds in _list_absences(connection, appended.match):
        if seconds:
            appended = repository.decide_next(appended, commands.GoAway(seat, seconds))
    return appended


def _must_stand_still(connection: Connection, match: Match) -> None:
    """See to it that the clocks stand as the vacations of both have it, who are held.

    Raises ``VersionTaken`` if a vacation has begun or ended since that was decided.
    """
    if match.clock is None:
        return
    for seat, seconds in _list_absences(connection, match):
        until = add_span(match.updated_at, seconds * SECOND) if seconds else NEVER
        if match.clock.away_until[seat - 1] != until:
            raise VersionTaken


def _list_absences(connection: Connection, match: Match) -> Sequence[tuple[int, int]]:
    """Return each seat and how many seconds its player is still away: whole ones, rounded up."""
    if not allows_vacation(match):
        return []
    found = []
    for seat, player in enumerate(match.seats, 1):
        current = vacations.find_at(connection, player, match.updated_at)
        # It may begin a moment later, or much, where the clock was put back: nobody is away longer.
        left = 0
        if current is not None:
            left = measure_span(max(match.updated_at, current.started_at), current.ends_at)
        found.append((seat, -(-left // SECOND)))
    return found
