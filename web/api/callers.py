"""Who asks: the bearer token of a request, and how far it reaches."""

from __future__ import annotations

from enum import Enum

from services.accounts.accounts import Caller
from services.container import House
from services.errors import MissingScope, Unauthenticated

_BEARER = "bearer "


class Access(Enum):
    """Who may call an operation."""

    ANYONE = "anyone"
    """Nobody is asked; a token is not even looked at."""
    OPEN = "open"
    """A token is not needed, but what is shown depends on it."""
    PLAYERS = "players"
    """Only with a token."""


def admit(
    house: House, authorization: str | None, access: Access, scope: str | None
) -> Caller | None:
    """Return the caller that an ``Authorization`` header names, None for an anonymous one.

    Raises what ``caller_of`` and ``check_scope`` raise.
    """
    caller = caller_of(house, authorization, access)
    check_scope(caller, scope)
    return caller


def caller_of(house: House, authorization: str | None, access: Access) -> Caller | None:
    """Return the caller that an ``Authorization`` header names, None for an anonymous one.

    Raises ``Unauthenticated``, also for a token that is given and not valid where none is
    needed.
    """
    if access is Access.ANYONE:
        return None
    if authorization is None:
        if access is Access.PLAYERS:
            raise Unauthenticated("This needs a token: Authorization: Bearer <token>.")
        return None
    return house.accounts.authenticate(_token(authorization))


def check_scope(caller: Caller | None, scope: str | None) -> None:
    """Raise ``MissingScope`` for a caller whose token does not reach so far."""
    if caller is not None and scope is not None and scope not in caller.scopes:
        raise MissingScope(f"This token lacks the scope {scope}.")


def _token(authorization: str) -> str:
    token = authorization[len(_BEARER) :].strip()
    if authorization[: len(_BEARER)].lower() != _BEARER or not token.isascii() or not token:
        raise Unauthenticated("Authorization takes the form: Bearer <token>.")
    return token
