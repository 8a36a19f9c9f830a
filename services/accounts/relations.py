"""Blocking and following: with whom one wants nothing to do, and whose matches one looks at.

Who is blocked is told no more than that the other one cannot be challenged. Both sides of it are
one: a challenge, a pairing or a message is refused whoever of the two has blocked the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from domain.i18n import say
from domain.match.clock import instant
from services.accounts.accounts import Accounts
from services.accounts.closing import must_be_open
from services.errors import CannotBeChallenged, InvalidRequest, TooManyRelations
from services.store.people import relations
from services.store.people.relations import BLOCKS, FOLLOWS, KINDS

MOST = 200
"""So many players one may follow, and as many block."""


class Related(NamedTuple):
    """The names of those whom a player has blocked, and follows."""

    blocked: list[str]
    followed: list[str]


@dataclass(frozen=True, slots=True)
class Relations:
    """Use cases around other players."""

    accounts: Accounts

    def block(self, player: str, name: str) -> None:
        """Block somebody; neither follows the other any more.

        Raises ``NotFound``, ``InvalidPlayer``, ``InvalidRequest``, ``TooManyRelations``.
        """
        other = self._other(player, name)
        with self.accounts.database.write() as connection:
            self._add(connection, player, BLOCKS, other)
            relations.remove(connection, player, FOLLOWS, other)
            relations.remove(connection, other, FOLLOWS, player)

    def follow(self, player: str, name: str) -> None:
        """Follow somebody: their public matches are listed.

        Raises what ``block`` raises, and ``CannotBeChallenged`` where one has blocked the other.
        """
        other = self._other(player, name)
        with self.accounts.database.write() as connection:
            must_not_be_blocked(connection, player, other)
            self._add(connection, player, FOLLOWS, other)

    def end(self, player: str, kind: str, name: str) -> None:
        """Block or follow somebody no more. Raises ``NotFound``, ``InvalidPlayer``."""
        other = self.accounts.person(name).id
        with self.accounts.database.write() as connection:
            relations.remove(connection, player, kind, other)

    def of(self, player: str) -> Related:
        """Return whom a player has blocked, and follows."""
        with self.accounts.database.read() as connection:
            blocked = relations.of(connection, player, BLOCKS)
            followed = relations.of(connection, player, FOLLOWS)
            names = self.accounts.names_in(connection, [*blocked, *followed])
        return Related([names[one] for one in blocked], [names[one] for one in followed])

    def to(self, player: str, other: str) -> set[str]:
        """Return what of ``KINDS`` a player does with another one."""
        with self.accounts.database.read() as connection:
            return {one for one in KINDS if other in relations.of(connection, player, one)}

    def _other(self, player: str, name: str) -> str:
        other = self.accounts.person(name).id
        if other == player:
            raise InvalidRequest(say("That is you."), pointer="/name")
        return other

    def _add(self, connection: Connection, player: str, kind: str, other: str) -> None:
        for one in sorted((player, other)):
            must_be_open(connection, one)
        there = relations.of(connection, player, kind)
        if other not in there and len(there) >= MOST:
            raise TooManyRelations(
                say("You have chosen {most} players already. Take one out first.", most=MOST)
            )
        relations.add(connection, player, kind, other, instant(self.accounts.now()))


def must_not_be_blocked(
    connection: Connection, caller: str, other: str | None, pointer: str | None = None
) -> None:
    """Refuse what one of two players has to do with the other, if one has blocked the other.

    Raises ``CannotBeChallenged``, with the ``pointer``.
    """
    if other is None or other == caller:
        return
    blockers = relations.blockers(connection, caller, other)
    if caller in blockers:
        raise CannotBeChallenged(
            say("You have blocked this player. Take that back first, on their page."),
            pointer=pointer,
        )
    if blockers:
        raise CannotBeChallenged(say("This player cannot be challenged."), pointer=pointer)
