"""Series: their terms, their score as a fold over ends, and which match follows on which."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from domain.errors import Corruption, InvalidSeries
from domain.json_types import Json
from domain.match import commands
from domain.match.events import ChanceDrawn, MatchCreated
from domain.match.series import End as SeriesEnd
from domain.match.series import (
    Score,
    SeriesPlace,
    SeriesTerms,
    complete_terms,
    compute_score,
    end_of,
    make_first_place,
    place_of,
)
from services.audits.decisions import decide_again
from tests.services.forging import finished
from tests.support.games import test_games
from tests.support.scenario import MATCH, PLAYERS, Table

PATH_CAPTURE = test_games().get("path-capture")
ADA, BOB = PLAYERS
SECOND = "0123456789abcdeg"
LATE = "2027-11-27T00:00:00.000000Z"


def scored(terms: SeriesTerms, ends: str) -> Score:
    """Score matches: who has won, ``a`` or ``b``; ``d`` a draw; a capital: the loser gives up.

    ``x``: aborted; ``.``: it runs; ``o``: it waits for its second player. Seats change.
    """
    return compute_score(terms, [_end(number, one) for number, one in enumerate(ends)])


def _end(number: int, how: str) -> SeriesEnd:
    players = (ADA, BOB) if number % 2 == 0 else (BOB, ADA)
    if how in "x.o":
        return SeriesEnd(players, {"x": "aborted", ".": "active", "o": "open"}[how])
    winner = None if how == "d" else 1 + players.index({"a": ADA, "b": BOB}[how.lower()])
    return SeriesEnd(players, "finished", winner, how.isupper())


def told(score: Score) -> tuple[int, int, str, str | None]:
    name = {ADA: "ada", BOB: "bob", None: None}[score.champion]
    return score.half_points[ADA], score.half_points[BOB], score.status, name


BEST, ALL = SeriesTerms(3), SeriesTerms(4, "played-out")
MORE, ALL_MORE = SeriesTerms(3, tie="two-more"), SeriesTerms(2, "played-out", "two-more")


@pytest.mark.parametrize(
    ("terms", "ends", "score"),
    [
        (BEST, "", None),
        (BEST, "o", (0, 0, "open", None)),
        (BEST, ".", (0, 0, "active", None)),
        (BEST, "a", (2, 0, "active", None)),
        (BEST, "a.", (2, 0, "active", None)),
        (BEST, "aa", (4, 0, "finished", "ada")),
        (BEST, "ab", (2, 2, "active", None)),
        (BEST, "abb", (2, 4, "finished", "bob")),
        (BEST, "ad", (3, 1, "active", None)),
        (BEST, "add", (4, 2, "finished", "ada")),
        (BEST, "adb", (3, 3, "finished", None)),
        (BEST, "ddd", (3, 3, "finished", None)),
        (ALL, "aa", (4, 0, "active", None)),
        (ALL, "aaa", (6, 0, "active", None)),
        (ALL, "aaab", (6, 2, "finished", "ada")),
        (ALL, "aabb", (4, 4, "finished", None)),
        (MORE, "ddd", (3, 3, "active", None)),
        (MORE, "ddda", (5, 3, "active", None)),
        (MORE, "dddaa", (7, 3, "finished", "ada")),
        (MORE, "dddad", (6, 4, "finished", "ada")),
        (MORE, "dddab", (5, 5, "active", None)),
        (MORE, "dddababab", (9, 9, "finished", None)),
        (MORE, "dddababad", (10, 8, "finished", "ada")),
        (ALL_MORE, "abddaa", (8, 4, "finished", "ada")),
        (ALL_MORE, "dddddddd", (8, 8, "finished", None)),
        (BEST, "ax", (2, 0, "aborted", None)),
        (BEST, "x", (0, 0, "aborted", None)),
        (BEST, "B", (0, 6, "finished", "bob")),
        (BEST, "aB", (2, 4, "finished", "bob")),
        (BEST, "A", (6, 0, "finished", "ada")),
        (ALL, "aaB", (4, 4, "finished", None)),
        (ALL, "aaaB", (6, 2, "finished", "ada")),
        (SeriesTerms(2, "played-out"), "aB", (2, 2, "finished", None)),
        (ALL_MORE, "aB", (2, 2, "finished", "bob")),
        (ALL_MORE, "abA", (6, 2, "finished", "ada")),
    ],
)  # fmt: skip
def test_the_score_is_a_fold_over_the_ends(
    terms: SeriesTerms, ends: str, score: tuple[int, int, str, str | None] | None
) -> None:
    found = scored(terms, ends)
    if score is None:
        assert found == Score({}, 3, 0, "open")
        return
    assert told(found) == score


@pytest.mark.parametrize("length", range(2, 22))
@pytest.mark.parametrize("tie", ["shared", "two-more"])
@pytest.mark.parametrize("decided", ["early", "played-out"])
def test_every_series_ends_within_its_most_and_goes_on_before(
    length: int, tie: str, decided: str
) -> None:
    if decided == "early" and length % 2 == 0:
        return
    terms, ends = SeriesTerms(length, decided, tie), ""
    while scored(terms, ends).goes_on or not ends:
        ends += "d"
    assert len(ends) == terms.most
    assert told(scored(terms, ends)) == (len(ends), len(ends), "finished", None)
    winning = ""
    while scored(terms, winning).goes_on or not winning:
        winning += "a"
    assert len(winning) == (length // 2 + 1 if decided == "early" else length)


@pytest.mark.parametrize(
    ("given", "full"),
    [
        (None, None),
        ({"length": 3}, SeriesTerms(3, "early", "shared")),
        (
            {"length": 21, "decided": "early", "tie": "two-more"},
            SeriesTerms(21, "early", "two-more"),
        ),
        ({"length": 2, "decided": "played-out"}, SeriesTerms(2, "played-out", "shared")),
    ],
)
def test_terms_are_filled_in(given: Json, full: SeriesTerms | None) -> None:
    assert complete_terms(given) == full


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        (7, "/series"),
        ([], "/series"),
        ({}, "/series/length"),
        ({"length": 0}, "/series/length"),
        ({"length": 1}, "/series/length"),
        ({"length": 22, "decided": "played-out"}, "/series/length"),
        ({"length": 10**9}, "/series/length"),
        ({"length": 3.0}, "/series/length"),
        ({"length": True}, "/series/length"),
        ({"length": "3"}, "/series/length"),
        ({"length": 4}, "/series/length"),
        ({"length": 4, "decided": "early"}, "/series/length"),
        ({"length": 3, "decided": "late"}, "/series/decided"),
        ({"length": 3, "decided": None}, "/series/decided"),
        ({"length": 3, "tie": []}, "/series/tie"),
        ({"length": 3, "best": 1}, "/series"),
    ],
)
def test_other_terms_are_refused(given: Json, pointer: str) -> None:
    with pytest.raises(InvalidSeries) as refused:
        complete_terms(given)
    assert refused.value.pointer == pointer
    assert refused.value.code == "invalid-series"


def series(*, terms: SeriesTerms = BEST, **table: Json) -> Table:
    return Table.started(PATH_CAPTURE, series=terms, **table)


def test_a_first_match_names_its_series_and_nothing_before_it() -> None:
    first = series()
    created = first.shown()[0]
    assert created["schema"] == 2
    assert created["data"]["series"] == {
        "length": 3, "decided": "early", "tie": "shared", "id": MATCH, "number": 1,
        "previous": None,
    }  # fmt: skip
    assert {event["schema"] for event in first.shown()[1:]} == {1}


def test_what_follows_has_seats_swapped_a_fresh_secret_and_no_contribution() -> None:
    first = Table(PATH_CAPTURE, series=BEST)
    first.do(commands.Contribute(1, "ab" * 32))
    first.join(contribution="cd" * 32)
    first.do(commands.Resign(1))
    second = Table.behind(first, SECOND)
    assert second.match.seats == first.match.seats[::-1]
    assert second.match.contributions == (None, None)
    assert second.match.secret != first.match.secret
    assert second.match.status == "active"
    assert second.match.series == SeriesPlace(BEST, MATCH, 2, (MATCH, first.match.head)).to_json()
    kinds = [(event.kind, event.actor) for event in second.events]
    assert kinds == [
        ("match-created", "server"),
        ("seat-taken", "server"),
        ("seat-taken", "server"),
        ("match-started", "server"),
    ]


def test_what_follows_begins_with_what_chance_decides() -> None:
    first = Table.started(test_games().get("power-lines"), series=BEST)
    first.do(commands.Resign(1))
    drawn = [event.fact.purpose for event in Table.behind(first, SECOND).events
             if isinstance(event.fact, ChanceDrawn)]  # fmt: skip
    assert drawn == ["first", "shuffle", "shuffle"]


def test_settings_go_with_their_players_and_are_sealed_anew() -> None:
    first = Table.started(test_games().get("power-lines"), series=BEST)
    first.do(commands.Resign(1))
    second = Table.behind(first, SECOND)
    assert second.match.settings == first.match.settings[::-1]
    sealed = [event.sealed[0] for event in (*first.events, *second.events)
              if event.kind == "seat-taken"]  # fmt: skip
    assert len({one.commitment for one in sealed}) == 4
    assert len({one.salt for one in sealed}) == 4


def test_only_who_leaves_or_has_not_moved_in_time_forfeits() -> None:
    def forfeits(*asked: commands.Command, moves: int = 0, at: str | None = None) -> object:
        table = series(pace={"days_per_move": 1})
        table.play(*[{"steps": 1}] * moves)
        for one in asked:
            table.do(one, at)
        return table.shown()[-1]["data"].get("forfeits")

    assert forfeits(commands.LeaveSeries(2)) is True
    assert forfeits(commands.Resign(2)) is None
    assert forfeits(commands.TimeOut(), at=LATE) is True
    assert forfeits(commands.TimeOut(), moves=1, at=LATE) is True
    assert forfeits(commands.TimeOut(), moves=2, at=LATE) is None
    assert forfeits(commands.TimeOut(), moves=3, at=LATE) is None


def test_a_series_is_left_while_one_of_its_matches_runs() -> None:
    table = series()
    table.do(commands.Resign(1))
    with pytest.raises(Exception, match="is over"):
        table.do(commands.LeaveSeries(1))


def test_without_a_series_nothing_is_forfeited() -> None:
    table = Table.started(PATH_CAPTURE, pace={"days_per_move": 1})
    with pytest.raises(Exception, match="no series"):
        table.do(commands.LeaveSeries(1))
    ended = table.do(commands.TimeOut(), LATE)[-1]
    assert (ended.schema, table.match.forfeits) == (1, False)


def test_one_player_aborts_in_the_first_match_alone() -> None:
    series().do(commands.AbortMatch(1))
    first = series()
    first.do(commands.Resign(1))
    for abort in (commands.AbortMatch(1), commands.AbortMatch(2)):
        with pytest.raises(Exception, match="only in its first match"):
            Table.behind(first, SECOND).do(abort)
    second = Table.behind(first, SECOND)
    second.do(commands.MakeOffer(1, "abort"))
    second.do(commands.AcceptOffer(2, "abort"))
    ends = [end_of(one.match) for one in (first, second)]
    assert compute_score(BEST, ends).status == "aborted"
    Table.behind(first, SECOND).do(commands.AbortMatch(None))


def test_moves_are_counted_for_each_seat_also_when_one_makes_several() -> None:
    table = Table.started(test_games().get("power-lines"), series=BEST)
    made = [0, 0]
    for _ in range(8):
        made[(table.match.to_act or 0) - 1] += 1
        table.play(table.legal_moves()[0])
        assert table.match.moved == tuple(made)
    assert made[0] != made[1]


def test_a_takeback_does_not_unmake_having_moved() -> None:
    table = series(pace={"days_per_move": 1})
    before = len(table.events)
    table.play({"steps": 1})
    table.take_back(1, before)
    assert table.match.moved == (1, 0)
    assert table.do(commands.TimeOut(), LATE)[-1].schema == 1


def test_every_decision_of_a_series_can_be_repeated() -> None:
    first = series()
    first.do(commands.Resign(1))
    second = Table.behind(first, SECOND)
    second.play({"steps": 1})
    second.do(commands.LeaveSeries(2))
    for table in (first, second, finished()["series"]):
        assert decide_again(table.events, table.games).fault is None


PLACE = SeriesPlace(BEST, MATCH, 2, (MATCH, "0" * 64)).to_json()


@pytest.mark.parametrize(
    "changed",
    [
        {"number": 0},
        {"number": 4},
        {"number": True},
        {"number": "2"},
        {"length": 4},
        {"tie": "none"},
        {"previous": {"match": MATCH}},
        {"previous": "none"},
        {"more": 1},
    ],
)
def test_a_place_that_cannot_be_is_refused(changed: dict[str, Json]) -> None:
    assert place_of(PLACE).to_json() == PLACE
    with pytest.raises(Corruption, match="series"):
        place_of({**PLACE, **changed})


def test_a_place_without_a_member_is_refused() -> None:
    for name in PLACE:
        with pytest.raises(Corruption, match="series"):
            place_of({key: value for key, value in PLACE.items() if key != name})


def _forged(places: Sequence[Json]) -> list[object]:
    """Say what an audit has against a first or second match with these places."""
    first = series()
    first.do(commands.Resign(1))
    found: list[object] = []
    for place in places:
        follows = place["number"] > 1
        table = Table.behind(first, SECOND) if follows else series()
        created = table.events[0].fact
        assert isinstance(created, MatchCreated)
        created = created._replace(series=place)
        stream = [table.events[0]._replace(fact=created), *table.events[1:]]
        fault = decide_again(stream, table.games).fault
        found.append(fault and fault.detail)
    return found


def test_an_audit_refuses_places_that_nobody_could_have_been_given() -> None:
    first = make_first_place(BEST, MATCH) or {}
    before = {"match": MATCH, "head": "0" * 64}
    odd = [
        {**first, "id": SECOND},
        {**first, "previous": before},
        {**PLACE, "previous": None},
        {**PLACE, "previous": {"match": SECOND, "head": "0" * 64}},
        {**PLACE, "previous": {"match": MATCH, "head": "0"}},
        {**PLACE, "number": 3},
        {**PLACE, "id": "1123456789abcdef"},
        {**PLACE, "id": "?"},
    ]
    assert all("cannot be" in str(one) for one in _forged(odd))
