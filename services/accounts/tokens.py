"""What a token is, and how far it reaches: its scopes, and who asks with it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from domain.i18n import say
from services.accounts.user_texts import is_seen
from services.errors import InvalidRequest

READ, PLAY, WEBHOOKS, ADMIN = "match:read", "match:play", "webhook:manage", "admin"
BOT = "bot"
"""Says that a program decides on the moves that are made with this token."""
SCOPES = (READ, PLAY, WEBHOOKS, BOT, ADMIN)
DEFAULT_SCOPES = (READ, PLAY)

LABEL_LENGTH = 80


class Caller(NamedTuple):
    """Who asks, how far their token reaches, and its id.

    ``scopes``: what both the token and the account have now.
    """

    player: str
    name: str
    scopes: frozenset[str]
    token: str


class TokenInfo(NamedTuple):
    """A token without its secret. ``scopes``: what both it and the account have now."""

    id: str
    label: str
    scopes: tuple[str, ...]
    created_at: str
    expires_at: str


class IssuedToken(NamedTuple):
    """A new token; ``token`` is shown this once."""

    id: str
    token: str
    label: str
    scopes: tuple[str, ...]
    expires_at: str


def keep_good_scopes(scopes: str, *, admin: bool) -> tuple[str, ...]:
    """Return those of a token's scopes that its account has, too."""
    return tuple(one for one in scopes.split() if one != ADMIN or admin)


def list_missing_scopes(caller: Caller, token: TokenInfo) -> list[str]:
    """Return which scopes of a token the caller's own lacks; none if it is the very same."""
    if token.id == caller.token:
        return []
    return [one for one in token.scopes if one not in caller.scopes]


def check_label(label: str) -> None:
    """Refuse a label that cannot be read in a line. Raises ``InvalidRequest``."""
    if not (1 <= len(label) <= LABEL_LENGTH and label.isprintable() and is_seen(label)):
        raise InvalidRequest(
            say("A label has 1 to {most} printable characters.", most=LABEL_LENGTH),
            pointer="/label",
        )


def check_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return scopes in their order. Raises ``InvalidRequest`` for none, and for unknown ones."""
    wanted = tuple(scope for scope in SCOPES if scope in set(scopes))
    if not wanted or len(wanted) != len(set(scopes)):
        raise InvalidRequest(
            say("Scopes are {scopes}.", scopes=", ".join(SCOPES)), pointer="/scopes"
        )
    return wanted
