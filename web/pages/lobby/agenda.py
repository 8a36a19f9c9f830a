"""The first page: for visitors what this is, for players what waits for them."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Any

from flask import Response

from domain.match.state import FINISHED
from seeds.scripts import showcase_id
from services.accounts.sessions import Session
from services.errors import NotFound
from services.lobby.lists import MatchFilter
from services.matches.access import PUBLIC
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from web.pages.boards.cards import FEW, MatchCard, card, cards, listed, tiles
from web.pages.common.answers import answer_page
from web.pages.common.forms import fresh_key
from web.pages.common.visitors import visitor
from web.pages.lobby.practice import held
from web.pages.replays.replay import replaying
from web.site import this_site

EACH = 2
"""Of each game so many finished matches are shown at most."""


def show_home() -> Response:
    """Show the first page."""
    player = visitor()
    return _welcome() if player is None else _agenda(player)


def _welcome() -> Response:
    practised, shown = held(), _showcase()
    gallery = [one for one in _gallery() if shown is None or one.view.id != shown.view.id]
    return answer_page(
        "lobby/welcome.html",
        own=bool(practised),
        practised=practised,
        tiles=tiles(begun=True),
        showcase=None if shown is None else card(shown),
        gallery=cards(gallery[:FEW]),
        seeks=listed(Asker(), MatchFilter(seeks=True)),
        running=listed(Asker(), MatchFilter(status="active")),
        **({} if shown is None else _featured(shown)),
    )


def _showcase() -> ShownMatch | None:
    """Return the match that was chosen to be shown: by the administrator, or by the demo.

    No other one takes its place: what strangers play is not what a service is shown by.
    """
    site = this_site()
    chosen = site.settings.showcase or showcase_id()
    try:
        shown = site.house.queries.show(Asker(), chosen)
    except NotFound:
        return None
    view = shown.view
    return shown if (view.visibility, view.status) == (PUBLIC, FINISHED) else None


def _featured(shown: ShownMatch) -> dict[str, Any]:
    """Return what the templates of a replay take, for one that plays by itself on this page.

    It has no keys: Space and the arrows scroll a page that somebody reads.
    """
    replay = this_site().house.replays.replay(Asker(), shown.view.id)
    context = replaying(replay, replay.frames[0])
    return {**context, "setup": {**context["setup"], "guest": True, "keys": {}}, "refresh": None}


def _agenda(player: Session) -> Response:
    # Before what it stands for, so that nothing is missed.
    mark = this_site().house.agenda.mark(player.player)
    found, look = this_site().house.agenda.of(player.player), Asker(player.player)
    seeks = listed(look, MatchFilter(seeks=True), most=2 * FEW)
    return answer_page(
        "lobby/agenda.html",
        agenda={name: (cards(part.matches), part.more) for name, part in found._asdict().items()},
        seeks=_to_join(player.player, seeks)[:FEW],
        followed=cards(_followed(player.player), "f"),
        nothing=not any(part.matches for part in found),
        gallery=[] if found.over.matches else cards(_gallery()[:FEW], "g"),
        key=fresh_key(),
        mark=mark,
    )


def _to_join(player: str, seeks: list[MatchCard]) -> list[MatchCard]:
    """Return the open matches of others that a player may join."""
    creators = [one.shown.view.creator for one in seeks]
    barred = this_site().house.relations.out_of_reach(player, creators)
    return [one for one in seeks if one.shown.view.creator not in {*barred, player}]


def _followed(player: str) -> list[ShownMatch]:
    """Return matches of those whom a player follows, but for the player's own."""
    found = this_site().house.agenda.followed(player)
    return [one for one in found if one.you is None][:FEW]


def _gallery() -> list[ShownMatch]:
    """Return finished matches to look at, those of different games side by side."""
    lists = this_site().house.lobby
    by_game = [
        lists.matches(Asker(), MatchFilter(game=game.slug, played_out=True), limit=EACH).listed
        for game in this_site().house.games
    ]
    return [one for one in chain(*zip_longest(*by_game)) if one is not None]
