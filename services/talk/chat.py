"""Chat beside a match: a room for its players, and one for those who watch.

The players' room is theirs for ever. The spectators' room is shut to the players until their
match is over, since what is said there may be advice. (A player with a second account is not
stopped by that.) Of a private match there are no spectators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from domain.errors import NotYourSeat
from domain.i18n import say
from domain.match.clock import format_instant
from domain.match.state import ACTIVE, FINISHED, Match
from domain.match.views import MatchView
from services.accounts.accounts import Accounts
from services.accounts.closing import must_be_open
from services.accounts.relations import must_not_be_blocked
from services.accounts.user_texts import clean
from services.errors import CursorGone, NotFound, NotYours, SpectatorsOnly, TooOften, Unavailable
from services.matches import access
from services.matches.access import identify_caller
from services.matches.repository import Repository
from services.matches.requests import Repeatable, StoredAnswer, keep_answer, must_be_new_in
from services.runtime.clock import Now
from services.runtime.notifier import Notifier
from services.store import accounts, talk
from services.store.cursors import Page, find_next_cursor
from services.store.db.engine import Database
from services.store.db.metadata import HIGHEST
from services.store.idempotency import KeyInUse
from services.store.people import moderation
from services.store.talk import MessageRow, Room

PLAYERS, SPECTATORS = "players", "spectators"
ROOMS = (PLAYERS, SPECTATORS)

LONGEST = 500
"""Characters of a message."""

BURST, SPAN = 10, timedelta(minutes=1)
"""So many messages one player may send in so long, in all rooms together."""

ATTEMPTS = 5
"""How often something is said when others speak at the same time."""


class Message(NamedTuple):
    """A message; ``player`` is the present name of who wrote it. ``text`` None: deleted, or hidden.

    ``hidden`` None: it is not. Else why an administrator has hidden it, which only its author and
    administrators read, and the text with it; others get an empty one.
    """

    number: int
    player: str
    text: str | None
    at: str
    hidden: str | None = None


class Speaker(NamedTuple):
    """Who asks: a player's id or None, and whether with an administrator's rights."""

    caller: str | None
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """Use cases around chat: read a room, say something in it, delete what one has said."""

    database: Database
    repository: Repository
    accounts: Accounts
    now: Now
    notifier: Notifier

    def make_mark(self, match_id: str, rooms: Sequence[str]) -> str:
        """Return what becomes another text whenever something is said or deleted in these rooms."""
        with self.database.read() as connection:
            counts = [talk.count(connection, Room(match_id, room)) for room in rooms]
        return "-".join(f"{said}.{left}" for said, left in counts)

    def read(  # noqa: PLR0913 - a page of a list
        self, speaker: Speaker, match_id: str, room: str, *, after: int, before: int | None,
        limit: int,
    ) -> Page[Message, int]:  # fmt: skip
        """Read a room, newest first: messages above the number ``after``, below ``before``.

        Raises ``NotFound``, ``NotYourSeat``, ``SpectatorsOnly``, and ``CursorGone`` where there
        is no message ``after`` which others could come.
        """
        with self.database.read() as connection:
            self._enter(connection, speaker, match_id, room)
            if after and talk.find(connection, Room(match_id, room), after) is None:
                lost = say("There is no message {number}: a backup was restored.", number=after)
                raise CursorGone(lost, pointer="/after")
            found = talk.list_page(
                connection, Room(match_id, room), after, before or HIGHEST, limit + 1
            )
            names = self.accounts.find_names_in(connection, [row.player for row in found[:limit]])
        messages = [show_row(row, names[row.player], speaker) for row in found[:limit]]
        return Page(messages, find_next_cursor(found, limit, lambda last: last.number))

    def say(
        self,
        caller: str,
        match_id: str,
        room: str,
        text: str,
        posting: Repeatable[Message] | None = None,
    ) -> tuple[Message, StoredAnswer | None]:
        """Say something; with a ``posting`` its answer is kept and given back too.

        Raises what ``read`` raises, ``InvalidText``, ``CannotBeChallenged``, ``TooOften`` and
        ``AlreadyAnswered``.
        """
        for _ in range(ATTEMPTS):
            with self.database.read() as connection:
                match = self._enter(connection, Speaker(caller), match_id, room)
                said = clean(text, LONGEST)
            try:
                with self.database.write() as connection:
                    # One message of a player's after the other, or none would count the others.
                    accounts.hold_alone(connection, caller)
                    # In either room: behind the end of their match its players read both. Those of
                    # an imported one are nobody here.
                    if access.find_origin(connection, match) is None:
                        for player in match.seats:
                            must_not_be_blocked(connection, caller, player)
                    must_be_new_in(connection, caller, posting)
                    done = self._add(connection, Room(match_id, room), caller, said, posting)
            except (IntegrityError, KeyInUse):
                # Somebody else has spoken at the same time, or asks for the same.
                continue
            self.notifier.hint(match_id)
            return done
        raise Unavailable(say("Too many others are speaking right now. Try again."))

    def _add(
        self, connection: Connection, room: Room, caller: str, text: str,
        posting: Repeatable[Message] | None,
    ) -> tuple[Message, StoredAnswer | None]:  # fmt: skip
        at, names = format_instant(self.now()), self.accounts.find_names_in(connection, [caller])
        self._check_rate(connection, caller)
        must_be_open(connection, caller)
        said = talk.add(connection, room, caller, text, at)
        message = show_row(said, names[caller], Speaker(caller))
        return message, keep_answer(connection, caller, posting, message, at)

    def get_message(self, speaker: Speaker, room: Room, number: int) -> MessageRow:
        """Return a message of a room. Raises what ``read`` raises, and ``NotFound``."""
        with self.database.read() as connection:
            self._enter(connection, speaker, room.match, room.name)
            found = talk.find(connection, room, number)
        if found is None:
            raise NotFound(say("There is no such message."))
        return found

    def delete(self, speaker: Speaker, match_id: str, room: str, number: int) -> None:
        """Remove the text of a message: its author may, and an administrator.

        Of one that was reported or hidden it stays for administrators, who judge by it. Raises what
        ``read`` raises, and ``NotYours``.
        """
        place = Room(match_id, room)
        message = self.get_message(speaker, place, number)
        if message.player != speaker.caller and not speaker.admin:
            raise NotYours(say("Only its author may delete a message."))
        with self.database.write() as connection:
            # Whoever is just reporting it comes first, or finds nothing to report.
            talk.find_evidence(connection, place, number, lock=True)
            if moderation.is_about(connection, message.player, *place, number):
                talk.take_away(connection, place, number, format_instant(self.now()))
            else:
                talk.wipe(connection, place, number)
        self.notifier.hint(match_id)

    def _enter(self, connection: Connection, speaker: Speaker, match_id: str, room: str) -> Match:
        """Let somebody into a room of a match, and return it; or say why not."""
        match = self.repository.load(connection, match_id)
        if match is None:
            raise access.make_not_found(match_id)
        speaker = speaker._replace(caller=identify_caller(connection, match, speaker.caller))
        if not speaker.admin:
            access.must_see(match, speaker.caller)
        _check_entry(match, speaker, room)
        return match

    def _check_rate(self, connection: Connection, caller: str) -> None:
        now = self.now()
        said = talk.list_times_since(connection, caller, format_instant(now - SPAN))
        if len(said) >= BURST:
            free = datetime.fromisoformat(said[-BURST]) + SPAN
            raise TooOften(
                say("You may send {most} messages a minute. Wait a little.", most=BURST),
                max(1, ceil((free - now).total_seconds())),
            )


def list_open_rooms(view: MatchView, seat: int | None) -> list[str]:
    """Return the rooms of a match that somebody may enter: a seat, or who looks on (None)."""
    rooms = []
    if seat is not None and view.seats[0] and view.seats[1]:
        rooms.append(PLAYERS)
    begun = view.status in (ACTIVE, FINISHED)
    if view.visibility != access.PRIVATE and (begun if seat is None else view.status == FINISHED):
        rooms.append(SPECTATORS)
    return rooms


def _check_entry(match: Match, speaker: Speaker, room: str) -> None:
    seated = match.seat_of(speaker.caller) is not None
    if room == PLAYERS:
        if not seated and not speaker.admin:
            raise NotYourSeat(say("Only the two players of a match read and write their chat."))
    elif room != SPECTATORS or match.visibility == access.PRIVATE:
        raise NotFound(say("This match has no such room."))
    elif seated and not match.over:
        raise SpectatorsOnly(say("You may read what spectators say when your match is over."))


def show_row(row: MessageRow, name: str, reader: Speaker) -> Message:
    """Return a message under the name of its author, as somebody may read it."""
    if row.hidden is None or reader.admin or reader.caller == row.player:
        return Message(row.number, name, row.text, row.at, row.hidden)
    return Message(row.number, name, None, row.at, "")
