"""Matches: each game in every phase, and one with everything opened that its page folds away."""

from __future__ import annotations

import random
from collections.abc import Iterator
from urllib.parse import quote

from domain.game.game import AnyGame
from services.matches.actions import Action
from services.matches.queries import Asker
from services.matches.requests import ChangeRequest
from tests.services.people import chosen
from tests.shots.cast import PLAYER, UNFOLD, VISITOR, Cast, Shot
from tests.web.pages.browsing import Browser, Pair, identity
from tests.web.pages.chromium import Site
from tests.web.pages.matches.test_panels import send

ENOUGH = {"energy-capture": 6, "path-capture": 2, "power-lines": 22}
"""How many moves make the middle of a match; of games that are not named, four."""

OPENED = {
    "about": "[data-key=about]",
    "asks": "[data-key=asks]",
    "chat": "#chat",
    "embedding": ".embedding",
    "event": ".inspector",
    "lines": "#lines",
    "more": "[data-key=ways]",
    "notes": "#notes",
    "report": ".report",
}
"""What is folded away on the page of a match, each by what it is called in pictures."""

POINTED_AT = 'document.querySelector("main a.who-is").focus()'
"""Whoever comes to a name by keys gets a card beside it, as whoever points at it."""


def two_players(cast: Cast) -> Pair:
    """Return the player whose matches are looked at, with an opponent."""
    cora, eve = cast.enter(PLAYER, signs_up=False), cast.enter("eve")
    accounts = cast.site.house.accounts
    return Pair(
        cast.site.house,
        (cora, eve),
        (accounts.get_by_name(PLAYER).id, accounts.get_by_name("eve").id),
    )


def phases(site: Site, pair: Pair, game: AnyGame) -> Iterator[Shot]:
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
    at = site.house.queries.show_events(Asker(), identity(over)).version // 2 + 3
    yield shot("12-replay", f"{over}?at={at}", VISITOR)
    if not game.secrets:
        yield shot("13-what-if-running", f"{turn}/line?at={_version(pair, turn)}")
    yield shot("14-what-if", f"{over}/line?at={at}", VISITOR)
    yield shot("15-embed", f"{over}/embed?at={at}", VISITOR)
    address = f"/practice?game={game.slug}"
    practised = Browser(site.app).send(address, "/practice").headers["Location"]
    yield shot("16-practice", practised.partition("#")[0], VISITOR)


def opened(site: Site, pair: Pair) -> Iterator[Shot]:
    """Yield a match with all that players add, each thing unfolded; and what opens over a page."""
    match = _talked(pair)
    page, over = site.url + match, f"{site.url}{_resigned(pair)}?at=4"
    for name, place in OPENED.items():
        yield Shot(f"match-open-{name}", page, PLAYER, script=UNFOLD % place)
    for name, place in (("event", ".inspector"), ("embedding", ".embedding")):
        yield Shot(f"match-open-{name}-over", over, script=UNFOLD % place)
    yield Shot("match-open-chat-visitor", page, script=UNFOLD % "#chat")
    keys = 'document.querySelector("[data-do=help]").click()'
    yield Shot("match-keys", over, script=keys, awaited="dialog[open]")
    for name, address, who in (
        ("match", page, PLAYER),
        ("list", f"{site.url}/matches", VISITOR),
        ("leaderboard", f"{site.url}/games/path-capture/ratings", VISITOR),
    ):
        yield Shot(f"card-on-{name}", address, who, script=POINTED_AT, awaited=".name-card")


def _talked(pair: Pair) -> str:
    """Let two players have a match with chat, notes, conditional moves, and clocks that stand."""
    one, two = pair.browsers
    match = pair.start("path-capture", pace="3-days", options__length="21").partition("#")[0]
    pair.play(match, {"steps": 1})
    sent = [send(one, match, "lines", if_="+2", then="+3")]
    pair.play(match, {"steps": 2})
    sent += [
        *(send(one, match, "lines", if_=answer, then="+1") for answer in ("+1", "+3")),
        send(one, match, "lines", if_="+2", then="+1", under="1"),
        send(one, match, "chat", text="Good luck! I shall be away over the weekend."),
        send(two, match, "chat", text="And to you. There is no hurry."),
        send(one, match, "notes", step="3", text="This was played for me."),
    ]
    assert {answer.status_code for answer in sent} == {303}, sent
    return match


def _resigned(pair: Pair) -> str:
    match = pair.start("path-capture")
    pair.play(match, *({"steps": 1} for _ in range(4)))
    _act(pair, 2, match, "resign")
    return match


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
            turn = pair.to_act(match)
            # A move that is the only one is entered at once: there is nothing to choose from.
            if not turn or (
                made >= moves and (not seat or (turn == seat and pair.legal(match)[1:]))
            ):
                break
            choice = chosen(pair.house, identity(match), lambda of: chance.randrange(len(of)))
            pair.play(match, choice)
        if not seat or pair.to_act(match):
            return match


def _act(pair: Pair, seat: int, match: str, action: str) -> None:
    request = ChangeRequest(pair.ids[seat - 1], any_version=True)
    pair.house.matches.act(request, identity(match), Action(action))
