"""Blocking and following: with whom one wants nothing to do, and whose matches one looks at.

Who is blocked is told no more than that the other one cannot be challenged. Both sides of it are
one: a challenge, a pairing or a message is refused whoever of the two has blocked the other, and
challenges between them that wait for an answer end with the block.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import format_instant
from services.accounts.accounts import Accounts
from services.accounts.closing import must_be_open
from services.errors import CannotBeChallenged, InvalidRequest, TooManyRelations
from services.store import accounts
from services.store.log.events import VersionTaken
from services.store.people import relations
from services.store.people.relations import BLOCKS, FOLLOWS, KINDS

T = TypeVar("T")

MOST = 200
"""So many players one may follow, and as many block."""


class Related(NamedTuple):
    """The names of those whom a player has blocked, and follows."""

    blocked: list[str]
    followed: list[str]


@dataclass(frozen=True, slots=True)
class Relations(Generic[T]):
    """Use cases around other players.

    ``end_challenges`` ends what waits between two of them, in a transaction, and returns what it
    wrote; ``announce`` tells of that, once it is committed. They come from ``services.matches``.
    """

    accounts: Accounts
    end_challenges: Callable[[Connection, str, str], Sequence[T]]
    announce: Callable[[T], None]

    def block(self, player: str, name: str) -> None:
        """Block somebody; neither follows the other any more, and no challenge waits.

        Raises ``NotFound``, ``InvalidPlayer``, ``InvalidRequest``, ``TooManyRelations``.
        """
        other = self._get_other(player, name)

        def block(connection: Connection) -> Sequence[T]:
            # Who challenges holds both players open: they come before the block, and are found, or
            # after it, and are refused. Of two who block each other the second one waits here.
            accounts.hold_alone(connection, min(player, other))
            self._add(connection, player, BLOCKS, other)
            relations.remove(connection, player, FOLLOWS, other)
            relations.remove(connection, other, FOLLOWS, player)
            return self.end_challenges(connection, player, other)

        for appended in self.accounts.database.write_again(block, VersionTaken):
            self.announce(appended)

    def follow(self, player: str, name: str) -> None:
        """Follow somebody: their public matches are listed.

        Raises what ``block`` raises, and ``CannotBeChallenged`` where one has blocked the other.
        """
        other = self._get_other(player, name)
        with self.accounts.database.write() as connection:
            must_not_be_blocked(connection, player, other)
            self._add(connection, player, FOLLOWS, other)

    def end(self, player: str, kind: str, name: str) -> None:
        """Block or follow somebody no more. Raises ``NotFound``, ``InvalidPlayer``."""
        other = self.accounts.get_person(name).id
        with self.accounts.database.write() as connection:
            relations.remove(connection, player, kind, other)

    def get_related(self, player: str) -> Related:
        """Return whom a player has blocked, and follows."""
        with self.accounts.database.read() as connection:
            blocked = relations.list_others(connection, player, BLOCKS)
            followed = relations.list_others(connection, player, FOLLOWS)
            names = self.accounts.find_names_in(connection, [*blocked, *followed])
        return Related([names[one] for one in blocked], [names[one] for one in followed])

    def list_kinds(self, player: str, other: str) -> set[str]:
        """Return what of ``KINDS`` a player does with another one."""
        with self.accounts.database.read() as connection:
            return {one for one in KINDS if other in relations.list_others(connection, player, one)}

    def list_unreachable(self, player: str | None, others: Collection[str]) -> set[str]:
        """Return which of others a player cannot challenge; None: somebody who is not logged in.

        Suspended accounts and blocks are not told apart in what is returned. Whoever compares what
        is offered to others can tell: a block has to refuse somebody.
        """
        with self.accounts.database.read() as connection:
            found = accounts.list_suspended(connection, others)
            return found | relations.list_blocked(connection, player or "", others)

    def _get_other(self, player: str, name: str) -> str:
        other = self.accounts.get_person(name).id
        if other == player:
            raise InvalidRequest(say("You cannot follow or block yourself."), pointer="/name")
        return other

    def _add(self, connection: Connection, player: str, kind: str, other: str) -> None:
        for one in sorted((player, other)):
            must_be_open(connection, one)
        there = relations.list_others(connection, player, kind)
        if other not in there and len(there) >= MOST:
            raise TooManyRelations(
                say("You have {most} players in this list already. Remove one first.", most=MOST)
            )
        relations.add(connection, player, kind, other, format_instant(self.accounts.now()))


def must_not_be_blocked(
    connection: Connection, caller: str, other: str | None, pointer: str | None = None
) -> None:
    """Refuse what one of two players has to do with the other, if one has blocked the other.

    Raises ``CannotBeChallenged``, with the ``pointer``.
    """
    if other is None or other == caller:
        return
    blockers = relations.list_blockers(connection, caller, other)
    if caller in blockers:
        raise CannotBeChallenged(
            say("You have blocked this player. Unblock them on their page first."),
            pointer=pointer,
        )
    if blockers:
        raise CannotBeChallenged(say("This player cannot be challenged."), pointer=pointer)
