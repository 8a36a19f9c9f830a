"""E-mail: the address at which a player is told, once it is confirmed, and what is sent there.

A player has one address. Another one takes its place when it is confirmed by the link in a mail
that was sent there; until then nothing else is sent to it. To give an address takes the password:
whoever reads what is sent there can set a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from domain.match.notices import TYPES
from services.accounts.accounts import Accounts, hash_secret
from services.errors import InvalidRequest, NotFound, TooOften, Unavailable
from services.notices.letters import Letters
from services.notices.sent_lists import send_test
from services.store import accounts
from services.store.notices import channels, deliveries, mail_links
from services.store.notices.channels import EMAIL, ChannelRow
from services.store.notices.deliveries import ADDRESS_CHANGED, ADDRESS_REMOVED
from services.store.notices.mail_links import CONFIRM, LinkRow

CONFIRMED_IN = timedelta(days=1)
"""So long an address can be confirmed; then it is forgotten."""

MOST_A_DAY = 5
"""Mails that a player may let us send to addresses that are not confirmed, and that any players
may to one of them."""

LONGEST = 254
HOURS = range(24)

STOPPED = "stopped"
"""Why a mail was not sent: its reader wants no more."""


class EmailView(NamedTuple):
    """An address. ``types``: what is told there; ``hour``: at which all goes in one, None: at once.

    ``off_reason``: None while something can be sent.
    """

    id: str
    address: str
    confirmed: bool
    types: list[str]
    hour: int | None
    off_reason: str | None
    failing_since: str | None


@dataclass(frozen=True, slots=True)
class Emails:
    """Use cases around e-mail. ``available``: whether the settings name a server for it."""

    accounts: Accounts
    letters: Letters
    available: bool

    def list_by_player(self, player: str) -> list[EmailView]:
        """Return a player's address, and the one that is to be confirmed, if there are any."""
        with self.accounts.database.read() as connection:
            return [_make_view(row) for row in channels.list_by_player(connection, player, EMAIL)]

    def give(self, name: str, password: str, address: str) -> None:
        """Send a link to an address, by which it is confirmed as that of a player.

        Raises ``Unauthenticated``, ``InvalidRequest``, ``TooOften`` and ``Unavailable``.
        """
        if not self.available:
            raise Unavailable(say("This service sends no mail."))
        player = self.accounts.check_password(name, password)
        written = clean_address(address)
        now, hashed = self.accounts.now(), self.hash_of(written)
        row = ChannelRow(
            self.accounts.randomness.make_channel_id(),
            player.id,
            EMAIL,
            "",
            format_instant(now),
            address=written,
            held_until=format_instant(now),
            address_hash=hashed,
        )
        with self.accounts.database.write() as connection:
            self.accounts.hold_password(connection, player)
            since = format_instant(now - CONFIRMED_IN)
            if mail_links.count(connection, CONFIRM, since, player.id, hashed) >= MOST_A_DAY:
                raise TooOften(
                    say("Too many such mails were asked for. Try again tomorrow."), 86_400
                )
            for one in channels.list_by_player(connection, player.id, EMAIL):
                if one.confirmed_at is None:
                    channels.delete(connection, one.id)
            channels.insert(connection, row)
            self.send_link(connection, row, CONFIRM, CONFIRMED_IN, player.password_hash)

    def send_link(
        self,
        connection: Connection,
        row: ChannelRow,
        purpose: str,
        good_for: timedelta,
        former: str | None,
    ) -> None:
        """Send a link to an address; ``former``: the hash of the password it is asked for under."""
        random, now = self.accounts.randomness, self.accounts.now()
        secret, number = random.make_link_secret(), random.make_notice_number()
        link = LinkRow(
            hash_secret(secret),
            purpose,
            format_instant(now),
            format_instant(now + good_for),
            row.player,
            row.id,
            # So many are sent to an address that nobody has confirmed, whoever asks for them.
            row.address_hash if purpose == CONFIRM else None,
            number,
            secret,
            hash_secret(former or ""),
        )
        mail_links.insert(connection, link)
        deliveries.add(connection, number, row.id, purpose, link.created_at)

    def awaits(self, secret: str) -> bool:
        """Tell whether an address can be confirmed by a link."""
        with self.accounts.database.read() as connection:
            return self._find_link(connection, secret) is not None

    def confirm(self, secret: str) -> None:
        """Confirm the address that a link was sent to. Raises ``NotFound``."""
        with self.accounts.database.write() as connection:
            link = self._find_link(connection, secret)
            if link is None:
                raise _make_not_found()
            # Whoever asked for it may have known the password, which is another one since.
            if hash_secret(accounts.hold_password(connection, link.player) or "") != link.former:
                raise _make_not_found()
            row = channels.find(connection, link.channel, lock=True)
            if row is None or row.kind != EMAIL or not mail_links.use(connection, link.digest):
                raise _make_not_found()
            row = row._replace(
                confirmed_at=format_instant(self.accounts.now()), types=" ".join(TYPES)
            )
            for other in channels.list_by_player(connection, row.player, EMAIL):
                if other.id == row.id:
                    continue
                if other.confirmed_at is not None:
                    row = row._replace(types=other.types, hour=other.hour)
                self._part_with(connection, other, ADDRESS_CHANGED)
            channels.save(connection, row)

    def _find_link(self, connection: Connection, secret: str) -> LinkRow | None:
        now = format_instant(self.accounts.now())
        return mail_links.find(connection, hash_secret(secret), CONFIRM, now)

    def choose(self, player: str, types: Sequence[str], hour: int | None) -> None:
        """Choose what is told by mail, and when. Raises ``NotFound`` and ``InvalidRequest``."""
        if not set(types) <= {*TYPES}:
            raise InvalidRequest(say("There is no such type of notice."), pointer="/types")
        if hour is not None and hour not in HOURS:
            raise InvalidRequest(say("An hour is a number from 0 to 23."), pointer="/hour")
        with self.accounts.database.write() as connection:
            row = _get_confirmed(connection, player)
            channels.save(connection, row._replace(types=channels.format_types(types), hour=hour))
            # What waits for another hour is looked at anew, and goes or waits by this one.
            deliveries.hurry(connection, row.id, format_instant(self.accounts.now()))

    def turn_on(self, player: str) -> None:
        """Try an address again that was turned off. Raises ``NotFound``."""
        with self.accounts.database.write() as connection:
            row = _get_confirmed(connection, player)
            now = format_instant(self.accounts.now())
            channels.save(connection, row.start_anew(now)._replace(off_at=None, off_reason=None))

    def forget(self, player: str, channel: str) -> None:
        """Forget an address, and what was sent there. Raises ``NotFound``."""
        with self.accounts.database.write() as connection:
            row = channels.find(connection, channel, lock=True)
            if row is None or row.player != player or row.kind != EMAIL:
                raise NotFound(say("You have no such address."))
            self._part_with(connection, row, ADDRESS_REMOVED)

    def _part_with(self, connection: Connection, row: ChannelRow, why: str) -> None:
        """Forget an address, which is told so as far as mail can be sent."""
        if not self.available:
            channels.delete(connection, row.id)
            return
        self.accounts.mails.give_up(connection, row, why)

    def test(self, player: str) -> None:
        """Send a mail that tells of nothing. Raises ``NotFound`` and ``TooOften``."""
        number = self.accounts.randomness.make_notice_number()
        with self.accounts.database.write() as connection:
            row = _get_confirmed(connection, player)
            send_test(connection, row.id, number, self.accounts.now())

    def may_stop(self, key: str) -> bool:
        """Tell whether a link is one by which mails end; nobody learns more by it."""
        return self.letters.channel_of(key) is not None

    def stop(self, key: str) -> None:
        """Send no more notices to an address, by the link of any mail. Raises ``NotFound``.

        Once more changes nothing. Links for a new password are sent nevertheless when they are
        asked for.
        """
        channel = self.letters.channel_of(key)
        if channel is None:
            raise NotFound(say("This link is not from one of our mails."))
        with self.accounts.database.write() as connection:
            row = channels.find(connection, channel, lock=True)
            if row is not None and row.confirmed_at is not None:
                channels.save(connection, row._replace(types=""))
                deliveries.drop(connection, channel, STOPPED, asked=False)

    def hash_of(self, address: str) -> str:
        """Return by what an address is found, however its capitals are."""
        return self.letters.sealer.hash_with_key("mail-address", address.lower())


def clean_address(address: str) -> str:
    """Return an address as it is kept, in ASCII. Raises ``InvalidRequest``."""
    # Commands need not import it: addresses are given on pages alone.
    from email_validator import EmailNotValidError, validate_email  # noqa: PLC0415

    try:
        found = validate_email(
            address[: 2 * LONGEST], check_deliverability=False, allow_smtputf8=False
        )
    except EmailNotValidError:
        raise InvalidRequest(
            say("This is not an e-mail address, such as ada@mail.example."), pointer="/address"
        ) from None
    return found.ascii_email or found.normalized


def _make_not_found() -> NotFound:
    return NotFound(say("This link has been used already, or is too old."))


def _get_confirmed(connection: Connection, player: str) -> ChannelRow:
    found = channels.list_by_player(connection, player, EMAIL)
    confirmed = next((one.id for one in found if one.confirmed_at is not None), "")
    row = channels.find(connection, confirmed, lock=True)
    if row is None:
        raise NotFound(say("You have no address that is confirmed."))
    return row


def _make_view(row: ChannelRow) -> EmailView:
    return EmailView(
        row.id,
        row.address or "",
        row.confirmed_at is not None,
        row.types.split(),
        row.hour,
        row.off_reason,
        row.failing_since,
    )
