"""Puzzles: found in matches that are over and public, tried, solved, given up, remembered."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text

from domain.errors import IllegalMove, MalformedMove
from domain.game.game import Position
from domain.json_types import Json
from domain.search.puzzles import Puzzle, PuzzleSearch
from services.container import Services
from services.errors import InvalidRequest, NotFound
from services.matches.access import PRIVATE, UNLISTED
from services.matches.queries import Asker
from services.matches.repository import Repository
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.puzzles.puzzles import SHOWN, SOLVED, TRIED, Attempt, PuzzleFilter
from services.store import puzzles as store
from tests.services.people import Table, table

BEST = [{"steps": steps} for steps in (2, 3, 1, 1, 3)]
"""Seat 1 of a path of 11 nodes plays the only winning move each time: at 0, 2 and 4 moves."""

NOWHERE = "0000000000000000"


@pytest.fixture
def over(house: Services) -> Table:
    """Give a finished public match in which there are three puzzles."""
    there = table(house).start()
    there.play(*BEST)
    return there


@pytest.fixture
def first(house: Services, over: Table) -> str:
    """Give the id of the puzzle that the beginning of the match is: three moves to find."""
    house.puzzle_finder.search_match(over.match)
    return next(one.id for one in house.puzzles.list_page(None).listed if one.asked == 3)


def steps(*wanted: int) -> list[Json]:
    return [{"steps": one} for one in wanted]


def test_a_finished_public_match_gives_its_puzzles_once(house: Services, over: Table) -> None:
    (found,) = house.puzzle_finder.run()
    assert found == (over.match, 3, 3)
    before = house.puzzles.list_page(None)
    assert [one.asked for one in before.listed] == [1, 2, 3]
    assert {(one.seat, one.aim, one.match) for one in before.listed} == {(1, "win", over.match)}
    assert [*house.puzzle_finder.run()] == []
    assert [*house.puzzle_finder.run(anew=True)] == [(over.match, 3, 0)]
    assert house.puzzles.list_page(None) == before
    assert house.puzzles.list_by_match(over.match) == [one.id for one in before.listed[::-1]]


def test_the_same_position_of_another_match_is_no_other_puzzle(
    house: Services, over: Table
) -> None:
    again = Table(house, over.first, over.second).start()
    again.play(*BEST)
    found = [*house.puzzle_finder.run()]
    assert [one.found for one in found] == [3, 3]
    assert [one.new for one in found] == [3, 0]


@pytest.mark.parametrize("visibility", [UNLISTED, PRIVATE])
def test_matches_that_are_not_public_give_none(house: Services, visibility: str) -> None:
    there = table(house)
    new = NewMatch("path-capture", seat=1, visibility=visibility, opponent="brook")
    there.match = house.matches.create(ChangeRequest(there.first), new).shown.view.id
    house.matches.join(ChangeRequest(there.second), there.match)
    there.play(*BEST)
    assert house.puzzle_finder.search_match(there.match) is None
    assert [*house.puzzle_finder.run()] == []
    assert house.puzzles.list_page(None).listed == []


def test_a_running_match_gives_none_before_it_is_over(house: Services) -> None:
    there = table(house).start()
    there.play(*BEST[:4])
    assert house.puzzle_finder.search_match(there.match) is None
    there.act(2, "resign")
    assert house.puzzle_finder.search_match(there.match) == (there.match, 3, 3)


def test_what_was_analysed_is_looked_through_once(house: Services, over: Table) -> None:
    assert house.puzzle_finder.look() == {}
    house.analyses.ask(Asker(), over.match)
    while house.analyses.go_on(over.match):
        assert house.puzzles.list_page(None).listed == []
    urgent = iter((True, True))
    assert house.puzzle_finder.look(lambda: next(urgent, False)) == {"puzzles": 3}
    assert next(urgent, None) is None
    assert house.puzzle_finder.look() == {}
    assert len(house.puzzles.list_page(None).listed) == 3


def test_a_match_that_cannot_be_looked_through_holds_up_no_other(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = Table(house, over.first, over.second).start()
    again.play(*BEST)
    for there in (over, again):
        house.analyses.ask(Asker(), there.match)
        while house.analyses.go_on(there.match):
            pass
    whole, looked = PuzzleSearch.find_puzzle, list[int]()

    def at(search: PuzzleSearch, position: Position, seat: int) -> Puzzle | None:
        looked.append(seat)
        if len(looked) == 1:
            raise ValueError("a defect")
        return whole(search, position, seat)

    monkeypatch.setattr(PuzzleSearch, "find_puzzle", at)
    assert house.puzzle_finder.look() == {"puzzles": 0}
    assert house.puzzle_finder.look() == {"puzzles": 3}
    assert house.puzzle_finder.look() == {}


def test_an_aborted_match_and_hidden_cards_give_none(house: Services) -> None:
    there = table(house).start()
    there.act(1, "abort")
    assert house.puzzle_finder.search_match(there.match) is None
    cards = table(house).start("power-lines")
    cards.act(1, "resign")
    assert house.puzzle_finder.search_match(cards.match) == (cards.match, 0, 0)
    assert house.puzzle_finder.search_match(NOWHERE) is None


def test_puzzles_of_a_match_that_is_public_no_more_are_gone(
    house: Services, over: Table, first: str
) -> None:
    with house.database.write() as connection:
        connection.execute(text("UPDATE matches SET visibility = 'private'"))
    assert house.puzzles.list_page(None).listed == []
    assert house.puzzles.list_by_match(over.match) == []
    for ask in (house.puzzles.show, house.puzzles.walk, house.puzzles.give_up):
        with pytest.raises(NotFound, match=f"There is no puzzle {first}"):
            ask(over.first, first)
    with pytest.raises(NotFound):
        house.puzzles.attempt(None, first, steps(2))


def test_the_only_move_is_answered_until_the_puzzle_is_solved(
    house: Services, over: Table, first: str
) -> None:
    tried, _ = house.puzzles.attempt(over.first, first, steps(2))
    assert tried == (False, {"move": {"steps": 1}, "text": "+1"})
    assert house.puzzles.show(over.first, first).mark is None
    walk = house.puzzles.walk(over.first, first, steps(2))
    assert [(one.text, one.seat) for one in walk.played] == [("+2", 1), ("+1", 2)]
    assert walk.own == ["+2"]
    assert walk.view.to_act == 1
    assert [one["text"] for one in walk.legal] == ["+1", "+2", "+3"]
    assert house.puzzles.attempt(over.first, first, steps(2, 3, 3))[0] == (True, None)
    assert house.puzzles.show(over.first, first).mark == SOLVED
    assert house.puzzles.show(over.second, first).mark is None


def test_a_wrong_move_is_told_and_may_be_tried_again(
    house: Services, over: Table, first: str
) -> None:
    assert house.puzzles.attempt(over.first, first, steps(2, 1))[0] == (False, None)
    assert house.puzzles.show(over.first, first).mark == TRIED
    assert house.puzzles.walk(None, first, steps(2, 1)).wrong == "+1"
    with house.database.read() as connection:
        assert store.find_attempts(connection, over.first, [first])[first].wrong == 1
    house.puzzles.attempt(over.first, first, steps(2, 3, 3))
    assert house.puzzles.show(over.first, first).mark == SOLVED


def test_who_has_seen_the_solution_has_not_solved_it(
    house: Services, over: Table, first: str
) -> None:
    house.puzzles.give_up(over.first, first)
    house.puzzles.attempt(over.first, first, steps(2, 3, 3))
    assert house.puzzles.show(over.first, first).mark == SHOWN
    house.puzzles.attempt(over.second, first, steps(2, 3, 3))
    house.puzzles.give_up(over.second, first)
    assert house.puzzles.show(over.second, first).mark == SOLVED


def test_a_visitor_tries_and_nothing_is_kept(house: Services, first: str) -> None:
    assert house.puzzles.attempt(None, first, steps(2, 3, 3))[0].solved
    assert not house.puzzles.attempt(None, first, steps(1))[0].solved
    assert house.puzzles.show(None, first).mark is None
    with house.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM puzzle_attempts")) == 0


def test_a_move_that_is_none_or_is_forbidden_says_where(house: Services, first: str) -> None:
    with pytest.raises(MalformedMove) as malformed:
        house.puzzles.attempt(None, first, [{"steps": 2}, {"steps": "far"}])
    assert malformed.value.pointer == "s/1/steps"
    with pytest.raises(IllegalMove, match="1, 2 or 3 nodes") as illegal:
        house.puzzles.attempt(None, first, steps(4))
    assert illegal.value.pointer == "s/0"
    with pytest.raises(IllegalMove, match="solved before"):
        house.puzzles.attempt(None, first, steps(2, 3, 3, 1))
    for moves in ([], steps(*[2] * 61)):
        with pytest.raises(InvalidRequest):
            house.puzzles.attempt(None, first, moves)


def test_a_puzzle_that_is_shown_says_nothing_of_its_solution(house: Services, first: str) -> None:
    with house.database.read() as connection:
        row = store.find(connection, first)
    assert row is not None
    assert row.line == '["+2","+1","+3","+1","+3"]'
    shown = house.puzzles.show(None, first)
    assert shown.view.ply == 0
    assert "+" not in str([value for value in shown if value != shown.view])
    assert house.puzzles.walk(None, first).played == []
    told = house.puzzles.walk(None, first, told=True)
    assert [one.text for one in told.played] == ["+2", "+1", "+3", "+1", "+3"]


def test_the_same_request_is_answered_alike_and_counted_once(
    house: Services, over: Table, first: str
) -> None:
    answer = StoredAnswer(200, {}, b"{}")

    def answered(_: Attempt) -> StoredAnswer:
        return answer

    posting = Repeatable("key", "print", answered)
    assert house.puzzles.attempt(over.first, first, steps(1), posting)[1] == answer
    with pytest.raises(AlreadyAnswered) as again:
        house.puzzles.attempt(over.first, first, steps(1), posting)
    assert again.value.answer == answer
    with house.database.read() as connection:
        assert store.find_attempts(connection, over.first, [first])[first].wrong == 1


def test_the_same_request_twice_at_once_is_answered_alike(
    house: Services, over: Table, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = StoredAnswer(200, {}, b"{}")
    posting: Repeatable[Attempt] = Repeatable("key", "print", lambda _: answer)

    def meanwhile() -> str:
        monkeypatch.undo()
        house.puzzles.attempt(over.first, first, steps(1), posting)
        return house.puzzles.repository.get_instant()

    monkeypatch.setattr(house.puzzles.repository, "get_instant", meanwhile)
    with pytest.raises(AlreadyAnswered) as again:
        house.puzzles.attempt(over.first, first, steps(1), posting)
    assert again.value.answer == answer
    with house.database.read() as connection:
        assert store.find_attempts(connection, over.first, [first])[first].wrong == 1


def test_pages_neither_skip_nor_repeat(house: Services, first: str) -> None:
    every = house.puzzles.list_page(None).listed
    assert every[-1].id == first
    leafed, cursor = [], None
    for _ in every:
        page = house.puzzles.list_page(None, limit=1, cursor=cursor)
        leafed += page.listed
        cursor = page.next_cursor
    assert cursor is None
    assert leafed == every
    for foreign in ("nonsense", house.puzzles.sealer.seal("cursor of players", "1 x")):
        with pytest.raises(InvalidRequest):
            house.puzzles.list_page(None, cursor=foreign)


def test_filters_narrow_the_list(house: Services, first: str) -> None:
    every = house.puzzles.list_page(None).listed
    hardest = house.puzzles.show(None, first).difficulty
    alike = house.puzzles.list_page(None, PuzzleFilter(difficulty=hardest)).listed
    assert alike == [one for one in every if one.difficulty == hardest]
    assert house.puzzles.list_page(None, PuzzleFilter("path-capture")).listed == every
    assert house.puzzles.list_page(None, PuzzleFilter("grid-power")).listed == []
    assert house.puzzles.list_page(None, PuzzleFilter("chess")).listed == []


def test_the_next_puzzle_is_one_that_is_not_done(house: Services, over: Table, first: str) -> None:
    easy, middle, _ = (one.id for one in house.puzzles.list_page(None).listed)
    following = house.puzzles.find_next
    assert [getattr(following(over.first, one), "id", None) for one in (easy, middle, first)] == [
        middle,
        first,
        easy,
    ]
    house.puzzles.give_up(over.first, middle)
    found = following(over.first, easy)
    assert found is not None
    assert found.id == first
    assert following(None, easy, {middle, first}) is None


def test_what_an_account_did_goes_with_it(house: Services, over: Table, first: str) -> None:
    house.puzzles.attempt(over.first, first, steps(2, 3, 3))
    house.closing.close("ada")
    with house.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM puzzle_attempts")) == 0
    assert house.puzzles.show(None, first).id == first


def test_the_position_of_a_puzzle_is_folded_once(
    house: Services, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, folded = house.puzzles.list_page(None), list[str]()
    past = Repository.make_past

    def counted(self: Repository, connection: Connection, match: str) -> object:
        folded.append(match)
        return past(self, connection, match)

    monkeypatch.setattr(Repository, "make_past", counted)
    # What is played on it is played on a copy.
    assert house.puzzles.walk(None, first, steps(2, 3, 3)).solved
    assert house.puzzles.list_page(None) == before
    assert house.puzzles.show(None, first) == before.listed[-1]
    house.puzzles.find_next(None, first)
    assert folded == []


def test_a_match_is_looked_through_from_one_load(
    house: Services, over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, load = list[str](), Repository.load

    def counted(self: Repository, connection: Connection, match: str) -> object:
        loaded.append(match)
        return load(self, connection, match)

    monkeypatch.setattr(Repository, "load", counted)
    assert house.puzzle_finder.search_match(over.match)
    assert loaded == [over.match]
