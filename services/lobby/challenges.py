"""Challenges and invitations: how the free seat of a match finds its player, or does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from sqlalchemy import Connection

from domain import errors
from domain.errors import Refusal
from domain.game.game import AnyGame, Viewer
from domain.i18n import say
from domain.json_types import JsonObject
from domain.match import commands
from domain.match.clock import DAY, add_span
from domain.match.state import OPEN, Match, find_due
from domain.match.views import view
from services.accounts.accounts import hash_secret
from services.accounts.user_texts import clean
from services.errors import NotFound, TooManyInvitations
from services.matches.commands import MatchCommands
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker, MatchQueries
from services.matches.repository import Appended
from services.matches.requests import (
    ChangeRequest,
    CommandResult,
    Repeatable,
    StoredAnswer,
    keep_answer,
    must_be_new,
    must_be_new_in,
)
from services.store import challenges
from services.store import matches as readmodels
from services.store.challenges import DeclineRow, InvitationRow
from services.store.cursors import CursorCipher, Page, Paging
from services.store.matches import ListKey

REASON_LENGTH = 500
MOST_INVITATIONS = 10
"""So many people may hold an invitation to a match at a time; the first who comes plays."""
INVITATION_DAYS = 14
LONGEST_INVITATION = 30

OWN_INVITATIONS = "invitations"
"""The order of rows that cursors of these lists are for."""

LIVE, USED, REVOKED, LAPSED = "open", "used", "revoked", "lapsed"
STATES = (LIVE, USED, REVOKED, LAPSED)


class NewInvitation(NamedTuple):
    """An invitation that was just made; ``token`` is shown this once."""

    id: str
    token: str
    match: str
    created_at: str
    expires_at: str


class Invitation(NamedTuple):
    """An invitation without its token. ``used_by``: the name of who came."""

    id: str
    match: str
    state: str
    created_at: str
    expires_at: str
    used_by: str | None


class Invited(NamedTuple):
    """What somebody with an invitation may see: the match, and until when the seat is kept."""

    shown: ShownMatch
    expires_at: str


@dataclass(frozen=True, slots=True)
class Challenges:
    """Use cases around matches that wait for their second player."""

    matches: MatchCommands
    queries: MatchQueries
    sealer: CursorCipher

    def decline(self, request: ChangeRequest, match_id: str, reason: str | None) -> CommandResult:
        """Decline a challenge; the reason is for its author to read."""
        text = None if reason is None else clean(reason, REASON_LENGTH, "/reason")

        def keep(connection: Connection, appended: Appended) -> None:
            if text is not None:
                at = appended.match.updated_at
                row = DeclineRow(match_id, request.caller, text, at)
                challenges.save_decline(connection, row)

        asked = replace(request, any_version=True, also=(keep,))
        return self.matches.change(
            asked, match_id, lambda _: commands.DeclineChallenge(request.caller)
        )

    def get_decline(self, caller: str, match_id: str) -> DeclineRow:
        """Say why a challenge was declined, to its two players; ``player`` is the name.

        Raises ``NotFound``.
        """
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, Asker(caller), match_id)
            row = challenges.find_decline(connection, match_id)
            if row is None or caller not in (match.creator, match.opponent):
                raise NotFound(say("There is no reason to read."))
            names = self.queries.accounts.find_names_in(connection, [row.player])
        return row._replace(player=names.get(row.player, row.player))

    def invite(
        self,
        caller: str,
        match_id: str,
        days: int = INVITATION_DAYS,
        repeatable: Repeatable[NewInvitation] | None = None,
    ) -> tuple[NewInvitation, StoredAnswer | None]:
        """Make an invitation: the seat is kept for whoever comes with it, until it lapses.

        With a ``repeatable`` the answer, which alone has the token, is kept to be given again.
        Raises ``NotFound``, ``NotYourSeat``, ``MatchNotOpen``, ``SeatReserved`` for a challenge,
        ``TooManyInvitations``, and ``AlreadyAnswered``.
        """
        with self._mine(caller, match_id) as (connection, match):
            must_be_new_in(connection, caller, repeatable)
            made = self._invite_in(connection, match, days)
            return made, keep_answer(connection, caller, repeatable, made, made.created_at)

    def _invite_in(self, connection: Connection, match: Match, days: int) -> NewInvitation:
        now = self._get_now()
        if match.status != OPEN:
            raise errors.MatchNotOpen(say("No seat of this match is free any more."))
        if match.opponent is not None:
            raise errors.SeatReserved(say("The free seat is kept for the player you challenged."))
        if challenges.count_live(connection, match.id, now) >= MOST_INVITATIONS:
            raise TooManyInvitations(
                say(
                    "There are {most} invitations to this match already. Revoke one.",
                    most=MOST_INVITATIONS,
                )
            )
        # Nobody is invited to a match that has lapsed by then.
        ends = add_span(now, days * DAY)
        expires_at = min(ends, find_due(match) or ends)
        randomness = self.matches.repository.randomness
        token, id_ = randomness.make_token(), randomness.make_invitation_id()
        row = InvitationRow(id_, match.id, match.creator, hash_secret(token), now, expires_at)
        challenges.insert_invitation(connection, row)
        return NewInvitation(id_, token, match.id, now, expires_at)

    def list_invitations(self, caller: str, match_id: str) -> list[Invitation]:
        """List the invitations to an own match, the oldest first."""
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, Asker(caller), match_id)
            _must_be_creator(match, caller)
            rows = challenges.list_invitations(connection, match_id)
            return self._list_rows(connection, rows, is_open=match.status == OPEN)

    def list_own_invitations(
        self, caller: str, limit: int, cursor: str | None = None
    ) -> Page[Invitation, str]:
        """List a player's invitations that somebody could still come with, the newest first.

        Raises ``InvalidRequest``, and ``CursorGone`` for a cursor of another history.
        """
        paging = Paging(self.sealer, OWN_INVITATIONS, cursor)
        with self.queries.database.read() as connection:
            after = paging.begin(connection)
            rows = challenges.list_live(connection, caller, self._get_now(), limit + 1, after)
            found = self._list_rows(connection, rows[:limit], is_open=True)
        return paging.make_page(found, rows, limit, lambda row: ListKey(row.created_at, row.id))

    def _list_rows(
        self, connection: Connection, rows: Sequence[InvitationRow], *, is_open: bool
    ) -> list[Invitation]:
        names = self.queries.accounts.find_names_in(connection, [row.used_by for row in rows])
        now = self._get_now()
        return [
            Invitation(
                row.id,
                row.match,
                judge_state(row, now, is_open=is_open),
                row.created_at,
                row.expires_at,
                None if row.used_by is None else names.get(row.used_by, row.used_by),
            )
            for row in rows
        ]

    def revoke(self, caller: str, match_id: str, invitation: str) -> None:
        """Revoke an invitation: nobody comes with it any more. Raises ``NotFound``."""
        with self._mine(caller, match_id) as (connection, _):
            if not challenges.revoke(connection, match_id, invitation, self._get_now()):
                raise NotFound(say("There is no such open invitation."))

    def show_invited(self, token: str) -> Invited:
        """Show a match to somebody who holds an invitation to it. Raises ``NotFound``."""
        row = self._get_live(token)
        with self.queries.database.read() as connection:
            match = self.queries.must_load(connection, Asker(local=True), row.match)
            if match.status != OPEN:
                # Somebody else came first: it is not theirs to see any more.
                raise _make_not_found()
            names = self.queries.accounts.find_names_in(connection, [*match.seats, match.opponent])
        return Invited(ShownMatch(view(match, Viewer.SPECTATOR), names, None), row.expires_at)

    def game_of(self, token: str) -> AnyGame | None:
        """Return the game of the match that an invitation is, or was, for; None: there is none."""
        with self.queries.database.read() as connection:
            row = challenges.find_invitation(connection, hash_secret(token))
            match = None if row is None else self.matches.repository.load(connection, row.match)
        return None if match is None else match.game

    def accept(
        self,
        request: ChangeRequest,
        token: str,
        settings: JsonObject | None = None,
        contribution: str | None = None,
    ) -> CommandResult:
        """Take the seat that an invitation keeps, and use it up; the match starts.

        Raises ``NotFound`` for an invitation that is used, revoked or has lapsed, and what joining
        raises.
        """
        must_be_new(self.queries.database, request.caller, request.record)
        try:
            row = self._get_live(token)

            def use_up(connection: Connection, _: Appended) -> None:
                if not challenges.use(connection, row, request.caller, self._get_now()):
                    raise _make_not_found()

            asked = replace(request, invited=True, also=(use_up,))
            return self.matches.join(asked, row.match, settings, contribution)
        except Refusal:
            # The same request may have been answered a moment ago, and used the invitation up.
            must_be_new(self.queries.database, request.caller, request.record)
            raise

    def _get_now(self) -> str:
        return self.queries.repository.get_instant()

    def _get_live(self, token: str) -> InvitationRow:
        with self.queries.database.read() as connection:
            row = challenges.find_invitation(connection, hash_secret(token))
        if row is None or judge_state(row, self._get_now()) != LIVE:
            raise _make_not_found()
        return row

    @contextmanager
    def _mine(self, caller: str, match_id: str) -> Iterator[tuple[Connection, Match]]:
        """Give a transaction that holds a match of the caller's, so that nobody joins meanwhile."""
        with self.queries.database.write() as connection:
            readmodels.find(connection, match_id, lock=True)
            match = self.queries.must_load(connection, Asker(caller), match_id)
            _must_be_creator(match, caller)
            yield connection, match


def judge_state(row: InvitationRow, now: str, *, is_open: bool = True) -> str:
    """Return what has become of an invitation; one of ``STATES``.

    ``is_open``: its match still waits for its second player.
    """
    if row.used_at is not None:
        return USED
    if row.revoked_at is not None:
        return REVOKED
    return LIVE if is_open and now < row.expires_at else LAPSED


def _must_be_creator(match: Match, caller: str) -> None:
    if caller != match.creator:
        raise errors.NotYourSeat(say("Only the player who created a match invites others to it."))


def _make_not_found() -> NotFound:
    return NotFound(say("This invitation is unknown, used, revoked, or has lapsed."))
