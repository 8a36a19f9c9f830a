"""Who may see a match, and as whom."""

from __future__ import annotations

from domain.errors import NotYourSeat
from domain.game.game import Viewer
from domain.i18n import say
from domain.match.state import FINISHED, Match
from services.errors import InvalidRequest, NotFound

PUBLIC, UNLISTED, PRIVATE = "public", "unlisted", "private"
VISIBILITIES = (PUBLIC, UNLISTED, PRIVATE)

SIGHTS = (Viewer.SEAT_1.value, Viewer.SEAT_2.value, Viewer.SPECTATOR.value)
"""What ``as`` may ask for."""


def must_see(match: Match, caller: str | None) -> None:
    """Refuse whoever may not know of a private match. Raises ``NotFound``."""
    if match.visibility != PRIVATE:
        return
    if caller is None or caller not in {*match.seats, match.creator, match.opponent}:
        raise no_such_match(match.id)


def no_such_match(match_id: str) -> NotFound:
    """Return the refusal for a match that is not there, for this caller at least."""
    return NotFound(say("There is no match {match}.", match=match_id[:40]))


def own_viewer(match: Match, caller: str | None) -> Viewer:
    """Return as whom the caller sees the match: by seat, or as a spectator."""
    return Viewer.of_seat(match.seat_of(caller))


def viewer(match: Match, caller: str | None, asked: str | None) -> Viewer:
    """Return as whom to show a match whose present state is ``match``.

    Without ``asked``, the caller's own sight, and everything once the match is finished.
    Somebody else's sight may be asked for only once it is finished: before that (and
    for ever, when the match was aborted) ``NotYourSeat`` is raised.
    """
    own = own_viewer(match, caller)
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


def local_viewer(match: Match, asked: str | None) -> Viewer:
    """Return as whom to show a match to whoever holds the database itself.

    A spectator unless ``asked`` says more; everything once the match is finished.
    """
    if asked is not None:
        return Viewer(asked)
    return Viewer.SERVER if match.status == FINISHED else Viewer.SPECTATOR
