"""Decisions about what seats propose to each other: draws, takebacks, pauses, aborting.

A takeback brings the game back, not what people have seen. So it is refused when, since that
version, a seat's view came to show something that can be hidden and that it did not show before
(the game says what that is: ``Game.iter_revealed``); when cards were shuffled in secret; and when a
hand was shown. That is careful: a card that was seen, went out of sight and came back counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from domain import errors
from domain.game.game import Viewer
from domain.game.registry import Games
from domain.i18n import say
from domain.match import commands, events
from domain.match.clock import SECOND, measure_span
from domain.match.decisions.clock import must_allow_pause, must_have_clock
from domain.match.decisions.draft import Draft, must_be_active
from domain.match.events import ChanceDrawn, Event, Fact, TakebackAccepted, TurnPassed, format_actor
from domain.match.evolve import remember_state
from domain.match.fold import Fold, remember_events
from domain.match.state import ACTIVE, Match, Offer, find_offer


def check_takeback(match: Match, past: Match, since: Sequence[Event]) -> str | None:
    """Say why ``match`` cannot go back to ``past``, or None. ``since``: the events in between."""
    if past.status != ACTIVE or past.to_act is None:
        return say("There is no such position in which a seat was to act.")
    for event in since:
        fact = event.fact
        if isinstance(fact, TakebackAccepted) and fact.version < past.version:
            return say("What stood there has been taken back itself.")
    if past.ply >= match.ply:
        return say("No move has been made since then.")
    return _check_shown(since) or _check_revealed(past, since)


def _check_shown(since: Sequence[Event]) -> str | None:
    for event in since:
        if event.sealed and isinstance(event.fact, ChanceDrawn):
            return say("Cards have been shuffled since then.")
        if event.sealed and isinstance(event.fact, TurnPassed):
            return say("A hand has been shown since then.")
    return None


def _check_revealed(past: Match, since: Sequence[Event]) -> str | None:
    """Go through the events one by one: what is shown and put away again has been seen too."""
    if not past.game.secrets:
        return None
    games = Games([past.game])
    folding = Fold(games, past, remember_events(since, games, past))
    before = _count_known(past)
    for event in since:
        folding.add(event)
        after = _count_known(folding.get_state())
        for seat in (1, 2):
            if after[seat - 1] - before[seat - 1]:
                return say(
                    "P{seat} has seen something since then that was hidden before.", seat=seat
                )
        before = after
    return None


def _count_known(match: Match) -> tuple[Counter[Hashable], Counter[Hashable]]:
    game = match.game
    first, second = (
        Counter(game.iter_revealed(game.view(match.started, viewer, False)))  # noqa: FBT003 - as Game
        for viewer in (Viewer.SEAT_1, Viewer.SEAT_2)
    )
    return first, second


AGREEMENT = "agreement"

OWN = {
    "draw": say("You have proposed a draw already."),
    "takeback": say("You have proposed a takeback already."),
    "pause": say("You have proposed a pause already."),
    "resume": say("You have proposed an earlier end of the pause already."),
    "abort": say("You have proposed aborting the match already."),
}
"""Said to who proposes a thing twice."""

OTHERS = {
    "draw": say("Your opponent has proposed a draw already."),
    "takeback": say("Your opponent has proposed a takeback already."),
    "pause": say("Your opponent has proposed a pause already."),
    "resume": say("Your opponent has proposed an earlier end of the pause already."),
    "abort": say("Your opponent has proposed aborting the match already."),
}
"""Said to who proposes what waits for their own answer."""

ACCEPTED = {
    "draw": say("You have proposed a draw yourself."),
    "takeback": say("You have proposed a takeback yourself."),
    "pause": say("You have proposed a pause yourself."),
    "resume": say("You have proposed an earlier end of the pause yourself."),
    "abort": say("You have proposed aborting the match yourself."),
}
"""Said to who accepts what they propose."""

NOBODYS = {
    "draw": say("Nobody offers a draw; it may have lapsed."),
    "takeback": say("Nobody proposes a takeback; it may have lapsed."),
    "pause": say("Nobody proposes a pause; it may have lapsed."),
    "resume": say("Nobody proposes an earlier end of the pause; it may have lapsed."),
    "abort": say("Nobody proposes aborting the match; it may have lapsed."),
}
"""Said to who answers what is not there."""


def _offer(draft: Draft, command: commands.MakeOffer) -> None:
    _must_be_free(draft.match, command.seat, command.kind)
    draft.add(_make_offer_fact(draft, command), format_actor(command.seat))


def _make_offer_fact(draft: Draft, command: commands.MakeOffer) -> Fact:
    seat = command.seat
    match command.kind:
        case "draw":
            return events.DrawOffered(seat, draft.match.version)
        case "pause":
            must_allow_pause(draft.match, command.seconds * SECOND)
            return events.PauseOffered(seat, command.seconds)
        case "resume":
            _must_stand(draft.match, draft.at)
            return events.ResumeOffered(seat)
        case _:
            return events.AbortOffered(seat)


def _offer_takeback(draft: Draft, command: commands.OfferTakeback) -> None:
    match, past = draft.match, command.past
    _must_be_free(match, command.seat, "takeback")
    fault = check_takeback(match, past, command.since)
    if fault is not None:
        raise errors.CannotTakeBack(fault, pointer="/to_version")
    draft.add(events.TakebackOffered(command.seat, past.version), format_actor(command.seat))


def _must_be_free(match: Match, seat: int, kind: str) -> None:
    must_be_active(match)
    pending = find_offer(match.offers, kind)
    if pending is None:
        return
    raise errors.OfferPending((OWN if pending.seat == seat else OTHERS)[kind])


def _must_stand(match: Match, at: str) -> None:
    if must_have_clock(match).paused_until <= at:
        raise errors.ClockForbids(say("The clocks do not stand by agreement."))


def _accept(draft: Draft, command: commands.AcceptOffer) -> None:
    offer = _must_have_offer(draft.match, command.kind)
    if offer.seat == command.seat:
        raise errors.NoSuchOffer(ACCEPTED[command.kind])
    draft.add(_make_acceptance_fact(draft, command, offer), format_actor(command.seat))


def _make_acceptance_fact(draft: Draft, command: commands.AcceptOffer, offer: Offer) -> Fact:
    match command.kind:
        case "draw":
            return events.MatchEnded(None, AGREEMENT)
        case "abort":
            return events.MatchAborted(AGREEMENT)
        case "takeback":
            if command.past is None or command.past.version != offer.about:
                raise ValueError("a takeback is accepted without the state that it leads to")
            draft.past = remember_state(command.past)
            return events.TakebackAccepted(command.seat, offer.about)
        case "pause":
            must_allow_pause(draft.match, offer.about * SECOND)
            return events.ClockPaused(command.seat, AGREEMENT, offer.about)
        case _:
            _must_stand(draft.match, draft.at)
            early = measure_span(draft.at, must_have_clock(draft.match).paused_until) // SECOND
            return events.ClockResumed(command.seat, AGREEMENT, early)


def _decline(draft: Draft, command: commands.DeclineOffer) -> None:
    offer = _must_have_offer(draft.match, command.kind)
    declined: dict[str, Fact] = {
        "draw": events.DrawDeclined(command.seat, offer.about),
        "takeback": events.TakebackDeclined(command.seat, offer.about),
        "pause": events.PauseDeclined(command.seat),
        "resume": events.ResumeDeclined(command.seat),
        "abort": events.AbortDeclined(command.seat),
    }
    draft.add(declined[command.kind], format_actor(command.seat))


def _must_have_offer(match: Match, kind: str) -> Offer:
    must_be_active(match)
    offer = find_offer(match.offers, kind)
    if offer is None:
        raise errors.NoSuchOffer(NOBODYS[kind])
    return offer


def decide(draft: Draft, command: commands.OfferCommand) -> None:
    """Decide what a command leads to, as ``decide.decide`` does for all. Raises a ``Refusal``."""
    match command:
        case commands.MakeOffer():
            _offer(draft, command)
        case commands.OfferTakeback():
            _offer_takeback(draft, command)
        case commands.AcceptOffer():
            _accept(draft, command)
        case commands.DeclineOffer():
            _decline(draft, command)
