"""Passkeys: a second way in, by a key that a browser or a device keeps (WebAuthn).

What is to be signed is random, and good once and for five minutes. It travels with its form, sealed
together with whom it is for, so that nothing is kept of log-ins that are begun and not ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from ipaddress import ip_address
from secrets import token_bytes
from typing import NamedTuple, TypeVar
from urllib.parse import urlsplit

import orjson
from sqlalchemy import Connection
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from domain.i18n import N_, say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts, hash_secret
from services.accounts.tokens import check_label
from services.errors import InvalidRequest, NotFound, Unauthenticated
from services.store import accounts
from services.store.accounts import PlayerRow
from services.store.cursors import CursorCipher
from services.store.db.metadata import HIGHEST
from services.store.notices.deliveries import PASSKEY_ADDED
from services.store.people import passkeys
from services.store.people.passkeys import PasskeyRow

T = TypeVar("T")

MOST = 20
"""So many passkeys one player may have."""

LONGEST = 20_000
"""No answer of a browser is longer."""

LONGEST_ID = 1364
"""The 1,023 bytes that a credential's id has at most, in base64url."""

_GOOD_FOR = timedelta(minutes=5)
_ADD, _LOG_IN = "passkey to add", "passkey to log in by"
_REFUSED = N_("This passkey was not accepted. Try again, or log in with your password.")


class RelyingParty(NamedTuple):
    """Where passkeys are for: the origin of our pages, and its host."""

    origin: str
    host: str


class Challenge(NamedTuple):
    """What is to be signed, and until when that is taken."""

    bytes: bytes
    expires_at: str


class PasskeyRequest(NamedTuple):
    """What a browser is asked for, as JSON, and the ticket that comes back with its answer."""

    options: str
    ticket: str


def find_relying_party(url: str) -> RelyingParty | None:
    """Return the site of an address, or None: browsers allow no passkeys there.

    They do by TLS under a name, and on the machine itself as ``localhost``.

    >>> find_relying_party("https://play.example:8443/x"), find_relying_party("http://localhost:8080")
    (RelyingParty(origin='https://play.example:8443', host='play.example'), \
RelyingParty(origin='http://localhost:8080', host='localhost'))
    >>> find_relying_party("http://play.example"), find_relying_party("https://192.0.2.1")
    (None, None)
    >>> find_relying_party("http://127.0.0.1")
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    try:
        ip_address(host)
    except ValueError:
        allowed = parts.scheme == "https" or host == "localhost"
        return RelyingParty(f"{parts.scheme}://{parts.netloc}", host) if allowed and host else None
    return None


@dataclass(frozen=True, slots=True)
class Passkeys:
    """Use cases around passkeys. Refusals tell nothing of which players there are."""

    accounts: Accounts
    sealer: CursorCipher

    def list_by_player(self, player: str) -> list[PasskeyRow]:
        """Return a player's passkeys."""
        with self.accounts.database.read() as connection:
            return passkeys.list_by_player(connection, player)

    def ask_to_add(self, site: RelyingParty, name: str, password: str) -> PasskeyRequest:
        """Begin to add a passkey, for a player who shows the password.

        Raises ``Unauthenticated``, and ``InvalidRequest`` for who has as many as there may be.
        """
        row = self.accounts.check_password(name, password)
        there = self.list_by_player(row.id)
        if len(there) >= MOST:
            raise InvalidRequest(say("You have {most} passkeys. Remove one first.", most=MOST))
        known = [PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.id)) for one in there]
        challenge = token_bytes(32)
        options = generate_registration_options(
            rp_id=site.host,
            rp_name="Plybook",
            user_id=row.id.encode(),
            user_name=row.name,
            challenge=challenge,
            exclude_credentials=known,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        return PasskeyRequest(
            options_to_json(options), self._seal_ticket(_ADD, challenge, _format_holder(row))
        )

    def add(self, site: RelyingParty, player: str, label: str, ticket: str, answer: str) -> None:
        """Add the passkey that a browser made. Raises ``Unauthenticated``, ``InvalidRequest``."""
        check_label(label)
        with self.accounts.database.read() as connection:
            holder = accounts.find_by_id(connection, player)
        if holder is None:
            raise Unauthenticated(say(_REFUSED))
        challenge = self._open_ticket(_ADD, ticket, _format_holder(holder))
        made = _verify(
            lambda: verify_registration_response(
                credential=answer[:LONGEST],
                expected_challenge=challenge.bytes,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                require_user_verification=True,
            )
        )
        key, now = bytes_to_base64url(made.credential_id), format_instant(self.accounts.now())
        # What a device counts beyond that is not told apart.
        uses = min(made.sign_count, HIGHEST)
        row = PasskeyRow(key, player, made.credential_public_key, uses, label, now)
        with self.accounts.database.write() as connection:
            self.accounts.hold_password(connection, holder)
            _use_up(connection, challenge)
            if len(key) > LONGEST_ID or not passkeys.add(connection, row):
                raise Unauthenticated(say(_REFUSED))
            self.accounts.mails.tell(connection, player, PASSKEY_ADDED)

    def ask_to_log_in(self, site: RelyingParty) -> PasskeyRequest:
        """Begin to log somebody in: whom, their passkey says."""
        challenge = token_bytes(32)
        options = generate_authentication_options(
            rp_id=site.host,
            challenge=challenge,
            user_verification=UserVerificationRequirement.REQUIRED,
        )
        return PasskeyRequest(options_to_json(options), self._seal_ticket(_LOG_IN, challenge, ""))

    def authenticate(self, site: RelyingParty, ticket: str, answer: str) -> PlayerRow:
        """Return the player whose passkey has signed what was asked.

        Raises ``Unauthenticated`` and ``Suspended``.
        """
        challenge = self._open_ticket(_LOG_IN, ticket, "")
        with self.accounts.database.read() as connection:
            row = passkeys.find(connection, _read_id(answer))
            player = None if row is None else accounts.find_by_id(connection, row.player)
        if row is None or player is None:
            raise Unauthenticated(say(_REFUSED))
        done = _verify(
            lambda: verify_authentication_response(
                credential=answer[:LONGEST],
                expected_challenge=challenge.bytes,
                expected_rp_id=site.host,
                expected_origin=site.origin,
                credential_public_key=row.public_key,
                credential_current_sign_count=row.uses,
                require_user_verification=True,
            )
        )
        now = format_instant(self.accounts.now())
        with self.accounts.database.write() as connection:
            _use_up(connection, challenge)
            if not passkeys.save_use(connection, row, min(done.new_sign_count, HIGHEST), now):
                raise Unauthenticated(say(_REFUSED))
        self.accounts.must_not_be_suspended(player.id)
        return player

    def remove(self, player: str, passkey: str) -> None:
        """Remove a passkey of a player's. Raises ``NotFound``."""
        with self.accounts.database.write() as connection:
            if not passkeys.remove(connection, player, passkey):
                raise NotFound(say("You have no such passkey."))

    def _seal_ticket(self, purpose: str, challenge: bytes, holder: str) -> str:
        ends = format_instant(self.accounts.now() + _GOOD_FOR)
        return self.sealer.seal(purpose, f"{ends} {holder} {bytes_to_base64url(challenge)}")

    def _open_ticket(self, purpose: str, ticket: str, holder: str) -> Challenge:
        """Return what was to be signed. Raises ``Unauthenticated`` for a ticket that is no good."""
        ends, whom, challenge = (self.sealer.unseal(purpose, ticket) or "  ").split(" ")
        if whom != holder or ends <= format_instant(self.accounts.now()):
            raise Unauthenticated(say(_REFUSED))
        return Challenge(base64url_to_bytes(challenge), ends)


def _format_holder(row: PlayerRow) -> str:
    """Return for whom a passkey is added: a player with the password that they have shown."""
    return f"{row.id}.{hash_secret(row.password_hash or '')}"


def _use_up(connection: Connection, challenge: Challenge) -> None:
    """See to it that nothing is signed twice: who saw an answer gains nothing by showing it."""
    if not passkeys.use_up(connection, sha256(challenge.bytes).hexdigest(), challenge.expires_at):
        raise Unauthenticated(say(_REFUSED))


def _verify(verify: Callable[[], T]) -> T:
    """Return what the library says of an answer. Raises ``Unauthenticated``.

    Anybody may send anything, and what reads CBOR, certificates and keys of all kinds raises
    whatever it likes.
    """
    try:
        return verify()
    except Exception as error:
        raise Unauthenticated(say(_REFUSED)) from error


def _read_id(answer: str) -> str:
    try:
        found = orjson.loads(answer[:LONGEST])
    except orjson.JSONDecodeError:
        return ""
    key = found.get("id") if isinstance(found, dict) else None
    return key if isinstance(key, str) and "\0" not in key and key.isascii() else ""
