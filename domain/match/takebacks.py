"""Which moves can be taken back: those after which nobody knows more than before.

A takeback brings the game back, not what people have seen. So it is refused when, since that
version, a seat's view came to show something that can be hidden and that it did not show before
(the game says what that is: ``Game.revealed``); when cards were shuffled in secret; and when a
hand was shown. That is careful: a card that was seen, went out of sight and came back counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from domain.game.registry import Games
from domain.game.viewer import Viewer
from domain.i18n import say
from domain.match.agreements import TakebackAccepted
from domain.match.events import ChanceDrawn, Event, TurnPassed
from domain.match.fold import Folding, remembering
from domain.match.state import ACTIVE, Match


def fault(match: Match, past: Match, since: Sequence[Event]) -> str | None:
    """Say why ``match`` cannot go back to ``past``, or None. ``since``: the events in between."""
    if past.status != ACTIVE or past.to_act is None:
        return say("There is no position at that version in which a seat was to act.")
    for event in since:
        fact = event.fact
        if isinstance(fact, TakebackAccepted) and fact.version < past.version:
            return say("What stood at that version has been taken back itself.")
    if past.ply >= match.ply:
        return say("No move has been made since that version.")
    return _shown_in_between(since) or _revealed(past, since)


def _shown_in_between(since: Sequence[Event]) -> str | None:
    for event in since:
        if event.sealed and isinstance(event.fact, ChanceDrawn):
            return say("Cards have been shuffled since that version.")
        if event.sealed and isinstance(event.fact, TurnPassed):
            return say("A hand has been shown since that version.")
    return None


def _revealed(past: Match, since: Sequence[Event]) -> str | None:
    """Go through the events one by one: what is shown and put away again has been seen too."""
    if not past.game.secrets:
        return None
    games = Games([past.game])
    folding = Folding(games, past, remembering(since, games, past))
    before = _knowledge(past)
    for event in since:
        folding.add(event)
        after = _knowledge(folding.result())
        for seat in (1, 2):
            if after[seat - 1] - before[seat - 1]:
                return say(
                    "P{seat} has seen something since that version that was hidden then.", seat=seat
                )
        before = after
    return None


def _knowledge(match: Match) -> tuple[Counter[Hashable], Counter[Hashable]]:
    game = match.game
    first, second = (
        Counter(game.revealed(game.view(match.started, viewer, False)))  # noqa: FBT003 - as Game
        for viewer in (Viewer.SEAT_1, Viewer.SEAT_2)
    )
    return first, second
