"""What players do besides moving, as commands: each action by its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_type_hints

from domain.errors import MatchNotActive, Refusal, SeriesOver
from domain.i18n import say
from domain.match import commands
from domain.match.clock import DAY, HOUR, SECOND
from domain.match.state import ACTIVE, OFFER_KINDS, OPEN, Match, find_offer
from services.errors import InvalidRequest
from services.matches import access
from services.matches.repository import Repository
from services.store.db.engine import Database
from services.store.log import events
from services.store.matches import list_by_series

if TYPE_CHECKING:
    from services.matches.requests import ChangeRequest

OFFERS = tuple(f"{verb}_{kind}" for kind in OFFER_KINDS for verb in ("offer", "accept", "decline"))
"""``offer_draw``, ``accept_draw``, ``decline_draw``, and so on."""

ACTIONS = ("resign", "leave_series", "abort", "contribute", *OFFERS, "give_time")

NEEDS = {
    "contribute": "contribution",
    "offer_takeback": "to_version",
    "offer_pause": "days",
    "give_time": "hours",
}
"""The one member that an action needs; others take none."""

CONTRIBUTION = re.compile(r"[0-9a-fA-F]{64}", re.ASCII)


class Action(NamedTuple):
    """Something else than a move, with what it needs.

    ``contribution``: 64 hex digits. ``to_version``: to which a takeback is to lead. ``days``: of
    a pause. ``hours``: for the opponent.
    """

    name: str
    contribution: str | None = None
    to_version: int | None = None
    days: int | None = None
    hours: int | None = None


NUMBERS = frozenset(name for name, kind in get_type_hints(Action).items() if kind == int | None)
"""The members of an action that are whole numbers; the others are texts."""


@dataclass(frozen=True, slots=True)
class ActionCommands:
    """Makes commands of actions. Those about takebacks look at the past of the match."""

    database: Database
    repository: Repository

    def make_command(
        self, match: Match, request: ChangeRequest, action: Action
    ) -> commands.Command:
        """Return the command. Raises ``InvalidRequest`` and ``NotYourSeat``."""
        if action.name not in ACTIONS:
            raise InvalidRequest(
                say("'action' is one of {actions}.", actions=", ".join(ACTIONS)), pointer="/action"
            )
        _check_members(action)
        if action.name == "abort" and request.admin and match.seat_of(request.caller) is None:
            return commands.AbortMatch(None)
        seat = access.seat_of(match, request.caller)
        if action.name == "leave_series" and match.over and match.series is not None:
            raise self._make_refusal(match.series["id"])
        simple = _SIMPLE.get(action.name)
        if simple is not None:
            return simple(seat, action)
        if action.name == "offer_takeback":
            return self._offer_takeback(match, seat, action.to_version or 0)
        return self._answer(match, seat, *action.name.split("_"))

    def _make_refusal(self, series: str) -> Refusal:
        with self.database.read() as connection:
            last = list_by_series(connection, series)[-1]
        if last.status in (OPEN, ACTIVE):
            return MatchNotActive(
                say("This match is over; the series goes on in the match {match}.", match=last.id)
            )
        return SeriesOver(say("This series is over."))

    def _offer_takeback(self, match: Match, seat: int, version: int) -> commands.Command:
        if not 1 <= version < match.version:
            raise InvalidRequest(
                say("A takeback leads to an earlier version: 1 to {last}.", last=match.version - 1),
                pointer="/to_version",
            )
        with self.database.read() as connection:
            past = self.repository.make_past(connection, match.id)(version)
            since = events.load(connection, match.id, after=version, upto=match.version)
        return commands.OfferTakeback(seat, past, since)

    def _answer(self, match: Match, seat: int, verb: str, kind: str) -> commands.Command:
        if verb == "decline":
            return commands.DeclineOffer(seat, kind)
        offer = find_offer(match.offers, kind)
        if kind != "takeback" or offer is None:
            return commands.AcceptOffer(seat, kind)
        with self.database.read() as connection:
            past = self.repository.make_past(connection, match.id)(offer.about)
        return commands.AcceptOffer(seat, kind, past)


def _check_members(action: Action) -> None:
    needed = NEEDS.get(action.name)
    for name in NEEDS.values():
        given = getattr(action, name) is not None
        if name == needed and not given:
            raise InvalidRequest(
                say("To {action}, give {name}.", action=tell_action(action.name), name=name),
                pointer=f"/{name}",
            )
        if name != needed and given:
            raise InvalidRequest(
                say("{action} takes no {name}.", action=action.name, name=name), pointer=f"/{name}"
            )


def tell_action(name: str) -> str:
    """Return an action's name as words.

    >>> tell_action("offer_draw")
    'offer draw'
    """
    return say(name.replace("_", " "))


def check_contribution(contribution: str) -> None:
    """Refuse what is no contribution to the dice. Raises ``InvalidRequest``."""
    if CONTRIBUTION.fullmatch(contribution) is None:
        raise InvalidRequest(say("A contribution is 64 hex digits."), pointer="/contribution")


def _contribute(seat: int, action: Action) -> commands.Command:
    check_contribution(action.contribution or "")
    return commands.Contribute(seat, action.contribution or "")


_SIMPLE: dict[str, Callable[[int, Action], commands.Command]] = {
    "resign": lambda seat, _: commands.Resign(seat),
    "leave_series": lambda seat, _: commands.LeaveSeries(seat),
    "abort": lambda seat, _: commands.AbortMatch(seat),
    "contribute": _contribute,
    "offer_draw": lambda seat, _: commands.MakeOffer(seat, "draw"),
    "offer_pause": lambda seat, action: commands.MakeOffer(
        seat, "pause", (action.days or 0) * DAY // SECOND
    ),
    "offer_resume": lambda seat, _: commands.MakeOffer(seat, "resume"),
    "offer_abort": lambda seat, _: commands.MakeOffer(seat, "abort"),
    "give_time": lambda seat, action: commands.GiveTime(seat, (action.hours or 0) * HOUR // SECOND),
}
