"""All of one's own data in one file: everything that is theirs, and nothing that is another's."""

from __future__ import annotations

import orjson
import pytest

from domain.json_types import JsonObject
from domain.match.clock import format_instant
from domain.match.notices import TURN
from services.accounts.passkeys import RelyingParty
from services.container import Services
from services.errors import Unauthenticated
from services.matches.requests import ChangeRequest, NewMatch
from services.notices.webhooks import NewWebhook
from services.runtime.settings import Settings
from services.store.notices import channels
from services.store.notices.channels import MAIL, ChannelRow
from services.store.people.profiles import ProfileRow
from services.store.talk import Room
from services.talk.chat import Speaker
from tests.services.checkpoints.attacks import damage
from tests.services.conftest import Clock
from tests.services.exchange.test_exports_schemas import validator
from tests.services.matches.lines import keep, line
from tests.services.people import Table
from tests.support.authenticator import Authenticator
from tests.support.games import test_games

PASSWORD = "correct horse battery"


@pytest.fixture
def there(house: Services) -> Table:
    """Give a player with everything that a player can have, and another one."""
    first, second = (house.accounts.sign_up(name, PASSWORD).id for name in ("ada", "brook"))
    found = Table(house, first, second)
    house.profile_settings.change(first, ProfileRow("Ada L", "Europe/Berlin"))
    house.accounts.issue_token("ada", PASSWORD, "my bot")
    house.recovery.make("ada", PASSWORD)
    at = format_instant(house.now())
    with house.database.write() as connection:
        for number, kind in enumerate(MAIL):
            address = f"ada{number}@play.example"
            channels.insert(
                connection, ChannelRow(f"w_{number}", first, kind, "", at, address, held_until=at)
            )
    house.relations.follow(first, "brook")
    found.start(series={"length": 2, "decided": "played-out"})
    house.chat.say(first, found.match, "players", "Good luck!")
    house.chat.say(second, found.match, "players", "And to you.")
    house.notes.write(first, found.match, 1, "A note of mine.")
    house.notes.write(second, found.match, 1, "A note of the other one's.")
    house.moderation.report(first, Room(found.match, "players"), 2, "Too polite.")
    found.play({"steps": 1})
    found.act(2, "resign")
    private = NewMatch("path-capture", seat=1, opponent="brook", visibility="private")
    house.matches.create(ChangeRequest(first), private)
    house.matches.create(ChangeRequest(second), NewMatch("path-capture"))
    more_of(house, first, second)
    house.sequencer.run()
    house.rated_matches.rate()
    return found


def more_of(house: Services, first: str, second: str) -> None:
    """Give the player what they have beside a match that is over, and the other one as much."""
    site = RelyingParty("https://play.example", "play.example")
    device = Authenticator(site)
    asked = house.passkeys.ask_to_add(site, "ada", PASSWORD)
    house.passkeys.add(site, first, "my phone", asked.ticket, device.make(asked))
    for player, url in ((first, "https://ada.example"), (second, "https://brook.example")):
        house.webhooks.make(player, NewWebhook(url, [TURN]))
        house.subscriptions.make(player, "feed")
    house.accounts.get_local_player("dora")
    house.relations.block(first, "dora")
    house.vacations.take(first, 3)
    running = Table(house, first, second).start("power-lines")
    lined = Table(house, first, second).start()
    lined.play({"steps": 1})
    keep(lined, 1, line({"steps": 1}, {"steps": 1}))
    lined.play({"steps": 2})
    keep(lined, 2, line({"steps": 2}, {"steps": 3}))
    house.chat.say(first, running.match, "players", "Rude.")
    house.moderation.report(second, Room(running.match, "players"), 1, "Brook says so.")
    house.moderation.hide(None, Room(running.match, "players"), 1, "That was rude.")
    house.chat.say(first, running.match, "players", "Never mind.")
    for number in (1, 2):
        house.chat.delete(Speaker(first), running.match, "players", number)


def data(house: Services) -> JsonObject:
    found: JsonObject = orjson.loads(b"".join(house.own_data.make_file("ada", PASSWORD).chunks))
    return found


def test_the_file_has_all_that_is_the_players(house: Services, there: Table) -> None:
    session = house.sessions.log_in("ada", PASSWORD, None, "a browser")
    found = data(house)
    assert found["account"]["display_name"] == "Ada L"
    assert found["account"]["recovery_codes"]["left"] == 10
    assert [one["label"] for one in found["tokens"]] == ["my bot"]
    assert [one["browser"] for one in found["sessions"]] == ["a browser"]
    # At the same instant of the clock of tests, in two matches whose ids are drawn.
    chat = sorted((one["text"], one["deleted_at"]) for one in found["chat"])
    # What was reported is kept for administrators.
    assert chat == [("Good luck!", None), ("Rude.", format_instant(house.now()))]
    assert [one["label"] for one in found["passkeys"]] == ["my phone"]
    assert found["blocked"] == ["dora"]
    assert [one["days"] for one in found["vacations"]] == [3]
    assert [one["text"] for one in found["notes"]] == ["A note of mine."]
    reasons = [one["reason"] for one in found["moderation"]]
    assert reasons == ["Too polite.", "That was rude."]
    assert found["followed"] == ["brook"]
    addresses = [one["address"] for one in found["channels"]]
    mails = ["ada0@play.example", "ada1@play.example"]
    assert addresses == ["https://ada.example", None, *mails]
    assert len(found["matches"]) == 5
    assert {one["match"]["visibility"] for one in found["matches"]} == {"public", "private"}
    assert [one["id"] for one in found["series"]] == [there.match]
    assert all(one["events"] for one in found["matches"])
    assert session not in orjson.dumps(found).decode()


def test_the_file_is_what_its_schema_says(house: Services, there: Table) -> None:
    del there
    validator("own-data").validate(data(house))
    house.accounts.sign_up("carl", PASSWORD)
    empty = orjson.loads(b"".join(house.own_data.make_file("carl", PASSWORD).chunks))
    validator("own-data").validate(empty)
    assert not validator("own-data").is_valid({**empty, "more": 1})


def test_a_match_that_cannot_be_read_leaves_the_file_whole(
    house: Services, there: Table, clock: Clock, migrated_url: str
) -> None:
    damaged = there.start().match
    damage(house.database, damaged)
    other = Services(Settings(database_url=migrated_url), games=test_games(), now=clock)
    found = [one["match"]["id"] for one in data(other)["matches"]]
    other.close()
    assert len(found) == 5
    assert damaged not in found


def test_nothing_of_another_is_in_it(house: Services, there: Table) -> None:
    del there
    told = orjson.dumps(data(house)).decode()
    assert "And to you." not in told
    assert "A note of the other one's." not in told
    assert "Brook says so." not in told
    assert "brook.example" not in told
    for one in data(house)["matches"]:
        running = one["match"]["status"] != "finished"
        opened = [it for event in one["events"] for it in event["sealed"] if "value" in it]
        assert not running or all("seat-1" in it["for"] for it in opened)
        assert '{"steps":3}' not in orjson.dumps(one["conditional_moves"]).decode()


def test_it_takes_the_password(house: Services, there: Table) -> None:
    del there
    with pytest.raises(Unauthenticated):
        house.own_data.make_file("ada", "a wrong password")
