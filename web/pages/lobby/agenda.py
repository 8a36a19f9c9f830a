"""The first page: for visitors what this is, for players what waits for them."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Any

from flask import Response

from domain.errors import Corruption, UnknownGame
from domain.match.state import FINISHED
from seeds.scripts import get_showcase_id
from services.accounts.sessions import Session
from services.errors import NotFound
from services.lobby.lists import MatchFilter
from services.matches.access import PUBLIC
from services.matches.match_json import ShownMatch
from services.matches.queries import Asker
from services.replays.replay import Replay
from web.pages.boards.cards import FEW, MatchCard, list_cards, make_card, make_cards, make_tiles
from web.pages.common.answers import answer_page
from web.pages.common.forms import make_key
from web.pages.common.visitors import find_visitor
from web.pages.lobby.practice import list_held
from web.pages.replays.replay import make_replay_context
from web.site import get_site

EACH = 2
"""Of each game so many finished matches are shown at most."""


def show_home() -> Response:
    """Show the first page."""
    player = find_visitor()
    return _show_welcome() if player is None else _show_agenda(player)


def _show_welcome() -> Response:
    practised, featured = list_held(), _find_showcase()
    shown = None if featured is None else featured.shown
    gallery = [one for one in _list_gallery() if shown is None or one.view.id != shown.view.id]
    return answer_page(
        "lobby/welcome.html",
        own=bool(practised),
        practised=practised,
        tiles=make_tiles(begun=True),
        showcase=None if shown is None else make_card(shown),
        gallery=make_cards(gallery[:FEW]),
        seeks=list_cards(Asker(), MatchFilter(seeks=True)),
        running=list_cards(Asker(), MatchFilter(status="active")),
        **({} if featured is None else _make_featured(featured)),
    )


def _find_showcase() -> Replay | None:
    """Return the replay of the match that the administrator, or the demo, has chosen to be shown.

    No other one takes its place: what strangers play is not what a service is shown by.
    """
    site = get_site()
    chosen = site.house.settings.showcase or get_showcase_id()
    try:
        replay = site.house.replays.replay(Asker(), chosen)
    except (NotFound, UnknownGame, Corruption):
        return None
    view = replay.shown.view
    return replay if (view.visibility, view.status) == (PUBLIC, FINISHED) else None


def _make_featured(replay: Replay) -> dict[str, Any]:
    """Return what the templates of a replay take, for one that plays by itself on this page.

    It has no keys: Space and the arrows scroll a page that somebody reads.
    """
    context = make_replay_context(replay, replay.frames[0])
    return {**context, "setup": {**context["setup"], "guest": True, "keys": {}}, "refresh": None}


def _show_agenda(player: Session) -> Response:
    # Before what it stands for, so that nothing is missed.
    mark = get_site().house.agenda.make_mark(player.player)
    found, look = get_site().house.agenda.get_overview(player.player), Asker(player.player)
    seeks = list_cards(look, MatchFilter(seeks=True), most=2 * FEW)
    return answer_page(
        "lobby/agenda.html",
        agenda={
            name: (make_cards(part.matches), part.more) for name, part in found._asdict().items()
        },
        seeks=_keep_joinable(player.player, seeks)[:FEW],
        followed=make_cards(_list_followed(player.player), "f"),
        nothing=not any(part.matches for part in found),
        gallery=[] if found.over.matches else make_cards(_list_gallery()[:FEW], "g"),
        key=make_key(),
        mark=mark,
    )


def _keep_joinable(player: str, seeks: list[MatchCard]) -> list[MatchCard]:
    """Return the open matches of others that a player may join."""
    creators = [one.shown.view.creator for one in seeks]
    barred = get_site().house.relations.list_unreachable(player, creators)
    return [one for one in seeks if one.shown.view.creator not in {*barred, player}]


def _list_followed(player: str) -> list[ShownMatch]:
    """Return matches of those whom a player follows, but for the player's own."""
    found = get_site().house.agenda.list_followed(player)
    return [one for one in found if one.you is None][:FEW]


def _list_gallery() -> list[ShownMatch]:
    """Return finished matches to look at, those of different games side by side."""
    lists = get_site().house.lobby
    by_game = [
        lists.list_matches(Asker(), MatchFilter(game=game.slug, played_out=True), limit=EACH).listed
        for game in get_site().house.games
    ]
    return [one for one in chain(*zip_longest(*by_game)) if one is not None]
