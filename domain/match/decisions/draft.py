"""A draft: the facts that a decision has come to so far, and the state after them.

Deciders add facts to it one by one. Then ``settle`` adds what the rules do by themselves: draws,
forced passes, the end. Beside it stand the checks with which decisions begin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from domain import errors
from domain.game.game import Act, Draw, Over, Pass
from domain.i18n import say
from domain.json_types import Json
from domain.log.chance import ChanceSource, Dice, toss_coin
from domain.match import events
from domain.match.events import Fact, Proposal, Secret
from domain.match.evolve import StateBefore, apply, refuse_past
from domain.match.state import ACTIVE, OPEN, Match, is_due

Chance: TypeAlias = Callable[[ChanceSource, int, Draw], Json]
"""A source of chance: dice, number of the draw, what is drawn -> outcome."""

SEAT_DRAW = Draw("seat", toss_coin)


def draw_provably(source: ChanceSource, number: int, draw: Draw) -> Json:
    """Draw from the match's secret; the one source of chance outside of tests."""
    return draw.sample(Dice(source, number))


class Draft:
    """A decision in the making: facts, and the state after them.

    ``at``: the instant of the decision. ``past`` gives the state to which a takeback leads.
    """

    def __init__(self, match: Match, chance: Chance, at: str = "") -> None:
        self.match = match.copy()
        self.chance = chance
        self.at = at
        self.past: StateBefore = refuse_past
        self.proposals: list[Proposal] = []

    def add(self, fact: Fact, actor: str, *secrets: Secret) -> None:
        """Decide on one more fact."""
        self.proposals.append(Proposal(fact, actor, secrets))
        values = [secret.value for secret in secrets]
        apply(self.match, fact, values, self.at, self.past)

    def settle(self) -> None:
        """Go on by chance, forced passes and the end until a seat is to act."""
        while True:
            match self.match.find_step():
                case Draw() as draw:
                    self._draw(draw)
                case Pass(seat, reason, shown):
                    secrets = () if shown is None else (Secret(events.BOTH_SEATS, shown),)
                    self.add(events.TurnPassed(seat, reason), events.SERVER, *secrets)
                case Over(winner, reason):
                    self.add(events.MatchEnded(winner, reason), events.SERVER)
                case Act() | None:
                    return

    def _draw(self, draw: Draw) -> None:
        number = self.match.next_draw
        outcome = self.chance(self.match.dice, number, draw)
        if draw.hidden:
            fact = events.ChanceDrawn(number, draw.purpose, draw.seat)
            self.add(fact, events.SERVER, Secret((events.SERVER,), outcome))
        else:
            fact = events.ChanceDrawn(number, draw.purpose, draw.seat, outcome)
            self.add(fact, events.SERVER)


def must_be_active(match: Match) -> None:
    """Refuse what only a running match takes. Raises ``MatchNotActive``."""
    if match.over:
        raise errors.MatchNotActive(say("This match is over."))
    if match.status != ACTIVE:
        raise errors.MatchNotActive(say("This match has not started: a seat is still free."))


def must_be_in_time(match: Match, at: str) -> None:
    """Refuse whatever comes after the time of a match is up. Raises ``TimeIsUp``."""
    if match.clock is not None and not at:
        raise ValueError(f"a decision on match {match.id}, which has a clock, without an instant")
    if at and is_due(match, at):
        if match.status == OPEN:
            raise errors.Lapsed(say("Nobody has joined in time, and this match is over."))
        raise errors.TimeIsUp(say("The time is up, and this match is over."))
