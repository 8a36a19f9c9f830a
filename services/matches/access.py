"""Who may see a match, and as whom; and what its players are called.

Players are ours by their accounts, those of an imported match by its file. Whoever played an
imported match elsewhere has no account here, even if an id in it is that of an account of ours:
such a file may have been made to say so.
"""

from __future__ import annotations

from sqlalchemy import Connection

from domain.errors import NotYourSeat
from domain.game.game import Viewer
from domain.i18n import say
from domain.match.house_players import LEVEL_OF
from domain.match.state import ABORTED, FINISHED, OPEN, Match
from domain.match.views import view
from domain.rating.glicko2 import INITIAL
from domain.rating.house_levels import find_level_rating
from services.accounts.accounts import Accounts
from services.errors import InvalidRequest, NotFound
from services.matches.match_json import MatchRating, SeatRating, ShownMatch
from services.store import imports, ratings
from services.store.db.engine import Database
from services.store.imports import ImportedRow

PUBLIC, UNLISTED, PRIVATE = "public", "unlisted", "private"
VISIBILITIES = (PUBLIC, UNLISTED, PRIVATE)

SIGHTS = (Viewer.SEAT_1.value, Viewer.SEAT_2.value, Viewer.SPECTATOR.value)
"""What ``as`` may ask for."""


def must_see(match: Match, caller: str | None) -> None:
    """Refuse whoever may not know of a private match. Raises ``NotFound``."""
    if match.visibility != PRIVATE:
        return
    if caller is None or caller not in {*match.seats, match.creator, match.opponent}:
        raise make_not_found(match.id)


def make_not_found(match_id: str) -> NotFound:
    """Return the refusal for a match that is not there, for this caller at least."""
    return NotFound(say("There is no match {match}.", match=match_id[:40]))


def seat_of(match: Match, caller: str | None) -> int:
    """Return the seat of the caller. Raises ``NotYourSeat``."""
    seat = match.seat_of(caller)
    if seat is None:
        raise NotYourSeat(say("You have no seat in this match."))
    return seat


def choose_viewer(match: Match, caller: str | None, asked: str | None) -> Viewer:
    """Return as whom to show a match whose present state is ``match``.

    Without ``asked``, the caller's own sight, and everything once the match is finished.
    Somebody else's sight may be asked for only once it is finished: before that (and
    for ever, when the match was aborted) ``NotYourSeat`` is raised.
    """
    own = Viewer.from_seat(match.seat_of(caller))
    finished = match.status == FINISHED
    if asked is None:
        return Viewer.SERVER if finished else own
    if asked not in SIGHTS:
        raise InvalidRequest(
            say("'as' is one of {sights}.", sights=", ".join(SIGHTS)), pointer="/as"
        )
    wanted = Viewer(asked)
    if not finished and wanted not in (own, Viewer.SPECTATOR):
        raise NotYourSeat(say("Only the seat itself sees this while the match is not finished."))
    return wanted


def find_origin(connection: Connection, match: Match) -> ImportedRow | None:
    """Return where a match comes from; None: it was played here.

    Only finished matches are ever imported, so that a match that goes on is not looked up.
    """
    return imports.find(connection, match.id) if match.status == FINISHED else None


def identify_caller(connection: Connection, match: Match, caller: str | None) -> str | None:
    """Return a caller as the match knows them: as nobody, if it was imported."""
    return None if find_origin(connection, match) is not None else caller


def must_know(database: Database, match: Match, caller: str) -> None:
    """Refuse who may not know of a match, or whom an imported one only seems to seat.

    Raises ``NotFound`` and ``NotYourSeat``.
    """
    if match.status != FINISHED:
        must_see(match, caller)
        return
    with database.read() as connection:
        known = identify_caller(connection, match, caller)
    must_see(match, known)
    if known is None:
        raise NotYourSeat(say("You have no seat in this match."))


def show_with_names(
    connection: Connection, accounts: Accounts, match: Match, caller: str | None, viewer: Viewer
) -> ShownMatch:
    """Show a match as ``viewer`` may see it, with names joined in.

    An imported match has nobody of ours in a seat, and is rated nowhere.
    """
    seen = view(match, viewer)
    elsewhere = find_origin(connection, match)
    if elsewhere is not None:
        return ShownMatch(seen._replace(rated=False), elsewhere.names, None, elsewhere.imported_at)
    names = accounts.find_names_in(connection, [*match.seats, match.opponent])
    return ShownMatch(seen, names, match.seat_of(caller), rating=find_rating(connection, match))


def has_rating(match: Match) -> bool:
    """Say whether there may be anything of ratings around a match."""
    return match.status == OPEN or (match.rated and match.status != ABORTED)


def find_rating(connection: Connection, match: Match) -> MatchRating | None:
    """Return what there is of ratings around a match that was played here."""
    if not has_rating(match):
        return None
    wanted = (
        ratings.find_ranges(connection, [match.id]).get(match.id) if match.status == OPEN else None
    )
    seated = _list_seat_ratings(connection, match) if match.rated else ()
    return MatchRating(wanted, seated) if wanted or seated else None


def _list_seat_ratings(connection: Connection, match: Match) -> tuple[SeatRating, ...]:
    """Return the ratings of those who sit; once the match is over, what it did to them."""
    slug = match.game.slug
    fixed = {player: find_level_rating(slug, level) for player, level in LEVEL_OF.items()}
    sitting = [(seat, player) for seat, player in enumerate(match.seats, 1) if player]
    if match.status != FINISHED:
        found = ratings.list_by_players(connection, [player for _, player in sitting], slug)
        own = {one.player: one.rating for one in found.values()} | fixed
        return tuple(SeatRating(seat, own.get(player) or INITIAL) for seat, player in sitting)
    changes = ratings.list_changes(connection, match.id)
    changed = {one.seat: SeatRating(one.seat, one.before, one.after) for one in changes}
    house = {seat: fixed.get(player) or INITIAL for seat, player in sitting}
    rated = (changed.get(seat) or SeatRating(seat, one, one) for seat, one in house.items())
    return tuple(rated) if changes else ()
