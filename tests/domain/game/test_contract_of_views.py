"""What every game keeps of what it shows and tells, and to whom."""

from __future__ import annotations

from itertools import pairwise

import pytest

from domain.errors import MalformedMove
from domain.game.game import Move, Viewer
from domain.json_types import Json, JsonObject
from domain.log.event_format import write_canonical
from domain.match.state import Match, dump, load
from domain.match.views import MatchView, view
from tests.domain.playouts import Playout
from tests.domain.positions import json_of, legal, own_sight, sight_of, spread
from tests.support.scenario import is_sentence


def test_every_viewer_is_shown_json_that_survives(played: Playout) -> None:
    for moment in played.acting:
        for viewer in Viewer:
            shown = played.game.show(sight_of(view(moment, viewer)))
            assert json_of(shown) == shown
            assert b"." not in write_canonical(_numbers(shown))


def _numbers(value: Json) -> list[Json]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [number for one in inner for number in _numbers(one)]
    return [value] if isinstance(value, int | float) else []


def test_only_a_game_with_secrets_shows_viewers_different_things(played: Playout) -> None:
    for moment in played.moments:
        shown = [played.game.show(sight_of(view(moment, viewer))) for viewer in Viewer]
        if moment.over or not played.game.secrets:
            assert shown == [shown[0]] * len(Viewer)
    sealed = [event for event in played.table.events[1:] if event.sealed]
    assert played.game.secrets or not sealed


def test_every_move_and_draw_can_be_told_to_every_viewer(played: Playout) -> None:
    for before, after in pairwise(played.moments):
        event = played.table.events[after.version - 1]
        for viewer in Viewer:
            seen = view(after, viewer)
            if event.kind == "move-made":
                assert seen.last is not None
                told = played.game.tell(sight_of(view(before, viewer)), sight_of(seen), seen.last)
                assert is_sentence(told), told
            elif event.kind == "chance-drawn":
                assert is_sentence(_draw_told(seen, event.fact._asdict()))


def _draw_told(seen: MatchView, drawn: JsonObject) -> str:
    return seen.game.tell_draw(sight_of(seen), drawn["purpose"], drawn["seat"], drawn["outcome"])


def test_a_warning_is_a_sentence(played: Playout) -> None:
    for moment in played.acting:
        for move in spread(legal(moment)):
            warning = played.game.warn(own_sight(moment), move)
            assert warning is None or is_sentence(warning)


def test_a_match_survives_its_snapshot_and_looks_the_same(played: Playout) -> None:
    for moment in (*played.acting, played.moments[-1]):
        loaded = load(json_of(dump(moment)), played.table.games)
        assert loaded == moment
        assert [_look(loaded, viewer) for viewer in Viewer] == [
            _look(moment, viewer) for viewer in Viewer
        ]


def _look(match: Match, viewer: Viewer) -> tuple[MatchView, JsonObject]:
    seen = view(match, viewer)
    return seen._replace(sight=None), match.game.show(sight_of(seen))


def seen_by_others(moment: Match, move: Move) -> JsonObject:
    game = moment.game
    public = game.conceal(moment.started, move)
    return game.dump_move(move) if public is None else public


def test_what_others_see_of_a_move_is_what_a_condition_may_name(played: Playout) -> None:
    game = played.game
    for moment in played.acting:
        for move in spread(legal(moment)):
            shown = seen_by_others(moment, move)
            read = (
                game.dump_move(game.parse_move(shown))
                if game.parse_seen is None
                else game.parse_seen(shown)
            )
            assert read == shown
            if game.conceal(moment.started, move) is not None:
                assert game.parse_seen is not None
                with pytest.raises(MalformedMove):
                    game.parse_seen(game.dump_move(move))


def test_a_seat_is_sure_of_every_legal_move_that_it_has(played: Playout) -> None:
    for moment in played.acting:
        for move in spread(legal(moment)):
            assert moment.game.doubt(own_sight(moment), [move]) is None
