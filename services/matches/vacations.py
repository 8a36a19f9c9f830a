"""Vacations: so many days a year on which a player's clocks stand, in all matches that allow it.

A vacation and its events, one in every running match of the player, are one transaction: either
all clocks stand or none. In a match that begins meanwhile they stand at once: see
``services.matches.seats``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection

from domain.errors import Refusal
from domain.i18n import say
from domain.match import commands
from domain.match.clock import DAY, SECOND, add_span, measure_span
from domain.match.decisions.clock import allows_vacation, is_away
from domain.match.state import Match
from services.errors import OnVacation, VacationUsedUp
from services.matches import series
from services.matches.commands import MatchCommands
from services.matches.repository import Appended
from services.store import accounts, vacations
from services.store.log.events import ConditionalMovesStored, VersionTaken
from services.store.vacations import Vacation

DAYS_A_YEAR = 30
"""Days of vacation that a player has in each calendar year (UTC); none are carried over."""

_Result = TypeVar("_Result")
_Commanding = Callable[[Match, int], commands.Command | None]


class Balance(NamedTuple):
    """A player's vacation: what this year still has, and the one that runs, if any."""

    year: int
    days: int
    days_left: int
    current: Vacation | None


@dataclass(frozen=True, slots=True)
class Vacations:
    """Use cases around vacations: look at the balance, begin one, end it early."""

    matches: MatchCommands

    def get_balance(self, player: str) -> Balance:
        """Say what a player has left."""
        with self.matches.database.read() as connection:
            return self._compute_balance(connection, player, self._get_now())

    def take(self, player: str, days: int) -> Balance:
        """Go on vacation now, for whole days.

        All of them count for the year in which it begins. Raises ``OnVacation`` and
        ``VacationUsedUp``.
        """

        def begin(connection: Connection) -> tuple[Balance, list[Appended]]:
            now = self._get_now()
            balance = self._compute_balance(connection, player, now)
            if balance.current is not None:
                raise OnVacation(
                    say("You are on vacation already. End it before you take another.")
                )
            if days > balance.days_left:
                raise VacationUsedUp(
                    say(
                        "You have {left} of {days} days left in {year}.",
                        left=balance.days_left,
                        days=DAYS_A_YEAR,
                        year=balance.year,
                    ),
                    pointer="/days",
                )
            ends = add_span(now, days * DAY)
            vacations.save_vacation(connection, Vacation(player, now, ends, days))
            seconds = days * DAY // SECOND
            standing = self._command_all(
                connection, player, lambda _, seat: commands.GoAway(seat, seconds)
            )
            return self._compute_balance(connection, player, now), standing

        return self._do_in_transaction(player, begin)

    def end(self, player: str) -> Balance:
        """Come back early; days that have not begun are left for later. Raises ``OnVacation``."""

        def come_back(connection: Connection) -> tuple[Balance, list[Appended]]:
            now = self._get_now()
            current = self._compute_balance(connection, player, now).current
            if current is None:
                raise OnVacation(say("You are not on vacation."))
            begun = -(-measure_span(current.started_at, now) // DAY)
            spent = current._replace(ends_at=now, days=min(current.days, max(1, begun)))
            vacations.save_vacation(connection, spent)
            running = self._command_all(connection, player, self._make_come_back)
            return self._compute_balance(connection, player, now), running

        return self._do_in_transaction(player, come_back)

    def _make_come_back(self, match: Match, seat: int) -> commands.Command | None:
        at = self.matches.repository.get_instant(match)
        return commands.ComeBack(seat) if is_away(match, seat, at) else None

    def _command_all(
        self, connection: Connection, player: str, commanding: _Commanding
    ) -> list[Appended]:
        """Carry out a command in every match of the player in which clocks may stand.

        In the order of their ids, so that two who do this do not wait for each other for ever.
        """
        appended: list[Appended] = []
        for match_id in vacations.list_clocked_matches(connection, player):
            match = self.matches.repository.load_readable(connection, match_id)
            if match is None or not allows_vacation(match):
                continue
            command = commanding(match, match.seat_of(player) or 1)
            if command is None:
                continue
            try:
                decided = self.matches.decide_now(match, command)
            except Refusal:
                # Its time was up before; the sweep ends it.
                continue
            appended.append(series.write(connection, self.matches.repository, decided))
        return appended

    def _do_in_transaction(
        self, player: str, do: Callable[[Connection], tuple[_Result, list[Appended]]]
    ) -> _Result:
        def hold_and_do(connection: Connection) -> tuple[_Result, list[Appended]]:
            accounts.hold_alone(connection, player)
            return do(connection)

        result, done = self.matches.database.write_again(
            hold_and_do, VersionTaken, ConditionalMovesStored
        )
        for appended in done:
            self.matches.announce(appended)
        return result

    def _compute_balance(self, connection: Connection, player: str, now: str) -> Balance:
        year = int(now[:4])
        # One that began last year may still run.
        known = vacations.list_by_player(connection, player, f"{year - 1}")
        used = sum(one.days for one in known if one.started_at >= f"{year}")
        current = next((one for one in known if one.ends_at > now), None)
        return Balance(year, DAYS_A_YEAR, max(0, DAYS_A_YEAR - used), current)

    def _get_now(self) -> str:
        return self.matches.repository.get_instant()
