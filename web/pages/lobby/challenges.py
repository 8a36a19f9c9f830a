"""Starting a match: first the game, then everything else, with good defaults; and declining one.

The paces that a form offers are a few usual ones, and numbers of one's own.
"""

from __future__ import annotations

from typing import Any

from flask import Response, request, url_for

from domain.errors import (
    CannotBeRated,
    InvalidOptions,
    InvalidPace,
    InvalidSettings,
    MatchNotOpen,
    NoRematch,
    Refusal,
)
from domain.game.game import AnyGame
from domain.json_types import Json
from domain.match.clock import BANK, BREAKS, PER_TURN
from domain.match.house_players import PLAYERS, name_house_player, name_of
from domain.match.series import PLAYED_OUT, SHARED, TWO_MORE
from domain.rating.glicko2 import HUNDREDTHS
from domain.search.engine import count_levels
from services.errors import (
    CannotBeChallenged,
    InvalidRequest,
    InvalidText,
    TooManyHouseMatches,
    TooOften,
    UnknownOpponent,
)
from services.matches.access import PUBLIC, VISIBILITIES
from services.matches.requests import NewMatch
from services.store.ratings import Range
from web.i18n import N_, _, translate
from web.pages.boards.cards import make_tiles
from web.pages.boards.entry import make_entry_url
from web.pages.common.answers import answer_page, set_caching
from web.pages.common.forms import (
    answer_command,
    carry_out,
    make_fields,
    make_key,
    place_at,
    place_refusal,
    read_argument,
    read_number,
    read_options,
    read_text,
)
from web.pages.common.ratings import HIGHEST
from web.pages.common.visitors import LONGEST, get_player
from web.pages.common.words import HOUSE_NAMES
from web.pages.lobby.invitations import answer_invitation, make_invitations_url
from web.pages.lobby.promises import tell_promise
from web.pages.matches.match import make_match_url, refused_at
from web.site import get_site

USUAL: dict[str, tuple[str, Json]] = {
    "1-day": (N_("1 day"), {"days_per_move": 1}),
    "3-days": (N_("3 days"), {"days_per_move": 3}),
    "7-days": (N_("1 week"), {"days_per_move": 7}),
    "14-days": (N_("2 weeks"), {"days_per_move": 14}),
    "bank": (N_("10 days in total"), {"bank_hours": 240, "increment_hours": 12, "cap_hours": 480}),
    "none": (N_("No clock"), None),
}
"""By name: how it is called, and what it is."""

CHOSEN = "3-days"
"""The pace that counts unless somebody chooses."""

OWN_DAYS, OWN_BANK = "own-days", "own-bank"

OWN = {OWN_DAYS: N_("Other days"), OWN_BANK: N_("Other hours in total")}
"""Those whose numbers are typed."""

NUMBERS = {
    "days_per_move": (N_("Days for each turn"), *PER_TURN["days_per_move"], 5),
    "bank_hours": (N_("Hours at the start"), *BANK["bank_hours"], 120),
    "increment_hours": (N_("Hours added after each turn"), *BANK["increment_hours"], 6),
    "cap_hours": (N_("Hours at most"), *BANK["cap_hours"], 240),
}
"""Fields of numbers: label, least, most, and what stands there at first."""


def read_pace() -> Json:
    """Return the pace that the present form asks for.

    Raises ``InvalidRequest``; whether numbers are in bounds is for the domain to say.
    """
    chosen = read_text("pace") or CHOSEN
    if chosen in USUAL:
        pace = USUAL[chosen][1]
        return None if pace is None else {**pace, **_read_breaks()}
    if chosen not in OWN:
        raise InvalidRequest(_("Choose one of the paces."), pointer="/pace")
    names = PER_TURN if chosen == OWN_DAYS else BANK
    numbers = {name: read_number(name) for name in names}
    missing = next((name for name, value in numbers.items() if value is None), None)
    if missing is not None:
        raise InvalidRequest(_("This pace needs a number here."), pointer=f"/{missing}")
    return {**numbers, **_read_breaks()}


def make_pace_fields() -> dict[str, Any]:
    """Return what the template of a pace takes, with what the present form has in it."""
    fresh = request.method != "POST"
    return {
        "paces": {**{name: one[0] for name, one in USUAL.items()}, **OWN},
        "pace": read_text("pace") or CHOSEN,
        "pace_numbers": {
            name: (label, least, most, read_text(name) or str(usual))
            for name, (label, least, most, usual) in NUMBERS.items()
        },
        "breaks": {name: fresh or name in request.form for name in BREAKS},
    }


def _read_breaks() -> dict[str, bool]:
    return {name: name in request.form for name in BREAKS}


SEATS = {"random": None, "1": 1, "2": 2}
"""What the form calls the seats; None: by chance."""

SEAT_NAMES = {"random": N_("Random"), "1": N_("First"), "2": N_("Second")}

SEEN = {
    "public": N_("Everybody: it is listed"),
    "unlisted": N_("Anybody with the address"),
    "private": N_("Only the two players (needs a challenge or a link)"),
}
"""Who may look on, and how the form says it."""

ANYBODY, BY_NAME, BY_LINK = "anybody", "player", "link"
ALONE = "none"
SERIES: dict[str, tuple[str, Json]] = {
    ALONE: (N_("This match alone"), None),
    "best-of-3": (N_("Best of 3"), {"length": 3}),
    "best-of-5": (N_("Best of 5"), {"length": 5}),
    "best-of-7": (N_("Best of 7"), {"length": 7}),
    "two": (N_("2 matches, each on either seat"), {"length": 2, "decided": PLAYED_OUT}),
    "four": (N_("4 matches, two on either seat"), {"length": 4, "decided": PLAYED_OUT}),
}
"""The series that forms offer: how each is called, and its terms but for ties."""


def read_series() -> Json:
    """Return the terms that the present form asks for, None of a match alone."""
    chosen = read_text("series") or ALONE
    if chosen not in SERIES:
        raise InvalidRequest(_("Choose one of these."), pointer="/series")
    terms = SERIES[chosen][1]
    return None if terms is None else {**terms, "tie": TWO_MORE if read_text("tie") else SHARED}


def make_series_fields() -> dict[str, Any]:
    """Return what the choice of a series takes, with what the present form has in it."""
    return {
        "series": read_text("series") or ALONE,
        "several": {name: label for name, (label, _terms) in SERIES.items()},
        "tie": bool(read_text("tie")),
    }


OPPONENTS = {ANYBODY: N_("Anybody"), BY_NAME: N_("By name"), BY_LINK: N_("By a link")}
"""Who may take the other seat, and how the form says it."""


def show_new_match() -> Response:
    """Show the games to choose from, or the form for the one that was chosen."""
    get_player()
    slug = request.args.get("game")
    if slug is None:
        opponent = request.args.get("opponent", "").replace("\0", "")[:LONGEST]
        whom = HOUSE_NAMES.get(opponent, opponent)
        return answer_page(
            "lobby/challenges.html",
            game=None,
            tiles=[
                one
                for one in make_tiles()
                if opponent not in HOUSE_NAMES or opponent in _list_houses(one.game)
            ],
            opponent=opponent,
            whom=whom,
        )
    return _show_form(get_site().house.games.get(slug))


def create_match() -> Response:
    """Create a match, and lead to it; or show the link to it, if somebody is to be invited.

    Asked to ``tell`` or to ``show``, say what that would be, alone or on the form.
    """
    matches, games = get_site().house.matches, get_site().house.games
    game = games.get(read_text("game"))
    if read_text("do") == "tell":
        return set_caching(Response(_tell_promise(game), mimetype="text/plain"), own=True)
    if read_text("do") == "show":
        return _show_form(game)
    try:
        new = _read_new_match(game)
        if not new.invitation:
            return answer_command(lambda request: matches.create(request, new), make_match_url)
        done = carry_out(lambda request: matches.create(request, new), make_invitations_url)
    except InvalidPace as refusal:
        field = (refusal.pointer or "/pace").rpartition("/")[2]
        return _show_form(game, *place_at(field, refusal))
    except (
        InvalidOptions,
        InvalidSettings,
        UnknownOpponent,
        CannotBeChallenged,
        InvalidRequest,
        CannotBeRated,
        TooManyHouseMatches,
        TooOften,
    ) as refusal:
        return _show_form(game, *place_refusal(refusal))
    return answer_invitation(done.shown.view.id)


def _tell_promise(game: AnyGame) -> str:
    """Say in a sentence what the present form will do, or what does not fit yet."""
    house, player = get_site().house, get_player()
    try:
        new = _read_new_match(game)
        planned = house.matches.plan(player.player, new)
        house.matches.must_be_allowed(player.player, planned)
    except Refusal as refusal:
        return str(translate(refusal.detail))
    opponent = house.accounts.find_names([planned.opponent]).get(planned.opponent or "")
    return tell_promise(planned, opponent, by_link=new.invitation)


def _read_new_match(game: AnyGame) -> NewMatch:
    seat, visibility = read_text("seat") or "random", read_text("visibility") or PUBLIC
    if seat not in SEATS:
        raise InvalidRequest(_("Choose one of the seats."), pointer="/seat")
    if visibility not in VISIBILITIES:
        raise InvalidRequest(_("Choose who may see the match."), pointer="/visibility")
    return NewMatch(
        game.slug,
        read_options(game.options, "options"),
        read_options(game.settings, "settings"),
        SEATS[seat],
        _choose_opponent(game),
        visibility,
        rated="rated" in request.form,
        pace=read_pace(),
        invitation=read_text("with") == BY_LINK,
        series=read_series(),
        rating_range=_read_range(),
    )


RANGE = ("rating_least", "rating_most")


def _read_range() -> Range | None:
    """Return between which ratings whoever joins has to be; None: that was left open."""
    least, most = (read_number(name) for name in RANGE)
    if least is None and most is None:
        return None
    return Range((least or 0) * HUNDREDTHS, (HIGHEST if most is None else most) * HUNDREDTHS)


def _choose_opponent(game: AnyGame) -> str | None:
    """Return the name of who is challenged; a name that was typed is meant. None: nobody."""
    name, chosen = _read_opponent_name(), _read_choice()
    houses = _list_houses(game)
    if chosen in houses and name in ("", chosen):
        return chosen
    if chosen not in OPPONENTS and chosen not in houses:
        raise InvalidRequest(_("Choose who takes the other seat."), pointer="/with")
    if chosen == BY_NAME and not name:
        raise InvalidRequest(
            _("Type the name of the player you want to challenge."), pointer="/opponent"
        )
    if chosen not in (ANYBODY, BY_NAME) and name:
        raise InvalidRequest(
            _("Leave the name empty to invite by a link, or choose to challenge this player.")
            if chosen == BY_LINK
            else _("Leave the name empty to play against the house."),
            pointer="/opponent",
        )
    return name or None


def _list_houses(game: AnyGame) -> dict[str, str]:
    """Return the names of the house players of a game, each with how the form calls it."""
    found = (
        (name_of(level), name_house_player(PLAYERS[level]))
        for level in range(1, count_levels(game) + 1)
    )
    return {name: label or name for name, label in found}


def _read_choice() -> str:
    """Return who is to take the other seat; a name that was typed is meant."""
    name = _read_opponent_name()
    is_house = name in map(name_of, PLAYERS)
    return read_text("with") or (name if is_house else BY_NAME if name else ANYBODY)


def _read_opponent_name() -> str:
    """Return the name in the form, or in the address that led to it."""
    if request.method == "POST":
        return read_text("opponent")
    return read_argument("opponent")[:LONGEST]


def _show_form(game: AnyGame, status: int = 200, errors: dict[str, str] | None = None) -> Response:
    opponent, chosen = _read_opponent_name(), _read_choice()
    return answer_page(
        "lobby/challenges.html",
        status=status,
        game=game,
        options=make_fields(game.options, "options"),
        settings=make_fields(game.settings, "settings"),
        seat=read_text("seat") or "random",
        seats=SEAT_NAMES,
        opponent="" if opponent == chosen else opponent[:LONGEST],
        opponents={**OPPONENTS, **_list_houses(game)},
        chosen=chosen,
        visibility=read_text("visibility") or PUBLIC,
        visibilities=SEEN,
        **make_series_fields(),
        # What is wrong is said at its field, once.
        promise="" if errors else _tell_promise(game),
        rated="rated" in request.form,
        range_typed=[read_text(name) for name in RANGE],
        errors=errors or {},
        key=make_key(),
        **make_pace_fields(),
    )


@refused_at("reason", InvalidText)
def decline_challenge(match_id: str) -> Response:
    """Decline a challenge, with the reason that was typed, and lead to the first page."""
    challenges, reason = get_site().house.challenges, read_text("reason")
    get_player()
    return answer_command(
        lambda request: challenges.decline(request, match_id, reason or None),
        lambda _: url_for("pages.home"),
    )


@refused_at(
    "action", MatchNotOpen, NoRematch, TooManyHouseMatches, UnknownOpponent, CannotBeChallenged
)
def ask_for_rematch(match_id: str) -> Response:
    """Ask for the same again with seats swapped, or take it up; lead to that match."""
    rematches = get_site().house.rematches
    get_player()
    return answer_command(lambda request: rematches.ask(request, match_id), make_entry_url)
