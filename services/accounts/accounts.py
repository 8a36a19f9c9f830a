"""Players: their names, passwords and tokens.

Tokens that were looked up a moment ago are kept, so that a busy client costs no query each time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, TypeVar

from cachetools import TTLCache
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from domain.i18n import N_, say
from domain.match.clock import format_instant, format_later
from domain.match.house_players import level_of
from services.accounts import display_names, passwords
from services.accounts.passwords import OPERATOR, Mails, NewPassword
from services.accounts.tokens import (
    ADMIN,
    DEFAULT_SCOPES,
    Caller,
    IssuedToken,
    TokenInfo,
    check_label,
    check_scopes,
    keep_good_scopes,
    list_missing_scopes,
)
from services.errors import (
    InvalidPlayer,
    MissingScope,
    NameTaken,
    NotFound,
    Suspended,
    Unauthenticated,
)
from services.runtime.clock import Now
from services.runtime.randomness import Randomness
from services.store import accounts
from services.store.db.engine import Database
from services.store.notices.deliveries import PASSWORD_CHANGED
from services.store.people import moderation, profiles
from services.store.people.profiles import PlayerName

SECONDS, SIZE = 1.0, 4096
"""For how long what the database said of a token is believed, and of how many tokens."""
NAMES_FOR, MOST_NAMES = 5.0, 10_000
"""The same of names."""

T = TypeVar("T")


class Known(Generic[T]):
    """What the database said a moment ago, by key; safe for threads.

    This process forgets all at once when it changes something. What another process changes, it
    honours after ``seconds``. With room for none (``most``) nothing is kept.
    """

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self._lock = Lock()
        self._most = most
        self._known: TTLCache[str, T] = TTLCache(most, seconds, clock)
        self.generation = 0
        """How often all was forgotten: ask before the database, and tell ``learn``."""

    def recall(self, keys: Iterable[str]) -> dict[str, T]:
        """Return what is known of these keys; those that are unknown are left out."""
        with self._lock:
            found = [(key, self._known.get(key)) for key in keys]
        return {key: value for key, value in found if value is not None}

    def learn(self, found: Mapping[str, T], generation: int) -> None:
        """Keep what the database said, unless something was changed since it was asked."""
        with self._lock:
            if self._most and generation == self.generation:
                self._known.update(found)

    def forget(self) -> None:
        """Know nothing any more: something was changed."""
        with self._lock:
            self.generation += 1
            self._known.clear()


def make_known_tokens(*, alone: bool) -> Known[tuple[Caller, datetime]]:
    """Return where tokens are kept, of a process that serves ``alone``: else it keeps none.

    It could not know what its siblings revoke. Without this a move over HTTP takes 250 to 560 µs of
    processor time more on 1,430 to 1,860 with PostgreSQL, which is asked once more (90 to 110 on
    1,090 to 1,220 with SQLite); measured as in docs/decisions/0034.
    """
    return Known(SIZE if alone else 0, SECONDS)


def make_known_names() -> Known[PlayerName]:
    """Return where names are kept: each is for good until its player is called otherwise.

    That is when an account is closed, when a visitor signs up, and when somebody chooses a display
    name. A name that is about to be deleted is not kept: no process shows it any longer than it is
    there, though another one deletes it.

    Without this a move over HTTP takes a quarter more on PostgreSQL, which is asked once more: 395
    µs of processor time on 1,601, and 2.7 ms on 12.0 until the answer is there (on SQLite 78 on
    1,739). Measured with moves through the whole application, 500 in which ``recall`` knows nothing
    in turns with 500 others.
    """
    return Known(MOST_NAMES, NAMES_FOR)


_WRONG = N_("Name or password is wrong.")

_NAME = re.compile(r"[A-Za-z0-9_-]{2,24}", re.ASCII)


class Player(NamedTuple):
    """A player as everybody may know them."""

    id: str
    name: str
    created_at: str


def make_player(row: accounts.PlayerRow) -> Player:
    """Return a player without what only the service knows."""
    return Player(row.id, row.name, row.created_at)


def hash_secret(token: str) -> str:
    """Return what is stored of a secret that somebody else holds: its SHA-256, in hex."""
    return sha256(token.encode()).hexdigest()


def fold_name(name: str) -> str:
    """Return the key under which a name is unique, on every database alike."""
    return name.casefold()


def find_id(connection: Connection, name: str) -> str | None:
    """Return the id of the player of that name, whatever its case, or None."""
    row = accounts.find_by_key(connection, fold_name(name))
    return None if row is None else row.id


@dataclass(frozen=True, slots=True)
class Accounts:
    """Signs players up, checks their passwords, and issues and revokes their tokens."""

    database: Database
    now: Now
    randomness: Randomness
    token_days: int
    known: Known[tuple[Caller, datetime]]
    known_names: Known[PlayerName] = field(default_factory=make_known_names)

    @property
    def mails(self) -> Mails:
        """What tells players by mail of changes of their accounts."""
        return Mails(self.randomness, self.now)

    def sign_up(
        self, name: str, password: str, guest: str | None = None, *, reserved: bool = False
    ) -> Player:
        """Create a player, of the visitor with the key ``guest`` if there is one.

        ``reserved``: the name may be one that only who runs the service gives. Raises
        ``InvalidPlayer`` or ``NameTaken``.
        """
        check_name(name)
        if not reserved:
            display_names.must_not_be_reserved(name, "/name")
        try:
            player = self._insert(name, passwords.hash_password(password), guest)
        except IntegrityError:
            # Somebody took the name at the same moment as a visitor.
            raise _make_name_taken(name) from None
        if guest is not None:
            # A visitor was called otherwise.
            self.known_names.forget()
        return player

    def get_local_player(self, name: str) -> Player:
        """Return the player of that name; create one without a password if there is none."""
        check_name(name)
        try:
            return self.find(name) or self._insert(name, None, None)
        except NameTaken:
            found = self.find(name)
            if found is None:
                raise
            # Somebody asked for the same player at the same moment.
            return found

    def get_nameless(self, key: str, called: str) -> str:
        """Return the id of a player whom no name leads to; the first who asks makes them.

        ``key``: what no name folds to. ``called``: what no name of a player can be.
        """
        with self.database.read() as connection:
            row = accounts.find_by_key(connection, key)
        if row is not None:
            return row.id
        id_, now = self.randomness.make_player_id(), format_instant(self.now())
        row = accounts.PlayerRow(id_, called, key, None, admin=False, created_at=now)
        with self.database.write() as connection:
            accounts.insert_player(connection, row)
            found = accounts.find_by_key(connection, key)
        return row.id if found is None else found.id

    def find(self, name: str) -> Player | None:
        """Return the player of that name, whatever its case, or None."""
        with self.database.read() as connection:
            row = accounts.find_by_key(connection, fold_name(name))
        return None if row is None else make_player(row)

    def get_by_name(self, name: str) -> Player:
        """Return the player of that name, whatever its case. Raises ``NotFound``."""
        player = self.find(name)
        if player is None:
            raise NotFound(say("There is no player of that name."))
        return player

    def get(self, player: str) -> Player:
        """Return a player by id. Raises ``NotFound``."""
        with self.database.read() as connection:
            row = accounts.find_by_id(connection, player)
        if row is None:
            raise NotFound(say("There is no such player."))
        return make_player(row)

    def get_person(self, name: str) -> Player:
        """Return the player of that name, but no house player, who belongs to nobody.

        Raises ``NotFound`` and ``InvalidPlayer``.
        """
        player = self.get_by_name(name)
        if level_of(player.id) is not None:
            raise InvalidPlayer(
                say("{name} plays for the service: nobody has this account.", name=player.name),
                pointer="/name",
            )
        return player

    def issue_token(
        self, name: str, password: str, label: str, scopes: Iterable[str] = DEFAULT_SCOPES
    ) -> IssuedToken:
        """Issue a token. Raises ``Unauthenticated``, ``InvalidRequest``, ``MissingScope``."""
        check_label(label)
        wanted = check_scopes(scopes)
        player = self.check_password(name, password)
        if ADMIN in wanted and not player.admin:
            raise MissingScope(say("Only administrators get the scope admin."), pointer="/scopes")
        token, now = self.randomness.make_token(), self.now()
        id_, ends = self.randomness.make_token_id(), format_later(now, days=self.token_days)
        row = accounts.TokenRow(
            id_, player.id, hash_secret(token), label, " ".join(wanted), format_instant(now), ends
        )
        with self.database.write() as connection:
            self.hold_password(connection, player)
            accounts.insert_token(connection, row)
        return IssuedToken(id_, token, label, wanted, ends)

    def authenticate(self, token: str) -> Caller:
        """Return whose token this is. Raises ``Unauthenticated``."""
        key = hash_secret(token)
        known = self.known.recall([key]).get(key) or self._look_up(key)
        if known is None or known[1] <= self.now():
            raise Unauthenticated(say("This token is unknown, expired or revoked."))
        return known[0]

    def _look_up(self, key: str) -> tuple[Caller, datetime] | None:
        generation = self.known.generation
        with self.database.read() as connection:
            row = accounts.find_bearer(connection, key)
        if row is None:
            return None
        scopes = frozenset(keep_good_scopes(row.scopes, admin=row.admin))
        found = (
            Caller(row.player, row.name, scopes, row.token),
            datetime.fromisoformat(row.expires_at),
        )
        if ADMIN not in row.scopes.split():
            # What an administrator may do ends at once, also where another process takes it away.
            self.known.learn({key: found}, generation)
        return found

    def list_tokens(self, player: str, caller: Caller | None = None) -> list[TokenInfo]:
        """Return a player's tokens, oldest first; for a ``caller``'s token, those in its reach.

        A token reaches itself, and those whose scopes it has.
        """
        with self.database.read() as connection:
            row = accounts.find_by_id(connection, player)
            rows = accounts.list_tokens(connection, player)
        admin = row is not None and row.admin
        found = (
            TokenInfo(
                one.id,
                one.label,
                keep_good_scopes(one.scopes, admin=admin),
                one.created_at,
                one.expires_at,
            )
            for one in rows
        )
        return [one for one in found if caller is None or not list_missing_scopes(caller, one)]

    def revoke(self, player: str, token_id: str, caller: Caller | None = None) -> None:
        """Revoke one of a player's own tokens, with a ``caller``'s token if that is given.

        Raises ``NotFound``, and ``MissingScope`` for one that is out of the caller's reach.
        """
        asked = next((one for one in self.list_tokens(player) if one.id == token_id), None)
        missing = [] if caller is None or asked is None else list_missing_scopes(caller, asked)
        if missing:
            raise MissingScope(
                say(
                    "This token lacks scopes of the one to be revoked: {scopes}.",
                    scopes=", ".join(missing),
                )
            )
        with self.database.write() as connection:
            if not accounts.delete_token(connection, player, token_id):
                raise NotFound(say("You have no such token."))
        self.known.forget()

    def set_password(self, name: str, password: str) -> None:
        """Give a person a new password; all else that leads in ends with the old one.

        Raises ``NotFound``, ``InvalidPlayer``.
        """
        player = self.get_person(name)
        new = NewPassword(passwords.hash_password(password), OPERATOR)
        with self.database.write() as connection:
            passwords.reset(connection, player.id, new, self.mails)
        self.known.forget()

    def change_password(self, name: str, current: str, new: str) -> accounts.PlayerRow:
        """Let a player change their password, and return them with it; all their sessions end.

        Raises ``Unauthenticated`` for a wrong password, ``InvalidPlayer`` for a poor new one.
        """
        row = self.check_password(name, current)
        password_hash = passwords.hash_password(new)
        with self.database.write() as connection:
            if not accounts.set_password(connection, row.id, password_hash, row.password_hash):
                raise Unauthenticated(say(_WRONG))
            accounts.delete_of(connection, row.id, accounts.sessions)
            self.mails.tell(connection, row.id, PASSWORD_CHANGED)
        return row._replace(password_hash=password_hash)

    def hold_password(self, connection: Connection, row: accounts.PlayerRow) -> None:
        """Keep a player's password as it was checked, until the transaction ends.

        Raises ``Unauthenticated`` if it is another one by now, or the account is closed: what
        ended all sessions and tokens would miss the one that is just made.
        """
        if accounts.hold_password(connection, row.id) != row.password_hash:
            raise Unauthenticated(say(_WRONG))

    def set_admin(self, name: str, *, admin: bool) -> None:
        """Make a person an administrator, or not any more.

        Raises ``NotFound``, ``InvalidPlayer``.
        """
        player = self.get_person(name)
        with self.database.write() as connection:
            accounts.set_admin(connection, player.id, admin=admin)
        self.known.forget()

    def find_names_in(self, connection: Connection, ids: Iterable[str | None]) -> Mapping[str, str]:
        """Return the names of players by id, inside the caller's transaction."""
        wanted = {one for one in ids if one is not None}
        generation = self.known_names.generation
        known = self.known_names.recall(wanted)
        if wanted - known.keys():
            found = profiles.find_names(connection, wanted - known.keys())
            staying = {one: name for one, name in found.items() if not name.leaving}
            self.known_names.learn(staying, generation)
            known.update(found)
        return known

    def find_names(self, ids: Iterable[str | None]) -> Mapping[str, str]:
        """Return the names of players by id."""
        wanted = {one for one in ids if one is not None}
        known = self.known_names.recall(wanted)
        if wanted == known.keys():
            return known
        with self.database.read() as connection:
            return self.find_names_in(connection, wanted)

    def list_with_passwords(self, ids: Iterable[str | None]) -> list[str]:
        """Return the names of those of these players who sign in with a password."""
        with self.database.read() as connection:
            rows = [accounts.find_by_id(connection, one) for one in ids if one is not None]
        return [row.name for row in rows if row is not None and row.password_hash is not None]

    def check_password(self, name: str, password: str) -> accounts.PlayerRow:
        """Return the player of that name and password. Raises ``Unauthenticated``, ``Suspended``.

        An unknown name is refused in the same words, and takes as long. Only who knows the password
        is told that the account is suspended, and why.
        """
        with self.database.read() as connection:
            row = accounts.find_by_key(connection, fold_name(name))
        if not passwords.fits(password, row.password_hash if row else None) or row is None:
            raise Unauthenticated(say(_WRONG))
        self.must_not_be_suspended(row.id)
        return row

    def must_not_be_suspended(self, player: str) -> None:
        """Refuse a player whose account is suspended. Raises ``Suspended``."""
        with self.database.read() as connection:
            if not accounts.is_suspended(connection, player):
                return
            found = moderation.find_last(connection, player, moderation.SUSPENDED)
        reason = "" if found is None else found.reason
        raise Suspended(say("This account is suspended: {reason}", reason=reason))

    def is_admin(self, player: str) -> bool:
        """Tell whether a player is an administrator."""
        with self.database.read() as connection:
            row = accounts.find_by_id(connection, player)
        return row is not None and row.admin

    def _insert(self, name: str, password_hash: str | None, guest: str | None) -> Player:
        """Add a player, or give the name to the visitor of that key. Raises ``NameTaken``.

        With a password the name must look like no other one: somebody else might be taken for them.
        """
        id_, now = self.randomness.make_player_id(), format_instant(self.now())
        row = accounts.PlayerRow(
            id_, name, fold_name(name), password_hash, admin=False, created_at=now
        )
        with self.database.write() as connection:
            if password_hash is not None and _is_alike(connection, name, row.key):
                raise NameTaken(
                    say("The name {name} looks like one that is, or was, taken.", name=name),
                    pointer="/name",
                )
            visitor = None if guest is None else accounts.find_by_key(connection, guest)
            if visitor is not None:
                if accounts.find_by_key(connection, row.key):
                    raise _make_name_taken(name)
                if accounts.name_visitor(connection, visitor.id, row):
                    return Player(visitor.id, name, now)
                # Somebody has just signed up as this visitor, who is nobody's any more.
            if not accounts.insert_player(connection, row):
                raise _make_name_taken(name)
        return make_player(row)


def _is_alike(connection: Connection, name: str, key: str) -> bool:
    """Tell whether a name looks like another one, or like a display name.

    Nobody takes one that it looks like until the transaction ends.
    """
    others = accounts.list_alike(connection, name)
    if others and key not in others:
        return True
    accounts.hold_alike(connection, display_names.lock_of(name))
    return profiles.is_shown(connection, display_names.make_skeletons(name))


def _make_name_taken(name: str) -> NameTaken:
    return NameTaken(say("The name {name} is taken.", name=name), pointer="/name")


def is_name(text: str) -> bool:
    """Tell whether a player could be called so."""
    return _NAME.fullmatch(text) is not None


def check_name(name: str) -> None:
    """Raise ``InvalidPlayer`` for what is no name."""
    if not is_name(name):
        raise InvalidPlayer(
            say("A name has 2 to 24 characters out of A-Z, a-z, 0-9, _ and -."), pointer="/name"
        )
