"""One person against the house at a terminal, and the repetition of what it played."""

from __future__ import annotations

import pytest

from domain.search import engine
from services.audits import house_players as house_audits
from tests.cli.calls import Plybook, json_lines, lines, match_of


def against(plybook: Plybook, game: str, *typed: str, words: tuple[str, ...] = ()) -> str:
    result = plybook("play", game, "--against", "1", "--name", "ada", *words, typed=lines(*typed))
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_house_answers_at_once_and_is_called_so(plybook: Plybook) -> None:
    shown = against(plybook, "path-capture", "1", "quit")
    assert "P1 ada against P2 House level 1" in shown
    assert "House level 1 goes " in shown
    assert "accepts a draw from 100 moves" in shown
    assert shown.count("P1 ada> ") == 2
    [match] = json_lines(plybook("match", "list", "--json"))
    assert [(seat["player"], seat["house"]) for seat in match["seats"]] == [
        ("ada", None),
        ("house:1", 1),
    ]


def test_a_match_is_played_to_its_end_and_the_search_is_repeated(plybook: Plybook) -> None:
    shown = against(plybook, "path-capture", *["1"] * 12)
    match = match_of(plybook("match", "list", "--json"))
    assert f"plybook replay {match}" in shown
    told = plybook("verify", "--house", match)
    assert told.exit_code == 0, told.output
    assert "the house played what its engine gives" in told.stdout
    [row] = json_lines(plybook("verify", "--house", match, "--json"))
    assert row["holds"]
    assert row["moves"] == row["repeated"] > 0
    assert plybook("verify", match).exit_code == 0


def test_who_plays_seat_2_sees_the_move_of_the_house_first(plybook: Plybook) -> None:
    shown = against(plybook, "grid-power", "quit", words=("--seat", "2"))
    assert "P1 House level 1 against P2 ada" in shown
    assert shown.index("House level 1 places") < shown.index("P2 ada> ")


def test_nothing_is_hidden_from_the_house_at_the_terminal_of_one(plybook: Plybook) -> None:
    shown = against(plybook, "power-lines", "quit")
    assert "hand over" not in shown
    assert "only you see the screen" not in shown
    assert "plybook play --resume" in shown


def test_a_match_against_the_house_is_resumed(plybook: Plybook) -> None:
    against(plybook, "path-capture", "1", "quit")
    match = match_of(plybook("match", "list", "--json"))
    left = plybook("play", "--resume", match, typed=lines("1", "resign", "y"))
    assert left.exit_code == 0, left.output
    assert "P2 House level 1 wins" in left.stdout


def test_undo_takes_back_ones_own_last_move_with_its_answer(plybook: Plybook) -> None:
    shown = against(plybook, "grid-power", "undo", "quit")
    assert "in which a seat was to act" in shown
    shown = against(plybook, "path-capture", "1", "undo", "quit")
    assert "House level 1 accepts: the game goes back" in shown
    listed = json_lines(plybook("match", "list", "--json"))
    [match] = [one for one in listed if one["id"] in shown]
    assert match["ply"] == 0


def test_a_draw_is_answered_by_the_house(plybook: Plybook) -> None:
    shown = against(plybook, "path-capture", "1", "draw", "quit")
    assert "House level 1 declines the draw." in shown


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("path-capture", "--against", "9"), "no player of that name"),
        (("path-capture", "--against", "0"), "no player of that name"),
        (("path-capture", "--against", "5"), "levels 1 to"),
        (("path-capture", "--seat", "1"), "belong to --against"),
        (("path-capture", "--against", "1", "--names", "a1", "b1"), "one person"),
        (("power-lines", "--against", "1", "--settings-2", "{}"), None),
        (("path-capture", "--against", "1", "--name", "house:1"), "2 to 24"),
        (("--resume", "0" * 16, "--against", "1"), "keeps its players"),
    ],
)
def test_what_cannot_be_played_is_refused(
    plybook: Plybook, words: tuple[str, ...], told: str | None
) -> None:
    result = plybook("play", *words, typed=lines("quit"))
    if told is None:
        assert result.exit_code == 0
        return
    assert result.exit_code != 0
    assert told in " ".join(result.output.split())
    assert json_lines(plybook("match", "list", "--json")) == []


# --- verify --house -------------------------------------------------------------------------------


def finished(plybook: Plybook) -> str:
    against(plybook, "path-capture", "1", "resign", "y")
    return match_of(plybook("match", "list", "--json"))


def test_a_move_of_another_version_of_the_engine_is_not_repeated(
    plybook: Plybook, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(plybook)
    monkeypatch.setattr(house_audits, "VERSION", "later")
    told = plybook("verify", "--house", match)
    assert told.exit_code == 5
    assert f"another version of the engine ({engine.VERSION})" in " ".join(told.stdout.split())


def test_a_house_move_that_does_not_repeat_is_found(
    plybook: Plybook, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished(plybook)
    first = engine.choose

    def other(game: object, question: object, level: int, seed: int) -> object:
        given = first(game, question, level, seed)  # type: ignore[arg-type]  # as they are
        position = question.view  # type: ignore[attr-defined]  # of an open game
        return next(
            one
            for one in game.iter_legal_moves(position)  # type: ignore[attr-defined]  # as it is
            if one != given
        )

    monkeypatch.setattr("services.matches.house_players.choose", other)
    told = plybook("verify", "--house", match)
    assert told.exit_code == 3
    assert "is not what the engine gives" in told.stdout
    # The rules hold all the same, and --all asks no engine.
    assert plybook("verify", match).exit_code == 0
    assert plybook("verify", "--all", "--jobs", "1").exit_code == 0


def test_only_a_finished_match_is_repeated(plybook: Plybook) -> None:
    against(plybook, "path-capture", "1", "quit")
    match = match_of(plybook("match", "list", "--json"))
    told = plybook("verify", "--house", match)
    assert told.exit_code != 0
    assert "Only of a finished match" in told.output
    assert plybook("verify", "--house", "0" * 16).exit_code != 0
    for words in (("--all", "--house"), (match, "--house", "--chain-only")):
        assert plybook("verify", *words).exit_code == 2
