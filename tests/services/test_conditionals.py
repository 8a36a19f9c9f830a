"""Conditional moves: stored, fired, lapsed, and told of to their author alone; both databases."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import pytest

from domain.conditional import Line
from domain.errors import InvalidConditionalMoves, MatchNotActive, NotYourSeat, TimeIsUp, YourTurn
from domain.json_types import Json, JsonObject
from services import answering
from services.answering import (
    FORBIDDEN,
    MISSED,
    NOT_TO_ACT,
    OFFER,
    OTHER_MOVE,
    OVER,
    OWN_MOVE,
    TAKEBACK,
)
from services.conditionals import Change, Shown, shown_json
from services.errors import NotFound, PreconditionRequired, StaleVersion
from services.looking import Look
from services.matches import Request
from services.settings import Settings
from services.store import conditional, readmodels
from services.wiring import House, wire
from tests.services.conftest import Clock
from tests.services.people import Table, table
from tests.support.games import test_games

ONE, TWO, THREE = ({"steps": steps} for steps in (1, 2, 3))


@pytest.fixture
def long(house: House) -> Table:
    """Give a match on a path that nobody comes to the end of; seat 1 is to act."""
    return table(house).start(options={"length": 41})


def line(when: Json, *then: Json, following: list[JsonObject] | None = None) -> JsonObject:
    return {"if": when, "then": list(then), "next": following or []}


def keep(
    at: Table,
    seat: int,
    *lines: JsonObject,
    expected: int | None = None,
    after: list[JsonObject] | None = None,
) -> Shown:
    """Store a seat's lines, on the present versions."""
    caller = at.player(seat)
    if expected is None:
        expected = kept(at, seat).kept.version
    change = Change(caller, expected, at.version)
    return at.house.conditionals.replace(change, at.match, list(lines), after)


def kept(at: Table, seat: int) -> Shown:
    return at.house.conditionals.show(at.player(seat), at.match)


def labels(at: Table, seat: int) -> list[JsonObject]:
    return list(shown_json(kept(at, seat))["lines"])


def told(at: Table, seat: int) -> list[Any]:
    """Return what happened to a seat's lines, oldest first: kind and reason."""
    page = at.house.conditionals.happenings(at.player(seat), at.match, None, 100)
    return [(one.kind, one.detail["reason"]) for one in page.happenings][::-1]


def moves(at: Table) -> list[tuple[int, int, str]]:
    """Return seat, steps and cause of every move made."""
    page = at.house.looking.events(Look(local=True), at.match)
    made = [event["data"] for event in page.events if event["kind"] == "move-made"]
    return [(data["seat"], data["move"]["steps"], data["cause"]) for data in made]


def test_the_answer_is_played_with_the_move_that_it_answers(long: Table) -> None:
    keep(long, 2, line(ONE, THREE), line(TWO, ONE))
    done = long.play(TWO)
    assert moves(long) == [(1, 2, "player"), (2, 1, "conditional")]
    assert [event["data"]["cause"] for event in done.events] == ["player", "conditional"]
    assert done.shown.view.to_act == 1
    assert done.shown.view.version == done.events[-1]["version"] == long.version
    assert len({event["at"] for event in done.events}) == 1
    assert told(long, 2) == [("lapsed", OTHER_MOVE), ("fired", None)]
    assert long.house.audits.verify(long.match).holds


def test_not_only_the_first_conditional_move_is_played(long: Table) -> None:
    """Named after the fault: of several lines in a row only the first is ever played."""
    third = [line(THREE, THREE)]
    keep(long, 2, line(ONE, ONE, following=[line(TWO, TWO, following=third)]))
    for steps in (ONE, TWO, THREE):
        long.play(steps)
    assert moves(long) == [
        (1, 1, "player"), (2, 1, "conditional"),
        (1, 2, "player"), (2, 2, "conditional"),
        (1, 3, "player"), (2, 3, "conditional"),
    ]  # fmt: skip
    assert labels(long, 2) == []
    assert told(long, 2) == [("fired", None)] * 3


def test_the_lines_of_both_seats_answer_each_other(long: Table) -> None:
    """One move by hand, and both seats go on by their lines, all of it in one transaction."""
    theirs = line(ONE, TWO, following=[line(THREE, ONE, following=[line(ONE, THREE)])])
    keep(long, 2, theirs)
    mine = line(TWO, THREE, following=[line(ONE, ONE, following=[line(TWO, ONE)])])
    keep(long, 1, mine, after=[ONE])
    done = long.play(ONE)
    assert moves(long) == [
        (1, 1, "player"), (2, 2, "conditional"), (1, 3, "conditional"),
        (2, 1, "conditional"), (1, 1, "conditional"), (2, 3, "conditional"),
    ]  # fmt: skip
    assert len(done.events) == 6
    assert told(long, 2) == [("fired", None)] * 3
    assert told(long, 1) == [("fired", None)] * 2 + [("lapsed", OTHER_MOVE)]
    assert long.house.audits.verify(long.match).holds


def test_lines_wait_behind_the_move_that_their_author_makes(long: Table) -> None:
    with pytest.raises(YourTurn):
        keep(long, 1, line(ONE, TWO))
    keep(long, 1, line(ONE, TWO), after=[TWO])
    assert shown_json(kept(long, 1))["after"] == [TWO]
    long.play(TWO)
    assert shown_json(kept(long, 1))["after"] == []
    assert len(long.play(ONE).events) == 2


def test_another_move_than_the_one_that_lines_wait_for_lets_them_lapse(long: Table) -> None:
    keep(long, 1, line(ONE, TWO), after=[TWO])
    long.play(THREE)
    assert labels(long, 1) == []
    assert told(long, 1) == [("lapsed", OWN_MOVE)]
    assert len(long.play(ONE).events) == 1


@pytest.mark.parametrize(
    ("seat", "after", "lines", "pointer"),
    [
        (2, [ONE], [line(ONE, ONE)], "/after"),
        (1, [{"steps": 9}], [line(ONE, ONE)], "/after/0"),
        (1, [ONE, ONE], [line(ONE, ONE)], "/after/1"),
        (1, [ONE], [], "/after"),
        (1, {}, [line(ONE, ONE)], "/after"),
        (1, [ONE], [line(ONE, {"steps": 9})], "/lines/0/then/0"),
    ],
)
def test_moves_that_cannot_come_first_are_refused(
    seat: int, after: Json, lines: list[JsonObject], pointer: str, long: Table
) -> None:
    with pytest.raises(InvalidConditionalMoves) as refused:
        keep(long, seat, *lines, after=after)
    assert refused.value.pointer == pointer


def test_an_answer_waits_for_no_draw_that_it_would_turn_down(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    long.act(1, "offer_draw")
    done = long.play(ONE)
    assert len(done.events) == 1
    assert told(long, 2) == [("lapsed", OFFER)]
    assert done.shown.view.to_act == 2


def test_a_premove_does_not_survive_a_takeback(long: Table) -> None:
    """Named after the fault: a line of a position that was taken back is played in another."""
    start = long.version
    keep(long, 2, line(ONE, TWO, following=[line(ONE, THREE)]))
    long.play(ONE)
    assert len(labels(long, 2)) == 1
    long.act(1, "offer_takeback", to_version=start)
    assert len(labels(long, 2)) == 1
    long.act(2, "accept_takeback")
    assert labels(long, 2) == []
    assert told(long, 2) == [("fired", None), ("lapsed", TAKEBACK)]
    assert len(long.play(ONE).events) == 1
    assert long.house.audits.verify(long.match).holds


def test_time_that_is_up_clears_lines(house: House, clock: Clock) -> None:
    timed = table(house).start(pace={"days_per_move": 1})
    keep(timed, 2, line(ONE, TWO))
    clock.advance(days=2)
    with pytest.raises(TimeIsUp):
        timed.play(ONE)
    assert told(timed, 2) == [("lapsed", OVER)]
    assert timed.shown().view.result == {"winner": 2, "reason": "timeout"}


def test_an_answer_takes_no_time(house: House, clock: Clock) -> None:
    timed = table(house).start(pace={"days_per_move": 1})
    keep(timed, 2, line(ONE, TWO))
    clock.advance(hours=23)
    done = timed.play(ONE)
    assert done.shown.view.to_act == 1
    assert len({event["at"] for event in done.events}) == 1
    assert house.audits.verify(timed.match).holds


def test_an_unexpected_move_lets_all_lines_lapse(long: Table) -> None:
    keep(long, 2, line(ONE, ONE), line(TWO, ONE))
    done = long.play(THREE)
    assert len(done.events) == 1
    assert done.shown.view.to_act == 2
    assert labels(long, 2) == []
    page = long.house.conditionals.happenings(long.second, long.match, None, 10)
    (lapse,) = page.happenings
    assert lapse.detail["text"] == "Your opponent played +3, which these lines do not answer."
    assert [one["if"] for one in lapse.detail["lines"]] == [ONE, TWO]
    assert lapse.version == long.version


def test_a_line_that_plays_on_with_nobody_asked_leaves_the_rest_standing(long: Table) -> None:
    keep(long, 2, line(ONE, ONE, following=[line(ONE, TWO), line(TWO, TWO)]))
    long.play(ONE)
    assert [one["line"] for one in labels(long, 2)] == ["1", "2"]
    assert kept(long, 2).kept.version == 2
    assert kept(long, 2).kept.seen == long.version


def test_lines_survive_a_restart(long: Table, migrated_url: str) -> None:
    keep(long, 2, line(ONE, TWO))
    again = wire(Settings(database_url=migrated_url), games=test_games())
    done = again.matches.play(Request(long.first, long.version), long.match, ONE)
    assert [event["data"]["cause"] for event in done.events] == ["player", "conditional"]
    again.close()


def test_lines_that_another_process_stored_are_not_missed(long: Table, migrated_url: str) -> None:
    other = wire(Settings(database_url=migrated_url), games=test_games())
    for steps in (ONE, TWO, THREE):
        change = Change(long.second, kept(long, 2).kept.version, long.version)
        other.conditionals.replace(change, long.match, [line(steps, ONE)])
        # This process remembers the match, and nothing tells it of the lines.
        assert len(long.play(steps).events) == 2
    other.close()


def test_lines_that_are_being_stored_are_waited_for(long: Table) -> None:
    """The move begins before they are committed, and cannot see them but by the match's row."""
    house = long.house
    request = Request(long.first, long.version)
    kept_lines = (Line(ONE, (TWO,)),)
    lines = conditional.Kept(long.match, 2, 1, long.version, kept_lines, "2026-11-27")
    with ThreadPoolExecutor(1) as pool:
        with house.database.write() as connection:
            readmodels.get(connection, long.match, lock=True)
            conditional.save(connection, lines)
            conditional.flag(connection, long.match)
            moving = pool.submit(house.matches.play, request, long.match, ONE)
            # So long that the move has come to where it waits.
            assert not wait([moving], 0.5).done
        assert len(moving.result(20).events) == 2


def test_lines_of_an_older_position_are_never_played(long: Table) -> None:
    """As they would be, had anything ever been appended past them."""
    lines = conditional.Kept(long.match, 2, 1, long.version - 1, (Line(ONE, (TWO,)),), "2026-11-27")
    with long.house.database.write() as connection:
        conditional.save(connection, lines)
        conditional.flag(connection, long.match)
    assert len(long.play(ONE).events) == 1
    assert told(long, 2) == [("lapsed", MISSED)]


def test_lines_that_change_while_they_are_followed_are_followed_anew(
    long: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(long, 2, line(ONE, ONE))
    through = answering._Following.through  # noqa: SLF001 - a moment between two steps

    def slowly(following: Any, appended: Any) -> Any:  # noqa: ANN401 - handed on as they are
        if kept(long, 2).kept.version == 1:
            keep(long, 2, line(ONE, THREE))
        return through(following, appended)

    monkeypatch.setattr(answering._Following, "through", slowly)  # noqa: SLF001 - as above
    long.play(ONE)
    assert moves(long) == [(1, 1, "player"), (2, 3, "conditional")]
    assert told(long, 2) == [("fired", None)]


def test_lines_are_not_missed_when_the_lists_are_made_anew(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    with long.house.database.write() as connection:
        readmodels.delete(connection)
    assert len(long.play(ONE).events) == 2
    assert long.house.audits.verify(long.match).holds


def test_lines_may_be_stored_when_the_lists_are_made_anew(long: Table) -> None:
    with long.house.database.write() as connection:
        readmodels.delete(connection)
    keep(long, 2, line(ONE, TWO))
    assert len(long.play(ONE).events) == 2


def test_a_repeated_move_is_answered_as_it_was(long: Table) -> None:
    from services.answers import Record, Replayed, StoredAnswer

    keep(long, 2, line(ONE, TWO))
    record = Record("k", "f", lambda done: StoredAnswer(201, {}, str(len(done.events)).encode()))
    request = Request(long.first, long.version, record=record)
    done = long.house.matches.play(request, long.match, ONE)
    assert done.answer is not None
    assert done.answer.body == b"2"
    with pytest.raises(Replayed) as replayed:
        long.house.matches.play(request, long.match, ONE)
    assert replayed.value.answer.body == b"2"


def test_the_end_of_the_match_clears_lines(long: Table) -> None:
    keep(long, 2, line(ONE, TWO))
    long.act(1, "resign")
    assert labels(long, 2) == []
    assert told(long, 2) == [("lapsed", OVER)]
    with pytest.raises(MatchNotActive):
        keep(long, 2, line(ONE, TWO))


def test_an_answer_that_ends_the_match_does_so_at_once(house: House) -> None:
    short = table(house).start(options={"length": 5})
    keep(short, 2, line(ONE, THREE))
    done = short.play(ONE)
    assert [event["kind"] for event in done.events] == ["move-made", "move-made", "match-ended"]
    assert done.shown.view.result == {"winner": 2, "reason": "capture"}
    assert house.audits.verify(short.match).holds


@pytest.mark.parametrize(
    ("lines", "pointer"),
    [
        ({}, "/lines"),
        ([1], "/lines/0"),
        ([{"if": ONE}], "/lines/0"),
        ([{**line(ONE, ONE), "else": 1}], "/lines/0"),
        ([line({"steps": "1"}, ONE)], "/lines/0/if/steps"),
        ([line(ONE, {"steps": "1"})], "/lines/0/then/0/steps"),
        ([line({"steps": 9}, ONE)], "/lines/0/if"),
        ([line(ONE, {"steps": 9})], "/lines/0/then/0"),
        ([line(ONE)], "/lines/0/then"),
        ([line(ONE, ONE, TWO)], "/lines/0/then/1"),
        ([line(ONE, following=[line(ONE, ONE)])], "/lines/0/next/0/if"),
        ([line(ONE, ONE), line(TWO, ONE), line(ONE, TWO)], "/lines/2/if"),
        ([line(ONE, *[ONE] * 9)], "/lines/0/then"),
    ],
)
def test_lines_that_cannot_be_are_refused(lines: Json, pointer: str, long: Table) -> None:
    change = Change(long.second, 0, long.version)
    with pytest.raises(InvalidConditionalMoves) as refused:
        long.house.conditionals.replace(change, long.match, lines)
    assert refused.value.pointer == pointer
    assert kept(long, 2).kept.version == 0


def test_too_many_and_too_deep_lines_are_refused(long: Table) -> None:
    deep = line(ONE, ONE)
    for _ in range(20):
        deep = line(ONE, ONE, following=[deep])
    with pytest.raises(InvalidConditionalMoves, match="one on the other"):
        keep(long, 2, deep)
    wide = [line({"steps": steps}, ONE) for steps in (1, 2, 3)]
    for _ in range(4):
        wide = [line({"steps": steps}, ONE, following=wide) for steps in (1, 2, 3)]
    with pytest.raises(InvalidConditionalMoves, match="100 lines"):
        keep(long, 2, *wide)


def test_a_line_may_say_what_to_play_while_the_opponent_is_passed_over(house: House) -> None:
    """On a path of 5 seat 1 goes to its end, and is passed over while seat 2 walks on."""
    short = table(house).start(options={"length": 5})
    short.play(THREE, TWO)
    assert short.shown().view.to_act == 1
    keep(short, 2, line(ONE, ONE, ONE))
    done = short.play(ONE)
    assert [event["kind"] for event in done.events if event["kind"] != "turn-passed"] == [
        "move-made", "move-made", "move-made", "match-ended",
    ]  # fmt: skip
    assert told(short, 2) == [("fired", None)] * 2
    assert house.audits.verify(short.match).holds


def test_versions_are_minded(long: Table) -> None:
    lines = [line(ONE, ONE)]
    conditionals = long.house.conditionals
    with pytest.raises(PreconditionRequired):
        conditionals.replace(Change(long.second, None, long.version), long.match, lines)
    with pytest.raises(StaleVersion) as stale:
        conditionals.replace(Change(long.second, 1, long.version), long.match, lines)
    assert stale.value.version == 0
    with pytest.raises(StaleVersion) as stale:
        conditionals.replace(Change(long.second, 0, long.version - 1), long.match, lines)
    assert stale.value.version == long.version
    assert keep(long, 2, *lines).kept.version == 1
    with pytest.raises(StaleVersion):
        conditionals.remove(Change(long.second, 0), long.match)
    assert conditionals.remove(Change(long.second, 1), long.match).kept.version == 2
    assert len(long.play(ONE).events) == 1


def test_a_line_is_deleted_by_its_label(long: Table) -> None:
    keep(long, 2, line(ONE, ONE, following=[line(ONE, TWO), line(TWO, TWO)]), line(TWO, TWO))
    conditionals = long.house.conditionals
    for label in ("3", "0", "1.3", "1.1.1", "x", "1.", ""):
        with pytest.raises(NotFound):
            conditionals.remove(Change(long.second, 1), long.match, label)
    conditionals.remove(Change(long.second, 1), long.match, "1.1")
    (first, second) = labels(long, 2)
    assert [one["if"] for one in first["next"]] == [TWO]
    assert second["if"] == TWO
    conditionals.remove(Change(long.second, 2), long.match, "1")
    assert [one["if"] for one in labels(long, 2)] == [TWO]


def test_only_a_seat_has_lines_and_only_its_own(long: Table) -> None:
    keep(long, 2, line(ONE, ONE))
    assert labels(long, 1) == []
    assert told(long, 1) == []
    stranger = long.house.accounts.local_player("eve").id
    with pytest.raises(NotYourSeat):
        long.house.conditionals.show(stranger, long.match)
    with pytest.raises(NotYourSeat):
        long.house.conditionals.happenings(stranger, long.match, None, 10)
    with pytest.raises(NotYourSeat):
        long.house.conditionals.remove(Change(stranger, 1), long.match)


def test_happenings_come_in_pages(long: Table) -> None:
    for steps in (ONE, TWO, THREE):
        keep(long, 2, line(steps, ONE))
        long.play(steps)
    conditionals = long.house.conditionals
    first = conditionals.happenings(long.second, long.match, None, 2)
    assert [one.number for one in first.happenings] == [3, 2]
    rest = conditionals.happenings(long.second, long.match, first.next_before, 2)
    assert [one.number for one in rest.happenings] == [1]
    assert rest.next_before is None


def test_a_refused_move_changes_no_lines(long: Table) -> None:
    keep(long, 2, line(ONE, ONE))
    from domain.errors import IllegalMove

    with pytest.raises(IllegalMove):
        long.play({"steps": 7})
    assert kept(long, 2).kept.version == 1
    assert len(long.play(ONE).events) == 2


def test_an_account_with_lines_in_many_matches_can_be_closed(house: House) -> None:
    at = table(house)
    for _ in range(7):
        at.start(options={"length": 41})
        keep(at, 2, line(ONE, TWO))
        house.notes.write(at.second, at.match, 0, "Mine alone")
    house.closing.close("brook")
    assert house.notes.of_match(at.second, at.match) == []
    assert told(at, 2) == [("lapsed", OVER)]
    assert at.shown().view.status == "finished"


DRAW = {"action": "draw"}


def past_setup(at: Table) -> int:
    """Place cards until the first turn begins; return the seat that it belongs to."""
    house = at.house
    for _ in range(6):
        seat = at.shown().view.to_act
        legal = house.looking.legal_moves(Look(at.player(seat or 1)), at.match)
        at.play(legal.moves[0]["move"])
    return at.shown().view.to_act or 0


def test_a_turn_of_the_card_game_answers_a_turn(house: House) -> None:
    """Three actions of the opponent, then three of the author's; all draws, so always legal."""
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    last = line(DRAW, DRAW, DRAW, DRAW)
    turn = line(DRAW, following=[line(DRAW, following=[last])])
    keep(cards, 3 - first, turn)
    cards.play(DRAW, DRAW)
    assert labels(cards, 3 - first)[0]["then"] == [DRAW] * 3
    done = cards.play(DRAW)
    assert [event["data"]["cause"] for event in done.events] == ["player", *["conditional"] * 3]
    assert done.shown.view.to_act == first
    assert told(cards, 3 - first) == [("fired", None)] * 3
    assert house.audits.verify(cards.match).holds


def test_an_answer_of_the_card_game_that_is_forbidden_lapses_with_the_rule(house: House) -> None:
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    far = {"action": "dominate", "x": 9, "y": 9}
    keep(cards, 3 - first, line(DRAW, following=[line(DRAW, following=[line(DRAW, far)])]))
    done = cards.play(DRAW, DRAW, DRAW)
    assert len(done.events) == 1
    assert done.shown.view.to_act == 3 - first
    page = house.conditionals.happenings(cards.player(3 - first), cards.match, None, 1)
    lapse = page.happenings[0].detail
    assert lapse["reason"] == FORBIDDEN
    assert lapse["text"].startswith("dominate 9,9 could not be played for you: ")
    assert house.audits.verify(cards.match).holds


def test_a_turn_that_goes_on_leaves_no_line_behind(house: House) -> None:
    """The opponent has two actions left when the line wants its answer."""
    cards = table(house).start("power-lines")
    first = past_setup(cards)
    keep(cards, 3 - first, line(DRAW, DRAW))
    assert len(cards.play(DRAW).events) == 1
    assert told(cards, 3 - first) == [("lapsed", NOT_TO_ACT)]
