"""Whole matches of every game, with everything that people try in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from domain.errors import MalformedMove, Refusal
from domain.game.game import Act, AnyGame, Move, Viewer
from domain.json_types import JsonObject
from domain.match import commands
from domain.match.fold import fold
from domain.match.state import Match, dump
from domain.match.views import view
from tests.domain.almost_legal import malformed, neighbours
from tests.domain.auditor import chain_holds, replayed, seals_hold
from tests.domain.playouts import options_of
from tests.support.games import test_games
from tests.support.scenario import PLAYERS, STRANGER, Table, is_sentence

SLUGS = [game.slug for game in test_games()]
seats = st.sampled_from([1, 2])
numbers = st.integers(0, 1_000)
contributions = st.none() | st.sampled_from(["5a" * 32, "a5" * 32])


def formed(game: AnyGame, moves: Iterable[JsonObject]) -> Iterator[Move]:
    """Yield the moves that have a form: with a card of another price others have no form."""
    for move in moves:
        with suppress(MalformedMove):
            yield game.parse_move(move)


class Matches(RuleBasedStateMachine):
    """One match; whoever wants asks for whatever, and the rules of the house hold."""

    table: Table

    @initialize(
        slug=st.sampled_from(SLUGS),
        number=st.integers(0, 20),
        seat=st.sampled_from([1, 2, None]),
        challenge=st.booleans(),
    )
    def create(self, slug: str, number: int, seat: int | None, *, challenge: bool) -> None:
        game = test_games().get(slug)
        self.table = Table(
            game,
            options=options_of(game, number, Random(number)),
            seat=seat,
            opponent=PLAYERS[0 if seat == 2 else 1] if challenge else None,
        )

    @property
    def match(self) -> Match:
        return self.table.match

    def attempt(self, command: commands.Command) -> str | None:
        """Carry out a command; return the code of its refusal, which must change nothing."""
        before, events = dump(self.match), list(self.table.events)
        try:
            new = self.table.do(command)
        except Refusal as refusal:
            assert is_sentence(refusal.detail), refusal.detail  # noqa: PT017 - either may happen
            assert dump(self.match) == before
            assert self.table.events == events
            return refusal.code
        assert new
        assert self.table.events == events + new
        return None

    @rule(player=st.sampled_from([*PLAYERS, STRANGER]), contribution=contributions)
    def join(self, player: str, contribution: str | None) -> None:
        match = self.match
        command = commands.JoinMatch(player, self.table.settings[0], contribution)
        refused = self.attempt(command)
        if player in match.seats:
            assert refused == "own-match"
        elif match.opponent not in {None, player}:
            assert refused == "seat-reserved"
        else:
            assert refused == (None if match.status == "open" else "match-not-open")
            assert refused or self.match.status in {"active", "finished"}

    @precondition(lambda self: self.match.status == "open")
    @rule(contribution=st.sampled_from(["11" * 32, "22" * 32]))
    def contribute(self, contribution: str) -> None:
        seat = self.match.seat_of(self.match.creator) or 0
        stood = self.match.contributions[seat - 1]
        refused = self.attempt(commands.Contribute(seat, contribution))
        assert refused == (None if stood is None else "already-contributed")

    @precondition(lambda self: self.match.to_act is not None)
    @rule(choices=st.lists(numbers, min_size=1, max_size=8))
    def move(self, choices: list[int]) -> None:
        for number in choices:
            if self.match.to_act is not None:
                moves = list(self.match.game.iter_legal_moves(self.match.started))
                made = self.match.moves_made
                assert self.attempt(self.playing(moves[number % len(moves)])) is None
                assert self.match.moves_made == self.match.ply == made + 1

    def playing(self, move: object, seat: int | None = None) -> commands.PlayMove:
        return commands.PlayMove(seat or self.match.to_act or 1, move)  # type: ignore[arg-type]

    @precondition(lambda self: self.match.to_act is not None)
    @rule(number=numbers)
    def move_out_of_turn(self, number: int) -> None:
        moves = list(self.match.game.iter_legal_moves(self.match.started))
        other = 3 - (self.match.to_act or 0)
        move = moves[number % len(moves)]
        assert self.attempt(self.playing(move, other)) == "not-your-turn"

    @precondition(lambda self: self.match.to_act is not None)
    @rule(number=numbers)
    def move_against_the_rules(self, number: int) -> None:
        game = self.match.game
        listed = self.table.legal_moves()
        near = list(formed(game, neighbours(listed[number % len(listed)], listed[:3])))
        move = near[number % len(near)]
        refused = (
            self.attempt(self.playing(move)) if game.dump_move(move) not in listed else "listed"
        )
        assert refused in {"illegal-move", "listed"}

    @precondition(lambda self: self.match.to_act is not None)
    @rule(number=numbers)
    def move_without_form(self, number: int) -> None:
        wrong = list(malformed(self.table.legal_moves()[0]))
        before = dump(self.match)
        try:
            self.table.play(wrong[number % len(wrong)])
        except Refusal as refusal:
            assert refusal.code == "malformed-move"  # noqa: PT017 - else the next line fails
            assert dump(self.match) == before
        else:
            raise AssertionError(wrong)

    @precondition(lambda self: self.match.status != "active")
    @rule(seat=seats)
    def move_in_no_active_match(self, seat: int) -> None:
        assert self.attempt(self.playing(None, seat)) == "match-not-active"
        assert self.attempt(commands.Resign(seat)) == "match-not-active"

    @precondition(lambda self: self.match.status == "active" and self.match.ply > 4)
    @rule(seat=seats)
    def resign(self, seat: int) -> None:
        assert self.attempt(commands.Resign(seat)) is None
        assert (self.match.winner, self.match.reason) == (3 - seat, "resignation")

    @rule(seat=st.sampled_from([1, 2, 1, 2, None]))
    @precondition(lambda self: self.match.ply > 1 or self.match.over or self.match.next_draw > 1)
    def abort(self, seat: int | None) -> None:
        match = self.match
        late = match.moves_made >= 2 or match.next_draw > 1
        refused = self.attempt(commands.AbortMatch(seat))
        if match.over:
            assert refused == "match-not-active"
        else:
            assert refused == ("too-late-to-abort" if late and seat else None)

    @invariant()
    def versions_have_no_gaps_and_time_does_not_go_back(self) -> None:
        events = self.table.events
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert [event.at for event in events] == sorted(event.at for event in events)
        assert (self.match.version, self.match.updated_at) == (len(events), events[-1].at)

    @invariant()
    def the_chain_holds_for_everybody(self) -> None:
        assert all(chain_holds(self.table.shown(viewer)) for viewer in Viewer)

    @invariant()
    def folding_again_gives_the_same(self) -> None:
        assert fold(self.table.events, self.table.games) == self.match

    @invariant()
    def an_active_match_waits_for_a_seat_and_no_other_match_does(self) -> None:
        if self.match.status == "active":
            assert isinstance(self.match.find_step(), Act)
            assert None not in self.match.seats
        else:
            assert self.match.to_act is None
        assert {view(self.match, viewer).to_act for viewer in Viewer} == {self.match.to_act}

    @invariant()
    def a_spectator_can_audit_what_is_finished(self) -> None:
        if self.match.status == "finished":
            shown = self.table.shown(Viewer.SPECTATOR)
            assert seals_hold(shown)
            assert replayed(shown, self.table.games) == (self.match, [])


def test_the_rules_of_the_house_hold_in_whole_matches() -> None:
    run_state_machine_as_test(Matches, settings=settings(max_examples=60, stateful_step_count=40))
