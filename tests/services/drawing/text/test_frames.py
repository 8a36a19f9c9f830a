"""What stands around a board in the terminal."""

from __future__ import annotations

from random import Random

import pytest

from domain.game.game import AnyGame, Viewer
from domain.match import commands
from domain.match.decisions import decide
from domain.match.events import ChanceDrawn, MatchEnded, TurnPassed
from domain.match.views import Pending, view
from services.drawing.text.frames import Names, describe_standing, draw_board
from tests.services.drawing.text.test_pictures import GAMES, begun, follow

PLAYERS = Names({"p_a": "ada", "p_b": "bob"})


def test_sentences_and_boards_name_players_in_the_place_of_seats() -> None:
    match = begun(next(one for one in GAMES if one.slug == "power-lines"), {})
    seen = view(match, Viewer.SPECTATOR)
    assert (
        PLAYERS.tell(seen, "P1 plays a 6 onto P2's 4, P12.") == "ada plays a 6 onto bob's 4, P12."
    )
    assert PLAYERS.tell(seen._replace(seats=("p_a", None)), "P1, P2") == "ada, P2"
    assert "Deck (bob): 18" in draw_board(seen, 80, PLAYERS).plain
    assert "Deck (P2): 18" in draw_board(seen, 80).plain


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_one_is_to_move_while_a_match_runs(game: AnyGame) -> None:
    seen = view(begun(game, {}), Viewer.SPECTATOR)
    assert str(describe_standing(seen, PLAYERS)) in ("P1 ada to move.", "P2 bob to move.")


@pytest.mark.parametrize(
    ("pending", "text"),
    [
        ("chance", "Chance decides next."),
        ("pass", "A pass follows: there is no legal move."),
        ("end", "The game is over."),
        (None, "The match goes on by itself."),
    ],
)
def test_where_nobody_is_to_act_it_says_what_follows(pending: Pending | None, text: str) -> None:
    seen = view(begun(GAMES[0], {}), Viewer.SPECTATOR)
    assert str(describe_standing(seen._replace(to_act=None, pending=pending), PLAYERS)) == text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_a_step_at_which_nobody_is_to_act_tells_what_the_next_event_is(game: AnyGame) -> None:
    match, follows = begun(game, {}), {"chance": ChanceDrawn, "pass": TurnPassed, "end": MatchEnded}
    random, told = Random(2), set[str]()
    while not match.over:
        assert match.to_act is not None
        move = random.choice(list(game.iter_legal_moves(match.started)))
        chosen = commands.PlayMove(match.to_act, move)
        for proposal in decide.decide(match, chosen).proposals:
            pending = view(match, Viewer.SPECTATOR).pending
            if pending is not None:
                told.add(pending)
                assert isinstance(proposal.fact, follows[pending])
            follow(match, (proposal,))
    assert "end" in told


def test_an_open_match_waits_for_a_second_player() -> None:
    seen = view(begun(GAMES[0], {}), Viewer.SPECTATOR)._replace(status="open", to_act=None)
    assert str(describe_standing(seen, PLAYERS)) == "Waiting for a second player."
