"""Two people at one terminal: the moves that they type, and what they read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import Plybook, begun, json_lines, lines, match_of


def played(plybook: Plybook, game: str, *typed: str, words: tuple[str, ...] = ()) -> str:
    result = plybook("play", game, "--names", "ada", "bob", *words, typed=lines(*typed))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_match_is_played_to_its_end_and_stored(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "3", "2", "2", "3")
    assert "bob goes 3 nodes forward to node 5 and captures ada." in shown
    assert "P2 bob wins (capture)." in shown
    [match] = json_lines(plybook("match", "list", "--json"))
    assert match["result"] == {"winner": 2, "reason": "capture"}
    assert [seat["player"] for seat in match["seats"]] == ["ada", "bob"]
    assert f"plybook replay {match['id']}" in shown


def test_every_turn_shows_board_resources_turn_and_how_to_write_a_move(plybook: Plybook) -> None:
    shown = played(plybook, "power-line", "5=2", "4=3", "quit")
    after_two_moves = shown.split("-" * 40)[3]
    assert "bob places power 3 on 4, captures ada's 2 on 5" in after_two_moves
    assert "[    ][    ][    ][    ][>B3<][ *  ]" in after_two_moves
    assert "energy 12/15" in after_two_moves
    assert "P1 ada to move." in after_two_moves
    assert "Type 3=4 to place" in after_two_moves
    assert after_two_moves.count("P1 ada> ") == 1


def test_what_the_rules_forbid_is_said_and_asked_again(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "4", "hello", "3", "quit")
    assert "P1 ada> 4\nA piece goes 1, 2 or 3 nodes forward.\nP1 ada> hello\nType how" in shown
    assert shown.count("P2 bob> ") == 1
    [match] = json_lines(plybook("match", "list", "--json"))
    assert match["ply"] == 1


def test_help_moves_and_board_answer_without_a_move(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "moves", "help", "board", "quit")
    assert "P1 ada> moves\n+1   +2   +3\n" in shown
    assert "resign   give up the match" in shown
    assert shown.count("[ A ][ + ]") == 2


def test_a_match_that_was_left_is_resumed(plybook: Plybook) -> None:
    match = begun(plybook, "path-capture", "3")
    left = plybook("play", "--resume", match, typed=lines("2", "quit"))
    assert "P2 bob> 2" in left.stdout
    assert f"plybook play --resume {match}" in left.stdout
    [row] = json_lines(plybook("match", "list", "--json"))
    assert (row["id"], row["ply"], row["status"]) == (match, 2, "active")


def test_the_end_of_the_input_leaves_the_match_too(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "3")
    assert "plybook play --resume" in shown


def test_resigning_asks_first(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "3", "resign", "n", "resign", "y")
    assert shown.count("Give up this match? [y/N]") == 2
    assert "P1 ada wins (resignation)." in shown


def test_a_move_that_will_be_regretted_is_asked_about(plybook: Plybook) -> None:
    shown = played(plybook, "power-line", "5=3", "4=1", "n", "4=1", "y", "quit")
    question = "Your node on 4 would be captured at once by a stronger neighbour."
    assert shown.count(question) == 2
    assert shown.count("bob places power 1 on 4") == 1


def test_a_finished_match_is_not_resumed_but_told_where_to_look(plybook: Plybook) -> None:
    match = match_of(
        plybook("play", "path-capture", "--names", "ada", "bob", typed=lines("3", "2", "2", "3"))
    )
    refused = plybook("play", "--resume", match)
    assert refused.exit_code == 1
    assert refused.stderr == f"Error: This match is over; `plybook replay {match}` shows it.\n"


def test_options_come_as_words_and_numbers(plybook: Plybook) -> None:
    words = ("-o", "length=7", "-o", "capture=attacker")
    match = begun(plybook, "power-line", words=words)
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert (shown["options"]["length"], shown["options"]["capture"]) == (7, "attacker")


IMPOSSIBLE: list[tuple[tuple[str, ...], int, str]] = [
    (("path-capture", "-o", "length=3"), 1, "Error: length must be from 5 to 41."),
    (("path-capture", "-o", "length"), 2, "'length' is not of the form NAME=VALUE."),
    (("path-capture", "--names", "ada", "ADA"), 2, "Error: Two players need two names."),
    (("path-capture", "--names", "ada", "b"), 1, "Error: A name has 2 to 24 characters"),
    (("chess",), 4, "Error: There is no game chess."),
    (("--resume", "0000000000000000"), 4, "Error: There is no match 0000000000000000."),
    (("path-capture", "--options", '{"length": 3}'), 1, "Error: length must be from 5 to 41."),
    (("path-capture", "--options", "[7]"), 2, "This must be a JSON object"),
    (("path-capture", "--options", "{length"), 2, "This is not JSON"),
    (("path-capture", "--options", "@/nowhere.json"), 2, "No such file"),
    (("power-lines", "--settings-1", '{"deck": [1, 2]}'), 1, "Settings of P1: deck must have"),
    (("power-lines", "--settings-2", '{"deck": [11]}'), 1, "Settings of P2: deck may hold"),
    (("path-capture", "--settings-2", '{"deck": []}'), 1, "nothing called 'deck' to set"),
    (("--resume", "x", "-o", "length=7"), 2, "A match that goes on keeps its players"),
    ((), 2, "Name a game, or a match with --resume"),
    (("path-capture", "--resume", "x"), 2, "Name a game, or a match with --resume"),
]


def test_what_cannot_be_played_is_refused_in_a_sentence(plybook: Plybook) -> None:
    for words, exit_code, said in IMPOSSIBLE:
        refused = plybook("play", *words)
        assert (refused.exit_code, refused.stdout) == (exit_code, ""), words
        assert said in refused.stderr
        assert plybook("match", "list", "--json").stdout == "", words


def test_options_as_one_object_give_way_to_words(plybook: Plybook) -> None:
    words = ("--options", '{"length": 9, "energy": 20}', "-o", "length=7")
    match = begun(plybook, "power-line", words=words)
    [shown] = json_lines(plybook("match", "show", match, "--json"))
    assert (shown["options"]["length"], shown["options"]["energy"]) == (7, 20)


def test_each_player_brings_a_deck_along(plybook: Plybook, tmp_path: Path) -> None:
    deck = tmp_path / "deck.json"
    deck.write_text(json.dumps({"deck": [3] * 26}), encoding="utf-8")
    words = ("--settings-1", f"@{deck}", "--settings-2", json.dumps({"deck": [8] * 26}))
    match = begun(plybook, "power-lines", "", words=words)
    for seat, card in ((1, 3), (2, 8)):
        [own] = json_lines(plybook("match", "show", match, "--json", "--as", f"seat-{seat}"))
        assert own["state"]["players"][seat - 1]["hand"] == [card] * 8


def test_whoever_acts_for_accounts_with_passwords_is_told_so(plybook: Plybook) -> None:
    plybook("player", "add", "ada", typed="correct horse battery\n")
    begin = plybook("play", "path-capture", "--names", "ada", "bob", typed=lines("3", "quit"))
    assert begin.stderr == "Note: ada is an account with a password: you act for them.\n"
    plybook("player", "password", "bob", typed="correct horse battery\n")
    resumed = plybook("play", "--resume", match_of(begin), typed=lines("2", "quit"))
    assert resumed.exit_code == 0
    assert resumed.stderr == ("Note: ada and bob are accounts with passwords: you act for them.\n")
    local = plybook("play", "path-capture", "--names", "cleo", "dov", typed=lines("quit"))
    assert local.stderr == ""


def test_nothing_is_in_reach_any_more_when_a_match_is_over(plybook: Plybook) -> None:
    match = begun(plybook, "path-capture", "3")
    assert "[ + ]" in plybook("match", "show", match).stdout
    ended = plybook("play", "--resume", match, typed=lines("resign", "y")).stdout
    assert "wins (resignation)" in ended
    shown = plybook("match", "show", match).stdout
    frames = plybook("replay", match).stdout.split("-" * 40)
    for board in (ended.split("-" * 40)[-1], shown, frames[-1]):
        assert "[>A<]" in board
        assert "+" not in board
        assert "in reach" not in board
    assert all("in reach" in frame for frame in frames[1:-1])


def test_hidden_cards_show_to_their_seat_alone(plybook: Plybook) -> None:
    shown = played(plybook, "power-lines", "", "quit")
    before, board = shown.split("-" * 40)
    mover = int(board.split(" to move.")[0][-5])
    names = ("ada", "bob")
    assert f"{names[mover - 1]}: press Enter when only you see the screen." in before
    assert "hand" not in before.lower()
    assert board.count("Your hand:") == 1
    assert f"Hand ({names[2 - mover]}): 8 hidden" in board


def test_the_next_seat_is_told_no_more_than_it_may_know(plybook: Plybook) -> None:
    match = begun(plybook, "power-lines", "")
    [state] = json_lines(plybook("match", "show", match, "--json"))
    mover = state["to_act"]
    [own] = json_lines(plybook("match", "show", match, "--json", "--as", f"seat-{mover}"))
    card = own["state"]["players"][mover - 1]["hand"][0]
    x = {1: 1, 2: 11}[mover]
    typed = lines("", f"place {card}@{x},0", "", "", "quit")
    shown = plybook("play", "--resume", match, typed=typed).stdout
    first, second = shown.split("-" * 40)[1:]
    name = ("ada", "bob")[mover - 1]
    assert f"{name} places a {card} face down on {x},0." in first
    assert f"{name} places a card face down on {x},0." in second


def test_a_draw_is_offered_and_answered_at_once(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "3", "draw", "n", "draw", "y")
    assert shown.count("P1 ada: accept a draw? [y/N]") == 2
    assert "bob offers a draw.\nada declines the draw.\n" in shown
    [match] = json_lines(plybook("match", "list", "--json"))
    assert match["result"] == {"winner": None, "reason": "agreement"}


def test_the_last_move_is_taken_back_when_the_other_one_agrees(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "3", "undo", "y", "2", "undo", "n", "quit")
    assert "P1 ada: accept to take back the last move? [y/N]" in shown
    assert "ada accepts: the game goes back to its beginning." in shown
    [match] = json_lines(plybook("match", "list", "--json"))
    assert match["ply"] == 1
    assert match["state"]["players"][0] == {"node": 2}


def test_where_nothing_was_moved_nothing_is_taken_back(plybook: Plybook) -> None:
    shown = played(plybook, "path-capture", "undo", "quit")
    assert "There is no such position in which a seat was to act." in shown


BANK = '{"bank_hours": 48, "increment_hours": 2}'


@pytest.mark.parametrize(
    ("words", "pace"),
    [
        (("--days-per-move", "3"), {"days_per_move": 3}),
        (("--pace", BANK), {"bank_hours": 48, "increment_hours": 2, "cap_hours": 48}),
    ],
)
def test_a_match_may_have_a_pace(
    plybook: Plybook, words: tuple[str, ...], pace: dict[str, int]
) -> None:
    played(plybook, "path-capture", "3", "quit", words=words)
    [match] = json_lines(plybook("match", "list", "--json"))
    assert match["pace"] == {**pace, "vacation": True, "pause": True}
    assert match["deadline"] is not None


def test_a_pace_that_cannot_be_is_refused_before_anybody_is_asked(plybook: Plybook) -> None:
    both = plybook("play", "path-capture", "--days-per-move", "3", "--pace", BANK)
    assert (both.exit_code, "Give either --pace or --days-per-move." in both.stderr) == (2, True)
    wrong = plybook("play", "path-capture", "--pace", '{"bank_hours": 0}')
    assert (wrong.exit_code, "bank_hours must be a whole number" in wrong.stderr) == (1, True)
    again = plybook("play", "--resume", "7m2kq9x4tbw0ed5r", "--days-per-move", "3")
    assert (again.exit_code, "keeps its players" in again.stderr) == (2, True)
    assert json_lines(plybook("match", "list", "--json")) == []


def test_a_series_goes_on_from_match_to_match_until_it_is_won(plybook: Plybook) -> None:
    resigned = ("resign", "y", "3", "resign", "y")
    shown = played(plybook, "path-capture", *resigned, words=("--best-of", "3"))
    assert "The series after match 1: ada 0, bob 1." in shown
    assert "P1 bob against P2 ada" in shown
    assert "The series after match 2: ada 0, bob 2." in shown
    assert shown.rstrip().endswith("bob has won the series.")
    assert len(json_lines(plybook("match", "list", "--json"))) == 2


def test_a_series_that_cannot_be_begins_no_match(plybook: Plybook) -> None:
    for number in ("0", "4", "1000000000"):
        result = plybook("play", "path-capture", "--best-of", number, typed="quit\n")
        assert result.exit_code != 0
        assert "odd" in result.stderr or "2 to 21" in result.stderr
    assert json_lines(plybook("match", "list", "--json")) == []
