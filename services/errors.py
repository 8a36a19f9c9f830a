"""Refusals that come from the service around the matches, each with a stable code."""

from __future__ import annotations

from traceback import extract_tb

from typing_extensions import override

from domain.errors import Refusal
from domain.i18n import say


class CannotServe(Exception):
    """The system does not allow what serving takes; tells, in a sentence, what to do."""


class NoServer(Exception):
    """No server answers where one is to be."""


class NotFound(Refusal, code="not-found"):
    """No such thing, or nothing that the caller may know of."""


class NoSuchStep(NotFound):
    """The match is there, and has not come to this step."""


class InvalidRequest(Refusal, code="malformed-request"):
    """The request itself makes no sense, before any rule is asked."""


class Unauthenticated(Refusal, code="unauthenticated"):
    """The caller is unknown, or the password or token is wrong."""


class MissingScope(Refusal, code="missing-scope"):
    """The caller's token, or account, does not reach that far."""


class NameTaken(Refusal, code="name-taken"):
    """Somebody has, or had, this name."""


class Suspended(Refusal, code="suspended"):
    """An administrator has suspended the account; the text says why."""


class InvalidPlayer(Refusal, code="invalid-player"):
    """The name or the password does not fit the rules for them."""


class UnknownOpponent(Refusal, code="unknown-opponent"):
    """Nobody to challenge by that name."""


class PreconditionRequired(Refusal, code="precondition-required"):
    """The request does not say which version it was decided on."""


class StaleVersion(Refusal, code="stale-version"):
    """The match has gone on since the version that the request was decided on."""

    def __init__(self, version: int) -> None:
        super().__init__(
            say("The match has gone on: it is at version {version} now.", version=version)
        )
        self.version = version


class UnknownVersion(Refusal, code="unknown-version"):
    """What a reader comes back with is not in the history of the match, which has a ``version``."""

    def __init__(self, version: int) -> None:
        super().__init__(
            say(
                "This match is at version {version}, and its history has no such event: a backup "
                "may have taken the place of what you have read. Begin with its first event.",
                version=version,
            )
        )
        self.version = version


class CursorGone(Refusal, code="cursor-gone"):
    """A cursor was given out in another history than the present one."""


class IdempotencyKeyReused(Refusal, code="idempotency-key-reused"):
    """The key belongs to a different request."""


class Unavailable(Refusal, code="unavailable"):
    """The service cannot do it just now; the same request may succeed in a moment."""


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


def place_of(error: Exception) -> str:
    """Return the kind and the place of an error that nobody expected.

    Its text may hold any value.
    """
    *_, last = extract_tb(error.__traceback__)
    return (
        f"{type(error).__name__} in {last.name}, {last.filename.rpartition('/')[2]}:{last.lineno}"
    )


class InvalidText(Refusal, code="invalid-text"):
    """What somebody wrote is empty, too long, or has characters that it may not have."""


class CannotBeChallenged(Refusal, code="cannot-be-challenged"):
    """Two players have nothing to do with each other: one has blocked the other, or is away."""


class TooManyRelations(Refusal, code="too-many-relations"):
    """A player follows, or has blocked, as many others as there may be."""


class TooManyNotes(Refusal, code="too-many-notes"):
    """A player has as many notes on a match as there may be."""


class SpectatorsOnly(Refusal, code="spectators-only"):
    """Players keep out of what spectators say until their match is over."""


class NotYours(Refusal, code="not-yours"):
    """Somebody else wrote it."""


class TooOften(Refusal, code="rate-limited"):
    """Somebody does a thing too often; it may be tried again in ``seconds``."""

    def __init__(self, detail: str, seconds: int) -> None:
        super().__init__(detail)
        self.seconds = seconds


class AnalysisUnderWay(TooOften, code="analysis-under-way"):
    """Another match is being analysed for the caller."""


class TooManyAnalyses(TooOften, code="too-many-analyses"):
    """As many matches wait to be analysed as there may be."""


class MatchNotOver(Refusal, code="match-not-over"):
    """The match has not been played to its end."""


class NoAnalysis(Refusal, code="no-analysis"):
    """Nobody has asked for an analysis of the match."""


class TooManyInvitations(Refusal, code="too-many-invitations"):
    """As many people hold an invitation to a match as there may be."""


class NoHints(Refusal, code="no-hints"):
    """Nobody is helped here: it is no practice match, or the house does not play this game."""


class OutsideRange(Refusal, code="outside-range"):
    """A match is for other ratings than the player's."""


class TooManyHouseMatches(Refusal, code="too-many-house-matches"):
    """A player has as many running matches against the house as there may be."""


class OnVacation(Refusal, code="on-vacation"):
    """The player is on vacation already; or is not, and so cannot come back."""


class VacationUsedUp(Refusal, code="vacation-used-up"):
    """The player has fewer days of vacation left in this year."""


class InvalidWebhook(Refusal, code="invalid-webhook"):
    """Nothing can be sent to the address of a webhook."""


class TooManyWebhooks(Refusal, code="too-many-webhooks"):
    """A player has as many webhooks as there may be."""


class WebhookOff(Refusal, code="webhook-off"):
    """Nothing is sent to the webhook until it is turned on again."""
