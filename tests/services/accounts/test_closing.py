"""Closing an account: no seek outlives its author, and what was played remains."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import structlog

from domain.errors import Refusal
from domain.match.clock import format_instant
from services.accounts.closing import GRACE
from services.container import Services
from services.errors import NameTaken, NotFound, Unauthenticated, UnknownOpponent
from services.lobby.lists import MatchFilter
from services.matches.match_json import match_json
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.matches.vacations import DAYS_A_YEAR
from services.notices.webhooks import NewWebhook
from services.runtime.settings import Settings
from services.store.people.profiles import ProfileRow, show_name
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import Clock
from tests.services.people import Table, together
from tests.services.racing import Clocks
from tests.support.games import test_games

PASSWORD = "correct horse battery"
ROUNDS = 6


def create(there: Table, caller: str, **more: object) -> str:
    new = NewMatch("path-capture", seat=1, **more)  # type: ignore[arg-type]
    return there.house.matches.create(ChangeRequest(caller), new).shown.view.id


def result(house: Services, match: str) -> object:
    return (house.queries.show(Asker(local=True), match).view.result or {}).get("reason")


def test_a_seek_does_not_outlive_its_authors_account(house: Services, there: Table) -> None:
    made = {
        "aborted": create(there, there.first),
        "withdrawn": create(there, there.first, opponent="brook"),
        "declined": create(there, there.second, opponent="ada"),
    }
    house.closing.close("ada")
    assert {reason: result(house, match) for reason, match in made.items()} == {
        reason: reason for reason in made
    }
    for match in made.values():
        with pytest.raises(Refusal):
            house.matches.join(ChangeRequest(house.accounts.get_local_player("eve").id), match)
        assert house.audits.verify(match).holds
    assert house.lobby.list_matches(Asker(), MatchFilter(status="open")).listed == []


def test_a_match_that_cannot_be_read_keeps_nobody_from_going(
    house: Services, there: Table, clock: Clock, migrated_url: str
) -> None:
    damaged, known = (there.start(pace={"days_per_move": 3}).match for _ in range(2))
    damage(house.database, damaged)
    other = Services(Settings(database_url=migrated_url), games=test_games(), now=clock)
    with structlog.testing.capture_logs() as log:
        assert other.vacations.take(there.first, 1).days_left == DAYS_A_YEAR - 1
        other.closing.close("ada")
    other.close()
    assert result(house, known) == "resignation"
    assert [one["match"] for one in log if one["event"] == "damaged_match"] == [damaged] * 2


def test_a_running_match_is_given_up(house: Services, there: Table) -> None:
    there.start()
    house.closing.close("ada")
    view = there.shown().view
    assert view.result == {"winner": 2, "reason": "resignation"}
    assert house.audits.verify(there.match).holds


def test_finished_matches_remain_under_a_closed_account(house: Services, there: Table) -> None:
    there.start()
    there.act(2, "resign")
    before = house.queries.show(Asker(), there.match)
    assert match_json(before)["seats"][0]["player"] == "ada"
    house.closing.close("ada")
    shown = match_json(house.queries.show(Asker(), there.match))
    assert [seat["player"] for seat in shown["seats"]] == ["closed account", "brook"]
    assert shown["version"] == before.view.version
    assert house.lobby.list_matches(Asker(), MatchFilter(player="ada")).listed == []


def test_another_process_shows_a_name_no_longer_than_it_is_there(
    houses: tuple[Services, Services], clocks: Clocks
) -> None:
    """Names are remembered for a while, but not one that is about to go."""
    one, other = houses
    player = one.accounts.sign_up("ada", PASSWORD).id
    one.closing.ask("ada", PASSWORD)
    assert other.accounts.find_names([player]) == {player: "ada"}
    clocks.own.now = clocks.start + GRACE
    assert one.closing.close_due() == 1
    assert other.accounts.find_names([player]) == {player: "closed account"}


def test_the_name_is_never_given_out_again(house: Services, there: Table) -> None:
    del there
    house.closing.close("ada")
    for again in ("ada", "ADA"):
        with pytest.raises(NameTaken):
            house.accounts.sign_up(again, PASSWORD)
        with pytest.raises(NameTaken):
            house.accounts.get_local_player(again)
    with pytest.raises(NotFound):
        house.closing.close("ada")


def test_a_closed_account_lets_nobody_in(house: Services) -> None:
    house.accounts.sign_up("cleo", PASSWORD)
    token = house.accounts.issue_token("cleo", PASSWORD, "x").token
    session = house.sessions.log_in("cleo", PASSWORD, None)
    house.closing.close("cleo")
    with pytest.raises(Unauthenticated):
        house.accounts.authenticate(token)
    with pytest.raises(Unauthenticated):
        house.accounts.issue_token("cleo", PASSWORD, "x")
    assert house.sessions.find(session) is None


def test_an_account_is_closed_a_week_after_its_player_has_asked_for_it(
    house: Services, there: Table, clock: Clock
) -> None:
    cleo = house.accounts.sign_up("cleo", PASSWORD).id
    session = house.sessions.log_in("cleo", PASSWORD, None)
    running = create(there, cleo)
    house.matches.join(ChangeRequest(there.first), running)
    with pytest.raises(Unauthenticated):
        house.closing.ask("cleo", "a wrong password")
    assert house.sessions.find(session) is not None
    assert house.closing.ask("cleo", PASSWORD) == format_instant(clock.now + GRACE)
    assert house.sessions.find(session) is None
    clock.advance(days=6, hours=23)
    assert house.sweeping.sweep().closed == 0
    # Meanwhile the match goes on, as matches do.
    house.matches.play(ChangeRequest(cleo, any_version=True), running, {"steps": 1})
    assert result(house, running) is None
    clock.advance(hours=1)
    assert house.sweeping.sweep().closed == 1
    assert result(house, running) == "resignation"
    assert house.accounts.find("cleo") is None
    assert house.audits.verify(running).holds
    assert house.sweeping.sweep().closed == 0


def test_who_logs_in_before_keeps_the_account(house: Services, clock: Clock) -> None:
    house.accounts.sign_up("cleo", PASSWORD)
    assert not house.closing.is_asked("cleo")
    house.closing.ask("cleo", PASSWORD)
    clock.advance(days=3)
    assert house.closing.is_asked("cleo")
    house.sessions.log_in("cleo", PASSWORD, None)
    assert not house.closing.is_asked("cleo")
    clock.advance(days=30)
    assert house.sweeping.sweep().closed == 0
    assert house.sessions.log_in("cleo", PASSWORD, None)


def test_an_account_that_is_due_is_closed_once(house: Services, clock: Clock) -> None:
    house.accounts.sign_up("cleo", PASSWORD)
    house.closing.ask("cleo", PASSWORD)
    clock.advance(days=7)
    assert sorted(together(house.closing.close_due, house.closing.close_due)) == [0, 1]  # type: ignore[type-var]


def test_who_logs_in_while_the_account_is_closed_has_it_or_is_refused(
    house: Services, clock: Clock
) -> None:
    """Whoever comes first: nobody holds the session of an account that is gone."""
    for number in range(ROUNDS):
        name = f"player{number}"
        house.accounts.sign_up(name, PASSWORD)
        house.closing.ask(name, PASSWORD)
        clock.advance(days=7)
        row = house.accounts.check_password(name, PASSWORD)
        session, closed = together(
            lambda row=row: house.sessions.begin(row, None), house.closing.close_due
        )
        stays = isinstance(session, str)
        assert (closed, house.accounts.find(name) is not None) == (not stays, stays)
        if isinstance(session, str):
            assert house.sessions.find(session) is not None
        assert house.closing.close_due() == 0


def test_nobody_challenges_a_closed_account(house: Services, there: Table) -> None:
    house.closing.close("brook")
    with pytest.raises(UnknownOpponent):
        create(there, there.first, opponent="brook")
    with pytest.raises(UnknownOpponent):
        create(there, there.first, opponent="closed account")


def test_nothing_is_left_open_by_who_creates_while_the_account_is_closed(
    house: Services, there: Table
) -> None:
    """Whoever comes first: afterwards there is no open match with a closed account."""
    for number in range(ROUNDS):
        name = f"player{number}"
        player = house.accounts.get_local_player(name).id
        gate = Barrier(4)

        def close(name: str = name, gate: Barrier = gate) -> None:
            gate.wait()
            house.closing.close(name)

        def seek(player: str = player, gate: Barrier = gate) -> None:
            gate.wait()
            try:
                create(there, player)
            except Unauthenticated:
                return

        def challenge(name: str = name, gate: Barrier = gate) -> None:
            gate.wait()
            try:
                create(there, there.first, opponent=name)
            except UnknownOpponent:
                return

        with ThreadPoolExecutor(4) as pool:
            for one in [pool.submit(call) for call in (close, seek, seek, challenge)]:
                one.result()
        assert house.lobby.list_matches(Asker(local=True), MatchFilter(status="open")).listed == []


def test_who_joins_while_the_account_is_closed_has_no_match_that_waits(
    house: Services, there: Table
) -> None:
    for number in range(ROUNDS):
        name = f"player{number}"
        player = house.accounts.get_local_player(name).id
        match = create(there, player)
        gate = Barrier(2)

        def close(name: str = name, gate: Barrier = gate) -> None:
            gate.wait()
            house.closing.close(name)

        def join(match: str = match, gate: Barrier = gate) -> None:
            gate.wait()
            try:
                house.matches.join(ChangeRequest(there.second), match)
            except Refusal:
                return

        with ThreadPoolExecutor(2) as pool:
            for one in [pool.submit(close), pool.submit(join)]:
                one.result()
        assert result(house, match) in ("aborted", "resignation")
        assert house.audits.verify(match).holds


def test_nothing_is_written_of_a_person_behind_what_forgets_them(
    house: Services, there: Table
) -> None:
    """A request may have begun before the account was closed, and write after it."""
    match, ada, brook = there.start().match, there.first, there.second
    house.closing.close("ada")
    late: dict[str, Callable[[], object]] = {
        "profile": lambda: house.profile_settings.change(ada, ProfileRow("Ada Lovelace")),
        "follow": lambda: house.relations.follow(ada, "brook"),
        "chat": lambda: house.chat.say(ada, match, "players", "I am Ada"),
        "note": lambda: house.notes.write(ada, match, 0, "I am Ada"),
        "webhook": lambda: house.webhooks.make(ada, NewWebhook("https://ada.example")),
        "feed": lambda: house.subscriptions.make(ada, "feed"),
    }
    for write in late.values():
        with pytest.raises(Unauthenticated):
            write()
    assert house.accounts.find_names([ada])[ada] == show_name(house.accounts.find_names([ada])[ada])
    assert house.relations.get_related(brook) == ([], [])
