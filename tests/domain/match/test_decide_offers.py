"""Offers: made, answered, withdrawn, and lapsed when the match goes on."""

from __future__ import annotations

import pytest

from domain.game.game import Viewer
from domain.match import commands
from domain.match.state import NO_OFFERS, OFFER_KINDS, find_offer
from services.matches.match_json import offers_json
from tests.domain.match.test_clock import DAYS, STEP, hours, timed
from tests.support.games import test_games
from tests.support.scenario import Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
DAY = 86_400


def standing(kind: str, seat: int) -> Table:
    """Return a match in which ``seat`` proposes something of a kind; seat 2 is to act."""
    table = timed(DAYS)
    table.play(STEP, at=hours(1))
    if kind == "resume":
        table.do(commands.MakeOffer(1, "pause", 9 * DAY), hours(1))
        table.do(commands.AcceptOffer(2, "pause"), hours(1))
    if kind == "takeback":
        past = table.state_at(table.match.version - 1)
        table.do(commands.OfferTakeback(seat, past, table.events[-1:]), hours(2))
    else:
        table.do(commands.MakeOffer(seat, kind, 2 * DAY if kind == "pause" else 0), hours(2))
    return table


def accept(table: Table, kind: str, seat: int) -> commands.AcceptOffer:
    offer = find_offer(table.match.offers, kind)
    past = table.state_at(offer.about) if offer is not None and kind == "takeback" else None
    return commands.AcceptOffer(seat, kind, past)


ENDS = {
    "draw": ("match-ended", {"winner": None, "reason": "agreement"}),
    "abort": ("match-aborted", {"winner": None, "reason": "agreement"}),
    "takeback": ("takeback-accepted", None),
    "pause": ("clock-paused", None),
    "resume": ("clock-resumed", None),
}


@pytest.mark.parametrize("kind", OFFER_KINDS)
@pytest.mark.parametrize("seat", [1, 2])
def test_an_offer_is_accepted_by_the_other_seat(kind: str, seat: int) -> None:
    table = standing(kind, seat)
    answer = accept(table, kind, 3 - seat)
    own = commands.AcceptOffer(seat, kind, answer.past)
    Given(table).when(command=own).refuses("no-such-offer")
    event, result = ENDS[kind]
    Given(table).when(command=answer).leads_to(event, offers=NO_OFFERS, result=result)
    assert table.events[-1].actor == f"seat-{3 - seat}"


@pytest.mark.parametrize("kind", OFFER_KINDS)
@pytest.mark.parametrize("by", [1, 2])
def test_an_offer_is_declined_or_withdrawn_and_gone(kind: str, by: int) -> None:
    table = standing(kind, 1)
    decline = commands.DeclineOffer(by, kind)
    Given(table).when(command=decline).leads_to(f"{kind}-declined", offers=NO_OFFERS)
    Given(table).when(command=decline).refuses("no-such-offer")
    Given(table).when(command=commands.AcceptOffer(2, kind)).refuses("no-such-offer")


@pytest.mark.parametrize("kind", OFFER_KINDS)
@pytest.mark.parametrize("seat", [1, 2])
def test_a_second_offer_of_a_kind_waits_for_the_first(kind: str, seat: int) -> None:
    table = standing(kind, 1)
    again: commands.Command = commands.MakeOffer(seat, kind, DAY)
    if kind == "takeback":
        again = commands.OfferTakeback(seat, table.state_at(3), table.events[3:])
    Given(table).when(command=again).refuses("offer-pending")


@pytest.mark.parametrize("kind", OFFER_KINDS)
def test_the_move_of_the_seat_that_was_asked_is_an_answer(kind: str) -> None:
    table = standing(kind, 1)
    table.play(STEP, at=hours(3))
    assert table.match.offers == NO_OFFERS
    Given(table).when(command=commands.AcceptOffer(2, kind)).refuses("no-such-offer")


@pytest.mark.parametrize("kind", [kind for kind in OFFER_KINDS if kind != "takeback"])
def test_the_own_move_of_the_seat_that_offers_leaves_its_offer(kind: str) -> None:
    table = standing(kind, 2)
    table.play(STEP, at=hours(3))
    offer = find_offer(table.match.offers, kind)
    assert offer is not None
    assert offer.seat == 2
    table.play(STEP, at=hours(4))
    assert table.match.offers == NO_OFFERS


def test_a_takeback_lapses_whoever_moves() -> None:
    """It must not hit another move than the one that it was asked for."""
    table = standing("takeback", 2)
    table.play(STEP, at=hours(3))
    Given(table).when(command=commands.AcceptOffer(1, "takeback")).refuses("no-such-offer")


@pytest.mark.parametrize("kind", OFFER_KINDS)
def test_the_end_of_the_match_ends_its_offers(kind: str) -> None:
    table = standing(kind, 1)
    table.do(commands.Resign(1), hours(3))
    assert table.match.offers == NO_OFFERS
    for command in (accept(table, kind, 2), commands.DeclineOffer(2, kind)):
        Given(table).when(command=command).refuses("match-not-active")


def test_a_pause_that_ended_cannot_be_ended() -> None:
    table = standing("pause", 1)
    table.do(commands.AcceptOffer(2, "pause"), hours(2))
    late = commands.MakeOffer(1, "resume")
    table.do(late, hours(2 + 47))
    table.do(commands.DeclineOffer(2, "resume"), hours(2 + 47))
    with pytest.raises(Exception, match="do not stand"):
        table.do(late, hours(2 + 48))


def test_an_offer_to_end_a_pause_is_taken_up_before_the_pause_ends_by_itself() -> None:
    table = standing("pause", 1)
    table.do(commands.AcceptOffer(2, "pause"), hours(2))
    table.do(commands.MakeOffer(1, "resume"), hours(3))
    with pytest.raises(Exception, match="do not stand"):
        table.do(commands.AcceptOffer(2, "resume"), hours(2 + 48))
    table.do(commands.AcceptOffer(2, "resume"), hours(2 + 47))


def test_resigning_and_offering_need_no_turn() -> None:
    given(PATH_CAPTURE).when(command=commands.MakeOffer(2, "draw")).leads_to("draw-offered")
    given(PATH_CAPTURE).when(command=commands.Resign(2)).leads_to(
        "match-ended", result={"winner": 1, "reason": "resignation"}
    )


def test_what_one_seat_may_not_abort_any_more_both_may() -> None:
    table = given(PATH_CAPTURE, STEP, STEP).table
    Given(table).when(command=commands.AbortMatch(1)).refuses("too-late-to-abort")
    table.do(commands.MakeOffer(1, "abort"))
    Given(table).when(command=commands.AcceptOffer(2, "abort")).leads_to(status="aborted")


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("draw", {"seat": 1, "version": 5}),
        ("takeback", {"seat": 1, "to_version": 4}),
        ("pause", {"seat": 1, "days": 2}),
        ("resume", {"seat": 1}),
        ("abort", {"seat": 1}),
    ],
)
def test_everybody_sees_what_is_offered(kind: str, shown: dict[str, int]) -> None:
    table = standing(kind, 1)
    for viewer in Viewer:
        offers = offers_json(table.view(viewer).offers)
        assert offers == {"draw": None, "takeback": None, kind: shown}
    assert offers_json(NO_OFFERS) == {"draw": None, "takeback": None}


def test_offers_survive_a_snapshot() -> None:
    from domain.match.state import dump, load

    for kind in OFFER_KINDS:
        match = standing(kind, 1).match
        assert load(dump(match), test_games()) == match


def test_every_offer_and_answer_is_told_in_a_sentence() -> None:
    from domain.match.narration import tell
    from domain.match.views import view
    from tests.support.scenario import is_sentence

    told = set()
    for kind in OFFER_KINDS:
        for answer in ("accept", "decline", "withdraw"):
            table = standing(kind, 1)
            before = view(table.match, Viewer.SPECTATOR)
            told.add(tell(table.view(Viewer.SPECTATOR), table.events[-1], before, {}))
            by = 1 if answer == "withdraw" else 2
            decline = commands.DeclineOffer(by, kind)
            [event] = table.do(accept(table, kind, 2) if answer == "accept" else decline)
            told.add(tell(before, event, table.view(Viewer.SPECTATOR), {}))
    assert all(is_sentence(text) for text in told), told
    assert len(told) == 4 * len(OFFER_KINDS)
    assert "P1 withdraws the offer of the draw." in told
