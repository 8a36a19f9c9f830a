"""A visitor plays against the house without an account, in one seat, and may sign up with it."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from domain.errors import CannotTakeBack, InvalidOptions, InvalidSettings
from domain.match.house_players import PLAYERS
from services.accounts.guests import NAME, find_guest, key_of
from services.container import Services
from services.errors import (
    NameTaken,
    NotFound,
    TooManyHouseMatches,
    TooOften,
    Unauthenticated,
    UnknownOpponent,
)
from services.lobby import practice
from services.lobby.lists import MatchFilter
from services.lobby.practice import NewPractice, Opponent
from services.matches.access import UNLISTED
from services.matches.actions import Action
from services.matches.commands import MatchCommands
from services.matches.queries import Asker, MatchQueries
from services.matches.requests import (
    AlreadyAnswered,
    ChangeRequest,
    CommandResult,
    NewMatch,
    Repeatable,
    StoredAnswer,
)
from services.matches.timeouts import Swept
from services.store import accounts
from services.store.lobby.statistics import StatisticsFilter
from tests.services.conftest import ON_SQLITE_ALONE, Clock
from tests.services.people import together

ME, OTHER, PASSWORD = "a cookie", "another cookie", "a long enough password"
WALK = NewPractice("path-capture", {}, ({}, {}))
CARDS = NewPractice("power-lines", {}, ({}, {}))


def begun(
    house: Services, holder: str = ME, new: NewPractice = WALK, level: int = 1, seat: int = 1
) -> str:
    """Begin a match against the house; return its id."""
    done = house.practice.begin_against(holder, new, Opponent(level, seat))
    return done.shown.view.id


def me(house: Services, match: str, holder: str = ME) -> str:
    acting = house.practice.find_acting(holder, match)
    assert acting is not None
    return acting.player


def play(house: Services, match: str, holder: str = ME) -> None:
    """Make the first legal move, and let the house answer."""
    player = me(house, match, holder)
    legal = house.queries.list_legal_moves(Asker(player), match, limit=1)
    house.matches.play(ChangeRequest(player, legal.version), match, legal.moves[0]["move"])
    while house.house_players.go_on(match):
        pass


def status(house: Services, match: str) -> str:
    return house.queries.show(Asker(), match).view.status


@pytest.mark.parametrize("seat", [1, 2])
def test_the_match_has_begun_and_the_house_sits_in_the_other_seat(
    house: Services, seat: int
) -> None:
    match = begun(house, level=2, seat=seat)
    view = house.queries.show(Asker(), match).view
    assert (view.status, view.visibility, view.rated) == ("active", UNLISTED, False)
    assert view.seats[2 - seat] == PLAYERS[2]
    assert view.seats[seat - 1] == me(house, match)
    assert house.audits.verify(match).holds


@ON_SQLITE_ALONE
@pytest.mark.parametrize("seat", [1, 2])
def test_a_visitor_is_their_own_seat_and_never_the_houses(house: Services, seat: int) -> None:
    """Also while the house is to act: its hand is not theirs to see, nor its moves to make."""
    match = begun(house, new=CARDS, seat=seat)
    seen = set()
    for _ in range(12):
        acting = house.practice.find_acting(ME, match)
        assert acting is not None
        assert not acting.both
        assert acting.name == NAME
        shown = house.queries.show(Asker(acting.player), match)
        assert shown.you == seat
        seen.add(shown.view.to_act)
        if shown.view.to_act == seat:
            play_one(house, match)
        elif not house.house_players.go_on(match):
            break
    assert seen >= {1, 2}


def play_one(house: Services, match: str) -> None:
    player = me(house, match)
    legal = house.queries.list_legal_moves(Asker(player), match, limit=1)
    house.matches.play(ChangeRequest(player, legal.version), match, legal.moves[0]["move"])


@ON_SQLITE_ALONE
def test_nobody_else_acts_in_it_and_no_hand_does(house: Services) -> None:
    match = begun(house)
    begun(house, OTHER)
    assert house.practice.find_acting(OTHER, match) is None
    for change in (house.practice.take_back, house.practice.end):
        for holder in (ME, OTHER):
            with pytest.raises(NotFound):
                change(holder, match)
    assert [one.shown.view.id for one in house.practice.list_held(ME)] == [match]
    assert house.practice.list_held(ME)[0].shown.you == 1


@ON_SQLITE_ALONE
def test_the_house_answers_by_its_rules(house: Services) -> None:
    match = begun(house, new=NewPractice("grid-power", {}, ({}, {})))
    play(house, match)
    player = me(house, match)
    version = house.queries.show(Asker(), match).view.version
    back = Action("offer_takeback", to_version=version - 2)
    house.matches.act(ChangeRequest(player, version), match, back)
    assert house.house_players.go_on(match)
    assert house.queries.show(Asker(), match).view.ply == 0
    house.matches.act(ChangeRequest(player, any_version=True), match, Action("offer_draw"))
    assert house.house_players.go_on(match)
    assert status(house, match) == "active"
    house.matches.act(ChangeRequest(player, any_version=True), match, Action("resign"))
    assert house.queries.show(Asker(), match).view.result == {
        "winner": 2,
        "reason": "resignation",
    }


def test_a_visitor_is_in_no_list_and_nobody_finds_or_is_one(house: Services) -> None:
    match = begun(house)
    play(house, match)
    assert house.lobby.list_matches(Asker(), MatchFilter()).listed == []
    assert house.statistics.list_rows(StatisticsFilter()) == []
    ada = house.accounts.get_local_player("ada").id
    player = me(house, match)
    with house.database.read() as connection:
        row = accounts.find_by_id(connection, player)
    assert row is not None
    for name in (NAME, row.key, row.key.lower()):
        assert house.accounts.find(name) is None
        with pytest.raises(Unauthenticated):
            house.accounts.check_password(name, "")
        with pytest.raises(UnknownOpponent):
            house.matches.create(ChangeRequest(ada), NewMatch("path-capture", opponent=name))
    for prefix in ("", "a", "g", "GUEST"):
        assert NAME not in house.profiles.list_names(prefix)


def test_a_browser_is_one_visitor_also_when_it_begins_two_at_once(
    houses: tuple[Services, Services],
) -> None:
    made = together(*(lambda one=one: begun(one) for one in houses))
    assert len({me(houses[0], str(match)) for match in made}) == 1


def test_what_is_refused_leaves_nothing_and_nobody(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    for level in (0, 9):
        with pytest.raises(UnknownOpponent):
            begun(house, level=level)
    with pytest.raises(InvalidOptions):
        begun(house, new=WALK._replace(options={"nodes": -1}))
    with pytest.raises(InvalidSettings):
        begun(house, new=CARDS._replace(settings=({"deck": "none"}, {})))
    assert house.practice.list_held(ME) == []
    monkeypatch.setattr(practice, "MOST", 1)
    house.practice.begin(ME, WALK)
    with pytest.raises(TooOften):
        begun(house)
    assert find_guest(house.database, ME) is None


def test_a_visitor_has_so_many_running_ones(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(practice, "MOST_AGAINST_THE_HOUSE", 2)
    match, _ = begun(house), begun(house)
    with pytest.raises(TooManyHouseMatches):
        begun(house)
    begun(house, OTHER)
    house.matches.act(ChangeRequest(me(house, match), any_version=True), match, Action("resign"))
    begun(house)
    monkeypatch.setattr(practice, "MOST", 3)
    with pytest.raises(TooOften):
        begun(house)


def test_held_matches_are_counted_and_none_is_loaded(
    house: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(house), house.practice.begin(ME, WALK)
    monkeypatch.setattr(practice, "MOST", 2)
    with monkeypatch.context() as patch:
        patch.setattr(MatchQueries, "must_load", None)
        for begin in (begun, lambda house: house.practice.begin(ME, WALK)):
            with pytest.raises(TooOften):
                begin(house)
    assert house.practice.holds_a_visitors(ME)
    assert not house.practice.holds_a_visitors(OTHER)
    # What is an account's by now is counted there alone, and so is what nobody holds any more.
    signed_up(house)
    assert not house.practice.holds_a_visitors(ME)
    begun(house)
    assert house.practice.holds_a_visitors(ME)
    clock.advance(hours=24)
    assert not house.practice.holds_a_visitors(ME)


def test_what_is_asked_for_again_begins_one(house: Services) -> None:
    record: Repeatable[CommandResult] = Repeatable(
        "key", "0" * 64, lambda _: StoredAnswer(201, {}, b"here it is")
    )
    house.practice.begin_against(ME, WALK, Opponent(1, 1), record)
    with pytest.raises(AlreadyAnswered):
        house.practice.begin_against(ME, WALK, Opponent(1, 1), record)
    assert len(house.practice.list_held(ME)) == 1


def test_after_a_day_nobody_holds_it_and_the_sweep_ends_it(house: Services, clock: Clock) -> None:
    mine, houses_turn, over = begun(house), begun(house), begun(house)
    play(house, mine)
    play_one(house, houses_turn)
    house.matches.act(ChangeRequest(me(house, over), any_version=True), over, Action("resign"))
    clock.advance(hours=24)
    assert house.practice.find_acting(ME, mine) is None
    assert house.sweeping.sweep() == Swept(practices=3)
    found = [status(house, one) for one in (mine, houses_turn, over)]
    assert found == ["aborted", "aborted", "finished"]
    assert all(house.audits.verify(one).holds for one in (mine, houses_turn, over))
    # The house proposes nothing, not even then.
    for match in (mine, houses_turn):
        offers = [
            one
            for one in house.queries.show_events(Asker(local=True), match).events
            if one["kind"].endswith("-offered")
        ]
        assert {one["actor"] for one in offers} <= {"seat-1"}


def test_the_house_may_agree_to_what_the_sweep_proposes_before_it(
    house: Services, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [begun(house) for _ in range(2)]
    clock.advance(hours=24)
    act = MatchCommands.act

    def and_the_house_hears(
        self: MatchCommands, request: ChangeRequest, match: str, action: Action
    ) -> CommandResult:
        done = act(self, request, match, action)
        if request.caller not in PLAYERS.values():
            assert house.house_players.go_on(match)
        return done

    monkeypatch.setattr(MatchCommands, "act", and_the_house_hears)
    assert house.sweeping.sweep() == Swept(practices=2)
    assert [status(house, one) for one in matches] == ["aborted", "aborted"]


# --- signing up -----------------------------------------------------------------------------------


def signed_up(house: Services, name: str = "ada", holder: str = ME) -> str:
    session = house.sessions.sign_up(name, PASSWORD, None, guest=key_of(holder))
    found = house.sessions.find(session)
    assert found is not None
    assert found.name == name
    return found.player


def test_who_signs_up_keeps_their_matches(house: Services, clock: Clock) -> None:
    running, over = begun(house), begun(house)
    play(house, running)
    house.matches.act(ChangeRequest(me(house, over), any_version=True), over, Action("resign"))
    player = signed_up(house)
    mine = house.lobby.list_matches(Asker(player), MatchFilter(mine=True)).listed
    assert {one.view.id for one in mine} == {running, over}
    assert {one.you for one in mine} == {1}
    assert {one.tell_name(player) for one in mine} == {"ada"}
    # They are the account's alone now: the cookie holds nothing any more, and no sweep ends them.
    assert house.practice.find_acting(ME, running) is None
    assert house.practice.list_held(ME) == []
    clock.advance(days=2)
    house.sweeping.sweep()
    assert status(house, running) == "active"
    legal = house.queries.list_legal_moves(Asker(player), running, limit=1)
    house.matches.play(ChangeRequest(player, legal.version), running, legal.moves[0]["move"])
    assert house.audits.verify(running).holds
    assert house.accounts.check_password("ADA", PASSWORD).id == player


def test_names_are_forgotten_for_a_visitor_s_sake_alone(house: Services) -> None:
    match = begun(house)
    player = me(house, match)
    assert house.queries.show(Asker(), match).tell_name(player) == NAME
    known = house.accounts.known_names.generation
    house.sessions.sign_up("bob", PASSWORD, None)
    assert house.accounts.known_names.generation == known
    signed_up(house)
    assert house.queries.show(Asker(), match).tell_name(player) == "ada"


@ON_SQLITE_ALONE
def test_who_plays_on_without_logging_in_is_a_new_visitor(house: Services) -> None:
    match = begun(house)
    player = signed_up(house)
    again = begun(house)
    assert me(house, again) != player
    assert house.practice.find_acting(ME, match) is None


def test_a_name_that_is_taken_leaves_the_visitor_as_they_are(house: Services) -> None:
    match = begun(house)
    house.accounts.sign_up("ada", PASSWORD)
    for name in ("ada", "ADA", "Ada", "aDA"):
        with pytest.raises(NameTaken):
            signed_up(house, name)
    assert me(house, match)


def test_of_two_who_want_a_name_at_once_one_gets_it(houses: tuple[Services, Services]) -> None:
    for number, one in enumerate(houses):
        begun(one, holder=f"cookie {number}")
    # Names that fold to the same key, and do not look alike by their skeletons.
    results = together(
        *(
            lambda one=one, number=number, name=name: signed_up(one, name, f"cookie {number}")
            for number, (one, name) in enumerate(zip(houses, ("Ian", "ian"), strict=True))
        )
    )
    assert sum(isinstance(one, NameTaken) for one in results) == 1


def test_of_two_who_sign_up_at_once_as_one_visitor_both_get_their_names(
    house: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As from two tabs: one goes on as the visitor, the other as who has played nothing."""
    player, name_visitor, quicker = me(house, begun(house)), accounts.name_visitor, ["bob"]

    def meanwhile(connection: Connection, visitor: str, row: accounts.PlayerRow) -> bool:
        # On SQLite nobody else writes within a transaction.
        if quicker and connection.dialect.name == "postgresql":
            assert signed_up(house, quicker.pop()) == player
        return name_visitor(connection, visitor, row)

    monkeypatch.setattr(accounts, "name_visitor", meanwhile)
    first = signed_up(house, "ada")
    second = signed_up(house, "bob") if quicker else house.accounts.get_by_name("bob").id
    assert {first, second} >= {player}
    assert first != second


@ON_SQLITE_ALONE
def test_who_has_played_nothing_signs_up_as_everybody(house: Services) -> None:
    assert signed_up(house)


@ON_SQLITE_ALONE
def test_nothing_can_be_taken_back_before_a_move(house: Services) -> None:
    match = begun(house)
    version = house.queries.show(Asker(), match).view.version
    back = Action("offer_takeback", to_version=version - 1)
    with pytest.raises(CannotTakeBack):
        house.matches.act(ChangeRequest(me(house, match), version), match, back)
