"""Ratings and series as they are after a while: leaderboards, graphs, scores, champions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from domain.match.house_players import name_of
from domain.match.state import ACTIVE
from services.container import Services
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest, NewMatch
from services.store.ratings import Range
from tests.services.people import chosen
from tests.services.ratings.test_rated_matches import rate
from tests.shots.cast import PLAYER, Cast, Sent, Shot

BEST = "mara"
"""Has played most, in several games, and is certain of one rating."""

OTHERS = (
    *("W" * 24, "jo", "anneliese_brandt", "bo", "cyril", "dorothea", "emil", "fanny", "gus"),
    *("hedwig", "ivo", "jarmila", "konrad", "lotte", "milan", "nadja", "oskar", "petra"),
    *("quentin", "rita", "stan", "tove", "ulla", "viktor", "wanda", "xaver", "yara", "zdenek"),
)

GAME = "path-capture"
SERIES = (
    ("running", {"length": 3}, "1"),
    ("decided", {"length": 5}, "1d11"),
    ("tied", {"length": 2, "decided": "played-out"}, "12"),
    ("two-more", {"length": 2, "decided": "played-out", "tie": "two-more"}, "12d"),
    ("long", {"length": 15}, "12d1221d12"),
    ("aborted", {"length": 3}, "1a"),
)
"""How each is called, its terms, and how its matches ended: who won, a draw, an abort."""


def pages(cast: Cast) -> Iterator[Shot]:
    """Yield the pages of ratings, then those of series."""
    rivals = Rivals(cast.site.house)
    yield from _ratings(cast, rivals)
    yield from _series(cast, rivals)


class Rivals:
    """Lets people play matches to their ends, straight through the services."""

    def __init__(self, house: Services) -> None:
        self.house = house
        self.chance = random.Random(11)
        self.ids: dict[str, str] = {}

    def id(self, name: str) -> str:
        """Return a player's id; who is not there yet comes."""
        if name not in self.ids:
            found = self.house.accounts.find(name) or self.house.accounts.get_local_player(name)
            self.ids[name] = found.id
        return self.ids[name]

    def start(self, first: str, second: str, game: str = GAME, **more: object) -> str:
        """Let two people begin a match; return its id."""
        new = NewMatch(game, seat=1, **more)  # type: ignore[arg-type]
        match = self.house.matches.create(ChangeRequest(self.id(first)), new).shown.view.id
        self.house.matches.join(ChangeRequest(self.id(second)), match)
        return match

    def end(self, match: str, how: str, moves: int = 2) -> str:
        """Play a little, and end the match: by the seat that wins, ``d`` or ``a``."""
        for _ in range(moves):
            move = chosen(self.house, match, lambda of: self.chance.randrange(len(of)))
            view = self.house.queries.show(Asker(local=True), match).view
            player = view.seats[(view.to_act or 1) - 1] or ""
            self.house.matches.play(ChangeRequest(player, any_version=True), match, move)
        both = self.house.queries.show(Asker(local=True), match).view.seats
        if how in "12":
            self._act(match, both[2 - int(how)], "resign")
        else:
            name = {"d": "draw", "a": "abort"}[how]
            self._act(match, both[0], f"offer_{name}")
            self._act(match, both[1], f"accept_{name}")
        return match

    def _act(self, match: str, player: str | None, action: str) -> None:
        request = ChangeRequest(player or "", any_version=True)
        self.house.matches.act(request, match, Action(action))

    def series(self, first: str, second: str, terms: object, ends: str) -> str:
        """Play a series; return its id. ``ends``: who of both wins each match, or how it ends."""
        match = series = self.start(first, second, series=terms)
        for number, how in enumerate(ends):
            seat = str(3 - int(how)) if how in "12" and number % 2 else how
            self.end(match, seat)
            match = self.house.series.list_match_ids(Asker(local=True), series)[-1]
        return series


def _ratings(cast: Cast, rivals: Rivals) -> Iterator[Shot]:
    url = cast.site.url
    match = ""
    for number, name in enumerate(OTHERS):
        for turn in range(3):
            match = rivals.start(name, OTHERS[(number + 1) % len(OTHERS)], rated=True)
            rivals.end(match, "d" if turn == number % 5 else str(1 + (number + turn) % 2))
    for number in range(24):
        first, second = (BEST, OTHERS[number % 9])[:: 1 if number % 2 else -1]
        how = "d" if number % 7 == 3 else str(1 + (number % 2 == (number % 5 == 4)))
        match = rivals.end(rivals.start(first, second, rated=True), how)
    for game in ("grid-power", "energy-capture"):
        rivals.end(rivals.start(BEST, PLAYER, game, rated=True), "1")
    rate(rivals.house)
    running = rivals.start(BEST, OTHERS[1], rated=True)
    waiting = rivals.start(PLAYER, OTHERS[0], rated=True)
    seek = NewMatch(GAME, seat=1, rated=True, rating_range=Range(140000, 170000))
    ask = ChangeRequest(rivals.id(BEST))
    sought = rivals.house.matches.create(ask, seek).shown.view.id
    board = f"{url}/games/{GAME}/ratings"
    cursor = rivals.house.leaderboards.list_ranked(GAME, limit=25).next_cursor
    yield Shot("ratings-board", board)
    yield Shot("ratings-board-further", f"{board}?cursor={cursor}")
    yield Shot("ratings-board-few", f"{url}/games/grid-power/ratings")
    yield Shot("ratings-profile", f"{url}/p/{BEST}")
    yield Shot("ratings-profile-read-by-a-player", f"{url}/p/{BEST}", PLAYER)
    yield Shot("ratings-profile-long-name", f"{url}/p/{OTHERS[0]}")
    yield Shot("ratings-profile-own", f"{url}/p/{PLAYER}", PLAYER)
    yield Shot("ratings-profile-house", f"{url}/p/{name_of(5)}")
    yield Shot("ratings-match-over", f"{url}/m/{match}")
    yield Shot("ratings-match-running", f"{url}/m/{running}")
    yield Shot("ratings-match-own", f"{url}/m/{waiting}", PLAYER)
    yield Shot("ratings-seek-with-range", f"{url}/m/{sought}", PLAYER)
    ranged: dict[str, str | None] = {"rating_least": "1700", "rating_most": "1400"}
    form: Sent = ("/new", {"rated": "1", "visibility": "private", **ranged})
    yield Shot("ratings-form-refused", f"{url}/new?game={GAME}", PLAYER, form)


def _series(cast: Cast, rivals: Rivals) -> Iterator[Shot]:
    url, house = cast.site.url, rivals.house
    for name, terms, ends in SERIES:
        series = rivals.series(PLAYER, OTHERS[0] if name == "long" else BEST, terms, ends)
        yield Shot(f"series-{name}", f"{url}/series/{series}")
        matches = house.series.list_match_ids(Asker(local=True), series)
        if name == "running":
            yield Shot("series-own", f"{url}/series/{series}", PLAYER)
            yield Shot("series-match-own-turn", f"{url}/m/{matches[-1]}", PLAYER)
            yield Shot("series-match-over", f"{url}/m/{matches[0]}", PLAYER)
        if name == "decided":
            yield Shot("series-match-last", f"{url}/m/{matches[-1]}")
            yield Shot("series-match-between", f"{url}/m/{matches[1]}?at=3")
            yield Shot("series-embed", f"{url}/m/{matches[1]}/embed?at=3")
    for game in ("power-lines", "energy-capture", "grid-power", "power-line"):
        rivals.start(BEST, PLAYER, game, series={"length": 3})
    new = NewMatch(GAME, seat=1, series={"length": 7})
    open_ = house.matches.create(ChangeRequest(rivals.id(PLAYER)), new).shown.view
    assert open_.status != ACTIVE
    yield Shot("series-open", f"{url}/series/{open_.id}", PLAYER)
    yield Shot("series-open-match", f"{url}/m/{open_.id}")
    yield Shot("series-list", f"{url}/series")
    yield Shot("series-list-own", f"{url}/series?mine=true", PLAYER)
    yield Shot("series-list-finished", f"{url}/series?status=finished&player={BEST}")
    yield Shot("series-list-nothing-fits", f"{url}/series?player=nobody")
