"""Takebacks: the game goes back, what happened stays, and nobody keeps what they saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from random import Random

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from domain.errors import Corruption
from domain.game.game import AnyGame, Viewer
from domain.match import commands
from domain.match.decisions import offers as decide_offers
from domain.match.events import ChanceDrawn, TurnPassed
from domain.match.fold import evolve, fold, remember_events
from domain.match.state import Match, Offer, Offers, dump
from tests.support.games import WHISPER, test_games
from tests.support.scenario import Given, Table, given

PATH_CAPTURE = test_games().get("path-capture")
POWER_LINES = test_games().get("power-lines")
STEP = {"steps": 1}
GAMES = list(test_games().iter_versions())
OPEN_GAMES = [game for game in GAMES if not game.secrets]

NOT_OVER = (False,)
GOES_BACK = ("position", "last", "ply")
STAYS = ("next_draw", "moves_made", "secret", "seats", "settings", "created_at")


def offer(table: Table, seat: int, version: int) -> commands.OfferTakeback:
    return commands.OfferTakeback(seat, table.state_at(version), table.events[version:])


def members(match: Match, names: tuple[str, ...]) -> dict[str, object]:
    state = dump(match)
    return {name: state[name] for name in names}


def knowledge(match: Match, viewer: Viewer) -> Counter[Hashable]:
    """Return what a viewer sees of what can be hidden."""
    return Counter(match.game.iter_revealed(match.game.view(match.started, viewer, *NOT_OVER)))


def random_moves(table: Table, random: Random, number: int) -> None:
    for _ in range(number):
        if table.match.to_act is not None:
            table.play(random.choice(table.legal_moves()[:50]))


def test_the_game_goes_back_and_what_happened_stays() -> None:
    table = given(PATH_CAPTURE, STEP, STEP, STEP).table
    then, before = table.state_at(table.match.version - 2), table.match
    table.take_back(2, then.version)
    assert members(table.match, GOES_BACK) == members(then, GOES_BACK)
    assert members(table.match, STAYS) == members(before, STAYS)
    assert (table.match.version, table.match.to_act) == (before.version + 2, then.to_act)
    assert (table.match.ply, table.match.moves_made) == (1, 3)


def test_moves_that_were_taken_back_count_for_aborting() -> None:
    table = given(PATH_CAPTURE, STEP, STEP).table
    table.take_back(1, table.match.version - 2)
    Given(table).when(command=commands.AbortMatch(1)).refuses("too-late-to-abort")


def test_the_next_move_has_the_ply_of_the_one_that_was_taken_back() -> None:
    table = given(PATH_CAPTURE, STEP, STEP).table
    table.take_back(1, table.match.version - 1)
    [event] = table.play({"steps": 2})
    assert event.kind == "move-made"
    assert table.match.ply == 2


def test_dice_are_not_thrown_again_by_going_back() -> None:
    """The next draw has a number that was never used, so it is another die."""
    random = Random(3)
    table = Table.started(WHISPER)
    while table.match.next_draw < 5 and table.match.to_act is not None:
        random_moves(table, random, 1)
    past, drawn = table.state_at(6), table.match.next_draw
    assert past.next_draw < drawn
    # No seat could offer it, since cards were seen; a fold judges nothing all the same.
    table.match.offers = Offers(takeback=Offer(2, past.version))
    table.do(commands.AcceptOffer(1, "takeback", past))
    assert (table.match.next_draw, table.match.ply) == (drawn, past.ply)


@pytest.mark.parametrize("game", OPEN_GAMES, ids=lambda game: game.slug)
@for_all(seed=st.integers(0, 2**32))
def test_the_fold_after_a_takeback_is_the_state_before_the_moves(game: AnyGame, seed: int) -> None:
    random = Random(seed)
    table = Table.started(game)
    for _ in range(3):
        random_moves(table, random, 6)
        earlier = [
            version
            for version in range(1, table.match.version)
            if table.match.status == "active"
            and decide_offers.check_takeback(
                table.match, table.state_at(version), table.events[version:]
            )
            is None
        ]
        if not earlier:
            break
        version = random.choice(earlier)
        table.take_back(random.choice((1, 2)), version)
        assert members(table.match, GOES_BACK) == members(table.state_at(version), GOES_BACK)
        _every_way_to_fold_agrees(table, random)


def _every_way_to_fold_agrees(table: Table, random: Random) -> None:
    events, games = table.events, table.games
    assert fold(events, games) == table.match
    past = remember_events(events, games)
    half = random.randrange(1, len(events))
    assert fold(events[half:], games, fold(events[:half], games), past) == table.match
    match = None
    for event in events:
        match = evolve(match, event, games, past)
    assert match == table.match


def test_a_takeback_of_a_takeback_goes_back_further() -> None:
    table = given(PATH_CAPTURE, STEP, STEP, STEP).table
    first = table.match.version - 3
    table.take_back(1, table.match.version - 1)
    table.play({"steps": 2})
    table.take_back(1, first)
    assert table.match.ply == 0
    assert fold(table.events, table.games) == table.match


@pytest.mark.parametrize("back", [0, 1, 2])
def test_what_stands_nowhere_any_more_is_no_place_to_go_back_to(back: int) -> None:
    """Versions between a takeback and where it led are of a game that did not happen."""
    table = given(PATH_CAPTURE, STEP, STEP, STEP).table
    dead = table.match.version - back
    table.take_back(1, table.match.version - 3)
    table.play({"steps": 2}, STEP, STEP, STEP)
    refused = Given(table).when(command=offer(table, 2, dead)).refuses("cannot-take-back")
    assert "taken back itself" in refused.detail


def test_something_must_be_taken_back() -> None:
    table = given(PATH_CAPTURE, STEP).table
    table.do(commands.MakeOffer(1, "draw"))
    last_move = table.match.version - 1
    Given(table).when(command=offer(table, 1, last_move)).refuses("cannot-take-back")


@pytest.mark.parametrize("version", [1, 2, 3])
def test_there_is_no_way_back_before_the_start(version: int) -> None:
    table = given(PATH_CAPTURE, STEP).table
    Given(table).when(command=offer(table, 1, version)).refuses("cannot-take-back")


def test_a_takeback_without_its_past_is_corruption() -> None:
    table = given(PATH_CAPTURE, STEP, STEP).table
    version = table.match.version
    table.take_back(1, version - 1)
    with pytest.raises(Corruption):
        evolve(fold(table.events[:-1], table.games), table.events[-1], table.games)


# --- what was hidden ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [game for game in GAMES if game.secrets], ids=lambda g: g.slug)
def test_a_game_with_secrets_says_what_a_view_reveals(game: AnyGame) -> None:
    table = Table.started(game)
    spectators, own = (knowledge(table.match, one) for one in (Viewer.SPECTATOR, Viewer.SEAT_1))
    assert spectators < own


def test_a_card_that_was_shown_is_not_taken_back() -> None:
    table = Table.started(WHISPER)
    before = table.match.version
    card = max(move["card"] for move in table.legal_moves())
    table.play({"action": "say", "card": card})
    refused = Given(table).when(command=offer(table, 1, before)).refuses("cannot-take-back")
    assert refused.pointer == "/to_version"
    assert "has seen" in refused.detail


def test_the_laying_of_a_hidden_card_is_taken_back_where_nobody_draws() -> None:
    """Nobody sees more than before: seat and card are its player's own."""
    tried = Counter[str]()
    for seed in range(60):
        options = {"target": 30}
        table = Table.started(WHISPER, secret=f"{seed:064x}", options=options)
        random = Random(seed)
        while table.match.to_act is not None:
            before = table.match
            move = random.choice(table.legal_moves())
            table.play(move)
            if table.match.status != "active":
                break
            fault = decide_offers.check_takeback(
                table.match, before, table.events[before.version :]
            )
            tried[f"{move['action']} {'refused' if fault else 'allowed'}"] += 1
            assert fault is not None or _knows_no_more(table.match, before)
    assert tried["whisper allowed"] > 0
    assert tried["say allowed"] == 0
    assert tried["whisper refused"] > 0


def test_a_drawn_card_of_power_lines_is_not_put_back() -> None:
    table = Table.started(POWER_LINES)
    random, seen = Random(5), Counter[bool]()
    for _ in range(60):
        before = table.match
        if before.to_act is None:
            break
        table.play(random.choice(table.legal_moves()[:200]))
        if table.match.status == "active":
            fault = decide_offers.check_takeback(
                table.match, before, table.events[before.version :]
            )
            seen[fault is None] += 1
            assert fault is not None or _knows_no_more(table.match, before)
    assert seen[True]
    assert seen[False]


def test_after_a_shuffle_or_a_hand_that_was_shown_there_is_no_way_back() -> None:
    """Neither happens a second time, also where it has told nobody anything yet."""
    table = Table.started(WHISPER, options={"target": 30})
    [shuffled, *_] = [
        event for event in table.events if event.sealed and isinstance(event.fact, ChanceDrawn)
    ]
    shown = shuffled._replace(fact=TurnPassed(1, "no-legal-move"))
    before = table.match
    table.play({"action": "whisper", "card": min(move["card"] for move in table.legal_moves())})
    faults = [
        decide_offers.check_takeback(table.match, before, [event]) for event in (shuffled, shown)
    ]
    assert faults == [
        "Cards have been shuffled since then.",
        "A hand has been shown since then.",
    ]


def _knows_no_more(now: Match, then: Match) -> bool:
    seats = (Viewer.SEAT_1, Viewer.SEAT_2)
    return all(knowledge(now, seat) <= knowledge(then, seat) for seat in seats)
