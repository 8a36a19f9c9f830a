"""Decisions about what seats propose to each other: draws, takebacks, pauses, aborting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from domain import errors
from domain.i18n import say
from domain.match import agreements, commands, events, takebacks
from domain.match.clock import span
from domain.match.decide_clock import may_pause, must_have_clock
from domain.match.draft import Draft, must_be_active
from domain.match.events import Fact, seat_actor
from domain.match.evolve import remembered
from domain.match.offers import Offer, get
from domain.match.pace import SECOND
from domain.match.state import Match

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
    "draw": say("Nobody proposes a draw; it may have lapsed."),
    "takeback": say("Nobody proposes a takeback; it may have lapsed."),
    "pause": say("Nobody proposes a pause; it may have lapsed."),
    "resume": say("Nobody proposes an earlier end of the pause; it may have lapsed."),
    "abort": say("Nobody proposes aborting the match; it may have lapsed."),
}
"""Said to who answers what is not there."""


def _offer(draft: Draft, command: commands.MakeOffer) -> None:
    match = draft.match
    _must_be_free(match, command.seat, command.kind)
    if command.kind == "pause":
        may_pause(match, command.seconds * SECOND)
    if command.kind == "resume":
        _must_stand(match, draft.at)
    draft.add(_offered(match, command), seat_actor(command.seat))


def _offered(match: Match, command: commands.MakeOffer) -> Fact:
    seat = command.seat
    if command.kind == "draw":
        return agreements.DrawOffered(seat, match.version)
    if command.kind == "pause":
        return agreements.PauseOffered(seat, command.seconds)
    return (
        agreements.ResumeOffered(seat)
        if command.kind == "resume"
        else agreements.AbortOffered(seat)
    )


def _offer_takeback(draft: Draft, command: commands.OfferTakeback) -> None:
    match, past = draft.match, command.past
    _must_be_free(match, command.seat, "takeback")
    fault = takebacks.fault(match, past, command.since)
    if fault is not None:
        raise errors.CannotTakeBack(fault, pointer="/to_version")
    draft.add(agreements.TakebackOffered(command.seat, past.version), seat_actor(command.seat))


def _must_be_free(match: Match, seat: int, kind: str) -> None:
    must_be_active(match)
    pending = get(match.offers, kind)
    if pending is None:
        return
    raise errors.OfferPending((OWN if pending.seat == seat else OTHERS)[kind])


def _must_stand(match: Match, at: str) -> None:
    if must_have_clock(match).paused_until <= at:
        raise errors.ClockForbids(say("The clocks do not stand by agreement."))


def _accept(draft: Draft, command: commands.AcceptOffer) -> None:
    offer = _must_offer(draft.match, command.kind)
    if offer.seat == command.seat:
        raise errors.NoSuchOffer(ACCEPTED[command.kind])
    _ACCEPTERS[command.kind](draft, command, offer)


def _accept_draw(draft: Draft, command: commands.AcceptOffer, _: Offer) -> None:
    draft.add(events.MatchEnded(None, AGREEMENT), seat_actor(command.seat))


def _accept_abort(draft: Draft, command: commands.AcceptOffer, _: Offer) -> None:
    draft.add(events.MatchAborted(AGREEMENT), seat_actor(command.seat))


def _accept_takeback(draft: Draft, command: commands.AcceptOffer, offer: Offer) -> None:
    if command.past is None or command.past.version != offer.about:
        raise ValueError("a takeback is accepted without the state that it leads to")
    draft.past = remembered(command.past)
    draft.add(agreements.TakebackAccepted(command.seat, offer.about), seat_actor(command.seat))


def _accept_pause(draft: Draft, command: commands.AcceptOffer, offer: Offer) -> None:
    may_pause(draft.match, offer.about * SECOND)
    paused = agreements.ClockPaused(command.seat, AGREEMENT, offer.about)
    draft.add(paused, seat_actor(command.seat))


def _accept_resume(draft: Draft, command: commands.AcceptOffer, _: Offer) -> None:
    _must_stand(draft.match, draft.at)
    early = span(draft.at, must_have_clock(draft.match).paused_until) // SECOND
    resumed = agreements.ClockResumed(command.seat, AGREEMENT, early)
    draft.add(resumed, seat_actor(command.seat))


def _decline(draft: Draft, command: commands.DeclineOffer) -> None:
    offer = _must_offer(draft.match, command.kind)
    declined: dict[str, Fact] = {
        "draw": agreements.DrawDeclined(command.seat, offer.about),
        "takeback": agreements.TakebackDeclined(command.seat, offer.about),
        "pause": agreements.PauseDeclined(command.seat),
        "resume": agreements.ResumeDeclined(command.seat),
        "abort": agreements.AbortDeclined(command.seat),
    }
    draft.add(declined[command.kind], seat_actor(command.seat))


def _must_offer(match: Match, kind: str) -> Offer:
    must_be_active(match)
    offer = get(match.offers, kind)
    if offer is None:
        raise errors.NoSuchOffer(NOBODYS[kind])
    return offer


_ACCEPTERS: dict[str, Callable[[Draft, commands.AcceptOffer, Offer], None]] = {
    "draw": _accept_draw,
    "takeback": _accept_takeback,
    "pause": _accept_pause,
    "resume": _accept_resume,
    "abort": _accept_abort,
}

DECIDERS: dict[type, Callable[[Draft, Any], None]] = {
    commands.MakeOffer: _offer,
    commands.OfferTakeback: _offer_takeback,
    commands.AcceptOffer: _accept,
    commands.DeclineOffer: _decline,
}
