"""Players, their names, passwords and tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection

from domain.saying import say
from services import passwords
from services.clock import Now, instant, later
from services.entropy import Entropy
from services.errors import (
    InvalidPlayer,
    InvalidRequest,
    MissingScope,
    NameTaken,
    NotFound,
    Unauthenticated,
)
from services.known_names import KnownNames
from services.known_tokens import KnownTokens
from services.store import players, sessions, tokens
from services.store.engine import Database

READ, PLAY, WEBHOOKS, ADMIN = "match:read", "match:play", "webhook:manage", "admin"
BOT = "bot"
"""Says that a program decides on the moves that are made with this token."""
SCOPES = (READ, PLAY, WEBHOOKS, BOT, ADMIN)
DEFAULT_SCOPES = (READ, PLAY)

LABEL_LENGTH = 80

_NAME = re.compile(r"[A-Za-z0-9_-]{2,24}", re.ASCII)


class Player(NamedTuple):
    """A player as everybody may know them."""

    id: str
    name: str
    created_at: str


class Caller(NamedTuple):
    """Who asks, and how far their token reaches."""

    player: str
    name: str
    scopes: frozenset[str]


class TokenInfo(NamedTuple):
    """A token without its secret."""

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


def folded(name: str) -> str:
    """Return the key under which a name is unique, on every database alike."""
    return name.casefold()


@dataclass(frozen=True, slots=True)
class Accounts:
    """Use cases around players."""

    database: Database
    now: Now
    entropy: Entropy
    token_days: int
    known: KnownTokens[tuple[Caller, str]]
    known_names: KnownNames = field(default_factory=KnownNames)

    def sign_up(self, name: str, password: str) -> Player:
        """Create a player. Raises ``InvalidPlayer`` or ``NameTaken``."""
        _check_name(name)
        return self._insert(name, passwords.hashed(password))

    def local_player(self, name: str) -> Player:
        """Return the player of that name; create one without a password if there is none."""
        _check_name(name)
        return self.find(name) or self._insert(name, None)

    def find(self, name: str) -> Player | None:
        """Return the player of that name, whatever its case, or None."""
        with self.database.read() as connection:
            row = players.by_key(connection, folded(name))
        return None if row is None else Player(row.id, row.name, row.created_at)

    def get(self, player: str) -> Player:
        """Return a player by id. Raises ``NotFound``."""
        with self.database.read() as connection:
            row = players.by_id(connection, player)
        if row is None:
            raise NotFound(say("There is no such player."))
        return Player(row.id, row.name, row.created_at)

    def issue_token(
        self, name: str, password: str, label: str, scopes: Iterable[str] = DEFAULT_SCOPES
    ) -> IssuedToken:
        """Issue a token. Raises ``Unauthenticated``, ``InvalidRequest``, ``MissingScope``."""
        _check_label(label)
        wanted = _check_scopes(scopes)
        row = self._identified(name, password)
        if ADMIN in wanted and not row.admin:
            raise MissingScope(say("Only administrators get the scope admin."), pointer="/scopes")
        return self._issue(row.id, label, wanted)

    def identify(self, name: str, password: str) -> Player:
        """Return the player of that name and password. Raises ``Unauthenticated``.

        An unknown name is refused in the same words, and takes as long.
        """
        row = self._identified(name, password)
        return Player(row.id, row.name, row.created_at)

    def authenticate(self, token: str) -> Caller:
        """Return whose token this is. Raises ``Unauthenticated``."""
        digest = _digest(token)
        known = self.known.get(digest) or self._look_up(digest)
        if known is None or known[1] <= instant(self.now()):
            raise Unauthenticated(say("This token is unknown, expired or revoked."))
        return known[0]

    def _look_up(self, digest: str) -> tuple[Caller, str] | None:
        """Return whose token it is and when it expires, or None."""
        generation = self.known.generation
        with self.database.read() as connection:
            row = tokens.by_digest(connection, digest)
        if row is None:
            return None
        found = Caller(row.player, row.name, frozenset(row.scopes.split())), row.expires_at
        self.known.learn(digest, found, generation)
        return found

    def tokens(self, player: str) -> list[TokenInfo]:
        """Return a player's tokens, oldest first."""
        with self.database.read() as connection:
            rows = tokens.of_player(connection, player)
        return [
            TokenInfo(row.id, row.label, tuple(row.scopes.split()), row.created_at, row.expires_at)
            for row in rows
        ]

    def revoke(self, player: str, token_id: str) -> None:
        """Revoke one of a player's own tokens. Raises ``NotFound``."""
        with self.database.write() as connection:
            if not tokens.delete(connection, player, token_id):
                raise NotFound(say("You have no such token."))
        self.known.forget()

    def set_password(self, name: str, password: str, but: str | None = None) -> None:
        """Give a player a new password, and log them out everywhere, ``but`` in one session.

        ``but``: its digest. Raises ``NotFound``, ``InvalidPlayer``.
        """
        player = self._must_find(name)
        password_hash = passwords.hashed(password)
        with self.database.write() as connection:
            players.set_password(connection, player.id, password_hash)
            sessions.delete_of_player(connection, player.id, but)

    def set_admin(self, name: str, *, admin: bool) -> None:
        """Make a player an administrator, or not any more. Raises ``NotFound``."""
        player = self._must_find(name)
        with self.database.write() as connection:
            players.set_admin(connection, player.id, admin=admin)

    def names_in(self, connection: Connection, ids: Iterable[str | None]) -> Mapping[str, str]:
        """Return the names of players by id, inside the caller's transaction."""
        wanted = {one for one in ids if one is not None}
        known = self.known_names.among(wanted)
        missing = wanted - known.keys()
        if missing:
            found = players.names(connection, missing)
            self.known_names.learn(found)
            known.update(found)
        return known

    def names(self, ids: Iterable[str | None]) -> Mapping[str, str]:
        """Return the names of players by id."""
        wanted = {one for one in ids if one is not None}
        known = self.known_names.among(wanted)
        if len(known) == len(wanted):
            return known
        with self.database.read() as connection:
            return self.names_in(connection, wanted)

    def with_passwords(self, ids: Iterable[str | None]) -> list[str]:
        """Return the names of those of these players who sign in with a password."""
        with self.database.read() as connection:
            rows = [players.by_id(connection, one) for one in ids if one is not None]
        return [row.name for row in rows if row is not None and row.password_hash is not None]

    def _identified(self, name: str, password: str) -> players.PlayerRow:
        with self.database.read() as connection:
            row = players.by_key(connection, folded(name))
        if not passwords.fits(password, row.password_hash if row else None) or row is None:
            raise Unauthenticated(say("Name or password is wrong."))
        return row

    def _must_find(self, name: str) -> Player:
        player = self.find(name)
        if player is None:
            raise NotFound(say("There is no player of that name."))
        return player

    def _insert(self, name: str, password_hash: str | None) -> Player:
        player = Player(self.entropy.player_id(), name, instant(self.now()))
        row = players.PlayerRow(
            player.id, name, folded(name), password_hash, admin=False, created_at=player.created_at
        )
        with self.database.write() as connection:
            if not players.insert(connection, row):
                raise NameTaken(say("The name {name} is taken.", name=name), pointer="/name")
        return player

    def _issue(self, player: str, label: str, scopes: tuple[str, ...]) -> IssuedToken:
        token, now = self.entropy.token(), self.now()
        issued = IssuedToken(
            self.entropy.token_id(), token, label, scopes, later(now, days=self.token_days)
        )
        row = tokens.TokenRow(
            issued.id,
            player,
            _digest(token),
            label,
            " ".join(scopes),
            instant(now),
            issued.expires_at,
        )
        with self.database.write() as connection:
            tokens.insert(connection, row)
        return issued


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InvalidPlayer(
            say("A name has 2 to 24 characters out of A-Z, a-z, 0-9, _ and -."), pointer="/name"
        )


def _check_label(label: str) -> None:
    if not 1 <= len(label) <= LABEL_LENGTH or not label.isprintable():
        raise InvalidRequest(
            say("A label has 1 to {most} printable characters.", most=LABEL_LENGTH),
            pointer="/label",
        )


def _check_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    wanted = tuple(scope for scope in SCOPES if scope in set(scopes))
    if not wanted or len(wanted) != len(set(scopes)):
        raise InvalidRequest(
            say("Scopes are {scopes}.", scopes=", ".join(SCOPES)), pointer="/scopes"
        )
    return wanted


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
