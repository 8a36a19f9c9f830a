"""Playing at once: both seats by one person, or one against the house; held here for a day."""

from __future__ import annotations

from flask import Response, request, url_for

from domain.errors import CannotTakeBack, InvalidOptions, InvalidSettings, MatchNotActive
from domain.game.game import AnyGame
from domain.i18n import say
from domain.match.house_players import PLAYERS
from domain.match.state import ACTIVE
from domain.search.engine import levels
from services.errors import (
    InvalidRequest,
    NoHints,
    NotFound,
    StaleVersion,
    TooManyHouseMatches,
    UnknownOpponent,
)
from services.lobby.practice import DAYS, NewPractice, Opponent, against
from services.matches.access import UNLISTED
from services.matches.house_players import DRAW_FROM
from services.matches.requests import ChangeRequest, CommandResult, Repeatable, StoredAnswer
from web.http.answers import stored_answer
from web.http.problems import PROBLEMS
from web.pages.boards.cards import MatchCard, cards, tiles
from web.pages.boards.entry import entry_url
from web.pages.common.answers import answer_page, lead_to
from web.pages.common.forms import (
    at_its_field,
    check_choice,
    fields,
    fresh_key,
    given,
    leading,
    number,
    once,
    text,
)
from web.pages.common.preferences import keep
from web.pages.common.visitors import new_practice_holder, practice_holder, practising, visitor
from web.pages.common.words import unusual
from web.pages.lobby.challenges import SEAT_NAMES, SEATS, asked_series, series_fields
from web.pages.matches.match import hint_of, refused_at
from web.pages.replays.frames import asked_look
from web.site import this_site

_USUAL = "usual"
_LAST_LEVEL = "plybook-level-"
"""The cookies that hold the level last played of each game begin so."""


def show_practice() -> Response:
    """Show the games to practise, or the form for the one that was chosen."""
    slug = request.args.get("game")
    if slug is None:
        kept = practice_holder() is not None
        return answer_page(
            "lobby/practice.html", own=kept, game=None, tiles=tiles(), held=held(), errors={}
        )
    return _form(this_site().house.games.get(slug))


def begin_practice() -> Response:
    """Begin a practice match, or one against the house at a ``level``, and lead to it."""
    game = this_site().house.games.get(text("game"))
    # Forms of pages that everybody gets alike have no key: each of them begins a match.
    record = Repeatable(*once(), _lead) if text("key") else None
    try:
        level, seat = _level(game), text("seat") or "1"
        check_choice("seat", seat, SEATS)
        untouched = _untouched(game, level)
        if untouched is not None:
            return lead_to(entry_url(untouched))
        if level is None:
            begin = this_site().house.practice.begin
            done = begin(new_practice_holder(), _new(game), record)
        else:
            done = _against(game, Opponent(level, SEATS[seat]), record)
    except (InvalidOptions, InvalidSettings) as refusal:
        # Against the house there are those of one seat, which stand first on the form.
        own = "settings-1." if text("level") else "settings-"
        before = own if isinstance(refusal, InvalidSettings) else None
        return _form(game, *at_its_field(refusal, before))
    except (InvalidRequest, TooManyHouseMatches, UnknownOpponent) as refusal:
        return _form(game, PROBLEMS[refusal.code].status, {"": refusal.detail})
    answer = stored_answer(done.answer or _lead(done))
    if level is not None:
        keep(answer, _LAST_LEVEL + game.slug, str(level))
    return answer


def _level(game: AnyGame) -> int | None:
    """Return the level that is asked for, None by who plays both seats.

    The usual one is that which this browser has played last, else the gentlest.
    """
    if text("level") != _USUAL:
        return number("level")
    last = request.cookies.get(_LAST_LEVEL + game.slug)
    offered = {str(level): level for level in range(1, levels(game) + 1)}
    return offered.get(last or "") or offered.get("1")


def _untouched(game: AnyGame, level: int | None) -> str | None:
    """Return the match that the usual button has begun already, if nobody has moved in it.

    So whoever presses it twice, or comes back to it, has not one more each time.
    """
    player, house, holder = visitor(), this_site().house, practice_holder()
    if level is None or text("level") != _USUAL:
        return None
    if player is not None:
        found = house.agenda.of(player.player).to_move.matches
    else:
        found = [one.shown for one in house.practice.held(holder)] if holder else []
    alike = (
        view.id
        for view in (one.view for one in found if one.you == 1)
        if (view.game.slug, view.status, view.ply) == (game.slug, ACTIVE, 0)
        and (view.seats[1], view.visibility, view.series) == (PLAYERS[level], UNLISTED, None)
        and not unusual(view)
    )
    return next(alike, None)


def _new(game: AnyGame) -> NewPractice:
    return NewPractice(
        game.slug,
        given(game.options, "options"),
        (given(game.settings, "settings-1"), given(game.settings, "settings-2")),
        asked_series(),
    )


def _against(
    game: AnyGame, opponent: Opponent, record: Repeatable[CommandResult] | None
) -> CommandResult:
    """Begin a match against the house: of who is logged in, or of a visitor in this browser."""
    house, player, new = this_site().house, visitor(), _new(game)
    if player is None:
        return house.practice.begin_against(new_practice_holder(), new, opponent, record)
    wanted = against(new, opponent)
    return house.matches.create(ChangeRequest(player.player, record=record), wanted)


@refused_at("action", MatchNotActive, NoHints)
def show_hint(match_id: str) -> Response:
    """Find a hint for the hand to move, and lead to the board, where it is tried."""
    if practising() is None:
        raise NotFound(say("This is not a practice match of this browser."))
    hint = hint_of(asked_look(), match_id)
    return lead_to(entry_url(match_id, hint.version, hint.path, hint="1"))


@refused_at("action", CannotTakeBack, MatchNotActive, StaleVersion)
def take_back(match_id: str) -> Response:
    """Take back the last move of a practice match."""
    this_site().house.practice.take_back(_holder(), match_id)
    return lead_to(entry_url(match_id))


@refused_at("action", MatchNotActive, StaleVersion)
def end_practice(match_id: str) -> Response:
    """End a practice match before its game does; lead to where another one can be begun."""
    this_site().house.practice.end(_holder(), match_id)
    return lead_to(url_for("pages.practice"))


def held() -> list[MatchCard]:
    """Return the practice matches of this browser as cards."""
    holder = practice_holder()
    found = [] if holder is None else this_site().house.practice.held(holder)
    return cards((one.shown for one in found), "practice")


def _holder() -> str:
    holder = practice_holder()
    if holder is None:
        raise NotFound(say("This is not a practice match of this browser."))
    return holder


def _form(game: AnyGame, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    return answer_page(
        "lobby/practice.html",
        status=status,
        own=True,
        game=game,
        held=held(),
        levels=range(1, levels(game) + 1),
        draw_from=DRAW_FROM,
        days=DAYS,
        seat=text("seat") or "1",
        seats=SEAT_NAMES,
        options=fields(game.options, "options"),
        settings=[(seat, fields(game.settings, f"settings-{seat}")) for seat in (1, 2)],
        errors=errors or {},
        key=fresh_key(),
        **series_fields(),
    )


def _lead(done: CommandResult) -> StoredAnswer:
    return leading(entry_url(done.shown.view.id))
