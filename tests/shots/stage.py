"""What there is to look at: pages by name, each with whose browser opens it and what is sent there.

Names are always the same, so that the pictures of two days can be laid beside each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NoReturn
from urllib.parse import quote

from flask import Blueprint

from domain.errors import Refusal
from domain.game.game import AnyGame
from domain.games import all_games
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from services.runtime.settings import Settings
from services.store import schema
from tests.services.people import chosen
from tests.shots import accounts, channels, standings
from tests.shots.cast import PLAYER, VISITOR, Cast, Shot, staged_pages
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.chromium import Site, serving
from tests.web.pages.furnishing import endpoint_of, furnish
from web.http.problems import PROBLEMS


class Stage(NamedTuple):
    """All pages of a service, and the cookies of its people."""

    site: Site
    shots: list[Shot]
    cookies: dict[str, list[dict[str, str]]]


ENOUGH = {"energy-capture": 6, "path-capture": 2, "power-lines": 22}
"""How many moves make the middle of a match; of games that are not named, four."""

FAULTS = {status: code for code, problem in PROBLEMS.items() if (status := problem.status) >= 400}


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """Serve everything that there is to look at."""
    template = folder / "template.sqlite"
    schema.upgrade(str(template))
    free = Settings(rate_limit=0, log_in_limit=0, sign_up_limit=0, practice_limit=0)
    mails, sender = f"folder:{folder / 'mails'}", "Plybook <notices@play.example>"
    with ExitStack() as stack:
        site, empty, bare = (
            stack.enter_context(serving(template, folder / f"{name}.sqlite", settings=settings))
            for name, settings in (
                ("full", replace(free, smtp_url=mails, mail_from=sender)),
                ("empty", free),
                ("bare", replace(free, push_key_file=str(folder))),
            )
        )
        for blueprint in (_faults(), staged_pages()):
            site.app.register_blueprint(blueprint)
        cast, others = Cast(site), Cast(bare)
        found = list(_pages(site))
        pair = _pair(cast)
        for game in all_games():
            found += _phases(site, pair, game)
        found += [*_refused(site, pair), *_errors(site), *standings.pages(cast)]
        found += [*accounts.pages(cast), *channels.pages(cast, others)]
        found += [Shot(f"empty-{name}", f"{empty.url}{at}") for name, at in EMPTY]
        yield Stage(site, sorted(found), others.cookies | cast.cookies)


EMPTY = (
    ("home", "/"),
    ("matches", "/matches"),
    ("practice", "/practice"),
    ("puzzles", "/puzzles"),
    ("ratings", "/games/grid-power/ratings"),
    ("series", "/series"),
)


def _faults() -> Blueprint:
    """Return addresses at which one sees what a page says when it cannot be shown."""
    blueprint = Blueprint("faults", __name__)

    @blueprint.get("/faults/<int:status>")
    def show(status: int) -> NoReturn:
        class Fault(Refusal, code=FAULTS[status]):
            """A refusal with this status."""

        raise Fault("This is how it is told.")

    return blueprint


def _errors(site: Site) -> Iterator[Shot]:
    yield Shot("error-404-address", f"{site.url}/nothing")
    for status in (400, 403, 404, 410, 429, 500, 503):
        yield Shot(f"error-{status}", f"{site.url}/faults/{status}")


def _pages(site: Site) -> Iterator[Shot]:
    """Yield every page of ours, as furnished, and those that are not of the blueprint of pages."""
    games = list(all_games())
    pages = furnish(site.app, site.house, [game for game in games if game.slug in FURNISHED])
    for who, addresses in ((VISITOR, pages.visitors), (PLAYER, pages.players)):
        for number, address in enumerate(addresses, 1):
            endpoint = (endpoint_of(site.app, address) or "nothing").rpartition(".")[2]
            yield Shot(f"page-{endpoint}-{who}-{number:02}", site.url + address, who)
    for game in games:
        yield Shot(f"rules-{game.slug}", f"{site.url}/games/{game.slug}")
        yield Shot(f"form-new-{game.slug}", f"{site.url}/new?game={game.slug}", PLAYER)
    yield Shot("api-docs", f"{site.url}/api/docs")
    yield Shot("style", f"{site.url}/style")


FURNISHED = ("path-capture", "power-lines")


def _pair(cast: Cast) -> Pair:
    """Return the player whose matches are looked at, with an opponent."""
    cora, eve = cast.enter(PLAYER, signs_up=False), cast.enter("eve")
    accounts = cast.site.house.accounts
    return Pair(cast.site.house, (cora, eve), (accounts.named(PLAYER).id, accounts.named("eve").id))


def _phases(site: Site, pair: Pair, game: AnyGame) -> Iterator[Shot]:
    """Yield the pages of a game's matches from the open seat to the replay."""

    def shot(phase: str, address: str, who: str = PLAYER) -> Shot:
        return Shot(f"game-{game.slug}-{phase}", site.url + address, who)

    middle = ENOUGH.get(game.slug, 4)
    open_ = pair.browsers[0].new_match(game.slug).partition("#")[0]
    yield shot("01-open", open_, VISITOR)
    yield shot("02-open-own", open_)
    yield shot("03-first", _played(pair, game, 0, seat=1))
    yield shot("04-middle", _played(pair, game, middle, seat=2), VISITOR)
    turn = _played(pair, game, middle, seat=1)
    legal = pair.legal(turn)
    yield shot("05-turn", turn)
    yield shot("06-step", f"{turn}?path={legal[-1]['path'][0]}")
    yield shot("07-preview", f"{turn}?move={quote(legal[-1]['text'])}")
    yield shot("08-typed-wrong", f"{turn}?move=nonsense")
    yield shot("09-waiting", _played(pair, game, middle, seat=2))
    offered = _played(pair, game, middle, seat=1)
    _act(pair, 2, offered, "offer_draw")
    yield shot("10-offer", offered)
    over = _played(pair, game, 40, seat=0)
    if pair.to_act(over):
        _act(pair, 2, over, "resign")
    yield shot("11-finished", over)
    at = site.house.queries.events(Asker(), identity(over)).version // 2 + 3
    yield shot("12-replay", f"{over}?at={at}", VISITOR)
    if not game.secrets:
        yield shot("13-what-if-running", f"{turn}/line?at={_version(pair, turn)}")
    yield shot("14-what-if", f"{over}/line?at={at}", VISITOR)
    yield shot("15-embed", f"{over}/embed?at={at}", VISITOR)
    address = f"/practice?game={game.slug}"
    practised = Browser(site.app).send(address, "/practice").headers["Location"]
    yield shot("16-practice", practised.partition("#")[0], VISITOR)


def _version(pair: Pair, match: str) -> int:
    return pair.house.queries.show(Asker(), identity(match)).view.version


def _played(pair: Pair, game: AnyGame, moves: int, *, seat: int) -> str:
    """Play so many moves, and more until it is the turn of ``seat`` (0: whoever's, or nobody's).

    Chance may end a match of the card game before: then another one is played.
    """
    chance = random.Random(5)
    while True:
        chance.seed(5)
        match = pair.start(game.slug).partition("#")[0]
        for made in range(moves + 20):
            if not pair.to_act(match) or (made >= moves and seat in (0, pair.to_act(match))):
                break
            choice = chosen(pair.house, identity(match), lambda of: chance.randrange(len(of)))
            pair.play(match, choice)
        if not seat or pair.to_act(match):
            return match


def _act(pair: Pair, seat: int, match: str, action: str) -> None:
    request = ChangeRequest(pair.ids[seat - 1], any_version=True)
    pair.house.matches.act(request, identity(match), Action(action))


def _refused(site: Site, pair: Pair) -> Sequence[Shot]:
    """Return forms that come back with what is wrong in them."""
    match = pair.start("path-capture").partition("#")[0]
    wrong: dict[str, str | None] = {"name": "nobody", "password": "a wrong password"}
    new: dict[str, str | None] = {"name": "?", "password": "short", "again": "other"}
    forms: list[tuple[str, str, str, str, dict[str, str | None]]] = [
        ("log-in", "/log-in", "/log-in", VISITOR, wrong),
        ("sign-up", "/sign-up", "/sign-up", VISITOR, new),
        ("new", "/new?game=path-capture", "/new", PLAYER, {"with": "player", "opponent": "no"}),
        ("password", "/account", "/account/password", PLAYER, {"current": "wrong"}),
        ("recover", "/recover", "/recover", VISITOR, {**wrong, "again": wrong["password"]}),
        ("codes", "/account", "/account/recovery-codes", PLAYER, {"password": "wrong"}),
        ("settings", "/account/profile", "/account/profile", PLAYER, {"display_name": "House"}),
        ("data", "/account", "/account/data", PLAYER, {"password": "wrong"}),
        ("close", "/account", "/account/close", PLAYER, {"password": "wrong"}),
        ("chat", match, f"{match}/chat", PLAYER, {"text": " "}),
        ("note", match, f"{match}/notes", PLAYER, {"text": " "}),
    ]
    return [
        Shot(f"form-refused-{name}", site.url + address, who, (action, values))
        for name, address, action, who, values in forms
    ]
