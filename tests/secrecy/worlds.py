"""Worlds: a whole service each, with fixed ids, instants, tokens and salts, and scripted chance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import count
from typing import NamedTuple

from flask import current_app, has_app_context
from sqlalchemy import text
from structlog import DropEvent
from structlog.typing import EventDict, WrappedLogger
from typing_extensions import override

from domain.game.game import Draw
from domain.json_types import Json, JsonObject
from domain.log.chance import ChanceSource
from domain.match.clock import format_instant
from domain.match.decisions.draft import Chance, draw_provably
from domain.match.events import Event
from domain.match.notices import TYPES
from domain.match.state import Match
from seeds import puzzles
from services.container import Services
from services.matches.queries import Asker
from services.runtime.randomness import Randomness
from services.runtime.settings import Settings
from services.store.log import events as log
from services.store.log import feed
from services.store.log.feed import FeedPosition
from services.store.notices import channels
from services.store.notices.channels import CALENDAR, EMAIL, FEED, ChannelRow
from services.store.puzzles import PuzzleRow
from tests.secrecy.pairs import Script
from tests.support.games import test_games
from tests.support.push import PushedTo, same_key, same_key_file
from tests.web.people import PASSWORD, Person
from tests.web.people import Answer as Response
from web.app import create_app

PLAYERS = ("ada", "bob")
BEGINNING = datetime(2026, 11, 27, 22, tzinfo=UTC)


LOG = "secrecy-log"

_SETTLED = """
SELECT coalesce(bool_and(txid < pg_snapshot_xmin(pg_current_snapshot())), true) FROM events
"""


def keep(_: WrappedLogger, __: str, entry: EventDict) -> EventDict:
    """Keep what is logged with the world whose application logs it: a processor of structlog."""
    if has_app_context():
        current_app.extensions.get(LOG, []).append(dict(entry))
    raise DropEvent


@cache
def puzzle() -> PuzzleRow:
    """Return the puzzle that there is in every world."""
    return puzzles.row_of_composed(puzzles.read_composed()[0])


class FixedEntropy(Randomness):
    """Ids, tokens and salts by number, the same in every world; secrets are each world's own.

    ``alike``: for the moment secrets are the same in every world, too.
    """

    def __init__(self, world: str) -> None:
        self._world = world
        self.alike = False
        self._numbers = count(1)

    def _number(self, what: str) -> str:
        return sha256(f"{what} {next(self._numbers)}".encode()).hexdigest()

    @override
    def make_match_id(self) -> str:
        return self._number("match")[:16]

    @override
    def make_player_id(self) -> str:
        return f"p_{self._number('player')[:16]}"

    @override
    def make_token_id(self) -> str:
        return f"t_{self._number('token id')[:16]}"

    @override
    def make_invitation_id(self) -> str:
        return f"i_{self._number('invitation')[:16]}"

    @override
    def make_token(self) -> str:
        return f"plybook_{self._number('token')}"

    @override
    def make_channel_id(self) -> str:
        return f"w_{self._number('channel')[:16]}"

    @override
    def make_webhook_secret(self) -> str:
        return f"whsec_{self._number('webhook')[:44]}"

    @override
    def make_match_secret(self) -> str:
        return self._number("secret" if self.alike else f"secret of {self._world}")

    @override
    def make_salt(self) -> str:
        return self._number("salt")


class World:
    """A service with ada and bob who play, eve who looks on, and an administrator.

    ``chance``: otherwise that of each match's script. ``logged``: what its application has
    logged, at every level.
    """

    def __init__(self, name: str, database_url: str, chance: Chance | None = None) -> None:
        self.url = database_url
        self.now = BEGINNING
        self.scripts: dict[str, Script] = {}
        self._fair: set[str] = set()
        self._coming: Script | None = None
        self._entropy = FixedEntropy(name)
        self.last: tuple[int, Person]
        self.webhooks: dict[str, str] = {}
        self.subscriptions: dict[str, list[str]] = {}
        self.addresses: dict[str, ChannelRow] = {}
        self.browsers: dict[str, str] = {}
        settings = Settings(
            database_url=database_url,
            rate_limit=0,
            stream_seconds=0,
            smtp_url="smtp://127.0.0.1:9",
            mail_from="notices@play.example",
            push_key_file=str(same_key_file()),
        )
        self.house: Services = Services(
            settings,
            games=test_games(),
            now=lambda: self.now,
            randomness=self._entropy,
            chance=chance or self._scripted,
        )
        self.app = create_app(self.house)
        self.logged: list[EventDict] = []
        self.app.extensions[LOG] = self.logged
        self.anyone = Person(self.app.test_client())
        self.people = {name: self._who_is_told(name) for name in (*PLAYERS, "eve", "root")}
        self.sessions = {
            name: self.house.sessions.log_in(name, PASSWORD, None) for name in self.people
        }
        self.house.accounts.set_admin("root", admin=True)
        self.house.puzzle_finder.add([puzzle()])
        self.root = self.people["root"].with_scopes("match:read", "match:play", "admin")

    def _who_is_told(self, name: str) -> Person:
        """Sign somebody up who is told of all that concerns them, by every channel."""
        scopes = ("match:read", "match:play", "webhook:manage")
        person = self.anyone.sign_up(name).with_scopes(*scopes)
        answer = person.post("/webhooks", {"url": f"https://bot.example/{name}"})
        assert answer.status_code == 201, answer.text
        self.webhooks[name] = answer.json["id"]
        player, make = self.house.accounts.get_by_name(name).id, self.house.subscriptions.make
        self.subscriptions[name] = [
            f"/feeds/{make(player, FEED)}",
            f"/calendars/{make(player, CALENDAR)}",
        ]
        self.addresses[name] = self._with_mail(name)
        browser = PushedTo(f"https://push.example/{name}", same_key())
        self.house.browsers.register(player, browser.registration)
        [self.browsers[name]] = (one.id for one in self.house.browsers.list_by_player(player))
        return person

    def _with_mail(self, name: str) -> ChannelRow:
        """Let somebody be told by mail of all that concerns them."""
        random, now = self.house.accounts.randomness, format_instant(self.now)
        player = self.house.accounts.get_by_name(name).id
        row = ChannelRow(random.make_channel_id(), player, EMAIL, " ".join(TYPES), now)
        row = row._replace(address=f"{name}@mail.example", confirmed_at=now, held_until=now)
        with self.house.database.write() as connection:
            channels.insert(connection, row)
        return row

    def crowd(self) -> None:
        """Let somebody else open a match, that lists have more than one page."""
        self.people["root"].create()

    def _scripted(self, source: ChanceSource, number: int, draw: Draw) -> Json:
        if source.match in self._fair:
            return draw_provably(source, number, draw)
        script = self.scripts.get(source.match, self._coming)
        assert script is not None
        return script.outcomes[number]

    def create(
        self,
        game: str,
        script: Script,
        visibility: str = "public",
        *,
        series: bool = False,
        seat: int = 1,
    ) -> Response:
        """Let ada create a match, on a seat; ``series``: the first of a series of two."""
        given = {
            "game": game,
            "seat": seat,
            "options": script.options,
            "settings": script.settings[0],
            "visibility": visibility,
            "opponent": "bob" if visibility == "private" else None,
            "series": {"length": 2, "decided": "played-out"} if series else None,
        }
        self.tick()
        answer = self.people["ada"].post("/matches", given)
        assert answer.status_code == 201, answer.text
        self.scripts[answer.json["id"]] = script
        return answer

    def join(self, match: str) -> Response:
        """Let bob join a match, which starts it."""
        self.tick()
        body = {"settings": self.scripts[match].settings[1]}
        answer = self.people["bob"].post(f"/matches/{match}/join", body)
        assert answer.status_code == 200, answer.text
        return answer

    def second_of_series(self, game: str, script: Script) -> tuple[str, str]:
        """Begin a series whose first match is over, and the same in every world; return both ids.

        The second match goes by the script, and ada sits on seat 1 there.
        """
        self._entropy.alike = True
        first: str = self.create(game, script, series=True, seat=2).json["id"]
        self._fair.add(first)
        self.join(first)
        self._entropy.alike, self._coming = False, script
        self.tick()
        path, version = f"/matches/{first}/actions", self.truth(first).version
        answer = self.people["bob"].post(path, {"action": "resign"}, version=version)
        assert answer.status_code == 201, answer.text
        second = self.house.series.list_match_ids(Asker(local=True), first)[-1]
        self.scripts[second] = script
        return first, second

    def start(self, game: str, script: Script, visibility: str = "public") -> str:
        """Begin a match by a script; return its id."""
        match: str = self.create(game, script, visibility).json["id"]
        self.join(match)
        return match

    def play(
        self, match: str, move: JsonObject, key: str | None = None, *, again: bool = False
    ) -> Response:
        """Make the next move of a match, or ``again`` the last one by its idempotency key."""
        if not again:
            self.tick()
            truth = self.truth(match)
            self.last = truth.version, self.people[PLAYERS[(truth.to_act or 1) - 1]]
        version, mover = self.last
        path = f"/matches/{match}/moves"
        answer = mover.post(path, {"move": move}, version=version, key=key)
        assert answer.status_code == 201, answer.text
        assert answer.headers.get("Idempotent-Replayed", "") == ("true" if again else "")
        return answer

    def abort(self, match: str) -> None:
        """Let the administrator abort a match."""
        self.tick()
        version = self.truth(match).version
        path = f"/matches/{match}/actions"
        answer = self.root.post(path, {"action": "abort"}, version=version)
        assert answer.status_code == 201, answer.text

    def truth(self, match: str) -> Match:
        """Return the whole state of a match, as the server knows it."""
        with self.house.database.read() as connection:
            found = self.house.matches.repository.load(connection, match)
        assert found is not None
        return found

    def log(self, match: str) -> list[Event]:
        """Return the whole log of a match."""
        with self.house.database.read() as connection:
            return log.load(connection, match)

    def sign(self) -> None:
        """Sign a checkpoint of all that there is."""
        self.settle()
        self.house.sequencer.run()

    def settle(self) -> None:
        """Wait until all that was committed can be read in order.

        PostgreSQL holds back what is newer than any transaction that still runs, be it a chore of
        its own or somebody's in another database.
        """
        settled = self.house.database.sqlite
        while not settled:
            with self.house.database.read() as connection:
                settled = bool(connection.scalar(text(_SETTLED)))

    def middle(self) -> FeedPosition:
        """Return the place behind about half of all events."""
        with self.house.database.read() as connection:
            last = feed.get_last_place(connection)
            if self.house.database.sqlite:
                return FeedPosition(0, last.position // 2)
            before = text("SELECT max(txid::text::numeric) FROM events WHERE position <= :at")
            number = connection.scalar(before, {"at": last.position // 2})
            return FeedPosition(int(number), 0)

    def tick(self) -> None:
        """Let a second go by."""
        self.now += timedelta(seconds=1)


class Twins(NamedTuple):
    """Two worlds that differ in what somebody must not know."""

    first: World
    second: World


@contextmanager
def two_worlds(
    first_url: str, second_url: str, *, names: tuple[str, str] = ("first", "second")
) -> Iterator[Twins]:
    """Give two worlds, each on a migrated database of its own; of one name they are alike."""
    twins = Twins(World(names[0], first_url), World(names[1], second_url))
    try:
        for world in twins:
            world.crowd()
        yield twins
    finally:
        for world in twins:
            world.house.close()
