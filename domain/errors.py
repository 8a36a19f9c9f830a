"""Refusals: what a person asked for and does not get, each with a stable code.

A refusal is an answer, not a fault: it changes nothing. Codes are those of the
HTTP contract; which status a code travels under is the web's business.
"""

from __future__ import annotations

from typing import ClassVar


class Refusal(Exception):
    """A request that the rules, or the service, turn down.

    ``detail`` is a sentence for a person. ``pointer`` is a JSON Pointer (RFC 6901)
    to the member of the request at fault, where one is.
    """

    code: ClassVar[str] = "refused"

    def __init__(self, detail: str, *, pointer: str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer


class MalformedMove(Refusal):
    """The move is not of the form that the game's page gives."""

    code = "malformed-move"


class IllegalMove(Refusal):
    """The move is well formed, and a rule of the game forbids it now."""

    code = "illegal-move"


class InvalidOptions(Refusal):
    """An option is unknown, of the wrong type or out of range."""

    code = "invalid-options"


class InvalidSettings(Refusal):
    """A seat setting is unknown, of the wrong type or against the rules."""

    code = "invalid-settings"


class UnknownGame(Refusal):
    """No game of that name, or not in that version of its rules."""

    code = "not-found"


class NotYourSeat(Refusal):
    """The caller holds no seat of this match."""

    code = "not-your-seat"


class NotYourTurn(Refusal):
    """The other seat is to act."""

    code = "not-your-turn"


class YourTurn(Refusal):
    """The seat itself is to act, so there is nothing yet to answer."""

    code = "your-turn"


class InvalidConditionalMoves(Refusal):
    """The lines are not of the form, too many, or not possible by the rules."""

    code = "invalid-conditional-moves"


class MatchNotOpen(Refusal):
    """No seat of this match is free any more."""

    code = "match-not-open"


class MatchNotActive(Refusal):
    """The match has not started, or it is over."""

    code = "match-not-active"


class SeatReserved(Refusal):
    """The free seat is kept for somebody else."""

    code = "seat-reserved"


class OwnMatch(Refusal):
    """A player cannot take the second seat of their own match."""

    code = "own-match"


class TooLateToAbort(Refusal):
    """Too much has happened for one player alone to abort the match."""

    code = "too-late-to-abort"


class OfferPending(Refusal):
    """An offer of this kind waits for an answer already."""

    code = "offer-pending"


class NoSuchOffer(Refusal):
    """There is no such offer to answer; it may have lapsed."""

    code = "no-such-offer"


class InvalidPace(Refusal):
    """The pace is of no form that there is."""

    code = "malformed-request"


class ClockForbids(Refusal):
    """The match has no clock, or its pace, or a limit, does not allow this."""

    code = "clock-forbids"


class CannotTakeBack(Refusal):
    """There is nothing to take back to there, or taking it back would leave somebody knowing."""

    code = "cannot-take-back"


class TimeIsUp(Refusal):
    """Time has ended the match, though no event says so yet.

    Whoever decides on such a match appends that end first; a player never gets this refusal.
    """

    code = "match-not-active"


class Lapsed(TimeIsUp):
    """The same, of a match that nobody has joined in time."""

    code = "match-not-open"


class AlreadyContributed(Refusal):
    """The seat's contribution to the dice stands already."""

    code = "already-contributed"


class NoRematch(Refusal):
    """There is nothing yet that could be played again."""

    code = "no-rematch"


class Corruption(Exception):
    """Stored facts that cannot be: an unknown event, a broken chain, a gap.

    Never shown as a refusal: the log is damaged, or it was written by a newer
    release than this one.
    """
