"""What every game keeps, whichever it is: one suite over all of them, in random matches."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import orjson
import pytest

from domain.errors import MalformedMove, MatchNotActive
from domain.game.game import Act, AnyGame, Draw, Move, Over, Pass
from domain.games import load_games
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.decisions.decide import must_have_turn
from domain.match.events import TurnPassed
from domain.match.fold import fold
from domain.match.state import Match, dump, format_of
from tests.domain.almost_legal import HUGE, malformed, neighbours
from tests.domain.playouts import Playout
from tests.domain.positions import BASES, json_of, legal, spread
from tests.support.scenario import given, is_sentence


def test_every_end_is_told_in_a_sentence_for_people() -> None:
    for game in load_games():
        assert all(told[-1].isalnum() for told in game.endings.values()), game.slug


def test_exactly_one_thing_is_awaited_and_only_a_seat_to_act_has_moves(played: Playout) -> None:
    for moment in played.moments:
        match played.game.get_next_step(moment.started):
            case Act(seat):
                assert seat in {1, 2}
                assert next(iter(played.game.iter_legal_moves(moment.started)), None) is not None
            case Pass(seat):
                assert seat in {1, 2}
                assert not legal(moment)
            case Draw(purpose):
                assert purpose
            case Over(winner, reason):
                assert winner in {None, 1, 2}
                assert reason in played.game.endings
                assert not moment.over or (moment.winner, moment.reason) == (winner, reason)


def test_the_first_seat_makes_the_first_move_unless_chance_decides_it(played: Playout) -> None:
    assert played.game.begun_by_chance or played.acting[0].find_step() == Act(1)


def test_a_match_ends_and_does_not_begin_with_a_forced_pass(played: Playout) -> None:
    kinds = [event.kind for event in played.table.events]
    assert kinds[-1] == "match-ended"
    assert "turn-passed" not in kinds[: kinds.index("move-made")]


def test_passes_end_when_both_seats_have_passed(played: Playout) -> None:
    row: list[int] = []
    for event in played.table.events:
        row = [*row, event.fact.seat] if isinstance(event.fact, TurnPassed) else []
        assert len(set(row)) == len(row)


def test_every_listed_move_is_accepted_and_none_is_listed_twice(played: Playout) -> None:
    for moment in played.acting:
        moves = legal(moment)
        assert moves == legal(moment)
        assert [m for m in moves if played.game.check_move(moment.started, m) is not None] == []
        forms = {write_canonical(played.game.dump_move(move)) for move in moves}
        assert len(forms) == len(moves)


def test_near_a_legal_move_what_is_listed_is_what_is_accepted(played: Playout) -> None:
    for moment in played.acting:
        moves = legal(moment)
        listed = {write_canonical(played.game.dump_move(move)) for move in moves}
        written = [played.game.dump_move(move) for move in spread(moves)]
        for near in (near for base in written for near in neighbours(base, written)):
            fault, form = _fault(moment, near)
            assert (fault is None) == (form in listed), near
            assert fault is None or is_sentence(fault), fault


def _fault(moment: Match, near: JsonObject) -> tuple[str | None, bytes | None]:
    """Return what is wrong with a move, and the canonical form of what it was taken for."""
    try:
        parsed = moment.game.parse_move(near)
    except MalformedMove as refusal:
        return refusal.detail, None
    return moment.game.check_move(moment.started, parsed), _written(moment.game, parsed)


def test_a_number_out_of_range_is_illegal_and_not_malformed(played: Playout) -> None:
    listed = [played.game.dump_move(move) for moment in played.acting for move in legal(moment)]
    members: dict[str, set[frozenset[str]]] = {}
    for move in listed:
        members.setdefault(move.get("action", ""), set()).add(frozenset(move))
    for base in listed[:: max(1, len(listed) // BASES)]:
        # Where the members of a move depend on a number, another number can need others.
        if len(members[base.get("action", "")]) == 1:
            for name in (name for name, value in base.items() if isinstance(value, int)):
                for number in (-1, 99, *HUGE):
                    parsed = played.game.parse_move({**base, name: number})
                    assert played.game.dump_move(parsed)[name] == number


def _written(game: AnyGame, move: Move) -> bytes | None:
    """Return the canonical form, or None where an integer is beyond what JSON here may carry."""
    try:
        return write_canonical(game.dump_move(move))
    except orjson.JSONEncodeError:
        return None


def test_a_malformed_move_is_refused_with_a_sentence(played: Playout) -> None:
    for moment in (played.acting[0], played.acting[-1]):
        for base in spread(legal(moment)):
            for wrong in malformed(played.game.dump_move(base)):
                _refused_as_malformed(played.game, wrong)


def _refused_as_malformed(game: AnyGame, wrong: Json) -> None:
    kept = repr(wrong)
    with pytest.raises(MalformedMove) as raised:
        pytest.fail(f"{wrong} was taken for {game.parse_move(wrong)}")
    assert is_sentence(raised.value.detail), raised.value.detail
    assert raised.value.pointer is None or raised.value.pointer[:1] in {"", "/"}
    assert repr(wrong) == kept


def test_refused_moves_leave_the_match_as_it_was(game: AnyGame) -> None:
    started = given(game)
    first = started.table.legal_moves()[0]
    started.when(move={**first, "surplus": 1}).refuses("malformed-move")
    other = 3 - (started.table.match.to_act or 1)
    started.when(seat=other, move=first).refuses("not-your-turn")
    listed = started.table.legal_moves()
    forbidden = next(m for m in neighbours(first, []) if m not in listed)
    started.when(move=forbidden).refuses("illegal-move")


def test_a_move_is_its_own_canonical_form(played: Playout) -> None:
    for moment in played.acting:
        for move in spread(legal(moment)):
            written = played.game.dump_move(move)
            assert played.game.parse_move(json_of(written)) == move
            assert played.game.dump_move(played.game.parse_move(written)) == written


def test_every_move_survives_its_notation_and_no_two_share_one(played: Playout) -> None:
    notation = played.game.notation
    for moment in played.acting:
        moves = [played.game.dump_move(move) for move in legal(moment)]
        texts = [notation.write(move) for move in moves]
        assert [notation.read(text) for text in texts] == moves
        assert len(set(texts)) == len(texts)


def test_what_a_move_hides_is_a_question_mark_in_its_notation(played: Playout) -> None:
    for moment in played.acting:
        for move in legal(moment):
            public = played.game.conceal(moment.started, move)
            if public is not None:
                text = played.game.notation.write(public)
                assert "?" in text
                assert public.items() < played.game.dump_move(move).items()
                with pytest.raises(MalformedMove):
                    played.game.notation.read(text)


def test_a_position_survives_json(played: Playout) -> None:
    for moment in played.moments:
        loaded = played.game.load(json_of(played.game.dump(moment.started)))
        assert loaded == moment.position


def test_folding_all_events_at_once_gives_what_step_by_step_gave(played: Playout) -> None:
    whole = fold(played.table.events, played.table.games)
    assert whole == played.moments[-1] == played.table.match
    half = len(played.table.events) // 2
    first = fold(played.table.events[:half], played.table.games)
    kept = dump(first)
    assert fold(played.table.events[half:], played.table.games, first) == whole
    assert dump(first) == kept


def test_a_finished_match_lets_nobody_act(played: Playout) -> None:
    with pytest.raises(MatchNotActive):
        must_have_turn(played.table.match, 1)


def test_a_condition_is_of_the_form_of_a_move(game: AnyGame) -> None:
    read = game.parse_move if game.parse_seen is None else game.parse_seen
    nonsense: Json
    for nonsense in ({}, [], None, 1, "x", {"action": "nothing"}, {"action": 1}):
        with pytest.raises(MalformedMove):
            read(nonsense)


class Other(NamedTuple):
    """A position of no game."""

    one_more: int


def load_other(json: Json) -> Other:
    return Other(json)


def test_the_form_of_stored_states_follows_from_the_records_of_the_game(game: AnyGame) -> None:
    other = replace(game, load=load_other)  # type: ignore[arg-type]
    names = {format_of(game), format_of(other)}
    names.add(format_of(replace(game, rules_version=game.rules_version + 1)))
    assert len(names) == 3
