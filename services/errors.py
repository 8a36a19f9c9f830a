"""Refusals that come from the service around the matches, each with a stable code."""

from __future__ import annotations

from typing_extensions import override

from domain.errors import Refusal
from domain.i18n import say


class CannotServe(Exception):
    """The system does not allow what serving takes; tells, in a sentence, what to do."""


class NoServer(Exception):
    """No server answers where one is to be."""


class NotFound(Refusal):
    """No such thing, or nothing that the caller may know of."""

    code = "not-found"


class InvalidRequest(Refusal):
    """The request itself makes no sense, before any rule is asked."""

    code = "malformed-request"


class Unauthenticated(Refusal):
    """The caller is unknown, or the password or token is wrong."""

    code = "unauthenticated"


class MissingScope(Refusal):
    """The caller's token, or account, does not reach that far."""

    code = "missing-scope"


class NameTaken(Refusal):
    """Somebody has, or had, this name."""

    code = "name-taken"


class InvalidPlayer(Refusal):
    """The name or the password does not fit the rules for them."""

    code = "invalid-player"


class UnknownOpponent(Refusal):
    """Nobody to challenge by that name."""

    code = "unknown-opponent"


class PreconditionRequired(Refusal):
    """The request does not say which version it was decided on."""

    code = "precondition-required"


class StaleVersion(Refusal):
    """The match has gone on since the version that the request was decided on."""

    code = "stale-version"

    def __init__(self, version: int) -> None:
        super().__init__(
            say("The match has gone on: it is at version {version} now.", version=version)
        )
        self.version = version


class UnknownVersion(Refusal):
    """What a reader comes back with is not in the history of the match, which has a ``version``."""

    code = "unknown-version"

    def __init__(self, version: int) -> None:
        super().__init__(
            say(
                "This match is at version {version}, and its history has no such event: a backup "
                "may have taken the place of what you have read. Begin with its first event.",
                version=version,
            )
        )
        self.version = version


class CursorGone(Refusal):
    """A cursor was given out in another history than the present one."""

    code = "cursor-gone"


class IdempotencyKeyReused(Refusal):
    """The key belongs to a different request."""

    code = "idempotency-key-reused"


class Unavailable(Refusal):
    """The service cannot do it just now; the same request may succeed in a moment."""

    code = "unavailable"


class NotGranted(Unavailable):
    """The service's role at its database may not do what is needed.

    ``reason`` names what, for whoever runs the service; nobody else is told.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(say("The service is not allowed what it needs of its database."))
        self.reason = reason

    @override
    def __reduce__(self) -> tuple[type[NotGranted], tuple[str]]:
        """Let it pass from one process to another."""
        return NotGranted, (self.reason,)


def reason_of(error: Exception) -> str:
    """Return why something failed, for whoever runs the service."""
    return error.reason if isinstance(error, NotGranted) else str(error)


class InvalidText(Refusal):
    """What somebody wrote is empty, too long, or has characters that it may not have."""

    code = "invalid-text"


class TooManyNotes(Refusal):
    """A player has as many notes on a match as there may be."""

    code = "too-many-notes"


class SpectatorsOnly(Refusal):
    """Players keep out of what spectators say until their match is over."""

    code = "spectators-only"


class NotYours(Refusal):
    """Somebody else wrote it."""

    code = "not-yours"


class TooOften(Refusal):
    """Somebody does a thing too often; it may be tried again in ``seconds``."""

    code = "rate-limited"

    def __init__(self, detail: str, seconds: int) -> None:
        super().__init__(detail)
        self.seconds = seconds


class TooManyInvitations(Refusal):
    """As many people hold an invitation to a match as there may be."""

    code = "too-many-invitations"


class OnVacation(Refusal):
    """The player is on vacation already; or is not, and so cannot come back."""

    code = "on-vacation"


class VacationUsedUp(Refusal):
    """The player has fewer days of vacation left in this year."""

    code = "vacation-used-up"
