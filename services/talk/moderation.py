"""Abuse: messages are reported and hidden, accounts suspended; each with a reason that is kept.

What was done stands in a table that only grows; the database itself keeps it so. A message that is
hidden stays where it is, for its author to read why; a suspended account lets nobody in.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from domain.i18n import say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts
from services.accounts.user_texts import clean
from services.errors import InvalidRequest, NotFound, TooOften
from services.store import accounts, talk
from services.store.cursors import Page, find_next_cursor
from services.store.db.metadata import HIGHEST
from services.store.people import moderation
from services.store.people.moderation import HIDDEN, LIFTED, REPORTED, SUSPENDED, ModerationRow
from services.store.talk import MessageRow, Room
from services.talk.chat import Chat, Speaker

LONGEST = 500
"""Characters of a reason."""

MOST, SPAN = 10, timedelta(days=1)
"""So many messages one player may report in so long."""

_Place: TypeAlias = tuple[Room, int] | None


class ModerationEntry(NamedTuple):
    """A row with names; ``said``: the message that it is about, as it is now, if there is one.

    One that was deleted since still has its text, unless its author's account is gone.
    """

    row: ModerationRow
    actor: str | None
    player: str
    said: MessageRow | None


@dataclass(frozen=True, slots=True)
class Moderation:
    """Use cases around abuse. An ``actor`` is a player's id; None: whoever holds the database."""

    accounts: Accounts
    chat: Chat

    def report(self, caller: str, room: Room, number: int, reason: str) -> None:
        """Report a message to the administrators.

        Raises what reading the room raises, ``NotFound``, ``InvalidText``, ``InvalidRequest`` and
        ``TooOften``.
        """
        told = clean(reason, LONGEST, "/reason")
        message = self.chat.get_message(Speaker(caller), room, number)
        if message.player == caller:
            raise InvalidRequest(say("This message is your own: you may delete it."))
        now = self.accounts.now()

        def write(connection: Connection) -> None:
            if _get_readable(connection, room, number).hidden is not None:
                raise _make_not_found()
            since = format_instant(now - SPAN)
            if moderation.count_reported_since(connection, caller, since) >= MOST:
                wait = int(SPAN.total_seconds())
                raise TooOften(say("You may report {most} messages a day.", most=MOST), wait)
            moderation.add(
                connection, self._make_row(REPORTED, caller, message.player, told, (room, number))
            )

        self.accounts.database.write_again(write, IntegrityError)

    def list_reported(self, caller: str, match_id: str) -> set[tuple[str, int]]:
        """Return which messages beside a match a player has reported: rooms and numbers."""
        with self.accounts.database.read() as connection:
            return moderation.list_reported(connection, caller, match_id)

    def hide(self, actor: str | None, room: Room, number: int, reason: str) -> None:
        """Hide a message from all but its author, who is told why. Raises ``NotFound``."""
        told = clean(reason, LONGEST, "/reason")

        def write(connection: Connection) -> None:
            message = _get_readable(connection, room, number)
            talk.hide(connection, room, number, told)
            moderation.add(
                connection, self._make_row(HIDDEN, actor, message.player, told, (room, number))
            )

        self.accounts.database.write_again(write, IntegrityError)
        self.chat.notifier.hint(room.match)

    def suspend(self, actor: str | None, name: str, reason: str) -> None:
        """Suspend an account: all its log-ins and tokens end, and nobody gets in.

        Raises ``NotFound`` and ``InvalidPlayer``.
        """
        told, player = clean(reason, LONGEST, "/reason"), self.accounts.get_person(name).id
        now = format_instant(self.accounts.now())

        def write(connection: Connection) -> None:
            if not accounts.set_suspended(connection, player, now):
                raise NotFound(say("This account is suspended already."))
            accounts.delete_of(connection, player, accounts.sessions, accounts.tokens)
            moderation.add(connection, self._make_row(SUSPENDED, actor, player, told))

        self.accounts.database.write_again(write, IntegrityError)
        self.accounts.known.forget()

    def lift(self, actor: str | None, name: str, reason: str) -> None:
        """Let the player of a suspended account in again. Raises ``NotFound``."""
        told, player = clean(reason, LONGEST, "/reason"), self.accounts.get_person(name).id

        def write(connection: Connection) -> None:
            if not accounts.set_suspended(connection, player, None):
                raise NotFound(say("This account is not suspended."))
            moderation.add(connection, self._make_row(LIFTED, actor, player, told))

        self.accounts.database.write_again(write, IntegrityError)

    def list_entries(self, before: int | None, limit: int) -> Page[ModerationEntry, int]:
        """Return what was done, the newest first."""
        with self.accounts.database.read() as connection:
            found = moderation.list_page(connection, before or HIGHEST, limit + 1)
            names = self.accounts.find_names_in(
                connection, {one for row in found for one in (row.actor, row.player)}
            )
            entries = [
                ModerationEntry(
                    row,
                    None if row.actor is None else names.get(row.actor, row.actor),
                    names.get(row.player, row.player),
                    _find_message(connection, row),
                )
                for row in found[:limit]
            ]
        return Page(entries, find_next_cursor(found, limit, lambda last: last.number))

    def _make_row(
        self, kind: str, actor: str | None, player: str, reason: str, place: _Place = None
    ) -> ModerationRow:
        (match, room), number = place or ((None, None), None)
        at = format_instant(self.accounts.now())
        return ModerationRow(0, at, kind, actor, player, match, room, number, reason)


def _find_message(connection: Connection, row: ModerationRow) -> MessageRow | None:
    if row.match is None or row.room is None or row.message is None:
        return None
    return talk.find_evidence(connection, Room(row.match, row.room), row.message)


def _get_readable(connection: Connection, room: Room, number: int) -> MessageRow:
    """Return a message that is not deleted, nor will be before the transaction ends."""
    found = talk.find_evidence(connection, room, number, lock=True)
    if found is None or found.text is None or found.deleted_at is not None:
        raise _make_not_found()
    return found


def _make_not_found() -> NotFound:
    return NotFound(say("There is no such message, or it was deleted or hidden."))
