"""Players: a page of each, with their record and matches; finding, following and blocking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import Response, request, url_for
from markupsafe import Markup

from domain.game.game import AnyGame
from domain.match.house_players import level_of
from domain.rating.glicko2 import round_rating
from services.accounts.profiles import GameRating, Profile
from services.accounts.sessions import Session
from services.errors import CannotBeChallenged, InvalidRequest, Suspended, TooManyRelations
from services.lobby.lists import MatchFilter
from services.matches.queries import Asker
from services.store.people.relations import BLOCKS, FOLLOWS
from services.store.ratings import RatingChange
from web.http.problems import PROBLEMS
from web.pages.boards.cards import list_cards
from web.pages.common.answers import answer_data, answer_page, lead_to
from web.pages.common.forms import check_choice, link_pages, read_argument, read_text
from web.pages.common.visitors import LONGEST, find_visitor, get_player, player_of
from web.pages.replays.timeline import draw_course, place_value, spread_steps
from web.site import get_site


def show_player(name: str, status: int = 200, refused: str | None = None) -> Response:
    """Show a player; ``refused``: what could not be done about them. Raises ``NotFound``."""
    house, reader = get_site().house, find_visitor()
    profile = house.profiles.get_by_name(name[:LONGEST])
    player, look = profile.player, Asker(player_of(reader))
    shows = profile.chosen.shows_matches
    return answer_page(
        "accounts/profiles.html",
        status=status,
        refused=refused,
        barred=_list_barred(profile),
        suspended=_tell_suspension(reader, player.id),
        relation=None if reader is None else house.relations.list_kinds(reader.player, player.id),
        profile=profile,
        player=player,
        level=level_of(player.id),
        rated=_list_ratings(profile),
        records=[(house.games.get(one.game), one) for one in profile.records],
        running=shows and list_cards(look, MatchFilter(status="active", player=player.name)),
        seeks=list_cards(look, MatchFilter(seeks=True, player=player.name)),
        over=shows and list_cards(look, MatchFilter(status="finished", player=player.name)),
    )


def _list_barred(*profiles: Profile) -> set[str]:
    """Return which of these players the reader cannot challenge."""
    ids = [one.player.id for one in profiles]
    return get_site().house.relations.list_unreachable(player_of(find_visitor()), ids)


def _tell_suspension(reader: Session | None, player: str) -> str:
    """Tell an administrator that an account is suspended, and why; empty: there is nothing to."""
    accounts = get_site().house.accounts
    if reader is None or not accounts.is_admin(reader.player):
        return ""
    try:
        accounts.must_not_be_suspended(player)
    except Suspended as refusal:
        return refusal.detail
    return ""


class Graph(NamedTuple):
    """How a rating has gone: a line over the matches, and the same in words (points)."""

    line: Markup
    matches: int
    lowest: int
    highest: int
    first: int
    last: int


def _draw_graph(changes: Sequence[RatingChange]) -> Graph | None:
    """Return the graph of a history; None: a single match makes none."""
    if len(changes) < 2:  # noqa: PLR2004 - two points are no course
        return None
    values = [changes[0].before.rating, *(one.after.rating for one in changes)]
    lowest, highest = min(values), max(values)
    steps: list[str | float] = []
    for x, value in zip(spread_steps(len(values)), values, strict=True):
        steps += ["L" if steps else "M", x, place_value(value, lowest, highest)]
    points = [round_rating(one) for one in (lowest, highest, values[0], values[-1])]
    return Graph(draw_course(steps), len(changes), *points)


MOST = 100
"""So many matches a graph goes back."""


def _list_ratings(profile: Profile) -> list[tuple[AnyGame, GameRating, Graph | None]]:
    """Return a player's ratings, each with its game and how it has gone."""
    house = get_site().house
    games = {game.slug: game for game in house.games}
    return [
        (
            games[one.game],
            one,
            _draw_graph(house.leaderboards.list_recent(profile.player.id, one.game, MOST)),
        )
        for one in profile.ratings
        if one.game in games
    ]


def show_card(name: str) -> Response:
    """Show a player in short, beside their name on another page. Raises ``NotFound``.

    Whether it offers a challenge depends on who reads, which a log-in changes.
    """
    profile = get_site().house.profiles.get_by_name(name[:LONGEST])
    return answer_page("accounts/card.html", profile=profile, barred=_list_barred(profile))


PER_PAGE = 24


def show_players() -> Response:
    """Show the players whose names begin as the address asks, those found by display name first.

    Raises ``InvalidRequest``.
    """
    prefix, cursor = _read_prefix(), request.args.get("cursor") or None
    profiles = get_site().house.profiles
    page = profiles.search(prefix, limit=PER_PAGE, cursor=cursor)
    found = [
        *(profiles.search_display_names(prefix) if prefix and not cursor else []),
        *page.listed,
    ]
    return answer_page(
        "accounts/players.html",
        prefix=prefix,
        profiles=found,
        barred=_list_barred(*found),
        **link_pages(page, {"prefix": prefix}),
    )


def show_names() -> Response:
    """Give a few names that begin as the address asks, for a script that completes them."""
    prefix = _read_prefix()
    found = get_site().house.profiles.list_names(prefix) if prefix else []
    return answer_data(found)


def _read_prefix() -> str:
    return read_argument("prefix")[:LONGEST]


_DO = ("block", "unblock", "follow", "unfollow")


def relate(name: str) -> Response:
    """Block or follow the player of that name, or no more; lead back to where it was asked for."""
    player, relations = get_player().player, get_site().house.relations
    name, do = name[:LONGEST], read_text("do")
    check_choice("do", do, _DO)
    try:
        if do == "block":
            relations.block(player, name)
        elif do == "follow":
            relations.follow(player, name)
        else:
            relations.end(player, BLOCKS if do == "unblock" else FOLLOWS, name)
    except (CannotBeChallenged, InvalidRequest, TooManyRelations) as refusal:
        return show_player(name, PROBLEMS[refusal.code].status, refusal.detail)
    if read_text("from") == "people":
        return lead_to(url_for("pages.people"))
    return lead_to(url_for("pages.player", name=name))


def show_people() -> Response:
    """Show whom a player follows and has blocked, and the matches of those whom they follow."""
    player, house = get_player().player, get_site().house
    return answer_page("accounts/people.html", related=house.relations.get_related(player))
