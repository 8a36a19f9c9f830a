"""Messages are reported and hidden, accounts suspended; each with a reason that nobody changes."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from domain.errors import NotYourSeat
from domain.match.clock import format_instant
from services.container import Services
from services.errors import (
    CannotBeChallenged,
    InvalidRequest,
    InvalidText,
    NotFound,
    Suspended,
    TooOften,
    Unauthenticated,
)
from services.matches.requests import ChangeRequest, NewMatch
from services.store import talk
from services.store.people.profiles import ProfileRow
from services.store.talk import MessageRow, Room
from services.talk.chat import Speaker
from services.talk.moderation import MOST
from tests.services.conftest import Clock
from tests.services.people import Table, table, together

PASSWORD = "correct horse battery"
REASON = "An insult."


@pytest.fixture
def there(house: Services) -> Table:
    found = table(house).start()
    house.chat.say(found.first, found.match, "players", "You fool!")
    return found


def room(there: Table) -> Room:
    return Room(there.match, "players")


def said(there: Table, player: str | None, *, admin: bool = False) -> tuple[str | None, str | None]:
    page = there.house.chat.read(
        Speaker(player, admin), there.match, "players", after=0, before=None, limit=9
    )
    return page.listed[-1].text, page.listed[-1].hidden


def test_a_report_names_the_message_and_the_reason(house: Services, there: Table) -> None:
    house.moderation.report(there.second, room(there), 1, REASON)
    (entry,) = house.moderation.list_entries(None, 9).listed
    assert (entry.row.kind, entry.row.reason, entry.actor, entry.player) == (
        "reported", REASON, "brook", "ada",
    )  # fmt: skip
    assert entry.said is not None
    assert entry.said.text == "You fool!"


def test_what_cannot_be_reported_is_refused(house: Services, there: Table, clock: Clock) -> None:
    eve = house.accounts.get_local_player("eve").id
    report = house.moderation.report
    with pytest.raises(InvalidRequest):
        report(there.first, room(there), 1, REASON)
    with pytest.raises(NotFound):
        report(there.second, room(there), 2, REASON)
    with pytest.raises(InvalidText):
        report(there.second, room(there), 1, "")
    with pytest.raises(NotYourSeat):
        report(eve, room(there), 1, REASON)
    for _ in range(MOST):
        report(there.second, room(there), 1, REASON)
    with pytest.raises(TooOften):
        report(there.second, room(there), 1, REASON)
    clock.advance(days=1, seconds=1)
    report(there.second, room(there), 1, REASON)


def test_a_hidden_message_is_read_by_its_author_alone_who_is_told_why(
    house: Services, there: Table
) -> None:
    mark = house.chat.make_mark(there.match, ["players"])
    house.moderation.hide(None, room(there), 1, REASON)
    assert said(there, there.first) == ("You fool!", REASON)
    assert said(there, there.second) == (None, "")
    assert said(there, None, admin=True) == ("You fool!", REASON)
    assert house.chat.make_mark(there.match, ["players"]) != mark
    with pytest.raises(NotFound):
        house.moderation.report(there.second, room(there), 1, REASON)
    house.chat.delete(Speaker(there.first), there.match, "players", 1)
    assert said(there, there.first)[0] is None
    with pytest.raises(NotFound):
        house.moderation.hide(None, room(there), 1, REASON)


def kept(there: Table) -> MessageRow:
    """Return the first message as moderation has it."""
    with there.house.database.read() as connection:
        found = talk.find_evidence(connection, room(there), 1)
    assert found is not None
    return found


@pytest.mark.parametrize("admin", [False, True])
def test_a_reported_message_that_is_deleted_is_read_by_administrators_where_they_judge(
    house: Services,
    there: Table,
    clock: Clock,
    admin: bool,  # noqa: FBT001 - a parameter
) -> None:
    house.moderation.report(there.second, room(there), 1, REASON)
    mark = house.chat.make_mark(there.match, ["players"])
    deleter = Speaker(None, admin=True) if admin else Speaker(there.first)
    for _ in range(2):
        house.chat.delete(deleter, there.match, "players", 1)
        clock.advance(hours=1)
    for reader, rights in ((there.first, False), (there.second, False), (None, True)):
        assert said(there, reader, admin=rights) == (None, None)
    assert house.chat.make_mark(there.match, ["players"]) != mark
    (entry,) = house.moderation.list_entries(None, 9).listed
    assert entry.said == kept(there)
    deleted_at = format_instant(clock.now - timedelta(hours=2))
    assert (kept(there).text, kept(there).deleted_at) == ("You fool!", deleted_at)
    with pytest.raises(NotFound):
        house.moderation.report(there.second, room(there), 1, REASON)
    with pytest.raises(NotFound):
        house.moderation.hide(None, room(there), 1, REASON)
    house.closing.close("ada")
    assert (kept(there).text, kept(there).deleted_at) == (None, None)


def test_a_message_that_nobody_reported_is_deleted_for_good(house: Services, there: Table) -> None:
    house.chat.say(there.first, there.match, "players", "You hero!")
    house.moderation.report(there.second, room(there), 2, REASON)
    house.chat.delete(Speaker(there.first), there.match, "players", 1)
    assert (kept(there).text, kept(there).deleted_at) == (None, None)
    # Whoever follows the room sees no difference to one that was reported.
    assert house.chat.make_mark(there.match, ["players"]) == "2.1"
    house.chat.delete(Speaker(there.first), there.match, "players", 2)
    assert house.chat.make_mark(there.match, ["players"]) == "2.0"


def test_who_reports_while_it_is_deleted_has_the_text_or_nothing_to_report(
    house: Services, there: Table
) -> None:
    for _ in range(6):
        number = house.chat.say(there.first, there.match, "players", "Now!")[0].number
        report, _ = together(
            lambda: house.moderation.report(there.second, room(there), number, REASON),  # noqa: B023
            lambda: house.chat.delete(Speaker(there.first), there.match, "players", number),  # noqa: B023
        )
        assert report is None or isinstance(report, NotFound)
    entries = house.moderation.list_entries(None, 9).listed
    assert [one.said and one.said.text for one in entries] == ["Now!"] * len(entries)


def test_a_suspended_account_lets_nobody_in_and_is_told_why(house: Services, there: Table) -> None:
    house.accounts.sign_up("eve", PASSWORD)
    session = house.sessions.log_in("eve", PASSWORD, None)
    token = house.accounts.issue_token("eve", PASSWORD, "x").token
    house.accounts.sign_up("fay", PASSWORD)
    house.moderation.suspend(there.first, "eve", REASON)
    house.moderation.suspend(None, "fay", "Nobody else is told of this.")
    assert house.sessions.find(session) is None
    with pytest.raises(Unauthenticated):
        house.accounts.authenticate(token)
    for get_in in (
        lambda: house.sessions.log_in("eve", PASSWORD, None),
        lambda: house.accounts.issue_token("eve", PASSWORD, "x"),
    ):
        with pytest.raises(Suspended, match=REASON):
            get_in()
    with pytest.raises(Unauthenticated):
        house.sessions.log_in("eve", "a wrong password", None)
    with pytest.raises(NotFound):
        house.moderation.suspend(None, "eve", REASON)
    house.moderation.lift(None, "eve", "A mistake of ours.")
    assert house.sessions.log_in("eve", PASSWORD, None)
    with pytest.raises(NotFound):
        house.moderation.lift(None, "eve", REASON)
    kinds = [(one.row.kind, one.actor) for one in house.moderation.list_entries(None, 9).listed]
    assert kinds == [("lifted", None), ("suspended", None), ("suspended", "ada")]


def test_nobody_begins_a_match_with_who_is_suspended_and_clocks_run_on(
    house: Services, there: Table, clock: Clock
) -> None:
    eve = house.accounts.sign_up("eve", PASSWORD).id
    seek = house.matches.create(ChangeRequest(eve), NewMatch("path-capture")).shown.view.id
    timed = house.matches.create(
        ChangeRequest(eve), NewMatch("path-capture", seat=1, pace={"days_per_move": 1})
    ).shown.view.id
    house.matches.join(ChangeRequest(there.first), timed)
    house.moderation.suspend(None, "eve", REASON)
    with pytest.raises(CannotBeChallenged):
        house.matches.join(ChangeRequest(there.second), seek)
    new = NewMatch("path-capture", opponent="eve")
    with pytest.raises(CannotBeChallenged):
        house.matches.create(ChangeRequest(there.second), new)
    clock.advance(days=1, seconds=1)
    assert house.sweeping.sweep().timeouts == 1


AGAIN = (
    'INSERT INTO moderation SELECT {number}, "at", kind, actor, player, "match", room, message, '
    "reason FROM moderation"
)


@pytest.mark.parametrize(
    "attack",
    [
        "UPDATE moderation SET reason = 'None.'",
        "DELETE FROM moderation",
        # SQLite knows no such statement.
        "TRUNCATE moderation CASCADE",
        AGAIN.format(number=9),
        AGAIN.format(number=1),
    ],
)
def test_the_database_keeps_every_row_as_it_was(house: Services, there: Table, attack: str) -> None:
    house.moderation.report(there.second, room(there), 1, REASON)
    with pytest.raises(DBAPIError), house.database.write() as connection:
        connection.execute(text(attack))
    assert [one.row.reason for one in house.moderation.list_entries(None, 9).listed] == [REASON]


def test_a_log_is_leafed_through(house: Services, there: Table) -> None:
    for number in range(5):
        house.moderation.report(there.second, room(there), 1, f"Reason {number}.")
    page = house.moderation.list_entries(None, 2)
    assert [one.row.number for one in page.listed] == [5, 4]
    page = house.moderation.list_entries(page.next_cursor, 2)
    assert [one.row.number for one in page.listed] == [3, 2]
    page = house.moderation.list_entries(page.next_cursor, 2)
    assert ([one.row.number for one in page.listed], page.next_cursor) == ([1], None)


def test_a_reason_says_what_players_are_called_now(house: Services, there: Table) -> None:
    house.profile_settings.change(there.first, ProfileRow("Ada Lovelace"))
    reason = "ADA, who is Ada Lovelace, said so; brook (me) too. Not Adabell."
    house.moderation.report(there.second, room(there), 1, reason)
    house.moderation.suspend(None, "ada", "As ada knows.")
    with house.database.read() as connection:
        stored = " ".join(connection.execute(text("SELECT reason FROM moderation")).scalars())
    assert not re.search(r"\bada\b|lovelace|brook", stored, re.IGNORECASE)

    def told() -> list[str]:
        return [one.row.reason for one in house.moderation.list_entries(None, 9).listed]

    long = "Ada Lovelace, who is Ada Lovelace, said so; brook (me) too. Not Adabell."
    assert told() == ["As Ada Lovelace knows.", long]
    house.closing.close("ada")
    assert told() == ["As closed account knows.", long.replace("Ada Lovelace", "closed account")]
