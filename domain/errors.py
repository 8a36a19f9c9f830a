"""Refusals: what a person asked for and does not get, each with a stable code.

A refusal is an answer, not a fault: it changes nothing. Codes are those of the
HTTP contract; which status a code travels under is the web's business.
"""

from __future__ import annotations

from typing import ClassVar

from typing_extensions import override


class Refusal(Exception):
    """A request that the rules, or the service, turn down.

    ``detail`` is a sentence for a person. ``pointer`` is a JSON Pointer (RFC 6901)
    to the member of the request at fault, where one is.
    """

    code: ClassVar[str] = "refused"

    @override
    def __init_subclass__(cls, code: str | None = None) -> None:
        super().__init_subclass__()
        cls.code = code or cls.code

    def __init__(self, detail: str, *, pointer: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer


class MalformedMove(Refusal, code="malformed-move"):
    """The move is not of the form that the game's page gives."""


class IllegalMove(Refusal, code="illegal-move"):
    """The move is well formed, and a rule of the game forbids it now."""


class InvalidOptions(Refusal, code="invalid-options"):
    """An option is unknown, of the wrong type or out of range."""


class CannotBeRated(Refusal, code="cannot-be-rated"):
    """A match of this kind says nothing that could be compared, or nothing that all may check."""


class InvalidSettings(Refusal, code="invalid-settings"):
    """A seat setting is unknown, of the wrong type or against the rules."""


class UnknownGame(Refusal, code="not-found"):
    """No game of that name, or not in that version of its rules."""


class NotYourSeat(Refusal, code="not-your-seat"):
    """The caller holds no seat of this match."""


class NotYourTurn(Refusal, code="not-your-turn"):
    """The other seat is to act."""


class YourTurn(Refusal, code="your-turn"):
    """The seat itself is to act, so there is nothing yet to answer."""


class InvalidConditionalMoves(Refusal, code="invalid-conditional-moves"):
    """The lines are not of the form, too many, or not possible by the rules."""


class MatchNotOpen(Refusal, code="match-not-open"):
    """No seat of this match is free any more."""


class MatchNotActive(Refusal, code="match-not-active"):
    """The match has not started, or it is over."""


class SeatReserved(Refusal, code="seat-reserved"):
    """The free seat is kept for somebody else."""


class OwnMatch(Refusal, code="own-match"):
    """A player cannot take the second seat of their own match."""


class TooLateToAbort(Refusal, code="too-late-to-abort"):
    """Too much has happened for one player alone to abort the match."""


class OfferPending(Refusal, code="offer-pending"):
    """An offer of this kind waits for an answer already."""


class NoSuchOffer(Refusal, code="no-such-offer"):
    """There is no such offer to answer; it may have lapsed."""


class InvalidPace(Refusal, code="malformed-request"):
    """The pace is of no form that there is."""


class InvalidSeries(Refusal, code="invalid-series"):
    """The terms of a series are of no form that there is."""


class NoSeries(Refusal, code="no-series"):
    """The match is of no series, so there is none to leave."""


class SeriesOver(Refusal, code="series-over"):
    """The series was decided, or ended undecided, before."""


class ClockForbids(Refusal, code="clock-forbids"):
    """The match has no clock, or its pace, or a limit, does not allow this."""


class CannotTakeBack(Refusal, code="cannot-take-back"):
    """There is nothing to take back to there, or taking it back would leave somebody knowing."""


class TimeIsUp(Refusal, code="match-not-active"):
    """Time has ended the match, though no event says so yet.

    Whoever decides on such a match appends that end first; a player never gets this refusal.
    """


class Lapsed(TimeIsUp, code="match-not-open"):
    """The same, of a match that nobody has joined in time."""


class AlreadyContributed(Refusal, code="already-contributed"):
    """The seat's contribution to the dice stands already."""


class NoRematch(Refusal, code="no-rematch"):
    """There is nothing yet that could be played again."""


class Corruption(Exception):
    """Stored facts that cannot be: an unknown event, a broken chain, a gap.

    Never shown as a refusal: the log is damaged, or it was written by a newer
    release than this one.
    """
