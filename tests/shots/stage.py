"""What there is to look at: pages by name, each with whose browser opens it and what is sent there.

Names are always the same, so that the pictures of two days can be laid beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, NoReturn

from flask import Blueprint

from domain.errors import Refusal
from domain.games import load_games
from services.runtime.settings import Settings
from services.store import schema
from tests.shots import accounts, channels, matches, standings
from tests.shots.cast import PLAYER, UNFOLD, VISITOR, Cast, Shot, staged_pages
from tests.web.pages.browsing import Pair
from tests.web.pages.chromium import Site, serving
from tests.web.pages.furnishing import endpoint_of, furnish
from tests.web.pages.made_up import offered
from web.http.problems import PROBLEMS


class Stage(NamedTuple):
    """All pages of a service, and the cookies of its people."""

    site: Site
    shots: list[Shot]
    cookies: dict[str, list[dict[str, str]]]


FAULTS = {status: code for code, problem in PROBLEMS.items() if (status := problem.status) >= 400}


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """Serve everything that there is to look at."""
    template = folder / "template.sqlite"
    schema.upgrade(str(template))
    free = Settings(rate_limit=0, log_in_limit=0, sign_up_limit=0, practice_limit=0)
    mails, sender = f"folder:{folder / 'mails'}", "Plybook <notices@play.example>"
    with ExitStack() as stack:
        stack.enter_context(offered(folder / "translations"))
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
        pair = matches.two_players(cast)
        for game in load_games():
            found += matches.phases(site, pair, game)
        found += matches.opened(site, pair)
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
    yield Shot("error-404-address", f"{site.url}/nothing", fails=True)
    for status in (400, 403, 404, 410, 429, 500, 503):
        yield Shot(f"error-{status}", f"{site.url}/faults/{status}", fails=True)


def _pages(site: Site) -> Iterator[Shot]:
    """Yield every page of ours, as furnished, and those that are not of the blueprint of pages."""
    games = list(load_games())
    pages = furnish(site.app, site.house, [game for game in games if game.slug in FURNISHED])
    for who, addresses in ((VISITOR, pages.visitors), (PLAYER, pages.players)):
        for number, address in enumerate(addresses, 1):
            endpoint = (endpoint_of(site.app, address) or "nothing").rpartition(".")[2]
            name, fails = f"page-{endpoint}-{who}-{number:02}", address.endswith(NOTHING)
            yield Shot(name, site.url + address, who, fails=fails)
    best = UNFOLD % "[data-key=judged]"
    yield Shot("match-open-analysis", f"{site.url}/m/{pages.showcase}", script=best)
    for game in games:
        yield Shot(f"rules-{game.slug}", f"{site.url}/games/{game.slug}")
        form, folded = f"{site.url}/new?game={game.slug}", UNFOLD % "main details"
        yield Shot(f"form-new-{game.slug}", form, PLAYER)
        yield Shot(f"form-new-{game.slug}-unfolded", form, PLAYER, script=folded)
    practice = f"{site.url}/practice?game=grid-power"
    yield Shot("form-practice-unfolded", practice, script=UNFOLD % "main details")
    yield Shot("home-decline", f"{site.url}/", PLAYER, script=UNFOLD % ".decline")
    yield Shot("api-docs", f"{site.url}/api/docs")
    yield Shot("api-docs-unfolded", f"{site.url}/api/docs", script=UNFOLD % ".operation")
    yield Shot("style", f"{site.url}/style")


FURNISHED = ("path-capture", "power-lines")
NOTHING = ("/none", "/nothing")
"""How addresses end at which there is nothing."""


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
        ("line", match, f"{match}/lines", PLAYER, {"first": "+1", "if": "+1", "then": "+9"}),
    ]
    return [
        Shot(f"form-refused-{name}", site.url + address, who, (action, values))
        for name, address, action, who, values in forms
    ]
