"""Playing at once: both seats by one person, or one against the house; held here for a day."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import CannotTakeBack, InvalidOptions, InvalidSettings, MatchNotActive
from domain.game.game import AnyGame
from domain.i18n import say
from domain.match.house_players import PLAYERS
from domain.match.state import ACTIVE
from domain.search.engine import count_levels
from services.errors import (
    InvalidRequest,
    NoHints,
    NotFound,
    StaleVersion,
    TooManyHouseMatches,
    UnknownOpponent,
)
from services.lobby.practice import DAYS, NewPractice, Opponent, make_house_match
from services.matches.access import UNLISTED
from services.matches.house_players import DRAW_FROM
from services.matches.requests import ChangeRequest, CommandResult, Repeatable, StoredAnswer
from web.http.answers import answer_stored
from web.pages.boards.cards import MatchCard, make_cards, make_tiles
from web.pages.boards.entry import make_entry_url
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import (
    check_choice,
    identify_form,
    make_fields,
    make_key,
    make_lead,
    place_at,
    place_refusal,
    read_number,
    read_options,
    read_text,
)
from web.pages.common.preferences import keep
from web.pages.common.visitors import (
    find_practice_holder,
    find_practiser,
    find_visitor,
    make_practice_holder,
)
from web.pages.common.words import list_unusual
from web.pages.lobby.challenges import SEAT_NAMES, SEATS, make_series_fields, read_series
from web.pages.matches.match import get_hint, refused_at
from web.pages.replays.frames import read_look
from web.site import get_site

_USUAL = "usual"
_LAST_LEVEL = "plybook-level-"
"""The cookies that hold the level last played of each game begin so."""


def show_practice() -> Response:
    """Show the games to practise, or the form for the one that was chosen."""
    slug = request.args.get("game")
    if slug is None:
        kept = find_practice_holder() is not None
        return answer_page(
            "lobby/practice.html",
            own=kept,
            game=None,
            tiles=make_tiles(),
            held=list_held(),
            errors={},
        )
    return _show_form(get_site().house.games.get(slug))


def begin_practice() -> Response:
    """Begin a practice match, or one against the house at a ``level``, and lead to it."""
    game = get_site().house.games.get(read_text("game"))
    # Forms of pages that everybody gets alike have no key: each of them begins a match.
    record = Repeatable(*identify_form(), _make_lead) if read_text("key") else None
    try:
        level, seat = _read_level(game), read_text("seat") or "1"
        check_choice("seat", seat, SEATS)
        untouched = _find_untouched(game, level)
        if untouched is not None:
            return lead_to(make_entry_url(untouched))
        if level is None:
            begin = get_site().house.practice.begin
            done = begin(make_practice_holder(), _read_practice(game), record)
        else:
            done = _begin_against(game, Opponent(level, SEATS[seat]), record)
    except (InvalidOptions, InvalidSettings) as refusal:
        # Against the house there are those of one seat, which stand first on the form.
        own = "settings-1." if read_text("level") else "settings-"
        before = own if isinstance(refusal, InvalidSettings) else None
        return _show_form(game, *place_refusal(refusal, before))
    except (InvalidRequest, TooManyHouseMatches, UnknownOpponent) as refusal:
        return _show_form(game, *place_at("", refusal))
    answer = answer_stored(done.answer or _make_lead(done))
    if level is not None:
        keep(answer, _LAST_LEVEL + game.slug, str(level))
    return answer


def _read_level(game: AnyGame) -> int | None:
    """Return the level that is asked for, None by who plays both seats.

    The usual one is that which this browser has played last, else the gentlest.
    """
    if read_text("level") != _USUAL:
        return read_number("level")
    last = request.cookies.get(_LAST_LEVEL + game.slug)
    offered = {str(level): level for level in range(1, count_levels(game) + 1)}
    return offered.get(last or "") or offered.get("1")


def _find_untouched(game: AnyGame, level: int | None) -> str | None:
    """Return the match that the usual button has begun already, if nobody has moved in it.

    So whoever presses it twice, or comes back to it, has not one more each time.
    """
    player, house, holder = find_visitor(), get_site().house, find_practice_holder()
    if level is None or read_text("level") != _USUAL:
        return None
    if player is not None:
        found = house.agenda.get_overview(player.player).to_move.matches
    else:
        found = [one.shown for one in house.practice.list_held(holder)] if holder else []
    alike = (
        view.id
        for view in (one.view for one in found if one.you == 1)
        if (view.game.slug, view.status, view.ply) == (game.slug, ACTIVE, 0)
        and (view.seats[1], view.visibility, view.series) == (PLAYERS[level], UNLISTED, None)
        and not list_unusual(view)
    )
    return next(alike, None)


def _read_practice(game: AnyGame) -> NewPractice:
    return NewPractice(
        game.slug,
        read_options(game.options, "options"),
        (read_options(game.settings, "settings-1"), read_options(game.settings, "settings-2")),
        read_series(),
    )


def _begin_against(
    game: AnyGame, opponent: Opponent, record: Repeatable[CommandResult] | None
) -> CommandResult:
    """Begin a match against the house: of who is logged in, or of a visitor in this browser."""
    house, player, new = get_site().house, find_visitor(), _read_practice(game)
    if player is None:
        return house.practice.begin_against(make_practice_holder(), new, opponent, record)
    wanted = make_house_match(new, opponent)
    return house.matches.create(ChangeRequest(player.player, record=record), wanted)


@refused_at("action", MatchNotActive, NoHints)
def show_hint(match_id: str) -> Response:
    """Find a hint for the hand to move, and lead to the board, where it is tried."""
    if find_practiser() is None:
        raise NotFound(say("This is not a practice match of this browser."))
    hint = get_hint(read_look(), match_id)
    return lead_to(make_entry_url(match_id, hint.version, hint.path, hint="1"))


@refused_at("action", CannotTakeBack, MatchNotActive, StaleVersion)
def take_back(match_id: str) -> Response:
    """Take back the last move of a practice match."""
    get_site().house.practice.take_back(_get_holder(), match_id)
    return lead_to(make_entry_url(match_id))


@refused_at("action", MatchNotActive, StaleVersion)
def end_practice(match_id: str) -> Response:
    """End a practice match before its game does; lead to where another one can be begun."""
    get_site().house.practice.end(_get_holder(), match_id)
    return lead_to(url_for("pages.practice"))


def list_held() -> list[MatchCard]:
    """Return the practice matches of this browser as cards."""
    holder = find_practice_holder()
    found = [] if holder is None else get_site().house.practice.list_held(holder)
    return make_cards((one.shown for one in found), "practice")


def _get_holder() -> str:
    holder = find_practice_holder()
    if holder is None:
        raise NotFound(say("This is not a practice match of this browser."))
    return holder


def _show_form(game: AnyGame, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    return answer_page(
        "lobby/practice.html",
        status=status,
        own=True,
        game=game,
        held=list_held(),
        levels=range(1, count_levels(game) + 1),
        draw_from=DRAW_FROM,
        days=DAYS,
        seat=read_text("seat") or "1",
        seats=SEAT_NAMES,
        options=make_fields(game.options, "options"),
        settings=[(seat, make_fields(game.settings, f"settings-{seat}")) for seat in (1, 2)],
        errors=errors or {},
        key=make_key(),
        **make_series_fields(),
    )


def _make_lead(done: CommandResult) -> StoredAnswer:
    return make_lead(make_entry_url(done.shown.view.id))
